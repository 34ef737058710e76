"""Products that are added to the gradient of a matrix, in place, and in loops many at a time.

    W_bar = rt.products(W)
    for x in reversed(xs):
        W_bar += rt.matmul_factors_a(z_bar, W, h)
    W_bar = rt.summed(W_bar)

An outer product is as large as the matrix, though two vectors say all of it: to write it down and
to add it takes far longer than the product of the matrix and a vector that it is the gradient of.
So the vectors are kept, as rows of two matrices, and BLAS multiplies `ROOM` of them at once (a
blocked update, as in LAPACK's factorizations). Nobody reads the sum before `summed`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adlsp.runtime.arrays import zeros
from adlsp.runtime.products import dot_bar_a, dot_bar_b, matmul_bar_a, matmul_bar_b
from adlsp.runtime.shapes import FLOAT, Value

Array = np.ndarray[Any, Any]

ROOM = 64
"""How many vectors are kept."""

THIN = 16
"""A factor that has more columns than this is multiplied at once: BLAS is fast with it already."""

BLOCK = 1 << 16
"""How many elements of a large product are made at a time."""

LEAST = 1 << 13
"""A matrix that has fewer elements is added to at once."""

PART = 4
"""So is a part that has less than this part of all elements: its cost is what it touches."""


class Factors:
    """The product of two matrices, not multiplied yet: `x_bar += factors` adds it in place.

    That is done by blocks of rows, so that no array as large as `x_bar` is made for it.
    """

    __slots__ = ("left", "right")

    def __init__(self, left: Array, right: Array) -> None:
        self.left = left
        self.right = right

    @property
    def T(self) -> Factors:  # noqa: N802
        """The product transposed."""
        return Factors(self.right.T, self.left.T)

    def __radd__(self, x_bar: Value) -> Value:
        return x_bar + np.dot(self.left, self.right)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Value, out: Value = (), **options: Value
    ) -> Value:
        if ufunc is np.add and method == "__call__" and out and inputs[0] is out[0]:
            _add(inputs[0], self.left, self.right)
            return inputs[0]
        return NotImplemented


class Products:
    """The sum of a matrix and of products that are not multiplied yet; `+=` adds to it."""

    __slots__ = ("columns", "n", "rows", "total")

    def __init__(self, total: Array) -> None:
        self.total = total
        self.columns = np.empty((ROOM, total.shape[0]))
        self.rows = np.empty((ROOM, total.shape[1]))
        self.n = 0

    def __iadd__(self, value: Value) -> Products:
        self.add(..., value)
        return self

    def __getitem__(self, index: Value) -> _Part:
        return _Part(self, index)

    def __setitem__(self, index: Value, part: _Part) -> None:
        """Ends `x_bar[index] += value`, which has added to the part."""

    def __repr__(self) -> str:
        return repr(self.sum())

    def add(self, index: Value, value: Value) -> None:
        """Adds a value, or factors of one, to what an index selects."""
        if type(value) is not Factors:
            self.total[index] += value
            return
        left, right = value.left, value.right
        is_block = index is ... or (type(index) is tuple and [*map(type, index)] == [slice, slice])
        if not is_block or PART * len(left) * right.shape[1] < self.total.size:
            self.total[index] += value
            return
        n = self.n + left.shape[1]
        if n > ROOM:
            self.sum()
            n = left.shape[1]
        columns, rows = self.columns[self.n : n], self.rows[self.n : n]
        if index is not ...:
            columns[...] = rows[...] = 0.0
            columns, rows = columns[:, index[0]], rows[:, index[1]]
        columns[...] = left.T
        rows[...] = right
        self.n = n

    def sum(self) -> Array:
        """Multiplies what is kept, and gives the sum."""
        if self.n:
            _add(self.total, self.columns[: self.n].T, self.rows[: self.n])
            self.n = 0
        return self.total


class _Part:
    """What an index selects of a sum."""

    __slots__ = ("index", "whole")

    def __init__(self, whole: Products, index: Value) -> None:
        self.whole = whole
        self.index = index

    def __iadd__(self, value: Value) -> _Part:
        self.whole.add(self.index, value)
        return self


def products(x: Value) -> Value:
    """Makes the zero gradient of `x`, to which a loop adds; for a large matrix one that waits."""
    x_bar = zeros(x)
    is_large = type(x_bar) is np.ndarray and x_bar.ndim == 2 and x_bar.size >= LEAST
    return Products(x_bar) if is_large and x_bar.dtype is FLOAT else x_bar


def summed(x_bar: Value) -> Value:
    """Gives what `products` has made, with all that was added to it."""
    return x_bar.sum() if type(x_bar) is Products else x_bar


def matmul_factors_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives `matmul_bar_a(out_bar, a, b)`, as factors where these are thin and `a` is large."""
    return _factors_a(out_bar, a, b) or matmul_bar_a(out_bar, a, b)


def matmul_factors_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives `matmul_bar_b(out_bar, a, b)`, as factors where these are thin and `b` is large."""
    return _factors_b(out_bar, a, b) or matmul_bar_b(out_bar, a, b)


def dot_factors_a(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives `dot_bar_a(out_bar, a, b)`, as factors where these are thin and `a` is large."""
    return _factors_a(out_bar, a, b) or dot_bar_a(out_bar, a, b)


def dot_factors_b(out_bar: Value, a: Value, b: Value) -> Value:
    """Gives `dot_bar_b(out_bar, a, b)`, as factors where these are thin and `b` is large."""
    return _factors_b(out_bar, a, b) or dot_bar_b(out_bar, a, b)


def _add(x_bar: Array, left: Array, right: Array) -> None:
    """Adds a product of matrices to an array in place."""
    if x_bar.flags.fnc:
        x_bar, left, right = x_bar.T, right.T, left.T
    n = max(1, BLOCK // x_bar.shape[1])
    for start in range(0, len(x_bar), n):
        x_bar[start : start + n] += np.dot(left[start : start + n], right)


def _factors_a(out_bar: Value, a: Value, b: Value) -> Factors | None:
    """The factors `out_bar` and `b.T`, for a matrix `a`."""
    if not (_is_large(a) and _are_floats(out_bar, b) and b.shape[:1] == a.shape[1:]):
        return None
    if b.ndim == 1 and out_bar.shape == a.shape[:1]:
        return Factors(out_bar[:, np.newaxis], b[np.newaxis])
    if b.ndim == 2 and b.shape[1] <= THIN and out_bar.shape == (a.shape[0], b.shape[1]):
        return Factors(out_bar, b.T)
    return None


def _factors_b(out_bar: Value, a: Value, b: Value) -> Factors | None:
    """The factors `a.T` and `out_bar`, for a matrix `b`."""
    if not (_is_large(b) and _are_floats(out_bar, a) and a.shape[-1:] == b.shape[:1]):
        return None
    if a.ndim == 1 and out_bar.shape == b.shape[1:]:
        return Factors(a[:, np.newaxis], out_bar[np.newaxis])
    if a.ndim == 2 and len(a) <= THIN and out_bar.shape == (len(a), b.shape[1]):
        return Factors(a.T, out_bar)
    return None


def _is_large(x: Value) -> bool:
    """Tells whether an array, or a `Like`, is a matrix for which waiting is worth while."""
    shape: tuple[int, ...] = getattr(x, "shape", ())
    is_large = len(shape) == 2 and shape[0] * shape[1] >= LEAST
    return is_large and getattr(x, "dtype", None) is FLOAT


def _are_floats(one: Value, other: Value) -> bool:
    """Tells whether both are arrays of floats."""
    return type(one) is type(other) is np.ndarray and one.dtype is FLOAT is other.dtype
