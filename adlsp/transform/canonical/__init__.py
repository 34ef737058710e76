"""Functions in a form without exceptions: what people write in many ways is written in one.

This is canonicalization; what only matters where derivatives flow is desugaring (`desugar.py`).
Each module here rewrites one idea, and gives a function that does the same. `pipeline.py` has
their order.
"""
