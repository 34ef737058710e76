"""A function with what its variables are, at the right margin of its text: `adlsp show --types`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from adlsp.transform import ir, uses
from adlsp.transform.frontend.resolve import Resolver
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Generated
from adlsp.transform.program import Program
from adlsp.transform.source import Source
from adlsp.transform.values import annotations as annotating
from adlsp.transform.values.inference import Instances, Typed
from adlsp.transform.values.lattice import (
    UNREACHED,
    Array,
    Mapped,
    Number,
    Sequence,
    Signature,
    Unknown,
    Unreached,
    Value,
    join,
)
from adlsp.transform.values.signature import Writer, named_symbols


class Seen(NamedTuple):
    """A function that is differentiated, what it is called with, and if a derivative ran so."""

    root: ir.Function
    signature: Signature
    has_run: bool = True


WIDEST = 60
"""Behind so many characters of a line its margin follows at once."""


def annotated(function: ir.Function, source: Source, resolver: Resolver) -> dict[str, Value]:
    """What the annotations of a function say that its parameters are."""

    def meaning(name: str) -> str | None:
        head, dot, rest = name.partition(".")
        found = resolver.name(source, head)
        known = None if found.kind == "missing" else f"{found.dotted}{dot}{rest}"
        return None if known is None else known.removeprefix("builtins.")

    return {
        p.name: annotating.of(p.annotation, meaning=meaning)
        for p in function.parameters
        if p.annotation is not None
    }


def text(
    function: ir.Function,
    source: Source,
    program: Program,
    signature: Signature,
    assumed: Collection[str] = (),
) -> str:
    """The lines of a function, each with the values of the variables that it binds or changes.

    Of some parameters the signature is `assumed`.
    """
    typed = Instances(program).of(function, signature)
    last = max((s.origin.end_line for s in ir.walk(function.body)), default=function.origin.line)
    lines = source.text.splitlines()[function.origin.line - 1 : last]
    taken = {p.name for p in function.parameters} | named_symbols(signature.values())
    writer = Writer(taken, home=function.module)
    margins = {line: ", ".join(t) for line, t in _margins(function, typed, writer, assumed)}
    width = max((len(line) for line in lines if len(line) <= WIDEST), default=0)
    numbered = enumerate(lines, function.origin.line)
    told = (f"{line:{width}}  # {margins[n]}" if n in margins else line for n, line in numbered)
    return "\n".join(told) + "\n"


def sentences(
    function: ir.Function,
    statement: ir.Statement,
    name: str,
    program: Program,
    resolver: Resolver,
    seen: Seen | None = None,
    *,
    is_target: bool,
    is_scalar: bool,
) -> tuple[str, ...]:
    """What is said of a variable that a statement binds or reads: one sentence, or none.

    `seen` is what the derivative of which the function is a part was called with last, or is called
    with by the text. Where neither that nor the function itself tells, it may be assumed;
    `is_scalar`: the function returns a number.
    """
    definition = resolver.definition(targets.defined(targets.original(function.dotted)))
    if definition is None:
        return ()
    told = annotated(function, definition.source, resolver)
    found = _running(function, told, seen, program, resolver) if seen is not None else None
    typed = Instances(program).of(function, told) if found is None else found
    has_run = found is not None and seen is not None and seen.has_run
    where = "In the last run it was" if has_run else "As far as the text tells, it is"
    value = _value(typed, statement, name, is_target=is_target)
    if value is None and not (seen and seen.has_run):
        assumed = uses.assumed(function, program, told, is_scalar=is_scalar)
        typed = Instances(program).of(function, {**told, **assumed})
        where = "As parameters are used, it is assumed to be"
        value = _value(typed, statement, name, is_target=is_target)
    if value is None:
        return ()
    taken = {p.name for p in function.parameters} | named_symbols(typed.given.values())
    return (f"{where} `{Writer(taken, home=function.module).value(value)}`.",)


def _value(typed: Typed, statement: ir.Statement, name: str, *, is_target: bool) -> Value | None:
    """What a variable is that a statement binds or reads; None where little is known of it."""
    table = typed.writes if is_target else typed.reads
    value = table.get((statement, name), typed.given.get(name, UNREACHED))
    is_shown = isinstance(value, Number | Array | Sequence | Mapped) and not _is_vague(value)
    return value if is_shown else None


def _running(
    function: ir.Function,
    told: Mapping[str, Value],
    seen: Seen,
    program: Program,
    resolver: Resolver,
) -> Typed | None:
    """What is known of a function in a run of the derivative that it is a part of."""
    root, signature, _ = seen
    if function.dotted == root.dotted:
        return Instances(program).of(function, {**told, **signature})
    definition = resolver.definition(root.dotted)
    known = {} if definition is None else annotated(root, definition.source, resolver)
    functions = {root.dotted: root}

    def called(dotted: str) -> ir.Function | None:
        return functions.get(dotted) or program.definition(dotted)

    reached = Instances(program).reached(root.dotted, {**known, **signature}, called)
    return reached.get(function.dotted)


def _is_vague(value: Value) -> bool:
    """Tells whether no more is known than that it is an array, say, or a list of anything."""
    match value:
        case Array(shape=None) | Sequence(items=None, each=Unknown()) | Mapped(items=None):
            return True
    return False


def _margins(
    function: ir.Function, typed: Typed, writer: Writer, assumed: Collection[str]
) -> Iterator[tuple[int, list[str]]]:
    """What is told of each line: parameters at the first, then variables, and the result."""
    given = {name: writer.value(value) for name, value in typed.given.items()}
    told = [f"{name}: {value}" for name, value in given.items() if name not in assumed]
    supposed = [f"{name}: {value}" for name, value in given.items() if name in assumed]
    yield function.origin.line, told + [f"assumes {', '.join(supposed)}"] * bool(supposed)
    values: dict[int, dict[str, Value]] = defaultdict(dict)
    running: set[int] = set()
    lines: set[int] = set()
    for statement in ir.walk(function.body):
        line = statement.origin.line
        lines.add(line)
        if statement in typed.running:
            running.add(line)
        for name in ir.writes(statement):
            if not isinstance(name, Generated) and (statement, name) in typed.writes:
                before = values[line].get(name, Unreached())
                values[line][name] = join(before, typed.writes[statement, name])
        if isinstance(statement, ir.Return):
            values[line]["->"] = typed.result
    for line in sorted(lines - {function.origin.line}):
        if line not in running:
            yield line, ["does not run"]
        elif values[line]:
            yield line, [_told(name, writer.value(v)) for name, v in values[line].items()]


def _told(name: str, value: str) -> str:
    return f"-> {value}" if name == "->" else f"{name}: {value}"
