"""What the parts of a function change that stay as they were written: also what their calls do.

These are the effects (mod sets) of code that is not lowered (`ir.Opaque`). Lowering knows what they
bind and store; what a call changes, or gives a part of, only the whole program tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects, graphs, views
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir import targets


def with_effects(function: ir.Function, known: Callees) -> ir.Function:
    """The function with all that its unread parts may change among what they write."""
    found = {
        s: tuple(dict.fromkeys(_changed(s.value, known)))
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign | ir.Do)
        and isinstance(s.value, ir.Opaque)
        and (s.value.calls or s.value.holds)
    }

    def block(statements: ir.Block) -> ir.Block:
        return tuple(statement(each) for each in statements)

    def statement(given: ir.Statement) -> ir.Statement:
        match given:
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value) if (
                found.get(given)
            ):
                writes, changes = (
                    (*names, *(name for name in found[given] if name not in names))
                    for names in (value.writes, value.changes)
                )
                return replace(given, value=replace(value, writes=writes, changes=changes))
            case ir.If() | ir.For() | ir.While():
                return ir.rebuilt(given, block=block)
        return given

    return replace(function, body=block(function.body)) if any(found.values()) else function


def _changed(value: ir.Opaque, known: Callees) -> Iterator[str]:
    """The variables that an unread part may change, under their own names or under others."""

    def given(name: str) -> Iterator[str]:
        for held, function, variables in value.holds:
            if held == name and _may_give(function, variables):
                yield from variables

    its_own = {*value.reads, *value.writes}
    changed = graphs.reached((*value.changes, *_changed_by_calls(value, known)), given)
    yield from (name for name in changed if name in its_own)


def _may_give(function: str, variables: tuple[str, ...]) -> bool:
    """Tells whether a function may give a part of what it is given; without a name, that itself."""
    if not function:
        return True
    return views.may_view(ir.Call(function, tuple(map(ir.Name, variables))))


def _changed_by_calls(value: ir.Opaque, known: Callees) -> Iterator[str]:
    """The variables that the calls in an unread part may change."""
    for function, names in _calls(value, known):
        if ir.changes_first(function):
            yield from names
        elif names and known.rule(function) is None:
            callee = known.function(function)
            if callee is not None:
                yield from names if known.written(callee) else ()
            elif known.is_class(function):
                continue
            elif effects.may_change_any(function) or effects.may_change_first(function):
                yield from names


def _calls(value: ir.Opaque, known: Callees) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The calls in an unread part: a method is what its steps call, where its object is known."""
    called = _called(value.unfolded[0]) if value.unfolded else set[str]()
    functions = sorted(each for each in called if known.function(each) is not None)
    for function, names in value.calls:
        if functions and targets.is_method(function) and function not in called:
            yield from ((each, names) for each in functions)
        else:
            yield function, names


def _called(block: ir.Block) -> set[str]:
    """What some steps call, also inside of what they keep as written."""
    found: set[str] = set()
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call(function)) | ir.Do(value=ir.Call(function)):
                found.add(function)
            case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
                found |= _called(steps)
            case ir.Assign(value=ir.Opaque(calls=calls)) | ir.Do(value=ir.Opaque(calls=calls)):
                found.update(function for function, _ in calls)
    return found
