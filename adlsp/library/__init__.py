"""The library: a live function, through the engine, to a compiled derivative.

Programs name what is in `api.py` as `adlsp.grad` and so on; the package itself loads it when it is
first used.
"""
