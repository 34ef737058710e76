"""Arithmetic with constants, and arguments that say what is so anyway.

This is constant folding, with identities of arithmetic. `g * (1 / b)` is `g / b`, `g * 1` is `g`,
and an argument that equals its default is left out. `rt.count(np.shape(a), None)`, the number of
elements in all, is `rt.size(a)`. A variable that was computed of numbers only is known to be what
it is where that is compared: the exponent `p = 2 / 3` is not 0.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.optimize.copy_propagation import Meanings
from adlsp.transform.rules import table

FOLDED = {"add", "sub", "mul", "neg", "pow", "eq", "ne", "lt", "le", "gt", "ge"}
"""Operations that are done at once if all operands are numbers."""

ONES = (ir.Const(1), ir.Const(1.0))

COMPARISONS = ("operator.eq", "operator.ne")

Numbers = Mapping[str, ir.Const]
"""The variables that were computed of numbers only, and what they are."""

NO_NUMBERS: Numbers = MappingProxyType({})


def fold(
    block: ir.Block, rule: Callable[[str], table.Rule | None], around: Numbers = NO_NUMBERS
) -> ir.Block:
    """A block with simpler steps. `rule` knows the defaults of the functions that are called.

    `around` are the numbers that are known where the block begins.
    """
    numbers = dict(around)
    reciprocals = Meanings()
    negated = Meanings()
    shapes = Meanings()
    constants = Meanings()
    tuples: dict[str, tuple[ir.Atom, ...]] = {}
    holding: dict[str, list[str]] = {}
    known = reciprocals, negated, shapes, constants
    made: list[ir.Statement] = []
    for statement in block:
        written = ir.all_writes(statement)
        if isinstance(statement, ir.NESTING):
            for name in written:
                numbers.pop(name, None)
        statement = ir.rewritten(statement, block=lambda inner: fold(inner, rule, numbers))
        match statement:
            case ir.Assign(value=ir.Call() as call) if statement.role is not ir.Role.PRIMAL:
                call = _with_constants(_shorter(call, rule), constants.of)
                if call.function in COMPARISONS:
                    call = _with_constants(call, numbers)
                part = _part(call, tuples)
                value = part or _simpler(call, reciprocals.of, negated.of, shapes.of)
                if value is not statement.value:
                    statement = replace(statement, value=value)
        for name in written:
            numbers.pop(name, None)
            for each in known:
                each.forget(name)
            for step in (name, *holding.pop(name, ())):
                tuples.pop(step, None)
        match statement:
            case ir.Assign(targets=(target,), value=ir.Const() as value) if isinstance(
                target, Step
            ):
                constants.note(target, value)
            case ir.Assign((Step() as target,), ir.Call("python.tuple", parts), is_tuple=False):
                tuples[target] = parts
                for name in ir.names(parts):
                    holding.setdefault(name, []).append(target)
            case ir.Assign(
                targets=(target,),
                value=ir.Call(function="operator.truediv", args=(one, divisor)),
            ) if one in ONES and isinstance(target, Step):
                reciprocals.note(target, divisor)
            case ir.Assign(
                targets=(target,), value=ir.Call(function="operator.neg", args=(operand,))
            ) if isinstance(target, Step):
                negated.note(target, operand)
            case ir.Assign(
                targets=(target,), value=ir.Call(function="numpy.shape", args=(operand,))
            ) if isinstance(target, Step):
                shapes.note(target, operand)
        if isinstance(statement, ir.Assign) and not statement.is_tuple:
            number = _number(statement.value, numbers)
            numbers.update(dict.fromkeys(statement.targets, number) if number else {})
        made.append(statement)
    return tuple(made)


def _number(value: ir.Expression, numbers: Numbers) -> ir.Const | None:
    """What an expression of numbers only is; None for what is none, or fails."""
    match value:
        case ir.Const(int() | float()):
            return value
        case ir.Name(id):
            return numbers.get(id)
        case ir.Call():
            return _folded(_with_constants(value, numbers), {*FOLDED, "truediv"})
    return None


def _part(call: ir.Call, tuples: dict[str, tuple[ir.Atom, ...]]) -> ir.Atom | None:
    """The element of a tuple that was just made, `(a, b)[1]`."""
    match call:
        case ir.Call("operator.getitem", (ir.Name(id), ir.Const(int() as at))) if id in tuples:
            parts = tuples[id]
            return parts[at] if -len(parts) <= at < len(parts) else None
    return None


def _with_constants(call: ir.Call, constants: Mapping[str, ir.Atom]) -> ir.Call:
    if constants.keys().isdisjoint(ir.names(call.args)):
        return call
    args = tuple(constants.get(a.id, a) if isinstance(a, ir.Name) else a for a in call.args)
    return replace(call, args=args)


def _simpler(
    call: ir.Call,
    reciprocals: dict[str, ir.Atom],
    negated: dict[str, ir.Atom],
    shapes: dict[str, ir.Atom],
) -> ir.Expression:
    folded = _folded(call)
    if folded is not None:
        return folded
    match call:
        case ir.Call(function="adlsp.runtime.count", args=(ir.Name(id), ir.Const(None))) if (
            id in shapes
        ):
            return replace(call, function="adlsp.runtime.size", args=(shapes[id],))
        case ir.Call(function="adlsp.runtime.axes", args=(ir.Const(axis),)):
            return ir.Const(axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis)
        case ir.Call(
            function="numpy.where" | "adlsp.runtime.where",
            args=(ir.Const(bool() as test), one, other),
        ):
            return one if test else other
        case ir.Call(function="operator.pow", args=(left, right)) if right in ONES:
            return left
        case ir.Call(function="operator.sub", args=(left, ir.Const() as right)) if (
            right == ir.Const(0)
        ):
            return left
        case ir.Call(function="operator.add", args=(left, ir.Name(id))) if id in negated:
            return replace(call, function="operator.sub", args=(left, negated[id]))
        case ir.Call(function="operator.mul", args=(left, right)):
            if right in ONES:
                return left
            if left in ONES:
                return right
            if isinstance(right, ir.Name) and right.id in reciprocals:
                return replace(
                    call, function="operator.truediv", args=(left, reciprocals[right.id])
                )
    return call


def _folded(call: ir.Call, done: set[str] = FOLDED) -> ir.Const | None:
    """The value of an operation on numbers; None for what is not one, or fails."""
    name = targets.member(call.function)
    values = [atom.value for atom in call.args if isinstance(atom, ir.Const)]
    if not targets.is_operator(call.function) or len(values) < len(call.args) or name not in done:
        return None
    if not all(isinstance(value, int | float) for value in values):
        return None
    try:
        return ir.Const(getattr(operator, name)(*values))
    except ArithmeticError:
        return None


def _shorter(call: ir.Call, rule: Callable[[str], table.Rule | None]) -> ir.Call:
    """A call without the arguments that equal their defaults."""
    if not call.keywords and (not call.args or isinstance(call.args[-1], ir.Name)):
        return call
    known = rule(call.function)
    if known is None or known.kind == "constant" or known.declarations:
        return call
    return table.shorter(known, call)
