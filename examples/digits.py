"""A two-layer classifier of handwritten digits in plain NumPy, trained with adlsp's gradient."""

from pathlib import Path

import numpy as np
from softmax import cross_entropy

import adlsp

DATA = Path(__file__).parent / "data" / "digits.npz"


def predict(x, w1, b1, w2, b2):
    """The most probable digit for each row of `x`."""
    return np.argmax(np.tanh(x @ w1 + b1) @ w2 + b2, axis=1)


def penalty(w1, w2):
    """Keeps the weights small."""
    return 1e-4 * (np.sum(w1 * w1) + np.sum(w2 * w2))


def loss(w1, b1, w2, b2, x, labels):
    """The mean cross-entropy of a batch, with a penalty on the weights."""
    h = np.tanh(x @ w1 + b1)
    logits = h @ w2 + b2
    xent = cross_entropy(logits, labels)
    return np.mean(xent) + penalty(w1, w2)


def load():
    """The images as rows of numbers from 0 to 1, and their digits; a fifth is held out."""
    data = np.load(DATA)
    images, labels = data["images"] / 16.0, data["labels"].astype(int)
    order = np.random.default_rng(0).permutation(len(labels))
    n_held_out = len(labels) // 5
    held_out, training = order[:n_held_out], order[n_held_out:]
    return images[training], labels[training], images[held_out], labels[held_out]


def train(n_epochs=30, n_hidden=48, batch=32, rate=0.3, momentum=0.8, differentiated=None):
    """Trains by gradient descent with momentum; gives the accuracy on the held-out images."""
    x, labels, x_test, labels_test = load()
    random = np.random.default_rng(1)
    weights = [
        random.standard_normal((64, n_hidden)) / 8,
        np.zeros(n_hidden),
        random.standard_normal((n_hidden, 10)) / np.sqrt(n_hidden),
        np.zeros(10),
    ]
    velocities = [np.zeros_like(weight) for weight in weights]
    loss_and_gradients = differentiated or adlsp.value_and_grad(loss, ("w1", "b1", "w2", "b2"))
    for epoch in range(n_epochs):
        order = random.permutation(len(labels))
        total = 0.0
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            value, gradients = loss_and_gradients(*weights, x[rows], labels[rows])
            for weight, velocity, gradient in zip(weights, velocities, gradients, strict=True):
                velocity *= momentum
                velocity -= rate * (1 - momentum) * gradient
                weight += velocity
            total += value * len(rows)
        if epoch % 5 == 4 or epoch == n_epochs - 1:
            accuracy = np.mean(predict(x_test, *weights) == labels_test)
            print(f"epoch {epoch + 1:2d}  loss {total / len(order):.4f}  held out {accuracy:.1%}")
    return float(np.mean(predict(x_test, *weights) == labels_test))


if __name__ == "__main__":
    train()
