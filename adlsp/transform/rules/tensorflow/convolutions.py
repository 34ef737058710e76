# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Convolutions of TensorFlow.

Rules read, never run: each body is spliced into generated code. The adjoint of a convolution by its
input is TensorFlow's transposed convolution, and the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, linear, multilinear

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


@multilinear("tensorflow.nn.conv1d", of="input filters")
def conv1d(input, filters, stride, padding, data_format="NWC", dilations=None, *, out_bar):
    return (
        tf.nn.conv1d_transpose(
            out_bar, filters, tf.shape(input), stride, padding, data_format, dilations
        ),
        tensors.filters_bar(
            out_bar, input, tf.shape(filters), stride, padding, data_format, dilations
        ),
    )


@multilinear("tensorflow.nn.conv1d_transpose", of="input filters")
def conv1d_transpose(
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format="NWC",
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.conv1d(out_bar, filters, strides, padding, data_format, dilations),
        tensors.filters_bar(
            input, out_bar, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("tensorflow.nn.conv2d", of="input filters")
def conv2d(input, filters, strides, padding, data_format="NHWC", dilations=None, *, out_bar):
    return (
        tf.nn.conv2d_transpose(
            out_bar, filters, tf.shape(input), strides, padding, data_format, dilations
        ),
        tensors.conv2d_filters_bar(
            out_bar, input, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("tensorflow.nn.conv2d_transpose", of="input filters")
def conv2d_transpose(
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format="NHWC",
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.conv2d(out_bar, filters, strides, padding, data_format, dilations),
        tensors.conv2d_filters_bar(
            input, out_bar, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("adlsp.runtime.tensors.conv2d_filters_bar", of="g x")
def conv2d_filters_bar(
    g,
    x,
    shape,
    strides,
    padding,
    data_format="NHWC",
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.conv2d(x, out_bar, strides, padding, data_format, dilations),
        tf.nn.conv2d_transpose(g, out_bar, tf.shape(x), strides, padding, data_format, dilations),
    )


@multilinear("tensorflow.nn.conv3d", of="input filters")
def conv3d(input, filters, strides, padding, data_format="NDHWC", dilations=None, *, out_bar):
    return (
        tf.nn.conv3d_transpose(
            out_bar, filters, tf.shape(input), strides, padding, data_format, dilations
        ),
        tensors.filters_bar(
            out_bar, input, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("tensorflow.nn.conv3d_transpose", of="input filters")
def conv3d_transpose(
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format="NDHWC",
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.convolution(out_bar, filters, strides, padding, data_format, dilations),
        tensors.filters_bar(
            input, out_bar, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("tensorflow.nn.convolution", of="input filters")
def convolution(
    input,
    filters,
    strides=None,
    padding="VALID",
    data_format=None,
    dilations: Literal[None] = None,
    *,
    out_bar,
):
    return (
        tf.nn.conv_transpose(out_bar, filters, tf.shape(input), strides, padding, data_format),
        tensors.filters_bar(out_bar, input, tf.shape(filters), strides, padding, data_format),
    )


@multilinear("tensorflow.nn.convolution", of="input filters")
def convolution_dilated(
    input,
    filters,
    strides=None,
    padding="VALID",
    data_format: Literal[None, "NWC", "NHWC", "NDHWC"] = None,
    dilations=None,
    *,
    out_bar,
):
    """Has filters with zeros in the gaps, which every device supports."""
    wide = tensors.dilated(filters, dilations)
    wide_bar = tensors.filters_bar(out_bar, input, tf.shape(wide), strides, padding, data_format)
    return (
        tf.nn.conv_transpose(out_bar, wide, tf.shape(input), strides, padding, data_format),
        tensors.undilated(wide_bar, dilations),
    )


@multilinear("tensorflow.nn.atrous_conv2d", of="value filters")
def atrous_conv2d(value, filters, rate, padding, *, out_bar):
    wide = tensors.dilated(filters, rate)
    wide_bar = tensors.conv2d_filters_bar(out_bar, value, tf.shape(wide), 1, padding)
    return (
        tf.nn.conv2d_transpose(out_bar, wide, tf.shape(value), 1, padding),
        tensors.undilated(wide_bar, rate),
    )


@multilinear("tensorflow.nn.conv_transpose", of="input filters")
def conv_transpose(
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format=None,
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.convolution(out_bar, filters, strides, padding, data_format, dilations),
        tensors.filters_bar(
            input, out_bar, tf.shape(filters), strides, padding, data_format, dilations
        ),
    )


@multilinear("adlsp.runtime.tensors.filters_bar", of="g x")
def filters_bar(
    g,
    x,
    shape,
    strides,
    padding,
    data_format=None,
    dilations=None,
    *,
    out_bar,
):
    return (
        tf.nn.convolution(x, out_bar, strides, padding, data_format, dilations),
        tf.nn.conv_transpose(g, out_bar, tf.shape(x), strides, padding, data_format, dilations),
    )


@linear("adlsp.runtime.tensors.dilated", of="filters")
def dilated(filters: Shaped, dilations, *, out_bar):
    return tensors.undilated(out_bar, dilations)


@linear("adlsp.runtime.tensors.undilated", of="wide")
def undilated(wide: Shaped, dilations, *, out_bar):
    return tensors.dilated(out_bar, dilations)


# convolutions of each channel


@multilinear("tensorflow.nn.depthwise_conv2d", of="input filter")
def depthwise_conv2d(
    input,
    filter,
    strides,
    padding,
    data_format=None,
    dilations: Literal[None] = None,
    *,
    out_bar,
):
    return (
        tf.nn.depthwise_conv2d_backprop_input(
            tf.shape(input), filter, out_bar, strides, padding, data_format
        ),
        tf.nn.depthwise_conv2d_backprop_filter(
            input, tf.shape(filter), out_bar, strides, padding, data_format
        ),
    )


@multilinear("tensorflow.nn.depthwise_conv2d", of="input filter")
def depthwise_conv2d_dilated(
    input,
    filter,
    strides,
    padding,
    data_format: Literal[None, "NHWC"] = None,
    dilations=None,
    *,
    out_bar,
):
    """Has filters with zeros in the gaps, which every device supports."""
    wide = tensors.dilated(filter, dilations)
    wide_bar = tf.nn.depthwise_conv2d_backprop_filter(
        input, tf.shape(wide), out_bar, strides, padding, data_format
    )
    return (
        tf.nn.depthwise_conv2d_backprop_input(
            tf.shape(input), wide, out_bar, strides, padding, data_format
        ),
        tensors.undilated(wide_bar, dilations),
    )


@multilinear("tensorflow.nn.depthwise_conv2d_backprop_input", of="filter out_backprop")
def depthwise_conv2d_backprop_input(
    input_sizes,
    filter,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    *,
    out_bar,
):
    return (
        tf.nn.depthwise_conv2d_backprop_filter(
            out_bar, tf.shape(filter), out_backprop, strides, padding, data_format
        ),
        tf.nn.depthwise_conv2d(out_bar, filter, strides, padding, data_format),
    )


@multilinear("tensorflow.nn.depthwise_conv2d_backprop_filter", of="input out_backprop")
def depthwise_conv2d_backprop_filter(
    input,
    filter_sizes,
    out_backprop,
    strides,
    padding,
    data_format="NHWC",
    *,
    out_bar,
):
    return (
        tf.nn.depthwise_conv2d_backprop_input(
            tf.shape(input), out_bar, out_backprop, strides, padding, data_format
        ),
        tf.nn.depthwise_conv2d(input, out_bar, strides, padding, data_format),
    )


@multilinear("tensorflow.nn.separable_conv2d", of="input depthwise_filter pointwise_filter")
def separable_conv2d(
    input,
    depthwise_filter,
    pointwise_filter,
    strides,
    padding,
    data_format: Literal[None, "NHWC"] = None,
    dilations: Literal[None] = None,
    *,
    out_bar,
):
    deep = tf.nn.depthwise_conv2d(input, depthwise_filter, strides, padding)
    deep_bar = tf.nn.conv2d_transpose(out_bar, pointwise_filter, tf.shape(deep), 1, "VALID")
    return (
        tf.nn.depthwise_conv2d_backprop_input(
            tf.shape(input), depthwise_filter, deep_bar, strides, padding
        ),
        tf.nn.depthwise_conv2d_backprop_filter(
            input, tf.shape(depthwise_filter), deep_bar, strides, padding
        ),
        tensors.conv2d_filters_bar(out_bar, deep, tf.shape(pointwise_filter), 1, "VALID"),
    )
