"""Reads the text of a module: its tree, and what each name at its top level is bound to.

`parse` never raises. A text with a syntax error still gives a module: the top-level block around
the error is left out, so that one broken function does not hide the others, and the names that it
would have bound are entered as `Unread`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import bindings, closures, states, walks
from adlsp.transform.frontend import parse as texts
from adlsp.transform.frontend.bindings import (
    Assigned,
    DefinedClass,
    DefinedFunction,
    Entry,
    Unread,
)
from adlsp.transform.frontend.closures import Inner
from adlsp.transform.frontend.states import Place
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source

MOST_BLOCKS_LEFT_OUT = 8
"""How many broken top-level blocks of one text are left out before it is given up."""

DYNAMIC = re.compile(r"\bglobals\(\)|\bexec\(|\bsys\.modules\[__name__\]")
"""What modules write that bind names without naming them."""

GLOBAL = re.compile(r"(?:^|[:;])[ \t\f]*global\b", re.MULTILINE)
"""Where a statement may declare names global."""

DEFINES = re.compile(r"(?:async\s+)?(def|class)\s+(\w+)")

DEEPEST = 1000
"""How many levels a tree may have that recursive functions are to follow."""

OPERATIONS = (ast.BinOp, ast.Call, ast.Subscript, ast.Compare, ast.AugAssign)

SHORT = 64
"""How many lines a function may have that need not be counted."""

DEEP: Final = "deep function"
"""The kind of `resolve.Binding` of a function that has more."""

TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"

DEEPENS = re.compile(r"[-+*/%@&|^<>=(\[{.:~!,]|\bnot\b|\belse\b")
"""What a text has at least one of for each level of its tree, but for few."""


@dataclass(frozen=True, eq=False)
class Module:
    """A parsed module. `stars` are the modules of its `from … import *`, in order.

    `n_stars_before` tells how many of them stand before what binds a name last: the others may bind
    it again.
    `parsed` is the tree as Python gives it; what is lowered is converted when it is asked for.
    `has_gaps` says that a part which could not be parsed may bind names that are not in `names`;
    `is_dynamic`, that the module may bind names by calling something.
    """

    source: Source
    parsed: ast.Module
    names: Mapping[str, Entry]
    stars: tuple[str, ...]
    n_stars_before: Mapping[str, int]
    has_gaps: bool = False
    is_dynamic: bool = False

    @cached_property
    def states(self) -> Mapping[str, ir.State]:
        """The variables that its functions bind or change, and which of the two."""
        values = [name for name, entry in self.names.items() if isinstance(entry, Assigned)]
        return states.of_module(self.parsed, self.source.lines, values, self.names)

    @cached_property
    def owners(self) -> frozenset[str]:
        """Its classes and functions of which functions set attributes."""
        kinds = DefinedClass | DefinedFunction
        own = {name: e.tree for name, e in self.names.items() if isinstance(e, kinds)}
        return states.of_attributes(self.parsed, self.source.lines, own, self.names)

    @cached_property
    def set_attributes(self) -> frozenset[str]:
        """The names of attributes that its functions set of what is no variable of their own."""
        return frozenset(states.set_attributes(self.parsed))

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of the functions that its classes define."""
        classes = (node for node in walks.over(self.parsed) if isinstance(node, ast.ClassDef))
        own = (each for tree in classes for each in tree.body)
        return frozenset(each.name for each in own if isinstance(each, ast.FunctionDef))

    @cached_property
    def changed_attributes(self) -> frozenset[str]:
        """The names of attributes of which its functions change what they hold."""
        return states.changed_attributes(self.parsed, self.names)

    @cached_property
    def class_variables(self) -> Mapping[str, bool]:
        """The names of what its classes hold for all objects, and whether that may change."""
        return states.class_variables(self.parsed)

    @cached_property
    def changes_elsewhere(self) -> tuple[Place, ...]:
        """What its functions bind or change of other modules."""
        return tuple(states.of_others(self.parsed, self.names, self.source.package))

    @cached_property
    def tree(self) -> gast.Module:
        """The whole tree, converted."""
        return gast.ast_to_gast(self.parsed)

    @cached_property
    def functions(self) -> tuple[DefinedFunction, ...]:
        """The functions at the top level, in order of their definitions."""
        found = [entry for entry in self.names.values() if isinstance(entry, DefinedFunction)]
        return tuple(sorted(found, key=lambda entry: entry.tree.lineno))

    @cached_property
    def scope(self) -> Inner:
        """Its scope, with the functions in it and in others (`closures.py`)."""
        return Inner(self.parsed)

    @cached_property
    def _inner(self) -> dict[str, tuple[Inner, DefinedFunction] | None]:
        return {}

    def inner(self, path: str) -> tuple[Inner, DefinedFunction] | None:
        """The function of a path inside others (`closures.py`), if there is one to follow."""
        if path not in self._inner:
            found = self.scope.at(path)
            tree = None if found is None else closures.named(found)
            self._inner[path] = None
            if found is not None and tree is not None and not is_too_deep(tree, self.source):
                names = closures.variables(found)
                self._inner[path] = found, DefinedFunction(tree, path, names)
        return self._inner[path]

    def function_at(self, name: str, line: int) -> DefinedFunction | None:
        """The function of a name, nested ones too, whose `def` or first decorator is on a line."""
        for node in walks.over(self.parsed):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                starts = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
                if line in (node.lineno, min(starts)) and not is_too_deep(node, self.source):
                    return DefinedFunction(node)
        return None


