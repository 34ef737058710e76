"""What a call of a user's function tells of shapes: that of its result, and which are numbers.

This is an interprocedural summary. The callee is looked at by itself. Its result may have a shape
that follows from those of its parameters; and it may run only if some of them are single numbers
(`numbers.py`), as `math.erf(x / 2)` does. Both are put into the terms of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from adlsp.transform import arguments, ir
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.numbers import Numbers
from adlsp.transform.facts.shapes import SCALAR, Shapes, broadcast
from adlsp.transform.facts.versions import VersionKind
from adlsp.transform.frozen import dataclass

PARAMETER = "parameter"
"""The kind of shape that stands for that of a parameter, by its name."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The shape of a result, None if it is not known, and the parameters that are numbers."""

    result: Hashable | None
    numbers: tuple[str, ...]


NOTHING = Summary(None, ())


class Summaries:
    """The summaries of the functions that are called; `function_of` finds these."""

    def __init__(
        self,
        program: Callees,
        function_of: Callable[[str], ir.Function | None],
        facts_of: Callable[[ir.Function], Facts],
    ) -> None:
        self.program = program
        self.function_of = function_of
        self.facts_of = facts_of
        self.made: dict[str, Summary] = {}

    def result(
        self, call: ir.Call, shape: Callable[[ir.Atom], Hashable], callee: ir.Function | None = None
    ) -> Hashable | None:
        """The shape of what a call gives, if it is known; `shape` tells that of an argument.

        `callee` is the function, where the call does not name it.
        """
        function = callee or self.function_of(call.function)
        result = None if function is None else self._of(function).result
        if function is None or result is None:
            return None
        bound = arguments.bind(function, call)
        if isinstance(bound, str):
            return None
        atoms = ir.Name | ir.Const | ir.Global
        shapes = {name: shape(atom) for name, atom in bound.items() if isinstance(atom, atoms)}
        return _replaced(result, shapes)

    def numbers(self, call: ir.Call, callee: ir.Function | None = None) -> Iterator[ir.Atom]:
        """The arguments of a call that are single numbers, or the callee would not run."""
        function = callee or self.function_of(call.function)
        names = () if function is None else self._of(function).numbers
        if function is None or not names:
            return
        bound = arguments.bind(function, call)
        if not isinstance(bound, str):
            given = (bound[name] for name in names)
            yield from (atom for atom in given if isinstance(atom, ir.Name))

    def _of(self, function: ir.Function) -> Summary:
        if function.dotted not in self.made:
            self.made[function.dotted] = NOTHING  # where it calls itself
            self.made[function.dotted] = self._made(function)
        return self.made[function.dotted]

    def _made(self, function: ir.Function) -> Summary:
        facts = self.facts_of(function)
        numbered, whole = facts.versions, facts.arrays(is_derived=facts.is_derived)
        shapes = Shapes(function, numbered, facts.indices, self.program, whole, self.result)
        numbers = Numbers(function, shapes, self.numbers)
        last = function.body[-1]
        assert isinstance(last, ir.Return)
        names = {
            ("version", v.number): v.name for v in numbered.every if v.kind is VersionKind.PARAMETER
        }
        given = _named(shapes.of(last, last.value), names)
        found = (name for token, name in names.items() if numbers.is_number(last, token))
        return Summary(given, tuple(found))


def _named(token: Hashable, names: dict[tuple[str, int], str]) -> Hashable | None:
    """A shape in terms of parameters; None if others tell it."""
    match token:
        case ("version", int(number)):
            name = names.get(("version", number))
            return None if name is None else (PARAMETER, name)
        case ("broadcast", frozenset() as parts):
            named = [_named(part, names) for part in parts]
            return None if None in named else ("broadcast", frozenset(named))
        case ("cut" | "kept" as kind, base, how):
            whole = _named(base, names)
            return None if whole is None else (kind, whole, how)
    return token if token == SCALAR else None


def _replaced(token: Hashable, shapes: dict[str, Hashable]) -> Hashable | None:
    """A shape in the terms of a caller; None if that knows nothing of an argument."""
    match token:
        case ("parameter", str(name)):
            return shapes.get(name)
        case ("broadcast", frozenset() as parts):
            replaced = [_replaced(part, shapes) for part in parts]
            return None if None in replaced else broadcast(*replaced)
        case ("cut" | "kept" as kind, base, how):
            whole = _replaced(base, shapes)
            return None if whole is None else (kind, whole, how)
    return token
