"""Operators that lists and tuples overload: `a + b` puts them together, `a * n` repeats one.

Lowering knows of those that one text shows (`frontend/sequences.py`), the inference of others. A
list is repeated by a number, and multiplied by an array, `[1.0, 2.0] * x`. A count carries no
derivative: where the other factor does, it is an array, and so is the product, with all that is
made of it. A number that is an element beside what varies is a count all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import callees, graphs, operations
from adlsp.transform.facts.versions import Version
from adlsp.transform.ir.signs import OVERLOADED
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import Array, Number, Sequence, Value


def put_together(function: ir.Function, infer: Callable[[ir.Function], Inferred]) -> ir.Function:
    """The function in which what is known to put lists or tuples together says so.

    A tuple that is changed by an operator, `t += (v,)`, is another tuple.
    """
    if not any(map(_operator, ir.walk(function.body))):
        return function
    inferred = infer(function)

    made = {s: new for s in ir.walk(function.body) if (new := _said(s, inferred)) is not None}

    def block(inner: ir.Block) -> ir.Block:
        return tuple(made[s] if s in made else ir.rebuilt(s, block=block) for s in inner)

    return replace(function, body=block(function.body)) if made else function


def _said(statement: ir.Statement, inferred: Inferred) -> ir.Assign | None:
    """A statement that says that it puts lists or tuples together; None for others."""
    match statement:
        case ir.Assign(value=ir.Call(args=(first, second)) as call) if _operator(statement):
            together = _together(statement, first, second, inferred)
            if together:
                return replace(statement, value=replace(together, span=call.span))
        case ir.Store(base=base, value=value) if _operator(statement):
            held = ir.Name(base)
            together = _together(statement, held, value, inferred)
            if together and not _is_list(inferred.read(statement, held)):
                return ir.Assign((base,), together, statement.origin, statement.role)
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, Sequence) and value.is_list


def _operator(statement: ir.Statement) -> str:
    """The operator of a sum or product that a statement makes, perhaps in place."""
    match statement:
        case ir.Assign(value=ir.Call(function), is_tuple=False) if function in OVERLOADED:
            return function
        case ir.Store(index=None, kind=kind) if kind.operator in OVERLOADED:
            return kind.operator
    return ""


def _together(
    statement: ir.Statement, first: ir.Atom, second: ir.Atom, inferred: Inferred
) -> ir.Call | None:
    """What an operator does with lists or tuples; None where it has none of these."""
    match _operator(statement), inferred.read(statement, first), inferred.read(statement, second):
        case "operator.add", Sequence(is_list=True), Sequence(is_list=True):
            return ir.Call("python.concat", (first, second))
        case "operator.add", Sequence(), Sequence():
            return ir.Call("python.plus", (first, second))
        case "operator.mul", Sequence(), Number("int" | "bool"):
            return ir.Call("python.repeat", (first, second))
        case "operator.mul", Number("int" | "bool"), Sequence():
            return ir.Call("python.repeat", (second, first))
    return None


def multiplied(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: callees.Callees,
    infer: Callable[[ir.Function], Inferred],
) -> ir.Function:
    """The function in which lists are multiplied by what is varied, and not repeated.

    What may be a count beside what varies is made sure to be none.
    """
    if not any(_factor(statement) for statement in ir.walk(function.body)):
        return function
    facts = known.facts(function)
    active, inferred = facts.activity(wrt), infer(function)
    made = defaultdict[str, list[str]](list)
    products: list[str] = []
    counts: set[ir.Statement] = set()
    unsure: set[ir.Statement] = set()
    for statement in ir.walk(function.body):
        factor = _factor(statement)
        if factor in active.varied_before[statement]:
            value = inferred.read(statement, ir.Name(factor))
            if isinstance(value, Number):
                counts.add(statement)
                continue
            products += ir.writes(statement)
            if not isinstance(value, Array) and _is_part(facts.versions.reads[statement, factor]):
                unsure.add(statement)
        for operand in _operands(statement):
            made[operand] += ir.writes(statement)
    arrays = {*graphs.reached(products, made.__getitem__)}
    return _Rewriter(function, arrays, counts, unsure).function if arrays or counts else function


def _is_part(version: Version) -> bool:
    """Tells whether a value is an element of something: it may be a count beside what varies."""
    match version.statement:
        case ir.For() | ir.Assign(is_tuple=True) | ir.Assign(value=ir.Call("operator.getitem")):
            return True
    return False


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

    def __init__(
        self,
        function: ir.Function,
        arrays: set[str],
        counts: Container[ir.Statement],
        unsure: Container[ir.Statement],
    ) -> None:
        self.fresh = ir.fresh(function)
        self.arrays, self.counts, self.unsure = arrays, counts, unsure
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign(value=ir.Call() as call) if statement in self.counts:
                    count = self.fresh.step()
                    whole = ir.Call("builtins.int", call.args[1:])
                    made.append(ir.Assign((count,), whole, statement.origin))
                    repeated = replace(call, args=(call.args[0], ir.Name(count)))
                    made.append(replace(statement, value=repeated))
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
        if statement in self.unsure:
            factor = self.fresh.step()
            made = ir.Call("adlsp.runtime.factor", (second,))
            yield ir.Assign((factor,), made, statement.origin)
            second = ir.Name(factor)
        changed = replace(call, function=_on_arrays(call.function), args=(first, second))
        yield replace(statement, value=changed)
