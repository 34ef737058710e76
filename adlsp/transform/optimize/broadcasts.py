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
from adlsp.transform.ops.spec import Effect
from adlsp.transform.optimize.shape_equality import Extent, LocalShapes, is_elementwise
from adlsp.transform.rules import table
from adlsp.transform.values.broadcasting import Axes

EXPAND = "adlsp.runtime.expand"


def leave_to_numpy(
    block: ir.Block,
    rule: Callable[[str], table.Rule | None],
    known: Callable[[str], Axes | None] = lambda _: None,
    is_listed: Callable[[str], bool] = lambda _: False,
) -> ir.Block:
    """A block without expansions that broadcasting makes anyway, and values made for a shape.

    `known` tells the shapes of variables that the block does not make, and `is_listed` which of
    them are lists or tuples: these NumPy takes beside an array, but no number does.
    """
    if not any(map(_is_about_shapes, ir.walk(block))):
        return block
    return _Leaving(block, rule, known, is_listed).block(block)


def _is_about_shapes(statement: ir.Statement) -> bool:
    """Tells whether a statement expands something, asks for a shape, or may be left out here only.

    Such is a step of which nobody reads anything, if its function may have effects.
    """
    match statement:
        case ir.Assign(targets=targets, value=ir.Call(function=function)):
            record = operations.of(function)
            is_kept = record.effect is not Effect.NONE and isinstance(targets[0], Step)
            return is_kept or function == EXPAND or bool(record.tells_shape)
    return False


class _Leaving:
    def __init__(
        self,
        block: ir.Block,
        rule: Callable[[str], table.Rule | None],
        known: Callable[[str], Axes | None],
        is_listed: Callable[[str], bool],
    ) -> None:
        self.rule, self.is_listed = rule, is_listed
        self.extents = LocalShapes(block, rule, known)
        self.readers: dict[str, list[ir.Statement]] = {}
        self.light: set[str] = set()
        self.made: dict[str, ir.Assign] = {}
        self.every = [*ir.walk(block)]
        self.bound = Counter(name for s in self.every for name in ir.writes(s))
        self.places = {id(statement): at for at, statement in enumerate(self.every)}
        for statement in self.every:
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
                    made.append(ir.rewritten(statement, block=self.block))
        return tuple(made)

    def lighter(
        self, statement: ir.Assign, target: str, block: ir.Block, position: int
    ) -> ir.Expression:
        """The value of an assignment, or one that serves as well."""
        match statement.value:
            case ir.Call(function=function, args=(value, ir.Name(shape), *how)) if (
                function == EXPAND and (statement, shape) in self.extents.meant
            ):
                is_aligned = how[:1] in ([], [ir.Const(None)]) or how[1:] == [ir.Const(True)]
                smaller = self.on_the_way(target, self.extents.meant[statement, shape])
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

        None where somebody sees it before operations give it the shape. What is smaller itself
        gives its shape to nothing else, so operations are asked in the order in which they run.
        """
        met = {name: Extent()}
        following = self.later(name, -1)
        if not following:
            return None
        while following:
            position = min(following)
            following.discard(position)
            reader = self.every[position]
            reached, is_sure = self.reached(reader, met)
            if not is_sure and not shape <= reached:
                return None
            if not shape <= reached:
                assert isinstance(reader, ir.Assign)
                (target,) = reader.targets
                later = self.later(target, position)
                if not later:
                    return None
                met[target] = reached
                following |= later
        is_alone = all(self.bound[smaller] == 1 for smaller in met)
        return frozenset(met) if is_alone else None

    def later(self, name: str, position: int) -> set[int]:
        """Where a value is read; nothing, if that is before it is made, in a loop."""
        found = {self.places[id(reader)] for reader in self.readers.get(name, ())}
        return found if not found or min(found) > position else set()

    def reached(self, reader: ir.Statement, met: dict[str, Extent]) -> tuple[Extent, bool]:
        """What a reader of smaller values broadcasts these to, and whether that is all.

        `met` is what they have been broadcast to already.
        """
        found, is_sure = Extent(), False
        match reader:
            case ir.Assign(targets=(_,), value=ir.Call(args=args) as call) if is_elementwise(
                call, self.rule
            ) and not any(map(self.is_listed, ir.names(args))):
                is_sure = True
                for name in ir.names(args):
                    of = met.get(name)
                    if of is None and name not in self.light:
                        of = self.extents.read(reader, name)
                    is_sure &= of is not None
                    found = found | (of or Extent())
        return found, is_sure

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
