"""Why functions are not read where they may change what they are given."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from adlsp.transform import ir
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import aliases, graphs
from adlsp.transform.program import Program

Changed = tuple[ir.Function, str]
"""A function, and a parameter that it may change."""

Cause = Diagnostic | Changed
"""By what a function may change a parameter: what is not read, or a call."""


class Unread:
    """What is in the way of reading the functions of a program, each of which is walked once."""

    def __init__(self, known: Program) -> None:
        self._causes = cache(lambda function: _causes(function, known))

    def findings(self, function: ir.Function, parameter: str) -> Iterator[Diagnostic]:
        """Why a function is not read where it may change a parameter, itself or by what it calls.

        That it changes the parameter only follows from it.
        """
        reached = graphs.reached([(function, parameter)], self._calls)
        for caller, changed in reached:
            causes = self._causes(caller).get(changed, ())
            yield from (each for each in causes if isinstance(each, Diagnostic))

    def _calls(self, node: Changed) -> list[Changed]:
        function, parameter = node
        causes = self._causes(function).get(parameter, ())
        return [each for each in causes if not isinstance(each, Diagnostic)]


def _causes(function: ir.Function, known: Program) -> dict[str, list[Cause]]:
    """By what a function may change its parameters.

    Nothing is told of one that it captures, as that is a finding.
    """
    user = known.as_written(function)
    shared = known.facts(user).aliases(scalar_elements=False)
    found: dict[str, list[Cause]] = {}
    captured: set[str] = set()
    for statement in ir.walk(user.body):
        match statement:
            case ir.Assign(value=ir.Opaque(findings=told)) | ir.Do(value=ir.Opaque(findings=told)):
                closures = (f.finding for f in told if isinstance(f.finding, language.Closure))
                captured.update(closure.variable for closure in closures)
        for name in aliases.changed(statement, known, scalar_elements=False):
            causes = [*_here(statement, name, user, known)]
            for parameter in shared.parameters(statement, name) if causes else ():
                found.setdefault(parameter, []).extend(causes)
    return {parameter: causes for parameter, causes in found.items() if parameter not in captured}


def _here(statement: ir.Statement, name: str, user: ir.Function, known: Program) -> Iterator[Cause]:
    """By what a statement changes what a variable holds, if that is not just a store."""
    match statement:
        case ir.Assign(value=ir.Opaque(findings=told)) | ir.Do(value=ir.Opaque(findings=told)):
            for each in told:
                if each.blocks and not isinstance(each.finding, language.Closure):
                    yield each.within(user.name)
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            callee = known.function(call.function)
            if callee is None:
                return
            for changed in known.written(callee):
                if name in ir.names(known.given_to(call, callee, (changed,))):
                    yield callee, changed
