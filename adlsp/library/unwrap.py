"""What a cache, a compiler or a mark of ours was put around: the function that was written."""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType

from adlsp.library import primal


def unwrapped(thing: object) -> object:
    """The function that a cache of functools or a compiler of Numba or TensorFlow was put around.

    Other objects may keep a function in the same attributes, and compute something else with it.
    """
    kind = type(thing)
    if isinstance(thing, _CACHE):
        inner = getattr(thing, "__wrapped__", None)
    elif str(kind.__module__).startswith(_COMPILERS):
        inner = getattr(thing, "py_func", None)
    elif str(kind.__module__).startswith(_TRACERS):
        inner = getattr(thing, "python_function", None)
    else:
        return primal.written(thing)
    return primal.written(inner) if isinstance(inner, FunctionType) else thing


_CACHE = type(lru_cache(int))
_COMPILERS = "numba.core."
_TRACERS = "tensorflow.python.eager."
