"""Which derivative a function is part of: that of a root, or of what a root calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from adlsp.transform import ir, pipeline, queries, requests
from adlsp.transform.artifact import Request
from adlsp.transform.checks.legality import reached
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.frontend.roots import Root
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.program import Program
from adlsp.transform.query_cache import Functions
from adlsp.transform.source import Source, Span


@dataclass(frozen=True, slots=True)
class Part:
    """The part that a function has in the derivative of a root: what is asked of itself."""

    root: Root
    request: Request

    @property
    def is_root(self) -> bool:
        """Tells whether the function is the root."""
        return self.request is self.root.request


@dataclass(frozen=True, slots=True)
class Reached:
    """A function of a program, and the part that it has in the derivative of a root.

    `signature` says how the root is called, if that had to be known to reach it.
    """

    function: ir.Function
    part: Part
    program: Program
    signature: str = ""


def part(
    function: ir.Function, roots: Iterable[Root], program: Program, users: Functions
) -> Part | None:
    """The part of a function in the first derivative that reaches it; None where none does."""
    own = requests.asked(roots).get(function.dotted)
    if own is not None:
        return Part(own, own.request)
    names = function.dotted, targets.Nested(function.dotted)
    for root in roots:
        if any(queries.reaches(root.request, name, users) for name in names):
            for callee, wrt in _reached(root, program):
                if targets.original(callee.dotted) in names:
                    return Part(root, Request(function.dotted, wrt, True))
    return None


def as_called(
    definition: Definition, root: Root, signature: str, users: Functions
) -> Reached | None:
    """The function that a root reaches, as it is called, in which the text of another stands.

    That is an instance of it, the one with most that is active, or what it is written out in, with
    the statements at their own places.
    """
    program, functions = _called(root, signature, users)
    primal, name = program.root(root.request.function), definition.dotted
    found: list[Reached] = []
    for callee, wrt in functions:
        if not any(definition.span.holds(s.origin.written) for s in ir.walk(callee.body)):
            continue
        own = Part(root, Request(callee.dotted, wrt, True))
        if targets.defined(callee.dotted) == name:
            found.append(Reached(callee, own, program, signature))
            continue
        within = replace(callee, body=_as_written(callee.body))
        part = Part(root, root.request) if callee is primal else own
        found.append(Reached(within, part, program, signature))
    return max(found, key=lambda each: len(each.part.request.wrt), default=None)


def waits(root: Root, users: Functions) -> bool:
    """Tells whether arguments would tell more of what a root reaches."""
    return any(one.blocks and one.waits for one in queries.findings(root.request, users))


def _called(
    root: Root, signature: str, users: Functions
) -> tuple[Program, Iterator[tuple[ir.Function, tuple[str, ...]]]]:
    """The program around a root as it is called, and the functions that it reaches."""
    request = replace(root.request, signature=signature)
    program = queries.program_for(request, users)
    primal = program.root(request.function)
    return program, iter(()) if primal is None else reached(primal, request.wrt, program)


def _as_written(block: ir.Block) -> ir.Block:
    """The statements of a block, each at its place in the text that it is from."""
    inner = (ir.rewritten(statement, block=_as_written) for statement in block)
    return tuple(replace(each, origin=each.origin.written) for each in inner)


def parts(
    source: Source, roots: Iterable[Root], users: Functions, called: Callable[[Root], str]
) -> Iterator[Span]:
    """Where the functions of a file are that derivatives reach, also inner ones and methods.

    `called` gives the signature with which a root is called; "" where none is known.
    """
    program = Program(users.resolver, users.rules_in(source), pipeline.CANONICAL, users)
    known, others = tuple(roots), list[Span]()
    own, inner = (found(source, users.resolver) for found in (requests.definitions, requests.inner))
    every = (*own, *inner)
    for definition in every:
        function = program.function(definition.dotted)
        if function is not None and part(function, known, program, users) is not None:
            yield definition.span
        elif function is not None:
            others.append(definition.span)
    for root in known if others else ():
        if waits(root, users) and (signature := called(root)):
            _, functions = _called(root, signature, users)
            for place in {s.origin.written for one, _ in functions for s in ir.walk(one.body)}:
                around = [each.span for each in every if each.span.holds(place)]
                innermost = max(around, key=lambda span: (span.line, span.column), default=None)
                yield from (span for span in others if span == innermost)


def doubtful(
    function: ir.Function, roots: Iterable[Root], program: Program, users: Functions
) -> tuple[Root, Diagnostic] | None:
    """The root of which a function may be part, and the finding for which that is not known."""
    for root in roots:
        found = blocking(root.request, users)
        for one, _ in _reached(root, program) if found else ():
            for statement, why in unsupported(one, found):
                if function.name in program.quote(statement.origin):
                    return root, why
    return None


def blocking(request: Request, users: Functions) -> tuple[Diagnostic, ...]:
    """What prevents a derivative."""
    return tuple(one for one in queries.findings(request, users) if one.blocks)


def unsupported(
    function: ir.Function, found: Iterable[Diagnostic]
) -> Iterator[tuple[ir.Statement, Diagnostic]]:
    """The statements of which nothing is known but a finding: they are not looked into."""
    by_place = {(one.code, one.span): one for one in found}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Do(value=ir.Opaque(findings=findings)):
                for each in findings:
                    why = by_place.get((each.finding.code, each.span))
                    if why is not None and not isinstance(each.finding, language.Closure):
                        yield statement, why


def _reached(root: Root, program: Program) -> Iterator[tuple[ir.Function, tuple[str, ...]]]:
    primal = program.function(root.request.function)
    return iter(()) if primal is None else reached(primal, root.request.wrt, program)
