"""What an editor says of the variable or function under the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.transform import ir, requests, restrictions
from adlsp.transform.analyses import activity, versions, why
from adlsp.transform.emit import names
from adlsp.transform.frontend import roots
from adlsp.transform.frontend.resolve import Resolver
from adlsp.transform.program import Program
from adlsp.transform.source import Source, Span

WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Description:
    """A hover: what it is about, a title, and sentences in Markdown."""

    span: Span
    title: str
    lines: tuple[str, ...]


def describe(
    source: Source, line: int, column: int, resolver: Resolver, known: Program
) -> Description | None:
    """Describes the name at a place, if it is one of a function's or a function's own."""
    word = _word(source, line, column)
    if word is None:
        return None
    name, span = word
    for definition in requests.definitions(source, resolver):
        node = definition.node
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            function = known.function(definition.dotted)
            if function is None:
                return None
            if name == node.name and line == node.lineno:
                return _function(function, span, source, resolver, known)
            return _variable(function, name, span, source, resolver, known)
    return _called(source, name, span, resolver, known)


def _word(source: Source, line: int, column: int) -> tuple[str, Span] | None:
    if not 1 <= line <= len(source.lines):
        return None
    for match in WORD.finditer(source.lines[line - 1]):
        if match.start() < column <= match.end() + 1:
            span = Span(source.path, line, match.start() + 1, line, match.end() + 1)
            return match.group(), span
    return None


def _called(
    source: Source, name: str, span: Span, resolver: Resolver, known: Program
) -> Description | None:
    """A function's name outside of functions, as in `grad(loss)`."""
    binding = resolver.name(source, name)
    function = known.function(binding.dotted) if binding.kind == "function" else None
    return None if function is None else _function(function, span, source, resolver, known)


def reached(
    function: ir.Function, source: Source, resolver: Resolver, known: Program
) -> tuple[tuple[str, ...], str | None]:
    """The parameters with respect to which a function is differentiated, and by whom.

    Where no root of the file reaches it, they are all its parameters, and nobody.
    """
    found, _ = roots.roots(source, resolver)
    for root in found:
        primal = known.function(root.request.function)
        if primal is None:
            continue
        for callee, wrt in restrictions.reached(primal, root.request.wrt, known):
            if callee.dotted == function.dotted:
                return wrt, None if callee is primal else primal.name
    return tuple(p.name for p in function.parameters), ""


def _function(
    function: ir.Function, span: Span, source: Source, resolver: Resolver, known: Program
) -> Description:
    wrt, caller = reached(function, source, resolver, known)
    shown = ", ".join(f"`{name}`" for name in wrt) or "nothing"
    checked = restrictions.check(function, wrt, known) if wrt else ()
    blocking = [one for one in checked if one.found.blocks]
    lines = []
    if blocking:
        lines.append(f"Not differentiable with respect to {shown}:")
        for one in blocking[:5]:
            place = one.found.span
            code, text = one.found.finding.code, one.found.finding.text()
            lines.append(f"- {code}, line {place.line}: {text}")
    else:
        lines.append(f"Differentiable with respect to {shown}.")
    if caller:
        lines.append(f"It is differentiated as a part of `{caller}`.")
    elif caller == "":
        lines.append("No call of `adlsp.grad` in this file reaches it.")
    lines += [
        f"- {one.found.finding.code}: {one.found.finding.text()}"
        for one in checked
        if not one.found.blocks
    ]
    return Description(span, f"function `{function.name}`", tuple(lines))


def _variable(
    function: ir.Function,
    name: str,
    span: Span,
    source: Source,
    resolver: Resolver,
    known: Program,
) -> Description | None:
    wrt, _ = reached(function, source, resolver, known)
    local = {p.name for p in function.parameters}
    local |= {n for s in ir.walk(function.body) for n in (*ir.reads(s), *ir.writes(s))}
    if name not in local:
        return _called(source, name, span, resolver, known)
    active = activity.activity(function, wrt, known.flow)
    numbered = versions.versions(function)
    statement, is_target = _statement(function, name, span)
    if statement is None:
        statement, is_target = function.body[0], False
    varied = (active.varied_after if is_target else active.varied_before)[statement]
    useful = (active.useful_after if is_target else active.useful_before)[statement]
    inputs = ", ".join(f"`{w}`" for w in wrt)
    if name in varied and name in useful:
        title, lines = (
            f"`{name}` is active",
            [
                f"It depends on {inputs}, and the result of `{function.name}` depends on it.",
                f"Its adjoint is `{names.base(f'%bar:{name}')}`.",
            ],
        )
    elif name in varied:
        title, lines = (
            f"`{name}` is varied, but not useful",
            [
                f"It depends on {inputs}, but the result of `{function.name}` does not depend "
                "on it differentiably: its adjoint is zero."
            ],
        )
    elif name in useful:
        title, lines = (
            f"`{name}` is not active",
            [f"The result of `{function.name}` depends on it, but it does not depend on {inputs}."],
        )
    else:
        title, lines = (
            f"`{name}` is not active",
            [f"It does not depend on {inputs}, nor the result of `{function.name}` on it."],
        )
    if name in varied:
        lines += _because(statement, name, is_target, active, numbered, source)
    return Description(span, title, tuple(lines))


def _because(
    statement: ir.Statement,
    name: str,
    is_target: bool,
    active: activity.Activity,
    numbered: versions.Versions,
    source: Source,
) -> Iterator[str]:
    """The chain of definitions that makes a variable varied."""
    start = numbered.writes.get((statement, name)) if is_target else None
    for variable, place in why.chain(statement, name, active, numbered, start)[:6]:
        if place is None:
            yield f"- `{variable}` is an input of interest"
        else:
            text = " ".join(source.slice(place).split())
            yield f"- line {place.line}: `{text}`"


def _statement(function: ir.Function, name: str, span: Span) -> tuple[ir.Statement | None, bool]:
    """The statement at a place that reads or binds a name; whether it binds it there."""
    at = [s for s in ir.walk(function.body) if s.origin.contains(span.line, span.column)]
    readers = [s for s in at if name in ir.reads(s)]
    writers = [s for s in at if name in ir.writes(s) and not isinstance(s, ir.Store)]
    if writers and (not readers or span.column == writers[-1].origin.column):
        return writers[-1], True
    if readers:
        return readers[0], False
    following = [s for s in ir.walk(function.body) if s.origin.line >= span.line]
    return (following[0] if following else None), False
