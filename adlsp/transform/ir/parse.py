"""Reads the text of a dump back: a recursive descent over its lines, each with its depth.

It is the inverse of `dump.py` and reads nothing else; `notation.py` says how things are written.
What does not follow the notation raises `ParseError`, with the number of its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir import kept, notation, targets, tokens
from adlsp.transform.ir.cursor import Cursor, Margin, cursor
from adlsp.transform.ir.notation import FUNCTION, MODULE, NAME, TEXT
from adlsp.transform.ir.tokens import Line, ParseError

STORES = {notation.symbol(kind): kind for kind in ir.StoreKind}
SYMBOL = "|".join(re.escape(text) for text in sorted(STORES, key=len, reverse=True))

IS_ASSIGN = re.compile(rf"(?:{NAME}(?:, {NAME})*,?|\(\)) = ")
IS_STORE = re.compile(rf"{NAME}(?:\[.*\])? (?:each |assign )?(?:{SYMBOL})= ")


def function(text: str) -> ir.Function:
    """The function whose dump a text is."""
    lines = cursor(text)
    made = _function(lines)
    lines.end()
    return made


def block(text: str) -> ir.Block:
    """The block whose dump a text is."""
    lines = cursor(text)
    lines.files(0)
    made = _block(lines, 0)
    lines.end()
    return made


def _function(lines: Cursor) -> ir.Function:
    head = lines.next(0, "def ")
    if head is None:
        raise ParseError("it does not begin with a function")
    lines.files(1)
    name = tokens.unquoted(head.need(rf"def ({FUNCTION})\(")[1], "function")
    parameters = tokens.parameters(head)
    module = head.need(rf" in ({MODULE}|{TEXT}):")[1]
    origin, _, _ = lines.margin(head)
    called = _called(lines)
    aliases = _aliases(lines)
    contexts = tuple(_contexts(lines))
    defaults = dict(_defaults(lines))
    findings = tuple(kept.findings(lines, 1))
    documented = lines.next(1, "['\"]")
    return ir.Function(
        name,
        tokens.literal(module) if module[0] in "'\"" else module,
        tuple(replace(p, default=defaults.get(p.name, p.default)) for p in parameters),
        _block(lines, 1),
        origin,
        aliases,
        None if documented is None else tokens.text(documented),
        findings,
        called,
        contexts,
    )


def _called(lines: Cursor) -> targets.Made | None:
    """How calls name a function that was made of a user's."""
    line = lines.next(1, rf"called {FUNCTION}$")
    if line is None:
        return None
    line.need("called ")
    made = tokens.function(line)
    if not isinstance(made, targets.Made):
        raise ParseError(f"line {line.number}: nothing is made by the name `{made}`")
    return made


def _aliases(lines: Cursor) -> tuple[tuple[str, str], ...]:
    """How modules are called: `import numpy as np`."""
    line = lines.next(1, "import ")
    if line is None:
        return ()
    pairs = (each.split(" as ") for each in line.text.removeprefix("import ").split(", "))
    return tuple((module, alias) for module, alias in pairs)


def _contexts(lines: Cursor) -> Iterator[ir.Context]:
    for line in lines.each(1, r"with (?!insert_grad_of\()"):
        line.need("with ")
        value = tokens.value(line)
        origin, span, _ = lines.margin(line)
        if not isinstance(value, ir.Call):
            raise ParseError(f"line {line.number}: `with` needs a call")
        yield ir.Context(origin, replace(value, span=span))


def _defaults(lines: Cursor) -> Iterator[tuple[str, ir.Opaque]]:
    for line in lines.each(1, "default "):
        line.need("default ")
        name = tokens.name(line)
        line.need(" = ")
        yield name, kept.opaque(lines, line, _block)[0]


def _block(lines: Cursor, depth: int) -> ir.Block:
    if lines.next(depth, "pass$"):
        return ()
    return tuple(_statement(lines, line) for line in lines.each(depth, "(?!else:$)"))


