# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that select elements: gathers, scatters, masks, sorting.

Rules read, never run: each body is spliced into generated code. Gradients are dense: a place that
is selected twice gets the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import composite, constant, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


# gathers and scatters


@linear("tensorflow.gather", of="params")
def gather(
    params,
    indices,
    validate_indices=None,
    axis: Literal[None, 0] = None,
    batch_dims: Literal[0] = 0,
    *,
    out_bar,
):
    return tf.math.unsorted_segment_sum(out_bar, indices, tf.shape(params)[0])


@linear("tensorflow.gather", of="params")
def gather_along(params, indices, validate_indices=None, axis=None, batch_dims=0, *, out_bar):
    every = tf.reshape(tf.range(tf.size(params)), tf.shape(params))
    places = tf.gather(every, indices, axis=axis, batch_dims=batch_dims)
    return tensors.scatter(out_bar, places, tf.shape(params))


@linear("tensorflow.nn.embedding_lookup", of="params", when="params is one tensor")
def embedding_lookup(params, ids, max_norm: Literal[None] = None, *, out_bar):
    rows = tf.math.unsorted_segment_sum(out_bar, ids, tf.shape(params)[0])
    return tf.reshape(rows, tf.shape(params))


@linear("tensorflow.gather_nd", of="params")
def gather_nd(params, indices, batch_dims: Literal[0] = 0, *, out_bar):
    return tf.scatter_nd(tf.cast(indices, tf.int32), out_bar, tf.shape(params))


@linear("tensorflow.gather_nd", of="params")
def gather_nd_of_batches(params, indices, batch_dims, *, out_bar):
    every = tf.reshape(tf.range(tf.size(params)), tf.shape(params))
    places = tf.gather_nd(every, indices, batch_dims)
    return tensors.scatter(out_bar, places, tf.shape(params))


@linear("tensorflow.scatter_nd", of="updates")
def scatter_nd(indices, updates, shape, *, out_bar):
    return tf.gather_nd(out_bar, indices)


@linear("adlsp.runtime.tensors.scatter", of="values")
def scatter(values, places, shape, *, out_bar):
    return tf.gather(tf.reshape(out_bar, [-1]), places)


@linear("tensorflow.tensor_scatter_nd_update", of="tensor updates", when="no index occurs twice")
def tensor_scatter_nd_update(tensor, indices, updates, *, out_bar):
    tensor_bar = tf.tensor_scatter_nd_update(out_bar, indices, tf.zeros_like(updates))
    return tensor_bar, tf.gather_nd(out_bar, indices)


@linear("tensorflow.tensor_scatter_nd_add", of="tensor updates")
def tensor_scatter_nd_add(tensor, indices, updates, *, out_bar):
    return out_bar, tf.gather_nd(out_bar, indices)


@linear("tensorflow.tensor_scatter_nd_sub", of="tensor updates")
def tensor_scatter_nd_sub(tensor, indices, updates, *, out_bar):
    return out_bar, -tf.gather_nd(out_bar, indices)


@forward(
    "tensorflow.tensor_scatter_nd_max",
    "tensorflow.tensor_scatter_nd_min",
    when="ties share equally",
)
def tensor_scatter_nd_max_forward(tensor, indices, updates, *, out, tensor_dot, updates_dot):
    is_old = tf.cast(tf.equal(tensor, out), out.dtype)
    is_new = tf.cast(tf.equal(updates, tf.gather_nd(out, indices)), out.dtype)
    n = tf.tensor_scatter_nd_add(is_old, indices, is_new)
    new_dot = tf.tensor_scatter_nd_add(tf.zeros_like(out), indices, is_new * updates_dot)
    return is_old / n * tensor_dot, new_dot / n


@reverse(
    "tensorflow.tensor_scatter_nd_max",
    "tensorflow.tensor_scatter_nd_min",
    when="ties share equally",
)
def tensor_scatter_nd_max_reverse(tensor, indices, updates, *, out, out_bar):
    is_old = tf.cast(tf.equal(tensor, out), out.dtype)
    is_new = tf.cast(tf.equal(updates, tf.gather_nd(out, indices)), out.dtype)
    share = out_bar / tf.tensor_scatter_nd_add(is_old, indices, is_new)
    return is_old * share, is_new * tf.gather_nd(share, indices)


# masks and partitions


@linear("tensorflow.boolean_mask", of="tensor")
def boolean_mask(tensor, mask, axis: Literal[None, 0] = None, *, out_bar):
    return tf.scatter_nd(tf.where(mask), out_bar, tf.shape(tensor, tf.int64))


