"""Walks the calls and functions of a module, each with the scopes around it.

Most of a file has nothing to do with derivatives: statements in whose lines no word of interest
occurs are left out before anything about them is computed.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from adlsp.transform.frontend import bindings, modules
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class Scopes:
    """What the functions around a place bind, innermost last."""

    inner: tuple[Mapping[str, bindings.Entry], ...] = ()
    is_class: bool = False

    def enter(self, names: Mapping[str, bindings.Entry]) -> Scopes:
        """The scopes inside a function or comprehension; those see nothing of a class around."""
        return Scopes((*(self.inner[:-1] if self.is_class else self.inner), names))

    def enter_class(self, names: Mapping[str, bindings.Entry]) -> Scopes:
        """The scopes of the statements of a class."""
        return Scopes(self.enter(names).inner, is_class=True)


Site = tuple[ast.AST, Scopes]


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
    pending: list[Site] = [(node, Scopes()) for node in module.parsed.body]
    while pending:
        node, scopes = pending.pop()
        if isinstance(node, ast.stmt) and not _touches(node, lines):
            continue
        if isinstance(node, ast.Call | ast.FunctionDef):
            yield node, scopes
        pending.extend(_inside(node, scopes, package))


def touched(body: Iterable[ast.stmt], source: Source, words: tuple[str, ...]) -> list[ast.stmt]:
    """Those of some statements in whose lines one of the words occurs."""
    lines = _lines(source, words)
    return [statement for statement in body if _touches(statement, lines)]


def _lines(source: Source, words: tuple[str, ...]) -> list[int]:
    occurs = re.compile(rf"\b(?:{'|'.join(words)})\b")
    return [number for number, line in enumerate(source.lines, 1) if occurs.search(line)]


def _touches(node: ast.stmt, lines: list[int]) -> bool:
    """Tells whether one of the lines, which are sorted, lies in a statement."""
    decorators = getattr(node, "decorator_list", ())
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    position = bisect_left(lines, first)
    return position < len(lines) and lines[position] <= (node.end_lineno or first)


def _inside(node: ast.AST, scopes: Scopes, package: str) -> Iterator[Site]:
    """The children of a node, each with the scopes that it sees."""
    inner, inside = scopes, set[int]()
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner = scopes.enter(_local(node, package))
            inside = {id(child) for child in node.body}
        case ast.ClassDef():
            inner = scopes.enter_class(bindings.index(node.body, package))
            inside = {id(child) for child in node.body}
        case ast.Lambda():
            inner = scopes.enter(_unknown(bindings.parameters(node.args)))
            inside = {id(node.body)}
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            targets = {n for generator in node.generators for n in bindings.bound(generator.target)}
            inner = scopes.enter(_unknown(targets))
            inside = {id(child) for child in ast.iter_child_nodes(node)}
    for child in ast.iter_child_nodes(node):
        yield child, inner if id(child) in inside else scopes


def _local(node: ast.FunctionDef | ast.AsyncFunctionDef, package: str) -> dict[str, bindings.Entry]:
    """What a function binds, parameters included and names declared global left out."""
    statements = bindings.index(node.body, package)
    parameters = _unknown(bindings.parameters(node.args))
    rebound = _unknown(parameters.keys() & statements.keys())
    declared = bindings.declared_global(node)
    names = {**parameters, **statements, **rebound}
    return {name: entry for name, entry in names.items() if name not in declared}


def _unknown(names: Iterable[str]) -> dict[str, bindings.Entry]:
    return {name: bindings.Assigned(None) for name in names}
