# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Activations of networks, whose gradients TensorFlow has operations for: one instead of three.

Rules read, never run: each body is spliced into generated code. At kinks, gradients are those of
TensorFlow: none for a linear unit at zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import elementwise, forward, reverse

if TYPE_CHECKING:
    import tensorflow as tf


# with an operation for the gradient: with respect to what it goes back to, and to what it reads


@forward("tensorflow.tanh", "tensorflow.math.tanh", "tensorflow.nn.tanh")
def tanh_forward(x, *, out, x_dot):
    return tf.raw_ops.TanhGrad(y=out, dy=x_dot)


@reverse("tensorflow.tanh", "tensorflow.math.tanh", "tensorflow.nn.tanh")
def tanh_reverse(x, *, out, out_bar):
    return tf.raw_ops.TanhGrad(y=out, dy=out_bar)


@elementwise("tensorflow.raw_ops.TanhGrad")
def tanh_bar(y, dy):
    return -2 * y * dy, 1 - y * y


@forward("tensorflow.sigmoid", "tensorflow.math.sigmoid", "tensorflow.nn.sigmoid")
def sigmoid_forward(x, *, out, x_dot):
    return tf.raw_ops.SigmoidGrad(y=out, dy=x_dot)


@reverse("tensorflow.sigmoid", "tensorflow.math.sigmoid", "tensorflow.nn.sigmoid")
def sigmoid_reverse(x, *, out, out_bar):
    return tf.raw_ops.SigmoidGrad(y=out, dy=out_bar)


@elementwise("tensorflow.raw_ops.SigmoidGrad")
def sigmoid_bar(y, dy):
    return (1 - 2 * y) * dy, y * (1 - y)


@forward("tensorflow.math.softplus", "tensorflow.nn.softplus")
def softplus_forward(features, *, features_dot):
    return tf.raw_ops.SoftplusGrad(gradients=features_dot, features=features)


@reverse("tensorflow.math.softplus", "tensorflow.nn.softplus")
def softplus_reverse(features, *, out_bar):
    return tf.raw_ops.SoftplusGrad(gradients=out_bar, features=features)


@elementwise("tensorflow.raw_ops.SoftplusGrad")
def softplus_bar(gradients, features, *, out):
    return tf.sigmoid(features), out * tf.sigmoid(-features)


@forward("tensorflow.nn.relu")
def relu_forward(features, *, out, features_dot):
    return tf.raw_ops.ReluGrad(gradients=features_dot, features=out)


@reverse("tensorflow.nn.relu")
def relu_reverse(features, *, out, out_bar):
    return tf.raw_ops.ReluGrad(gradients=out_bar, features=out)


@elementwise("tensorflow.raw_ops.ReluGrad", of="gradients")
def relu_bar(gradients, features):
    return tf.cast(features > 0, features.dtype)


@forward("tensorflow.nn.relu6")
def relu6_forward(features, *, out, features_dot):
    return tf.raw_ops.Relu6Grad(gradients=features_dot, features=out)


@reverse("tensorflow.nn.relu6")
def relu6_reverse(features, *, out, out_bar):
    return tf.raw_ops.Relu6Grad(gradients=out_bar, features=out)


@elementwise("tensorflow.raw_ops.Relu6Grad", of="gradients")
def relu6_bar(gradients, features):
    return tf.cast((features > 0) & (features < 6), features.dtype)


@forward("tensorflow.nn.elu")
def elu_forward(features, *, out, features_dot):
    return tf.raw_ops.EluGrad(gradients=features_dot, outputs=out)


@reverse("tensorflow.nn.elu")
def elu_reverse(features, *, out, out_bar):
    return tf.raw_ops.EluGrad(gradients=out_bar, outputs=out)


@elementwise("tensorflow.raw_ops.EluGrad")
def elu_bar(gradients, outputs):
    is_bent = outputs < 0
    zero = tf.zeros_like(outputs)
    return tf.where(is_bent, outputs + 1, zero + 1), tf.where(is_bent, gradients, zero)


@forward("tensorflow.nn.selu")
def selu_forward(features, *, out, features_dot):
    return tf.raw_ops.SeluGrad(gradients=features_dot, outputs=out)


@reverse("tensorflow.nn.selu")
def selu_reverse(features, *, out, out_bar):
    return tf.raw_ops.SeluGrad(gradients=out_bar, outputs=out)


@elementwise("tensorflow.raw_ops.SeluGrad")
def selu_bar(gradients, outputs):
    is_bent = outputs < 0
    zero = tf.zeros_like(outputs)
    return (
        tf.where(is_bent, outputs + 1.7580993408473768, zero + 1.0507009873554805),
        tf.where(is_bent, gradients, zero),
    )


@forward("tensorflow.math.softsign", "tensorflow.nn.softsign")
def softsign_forward(features, *, features_dot):
    return tf.raw_ops.SoftsignGrad(gradients=features_dot, features=features)


@reverse("tensorflow.math.softsign", "tensorflow.nn.softsign")
def softsign_reverse(features, *, out_bar):
    return tf.raw_ops.SoftsignGrad(gradients=out_bar, features=features)


@elementwise("tensorflow.raw_ops.SoftsignGrad")
def softsign_bar(gradients, features, *, out):
    size = 1 + tf.abs(features)
    return 1 / tf.square(size), -2 * out * tf.sign(features) / size


# by their partial derivatives


@elementwise("tensorflow.nn.leaky_relu", of="features")
def leaky_relu(features, alpha=0.2):
    """Has the slope in the precision in which TensorFlow takes it, single."""
    one = tf.ones_like(features)
    return tf.where(features > 0, one, -tf.nn.leaky_relu(-one, alpha))


@elementwise("tensorflow.nn.gelu", of="features")
def gelu(features, approximate: Literal[False] = False):
    """Casts the root of one half as TensorFlow does, from single precision."""
    z = tf.cast(0.7071067811865476, features.dtype) * features
    return 0.5 * tf.math.erfc(-z) + 0.5641895835477563 * z * tf.exp(-z * z)


@elementwise("tensorflow.nn.gelu", of="features")
def gelu_approximate(features, approximate: Literal[True] = True):
    """Casts the coefficient of the cubic as TensorFlow does, from single precision."""
    cubic = tf.cast(0.044715, features.dtype) * features * features
    t = tf.tanh(0.7978845608028654 * features * (1 + cubic))
    slope = 0.7978845608028654 * (1 + 3 * cubic)
    return 0.5 * (1 + t) + 0.5 * features * (1 - t * t) * slope


@elementwise("tensorflow.nn.silu", "tensorflow.nn.swish")
def silu(features, beta=1.0):
    s = tf.sigmoid(beta * features)
    return s * (1 + beta * features * (1 - s)), features * features * s * (1 - s)


@forward("tensorflow.nn.crelu")
def crelu_forward(features, axis=-1, *, out, features_dot):
    return tf.cast(out > 0, out.dtype) * tf.concat([features_dot, -features_dot], axis)


@reverse("tensorflow.nn.crelu")
def crelu_reverse(features, axis=-1, *, out, out_bar):
    halves = tf.split(tf.cast(out > 0, out.dtype) * out_bar, 2, axis)
    return halves[0] - halves[1]
