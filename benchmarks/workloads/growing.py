"""A sequence that grows element by element and is edited, as in models of lattices.

Once it is an array that was made large enough; once it grows by `rt.append`.
"""

from __future__ import annotations

import numpy as np

from adlsp import runtime as rt
from benchmarks.workload import Workload


def fill(coupling, n):
    states = np.zeros(n + 2)
    states[0] = 1.0
    states[1] = coupling
    for i in range(2, n + 2):
        states[i] = states[i - 1] * coupling + states[i - 2] * 0.5
        states[i // 2] = states[i // 2] * 0.5
    return np.sum(states)


def grow(coupling, n):
    states = rt.append(rt.growing(np.ones(1)), coupling)
    for i in range(2, n + 2):
        states = rt.append(states, states[-1] * coupling + states[-2] * 0.5)
        states = rt.setitem(states, i // 2, states[i // 2] * 0.5)
    return np.sum(np.asarray(states))


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


FILLED = Workload("filled array, {} elements", fill, by_hand, arguments, ("coupling",), (1000,), 6)

GROWN = Workload("growing array, {} elements", grow, by_hand, arguments, ("coupling",), (1000,), 6)
