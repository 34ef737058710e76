"""Kernels of products with large matrices: what their gradients cost is the outer products.

A matrix and its transpose times vectors (`mvt`), covariances, correlations, an LU by rows, and a
recurrent network with one state.
"""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers


def mvt(x1, x2, y1, y2, a):
    x1 += a @ y1
    x2 += a.T @ y2


def mvt_by_hand(x1, x2, y1, y2, a, out_bar):
    x1_bar, x2_bar = out_bar
    a_bar = np.outer(x1_bar, y1)
    a_bar += np.outer(y2, x2_bar)
    return a.T @ x1_bar, a @ x2_bar, a_bar


def mvt_arguments(n):
    return (*(numbers(n, seed=i) for i in range(4)), numbers(n, n))


MVT = Workload(
    "A @ y and A.T @ y, {0} x {0}",
    mvt,
    mvt_by_hand,
    mvt_arguments,
    ("y1", "y2", "a"),
    (2000,),
    5,
    outputs=("x1", "x2"),
)


def covariance(data, cov):
    data = data - np.mean(data, axis=0)
    m = data.shape[1]
    for i in range(m):
        cov[i:, i] = data[:, i] @ data[:, i:] / (len(data) - 1.0)
        cov[i, i:] = cov[i:, i]


def covariance_by_hand(data, cov, out_bar):
    """One product for all rows: `cov` is `data.T @ data`, each half of it once."""
    data = data - np.mean(data, axis=0)
    half = np.tril(out_bar[0]) + np.triu(out_bar[0], 1).T
    data_bar = data @ (half + half.T) / (len(data) - 1.0)
    return (data_bar - np.mean(data_bar, axis=0),)


def covariance_arguments(n):
    return numbers(n + n // 5, n), np.zeros((n, n))


COVARIANCE = Workload(
    "covariance, {} columns",
    covariance,
    covariance_by_hand,
    covariance_arguments,
    ("data",),
    (200,),
    4,
    outputs=("cov",),
)


def correlation(data, corr):
    data = data - np.mean(data, axis=0)
    data /= np.sqrt(len(data)) * np.std(data, axis=0)
    m = data.shape[1]
    for i in range(m - 1):
        corr[i + 1 :, i] = data[:, i] @ data[:, i + 1 :]
        corr[i, i + 1 :] = corr[i + 1 :, i]


def correlation_by_hand(data, corr, out_bar):
    """As of covariances; what is divided by its norm is turned only."""
    centered = data - np.mean(data, axis=0)
    norms = np.sqrt(len(data)) * np.std(centered, axis=0)
    turned = centered / norms
    half = np.tril(out_bar[0], -1) + np.triu(out_bar[0], 1).T
    turned_bar = turned @ (half + half.T)
    data_bar = (turned_bar - turned * np.sum(turned_bar * turned, axis=0)) / norms
    return (data_bar - np.mean(data_bar, axis=0),)


CORRELATION = Workload(
    "correlation, {} columns",
    correlation,
    correlation_by_hand,
    covariance_arguments,
    ("data",),
    (200,),
    4,
    outputs=("corr",),
)


def lu_by_rows(a):
    n = len(a)
    for i in range(n):
        for j in range(i):
            a[i, j] /= a[j, j]
            a[i, j + 1 :] -= a[i, j] * a[j, j + 1 :]


def lu_by_hand(a, out_bar):
    """What is eliminated is had again by adding what was taken away."""
    a = a.copy()
    lu_by_rows(a)
    a_bar = out_bar[0].copy()
    for i in reversed(range(len(a))):
        for j in reversed(range(i)):
            row, row_bar = a[j, j + 1 :], a_bar[i, j + 1 :]
            ratio_bar = (a_bar[i, j] - row_bar @ row) / a[j, j]
            a_bar[j, j + 1 :] -= row_bar * a[i, j]
            a_bar[j, j] -= ratio_bar * a[i, j]
            a_bar[i, j] = ratio_bar
    return (a_bar,)


def lu_arguments(n):
    return (numbers(n, n) + n * np.eye(n),)


LU_BY_ROWS = Workload(
    "LU by rows, {0} x {0}",
    lu_by_rows,
    lu_by_hand,
    lu_arguments,
    ("a",),
    (60,),
    5,
    outputs=("a",),
)


def recurrent(w, xs, h):
    for x in xs:
        h = np.tanh(w @ h + x)
    return np.sum(h)


def recurrent_by_hand(w, xs, h):
    states = [h]
    for x in xs:
        states.append(np.tanh(w @ states[-1] + x))
    h_bar, w_bar = np.ones(len(h)), np.zeros(w.shape)
    for _ in xs:
        last = states.pop()
        z_bar = h_bar * (1 - last * last)
        w_bar += np.outer(z_bar, states[-1])
        h_bar = w.T @ z_bar
    return (w_bar,)


def recurrent_arguments(n):
    return numbers(n, n) / np.sqrt(n), numbers(50, n, seed=1), numbers(n, seed=2)


RECURRENT = Workload(
    "recurrent, 50 steps, width {}",
    recurrent,
    recurrent_by_hand,
    recurrent_arguments,
    ("w",),
    (200,),
    4,
)
