# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Layers of networks: activations, softmax and cross entropies, biases, norms.

Rules read, never run: each body is spliced into generated code. At kinks, gradients are those of
TensorFlow: none for a linear unit at zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import (
    Shaped,
    composite,
    constant,
    elementwise,
    forward,
    linear,
    reverse,
)

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# softmax


@forward("tensorflow.nn.softmax", "tensorflow.math.softmax")
def softmax_forward(logits, axis: Literal[None, -1] = -1, *, out, logits_dot):
    return out * (logits_dot - tf.reduce_sum(out * logits_dot, -1, True))


@reverse("tensorflow.nn.softmax", "tensorflow.math.softmax")
def softmax_reverse(logits, axis: Literal[None, -1] = -1, *, out, out_bar):
    return out * (out_bar - tf.reduce_sum(out * out_bar, -1, True))


@forward("tensorflow.nn.softmax", "tensorflow.math.softmax")
def softmax_along_forward(logits, axis, *, out, logits_dot):
    return out * (logits_dot - tf.reduce_sum(out * logits_dot, tensors.or_last(axis), True))


@reverse("tensorflow.nn.softmax", "tensorflow.math.softmax")
def softmax_along_reverse(logits, axis, *, out, out_bar):
    return out * (out_bar - tf.reduce_sum(out * out_bar, tensors.or_last(axis), True))


@forward("tensorflow.nn.log_softmax", "tensorflow.math.log_softmax")
def log_softmax_forward(logits, axis: Literal[None, -1] = -1, *, out, logits_dot):
    return logits_dot - tf.reduce_sum(tf.exp(out) * logits_dot, -1, True)


@reverse("tensorflow.nn.log_softmax", "tensorflow.math.log_softmax")
def log_softmax_reverse(logits, axis: Literal[None, -1] = -1, *, out, out_bar):
    return out_bar - tf.exp(out) * tf.reduce_sum(out_bar, -1, True)


@forward("tensorflow.nn.log_softmax", "tensorflow.math.log_softmax")
def log_softmax_along_forward(logits, axis, *, out, logits_dot):
    return logits_dot - tf.reduce_sum(tf.exp(out) * logits_dot, tensors.or_last(axis), True)


@reverse("tensorflow.nn.log_softmax", "tensorflow.math.log_softmax")
def log_softmax_along_reverse(logits, axis, *, out, out_bar):
    return out_bar - tf.exp(out) * tf.reduce_sum(out_bar, tensors.or_last(axis), True)


constant("adlsp.runtime.tensors.or_last")


# losses


