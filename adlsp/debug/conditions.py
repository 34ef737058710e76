"""Conditions of breakpoints that raise: heard from the program, and told to the client once.

A condition of a breakpoint for both sweeps may name what only one of them has, so that a name is
missing counts only where no side has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adlsp.debug import maps
from adlsp.debug.wanted import Bound, Wanted


@dataclass(frozen=True, slots=True)
class Said:
    """How a condition was evaluated at a line for the first time: with an error, or "" without."""

    path: str
    line: int
    condition: str
    error: str


class Conditions:
    """What the program has said of the conditions of a session."""

    def __init__(self) -> None:
        self._errors: dict[tuple[str, int, str], str] = {}
        self._told: set[tuple[str, int, str]] = set()

    def note(self, said: Said) -> None:
        """Takes what the program says; an error counts more than that there was none."""
        at = (maps.key(said.path), said.line, said.condition)
        self._errors[at] = said.error or self._errors.get(at, "")

    def failed(self) -> frozenset[str]:
        """The conditions that gave an error somewhere."""
        return frozenset(condition for (_, _, condition), error in self._errors.items() if error)

    def trouble(self, wanted: Wanted, all_bound: Sequence[Bound], *, is_over: bool) -> str | None:
        """The error of a breakpoint's condition, if its client must know it and does not."""
        condition = wanted.arguments.get("condition")
        places = {
            (maps.key(bound.path), bound.placed.line, condition): bound.placed.is_backward
            for bound in all_bound
            if condition in bound.placed.conditions
        }
        said = {at: self._errors[at] for at in places if at in self._errors}
        errors = {at: error for at, error in said.items() if error}
        if not errors or not self._told.isdisjoint(errors):
            return None
        real = [error for error in errors.values() if not error.startswith("NameError")]
        is_everywhere = len({places[at] for at in errors}) == 2 or any(
            bound.is_own and maps.is_derivative(bound.path) for bound in all_bound
        )
        is_certain = wanted.mode != "both" or is_everywhere or is_over
        if not real and ("" in said.values() or not is_certain):
            return None
        self._told.update(errors)
        return [*real, *errors.values()][0]
