"""Jacobi's relaxation on a line and on a plane: linear stores into slices."""

from __future__ import annotations

from benchmarks.workload import Workload, numbers

STEPS = 50


def line(steps, a, b):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3


def line_by_hand(steps, a, b, out_bar):
    a_bar, b_bar = out_bar[0].copy(), out_bar[1].copy()
    for _ in range(steps):
        part = a_bar[1:-1] / 3
        a_bar[1:-1] = 0
        b_bar[:-2] += part
        b_bar[1:-1] += part
        b_bar[2:] += part
        part = b_bar[1:-1] / 3
        b_bar[1:-1] = 0
        a_bar[:-2] += part
        a_bar[1:-1] += part
        a_bar[2:] += part
    return a_bar, b_bar


def line_pure(np, steps, a, b):
    for _ in range(steps):
        b = np.concatenate((b[:1], (a[:-2] + a[1:-1] + a[2:]) / 3, b[-1:]))
        a = np.concatenate((a[:1], (b[:-2] + b[1:-1] + b[2:]) / 3, a[-1:]))
    return a, b


def line_arguments(n):
    return STEPS, numbers(n), numbers(n, seed=1)


LINE = Workload(
    "Jacobi 1-D, {} points",
    line,
    line_by_hand,
    line_arguments,
    ("a", "b"),
    (400,),
    6,
    outputs=("a", "b"),
    pure=line_pure,
)


def plane(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )


def plane_by_hand(steps, a, b, out_bar):
    a_bar, b_bar = out_bar[0].copy(), out_bar[1].copy()
    for _ in range(steps):
        for made_bar, read_bar in ((a_bar, b_bar), (b_bar, a_bar)):
            part = 0.2 * made_bar[1:-1, 1:-1]
            made_bar[1:-1, 1:-1] = 0
            read_bar[1:-1, 1:-1] += part
            read_bar[1:-1, :-2] += part
            read_bar[1:-1, 2:] += part
            read_bar[2:, 1:-1] += part
            read_bar[:-2, 1:-1] += part
    return a_bar, b_bar


def plane_arguments(n):
    return STEPS, numbers(n, n), numbers(n, n, seed=1)


PLANE = Workload(
    "Jacobi 2-D, {0} x {0}",
    plane,
    plane_by_hand,
    plane_arguments,
    ("a", "b"),
    (100,),
    5,
    outputs=("a", "b"),
)
