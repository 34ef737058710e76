"""What each name is bound to by some statements, by Python's scoping rules.

This is scope resolution for modules; `scope.py` has that for functions. It reads Python's own
trees, before anything is converted: most of a module is only looked at for the names that it binds.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, TypeAlias

import gast

from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

Kind: TypeAlias = Literal["module", "function", "deep function", "class", "value", "missing"]
"""What a name may be bound to: a "deep function" is nested too deeply to be followed."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """`import a.b as c` binds `c` to the module `a.b`; `import a.b` binds `a` to `a`."""

    dotted: str


@dataclass(frozen=True, slots=True)
class ImportedName:
    """`from a.b import name`, the module made absolute."""

    module: str
    name: str


@dataclass(frozen=True, eq=False)
class DefinedFunction:
    """`def`, at the top level or in a conditional there; `tree` is Python's own.

    One inside others has a path (`closures.py`), and is lowered with what it captures as further
    parameters.
    """

    tree: ast.FunctionDef
    path: str = ""
    captured: tuple[str, ...] = ()

    @cached_property
    def node(self) -> gast.FunctionDef:
        """The tree that is lowered, made when it is first asked for."""
        if not self.captured:
            return gast.ast_to_gast(self.tree)
        arguments, tree = copy.copy(self.tree.args), copy.copy(self.tree)
        added = [ast.copy_location(ast.arg(name), self.tree) for name in self.captured]
        arguments.kwonlyargs = [*arguments.kwonlyargs, *added]
        arguments.kw_defaults = [*arguments.kw_defaults, *(None for _ in added)]
        tree.args = arguments
        return gast.ast_to_gast(tree)


@dataclass(frozen=True, slots=True)
class DefinedCoroutine:
    """`async def`."""


@dataclass(frozen=True, slots=True, eq=False)
class DefinedClass:
    """`class`."""

    tree: ast.ClassDef


@dataclass(frozen=True, slots=True, eq=False)
class Assigned:
    """Anything else that binds a name; `value` is its expression if it is bound only once.

    `several` are the expressions of a name that is bound more often, if that is all that binds it.
    `around` is what a function of that name is put into, by `f = lru_cache(f)` behind its `def`.
    """

    value: ast.expr | None
    several: tuple[ast.expr, ...] = ()
    around: tuple[ast.expr, DefinedFunction] | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A name bound in a part that could not be read."""

    kind: Kind


Entry = (
    ImportedModule
    | ImportedName
    | DefinedFunction
    | DefinedCoroutine
    | DefinedClass
    | Assigned
    | Unread
)


def index(body: list[ast.stmt], package: str) -> dict[str, Entry]:
    """What each name bound by some statements is bound to, relative imports made absolute.

    This is the symbol table of a module. The last binding of a name wins, except that assigning
    `None` never hides another binding: that is how programs write down that an import may fail.
    Where a handler tells what to do then, the imports are taken to succeed.
    """
    entries: dict[str, list[Entry]] = {}
    for statement in body:
        for name, entry in _bindings(statement, package):
            entries.setdefault(name, []).append(entry)
    return {name: _decisive(found) for name, found in entries.items()}


def _named_tuple(node: ast.Assign | ast.ClassDef) -> ast.ClassDef | None:
    """The class that `State = namedtuple("State", "x v")` makes, below what it calls.

    `class State(namedtuple("State", "x v"))` has the same fields before all else. Whether that is
    the function of the standard library its name does not tell.
    """
    match node:
        case ast.Assign([ast.Name(name)], value=ast.Call() as call):
            body: list[ast.stmt] = []
        case ast.ClassDef(name, bases=[ast.Call() as call], body=body, keywords=[]):
            pass
        case _:
            return None
    fields = _fields(call, name if isinstance(node, ast.Assign) else None)
    if not fields:
        return None
    decorators = node.decorator_list if isinstance(node, ast.ClassDef) else []
    made = ast.ClassDef(name, [call.func], [], [*fields, *body], decorators)
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _fields(call: ast.Call, name: str | None) -> list[ast.stmt]:
    """The fields that a call of `namedtuple` gives to a class, which may have to have a name."""
    match call:
        case ast.Call(
            ast.Name("namedtuple") | ast.Attribute(attr="namedtuple"),
            [ast.Constant(str() as own), ast.Constant(str() as text)],
            [],
        ):
            names = text.replace(",", " ").split()
        case ast.Call(
            ast.Name("namedtuple") | ast.Attribute(attr="namedtuple"),
            [ast.Constant(str() as own), ast.List(items) | ast.Tuple(items)],
            [],
        ):
            names = [str(i.value) for i in items if isinstance(i, ast.Constant)]
            names = names if len(names) == len(items) else []
        case _:
            return []
    anything = ast.Name("object", ast.Load())
    found: list[ast.stmt] = [
        ast.AnnAssign(ast.Name(n, ast.Store()), anything, None, 1) for n in names
    ]
    for field in found:
        ast.copy_location(field, call)
    return found if name in (None, own) else []


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a `from … import` names, from inside `package`."""
    if not node.level:
        return node.module or ""
    parents = package.split(".") if package else []
    kept = parents[: max(0, len(parents) - node.level + 1)]
    return ".".join([*kept, node.module] if node.module else kept)


def stars(body: list[ast.stmt], package: str) -> Iterator[str]:
    """The modules of `from … import *`, in order."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield absolute(node, package)
        elif isinstance(node, COMPOUND):
            yield from stars([n for n in _inner(node) if isinstance(n, ast.stmt)], package)


