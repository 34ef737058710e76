"""Which variables are surely lists, tuples or dictionaries, as far as a function's text tells.

This is type inference for containers, insensitive to flow. There `+` puts together and `*` repeats,
and a list grows by `append`; of what may be anything, arithmetic is taken for that of numbers and
arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import gast

from adlsp.transform.frontend import walks
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import CONTAINERS, Kind


def kinds(body: Iterable[gast.stmt], parameters: Iterable[str]) -> dict[str, Kind]:
    """The local variables that are lists, tuples or dictionaries wherever they are bound."""
    bound: Counter[str] = Counter(parameters)
    given: dict[str, list[gast.expr]] = {}
    for node in (inner for statement in body for inner in walks.over(statement)):
        match node:
            case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
                bound[name] += 1
            case gast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, gast.Name):
                        given.setdefault(target.id, []).append(value)
            case gast.AnnAssign(target=gast.Name(id=name), value=value) if value is not None:
                given.setdefault(name, []).append(value)
            case gast.AugAssign(
                target=gast.Name(id=name) as target, op=gast.Add() | gast.Mult() | gast.BitOr()
            ):
                given.setdefault(name, []).append(target)
    found: dict[str, Kind] = {}
    n_found = -1
    while len(found) > n_found:
        n_found = len(found)
        for name, values in given.items():
            known = [kind(value, {}) or kind(value, found) for value in values]
            first = next((each for each in known if each), None)
            is_sure = first is Kind.DICT or any(kind(value, {}) for value in values)
            if first and is_sure and len(values) == bound[name]:
                found.setdefault(name, first)
    while True:
        kept = {
            name: known
            for name, known in found.items()
            if all(kind(value, found) == known for value in given[name])
        }
        if kept == found:
            return kept
        found = kept


def together(node: gast.expr, *parts: gast.expr) -> gast.Dict:
    """A display `{**a, **b}` of some dictionaries, in which those of displays have their keys."""
    made = gast.Dict([], [])
    for part in parts:
        is_display = isinstance(part, gast.Dict) and bool(made.keys)
        made.keys += part.keys if is_display else [None]
        made.values += part.values if is_display else [part]
    return gast.copy_location(made, node)


def kind(node: gast.expr, known: Mapping[str, Kind]) -> Kind | None:
    """What an expression surely gives: a list, a tuple, a dictionary or the like."""
    match node:
        case gast.Dict() | gast.DictComp():
            return Kind.DICT
        case gast.List() | gast.ListComp():
            return Kind.LIST
        case gast.Tuple():
            return Kind.TUPLE
        case gast.Name(id=name):
            return known.get(name)
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            one, other = kind(left, known), kind(right, known)
            return one if one is other else None
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return kind(left, known) or kind(right, known)
        case gast.Subscript(value=value, slice=gast.Slice()):
            return kind(value, known)
        case gast.BinOp(left=left, op=gast.BitOr(), right=right):
            return Kind.DICT if Kind.DICT in (kind(left, known), kind(right, known)) else None
        case gast.Call(func=gast.Attribute(value=gast.Name() as copied, attr="copy"), args=[]):
            return kind(copied, known)
        case gast.Call(func=gast.Attribute(value=gast.Name(id="dict"), attr="fromkeys")):
            return Kind.DICT
        case gast.Call(func=gast.Name(id=maker)):
            made = records.said(f"builtins.{maker}").gives
            return made if made in CONTAINERS else None
    return None
