"""What the running of statements proves of shapes: those that could not run together else.

These are equality constraints, each with the scope in which it holds. `u[i] = u[i] + k` runs only
if `k` adds no axis to `u[i]`. That is so wherever the store runs, and wherever only code runs that
runs with it: in its block, and in the blocks inside of that. What stands at the top of a function
always runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from adlsp.transform import ir
from adlsp.transform.facts.graphs import reached

Scope = tuple[int, ...]
"""The blocks around a statement, the outermost first, by their identities."""


def scopes(block: ir.Block, outer: Scope = ()) -> Iterator[tuple[ir.Statement, Scope]]:
    """The scope of each statement of a block, of those in it also."""
    for statement in block:
        yield statement, outer
        for inner in ir.blocks(statement):
            yield from scopes(inner, (*outer, id(inner)))


class ShapeEqualities:
    """Shapes that are the same wherever the statements of a scope run."""

    def __init__(self, function: ir.Function) -> None:
        self.scope = dict(scopes(function.body))
        self.pairs: list[tuple[Scope, Hashable, Hashable]] = []

    def learn(self, statement: ir.Statement, one: Hashable, other: Hashable) -> None:
        """Notes that a statement runs only if two shapes are the same."""
        if one != other:
            self.pairs.append((self.scope[statement], one, other))

    def agree(self, statement: ir.Statement | None, one: Hashable, other: Hashable) -> bool:
        """Tells whether two shapes are surely the same where a statement runs.

        Without a statement: wherever the function runs.
        """
        if one == other or not self.pairs:
            return one == other
        here = () if statement is None else self.scope.get(statement, ())
        known = [pair for scope, *pair in self.pairs if here[: len(scope)] == scope]

        def agreeing(shape: Hashable) -> Iterator[Hashable]:
            return (each for pair in known if shape in pair for each in pair)

        return other in reached([one], agreeing)
