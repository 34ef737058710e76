"""Arguments in another guise: arrays with gaps, not to be written into, or of single precision.

What a derivative gives must not depend on how the memory of an array lies, and the gradients of
arrays have their dtypes.
"""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import structures


def spread(argument: Any) -> Any:
    """The same numbers, with gaps between them in memory, and not to be written into."""

    def part(value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.ndim == 0:
            return value
        wide = np.repeat(value, 2, axis=-1)[..., ::2]
        wide.flags.writeable = False
        return wide

    return structures.mapped(part, argument)


def single(argument: Any) -> Any:
    """The numbers of arrays in single precision."""

    def part(value: Any) -> Any:
        is_double = isinstance(value, np.ndarray) and value.dtype == np.float64
        return value.astype(np.float32) if is_double else value

    return structures.mapped(part, argument)


def complaint(
    derivative: Callable[..., Any],
    primal: Callable[[dict[str, Any]], Any],
    point: dict[str, Any],
    wrt: tuple[str, ...],
    out_bar: Any,
) -> str:
    """What is wrong with a gradient where arguments come in another guise, or nothing."""
    _, bars = derivative(**copy.deepcopy(point), out_bar=out_bar)
    _, others = derivative(**spread(point), out_bar=out_bar)
    if not is_close(bars, others, 1e-9):
        return f"arrays with gaps: {others!r} is not {bars!r}"
    small = {name: single(argument) for name, argument in point.items()}
    try:
        value, others = derivative(**single(point), out_bar=out_bar)
        expected = primal(small)
    except (ArithmeticError, ValueError, IndexError):
        return ""
    if not structures.is_same(value, expected):
        return f"single precision: {value!r} is not {expected!r}"
    if not is_close(expected, primal(point), 1e-4):
        return ""
    for name, bar in zip(wrt, others, strict=True):
        pairs = zip(structures.parts(bar), structures.parts(small[name]), strict=True)
        if any(isinstance(b, np.ndarray) and not structures.is_like(a, b) for a, b in pairs):
            return f"single precision: {name} has gradient {bar!r} for {small[name]!r}"
    return "" if is_close(bars, others, 2e-2) else f"single precision: {others!r} for {bars!r}"


def is_close(one: Any, other: Any, tolerance: float) -> bool:
    """Tells whether two structures hold nearly the same numbers."""
    left, right = structures.parts(one), structures.parts(other)
    size = max(1.0, *(float(np.max(np.abs(part), initial=0.0)) for part in left))
    return len(left) == len(right) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance * size)
        for a, b in zip(left, right, strict=True)
    )