@forward("tensorflow.nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits_forward(labels, logits, axis=-1, *, labels_dot, logits_dot):
    change = tf.nn.softmax(logits, axis) * tf.reduce_sum(labels, axis, True) - labels
    return (
        -tf.reduce_sum(labels_dot * tf.nn.log_softmax(logits, axis), axis),
        tf.reduce_sum(change * logits_dot, axis),
    )


@reverse("tensorflow.nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits_reverse(labels, logits, axis=-1, *, out_bar):
    """Holds for labels that do not sum to one, too."""
    each_bar = tf.expand_dims(out_bar, axis)
    change = tf.nn.softmax(logits, axis) * tf.reduce_sum(labels, axis, True) - labels
    return (
        rt.unbroadcast(-each_bar * tf.nn.log_softmax(logits, axis), labels),
        each_bar * change,
    )


@forward("tensorflow.nn.sparse_softmax_cross_entropy_with_logits", of="logits")
def sparse_softmax_cross_entropy_with_logits_forward(labels, logits, *, logits_dot):
    return tf.reduce_sum(tensors.without_label(labels, logits) * logits_dot, -1)


@reverse("tensorflow.nn.sparse_softmax_cross_entropy_with_logits", of="logits")
def sparse_softmax_cross_entropy_with_logits_reverse(labels, logits, *, out_bar):
    return tf.expand_dims(out_bar, -1) * tensors.without_label(labels, logits)


@forward("adlsp.runtime.tensors.without_label", of="logits")
def without_label_forward(labels, logits, *, logits_dot):
    change = tf.nn.softmax(logits) * logits_dot
    return change - tf.nn.softmax(logits) * tf.reduce_sum(change, -1, True)


@reverse("adlsp.runtime.tensors.without_label", of="logits")
def without_label_reverse(labels, logits, *, out_bar):
    change = tf.nn.softmax(logits) * out_bar
    return change - tf.nn.softmax(logits) * tf.reduce_sum(change, -1, True)


@elementwise("tensorflow.nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels=None, logits=None):
    return -logits, tf.sigmoid(logits) - labels


@elementwise("tensorflow.nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels, logits, pos_weight):
    missed = tf.math.softplus(-logits)
    weight = 1 + (pos_weight - 1) * labels
    return (
        (pos_weight - 1) * missed - logits,
        1 - labels - weight * tf.sigmoid(-logits),
        labels * missed,
    )


@elementwise("tensorflow.nn.log_poisson_loss", of="targets log_input")
def log_poisson_loss(targets, log_input, compute_full_loss: Literal[False] = False):
    return -log_input, tf.exp(log_input) - targets


@elementwise("tensorflow.nn.log_poisson_loss", of="targets log_input")
def log_poisson_loss_full(targets, log_input, compute_full_loss: Literal[True] = True):
    """Has Stirling's approximation of the logarithm of a factorial where targets exceed one."""
    is_small = (targets >= 0) & (targets <= 1)
    large = tf.where(is_small, tf.ones_like(targets), targets)
    stirling = tf.where(is_small, tf.zeros_like(targets), tf.math.log(large) + 0.5 / large)
    return stirling - log_input, tf.exp(log_input) - targets


@forward("tensorflow.nn.l2_loss")
def l2_loss_forward(t, *, t_dot):
    return tf.reduce_sum(t * t_dot)


@reverse("tensorflow.nn.l2_loss")
def l2_loss_reverse(t, *, out_bar):
    return out_bar * t


# biases


@linear("tensorflow.nn.bias_add", of="value bias")
def bias_add(
    value: Shaped,
    bias: Shaped,
    data_format: Literal[None, "NHWC", "NWC", "NDHWC", "N...C", "N..C"] = None,
    *,
    out_bar,
):
    return out_bar, rt.unbroadcast(out_bar, bias)


@linear("tensorflow.nn.bias_add", of="value bias")
def bias_add_to_channels(value: Shaped, bias: Shaped, data_format, *, out_bar):
    return out_bar, tensors.bias_bar(out_bar, data_format)


@linear("adlsp.runtime.tensors.bias_bar", of="g")
def bias_bar(g: Shaped, data_format, *, out_bar):
    return tf.nn.bias_add(tf.zeros_like(g), out_bar, data_format)


# norms and moments


@elementwise("tensorflow.nn.batch_normalization", of="x mean variance offset scale")
def batch_normalization_unscaled(x, mean, variance, offset, scale: Literal[None], variance_epsilon):
    root = tf.math.rsqrt(variance + variance_epsilon)
    return root, -root, 0.5 * (mean - x) * root * root * root, 1, 0


@elementwise("tensorflow.nn.batch_normalization", of="x mean variance offset scale")
def batch_normalization(x, mean, variance, offset, scale, variance_epsilon):
    root = tf.math.rsqrt(variance + variance_epsilon)
    factor = scale * root
    return factor, -factor, 0.5 * (mean - x) * factor * root * root, 1, (x - mean) * root


@forward("tensorflow.nn.moments")
def moments_forward(x, axes, shift=None, keepdims=False, *, x_dot):
    off = rt.real(x) - tf.reduce_mean(x, axes, True)
    return [
        tf.reduce_mean(x_dot, axes, keepdims),
        tf.reduce_mean(2 * off * x_dot, axes, keepdims),
    ]


@reverse("tensorflow.nn.moments")
def moments_reverse(x, axes, shift=None, keepdims=False, *, out_bar):
    off = rt.real(x) - tf.reduce_mean(x, axes, True)
    mean_bar = tensors.mean_bar(out_bar[0], tf.shape(x), axes, keepdims)
    variance_bar = tensors.mean_bar(out_bar[1], tf.shape(x), axes, keepdims)
    return mean_bar + 2 * off * variance_bar


@linear("adlsp.runtime.tensors.mean_bar", of="g")
def mean_bar(g: Shaped, shape, axis=None, keepdims=False, *, out_bar):
    return tf.reduce_mean(out_bar, axis, keepdims)


@forward("tensorflow.nn.weighted_moments")
def weighted_moments_forward(
    x, axes, frequency_weights, keepdims=False, *, x_dot, frequency_weights_dot
):
    weights = frequency_weights + tf.zeros_like(x)
    share = weights / tf.reduce_sum(weights, axes, True)
    off = rt.real(x) - tf.reduce_sum(share * x, axes, True)
    spread = off * off - tf.reduce_sum(share * off * off, axes, True)
    share_dot = frequency_weights_dot / tf.reduce_sum(weights, axes, True)
    return (
        [
            tf.reduce_sum(share * x_dot, axes, keepdims),
            tf.reduce_sum(2 * share * off * x_dot, axes, keepdims),
        ],
        [
            tf.reduce_sum(off * share_dot, axes, keepdims),
            tf.reduce_sum(spread * share_dot, axes, keepdims),
        ],
    )


@reverse("tensorflow.nn.weighted_moments")
def weighted_moments_reverse(x, axes, frequency_weights, keepdims=False, *, out_bar):
    weights = frequency_weights + tf.zeros_like(x)
    total = tf.reduce_sum(weights, axes, True)
    share = weights / total
    off = rt.real(x) - tf.reduce_sum(share * x, axes, True)
    spread = off * off - tf.reduce_sum(share * off * off, axes, True)
    mean_bar = rt.expand(out_bar[0], tf.shape(x), axes, keepdims)
    variance_bar = rt.expand(out_bar[1], tf.shape(x), axes, keepdims)
    return (
        share * (mean_bar + 2 * off * variance_bar),
        rt.unbroadcast((off * mean_bar + spread * variance_bar) / total, frequency_weights),
    )


@forward("tensorflow.nn.normalize_moments")
def normalize_moments_forward(
    counts,
    mean_ss,
    variance_ss,
    shift,
    *,
    counts_dot,
    mean_ss_dot,
    variance_ss_dot,
    shift_dot,
):
    mean = rt.real(mean_ss) / counts
    square = variance_ss / counts
    return (
        [-mean / counts * counts_dot, (2 * mean * mean - square) / counts * counts_dot],
        [mean_ss_dot / counts, -2 * mean / counts * mean_ss_dot],
        [tf.zeros_like(variance_ss_dot), variance_ss_dot / counts],
        [shift_dot, tf.zeros_like(shift_dot)],
    )


@reverse("tensorflow.nn.normalize_moments")
def normalize_moments_reverse(counts, mean_ss, variance_ss, shift, *, out_bar):
    mean = rt.real(mean_ss) / counts
    square = variance_ss / counts
    whole_bar = mean * out_bar[0] + (square - 2 * mean * mean) * out_bar[1]
    return (
        rt.unbroadcast(-whole_bar / counts, counts),
        rt.unbroadcast((out_bar[0] - 2 * mean * out_bar[1]) / counts, mean_ss),
        rt.unbroadcast(out_bar[1] / counts, variance_ss),
        rt.unbroadcast(out_bar[0], shift),
    )


# masks that are drawn


@composite("tensorflow.nn.dropout", of="x")
def dropout(x, rate, noise_shape=None, seed=None):
    """Draws the mask once: at zeros of `x` the result does not tell it."""
    mask = tf.nn.dropout(tf.ones_like(x), rate, noise_shape, seed)
    return tf.math.multiply_no_nan(x, mask)


@linear("tensorflow.nn.experimental.stateless_dropout", of="x")
def stateless_dropout(x: Shaped, rate, seed, rng_alg=None, noise_shape=None, *, out_bar):
    """Draws the same mask again, which the seed tells."""
    return tf.nn.experimental.stateless_dropout(out_bar, rate, seed, rng_alg, noise_shape)


# what has no derivative


constant("tensorflow.nn.zero_fraction", "tensorflow.math.zero_fraction")
