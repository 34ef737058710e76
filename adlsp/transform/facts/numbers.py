"""Values that are single numbers, since the program would not run with more of them.

It is inferred from uses: `math.sqrt(x)` runs for a number, or for an array of one element; so does
`while x < 10`. Of such values sums over broadcasting do nothing but to change the number of axes:
nobody needs them before somebody looks at the shape.

What a statement proves holds wherever it surely runs: in its block, and in the blocks inside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.shape_equalities import Scope
from adlsp.transform.facts.shapes import SCALAR, Shapes, alternatives


class Numbers:
    """Tells which shapes of a function are those of single numbers.

    `arguments` tells of a call of a user's function which of its arguments are (`summaries.py`).
    """

    def __init__(
        self,
        function: ir.Function,
        shapes: Shapes,
        arguments: Callable[[ir.Call], Iterable[ir.Atom]] = lambda _: (),
    ) -> None:
        self.shapes = shapes
        self.arguments = arguments
        self.scope = shapes.agreements.scope
        self.known: set[tuple[Scope, Hashable]] = set()
        for statement in ir.walk(function.body):
            self._learn(statement)

    def is_number(self, statement: ir.Statement, token: Hashable) -> bool:
        """Tells whether a shape is surely that of a number, where a statement runs."""
        if token == SCALAR:
            return True
        if not self.known:
            return False
        here = self.scope.get(statement, ())
        return self._is_known(token, [here[:depth] for depth in range(len(here) + 1)])

    def _is_known(self, token: Hashable, scopes: list[Scope]) -> bool:
        if token == SCALAR or any((scope, token) in self.known for scope in scopes):
            return True
        match token:
            case ("broadcast", frozenset() as parts) | ("either", frozenset() as parts, int()):
                return all(self._is_known(part, scopes) for part in parts)
            case ("kept", whole, _):
                return self._is_known(whole, scopes)
        return False

    def _learn(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                if operations.takes_numbers(call.function):
                    given: Iterable[ir.Atom] = call.args
                else:
                    given = self.arguments(call)
                for atom in given:
                    self._note(self.scope[statement], self.shapes.of(statement, atom))
            case ir.If(test=test) | ir.Assert(test=test):
                for token in self._compared(self.shapes.indices.source(statement, test)):
                    self._note(self.scope[statement], token)
            case ir.While(test=test):
                # The header runs before each pass and after the last one: all that is carried from
                # pass to pass is tested.
                inside = (*self.scope[statement], id(statement.body))
                written = [(s, ir.Name(name)) for s in statement.header for name in ir.writes(s)]
                made = [s for s, name in written if name == test]
                for token in self._compared(made[0] if len(made) == 1 else None):
                    for one in alternatives(token):
                        self._note(inside, one)

    def _compared(self, test: ir.Statement | None) -> Iterator[Hashable]:
        """The shapes of what is compared with a number, to decide what to do."""
        match test:
            case ir.Assign(value=ir.Call(function, args)) if operations.of(function).compares:
                tokens = [self.shapes.of(test, atom) for atom in args]
                if SCALAR in tokens:
                    yield from tokens

    def _note(self, scope: Scope, token: Hashable) -> None:
        """Notes that a shape is that of a number: so are those that were broadcast to it."""
        self.known.add((scope, token))
        match token:
            case ("broadcast", frozenset() as parts):
                for part in parts:
                    self._note(scope, part)
