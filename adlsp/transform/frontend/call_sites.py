"""Walks the call sites and functions of a module, each with the scopes around it.

Most of a file has nothing to do with derivatives: statements in whose lines no word of interest
occurs are left out before anything about them is computed.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from adlsp.transform.frontend import bindings, modules, walks
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, which is never bound again."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A variable of a loop: the part at `path` of each thing that `iterable` passes."""

    iterable: ast.expr
    path: tuple[int, ...]
    scopes: Scopes


Bound: TypeAlias = bindings.Entry | Parameter | Drawn
"""What a name is bound to around a place."""


@dataclass(frozen=True, slots=True, eq=False)
class Scopes:
    """What the functions, comprehensions and loops around a place bind, innermost last."""

    inner: tuple[Mapping[str, Bound], ...] = ()
    is_class: bool = False

    def enter(self, names: Mapping[str, Bound]) -> Scopes:
        """The scopes inside a function or comprehension; those see nothing of a class around."""
        return Scopes((*(self.inner[:-1] if self.is_class else self.inner), names))

    def enter_loop(self, names: Mapping[str, Bound]) -> Scopes:
        """The scopes in the body of a loop."""
        if not self.is_class:
            return Scopes((*self.inner, names))
        return Scopes((*self.inner[:-1], {**self.inner[-1], **names}), is_class=True)

    def enter_class(self, names: Mapping[str, bindings.Entry]) -> Scopes:
        """The scopes of the statements of a class."""
        return Scopes(self.enter(names).inner, is_class=True)


Site = tuple[ast.AST, Scopes]


def words(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of interest together with what a text renames them to; none if none occurs."""
    name = "|".join(names)
    if not re.search(rf"\b(?:{name})\b", text):
        return ()
    renames = (
        rf"\b(?:{name})\s+as\s+(\w+)|\b(\w+)\s*=\s*(?:\w+\.)*(?:{name})[ \t]*$"
        rf"|\b(\w+)\s*=\s*(?:\w+\.)*partial\(\s*(?:\w+\.)*(?:{name})\b"
        rf"|\bfor\s+(?:\w+\s*,\s*)*(\w+)\s+in\b[^\n]*\b(?:{name})\b"
    )
    found = re.finditer(renames, text, re.MULTILINE)
    return (*names, *sorted({new for match in found for new in match.groups() if new}))


def sites(module: modules.Module, words: tuple[str, ...]) -> Iterator[Site]:
    """The calls, functions and assignments of a module, but for statements without the words."""
    lines = _lines(module.source, words)
    package = module.source.package
    pending: list[Site] = [(node, Scopes()) for node in module.parsed.body]
    while pending:
        node, scopes = pending.pop()
        if isinstance(node, ast.stmt) and not _touches(node, lines):
            continue
        if isinstance(node, ast.Call | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign):
            yield node, scopes
        pending.extend(_inside(node, scopes, package))


def around(module: modules.Module, line: int, offset: int) -> tuple[Site, ...]:
    """The nodes around a place, outermost first; `offset` counts bytes, as trees do."""
    package = module.source.package

    def below(nodes: Iterable[Site]) -> tuple[Site, ...]:
        for node, scopes in nodes:
            is_placed = hasattr(node, "lineno")
            if not is_placed or _contains(node, line, offset):
                deeper = below(_inside(node, scopes, package))
                if is_placed or deeper:
                    return ((node, scopes), *deeper)
        return ()

    return below((node, Scopes()) for node in module.parsed.body)


def _contains(node: ast.AST, line: int, offset: int) -> bool:
    """Tells whether a place lies in what a node spans, its decorators included."""
    starts = (node, *getattr(node, "decorator_list", ()))
    start = min((each.lineno, each.col_offset) for each in starts)
    return start <= (line, offset) < (node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def touched(body: Iterable[ast.stmt], source: Source, words: tuple[str, ...]) -> list[ast.stmt]:
    """Those of some statements in whose lines one of the words occurs."""
    lines = _lines(source, words)
    return [statement for statement in body if _touches(statement, lines)]


def _lines(source: Source, words: tuple[str, ...]) -> list[int]:
    """The numbers of the lines in which one of the words occurs."""
    text, number, position = "\n".join(source.lines), 1, 0
    found: dict[int, None] = {}
    for match in re.finditer(rf"\b(?:{'|'.join(words)})\b", text):
        number += text.count("\n", position, match.start())
        position = match.start()
        found[number] = None
    return list(found)


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
            inner = scopes.enter(local(node, package))
            inside = {id(child) for child in node.body}
        case ast.ClassDef():
            inner = scopes.enter_class(bindings.index(node.body, package))
            inside = {id(child) for child in node.body}
        case ast.Lambda():
            inner = scopes.enter(_parameters(node.args))
            inside = {id(node.body)}
        case ast.For():
            inner = scopes.enter_loop(_drawn(node, scopes, package))
            inside = {id(child) for child in node.body}
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            inner = _comprehension(node.generators, scopes)
            inside = {id(child) for child in walks.children(node)}
    for child in walks.children(node):
        yield child, inner if id(child) in inside else scopes


def local(node: ast.FunctionDef | ast.AsyncFunctionDef, package: str) -> dict[str, Bound]:
    """What a function binds, parameters included and names declared global left out."""
    statements = bindings.index(node.body, package)
    parameters = _parameters(node.args)
    rebound = _unknown(parameters.keys() & statements.keys())
    declared = bindings.declared_global(node)
    names = {**parameters, **statements, **rebound}
    return {name: entry for name, entry in names.items() if name not in declared}


def _drawn(node: ast.For, scopes: Scopes, package: str) -> dict[str, Bound]:
    """The variables of a loop that its body does not bind again."""
    bound = bindings.index(node.body, package)
    return {
        name: Drawn(node.iter, path, scopes)
        for name, path in _targets(node.target)
        if name not in bound
    }


def _comprehension(generators: list[ast.comprehension], scopes: Scopes) -> Scopes:
    """The scopes in a comprehension: each of its loops sees the variables of those before it."""
    inner = scopes
    for generator in generators:
        names: dict[str, Bound] = {**_unknown(bindings.bound(generator.target))}
        names.update((n, Drawn(generator.iter, p, inner)) for n, p in _targets(generator.target))
        inner = inner.enter(names)
    return inner


def _targets(target: ast.expr, path: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The names that the target of a loop binds, each with its place in what the loop passes."""
    match target:
        case ast.Name(id=name):
            yield name, path
        case ast.Tuple(elts=items) | ast.List(elts=items):
            if not any(isinstance(item, ast.Starred) for item in items):
                for position, item in enumerate(items):
                    yield from _targets(item, (*path, position))


def _parameters(arguments: ast.arguments) -> dict[str, Bound]:
    return {name: Parameter() for name in bindings.parameters(arguments)}


def _unknown(names: Iterable[str]) -> dict[str, Bound]:
    return {name: bindings.Assigned(None) for name in names}
