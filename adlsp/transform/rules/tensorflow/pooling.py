# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Pooling of TensorFlow.

Rules read, never run: each body is spliced into generated code. Of the maxima of a window the first
of equal numbers has all of the gradient, as in TensorFlow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


@linear("tensorflow.nn.avg_pool", "tensorflow.nn.avg_pool2d", of="input")
def avg_pool(input: Shaped, ksize, strides, padding, data_format=None, *, out_bar):
    return tensors.avg_pool_bar(out_bar, tf.shape(input), ksize, strides, padding, data_format)


@linear("tensorflow.nn.avg_pool1d", of="input")
def avg_pool1d(input: Shaped, ksize, strides, padding, data_format="NWC", *, out_bar):
    return tensors.avg_pool_bar(out_bar, tf.shape(input), ksize, strides, padding, data_format)


@linear("tensorflow.nn.avg_pool3d", of="input")
def avg_pool3d(input: Shaped, ksize, strides, padding, data_format="NDHWC", *, out_bar):
    return tensors.avg_pool_bar(out_bar, tf.shape(input), ksize, strides, padding, data_format)


@linear("adlsp.runtime.tensors.avg_pool_bar", of="g")
def avg_pool_bar(g: Shaped, shape, ksize, strides, padding, data_format=None, *, out_bar):
    return tf.nn.avg_pool(out_bar, ksize, strides, padding, data_format)


@forward("tensorflow.nn.max_pool", "tensorflow.nn.max_pool2d")
def max_pool_forward(input, ksize, strides, padding, data_format=None, *, out, input_dot):
    return tensors.max_pool_dot(input_dot, input, out, ksize, strides, padding, data_format)


@reverse("tensorflow.nn.max_pool", "tensorflow.nn.max_pool2d", of="input")
def max_pool_reverse(input, ksize, strides, padding, data_format=None, *, out, out_bar):
    return tensors.max_pool_bar(out_bar, input, out, ksize, strides, padding, data_format)


@linear("tensorflow.nn.pool", of="input")
def pool_average(
    input: Shaped,
    window_shape,
    pooling_type: Literal["AVG"],
    strides=None,
    padding="VALID",
    data_format=None,
    dilations: Literal[None] = None,
    *,
    out_bar,
):
    return tensors.avg_pool_bar(
        out_bar, tf.shape(input), window_shape, strides, padding, data_format
    )


@forward("tensorflow.nn.pool")
def pool_maximum_forward(
    input,
    window_shape,
    pooling_type: Literal["MAX"],
    strides=None,
    padding="VALID",
    data_format=None,
    dilations: Literal[None] = None,
    *,
    out,
    input_dot,
):
    return tensors.max_pool_dot(input_dot, input, out, window_shape, strides, padding, data_format)


@reverse("tensorflow.nn.pool", of="input")
def pool_maximum_reverse(
    input,
    window_shape,
    pooling_type: Literal["MAX"],
    strides=None,
    padding="VALID",
    data_format=None,
    dilations: Literal[None] = None,
    *,
    out,
    out_bar,
):
    return tensors.max_pool_bar(out_bar, input, out, window_shape, strides, padding, data_format)


@forward("tensorflow.nn.max_pool1d")
def max_pool1d_forward(input, ksize, strides, padding, data_format="NWC", *, out, input_dot):
    return tensors.max_pool_dot(input_dot, input, out, ksize, strides, padding, data_format)


@reverse("tensorflow.nn.max_pool1d", of="input")
def max_pool1d_reverse(input, ksize, strides, padding, data_format="NWC", *, out, out_bar):
    return tensors.max_pool_bar(out_bar, input, out, ksize, strides, padding, data_format)


@forward("tensorflow.nn.max_pool3d")
def max_pool3d_forward(input, ksize, strides, padding, data_format="NDHWC", *, out, input_dot):
    return tensors.max_pool_dot(input_dot, input, out, ksize, strides, padding, data_format)


@reverse("tensorflow.nn.max_pool3d", of="input")
def max_pool3d_reverse(input, ksize, strides, padding, data_format="NDHWC", *, out, out_bar):
    return tensors.max_pool_bar(out_bar, input, out, ksize, strides, padding, data_format)


@forward("tensorflow.nn.max_pool_with_argmax")
def max_pool_with_argmax_forward(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    output_dtype=tf.int64,
    include_batch_in_index=False,
    *,
    input_dot,
):
    pooled = tf.nn.max_pool2d(input, ksize, strides, padding, data_format)
    return [
        tensors.max_pool_dot(input_dot, input, pooled, ksize, strides, padding, data_format),
        tf.zeros_like(pooled),
    ]


@reverse("tensorflow.nn.max_pool_with_argmax", of="input")
def max_pool_with_argmax_reverse(
    input,
    ksize,
    strides,
    padding,
    data_format="NHWC",
    output_dtype=tf.int64,
    include_batch_in_index=False,
    *,
    out_bar,
):
    pooled = tf.nn.max_pool2d(input, ksize, strides, padding, data_format)
    return tensors.max_pool_bar(out_bar[0], input, pooled, ksize, strides, padding, data_format)


@linear("adlsp.runtime.tensors.max_pool_bar", of="g")
def max_pool_bar(
    g: Shaped,
    x,
    pooled,
    ksize,
    strides,
    padding,
    data_format=None,
    *,
    out_bar,
):
    return tensors.max_pool_dot(out_bar, x, pooled, ksize, strides, padding, data_format)


@linear("adlsp.runtime.tensors.max_pool_dot", of="g")
def max_pool_dot(
    g: Shaped,
    x,
    pooled,
    ksize,
    strides,
    padding,
    data_format=None,
    *,
    out_bar,
):
    return tensors.max_pool_bar(out_bar, x, pooled, ksize, strides, padding, data_format)
