"""The tangent of one step: by its rule, from the tangents of its arguments.

This is its pushforward (Jacobian-vector product).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.shapes import broadcast
from adlsp.transform.forward.tangents import Tangents
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.signs import OVERLOADED
from adlsp.transform.modes.builder import MINUS_ONE, ONE, RUNTIME
from adlsp.transform.rules import table
from adlsp.transform.source import Span
from adlsp.transform.values.lattice import UNKNOWN, Array, Number, Object, Sequence

ARITHMETIC = "elementwise", "multilinear"
"""The words of rules for what gives numbers or arrays, whatever it is given."""

TOGETHER = {
    "python.concat": f"{RUNTIME}.plus",
    "python.plus": f"{RUNTIME}.plus",
    "python.repeat": f"{RUNTIME}.repeated",
}
"""What puts tangents together as lists, of which those that are zero add up."""


def pushforward(
    writer: Tangents, statement: ir.Assign, value: ir.Expression, out: ir.Atom
) -> ir.Expression:
    """Writes the steps for the tangent of an expression whose value is `out`."""
    origin = statement.origin
    match value:
        case ir.Name():
            return writer.dot(statement, value)
        case ir.Opaque():
            return ir.Const(0.0)
        case ir.Call(function="python.tuple" | "python.list" as display, args=args):
            return ir.Call(display, tuple(writer.dot(statement, a) for a in args))
        case ir.Call(function="python.dict", args=args):
            parts = [a if i % 2 == 0 else writer.dot(statement, a) for i, a in enumerate(args)]
            return ir.Call("python.dict", tuple(parts))
        case ir.Call(function=ir.OBJECT, args=(ir.Global(of), *_), keywords=fields):
            dots = tuple((name, writer.part_dot(statement, atom)) for name, atom in fields)
            alike = Object(of, tuple((name, UNKNOWN) for name, _ in fields))
            made = writer.facts.program.constructor(alike) or ir.RECORD
            return ir.Call(ir.OBJECT, (ir.Global(made),), dots)
        case ir.Call(function="python.pop", args=(tape,)):
            return ir.Call("python.pop", (writer.dot(statement, tape),))
        case ir.Call(function="operator.getitem", args=(base, index)):
            return ir.Call("operator.getitem", (writer.dot(statement, base), index))
        case ir.Call(function="python.unpack", args=(base, *counts)):
            return replace(value, args=(writer.dot(statement, base), *counts))
        case ir.Call(function=function) if operations.keeps_elements(function):
            return _carried(writer, statement, value)
        case ir.Call():
            return _by_rule(writer, statement, value, out)
    raise AssertionError(f"{origin.path}:{origin.line} is outside the language")


def _carried(writer: Tangents, statement: ir.Assign, call: ir.Call) -> ir.Call:
    """The tangents that a loop runs over.

    What has none keeps its place: with zeros where whole elements have a name, and else with
    anything of its length, as nobody reads it.
    """
    origin, iterations = statement.origin, writer.activity.iterations
    is_whole = statement.targets[0] in iterations.whole
    args = []
    for atom in call.args:
        if writer.is_active(statement, atom):
            args.append(writer.dot(statement, atom))
        elif iterations.is_spent(atom) or (is_whole and iterations.is_count(atom)):
            args.append(writer.call("itertools.repeat", origin, ir.Const(0.0)))
        else:
            args.append(writer.dot(statement, atom) if is_whole else atom)
    if call.function == "builtins.enumerate" and is_whole:
        zero = writer.call("itertools.repeat", origin, ir.Const(0.0))
        return ir.Call("builtins.zip", (zero, args[0]))
    return ir.Call(call.function, tuple(args))


def _by_rule(writer: Tangents, statement: ir.Assign, call: ir.Call, out: ir.Atom) -> ir.Atom:
    """The tangent of a call that has a rule; of one that has none nothing may depend."""
    rule = writer.facts.program.rule_of(call)
    bound = None if rule is None else table.bind(rule.parameters, call)
    if rule is None or not isinstance(bound, dict):
        assert not writer.is_useful(statement), f"{call.function} got past the checks"
        return writer.call(f"{RUNTIME}.idle", statement.origin, out)
    active = [n for n in rule.of if n in bound and writer.is_active(statement, bound[n])]
    origin = statement.origin
    if call.function == "operator.add" and _may_put_together(writer, statement, call):
        return _sum(writer, statement, call, out)
    if rule.kind == "elementwise":
        return _elementwise(writer, statement, rule, bound, active, out)
    if rule.kind == "linear":
        dots = {n: writer.dot(statement, bound[n]) for n in rule.of if n in bound}
        if call.function in TOGETHER:
            further = call.args[len(dots) :]
            return writer.call(TOGETHER[call.function], origin, *dots.values(), *further)
        return again(writer, rule, call, dots, origin)
    if rule.kind == "multilinear":
        dots = {n: writer.dot(statement, bound[n]) for n in active}
        return total(
            writer, (again(writer, rule, call, {n: d}, origin) for n, d in dots.items()), origin
        )
    assert rule.forward is not None, f"no forward rule for {rule.name}"
    values = {**bound, "out": out}
    values |= {f"{n}_dot": writer.dot(statement, bound[n]) for n in active}
    values = _with_arrays(writer, statement, rule, rule.forward, values)
    positions = [rule.of.index(n) for n in active]
    results = writer.splice(rule.forward, values, positions, origin, Role.TANGENT)
    return total(writer, (results[p] for p in positions), origin)


def _may_put_together(writer: Tangents, statement: ir.Assign, call: ir.Call) -> bool:
    """Tells whether `a + b` may be of two lists: nothing says that one of them is none.

    Derivatives add their lists by functions of ours, and keep the lines of the user, whose calls
    have a place in the text.
    """
    is_ours = writer.is_derived and call.span is None
    return not is_ours and not any(_is_plain(writer, statement, a) for a in call.args)


def _is_plain(writer: Tangents, statement: ir.Assign, atom: ir.Atom) -> bool:
    """Tells whether an operand is surely a number or an array."""
    if not isinstance(atom, ir.Name):
        return True
    made = writer.facts.indices.definition(statement, atom)
    called = made.function if isinstance(made, ir.Call) else ""
    is_arithmetic = called not in OVERLOADED and table.load().word(called) in ARITHMETIC
    return is_arithmetic or isinstance(writer.facts.inferred.read(statement, atom), Number | Array)


def _sum(writer: Tangents, statement: ir.Assign, call: ir.Call, out: ir.Atom) -> ir.Atom:
    """The tangent of `a + b`, which may put lists together: so does that of their tangents."""
    origin, active = statement.origin, [writer.is_active(statement, a) for a in call.args]
    dots = [writer.dot(statement, a) for a in call.args if writer.is_active(statement, a)]
    if all(active):
        return writer.call("operator.add", origin, *dots)
    place = ir.Const(active.index(True))
    return writer.call(f"{RUNTIME}.plus_part", origin, *dots, out, *call.args, place)


def _elementwise(
    writer: Tangents,
    statement: ir.Assign,
    rule: table.Rule,
    bound: dict[str, ir.Atom],
    active: list[str],
    out: ir.Atom,
) -> ir.Atom:
    """The sum of partials times tangents, in the shape of the result."""
    assert rule.reverse is not None
    origin, shapes = statement.origin, writer.facts.shapes
    values = _with_arrays(writer, statement, rule, rule.reverse, {**bound, "out": out})
    dots = {n: writer.dot(statement, bound[n]) for n in active}
    may_be_lists = sum(map(writer.facts.may_be_list, (bound[n] for n in active))) > 1
    add = "numpy.add" if may_be_lists and rule.name == "numpy.add" else "operator.add"
    made = total(writer, partials(writer, statement, rule, values, dots), origin, add)
    given = broadcast(*(shapes.of(statement, bound[n]) for n in active))
    if shapes.is_same(statement, given, shapes.written(statement, statement.targets[0])):
        return made
    shape = writer.call("numpy.shape", origin, out)
    return writer.call(f"{RUNTIME}.stretch", origin, made, shape)


def partials(
    writer: Tangents,
    statement: ir.Statement,
    rule: table.Rule,
    values: dict[str, ir.Atom],
    dots: dict[str, ir.Atom],
) -> list[ir.Atom]:
    """The partials of an elementwise rule, each times the tangent of its argument.

    The factors of a product stay on their sides: that of a sparse matrix is none by elements.
    """
    assert rule.reverse is not None
    origin = statement.origin
    positions = [rule.of.index(name) for name in dots]
    results = writer.splice(rule.reverse, values, positions, origin, Role.TANGENT)
    terms = []
    for (name, tangent), position in zip(dots.items(), positions, strict=True):
        partial = results[position]
        may_be_lists = targets.is_of(rule.name, "numpy") and (
            partial in values.values() and _name(partial) not in writer.facts.arrays
        )
        is_list = _name(values[name]) in writer.facts.lists | writer.facts.displays
        is_list |= isinstance(writer.facts.inferred.read(statement, values[name]), Sequence)
        if is_list and not may_be_lists:
            tangent = writer.call("numpy.asarray", origin, tangent)
        if partial in (ONE, ir.Const(1.0)):
            terms.append(tangent)
        elif partial in (MINUS_ONE, ir.Const(-1.0)):
            terms.append(writer.call("operator.neg", origin, tangent))
        else:
            multiply = "numpy.multiply" if may_be_lists else "operator.mul"
            is_right = rule.name == "operator.mul" and name == rule.of[1]
            factors = (partial, tangent) if is_right else (tangent, partial)
            terms.append(writer.call(multiply, origin, *factors))
    return terms


def _name(atom: ir.Atom) -> str:
    return atom.id if isinstance(atom, ir.Name) else ""


def _with_arrays(
    writer: Tangents,
    statement: ir.Assign,
    rule: table.Rule,
    template: table.Template,
    values: dict[str, ir.Atom],
) -> dict[str, ir.Atom]:
    """What a rule computes with: arrays in the place of lists, and of their tangents."""
    made = dict(values)
    for name in writer.facts.taken_as_lists(rule, template, values):
        made[name] = writer.array(rule, values[name], statement.origin)
    for name, dtype in writer.facts.narrow(statement, rule, template, values).items():
        made[name] = writer.wide(made[name], dtype, statement.origin)
    return made


def again(
    writer: Tangents, rule: table.Rule, call: ir.Call, dots: dict[str, ir.Atom], origin: Span
) -> ir.Atom:
    """The same call with tangents in the place of some arguments."""
    positional = [p.name for p in rule.parameters if p.is_positional]
    args = tuple(
        dots.get(positional[i], atom) if i < len(positional) else atom
        for i, atom in enumerate(call.args)
    )
    keywords = tuple((key, dots.get(key, atom)) for key, atom in call.keywords)
    return writer.hold(ir.Call(call.function, args, keywords), origin)


def total(
    writer: Tangents, terms: Iterable[ir.Atom], origin: Span, add: str = "operator.add"
) -> ir.Atom:
    """The sum of some terms; a rule may give each as a list, one element for each result."""
    first, *others = terms
    for term in others:
        is_list = isinstance(term, ir.Name) and writer.functions.get(term.id) == "python.list"
        first = writer.call(f"{RUNTIME}.add" if is_list else add, origin, first, term)
    return first
