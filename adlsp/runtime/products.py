"""Gradients of the products of linear algebra, of transposes and of diagonals.

The shapes are those of NumPy's own functions: `a` and `b` are what `numpy.matmul`, `numpy.dot` or
`numpy.inner` got, `out_bar` has the shape of the result. The gradient of `a` reads only the shape
of `a` and the value of `b`, and the other way round: what gives a shape only may be a `Like`.
The gradients of matmul, dot and inner also take an `out_bar` that is not yet summed over what
broadcasting repeated of the result.
Formulas: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008), section 2, carried over to vectors and stacks of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adlsp.runtime.arrays import unbroadcast
from adlsp.runtime.foreign import asarray, library, total
from adlsp.runtime.shapes import FLOAT, Shape, Value, sum_to

CACHED = 1 << 22
"""How many numbers stay in the caches of a processor, more or less."""


def matmul_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `a` in `numpy.matmul(a, b)`, in the shape and dtype of `a`."""
    if isinstance(out_bar, float) and _are_vectors(a, b):
        return out_bar * b
    other = None if type(out_bar) is np.ndarray else library(a, b, out_bar)
    if other is not None:
        return other.matmul_bar_a(out_bar, a, b)
    if is_sparse(a) or is_sparse(b):
        return _sparse_bar_a(out_bar, a, b)
    try:
        ndim, b = len(a.shape), asarray(b)
    except AttributeError:
        return matmul_bar_a(out_bar, asarray(a), b)
    if b.ndim == 1 == ndim:
        return _cast(_total(out_bar) * b, a)
    out_bar = _summed(out_bar, _matmul_shape(a.shape, b.shape))
    if b.ndim == 2 == ndim:
        return _cast(_ordered(out_bar, b.T, a), a)
    if b.ndim == 1:
        a_bar = _outer(out_bar, b, a)
    elif ndim == 1:
        a_bar = b @ out_bar if b.ndim == 2 else (b @ out_bar[..., np.newaxis])[..., 0]
    else:
        a_bar = out_bar @ np.swapaxes(b, -1, -2)
    return unbroadcast(a_bar, a)


def matmul_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `b` in `numpy.matmul(a, b)`, in the shape and dtype of `b`."""
    if isinstance(out_bar, float) and _are_vectors(a, b):
        return out_bar * a
    other = None if type(out_bar) is np.ndarray else library(a, b, out_bar)
    if other is not None:
        return other.matmul_bar_b(out_bar, a, b)
    if is_sparse(a) or is_sparse(b):
        return _sparse_bar_b(out_bar, a, b)
    try:
        ndim, a = len(b.shape), asarray(a)
    except AttributeError:
        return matmul_bar_b(out_bar, a, asarray(b))
    if a.ndim == 1 == ndim:
        return _cast(_total(out_bar) * a, b)
    out_bar = _summed(out_bar, _matmul_shape(a.shape, b.shape))
    if a.ndim == 2 and ndim <= 2:
        return _cast(a.T @ out_bar if ndim == 1 else _ordered(a.T, out_bar, b), b)
    if ndim == 1:
        b_bar = _rows(a).T @ np.ravel(out_bar)
    elif a.ndim == 1:
        is_row = ndim == 2
        b_bar = _outer(a, out_bar, b) if is_row else a[:, np.newaxis] * out_bar[..., np.newaxis, :]
    elif ndim == 2:
        b_bar = _rows(a).T @ _rows(out_bar)
    else:
        b_bar = np.swapaxes(a, -1, -2) @ out_bar
    return unbroadcast(b_bar, b)


def dot_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `a` in `numpy.dot(a, b)`, in the shape and dtype of `a`."""
    if isinstance(out_bar, float) and _are_vectors(a, b):
        return out_bar * b
    if is_sparse(a) or is_sparse(b):
        return _sparse_bar_a(out_bar, a, b)
    ndim, b = _ndim(a), asarray(b)
    if b.ndim == 1 == ndim:
        return _cast(_total(out_bar) * b, a)
    out_bar = _summed(out_bar, _dot_shape(np.shape(a), np.shape(b)))
    if b.ndim == 2 == ndim:
        return _cast(_ordered(out_bar, b.T, a), a)
    if ndim == 0 or b.ndim == 0:
        a_bar = out_bar * b
    elif b.ndim == 1:
        a_bar = _outer(out_bar, b, a)
    else:
        rest = [i for i in range(b.ndim) if i != b.ndim - 2]
        a_bar = np.tensordot(out_bar, b, (range(ndim - 1, ndim - 1 + len(rest)), rest))
    return unbroadcast(a_bar, a)


