"""A positive definite matrix factored in its own place."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers


def cholesky(a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


def by_hand(a, out_bar):
    a = a.copy()
    cholesky(a)
    a_bar = out_bar[0].copy()
    for i in reversed(range(1, a.shape[0])):
        part = a_bar[i, i] / (2 * a[i, i])
        a_bar[i, i] = part
        a_bar[i, :i] -= 2 * part * a[i, :i]
        for j in reversed(range(i)):
            part = a_bar[i, j] / a[j, j]
            a_bar[i, j] = part
            a_bar[j, j] -= part * a[i, j]
            a_bar[i, :j] -= part * a[j, :j]
            a_bar[j, :j] -= part * a[i, :j]
    a_bar[0, 0] /= 2 * a[0, 0]
    return (a_bar,)


def arguments(n):
    a = numbers(n, n)
    return (a @ a.T + n * np.eye(n),)


WORKLOAD = Workload(
    "Cholesky, {0} x {0}", cholesky, by_hand, arguments, ("a",), (40,), 5, outputs=("a",)
)
