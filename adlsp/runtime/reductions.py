"""Gradients of sums and products of many elements: averages, products, integrals, Python's sum.

The idea needed to read the products: the elements that are reduced together form a *lane*. Lanes
are moved to the last axis, something is computed of each, and the result is moved back.
"""

from __future__ import annotations

import math

import numpy as np

from adlsp.runtime.arrays import Like, Parts, unbroadcast
from adlsp.runtime.foreign import is_foreign
from adlsp.runtime.shapes import Axis, Shape, Value


def aligned(weights: Value, shape: Shape, axis: Axis = None) -> Value:
    """Gives the weight of each element of `a`, of `shape`, in `numpy.average(a, axis, weights)`."""
    if weights is None:
        return np.ones(shape)
    given = np.asarray(weights)
    if given.shape != shape:
        axes = _reduced(len(shape), axis)
        kept = [n if i in axes else 1 for i, n in enumerate(shape)]
        given = given.transpose(np.argsort(axes)).reshape(kept)
    return np.broadcast_to(given, shape)


def aligned_bar(out_bar: Value, weights: Value, axis: Axis = None) -> Value:
    """Gives the gradient of the weights in `aligned`; only their shape and dtype count."""
    if np.shape(weights) != np.shape(out_bar):
        axes = _reduced(np.ndim(out_bar), axis)
        others = tuple(i for i in range(np.ndim(out_bar)) if i not in axes)
        out_bar = np.sum(out_bar, axis=others).transpose(np.argsort(np.argsort(axes)))
    return unbroadcast(out_bar, weights)


def trapezoid_weights(
    shape: Shape, x: Value = None, dx: float | Value = 1.0, axis: int = -1
) -> Value:
    """Gives the factor with which each element counts in `numpy.trapezoid(y, x, dx, axis)`."""
    steps = np.moveaxis(trapezoid_steps(shape, x, dx, axis), axis, -1)
    weights = np.zeros((*steps.shape[:-1], shape[axis]), np.result_type(steps, 0.0))
    weights[..., :-1] += steps / 2
    weights[..., 1:] += steps / 2
    return np.moveaxis(weights, -1, axis)


def trapezoid_steps(
    shape: Shape, x: Value = None, dx: float | Value = 1.0, axis: int = -1
) -> Value:
    """Gives the widths of the intervals between samples of `shape` along an axis."""
    lengths = list(shape)
    lengths[axis] = max(shape[axis] - 1, 0)
    if x is None:
        return np.broadcast_to(dx, lengths)
    if np.ndim(x) > 1:
        return np.broadcast_to(np.diff(x, axis=axis), lengths)
    steps = np.broadcast_to(np.diff(x), np.moveaxis(np.empty(lengths), axis, -1).shape)
    return np.moveaxis(steps, -1, axis)


def trapezoid_bar_x(g: Value, y: Value, x: Value, axis: int = -1) -> Value:
    """Gives the gradient of `x` in `numpy.trapezoid(y, x, axis=axis)`; only its shape counts."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    heights = (y[..., 1:] + y[..., :-1]) / 2 * np.expand_dims(g, -1)
    x_bar = -np.diff(heights, prepend=0, append=0)
    return unbroadcast(x_bar if np.ndim(x) == 1 else np.moveaxis(x_bar, -1, axis), x)


def trapezoid_bar_dx(g: Value, y: Value, dx: Value, axis: int = -1) -> Value:
    """Gives the gradient of `dx` in `numpy.trapezoid(y, dx=dx, axis=axis)`."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    heights = (y[..., 1:] + y[..., :-1]) / 2 * np.expand_dims(g, -1)
    return unbroadcast(np.moveaxis(heights, -1, axis), dx)


