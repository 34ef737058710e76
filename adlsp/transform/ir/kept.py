"""Reads from a dump what is kept as it was written, and the findings about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.diagnostics import catalogue
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix, Related
from adlsp.transform.ir import tokens, trees
from adlsp.transform.ir.cursor import Cursor, Margin
from adlsp.transform.ir.notation import NAME, TEXT
from adlsp.transform.ir.tokens import Line, ParseError

ReadBlock = Callable[[Cursor, int], ir.Block]


def is_opaque(line: Line) -> bool:
    """Tells whether something follows that was kept."""
    return line.is_at("opaque(?: statement)?:")


def opaque(cursor: Cursor, line: Line, block: ReadBlock) -> tuple[ir.Opaque, Margin]:
    """Reads what was kept; its text and what is known of it stand below the line."""
    is_statement = line.need("opaque( statement)?:")[1]
    read = trees.read_statement if is_statement else trees.read_expression
    origin, span, role = cursor.margin(line)
    if span is None:
        raise ParseError(f"line {line.number}: it has no span")
    depth = line.depth + 1
    written = "\n".join(each.text[2:] for each in cursor.each(depth, r"\|"))
    made = ir.Opaque(
        read(written),
        reads=_names(cursor, depth, "reads "),
        writes=_names(cursor, depth, "writes "),
        changes=_names(cursor, depth, "changes "),
        decide=_names(cursor, depth, "is decided by "),
        globals=tuple(_meanings(cursor, depth)),
        names=tuple(_renamed(cursor, depth)),
        calls=tuple(_calls(cursor, depth)),
        holds=tuple(_holds(cursor, depth)),
        states=_states(cursor, depth),
        is_definition=cursor.next(depth, "is a definition$") is not None,
        function=_function(cursor, depth),
        findings=tuple(findings(cursor, depth)),
        span=span,
    )
    if (unfolded := cursor.next(depth, "unfolded to ")) is not None:
        unfolded.need("unfolded to ")
        result = ir.Name(tokens.name(unfolded))
        made = replace(made, unfolded=(block(cursor, depth + 1), result))
    return made, (origin, span, role)


def _names(cursor: Cursor, depth: int, word: str) -> tuple[str, ...]:
    """Reads a line with a word and names of variables."""
    line = cursor.next(depth, word)
    if line is None:
        return ()
    line.need(word)
    return line.listed(tokens.name, "$")


def _meanings(cursor: Cursor, depth: int) -> Iterator[tuple[str, str]]:
    for line in cursor.each(depth, f"{NAME} means "):
        name = tokens.name(line)
        line.need(" means ")
        yield name, tokens.function(line)


def _renamed(cursor: Cursor, depth: int) -> Iterator[tuple[str, str]]:
    for line in cursor.each(depth, f"{NAME} is now "):
        name = tokens.name(line)
        line.need(" is now ")
        yield name, tokens.name(line)


def _calls(cursor: Cursor, depth: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in cursor.each(depth, "calls "):
        line.need("calls ")
        yield _reaching(line)


def _holds(cursor: Cursor, depth: int) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for line in cursor.each(depth, f"{NAME} may be part of "):
        name = tokens.name(line)
        line.need(" may be part of ")
        yield name, *_reaching(line)


def _reaching(line: Line) -> tuple[str, tuple[str, ...]]:
    """A function, and the variables that it gets at; it may be none."""
    function = "" if line.is_at(r"\(") else tokens.function(line)
    line.need(r"\(")
    return function, line.listed(tokens.name, r"\)")


def _function(cursor: Cursor, depth: int) -> ir.Held | None:
    line = cursor.next(depth, "is ")
    if line is None:
        return None
    line.need("is ")
    return tokens.held(line)


def _states(cursor: Cursor, depth: int) -> tuple[str, ...]:
    line = cursor.next(depth, "binds ")
    if line is None:
        return ()
    line.need("binds ")
    return line.listed(tokens.function, "$")


def findings(cursor: Cursor, depth: int) -> Iterator[Diagnostic]:
    """Reads findings, each with what it is related to and how it is repaired."""
    for line in cursor.each(depth, "finding "):
        code = line.need(r"finding (AD\d+) [\w-]+\(")[1]
        given = dict(line.listed(_field, r"\)"))
        is_blocking = not line.take(", which prevents nothing")
        is_open = bool(line.take(", which waits"))
        span = cursor.span(line)
        related = tuple(_related(cursor, depth + 1))
        fix = _fix(cursor, depth + 1)
        kind = catalogue.kinds()[code]
        yield Diagnostic(kind(**given), span, related, fix, is_blocking, is_open=is_open)


def _field(line: Line) -> tuple[str, object]:
    name = line.need(r"(\w+)=")[1]
    value = tokens.atom(line)
    return name, value.value if isinstance(value, ir.Const) else None


def _related(cursor: Cursor, depth: int) -> Iterator[Related]:
    for line in cursor.each(depth, "related "):
        line.need("related ")
        message = tokens.text(line)
        yield Related(cursor.span(line), message)


def _fix(cursor: Cursor, depth: int) -> Fix | None:
    line = cursor.next(depth, "(?:un)?safe fix ")
    if line is None:
        return None
    how = line.need(rf"(un)?safe fix ({TEXT})")
    names = line.listed(tokens.name, "$") if line.take(" naming ") else ()
    edits = tuple(_edits(cursor, depth + 1))
    return Fix(tokens.literal(how[2]), edits, how[1] is None, names)


def _edits(cursor: Cursor, depth: int) -> Iterator[Edit]:
    for line in cursor.each(depth, "edit "):
        line.need("edit ")
        text = tokens.text(line)
        yield Edit(cursor.span(line), text)
