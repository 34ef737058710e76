"""An LSTM that reads handwritten digits row by row, in TensorFlow and once more in NumPy.

Both losses are differentiated by adlsp, and their gradients are the same.
"""

import numpy as np
import tensorflow as tf
from digits import load
from softmax import cross_entropy

import adlsp


def step(w, x, h, c):
    """One step of the cell: the gates and the candidate by one product (Hochreiter, 1997)."""
    gates = tf.concat([x, h], axis=1) @ w["gates"] + w["bias"]
    i, f, o, g = tf.split(gates, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c


def loss(w, rows, labels):
    """The mean cross-entropy of images of shape (n, 8, 8), by the state after their last row."""
    h = c = tf.zeros((tf.shape(rows)[0], w["out"].shape[0]), rows.dtype)
    for k in range(8):
        h, c = step(w, rows[:, k], h, c)
    logits = h @ w["out"]
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def sigmoid(x):
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def step_numpy(w, x, h, c):
    """`step` with arrays of NumPy."""
    gates = np.concatenate([x, h], axis=1) @ w["gates"] + w["bias"]
    i, f, o, g = np.split(gates, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def loss_numpy(w, rows, labels):
    """`loss` with arrays of NumPy."""
    h = c = np.zeros((len(rows), len(w["out"])))
    for k in range(8):
        h, c = step_numpy(w, rows[:, k], h, c)
    return np.mean(cross_entropy(h @ w["out"], labels))


def start(random, n_hidden=24):
    """Random weights, as arrays."""
    return {
        "gates": random.normal(size=(8 + n_hidden, 4 * n_hidden)) / np.sqrt(8 + n_hidden),
        "bias": np.zeros(4 * n_hidden),
        "out": random.normal(size=(n_hidden, 10)) / np.sqrt(n_hidden),
    }


def compare(n=16):
    """The greatest difference between the gradients of the two losses."""
    x, labels, _, _ = load()
    w, rows = start(np.random.default_rng(1)), x[:n].reshape(-1, 8, 8)
    tensors = {name: tf.constant(value) for name, value in w.items()}
    one = adlsp.grad(loss)(tensors, tf.constant(rows), tf.constant(labels[:n]))
    other = adlsp.grad(loss_numpy)(w, rows, labels[:n])
    return max(float(np.max(np.abs(one[name] - other[name]))) for name in w)


def train(n_epochs=6, batch=32, rate=0.5):
    """Trains by gradient descent, compiled; gives the accuracy on the held-out images."""
    x, labels, x_test, labels_test = load()
    random = np.random.default_rng(1)
    w = {name: tf.constant(value, tf.float32) for name, value in start(random).items()}
    gradient = tf.function(adlsp.value_and_grad(loss))
    for epoch in range(n_epochs):
        order = random.permutation(len(labels))
        total = 0.0
        for first in range(0, len(order) - batch + 1, batch):
            rows = order[first : first + batch]
            images = tf.constant(x[rows].reshape(-1, 8, 8), tf.float32)
            value, w_bar = gradient(w, images, tf.constant(labels[rows]))
            w = {name: w[name] - rate * w_bar[name] for name in w}
            total += float(value)
        print(f"epoch {epoch + 1}: loss {total * batch / len(order):.4f}")
    h = c = tf.zeros((len(x_test), 24))
    for k in range(8):
        h, c = step(w, tf.constant(x_test.reshape(-1, 8, 8)[:, k], tf.float32), h, c)
    return float(np.mean(np.argmax(h @ w["out"], axis=1) == labels_test))


if __name__ == "__main__":
    print(f"difference of the gradients {compare():.1e}")
    print(f"accuracy {train():.3f}")
