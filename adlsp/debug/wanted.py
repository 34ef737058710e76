"""Breakpoints as values: what the client wants, what debugpy is asked for, what it answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.debug.maps import DerivativeMap
from adlsp.debug.wire import Message
from adlsp.transform.frontend.layout import Layout

MODES = ("forward", "backward", "both")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A breakpoint of the client. `arguments` is what it sent, but for the mode.

    `line` is the one that was named, `statement` that of the statement that is meant.
    """

    id: int
    line: int
    mode: str
    is_mode_chosen: bool
    arguments: Message
    statement: int


@dataclass(frozen=True, slots=True)
class Document:
    """A file in which the client wants breakpoints; `path` is None where we know no file for it.

    `derivative` is what is known of a file that is a derivative, whether or not it runs. `parts`
    are the lines where functions begin that derivatives reach, by the texts of the project.
    """

    source: Message
    path: str | None
    layout: Layout
    wanted: tuple[Wanted, ...]
    derivative: DerivativeMap | None = None
    parts: frozenset[int] = frozenset()

    def is_part(self, line: int) -> bool:
        """Tells whether a line is in a function that derivatives reach, by the texts."""
        block = self.layout.around(line)
        return block is not None and block.first in self.parts


@dataclass(frozen=True, slots=True)
class Placed:
    """A breakpoint for debugpy, and the ids of the client's breakpoints that it stands for.

    It stops where its condition holds, or one of `others`.
    """

    line: int
    arguments: Message
    owners: tuple[int, ...] = ()
    is_backward: bool = False
    others: tuple[str, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        """All its conditions."""
        own = self.arguments.get("condition")
        return (own, *self.others) if isinstance(own, str) else ()


@dataclass(frozen=True, slots=True)
class Bound:
    """What debugpy answered for a breakpoint; `is_own`: it is in the file that the client named."""

    path: str
    placed: Placed
    answer: Message
    is_own: bool

    @property
    def is_verified(self) -> bool:
        """Whether debugpy will stop there."""
        return bool(self.answer.get("verified"))


def is_for_option(arguments: Message) -> bool:
    """Tells whether the launch option decides where one of the breakpoints of a request stops."""
    entries = arguments.get("breakpoints")
    return any(entry.get("mode") not in MODES for entry in entries or ()) or bool(
        entries is None and arguments.get("lines")
    )


def read_entries(arguments: Message, default_mode: str) -> Iterator[tuple[int, str, bool, Message]]:
    """Reads line, mode, whether the mode was chosen, and the rest, of each breakpoint of a request.

    Without a mode, a logpoint or hit count never means both sweeps: it would count double.
    """
    entries = arguments.get("breakpoints")
    if entries is None:
        entries = [{"line": line} for line in arguments.get("lines") or ()]
    for entry in entries:
        rest = {name: value for name, value in entry.items() if name != "mode" and value != ""}
        mode = entry.get("mode")
        is_chosen = mode in MODES
        if not is_chosen:
            counts = "logMessage" in rest or "hitCondition" in rest
            mode = "forward" if counts and default_mode == "both" else default_mode
        yield int(entry["line"]), mode, is_chosen, rest
