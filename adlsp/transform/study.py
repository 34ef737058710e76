"""Studies the functions that are to be differentiated: what is found about a request."""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import restrictions
from adlsp.transform.derivative import Request
from adlsp.transform.findings import reading
from adlsp.transform.findings.vocabulary import Diagnostic, Found
from adlsp.transform.memo import Functions
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.rules import table

FINDINGS, IDLE = "findings", "idle inputs"
"""The questions about a request whose answers are remembered."""


def findings(request: Request, users: Functions) -> tuple[Diagnostic, ...]:
    """What is found about a request: in its function, and in what that calls."""

    def find() -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        program = program_of(users)
        function = program.function(request.function)
        if function is None:
            return (), program.asked
        first = request.innermost
        checked = [
            one
            for wrt in dict.fromkeys((first.wrt, request.wrt))
            for one in restrictions.check(function, wrt, program, first.outputs)
        ]
        found = (render(_with_cause(one.found, users), one.function) for one in checked)
        return tuple(dict.fromkeys(found)), program.asked

    return users.findings((FINDINGS, request), find)


def idle_inputs(request: Request, users: Functions) -> tuple[Diagnostic, ...]:
    """The inputs of interest that have no influence."""

    def find() -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        program = program_of(users)
        function = program.function(request.function)
        if function is None:
            return (), program.asked
        function = with_outputs(function, request.innermost.outputs)
        found = restrictions.influence(function, request.wrt, program)
        return tuple(render(one, function.name) for one in found), program.asked

    return users.findings((IDLE, request), find)


def of_root(request: Request, users: Functions) -> tuple[Diagnostic, ...]:
    """All that is found about what a program asks for."""
    found = findings(request, users)
    is_blocked = any(one.blocks for one in found)
    return found if is_blocked else (*found, *idle_inputs(request, users))


def reaches(request: Request, dotted: str, users: Functions) -> bool:
    """Tells whether a request may have to do with a function; `reached` says for sure."""
    findings(request, users)
    return dotted in users.looked_at((FINDINGS, request))


def _with_cause(found: Found, users: Functions) -> Found:
    """What is missing of a user's function that cannot be read is its source, not a rule."""
    match found.finding:
        case reading.NoRule(function) if users.is_unread(function):
            name = function.rpartition(".")[2]
            return replace(found, finding=reading.SourceUnavailable(name))
    return found


def program_of(users: Functions) -> Program:
    """A program that notes which functions are asked for."""
    return Program(users.resolver, table.load(), users)


def render(found: Found, function: str | None) -> Diagnostic:
    """A finding as it is shown."""
    kind = found.finding
    return Diagnostic(
        kind.code,
        kind.name,
        kind.severity,
        kind.text(),
        found.span,
        function,
        found.related,
        found.fix,
        found.blocks,
    )
