"""Functions in a form without exceptions: what people write in many ways is written in one.

Each module here rewrites one idea, and gives a function that does the same. `pipeline.py` has
their order; what only matters where derivatives flow (`desugar.py`) is done once that is known.
"""
