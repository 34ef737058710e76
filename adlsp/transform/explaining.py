"""What is said of a variable: on which inputs it depends and why, and whether the result does.

This is the provenance of activity (`facts/provenance.py`), in sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir, reaching, spelled, typed
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import activity
from adlsp.transform.facts.provenance import Link, Provenance
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Adjoint, readable
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.query_cache import Functions
from adlsp.transform.reaching import Part
from adlsp.transform.source import Span

MOST_CHAINS = 3
MOST_LINKS = 6
MOST_LETTERS = 90
"""How many inputs are explained, with how many definitions, of how many letters each."""

Text = tuple[str, list[str]]
"""A title and sentences."""

Chains = dict[str, tuple[Link, ...]]
"""For each input the definitions by which a variable depends on it; the last link is the input."""


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable at a place: `name` is what it goes by, `is_target` that it is bound there.

    `facts` are the activity with respect to each input alone.
    """

    shown: str
    name: str
    function: ir.Function
    statement: ir.Statement
    is_target: bool
    facts: dict[str, activity.Activity]
    program: Program

    @property
    def carried(self) -> tuple[str, ...]:
        """The inputs that it depends on."""
        return tuple(w for w, each in self.facts.items() if self.name in self._varied(each))

    @property
    def is_useful(self) -> bool:
        """Tells whether the result depends on it."""
        each = next(iter(self.facts.values()))
        after, before = each.useful_after, each.useful_before
        return self.name in (after if self.is_target else before)[self.statement]

    def _varied(self, each: activity.Activity) -> activity.Names:
        if self.is_target and isinstance(self.statement, ir.For):
            return each.varied_in(self.statement)
        return (each.varied_after if self.is_target else each.varied_before)[self.statement]


def explained(
    function: ir.Function,
    shown: str,
    span: Span,
    part: Part,
    program: Program,
    users: Functions,
    blocking: tuple[Diagnostic, ...],
    seen: typed.Seen | None = None,
) -> Text | None:
    """What is said of a variable at a place; None if it is none of the function's.

    `blocking` is what is in the way of the derivative; `seen`, what the root was called with last.
    """
    name = program.first_name(function, shown, span)
    local = {p.name for p in function.parameters}
    local |= {n for s in ir.walk(function.body) for n in (*ir.reads(s), *ir.writes(s))}
    if name not in local:
        name = _own_name(function, shown, span)
    if name not in local or not part.request.wrt:
        return None
    if part.is_root:
        function = with_outputs(function, part.request.innermost.outputs)
    statement, is_target = _statement(function, name, span)
    wrt = part.request.wrt
    flow = _remembering(program.flow)
    iterations = program.facts(function).iterations
    useful = activity.useful(function, flow, iterations)
    facts = {w: activity.activity(function, (w,), flow, iterations, useful) for w in wrt}
    variable = _Variable(shown, name, function, statement, is_target, facts, program)
    unknown = _unknown(function, blocking)
    if unknown is not None:
        title, lines = _with_unknown(variable, part, span, *unknown)
    else:
        title, lines = _known(variable, part, is_derivable=not blocking)
    if readable(name) != shown:
        lines.insert(0, f"It is another name of `{name}` here.")
    made = statement.value if is_target and isinstance(statement, ir.Assign) else ir.Name(name)
    resolver = users.resolver
    lines[1:1] = typed.sentences(
        function,
        statement,
        name,
        program,
        resolver,
        seen,
        is_target=is_target,
        is_scalar=part.is_root and part.request.gives_number,
    ) or spelled.sentences("it", function, statement, made, program)
    return title, lines


def _own_name(function: ir.Function, shown: str, span: Span) -> str:
    """What a variable at a place is called in a function in which the text there is written out."""
    at = (s for s in ir.walk(function.body) if s.origin.contains(span.line, span.column))
    names = (name for s in at for name in (*ir.writes(s), *ir.reads(s)))
    return next((name for name in names if readable(name) == shown), shown)


def _known(variable: _Variable, part: Part, *, is_derivable: bool) -> Text:
    shown, result = variable.shown, f"the result of `{variable.function.name}`"
    carried, inputs = variable.carried, _listed(part.request.wrt)
    chains = _chains(variable)
    dependence = _dependence(carried, chains, part)
    if carried and variable.is_useful:
        lines = [f"{dependence}, and {result} depends on it."]
        if is_derivable:
            lines.append(f"Its adjoint is `{readable(Adjoint(variable.name))}`.")
        return f"`{shown}` is active", [*lines, *_because(variable, chains, part)]
    if carried:
        lines = [
            f"{dependence}, but {result} does not depend on it differentiably: its adjoint is zero."
        ]
        title = f"`{shown}` is varied, but not useful"
        return title, [*lines, *_because(variable, chains, part)]
    if variable.is_useful:
        lines = [f"T{result[1:]} depends on it, but it does not depend on {inputs}."]
    else:
        lines = [f"It does not depend on {inputs}, nor {result} on it."]
    return f"`{shown}` is not active", lines


