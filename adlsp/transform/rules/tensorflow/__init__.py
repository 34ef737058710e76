"""Rules for functions of TensorFlow, by what they do."""
