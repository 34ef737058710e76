"""Studies the functions that are to be differentiated: what is found about a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from adlsp.transform import ir, pipeline
from adlsp.transform.artifact import Request
from adlsp.transform.canonical import instances
from adlsp.transform.checks.legality import check, influence, integers, reached
from adlsp.transform.diagnostics import language, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.frontend import decorators, resolve
from adlsp.transform.frontend.roots import Root, is_root
from adlsp.transform.ir import targets
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.query_cache import Functions
from adlsp.transform.rules.users import sources as counting_in
from adlsp.transform.rules.users import written_in
from adlsp.transform.source import Source, Span, packaged
from adlsp.transform.values import parse
from adlsp.transform.values.lattice import Signature, Value

FINDINGS, IDLE = "findings", "idle inputs"
"""The questions about a request whose answers are remembered."""

IN_CLASSES = ("@staticmethod", "@classmethod", "@property")
"""The decorators that make methods."""


def findings(
    request: Request, users: Functions, around: Callable[[], Program] | None = None
) -> tuple[Diagnostic, ...]:
    """What is found about a request: in its function, and in what that calls.

    `around` gives the program around it, if that is there already, or others want it, too.
    """

    def find() -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        if around is None:
            return within(program_for(request, users))
        found, looked_at = within(around())
        if any(map(_is_open, found)):  # what its own calls give may tell
            return within(program_for(request, users))
        return found, looked_at

    def within(program: Program) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        function = program.root(request.function)
        if function is None:
            size = users.too_large(request.function)
            large = () if size is None else (missing(request.function, users),)
            return large, program.asked(request.function)
        first = request.innermost
        is_forward = first.kind == "jvp"
        checked = [
            one
            for wrt in dict.fromkeys((first.wrt, request.wrt))
            for one in check(function, wrt, program, first.outputs, is_forward=is_forward)
        ]
        found = [_at_users(_with_cause(one, users), request, users, program) for one in checked]
        found += program.rules.problems
        return tuple(dict.fromkeys(found)), program.asked(request.function)

    return users.findings((FINDINGS, request), find)


def _at_users(
    found: Diagnostic, request: Request, users: Functions, program: Program
) -> Diagnostic:
    """What is found in the text that we have for a function of a library, at the call of that."""
    if found.span.path != packaged(resolve.IN_PYTHON).path:
        return found
    root = users.resolver.definition(request.function)
    span = found.span if root is None else root.name_span
    for dotted in program.asked(request.function):
        lowered = None if targets.is_of(dotted, resolve.IN_PYTHON) else users.lowered(dotted)
        for _, call in () if lowered is None else instances.every_call(lowered[1]):
            if targets.is_of(call.function, resolve.IN_PYTHON) and call.span is not None:
                ours = users.resolver.definition(call.function)
                if ours is not None and ours.span.holds(found.span):
                    span = call.span
    return replace(found, span=span, related=(), fix=None)


def _is_open(found: Diagnostic) -> bool:
    return isinstance(found.finding, reading.UnsupportedArgument) and found.is_open


def idle_inputs(
    request: Request, users: Functions, around: Callable[[], Program]
) -> tuple[Diagnostic, ...]:
    """The inputs of interest that have no influence."""

    def find() -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
        program = around()
        function = program.root(request.function)
        if function is None:
            return (), program.asked(request.function)
        function = with_outputs(function, request.innermost.outputs)
        definition = users.resolver.definition(request.function)
        told = {} if definition is None else dict(_annotated(function, definition.source, program))
        found = (
            *influence(function, request.wrt, program),
            *integers(function, request.wrt, {**told, **program.given}),
        )
        return tuple(one.within(function.name) for one in found), program.asked(request.function)

    return users.findings((IDLE, request), find)


def _annotated(
    function: ir.Function, source: Source, program: Program
) -> Iterator[tuple[str, Value]]:
    """What annotations say of parameters."""
    for p in function.parameters:
        if p.annotation is not None:
            yield p.name, program.classes.annotated(p.annotation, source)


def of_root(
    request: Request, users: Functions, around: Callable[[], Program] | None = None
) -> tuple[Diagnostic, ...]:
    """All that is found about what a program asks for."""
    around = around or cache(lambda: program_for(request, users))
    found = findings(request, users, around)
    is_blocked = any(one.blocks for one in found)
    return found if is_blocked else (*found, *idle_inputs(request, users, around))


def of_called(
    request: Request,
    users: Functions,
    signatures: Iterable[str],
    around: Callable[[], Program] | None = None,
) -> tuple[Diagnostic, ...]:
    """All that is found about what a program asks for, as it is called.

    Where arguments would tell more, it is what is found for the first of some signatures, of which
    some are empty, for which nothing is in the way.
    """
    found = of_root(request, users, around)
    for signature in signatures if any(one.blocks and one.waits for one in found) else ():
        if signature and any(one.blocks for one in found):
            found = of_root(replace(request, signature=signature), users)
    return found


def of_rules(source: Source, users: Functions) -> Iterator[Diagnostic]:
    """What is wrong with the rules that a file declares."""
    rules = users.rules_in(source)
    yield from (one for one in rules.problems if one.span.path == source.path)
    for rule in rules.own.values():
        for one in rule.problems:
            if one.span.path == source.path:
                yield one.within(written_in(rule))


def out_of_reach(source: Source, roots: Iterable[Root], users: Functions) -> Iterator[Diagnostic]:
    """The rules of a file that do not count in the derivatives it asks for, though they are meant.

    Those are about functions of other modules, which do not import this one.
    """
    rules = users.rules_in(source)
    own = {n: d for n, rule in rules.own.items() for d in rule.declarations if d.source == source}
    for root in roots:
        definition = users.resolver.definition(root.request.function)
        if not own or definition is None or definition.source.path == source.path:
            continue
        home = definition.source
        if any(each.path == source.path for each in counting_in(home, users.resolver)):
            continue
        for name in sorted(_called(root.request, users).intersection(own)):
            finding = reading.RuleOutOfReach(name, definition.name, home.module)
            yield Diagnostic(finding, own[name].span, function=written_in(rules.own[name]))


def _called(request: Request, users: Functions) -> set[str]:
    """All that is called in the functions that take part in a derivative."""
    program = program_for(request, users)
    function = program.root(request.function)
    if function is None:
        return set()
    return {
        targets.original(statement.value.function)
        for one, _ in reached(function, request.wrt, program)
        for statement in ir.walk(one.body)
        if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call)
    }


def reaches(request: Request, dotted: str, users: Functions) -> bool:
    """Tells whether a request may have to do with a function; `reached` says for sure."""
    findings(request, users)
    return dotted in users.looked_at((FINDINGS, request))


def _with_cause(found: Diagnostic, users: Functions) -> Diagnostic:
    """What is missing of a user's function that cannot be read is its source, not a rule."""
    match found.finding:
        case reading.NoRule(function) if (size := users.too_large(function)) is not None:
            name = targets.member(function)
            return replace(found, finding=reading.TooLarge(name, size))
        case reading.NoRule(function) if (
            reason := users.resolver.unread(function)
        ) or users.is_unread(function):
            name = targets.member(function)
            return replace(found, finding=reading.SourceUnavailable(name, reason))
        case reading.NoRule(function) if users.is_decorated(function):
            definition = users.resolver.definition(function)
            if definition is not None and not is_root(definition, users.resolver):
                decorator = decorators.opaque(definition, users.resolver) or ""
                finding = language.DecoratedFunction(decorator, targets.member(function))
                return replace(found, finding=finding)
    return found


