"""Why a variable is varied: the definitions by which it depends on an input of interest.

That is the provenance of activity: a shortest path in the chains from uses to definitions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts.activity import Activity
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import Generated, Own

Link = tuple[str, ir.Statement | None]
"""A variable, and the statement that made what it holds; none for an input."""

Edge = tuple[Version, bool]
"""A version that another one was made from, and whether by the value of its statement."""


class Provenance:
    """The ways from the versions of a function's variables back to its inputs of interest."""

    def __init__(self, active: Activity, versions: Versions) -> None:
        self.active = active
        self.versions = versions

    def chain(
        self, statement: ir.Statement, name: str, start: Version | None = None
    ) -> Iterator[Link]:
        """The shortest row of definitions from a variable back to an input, which comes last.

        Only definitions whose values depend on that input are in it. It is empty where none is
        known. The variable is taken as the statement reads it, or at the version `start`.
        """
        version = start or self.versions.reads.get((statement, name))
        if version is None and statement in self.versions.before:
            version = self.versions.before[statement].get(name)
        if version is None or version not in self._distances:
            return
        last: Link | None = None
        while version in self._towards:
            link: Link = version.name, version.statement
            version, is_shown = self._towards[version]
            has_name = isinstance(link[0], Own) or not isinstance(link[0], Generated)
            if is_shown and has_name and link != last:
                yield link
                last = link
        yield version.name, None

    @cached_property
    def _towards(self) -> dict[Version, Edge]:
        """For each version that depends on an input: where the shortest way to one goes on."""
        far = self._distances
        return {
            version: next(edge for edge in edges if far.get(edge[0]) == far[version] - 1)
            for version, edges in self._edges.items()
            if far.get(version)
        }

    @cached_property
    def _distances(self) -> dict[Version, int]:
        """How many definitions there are between a version and the next input."""
        following: dict[Version, list[Version]] = {}
        for version, edges in self._edges.items():
            for source, _ in edges:
                following.setdefault(source, []).append(version)
        found = {
            version: 0
            for version in self.versions.every
            if version.kind is VersionKind.PARAMETER and version.name in self.active.inputs
        }
        pending = deque(found)
        while pending:
            current = pending.popleft()
            for version in following.get(current, ()):
                if version not in found:
                    found[version] = found[current] + 1
                    pending.append(version)
        return found

    @cached_property
    def _edges(self) -> dict[Version, list[Edge]]:
        return {v: [*_sources(v, self.active, self.versions)] for v in self.versions.every}


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
