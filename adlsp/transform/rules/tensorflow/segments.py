# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Reductions of TensorFlow over segments of a tensor.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


@linear("tensorflow.math.segment_sum", of="data")
def segment_sum(data, segment_ids, *, out_bar):
    return tensors.of_segments(out_bar, segment_ids)


@linear("tensorflow.math.segment_mean", of="data")
def segment_mean(data, segment_ids, *, out_bar):
    counts = tf.math.segment_sum(tf.ones_like(data), segment_ids)
    return tensors.of_segments(tf.math.divide_no_nan(out_bar, counts), segment_ids)


@forward("tensorflow.math.segment_max", "tensorflow.math.segment_min", when="ties share equally")
def segment_extreme_forward(data, segment_ids, *, out, data_dot):
    chosen = tf.equal(data, tensors.of_segments(out, segment_ids))
    n_chosen = tf.math.segment_sum(tf.cast(chosen, out.dtype), segment_ids)
    change = tf.math.segment_sum(tf.where(chosen, data_dot, 0), segment_ids)
    return tf.math.divide_no_nan(change, n_chosen)


@reverse("tensorflow.math.segment_max", "tensorflow.math.segment_min", when="ties share equally")
def segment_extreme_reverse(data, segment_ids, *, out, out_bar):
    chosen = tf.equal(data, tensors.of_segments(out, segment_ids))
    n_chosen = tf.math.segment_sum(tf.cast(chosen, out.dtype), segment_ids)
    share = tf.math.divide_no_nan(out_bar, n_chosen)
    return tf.where(chosen, tensors.of_segments(share, segment_ids), 0)


@linear("tensorflow.math.unsorted_segment_sum", of="data")
def unsorted_segment_sum(data, segment_ids, num_segments, *, out_bar):
    return tensors.of_segments(out_bar, segment_ids)


@linear("tensorflow.math.unsorted_segment_mean", of="data")
def unsorted_segment_mean(data, segment_ids, num_segments, *, out_bar):
    counts = tf.math.unsorted_segment_sum(tf.ones_like(data), segment_ids, num_segments)
    return tensors.of_segments(tf.math.divide_no_nan(out_bar, counts), segment_ids)


@linear("tensorflow.math.unsorted_segment_sqrt_n", of="data")
def unsorted_segment_sqrt_n(data, segment_ids, num_segments, *, out_bar):
    counts = tf.math.unsorted_segment_sum(tf.ones_like(data), segment_ids, num_segments)
    return tensors.of_segments(tf.math.divide_no_nan(out_bar, tf.sqrt(counts)), segment_ids)


@forward(
    "tensorflow.math.unsorted_segment_max",
    "tensorflow.math.unsorted_segment_min",
    when="ties share equally",
)
def unsorted_extreme_forward(data, segment_ids, num_segments, *, out, data_dot):
    chosen = tf.equal(data, tensors.of_segments(out, segment_ids))
    ones = tf.cast(chosen, out.dtype)
    n_chosen = tf.math.unsorted_segment_sum(ones, segment_ids, num_segments)
    moved = tf.where(chosen, data_dot, 0)
    change = tf.math.unsorted_segment_sum(moved, segment_ids, num_segments)
    return tf.math.divide_no_nan(change, n_chosen)


@reverse(
    "tensorflow.math.unsorted_segment_max",
    "tensorflow.math.unsorted_segment_min",
    when="ties share equally",
)
def unsorted_extreme_reverse(data, segment_ids, num_segments, *, out, out_bar):
    chosen = tf.equal(data, tensors.of_segments(out, segment_ids))
    ones = tf.cast(chosen, out.dtype)
    n_chosen = tf.math.unsorted_segment_sum(ones, segment_ids, num_segments)
    share = tf.math.divide_no_nan(out_bar, n_chosen)
    return tf.where(chosen, tensors.of_segments(share, segment_ids), 0)


@forward("tensorflow.math.segment_prod", when="second derivatives: no element is zero")
def segment_prod_forward(data, segment_ids, *, out, data_dot):
    is_zero = tf.equal(data, 0)
    factors = tf.where(is_zero, tf.ones_like(data), data)
    n = tf.shape(out)[0]
    n_zeros = tf.math.unsorted_segment_sum(tf.cast(is_zero, tf.int32), segment_ids, n)
    n_others = tensors.of_segments(n_zeros, segment_ids) - tf.cast(is_zero, tf.int32)
    rest = tf.math.unsorted_segment_prod(factors, segment_ids, n)
    product = tensors.of_segments(rest, segment_ids) / factors
    partial = tf.where(n_others > 0, tf.zeros_like(data), product)
    return tf.math.unsorted_segment_sum(data_dot * partial, segment_ids, n)


@reverse("tensorflow.math.segment_prod", when="second derivatives: no element is zero")
def segment_prod_reverse(data, segment_ids, *, out, out_bar):
    is_zero = tf.equal(data, 0)
    factors = tf.where(is_zero, tf.ones_like(data), data)
    n = tf.shape(out)[0]
    n_zeros = tf.math.unsorted_segment_sum(tf.cast(is_zero, tf.int32), segment_ids, n)
    n_others = tensors.of_segments(n_zeros, segment_ids) - tf.cast(is_zero, tf.int32)
    rest = tf.math.unsorted_segment_prod(factors, segment_ids, n)
    product = tensors.of_segments(rest, segment_ids) / factors
    partial = tf.where(n_others > 0, tf.zeros_like(data), product)
    return tensors.of_segments(out_bar, segment_ids) * partial


@forward("tensorflow.math.unsorted_segment_prod", when="second derivatives: no element is zero")
def unsorted_segment_prod_forward(data, segment_ids, num_segments, *, out, data_dot):
    is_zero = tf.equal(data, 0)
    factors = tf.where(is_zero, tf.ones_like(data), data)
    n = tf.shape(out)[0]
    n_zeros = tf.math.unsorted_segment_sum(tf.cast(is_zero, tf.int32), segment_ids, n)
    n_others = tensors.of_segments(n_zeros, segment_ids) - tf.cast(is_zero, tf.int32)
    rest = tf.math.unsorted_segment_prod(factors, segment_ids, n)
    product = tensors.of_segments(rest, segment_ids) / factors
    partial = tf.where(n_others > 0, tf.zeros_like(data), product)
    return tf.math.unsorted_segment_sum(data_dot * partial, segment_ids, n)


@reverse("tensorflow.math.unsorted_segment_prod", when="second derivatives: no element is zero")
def unsorted_segment_prod_reverse(data, segment_ids, num_segments, *, out, out_bar):
    is_zero = tf.equal(data, 0)
    factors = tf.where(is_zero, tf.ones_like(data), data)
    n = tf.shape(out)[0]
    n_zeros = tf.math.unsorted_segment_sum(tf.cast(is_zero, tf.int32), segment_ids, n)
    n_others = tensors.of_segments(n_zeros, segment_ids) - tf.cast(is_zero, tf.int32)
    rest = tf.math.unsorted_segment_prod(factors, segment_ids, n)
    product = tensors.of_segments(rest, segment_ids) / factors
    partial = tf.where(n_others > 0, tf.zeros_like(data), product)
    return tensors.of_segments(out_bar, segment_ids) * partial


@linear("adlsp.runtime.tensors.of_segments", of="values")
def of_segments(values, segment_ids, *, out_bar):
    return tf.math.unsorted_segment_sum(out_bar, segment_ids, tf.shape(values)[0])
