"""A sequence that grows element by element and is edited in place, as in models of lattices."""

from __future__ import annotations

import numpy as np

from benchmarks.workload import Workload


def grow(coupling, n):
    states = np.zeros(n + 2)
    states[0] = 1.0
    states[1] = coupling
    for i in range(2, n + 2):
        states[i] = states[i - 1] * coupling + states[i - 2] * 0.5
        states[i // 2] = states[i // 2] * 0.5
    return np.sum(states)


def by_hand(coupling, n):
    states = np.zeros(n + 2)
    states[0] = 1.0
    states[1] = coupling
    before = []
    for i in range(2, n + 2):
        before.append(states[i - 1])
        states[i] = states[i - 1] * coupling + states[i - 2] * 0.5
        states[i // 2] *= 0.5
    states_bar = np.ones(n + 2)
    coupling_bar = 0.0
    for i in reversed(range(2, n + 2)):
        states_bar[i // 2] *= 0.5
        state_bar = states_bar[i]
        coupling_bar += state_bar * before.pop()
        states_bar[i - 1] += state_bar * coupling
        states_bar[i - 2] += state_bar * 0.5
    return (coupling_bar + states_bar[1],)


def arguments(n):
    return 0.5, n


WORKLOAD = Workload(
    "growing array, {} elements", grow, by_hand, arguments, ("coupling",), (1000,), 6
)