def _with_unknown(
    variable: _Variable, part: Part, span: Span, start: Span, cause: Diagnostic
) -> Text:
    """What is said where a part of the function is not supported: what comes before is known."""
    shown, inputs = variable.shown, _listed(part.request.wrt)
    told = f"{cause.code}, line {cause.span.line}: {cause.message}."
    if (span.line, span.column) >= (start.line, start.column):
        lines = [f"From line {start.line} on it is not known what depends on {inputs}.", told]
        return f"`{shown}` may be active", lines
    carried = variable.carried
    if not carried:
        return f"`{shown}` is not active", [f"It does not depend on {inputs}."]
    chains = _chains(variable)
    result = f"whether the result of `{variable.function.name}` depends on it is not known"
    lines = [f"{_dependence(carried, chains, part)}; {result}.", told]
    return f"`{shown}` is varied", [*lines, *_because(variable, chains, part)]


def _unknown(
    function: ir.Function, blocking: tuple[Diagnostic, ...]
) -> tuple[Span, Diagnostic] | None:
    """From where on nothing is known in a function, and why: the loops around it begin anew."""
    for statement in function.body:
        for _, cause in reaching.unsupported(replace(function, body=(statement,)), blocking):
            is_loop = isinstance(statement, ir.For | ir.While)
            inside = (each for each in ir.blocks(statement) if not is_loop)
            for block in inside:
                deeper = _unknown(replace(function, body=block), blocking)
                if deeper is not None:
                    return deeper
            return statement.origin, cause
    return None


# sentences


def _dependence(carried: tuple[str, ...], chains: Chains, part: Part) -> str:
    """On what a variable depends; an input depends on nothing."""
    others = tuple(w for w in carried if len(chains.get(w, ())) != 1)
    if len(others) == len(carried):
        return f"It depends on {_listed(others)}"
    too = f" and depends on {_listed(others)}" if others else ""
    return f"It is {_what(part)}{too}"


def _because(variable: _Variable, chains: Chains, part: Part) -> Iterator[str]:
    """For each input the definitions by which a variable depends on it."""
    for wrt, (*links, (end, _)) in tuple(chains.items())[:MOST_CHAINS]:
        first = variable.function.origin  # where it reads what it is given
        shown = (s for _, s in links if s is not None and s.origin != first)
        lines = [_line(made, variable.program) for made in shown]
        if len(lines) > MOST_LINKS:
            lines[MOST_LINKS - 2 : -1] = ["- …"]
        if lines:
            lines.append(f"- `{end}` is {_what(part)}")
            which = f"the input `{wrt}`" if wrt == variable.shown else f"`{wrt}`"
            yield "\n".join([f"`{variable.shown}` depends on {which} because:", "", *lines])


def _line(statement: ir.Statement, program: Program) -> str:
    """A definition as it is written; of a statement with a block the first line."""
    span = statement.origin
    is_opaque = isinstance(statement, ir.Do) and isinstance(statement.value, ir.Opaque)
    if is_opaque or isinstance(statement, ir.For | ir.While):
        span = replace(span, end_line=span.line, end_column=span.column + MOST_LETTERS + 1)
    text = program.quote(span)
    text = text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"
    return f"- line {span.line}: `{text}`"


def _what(part: Part) -> str:
    """What a parameter is that dependence begins at."""
    return "an input of interest" if part.is_root else "a parameter that carries derivatives"


def _listed(inputs: tuple[str, ...]) -> str:
    return ", ".join(f"`{each}`" for each in inputs)


# what is known


def _chains(variable: _Variable) -> Chains:
    """For each input the definitions by which a variable depends on it: none if it is the input."""
    statement, name = variable.statement, variable.name
    numbered = variable.program.facts(variable.function).versions
    start = numbered.writes.get((statement, name)) if variable.is_target else None
    found = {
        w: tuple(Provenance(variable.facts[w], numbered).chain(statement, name, start))
        for w in variable.carried
    }
    return {w: chain for w, chain in found.items() if chain}


def _remembering(flow: activity.Flow) -> activity.Flow:
    """Flow that is worked out once for each expression of a function: each input asks for it."""
    known: dict[int, tuple[ir.Atom, ...]] = {}

    def remembered(value: ir.Expression) -> tuple[ir.Atom, ...]:
        if id(value) not in known:
            known[id(value)] = tuple(flow(value))
        return known[id(value)]

    return remembered


def _statement(function: ir.Function, name: str, span: Span) -> tuple[ir.Statement, bool]:
    """The statement at a place that reads or binds a name; whether it binds it there."""
    walked = list(ir.walk(function.body))
    at = [s for s in walked if s.origin.contains(span.line, span.column)]
    readers = [s for s in at if name in ir.reads(s)]
    writers = [s for s in at if name in ir.writes(s)]
    if writers and (not readers or span.column == writers[-1].origin.column):
        last = writers[-1]  # the variable of a loop is what the body sees
        return (last.body[0], False) if isinstance(last, ir.For) and last.body else (last, True)
    if readers:
        return readers[0], False
    following = [s for s in walked if s.origin.line >= span.line]
    return (following or walked)[0], False
