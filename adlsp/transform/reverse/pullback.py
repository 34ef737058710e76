"""The adjoint of one step: what it adds to the gradients of its arguments.

This is its pullback (vector-Jacobian product). For a call it is the body of the rule, spliced in
with the atoms of the call for its parameters: `tanh` with `1 - out * out` gives `y = np.tanh(x)`
the contribution `y_bar * (1 - y * y)` to `x`. A copy passes the adjoint on, a display takes it
apart, `base[index]` adds it at the index, and a user's function has a backward function.
"""

from __future__ import annotations

from functools import partial
from typing import TypeGuard

from adlsp.transform import arguments, ir
from adlsp.transform.facts import operations
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.modes.augmented import Pairs
from adlsp.transform.modes.builder import RUNTIME
from adlsp.transform.reverse import plain_forms
from adlsp.transform.reverse.accumulate import Accumulator, Contribution
from adlsp.transform.reverse.partials import Partials
from adlsp.transform.rules import table
from adlsp.transform.values import broadcasting, growing
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import Array, Mapped, Number, Object, Sequence, Value

PARTS = "operator.getitem", "python.tuple", "python.slice"


def pullback(
    writer: Accumulator, statement: ir.Assign, out_bar: ir.Atom, out: ir.Atom
) -> list[Contribution]:
    """Writes the steps for the adjoint of an assignment's value; gives what they contribute.

    `out` is the value that was assigned (for rules that read their result), `out_bar` its adjoint.
    """
    match statement.value:
        case ir.Name() as atom if writer.varied(statement, atom):
            target = statement.targets[0]
            is_owned = target in writer.facts.in_place or target in writer.owned
            return [Contribution(atom.id, out_bar, is_owned, is_array=False)]
        case ir.Call(function="python.tuple" | "python.list", args=args):
            return _elements(
                writer, statement, [(ir.Const(i), a) for i, a in enumerate(args)], out_bar
            )
        case ir.Call(function="python.dict", args=args):
            pairs = list(zip(args[0::2], args[1::2], strict=True))
            return _elements(writer, statement, pairs, out_bar)
        case ir.Call(function=ir.OBJECT, keywords=fields):
            named = [(ir.Const(ir.Attribute(name)), atom) for name, atom in fields]
            return _elements(writer, statement, list(named), out_bar)
        case ir.Call(function=function, args=(base, index)) if function in ir.READING:
            return _item(writer, statement, base, index, out_bar)
        case ir.Call() as call:
            return _by_rule(writer, statement, call, out_bar, out)
    return []


def _elements(
    writer: Accumulator,
    statement: ir.Assign,
    items: list[tuple[ir.Atom, ir.Atom]],
    out_bar: ir.Atom,
) -> list[Contribution]:
    """The adjoint of a display: to each element its part."""
    made = []
    for key, atom in items:
        name = writer.varied(statement, atom)
        if name is not None:
            part = writer.call("operator.getitem", statement.origin, out_bar, key)
            made.append(Contribution(name, part, is_array=False))
    return made


def _item(
    writer: Accumulator,
    statement: ir.Assign,
    base: ir.Atom,
    index: ir.Atom,
    out_bar: ir.Atom,
) -> list[Contribution]:
    """The adjoint of `base[index]`: added in place, so that it costs what it touches."""
    name = writer.varied(statement, base)
    if name is None:
        return []
    indices = writer.facts.indices
    if (within := _within(writer, statement, base)) is not None:
        whole, steps = within
        path = writer.call(ir.PATH, statement.origin, *steps, writer.at(statement, index))
        return [Contribution(whole, out_bar, index=path)]
    if indices.is_whole(statement, index):
        return [Contribution(name, out_bar)]
    if writer.facts.shapes.is_scalar(writer.at(statement, base)):  # which `[None]` gives axes
        return [Contribution(name, writer.call("numpy.sum", statement.origin, out_bar), True)]
    is_read_whole = statement.targets[0] in writer.numeric and not statement.is_tuple
    is_number = is_read_whole or indices.is_of_array(statement, index)
    is_path = indices.is_path(statement, index)
    is_basic = is_path or (is_number and indices.is_basic(statement, index))
    is_basic &= not indices.adds_axes(statement, index) or _has_rank(writer, statement, base)
    is_basic |= _is_entry(writer, statement, base, index)
    at_index = writer.at(statement, index)
    is_slice = is_number and not is_path and indices.is_slice(statement, index)
    return [Contribution(name, out_bar, index=at_index, is_basic=is_basic, is_slice=is_slice)]