def missing(dotted: str, users: Functions) -> Diagnostic:
    """Why there is no function of a name that could be differentiated."""
    definition, name = users.resolver.definition(dotted), targets.member(dotted)
    size = users.too_large(dotted)
    if size is not None:
        place = Span("", 1, 1, 1, 1) if definition is None else definition.name_span
        return Diagnostic(reading.TooLarge(name, size), place)
    decorator = None if definition is None else decorators.opaque(definition, users.resolver)
    if definition is None or decorator is None:
        return Diagnostic(reading.SourceUnavailable(dotted), Span("", 1, 1, 1, 1))
    finding: Finding = language.DecoratedFunction(decorator, definition.name)
    if decorator in IN_CLASSES:
        finding = language.NestedFunction(definition.name)
    return Diagnostic(finding, definition.name_span)


class Programs:
    """The programs around the functions of a file that are differentiated: one for each home.

    What one of these functions calls, another calls, too, and it is worked out once.
    """

    def __init__(self, users: Functions) -> None:
        self.users = users
        self._made: dict[str | None, Program] = {}

    def around(self, root: str) -> Program:
        """The program around a function, which is never one of a derivative."""
        definition = self.users.resolver.definition(root)
        home = None if definition is None else definition.source.path
        if home not in self._made:
            self._made[home] = program_of(self.users, root)
        return self._made[home]


def program_for(request: Request, users: Functions) -> Program:
    """The program around a function, where its parameters are as a request says."""
    assumed = parse.signature(request.assumes)
    given = {**parse.signature(request.signature), **assumed}
    wrt = (*request.wrt, *request.innermost.wrt)
    is_given_back = bool(request.innermost.outputs)
    return program_of(
        users, request.function, given, frozenset(assumed), wrt, is_given_back=is_given_back
    )


def program_of(
    users: Functions,
    root: str,
    given: Signature = MappingProxyType({}),
    assumed: frozenset[str] = frozenset(),
    wrt: tuple[str, ...] = (),
    *,
    is_given_back: bool = False,
) -> Program:
    """The program around a function that is differentiated; it notes what is asked for.

    `given` says what the parameters of that function are; of some that is `assumed`. It is
    differentiated with respect to `wrt`. `is_given_back`: somebody asks for what it has changed.
    """
    definition = users.resolver.definition(root)
    home = None if definition is None else definition.source
    rules = users.rules(root)
    return Program(
        users.resolver,
        rules,
        pipeline.CANONICAL,
        users,
        home,
        root,
        given,
        assumed,
        wrt,
        _derived,
        is_given_back=is_given_back,
    )


def _derived(
    function: ir.Function, called: targets.Derivative, program: Program
) -> tuple[Diagnostic, ...]:
    """Enters a derivative in a program; what writes derivatives is loaded where it is needed."""
    from adlsp.transform import nesting

    return nesting.derived(function, called, program)
