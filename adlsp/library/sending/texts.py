"""The texts that functions were compiled from, and the places of functions in them."""

from __future__ import annotations

import linecache
from types import CodeType, FunctionType
from typing import Any

from adlsp import workspace
from adlsp.library import codes
from adlsp.transform.frontend import modules
from adlsp.transform.source import Source

Value = Any
"""Whatever a program has."""


def text_of(f: FunctionType) -> str | None:
    """The text that a function was compiled from, if it is known still."""
    path = f.__code__.co_filename
    return text_at(path) or "".join(linecache.getlines(path, f.__globals__)) or None


def text_at(path: str) -> str:
    """The text that is found here under the name of a file; nothing where there is none."""
    try:
        return workspace.Workspace().source(path).text
    except OSError:
        return "".join(linecache.getlines(path))


def functions_at(text: str, path: str, key: tuple[str, int]) -> list[CodeType]:
    """The functions of one name that begin in one line of a text, in the order of compiling."""
    return [code for code in codes.every(text, path) if _key(code) == key]


def number(code: CodeType, text: str) -> int | None:
    """The number of a function among those of its name and line; None where its text is another.

    Consoles compile the statements of a cell one by one, which may give other code.
    """
    path, key = code.co_filename, _key(code)
    module, _ = modules.parse(Source(path, "", text))
    alone = "" if module is None else codes.statement(module, code.co_firstlineno)
    for variant in (text, alone):
        for number, each in enumerate(functions_at(variant, path, key)):
            if _is_like(each, code):
                return number
    return None


def _is_like(one: CodeType, other: CodeType) -> bool:
    """Tells whether two codes do the same, whatever the flags were that they were compiled by."""
    return (
        one.co_code == other.co_code
        and (one.co_names, one.co_varnames) == (other.co_names, other.co_varnames)
        and (one.co_freevars, one.co_cellvars) == (other.co_freevars, other.co_cellvars)
        and len(one.co_consts) == len(other.co_consts)
        and all(map(_is_constant_like, one.co_consts, other.co_consts))
    )


def _is_constant_like(one: Value, other: Value) -> bool:
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _is_like(one, other)
    return type(one) is type(other) and repr(one) == repr(other)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno
