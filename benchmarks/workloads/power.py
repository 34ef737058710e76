"""A product in a loop over numbers: all that is measured is what each pass costs."""

from __future__ import annotations

from benchmarks.workload import Workload


def power(x, n):
    p = 1.0
    for _ in range(n):
        p = p * x
    return p


def by_hand(x, n):
    p = 1.0
    saved = []
    for _ in range(n):
        saved.append(p)
        p = p * x
    p_bar, x_bar = 1.0, 0.0
    for _ in range(n):
        x_bar += p_bar * saved.pop()
        p_bar = p_bar * x
    return (x_bar,)


def pure(_, x, n):
    p = 1.0
    for _ in range(n):
        p = p * x
    return p


def arguments(n):
    return 1.0001, n


WORKLOAD = Workload(
    "power loop, {} passes", power, by_hand, arguments, ("x",), (1000,), 5, pure=pure
)
