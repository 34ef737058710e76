"""Comprehensions as loops and `a or b` as branches, where they carry derivatives.

All others stay as they were written.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.analyses import activity


def unfolded(function: ir.Function, wrt: tuple[str, ...], flow: activity.Flow) -> ir.Function:
    """The same function, with loops and branches for the expressions that are active."""
    while any(_steps(statement) is not None for statement in ir.walk(function.body)):
        active = activity.activity(function, wrt, flow)
        taking_part = {
            s for s in ir.walk(function.body) if _steps(s) is not None and active.is_active(s)
        }
        if not taking_part:
            break
        function = replace(function, body=_block(function.body, taking_part))
    return function


def _block(block: ir.Block, taking_part: set[ir.Statement]) -> ir.Block:
    made: list[ir.Statement] = []
    for statement in block:
        steps = _steps(statement) if statement in taking_part else None
        if steps is None:
            made.append(ir.rebuilt(statement, block=lambda inner: _block(inner, taking_part)))
            continue
        assert isinstance(statement, ir.Assign)
        inner, values = steps
        target = statement.targets[0]
        is_read = any(target in ir.reads(s) for s in ir.walk(inner))
        if statement.is_tuple or ir.is_step(target) or is_read:
            made += (*inner, replace(statement, value=values))
        else:
            made += _renamed(inner, values.id, target)
    return tuple(made)


def _renamed(block: ir.Block, old: str, new: str) -> ir.Block:
    """A block with one variable called as another."""

    def atom(value: ir.Atom) -> ir.Atom:
        return ir.Name(new) if value == ir.Name(old) else value

    def name(bound: str) -> str:
        return new if bound == old else bound

    return tuple(ir.rebuilt(s, atom, name, lambda inner: _renamed(inner, old, new)) for s in block)


def _steps(statement: ir.Statement) -> tuple[ir.Block, ir.Name] | None:
    match statement:
        case ir.Assign(value=ir.Opaque(unfolded=steps)):
            return steps
    return None
