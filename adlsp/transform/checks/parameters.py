"""Parameters that a function changes for its caller, and how that is repaired."""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.checks.subject import Subject, own_name
from adlsp.transform.diagnostics import mutation
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
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
        finding = mutation.ParameterChanged(
            "` or `".join(names), own_name(subject.function), instead
        )
        found = subject.found(statement, finding, span, base)
        fix = _return_them(subject) if gives_nothing and subject.is_root else None
        is_blocking = gives_nothing or not subject.is_root
        yield Diagnostic(found.finding, found.span, found.related, fix, blocks=is_blocking)


def _return_them(subject: Subject) -> Fix | None:
    """The fix for a function that changes arrays and returns nothing: it returns all of them."""
    function, last = subject.function, subject.function.body[-1]
    written = subject.known.written(function)
    changed = [p.name for p in function.parameters if p.name in written]
    if any(subject.facts.aliases().parameters(last, name) != {name} for name in changed):
        return None
    return subject.known.returning(function.dotted, changed)
