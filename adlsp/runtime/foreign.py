"""Arrays of other libraries to which NumPy's functions leave their work, such as those of Dask.

They may be lazy: to make a NumPy array of one computes it. So they are kept as they are, and only
NumPy's functions that dispatch (NEP 13 and 18) and methods that all arrays have are called.

Others have functions of their own, and NumPy's would make NumPy arrays of them: `library` gives for
these a module of ours, in which the functions of the runtime stand once more.
"""

from __future__ import annotations

import math
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

Value = Any

OWN = (np.ndarray, np.generic, int, float, complex, list, tuple, dict)

PLAIN = frozenset((np.ndarray, np.float64, int, float, complex))


LIBRARIES = {"tensorflow": "adlsp.runtime.tensors"}
"""By the package that has the type of an array: the module for its gradients."""


def library(*values: Value) -> ModuleType | None:
    """Gives the module for the first value that has one; None for values of NumPy and Python."""
    for value in values:
        found = _library(type(value))  # type: ignore[arg-type]
        if found is not None:
            return found
    return None


@lru_cache(maxsize=256)
def _library(kind: type) -> ModuleType | None:
    for base in () if issubclass(kind, tuple | list | dict) else kind.__mro__:
        home = str(base.__module__)
        if home.partition(".")[0] in LIBRARIES and base is not kind and not hasattr(kind, "dtype"):
            return None  # a user's class below one that is no array: `class Net(tf.Module)`
        if home.partition(".")[0] in LIBRARIES:
            return import_module(LIBRARIES[home.partition(".")[0]])
        for module in LIBRARIES.values():
            if home.startswith(f"{module}."):
                return import_module(module)
    return None


def is_foreign(x: Value) -> bool:
    """Tells whether `x` is an array of another library that takes over NumPy's functions."""
    return not isinstance(x, OWN) and hasattr(type(x), "__array_function__")


def asarray(x: Value) -> Value:
    """Makes an array of `x`, which may be a foreign one already."""
    if type(x) is np.ndarray or is_foreign(x):
        return x
    return np.asarray(x)


def total(x: Value, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Value:
    """Sums the elements of an array over `axis`."""
    if type(x) is not np.ndarray and is_foreign(x):
        return np.sum(x, axis=axis, keepdims=keepdims)
    return np.add.reduce(x, axis, keepdims=keepdims)  # type: ignore[call-overload]


def scatter(made: Value, places: Value, values: Value) -> None:
    """Adds values at places of an array, each time that a place occurs.

    Raises TypeError for lazy values, whose libraries have no such sum.
    """
    if type(values) is not np.ndarray and is_foreign(values):
        raise TypeError(SCATTERED)
    np.add.at(made, places, values)


def known(length: Value) -> Value:
    """Gives a length or a number of elements; raises ValueError for one that nobody knows yet."""
    if length != length:
        raise ValueError(UNKNOWN)
    return length


def size(x: Value) -> int:
    """Gives the number of elements of a value."""
    try:
        return known(x.size)
    except AttributeError:
        return math.prod(np.shape(x))


UNKNOWN = (
    "the derivative needs the shape of a lazy array that does not know it: compute it first, with "
    "Dask by `x.compute_chunk_sizes()`"
)

SCATTERED = (
    "a lazy array has no gradient through an index that holds arrays: use slices, or a NumPy array"
)