def stars_before(body: list[ast.stmt], package: str) -> dict[str, int]:
    """How many of the stars stand before the last statement that binds a name, for each name."""
    found: dict[str, int] = {}
    count = 0
    for statement in body:
        count += len([*stars([statement], package)])
        found.update((name, count) for name, _ in _bindings(statement, package))
    return found


def bound(node: ast.AST) -> Iterator[str]:
    """The names that a tree binds in its own scope."""
    pending = [node]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                pending += node.decorator_list
                continue
            case ast.Import() | ast.ImportFrom():
                yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
                yield node.name
            case ast.MatchMapping() if node.rest:
                yield node.rest
            case ast.Lambda():
                continue
        if isinstance(node, COMPREHENSIONS):
            pending += (n for n in walks.over(node) if isinstance(n, ast.NamedExpr))
        else:
            pending += walks.children(node)


def parameters(arguments: ast.arguments) -> Iterator[str]:
    """The names of all parameters of a function, in order of writing."""
    named = (*arguments.posonlyargs, *arguments.args)
    every = (*named, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg)
    return (parameter.arg for parameter in every if parameter is not None)


def declared_global(node: ast.AST) -> set[str]:
    """The names that the functions in a tree declare global."""
    return {n for g in walks.over(node) if isinstance(g, ast.Global) for n in g.names}


def _bindings(node: ast.AST, package: str) -> Iterator[tuple[str, Entry]]:
    match node:
        case ast.Import():
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield alias.asname or top, ImportedModule(alias.name if alias.asname else top)
        case ast.ImportFrom():
            module = absolute(node, package)
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, ImportedName(module, alias.name)
        case ast.FunctionDef():
            yield node.name, DefinedFunction(node)
        case ast.ClassDef():
            yield node.name, DefinedClass(_named_tuple(node) or node)
        case ast.AsyncFunctionDef():
            yield node.name, DefinedCoroutine()
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            if node.value is not None:
                made = _named_tuple(node) if isinstance(node, ast.Assign) else None
                yield name, Assigned(node.value) if made is None else DefinedClass(made)
                yield from _unknown(bound(node.value))
        case ast.Try(body=body, orelse=orelse) if any(map(_is_fallback, node.handlers)):
            found = [pair for child in (*body, *orelse) for pair in _bindings(child, package)]
            names = {name for name, _ in found}
            others = (pair for child in _inner(node) for pair in _bindings(child, package))
            yield from ((name, entry) for name, entry in others if name not in names)
            yield from found
        case _ if isinstance(node, COMPOUND) or _is_compound_of_newer_python(node):
            for child in _inner(node):
                yield from _bindings(child, package)
        case _:
            yield from _unknown(bound(node))


def _inner(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a compound statement, its handlers and cases opened."""
    for child in walks.children(node):
        if isinstance(child, ast.ExceptHandler | ast.match_case):
            if isinstance(child, ast.ExceptHandler) and child.name:
                yield ast.Name(child.name, ast.Store())
            yield from walks.children(child)
        else:
            yield child


def _is_fallback(handler: ast.ExceptHandler) -> bool:
    """Tells whether a handler is there for when an import fails."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        isinstance(each, ast.Name) and each.id in ("ImportError", "ModuleNotFoundError")
        for each in caught
    )


def _is_compound_of_newer_python(node: ast.AST) -> bool:
    """Tells whether a node is `try` with `except*`, which Python 3.10 does not have."""
    return type(node).__name__ == "TryStar"


def _unknown(names: Iterable[str]) -> Iterator[tuple[str, Entry]]:
    return ((name, Assigned(None)) for name in sorted(set(names)))


def _decisive(entries: list[Entry]) -> Entry:
    kept = [entry for entry in entries if not _is_none(entry)] or entries
    last = kept[-1]
    if not isinstance(last, Assigned) or len(entries) == 1:
        return last
    values = [e.value for e in entries if isinstance(e, Assigned) and e.value is not None]
    match entries:
        case [DefinedFunction() as function, Assigned(value=ast.expr() as value)]:
            return Assigned(None, (), (value, function))
    return Assigned(None, tuple(values) if len(values) == len(entries) else ())


def _is_none(entry: Entry) -> bool:
    match entry:
        case Assigned(value=ast.Constant(value=None)):
            return True
    return False
