"""The façade of the engine: check a file, derive a function, outline and describe for an editor.

Text in, text and findings out. Nothing here raises on a user's text; an exception is a bug of ours,
and is caught once, by the caller at the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from adlsp.transform import derived, describing, forward, ir, requests, restrictions
from adlsp.transform.derivative import Derivative, Request
from adlsp.transform.emit import page
from adlsp.transform.findings import reading
from adlsp.transform.findings.vocabulary import Diagnostic, Found
from adlsp.transform.frontend import roots
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.reverse import assemble
from adlsp.transform.rules import table
from adlsp.transform.source import Source, Span

Description = describing.Description


@dataclass(frozen=True, slots=True)
class Outlined:
    """A function of a file: where it is, whether it is differentiated, and what is in the way."""

    name: str
    dotted: str
    span: Span
    name_span: Span
    root: Request | None
    findings: tuple[Diagnostic, ...]


def derive(request: Request, resolver: Resolver) -> Derivative:
    """Writes the derivative that a request asks for; none where a finding prevents it."""
    program = Program(resolver, table.load())
    function = program.function(request.function)
    if function is None:
        missing = Found(reading.SourceUnavailable(request.function), Span("", 1, 1, 1, 1))
        return Derivative(request, "", "", (), (render(missing, request.function),))
    checked = restrictions.check(function, request.wrt, program, request.outputs)
    findings = tuple(render(one.found, one.function) for one in checked)
    if any(one.found.blocks for one in checked):
        return Derivative(request, "", "", (), findings, function.origin)
    functions = _differentiated(with_outputs(function, request.outputs), request, program)
    name, text, source_map = page.write(functions, program.quote)
    return Derivative(request, name, text, source_map, findings, function.origin)


def _differentiated(
    function: ir.Function, request: Request, program: Program
) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first."""
    if request.inner is not None:
        first = _differentiated(function, request.inner, program)
        function = derived.settle(first, program)
        functions = _differentiated(function, replace(request, inner=None), program)
        return functions + derived.also_called(functions, program)
    if request.kind == "jvp":
        return forward.forward(function, request.wrt, program, optimize=request.optimize)
    kind = "vjp" if request.outputs and request.kind == "grad" else request.kind
    return assemble.reverse(
        function,
        request.wrt,
        kind,
        program,
        is_tuple=request.is_tuple,
        optimize=request.optimize,
    )


def check(
    source: Source, resolver: Resolver, all_functions: bool = False
) -> tuple[Diagnostic, ...]:
    """The findings of a file: of its text, of its roots, and of what they call."""
    _, problems = resolver.parsed(source)
    found, questions = roots.roots(source, resolver)
    made = [render(one, None) for one in (*problems, *questions)]
    program = Program(resolver, table.load())
    for root in found:
        found_there = tuple(_findings(root.request, program))
        made += found_there
        function = program.function(root.request.function)
        if function is not None and not any(one.blocks for one in found_there):
            function = with_outputs(function, root.request.outputs)
            unused = restrictions.influence(function, root.request.wrt, program)
            made += [render(one, function.name) for one in unused]
    if all_functions:
        for request in requests.every_function(source, resolver):
            made += _findings(request, program)
    return tuple(dict.fromkeys(made))


def outline(source: Source, resolver: Resolver) -> tuple[Outlined, ...]:
    """The top-level functions of a file, with the findings of those that are differentiated."""
    program = Program(resolver, table.load())
    found, _ = roots.roots(source, resolver)
    asked = {root.request.function: root.request for root in reversed(found)}
    return tuple(
        _outlined(definition, asked.get(definition.dotted), program)
        for definition in requests.definitions(source, resolver)
    )


def describe(source: Source, line: int, column: int, resolver: Resolver) -> Description | None:
    """What to say of the variable or function at a place."""
    return describing.describe(source, line, column, resolver, Program(resolver, table.load()))


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


def _findings(request: Request, program: Program) -> Iterator[Diagnostic]:
    function = program.function(request.function)
    if function is not None:
        for one in restrictions.check(function, request.wrt, program, request.outputs):
            yield render(one.found, one.function)


def _outlined(definition: Definition, root: Request | None, program: Program) -> Outlined:
    node, source = definition.node, definition.source
    span = source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    start = source.lines[node.lineno - 1].find(node.name, node.col_offset + 3)
    name_span = Span(source.path, node.lineno, start + 1, node.lineno, start + 1 + len(node.name))
    findings = tuple(_findings(root, program)) if root else ()
    return Outlined(node.name, definition.dotted, span, name_span, root, findings)
