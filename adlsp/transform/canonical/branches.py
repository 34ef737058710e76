"""Leaves out branches that are not taken, and tests whose outcome the inference knows.

With `mode="relu"` in the signature, `if mode == "relu"` is its body.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.values import lattice
from adlsp.transform.values.inference import Typed


def decided(function: ir.Function, typed: Typed) -> ir.Function:
    """The function without branches that its arguments do not take."""

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            truth = None
            if isinstance(statement, ir.If):
                truth = lattice.truth(typed.of(statement, statement.test))
            match statement:
                case ir.If(body=body, orelse=orelse) if truth is not None:
                    made += block(body if truth else orelse)
                case ir.If() | ir.For() | ir.While():
                    made.append(ir.rebuilt(statement, block=block))
                case _:
                    made.append(statement)
        return tuple(made)

    def is_decided(statement: ir.Statement) -> bool:
        if not isinstance(statement, ir.If):
            return False
        return lattice.truth(typed.of(statement, statement.test)) is not None

    if not any(map(is_decided, ir.walk(function.body))):
        return function
    return replace(function, body=block(function.body))
