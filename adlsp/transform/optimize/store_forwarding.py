"""Sets a place of an adjoint at once: `x_bar[i] = 0; x_bar[i] += v` becomes `x_bar[i] = v`.

A dead store is removed, and what it stored forwarded to the load behind it. Such pairs come from
stores whose value reads what they overwrite, `x[i] = 2 * x[i]`. Only results of arithmetic are set,
which are new: nothing else is changed where the place is changed later. After `x[i] = x[i] + v` the
place gets back what it had, and is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.ir import StoreKind
from adlsp.transform.rules import table

ZERO = ir.Const(0)


def forward_stores(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block in which no place is set to zero only to be added to."""
    made: list[ir.Statement] = []
    for statement in block:
        match statement:
            case ir.Store(
                kind=StoreKind.ADD,
                value=ir.Name(id),
                index=ir.Name() | ir.Const(),
                is_each=False,
            ):
                place = _zeroed(statement, made)
                if place is not None and _is_new(id, made, rule):
                    del made[place]
                    statement = replace(statement, kind=StoreKind.REPLACE)
                elif (given_back := _given_back(statement, id, made)) is not None:
                    del made[given_back]
                    continue
        made.append(ir.rebuilt(statement, block=lambda inner: forward_stores(inner, rule)))
    return tuple(made)


def _is_new(
    name: str, before: list[ir.Statement], rule: Callable[[str], table.Rule | None]
) -> bool:
    """Tells whether a variable is the result of arithmetic."""
    made = _last(name, before)
    match None if made is None else before[made]:
        case ir.Assign(value=ir.Call(function=function), is_tuple=False):
            known = rule(function)
            is_arithmetic = known is not None and known.gives_new
            return is_arithmetic or operations.is_fresh_of_runtime(function)
    return False


def _given_back(store: ir.Store, name: str, before: list[ir.Statement]) -> int | None:
    """Where the place of a store was set to zero, if it gets back what it had.

    `t = rt.copy(x_bar[i]); x_bar[i] = 0; …; x_bar[i] += t`, where others are at most added to.
    """
    zeroed, made = _zeroed(store, before, is_added_to=True), _last(name, before)
    if zeroed is None or made is None or made > zeroed:
        return None
    match before[made]:
        case ir.Assign(value=ir.Call("adlsp.runtime.copy", (ir.Name(part),)), is_tuple=False):
            read = _last(part, before)
            value = None if read is None else before[read]
        case value:
            read = made
    match value:
        case ir.Assign(value=ir.Call("operator.getitem", (base, index)), is_tuple=False):
            zero = before[zeroed]
            assert read is not None
            assert isinstance(zero, ir.Store)
            between = before[read + 1 : zeroed]
            bound = {n for s in ir.walk(tuple(between)) for n in ir.writes(s)}
            is_steady = base == ir.Name(store.base) and store.base not in bound
            if is_steady and _is_same(index, zero.index, before[:zeroed], bound):
                return zeroed
    return None


def _zeroed(
    store: ir.Store, before: list[ir.Statement], *, is_added_to: bool = False
) -> int | None:
    """Where the place of a store was set to zero, if nobody has looked at it since.

    Other places may have been added to. `is_added_to`: and perhaps this one.
    """
    bound: set[str] = set()
    for position in reversed(range(len(before))):
        match before[position]:
            case ir.Store(base=base, index=index, kind=StoreKind.ADD | StoreKind.SUB) as added if (
                is_added_to and base == store.base and index is not None
            ):
                if store.base in ir.names((added.value, index)):
                    return None
                continue
            case ir.Store(base=base, index=index, kind=StoreKind.ADD | StoreKind.SUB) as added if (
                base == store.base
                and ir.Name(base) != added.value
                and _is_apart(index, store.index, before, bound)
            ):
                continue
            case ir.Store(base=base, index=index, value=value, kind=StoreKind.REPLACE) if (
                base == store.base and value == ZERO
            ):
                return position if _is_same(index, store.index, before, bound) else None
            case ir.Assign(targets=targets, value=value) as step if effects.is_pure(
                value
            ) and store.base not in (*ir.reads(step), *targets):
                bound.update(targets)
                continue
        return None
    return None


def _is_same(
    one: ir.Atom | None, other: ir.Atom | None, before: list[ir.Statement], bound: set[str]
) -> bool:
    """Tells whether two indices are the same variable, or computed in the same way.

    Variables in `bound` have been bound between the two: those say nothing.
    """
    if one == other:
        return one is not None and not (isinstance(one, ir.Name) and one.id in bound)
    if not (isinstance(one, ir.Name) and isinstance(other, ir.Name)) or one.id in bound:
        return False
    first, second = _definition(one.id, before), _definition(other.id, before)
    if first is None or second is None or replace(first, args=()) != replace(second, args=()):
        return False
    return len(first.args) == len(second.args) and all(
        _is_same(a, b, before, bound) for a, b in zip(first.args, second.args, strict=True)
    )


def _is_apart(
    one: ir.Atom | None, other: ir.Atom | None, before: list[ir.Statement], bound: set[str]
) -> bool:
    """Tells whether two indices surely select different elements: `x[-1, k]` and `x[-2, k]`.

    The first must not be bound again since it was used. That one counts from the start and the
    other from the end says nothing.
    """
    match one, other:
        case ir.Const(first), ir.Const(second) if type(first) is int is type(second):
            return first != second and (first < 0) == (second < 0)
        case ir.Name(first), ir.Name(second) if first not in bound:
            match _definition(first, before), _definition(second, before):
                case (
                    ir.Call("python.tuple", (ir.Const() as row, *_)),
                    ir.Call("python.tuple", (ir.Const() as another, *_)),
                ):
                    return _is_apart(row, another, before, bound)
    return False


def _definition(name: str, before: list[ir.Statement]) -> ir.Call | None:
    """The call that made a variable, if it would still give the same."""
    made = _last(name, before)
    match None if made is None else before[made]:
        case ir.Assign(value=ir.Call() as call, is_tuple=False) if effects.is_pure(call):
            bound = {name for s in ir.walk(tuple(before[made:])) for name in ir.writes(s)}
            if bound.isdisjoint(ir.names(call.atoms)):
                return call
    return None


def _last(name: str, before: list[ir.Statement]) -> int | None:
    """The last statement that binds a variable, or has one inside that does."""
    for position in reversed(range(len(before))):
        statement = before[position]
        inside = ir.walk((statement,)) if isinstance(statement, ir.NESTING) else (statement,)
        if any(name in ir.writes(inner) for inner in inside):
            return position
    return None
