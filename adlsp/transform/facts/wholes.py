"""Which values are surely integers: elements of arrays of integers, and what functions give, too.

This is inference of dtypes, for integers also where they are single. Such a value may be stored
into an array of integers, which cuts nothing off. It carries no derivative, though it may come from
a call that is given something that does.
"""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.integers import Integers
from adlsp.transform.facts.versions import Version, VersionKind, Versions


class Wholes:
    """Answers which values of a function are surely integers.

    `entered` are the functions around, which call this one.
    """

    def __init__(
        self,
        numbered: Versions,
        indices: Indices,
        known: Callees,
        entered: frozenset[str] = frozenset(),
    ) -> None:
        self.versions = numbered
        self.indices = indices
        self.integers = Integers(numbered, indices)
        self.known = known
        self.entered = entered

    def is_whole(
        self, statement: ir.Statement, atom: ir.Atom, seen: frozenset[int] = frozenset()
    ) -> bool:
        """Tells whether what a statement reads is surely an integer."""
        if not isinstance(atom, ir.Name) or self.indices.is_integer(statement, atom):
            return self.indices.is_integer(statement, atom)
        version = self.versions.reads.get((statement, atom.id))
        return version is not None and self._is_version(version, seen)

    def _is_version(self, version: Version, seen: frozenset[int]) -> bool:
        if version.number in seen:
            return True
        seen |= {version.number}
        if version.meets or version.kind is VersionKind.CHANGED:
            return bool(version.priors) and all(self._is_version(v, seen) for v in version.priors)
        match version.statement:
            case ir.Assign(is_tuple=False, value=ir.Call() as call) as assign:
                return self._is_given(assign, call, seen)
            case ir.Assign(is_tuple=False, value=ir.Name() | ir.Const() as atom) as assign:
                return self.is_whole(assign, atom, seen)
        return False

    def _is_given(self, statement: ir.Statement, call: ir.Call, seen: frozenset[int]) -> bool:
        """Tells whether a call gives an integer."""
        match call:
            case ir.Call("operator.getitem", (ir.Name(owner), _)):
                return self.integers.is_array(statement, owner)
            case ir.Call(function, args) if operations.keeps_integers(function):
                return all(self.is_whole(statement, atom, seen) for atom in args)
        return self._is_result(call.function)

    def _is_result(self, dotted: str) -> bool:
        """Tells whether a user's function gives an integer, whatever it is given."""
        if dotted in self.entered or self.known.rule(dotted) is not None:
            return False
        function = self.known.function(dotted)
        if function is None:
            return False
        facts = self.known.facts(function)
        entered = self.entered | {function.dotted}
        inner = Wholes(facts.versions, facts.indices, self.known, entered)
        return all(inner.is_whole(last, last.value) for last in _returns(function))


def _returns(function: ir.Function) -> Iterator[ir.Return]:
    yield from (s for s in ir.walk(function.body) if isinstance(s, ir.Return))