def parse(source: Source) -> tuple[Module | None, tuple[Diagnostic, ...]]:
    """Parses a module; without a module if nothing of the text can be parsed."""
    lines = list(source.lines)
    if lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    unread: dict[str, Entry] = {}
    has_gaps = False
    first = tuple(texts.unknown_encoding(source))
    for _ in range(MOST_BLOCKS_LEFT_OUT + 1):
        parsed = texts.tree(source, lines)
        if isinstance(parsed, ast.Module):
            return _module(source, parsed, unread, has_gaps), first
        first = first or (parsed,)
        start, end = texts.block(lines, parsed.span.line)
        unread.update(_unread(lines[start:end]))
        has_gaps = has_gaps or not any(DEFINES.match(line) for line in lines[start:end])
        lines[start:end] = [""] * (end - start)
    return None, first


def parse_again(source: Source, before: Module) -> tuple[Module | None, tuple[Diagnostic, ...]]:
    """The same as `parse`, for a text that may differ little from one without a syntax error.

    Only the top-level blocks around the lines that differ are parsed; the others keep their trees,
    which nobody changes. So it is only where lines have neither come nor gone.
    """
    body = texts.patched(source.lines, before.source.lines, before.parsed.body)
    if body is None:
        return parse(source)
    tree = ast.Module(body, type_ignores=[])
    return _module(source, tree, {}, False, before.names), tuple(texts.unknown_encoding(source))


def _module(
    source: Source,
    tree: ast.Module,
    unread: dict[str, Entry],
    has_gaps: bool,
    before: Mapping[str, Entry] = MappingProxyType({}),
) -> Module:
    names = {**unread, **bindings.index(tree.body, source.package)}
    if GLOBAL.search(source.text):
        names.update((name, Assigned(None)) for name in sorted(bindings.declared_global(tree)))
    for name, entry in names.items():
        if isinstance(entry, DefinedFunction):
            known = before.get(name)
            if isinstance(known, DefinedFunction) and known.tree is entry.tree:
                names[name] = known
            elif is_too_deep(entry.tree, source):
                names[name] = Unread(DEEP)
    is_dynamic = "__getattr__" in names or DYNAMIC.search(source.text) is not None
    stars = tuple(bindings.stars(tree.body, source.package))
    n_stars = bindings.stars_before(tree.body, source.package) if stars else {}
    every, counts = MappingProxyType(names), MappingProxyType(n_stars)
    return Module(source, tree, every, stars, counts, has_gaps, is_dynamic)


def _unread(lines: list[str]) -> dict[str, Entry]:
    """The names that a broken block seems to bind."""
    text = "\n".join(lines)
    for line in lines:
        if found := DEFINES.match(line):
            return {found[2]: Unread("function" if found[1] == "def" else "class")}
    return {name: Unread("value") for name in re.findall(r"[^\W\d]\w*", text)}


def is_too_deep(node: ast.FunctionDef, source: Source) -> bool:
    """Tells whether a tree has more levels than recursive functions can follow.

    Most texts are too short for that and need not be looked at.
    """
    text = "\n".join(source.lines[node.lineno - 1 : node.end_lineno])
    if len(DEEPENS.findall(text)) < DEEPEST:
        return False
    level: list[ast.AST] = [node]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in walks.children(parent)]
        if not level:
            return False
    return True


def n_operations(node: ast.FunctionDef) -> int:
    """About how many steps a function will have; none where it is short."""
    if (node.end_lineno or node.lineno) - node.lineno < SHORT:
        return 0
    return sum(isinstance(inner, OPERATIONS) for inner in walks.over(node))
