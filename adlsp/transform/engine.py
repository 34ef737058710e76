"""The façade of the engine: check and derive, look inside, outline and describe for an editor.

Text in, text and findings out. Nothing here raises on a user's text; an exception is a bug of ours,
and is caught once, by the caller at the edge. Whoever asks again and again passes a `QueryCache`,
so that only what has changed is worked out anew. `elsewhere` are the roots in other files that
concern this one. What writes derivatives is loaded when one is asked for, and so is what hovers
show: findings do without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from adlsp.transform import depth, queries, requests
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.checks.plain import is_plain
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import roots as asking
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.frontend.roots import Root
from adlsp.transform.frozen import dataclass
from adlsp.transform.program import Program
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.transform.rules.users import RulesInScope
from adlsp.transform.source import Source, Span

if TYPE_CHECKING:
    from adlsp.transform import hover


@dataclass(frozen=True, slots=True)
class Outlined:
    """A function of a file: where it is, whether it is differentiated, and what is in the way.

    `asked_at` is the place that asks for the derivative `root`, maybe in another file.
    """

    name: str
    dotted: str
    span: Span
    name_span: Span
    root: Request | None
    findings: tuple[Diagnostic, ...]
    asked_at: Span | None = None


@dataclass(frozen=True, slots=True)
class Staged:
    """The text of a function at a stage, and what is found about its derivative.

    There is no text of a function that cannot be read; findings say why.
    """

    text: str
    findings: tuple[Diagnostic, ...]


@depth.room()
def derive(request: Request, resolver: Resolver, cache: QueryCache | None = None) -> Derivative:
    """Writes the derivative that a request asks for; none where a finding prevents it."""
    from adlsp.transform import driver

    users = Functions(resolver, cache or QueryCache())
    program = queries.program_for(request, users)
    function = program.root(request.function)
    if function is None:
        missing = queries.missing(request.function, users).within(request.function)
        return Derivative(request, "", "", (), (missing,))
    findings = queries.findings(request, users, lambda: program)
    if any(one.blocks for one in findings):
        return Derivative(request, "", "", (), findings, function.origin)
    written = driver.write(function, request, program)
    if not isinstance(written, driver.Written):
        return Derivative(request, "", "", (), findings + written, function.origin)
    return Derivative(
        request, written.name, written.text, written.source_map, findings, function.origin
    )


@depth.room()
def reads(request: Request, resolver: Resolver, cache: QueryCache | None = None) -> tuple[str, ...]:
    """The variables of modules, by dotted names, whose values count for a derivative."""
    users = Functions(resolver, cache or QueryCache())
    return queries.program_for(request, users).reads(request.function)


@depth.room()
def obstacles(
    request: Request, resolver: Resolver, cache: QueryCache | None = None
) -> tuple[Diagnostic, ...]:
    """What prevents the derivative that a request asks for, which is not written for that.

    What consists of plain steps is not looked at more closely: arguments may tell more.
    """
    users = Functions(resolver, cache or QueryCache())
    program = queries.program_for(request, users)
    is_first = request.inner is None and not request.outputs
    if is_first and is_plain(request.function, program):
        return ()
    function = program.root(request.function)
    if function is None:
        return (queries.missing(request.function, users).within(request.function),)
    found = queries.findings(request, users, lambda: program)
    blocking = tuple(one for one in found if one.blocks)
    if blocking or request.inner is None:
        return blocking
    from adlsp.transform import driver

    return driver.obstacles(function, request, program)


@depth.room()
def staged(
    request: Request,
    stage: str,
    resolver: Resolver,
    cache: QueryCache | None = None,
    shown: Callable[[str], str] = str,
) -> Staged:
    """Writes a function as it is at one of the stages before its derivative (`FORMS`).

    `shown` says how the paths of files are written.
    """
    from adlsp.transform import stages

    users = Functions(resolver, cache or QueryCache())
    program = queries.program_for(request, users)
    function = program.root(request.function)
    if function is None:
        missing = queries.missing(request.function, users).within(request.function)
        return Staged("", (missing,))
    findings = queries.findings(request, users, lambda: program)
    is_fit = not any(one.blocks for one in findings)
    text = stages.text(stage, function, request.innermost, users, program, shown, is_fit=is_fit)
    return Staged(text, findings)


@depth.room()
def typed(
    dotted: str,
    signature: str,
    resolver: Resolver,
    *,
    is_open: bool = False,
    is_scalar: bool = False,
) -> str:
    """The text of a function with what its variables are; empty where it cannot be read.

    What the signature leaves open is as annotations say, and if it `is_open` as uses suggest.
    `is_scalar`: it is to have a gradient, and returns a number.
    Raises ValueError for a signature that cannot be read, or that is of other parameters.
    """
    from adlsp.transform import typed as typing
    from adlsp.transform import uses
    from adlsp.transform.values import parse

    users = Functions(resolver, QueryCache())
    program = queries.program_of(users, dotted)
    found, definition = program.definition(dotted), resolver.definition(dotted)
    if found is None or definition is None:
        return ""
    given = parse.signature(signature) if signature else {}
    own = {p.name for p in found.parameters}
    if further := [name for name in given if name not in own and "." not in name]:
        raise ValueError(f"`{found.name}` has no parameter `{further[0]}`")
    known = {**typing.annotated(found, definition.source, resolver), **given}
    assumed = uses.assumed(found, program, known, is_scalar=is_scalar) if is_open else {}
    return typing.text(found, definition.source, program, {**known, **assumed}, frozenset(assumed))


@depth.room()
def called(root: Root, source: Source, resolver: Resolver, cache: QueryCache | None = None) -> str:
    """What the derivative of a root is called with, as far as the text around a call tells.

    Its example and annotations tell where no call does. `source` is the text in which the root
    stands. Empty where nothing is known, or a derivative is differentiated.
    """
    from adlsp.transform import called as calling

    definition = resolver.definition(root.request.function)
    if definition is None or root.request.inner is not None:
        return ""
    users = Functions(resolver, cache or QueryCache())
    program = queries.program_of(users, root.request.function)
    return calling.signature(source, root.span, definition, program, resolver)


@depth.room()
def of_itself(dotted: str, resolver: Resolver, cache: QueryCache | None = None) -> str:
    """The signature that the example or the annotations of a function tell; empty without."""
    from adlsp.transform import called as calling

    definition = resolver.definition(dotted)
    if definition is None:
        return ""
    program = queries.program_of(Functions(resolver, cache or QueryCache()), dotted)
    return calling.of_itself(definition, program, resolver)


@depth.room()
def assuming(request: Request, resolver: Resolver, cache: QueryCache | None = None) -> Request:
    """The request, with what parameters seem to be of which neither it nor an annotation tells."""
    from adlsp.transform import typed as typing
    from adlsp.transform import uses
    from adlsp.transform.values import parse
    from adlsp.transform.values.signature import signature_text

    users, dotted = Functions(resolver, cache or QueryCache()), request.function
    program = queries.program_of(users, dotted)
    function, definition = program.definition(dotted), resolver.definition(dotted)
    if function is None or definition is None:
        return request
    given = parse.signature(request.signature)
    data = {} if given else program.data(dotted)
    program = queries.program_of(users, dotted, data) if data else program
    known = {**typing.annotated(function, definition.source, resolver), **given}
    found = uses.assumed(function, program, known, is_scalar=request.innermost.gives_number)
    signature = signature_text(data) if found and data else request.signature
    return replace(request, signature=signature, assumes=signature_text(found))


@depth.room()
def check(
    source: Source,
    resolver: Resolver,
    all_functions: bool = False,
    cache: QueryCache | None = None,
    recorded: Callable[[Definition], str] = lambda _: "",
) -> tuple[Diagnostic, ...]:
    """The findings of a file: of its text, of its roots, and of what they call.

    Where arguments would tell more, and no call in the text does, `recorded` is asked with what the
    last run called a function.
    """
    from adlsp.transform.values.signature import signature_text

    def signatures(root: Root, around: Callable[[], Program]) -> Iterator[str]:
        dotted = root.request.function
        definition = resolver.definition(dotted)
        if definition is not None:
            yield called(root, source, resolver, cache)
            yield recorded(definition)
            yield signature_text(around().data(dotted))

    users = Functions(resolver, cache or QueryCache())
    _, problems = resolver.parsed(source)
    found, questions = users.roots(source)
    made = [*problems, *questions]
    made += queries.of_rules(source, users)
    made += queries.out_of_reach(source, found, users)
    programs = queries.Programs(users)
    for root in found:
        request = root.request
        around = partial(programs.around, request.function)
        made += queries.of_called(request, users, signatures(root, around), around)
    if all_functions:
        for request in requests.every_function(source, resolver):
            own = queries.findings(request, users, partial(programs.around, request.function))
            if any(one.blocks and one.waits for one in own):
                told = _told(request, programs.around(request.function), resolver)
                own = own if told is None else queries.findings(told, users)
            made += own
    return tuple(dict.fromkeys(made))


def _told(request: Request, program: Program, resolver: Resolver) -> Request | None:
    """A request with what the function tells of its arguments; functions are no inputs then."""
    from adlsp.transform import called as calling
    from adlsp.transform.values import lattice, parse

    definition = resolver.definition(request.function)
    signature = "" if definition is None else calling.of_itself(definition, program, resolver)
    known = parse.signature(signature) if signature else {}
    inputs = (name for name in request.wrt if not isinstance(known.get(name), lattice.Function))
    wrt = tuple(inputs)
    return replace(request, wrt=wrt, signature=signature) if signature and wrt else None


@depth.room()
def roots(source: Source, resolver: Resolver, cache: QueryCache | None = None) -> tuple[Root, ...]:
    """What is to be differentiated by the text of a file."""
    return Functions(resolver, cache or QueryCache()).roots(source)[0]


@depth.room()
def takers(source: Source, resolver: Resolver, cache: QueryCache | None = None) -> frozenset[str]:
    """The functions of a file that differentiate what they are given, by their dotted names."""
    return Functions(resolver, cache or QueryCache()).takers(source)


@depth.room()
def handed(source: Source, resolver: Resolver, giver: Source, giving: Resolver) -> tuple[Root, ...]:
    """What another file hands to the functions of a file, which differentiate it."""
    return asking.handed(source, resolver, giver, giving)


@depth.room()
def findings(
    root: Root, resolver: Resolver, cache: QueryCache | None = None
) -> tuple[Diagnostic, ...]:
    """What is found about one root, in its function and in what that calls."""
    return queries.of_root(root.request, Functions(resolver, cache or QueryCache()))


@depth.room()
def rules(source: Source, resolver: Resolver) -> RulesInScope:
    """The rules of users that count in the derivatives of the functions of a file."""
    return Functions(resolver, QueryCache()).rules_in(source)


@depth.room()
def parts(
    source: Source,
    resolver: Resolver,
    elsewhere: tuple[Root, ...] = (),
    cache: QueryCache | None = None,
) -> tuple[Span, ...]:
    """Where the functions of a file are that derivatives reach, as far as the texts tell."""
    from adlsp.transform import reaching

    users = Functions(resolver, cache or QueryCache())

    def signature(root: Root) -> str:
        definition = resolver.definition(root.request.function)
        homes = (source,) if definition is None else (source, definition.source)
        home = next((each for each in homes if each.path == root.span.path), None)
        return "" if home is None else called(root, home, resolver, cache)

    roots = (*users.roots(source)[0], *elsewhere)
    return tuple(dict.fromkeys(reaching.parts(source, roots, users, signature)))


@depth.room()
def outline(
    source: Source,
    resolver: Resolver,
    elsewhere: tuple[Root, ...] = (),
    cache: QueryCache | None = None,
) -> tuple[Outlined, ...]:
    """The functions of a file, with the findings of those that are differentiated.

    Those in others are among them if the file differentiates them.
    """
    users = Functions(resolver, cache or QueryCache())
    found, _ = users.roots(source)
    asked = requests.asked((*found, *elsewhere))
    made = []
    for definition in requests.definitions(source, resolver, found):
        root = asked.get(definition.dotted)
        made.append(
            Outlined(
                definition.shown,
                definition.dotted,
                definition.span,
                definition.name_span,
                None if root is None else root.request,
                () if root is None else queries.of_root(root.request, users),
                None if root is None else root.span,
            )
        )
    return tuple(made)


@depth.room()
def describe(
    source: Source,
    line: int,
    column: int,
    resolver: Resolver,
    elsewhere: hover.Elsewhere = lambda _: (),
    cache: QueryCache | None = None,
    recorded: hover.Recorded = lambda _: "",
) -> hover.Description | None:
    """What to say of the variable or function at a place.

    `elsewhere` and `recorded` are asked if it matters, for other roots and for what the last run
    called a function with.
    """
    from adlsp.transform import hover

    users = Functions(resolver, cache or QueryCache())
    return hover.describe(source, line, column, users, elsewhere, recorded)
