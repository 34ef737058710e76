"""Which variables are surely lists, tuples or dictionaries, as far as a function's text tells.

There `+` puts together and `*` repeats, and a list grows by `append`; of what may be anything,
arithmetic is taken for that of numbers and arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import gast

MAKERS = {"dict": "dict", "list": "list", "sorted": "list", "tuple": "tuple"}
"""Builtins that make lists, tuples and dictionaries."""


def kinds(body: Iterable[gast.stmt], parameters: Iterable[str]) -> dict[str, str]:
    """The local variables that are "list", "tuple" or "dict" wherever they are bound."""
    bound: Counter[str] = Counter(parameters)
    given: dict[str, list[gast.expr]] = {}
    for node in (inner for statement in body for inner in gast.walk(statement)):
        match node:
            case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
                bound[name] += 1
            case gast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, gast.Name):
                        given.setdefault(target.id, []).append(value)
            case gast.AnnAssign(target=gast.Name(id=name), value=value) if value is not None:
                given.setdefault(name, []).append(value)
            case gast.AugAssign(target=gast.Name(id=name) as target, op=gast.Add()):
                given.setdefault(name, []).append(target)
    found: dict[str, str] = {}
    for name, values in given.items():
        known = (kind(value, {}) for value in values)
        first = next((each for each in known if each), "")
        if first and len(values) == bound[name]:
            found[name] = first
    while True:
        kept = {
            name: known
            for name, known in found.items()
            if all(kind(value, found) == known for value in given[name])
        }
        if kept == found:
            return kept
        found = kept


def kind(node: gast.expr, known: Mapping[str, str]) -> str:
    """Tells whether an expression is surely a "list", "tuple" or "dict"; "" for anything."""
    match node:
        case gast.Dict() | gast.DictComp():
            return "dict"
        case gast.List() | gast.ListComp():
            return "list"
        case gast.Tuple():
            return "tuple"
        case gast.Name(id=name):
            return known.get(name, "")
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            one, other = kind(left, known), kind(right, known)
            return one if one == other else ""
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return kind(left, known) or kind(right, known)
        case gast.Subscript(value=value, slice=gast.Slice()):
            return kind(value, known)
        case gast.Call(func=gast.Name(id=maker)):
            return MAKERS.get(maker, "")
    return ""
