"""Makes of a parcel what was sent: functions of their texts, with what they have captured."""

from __future__ import annotations

import functools
import hashlib
import importlib
import linecache
import os
import pickle
from collections.abc import Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any

from adlsp.library.sending import parcel, program, texts

Value = Any
"""Whatever a program has."""

NO_FILE = "<dynamic-code>"
"""The name that newer cloudpickles give to the files of all functions."""


def arrived(
    packed: Value,
    functions: tuple[parcel.Written, ...],
    contents: tuple[Value, ...],
    sent: parcel.Texts,
) -> Value:
    """Makes what `portable` was asked for, of what is in its parcel."""
    places = {path: _kept(path, text) for path, text in sent}
    cells = [CellType() for _ in contents]
    spaces: dict[str, dict[str, Value]] = {}
    made = [_made(each, dict(sent), places, cells, spaces) for each in functions]

    def value(x: Value) -> Value:
        match x:
            case parcel.Reference(number):
                return made[number]
            case parcel.Module(name):
                return importlib.import_module(name)
            case parcel.Partial(function, args, keywords):
                return functools.partial(value(function), *value(args), **value(keywords))
            case parcel.Container(parts):
                inner = parts.values() if type(parts) is dict else parts
                return parcel.like(parts, map(value, inner))
        return x

    for cell, content in zip(cells, contents, strict=True):
        if not isinstance(content, parcel.Unbound):
            cell.cell_contents = value(content)
    for f, each in zip(made, functions, strict=True):
        f.__defaults__, f.__kwdefaults__ = value(each.defaults), value(each.named_defaults)
        for name, read in (each.variables or {}).items():
            spaces[each.module][name] = value(read)
    whole = value(packed)
    _rename(whole, places, dict(sent))
    return whole


def _made(
    written: parcel.Written,
    sent: Mapping[str, str],
    places: Mapping[str, str],
    cells: Sequence[CellType],
    spaces: dict[str, dict[str, Value]],
) -> FunctionType:
    """A function of a text, whose cells and defaults are still to be filled."""
    path = written.path
    found = texts.functions_at(sent[path], places[path], (written.name, written.line))
    if written.number >= len(found):
        raise pickle.UnpicklingError(f"this Python reads `{written.qualname}` differently")
    if written.variables is None:
        space = vars(importlib.import_module(written.module))
    else:
        space = spaces.setdefault(written.module, {"__name__": written.module})
    closure = tuple(cells[number] for number in written.cells)
    made = FunctionType(found[written.number], space, written.name, None, closure)
    made.__qualname__, made.__module__ = written.qualname, written.module
    return made


def _kept(path: str, text: str) -> str:
    """The name under which a text can be read here: that of its file, unless another is there."""
    if texts.text_at(path) == text:
        return path
    place = path
    if texts.text_at(path):
        number = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        place = f"<{os.path.basename(path)} {number}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    return place


def _rename(whole: Value, places: Mapping[str, str], sent: Mapping[str, str]) -> None:
    """Makes functions that have come as code know their texts by the names that these have here."""
    pending, seen = [*program.functions_of(whole)] if places else [], set[FunctionType]()
    while pending:
        one = pending.pop()
        if one in seen or program.at_its_name(one) is not None:
            continue
        seen.add(one)
        path = _origin(one.__code__, sent)
        if path in places and places[path] != one.__code__.co_filename:
            one.__code__ = _placed(one.__code__, places[path])
        for read in program.variables(one).values():
            pending += program.functions_of(read)


def _origin(code: CodeType, sent: Mapping[str, str]) -> str:
    """The file of a code: where cloudpickle leaves it out, one whose text has this code."""
    if code.co_filename != NO_FILE:
        return code.co_filename
    having = (path for path, text in sent.items() if texts.number(code, text) is not None)
    return next(having, NO_FILE)


def _placed(code: CodeType, place: str) -> CodeType:
    inner = (_placed(c, place) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=place, co_consts=tuple(inner))
