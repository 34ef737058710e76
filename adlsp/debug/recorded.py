"""What a program has told of how large its gradients were, for the client and for a file."""

from __future__ import annotations

import base64
import itertools
import json
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from adlsp import workspace
from adlsp.debug.wire import Message

MOST = 64 << 20
"""So many bytes of rows are kept, the last ones."""

PART = 10_000
"""So many rows go into one answer."""

Row = Sequence[Any]


def read(arguments: Message) -> str:
    """What the program is asked for, by the arguments of `adlsp/record`: JSON, "" for nothing.

    Raises ValueError where they are no such thing.
    """
    every = arguments.get("every", 1)
    if not isinstance(every, int) or isinstance(every, bool) or every < 1:
        raise ValueError(f'"every" must be a number of steps, 1 or more, not {every!r}')
    return json.dumps({"every": every}) if arguments.get("on", True) else ""


def launched(arguments: Message) -> str:
    """The same by the arguments of `launch` or `attach`: of how many steps one is recorded."""
    every = arguments.get("recordGradients") or 0
    if not isinstance(every, int) or every < 0:
        raise ValueError(f'"recordGradients" must be a number of steps, not {every!r}')
    return read({"every": int(every)}) if every else ""


class Recorded:
    """The rows of a session, as they came: each has a number, from 0 on."""

    def __init__(self) -> None:
        self.path = ""
        self._columns: tuple[str, ...] = ()
        self._row = struct.Struct("")
        self._variables: dict[int, Message] = {}
        self._blocks: deque[bytes] = deque()
        self._first = self._next = 0
        self._is_cut = False

    def take(self, text: str, to_client: Callable[[str], str]) -> Iterator[Message]:
        """Takes what the program tells (see `adlsp.library.recording`); gives it for the client.

        Raises ValueError for anything else.
        """
        said = json.loads(text)
        new = [{**each, "path": to_client(each["path"])} for each in said["variables"]]
        self._columns, self._row = tuple(said["columns"]), struct.Struct(said["format"])
        self._variables |= {each["id"]: each for each in new}
        block = base64.b64decode(said["rows"])
        self._is_cut = self._is_cut or said["is_cut"]
        start, self._next = self._next, self._next + len(block) // self._row.size
        self._blocks.append(block)
        while sum(map(len, self._blocks)) > MOST:
            self._first += len(self._blocks.popleft()) // self._row.size
            self._is_cut = True
        while start < self._next:
            body = self.since(start, new)
            yield body
            start = body["next"]

    def since(self, number: int, variables: Sequence[Message] | None = None) -> Message:
        """The rows from a number on, or a part of them, with the variables that they are about.

        ``{"columns", "variables", "rows", "next", "isCut"}``: `next` is the number to go on with,
        and `isCut` says that there were rows that nobody has any more.
        """
        start = min(max(number, self._first), self._next)
        rows = [[*row] for row in itertools.islice(self._from(start), PART)]
        return {
            "columns": [*self._columns],
            "variables": [*self._variables.values()] if variables is None else [*variables],
            "rows": rows,
            "next": start + len(rows),
            "isCut": self._is_cut,
        }

    def write(self, path: str) -> int:
        """Writes all rows as lines of JSON, and says how many. Raises OSError where it cannot."""
        variables = [
            {name: value for name, value in each.items() if name != "id"}
            for _, each in sorted(self._variables.items())
        ]
        rows = self._from(self._first)
        lines = workspace.recorded_lines(variables, self._columns, rows) if self._columns else ()
        workspace.write_lines(path, lines)
        return self._next - self._first

    def _from(self, number: int) -> Iterator[Row]:
        at = self._first
        for block in tuple(self._blocks):
            n_rows = len(block) // self._row.size
            skipped = min(max(number - at, 0), n_rows)
            yield from self._row.iter_unpack(block[skipped * self._row.size :])
            at += n_rows
