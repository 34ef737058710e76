"""Walks the calls and functions of a module, each with the scopes around it.

Most of a file has nothing to do with derivatives: statements in whose lines no word of interest
occurs are left out before anything about them is computed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import gast

from adlsp.transform.frontend import modules, scope
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class Scopes:
    """What the functions around a place bind, innermost last."""

    inner: tuple[Mapping[str, modules.Entry], ...] = ()
    is_class: bool = False

    def enter(self, names: Mapping[str, modules.Entry]) -> Scopes:
        """The scopes inside a function or comprehension; those see nothing of a class around."""
        return Scopes((*(self.inner[:-1] if self.is_class else self.inner), names))

    def enter_class(self, names: Mapping[str, modules.Entry]) -> Scopes:
        """The scopes of the statements of a class."""
        return Scopes(self.enter(names).inner, is_class=True)


Site = tuple[gast.AST, Scopes]


def words(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of interest together with what a text renames them to; none if none occurs."""
    name = "|".join(names)
    if not re.search(rf"\b(?:{name})\b", text):
        return ()
    renames = rf"\b(?:{name})\s+as\s+(\w+)|\b(\w+)\s*=\s*(?:\w+\.)*(?:{name})[ \t]*$"
    found = re.finditer(renames, text, re.MULTILINE)
    return (*names, *sorted({new for match in found for new in match.groups() if new}))


def sites(module: modules.Module, words: tuple[str, ...]) -> Iterator[Site]:
    """The calls and functions of a module, except in statements without any of the words."""
    lines = _lines(module.source, words)
    package = module.source.package
    pending: list[Site] = [(node, Scopes()) for node in module.tree.body]
    while pending:
        node, scopes = pending.pop()
        if isinstance(node, gast.stmt) and not _touches(node, lines):
            continue
        if isinstance(node, gast.Call | gast.FunctionDef):
            yield node, scopes
        pending.extend(_inside(node, scopes, package))


def _lines(source: Source, words: tuple[str, ...]) -> list[int]:
    occurs = re.compile(rf"\b(?:{'|'.join(words)})\b")
    return [number for number, line in enumerate(source.lines, 1) if occurs.search(line)]


def _touches(node: gast.stmt, lines: list[int]) -> bool:
    """Tells whether one of the lines, which are sorted, lies in a statement."""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    position = bisect_left(lines, first)
    return position < len(lines) and lines[position] <= node.end_lineno


def _inside(node: gast.AST, scopes: Scopes, package: str) -> Iterator[Site]:
    """The children of a node, each with the scopes that it sees."""
    inner, inside = scopes, set[int]()
    match node:
        case gast.FunctionDef() | gast.AsyncFunctionDef():
            inner = scopes.enter(_local(node, package))
            inside = {id(child) for child in node.body}
        case gast.ClassDef():
            inner = scopes.enter_class(modules.index(node.body, package))
            inside = {id(child) for child in node.body}
        case gast.Lambda():
            inner = scopes.enter(_unknown(p.id for p in scope.parameters(node.args)))
            inside = {id(node.body)}
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            targets = scope.bound([generator.target for generator in node.generators])
            inner = scopes.enter(_unknown(targets))
            inside = {id(child) for child in gast.iter_child_nodes(node)}
    for child in gast.iter_child_nodes(node):
        yield child, inner if id(child) in inside else scopes


def _local(
    node: gast.FunctionDef | gast.AsyncFunctionDef, package: str
) -> dict[str, modules.Entry]:
    """What a function binds, parameters included and names declared global left out."""
    statements = modules.index(node.body, package)
    parameters = _unknown(p.id for p in scope.parameters(node.args))
    rebound = _unknown(parameters.keys() & statements.keys())
    declared = {n for g in gast.walk(node) if isinstance(g, gast.Global) for n in g.names}
    names = {**parameters, **statements, **rebound}
    return {name: entry for name, entry in names.items() if name not in declared}


def _unknown(names: Iterable[str]) -> dict[str, modules.Entry]:
    return {name: modules.Assigned(None) for name in names}
