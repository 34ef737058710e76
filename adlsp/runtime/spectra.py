"""Derivatives of the singular value decomposition, and of functions of matrices.

With `a = u @ diag(s) @ vh` and `inner = dagger(u) @ a_dot @ dagger(vh)`, the values change by the
diagonal of `inner`, and the vectors turn into each other: see Townsend, "Differentiating the
singular value decomposition" (2016), here for complex matrices too. Where a gradient of vectors
arrives and two values are the same, it is infinite or not a number. The gaps between the values
have ones on the diagonal, where what they divide is zero, so that there is a second derivative.

A function of a matrix changes as the same function of a block matrix says:
`f([[a, a_dot], [0, a]]) = [[f(a), out_dot], [0, f(a)]]` (Higham, "Functions of Matrices", 3.6).
"""

from __future__ import annotations

import math

import numpy as np

from adlsp.runtime.arrays import ratio, unbroadcast
from adlsp.runtime.complexes import conj, dagger
from adlsp.runtime.shapes import Shape, Value


def svd_dot(
    g: Value, a: Value, full_matrices: bool = True, compute_uv: bool = True, found: Value = None
) -> Value:
    """Gives the tangent of `numpy.linalg.svd(a, …)`, where that of `a` is `g`: an array or a list.

    Raises ValueError for the full matrices of an `a` that is not square.
    """
    u, s, vh = _factors(a, full_matrices, compute_uv, found)
    inner = dagger(u) @ g @ dagger(vh)
    s_dot = np.real(np.diagonal(inner, 0, -2, -1))
    if not compute_uv:
        return s_dot
    columns, rows = s[..., np.newaxis, :], s[..., np.newaxis]
    turned_u, turned_v = inner * columns, rows * inner
    gaps = columns**2 - rows**2 + np.eye(s.shape[-1], dtype=s.dtype)
    u_dot = ratio(_mixed(turned_u + dagger(turned_u)), gaps) + _spun(inner, s)
    vh_dot = -ratio(_mixed(turned_v + dagger(turned_v)), gaps)
    u_dot, vh_dot = u @ u_dot, vh_dot @ vh
    if u.shape[-2] > s.shape[-1]:
        u_dot = u_dot + _divided(g @ dagger(vh) - u @ inner, columns)
    if vh.shape[-1] > s.shape[-1]:
        vh_dot = vh_dot + _divided(dagger(u) @ g - inner @ vh, rows)
    return [u_dot, s_dot, vh_dot]


def svd_bar(
    g: Value, a: Value, full_matrices: bool = True, compute_uv: bool = True, found: Value = None
) -> Value:
    """Gives the gradient of `a` in `numpy.linalg.svd(a, …)`, where `g` is that of the result.

    Raises ValueError for the full matrices of an `a` that is not square.
    """
    u, s, vh = _factors(a, full_matrices, compute_uv, found)
    u_bar, s_bar, vh_bar = g if compute_uv else (np.zeros_like(u), g, np.zeros_like(vh))
    columns, rows = s[..., np.newaxis, :], s[..., np.newaxis]
    gaps = columns**2 - rows**2 + np.eye(s.shape[-1], dtype=s.dtype)
    u_t, v_c = np.swapaxes(u, -1, -2), np.swapaxes(vh, -1, -2)
    turned_u, turned_v = u_t @ u_bar, vh_bar @ v_c
    mixed_u, mixed_v = ratio(_mixed(turned_u), gaps), -ratio(_mixed(turned_v), gaps)
    inner = (mixed_u + dagger(mixed_u)) * columns + rows * (mixed_v + dagger(mixed_v))
    inner = inner + _spun(turned_u, s) + _diagonal(np.real(s_bar))
    a_bar = conj(u) @ inner @ conj(vh)
    if u.shape[-2] > s.shape[-1]:
        a_bar = a_bar + _divided(u_bar - conj(u) @ turned_u, columns) @ conj(vh)
    if vh.shape[-1] > s.shape[-1]:
        a_bar = a_bar + conj(u) @ _divided(vh_bar - turned_v @ conj(vh), rows)
    return unbroadcast(a_bar, a)


def upper(a: Value, g: Value) -> Value:
    """Gives the block matrix `[[a, g], [0, a]]`."""
    return np.block([[a, g], [np.zeros_like(a), a]])


