"""Why a variable is varied: the chain of definitions from it back to an input of interest."""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.analyses.activity import Activity
from adlsp.transform.analyses.versions import Version, Versions
from adlsp.transform.source import Span


def chain(
    statement: ir.Statement,
    name: str,
    active: Activity,
    versions: Versions,
    start: Version | None = None,
) -> tuple[tuple[str, Span | None], ...]:
    """The definitions that made a variable varied, nearest first; an input has no span.

    The variable is taken as the statement reads it, or at the version `start`.
    """
    version = (
        start
        or versions.reads.get((statement, name))
        or versions.before.get(statement, {}).get(name)
    )
    made: list[tuple[str, Span | None]] = []
    seen: set[int] = set()
    while version is not None and version.number not in seen:
        seen.add(version.number)
        if not version.name.startswith("%") and version.kind in ("parameter", "assign", "store"):
            span = None if version.statement is None else version.statement.origin
            if not made or made[-1] != (version.name, span):
                made.append((version.name, span))
        version = next(_sources(version, active, versions), None)
    return tuple(made)


def _sources(version: Version, active: Activity, versions: Versions) -> Iterator[Version]:
    """The varied versions that a version was made from."""
    statement = version.statement
    if statement is None or version.kind in ("head", "exit", "join"):
        yield from version.priors[::-1] if version.kind == "exit" else version.priors
        return
    varied = active.varied_before.get(statement, frozenset())
    match statement:
        case ir.Assign(value=value) | ir.Store(value=value) | ir.For(iterable=value):
            for atom in active.flow(value):
                name = atom.id if isinstance(atom, ir.Name) else ""
                if name in varied and (statement, name) in versions.reads:
                    yield versions.reads[statement, name]
    yield from version.priors
