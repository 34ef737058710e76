"""The engine: text of a function in, text of its derivative and findings out."""
