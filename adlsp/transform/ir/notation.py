"""The notation of the intermediate form: what its printer writes and its parser reads.

It is three-address code in the clothes of Python: a step is a call on atoms, and those of Python's
operators and displays look as they do there. What Python's words cannot spell is text in quotes
after a word that says what it is: `global'?name'`, `complex'2j'`.

At the right margin, after `#`, is the `origin` of a step as `line:column-column`, or
`line:column-line:column` over several lines; it is left out where it is that of the line before.
In brackets is the span of an expression, short on the same line, `[all]` if it is the origin
itself. What comes from another file has the label of that file before it. Behind the origin, after
`>`, is the one in the callee, where a call is written out. Last is the role, if the step is not of
the primal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from adlsp.transform import ir
from adlsp.transform.ir.signs import INFIX
from adlsp.transform.source import Span

INDENT = "    "

TEXT = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
NAME = rf"(?:name{TEXT}|%?[^\W\d]\w*(?::%?\w+)*)"
GLOBAL = r"[^\W\d]\w*(?:\.[\w<>]+)+"
FUNCTION = rf"""(?:function{TEXT}|[^\s()\[\]{{}},'"=]+)"""
MODULE = r"[\w.<>:-]*[\w>]"
LABEL = r"[^\W\d][\w.]*"
EXTENT = r"\d+-(?:\d+:)?\d+"
PLACE = rf"(?:{LABEL}:)?\d+:{EXTENT}"

IS_NAME = re.compile(NAME)
IS_GLOBAL = re.compile(GLOBAL)
IS_FUNCTION = re.compile(FUNCTION)
IS_MODULE = re.compile(MODULE)


def symbol(kind: ir.StoreKind) -> str:
    """How what a store does is written before its `=`: `x += v`, or as a word, `x append= v`."""
    return INFIX.get(kind.value, kind.value)


def name(text: str) -> str:
    """How a variable is written."""
    return text if IS_NAME.fullmatch(text) else f"name{text!r}"


def function(text: str) -> str:
    """How the function of a call is written."""
    return text if IS_FUNCTION.fullmatch(text) else f"function{text!r}"


def module(text: str) -> str:
    """How the module of a function is written."""
    return text if IS_MODULE.fullmatch(text) else repr(text)


def variable_of_module(text: str) -> str:
    """How the dotted name of a variable of a module is written."""
    return text if IS_GLOBAL.fullmatch(text) else f"global{text!r}"


def constant(literal: ir.Const) -> str:
    """How a literal is written; a number as it is spelled."""
    if literal.spelling is not None:
        return literal.spelling
    value = literal.value
    match value:
        case complex():
            return f"complex{str(value)!r}"
        case float() if repr(value).lstrip("-") in ("inf", "nan"):
            return f"float{str(value)!r}"
        case tuple():
            return f"tuple{repr(value)!r}"
    return "..." if value is ... else repr(value)


def place(span: Span, labels: Mapping[str, str], near: Span | None = None) -> str:
    """How a span is written: `3:5-20`; on the one line of `near`, only its columns."""
    end = "" if span.line == span.end_line else f"{span.end_line}:"
    extent = f"{span.column}-{end}{span.end_column}"
    if near is not None and (near.path, near.line) == (span.path, span.line):
        return extent
    inner = "" if span.inlined is None else f">{place(span.inlined, labels)}"
    label = labels[span.path]
    return f"{label}:{span.line}:{extent}{inner}" if label else f"{span.line}:{extent}{inner}"


def read_place(text: str, paths: Mapping[str, str], near: Span | None) -> Span:
    """The span that is written so."""
    text, _, inner = text.partition(">")
    inlined = read_place(inner, paths, None) if inner else None
    start, end = text.rsplit("-", 1)
    *before, column = start.split(":")
    if before:
        path, line = paths[":".join(before[:-1])], int(before[-1])
    else:
        assert near is not None
        path, line = near.path, near.line
    end_line, _, end_column = end.rpartition(":")
    return Span(path, line, int(column), int(end_line or line), int(end_column), inlined)


def labels(paths: tuple[str, ...]) -> dict[str, str]:
    """What files are called in spans: the first nothing, the others by their names."""
    given = dict.fromkeys(paths[:1], "")
    for path in paths[1:]:
        plain = re.sub(r"[^\w.]", "_", path.replace("\\", "/").rpartition("/")[2])
        wanted = plain if re.fullmatch(LABEL, plain) else f"file_{plain}"
        label, number = wanted, 1
        while label in given.values():
            number += 1
            label = f"{wanted}.{number}"
        given[path] = label
    return given
