"""Prints the intermediate form: one step a line, with its origin and role at the right margin.

The text is a dump in the sense of compilers, for people first; `parse.py` reads it back to an equal
function, and `notation.py` says what it looks like.

    def f(x, n) in case:                    # 1:5-6
        file 'case.py'
        p = 1.0                             # 2:5-12
        %t:1 = builtins.range(n)            # 3:5-4:18 [14-22]
        for i in %t:1:
            p = p * x                       # 4:9-18 [13-18]
        return p                            # 5:5-13

A `while` has the steps of its test before it, under `loop:`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import chain

from adlsp.transform import ir
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding, Fix
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import notation, trees
from adlsp.transform.ir.notation import INDENT
from adlsp.transform.ir.signs import INFIX, PREFIX
from adlsp.transform.source import Span

WIDEST = 64
"""Where margins begin at the latest."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a dump: how deep it stands, what it says, and what belongs into its margin.

    `statement` is the one that begins on this line.
    """

    depth: int
    code: str
    origin: Span | None = None
    role: ir.Role = ir.Role.PRIMAL
    span: Span | None = None
    statement: ir.Statement | None = None

    @property
    def text(self) -> str:
        """The line without its margin."""
        return f"{INDENT * self.depth}{self.code}"


def function(function: ir.Function, shown: Callable[[str], str] = str) -> str:
    """The text of a function; `shown` says how the paths of its files are written."""
    head, *rest = lines_of_function(function)
    labels = _labels((head, *rest))
    files = (Line(1, line) for line in _files(labels, shown))
    return _with_margins((head, *files, *rest), labels)


def block(block: ir.Block, shown: Callable[[str], str] = str) -> str:
    """The text of a block."""
    lines = tuple(lines_of_block(block))
    labels = _labels(lines)
    files = (Line(0, line) for line in _files(labels, shown))
    return _with_margins((*files, *lines), labels)


def with_margin(lines: Iterable[Line], margins: Iterable[str]) -> str:
    """The text of lines with something to their right."""
    pairs = tuple(zip(lines, margins, strict=True))
    told = (len(line.text) for line, margin in pairs if margin)
    width = min(max(told, default=0), WIDEST)
    return "".join(f"{f'{line.text:{width}}  # {m}' if m else line.text}\n" for line, m in pairs)


def lines_of_function(function: ir.Function) -> Iterator[Line]:
    """The lines of a function, without those that name its files."""
    parameters = ", ".join(_parameters(function.parameters))
    name = notation.function(function.name)
    head = f"def {name}({parameters}) in {notation.module(function.module)}:"
    yield Line(0, head, function.origin)
    if function.called is not None:
        yield Line(1, f"called {notation.function(function.called)}")
    if function.aliases:
        named = ", ".join(f"{module} as {alias}" for module, alias in function.aliases)
        yield Line(1, f"import {named}")
    for context in function.contexts:
        told = f"with {call(context.value)}"
        yield Line(1, told, context.span, span=context.value.span)
    for parameter in function.parameters:
        if isinstance(parameter.default, ir.Opaque):
            before = f"default {notation.name(parameter.name)} = "
            yield from _opaque(1, before, parameter.default)
    for found in function.findings:
        yield from _found(1, found)
    if function.docstring is not None:
        yield Line(1, repr(function.docstring))
    yield from lines_of_block(function.body, 1)


def lines_of_block(block: ir.Block, depth: int = 0) -> Iterator[Line]:
    """The lines of a block."""
    for statement in block:
        first, *rest = _statement(statement, depth)
        begins = replace(first, origin=statement.origin, role=statement.role, statement=statement)
        yield begins
        yield from rest
    if not block:
        yield Line(depth, "pass")


def _statement(statement: ir.Statement, depth: int) -> Iterator[Line]:
    match statement:
        case ir.Assign(targets=targets, value=value):
            yield from _expression(depth, f"{_targets(targets, statement.is_tuple)} = ", value)
        case ir.Store(span=span):
            yield Line(depth, _store(statement), span=span)
        case ir.Do(value=value):
            yield from _expression(depth, "", value)
        case ir.If(test, body, orelse):
            yield Line(depth, f"if {atom(test)}:")
            yield from lines_of_block(body, depth + 1)
            if orelse:
                yield Line(depth, "else:")
                yield from lines_of_block(orelse, depth + 1)
        case ir.For(target, iterable, body):
            yield Line(depth, f"for {notation.name(target)} in {atom(iterable)}:")
            yield from lines_of_block(body, depth + 1)
        case ir.While(header, test, body):
            if header:
                yield Line(depth, "loop:")
                yield from lines_of_block(header, depth + 1)
            yield Line(depth, f"while {atom(test)}:")
            yield from lines_of_block(body, depth + 1)
        case ir.Insert(variable, bar, body, captured):
            named = "" if bar is None else f" as {notation.name(bar)}"
            held = ", ".join(f"{notation.name(inner)} = {atom(a)}" for inner, a in captured)
            reading = f" reading {held}" if held else ""
            yield Line(depth, f"with insert_grad_of({atom(variable)}){named}{reading}:")
            yield from lines_of_block(body, depth + 1)
        case ir.Assert(test, message):
            said = "" if message is None else f", {atom(message)}"
            yield Line(depth, f"assert {atom(test)}{said}")
        case ir.Return(value):
            yield Line(depth, f"return {atom(value)}")


def _targets(targets: tuple[str, ...], is_tuple: bool) -> str:
    listed = ", ".join(map(notation.name, targets))
    if not is_tuple:
        return listed
    return f"{listed}," if len(targets) == 1 else listed or "()"


def _store(store: ir.Store) -> str:
    index = "" if store.index is None else atom(store.index)
    place = f"[{index}]" if index or store.kind.replaces else ""
    how = "each " if store.is_each else "assign " if store.is_assign else ""
    symbol = notation.symbol(store.kind)
    return f"{notation.name(store.base)}{place} {how}{symbol}= {atom(store.value)}"


def _expression(depth: int, before: str, value: ir.Expression) -> Iterator[Line]:
    match value:
        case ir.Call(span=span):
            yield Line(depth, before + call(value), span=span)
        case ir.Opaque():
            yield from _opaque(depth, before, value)
        case _:
            yield Line(depth, before + atom(value))


def atom(atom: ir.Atom) -> str:
    """The text of an atom."""
    match atom:
        case ir.Name(id):
            return notation.name(id)
        case ir.Const():
            return notation.constant(atom)
    return notation.variable_of_module(atom.dotted)


def call(call: ir.Call) -> str:
    """The text of a step, in the syntax that Python has for it."""
    args = tuple(map(atom, call.args))
    if not call.keywords:
        match call.function, args:
            case function, (left, right) if function in INFIX:
                return f"{left} {INFIX[function]} {right}"
            case function, (only,) if function in PREFIX and isinstance(call.args[0], ir.Name):
                return f"{PREFIX[function]}{only}"
            case "operator.getitem", (base, index):
                return f"{base}[{index}]"
            case "python.tuple", _:
                return f"({args[0]},)" if len(args) == 1 else f"({', '.join(args)})"
            case "python.list", _:
                return f"[{', '.join(args)}]"
            case "python.set", (_, *_):
                return f"{{{', '.join(args)}}}"
            case "python.dict", _ if len(args) % 2 == 0:
                pairs = zip(args[::2], args[1::2], strict=True)
                return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"
    named = (f"{key}={atom(value)}" for key, value in call.keywords)
    return f"{notation.function(call.function)}({', '.join((*args, *named))})"


def _opaque(depth: int, before: str, opaque: ir.Opaque) -> Iterator[Line]:
    """What was kept: its text after bars, then all that is known of it, one fact a line."""
    kind = "opaque statement" if trees.is_statement(opaque.tree) else "opaque"
    yield Line(depth, f"{before}{kind}:", span=opaque.span)
    for line in trees.written(opaque.tree).split("\n"):
        yield Line(depth + 1, f"| {line}" if line else "|")
    yield from (Line(depth + 1, fact) for fact in _facts(opaque))
    for found in opaque.findings:
        yield from _found(depth + 1, found)
    if opaque.unfolded is not None:
        steps, result = opaque.unfolded
        yield Line(depth + 1, f"unfolded to {atom(result)}:")
        yield from lines_of_block(steps, depth + 2)


def _facts(opaque: ir.Opaque) -> Iterator[str]:
    if opaque.reads:
        yield f"reads {_names(opaque.reads)}"
    if opaque.writes:
        yield f"writes {_names(opaque.writes)}"
    if opaque.changes:
        yield f"changes {_names(opaque.changes)}"
    if opaque.decide:
        yield f"is decided by {_names(opaque.decide)}"
    for name, dotted in opaque.globals:
        yield f"{notation.name(name)} means {notation.function(dotted)}"
    for name, variable in opaque.names:
        yield f"{notation.name(name)} is now {notation.name(variable)}"
    for function, reached in opaque.calls:
        yield f"calls {notation.function(function)}({_names(reached)})"
    for name, function, sources in opaque.holds:
        giving = notation.function(function) if function else ""
        yield f"{notation.name(name)} may be part of {giving}({_names(sources)})"
    if opaque.states:
        yield f"binds {', '.join(map(notation.function, opaque.states))}"
    if opaque.is_definition:
        yield "is a definition"
    if opaque.function is not None:
        yield f"is {held(opaque.function)}"


def held(function: ir.Held) -> str:
    """A function with the variables that it has captured: `nested:a.f.<locals>.g(k=k)`."""
    pairs = (f"{notation.name(p)}={notation.name(variable)}" for p, variable in function.captured)
    return f"{notation.function(function.dotted)}({', '.join(pairs)})"


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(notation.name, names))


def _found(depth: int, found: Diagnostic) -> Iterator[Line]:
    blocks = "" if found.blocks else ", which prevents nothing"
    blocks += ", which waits" if found.is_open else ""
    yield Line(depth, f"finding {_finding(found.finding)}{blocks}", span=found.span)
    for related in found.related:
        yield Line(depth + 1, f"related {related.message!r}", span=related.span)
    if found.fix is not None:
        yield from _fix(depth + 1, found.fix)


def _finding(finding: Finding) -> str:
    given = ((field.name, getattr(finding, field.name)) for field in fields(finding))  # type: ignore[arg-type]
    written = ", ".join(f"{key}={atom(ir.Const(value))}" for key, value in given)
    return f"{finding.code} {finding.name}({written})"


def _fix(depth: int, fix: Fix) -> Iterator[Line]:
    names = f" naming {_names(fix.names)}" if fix.names else ""
    yield Line(depth, f"{fix.applicability} fix {fix.title!r}{names}")
    for edit in fix.edits:
        yield Line(depth + 1, f"edit {edit.text!r}", span=edit.span)


def _parameters(parameters: Iterable[ir.Parameter]) -> Iterator[str]:
    """Parameters as in Python; a function that is captured is marked as such."""
    kind = ir.ParameterKind.POSITIONAL
    for parameter in parameters:
        if not parameter.is_rest and parameter.kind is not kind:
            yield "/" if parameter.is_positional else "*"
            kind = parameter.kind
        if parameter.kind is ir.ParameterKind.VARARGS:
            kind = ir.ParameterKind.KEYWORD
        stars = parameter.kind.value if parameter.is_rest else ""
        marked = "function " if parameter.is_function else ""
        annotation = "" if parameter.annotation is None else f": {parameter.annotation!r}"
        match parameter.default:
            case None:
                default = ""
            case ir.Opaque():
                default = " = opaque"
            case known:
                default = f" = {atom(known)}"
        which = "" if parameter.held is None else f" is {held(parameter.held)}"
        yield f"{marked}{stars}{notation.name(parameter.name)}{annotation}{default}{which}"


def _labels(lines: Iterable[Line]) -> dict[str, str]:
    """The files that the margins of lines name, with their labels."""
    spans = chain.from_iterable((line.origin, line.span) for line in lines)
    every = (level for span in spans if span is not None for level in span.levels)
    return notation.labels(tuple(dict.fromkeys(level.path for level in every)))


def _files(labels: Mapping[str, str], shown: Callable[[str], str]) -> Iterator[str]:
    for path, label in labels.items():
        yield f"file {label} = {shown(path)!r}" if label else f"file {shown(path)!r}"


def _with_margins(lines: tuple[Line, ...], labels: Mapping[str, str]) -> str:
    return with_margin(lines, _margins(lines, labels))


def _margins(lines: Iterable[Line], labels: Mapping[str, str]) -> Iterator[str]:
    """What is at the right of each line: what is not as at the line before."""
    last: Span | None = None
    for line in lines:
        parts = []
        if line.origin is not None and line.origin != last:
            parts.append(notation.place(line.origin, labels))
            last = line.origin
        if line.span is not None:
            is_all = line.span == line.origin
            parts.append(f"[{'all' if is_all else notation.place(line.span, labels, last)}]")
        if line.role is not ir.Role.PRIMAL:
            parts.append(line.role.value)
        yield " ".join(parts)