@linear("tensorflow.boolean_mask", of="tensor")
def boolean_mask_along(tensor, mask, axis, *, out_bar):
    every = tf.reshape(tf.range(tf.size(tensor)), tf.shape(tensor))
    return tensors.scatter(out_bar, tf.boolean_mask(every, mask, axis=axis), tf.shape(tensor))


@linear("tensorflow.dynamic_partition", of="data")
def dynamic_partition(data, partitions, num_partitions, *, out_bar):
    every = tf.reshape(tf.range(tf.size(partitions)), tf.shape(partitions))
    places = tf.concat(tf.dynamic_partition(every, partitions, num_partitions), 0)
    rows = tf.math.unsorted_segment_sum(tf.concat(out_bar, 0), places, tf.size(partitions))
    return tf.reshape(rows, tf.shape(data))


@linear("tensorflow.dynamic_stitch", of="data")
def dynamic_stitch(indices, data, *, out_bar):
    return tensors.stitch_bar(out_bar, indices)


@linear("adlsp.runtime.tensors.stitch_bar", of="g")
def stitch_bar(g, indices, *, out_bar):
    return tf.dynamic_stitch(indices, out_bar)


@linear("tensorflow.reverse_sequence", of="input")
def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, *, out_bar):
    return tf.reverse_sequence(out_bar, seq_lengths, seq_axis, batch_axis)


# sorting


@forward("tensorflow.sort")
def sort_forward(values, axis: Literal[-1] = -1, direction="ASCENDING", *, values_dot):
    return tf.gather(values_dot, tf.argsort(values, -1, direction), axis=-1, batch_dims=-1)


@reverse("tensorflow.sort")
def sort_reverse(values, axis: Literal[-1] = -1, direction="ASCENDING", *, out_bar):
    back = tf.argsort(tf.argsort(values, -1, direction))
    return tf.gather(out_bar, back, axis=-1, batch_dims=-1)


@forward("tensorflow.sort")
def sort_along_forward(values, axis, direction="ASCENDING", *, values_dot):
    return tensors.ordered(values_dot, tf.argsort(values, axis, direction), axis)


@reverse("tensorflow.sort")
def sort_along_reverse(values, axis, direction="ASCENDING", *, out_bar):
    back = tf.argsort(tf.argsort(values, axis, direction), axis)
    return tensors.ordered(out_bar, back, axis)


@linear("adlsp.runtime.tensors.ordered", of="values", when="order is a permutation")
def ordered(values, order, axis, *, out_bar):
    return tensors.ordered(out_bar, tf.argsort(order, axis), axis)


@forward("tensorflow.math.top_k", "tensorflow.nn.top_k")
def top_k_forward(input, k=1, sorted=True, index_type=None, *, input_dot):
    found = tf.math.top_k(tf.stop_gradient(input), k, sorted)[1]
    return [tf.gather(input_dot, found, axis=-1, batch_dims=-1), tf.zeros_like(found)]


@reverse("tensorflow.math.top_k", "tensorflow.nn.top_k")
def top_k_reverse(input, k=1, sorted=True, index_type=None, *, out_bar):
    every = tf.reshape(tf.range(tf.size(input)), tf.shape(input))
    found = tf.math.top_k(tf.stop_gradient(input), k, sorted)[1]
    places = tf.gather(every, found, axis=-1, batch_dims=-1)
    return tensors.scatter(out_bar[0], places, tf.shape(input))


@composite("tensorflow.one_hot", of="on_value off_value")
def one_hot(indices, depth, on_value, off_value, axis=-1, dtype: Literal[None] = None):
    """At the places of the indices one value, elsewhere the other one."""
    chosen = tf.one_hot(indices, depth, True, False, axis)
    return tf.where(chosen, on_value, off_value)


@composite("tensorflow.one_hot", of="on_value")
def one_hot_of_zeros(
    indices, depth, on_value, off_value: Literal[None] = None, axis=-1, dtype: Literal[None] = None
):
    """The same, with zeros elsewhere."""
    chosen = tf.one_hot(indices, depth, True, False, axis)
    return tf.where(chosen, on_value, tf.zeros_like(on_value))


constant(
    "tensorflow.argsort",
    "tensorflow.searchsorted",
    "tensorflow.sequence_mask",
    "tensorflow.math.invert_permutation",
    "tensorflow.math.confusion_matrix",
    "tensorflow.math.in_top_k",
    "tensorflow.nn.in_top_k",
)
