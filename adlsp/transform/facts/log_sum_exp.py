"""Extremes that are subtracted only to be safe from overflow, and have no influence in the end.

`np.exp(x - m) / np.sum(np.exp(x - m))` is the same for each `m`, and so is `m + np.log(np.sum(
np.exp(x - m)))`. Where `m` is the maximum of `x`, nobody would differentiate it by hand. Here is
found where that is so: by what becomes of each value when `m` grows by a small amount `d`. It grows
by a multiple of `d`, or by a factor `exp(d)` to some power; where both are nothing in the end, `m`
does not matter.

The maximum is taken along some axes, which it keeps. Then the amount is the same along those, and a
sum over them, of a value in the shape of `x`, grows as what is summed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import operations, reductions
from adlsp.transform.frozen import dataclass
from adlsp.transform.ops.spec import Operation

OF_ALL = (Operation.SUM, Operation.MEAN, Operation.EXTREME)
"""What is computed of all elements along some axes; the others are of each element."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """How a value changes: it grows by `added` times an amount, or by the factor to a power.

    `shape` is "whole" for that of what the extreme was taken of, "kept" for that of the extreme
    or of a number, and empty where it may be another.
    """

    added: int = 0
    power: int = 0
    shape: str = ""

    @property
    def grows(self) -> bool:
        """Tells whether the value changes at all."""
        return (self.added, self.power) != (0, 0)


class _UnknownError(Exception):
    """A value depends on the extreme in another way."""


def cancelled(function: ir.Function) -> frozenset[ir.Call]:
    """The calls in a function that take an extreme which has no influence."""
    extremes = [
        (block, position)
        for block in ir.nested(function.body)
        for position, statement in enumerate(block)
        if _extreme(statement)
    ]
    if not extremes:
        return frozenset()
    bound: Counter[str] = Counter(p.name for p in function.parameters)
    for statement in ir.walk(function.body):
        bound.update(ir.writes(statement))
    once = {name for name, times in bound.items() if times == 1}
    found: dict[ir.Call, bool] = {}
    for block, position in extremes:
        call = _extreme(block[position])
        assert call is not None
        found[call] = found.get(call, True) and _is_cancelled(function, block[position:], once)
    return frozenset(call for call, is_cancelled in found.items() if is_cancelled)


def _extreme(statement: ir.Statement) -> ir.Call | None:
    match statement:
        case ir.Assign(targets=(_,), value=ir.Call(function=function) as call, is_tuple=False):
            is_extreme = operations.of(function).computes is Operation.EXTREME
            return call if is_extreme and call.args else None
    return None


def _is_cancelled(function: ir.Function, block: ir.Block, once: set[str]) -> bool:
    """Tells whether the extreme that a block begins with has no influence."""
    first = block[0]
    assert isinstance(first, ir.Assign)
    assert isinstance(first.value, ir.Call)
    how = reductions.axes(first.value)
    of, extreme = first.value.args[0], first.targets[0]
    if not isinstance(of, ir.Name) or how is None or not {of.id, extreme} <= once:
        return False
    if how[0] is not None and not how[1]:
        return False
    tracing = _Tracing(of.id, extreme, how, once)
    try:
        for statement in block[1:]:
            tracing.statement(statement)
    except _UnknownError:
        return False
    followed = set(block)
    return not any(
        tracing.depends(statement)
        for statement in ir.walk(function.body)
        if statement not in followed
    )


class _Tracing:
    """What becomes of the values of one block."""

    def __init__(self, of: str, extreme: str, how: tuple[object, bool], once: set[str]) -> None:
        self.how = how
        self.once = once
        self.growth = {of: _Growth(shape="whole"), extreme: _Growth(added=1, shape="kept")}

    def depends(self, statement: ir.Statement) -> bool:
        """Tells whether a statement reads a value that grows."""
        return any(self.atom(ir.Name(name)).grows for name in ir.reads(statement))

    def statement(self, statement: ir.Statement) -> None:
        """Follows one statement; raises an error where it leads elsewhere."""
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call() as call, is_tuple=False) if (
                target in self.once
            ):
                if not operations.of(call.function).tells_shape:
                    self.growth[target] = self.call(call)
                return
            case ir.Assign(targets=(target,), value=ir.Name(id), is_tuple=False) if (
                target in self.once and id in self.growth
            ):
                self.growth[target] = self.growth[id]
                return
        if any(self.depends(inner) for inner in ir.walk((statement,))):
            raise _UnknownError

    def atom(self, atom: ir.Atom) -> _Growth:
        """How an operand changes."""
        if isinstance(atom, ir.Const):
            return _Growth(shape="kept")
        return self.growth.get(atom.id, _Growth()) if isinstance(atom, ir.Name) else _Growth()

    def call(self, call: ir.Call) -> _Growth:
        """How the value of a call changes."""
        known = [self.atom(a) for a in call.args]
        operation = operations.of(call.function).computes
        if operation is not None and operation not in OF_ALL and not call.keywords:
            shapes = {k.shape for k in known}
            shape = "whole" if "whole" in shapes else "kept"
            added, power = _elementwise(operation, known)
            return _Growth(added, power, "" if "" in shapes else shape)
        if not any(k.grows for k in map(self.atom, call.atoms)):
            return _Growth()
        is_sum = operation is Operation.SUM and not known[0].added
        if is_sum or operation is Operation.MEAN:
            is_along = known[0].shape == "whole" and reductions.axes(call) == self.how
            if is_along or (self.how[0] is None and reductions.axes(call) is not None):
                return replace(known[0], shape="kept" if is_along else "")
        raise _UnknownError


def _elementwise(operation: Operation, known: list[_Growth]) -> tuple[int, int]:
    """By what a result grows, and by which power of the factor."""
    added, power = [k.added for k in known], [k.power for k in known]
    match operation:
        case Operation.ADD if not any(power):
            return added[0] + added[1], 0
        case Operation.SUBTRACT if not any(power):
            return added[0] - added[1], 0
        case Operation.ADD | Operation.SUBTRACT if power[0] == power[1] and not any(added):
            return 0, power[0]
        case Operation.NEGATE:
            return -added[0], power[0]
        case Operation.MULTIPLY if not any(added):
            return 0, power[0] + power[1]
        case Operation.DIVIDE if not any(added):
            return 0, power[0] - power[1]
        case Operation.EXP if not any(power):
            return 0, added[0]
        case Operation.LOG if not any(added):
            return power[0], 0
    if any(k.grows for k in known):
        raise _UnknownError
    return 0, 0