def corner(blocks: Value) -> Value:
    """Gives the block on the upper right."""
    n = np.shape(blocks)[-1] // 2
    return blocks[..., :n, n:]


def corner_bar(out_bar: Value, shape: Shape) -> Value:
    """Gives the gradient of the block matrix of `shape` in `corner`."""
    made = np.zeros(shape, out_bar.dtype)
    n = shape[-1] // 2
    made[..., :n, n:] = out_bar
    return made


def diagonal_blocks(blocks: Value) -> Value:
    """Gives the sum of the two blocks on the diagonal."""
    n = np.shape(blocks)[-1] // 2
    return blocks[..., :n, :n] + blocks[..., n:, n:]


def cutoff(a: Value, rcond: float | None = None) -> float:
    """Gives what part of the largest singular value of `a` counts for `numpy.linalg.lstsq`."""
    precision = float(np.finfo(np.result_type(a, np.float32)).eps)
    if rcond is None:
        return precision * max(np.shape(a))
    return precision if rcond < 0 else rcond


def fill(x: Value, shape: Shape) -> Value:
    """Gives what `x` holds in an array of `shape`; zeros where it holds more or fewer numbers."""
    if np.size(x) == math.prod(shape):
        return np.reshape(x, shape)
    return np.zeros(shape, np.result_type(x))


def squareform_bar(out_bar: Value) -> Value:
    """Gives the gradient of what `scipy.spatial.distance.squareform` was given.

    A matrix is made of distances in a row, each of which stands there twice; of a matrix those
    above the diagonal are read.
    """
    if np.ndim(out_bar) == 2:
        return (out_bar + np.transpose(out_bar))[np.triu_indices(len(out_bar), 1)]
    n = round((1 + math.sqrt(1 + 8 * len(out_bar))) / 2)
    made = np.zeros((n, n), out_bar.dtype)
    made[np.triu_indices(n, 1)] = out_bar
    return made


def triangle(x: Value, lower: bool = False) -> Value:
    """Gives the lower or upper triangle of a matrix, with the diagonal."""
    return np.tril(x) if lower else np.triu(x)


def not_tall(a: Value) -> Value:
    """Gives a matrix, which must have no more rows than columns: all of `q` is determined."""
    shape = np.shape(a)
    if shape[-2] > shape[-1]:
        raise ValueError(
            f"scipy.linalg.qr of matrices of shape {shape} has a derivative with "
            f'mode="economic" only: the further columns of q are nobody\'s choice'
        )
    return a


def turned(x: Value, trans: int = 0) -> Value:
    """Gives a matrix, or its transpose for a `trans` of 1, as SciPy counts."""
    if trans not in (0, 1):
        raise ValueError("scipy.linalg.solve_triangular has a gradient for `trans` 0 and 1 only")
    return np.swapaxes(x, -1, -2) if trans else x


def _factors(
    a: Value, full_matrices: bool, compute_uv: bool, found: Value
) -> tuple[Value, Value, Value]:
    """The decomposition, unless somebody has `found` it: other libraries choose other signs."""
    n_rows, n_columns = np.shape(a)[-2:]
    if full_matrices and compute_uv and n_rows != n_columns:
        raise ValueError(
            f"numpy.linalg.svd of matrices of shape {(n_rows, n_columns)} has a derivative with "
            f"full_matrices=False only: the further vectors are nobody's choice"
        )
    u, s, vh = np.linalg.svd(a, full_matrices=False) if found is None else found
    return u, s, vh


def _mixed(x: Value) -> Value:
    """What is not on the diagonal."""
    return x * (1 - np.eye(x.shape[-1], dtype=x.dtype))


def _spun(x: Value, s: Value) -> Value:
    """The imaginary part of the diagonal by the values, as the phases turn."""
    if not np.iscomplexobj(x):
        return np.zeros_like(x)
    return _diagonal(1j * ratio(np.imag(np.diagonal(x, 0, -2, -1)), s))


def _diagonal(values: Value) -> Value:
    return values[..., np.newaxis] * np.eye(values.shape[-1], dtype=values.dtype)


def _divided(x: Value, by: Value) -> Value:
    return ratio(x, np.broadcast_to(by, x.shape))
