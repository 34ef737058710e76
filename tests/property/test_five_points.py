"""Slopes by differences: right, or not given."""

import math
from collections.abc import Callable

import five_points
import pytest

FUNCTIONS: dict[str, tuple[Callable[[float], float], float | None]] = {
    "a smooth one": (lambda t: math.sin(1.0 + t), math.cos(1.0)),
    "one that bends too much for the first step size": (lambda t: math.sin(900 * t), 900.0),
    "one that shakes": (lambda t: t + 1e-7 * math.sin(1.2e9 * t + 0.4), None),
    "a kink in the middle": (abs, None),
    "a kink within reach of the first step size": (lambda t: abs(t - 1e-4), -1.0),
    "a kink at its rim": (lambda t: abs(t - 7.9e-4), -1.0),
    "a kink too near for any": (lambda t: abs(t - 1e-6), None),
    "a way without a number nearby": (lambda t: t if t < 1e-4 else float("nan"), 1.0),
    "one that is too steep": (lambda t: 1e5 * t, None),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_slope_is_right_or_not_given(name: str) -> None:
    function, expected = FUNCTIONS[name]
    found = five_points.slopes(lambda shift: [function(shift)])
    if expected is None:
        assert found is None
    else:
        assert found == [pytest.approx(expected, rel=1e-7)]
