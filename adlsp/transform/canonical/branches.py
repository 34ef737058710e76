"""Leaves out branches that are not taken, tests whose outcome is known, and loops over nothing.

With `mode="relu"` in the signature, `if mode == "relu"` is its body. A leaf has no children to run
over, with which a recursion ends.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.values import lattice
from adlsp.transform.values.inference import Typed


def decided(function: ir.Function, typed: Typed) -> ir.Function:
    """The function without branches that its arguments do not take, and loops over nothing."""

    def taken(statement: ir.Statement) -> ir.Block | None:
        """What runs of a statement, if that is known not to be all of it."""
        match statement:
            case ir.If(test=test, body=body, orelse=orelse):
                truth = lattice.truth(typed.of(statement, test))
                return None if truth is None else body if truth else orelse
            case ir.For(iterable=iterable):
                return () if lattice.is_empty(typed.of(statement, iterable)) else None
            case ir.Assign(value=ir.Opaque(unfolded=(steps, result))):  # a comprehension
                is_none = any(taken(s) == () for s in steps if isinstance(s, ir.For))
                return (*steps, replace(statement, value=result)) if is_none else None
        return None

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            runs = taken(statement)
            if runs is not None:
                made += block(runs)
            elif isinstance(statement, ir.If | ir.For | ir.While):
                made.append(ir.rebuilt(statement, block=block))
            else:
                made.append(statement)
        return tuple(made)

    if all(taken(statement) is None for statement in ir.walk(function.body)):
        return function
    return replace(function, body=block(function.body))
