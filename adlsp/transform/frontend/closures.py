"""Functions inside others: by which path they go, and what they capture.

A function that reads variables of the functions around it becomes one that is given them: each is
a keyword-only parameter with the name that it has (lambda lifting, Johnsson 1985). So the rest of
the engine knows functions of modules only. A variable that holds a function of the text is
followed, and what that captures is captured, too.

A path names a function in its module as Python's qualified names do: `train.<locals>.loss`,
`Model.loss`. A lambda goes by its place, line and offset: `train.<locals>.<lambda:12:8>`. Of
several functions of one name in one scope all but the last have their line behind it: `loss:7`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeAlias

from adlsp.transform import depth, ir
from adlsp.transform.frontend import bindings, walks
from adlsp.transform.frontend.bindings import COMPREHENSIONS
from adlsp.transform.frozen import dataclass

LOCALS = "<locals>"
"""What stands in a path between a function and what is inside it."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Statement: TypeAlias = ast.Import | ast.ImportFrom

IMPORTS = (ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Inner:
    """A function or class in a scope: its path, whose scope it is, and the comprehensions between.

    A module is one, too, with an empty path.
    """

    tree: Function | ast.ClassDef | ast.Module
    path: str = ""
    outer: Inner | None = None
    between: tuple[ast.AST, ...] = ()

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition(".")[2]

    @property
    def is_inner(self) -> bool:
        """Whether no name of the module leads to it: it stands in others, or is a lambda."""
        is_lambda = isinstance(self.tree, ast.Lambda)
        return self.outer is not None and (is_lambda or bool(self.outer.path))

    @property
    def is_method(self) -> bool:
        """Whether it stands in a class; a lambda, as what a name of it is bound to."""
        if self.outer is None or not isinstance(self.outer.tree, ast.ClassDef):
            return False
        is_bound = any(getattr(s, "value", None) is self.tree for s in self.outer.tree.body)
        return is_bound or not isinstance(self.tree, ast.Lambda)

    @property
    def chain(self) -> Iterator[Inner]:
        """What is around it, innermost first."""
        if self.outer is not None:
            yield self.outer
            yield from self.outer.chain

    @property
    def outermost(self) -> Inner:
        """What is around it at the top level of the module."""
        is_top = self.outer is None or self.outer.outer is None
        return self if self.outer is None or is_top else self.outer.outermost

    @cached_property
    def members(self) -> tuple[Inner, ...]:
        """The functions and classes in its scope, in the order of the text."""
        own = sorted(_members(self.tree), key=lambda pair: (pair[0].lineno, pair[0].col_offset))
        last = {called(tree): tree for tree, _ in own}
        inside = f".{LOCALS}." if isinstance(self.tree, FUNCTIONS) else "." if self.path else ""
        made = []
        for tree, between in own:
            name = called(tree)
            part = name if last[name] is tree else f"{name}:{tree.lineno}"
            made.append(Inner(tree, f"{self.path}{inside}{part}", self, between))
        return tuple(made)

    def at(self, path: str) -> Inner | None:
        """The function or class of a path in it."""
        found: Inner | None = self
        for part in path.split("."):
            if part != LOCALS and found is not None:
                found = next((each for each in found.members if each.name == part), None)
        return found

    def on(self, line: int) -> Iterator[Inner]:
        """The functions and classes in it around a line, or on it, outer ones first."""
        for each in self.members:
            assert not isinstance(each.tree, ast.Module)
            decorators = getattr(each.tree, "decorator_list", ())
            start = min(one.lineno for one in (each.tree, *decorators))
            if start <= line <= (each.tree.end_lineno or line):
                yield each
                yield from each.on(line)


Held: TypeAlias = Inner | Statement | ast.expr
"""A function of the text, the import of a thing, or the dotted name of one."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A captured variable: the scope that binds it, and what it holds for good, if known."""

    scope: ast.AST
    held: Held | None = None


def captured(inner: Inner) -> dict[str, Captured]:
    """What a function reads of the functions around it, by name.

    These are its free variables. What the functions read that it captures is among it, so that it
    can give it to them. One that reads a variable which another hides here is a variable as others
    are.
    """
    found = _reached(inner)
    if not found:
        return found
    own = own_names(inner.tree)
    hidden = frozenset(
        name
        for name, each in found.items()
        if isinstance(each.held, Inner) and not _is_clear(each.held, inner, own)
    )
    return _reached(inner, hidden) if hidden else found


def variables(inner: Inner) -> tuple[str, ...]:
    """The names of the variables that a function captures: those of imports are none."""
    found = captured(inner).items()
    return tuple(name for name, each in found if not isinstance(each.held, IMPORTS))


def followed(inner: Inner) -> tuple[str, ...]:
    """The names of the captured variables that hold functions of the text."""
    found = captured(inner).items()
    return tuple(name for name, each in found if isinstance(each.held, Inner))


def visible(inner: Inner) -> set[str]:
    """The names that the functions around a function bind."""
    return {name for scope, _ in _scopes(inner) for name in own_names(scope)}


def held_in(inner: Inner) -> dict[str, Inner]:
    """The functions in a function that variables of it hold for good."""
    if not inner.members:
        return {}
    held = ((name, _for_good(name, inner)) for name in sorted(own_names(inner.tree)))
    return {name: function for name, function in held if isinstance(function, Inner)}


def named(inner: Inner) -> ast.FunctionDef | None:
    """The definition of a function; a lambda gets the name that it is bound to, or `lambda`."""
    if isinstance(inner.tree, ast.FunctionDef):
        return inner.tree
    if not isinstance(inner.tree, ast.Lambda) or inner.outer is None:
        return None
    (function,) = depth.parse("def _(): pass").body  # with the fields that this Python has
    assert isinstance(function, ast.FunctionDef)
    function.name = "lambda"
    for node in walk(inner.outer.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is inner.tree:
                function.name = name
    function.args = inner.tree.args
    body = inner.tree.body
    function.body = [ast.copy_location(ast.Return(body), body)]
    return ast.copy_location(function, inner.tree)


@lru_cache(maxsize=256)
def own_names(scope: ast.AST) -> frozenset[str]:
    """The names that a function or comprehension binds for itself."""
    match scope:
        case ast.Lambda():
            return frozenset((*bindings.parameters(scope.args), *bindings.bound(scope.body)))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            bound = {name for statement in scope.body for name in bindings.bound(statement)}
            declared = {
                name
                for node in walk(scope)
                if isinstance(node, ast.Global | ast.Nonlocal)
                for name in node.names
            }
            return frozenset((*bindings.parameters(scope.args), *(bound - declared)))
    generators = getattr(scope, "generators", ())
    return frozenset(n for each in generators for n in bindings.bound(each.target))


def free(tree: ast.AST) -> dict[str, None]:
    """The names that a function reads from around it when it is called, in order of its text."""
    found: dict[str, None] = {}
    own = frozenset(own_names(tree))
    pending = [(child, own) for child in reversed([*_late(tree)])]
    while pending:
        node, hidden = pending.pop()
        match node:
            case ast.Name(id=name) if name not in hidden:
                found[name] = None
            case ast.Nonlocal(names=names):
                found.update(dict.fromkeys(name for name in names if name not in hidden))
        is_scope = isinstance(node, (*FUNCTIONS, *COMPREHENSIONS))
        inside = hidden | own_names(node) if is_scope else hidden
        late = {id(child) for child in _late(node)}
        children = reversed(walks.children(node))
        pending += [(child, inside if id(child) in late else hidden) for child in children]
    return found


# how a variable is captured


def _reached(inner: Inner, opaque: frozenset[str] = frozenset()) -> dict[str, Captured]:
    """What a function captures, and what those capture that it captures, and so on."""
    found: dict[str, Captured] = {}
    pending, seen = [inner], {inner.path}
    while pending:
        for name, each in _direct(pending.pop(0)).items():
            known = replace(each, held=None) if name in opaque else each
            found.setdefault(name, known)
            if isinstance(known.held, Inner) and known.held.path not in seen:
                seen.add(known.held.path)
                pending.append(known.held)
    return found


def _is_clear(held: Inner, inner: Inner, own: frozenset[str]) -> bool:
    """Tells whether all that a captured function reads has the same names where it is captured."""
    return all(
        name not in own and _binder(name, inner) == each.scope
        for name, each in _reached(held).items()
    )


def _direct(inner: Inner) -> dict[str, Captured]:
    """What a function itself reads of the functions around it."""
    found: dict[str, Captured] = {}
    if not any(_scopes(inner)):
        return found
    for name in free(inner.tree):
        scope = _binder(name, inner)
        if scope is not None:
            found[name] = Captured(scope, _held(name, inner))
    return found


def _scopes(inner: Inner) -> Iterator[tuple[ast.AST, Inner]]:
    """The scopes around a function, innermost first, each with the function that it is or is in."""
    outer = inner.outer
    if outer is not None and outer.path:
        yield from ((between, outer) for between in reversed(inner.between))
        if isinstance(outer.tree, FUNCTIONS):
            yield outer.tree, outer
        yield from _scopes(outer)
    elif outer is not None:
        yield from ((between, outer) for between in reversed(inner.between))


def _binder(name: str, inner: Inner) -> ast.AST | None:
    """The innermost scope around a function that binds a name; None for a global one."""
    return next((scope for scope, _ in _scopes(inner) if name in own_names(scope)), None)


def _held(name: str, inner: Inner) -> Held | None:
    """What a captured variable holds for good; None for any value."""
    scope, owner = next(pair for pair in _scopes(inner) if name in own_names(pair[0]))
    return _for_good(name, owner) if scope is owner.tree else None


def _for_good(name: str, owner: Inner, seen: frozenset[str] = frozenset()) -> Held | None:
    """What a variable of a function holds for good, if it is bound once to what has a name.

    `seen` are the names that have been followed to it.
    """
    scope = owner.tree
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    made = _made_once(scope).get(name)
    if made is None:
        return None
    if isinstance(made, ast.Name) and made.id in own_names(scope):
        seen |= {name}
        return None if made.id in seen else _for_good(made.id, owner, seen)
    if isinstance(made, IMPORTS) or _is_global(made, owner):
        return made  # type: ignore[return-value]
    is_bare = isinstance(made, ast.Lambda | ast.FunctionDef) and not (
        getattr(made, "decorator_list", ())
        or any(isinstance(node, ast.Nonlocal) for node in walks.over(made))
    )
    return next(each for each in owner.members if each.tree is made) if is_bare else None


@lru_cache(maxsize=64)
def _made_once(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.AST]:
    """What binds each variable of a function that is bound once: a value, if one is assigned."""
    binders = defaultdict[str, list[ast.AST]](list)
    values: dict[ast.AST, ast.AST] = {}
    for node in walk(scope):
        for name in dict.fromkeys(binds(node)):
            binders[name].append(node)
        match node:
            case ast.Assign(targets=[target], value=value):
                values[target] = value
    again = {name for n in walks.over(scope) if isinstance(n, ast.Nonlocal) for name in n.names}
    again.update(bindings.parameters(scope.args))
    return {
        name: values.get(made, made)
        for name, (made, *others) in binders.items()
        if not others and name not in again
    }


def _is_global(node: ast.AST, owner: Inner) -> bool:
    """Tells whether an expression in a function is a dotted name of the module around."""
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    return node.id not in own_names(owner.tree) and _binder(node.id, owner) is None


# trees


def called(tree: ast.AST) -> str:
    """What a function is called in its scope."""
    match tree:
        case ast.Lambda():
            return f"{ir.LAMBDA}{tree.lineno}:{tree.col_offset}>"
    name = tree.name  # type: ignore[attr-defined]
    assert isinstance(name, str)
    return name


def _members(scope: ast.AST) -> Iterator[tuple[Function | ast.ClassDef, tuple[ast.AST, ...]]]:
    """The functions and classes in a scope, with the comprehensions that each of them is in."""
    pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(n, ()) for n in _late(scope)]
    while pending:
        node, between = pending.pop()
        inside = (*between, node) if isinstance(node, COMPREHENSIONS) else between
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node, between
            late = {id(child) for child in _late(node)}
            early = (child for child in walks.children(node) if id(child) not in late)
            pending += ((child, between) for child in early)
        else:
            pending += ((child, inside) for child in walks.children(node))


def walk(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a scope, those of the functions and classes in it left out."""
    pending = [*_late(scope)]
    while pending:
        node = pending.pop()
        yield node
        is_scope = isinstance(node, (*FUNCTIONS, ast.ClassDef))
        late = {id(child) for child in _late(node)} if is_scope else set[int]()
        pending += (child for child in walks.children(node) if id(child) not in late)


def _late(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that are in its own scope."""
    match node:
        case ast.Lambda(body=body):
            yield body
        case ast.FunctionDef(body=several) | ast.AsyncFunctionDef(body=several):
            yield from several
        case ast.ClassDef(body=several):
            yield from several
        case _:
            yield from walks.children(node)


def binds(node: ast.AST) -> tuple[str, ...]:
    """The names that a node binds by itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return (node.name,)
        case ast.Import() | ast.ImportFrom():
            return tuple((alias.asname or alias.name).split(".")[0] for alias in node.names)
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
            return (node.name,)
        case ast.MatchMapping() if node.rest:
            return (node.rest,)
    return ()
