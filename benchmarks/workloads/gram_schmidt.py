"""The columns of a matrix made orthonormal one after the other (modified Gram-Schmidt)."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers


def gram_schmidt(a, q, r):
    for k in range(a.shape[1]):
        r[k, k] = np.sqrt(np.dot(a[:, k], a[:, k]))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]


def by_hand(a, q, r, out_bar):
    """Column `k` of `a` stays as it was when it was divided: it is `q[:, k] * r[k, k]`."""
    a, q, r = a.copy(), q.copy(), r.copy()
    gram_schmidt(a, q, r)
    n = a.shape[1]
    q_bar, r_bar = out_bar[0].copy(), out_bar[1].copy()
    a_bar = np.zeros_like(a)
    for k in reversed(range(n)):
        column = q[:, k]
        for j in reversed(range(k + 1, n)):
            a[:, j] += column * r[k, j]
            part = a_bar[:, j]
            dot_bar = r_bar[k, j] - part @ column
            q_bar[:, k] += a[:, j] * dot_bar - part * r[k, j]
            part += column * dot_bar
        part = q_bar[:, k] / r[k, k]
        norm_bar = r_bar[k, k] - part @ column
        a_bar[:, k] += part + column * norm_bar
    return (a_bar,)


def arguments(n):
    return numbers(2 * n, n), np.zeros((2 * n, n)), np.zeros((n, n))


WORKLOAD = Workload(
    "Gram-Schmidt, {} columns",
    gram_schmidt,
    by_hand,
    arguments,
    ("a",),
    (40,),
    4,
    outputs=("q", "r"),
)
