"""A convolutional network for handwritten digits in plain TensorFlow, trained with adlsp.

The derivative is TensorFlow code, too: `tf.function` compiles it.
"""

import numpy as np
import tensorflow as tf
from digits import load

import adlsp


def logits_of(w, images):
    """The logits of a batch of images of shape (n, 8, 8, 1)."""
    h = tf.nn.relu(tf.nn.conv2d(images, w["conv1"], strides=1, padding="SAME") + w["bias1"])
    h = tf.nn.max_pool2d(h, ksize=2, strides=2, padding="VALID")
    h = tf.nn.relu(tf.nn.conv2d(h, w["conv2"], strides=1, padding="SAME") + w["bias2"])
    h = tf.reshape(h, (-1, 4 * 4 * 16))
    return h @ w["dense"] + w["bias3"]


def loss(w, images, labels):
    """The mean cross-entropy of a batch."""
    logits = logits_of(w, images)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def start(random):
    """Random weights, as tensors of single precision."""

    def normal(*shape):
        return tf.constant(random.normal(size=shape) / np.sqrt(np.prod(shape[:-1])), tf.float32)

    return {
        "conv1": normal(3, 3, 1, 8),
        "bias1": tf.zeros(8),
        "conv2": normal(3, 3, 8, 16),
        "bias2": tf.zeros(16),
        "dense": normal(4 * 4 * 16, 10),
        "bias3": tf.zeros(10),
    }


def as_images(rows):
    """Rows of 64 numbers as images with one channel."""
    return tf.constant(rows.reshape(-1, 8, 8, 1), tf.float32)


def train(n_epochs=8, batch=32, rate=0.1, momentum=0.9):
    """Trains by gradient descent with momentum; gives the accuracy on the held-out images."""
    x, labels, x_test, labels_test = load()
    random = np.random.default_rng(1)
    w = start(random)
    velocity = {name: tf.zeros_like(value) for name, value in w.items()}
    gradient = tf.function(adlsp.value_and_grad(loss))
    for epoch in range(n_epochs):
        order = random.permutation(len(labels))
        total = 0.0
        for first in range(0, len(order) - batch + 1, batch):
            rows = order[first : first + batch]
            value, w_bar = gradient(w, as_images(x[rows]), tf.constant(labels[rows]))
            velocity = {k: momentum * velocity[k] - rate * w_bar[k] for k in w}
            w = {k: w[k] + velocity[k] for k in w}
            total += float(value)
        print(f"epoch {epoch + 1}: loss {total * batch / len(order):.4f}")
    guessed = np.argmax(logits_of(w, as_images(x_test)), axis=1)
    return float(np.mean(guessed == labels_test))


if __name__ == "__main__":
    print(f"accuracy {train():.3f}")
