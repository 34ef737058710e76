"""Variables that functions change for others: those of a module, and those around other functions.

These are side effects on globals and captured variables (mod sets). A function *binds* such a
variable to something else (`global`, `nonlocal`), or *changes* what it holds. Who reads the
variable has what it was then; nobody else can tell from the text of the reader when that is
something else. Of what a function calls, functions of libraries count by their records (`ops/`),
and those of the same text that change their parameters. Where the text does not tell what is
called, its name is taken for that of a function in NumPy, or of a method.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from itertools import chain

from adlsp.transform import ir
from adlsp.transform.frontend import bindings, changing, walks
from adlsp.transform.frozen import dataclass

BOUND: ir.State = "bound"
CHANGED: ir.State = "changed"

BUILTINS = frozenset(dir(builtins))

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

IMPORTED = (bindings.ImportedModule, bindings.ImportedName)

CHANGING = (ast.Attribute, ast.Subscript, ast.Call, ast.AugAssign)
"""The nodes by which something may be changed by dots."""

FIXED = (ast.Constant, ast.UnaryOp, ast.Lambda)
"""The expressions that give nothing that changes."""

ANY = "*"
"""Instead of the name of a variable: any of a module."""

Entries = Mapping[str, bindings.Entry]
"""What the names of a module are bound to."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a function binds or changes: a name of its module or what it imports, and attributes."""

    root: str | bindings.Entry
    path: tuple[str, ...]
    kind: ir.State


def of_module(
    tree: ast.Module, lines: Sequence[str], names: Iterable[str], entries: Entries
) -> dict[str, ir.State]:
    """Those of the variables of a module that its functions bind or change.

    Most functions mention none of them, and are not looked at.
    """
    mentioned = re.compile(rf"\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})\b")
    functions = list(_functions(tree))
    callees = _Callees(_named(functions), entries)
    return _together(
        _outside(each, callees.around(each))
        for each in functions
        if mentioned.search("\n".join(lines[each.lineno - 1 : each.end_lineno]))
    )


def of_attributes(
    tree: ast.Module, lines: Sequence[str], owners: Mapping[str, ast.AST], entries: Entries
) -> frozenset[str]:
    """The classes and functions of a module of which functions set attributes, or change these."""
    read = set(re.findall(r"\w+(?=\.|,)", "\n".join(lines)))
    named = [name for name in owners if name in read]
    found = {*of_module(tree, lines, named, entries)} if named else set[str]()
    classes = {name: each for name, each in owners.items() if isinstance(each, ast.ClassDef)}
    found |= {name for name, each in classes.items() if _sets_of_class(each, entries)}
    while found:
        below = {
            name
            for name, each in classes.items()
            if name not in found and any(_root(base) in found for base in each.bases)
        }
        if not below:
            break
        found |= below
    return frozenset(found)


def set_attributes(tree: ast.Module) -> Iterator[str]:
    """The names of attributes that functions set of what is no variable of their own."""
    for function, nodes in _scopes(tree):
        dotted = [node for node in nodes if isinstance(node, ast.Attribute | ast.Call)]
        paths = [path for node in dotted for path in _bound_by_dots(node, {})]
        if paths:
            held = {name: given for node in nodes for name, given in _given(node)}
            paths += (path for node in dotted for path in _bound_by_dots(node, held))
        own = _own(function, _declared(nodes)) - {"cls"} if paths else set[str]()
        yield from (path[-1] for path in paths if path[0] not in own)


def changed_attributes(tree: ast.Module, entries: Entries) -> frozenset[str]:
    """The names of attributes of which functions of a module change what they hold."""
    callees, found = _Callees(_named(list(_functions(tree))), entries), set[str]()
    for function, nodes in _scopes(tree):
        if not any(isinstance(node, ast.Attribute) for node in nodes):
            continue
        called = callees.around(function)
        held = {name: given for node in nodes for name, given in _given(node)}
        for node in (each for each in nodes if isinstance(each, CHANGING)):
            for place in _places(node, {*held}, called):
                found.update(_attributes(place, held))
            if isinstance(node, ast.AugAssign):
                found.update(_attributes(node.target, held))
    return frozenset(found)


