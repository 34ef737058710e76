"""What generated code imports as `rt`: NumPy and the standard library, nothing else of ours."""
