"""Statistics and learning: regressions, layers, and parameters in dictionaries."""

import tensorflow as tf
from kernels.learning import LEARNING
from kernels.parameters import PARAMETERS

from twins.twin import twins_of


def softmax(x):
    return tf.nn.softmax(x, axis=1)


def logistic_regression(w, b, x, y):
    z = tf.linalg.matvec(x, w) + b
    losses = tf.nn.sigmoid_cross_entropy_with_logits(tf.cast(y, z.dtype), z)
    return tf.reduce_mean(losses) + 0.1 * tf.reduce_sum(tf.square(w))


def batch_norm(x, scale, shift):
    mean, variance = tf.nn.moments(x, axes=[0])
    return tf.nn.batch_normalization(x, mean, variance, shift, scale, 1e-3)


def attention(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = tf.matmul(query, key, transpose_b=True) / key.shape[1] ** 0.5
    return tf.nn.softmax(scores) @ value


def lstm_cell(x, h, c, w, u, b):
    z = tf.linalg.matvec(w, x) + tf.linalg.matvec(u, h) + b
    forget, take, give, new = tf.split(z, 4)
    c = tf.sigmoid(forget) * c + tf.sigmoid(take) * tf.tanh(new)
    return tf.sigmoid(give) * tf.tanh(c), c


def lstm(inputs, h, c, w, u, b):
    outputs = []
    for x in tf.unstack(inputs):
        h, c = lstm_cell(x, h, c, w, u, b)
        outputs.append(h)
    return tf.stack(outputs)


def soft_alignment(x, y):
    far = tf.constant(50.0, x.dtype)
    before = tf.stack([tf.zeros_like(far)] + [far] * y.shape[0])
    for i in range(x.shape[0]):
        row = [far]
        for j in range(y.shape[0]):
            costs = tf.stack([before[j], before[j + 1], row[j]])
            row.append(tf.square(x[i] - y[j]) - tf.reduce_logsumexp(-costs))
        before = tf.stack(row)
    return before[-1]


def histogram(values, weights, bins, n_bins):
    sums = tf.math.unsorted_segment_sum(weights * values, bins, n_bins)
    return tf.reduce_sum(tf.square(sums - tf.reduce_mean(sums)))


def network(params, x):
    *hidden, last = params["layers"]
    for layer in hidden:
        x = tf.matmul(x, layer["w"]) + layer["b"]
        x = tf.where(x > 0.0, x, 0.1 * x)
    return params["scale"] * (tf.matmul(x, last["w"]) + last["b"])


def recurrent(params, inputs, state):
    w, u, b = params
    states = []
    for t in range(inputs.shape[0]):
        state = tf.tanh(tf.linalg.matvec(w, inputs[t]) + tf.linalg.matvec(u, state) + b)
        states.append(state)
    return tf.stack(states)


def mixture(data, weights, means, widths):
    apart = (data[:, None] - tf.stack(means)) / widths[:, None]
    densities = -0.5 * tf.reduce_sum(tf.square(apart), axis=2)
    densities -= data.shape[1] * tf.math.log(widths)
    return tf.reduce_sum(tf.reduce_logsumexp(tf.math.log(weights) + densities, axis=1))


def heads(x, params, *, scale=0.5):
    query = tf.einsum("ia,hab->hib", x, tf.stack(params["query"]))
    key = tf.einsum("ia,hab->hib", x, tf.stack(params["key"]))
    value = tf.einsum("ia,hab->hib", x, tf.stack(params["value"]))
    scores = tf.nn.softmax(scale * tf.einsum("hib,hjb->hij", query, key))
    mixed = tf.transpose(scores @ value, (1, 0, 2))
    return x + tf.reshape(mixed, (x.shape[0], -1)) @ params["out"]


def penalty(params, strength):
    if isinstance(params, list):
        return tf.add_n([penalty(part, strength) for part in params])
    return 2.0 * strength * tf.nn.l2_loss(params)


TWINS = (
    *twins_of(
        LEARNING,
        softmax,
        logistic_regression,
        attention,
        lstm,
        soft_alignment,
        histogram,
    ),
    *twins_of(LEARNING, batch_norm, is_taped_twice=False),
    *twins_of(PARAMETERS, network, recurrent, mixture, heads, penalty),
)
