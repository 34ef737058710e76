"""Objects of users' classes: what is read of them is a part, what is called a function.

`model.w` of an object whose class and attributes are known is an element of it, at an index that is
the name of the attribute: so the rest of the engine treats an object as a dictionary with these
keys. A call `model(x)` or `model.step(x)` is one of the method, to which the object is given. What
holds no numbers, such as a method or a text, is an option, on which nothing depends smoothly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adlsp.transform import arguments, ir
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Fresh
from adlsp.transform.source import Span
from adlsp.transform.values import changes, lattice, structures
from adlsp.transform.values.classes import FACTORIES, Construction
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Literal, Object, Value

Calling = ir.Assign | ir.Do
"""A statement with a call."""

Method = Callable[[str, str], ir.Held | None]
"""Finds the method of a class."""

Unset = Callable[[str, str], str]
"""Tells why an attribute of a class's objects is not just set and read; empty where it is."""


def resolved(
    statement: ir.Statement,
    call: ir.Call,
    typed: Typed,
    method: Method,
    unset: Unset,
    fresh: Fresh,
) -> tuple[ir.Block, ir.Call]:
    """A call with what an object in it stands for, and the steps that it needs before."""
    function = call.function
    if targets.is_attribute(function):
        return (), _attribute(statement, call, typed, method, unset)
    if isinstance(function, targets.Nested):
        return (), _own_method(statement, call, typed)
    if not targets.has_receiver(function):
        return (), call
    owner, *args = call.args
    base = typed.of(statement, owner)
    if not isinstance(base, Object):
        return (), call
    name = "__call__" if function == targets.CALL else targets.member(function)
    held = dict(base.attributes).get(name) if function != targets.CALL else None
    found = method(base.of, name) if held is None else None
    if isinstance(held, Object):
        found = method(held.of, "__call__")
    if not (found or isinstance(held, lattice.Function | lattice.Choice)):
        return (), call
    before: ir.Block = ()
    receiver = owner
    if function != targets.CALL:
        step = fresh.step()
        reading = "operator.getitem" if isinstance(held, Object) else ir.OPTION
        read = ir.Call(reading, (owner, ir.Const(ir.Attribute(name))), (), call.span)
        before = (ir.Assign((step,), read, statement.origin, statement.role),)
        owner = ir.Name(step)
        receiver = owner if isinstance(held, Object) else receiver
    if found is None:
        return before, _by_function(call, held, owner, args)
    captured = ((targets.Captured(name), receiver) for name, _ in found.captured)
    keywords = (*call.keywords, *captured)
    return before, replace(call, function=found.dotted, args=(owner, *args), keywords=keywords)


def constructed(statement: Calling, call: ir.Call, of: Construction, fresh: Fresh) -> ir.Block:
    """A call of a class: an object with fields, or one that a method fills."""
    bound = arguments.bind(_taking(of.fields), call) if of.fields or not of.method else {}
    if isinstance(bound, str):
        return (statement,)
    before: list[ir.Statement] = []
    origin, role, own = statement.origin, statement.role, ir.Global(of.of)
    fields: list[tuple[str, ir.Atom]] = []
    for parameter in of.fields:
        given = bound[parameter.name]
        assert isinstance(given, ir.Atom)
        if isinstance(given, ir.Global) and given == parameter.default:
            made = ir.Name(fresh.step())
            display = ir.Call(FACTORIES[given.dotted])
            before.append(ir.Assign((made.id,), display, origin, role))
            given = made
        fields.append((parameter.name, given))
    if not of.method:
        display = ir.Call(ir.OBJECT, (own,), tuple(fields), call.span)
        return (*before, replace(statement, value=display))
    target: str = fresh.step()
    match statement:
        case ir.Assign((name,), is_tuple=False) if name not in ir.names(call.atoms):
            target = name
    empty = ir.Call(ir.OBJECT, (own,), (), call.span)
    before.append(ir.Assign((target,), empty, origin, role))
    for name, given in fields:
        place = ir.Const(ir.Attribute(name))
        before.append(ir.Store(target, place, given, ir.REPLACE, origin, role))
    rest = replace(call, args=(), keywords=()) if fields else call
    started = replace(rest, function=of.method, args=(ir.Name(target), *rest.args))
    before.append(ir.Do(started, origin, role))
    if isinstance(statement, ir.Assign) and statement.targets != (target,):
        before.append(replace(statement, value=ir.Name(target)))
    return tuple(before)


