"""The scope of gradients: a row for each variable with an adjoint, before the local variables."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adlsp.debug.wire import Message

FIRST_ID = 1 << 30
"""Ids of ours start here; debugpy's are small numbers."""

NAME = "Gradients"

MADE = re.compile(r"(?<!\.)\b([^\W\d]\w*)_(?:bar|dot)(_\d+)?\b")
"""How the adjoint or tangent of a variable is called in a derivative."""

COMMENT = re.compile(r"(^|  )\s*#.*")

SEED = "out"
"""What the first adjoint belongs to, which no variable of the user's need be."""


class Pair(NamedTuple):
    """A variable with its adjoint or tangent; "" where that stands for itself.

    `value` says of which time the value is, `missing` why what is called the adjoint is none,
    `held` what holds the value, if that is not the variable itself.
    """

    name: str
    made: str
    value: str = "value"
    missing: str = ""
    held: str = ""


Pairs = tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """What is kept for the backward sweep: a name, the list of all passes if it is one, and parts.

    Each part is a name and the expression for what it is.
    """

    name: str
    passes: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is listed of a frame of a derivative, which stands at a line of a file.

    `entry` is the frame of the function that was called for the derivative.
    """

    path: str
    line: int
    pairs: Pairs = ()
    tapes: tuple[Tape, ...] = ()
    is_backward: bool = False
    entry: int = 0


NOTHING = Shown("", 0)


def pairs(lines: Sequence[str]) -> Pairs:
    """The variables whose adjoints occur in the lines of a function, in order, the seed last.

    One that has a number is a contribution to another: it stands for itself.
    """
    text = "\n".join(COMMENT.sub("", line) for line in lines)
    found = {match[0]: "" if match[2] else match[1] for match in MADE.finditer(text)}
    return tuple(sorted((Pair(name, made) for made, name in found.items()), key=_is_seed))


def _is_seed(pair: Pair) -> bool:
    return pair.name == SEED


@dataclass(frozen=True, slots=True)
class Row:
    """One variable, as the program tells of it, in a frame."""

    frame: int
    name: str
    adjoint: str
    is_computed: bool
    is_zero: bool
    summary: str
    parts: tuple[tuple[str, str], ...]

    @property
    def evaluated(self) -> str:
        """What to evaluate for the gradient, or for the value while there is none."""
        return self.adjoint if self.is_computed else self.name


def called(row: Row) -> str:
    """What a row is called where no other is called the same."""
    return row.name or row.adjoint


def read(frame: int, result: str) -> list[Row]:
    """Reads what `instrument.rows` gave.

    Raises ValueError for anything else.
    """
    said = json.loads(bytes.fromhex(result.strip("'")))
    return [
        Row(
            frame,
            row["name"],
            row["adjoint"],
            row["is_computed"],
            row["is_zero"],
            row["summary"],
            tuple((name, what) for name, what in row["parts"]),
        )
        for row in said
    ]


DIFFERS = re.compile(r"([^\W\d]\w*): (DIFFERS.*)")
"""What a comparison says of a variable whose gradient is wrong."""

RED = "\x1b[31mDIFFERS\x1b[39m"


@dataclass(slots=True)
class Scopes:
    """What the references of ours stand for, until the program goes on.

    `is_styled` says that the client shows colors in values, and `is_asked_again` that it asks for
    variables again when it is told that these are no longer what they were.
    """

    is_styled: bool = False
    is_asked_again: bool = False

    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(FIRST_ID))
    _frames: dict[int, tuple[int, Shown]] = field(default_factory=dict)
    _rows: dict[int, Row] = field(default_factory=dict)
    _comparisons: dict[int, int] = field(default_factory=dict)
    _compared: dict[int, str] = field(default_factory=dict)
    _wrong: dict[tuple[int, str], str] = field(default_factory=dict)

    def forget(self) -> None:
        """Drops all references, and what was found by comparing."""
        self._wrong.clear()
        self._compared.clear()
        self._comparisons.clear()
        self._frames.clear()
        self._rows.clear()

    def scope(self, frame: int, of: Shown) -> Message:
        """The scope of a frame."""
        reference = next(self._ids)
        self._frames[reference] = (frame, of)
        return {"name": NAME, "variablesReference": reference, "expensive": False}

    def frame(self, reference: int) -> tuple[int, Shown] | None:
        """What a reference to a scope stands for."""
        return self._frames.get(reference)

    def row(self, reference: int) -> Row | None:
        """What a reference to a row stands for."""
        return self._rows.get(reference)

    def compared(self, reference: int) -> int | None:
        """The frame where a reference stands for a comparison of gradients."""
        return self._comparisons.get(reference)

    def note(self, frame: int, entry: int, lines: Sequence[str]) -> None:
        """Takes what a comparison says that was asked for in a frame, of variables in another."""
        for key in [key for key in self._wrong if key[0] == entry]:
            del self._wrong[key]
        for found in filter(None, map(DIFFERS.match, lines)):
            self._wrong[entry, found[1]] = found[2]
        self._compared[frame] = "; ".join(self.styled(line) for line in lines)

    def wrong(self, row: Row) -> str:
        """How a gradient differs from differences; "" where nobody has found that it does."""
        return self.styled(self._wrong.get((row.frame, row.name), ""))

    def all_wrong(self, frame: int) -> frozenset[str]:
        """The variables of a frame whose gradients a comparison has found wrong."""
        return frozenset(name for of, name in self._wrong if of == frame)

    def styled(self, text: str) -> str:
        """A text in which it is red that a gradient is wrong, where the client shows colors."""
        return text.replace("DIFFERS", RED, 1) if self.is_styled else text

    def comparison(self, frame: int) -> Message:
        """A variable that has gradients compared, where a frame stands, when somebody asks for it.

        Where they have been, it says what was found.
        """
        if frame in self._compared:
            return part("right?", self._compared[frame])
        reference = next(self._ids)
        self._comparisons[reference] = frame
        return {
            "name": "right?",
            "value": "compare with finite differences",
            "variablesReference": reference,
            "presentationHint": {"lazy": True},
        }

    def variable(self, row: Row, *, is_alone: bool = True) -> Message:
        """A row as a variable, which unfolds to its parts; one found wrong begins by saying so.

        Where another one is called the same, as a tangent and an adjoint are, it says which it is.
        """
        reference = next(self._ids)
        self._rows[reference] = row
        mark = self.styled("DIFFERS") + ", " if self.wrong(row) else ""
        shown = {
            "name": called(row) if is_alone else f"{row.name} ({row.adjoint})",
            "value": mark + row.summary,
            "evaluateName": row.evaluated,
            "variablesReference": reference,
        }
        return shown if row.is_computed else {**shown, "presentationHint": {"kind": "virtual"}}


def part(name: str, what: str) -> Message:
    """A part of a row as a variable."""
    return {"name": name, "value": what, "variablesReference": 0}


def beside(rows: Sequence[tuple[int, Row]], wrong: Collection[str] = ()) -> list[Message]:
    """What to show beside lines, as `{"line", "text"}`, in order, from rows with a line each.

    `wrong` are variables whose gradients a comparison has found wrong: where these are shown, the
    line says so, and `is_wrong` is true of it.
    """
    told: dict[int, list[Row]] = {}
    for line, row in rows:
        told.setdefault(line, []).append(row)
    return [
        {
            "line": line,
            "text": "; ".join(_told(row, is_wrong=_is_wrong(row, wrong)) for row in each),
            "is_wrong": any(_is_wrong(row, wrong) for row in each),
        }
        for line, each in sorted(told.items())
    ]


def _is_wrong(row: Row, wrong: Collection[str]) -> bool:
    return row.is_computed and row.name in wrong


def _told(row: Row, *, is_wrong: bool) -> str:
    return f"{row.name}: {'DIFFERS, ' if is_wrong else ''}{row.summary}"
