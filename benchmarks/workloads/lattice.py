"""A model on a lattice: it grows by a row in each pass, and a part of the last row is edited."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload

WIDTH = 64
EDITED = 15


def lattice(coupling, n):
    rows = np.ones((1, WIDTH))
    for _ in range(n):
        rows = np.concatenate((rows, coupling * rows[-1:]))
        for k in range(EDITED):
            rows[-1, k] = rows[-1, k] * 0.5 + coupling * rows[-2, k]
    return np.sum(rows * rows)


def by_hand(coupling, n):
    """What an edit overwrites is not read again: all is in the last array."""
    rows = np.ones((1, WIDTH))
    for _ in range(n):
        rows = np.concatenate((rows, coupling * rows[-1:]))
        for k in range(EDITED):
            rows[-1, k] = rows[-1, k] * 0.5 + coupling * rows[-2, k]
    rows_bar = 2 * rows
    coupling_bar = 0.0
    for t in reversed(range(n)):
        for k in reversed(range(EDITED)):
            edited_bar = rows_bar[t + 1, k]
            coupling_bar += edited_bar * rows[t, k]
            rows_bar[t, k] += edited_bar * coupling
            rows_bar[t + 1, k] = edited_bar * 0.5
        coupling_bar += rows_bar[t + 1] @ rows[t]
        rows_bar[t] += rows_bar[t + 1] * coupling
    return (coupling_bar,)


def arguments(n):
    return 0.5, n


WORKLOAD = Workload("lattice, {} rows", lattice, by_hand, arguments, ("coupling",), (200,), 4)
