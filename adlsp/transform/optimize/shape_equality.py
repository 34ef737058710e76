"""Which values of generated code surely have the same shape, from the code alone.

This is value numbering of shapes, in one block. A shape is a set of numbers, those of the values
that were broadcast together to it: two values with one set have one shape whenever the code runs
without error. Elementwise results have the sets of their operands together; all else has a number
of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import reduce
from operator import or_

from adlsp.transform import ir
from adlsp.transform.facts import operations, persistent
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Shape
from adlsp.transform.rules import table
from adlsp.transform.values.broadcasting import Axes

Extent = persistent.Set[int]


def is_elementwise(value: ir.Expression, rule: Callable[[str], table.Rule | None]) -> bool:
    """Tells whether a call computes each element from the same element of its arguments."""
    if not isinstance(value, ir.Call) or value.keywords or any(map(_is_array, value.args)):
        return False
    known = rule(value.function)
    is_known = records.said(value.function).shape is Shape.EACH
    return is_known or (known is not None and known.gives_new)


def _is_array(atom: ir.Atom) -> bool:
    """Tells whether an atom may be an array of a module, of which nothing is known."""
    return isinstance(atom, ir.Global) and not targets.is_of(atom.dotted, "numpy", "math")


def _like(call: ir.Call) -> ir.Atom | None:
    """The argument of a call that has the shape of its result.

    What functions of NumPy are given may be a list, of which nothing is known here.
    """
    if targets.is_of(call.function, "numpy"):
        return None
    record = operations.of(call.function)
    place = {Shape.FIRST: 0, Shape.LIKE: record.like}.get(record.shape) if record.shape else None
    return None if place is None or place >= len(call.args) else call.args[place]


class LocalShapes:
    """The shapes in a block: of each name where a statement reads it, or that a name stands for."""

    def __init__(
        self,
        block: ir.Block,
        rule: Callable[[str], table.Rule | None],
        known: Callable[[str], Axes | None] = lambda _: None,
    ) -> None:
        self.rule = rule
        self.known = known
        self.made = 0
        self.numbers: dict[Hashable, int] = {}
        self.asked: dict[tuple[ir.Statement, str], Extent] = {}
        self.meant: dict[tuple[ir.Statement, str], Extent] = {}
        self.of_name: dict[str, Extent] = {}
        self.of_shape: dict[str, Extent] = {}
        self._block(block)

    def read(self, statement: ir.Statement, name: str) -> Extent | None:
        """The shape of a variable that a statement reads."""
        return self.asked.get((statement, name))

    def _new(self) -> Extent:
        self.made += 1
        return persistent.Set((self.made,))

    def _given(self, name: str) -> Extent:
        """The shape of a variable that the block does not make.

        That is a number for each axis, and one for its size unless that is one: so what is
        broadcast together has the numbers of all.
        """
        shape = self.known(name)
        if shape is None or None in shape:
            return self._new()
        sizes = [(axis, size) for axis, size in enumerate(reversed(shape)) if size != 1]
        return persistent.Set(self._number(each) for each in (*range(len(shape)), *sizes))

    def _number(self, what: Hashable) -> int:
        if what not in self.numbers:
            self.made += 1
            self.numbers[what] = self.made
        return self.numbers[what]

    def _block(self, block: ir.Block) -> None:
        for statement in block:
            for name in ir.reads(statement):
                if name not in self.of_name:
                    self.of_name[name] = self._given(name)
                self.asked[statement, name] = self.of_name[name]
                if name in self.of_shape:
                    self.meant[statement, name] = self.of_shape[name]
            for inner in ir.blocks(statement):
                self._forget(statement)
                self._block(inner)
            made = self._made(statement)
            self._forget(statement)
            match statement:
                case ir.Assign(targets=(target,), value=ir.Call(function="numpy.shape")):
                    self.of_shape[target] = made
                case ir.Assign(targets=(target,), is_tuple=False):
                    self.of_name[target] = made

    def _forget(self, statement: ir.Statement) -> None:
        """Forgets what was known of the variables that a statement binds, inner ones included."""
        inside = ir.walk((statement,)) if isinstance(statement, ir.NESTING) else (statement,)
        for inner in inside:
            for name in ir.writes(inner):
                if not (isinstance(inner, ir.Store) and inner.index is not None):
                    self.of_name.pop(name, None)
                self.of_shape.pop(name, None)

    def _made(self, statement: ir.Statement) -> Extent:
        """The shape of what an assignment gives; for a shape, the shape that it is."""
        match statement:
            case ir.Assign(value=ir.Name(id)):
                return self.of_name[id]
            case ir.Assign(value=ir.Call(function="numpy.shape", args=(ir.Name(id),))):
                return self.of_name[id]
            case ir.Assign(
                value=ir.Call(function="adlsp.runtime.expand", args=(_, ir.Name(id), *_))
            ) if id in self.of_shape:
                return self.of_shape[id]
            case ir.Assign(value=ir.Call() as call) if (like := _like(call)) is not None:
                return self.of_name[like.id] if isinstance(like, ir.Name) else self._new()
            case ir.Assign(value=ir.Call() as call) if is_elementwise(call, self.rule):
                return self._together(call) or self._new()
            case ir.Assign(value=ir.Call(function=operations.BROADCAST) as call):
                return self._together(call) or self._new()
        return self._new()

    def _together(self, call: ir.Call) -> Extent:
        """The shape to which the arguments of a call are broadcast."""
        return reduce(or_, (self.of_name[name] for name in ir.names(call.args)), Extent())
