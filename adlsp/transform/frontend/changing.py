"""Which of its arguments a function of a library changes, by its record, where a tree calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

import gast

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import When

Tree: TypeAlias = "ast.expr | gast.expr"

Call: TypeAlias = "ast.Call | gast.Call"

FIRST = {targets.member(name) for name in records.CHANGING if not targets.is_method(name)} | {"at"}
"""The functions of modules that change their first argument, by their last names."""


NAMED = {name.partition(".")[0] for name in (*records.SAID, *records.HOMES)}
LIBRARIES = {name for name in NAMED if targets.is_plain(f"{name}.of")}
"""The packages of whose functions there are records."""


def is_library(module: str) -> bool:
    """Tells whether records tell what the functions of a module do."""
    return module.partition(".")[0] in LIBRARIES


def with_changed(call: ir.Call) -> ir.Call:
    """A call that gives by its position what it changes: `np.copyto(dst=y, src=x)`."""
    record = records.said(call.function)
    given, name = dict(call.keywords), record.changes_by
    if name is None or name not in given or record.changes != (len(call.args),):
        return call
    changed = given.pop(name)
    return replace(call, args=(*call.args, changed), keywords=tuple(given.items()))


def changed(function: str, call: Call) -> Iterator[Tree]:
    """The arguments that a call changes, or into which it writes its results.

    Of a method without what it is called on.
    """
    record = records.said(function)
    if ir.changes_first(function) and not targets.is_method(function):
        yield from call.args[:1]
    elif record.changes and (record.changes_when is None or _holds(record.changes_when, call)):
        positions = (place - targets.is_method(function) for place in record.changes)
        yield from (call.args[i] for i in positions if 0 <= i < len(call.args))
    yield from placed(function, call)


def placed(function: str, call: Call) -> Iterator[Tree]:
    """The arguments that take the results of a call, or are given by the name of what it changes.

    A method has one less before them.
    """
    yield from call.args[records.n_before_out(function) - targets.is_method(function) :]
    named = ("out", records.said(function).changes_by or "out")
    yield from (keyword.value for keyword in call.keywords if keyword.arg in named)


def _holds(when: When, call: Call) -> bool:
    """Tells whether a condition may hold for a call."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = call.args[when.at] if len(call.args) > when.at else named.get(when.keyword)
    match given:
        case None:
            return False
        case ast.Constant(value=value) | gast.Constant(value=value):
            return value in when.literals
    return True
