"""Tells at sight that nothing in a program has to be looked at before there are arguments."""

from __future__ import annotations

from collections.abc import Container, Iterator

from adlsp.transform import arguments, ir
from adlsp.transform.checks.subject import needs_no_rule, value_of
from adlsp.transform.facts import graphs, operations
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Runs
from adlsp.transform.program import Program
from adlsp.transform.rules import table

BY_RESULT = (Runs.IN_TURN, Runs.LATER)
"""How functions run of which it counts what becomes of their results."""


def is_plain(dotted: str, program: Program) -> bool:
    """Tells whether a function, and all that it calls, consists of steps that have derivatives.

    What else may be in the way, arguments tell: which arrays share memory, what is an object. Such
    findings wait for these; what is no plain step is looked at closely, to refuse it at once.
    """
    root = program.signature(dotted)
    if root is None or program.rules.problems:
        return False
    reached = graphs.reached((root,), lambda function: _called(function, program))
    return all(_has_plain_steps(function, program) for function in reached)


def _called(function: ir.Function, program: Program) -> Iterator[ir.Function]:
    """The user's functions that a function calls."""
    for statement in ir.walk(function.body):
        if isinstance(value := value_of(statement), ir.Call):
            called = program.signature(value.function)
            if called is not None:
                yield called


def _has_plain_steps(function: ir.Function, program: Program) -> bool:
    if function.findings or any(isinstance(p.default, ir.Global) for p in function.parameters):
        return False
    steps = [(statement, value_of(statement)) for statement in ir.walk(function.body)]
    constant = {
        name
        for statement, value in steps
        if isinstance(value, ir.Call) and _is_constant(value, program)
        for name in ir.writes(statement)
    }
    for statement, value in steps:
        match value:
            case ir.Opaque() if value.findings or value.states or value.changes:
                return False
            case ir.Call() if not _is_step(value, constant, program):
                return False
        if isinstance(statement, ir.Insert):
            return False
    return True


def _is_constant(call: ir.Call, program: Program) -> bool:
    """Tells whether what a call gives never varies."""
    rule = program.rule(call.function)
    return rule is not None and rule.kind == "constant"


def _is_step(call: ir.Call, constant: Container[str], program: Program) -> bool:
    """Tells whether a call has a derivative, whichever of its arguments vary."""
    does = operations.of(call.function)
    if does.reads_all is not None or does.runs in BY_RESULT or does.searches or does.cuts:
        return False
    if needs_no_rule(call.function):
        if call.function == "python.dict" and any(ir.names(call.args[::2])):
            return False
        is_read = call.function == "operator.getitem"
        return not (is_read and isinstance(call.args[0], ir.Global))
    rule = program.rule_of(call)
    if rule is None:
        callee = program.signature(call.function)
        return callee is not None and not isinstance(arguments.bind(callee, call), str)
    if rule.kind == "constant":
        return not targets.is_method(call.function) or len(call.atoms) == 1
    is_in_both_modes = rule.kind != "custom" or None not in (rule.reverse, rule.forward)
    bound = table.bind(rule.parameters, call)
    if rule.kind == "broken" or rule.problems or not is_in_both_modes or isinstance(bound, str):
        return False
    smooth = (*rule.of, *rule.silent)
    fixed = (atom for name, atom in bound.items() if name not in smooth)
    return all(not isinstance(atom, ir.Name) or atom.id in constant for atom in fixed)