def dot_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `b` in `numpy.dot(a, b)`, in the shape and dtype of `b`."""
    if isinstance(out_bar, float) and _are_vectors(a, b):
        return out_bar * a
    if is_sparse(a) or is_sparse(b):
        return _sparse_bar_b(out_bar, a, b)
    ndim, a = _ndim(b), asarray(a)
    if a.ndim == 1 == ndim:
        return _cast(_total(out_bar) * a, b)
    out_bar = _summed(out_bar, _dot_shape(np.shape(a), np.shape(b)))
    if a.ndim == 2 == ndim:
        return _cast(_ordered(a.T, out_bar, b), b)
    if ndim == 0 or a.ndim == 0:
        b_bar = out_bar * a
    elif a.ndim == 1 and ndim == 2:
        b_bar = _outer(a, out_bar, b)
    else:
        b_bar = np.tensordot(a, out_bar, (range(a.ndim - 1), range(a.ndim - 1)))
        if ndim > 1:
            b_bar = np.moveaxis(b_bar, 0, -2)
    return unbroadcast(b_bar, b)


def dot(a: Value, b: Value) -> Value:
    """Gives `numpy.dot(a, b)`, and `a @ b` where `a` is a sparse matrix."""
    return a @ b if is_sparse(a) else np.dot(a, b)


def is_sparse(x: Value) -> bool:
    """Tells whether `x` is a sparse matrix or array of SciPy, which NumPy cannot read."""
    return type(x) is not np.ndarray and hasattr(x, "tocsr")


def _sparse_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """The gradient of `a` in its product with a sparse matrix `b`."""
    _refuse_sparse(a)
    return _cast(_summed(out_bar, (*np.shape(a)[:-1], *b.shape[1:])) @ b.T, a)


def _sparse_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """The gradient of `b` in its product with a sparse matrix `a`."""
    _refuse_sparse(b)
    return _cast(a.T @ _summed(out_bar, (*a.shape[:-1], *np.shape(b)[1:])), b)


def _refuse_sparse(x: Value) -> None:
    """Raises TypeError for a sparse matrix of which the gradient is asked for."""
    if is_sparse(x):
        raise TypeError(
            f"a {type(x).__name__} has no gradient: make it an array, `A.toarray()`, or build it "
            f"where nothing depends on the inputs of interest"
        )


def inner_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `a` in `numpy.inner(a, b)`, in the shape and dtype of `a`."""
    ndim, b = len(np.shape(a)), asarray(b)
    out_bar = _summed(out_bar, _inner_shape(np.shape(a), np.shape(b)))
    if ndim == 0 or b.ndim == 0:
        return unbroadcast(out_bar * b, a)
    rest = b.ndim - 1
    return unbroadcast(np.tensordot(out_bar, b, (range(ndim - 1, ndim - 1 + rest), range(rest))), a)


