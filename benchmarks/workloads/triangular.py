"""A triangular system solved from the first unknown to the last."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers


def solve(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]


def by_hand(lower, x, b, out_bar):
    x = x.copy()
    solve(lower, x, b)
    x_bar = out_bar[0].copy()
    lower_bar, b_bar = np.zeros_like(lower), np.empty_like(b)
    for i in reversed(range(x.shape[0])):
        part = x_bar[i] / lower[i, i]
        b_bar[i] = part
        lower_bar[i, i] = -part * x[i]
        lower_bar[i, :i] = -part * x[:i]
        x_bar[:i] -= part * lower[i, :i]
    return lower_bar, b_bar


def arguments(n):
    return np.tril(numbers(n, n)) + n * np.eye(n), np.zeros(n), numbers(n, seed=1)


WORKLOAD = Workload(
    "triangular solve, {}", solve, by_hand, arguments, ("lower", "b"), (200,), 5, outputs=("x",)
)
