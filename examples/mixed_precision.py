"""Mixed precision with loss scaling: a network that is computed in half precision, and learns.

The weights are kept in single precision, and cast to float16 for each step. Gradients in float16
would often be too small for it, so that the backward sweep starts from a scale instead of 1. Where
a gradient overflows, the step is left out and the scale is halved; after a while without, it is
doubled (Micikevicius et al., "Mixed precision training", 2018).
"""

import numpy as np
import tensorflow as tf
from digits import load

import adlsp

PATIENCE = 40
"""After how many good steps the scale is doubled."""


def loss(w, images, labels):
    """The mean cross-entropy of a batch: layers in the precision of `w`, the sum in single."""
    h = tf.nn.relu(images @ w["hidden"] + w["bias1"])
    logits = tf.cast(h @ w["out"] + w["bias2"], tf.float32)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


gradient = tf.function(adlsp.value_and_grad(loss))


def halves(tensors):
    """The same tensors in half precision."""
    return {name: tf.cast(value, tf.float16) for name, value in tensors.items()}


def scaled_gradient(w, images, labels, scale):
    """The loss and its gradient in single precision, made in half precision; finite or not."""
    value, w_bar = gradient(halves(w), images, labels, out_bar=tf.constant(scale, tf.float32))
    w_bar = {name: tf.cast(bar, tf.float32) / scale for name, bar in w_bar.items()}
    is_finite = all(bool(tf.reduce_all(tf.math.is_finite(bar))) for bar in w_bar.values())
    return value, w_bar, is_finite


def vanished(w, images, labels, scale):
    """The share of a gradient that is not zero in single precision, and zero in half precision."""
    _, exact = gradient(w, tf.cast(images, tf.float32), labels, out_bar=tf.constant(1.0))
    _, found, _ = scaled_gradient(w, images, labels, scale)
    lost = sum(int(tf.math.count_nonzero((exact[k] != 0) & (found[k] == 0))) for k in w)
    return lost / sum(int(tf.math.count_nonzero(bar)) for bar in exact.values())


def start(random, n_hidden=64):
    """Random weights in single precision."""
    return {
        "hidden": tf.constant(random.normal(size=(64, n_hidden)) / 8, tf.float32),
        "bias1": tf.zeros(n_hidden),
        "out": tf.constant(random.normal(size=(n_hidden, 10)) / np.sqrt(n_hidden), tf.float32),
        "bias2": tf.zeros(10),
    }


def train(n_epochs=8, batch=32, rate=0.2, scale=2.0**22):
    """Trains by gradient descent, and tells of the scale; gives the accuracy on held-out images."""
    x, labels, x_test, labels_test = load()
    images, random = tf.constant(x, tf.float16), np.random.default_rng(1)
    w, n_good, step = start(random), 0, 0
    for epoch in range(n_epochs):
        order, total = random.permutation(len(labels)), 0.0
        for first in range(0, len(order) - batch + 1, batch):
            rows = order[first : first + batch]
            given = tf.gather(images, rows), tf.constant(labels[rows])
            value, w_bar, is_finite = scaled_gradient(w, *given, scale)
            step, n_good, total = step + 1, n_good + 1, total + float(value)
            if not is_finite:
                scale, n_good = scale / 2, 0
                print(f"step {step}: the gradient overflows, left out; scale down to {scale:.0f}")
                continue
            w = {name: w[name] - rate * w_bar[name] for name in w}
            if n_good == PATIENCE:
                scale, n_good = scale * 2, 0
                print(f"step {step}: {PATIENCE} good steps; scale up to {scale:.0f}")
        print(f"epoch {epoch + 1}: loss {total * batch / len(order):.4f}, scale {scale:.0f}")
    shares = [vanished(w, *given, s) for s in (1.0, scale)]
    print("gradients lost in half precision: {:.2%} without a scale, {:.2%} with".format(*shares))
    h = tf.nn.relu(tf.constant(x_test, tf.float32) @ w["hidden"] + w["bias1"])
    return float(np.mean(np.argmax(h @ w["out"] + w["bias2"], axis=1) == labels_test))


if __name__ == "__main__":
    print(f"accuracy {train():.3f}")
