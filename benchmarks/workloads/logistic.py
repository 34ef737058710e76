"""Logistic regression: the mean cross-entropy of labels that are 0 or 1."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers

N_FEATURES = 20


def logistic(w, b, x, y):
    p = 1 / (1 + np.exp(-(x @ w + b)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def by_hand(w, b, x, y):
    p = 1 / (1 + np.exp(-(x @ w + b)))
    z_bar = (p - y) / y.size
    return x.T @ z_bar, z_bar.sum()


def pure(np, w, b, x, y):
    p = 1 / (1 + np.exp(-(x @ w + b)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def arguments(n):
    return numbers(N_FEATURES, seed=1), 0.1, numbers(n, N_FEATURES), np.arange(n) % 2.0


WORKLOAD = Workload(
    "logistic regression, {} rows", logistic, by_hand, arguments, ("w", "b"), (1000,), 7, pure=pure
)
