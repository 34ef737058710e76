"""Adjoints of layers of networks: biases, convolutions and pools."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from adlsp.runtime.tensors.gradients import Value, expand, tensor

HALVES = (tf.float16, tf.bfloat16)


def or_last(axis: Value) -> Value:
    """Gives an axis, the last one where none is said."""
    return -1 if axis is None else axis


def without_label(labels: Value, logits: Value) -> Value:
    """Gives `softmax(logits)`, less 1 at the label: the gradient of the sparse cross-entropy.

    In half precision it is computed in single precision, as the cross-entropy is.
    """
    logits = tensor(logits)
    dtype = tf.float32 if logits.dtype in HALVES else logits.dtype
    rows = logits if len(logits.shape) == 2 else tf.reshape(logits, (-1, tf.shape(logits)[-1]))
    _, change = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(
        features=tf.cast(rows, dtype), labels=tf.reshape(labels, (-1,))
    )
    change = tf.cast(change, logits.dtype)
    return change if len(logits.shape) == 2 else tf.reshape(change, tf.shape(logits))


def bias_bar(g: Value, data_format: str) -> Value:
    """Gives the gradient of a bias that was added to channels, as in `data_format`."""
    return tf.raw_ops.BiasAddGrad(
        out_backprop=g, data_format="NCHW" if data_format.startswith("NC") else "NHWC"
    )


def mean_bar(g: Value, shape: Value, axis: Value = None, keepdims: bool = False) -> Value:
    """Gives the gradient of what has a shape, of which means over `axis` were taken."""
    wide = expand(g, shape, axis, keepdims)
    return wide * tf.cast(tf.size(g) / tf.size(wide), wide.dtype)


def filters_bar(
    g: Value,
    x: Value,
    shape: Value,
    strides: Value,
    padding: Value,
    data_format: str | None = None,
    dilations: Value = None,
) -> Value:
    """Gives the gradient of filters of a shape, of a convolution of `x` along one to three axes.

    It is the correlation of `x` with the gradient `g` of the result.
    """
    n_axes = tensor(shape).shape[0] - 2
    is_first = _is_first(data_format)
    options = {
        "strides": _window(strides, n_axes, is_first),
        "dilations": _window(dilations, n_axes, is_first),
        "data_format": _format(n_axes, is_first),
    }
    if n_axes == 3:
        return tf.raw_ops.Conv3DBackpropFilterV2(
            input=x, filter_sizes=shape, out_backprop=g, padding=padding, **options
        )
    padding, explicit = _padding(padding)
    options |= {"padding": padding, "explicit_paddings": explicit}
    if n_axes == 2:
        return tf.raw_ops.Conv2DBackpropFilter(
            input=x, filter_sizes=shape, out_backprop=g, **options
        )
    place = 2 if is_first else 1
    bar = tf.raw_ops.Conv2DBackpropFilter(
        input=tf.expand_dims(x, place),
        filter_sizes=tf.concat([[1], shape], 0),
        out_backprop=tf.expand_dims(g, place),
        **options,
    )
    return tf.squeeze(bar, 0)


conv2d_filters_bar = filters_bar


def dilated(filters: Value, dilations: Value) -> Value:
    """Puts zeros between the elements of filters, along all axes but the last two."""
    filters = tensor(filters)
    for i, step in enumerate(_steps(dilations, filters)):
        if step > 1:
            shape = tf.shape(filters)
            wide = tf.expand_dims(filters, i + 1)
            gaps = [[0, 0]] * len(wide.shape)
            gaps[i + 1] = [0, step - 1]
            long = tf.reshape(
                tf.pad(wide, gaps), tf.concat([shape[:i], [shape[i] * step], shape[i + 1 :]], 0)
            )
            filters = long[(slice(None),) * i + (slice(None, 1 - step),)]
    return filters


def undilated(wide: Value, dilations: Value) -> Value:
    """Takes the elements of filters that have others between them."""
    return tensor(wide)[tuple(slice(None, None, step) for step in _steps(dilations, wide))]


def avg_pool_bar(
    g: Value,
    shape: Value,
    ksize: Value,
    strides: Value,
    padding: Value,
    data_format: str | None = None,
) -> Value:
    """Gives the gradient of what has a shape and was pooled by means."""
    g = tensor(g)
    n_axes, is_first = len(g.shape) - 2, _is_first(data_format)
    options = {
        "ksize": _window(ksize, n_axes, is_first),
        "strides": _window(strides, n_axes, is_first),
        "padding": padding,
        "data_format": _format(n_axes, is_first),
    }
    if n_axes == 3:
        return tf.raw_ops.AvgPool3DGrad(orig_input_shape=shape, grad=g, **options)
    if n_axes == 2:
        return tf.raw_ops.AvgPoolGrad(orig_input_shape=shape, grad=g, **options)
    place = 2 if is_first else 1
    bar = tf.raw_ops.AvgPoolGrad(
        orig_input_shape=tf.concat([shape[:place], [1], shape[place:]], 0),
        grad=tf.expand_dims(g, place),
        **options,
    )
    return tf.squeeze(bar, place)


def max_pool_bar(
    g: Value,
    x: Value,
    pooled: Value,
    ksize: Value,
    strides: Value,
    padding: Value,
    data_format: str | None = None,
) -> Value:
    """Gives the gradient of `x` to the first of the elements that were the maxima `pooled`."""
    return _pooled(
        tf.raw_ops.MaxPoolGrad,
        tf.raw_ops.MaxPool3DGrad,
        (g, x, pooled),
        (ksize, strides, padding, data_format),
    )


def max_pool_dot(
    g: Value,
    x: Value,
    pooled: Value,
    ksize: Value,
    strides: Value,
    padding: Value,
    data_format: str | None = None,
) -> Value:
    """Takes of `g` what stands where `x` had the maxima `pooled`: the adjoint of `max_pool_bar`."""
    if not isinstance(padding, str):
        x = tf.pad(tensor(x), padding, constant_values=tensor(x).dtype.min)
        g, padding = tf.pad(tensor(g), padding), "VALID"
    return _pooled(
        tf.raw_ops.MaxPoolGradGrad,
        tf.raw_ops.MaxPool3DGradGrad,
        (g, x, pooled),
        (ksize, strides, padding, data_format),
    )


def _pooled(
    operation: Callable[..., Value],
    of_three_axes: Callable[..., Value],
    values: tuple[Value, Value, Value],
    how: tuple[Value, Value, Value, str | None],
) -> Value:
    g, x, out = (tensor(value) for value in values)
    ksize, strides, padding, data_format = how
    n_axes, is_first = len(x.shape) - 2, _is_first(data_format)
    options = {
        "ksize": _window(ksize, n_axes, is_first),
        "strides": _window(strides, n_axes, is_first),
        "data_format": _format(n_axes, is_first),
    }
    if n_axes == 3:
        return of_three_axes(orig_input=x, orig_output=out, grad=g, padding=padding, **options)
    options["padding"], explicit = _padding(padding)
    if explicit:
        options["explicit_paddings"] = explicit
    if n_axes == 2:
        return operation(orig_input=x, orig_output=out, grad=g, **options)
    place = 2 if is_first else 1
    x, out, g = (tf.expand_dims(value, place) for value in (x, out, g))
    return tf.squeeze(operation(orig_input=x, orig_output=out, grad=g, **options), place)


def _is_first(data_format: str | None) -> bool:
    return data_format is not None and data_format.startswith("NC")


def _format(n_axes: int, is_first: bool) -> str:
    """The layout of what an operation of TensorFlow gets, which has two axes or three."""
    if n_axes == 3:
        return "NCDHW" if is_first else "NDHWC"
    return "NCHW" if is_first else "NHWC"


def _window(value: Value, n_axes: int, is_first: bool) -> list[int]:
    """One number for each axis, with 1 for those of batches and channels, and two axes at least."""
    given = [1] if value is None else value if isinstance(value, (list, tuple)) else [value]
    numbers = [int(n) for n in given]
    if len(numbers) == n_axes + 2:
        numbers = numbers[2:] if is_first else numbers[1:-1]
    if len(numbers) == 1:
        numbers *= n_axes
    if n_axes == 1:
        numbers = [1, *numbers]
    return [1, 1, *numbers] if is_first else [1, *numbers, 1]


def _padding(padding: Value) -> tuple[str, list[int]]:
    """How TensorFlow's operations take a padding: a word, and numbers where it is explicit."""
    if isinstance(padding, str):
        return padding, []
    return "EXPLICIT", [int(n) for pair in padding for n in pair]


def _steps(dilations: Value, filters: Value) -> list[int]:
    """The dilation along each axis of filters but the last two."""
    n_axes = len(filters.shape) - 2
    return _window(dilations, n_axes, is_first=False)[1:-1][-n_axes:]
