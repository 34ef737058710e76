"""Places of containers of which each pass of a loop has its own: `params_bar[f'W{i}']`.

An index is another one in each pass where it is made of a number of a `range`, or is a key of a
dictionary, and of nothing else that the loop changes. Places of one pass are apart where their
texts begin in different ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from adlsp.transform import ir
from adlsp.transform.optimize.forms import ADD_AT
from adlsp.transform.values import texts
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Mapped, Sequence, Value, constant_of, of_constant

Added = tuple[ir.Atom, ir.Atom]

Bound = Callable[[ir.Atom], ir.Call | None]
"""The call that gives what a variable is bound to, if nothing else binds it."""

KEEPING = ("operator.add", "operator.sub", "python.plus", "python.text", "builtins.str")
"""What gives something else for another number, if all else that it takes is the same."""

ONE_NUMBER = {
    "operator.mod": re.compile("[^%]*%[dis][^%]*"),
    "ndarray.format": re.compile(r"[^{}]*\{\}[^{}]*"),
}
"""Texts that take one number."""


class Passes:
    """The passes of a loop.

    `numbers` are the ends of the range that it runs over, or `keys` are those of a dictionary.
    """

    def __init__(
        self, loop: ir.For, bound: Bound, typed: Typed, values: Callable[[str], Value]
    ) -> None:
        self.loop, self.bound, self.typed, self.values = loop, bound, typed, values
        self.changed = {name for s in ir.walk(loop.body) for name in ir.writes(s)}
        over, made = loop.iterable, bound(loop.iterable)
        if made is not None and made.function == "builtins.reversed":
            over, made = made.args[0], bound(made.args[0])
        is_range = made is not None and made.function == "builtins.range"
        self.numbers = made.args if made is not None and is_range else ()
        held = self.value(over)
        self.keys = held if isinstance(held, Mapped) else None

    def value(self, atom: ir.Atom) -> Value:
        """What an atom is, whatever binds it."""
        match atom:
            case ir.Name(id):
                return self.values(id)
            case ir.Const(constant):
                return of_constant(constant)
        return self.typed.of(self.loop, atom)

    @property
    def count(self) -> int | None:
        """How many passes there are, where that is known."""
        if self.keys is not None:
            return None if self.keys.items is None else len(self.keys.items)
        ends = [constant_of(self.value(atom)) for atom in self.numbers]
        known = [each for each in ends if isinstance(each, int)]
        return len(range(*known)) if known and known == ends else None

    def own(self, base: str, held: Value) -> Iterator[tuple[ir.Statement, ir.Atom, ir.Block]]:
        """The statements that add to places of a container to which nothing else in the loop comes.

        `held` is a container like it. Each comes with the index, and the block that it stands in.
        """
        uses = [s for s in ir.walk(self.loop.body) if base in (*ir.reads(s), *ir.writes(s))]
        adding = {s: added(s, base) for s in uses}
        for block in ir.nested(self.loop.body):
            for statement in block:
                if (found := adding.get(statement)) is None or self.is_repeated(statement):
                    continue
                others = [s for s in uses if s is not statement]
                is_own = self.is_other(found[0], held)
                if is_own and all(self.are_apart(statement, s, adding) for s in others):
                    yield statement, found[0], block

    def is_repeated(self, statement: ir.Statement) -> bool:
        """Tells whether a statement stands in a loop within this one."""
        loops = [s for s in ir.walk(self.loop.body) if isinstance(s, ir.For | ir.While)]
        return any(statement in ir.walk((s,)) for s in loops)

    def is_other(self, index: ir.Atom, held: Value) -> bool:
        """Tells whether an index is that of another place in each pass."""
        is_target = index == ir.Name(self.loop.target)
        if self.loop.target in self.changed:
            return False
        if isinstance(held, Sequence):  # which counts places from its end as well
            return is_target and len(self.numbers) == 1
        return is_target if self.keys is not None else self.is_distinct(index)

    def is_distinct(self, index: ir.Atom) -> bool:
        """Tells whether an atom is something else for each number of a range."""
        if index == ir.Name(self.loop.target):
            return bool(self.numbers)
        if not isinstance(index, ir.Name) or index.id not in self.changed:  # by this loop
            return False
        match self.bound(index):
            case ir.Call(function, (ir.Const(str() as text), number), ()) if function in ONE_NUMBER:
                is_kept = ONE_NUMBER[function].fullmatch(text) is not None
                return is_kept and self.is_distinct(number)
            case ir.Call(function, atoms, ()) if function in KEEPING:
                differing = {*self.changed, self.loop.target}
                changing = [a for a in atoms if not differing.isdisjoint(ir.names((a,)))]
                return len(changing) == 1 and self.is_distinct(changing[0])
        return False

    def are_apart(
        self, one: ir.Statement, other: ir.Statement, adding: Mapping[ir.Statement, Added | None]
    ) -> bool:
        """Tells whether two statements surely add to different places of a container."""
        places = adding[one], adding[other]
        if places[0] is None or places[1] is None:
            return False
        first = texts.beginning(self.typed.of(one, places[0][0]))
        second = texts.beginning(self.typed.of(other, places[1][0]))
        return not first.startswith(second) and not second.startswith(first)

    def is_over(self, of: ir.Name) -> bool:
        """Tells whether the loop comes to all places of a list."""
        match [self.bound(atom) for atom in self.numbers]:
            case [ir.Call("builtins.len", (whole,), ())]:
                return whole == of
        return False


def added(statement: ir.Statement, name: str) -> Added | None:
    """The index and what is added, of a statement that does no more with a container."""
    match statement:
        case ir.Assign((target,), ir.Call(function, (base, index, part))) if function == ADD_AT:
            is_added = target == name and base == ir.Name(name)
        case ir.Store(target, ir.Name() | ir.Const() as index, part, ir.StoreKind.ADD):
            is_added = target == name and not statement.is_each
        case _:
            return None
    return (index, part) if is_added and ir.Name(name) not in (index, part) else None
