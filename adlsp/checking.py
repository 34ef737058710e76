"""Checking gradients against the mathematics: central differences and the inner product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Value = Any
"""A number, an array, or a tuple of them."""

STEPS = (1e-3, 1e-4, 1e-5, 1e-6)
"""The step sizes tried, relative to the size of an argument; the best agreement counts."""


def smooth_arguments(args: Sequence[Any]) -> tuple[int, ...]:
    """The positions of the arguments that hold floating-point numbers."""
    return tuple(i for i, x in enumerate(args) if np.asarray(x).dtype.kind == "f")


def check(
    f: Callable[..., Any],
    pullback: Callable[..., Any],
    args: Sequence[Any],
    wrt: Sequence[tuple[str, int]],
    tolerance: float,
) -> None:
    """Compares the adjoints that `pullback` gives with central differences of `f`.

    `wrt` gives the name and the position of each argument that is moved.
    """
    random = np.random.default_rng(0)
    out_bar = _weights(f(*_copied(args)), random)
    bars = pullback(*_copied(args), out_bar=out_bar)
    lines, is_wrong = [], False
    for (name, position), x_bar in zip(wrt, bars, strict=True):
        x = np.asarray(args[position], dtype=float)
        if np.shape(x_bar) != x.shape:
            lines.append(f"  {name}: gradient of shape {np.shape(x_bar)} for shape {x.shape}")
            is_wrong = True
            continue
        direction = random.standard_normal(x.shape)
        expected = float(np.sum(np.asarray(x_bar) * direction))
        size = max(1.0, float(np.max(np.abs(x), initial=0.0)))
        found = [_difference(f, args, position, direction, step * size, out_bar) for step in STEPS]
        best = min(found, key=lambda value: abs(value - expected))
        error = abs(best - expected) / max(1.0, abs(best), abs(expected))
        verdict = "ok" if error <= tolerance else "WRONG"
        is_wrong |= not error <= tolerance
        lines.append(
            f"  {name}: {verdict}, gradient {expected:.12g}, differences {best:.12g}, "
            f"relative error {error:.2g}"
        )
    if is_wrong:
        name = getattr(f, "__name__", repr(f))
        raise AssertionError("\n".join([f"the gradient of `{name}` is wrong", *lines]))


def _difference(
    f: Callable[..., Any],
    args: Sequence[Any],
    position: int,
    direction: Value,
    step: float,
    out_bar: Value,
) -> float:
    """The change of the weighted output along a direction, by the five-point formula."""

    def at(shift: float) -> float:
        moved = _copied(args)
        x = np.asarray(args[position], dtype=float) + shift * direction
        if _is_array(args[position]):
            moved[position] = args[position].astype(float)
            moved[position][...] = x
        else:
            moved[position] = float(x)
        return _weighted(f(*moved), out_bar)

    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)


def _copied(args: Sequence[Any]) -> list[Any]:
    return [x.copy() if _is_array(x) else x for x in args]


def _is_array(x: object) -> bool:
    """Tells whether an argument is an array, or a growing array."""
    return hasattr(x, "astype") and not isinstance(x, np.generic)


def _weights(out: Value, random: np.random.Generator) -> Value:
    if isinstance(out, tuple | list):
        return tuple(_weights(part, random) for part in out)
    shape = np.shape(out)
    return random.standard_normal(shape) if shape else float(random.standard_normal())


def _weighted(out: Value, weights: Value) -> float:
    if isinstance(out, tuple | list):
        return sum(_weighted(part, w) for part, w in zip(out, weights, strict=True))
    return float(np.sum(np.asarray(out) * weights))
