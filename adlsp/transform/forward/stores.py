"""The tangent of stores: `base[index] = value`, `base[index] += value`, `base *= value`."""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.forward.pushforward import again, partials, total
from adlsp.transform.forward.tangents import Tangents, dot, zeros
from adlsp.transform.ir import Role, StoreKind
from adlsp.transform.modes.builder import RUNTIME
from adlsp.transform.source import Span


def store(writer: Tangents, statement: ir.Store) -> None:
    """Writes a store into something varied, and the store into its tangent."""
    if statement.index is None:
        _whole(writer, statement)
        return
    if statement.is_assign:
        _assigned(writer, statement)
        return
    if not writer.has_before(statement, statement.base):
        writer.bind(statement.base, zeros(statement.base), statement.origin)
    made = _resized if ir.resizes(statement) else _place
    writer.out.append(made(writer, statement))
    writer.out.append(statement)


def _assigned(writer: Tangents, statement: ir.Store) -> None:
    """A variable that is set as a whole, to what has its shape; its tangent is a tensor."""
    origin, base, kind = statement.origin, statement.base, statement.kind
    tangent = None
    if writer.is_active(statement, statement.value):
        tangent = writer.dot(statement, statement.value)
    old = ir.Name(dot(base))
    writer.out.append(statement)
    if kind.adds and writer.has_before(statement, base):
        if tangent is not None:
            writer.rebind(base, writer.call(kind.operator, origin, old, tangent), origin)
    elif tangent is None:
        writer.bind(base, zeros(base), origin)
    elif kind is StoreKind.SUB:
        writer.bind(base, ir.Call("operator.neg", (tangent,)), origin)
    else:
        writer.rebind(base, tangent, origin)


def _resized(writer: Tangents, statement: ir.Store) -> ir.Statement:
    """A list that becomes longer or shorter: so does that of its tangents."""
    name, origin = dot(statement.base), statement.origin
    if statement.kind is StoreKind.POP:
        return ir.popped(name, origin, Role.TANGENT)
    return ir.appended(name, writer.dot(statement, statement.value), origin, Role.TANGENT)


def _place(writer: Tangents, statement: ir.Store) -> ir.Statement:
    """The store into the place of the tangent that the primal's store changes."""
    origin, base, index = statement.origin, statement.base, statement.index
    kind, value = statement.kind, statement.value
    assert index is not None
    if ir.sets_cell(statement):
        tangent = writer.dot(statement, value)
        return ir.Store(dot(base), index, tangent, kind, origin, Role.TANGENT)
    if kind.replaces or kind.adds:
        is_set = writer.is_active(statement, value) or writer.is_entry(statement)
        tangent = writer.dot(statement, value) if is_set else ir.Const(0)
        made = ir.Store(dot(base), index, tangent, kind, origin, Role.TANGENT)
        return replace(made, is_each=statement.is_each)
    if _is_constant(writer, statement):
        return ir.Store(dot(base), index, ir.Const(0), StoreKind.REPLACE, origin, Role.TANGENT)
    old = writer.call("operator.getitem", origin, ir.Name(base), index)
    old_dot = writer.call("operator.getitem", origin, ir.Name(dot(base)), index)
    tangent, _ = _operated(writer, statement, old, old_dot)
    return ir.Store(dot(base), index, tangent, StoreKind.REPLACE, origin, Role.TANGENT)


def _whole(writer: Tangents, statement: ir.Store) -> None:
    """`base += value` and its like: the tangent has the shape of the result."""
    origin, base = statement.origin, statement.base
    is_before = writer.has_before(statement, base)
    old: ir.Atom = ir.Name(dot(base)) if is_before else ir.Const(0.0)
    if statement.kind.adds:
        tangent: ir.Atom = ir.Const(0)
        if writer.is_active(statement, statement.value):
            tangent = writer.dot(statement, statement.value)
            listed = writer.facts.lists | writer.facts.displays
            if base not in listed and not listed.isdisjoint(ir.names((statement.value,))):
                tangent = writer.call("numpy.asarray", origin, tangent)
        summed = writer.call(statement.kind.operator, origin, old, tangent)
        writer.out.append(statement)
        stretched = _stretched(writer, summed, ir.Name(base), origin)
        if is_before:
            writer.rebind(base, stretched, origin)
        else:
            zero = writer.hold(zeros(base), origin)
            writer.bind(base, ir.Call(f"{RUNTIME}.refill", (zero, stretched)), origin)
        return
    if not is_before:
        writer.bind(base, zeros(base), origin)
    if _is_constant(writer, statement):
        writer.out.append(statement)
        writer.bind(base, zeros(base), origin)
        return
    tangent, out = _operated(writer, statement, ir.Name(base), old)
    stretched = _stretched(writer, tangent, out, origin)
    writer.out.append(statement)
    writer.rebind(base, stretched, origin)


def _stretched(writer: Tangents, tangent: ir.Atom, like: ir.Atom, origin: Span) -> ir.Atom:
    shape = writer.call("numpy.shape", origin, like)
    return writer.call(f"{RUNTIME}.stretch", origin, tangent, shape)


def _is_constant(writer: Tangents, statement: ir.Store) -> bool:
    """Tells whether the operation of a store has a derivative of zero."""
    rule = writer.facts.program.rule(statement.kind.operator)
    assert rule is not None
    return rule.kind == "constant"


def _operated(
    writer: Tangents, statement: ir.Store, old: ir.Atom, old_dot: ir.Atom
) -> tuple[ir.Atom, ir.Atom]:
    """The tangent of the operation of a store on the old value, and its result."""
    origin, function = statement.origin, statement.kind.operator
    rule = writer.facts.program.rule(function)
    assert rule is not None
    first, second = rule.of
    call = ir.Call(function, (old, statement.value))
    out = ir.Name(writer.fresh.step())
    writer.out.append(ir.Assign((out.id,), call, origin, statement.role))
    dots = {first: old_dot} if writer.is_active(statement, ir.Name(statement.base)) else {}
    if writer.is_active(statement, statement.value):
        dots[second] = writer.dot(statement, statement.value)
    if rule.kind == "elementwise":
        values = {first: old, second: statement.value, "out": out}
        return total(writer, partials(writer, statement, rule, values, dots), origin), out
    terms = [again(writer, rule, call, {name: tangent}, origin) for name, tangent in dots.items()]
    return total(writer, terms, origin), out
