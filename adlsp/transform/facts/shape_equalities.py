"""What the running of statements proves of shapes: those that could not run together else.

These are equality constraints, each with the scope in which it holds. `u[i] = u[i] + k` runs only
if `k` adds no axis to `u[i]`. That is so wherever the store runs, and wherever only code runs that
runs with it: in its block, and in the blocks inside of that. What stands at the top of a function
always runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from adlsp.transform import ir

Scope = tuple[int, ...]
"""The blocks around a statement, the outermost first, by their identities."""


def scopes(block: ir.Block, outer: Scope = ()) -> Iterator[tuple[ir.Statement, Scope]]:
    """The scope of each statement of a block, of those in it also."""
    for statement in block:
        yield statement, outer
        for inner in ir.blocks(statement):
            yield from scopes(inner, (*outer, id(inner)))


class _Classes:
    """Which shapes are the same in one scope: classes of those of the scope around it.

    They are found by union and find (Tarjan, Efficiency of a good but not linear set union
    algorithm, JACM 22, 1975), and again where more has become known around.
    """

    def __init__(self, outer: _Classes | None) -> None:
        self.outer = outer
        self.pairs: list[tuple[Hashable, Hashable]] = []
        self.links: dict[Hashable, Hashable] = {}
        self.known = 0
        self.linked = 0

    def learn(self, one: Hashable, other: Hashable) -> None:
        """Two shapes are the same."""
        self.pairs.append((one, other))

    def version(self) -> int:
        """How many pairs are known here, which only become more."""
        return len(self.pairs) + (0 if self.outer is None else self.outer.version())

    def representative(self, shape: Hashable) -> Hashable:
        """The shape that stands for all that are the same."""
        if self.known != self.version():
            outer = self.version() - len(self.pairs)
            if outer != self.known - self.linked:
                self.links, self.linked = {}, 0
            while self.linked < len(self.pairs):
                one, other = map(self._find, self.pairs[self.linked])
                self.linked += 1
                if one != other:
                    self.links[one] = other
            self.known = outer + self.linked
        return self._find(shape)

    def _find(self, shape: Hashable) -> Hashable:
        if self.outer is not None:
            shape = self.outer.representative(shape)
        passed = []
        while shape in self.links:
            passed.append(shape)
            shape = self.links[shape]
        self.links |= dict.fromkeys(passed, shape)
        return shape


class ShapeEqualities:
    """Shapes that are the same wherever the statements of a scope run."""

    def __init__(self, function: ir.Function) -> None:
        self.scope = dict(scopes(function.body))
        self.classes: dict[Scope, _Classes] = {}

    def learn(self, statement: ir.Statement, one: Hashable, other: Hashable) -> None:
        """Notes that a statement runs only if two shapes are the same."""
        if one != other:
            self._within(self.scope[statement]).learn(one, other)

    def agree(self, statement: ir.Statement | None, one: Hashable, other: Hashable) -> bool:
        """Tells whether two shapes are surely the same where a statement runs.

        Without a statement: wherever the function runs.
        """
        if one == other or not self.classes:
            return one == other
        classes = self._within(() if statement is None else self.scope.get(statement, ()))
        return classes.representative(one) == classes.representative(other)

    def _within(self, scope: Scope) -> _Classes:
        if scope not in self.classes:
            outer = self._within(scope[:-1]) if scope else None
            self.classes[scope] = _Classes(outer)
        return self.classes[scope]
