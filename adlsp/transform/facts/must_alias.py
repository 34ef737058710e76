"""Which variables surely hold one object: after `b = a`, until one of the two is bound again.

This is must-alias analysis by value numbering. Each variable has the number of its object; a number
is no object of which more were known. Where ways meet, two variables hold one object if they do on
each way (Muchnick, "Advanced Compiler Design and Implementation", 12.4).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from adlsp.transform import ir
from adlsp.transform.frozen import dataclass

Holding = Mapping[str, int]
"""The number of the object that each variable holds, in the order in which they were bound.

Variables that are never given another name, and are none, are left out.
"""


@dataclass(frozen=True, slots=True)
class MustAlias:
    """What the variables hold before and after each statement, and at the head of each loop."""

    before: dict[ir.Statement, Holding]
    after: dict[ir.Statement, Holding]
    heads: dict[ir.Statement, Holding]


def aliased(function: ir.Function) -> set[str]:
    """The variables that are given another name somewhere, and these names."""
    found: set[str] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign((target,), ir.Name(id), is_tuple=False):
                found |= {target, id}
            case ir.Assign(targets, ir.Call("python.tuple", args), is_tuple=True) if len(
                args
            ) == len(targets):
                found.update(targets, ir.names(args))
    return found


def must_alias(function: ir.Function, *, are_arrays: bool = False) -> MustAlias:
    """What the variables of a function hold. A store into an element binds nothing.

    `are_arrays`: neither does `b += v`, which gives `b` another number if it holds one.
    """
    facts = MustAlias({}, {}, {})
    walk = _Walk(facts, aliased(function), are_arrays=are_arrays)
    walk.block(function.body, walk.bound({}, (p.name for p in function.parameters)))
    return facts


class _Walk:
    """Walks the statements in their order; a loop until what holds at its head holds at its end."""

    def __init__(self, facts: MustAlias, names: set[str], *, are_arrays: bool) -> None:
        self.facts = facts
        self.names = names
        self.are_arrays = are_arrays
        self.n_objects = 0

    def new(self) -> int:
        self.n_objects += 1
        return self.n_objects

    def bound(self, holding: Holding, names: Iterable[str]) -> Holding:
        """What holds after variables are bound to other objects."""
        given = {name: self.new() for name in names if name in self.names}
        return _bound(holding, given) if given else holding

    def block(self, block: ir.Block, holding: Holding) -> Holding:
        for statement in block:
            self.facts.before[statement] = holding
            self.facts.after[statement] = holding = self.after(statement, holding)
        return holding

    def after(self, statement: ir.Statement, holding: Holding) -> Holding:
        match statement:
            case ir.Assign((target,), ir.Name(id), is_tuple=False) if id in holding:
                return _bound(holding, {target: holding[id]})
            case ir.Assign(targets, ir.Call("python.tuple", args), is_tuple=True) if len(
                args
            ) == len(targets):
                held = (holding.get(a.id) if isinstance(a, ir.Name) else None for a in args)
                given = zip(targets, held, strict=True)
                return _bound(holding, {target: one or self.new() for target, one in given})
            case ir.Store() if statement.index is not None or self.are_arrays:
                return holding
            case ir.Do(value=ir.Call()):
                return holding
            case ir.If():
                one, other = (self.block(block, holding) for block in ir.blocks(statement))
                return self.numbered({n: (one[n], other[n]) for n in one if n in other})
            case ir.For() | ir.While():
                return self.loop(statement, holding)
        return self.bound(holding, ir.writes(statement))

    def loop(self, loop: ir.For | ir.While, holding: Holding) -> Holding:
        """Those that hold one object at first, for as long as they do so at the end, too."""
        known: Mapping[str, Hashable] = holding
        while True:
            self.facts.heads[loop] = after = head = self.numbered(known)
            if isinstance(loop, ir.While):
                after = end = self.block(loop.header, head)
            else:
                end = self.bound(head, (loop.target,))
            end = self.block(loop.body, end)
            more = {name: (head[name], end[name]) for name in head}
            if len(set(more.values())) == len(set(known.values())):
                return after
            known = more

    def numbered(self, known: Mapping[str, Hashable]) -> Holding:
        """A new object for each mark: variables of one mark hold one object."""
        numbers = {mark: self.new() for mark in dict.fromkeys(known.values())}
        return {name: numbers[mark] for name, mark in known.items()}


def _bound(holding: Holding, given: Holding) -> Holding:
    """What holds after variables are bound, all at once."""
    kept = {name: number for name, number in holding.items() if name not in given}
    return {**kept, **given}
