"""Reads the text of a module: its tree, and what each name at its top level is bound to.

`parse` never raises. A text with a syntax error still gives a module: the top-level block around
the error is left out, so that one broken function does not hide the others, and the names that it
would have bound are entered as `Unread`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import gast

from adlsp.transform.findings.vocabulary import Found
from adlsp.transform.frontend import parse as texts
from adlsp.transform.frontend import scope
from adlsp.transform.source import Source

MOST_BLOCKS_LEFT_OUT = 8
"""How many broken top-level blocks of one text are left out before it is given up."""

DYNAMIC = re.compile(r"\bglobals\(\)|\bexec\(|\bsys\.modules\[__name__\]")
"""What modules write that bind names without naming them."""

DEFINES = re.compile(r"(?:async\s+)?(def|class)\s+(\w+)")


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """`import a.b as c` binds `c` to the module `a.b`; `import a.b` binds `a` to `a`."""

    dotted: str


@dataclass(frozen=True, slots=True)
class ImportedName:
    """`from a.b import name`, the module made absolute."""

    module: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class DefinedFunction:
    """`def`, at the top level or in a conditional there."""

    node: gast.FunctionDef


@dataclass(frozen=True, slots=True, eq=False)
class DefinedClass:
    """`class`."""

    node: gast.ClassDef


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """Anything else that binds a name; `value` is its expression if it is bound only once."""

    value: gast.expr | None


@dataclass(frozen=True, slots=True)
class Unread:
    """A name bound in a part that could not be parsed; `kind` is that of a `resolve.Binding`."""

    kind: str


Entry = ImportedModule | ImportedName | DefinedFunction | DefinedClass | Assigned | Unread


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A parsed module. `stars` are the modules of its `from … import *`, in order.

    `has_gaps` says that a part which could not be parsed may bind names that are not in `names`;
    `is_dynamic`, that the module may bind names by calling something.
    """

    source: Source
    tree: gast.Module
    names: Mapping[str, Entry]
    stars: tuple[str, ...]
    has_gaps: bool = False
    is_dynamic: bool = False

    @property
    def functions(self) -> dict[str, gast.FunctionDef]:
        """The functions at the top level by name, in order of their definitions."""
        found = (entry.node for entry in self.names.values() if isinstance(entry, DefinedFunction))
        return {node.name: node for node in sorted(found, key=lambda node: node.lineno)}


def parse(source: Source) -> tuple[Module | None, tuple[Found, ...]]:
    """Parses a module; without a module if nothing of the text can be parsed."""
    lines = list(source.lines)
    if lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    unread: dict[str, Entry] = {}
    has_gaps = False
    first = tuple(texts.unknown_encoding(source))
    for _ in range(MOST_BLOCKS_LEFT_OUT + 1):
        parsed = texts.tree(source, lines)
        if isinstance(parsed, gast.Module):
            names = {**unread, **index(parsed.body, source.package)}
            stars = tuple(_stars(parsed, source.package))
            is_dynamic = "__getattr__" in names or DYNAMIC.search(source.text) is not None
            made = Module(source, parsed, MappingProxyType(names), stars, has_gaps, is_dynamic)
            return made, first
        first = first or (parsed,)
        start, end = texts.block(lines, parsed.span.line)
        unread.update(_unread(lines[start:end]))
        has_gaps = has_gaps or not any(DEFINES.match(line) for line in lines[start:end])
        lines[start:end] = [""] * (end - start)
    return None, first


def index(body: list[gast.stmt], package: str) -> dict[str, Entry]:
    """What each name bound by some statements is bound to, relative imports made absolute.

    The last binding of a name wins, except that assigning `None` never hides another binding: that
    is how programs write down that an import may fail.
    """
    bindings: dict[str, list[Entry]] = {}
    for statement in body:
        for name, entry in _bindings(statement, package):
            bindings.setdefault(name, []).append(entry)
    return {name: _decisive(entries) for name, entries in bindings.items()}


def absolute(node: gast.ImportFrom, package: str) -> str:
    """The module that a `from … import` names, from inside `package`."""
    if not node.level:
        return node.module or ""
    parents = package.split(".") if package else []
    kept = parents[: max(0, len(parents) - node.level + 1)]
    return ".".join([*kept, node.module] if node.module else kept)


# names


def _bindings(node: gast.AST, package: str) -> Iterator[tuple[str, Entry]]:
    match node:
        case gast.Import():
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield alias.asname or top, ImportedModule(alias.name if alias.asname else top)
        case gast.ImportFrom():
            module = absolute(node, package)
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, ImportedName(module, alias.name)
        case gast.FunctionDef():
            yield node.name, DefinedFunction(node)
        case gast.ClassDef():
            yield node.name, DefinedClass(node)
        case gast.AsyncFunctionDef():
            yield node.name, Assigned(None)
        case gast.Assign(targets=[gast.Name(id=name)]) | gast.AnnAssign(target=gast.Name(id=name)):
            if node.value is not None:
                yield name, Assigned(node.value)
                for inner in sorted(scope.bound([node.value])):
                    yield inner, Assigned(None)
        case (
            gast.If()
            | gast.For()
            | gast.While()
            | gast.With()
            | gast.Try()
            | gast.TryStar()
            | gast.ExceptHandler()
            | gast.Match()
            | gast.match_case()
        ):
            for child in gast.iter_child_nodes(node):
                yield from _bindings(child, package)
            return
        case _:
            for name in sorted(scope.bound([node])):
                yield name, Assigned(None)
    for name in _declared_global(node):
        yield name, Assigned(None)


def _declared_global(node: gast.AST) -> Iterable[str]:
    """The globals that the functions in a statement may bind."""
    if not isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        return ()
    return sorted({n for g in gast.walk(node) if isinstance(g, gast.Global) for n in g.names})


def _decisive(entries: list[Entry]) -> Entry:
    kept = [entry for entry in entries if not _is_none(entry)] or entries
    last = kept[-1]
    return Assigned(None) if isinstance(last, Assigned) and len(entries) > 1 else last


def _is_none(entry: Entry) -> bool:
    match entry:
        case Assigned(value=gast.Constant(value=None)):
            return True
    return False


def _stars(tree: gast.Module, package: str) -> Iterator[str]:
    pending: list[gast.AST] = list(tree.body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, gast.ImportFrom) and node.names[0].name == "*":
            yield absolute(node, package)
        elif isinstance(node, gast.If | gast.Try | gast.ExceptHandler | gast.With):
            pending[:0] = gast.iter_child_nodes(node)


def _unread(lines: list[str]) -> dict[str, Entry]:
    """The names that a broken block seems to bind."""
    text = "\n".join(lines)
    for line in lines:
        if found := DEFINES.match(line):
            return {found[2]: Unread("function" if found[1] == "def" else "class")}
    return {name: Unread("value") for name in re.findall(r"[^\W\d]\w*", text)}
