"""Derivatives that are there and mislead: zero everywhere, infinite at zero, unstable.

Each is told of one call, by what the record of its function says and by how its argument is made.
What may be 0 is looked for only among what is never negative: there somebody who computes a root or
a logarithm meets 0, and no sign tells them before. And what is cut off at a bound is there often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from adlsp.transform import ir
from adlsp.transform.checks.subject import Subject
from adlsp.transform.diagnostics import gradients
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding, Fix
from adlsp.transform.facts import operations
from adlsp.transform.facts.signs import Signs, is_positive
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Operation


def derivative(subject: Subject, statement: ir.Statement, call: ir.Call) -> Iterator[Diagnostic]:
    """What misleads in the derivative of a call that takes part."""
    active = subject.varied(statement, ir.names(call.atoms))
    if not active or not subject.is_useful(statement):
        return
    found = _zero(subject, statement, call) or _unstable(subject, statement, call)
    found = found or _singular(subject, statement, call, active)
    if found is not None:
        told = subject.found(statement, found, call.span or statement.origin, active[0])
        yield replace(told, fix=_fix(subject, statement, call, found), blocks=False)


def _fix(subject: Subject, statement: ir.Statement, call: ir.Call, found: Finding) -> Fix | None:
    """The function of SciPy for a logarithm of a sum of exponentials, where NumPy's are called."""
    match found:
        case gradients.UnstableLogarithm(instead="logsumexp"):
            total = _made(subject, statement, call.args[0])
        case _:
            return None
    exponential = total and _made(subject, total[0], total[1].args[0])
    if total is None or exponential is None:
        return None
    calls = call, total[1], exponential[1]
    spans = [each.span for each in calls if each.span is not None]
    is_plain = [len(each.args) for each in (calls[0], calls[2])] == [1, 1]
    is_plain &= not call.keywords and not exponential[1].keywords
    is_plain &= {name for name, _ in total[1].keywords} <= {"axis", "keepdims"}
    is_plain &= len(total[1].args) <= 2 and targets.is_of(call.function, "numpy")
    is_nested = len(spans) == 3 and spans[0].holds(spans[1]) and spans[1].holds(spans[2])
    return subject.known.log_sum_exp(*spans) if is_plain and is_nested else None


def _zero(subject: Subject, statement: ir.Statement, call: ir.Call) -> Finding | None:
    """A function that is constant but where it jumps, if somebody has written it."""
    if call.span is None or not (
        operations.of(call.function).jumps or operations.cuts_fractions(call)
    ):
        return None
    name = next(iter(subject.varied(statement, ir.names(call.args))), None)
    if name is None:
        return None
    return gradients.ZeroDerivative(_quoted(subject, statement, call), subject.shown(ir.Name(name)))


def _singular(
    subject: Subject, statement: ir.Statement, call: ir.Call, active: list[str]
) -> Finding | None:
    """A function whose derivative is not finite where an argument is 0, which that may be."""
    record, part = operations.of(call.function), _quoted(subject, statement, call)
    signs = Signs(partial(_made, subject))
    if record.computes is Operation.POWER and len(call.args) > 1:
        base, exponent = call.args[:2]
        is_zero = signs.may_be_zero(statement, base)
        is_told = isinstance(base, ir.Const) or signs.is_positive(statement, base)
        is_told |= _is_exponential(subject, statement, base)
        if isinstance(exponent, ir.Name) and exponent.id in active and not is_told:
            where = "0" if is_zero else "not positive"
            return gradients.SingularDerivative(part, subject.shown(base), where)
        is_root = (
            isinstance(exponent, ir.Const) and is_positive(exponent.value) and exponent.value < 1
        )
        if is_root and is_zero:
            return gradients.SingularDerivative(part, subject.shown(base), "0")
    place = record.singular or 0
    if place >= len(call.args):
        return None
    operand = call.args[place]
    reached = _bounds(subject, statement, operand) if record.infinite_at else ()
    where = " or ".join(f"{number:g}" for number in record.infinite_at if number in reached)
    if where and operand in [ir.Name(name) for name in active]:
        return gradients.SingularDerivative(part, subject.shown(operand), where)
    if not record.infinite_at_zero:
        return None
    is_reached = record.singular is None or signs.may_be_zero(statement, operand)
    if not is_reached or operand not in [ir.Name(name) for name in active]:
        return None
    return gradients.SingularDerivative(part, subject.shown(operand), "0")


