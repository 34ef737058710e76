"""Gradients of what is chosen by order: medians, quantiles, partitions, the first that holds.

Between ties the choice stays the same, so these functions are linear in the elements chosen. The
elements that are reduced together form a lane, as in `reductions.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from adlsp.runtime.arrays import unbroadcast
from adlsp.runtime.reductions import from_lanes, to_lanes
from adlsp.runtime.shapes import Axis, Shape, Value


def sources(out: Value, a: Value, axis: int | None = -1) -> Value:
    """Gives for each element of `out`, which holds those of `a` in another order, where it was."""
    if axis is None:
        out, a, axis = np.ravel(out), np.ravel(a), 0
    order = np.argsort(a, axis)
    rows = np.moveaxis(out, axis, 0)
    if np.all(rows[:-1] <= rows[1:]):
        return order
    ranks = np.argsort(np.argsort(out, axis), axis)
    return np.take_along_axis(order, ranks, axis)


def reached(out: Value, a: Value, axis: int = 0) -> Value:
    """Gives for each element of `out`, the extreme of `a` so far, where along an axis it is from.

    Of equal elements it is the last one.
    """
    places = np.expand_dims(np.arange(a.shape[axis]), [*range(1, a.ndim)])
    own = np.where(out == a, np.moveaxis(places, 0, axis), 0)
    return np.maximum.accumulate(own, axis)


def quantiles(g: Value, a: Value, q: Value, axis: Axis = None, keepdims: bool = False) -> Value:
    """Gives of `g` what `numpy.quantile(a, q, axis)` takes of `a`: the same elements, weighted."""
    lanes, order = to_lanes(g, axis), _order(to_lanes(a, axis), q)
    ordered = np.take_along_axis(lanes, order, -1)
    parts = [sum(w * ordered[..., i] for i, w in pair) for pair in _weights(q, lanes.shape[-1])]
    made = np.reshape(np.stack(parts), np.shape(q) + lanes.shape[:-1])
    if keepdims:
        made = made.reshape(np.shape(q) + np.sum(a, axis=axis, keepdims=True).shape)
    return made[()]


def quantiles_bar(out_bar: Value, a: Value, q: Value, axis: Axis = None) -> Value:
    """Gives the gradient of `g` in `quantiles`, with or without `keepdims`."""
    order = _order(to_lanes(a, axis), q)
    parts = np.reshape(out_bar, (np.size(q), *order.shape[:-1]))
    made = np.zeros(order.shape, parts.dtype)
    for part, pair in zip(parts, _weights(q, order.shape[-1]), strict=True):
        for i, weight in pair:
            made[..., i] += weight * part
    lanes = np.empty_like(made)
    np.put_along_axis(lanes, order, made, -1)
    return from_lanes(lanes, np.shape(a), axis)


def select_bar(out_bar: Value, conditions: Sequence[Value], choices: Sequence[Value]) -> Value:
    """Gives the gradients of the choices in `numpy.select(conditions, choices)`, as a list."""
    made, is_open = [], np.ones(np.shape(out_bar), bool)
    for condition, choice in zip(conditions, choices, strict=True):
        made.append(unbroadcast(np.where(is_open & condition, out_bar, 0), choice))
        is_open = is_open & np.logical_not(condition)
    return made


def choose_bar(out_bar: Value, a: Value, choices: Value) -> Value:
    """Gives the gradients of the choices in `numpy.choose(a, choices)`, as a list or an array."""
    made = [
        unbroadcast(np.where(np.equal(a, i), out_bar, 0), choice)
        for i, choice in enumerate(choices)
    ]
    return np.stack(made) if isinstance(choices, np.ndarray) else made


def insert_bar_arr(
    out_bar: Value, arr: Value, obj: Value, values: Value, axis: int | None = None
) -> Value:
    """Gives the gradient of `arr` in `numpy.insert(arr, obj, values, axis)`."""
    places = _inserted(np.shape(arr), obj, np.shape(values), axis)
    made = np.empty(np.size(arr), out_bar.dtype)
    made[places[places >= 0]] = out_bar[places >= 0]
    return unbroadcast(made.reshape(np.shape(arr)), arr)


def insert_bar_values(
    out_bar: Value, arr: Value, obj: Value, values: Value, axis: int | None = None
) -> Value:
    """Gives the gradient of `values` in `numpy.insert(arr, obj, values, axis)`."""
    places = _inserted(np.shape(arr), obj, np.shape(values), axis)
    made = np.zeros(np.size(values), out_bar.dtype)
    np.add.at(made, -1 - places[places < 0], out_bar[places < 0])
    return unbroadcast(made.reshape(np.shape(values)), values)


def kept(shape: Shape, obj: Value, axis: int | None = None) -> Value:
    """Gives the positions along `axis` that `numpy.delete(arr, obj, axis)` keeps."""
    n = int(np.prod(shape)) if axis is None else shape[axis]
    return np.delete(np.arange(n), obj)


def _inserted(shape: Shape, obj: Value, values: Shape, axis: int | None) -> Value:
    """Where each element of a result of `insert` was: in `arr`, or, as -1 - i, in `values`."""
    given = np.arange(int(np.prod(shape))).reshape(shape)
    added = -1 - np.arange(int(np.prod(values))).reshape(values)
    return np.insert(given, obj, added, axis)


def _order(lanes: Value, q: Value) -> Value:
    """Where the elements of each lane are, as far in order as quantiles ask for."""
    n = lanes.shape[-1]
    asked = {i for pair in _weights(q, n) for i, _ in pair}
    return np.argpartition(lanes, sorted(asked), -1) if n else np.argsort(lanes, -1)


def _weights(q: Value, n: int) -> Iterator[tuple[tuple[int, float], tuple[int, float]]]:
    """For each quantile the two places between which it lies, among `n` in order, with weights."""
    for place in np.ravel(np.multiply(q, n - 1)).tolist():
        left = min(int(place), n - 1)
        share = place - left
        yield (left, 1 - share), (min(left + 1, n - 1), share)