def simpson_weights(
    shape: Shape, x: Value = None, dx: float | Value = 1.0, axis: int = -1
) -> Value:
    """Gives the factor with which each element counts in `scipy.integrate.simpson(y, x, dx, axis)`.

    A last interval without a partner is that of the parabola through the last three samples
    (Cartwright, "Simpson's rule cumulative integration with MS Excel and irregularly-spaced data",
    2017).
    """
    steps = np.moveaxis(trapezoid_steps(shape, x, dx, axis), axis, -1)
    n = shape[axis]
    if n < 3:
        return trapezoid_weights(shape, x, dx, axis)
    weights = np.zeros((*steps.shape[:-1], n))
    last = n - 1 - (n - 1) % 2
    one, other = steps[..., 0:last:2], steps[..., 1:last:2]
    both = one + other
    weights[..., 0:last:2] += both / 6 * (2 - other / one)
    weights[..., 1:last:2] += both**3 / (6 * one * other)
    weights[..., 2 : last + 1 : 2] += both / 6 * (2 - one / other)
    if last < n - 1:
        one, other = steps[..., -2], steps[..., -1]
        both = one + other
        weights[..., -1] += (2 * other**2 + 3 * one * other) / (6 * both)
        weights[..., -2] += (other**2 + 3 * one * other) / (6 * one)
        weights[..., -3] -= other**3 / (6 * one * both)
    return np.moveaxis(weights, -1, axis)


def sum_bar(out_bar: Value, iterable: Value) -> Value:
    """Gives the gradient of an array, or of the elements of a list, in Python's `sum(iterable)`."""
    if isinstance(iterable, np.ndarray | Like) or is_foreign(iterable):
        element = Like(iterable.shape[1:], iterable.dtype)
        return np.broadcast_to(unbroadcast(out_bar, element), iterable.shape)
    return Parts(unbroadcast(out_bar, element) for element in iterable)


def others(a: Value, axis: Axis = None) -> Value:
    """Gives for each element all others that are reduced with it over `axis`, on one more axis."""
    lanes = to_lanes(a, axis)
    n = lanes.shape[-1]
    chosen = np.arange(n)[:, np.newaxis] + np.arange(1, n)
    return from_lanes(lanes[..., chosen % max(n, 1)], np.shape(a), axis)


def others_bar(out_bar: Value, shape: Shape, axis: Axis = None) -> Value:
    """Gives the gradient of an array of `shape` in `others(a, axis)`."""
    positions = others(np.arange(math.prod(shape)).reshape(shape), axis)
    made = np.zeros(math.prod(shape), out_bar.dtype)
    np.add.at(made, positions, out_bar)
    return made.reshape(shape)


def product_of_others(a: Value, axis: Axis = None) -> Value:
    """Gives for each element the product of all others that are reduced with it over `axis`.

    These are the partials of `numpy.prod`; nothing is divided, so elements may be zero.
    """
    lanes = to_lanes(a, axis)
    ones = np.ones_like(lanes[..., :1])  # none where lanes are empty
    before = np.concatenate((ones, lanes[..., :-1]), axis=-1).cumprod(axis=-1)
    after = np.concatenate((ones, lanes[..., :0:-1]), axis=-1).cumprod(axis=-1)[..., ::-1]
    return from_lanes(before * after, np.shape(a), axis)


def _reduced(ndim: int, axis: Axis) -> list[int]:
    """The axes that a reduction over `axis` takes together."""
    if axis is None or not ndim:  # a number takes an axis, too
        return list(range(ndim))
    return [i % ndim for i in np.ravel(axis).tolist()]


def to_lanes(a: Value, axis: Axis) -> Value:
    """The elements that are reduced together, each group on the last axis."""
    reduced = _reduced(np.ndim(a), axis)
    moved = np.moveaxis(a, reduced, range(-len(reduced), 0))
    kept = moved.shape[: moved.ndim - len(reduced)]
    return moved.reshape((*kept, math.prod(moved.shape[len(kept) :])))


def from_lanes(lanes: Value, shape: Shape, axis: Axis) -> Value:
    """Puts what was made of the last axis of lanes back to `shape`; further axes stay behind."""
    reduced = _reduced(len(shape), axis)
    kept = [n for i, n in enumerate(shape) if i not in reduced]
    rest = lanes.shape[len(kept) + 1 :]
    moved = lanes.reshape((*kept, *(shape[i] for i in reduced), *rest))
    return np.moveaxis(moved, range(len(kept), len(shape)), reduced)
