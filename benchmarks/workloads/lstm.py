"""A long short-term memory over 20 steps; the cell is a function of its own."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload, numbers

STEPS, BATCH = 20, 16


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cell(x, h, c, w, u, b):
    n = h.shape[1]
    gates = x @ w + h @ u + b
    kept = sigmoid(gates[:, :n])
    added = sigmoid(gates[:, n : 2 * n])
    shown = sigmoid(gates[:, 2 * n : 3 * n])
    c = kept * c + added * np.tanh(gates[:, 3 * n :])
    return shown * np.tanh(c), c


def lstm(xs, h, c, w, u, b):
    for x in xs:
        h, c = cell(x, h, c, w, u, b)
    return np.sum(h * h)


def by_hand(xs, h, c, w, u, b):
    n = h.shape[1]
    saved = []
    for x in xs:
        gates = x @ w + h @ u + b
        opened = 1 / (1 + np.exp(-gates[:, : 3 * n]))
        new = np.tanh(gates[:, 3 * n :])
        c_old, h_old = c, h
        c = opened[:, :n] * c + opened[:, n : 2 * n] * new
        c_shown = np.tanh(c)
        h = opened[:, 2 * n :] * c_shown
        saved.append((x, h_old, c_old, opened, new, c_shown))
    h_bar = 2 * h
    c_bar = np.zeros_like(c)
    w_bar, u_bar, b_bar = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    for x, h_old, c_old, opened, new, c_shown in reversed(saved):
        kept, added, shown = opened[:, :n], opened[:, n : 2 * n], opened[:, 2 * n :]
        c_bar = c_bar + h_bar * shown * (1 - c_shown * c_shown)
        gates_bar = np.empty((h.shape[0], 4 * n))
        gates_bar[:, :n] = c_bar * c_old
        gates_bar[:, n : 2 * n] = c_bar * new
        gates_bar[:, 2 * n : 3 * n] = h_bar * c_shown
        gates_bar[:, : 3 * n] *= opened * (1 - opened)
        gates_bar[:, 3 * n :] = c_bar * added * (1 - new * new)
        c_bar = c_bar * kept
        w_bar += x.T @ gates_bar
        u_bar += h_old.T @ gates_bar
        b_bar += gates_bar.sum(axis=0)
        h_bar = gates_bar @ u.T
    return w_bar, u_bar, b_bar


def pure(np, xs, h, c, w, u, b):
    n = h.shape[1]
    for x in xs:
        gates = x @ w + h @ u + b
        kept = 1 / (1 + np.exp(-gates[:, :n]))
        added = 1 / (1 + np.exp(-gates[:, n : 2 * n]))
        shown = 1 / (1 + np.exp(-gates[:, 2 * n : 3 * n]))
        c = kept * c + added * np.tanh(gates[:, 3 * n :])
        h = shown * np.tanh(c)
    return np.sum(h * h)


def arguments(n):
    return (
        numbers(STEPS, BATCH, n),
        np.zeros((BATCH, n)),
        np.zeros((BATCH, n)),
        numbers(n, 4 * n, seed=1) / np.sqrt(n),
        numbers(n, 4 * n, seed=2) / np.sqrt(n),
        numbers(4 * n, seed=3),
    )


WORKLOAD = Workload(
    "LSTM, 20 steps, width {}", lstm, by_hand, arguments, ("w", "u", "b"), (64,), 3, pure=pure
)
