"""Leaves to NumPy's broadcasting what need not be done before it.

This is algebraic simplification, of shapes. `h * rt.expand(out_bar, np.shape(h))` is `h * out_bar`:
a number meets each element anyway. And a value of which only the shape is asked is not computed:
the shape of `np.exp(x)` is that of `x`, and the shape of `y * np.log(p)` that of
`rt.broadcast(y, p)`. Variables of the user's keep their values, for they are looked at in a
debugger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import or_

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir.variables import Step
from adlsp.transform.optimize.shape_equality import Extent, LocalShapes, is_elementwise
from adlsp.transform.rules import table
from adlsp.transform.values.broadcasting import Axes

EXPAND = "adlsp.runtime.expand"


def leave_to_numpy(
    block: ir.Block,
    rule: Callable[[str], table.Rule | None],
    known: Callable[[str], Axes | None] = lambda _: None,
) -> ir.Block:
    """A block without expansions that broadcasting makes anyway, and values made for a shape.

    `known` tells the shapes of variables that the block does not make.
    """
    return _Leaving(block, rule, known).block(block)


class _Leaving:
    def __init__(
        self,
        block: ir.Block,
        rule: Callable[[str], table.Rule | None],
        known: Callable[[str], Axes | None],
    ) -> None:
        self.rule = rule
        self.extents = LocalShapes(block, rule, known)
        self.readers: dict[str, list[ir.Statement]] = {}
        self.bound: Counter[str] = Counter()
        self.light: set[str] = set()
        self.made: dict[str, ir.Assign] = {}
        for statement in ir.walk(block):
            self.bound.update(ir.writes(statement))
            for name in ir.reads(statement):
                self.readers.setdefault(name, []).append(statement)
            match statement:
                case ir.Assign(targets=(target,), is_tuple=False):
                    self.made[target] = statement

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for position, statement in enumerate(block):
            match statement:
                case ir.Assign(targets=(target,), is_tuple=False) if self.bound[target] == 1:
                    value = self.lighter(statement, target, block, position)
                    made.append(replace(statement, value=value))
                case _:
                    made.append(ir.rebuilt(statement, block=self.block))
        return tuple(made)

    def lighter(
        self, statement: ir.Assign, target: str, block: ir.Block, position: int
    ) -> ir.Expression:
        """The value of an assignment, or one that serves as well."""
        match statement.value:
            case ir.Call(function=function, args=(value, ir.Name(shape), *how)) if (
                function == EXPAND and shape in self.extents.of_shape
            ):
                is_aligned = how[:1] in ([], [ir.Const(None)]) or how[1:] == [ir.Const(True)]
                smaller = self.on_the_way(target, self.extents.of_shape[shape])
                if is_aligned and smaller:
                    self.light |= smaller
                    return value
            case ir.Call() as call if self.is_shape(target) and is_elementwise(call, self.rule):
                leaves = self.leaves(statement, block[:position], [])
                if leaves:
                    return leaves[0] if len(leaves) == 1 else ir.Call(operations.BROADCAST, leaves)
        return statement.value

    def on_the_way(self, name: str, shape: Extent) -> frozenset[str] | None:
        """The values that are smaller if a value has not this shape yet, itself included.

        None where somebody sees it before operations give it the shape.
        """
        found, pending = set[str](), [(name, Extent())]
        while pending:
            smaller, met = pending.pop()
            readers = self.readers.get(smaller, [])
            if not readers or self.bound[smaller] != 1:
                return None
            found.add(smaller)
            for reader in readers:
                following = self.read_by(reader, smaller, shape, met)
                if following is None:
                    return None
                pending += following
        return frozenset(found)

    def read_by(
        self, reader: ir.Statement, name: str, shape: Extent, met: Extent
    ) -> list[tuple[str, Extent]] | None:
        """What is smaller, too, for one reader of a value; None if it must have its shape.

        `met` is what has been broadcast to it already. What is smaller already gives its shape to
        nothing else.
        """
        match reader:
            case ir.Assign(targets=(target,), value=ir.Call(args=args) as call) if (
                is_elementwise(call, self.rule) and args.count(ir.Name(name)) == 1
            ):
                names = [other for other in ir.names(args) if other != name]
                others = [None if n in self.light else self.extents.read(reader, n) for n in names]
                known = [other for other in others if other is not None]
                met = reduce(or_, known, met)
                if shape <= met:
                    return []
                return [(target, met)] if known == others else None
        return None

    def is_shape(self, name: str) -> bool:
        """Tells whether nobody reads more than the shape of a step."""
        readers = self.readers.get(name, [])
        return isinstance(name, Step) and all(
            isinstance(reader, ir.Assign)
            and isinstance(reader.value, ir.Call)
            and operations.of(reader.value.function).tells_shape
            and reader.value.args == (ir.Name(name),)
            for reader in readers
        )

    def leaves(
        self, reader: ir.Assign, before: ir.Block, found: list[tuple[Extent, ir.Name]]
    ) -> tuple[ir.Name, ...]:
        """The variables whose shapes together are that of an assignment's elementwise value.

        Steps that were made for it alone are looked through. None, where a variable has been bound
        again since it was read. What is no longer expanded has the shape of another operand.
        """
        since = before[before.index(reader) + 1 :] if reader in before else ()
        assert isinstance(reader.value, ir.Call)
        for name in ir.names(reader.value.args):
            step = self.step(name, before)
            shape = self.extents.read(reader, name)
            if step is not None:
                if not self.leaves(step, before, found):
                    return ()
            elif any(name in ir.writes(s) for s in ir.walk(since)) or shape is None:
                return ()
            elif name not in self.light and all(shape != other for other, _ in found):
                found.append((shape, ir.Name(name)))
        return tuple(name for _, name in found)

    def step(self, name: str, before: ir.Block) -> ir.Assign | None:
        """The elementwise operation that made a step for its only reader."""
        if not isinstance(name, Step) or len(self.readers[name]) != 1 or self.bound[name] != 1:
            return None
        made = self.made.get(name)
        is_made = made is not None and is_elementwise(made.value, self.rule)
        return made if is_made and made in before else None