def inner_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `b` in `numpy.inner(a, b)`, in the shape and dtype of `b`."""
    ndim, a = len(np.shape(b)), asarray(a)
    out_bar = _summed(out_bar, _inner_shape(np.shape(a), np.shape(b)))
    if ndim == 0 or a.ndim == 0:
        return unbroadcast(out_bar * a, b)
    rest = range(a.ndim - 1)
    return unbroadcast(np.tensordot(out_bar, a, (rest, rest)), b)


def cross_bar(
    out_bar: Value,
    a: Value,
    b: Value,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Value:
    """Gives the gradient of `a` in `numpy.cross(a, b, axisa, …)`, in the shape of `a`.

    Only the shape of `a` is read. That of `b` is the negative one with both changed round. A vector
    of two lies in the plane; the product of two of them is a number, which stands upright on it.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    like: Value = np.moveaxis(np.empty(np.shape(a)), axisa, -1)
    b = np.moveaxis(b, axisb, -1)
    n_parts = like.shape[-1]
    is_number = n_parts == b.shape[-1] == 2
    upright = np.stack([np.zeros_like(out_bar)] * 2 + [out_bar], -1) if is_number else None
    turned = np.cross(_in_space(b), np.moveaxis(out_bar, axisc, -1) if upright is None else upright)
    return unbroadcast(np.moveaxis(sum_to(turned[..., :n_parts], like.shape), -1, axisa), a)


def _in_space(vectors: Value) -> Value:
    """Vectors of three numbers for vectors of two."""
    if vectors.shape[-1] == 3:
        return vectors
    return np.concatenate([vectors, np.zeros_like(vectors[..., :1])], -1)


def kron_bar_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `a` in `numpy.kron(a, b)`, in the shape and dtype of `a`."""
    blocks, b_shape = _blocks(out_bar, a, b)
    n_axes = len(b_shape)
    a_bar = np.tensordot(blocks, np.reshape(b, b_shape), (range(1, 2 * n_axes, 2), range(n_axes)))
    return unbroadcast(a_bar.reshape(np.shape(a)), a)


def kron_bar_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives the gradient of `b` in `numpy.kron(a, b)`, in the shape and dtype of `b`."""
    blocks, b_shape = _blocks(out_bar, a, b)
    n_axes = len(b_shape)
    a_shape = blocks.shape[::2]
    b_bar = np.tensordot(np.reshape(a, a_shape), blocks, (range(n_axes), range(0, 2 * n_axes, 2)))
    return unbroadcast(b_bar.reshape(np.shape(b)), b)


def tensordot_bar_a(out_bar: Value, a: Value, b: Value, axes: Value = 2) -> Value:
    """Gives the gradient of `a` in `numpy.tensordot(a, b, axes)`, in the shape and dtype of `a`."""
    a_axes, b_axes = _contracted(axes, np.ndim(a), np.ndim(b))
    b_free = [i for i in range(np.ndim(b)) if i not in b_axes]
    a_free = [i for i in range(np.ndim(a)) if i not in a_axes]
    a_bar = np.tensordot(out_bar, b, (range(len(a_free), np.ndim(out_bar)), b_free))
    order = a_free + [a_axes[b_axes.index(i)] for i in sorted(b_axes)]
    return unbroadcast(np.transpose(a_bar, np.argsort(order)), a)


def tensordot_bar_b(out_bar: Value, a: Value, b: Value, axes: Value = 2) -> Value:
    """Gives the gradient of `b` in `numpy.tensordot(a, b, axes)`, in the shape and dtype of `b`."""
    a_axes, b_axes = _contracted(axes, np.ndim(a), np.ndim(b))
    b_free = [i for i in range(np.ndim(b)) if i not in b_axes]
    a_free = [i for i in range(np.ndim(a)) if i not in a_axes]
    b_bar = np.tensordot(a, out_bar, (a_free, range(len(a_free))))
    order = [b_axes[a_axes.index(i)] for i in sorted(a_axes)] + b_free
    return unbroadcast(np.transpose(b_bar, np.argsort(order)), b)


