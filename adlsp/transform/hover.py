"""What an editor says of the variable or function under the cursor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from adlsp.transform import called, explaining, ir, pipeline, queries, reaching, spelled, typed
from adlsp.transform.artifact import Request
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import operations
from adlsp.transform.frontend import pointing
from adlsp.transform.frontend.pointing import Pointed
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.frontend.roots import Root
from adlsp.transform.frozen import dataclass
from adlsp.transform.program import Program
from adlsp.transform.query_cache import Functions
from adlsp.transform.reaching import Part, Reached
from adlsp.transform.rules import table
from adlsp.transform.source import Source, Span
from adlsp.transform.values import parse

Elsewhere = Callable[[Source], tuple[Root, ...]]
"""Gives the roots in other files that may concern the functions of a module."""

Recorded = Callable[[Definition], str]
"""Gives the signature with which a function was called last; "" where none is known."""

ENDING = ("Its derivative is zero: no gradient passes through it.",)
"""What is said of a function where derivatives end."""


@dataclass(frozen=True, slots=True)
class Description:
    """A hover: what it is about, a title, and sentences in Markdown."""

    span: Span
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """What is asked about, and what is known around it; `roots` are those of a module."""

    pointed: Pointed
    source: Source
    users: Functions
    program: Program
    roots: Callable[[Source], tuple[Root, ...]]
    recorded: Recorded

    def found(self, root: Root) -> tuple[Diagnostic, ...]:
        """What is found about a root, as it is called."""
        return queries.of_called(root.request, self.users, self.signatures(root))

    def signatures(self, root: Root) -> Iterator[str]:
        """What is known of the arguments of a root: by its text, and by its last call."""
        definition = self.users.resolver.definition(root.request.function)
        if definition is not None and root.request.inner is None:
            for source in (self.source, definition.source):
                if source.path == root.span.path:
                    program = queries.program_of(self.users, definition.dotted)
                    resolver = self.users.resolver
                    yield called.signature(source, root.span, definition, program, resolver)
            yield self.recorded(definition)


def describe(
    source: Source,
    line: int,
    column: int,
    users: Functions,
    elsewhere: Elsewhere,
    recorded: Recorded,
) -> Description | None:
    """Describes the name at a place, if it is one of a function's or a function's own."""
    found = pointing.pointed(source, line, column, users.resolver)
    if found is None or (found.means is None and not found.variable_of):
        return None

    def roots(home: Source) -> tuple[Root, ...]:
        own = (*users.roots(home)[0], *users.roots(source)[0])
        return tuple(dict.fromkeys((*own, *elsewhere(home))))

    rules = users.rules_in(source)
    program = Program(users.resolver, rules, pipeline.CANONICAL, users)
    place = _Place(found, source, users, program, roots, recorded)
    if found.variable_of:
        told = (_variable(each, place) for each in found.variable_of)
        return next((each for each in told if each is not None), None)
    return _rules(found, place) or _global(place)


def _variable(definition: Definition, place: _Place) -> Description | None:
    """A variable of a function that is part of a derivative."""
    reached = _reached(definition, place)
    if reached is None:
        return None
    function, part, program = reached.function, reached.part, reached.program
    name, span = place.pointed.name, place.pointed.span
    seen = _seen(reached, place)
    blocking = tuple(one for one in place.found(part.root) if one.blocks)
    told = explaining.explained(function, name, span, part, program, place.users, blocking, seen)
    if told is None:
        return None
    title, lines = told
    return Description(span, title, (*lines, *_by_whom(definition, part, place)))


def _seen(reached: Reached, place: _Place) -> typed.Seen | None:
    """What the root was called with last, or is called with by the text, as far as it is known."""
    asked, program = reached.part.root, reached.program
    dotted = asked.request.function
    root, definition = program.root(dotted), place.users.resolver.definition(dotted)
    if root is None or definition is None:
        return None
    recorded = place.recorded(definition)
    text = recorded or reached.signature or next(filter(None, place.signatures(asked)), "")
    return typed.Seen(root, parse.signature(text), bool(recorded)) if text else None


def _global(place: _Place) -> Description | None:
    """A function's name, where it is defined or used."""
    means = place.pointed.means
    assert means is not None
    program, users = place.program, place.users
    function = program.root(means.dotted) if means.kind == "function" else None
    definition = users.resolver.definition(means.dotted)
    if definition is not None and definition.inner and _reached(definition, place) is None:
        return None
    if function is not None and definition is not None:
        return _function(function, definition, place)
    ruled = tuple(_by_rule(means.dotted, place))
    title = f"function `{place.pointed.name}`"
    if not ruled and place.pointed.inside is not None:
        is_asked = _reached(place.pointed.inside, place) is not None
        title = f"function `{means.dotted.removeprefix('builtins.')}`"
        ruled = tuple(_called(means.dotted, place.pointed.inside, place)) if is_asked else ()
    return Description(place.pointed.span, title, ruled) if ruled else None


def _reached(definition: Definition, place: _Place) -> Reached | None:
    """A function with the part that it has in a derivative, as that is called where it must be."""
    function = place.program.function(definition.dotted)
    if function is None:
        return None
    roots = place.roots(definition.source)
    part = reaching.part(function, roots, place.program, place.users)
    if part is not None:
        return Reached(function, part, place.program)
    called = (
        reaching.as_called(definition, root, signature, place.users)
        for root in roots
        if reaching.waits(root, place.users)
        for signature in dict.fromkeys(place.signatures(root))
        if signature
    )
    return next((each for each in called if each is not None), None)


