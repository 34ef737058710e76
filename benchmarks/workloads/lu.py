"""A matrix factored in its own place into a lower and an upper triangle, without pivots."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers


def lu(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]


def by_hand(a, out_bar):
    """Each element is read only after it has its last value, so nothing need be saved."""
    a = a.copy()
    lu(a)
    a_bar = out_bar[0].copy()
    n = a.shape[0]
    for i in reversed(range(n)):
        for j in reversed(range(i, n)):
            part = a_bar[i, j]
            a_bar[i, :i] -= part * a[:i, j]
            a_bar[:i, j] -= part * a[i, :i]
        for j in reversed(range(i)):
            part = a_bar[i, j] / a[j, j]
            a_bar[i, j] = part
            a_bar[j, j] -= part * a[i, j]
            a_bar[i, :j] -= part * a[:j, j]
            a_bar[:j, j] -= part * a[i, :j]
    return (a_bar,)


def arguments(n):
    return (numbers(n, n) + n * np.eye(n),)


WORKLOAD = Workload("LU, {0} x {0}", lu, by_hand, arguments, ("a",), (40,), 5, outputs=("a",))