def _has_rank(writer: Accumulator, statement: ir.Statement, base: ir.Atom) -> bool:
    """Tells whether what is read is surely an array with axes, which can be changed in place."""
    value = writer.facts.inferred.read(statement, base)
    return isinstance(value, Array) and bool(value.rank)


def _within(
    writer: Accumulator, statement: ir.Statement, base: ir.Atom
) -> tuple[str, tuple[ir.Atom, ...]] | None:
    """A list of lists out of which a step has read a list just before, and the places on the way.

    What is added to a number in the inner list then costs just that.
    """
    facts = writer.facts
    match facts.indices.source(statement, base), base:
        case ir.Assign(
            value=ir.Call("operator.getitem", (ir.Name(id) as whole, index), ())
        ) as read, (ir.Name(Step())) if id == writer.varied(read, whole):
            inner, outer = facts.inferred.read(statement, base), facts.inferred.read(read, whole)
            is_plain = _is_list(inner) and (is_double(inner.element) or _is_list(inner.element))
            is_plain = is_plain and _is_list(outer) and not read.is_tuple
            is_plain = is_plain and facts.indices.is_integer(read, index)  # a slice is a copy
            if not (
                is_plain and id in writer.taken_apart and writer.is_steady(read, statement, id)
            ):
                return None
            place = writer.at(read, index)
            further = _within(writer, read, whole)
            if further is not None:
                return further[0], (*further[1], place)
            if id not in writer.present:
                writer.zero(id, writer.at(read, whole), read.origin)
            return id, (place,)
    return None


def _is_list(value: Value) -> TypeGuard[Sequence]:
    return isinstance(value, Sequence) and value.is_list and not value.is_once


def _is_entry(writer: Accumulator, statement: ir.Assign, base: ir.Atom, index: ir.Atom) -> bool:
    """Tells whether a part of a gradient is there and can be added to in its place.

    So it is for an entry of a dictionary of numbers or arrays, if it is there, and for a number
    that an object has of which the gradient is a record. Where the key is known, parts may get
    variables of their own.
    """
    match writer.facts.inferred.read(statement, base), index:
        case Mapped(element=element), ir.Name():
            found = writer.facts.inferred.written(statement, statement.targets[0])
            return is_double(element) and is_double(found)
        case Object(attributes=attributes) as value, ir.Const(ir.Attribute() as name):
            held = dict(attributes).get(name)
            is_number = isinstance(held, Number) and is_double(held)
            return is_number and writer.facts.program.constructor(value) == ir.RECORD
    return False


def _by_rule(
    writer: Accumulator,
    statement: ir.Assign,
    call: ir.Call,
    out_bar: ir.Atom,
    out: ir.Atom,
) -> list[Contribution]:
    """The adjoint of a call that has a rule."""
    rule = writer.facts.program.rule_of(call)
    if rule is None or rule.reverse is None:
        return []
    shape, whole = writer.bar_shape(statement), writer.bar_value(statement)
    bound = table.bind(rule.parameters, call)
    assert isinstance(bound, dict), f"{call.function} got past the checks"
    active = [name for name in rule.of if name in bound and writer.varied(statement, bound[name])]
    values = {name: writer.at(statement, atom) for name, atom in bound.items()}
    for name in writer.facts.taken_as_lists(rule, rule.reverse, bound):
        values[name] = writer.array(rule, values[name], statement.origin)
    for name, dtype in writer.facts.narrow(statement, rule, rule.reverse, bound).items():
        values[name] = writer.wide(values[name], dtype, statement.origin)
    values |= {"out": out, "out_bar": out_bar}
    positions = [rule.of.index(name) for name in active]
    first = len(writer.out)
    results = writer.splice(rule.reverse, values, positions, statement.origin)
    made_value = writer.facts.inferred.written(statement, statement.targets[0])
    is_whole = broadcasting.reduction(made_value, whole) == broadcasting.Reduction()
    if is_whole or growing.whole(made_value) is not None:
        loops = writer.facts.versions.writes[statement, statement.targets[0]].loops
        plain_forms.write_plainly(writer, first, made_value, loops)
    if rule.kind == "multilinear" and (square := _square(writer, first, results, out_bar)):
        twice = writer.call("operator.mul", statement.origin, ir.Const(2), out_bar)
        results = (writer.call("operator.mul", statement.origin, twice, square), *results[1:])
        active, positions = active[:1], positions[:1]
    partials = Partials(writer, first, results, statement.origin)
    made = []
    for name, position in zip(active, positions, strict=True):
        result, argument = results[position], bound[name]
        if rule.kind == "elementwise":
            same = [
                p
                for n, p in zip(active, positions, strict=True)
                if bound[n] == argument and results[p] == result
            ]
            if same[0] != position:
                continue
            times = out_bar
            if len(same) > 1:
                times = writer.call("operator.mul", statement.origin, ir.Const(len(same)), out_bar)
            is_left = name == rule.of[0] and _may_be_sparse(writer, statement, call)
            reduce = partial(writer.unbroadcast, statement, like=argument, shape=shape, whole=whole)
            given = partials.times(position, times, is_left=is_left)
            result = partials.summed(given, writer.facts.inferred.read(statement, argument), reduce)
        assert isinstance(argument, ir.Name)
        maker = writer.functions.get(result.id, "") if isinstance(result, ir.Name) else ""
        is_array = not (operations.gives_gradients(maker) or operations.is_written_out(maker))
        is_part = maker in ir.READING and targets.is_of(call.function, RUNTIME)
        if rule.kind != "elementwise" and (result == out_bar or is_part):
            is_array &= argument.id in writer.facts.arrays
        is_exact = is_whole and argument.id not in writer.spread_as
        made.append(
            Contribution(argument.id, result, writer.is_fresh(result), is_array, is_exact=is_exact)
        )
    return made


