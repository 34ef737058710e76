"""What an editor says of the variable or function under the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.transform import ir, requests, study
from adlsp.transform.analyses import activity, versions, why
from adlsp.transform.derivative import Request
from adlsp.transform.emit import names
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.frontend.roots import Root
from adlsp.transform.memo import Functions
from adlsp.transform.normal import handback
from adlsp.transform.program import Program
from adlsp.transform.restrictions.check import reached
from adlsp.transform.rules import table
from adlsp.transform.source import Source, Span

WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Description:
    """A hover: what it is about, a title, and sentences in Markdown."""

    span: Span
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """What is asked about, and all that is known around it."""

    source: Source
    span: Span
    users: Functions
    program: Program
    roots: tuple[Root, ...]


@dataclass(frozen=True, slots=True)
class _Reached:
    """The derivative that a function is part of: of which root, and what is asked of itself."""

    wrt: tuple[str, ...]
    root: Root | None
    request: Request


def describe(
    source: Source, line: int, column: int, users: Functions, found: tuple[Root, ...]
) -> Description | None:
    """Describes the name at a place, if it is one of a function's or a function's own.

    `found` are the roots that concern the file, its own before those of others.
    """
    word = _word(source, line, column)
    if word is None:
        return None
    name, span = word
    place = _Place(source, span, users, _program(source, users), found)
    for definition in requests.definitions(source, users.resolver):
        if definition.line <= line <= definition.last_line:
            is_own_name = name == definition.name and line == definition.line
            function = place.program.function(definition.dotted)
            if function is None:
                rules = place.program.rules.own.values() if is_own_name else ()
                return next((_rule(r, place) for r in rules if _is_of(r, definition)), None)
            if is_own_name:
                return _function(place.program.root(definition.dotted) or function, place)
            return _variable(function, name, place)
    return _called(name, place)


def _program(source: Source, users: Functions) -> Program:
    return Program(users.resolver, users.rules_in(source), users)


def _word(source: Source, line: int, column: int) -> tuple[str, Span] | None:
    if not 1 <= line <= len(source.lines):
        return None
    for match in WORD.finditer(source.lines[line - 1]):
        if match.start() < column <= match.end() + 1:
            span = Span(source.path, line, match.start() + 1, line, match.end() + 1)
            return match.group(), span
    return None


def _called(name: str, place: _Place) -> Description | None:
    """A function's name outside of functions, as in `grad(loss)`."""
    binding = place.users.resolver.name(place.source, name)
    function = place.program.root(binding.dotted) if binding.kind == "function" else None
    if function is not None:
        return _function(function, place)
    ruled = tuple(_by_rule(binding.dotted, place))
    return Description(place.span, f"function `{name}`", ruled) if ruled else None


def _is_of(rule: table.Rule, definition: Definition) -> bool:
    """Tells whether a rule is written in a function."""
    places = ((d.source.path, d.body.lineno) for d in rule.declarations if d.body is not None)
    return (definition.source.path, definition.line) in places


def _rule(rule: table.Rule, place: _Place) -> Description:
    """A function that is a rule."""
    words = " and ".join(dict.fromkeys(d.word for d in rule.declarations))
    inputs = ", ".join(f"`{name}`" for name in rule.of)
    lines = [f"It says how `{rule.name}` is differentiated ({words}). It is read, not run."]
    lines += [f"It is about {inputs}."] if inputs else []
    lines += [f"- {p.finding.code}, line {p.span.line}: {p.finding.text()}" for p in rule.problems]
    return Description(place.span, "rule", tuple(lines))


def _by_rule(dotted: str, place: _Place) -> Iterator[str]:
    """Which rule of a user's a function has."""
    rule = place.program.rule(dotted)
    for declaration in rule.declarations if rule is not None else ():
        file = re.split(r"[\\/]", declaration.source.path)[-1]
        yield f"A rule says how it is differentiated: `{file}`, line {declaration.span.line}."


