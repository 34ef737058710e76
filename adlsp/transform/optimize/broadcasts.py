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

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir.variables import Step
from adlsp.transform.optimize.shape_equality import Extent, LocalShapes, is_elementwise
from adlsp.transform.rules import table

EXPAND = "adlsp.runtime.expand"


def leave_to_numpy(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block without expansions that broadcasting makes anyway, and values made for a shape."""
    return _Leaving(block, rule).block(block)


class _Leaving:
    def __init__(self, block: ir.Block, rule: Callable[[str], table.Rule | None]) -> None:
        self.rule = rule
        self.extents = LocalShapes(block, rule)
        self.readers: dict[str, list[ir.Statement]] = {}
        self.bound: Counter[str] = Counter()
        self.light: set[str] = set()
        for statement in ir.walk(block):
            self.bound.update(ir.writes(statement))
            for name in ir.reads(statement):
                self.readers.setdefault(name, []).append(statement)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for position, statement in enumerate(block):
            match statement:
                case ir.Assign(targets=(target,), is_tuple=False) if self.bound[target] == 1:
                    value = self.lighter(statement, target, block[:position])
                    made.append(replace(statement, value=value))
                case _:
                    made.append(ir.rebuilt(statement, block=self.block))
        return tuple(made)

    def lighter(self, statement: ir.Assign, target: str, before: ir.Block) -> ir.Expression:
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
                leaves = self.leaves(statement, before, {})
                if leaves:
                    return leaves[0] if len(leaves) == 1 else ir.Call(operations.BROADCAST, leaves)
        return statement.value

    def on_the_way(
        self, name: str, shape: Extent, met: Extent = frozenset()
    ) -> frozenset[str] | None:
        """The values that are smaller if a value has not this shape yet, itself included.

        None where somebody sees it before operations give it the shape. `met` is what has been
        broadcast to it already.
        """
        readers = self.readers.get(name, [])
        if not readers or self.bound[name] != 1:
            return None
        found = frozenset({name})
        for reader in readers:
            smaller = self.read_by(reader, name, shape, met)
            if smaller is None:
                return None
            found |= smaller
        return found

    def read_by(
        self, reader: ir.Statement, name: str, shape: Extent, met: Extent
    ) -> frozenset[str] | None:
        """What is smaller for one reader of a value; None if it must have its shape.

        What is smaller already gives its shape to nothing else.
        """
        match reader:
            case ir.Assign(targets=(target,), value=ir.Call(args=args) as call) if (
                is_elementwise(call, self.rule) and args.count(ir.Name(name)) == 1
            ):
                names = [other for other in ir.names(args) if other != name]
                others = [None if n in self.light else self.extents.read(reader, n) for n in names]
                known = [other for other in others if other is not None]
                met = met.union(*known)
                if shape <= met:
                    return frozenset()
                return self.on_the_way(target, shape, met) if known == others else None
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
        self, reader: ir.Assign, before: ir.Block, found: dict[Extent, ir.Name]
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
            elif name not in self.light:
                found.setdefault(shape, ir.Name(name))
        return tuple(found.values())

    def step(self, name: str, before: ir.Block) -> ir.Assign | None:
        """The elementwise operation that made a step for its only reader."""
        if not isinstance(name, Step) or len(self.readers[name]) != 1 or self.bound[name] != 1:
            return None
        for statement in before:
            match statement:
                case ir.Assign(targets=(target,), value=ir.Call() as call, is_tuple=False) if (
                    target == name and is_elementwise(call, self.rule)
                ):
                    return statement
        return None
