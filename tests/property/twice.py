"""Second derivatives, by differentiating a gradient as a program like any other.

The gradient is weighted with a random gradient of the output. Its tangent (forward over reverse) is
held against differences of it, its gradient (reverse over reverse) against the tangent:
⟨bar, x_bar_dot⟩ is Σ ⟨x_bar_bar, x_dot⟩, up to rounding.
"""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import five_points
import numpy as np
import oracle
import structures
from oracle import WrongError

import adlsp


def run_program(
    path: Path,
    text: str,
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    points: tuple[dict[str, Any], ...],
) -> oracle.Verdict:
    """Checks second derivatives of the function `f` of a program; raises WrongError.

    Where there are none, or a first derivative has a kink, nothing is said.
    """
    f = oracle.load(path, text).f
    usable = [point for point in points if oracle.is_usable(f, point, outputs)]
    if not usable:
        return oracle.Verdict((), 0)
    try:
        twice = Twice(f, wrt, outputs)
    except adlsp.DifferentiationError as error:
        return oracle.Verdict(tuple(finding.code for finding in error.findings), 0)
    smooth = [p for p in usable if oracle.differences(f, p, wrt, outputs) is not None]
    try:
        return oracle.Verdict((), sum(map(twice.check, smooth)))
    except oracle.LateError:
        return oracle.Verdict(("late",), 0)


class Twice:
    """The gradient of a function, and its derivatives."""

    def __init__(
        self, f: Callable[..., Any], wrt: tuple[str, ...], outputs: tuple[str, ...]
    ) -> None:
        self.f, self.wrt, self.outputs = f, wrt, outputs
        self.gradient = adlsp.vjp(f, wrt=wrt, outputs=outputs)
        self.push = adlsp.jvp(self.gradient, wrt=wrt)
        self.pull = adlsp.vjp(self.gradient, wrt=wrt)

    def check(self, point: dict[str, Any]) -> bool:
        """Checks second derivatives at a point; raises WrongError. False if there is a kink."""
        out = oracle.call(self.f, point, self.outputs)
        out_bar = oracle.weights(out, np.random.default_rng(3))
        dots = tuple(oracle.directions(point, self.wrt).values())
        expected = self.differences(point, out_bar, dots)
        if expected is None:
            return False
        tangent = self.run(self.push, point, inner_bar=out_bar, dots=dots)
        size = max(1.0, *(float(np.max(np.abs(part), initial=0.0)) for part in expected))
        for mine, theirs in zip(structures.parts(tangent), expected, strict=True):
            if not np.allclose(mine, theirs, rtol=0.0, atol=1e-6 * size):
                message = f"{mine!r}, differences give {theirs!r} at {point}"
                raise WrongError("second tangent", message + self.text(self.push))
        bars = oracle.weights(tangent, np.random.default_rng(7))
        pulled = self.run(self.pull, point, inner_bar=out_bar, out_bar=bars)
        one, other = structures.inner(pulled, dots), structures.inner(tangent, bars)
        if not abs(one - other) <= 1e-9 * max(size, abs(other)):
            message = f"{one!r}, the tangent gives {other!r} at {point}"
            raise WrongError("second gradient", message + self.text(self.pull))
        return True

    def differences(
        self, point: dict[str, Any], out_bar: Any, dots: tuple[Any, ...]
    ) -> list[Any] | None:
        """The change of each part of the gradient along a direction; None where they fail."""

        def at(shift: float) -> list[Any]:
            moved = {
                name: structures.moved(point[name], direction, shift)
                for name, direction in zip(self.wrt, dots, strict=True)
            }
            with oracle.refusing_late():
                bars = self.gradient(**copy.deepcopy({**point, **moved}), out_bar=out_bar)
            return [np.asarray(part) for part in structures.parts(bars)]

        return five_points.slopes(at)

    def run(self, derivative: Any, point: dict[str, Any], **seeds: Any) -> Any:
        """Runs a second derivative, which leaves its arguments as they are."""
        given, before = copy.deepcopy({**point, **seeds}), {**point, **seeds}
        try:
            with oracle.refusing_late():
                made = derivative(**given)
        except oracle.LateError:
            raise
        except Exception as error:
            message = f"running raises {error!r} at {point}"
            raise WrongError("second crash", message + self.text(derivative)) from error
        for key, value in given.items():
            if not structures.is_same(value, before[key]):
                raise WrongError("second mutation", f"{key} was changed" + self.text(derivative))
        return made

    def text(self, derivative: Any) -> str:
        """The text of a derivative, to be shown below what is wrong with it."""
        return f"\n{derivative.derivative.source}"
