"""Which variables are surely bound where they are read, whichever way a block is run.

This is definite assignment (The Java Language Specification, chapter 16). Where ways meet, what is
bound on both is bound; a loop may have no pass, so that it binds nothing. So there is no fixed
point to look for: one walk along the text is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

from adlsp.transform import ir

Wanted = Callable[[ir.Statement], bool]

Note = Callable[[ir.Statement, Set[str]], None]
"""Is told what is bound where a statement reads."""


def unbound_reads(
    block: ir.Block, bound: Iterable[str], wanted: Wanted = lambda _: True
) -> tuple[str, ...]:
    """The variables that a block may read before it binds them, in order of reading.

    They are its upward-exposed uses. `bound` are bound before it; only reads by statements that are
    `wanted` count.
    """
    found: dict[str, None] = {}

    def note(statement: ir.Statement, now: Set[str]) -> None:
        if wanted(statement):
            found.update(dict.fromkeys(name for name in ir.reads(statement) if name not in now))

    bind(block, {*bound}, note)
    return tuple(found)


def surely_bound(block: ir.Block, bound: Iterable[str]) -> set[str]:
    """The variables that are bound at the end of a block."""
    now = {*bound}
    bind(block, now)
    return now


def bind(block: ir.Block, now: set[str], note: Note = lambda *_: None) -> set[str]:
    """Adds what a block surely binds to what is bound before it; gives what was not there."""
    new: set[str] = set()
    for statement in block:
        new |= _bound(statement, now, note)
    return new


def _bound(statement: ir.Statement, now: set[str], note: Note) -> Set[str]:
    """Adds what a statement surely binds; gives what was not there."""
    if isinstance(statement, ir.While):
        header = bind(statement.header, now, note)
        note(statement, now)
        now -= bind(statement.body, now, note)
        return header
    note(statement, now)
    if isinstance(statement, ir.For):
        inside = {statement.target} - now
        now |= inside
        now -= inside | bind(statement.body, now, note)
        return set()
    if isinstance(statement, ir.If):
        body = bind(statement.body, now, note)
        now -= body
        orelse = bind(statement.orelse, now, note)
        now -= orelse
        new = body & orelse
    elif isinstance(statement, ir.Store):
        return set()
    else:
        new = {name for name in ir.writes(statement) if name not in now}
    now |= new
    return new
