"""Functions of NumPy that call what they are given, as Python would have them.

This file is read, never run: what calls such a function is differentiated as if it called the one
of that name here. Each gives what NumPy gives, and takes the options that stand here.
"""

# mypy: ignore-errors
# ruff: noqa: ANN001, ANN002, ANN003, ANN201, ANN202, D103, B905

import numpy as np


def vectorize(pyfunc, otypes=None):
    def vectorized(*args):
        arrays = np.broadcast_arrays(*args)
        shape = arrays[0].shape
        made = [pyfunc(*each) for each in zip(*[a.ravel() for a in arrays])]
        if isinstance(made[0], tuple):
            kinds = [np.result_type(each) for each in made[0]] if otypes is None else otypes
            return tuple([np.array(c, dtype=k).reshape(shape) for c, k in zip(zip(*made), kinds)])
        return np.array(
            made, dtype=np.result_type(made[0]) if otypes is None else otypes[0]
        ).reshape(shape)

    return vectorized


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    rows = np.moveaxis(arr, axis, -1)
    values = [func1d(row, *args, **kwargs) for row in rows.reshape(-1, rows.shape[-1])]
    made = np.array(values, dtype=np.asarray(values[0]).dtype)
    made = made.reshape(rows.shape[:-1] + made.shape[1:])
    if made.ndim > rows.ndim:
        n = made.ndim - rows.ndim + 1
        first = axis % rows.ndim
        return np.moveaxis(made, tuple(range(-n, 0)), tuple(range(first, first + n)))
    return np.moveaxis(made, -1, axis) if made.ndim == rows.ndim else made


def fromfunction(function, shape, dtype=float):
    return function(*np.indices(shape, dtype=dtype))


def ix_(*args):
    made = []
    for at, each in enumerate(args):
        places = np.asarray(each)
        if places.dtype == bool:
            (places,) = places.nonzero()
        made.append(places.reshape((1,) * at + (-1,) + (1,) * (len(args) - at - 1)))
    return tuple(made)
