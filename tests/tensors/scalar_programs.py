# mypy: allow-untyped-defs
"""Scalars as functions of TensorFlow give them: the gradient begins there, as a number."""

from __future__ import annotations

import tensorflow as tf


def norm(x):
    return tf.norm(x)


def half_of_squares(x):
    return tf.nn.l2_loss(x)


def product(x):
    return tf.tensordot(x, x, 1)


def trace(x):
    return tf.linalg.trace(x[:, None] * x[None, :])


def log_determinant(x):
    return tf.linalg.logdet(x[:, None] * x[None, :] + tf.eye(4, dtype=x.dtype))


def determinant(x):
    return tf.linalg.det(x[:, None] * x[None, :] + tf.eye(4, dtype=x.dtype))


def deviation(x):
    return tf.math.reduce_std(x)


def log_of_sums(x):
    return tf.reduce_logsumexp(x)


def largest(x):
    return tf.reduce_max(x)


def squeezed(x):
    return tf.squeeze(tf.reduce_sum(x, keepdims=True))


def reshaped(x):
    return tf.reshape(tf.reduce_sum(x * x, keepdims=True), ())


def gathered(x):
    return tf.gather(x * x, 1)


def subscripts(x):
    return tf.einsum("i,i->", x, x)


def chosen(x):
    return tf.where(x[0] > 0, x[1] * x[1], x[2] * x[0])


def clipped(x):
    return tf.clip_by_value(x[0] * x[1], -1.0, 1.0)


def smaller(x):
    return tf.minimum(x[0] * x[0], x[1])


def first(x):
    return tf.math.top_k(x * x, 1)[0][0]


def second(x):
    return tf.sort(x * x)[1]


def last_sum(x):
    return tf.cumsum(x * x)[-1]


def length(x):
    return tf.linalg.normalize(x)[1][0]


def segment(x):
    return tf.math.segment_sum(x * x, tf.constant([0, 0, 1, 1]))[1]


def bent(x):
    return tf.sigmoid(x[0] * x[1])


def share(x):
    return tf.nn.softmax(x)[0]


def transposed(x):
    return tf.transpose(tf.reduce_sum(x * x))


def solved(x):
    squares = x[:, None] * x[None, :] + tf.eye(4, dtype=x.dtype)
    return tf.linalg.cholesky_solve(tf.linalg.cholesky(squares), x[:, None])[0, 0]


def bounded(x):
    return tf.maximum(tf.reduce_sum(x * x), 0.0)


def positive(x):
    return tf.nn.relu(tf.reduce_sum(x * x))


def logarithm(x):
    return tf.math.xlogy(tf.reduce_sum(x * x), 3.0)


def crossed(x):
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(x[0]), logits=x[0] * x[1])


def labeled(x):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=x * x)


def element(x):
    return tf.nn.elu(x[0] * x[1])


def size(x):
    return tf.abs(tf.reduce_sum(x))
