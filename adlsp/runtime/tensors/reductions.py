"""Adjoints of reductions, and of what runs along an axis of a tensor."""

from __future__ import annotations

import math

import numpy as np
import tensorflow as tf

from adlsp.runtime.tensors.gradients import (
    Value,
    has_dtype,
    integers,
    known_shape,
    shape_of,
    tensor,
)


def lengths(values: Value, axis: Value) -> Value:
    """Gives the lengths of tensors along an axis: numbers, or a tensor where one is not known.

    The axis may stand alone in a list, as `tf.concat` takes it.
    """
    if isinstance(axis, (list, tuple)) or getattr(axis, "ndim", None):
        (axis,) = axis
    known = [n for n in (_length(x, axis) for x in values) if n is not None]
    is_known = len(known) == len(values)
    return integers(*known) if is_known else tf.stack(tf.shape_n(values))[:, axis]


def _length(x: Value, axis: int) -> int | None:
    """What is known of the length of a value along an axis."""
    shape = known_shape(x if has_dtype(x) else tf.convert_to_tensor(x))
    return None if shape is None else shape[axis]


def count(x: Value, axis: Value = None) -> Value:
    """Counts the elements that a reduction over `axis` takes together into one; at least one.

    Where there are none, nobody asks for what each of them gets.
    """
    shape = shape_of(x)
    if axis is None and not isinstance(shape, tuple):
        return tf.cast(tf.maximum(tf.size(x), 1), x.dtype)
    axes = _axes(len(shape) if isinstance(shape, tuple) else len(x.shape), axis)
    if isinstance(shape, tuple):
        return math.prod([shape[i] for i in axes]) or 1
    return tf.cast(tf.reduce_prod(tf.gather(shape, tf.constant(axes, tf.int32))), x.dtype)


def _axes(n_axes: int, axis: Value) -> list[int]:
    """The axes that a reduction over `axis` takes together, none of them negative."""
    if axis is None:
        return [*range(n_axes)]
    return [int(i) % n_axes for i in np.ravel(axis)]


def _to_lanes(x: tf.Tensor, axis: Value) -> tf.Tensor:
    """The elements that are reduced together, each group on the last axis."""
    reduced = _axes(len(x.shape), axis)
    kept = [i for i in range(len(x.shape)) if i not in reduced]
    moved = tf.transpose(x, kept + reduced)
    shape = tf.shape(moved)
    n = tf.reduce_prod(shape[len(kept) :])
    return tf.reshape(moved, tf.concat((shape[: len(kept)], [n]), 0))


def _from_lanes(lanes: tf.Tensor, like: Value, axis: Value) -> tf.Tensor:
    """Puts what was made of the last axis of lanes back; further axes stay behind."""
    shape = shape_of(like)
    n_axes = len(like.shape)
    reduced = _axes(n_axes, axis)
    order = [i for i in range(n_axes) if i not in reduced] + reduced
    further = tf.shape(lanes)[n_axes - len(reduced) + 1 :]
    lengths = tf.gather(tf.cast(shape, tf.int32), tf.constant(order, tf.int32))
    moved = tf.reshape(lanes, tf.concat((lengths, further), 0))
    back = [order.index(i) for i in range(n_axes)]
    return tf.transpose(moved, [*back, *range(n_axes, len(moved.shape))])


def product_of_others(x: Value, axis: Value = None) -> Value:
    """Gives for each element the product of all others that are reduced with it over `axis`.

    These are the partials of a product; nothing is divided, so elements may be zero.
    """
    lanes = _to_lanes(tensor(x), axis)
    before = tf.math.cumprod(lanes, -1, exclusive=True)
    after = tf.math.cumprod(lanes, -1, exclusive=True, reverse=True)
    return _from_lanes(before * after, x, axis)


