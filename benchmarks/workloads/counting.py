"""A `while` that runs until its own number is large enough: the number of passes is not known."""

from __future__ import annotations

from benchmarks.workload import Workload


def counting(x, rate):
    while x < 10000:
        x = x * rate
    return x


def by_hand(x, rate):
    saved = []
    while x < 10000:
        saved.append(x)
        x = x * rate
    x_bar, rate_bar = 1.0, 0.0
    for x in reversed(saved):
        rate_bar += x_bar * x
        x_bar = x_bar * rate
    return x_bar, rate_bar


def pure(_, x, rate):
    while x < 10000:
        x = x * rate
    return x


def arguments(n):
    return 1.0, 10000.0 ** (1 / (n - 0.5))


WORKLOAD = Workload(
    "counting while, {} passes",
    counting,
    by_hand,
    arguments,
    ("x", "rate"),
    (1000,),
    5,
    pure=pure,
    is_traced=False,
)