def _statement(lines: Cursor, line: Line) -> ir.Statement:
    """A statement that begins on a line, with the blocks in it."""
    if line.take("if "):
        return _if(lines, line)
    if line.take("for "):
        return _for(lines, line)
    if line.is_at("loop:|while "):
        return _while(lines, line)
    if line.take(r"with insert_grad_of\("):
        return _insert(lines, line)
    if line.take("assert "):
        test = tokens.atom(line)
        message = tokens.atom(line) if line.take(", ") else None
        origin, _, role = lines.margin(line)
        return ir.Assert(test, message, origin, role)
    if line.take("return "):
        value = tokens.atom(line)
        origin, _, role = lines.margin(line)
        return ir.Return(value, origin, role)
    if line.is_at(IS_ASSIGN):
        return _assign(lines, line)
    if line.is_at(IS_STORE):
        return _store(lines, line)
    done, (origin, _, role) = _expression(lines, line)
    if not isinstance(done, ir.Call | ir.Opaque):
        raise ParseError(f"line {line.number}: nothing is done here")
    return ir.Do(done, origin, role)


def _if(lines: Cursor, line: Line) -> ir.If:
    test = tokens.atom(line)
    line.need(":")
    origin, _, role = lines.margin(line)
    body = _block(lines, line.depth + 1)
    orelse = _block(lines, line.depth + 1) if lines.next(line.depth, "else:$") else ()
    return ir.If(test, body, orelse, origin, role)


def _for(lines: Cursor, line: Line) -> ir.For:
    target = tokens.name(line)
    line.need(" in ")
    iterable = tokens.atom(line)
    line.need(":")
    origin, _, role = lines.margin(line)
    return ir.For(target, iterable, _block(lines, line.depth + 1), origin, role)


def _while(lines: Cursor, line: Line) -> ir.While:
    """A loop; the steps of its test are before the `while`, under `loop:`."""
    if not line.take("loop:"):
        test, (origin, _, role) = _test(lines, line)
        return ir.While((), test, _block(lines, line.depth + 1), origin, role)
    origin, _, role = lines.margin(line)
    header = _block(lines, line.depth + 1)
    decides = lines.next(line.depth, "while ")
    if decides is None:
        raise ParseError(f"line {line.number}: the loop has no `while`")
    test, _ = _test(lines, decides)
    return ir.While(header, test, _block(lines, line.depth + 1), origin, role)


def _test(lines: Cursor, line: Line) -> tuple[ir.Atom, Margin]:
    line.need("while ")
    test = tokens.atom(line)
    line.need(":")
    return test, lines.margin(line)


def _insert(lines: Cursor, line: Line) -> ir.Insert:
    variable = tokens.atom(line)
    line.need(r"\)")
    bar = tokens.name(line) if line.take(" as ") else None
    captured: tuple[tuple[str, ir.Atom], ...] = ()
    if line.take(" reading "):
        captured = line.listed(_captured, "(?=:)")
    line.need(":")
    origin, _, role = lines.margin(line)
    return ir.Insert(variable, bar, _block(lines, line.depth + 1), captured, origin, role)


def _captured(line: Line) -> tuple[str, ir.Atom]:
    name = tokens.name(line)
    line.need(" = ")
    return name, tokens.atom(line)


def _assign(lines: Cursor, line: Line) -> ir.Assign:
    targets: tuple[str, ...] = ()
    if not line.take(r"\(\) = "):
        targets = line.listed(tokens.name, " = ")
    is_tuple = len(targets) != 1 or line.text[: line.at].endswith(", = ")
    value, (origin, _, role) = _expression(lines, line)
    return ir.Assign(targets, value, origin, role, is_tuple)


def _store(lines: Cursor, line: Line) -> ir.Store:
    base, index = tokens.name(line), None
    if line.take(r"\[") and not line.take(r"\]"):
        index = tokens.atom(line)
        line.need(r"\]")
    how = line.need(" (each |assign )?")[1]
    kind = STORES[line.need(rf"({SYMBOL})= ")[1]]
    value = tokens.atom(line)
    origin, span, role = lines.margin(line)
    return ir.Store(base, index, value, kind, origin, role, span, how == "each ", how == "assign ")


def _expression(lines: Cursor, line: Line) -> tuple[ir.Expression, Margin]:
    """The rest of a line, and what belongs to it below."""
    if kept.is_opaque(line):
        return kept.opaque(lines, line, _block)
    value = tokens.value(line)
    margin = lines.margin(line)
    return (replace(value, span=margin[1]) if isinstance(value, ir.Call) else value), margin
