"""Which primal line each line of a derivative belongs to, and back.

The program announces each derivative that it compiles as JSON (see `adlsp.runtime.hook.bind`); here
it becomes a `DerivativeMap`. A primal statement may have lines in several derivatives, and in
several functions of one: each place where its lines stand together is a *run*, entered once per
execution of the statement's forward or backward.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from dataclasses import dataclass

from adlsp.transform.ir import Role

FORWARD = frozenset({Role.PRIMAL, Role.TANGENT})
BACKWARD = frozenset({Role.ADJOINT})

SEGMENT = "adlsp-derivatives"
"""The folder name that every derivative file has in its path."""


@dataclass(frozen=True, slots=True)
class MappedLine:
    """One line of a derivative, and the lines of the primal statement that it belongs to."""

    line: int
    role: Role
    path: str
    first: int
    last: int

    @property
    def origin(self) -> tuple[str, int, int]:
        """The primal statement."""
        return (key(self.path), self.first, self.last)


@dataclass(frozen=True, slots=True)
class DerivativeMap:
    """A derivative file and its lines with an origin, in order."""

    path: str
    name: str
    primal: str
    lines: tuple[MappedLine, ...]

    def at(self, line: int) -> MappedLine | None:
        """What a line of the derivative belongs to, if anything."""
        return next((mapped for mapped in self.lines if mapped.line == line), None)

    def covers(self, path: str, line: int) -> bool:
        """Tells whether a line belongs to a primal statement of this derivative."""
        return bool(self._at_primal(path, line))

    def starts(self, path: str, line: int, roles: frozenset[Role]) -> tuple[int, ...]:
        """The first line with one of the roles in each run of the primal statement at a line.

        Statements nest (a loop holds others): the innermost one at the line is meant.
        """
        at_line = self._at_primal(path, line)
        if not at_line:
            return ()
        origin = max(at_line, key=lambda place: (place[1], -place[2]))
        found: list[int] = []
        is_entered = False
        for mapped in self.lines:
            if mapped.origin != origin:
                is_entered = False
            elif mapped.role in roles and not is_entered:
                found.append(mapped.line)
                is_entered = True
        return tuple(found)

    def _at_primal(self, path: str, line: int) -> list[tuple[str, int, int]]:
        file = key(path)
        return [
            mapped.origin
            for mapped in self.lines
            if mapped.first <= line <= mapped.last and key(mapped.path) == file
        ]


def read(payload: str, to_client: Callable[[str], str]) -> DerivativeMap:
    """Reads an announcement; `to_client` turns a path of the program into the client's.

    Raises ValueError for what is not an announcement of the version that we know.
    """
    said = json.loads(payload)
    try:
        if said["version"] != 1:
            raise ValueError(f"an announcement of version {said['version']!r}, known is 1")
        lines = (
            MappedLine(
                line=entry["line"],
                role=Role(entry["role"]),
                path=to_client(entry["path"]),
                first=entry["primal_line"],
                last=max(entry["primal_line"], entry["primal_end_line"]),
            )
            for entry in said["map"]
        )
        ordered = tuple(sorted(lines, key=lambda mapped: mapped.line))
        return DerivativeMap(to_client(said["path"]), said["name"], said["primal"], ordered)
    except (KeyError, TypeError) as error:
        raise ValueError(f"an announcement without {error}") from error


@functools.lru_cache(maxsize=4096)
def key(path: str) -> str:
    """A form of a path in which two names of one file are equal."""
    return os.path.normcase(os.path.realpath(path))


def is_derivative(path: str) -> bool:
    """Tells whether a path lies in a folder of derivatives."""
    return SEGMENT in path.replace("\\", "/").split("/")[:-1]
