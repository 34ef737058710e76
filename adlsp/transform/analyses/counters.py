"""Loop positions: the `i` of `for i, x in enumerate(xs)` is a number, whatever `xs` holds."""

from __future__ import annotations

from adlsp.transform import ir


def counted(function: ir.Function) -> frozenset[ir.Statement]:
    """The statements that take an element of `enumerate` apart into its position and its value."""
    made: dict[str, ir.Expression] = {}
    found = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=value) if ir.is_step(target):
                made[target] = value
            case ir.For(
                target=target,
                iterable=ir.Name(id),
                body=(ir.Assign(value=ir.Name(element), is_tuple=True) as first, *_),
            ) if element == target:
                match made.get(id):
                    case ir.Call(function="builtins.enumerate"):
                        found.add(first)
    return frozenset(found)
