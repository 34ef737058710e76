"""Variables that functions change for others: those of a module, and those around other functions.

These are side effects on globals and captured variables (mod sets). A function *binds* such a
variable to something else (`global`, `nonlocal`), or *changes* what it holds. Who reads the
variable has what it was then; nobody else can tell from the text of the reader when that is
something else. It is found by names: of what a function calls, only the functions of the same text
that change their parameters count.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from adlsp.transform import ir
from adlsp.transform.frontend import bindings
from adlsp.transform.ir import targets
from adlsp.transform.ops import records

BOUND: ir.State = "bound"
CHANGED: ir.State = "changed"

BUILTINS = frozenset(dir(builtins))

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

IMPORTED = (bindings.ImportedModule, bindings.ImportedName)

ANY = "*"
"""Instead of the name of a variable: any of a module."""

OF_MODULES = (name for name in records.CHANGING if not targets.is_method(name))
CHANGING = {*(targets.member(name) for name in OF_MODULES), "at"}
"""The functions that change their first argument, by their last names."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a function binds or changes: a name of its module or what it imports, and attributes."""

    root: str | bindings.Entry
    path: tuple[str, ...]
    kind: ir.State


def of_module(tree: ast.Module, lines: Sequence[str], names: Iterable[str]) -> dict[str, ir.State]:
    """Those of the variables of a module that its functions bind or change.

    Most functions mention none of them, and are not looked at.
    """
    mentioned = re.compile(rf"\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})\b")
    functions = list(_functions(tree))
    by_name = _named(functions)
    return _together(
        _outside(each, by_name)
        for each in functions
        if mentioned.search("\n".join(lines[each.lineno - 1 : each.end_lineno]))
    )


def of_function(tree: ast.AST) -> dict[str, ir.State]:
    """The variables of a function that functions in it bind or change.

    So are those that it binds again itself, after it has defined a function that reads them.
    """
    inner = list(_functions(tree))
    if not isinstance(tree, SCOPES) or not inner:
        return {}
    own, by_name = _own(tree, _declared(_run(tree))), _named(inner)
    rebound = (dict.fromkeys(_bound_after(tree, each), BOUND) for each in inner)
    found = (_outside(each, by_name) for each in inner)
    return {n: kind for n, kind in _together(chain(rebound, found)).items() if n in own}


def of_others(tree: ast.Module, imported: Iterable[str], package: str) -> Iterator[Place]:
    """What the functions of a module bind or change of what it, or they, import."""
    by_name = _named(list(_functions(tree)))
    own = frozenset(imported)
    for function in (n for n in ast.walk(tree) if isinstance(n, SCOPES)):
        body = [] if isinstance(function, ast.Lambda) else function.body
        inside = bindings.index(body, package)
        local = _own(function, _declared(_run(function)))
        for path, kind in _paths(function, by_name):
            entry = inside.get(path[0])
            if isinstance(entry, IMPORTED):
                yield Place(entry, path[1:], kind)
            elif path[0] in own and path[0] not in local:
                yield Place(path[0], path[1:], kind)


def _paths(
    function: Scope, by_name: Mapping[str, ast.FunctionDef]
) -> Iterator[tuple[tuple[str, ...], ir.State]]:
    """What a function binds or changes by dots: a path of names, and which of the two.

    Of `settings.model.w[0] = v` that are `settings`, `settings.model` and `settings.model.w`.
    """
    nodes = _run(function)
    held = {name: given for node in nodes for name, given in _given(node)}
    whole = {*held, *_declared(nodes)}
    for node in nodes:
        for path in _bound_by_dots(node):
            yield path, BOUND
        for place in _places(node, whole, by_name):
            path = _path(place, held, frozenset())
            yield from ((path[:end], CHANGED) for end in range(1, len(path) + 1))
        if isinstance(node, ast.AugAssign):
            yield _path(node.target, held, frozenset()) or ("",), CHANGED


