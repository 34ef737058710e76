"""Gradients that may be NaN at elements that are not chosen: `where(x > 0, log(x), 0.0)`.

Both values are computed for all elements. The gradient of one that is not chosen is zero times its
derivative, and that is NaN where the derivative is infinite or undefined. It is looked for where
the condition is about the very operand: there somebody has meant to leave such elements out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from adlsp.transform import ir
from adlsp.transform.checks.subject import Subject, value_of
from adlsp.transform.diagnostics import gradients
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix
from adlsp.transform.facts import graphs, operations
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import signs
from adlsp.transform.ir.variables import Generated
from adlsp.transform.ops.spec import Effect, Operation
from adlsp.transform.source import Span

Step = tuple[ir.Assign, ir.Call]
"""A call, and the statement that it is the value of."""


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that is not chosen where a condition, as it is written, is `truth`."""

    chooser: ir.Call
    condition: str
    truth: str


def choice(subject: Subject, statement: ir.Statement, call: ir.Call) -> Iterator[Diagnostic]:
    """A choice between values, of which one has no finite derivative where it is not chosen."""
    is_looked_at = operations.of(call.function).selects and not subject.is_forward
    if not is_looked_at or not subject.activity.is_active(statement):
        return
    condition, x, y = (
        operations.given_at(call, place, name) for place, name in enumerate(("condition", "x", "y"))
    )
    shown = _text(subject, statement, condition)
    singular = [
        (made, inner, truth, same)
        for atom, truth in ((x, "false"), (y, "true"))
        for made, inner in _steps(subject, statement, atom)
        if (operand := _operand(inner)) is not None
        and subject.activity.is_active(made)
        and (same := _same(subject, made, operand))
    ]
    if shown is None or not singular:
        return
    guards = {True: set[object](), False: set[object]()}
    for made, each in _steps(subject, statement, condition):
        is_one = operations.of(each.function).computes is Operation.EQUAL
        guards[is_one].update(_same(subject, made, atom) for atom in each.args)
    for made, inner, truth, same in singular:
        is_tame = operations.of(inner.function).is_tame
        if same in guards[False] or (same in guards[True] and not is_tame):
            yield _found(subject, made, inner, _Value(call, shown, truth))


def _found(subject: Subject, made: ir.Assign, inner: ir.Call, value: _Value) -> Diagnostic:
    part = subject.known.quote(inner.span or made.origin)
    finding = gradients.MaskedGradient(part, value.condition, value.truth)
    name = subject.varied(made, ir.names(inner.atoms))[0]
    found = subject.found(made, finding, inner.span or made.origin, name)
    return replace(found, fix=_fix(subject, made, inner, value), blocks=False)


def _operand(call: ir.Call) -> ir.Atom | None:
    """The argument of a call for which it may have no finite derivative."""
    record = operations.of(call.function)
    place = record.singular
    match call.args:
        case (_, ir.Const(int() | float() as exponent)) if record.computes is Operation.POWER:
            place = 0 if exponent < 0 or exponent % 1 else None
    return call.args[place] if place is not None and place < len(call.args) else None


def _version(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> Version | None:
    return (
        subject.facts.versions.reads.get((statement, atom.id))
        if isinstance(atom, ir.Name)
        else None
    )


def _steps(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> list[Step]:
    """The calls of which a value is made element by element, each once."""
    assigns = graphs.reached(_made(subject, statement, atom), partial(_before, subject))
    return [(assign, assign.value) for assign in assigns if isinstance(assign.value, ir.Call)]


def _made(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> list[ir.Assign]:
    """The assignment that made an operand, if it was one."""
    version = _version(subject, statement, atom)
    if version is not None and version.kind is VersionKind.ASSIGN:
        match version.statement:
            case ir.Assign(is_tuple=False) as assign:
                return [assign]
    return []


def _before(subject: Subject, assign: ir.Assign) -> list[ir.Assign]:
    """The assignments of the operands of one that computes element by element."""
    known = subject.operands
    if assign not in known:
        known[assign] = []
        match assign.value:
            case ir.Name() as other:
                known[assign] = _made(subject, assign, other)
            case ir.Call(args=args) as call:
                rule = subject.known.rule_of(call)
                is_logical = call.function in signs.LOGICAL
                if is_logical or (rule is not None and rule.kind in ("elementwise", "constant")):
                    known[assign] = [m for each in args for m in _made(subject, assign, each)]
    return known[assign]


def _same(
    subject: Subject, statement: ir.Statement, atom: ir.Atom
) -> Version | tuple[Span, str] | None:
    """What is the same for the same value: the version of a variable, the text of a step.

    There is none for what has been kept away from some numbers already.
    """
    version = _version(subject, statement, atom)
    made = version.statement if version is not None else None
    call = value_of(made) if made is not None else None
    if made is None or not isinstance(call, ir.Call):
        return version
    record = operations.of(call.function)
    if record.bounds or record.selects:
        return None
    is_step = isinstance(atom, ir.Name) and isinstance(atom.id, Generated)
    return (made.origin, subject.known.quote(call.span)) if is_step and call.span else version


def _text(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> str | None:
    """A variable or a step as it is written."""
    if isinstance(atom, ir.Name) and not isinstance(atom.id, Generated):
        return atom.id
    span = _span(subject, statement, atom)
    return subject.known.quote(span) if span is not None else None


def _span(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> Span | None:
    """Where a step is written."""
    version = _version(subject, statement, atom)
    made = value_of(version.statement) if version is not None and version.statement else None
    return made.span if isinstance(made, ir.Call) else None


def _fix(subject: Subject, made: ir.Assign, inner: ir.Call, value: _Value) -> Fix | None:
    """The same choice for the operand, where it stands in the other, first or last in one line."""
    place, outer = inner.span, value.chooser.span
    operand = _text(subject, made, _operand(inner))
    if place is None or outer is None or operand is None or outer.line != outer.end_line:
        return None
    written = subject.known.quote(place)
    end = place.end_column - (not written.endswith(operand))
    is_told = written.endswith((operand, f"{operand})"))
    if written.startswith(f"{operand} **"):
        is_told, end = True, place.column + len(operand)
    if not (is_told and outer.holds(place) and _is_pure(subject, outer)):
        return None
    regular = operations.of(inner.function).regular or 1.0
    first, last = (operand, regular) if value.truth == "false" else (regular, operand)
    chooser = subject.known.quote(outer).partition("(")[0]
    span = replace(place, column=end - len(operand), end_column=end)
    edit = Edit(span, f"{chooser}({value.condition}, {first}, {last})")
    return Fix(
        f"Take {regular} for `{operand}` where `{value.condition}` is {value.truth}", (edit,)
    )


def _is_pure(subject: Subject, span: Span) -> bool:
    """Tells whether what is computed at a place may be computed once more."""
    return all(
        operations.of(value.function).effect is Effect.NONE
        for statement in ir.walk(subject.function.body)
        if isinstance(value := value_of(statement), ir.Call)
        and value.span is not None
        and span.holds(value.span)
    )
