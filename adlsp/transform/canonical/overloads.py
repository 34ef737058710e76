"""Products of a list and an array: `[1.0, 2.0] * x`.

The operator is overloaded: a list is repeated by a number, and multiplied by an array. A count
carries no derivative: where the other factor does, it is an array, and so is the product, with all
that is made of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import callees, graphs, operations


def multiplied(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The function in which lists are multiplied by what is varied, and not repeated."""
    if not any(_factor(statement) for statement in ir.walk(function.body)):
        return function
    active = known.facts(function).activity(wrt)
    made = defaultdict[str, list[str]](list)
    products: list[str] = []
    for statement in ir.walk(function.body):
        if _factor(statement) in active.varied_before[statement]:
            products += ir.writes(statement)
        for operand in _operands(statement):
            made[operand] += ir.writes(statement)
    arrays = {*graphs.reached(products, made.__getitem__)}
    return _Rewriter(function, arrays).function if arrays else function


def _factor(statement: ir.Statement) -> str:
    """The variable that a list is multiplied by."""
    match statement:
        case ir.Assign(value=ir.Call("python.repeat", (_, ir.Name(id)))):
            return id
    return ""


def _operands(statement: ir.Statement) -> Iterator[str]:
    """The variables of which a statement makes an array if they are arrays."""
    match statement:
        case ir.Assign(value=ir.Name(id), is_tuple=False):
            yield id
        case ir.Assign(value=ir.Call(function=called, args=args)) if _on_arrays(called):
            yield from ir.names(args)


def _on_arrays(function: str) -> str:
    """The operator by which what is done with lists is written, as it is done with arrays."""
    return operations.of(function).on_arrays or ""


class _Rewriter:
    """Does with arrays what was written for lists; a list becomes an array before."""

    def __init__(self, function: ir.Function, arrays: set[str]) -> None:
        self.fresh = ir.fresh(function)
        self.arrays = arrays
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign((target,), ir.Call(called) as call, is_tuple=False) if (
                    _on_arrays(called) and target in self.arrays
                ):
                    made += self.arithmetic(statement, call)
                case ir.Store(base=base) if base in self.arrays and ir.sets_cell(statement):
                    made.append(replace(statement, kind=ir.StoreKind.REPLACE))
                case _:
                    made.append(ir.rebuilt(statement, block=self.block))
        return tuple(made)

    def arithmetic(self, statement: ir.Assign, call: ir.Call) -> Iterator[ir.Statement]:
        first, second = call.args
        if isinstance(first, ir.Name) and first.id not in self.arrays:
            array = self.fresh.step()
            made = ir.Call("numpy.asarray", (first,))
            yield ir.Assign((array,), made, statement.origin)
            first = ir.Name(array)
        changed = replace(call, function=_on_arrays(call.function), args=(first, second))
        yield replace(statement, value=changed)
