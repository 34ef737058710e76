"""A perceptron with one hidden layer, cross-entropy, a batch of 16."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers

BATCH, CLASSES = 16, 10


def mlp(x, labels, w1, b1, w2, b2):
    h = np.tanh(x @ w1 + b1)
    logits = h @ w2 + b2
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.sum(labels * (shifted - log_total)) / x.shape[0]


def by_hand(x, labels, w1, b1, w2, b2):
    h = np.tanh(x @ w1 + b1)
    logits = h @ w2 + b2
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    expected = raised * (labels.sum(axis=1, keepdims=True) / raised.sum(axis=1, keepdims=True))
    logits_bar = (expected - labels) / x.shape[0]
    a_bar = (logits_bar @ w2.T) * (1 - h * h)
    return x.T @ a_bar, a_bar.sum(axis=0), h.T @ logits_bar, logits_bar.sum(axis=0)


def pure(np, x, labels, w1, b1, w2, b2):
    h = np.tanh(x @ w1 + b1)
    logits = h @ w2 + b2
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.sum(labels * (shifted - log_total)) / x.shape[0]


def arguments(width):
    labels = np.eye(CLASSES)[np.arange(BATCH) % CLASSES]
    scale = 1 / np.sqrt(width)
    return (
        numbers(BATCH, width),
        labels,
        numbers(width, width, seed=1) * scale,
        numbers(width, seed=2),
        numbers(width, CLASSES, seed=3) * scale,
        numbers(CLASSES, seed=4),
    )


WORKLOAD = Workload(
    "MLP, width {}",
    mlp,
    by_hand,
    arguments,
    ("w1", "b1", "w2", "b2"),
    (8, 32, 128, 512),
    5,
    pure=pure,
)
