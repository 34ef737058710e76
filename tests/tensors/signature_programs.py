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


def huber(p, y):
    """Squares of small errors, sizes of large ones."""
    a = tf.abs(y - p)
    q = tf.minimum(a, 0.7)
    return tf.reduce_mean(0.5 * q**2 + 0.7 * (a - q))


def contrasted(a, b):
    """Pairs that belong together, against all others, both ways."""
    logits = tf.matmul(a, b, transpose_b=True) / 0.5
    labels = tf.range(a.shape[0])
    one = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    mirrored = tf.transpose(logits)
    other = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=mirrored)
    return tf.reduce_mean(one + other)


def positionwise(w, b, x):
    """A layer of a network for each place of each sequence."""
    return tf.reduce_sum(tf.nn.elu(tf.nn.bias_add(x @ w, b)))


def nearest(x, q):
    """The rows that are nearest to some points."""
    d = tf.reduce_sum((x[None, :, :] - q[:, None, :]) ** 2, axis=-1)
    near, where = tf.math.top_k(-d, k=2)
    return tf.reduce_sum(tf.exp(near)) + tf.reduce_sum(tf.gather(x, where) ** 2)


def edges(u, v):
    """Lengths of differences, padded and turned."""
    e = tf.pad(u - v, [[1, 0], [0, 2]])
    t = tf.transpose(tf.sqrt(e**2 + 1.0), (1, 0))
    return tf.reduce_sum(tf.roll(t, 1, axis=0) * t)


def degrees(x):
    """Means of the rows that belong together."""
    ids = tf.constant([0, 1, 0])
    total = tf.math.unsorted_segment_sum(x, ids, 2)
    n = tf.math.unsorted_segment_sum(tf.ones_like(x[:, 0]), ids, 2)
    return tf.reduce_sum(tf.math.divide_no_nan(total, n[:, tf.newaxis]) ** 2)


def filtered(z, q):
    """A filter whose state begins with numbers of the text."""
    x, p = tf.constant(0.0, z.dtype), tf.constant(1.0, z.dtype)
    for t in range(z.shape[0]):
        p = p + q
        k = p / (p + 1.0)
        x = x + k * (z[t] - x)
        p = (1 - k) * p
    return x * x


def bent(x, scale):
    """A function of a tensor and a scalar, or of two scalars."""
    return tf.tanh(x * scale) + x


def of_bent(x, p):
    """Calls it in both ways."""
    s = tf.reduce_sum(p)
    return tf.reduce_sum(bent(x, s)) + bent(s, s)