def _square(
    writer: Accumulator, first: int, results: tuple[ir.Atom, ...], out_bar: ir.Atom
) -> ir.Atom | None:
    """The vector that is multiplied by itself, `u[:i] @ u[:i]`, if that is so.

    Then the gradients of both factors are the same.
    """
    made = {ir.writes(step)[0]: step for step in writer.out[first:] if ir.writes(step)}
    match [made.get(atom.id) if isinstance(atom, ir.Name) else None for atom in results]:
        case [
            ir.Assign(value=ir.Call("operator.mul", (one_bar, one))),
            ir.Assign(value=ir.Call("operator.mul", (other_bar, other))),
        ] if one_bar == other_bar == out_bar and one != other and _is_same(writer, one, other):
            return one
    return None


def _is_same(writer: Accumulator, one: ir.Atom, other: ir.Atom) -> bool:
    """Tells whether two values are the same one, or the same part of one."""
    if one == other:
        return True
    versions = writer.version(one), writer.version(other)
    match [version.statement if version else None for version in versions]:
        case [
            ir.Assign((_,), ir.Call(function, args, ())) as first,
            ir.Assign((_,), ir.Call(same, others, ())) as second,
        ] if function == same and function in PARTS and len(args) == len(others):
            pairs = zip(args, others, strict=True)
            return all(
                _is_same(writer, writer.at(first, a), writer.at(second, b)) for a, b in pairs
            )
    return False


def _may_be_sparse(writer: Accumulator, statement: ir.Assign, call: ir.Call) -> bool:
    """Tells whether `x * a` may be the product with a sparse matrix: its gradient is `a * out_bar`.

    That of `a * x` is `out_bar * a`, as it is by elements.
    """
    match call:
        case ir.Call("operator.mul", (_, ir.Name() | ir.Global() as right)):
            is_fixed = writer.varied(statement, right) is None
            return is_fixed and writer.facts.program.has_sparse
    return False


def of_call(
    writer: Accumulator, statement: ir.Assign, pairs: Pairs, out_bar: ir.Atom
) -> list[Contribution]:
    """The adjoint of a call of a user's function: its backward function on what it saved."""
    call = statement.value
    assert isinstance(call, ir.Call)
    assert isinstance(call.function, targets.Pair)
    pair = pairs.of(call.function)
    saved = writer.after(statement, statement.targets[1])
    bound = arguments.bind(pair.function, call)
    assert isinstance(bound, dict)
    back = ir.Call(targets.Pair(pair.name, targets.Side.BACKWARD), (saved, out_bar))
    results = [writer.fresh.step(f"{readable(name)}_bar") for name in pair.active]
    writer.out.append(
        ir.Assign(tuple(results), back, statement.origin, ir.Role.ADJOINT, len(results) > 1)
    )
    return [
        Contribution(atom.id, ir.Name(result), is_array=False)
        for name, result in zip(pair.active, results, strict=True)
        if isinstance(atom := bound[name], ir.Name)
    ]
