"""Steps by statements of the primal: one in a derivative goes on until another statement is met."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adlsp.debug import maps, stack
from adlsp.debug.wire import Message

MOST = 50
"""After so many lines of a derivative a step ends wherever it is."""


@dataclass(slots=True)
class Step:
    """A step that a client has asked for, by lines, or by statements from where it began."""

    command: str
    statement: tuple[object, ...] | None = None
    depth: int | None = None
    n_lines: int = 0

    def goes_on(
        self, frames: list[Message], derivatives: Mapping[str, maps.DerivativeMap]
    ) -> str | None:
        """The command that goes on from where a step has led; None where it ends."""
        if frames and frames[0]["name"] == "<module>":
            return "stepOut" if maps.is_derivative(stack.path_of(frames[0])) else None
        place = _place(frames, derivatives)
        if self.depth is None or place is None or self.n_lines >= MOST:
            return None
        derivative, top = place
        self.n_lines += 1
        mapped = derivative.at(top["line"])
        is_here = len(frames) == self.depth and _statement(derivative, top) == self.statement
        if mapped is None or mapped.is_bookkeeping:
            return "next"
        return self.command if is_here else None


def begin(
    command: str, frames: list[Message], derivatives: Mapping[str, maps.DerivativeMap]
) -> Step:
    """A step by statements from where a thread has stopped."""
    place = _place(frames, derivatives)
    return Step(command, None if place is None else _statement(*place), len(frames))


def _place(
    frames: list[Message], derivatives: Mapping[str, maps.DerivativeMap]
) -> tuple[maps.DerivativeMap, Message] | None:
    """The derivative that a thread is in, and its frame there."""
    path = stack.path_of(frames[0]) if frames else ""
    derivative = derivatives.get(maps.key(path)) if path else None
    return None if derivative is None else (derivative, frames[0])


def _statement(derivative: maps.DerivativeMap, frame: Message) -> tuple[object, ...] | None:
    """What a step is about: a statement of the primal in one of the sweeps."""
    mapped = derivative.at(frame["line"])
    return None if mapped is None else (*mapped.origin, mapped.role.sweep)
