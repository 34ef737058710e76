"""Objects of users' classes: what is read of them is a part, what is called a function.

`model.w` of an object whose class and attributes are known is an element of it, at an index that is
the name of the attribute: so the rest of the engine treats an object as a dictionary with these
keys. A call `model(x)` or `model.step(x)` is one of the method, to which the object is given. What
holds no numbers, such as a method or a text, is an option, on which nothing depends smoothly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Fresh
from adlsp.transform.values import lattice, structures
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Literal, Object, Value

Method = Callable[[str, str], ir.Held | None]
"""Finds the method of a class."""


def resolved(
    statement: ir.Statement, call: ir.Call, typed: Typed, method: Method, fresh: Fresh
) -> tuple[ir.Block, ir.Call]:
    """A call with what an object in it stands for, and the steps that it needs before."""
    function = call.function
    if targets.is_attribute(function):
        return (), _attribute(statement, call, typed, method)
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


def _by_function(call: ir.Call, held: Value | None, owner: ir.Atom, args: list[ir.Atom]) -> ir.Call:
    """A call of the function that an attribute holds."""
    match held:
        case lattice.Function(dotted, (), (), ()) if targets.is_plain(dotted):
            return replace(call, function=dotted, args=tuple(args))
    return replace(call, function=targets.CALL, args=(owner, *args))


def _attribute(statement: ir.Statement, call: ir.Call, typed: Typed, method: Method) -> ir.Call:
    """An attribute: a part, or an option; it stays where nothing is known of it."""
    base = typed.of(statement, call.args[0])
    if not isinstance(base, Object):
        return call
    name = targets.member(call.function)
    held = dict(base.attributes).get(name)
    place = (call.args[0], ir.Const(ir.Attribute(name)))
    if held is not None and structures.holds_numbers(held):
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
