"""Slopes by differences, and whether they can be trusted.

Of two step sizes, one the double of the other, both differences of five points must say the same:
then neither the formula's own error, which doubling makes sixteen times as large, nor rounding,
which it halves, nor a kink nearby has a part in it. A slope that the first step size does not
decide, as the function bends too much for it or has another kink within reach, a smaller one may. A
kink right at the middle is in none of these differences, so the slopes to both sides are compared.
"""

from collections.abc import Callable, Sequence

import numpy as np

from adlsp.runtime.shapes import Value

STEPS = (2e-4, 2e-5, 2e-6)
"""The step sizes, each tried where the one before does not decide."""

AGREEING = 4e-7
"""How far the differences of two step sizes may be apart, relatively: less than is asked for."""

ONE_SIDED = 1e-3
"""How far the slopes to both sides may be apart, relatively: their formula is less exact."""

LARGEST = 1e4
"""Slopes above this are left out: differences lose their digits there."""


def slopes(at: Callable[[float], Sequence[Value]]) -> list[Value] | None:
    """The slopes at 0 of what `at` gives, several numbers or arrays; None where none is sure."""
    middle = at(0.0)
    for step in STEPS:
        near = [at(k * step) for k in (-4, -2, -1, 1, 2, 4)]
        found = [_slope(step, *values) for values in zip(middle, *near, strict=True)]
        sure = [slope for slope in found if slope is not None]
        if len(sure) == len(found):
            is_small = all(np.max(np.abs(slope), initial=0.0) < LARGEST for slope in sure)
            return sure if is_small else None
    return None


def _slope(
    step: float, m: Value, a_4: Value, a_2: Value, a: Value, b: Value, b_2: Value, b_4: Value
) -> Value | None:
    """The slope in the middle `m` of values before (`a`) and after (`b`) it; None if unsure."""
    slope = (8 * (b - a) - (b_2 - a_2)) / (12 * step)
    of_double = (8 * (b_2 - a_2) - (b_4 - a_4)) / (24 * step)
    after = (-3 * m + 4 * b - b_2) / (2 * step)
    before = (3 * m - 4 * a + a_2) / (2 * step)
    size = max(1.0, float(np.max(np.abs(slope), initial=0.0)))
    is_sure = _distance(slope, of_double) <= AGREEING * size
    return slope if is_sure and _distance(after, before) <= ONE_SIDED * size else None


def _distance(one: Value, other: Value) -> float:
    """The largest distance between two arrays, place by place; no number where one has none."""
    return float(np.max(np.abs(np.subtract(one, other)), initial=0.0))
