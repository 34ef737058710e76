"""Shapes of gradients: what broadcasting and reductions repeat, and take together.

The formulas are the adjoints of NumPy's broadcasting and reductions; `shape` and `axis` mean what
they mean there.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from adlsp.runtime.foreign import UNKNOWN, is_foreign, known, library, total

Shape = tuple[int, ...]


Axis = int | tuple[int, ...] | None


Value = Any
"""A number, an array, or a tuple, list or dictionary of values: what has a gradient."""


FLOAT = np.dtype(np.float64)


def sum_to(x_bar: Value, shape: Shape) -> Value:
    """Sums `x_bar` over the axes along which a value of `shape` was broadcast.

    Axes of length one that `x_bar` lacks at the front are put there: a store drops them, as of `k`
    in `u[i] = k[None]`. A zero without axes is that of a list in which something else was put
    since. Raises ValueError where the shape of `x_bar` cannot come from broadcasting.
    """
    given = np.shape(x_bar)
    if len(given) < len(shape):
        if not given and not x_bar:
            return np.zeros(shape)
        given = (1,) * (len(shape) - len(given)) + given
        x_bar = np.reshape(x_bar, given)
    if given == shape:
        return x_bar
    stretched = _stretched(given, shape)
    if not shape:
        return total(x_bar)
    if len(given) == len(shape):
        return total(x_bar, stretched, keepdims=True)
    return total(x_bar, stretched).reshape(shape)


@lru_cache(maxsize=1024)
def _stretched(given: Shape, shape: Shape) -> tuple[int, ...]:
    """The axes along which broadcasting repeated a value of `shape` to give it another shape."""
    extra = len(given) - len(shape)
    stretched = [*range(extra)]
    for i, n in enumerate(shape, extra):
        if n != n:
            raise ValueError(UNKNOWN)
        if extra < 0 or n not in (given[i], 1):
            raise ValueError(f"a gradient of shape {given} does not fit a value of shape {shape}")
        if n != given[i]:
            stretched.append(i)
    return tuple(stretched)


def expand(out_bar: Value, shape: Shape, axis: Axis = None, keepdims: bool = False) -> Value:
    """Repeats the gradient of a sum over `axis` for each of the elements that were summed.

    The result has `shape`, that of the array before the sum. It may be a read-only view that holds
    each number once: copy it before changing it. Raises ValueError where `out_bar` does not have
    the shape of such a sum.
    """
    if isinstance(out_bar, float):
        if not shape:
            return out_bar
        try:
            return np.ndarray(shape, FLOAT, np.float64(out_bar), 0, (0,) * len(shape))
        except TypeError:
            other = library(shape)
            if other is None:
                raise ValueError(UNKNOWN) from None
            return other.expand(out_bar, shape, axis, keepdims)
    other = None if type(out_bar) is np.ndarray else library(out_bar)
    if other is not None:
        return other.expand(out_bar, shape, axis, keepdims)
    if not shape:
        return np.reshape(out_bar, ())[()]
    if keepdims and np.ndim(out_bar) != len(shape):
        return np.broadcast_to(out_bar, shape)
    if type(out_bar) is not np.ndarray and is_foreign(out_bar):
        known(math.prod(shape))
        return np.broadcast_to(out_bar.reshape(_kept_shape(shape, axis)), shape)
    kept = np.asarray(out_bar).reshape(_kept_shape(shape, axis))
    if not kept.flags.c_contiguous:
        return np.broadcast_to(kept, shape)
    strides = [0 if n == 1 else step for n, step in zip(kept.shape, kept.strides, strict=True)]
    view = np.ndarray(shape, kept.dtype, kept, 0, strides)
    view.flags.writeable = False
    return view


def expand_as(out_bar: Value, x: Value, axis: Axis = None, keepdims: bool = False) -> Value:
    """Repeats the gradient of a sum over `axis` as `expand` does, in the shape and dtype of `x`."""
    other = library(x, out_bar)
    if other is not None:
        return other.expand_as(out_bar, x, axis, keepdims)
    return expand(out_bar, np.shape(x), axis, keepdims)


def collapse(x: Value, axis: Axis = None, keepdims: bool = False) -> Value:
    """Sums the elements of `x` over `axis`: the adjoint of `expand`."""
    other = library(x)
    if other is not None:
        return other.collapse(x, axis, keepdims)
    return np.sum(x, axis=axis, keepdims=keepdims)


def count(shape: Shape, axis: Axis = None) -> int:
    """Counts the elements that a reduction over `axis` takes together into one."""
    if axis is None:
        return known(math.prod(shape))
    if isinstance(axis, (tuple, list)):
        return known(math.prod([shape[i] for i in axis]))
    return known(shape[axis])


def axes(axis: Value) -> Value:
    """Gives axes as all functions take them: one as an integer, several as a tuple."""
    if not isinstance(axis, (tuple, list)):
        return axis
    return axis[0] if len(axis) == 1 else tuple(axis)


def stretch(x_dot: Value, shape: Shape) -> Value:
    """Repeats a tangent so that it has the shape of its variable (a read-only view, if it must).

    The adjoint of `unbroadcast`: axes of length one that `shape` lacks at the front are dropped.
    For a number, which stood for zeros, all elements are summed, and that of a tuple is an array.
    Raises ValueError where it does not fit.
    """
    given = np.shape(x_dot)
    other = library(x_dot, shape)
    if other is not None:
        return other.stretch(x_dot, shape)
    if given == shape:
        return np.array(x_dot) if isinstance(x_dot, tuple) else x_dot
    if not shape:
        return np.sum(x_dot)
    n_extra = len(given) - len(shape)
    if n_extra > 0 and given[:n_extra] == (1,) * n_extra:
        x_dot = np.reshape(x_dot, given[n_extra:])
    return np.broadcast_to(x_dot, shape)


def where(condition: Value, x: Value, y: Value) -> Value:
    """Gives the elements of `x` where a condition holds, and of `y` elsewhere: `numpy.where`."""
    other = library(condition, x, y)
    return np.where(condition, x, y) if other is None else other.where(condition, x, y)


def _kept_shape(shape: Shape, axis: Axis) -> list[int]:
    """The shape after a reduction over `axis` that keeps the reduced axes with length 1."""
    if axis is None:
        return [1] * len(shape)
    if isinstance(axis, int | np.integer):
        kept = list(shape)
        kept[axis] = 1
        return kept
    axes = [i % len(shape) for i in axis]
    return [1 if i in axes else n for i, n in enumerate(shape)]
