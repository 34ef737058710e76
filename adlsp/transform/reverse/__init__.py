"""Reverse mode: from a function and its facts to functions that compute adjoints.

`assemble.py` has the plot, `sweep.py` the scheme.
"""