def _attributes(node: ast.expr, held: Mapping[str, ast.expr]) -> Iterator[str]:
    """The attributes that an expression goes by, whatever they are of."""
    left, place = dict(held), node
    while True:
        match place:
            case ast.Attribute(value=value, attr=attr):
                yield attr
                place = value
            case ast.Subscript(value=value) | ast.Call(func=value):
                place = value
            case ast.Name(id=name) if name in left:
                place = left.pop(name)
            case _:
                return


def class_variables(tree: ast.Module) -> dict[str, bool]:
    """The names of what classes hold for all of their objects, and whether that may change.

    Numbers and texts do not, but a name may be bound to others.
    """
    found: dict[str, bool] = {}
    for name, value in _held_by_classes(tree):
        found[name] = found.get(name, False) or not isinstance(value, FIXED)
    return found


def _held_by_classes(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """What classes of a module hold, by their bodies, or by what is set behind these."""
    for node in walks.over(tree):
        for statement in node.body if isinstance(node, ast.ClassDef) else ():
            match statement:
                case ast.AnnAssign(value=None) | ast.FunctionDef() | ast.AsyncFunctionDef():
                    continue
                case ast.AnnAssign(value=ast.Call(func=ast.Name(id="field"))):
                    continue  # each object of a dataclass has one of its own
                case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    yield from ((name, value) for name in bindings.bound(statement))
                case _:
                    yield from ((name, statement) for name in bindings.bound(statement))
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
                yield name, value


def _sets_of_class(tree: ast.ClassDef, entries: Entries) -> bool:
    """Tells whether methods set attributes of their class: `cls.n = v`, `type(self).n = v`."""
    callees = _Callees({}, entries)
    return any(
        _is_of_class(place)
        for function in _functions(tree)
        for node in walks.over(function)
        for place in _places(node, set(), callees)
    )


def _is_of_class(node: ast.expr) -> bool:
    """Tells whether an expression is the class of a method's object, or a part of it."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            return True
        node = node.value
    match node:
        case ast.Name(id="cls") | ast.Call(func=ast.Name(id="type")):
            return True
    return False


def of_function(tree: ast.AST, entries: Entries) -> dict[str, ir.State]:
    """The variables of a function that functions in it bind or change.

    So are those that it binds again itself, after it has defined a function that reads them.
    """
    inner = list(_functions(tree))
    if not isinstance(tree, SCOPES) or not inner:
        return {}
    own = _own(tree, _declared(_run(tree)))
    callees = _Callees(_named(inner), entries).around(tree)
    rebound = (dict.fromkeys(_bound_after(tree, each), BOUND) for each in inner)
    found = (_outside(each, callees) for each in inner)
    return {n: kind for n, kind in _together(chain(rebound, found)).items() if n in own}


def of_others(tree: ast.Module, entries: Entries, package: str) -> Iterator[Place]:
    """What the functions of a module bind or change of what it, or they, import."""
    callees = _Callees(_named(list(_functions(tree))), entries)
    own = frozenset(name for name, entry in entries.items() if isinstance(entry, IMPORTED))
    libraries = {name for name in own if _is_of_library(entries[name])}
    for function, nodes in _scopes(tree):
        if not _may_change(nodes, own, libraries):
            continue
        paths = tuple(_paths(nodes, callees.around(function)))
        if not paths:
            continue
        body = [] if isinstance(function, ast.Lambda) else function.body
        inside = bindings.index(body, package)
        local = _own(function, _declared(nodes))
        for path, kind in paths:
            entry = inside.get(path[0])
            if isinstance(entry, IMPORTED):
                yield Place(entry, path[1:], kind)
            elif path[0] in own and path[0] not in local:
                yield Place(path[0], path[1:], kind)


def _is_of_library(entry: bindings.Entry) -> bool:
    match entry:
        case bindings.ImportedModule(dotted) | bindings.ImportedName(dotted, _):
            return changing.is_library(dotted)
    return False


def _may_change(nodes: list[ast.AST], imported: Set[str], libraries: Set[str]) -> bool:
    """Tells whether nodes of a function may change what is imported: most functions do not.

    Of a library they read attributes, `np.sum`, and that does nothing to it.
    """
    read = set[ast.AST]()
    for node in nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                return True
            case ast.Attribute(value=ast.Name(id=name) as owner, ctx=ast.Load()):
                if name in libraries:
                    read.add(owner)
            case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
                if _root(node) in libraries:
                    return True
    named = (node for node in nodes if isinstance(node, ast.Name) and node.id in imported)
    return any(node not in read for node in named)


@dataclass(frozen=True, slots=True)
class _Callees:
    """What the functions of a text call: `by_name` its own, and by `entries` those of libraries.

    `local` are the names that are something else inside the function that calls them, and `taken`
    what is known of its own functions by then.
    """

    by_name: Mapping[str, ast.FunctionDef]
    entries: Entries
    local: frozenset[str] = frozenset()
    taken: dict[str, set[str]] = field(default_factory=dict)

    def taken_by(self, name: str) -> set[str]:
        """The parameters that a function of the text changes itself, by name and by place."""
        if name not in self.taken:
            function = self.by_name[name]
            self.taken[name] = _taken(function, replace(self, by_name={}).around(function))
        return self.taken[name]

    def around(self, function: Scope) -> _Callees:
        """What is called inside a function, and inside those in it."""
        bound = (node for node in walks.over(function) if isinstance(node, SCOPES))
        return replace(self, local=frozenset().union(*(_own(each, set()) for each in bound)))

    def dotted(self, function: ast.expr) -> str | None:
        """The dotted name of a function that is called; None where the text does not tell.

        A function of the text itself, or one that is imported by its name, is none of NumPy's.
        """
        match function:
            case ast.Name(id=name) if name not in self.local:
                entry = self.entries.get(name)
                if isinstance(entry, bindings.ImportedName):
                    return f"{entry.module}.{entry.name}"
                is_own = isinstance(entry, bindings.DefinedFunction) or name in self.by_name
                return name if is_own else None
            case ast.Attribute(value=owner, attr=name):
                library = self._library(owner)
                return library and f"{library}.{name}"
        return None

    def _library(self, node: ast.expr) -> str | None:
        """The module of a library that an expression means, or something in one."""
        match node:
            case ast.Name(id=name) if name not in self.local:
                match self.entries.get(name):
                    case bindings.ImportedModule(dotted) if changing.is_library(dotted):
                        return dotted
                    case bindings.ImportedName(module, of) if changing.is_library(module):
                        return f"{module}.{of}"
            case ast.Attribute(value=owner, attr=name):
                library = self._library(owner)
                return library and f"{library}.{name}"
        return None


def _paths(nodes: list[ast.AST], callees: _Callees) -> Iterator[tuple[tuple[str, ...], ir.State]]:
    """What nodes of a function bind or change by dots: a path of names, and which of the two.

    Of `settings.model.w[0] = v` that are `settings`, `settings.model` and `settings.model.w`.
    """
    held = {name: given for node in nodes for name, given in _given(node)}
    whole = {*held, *_declared(nodes)}
    for node in (each for each in nodes if isinstance(each, CHANGING)):
        for path in _bound_by_dots(node, held):
            yield path, BOUND
        for place in _places(node, whole, callees):
            path = _path(place, held, frozenset())
            yield from ((path[:end], CHANGED) for end in range(1, len(path) + 1))
        if isinstance(node, ast.AugAssign):
            yield _path(node.target, held, frozenset()) or ("",), CHANGED


def _bound_by_dots(node: ast.AST, held: Mapping[str, ast.expr]) -> Iterator[tuple[str, ...]]:
    """The attributes that a node binds: `settings.scale = v`, `setattr(settings, "scale", v)`.

    `held` are the variables of the function with what these are given.
    """
    alone = frozenset[str]()
    match node:
        case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
            yield (*_path(value, held, alone), attr)
        case ast.Call(
            func=ast.Name(id="setattr" | "delattr"), args=[owner, ast.Constant(value=str(attr)), *_]
        ):
            yield (*_path(owner, held, alone), attr)
        case ast.Call(func=ast.Name(id="setattr" | "delattr" | "vars"), args=[owner, *_]):
            yield (*_path(owner, held, alone), ANY)
        case ast.Attribute(value=value, attr="__dict__"):
            yield (*_path(value, held, alone), ANY)


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
    read = {n.id for n in walks.over(inner) if isinstance(n, ast.Name)}
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
    pending = walks.children(tree)
    while pending:
        node = pending.pop()
        if isinstance(node, SCOPES):
            yield node
        else:
            pending += walks.children(node)


def _scopes(tree: ast.AST) -> list[tuple[Scope, list[ast.AST]]]:
    """All functions inside a tree, each with the nodes of its body, as `_run` has them."""
    found: list[tuple[Scope, list[ast.AST]]] = []
    pending: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while pending:
        node, nodes = pending.pop()
        nodes.append(node)
        below = walks.children(node)
        if isinstance(node, SCOPES):
            own: list[ast.AST] = []
            found.append((node, own))
            run = [node.body] if isinstance(node, ast.Lambda) else node.body
            pending += ((each, own) for each in run)
            pending += ((each, []) for each in below if each not in run)
        else:
            pending += ((each, nodes) for each in below)
    return found


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
            pending += walks.children(node)
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


def _outside(function: Scope, callees: _Callees) -> dict[str, ir.State]:
    """The variables of scopes around a function that it binds or changes, or a function in it."""
    nodes = _run(function)
    declared = _declared(nodes)
    found: dict[str, ir.State] = dict.fromkeys(declared, BOUND)
    found.update(dict.fromkeys(_changed(function, nodes, callees), CHANGED))
    inner = (_outside(each, callees) for each in nodes if isinstance(each, SCOPES))
    every = _together([found, *inner])
    own = _own(function, declared) if every else set[str]()
    return {name: kind for name, kind in every.items() if name not in own}


def _named(functions: list[Scope]) -> dict[str, ast.FunctionDef]:
    """The functions that have names, by these."""
    return {each.name: each for each in functions if isinstance(each, ast.FunctionDef)}


def _taken(function: ast.FunctionDef, callees: _Callees) -> set[str]:
    """The parameters that a function changes itself, by name and by place."""
    order = list(bindings.parameters(function.args))
    changed = set(_changed(function, _run(function), callees)).intersection(order)
    return changed | {str(order.index(name)) for name in changed}


def _changed(function: Scope, nodes: list[ast.AST], callees: _Callees) -> Iterator[str]:
    """The variables, its own ones too, whose objects a function changes, or parts of them."""
    held = dict(_held(nodes))
    whole = {*_declared(nodes), *held, *bindings.parameters(function.args)}
    for node in nodes:
        for place in _places(node, whole, callees):
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


def _places(node: ast.AST, whole: set[str], callees: _Callees) -> Iterator[ast.expr]:
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
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, *_]):
            yield owner
        case ast.Call(func=ast.Name(id=name)) if name in callees.by_name:
            taken = callees.taken_by(name)
            yield from (a for i, a in enumerate(node.args) if str(i) in taken)
            yield from (k.value for k in node.keywords if k.arg in taken)
    if isinstance(node, ast.Call):
        yield from _given_up(node, callees)


def _given_up(call: ast.Call, callees: _Callees) -> Iterator[ast.expr]:
    """The arguments that a call of a library's function changes, or of one that may be such."""
    dotted = callees.dotted(call.func)
    if dotted is not None:
        yield from changing.changed(dotted, call)
        return
    match call.func:
        case ast.Attribute(value=owner, attr=name):
            yield from changing.changed(f"numpy.{name}", call)
            places = changing.changed(f"ndarray.{name}", call)
            yield from (each for each in places if _root(each) == _root(owner))
            if name in changing.FIRST:
                yield from call.args[:1]
        case ast.Name(id=name) if name not in BUILTINS:
            yield from changing.changed(f"numpy.{name}", call)


def _root(node: ast.expr) -> str | None:
    """The variable that an expression is, or is a part of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
