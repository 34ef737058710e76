# mypy: allow-untyped-defs
"""Functions of tensors, of which any operand may be broadcast: see `test_tensor_signatures.py`."""

from __future__ import annotations

import tensorflow as tf


def affine(w, b, x):
    """A layer, of which any operand may be broadcast."""
    return tf.reduce_mean(tf.square(tf.tanh(x @ w + b)))


def scaled(x, k):
    """Products and sums of what may be broadcast both ways."""
    y = x * k + k
    return tf.reduce_sum(y * y / (1.0 + tf.abs(x)))


def of_structure(w, x):
    """Weights in a dictionary, one of them in two places."""
    h = tf.nn.relu(x @ w["a"] + w["c"])
    return tf.reduce_sum(h @ w["b"] * w["c"])


def looped(w, x):
    """What a loop carries, with the gradients of the same weights in each pass."""
    h = c = tf.zeros_like(x)
    for k in range(20):
        h = tf.tanh(h @ w + x)
        c = c + h * k
    return tf.reduce_sum(c)


def two_layers(w, x):
    """Two layers, with each weight once."""
    h = tf.tanh(x @ w["a"] + w["b"])
    return tf.reduce_mean(tf.square(h @ w["c"] + w["d"]))
