"""Calls that change an array without a word, such as `rng.shuffle(order)`, change a copy of it.

This is copy-in, copy-out around a clobber. What the backward sweep reads is then there as it was in
each pass: `t = order.copy()`, `rng.shuffle(t)`, `order = t`. Where the array has other names that
are used later, or is a part of one that has, what comes of it is put back: `order[...] = t`, which
the backward sweep can undo.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.canonical import objects
from adlsp.transform.facts import effects
from adlsp.transform.frontend import ufunc_at
from adlsp.transform.ir import StoreKind, targets
from adlsp.transform.ir.variables import Generated, Step
from adlsp.transform.modes.builder import RUNTIME
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Kind
from adlsp.transform.program import Program

IN_PLACE = {name for name in records.CHANGING if not records.said(name).resizes}
"""What changes its first argument, and makes it neither longer nor shorter."""


def on_copies(function: ir.Function, known: Program) -> ir.Function:
    """The function in which a call that clobbers an array changes a copy of it."""
    changes = {
        statement: names
        for statement in ir.walk(function.body)
        if (names := [*_changed(statement, known)])
    }
    if not changes:
        return function
    facts = known.facts(function)
    shared, live = facts.aliases(scalar_elements=False), facts.live.after
    fresh = ir.fresh(function)

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            copies: dict[str, Step] = {}
            seen: set[str] = set()
            for name in changes.get(statement, ()):
                later = live[statement].difference(ir.writes(statement))
                if not later.isdisjoint(shared.shared(statement, name)):
                    seen.add(name)
                    if not _keeps_shape(statement):
                        continue
                elif isinstance(name, Generated):
                    continue
                copies[name] = fresh.step()
            made += _on_copies(statement, copies, seen)
            if not copies:
                made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def _on_copies(
    statement: ir.Statement, copies: dict[str, Step], seen: set[str]
) -> Iterator[ir.Statement]:
    """A call on copies of some variables, which are theirs from then on.

    Those that are `seen` under other names are put into the arrays of the variables.
    """

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(copies.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    origin = statement.origin
    for name, copy in copies.items():
        yield ir.Assign((copy,), ir.Call(f"{RUNTIME}.copy", (ir.Name(name),)), origin)
    if copies:
        yield ir.rebuilt(_given_object(statement), atom)
    for name, copy in copies.items():
        if name not in seen:
            yield ir.Assign((name,), ir.Name(copy), origin)
            continue
        place: ir.Atom = ufunc_at.WHOLE
        if records.said(_called(statement)).reorders or not _gives_back(statement):
            place = ir.Name(Step(copy.number, "place"))
            yield ir.Assign((place.id,), ir.Call("python.slice", (ir.Const(None),) * 3), origin)
        yield ir.Store(name, place, ir.Name(copy), StoreKind.REPLACE, origin)
        if isinstance(statement, ir.Assign) and _gives_back(statement):
            yield ir.Assign(statement.targets, ir.Name(name), origin)


def _given_object(statement: ir.Statement) -> ir.Statement:
    """A call of a method as one of the function, which may be given a copy of the object."""
    if isinstance(statement, ir.Do) and isinstance(statement.value, ir.Call):
        return replace(statement, value=objects.with_object(statement.value) or statement.value)
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call):
        return replace(statement, value=objects.with_object(statement.value) or statement.value)
    return statement


def _called(statement: ir.Statement) -> str:
    """The function that a statement calls; "" if it calls none."""
    match statement:
        case ir.Do(value=ir.Call(function)) | ir.Assign(value=ir.Call(function)):
            return function
    return ""


def _keeps_shape(statement: ir.Statement) -> bool:
    """Tells whether what a call changes can be put back into its place."""
    called = _called(statement)
    if isinstance(statement, ir.Assign):
        return not (statement.is_tuple or ir.changes_first(called))
    is_of_array = records.said(called).of == (Kind.ARRAY,)
    return targets.is_of(called, "numpy") or is_of_array or bool(records.said(called).reorders)


def _gives_back(statement: ir.Statement) -> bool:
    """Tells whether the result of a call is what it has changed: it is not only spoiled."""
    match statement:
        case ir.Assign(value=ir.Call(keywords=keywords)) | ir.Do(value=ir.Call(keywords=keywords)):
            return not any(key.startswith("overwrite_") for key, _ in keywords)
    return True


def _changed(statement: ir.Statement, known: Program) -> Iterator[str]:
    """The variables whose arrays a call changes."""
    match statement:
        case ir.Do(value=ir.Call(function=called, args=args)) if called in IN_PLACE:
            yield from ir.names(args[:1])
        case ir.Do(value=ir.Call() as call):
            yield from ir.names((*known.changed(call), *effects.written(call)))
        case ir.Assign(value=ir.Call() as call):
            taken = call.args[:1] if ir.changes_first(call.function) else ()
            yield from ir.names((*taken, *effects.written(call)))
