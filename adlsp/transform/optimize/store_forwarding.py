"""Sets a place of an adjoint at once: `x_bar[i] = 0; x_bar[i] += v` becomes `x_bar[i] = v`.

A dead store is removed, and what it stored forwarded to the load behind it. Such pairs come from
stores whose value reads what they overwrite, `x[i] = 2 * x[i]`. Only results of arithmetic are set,
which are new: nothing else is changed where the place is changed later. After `x[i] = x[i] + v` the
place gets back what it had, and is left as it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

from adlsp.transform import ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.ir import StoreKind
from adlsp.transform.rules import table

ZERO = ir.Const(0)


def forward_stores(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block in which no place is set to zero only to be added to."""
    made = _Before()
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
                    made.drop(place)
                    statement = replace(statement, kind=StoreKind.REPLACE)
                elif (given_back := _given_back(statement, id, made)) is not None:
                    made.drop(given_back)
                    continue
        made.add(ir.rewritten(statement, block=lambda inner: forward_stores(inner, rule)))
    return tuple(statement for statement in made.statements if statement is not None)


class _Before:
    """The statements before a place; those that were left out are None.

    `bound` tells where a variable is bound, or something inside a statement binds it.
    """

    def __init__(self) -> None:
        self.statements: list[ir.Statement | None] = []
        self.bound: dict[str, list[int]] = {}

    def add(self, statement: ir.Statement) -> None:
        """Adds the statement that comes next."""
        inner = isinstance(statement, ir.NESTING)
        for name in _bound((statement,)) if inner else {*ir.writes(statement)}:
            self.bound.setdefault(name, []).append(len(self.statements))
        self.statements.append(statement)

    def drop(self, place: int) -> None:
        """Leaves a statement out."""
        statement, self.statements[place] = self.statements[place], None
        assert statement is not None
        for name in _bound((statement,)):
            self.bound[name].remove(place)

    def last(self, name: str, end: int | None = None) -> int | None:
        """The last place before an end where a variable is bound."""
        places = self.bound.get(name, [])
        before = len(places) if end is None else bisect_left(places, end)
        return places[before - 1] if before else None

    def between(self, start: int, end: int) -> Iterable[ir.Statement]:
        """The statements from a place up to an end."""
        return (s for s in islice(self.statements, start, end) if s is not None)


def _bound(block: Iterable[ir.Statement]) -> set[str]:
    """The variables that some statements bind, inner ones included."""
    return {name for s in ir.walk(tuple(block)) for name in ir.writes(s)}


def _is_new(name: str, before: _Before, rule: Callable[[str], table.Rule | None]) -> bool:
    """Tells whether a variable is the result of arithmetic."""
    made = before.last(name)
    match None if made is None else before.statements[made]:
        case ir.Assign(value=ir.Call(function=function), is_tuple=False):
            known = rule(function)
            is_arithmetic = known is not None and known.gives_new
            return is_arithmetic or operations.is_fresh_of_runtime(function)
    return False


def _given_back(store: ir.Store, name: str, before: _Before) -> int | None:
    """Where the place of a store was set to zero, if it gets back what it had.

    `t = rt.copy(x_bar[i]); x_bar[i] = 0; …; x_bar[i] += t`, where others are at most added to.
    """
    zeroed, made = _zeroed(store, before, is_added_to=True), before.last(name)
    if zeroed is None or made is None or made > zeroed:
        return None
    match before.statements[made]:
        case ir.Assign(value=ir.Call("adlsp.runtime.copy", (ir.Name(part),)), is_tuple=False):
            read = before.last(part)
            value = None if read is None else before.statements[read]
        case value:
            read = made
    match value:
        case ir.Assign(value=ir.Call("operator.getitem", (base, index)), is_tuple=False):
            zero = before.statements[zeroed]
            assert read is not None
            assert isinstance(zero, ir.Store)
            bound = _bound(before.between(read + 1, zeroed))
            is_steady = base == ir.Name(store.base) and store.base not in bound
            if is_steady and _is_same(index, zero.index, before, bound, zeroed):
                return zeroed
    return None


def _zeroed(store: ir.Store, before: _Before, *, is_added_to: bool = False) -> int | None:
    """Where the place of a store was set to zero, if nobody has looked at it since.

    Other places may have been added to. `is_added_to`: and perhaps this one.
    """
    bound: set[str] = set()
    for position in reversed(range(len(before.statements))):
        match before.statements[position]:
            case None:
                continue
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
    one: ir.Atom | None,
    other: ir.Atom | None,
    before: _Before,
    bound: set[str],
    end: int | None = None,
) -> bool:
    """Tells whether two indices are the same variable, or computed in the same way, at an end.

    Variables in `bound` have been bound between the two: those say nothing.
    """
    if one == other:
        return one is not None and not (isinstance(one, ir.Name) and one.id in bound)
    if not (isinstance(one, ir.Name) and isinstance(other, ir.Name)) or one.id in bound:
        return False
    first, second = _definition(one.id, before, end), _definition(other.id, before, end)
    if first is None or second is None or replace(first, args=()) != replace(second, args=()):
        return False
    return len(first.args) == len(second.args) and all(
        _is_same(a, b, before, bound, end) for a, b in zip(first.args, second.args, strict=True)
    )


def _is_apart(one: ir.Atom | None, other: ir.Atom | None, before: _Before, bound: set[str]) -> bool:
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


def _definition(name: str, before: _Before, end: int | None = None) -> ir.Call | None:
    """The call that made a variable, if it would still give the same at an end."""
    made = before.last(name, end)
    match None if made is None else before.statements[made]:
        case ir.Assign(value=ir.Call() as call, is_tuple=False) if effects.is_pure(call):
            assert made is not None
            places = (before.last(read, end) for read in ir.names(call.atoms))
            if all(place is None or place < made for place in places):
                return call
    return None
