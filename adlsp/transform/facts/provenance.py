"""Why a variable is varied: the definitions by which it depends on an input of interest.

That is the provenance of activity: a shortest path in the chains from uses to definitions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.facts.activity import Activity
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import Generated

Link = tuple[str, ir.Statement | None]
"""A variable, and the statement that made what it holds; none for an input."""

Edge = tuple[Version, bool]
"""A version that another one was made from, and whether by the value of its statement."""


def chain(
    statement: ir.Statement,
    name: str,
    active: Activity,
    versions: Versions,
    start: Version | None = None,
) -> tuple[Link, ...]:
    """The shortest row of definitions from a variable back to an input, which comes last.

    Only definitions whose values depend on that input are in it. It is empty where none is known.
    The variable is taken as the statement reads it, or at the version `start`.
    """
    version = start or versions.reads.get((statement, name))
    if version is None and statement in versions.before:
        version = versions.before[statement].get(name)
    if version is None:
        return ()
    reached: dict[Version, tuple[Version, bool] | None] = {version: None}
    pending = deque([version])
    while pending:
        current = pending.popleft()
        if current.kind is VersionKind.PARAMETER and current.name in active.inputs:
            return tuple(_links(current, reached))
        for source, is_shown in _sources(current, active, versions):
            if source not in reached:
                reached[source] = current, is_shown
                pending.append(source)
    return ()


def _links(end: Version, reached: dict[Version, tuple[Version, bool] | None]) -> list[Link]:
    """The definitions on the way to a version, nearest to where the way began first."""
    links: list[Link] = [(end.name, None)]
    step = reached[end]
    while step is not None:
        version, is_shown = step
        is_named = is_shown and not isinstance(version.name, Generated)
        if is_named and links[-1] != (version.name, version.statement):
            links.append((version.name, version.statement))
        step = reached[version]
    return links[::-1]


def _sources(version: Version, active: Activity, versions: Versions) -> Iterator[Edge]:
    """The versions that a version was made from, those of its value first."""
    statement = version.statement
    if statement is not None and not version.meets:
        for atom in _carrying(statement, version.name, active):
            if isinstance(atom, ir.Name) and (statement, atom.id) in versions.reads:
                yield versions.reads[statement, atom.id], True
        if isinstance(statement, ir.Do) and (statement, version.name) in versions.reads:
            yield versions.reads[statement, version.name], False
    yield from ((prior, False) for prior in version.priors)


def _carrying(statement: ir.Statement, name: str, active: Activity) -> Iterator[ir.Atom]:
    """The atoms by which a statement makes what it writes into a variable depend on others."""
    match statement:
        case ir.Assign(targets=targets, value=ir.Call("python.tuple", args=args)) if (
            statement.is_tuple and len(targets) == len(args)
        ):
            yield from (atom for target, atom in zip(targets, args, strict=True) if target == name)
        case ir.Do(value=ir.Call(function="python.append", args=(_, value))):
            yield value
        case (
            ir.Assign(value=value)
            | ir.Store(value=value)
            | ir.Do(value=value)
            | ir.For(iterable=value)
        ):
            yield from active.flow(value)