def _called(dotted: str, inside: Definition, place: _Place) -> Iterator[str]:
    """How a function of a library is differentiated, and what a call of it gives."""
    function, rule = place.program.function(inside.dotted), table.load().get(dotted)
    if function is None or rule is None:
        return
    call = _call(dotted, function, place.pointed.span)
    is_cut = call is not None and operations.cuts_fractions(call[1])
    yield from ENDING if is_cut else _built_in(dotted, rule)
    if call is not None:
        yield from spelled.sentences("the result", function, *call, place.program)


def _call(dotted: str, function: ir.Function, span: Span) -> tuple[ir.Statement, ir.Call] | None:
    """The innermost call of a function at a place, which is computed first, and its statement."""
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call(function=name, span=Span() as at) as call) if (
                name == dotted and at.holds(span)
            ):
                return statement, call
    return None


def _built_in(dotted: str, rule: table.Rule) -> Iterator[str]:
    """How a function of a library is differentiated."""
    if rule.kind == "constant":
        yield from ENDING
        return
    inputs = ", ".join(f"`{name}`" for name in rule.of)
    yield f"It has a derivative rule{f' (condition: {rule.when})' if rule.when else ''}."
    several = "s" if len(rule.of) > 1 else ""
    what = f"The gradient{several} of {inputs}, from that of the result, `out_bar`:"
    if rule.kind == "elementwise":
        what = f"The partial derivative{several} by {inputs}; `out` is the result:"
    elif rule.kind == "composite":
        what = f"Where {inputs} matters, a call stands for these steps:"
    code = table.load().written(dotted)
    yield "\n".join([what, "", "```python", *code, "```"])


def _rules(found: Pointed, place: _Place) -> Description | None:
    """The rule that is written in the function that is defined at the place."""
    here = place.source.path, found.span.line
    for rule in place.program.rules.own.values() if found.defines else ():
        bodies = ((d.source.path, d.body.lineno) for d in rule.declarations if d.body is not None)
        if here in bodies:
            return _rule(rule, place)
    return None


def _rule(rule: table.Rule, place: _Place) -> Description:
    """A function that is a rule."""
    words = " and ".join(dict.fromkeys(d.word for d in rule.declarations))
    inputs = ", ".join(f"`{name}`" for name in rule.of)
    lines = [f"It says how `{rule.name}` is differentiated ({words}). It is read, not run."]
    lines += [f"It is about {inputs}."] if inputs else []
    lines += [f"- {p.finding.code}, line {p.span.line}: {p.finding.text()}" for p in rule.problems]
    return Description(place.pointed.span, "rule", tuple(lines))


def _by_rule(dotted: str, place: _Place) -> Iterator[str]:
    """Which rule of a user's a function has."""
    rule = place.program.rule(dotted)
    for declaration in rule.declarations if rule is not None else ():
        file = _file(declaration.source.path)
        yield f"A rule says how it is differentiated: `{file}`, line {declaration.span.line}."


def _function(function: ir.Function, definition: Definition, place: _Place) -> Description:
    """A function, with respect to what it is differentiated, or else to all its parameters."""
    program, users, roots = place.program, place.users, place.roots(definition.source)
    reached = _reached(definition, place)
    part = None if reached is None else reached.part
    every = Request(function.dotted, tuple(p.name for p in function.parameters), True)
    request = every if part is None else part.request
    if part is not None and (part.is_root or (reached is not None and reached.signature)):
        span = definition.span
        found = tuple(d for d in place.found(part.root) if part.is_root or span.holds(d.span))
    else:
        found = queries.findings(request, users) if request.wrt else ()
    lines = [*_verdict(request, found), *_by_rule(function.dotted, place)]
    if part is not None:
        lines += _by_whom(definition, part, place)
    else:
        lines.append(_by_nobody(reaching.doubtful(function, roots, program, users), users))
    lines += [f"- {one.code}: {one.message}" for one in found if not one.blocks]
    return Description(place.pointed.span, f"function `{function.name}`", tuple(lines))


def _verdict(request: Request, found: Iterable[Diagnostic]) -> Iterator[str]:
    """Whether there is a derivative, and what prevents it."""
    shown = ", ".join(f"`{name}`" for name in request.wrt) or "nothing"
    blocking = [one for one in found if one.blocks]
    if not blocking:
        yield f"Differentiable with respect to {shown}."
        return
    yield f"Not differentiable with respect to {shown}:"
    yield from (f"- {one.code}, line {one.span.line}: {one.message}" for one in blocking[:5])


def _by_whom(definition: Definition, part: Part, place: _Place) -> Iterator[str]:
    """What asks for a derivative that a function is part of, unless it is plain to see."""
    asked_in = part.root.span.path
    is_elsewhere = asked_in != place.source.path
    where = f" in `{_file(asked_in)}`, line {part.root.span.line}" if is_elsewhere else ""
    if not part.is_root or definition.dotted != part.root.request.function:
        caller = _shown(part.root, place.users)
        yield f"It is differentiated{where} as a part of `{caller}`."
    elif is_elsewhere:
        yield f"It is differentiated{where}."


def _by_nobody(doubtful: tuple[Root, Diagnostic] | None, users: Functions) -> str:
    """Why a function is part of no derivative, as far as is known."""
    if doubtful is None:
        return "No call of `adlsp.grad` and its kin in this workspace reaches it."
    root, cause = doubtful
    caller = _shown(root, users)
    why = f"{cause.code}, line {cause.span.line}: {cause.message}"
    return f"Whether the derivative of `{caller}` reaches it is not known: {why}."


def _shown(root: Root, users: Functions) -> str:
    """What to call a function that is differentiated."""
    definition = users.resolver.definition(root.request.function)
    return root.request.function.rpartition(".")[2] if definition is None else definition.shown


def _file(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]