def _bounds(subject: Subject, statement: ir.Statement, operand: ir.Atom) -> set[object]:
    """The numbers to which a value is cut off."""
    made = _made(subject, statement, operand)
    if made is None or not operations.of(made[1].function).bounds:
        return set()
    inside, call = made
    numbers = {atom.value for atom in call.atoms if isinstance(atom, ir.Const)}
    return numbers.union(*(_bounds(subject, inside, atom) for atom in call.args))


def _unstable(subject: Subject, statement: ir.Statement, call: ir.Call) -> Finding | None:
    """The logarithm of a sum of exponentials, or of a part of one."""
    if operations.of(call.function).computes is not Operation.LOG or not call.args:
        return None
    part = _quoted(subject, statement, call)
    made = _made(subject, statement, call.args[0])
    while made is not None and made[1].function == "operator.getitem":
        made = _made(subject, made[0], made[1].args[0])
    if made is None:
        return None
    inside, inner = made
    computes = operations.of(inner.function).computes
    if computes is Operation.SHARES:
        return gradients.UnstableLogarithm(part, "log_softmax")
    if computes is Operation.DIVIDE:
        below = _made(subject, inside, inner.args[1])
        is_share = below is not None and _summed(subject, *below) is not None
        if is_share and _exponent(subject, inside, inner.args[0]) is not None:
            return gradients.UnstableLogarithm(part, "log_softmax")
    exponent = _summed(subject, inside, inner)
    if exponent is not None and not _is_shifted(subject, *exponent):
        return gradients.UnstableLogarithm(part, "logsumexp")
    return None


def _summed(
    subject: Subject, statement: ir.Statement, call: ir.Call
) -> tuple[ir.Statement, ir.Atom] | None:
    """What a call sums the exponentials of, and where; None if it sums none."""
    is_sum = operations.of(call.function).computes is Operation.SUM and call.args
    return _exponent(subject, statement, call.args[0]) if is_sum else None


def _is_shifted(subject: Subject, statement: ir.Statement, exponent: ir.Atom) -> bool:
    """Tells whether an extreme is subtracted from an exponent, or what may be one."""
    made = _made(subject, statement, exponent)
    if made is None or operations.of(made[1].function).computes is not Operation.SUBTRACT:
        return False
    shift = made[1].args[1]
    if isinstance(shift, ir.Const):
        return False
    extreme = _made(subject, made[0], shift)
    return extreme is None or operations.of(extreme[1].function).computes is Operation.EXTREME


def _exponent(
    subject: Subject, statement: ir.Statement, atom: ir.Atom
) -> tuple[ir.Statement, ir.Atom] | None:
    """What a value is the exponential of, and where; None if it is of nothing."""
    made = _made(subject, statement, atom)
    if made is None or operations.of(made[1].function).computes is not Operation.EXP:
        return None
    return made[0], made[1].args[0]


def _is_exponential(subject: Subject, statement: ir.Statement, atom: ir.Atom) -> bool:
    made = _made(subject, statement, atom)
    return made is not None and operations.of(made[1].function).computes is Operation.EXP


def _made(
    subject: Subject, statement: ir.Statement, atom: ir.Atom
) -> tuple[ir.Statement, ir.Call] | None:
    """The call that gives a value, and its statement; None where it is not one call."""
    match subject.facts.indices.source(statement, atom):
        case ir.Assign(value=ir.Call() as call, is_tuple=False) as made:
            return made, call
        case ir.Assign(value=ir.Name() as other, is_tuple=False) as copied:
            return _made(subject, copied, other)
    return None


def _quoted(subject: Subject, statement: ir.Statement, call: ir.Call) -> str:
    """A call as it is written."""
    return subject.known.quote(call.span or statement.origin)
