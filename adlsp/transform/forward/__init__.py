"""Forward mode: from a function and its facts to functions that compute tangents.

`assemble.py` has the plot, `sweep.py` the scheme.
"""
