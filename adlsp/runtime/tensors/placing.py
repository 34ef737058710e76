"""Adjoints of what puts the elements of tensors in other places, or into another dtype."""

from __future__ import annotations

import tensorflow as tf

from adlsp.runtime.tensors.gradients import Value, convert, tensor


def scatter(values: Value, places: Value, shape: Value) -> Value:
    """Adds values to zeros of `shape`, each at its place among all elements in their order."""
    flat = tf.scatter_nd(
        tf.reshape(places, (-1, 1)), tf.reshape(values, (-1,)), [tf.reduce_prod(shape)]
    )
    return tf.reshape(flat, shape)


def tile_bar(g: Value, multiples: Value, shape: Value) -> Value:
    """Gives the gradient of a tensor of `shape` that was tiled: the sum over all tiles."""
    lengths = tf.stack([tf.cast(multiples, tf.int32), shape], 1)
    tiles = tf.reshape(g, tf.reshape(lengths, (-1,)))
    return tf.reshape(tf.reduce_sum(tiles, tf.range(0, tf.size(lengths), 2)), shape)


def stitch_bar(g: Value, indices: Value) -> Value:
    """Gives the gradients of what `tf.dynamic_stitch` merged; what was overwritten has zeros."""
    sizes = [tf.size(index) for index in indices]
    numbers = tf.split(tf.range(tf.add_n(sizes)), sizes)
    numbers = [tf.reshape(n, tf.shape(i)) for n, i in zip(numbers, indices, strict=True)]
    last = tf.dynamic_stitch(indices, numbers)
    made = []
    for number, index in zip(numbers, indices, strict=True):
        stays = tf.equal(tf.gather(last, index), number)
        found = tf.gather(g, index)
        n_further = len(found.shape) - len(stays.shape)
        lengths = tf.concat((tf.shape(stays), [1] * n_further), 0)
        made.append(tf.where(tf.reshape(stays, lengths), found, tf.zeros_like(found)))
    return made


def grid(x: Value, like: Value, number: int, indexing: str) -> Value:
    """Repeats the elements of `x` along all axes but one: one of the results of `tf.meshgrid`."""
    lengths = [1] * len(like.shape)
    lengths[_own_axis(like, number, indexing)] = -1
    return tf.broadcast_to(tf.reshape(x, lengths), tf.shape(like))


def grid_bar(g: Value, x: Value, number: int, indexing: str) -> Value:
    """Gives the gradient of `x` in `grid(x, g, number, indexing)`."""
    g, own = tensor(g), _own_axis(g, number, indexing)
    return tf.reshape(tf.reduce_sum(g, [i for i in range(len(g.shape)) if i != own]), tf.shape(x))


def _own_axis(like: Value, number: int, indexing: str) -> int:
    """The axis along which an argument of `tf.meshgrid` varies."""
    return 1 - number if indexing == "xy" and number < 2 <= len(like.shape) else number


def ordered(values: Value, order: Value, axis: Value) -> Value:
    """Puts elements along an axis in an order, which has a place for each of them."""
    last = tf.experimental.numpy.swapaxes(values, axis, -1)
    places = tf.experimental.numpy.swapaxes(order, axis, -1)
    found = tf.gather(last, places, axis=-1, batch_dims=-1)
    return tf.experimental.numpy.swapaxes(found, axis, -1)


def cast(g: Value, dtype: Value) -> Value:
    """Casts a gradient or tangent as its value was cast; through integers, none passes."""
    dtype = tf.as_dtype(dtype)
    if dtype.is_floating or dtype.is_complex:
        return convert(tensor(g), dtype)
    return tf.zeros_like(g, tf.float64)