def _bound_by_dots(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The attributes that a node binds: `settings.scale = v`, `setattr(settings, "scale", v)`."""
    alone = frozenset[str]()
    match node:
        case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
            yield (*_path(value, {}, alone), attr)
        case ast.Call(
            func=ast.Name(id="setattr" | "delattr"), args=[owner, ast.Constant(value=str(attr)), *_]
        ):
            yield (*_path(owner, {}, alone), attr)
        case ast.Call(func=ast.Name(id="setattr" | "delattr" | "vars"), args=[owner, *_]):
            yield (*_path(owner, {}, alone), ANY)
        case ast.Attribute(value=value, attr="__dict__"):
            yield (*_path(value, {}, alone), ANY)


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The variables that a node gives a part of something: `w = settings.w`, `for w in ws`."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.For(target=ast.Name(id=name), iter=value)
        ):
            yield name, value


def _path(node: ast.expr, held: Mapping[str, ast.expr], seen: frozenset[str]) -> tuple[str, ...]:
    """The names with dots between that an expression begins with, subscripts left out."""
    match node:
        case ast.Subscript(value=value):
            return _path(value, held, seen)
        case ast.Attribute(value=value, attr=attr):
            owner = _path(value, held, seen)
            return (*owner, attr) if owner else ()
        case ast.Name(id=name) if name in held and name not in seen:
            return _path(held[name], held, seen | {name})
        case ast.Name(id=name):
            return (name,)
    return ()


def _bound_after(function: Scope, inner: Scope) -> Iterator[str]:
    """The names that a function binds behind one in it that reads them."""
    read = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
    read -= _own(inner, _declared(_run(inner)))
    for node in _run(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if node.lineno > inner.lineno:
                if name in read:
                    yield name


def _together(found: Iterable[dict[str, ir.State]]) -> dict[str, ir.State]:
    """What is found in several functions: changing a variable is more than binding it."""
    made: dict[str, ir.State] = {}
    for each in found:
        for name, kind in each.items():
            made[name] = CHANGED if CHANGED in (kind, made.get(name)) else BOUND
    return made


def _functions(tree: ast.AST) -> Iterator[Scope]:
    """The outermost functions inside a tree."""
    pending = [*ast.iter_child_nodes(tree)]
    while pending:
        node = pending.pop()
        if isinstance(node, SCOPES):
            yield node
        else:
            pending += ast.iter_child_nodes(node)


def _run(function: Scope) -> list[ast.AST]:
    """The nodes of the body of a function, those of functions in it left out."""
    pending: list[ast.AST] = (
        [function.body] if isinstance(function, ast.Lambda) else [*function.body]
    )
    found = []
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, SCOPES):
            pending += ast.iter_child_nodes(node)
    return found


def _own(function: Scope, declared: set[str]) -> set[str]:
    """The variables of a function itself, without those that it declares to be of others."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    bound = {name for statement in body for name in bindings.bound(statement)}
    return (bound | set(bindings.parameters(function.args))) - declared


def _declared(nodes: list[ast.AST]) -> set[str]:
    """The names that nodes of a function declare to be of a scope around it."""
    declarations = (n for n in nodes if isinstance(n, ast.Global | ast.Nonlocal))
    return {name for each in declarations for name in each.names}


def _outside(function: Scope, by_name: Mapping[str, ast.FunctionDef]) -> dict[str, ir.State]:
    """The variables of scopes around a function that it binds or changes, or a function in it."""
    nodes = _run(function)
    declared = _declared(nodes)
    found: dict[str, ir.State] = dict.fromkeys(declared, BOUND)
    found.update(dict.fromkeys(_changed(function, nodes, by_name), CHANGED))
    inner = (_outside(each, by_name) for each in nodes if isinstance(each, SCOPES))
    every = _together([found, *inner])
    own = _own(function, declared) if every else set[str]()
    return {name: kind for name, kind in every.items() if name not in own}


def _named(functions: list[Scope]) -> dict[str, ast.FunctionDef]:
    """The functions that have names, by these."""
    return {each.name: each for each in functions if isinstance(each, ast.FunctionDef)}


def _taken(function: ast.FunctionDef) -> set[str]:
    """The parameters that a function changes, by name and by place."""
    order = list(bindings.parameters(function.args))
    changed = set(_changed(function, _run(function), {})).intersection(order)
    return changed | {str(order.index(name)) for name in changed}


def _changed(
    function: Scope, nodes: list[ast.AST], by_name: Mapping[str, ast.FunctionDef]
) -> Iterator[str]:
    """The variables, its own ones too, whose objects a function changes, or parts of them."""
    held = dict(_held(nodes))
    whole = {*_declared(nodes), *held, *bindings.parameters(function.args)}
    for node in nodes:
        for place in _places(node, whole, by_name):
            name, seen = _root(place), set[str]()
            while name is not None and name not in seen:
                seen.add(name)
                yield name
                name = held.get(name)


def _held(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """The variables that are given a part of another one: `w = STATE["w"]`, `for w in ws`."""
    for node in nodes:
        for name, value in _given(node):
            root = _root(value)
            if root is not None:
                yield name, root


def _places(
    node: ast.AST, whole: set[str], by_name: Mapping[str, ast.FunctionDef]
) -> Iterator[ast.expr]:
    """What a node changes in place; of `whole`, names too."""
    match node:
        case (
            ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del())
        ):
            yield node.value
        case ast.AugAssign(target=ast.Name(id=name) as target) if name in whole:
            yield target
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if ir.is_mutator(method):
            yield owner
        case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in CHANGING:
            yield first
        case ast.Call(func=ast.Name(id=name)) if name in by_name:
            taken = _taken(by_name[name])
            yield from (a for i, a in enumerate(node.args) if str(i) in taken)
            yield from (k.value for k in node.keywords if k.arg in taken)
    if isinstance(node, ast.Call):
        named = ("out", records.said(f"numpy.{_last_name(node.func)}").changes_by or "out")
        yield from (k.value for k in node.keywords if k.arg in named)
        yield from _placed(node)


def _last_name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _placed(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments by position into which a function of that name in NumPy writes its results.

    A method has one less before them. That it is one is known where it writes into its own array.
    """
    match call.func:
        case ast.Attribute(value=owner, attr=name):
            yield from call.args[records.n_before_out(f"numpy.{name}") :]
            places = call.args[records.n_before_out(f"ndarray.{name}") - 1 :]
            yield from (each for each in places if _root(each) == _root(owner))
        case ast.Name(id=name) if name not in BUILTINS:
            yield from call.args[records.n_before_out(f"numpy.{name}") :]


def _root(node: ast.expr) -> str | None:
    """The variable that an expression is, or is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