def convolve_bar(out_bar: Value, shape: Shape, v: Value, mode: str = "full") -> Value:
    """Gives the gradient of the vector of `shape` in `numpy.convolve(a, v, mode)`.

    The two vectors play the same part, so it is also that of `v`, given `a`.
    """
    n_a, n_v = *(shape or (1,)), np.size(v)
    shorter = min(n_a, n_v)
    start = {"full": 0, "same": (shorter - 1) // 2, "valid": shorter - 1}[mode]
    full = np.zeros(n_a + n_v - 1, np.asarray(out_bar).dtype)
    full[start : start + np.size(out_bar)] = out_bar
    return np.correlate(full, np.conj(np.ravel(v)), "valid").reshape(shape)


def full_shape(one: Shape, other: Shape) -> Shape:
    """Gives the shape of the full convolution of arrays of two shapes."""
    return tuple(n + m - 1 if n and m else 0 for n, m in zip(one, other, strict=True))


def centered(whole: Value, shape: Shape) -> Value:
    """Gives the middle of an array, of `shape`: what `mode="same"` keeps in `scipy.signal`."""
    return whole[_middle(np.shape(whole), shape)]


def centered_bar(out_bar: Value, shape: Shape) -> Value:
    """Gives the gradient of the array of `shape` in `centered`."""
    made = np.zeros(shape, out_bar.dtype)
    made[_middle(shape, out_bar.shape)] = out_bar
    return made


def _middle(whole: Shape, part: Shape) -> tuple[slice, ...]:
    starts = [(n - m) // 2 for n, m in zip(whole, part, strict=True)]
    return tuple(slice(start, start + m) for start, m in zip(starts, part, strict=True))


def solve_transposed(a: Value, out_bar: Value, b: Value) -> Value:
    """Solves `a.T @ b_bar = out_bar`: the gradient of `b` in `numpy.linalg.solve(a, b)`.

    It has the shape of `out_bar`; where `b` was broadcast against a stack of matrices, sum it with
    `unbroadcast`. Raises ValueError for a stack of matrices with a `b` of fewer axes, which NumPy's
    releases read in different ways.
    """
    if len(np.shape(b)) < len(np.shape(a)) > 2:
        raise ValueError(
            "numpy.linalg.solve(a, b) has a gradient for a stack of matrices `a` only where `b` is "
            "a stack of matrices too"
        )
    return np.linalg.solve(np.swapaxes(a, -1, -2), out_bar)


def transpose_bar(out_bar: Value, axes: int | Sequence[int] | None) -> Value:
    """Gives the gradient of an array in `numpy.transpose(a, axes)`: the axes put back."""
    if axes is None:
        return np.transpose(out_bar)
    order = (axes,) if isinstance(axes, int | np.integer) else axes
    return np.transpose(out_bar, np.argsort([axis % len(order) for axis in order]).tolist())


def trace_bar(
    out_bar: Value, shape: Shape, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Value:
    """Gives the gradient of an array of `shape` in `numpy.trace`: `out_bar` along the diagonal."""
    made = np.zeros(shape, np.asarray(out_bar).dtype)
    _diagonal(np.moveaxis(made, (axis1, axis2), (-2, -1)), offset)[...] = np.asarray(out_bar)[
        ..., np.newaxis
    ]
    return made


def diag_bar(out_bar: Value, shape: Shape, k: int = 0) -> Value:
    """Gives the gradient of `v` of `shape` in `numpy.diag(v, k)`."""
    if len(shape) == 1:
        return np.diag(out_bar, k).copy()  # a view of a matrix
    made = np.zeros(shape, out_bar.dtype)
    _diagonal(made, k)[...] = out_bar
    return made


def _cast(x_bar: Value, x: Value) -> Value:
    """The gradient of `x`, which has its shape, in its dtype too."""
    return x_bar if x_bar.dtype is getattr(x, "dtype", None) else unbroadcast(x_bar, x)


def _ndim(x: Value) -> int:
    """The number of axes of an array, a `Like` or a number."""
    return len(x.shape) if hasattr(x, "shape") else np.ndim(x)


def _ordered(a: Value, b: Value, like: Value) -> Value:
    """`a @ b`, by columns in memory where `like` is, as transposes are.

    So the gradient of what was transposed lies by rows, as the others do that it is added to.
    """
    return (b.T @ a.T).T if type(like) is np.ndarray and like.flags.fnc else a @ b


def _outer(a: Value, b: Value, like: Value) -> Value:
    """The outer product of `a` and the vector `b`, by columns in memory where `like` is.

    BLAS makes that of two vectors faster, as long as it stays in the caches of the processor.
    """
    if not (type(a) is type(b) is np.ndarray and a.ndim == 1):
        return np.multiply.outer(a, b)
    if type(like) is np.ndarray and like.flags.fnc:
        return _outer(b, a, None).T
    if a.dtype is FLOAT is b.dtype and a.size * b.size <= CACHED:
        return np.dot(a[:, np.newaxis], b[np.newaxis])
    return np.multiply.outer(a, b)


def _are_vectors(a: Value, b: Value) -> bool:
    """Tells whether both are vectors of floats: their products are those of tight loops."""
    try:
        return a.dtype is FLOAT is b.dtype and a.ndim == 1 == b.ndim
    except AttributeError:
        return False


def _total(out_bar: Value) -> Value:
    """The gradient of a number that was broadcast."""
    return total(out_bar) if getattr(out_bar, "shape", ()) else out_bar


def _summed(out_bar: Value, shape: Shape) -> Value:
    """`out_bar` in the shape of a product, summed over what was broadcast after it."""
    return out_bar if getattr(out_bar, "shape", ()) == shape else sum_to(out_bar, shape)


def _matmul_shape(a: Shape, b: Shape) -> Shape:
    """The shape of `numpy.matmul` of arrays of two shapes."""
    if len(a) < 3 > len(b):
        return (*a[:-1], *b[1:])
    rows, columns = (a[-2:-1] if len(a) > 1 else ()), (b[-1:] if len(b) > 1 else ())
    return (*np.broadcast_shapes(a[:-2], b[:-2]), *rows, *columns)


def _dot_shape(a: Shape, b: Shape) -> Shape:
    """The shape of `numpy.dot` of arrays of two shapes."""
    if len(a) < 3 > len(b) and a and b:
        return (*a[:-1], *b[1:])
    return (*a[:-1], *b[:-2], *b[-1:]) if a and len(b) > 1 else a[:-1] if a and b else a or b


def _inner_shape(a: Shape, b: Shape) -> Shape:
    """The shape of `numpy.inner` of arrays of two shapes."""
    return (*a[:-1], *b[:-1]) if a and b else a or b


def _rows(x: Value) -> Value:
    """The rows of all the matrices in a stack, as one matrix."""
    return x.reshape(-1, x.shape[-1])


def _blocks(out_bar: Value, a: Value, b: Value) -> tuple[Value, Shape]:
    """The gradient of a Kronecker product with an axis of `a` and one of `b` in turn."""
    a_shape, b_shape = np.shape(a), np.shape(b)
    n_axes = max(len(a_shape), len(b_shape))
    a_shape = (1,) * (n_axes - len(a_shape)) + a_shape
    b_shape = (1,) * (n_axes - len(b_shape)) + b_shape
    pairs = [n for pair in zip(a_shape, b_shape, strict=True) for n in pair]
    return np.reshape(out_bar, pairs), b_shape


def _contracted(axes: Value, a_ndim: int, b_ndim: int) -> tuple[list[int], list[int]]:
    """The axes of both factors that `numpy.tensordot` sums over, each counted from the start."""
    if np.ndim(axes) == 0:
        return list(range(a_ndim - axes, a_ndim)), list(range(axes))
    a_axes, b_axes = (np.atleast_1d(each).tolist() for each in axes)
    return [i % a_ndim for i in a_axes], [i % b_ndim for i in b_axes]


def _diagonal(x: Value, offset: int) -> Value:
    """A view of the diagonals of a stack of matrices, to be written to."""
    view = np.diagonal(x, offset, -2, -1)
    view.flags.writeable = True
    return view