def _taking(fields: tuple[ir.Parameter, ...]) -> ir.Function:
    """A function that takes the fields of an object."""
    return ir.Function("", "", fields, (), Span("", 0, 0, 0, 0))


def stored(statement: ir.Do, typed: Typed, unset: Unset) -> ir.Block | ir.Statement:
    """What an assignment to an attribute does: its steps, or what it was where these are unsure."""
    kept = statement.value
    assert isinstance(kept, ir.Opaque)
    assert kept.unfolded is not None
    steps, _ = kept.unfolded
    store = steps[-1]
    assert isinstance(store, ir.Store)
    assert store.index is not None
    base, index = typed.of(store, ir.Name(store.base)), typed.of(store, store.index)
    reason = changes.obstacle(base, index, unset)
    if reason is None:
        return steps
    findings = kept.findings
    if reason:
        findings = tuple(_because(found, reason) for found in findings)
    return replace(statement, value=replace(kept, unfolded=None, findings=findings))


def _because(found: Diagnostic, reason: str) -> Diagnostic:
    finding = found.finding
    if not isinstance(finding, language.MethodOrAttribute):
        return found
    return replace(found, finding=replace(finding, why=f": {reason}"))


def _by_function(call: ir.Call, held: Value | None, owner: ir.Atom, args: list[ir.Atom]) -> ir.Call:
    """A call of the function that an attribute holds."""
    match held:
        case lattice.Function(dotted, (), (), ()) if targets.is_plain(dotted):
            return replace(call, function=dotted, args=tuple(args))
    return replace(call, function=targets.CALL, args=(owner, *args))


def with_object(call: ir.Call) -> ir.Call | None:
    """A call of a method as one of the function that gets the object; None for others."""
    called, given = call.function, [*arguments.captured(call)]
    method = called.of if isinstance(called, targets.Instance) else called
    if not isinstance(method, targets.Nested) or len(given) != 1 or not targets.is_plain(method.of):
        return None
    (name, owner), *_ = given
    plain = method.of
    if isinstance(called, targets.Instance):
        plain = targets.Instance(called.given, method.of)
    keywords = tuple(pair for pair in call.keywords if pair[0] != targets.Captured(name))
    return ir.Call(plain, (owner, *call.args[1:]), keywords, call.span)


def _attribute(
    statement: ir.Statement, call: ir.Call, typed: Typed, method: Method, unset: Unset
) -> ir.Call:
    """An attribute: a part, or an option; it stays where nothing is known of it."""
    base = typed.of(statement, call.args[0])
    if not isinstance(base, Object):
        return call
    name = targets.member(call.function)
    held = dict(base.attributes).get(name)
    place = (call.args[0], ir.Const(ir.Attribute(name)))
    is_met = held == lattice.UNKNOWN and not unset(base.of, name)
    if held is not None and (structures.holds_numbers(held) or is_met):
        return replace(call, function="operator.getitem", args=place)
    is_option = _is_option(held) if held is not None else method(base.of, name) is not None
    return replace(call, function=ir.OPTION, args=place) if is_option else call


def _is_option(held: Value) -> bool:
    return isinstance(held, Literal | lattice.Function | lattice.Choice)


def _own_method(statement: ir.Statement, call: ir.Call, typed: Typed) -> ir.Call:
    """A call of a method of the same object, whose attribute may hold another function."""
    for key, atom in call.keywords:
        base = typed.of(statement, atom) if isinstance(key, targets.Captured) else None
        if isinstance(base, Object):
            held = dict(base.attributes).get(targets.member(call.function))
            if held is not None:
                rest = tuple(pair for pair in call.keywords if pair[0] is not key)
                made = replace(call, keywords=rest)
                return _by_function(made, held, call.args[0], [*call.args[1:]])
    return call
