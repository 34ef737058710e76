"""Parameters that a function changes for its caller, and how that is repaired."""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.checks.subject import Subject, value_of
from adlsp.transform.diagnostics import language, mutation
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
from adlsp.transform.facts import aliases
from adlsp.transform.program import Program
from adlsp.transform.source import Span

NAME_IT = ": name it in `outputs`"
"""What helps a caller whose function gives nothing back."""


def parameter_changed(
    subject: Subject, statement: ir.Statement, base: str, span: Span
) -> Iterator[Diagnostic]:
    """A parameter that the caller sees changed, though it is not part of the result.

    Where that may be one of several, it is the one that the variable is called like, if it is.
    """
    changed = subject.facts.aliases().parameters(statement, base)
    last = subject.function.body[-1]
    assert isinstance(last, ir.Return)
    returned = frozenset[str]()
    if isinstance(last.value, ir.Name):
        returned = subject.facts.aliases().parameters(last, last.value.id)
    seen = changed - returned
    if not subject.is_root:
        seen = seen.intersection(subject.written(subject.function))
    names = [p.name for p in subject.function.parameters if p.name in seen]
    if base in names:
        names = [base]
    if names:
        gives_nothing = subject.gives_nothing()
        instead = NAME_IT if gives_nothing and subject.is_root else ""
        finding = mutation.ParameterChanged("` or `".join(names), subject.function.name, instead)
        found = subject.found(statement, finding, span, base)
        fix = _return_them(subject) if gives_nothing and subject.is_root else None
        is_blocking = gives_nothing or not subject.is_root
        yield Diagnostic(found.finding, found.span, found.related, fix, blocks=is_blocking)


def unread(
    known: Program, function: ir.Function, parameter: str, seen: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Why a function is not read where it may change a parameter, itself or by what it calls.

    That it changes the parameter only follows from it; nothing is told of one that it captures, as
    that is a finding. `seen` are the callers, in a recursion.
    """
    user = known.as_written(function)
    if any(_captures(statement, parameter) for statement in ir.walk(user.body)):
        return
    shared = known.facts(user).aliases(scalar_elements=False)
    for statement in ir.walk(user.body):
        for name in aliases.changed(statement, known, scalar_elements=False):
            if parameter not in shared.parameters(statement, name):
                continue
            value = value_of(statement)
            if isinstance(value, ir.Opaque):
                for found in value.findings:
                    if found.blocks and not isinstance(found.finding, language.Closure):
                        yield found.within(user.name)
            elif isinstance(value, ir.Call) and user.dotted not in seen:
                callee = known.function(value.function)
                if callee is None:
                    continue
                for changed in known.written(callee):
                    if name in ir.names(known.given_to(value, callee, (changed,))):
                        yield from unread(known, callee, changed, seen | {user.dotted})


def _captures(statement: ir.Statement, parameter: str) -> bool:
    """Tells whether a statement makes a closure over a parameter."""
    value = value_of(statement)
    found = value.findings if isinstance(value, ir.Opaque) else ()
    closures = (f.finding for f in found if isinstance(f.finding, language.Closure))
    return any(closure.variable == parameter for closure in closures)


def _return_them(subject: Subject) -> Fix | None:
    """The fix for a function that changes arrays and returns nothing: it returns all of them."""
    function, last = subject.function, subject.function.body[-1]
    written = subject.known.written(function)
    changed = [p.name for p in function.parameters if p.name in written]
    if any(subject.facts.aliases().parameters(last, name) != {name} for name in changed):
        return None
    return subject.known.returning(function.dotted, changed)
