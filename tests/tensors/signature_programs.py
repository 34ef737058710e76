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


def attention(q, k, v):
    """Dot-product attention of one head."""
    scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(tf.cast(tf.shape(k)[-1], tf.float64))
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.reduce_sum(tf.square(tf.matmul(weights, v)))


def heads(wq, wk, wv, x):
    """Attention of two heads: products of stacks of matrices."""
    n, d = x.shape
    q = tf.transpose(tf.reshape(x @ wq, (n, 2, d // 2)), (1, 0, 2))
    k = tf.transpose(tf.reshape(x @ wk, (n, 2, d // 2)), (1, 0, 2))
    v = tf.transpose(tf.reshape(x @ wv, (n, 2, d // 2)), (1, 0, 2))
    return tf.reduce_sum(tf.square(tf.nn.softmax(q @ tf.transpose(k, (0, 2, 1))) @ v))


def recurrent(h, w, u, b, xs):
    """A recurrent network that adds up a loss on its way."""
    loss = 0.0
    for t in range(xs.shape[0]):
        h = tf.tanh(xs[t] @ w + h @ u + b)
        loss += tf.reduce_sum(h * h)
    return loss


def springs(x, v, k, n):
    """Semi-implicit steps, and the energy after them."""
    for _ in range(n):
        v = v - 0.1 * k * x
        x = x + 0.1 * v
    return 0.5 * tf.reduce_sum(v * v) + 0.5 * k * tf.reduce_sum(x * x)


def regression(w, b, x, y):
    """The mean of squared errors of a linear model."""
    return tf.reduce_mean((tf.linalg.matvec(x, w) + b - y) ** 2)


def similarity(a, b):
    """Cosines of angles between rows."""
    a = tf.math.l2_normalize(a, axis=1)
    b = tf.math.l2_normalize(b, axis=1)
    return tf.reduce_sum(tf.square(tf.linalg.matmul(a, b, transpose_b=True)))


def gates(w, x):
    """Parts of one size that `split` gives."""
    a, b = tf.split(x @ w, 2, axis=1)
    return tf.reduce_sum(tf.sigmoid(a) * tf.tanh(b))


def sections(w, x):
    """Parts of sizes that are told, one of which is left open."""
    a, b = tf.split(x @ w, [1, -1], axis=1)
    return tf.reduce_sum(a * b)


def bent_norm(x):
    """A norm of what is computed, whose gradient reads that again."""
    return tf.norm(x + 2.0)
