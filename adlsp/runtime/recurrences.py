"""Recurrences along an axis, differences of grids, polynomials: derivatives that stay in one kind.

A cumulative product is the recurrence `s[i] = b[i] + a[i] * s[i - 1]` (`scan`); its derivatives are
recurrences of the same kind, forward or backward, to any order. Nothing is divided that may be
zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from adlsp.runtime.arrays import Like, unbroadcast
from adlsp.runtime.shapes import Shape, Value

Order = Literal[1, 2]

MANY = 64
"""From how many steps on a recurrence is worth products of all its factors."""

LARGEST = 1e100
"""How large products of factors are, or their inverse, which leaves what they multiply finite."""

LONGEST_EDGES = 9
"""How many rows tell the weights of elements in differences, at both edges and between."""


def scan(a: Value, b: Value, axis: int | None = None) -> Value:
    """Gives `s` with `s[i] = b[i] + a[i] * s[i - 1]` along an axis, beginning with `b[0]`."""
    made = np.array(b, np.result_type(a, b))
    rows, factors = np.moveaxis(made, axis or 0, 0), np.moveaxis(a, axis or 0, 0)
    if (products := _products(factors)) is not None:
        rows[...] = np.cumsum(rows / products, axis=0) * products
        return made
    for i in range(1, len(rows)):
        rows[i] += factors[i] * rows[i - 1]
    return made


def scan_back(a: Value, g: Value, axis: int | None = None) -> Value:
    """Gives `s` with `s[i] = g[i] + a[i + 1] * s[i + 1]` along an axis: the gradient of `b`."""
    made = np.array(g, np.result_type(a, g))
    rows, factors = np.moveaxis(made, axis or 0, 0), np.moveaxis(a, axis or 0, 0)
    if (products := _products(factors)) is not None:
        rows[...] = np.cumsum((rows * products)[::-1], axis=0)[::-1] / products
        return made
    for i in reversed(range(len(rows) - 1)):
        rows[i] += factors[i + 1] * rows[i + 1]
    return made


def _products(factors: Value) -> Value | None:
    """The products of factors up to each, if there are many, and these can be divided by.

    With them a recurrence is a sum: of `s[i] / p[i]`, or of `s[i] * p[i]`.
    """
    is_wide = factors.dtype in (np.float64, np.complex128)
    if len(factors) < MANY or not factors.size or not is_wide:
        return None
    products = np.cumprod(factors, axis=0)
    sizes = np.abs(products)
    is_divisor = np.min(sizes) > 1 / LARGEST and np.max(sizes) < LARGEST
    return products if is_divisor else None


def before(x: Value, first: float, axis: int | None = None) -> Value:
    """Gives for each element along an axis the one before it, for the first one `first`."""
    made = np.roll(x, 1, axis or 0)
    np.moveaxis(made, axis or 0, 0)[:1] = first
    return made


def after(x: Value, axis: int | None = None) -> Value:
    """Gives for each element along an axis the one after it, for the last one 0."""
    made = np.roll(x, -1, axis or 0)
    np.moveaxis(made, axis or 0, 0)[-1:] = 0
    return made


def gradient(f: Value, spacing: Value = None, axis: Value = None, edge_order: Order = 1) -> Value:
    """Gives `numpy.gradient(f, *spacing, axis=axis, edge_order=edge_order)`."""
    made = np.gradient(f, *_spacings(spacing), axis=axis, edge_order=edge_order)
    return list(made) if isinstance(made, tuple) else made


def gradient_bar(
    out_bar: Value,
    shape: Shape,
    spacing: Value = None,
    axis: Value = None,
    edge_order: Order = 1,
) -> Value:
    """Gives the gradient of an array of `shape` in `gradient`.

    Those of its results, one for each axis, are `out_bar`, or stand in one array.
    """
    axes = range(len(shape)) if axis is None else np.atleast_1d(axis).tolist()
    parts = out_bar if len(axes) > 1 or isinstance(out_bar, (list, tuple)) else [out_bar]
    given = _spacings(spacing) or (1.0,)
    given = given * len(parts) if len(given) == 1 else given
    made = np.zeros(shape, np.asarray(parts[0]).dtype)
    for part, own, step in zip(parts, axes, given, strict=True):
        rows, total = np.moveaxis(np.asarray(part), own, 0), np.moveaxis(made, own, 0)
        for shift, weights in _bands(shape[own], step, edge_order):
            i = slice(max(0, -shift), min(len(rows), len(rows) - shift))
            aligned = weights[i].reshape((-1,) + (1,) * (rows.ndim - 1))
            total[i.start + shift : i.stop + shift] += aligned.astype(made.dtype) * rows[i]
    return made


def polynomial(p: Value, x: Value, n: int = 0) -> Value:
    """Gives the `n`-th derivative of the polynomial `numpy.polyval(p, x)` by `x`."""
    p = np.asarray(p)
    factors = np.array(
        [math.perm(k, n) for k in reversed(range(n, len(p)))], np.result_type(p, np.float32)
    )
    lower = p[: len(factors)] * factors.reshape((-1,) + (1,) * (p.ndim - 1))
    return np.polyval(lower, x) if len(lower) else np.zeros_like(np.polyval(p, x))


def polynomial_bar(g: Value, shape: Shape, x: Value, n: int = 0) -> Value:
    """Gives the gradient of the coefficients, of `shape`, in `polynomial`.

    Of each coefficient that is the sum of what its power is multiplied by. Coefficients that are
    arrays are broadcast against `x`, as `numpy.polyval` does with them.
    """
    x, g = np.asarray(x), np.asarray(g)
    part = np.array(g * np.ones_like(x))
    like = Like(shape[1:], part.dtype)
    made = [np.zeros(shape[1:], part.dtype)] * min(n, shape[0])
    for k in range(n, shape[0]):
        made.append(math.perm(k, n) * unbroadcast(part, like))
        part *= x
    return np.stack(made[::-1])


def last(g: Value, like: Value) -> Value:
    """Gives the last coefficients, as many as `like` has, in its shape and dtype."""
    return unbroadcast(g[len(g) - np.size(like) :].reshape(np.shape(like)), like)


def powers_of(x: Value, n_columns: int, increasing: bool = False, n: int = 0) -> Value:
    """Gives the `n`-th derivative of `numpy.vander(x, n_columns, increasing)` by `x`."""
    x = np.asarray(x)
    exponents = np.arange(n_columns) if increasing else np.arange(n_columns)[::-1]
    factors = np.ones(n_columns)
    for k in range(n):
        factors = factors * (exponents - k)
    left = np.maximum(exponents - n, 0)
    made = np.where(factors, factors * x[:, np.newaxis] ** left, 0)
    return made.astype(np.result_type(x, np.float32), copy=False)


def _spacings(spacing: Value) -> tuple[Any, ...]:
    if spacing is None:
        return ()
    return spacing if isinstance(spacing, tuple) else (spacing,)


def _bands(n: int, spacing: Value, edge_order: Order) -> Iterator[tuple[int, Value]]:
    """For each shift the weights with which an element counts in the difference `shift` before it.

    No difference reaches further than two places, so that five combs of ones tell all weights.
    """
    if np.ndim(spacing) == 0 and n > LONGEST_EDGES:  # all rows but those at the edges are alike
        for shift, few in _bands(LONGEST_EDGES, spacing, edge_order):
            half = LONGEST_EDGES // 2
            between = np.full(n - LONGEST_EDGES, few[half])
            if np.any(few):
                yield shift, np.concatenate((few[:half], between, few[half:]))
        return
    rows = np.arange(n)
    combs = [np.gradient((rows % 5 == k) * 1.0, spacing, edge_order=edge_order) for k in range(5)]
    whole = np.stack(combs)
    for shift in range(-2, 3):
        yield shift, whole[(rows + shift) % 5, rows]
