"""The intermediate form with what the analyses say of it at the right margin.

Each analysis is a column: a function that gives, for a statement, what is known there. A statement
is told of by the line that it begins on:

- `varied x`, `useful x`, `active x`: how what it binds or changes takes part in the derivative;
- `live a, b`: what is read again from here on, before it runs;
- `x shares y`: what may share memory with what it binds or changes, after it;
- `x: float64[n]`: what it binds or changes is;
- `saves %tape:x:4`: what is recorded around it for the backward sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, liveness
from adlsp.transform.facts.activity import Activity
from adlsp.transform.facts.aliases import Aliases, Given, Holder
from adlsp.transform.ir import dump, notation
from adlsp.transform.ir.variables import Step
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.signature import Writer

Column = Callable[[ir.Statement | None], Iterable[str]]
"""What an analysis says of a statement, or of the start of a function."""

Saves = Mapping[ir.Statement | None, tuple[ir.Statement, ...]]
"""The statements that save something, by that of the primal which they are about."""


def text(function: ir.Function, columns: Iterable[Column]) -> str:
    """The text of a function with columns at its right.

    Nothing is said of steps that are only kept, for where an opaque expression takes part.
    """
    columns, run = tuple(columns), frozenset(ir.walk(function.body))
    head, *_ = dump.lines_of_function(function)
    lines = tuple(dump.lines_of_block(function.body, 1))
    margins = (_margin(columns, line.statement) if line.statement in run else "" for line in lines)
    return dump.with_margin((head, *lines), (_margin(columns, None), *margins))


def _margin(columns: Iterable[Column], statement: ir.Statement | None) -> str:
    """What columns say of a statement, or of the parameters."""
    return " | ".join(part for column in columns for part in column(statement))


def activity(facts: Activity, parameters: Iterable[str]) -> Column:
    """How variables take part in the derivative."""
    given = tuple(parameters)

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is None:
            varied, useful, names = facts.inputs, facts.useful.end, given
        else:
            names = ir.writes(statement)
            varied, useful = facts.varied_after[statement], facts.useful_after[statement]
            if isinstance(statement, ir.For):
                varied, useful = facts.varied.passes[statement], facts.useful.passes[statement]
        kinds = {"active": varied & useful, "varied": varied - useful, "useful": useful - varied}
        for kind, members in kinds.items():
            if told := [name for name in names if name in members]:
                yield f"{kind} {', '.join(told)}"

    return column


def live(facts: dataflow.Solution[liveness.Live]) -> Column:
    """What is read again."""

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is not None and (names := facts.before[statement]):
            yield f"live {', '.join(sorted(names))}"

    return column


def sharing(facts: Aliases) -> Column:
    """What may share memory; `parameter x` is the array of the caller, `global …` of a module."""

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is None:
            return
        after = facts.after[statement]
        if isinstance(statement, ir.For):
            after = facts.before[statement.body[0]] if statement.body else after
        for name in ir.writes(statement):
            if others := after.get(name):
                yield f"{name} shares {', '.join(sorted(map(_holder, others)))}"

    return column


def values(facts: Typed, writer: Writer) -> Column:
    """What variables are."""

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is None:
            given = facts.given.items()
            yield ", ".join(f"{name}: {writer.value(value)}" for name, value in given)
        elif statement not in facts.running:
            yield "does not run"
        elif isinstance(statement, ir.Return):
            yield f"gives {writer.value(facts.result)}"
        else:
            for name in ir.writes(statement):
                if (statement, name) in facts.writes:
                    value = writer.value(facts.writes[statement, name])
                    yield f"{notation.name(name)}: {value}"

    return column


def _holder(holder: Holder) -> str:
    match holder:
        case Given(parameter):
            return f"parameter {parameter}"
        case ir.Global(dotted):
            return f"global {dotted}"
    return holder


def saved(saves: Saves) -> Column:
    """What is recorded for the backward sweep, under which names."""

    def column(statement: ir.Statement | None) -> Iterator[str]:
        made = saves.get(statement, ())
        names = dict.fromkeys(_recorded(made))
        if names:
            yield f"saves {', '.join(names)}"

    return column


def _recorded(saves: Iterable[ir.Statement]) -> Iterator[str]:
    """The names that values are saved under."""
    for statement in saves:
        match statement:
            case ir.Assign(value=ir.Call("python.list", ())):
                continue
            case ir.Do(value=ir.Call("python.append", (ir.Name(tape), _))):
                yield tape
            case ir.Assign(targets=targets):
                yield from (name for name in targets if not isinstance(name, Step))
