"""Slopes of norms of any order, of vectors and of matrices.

The slope of a norm is what its gradient is made of: the norm changes by the real part of
`sum(slope * x_dot)`. It is the conjugate of the vector by its size for the norm of order 2, the
phases for the sum of sizes; where only the largest count, they share equally. The *bend* is how the
slope itself changes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adlsp.runtime.arrays import ratio
from adlsp.runtime.complexes import conj, per_size, phase
from adlsp.runtime.shapes import Axis, Value
from adlsp.runtime.spectra import svd_dot


def norm_slope(x: Value, ord: Value, axis: Axis = None) -> Value:
    """Gives the slope of `numpy.linalg.norm(x, ord, axis)`, in the shape of `x`."""
    return _apart(_vector_slope, _matrix_slope, (x,), ord, axis)


def norm_bend(g: Value, x: Value, ord: Value, axis: Axis = None) -> Value:
    """Gives how `norm_slope(x, ord, axis)` changes when `x` changes by `g`."""
    return _apart(_vector_bend, _matrix_bend, (g, x), ord, axis)


def _apart(
    of_vectors: Callable[..., Value],
    of_matrices: Callable[..., Value],
    given: tuple[Value, ...],
    ord: Value,
    axis: Axis,
) -> Value:
    """Does one thing to vectors, on the last axis, and another to matrices, on the last two."""
    n_axes = np.ndim(given[-1])
    own = axis if isinstance(axis, tuple) else tuple(range(n_axes)) if axis is None else (axis,)
    last = tuple(range(-len(own), 0))
    moved = [np.moveaxis(x, own, last) for x in given]
    made = (of_vectors if len(own) == 1 else of_matrices)(*moved, ord)
    return np.moveaxis(made, last, own)


def _vector_slope(x: Value, ord: Value) -> Value:
    size = np.linalg.norm(x, ord, -1, keepdims=True)
    if ord is None or ord == 2:
        return conj(x) / size
    if ord == 0:
        return np.zeros_like(x)
    if np.isinf(ord):
        return phase(x) * _shares(np.abs(x) == size, -1, size.dtype)
    return phase(x) * (np.abs(x) / size) ** (ord - 1)


def _vector_bend(g: Value, x: Value, ord: Value) -> Value:
    size, slope = np.linalg.norm(x, ord, -1, keepdims=True), _vector_slope(x, ord)
    change = np.sum(np.real(slope * g), axis=-1, keepdims=True)
    if ord is None or ord == 2:
        return (conj(g) - slope * change) / size
    if ord in (0, 1) or np.isinf(ord):
        return _turned(g, x) * np.abs(slope)
    share = np.abs(x) / size
    grown = (np.real(phase(x) * g) - share * change) / size
    bend = (ord - 1) * phase(x) * ratio(share ** (ord - 1) * grown, share)
    return bend + _turned(g, x) * share ** (ord - 1)


def _matrix_slope(x: Value, ord: Value) -> Value:
    if ord is None or ord == "fro":
        return conj(x) / np.sqrt(np.sum(np.abs(x) ** 2, axis=(-2, -1), keepdims=True))
    if ord in ("nuc", 2, -2):
        u, _, vh = np.linalg.svd(x, full_matrices=False)
        own = _vectors(ord)
        return conj(u[..., own] @ vh[..., own, :])
    sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
    over = -1 if abs(ord) == 1 else -2
    best = np.max if ord > 0 else np.min
    return phase(x) * _shares(sums == best(sums, axis=over, keepdims=True), over, sums.dtype)


def _matrix_bend(g: Value, x: Value, ord: Value) -> Value:
    slope = _matrix_slope(x, ord)
    if ord is None or ord == "fro":
        size = np.sqrt(np.sum(np.abs(x) ** 2, axis=(-2, -1), keepdims=True))
        change = np.sum(np.real(slope * g), axis=(-2, -1), keepdims=True)
        return (conj(g) - slope * change) / size
    if ord in ("nuc", 2, -2):
        u, _, vh = np.linalg.svd(x, full_matrices=False)
        u_dot, _, vh_dot = svd_dot(g, x, False)
        own = _vectors(ord)
        return conj(u_dot[..., own] @ vh[..., own, :] + u[..., own] @ vh_dot[..., own, :])
    return _turned(g, x) * np.abs(slope)


def _vectors(ord: Value) -> slice:
    """Which singular vectors count: all, those of the largest value, or of the smallest."""
    return slice(None) if ord == "nuc" else slice(1) if ord > 0 else slice(-1, None)


def _shares(chosen: Value, axis: int, dtype: Value) -> Value:
    """What each of those chosen counts, where all together count once."""
    whole = np.asarray(chosen, dtype)
    return whole / np.sum(whole, axis=axis, keepdims=True)


def _turned(g: Value, x: Value) -> Value:
    """How the phase of `x` changes; that of real numbers does not."""
    own = phase(x)
    return (conj(g) - own * np.real(own * g)) * per_size(x)