def _reached(function: ir.Function, place: _Place) -> _Reached:
    """With respect to what a function is differentiated, and by whom.

    Where no root reaches it, it is with respect to all its parameters, by nobody.
    """
    own = requests.asked(place.roots).get(function.dotted)
    if own is not None:
        return _Reached(own.request.wrt, own, own.request)
    for root in place.roots:
        primal = place.program.function(root.request.function)
        if primal is not None and study.reaches(root.request, function.dotted, place.users):
            for callee, wrt in reached(primal, root.request.wrt, place.program):
                if handback.original(callee.dotted) == function.dotted:
                    return _Reached(wrt, root, Request(function.dotted, wrt, True))
    wrt = tuple(p.name for p in function.parameters)
    return _Reached(wrt, None, Request(function.dotted, wrt, True))


def _function(function: ir.Function, place: _Place) -> Description:
    by = _reached(function, place)
    shown = ", ".join(f"`{name}`" for name in by.wrt) or "nothing"
    found = study.findings(by.request, place.users) if by.wrt else ()
    if by.root is not None and by.request is by.root.request:
        found = study.of_root(by.request, place.users)
    blocking = [one for one in found if one.blocks]
    lines = []
    if blocking:
        lines.append(f"Not differentiable with respect to {shown}:")
        lines += [f"- {one.code}, line {one.span.line}: {one.message}" for one in blocking[:5]]
    else:
        lines.append(f"Differentiable with respect to {shown}.")
    lines += _by_rule(function.dotted, place)
    lines += _by_whom(by, place)
    lines += [f"- {one.code}: {one.message}" for one in found if not one.blocks]
    return Description(place.span, f"function `{function.name}`", tuple(lines))


def _by_whom(by: _Reached, place: _Place) -> Iterator[str]:
    """What asks for a derivative that a function is part of, unless it is plain to see."""
    if by.root is None:
        yield "No call of `adlsp.grad` and its kin in this workspace reaches it."
        return
    is_elsewhere = by.root.span.path != place.source.path
    file = re.split(r"[\\/]", by.root.span.path)[-1]
    where = f" in `{file}`, line {by.root.span.line}" if is_elsewhere else ""
    if by.request is not by.root.request:
        caller = by.root.request.function.rpartition(".")[2]
        yield f"It is differentiated{where} as a part of `{caller}`."
    elif is_elsewhere:
        yield f"It is differentiated{where}."


def _variable(function: ir.Function, shown: str, place: _Place) -> Description | None:
    by = _reached(function, place)
    name = place.program.first_name(function, shown, place.span)
    local = {p.name for p in function.parameters}
    local |= {n for s in ir.walk(function.body) for n in (*ir.reads(s), *ir.writes(s))}
    if name not in local:
        return _called(shown, place)
    active = activity.activity(function, by.wrt, place.program.flow)
    statement, is_target = _statement(function, name, place.span)
    if statement is None:
        statement, is_target = function.body[0], False
    varied = (active.varied_after if is_target else active.varied_before)[statement]
    useful = (active.useful_after if is_target else active.useful_before)[statement]
    inputs = ", ".join(f"`{w}`" for w in by.wrt)
    if name in varied and name in useful:
        title, lines = (
            f"`{shown}` is active",
            [
                f"It depends on {inputs}, and the result of `{function.name}` depends on it.",
                f"Its adjoint is `{names.base(f'%bar:{name}')}`.",
            ],
        )
    elif name in varied:
        title, lines = (
            f"`{shown}` is varied, but not useful",
            [
                f"It depends on {inputs}, but the result of `{function.name}` does not depend "
                "on it differentiably: its adjoint is zero."
            ],
        )
    elif name in useful:
        title, lines = (
            f"`{shown}` is not active",
            [f"The result of `{function.name}` depends on it, but it does not depend on {inputs}."],
        )
    else:
        title, lines = (
            f"`{shown}` is not active",
            [f"It does not depend on {inputs}, nor the result of `{function.name}` on it."],
        )
    if name != shown:
        lines.insert(0, f"It is another name of `{name}` here.")
    if name in varied:
        numbered = versions.versions(function)
        chain = list(_because(statement, name, is_target, active, numbered, place.source))
        lines.append("\n".join([f"`{shown}` depends on {inputs} because:", "", *chain]))
    lines += _by_whom(by, place)
    return Description(place.span, title, tuple(lines))


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