def others(x: Value, axis: Value = None) -> Value:
    """Gives for each element all others that are reduced with it over `axis`, on one more axis."""
    lanes = _to_lanes(tensor(x), axis)
    n = tf.shape(lanes)[-1]
    chosen = (tf.range(n)[:, tf.newaxis] + tf.range(1, tf.maximum(n, 1))) % tf.maximum(n, 1)
    return _from_lanes(tf.gather(lanes, chosen, axis=-1), x, axis)


def others_bar(g: Value, x: Value, axis: Value = None) -> Value:
    """Gives the gradient of `x` in `others(x, axis)`."""
    g = tensor(g)
    rows = _to_lanes(g, _axes(len(x.shape), axis))
    n, n_rows = tf.shape(rows)[-1], tf.shape(rows)[-2]
    row = tf.range(n_rows)[:, tf.newaxis]
    chosen = row * n + (tf.range(n) - row - 1) % tf.maximum(n, 1)
    flat = tf.reshape(rows, tf.concat((tf.shape(rows)[:-2], [n * n_rows]), 0))
    return _from_lanes(tf.reduce_sum(tf.gather(flat, chosen, axis=-1), -2), x, axis)


def shared(g: Value, a: Value, b: Value, axis: Value, exclusive: Value, reverse: Value) -> Value:
    """Gives the sums of `g[j] * exp(a[j] - b[i])` over all `j` up to `i`, without overflow."""
    g, least = tensor(g), tf.maximum(b, b.dtype.min)

    def part(g: Value) -> Value:
        logs = tf.where(g > 0, tf.math.log(g) + a, -math.inf)
        return tf.exp(tf.math.cumulative_logsumexp(logs, axis, exclusive, reverse) - least)

    return part(g) - part(-g)


def scan(a: Value, b: Value, axis: Value, reverse: Value) -> Value:
    """Gives `s` with `s[i] = b[i] + a[i] * s[i - 1]` along an axis; reversed, with `s[i + 1]`.

    In a number of steps that is the logarithm of the length (Hillis and Steele, 1986).
    """

    def doubled(step: Value, a: Value, b: Value) -> tuple[Value, Value, Value]:
        b = b + a * shifted(b, step, axis, reverse, 0)
        return 2 * step, a * shifted(a, step, axis, reverse, 0), b

    state, n = (1, tensor(a), tensor(b)), b.shape[axis]
    if n is None:
        return tf.while_loop(lambda step, _, b: step < tf.shape(b)[axis], doubled, state)[2]
    while state[0] < n:
        state = doubled(*state)
    return state[2]


def shifted(x: Value, step: int, axis: Value, reverse: Value, first: Value) -> Value:
    """Gives for each element along an axis the one some steps before it, and `first` at first."""
    x = tensor(x)
    places = tf.range(tf.shape(x)[axis]) + (step if reverse else -step)
    is_there = tf.logical_and(places >= 0, places < tf.shape(x)[axis])
    found = tf.roll(x, -step if reverse else step, axis)
    lengths = [1] * len(x.shape)
    lengths[axis] = -1
    return tf.where(tf.reshape(is_there, lengths), found, first)


def share_of(x: Value, low: Value, high: Value) -> Value:
    """Gives where a number lies between two bounds, from 0 to 1; no upper bound stands for 1."""
    return (x - low) / width_of(low, high)


def width_of(low: Value, high: Value) -> Value:
    """Gives how far two bounds are apart; no upper bound stands for 1."""
    return (1 if high is None else high) - low


def of_segments(values: Value, segment_ids: Value) -> Value:
    """Gives for each element what its segment has, and 0 for a segment below 0."""
    values, segment_ids = tensor(values), tf.convert_to_tensor(segment_ids)
    found = tf.gather(values, tf.maximum(segment_ids, 0))
    n_further = len(found.shape) - len(segment_ids.shape)
    is_there = tf.reshape(segment_ids >= 0, tf.concat((tf.shape(segment_ids), [1] * n_further), 0))
    return tf.where(is_there, found, tf.zeros_like(found))
