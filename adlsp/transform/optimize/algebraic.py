"""Lets two negations cancel: `-(g * (-p / q) * t)` becomes `g * (p / q) * t`.

This is algebraic simplification, of signs. A negated step is read through by the products that it
goes into, up to where its sign is undone or makes a sum of a difference. Where that happens
nowhere, it stays where it is, and the user's own steps stay as they are. An adjoint that begins as
a negated value is a difference once something is added: `x_bar = v - u`. Negation is exact, so no
result changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.ir.variables import Adjoint, Step, primal

NEG, ADD, SUB = "operator.neg", "operator.add", "operator.sub"

PRODUCTS = {"operator.mul", "operator.truediv"}


def cancel(block: ir.Block) -> ir.Block:
    """A block with fewer negations."""
    uses = Counter(name for s in ir.walk(block) for name in ir.reads(s))
    bound = Counter(name for s in ir.walk(block) for name in ir.writes(s))
    once = {name for name in uses if uses[name] == bound[name] == 1 and _is_ours(name)}
    return _block(block, once)


def _is_ours(name: str) -> bool:
    """Tells whether nobody wants to read a name: a step, or the adjoint of one."""
    return isinstance(primal(name), Step)


def _block(block: ir.Block, once: set[str]) -> ir.Block:
    statements = [ir.rewritten(s, block=lambda inner: _block(inner, once)) for s in block]
    position = 0
    while position < len(statements):
        match statements[position]:
            case (
                ir.Assign(
                    targets=(target,),
                    value=ir.Call(function=function, args=(operand,)),
                    is_tuple=False,
                ) as negation
            ) if (
                function == NEG
                and target in once
                and isinstance(operand, ir.Name)
                and negation.role is not ir.Role.PRIMAL
            ):
                path = _path(statements, position, target, operand.id, once)
                if path:
                    _read_through(statements, position, target, operand, path)
                    continue
            case ir.Assign(
                targets=(Adjoint() as total,), value=ir.Call("operator.neg", (negated,))
            ):
                at = _added(statements, position, total, negated)
                if at is not None:
                    statements[at] = _difference(statements[at], total, negated)
                    del statements[position]
                    continue
        position += 1
    return tuple(statements)


def _added(statements: list[ir.Statement], start: int, total: str, negated: ir.Atom) -> int | None:
    """Where something is added to an adjoint that begins as a negated value, if nothing else is."""
    for position in range(start + 1, len(statements)):
        match statements[position]:
            case ir.Assign(targets=(target,), value=value, is_tuple=False) as statement if (
                effects.is_pure(value)
            ):
                if total in ir.reads(statement):
                    match value:
                        case ir.Call("operator.add", (one, other)) if one != other:
                            return position if target == total else None
                    return None
                if target == total or ir.Name(target) == negated:
                    return None
            case _:
                return None
    return None


def _difference(statement: ir.Statement, total: str, negated: ir.Atom) -> ir.Statement:
    """`total = v - u`, for `total = total + v` where `total` was `-u`."""
    assert isinstance(statement, ir.Assign)
    assert isinstance(statement.value, ir.Call)
    (added,) = (atom for atom in statement.value.args if atom != ir.Name(total))
    return replace(statement, value=replace(statement.value, function=SUB, args=(added, negated)))


def _path(
    statements: list[ir.Statement], start: int, name: str, operand: str, once: set[str]
) -> list[int]:
    """Where the sign of a negated step goes, up to the place that undoes it; empty if none does.

    The operand is read in place of the step, so it must stay what it is until then.
    """
    path: list[int] = []
    for position in range(start + 1, len(statements)):
        match statements[position]:
            case ir.Assign(targets=(target,), value=value, is_tuple=False) as reader if (
                effects.is_pure(value)
            ):
                if name in ir.reads(reader):
                    path.append(position)
                    if not isinstance(value, ir.Call) or reader.role is ir.Role.PRIMAL:
                        return []
                    is_subtracted = value.function == SUB and value.args[1] == ir.Name(name)
                    if value.function in (NEG, ADD) or is_subtracted:
                        return path
                    is_carried = value.function in PRODUCTS or (
                        operations.of(value.function).keeps_sign and value.args[0] == ir.Name(name)
                    )
                    if not is_carried or target not in once:
                        return []
                    name = target
                elif not path and target == operand:
                    return []
            case _:
                return []
    return []


def _read_through(
    statements: list[ir.Statement], start: int, name: str, operand: ir.Name, path: list[int]
) -> None:
    """Drops a negation, and undoes its sign at the end of its path."""
    positive = operand
    for position in path:
        reader = statements[position]
        assert isinstance(reader, ir.Assign)
        assert isinstance(reader.value, ir.Call)
        value = reader.value
        args = tuple(positive if a == ir.Name(name) else a for a in value.args)
        if value.function in (NEG, ADD, SUB):
            made = _undone(value, name, positive, args)
            statements[position] = replace(reader, value=made)
        else:
            statements[position] = replace(reader, value=replace(value, args=args))
            name = reader.targets[0]
            positive = ir.Name(name)
    del statements[start]


def _undone(
    value: ir.Call, name: str, positive: ir.Name, args: tuple[ir.Atom, ...]
) -> ir.Expression:
    """What an operation gives that reads a value with the other sign."""
    if value.function == NEG:
        return positive
    if value.args[1] == ir.Name(name):
        return replace(value, function=SUB if value.function == ADD else ADD, args=args)
    return replace(value, function=SUB, args=(value.args[1], positive))
