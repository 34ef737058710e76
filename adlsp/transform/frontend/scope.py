"""Which names a piece of a function binds and reads, by Python's scoping rules.

This is scope resolution: bound and free names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import gast

from adlsp.transform import ir
from adlsp.transform.frontend import sequences, walks
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Kind

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def parameters(arguments: gast.arguments) -> Iterator[gast.Name]:
    """All parameters of a function, in order of writing."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg is not None:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg is not None:
        yield arguments.kwarg


def statements(block: Iterable[gast.AST]) -> Iterator[gast.AST]:
    """All statements of a block, nested ones included; expressions are not looked into."""
    for node in block:
        yield node
        for field in BLOCKS:
            yield from statements(getattr(node, field, ()))


def bound(trees: Iterable[gast.AST]) -> set[str]:
    """The names that some statements bind in their own scope."""
    names: set[str] = set()
    pending = list(trees)
    while pending:
        node = pending.pop()
        match node:
            case gast.Name():
                if isinstance(node.ctx, gast.Store | gast.Del):
                    names.add(node.id)
            case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
                names.add(node.name)
                pending.extend(node.decorator_list)
                continue
            case gast.Import() | gast.ImportFrom():
                names.update((a.asname or a.name).split(".")[0] for a in node.names)
            case gast.ExceptHandler() if isinstance(node.name, str):
                names.add(node.name)
            case gast.MatchAs() | gast.MatchStar() if node.name:
                names.add(node.name)
            case gast.MatchMapping() if node.rest:
                names.add(node.rest)
            case gast.Lambda():
                continue
        if isinstance(node, COMPREHENSIONS):
            pending.extend(n for n in walks.over(node) if isinstance(n, gast.NamedExpr))
            pending.append(node.generators[0].iter)
            continue
        pending.extend(walks.children(node))
    return names


def binders(function: gast.AST, name: str) -> list[gast.AST]:
    """All that says a name otherwise than by reading it, in a function and in those inside it."""
    return [n for n in walks.over(function) if n is not function and is_binding(n, name)]


def is_binding(node: gast.AST, name: str) -> bool:
    """Tells whether a node says a name otherwise than by reading it."""
    match node:
        case gast.Name():
            return bool(node.id == name) and not isinstance(node.ctx, gast.Load)
        case gast.alias():
            return bool((node.asname or node.name).split(".")[0] == name)
        case gast.Attribute() | gast.keyword() | gast.Constant():
            return False
    fields = vars(node).values()
    return any(name in field if isinstance(field, list) else field == name for field in fields)


def rebound(trees: Iterable[gast.AST]) -> set[str]:
    """The names that some statements bind otherwise than by `x += v`."""
    names: set[str] = set()
    for node in (inner for tree in trees for inner in walks.over(tree)):
        match node:
            case gast.Assign():
                names |= bound(node.targets)
            case gast.AnnAssign() | gast.For() | gast.NamedExpr():
                names |= bound([node.target])
            case gast.withitem(optional_vars=variables) if variables is not None:
                names |= bound([variables])
    return names


def overtaken(function: gast.AST) -> frozenset[tuple[int, int]]:
    """The places where an expression reads a variable that `:=` in it binds anew behind that.

    What `:=` gives is read there, too.
    """
    found: set[tuple[int, int]] = set()
    for statement in walks.over(function):
        parts = walks.children(statement) if isinstance(statement, gast.stmt) else ()
        for part in parts:
            if isinstance(part, gast.expr):
                found.update(_overtaken([*walks.over(part)]))
    return frozenset(found)


def _overtaken(nodes: list[gast.AST]) -> Iterator[tuple[int, int]]:
    last: dict[str, tuple[int, int]] = {}
    for node in nodes:
        match node:
            case gast.NamedExpr(target=gast.Name(id=name)):
                last[name] = max(last.get(name, (0, 0)), _place(node))
    for node in nodes if last else ():
        match node:
            case gast.Name(id=name, ctx=gast.Load()) | gast.NamedExpr(target=gast.Name(id=name)):
                if _place(node) < last.get(name, (0, 0)):
                    yield _place(node)


def _place(node: gast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset


def changed(tree: gast.AST) -> set[str]:
    """The names whose elements or attributes a tree stores into: `a` for `a[0].b = …`."""
    names: set[str] = set()
    for node in walks.over(tree):
        if isinstance(node, gast.Subscript | gast.Attribute) and isinstance(
            node.ctx, gast.Store | gast.Del
        ):
            root: gast.AST = node
            while isinstance(root, gast.Subscript | gast.Attribute):
                root = root.value
            if isinstance(root, gast.Name):
                names.add(root.id)
    return names


def told(tree: gast.AST) -> set[str]:
    """The names that methods of a tree change, called there or not, or that get a result."""
    names: set[str] = set()
    for node in walks.over(tree):
        match node:
            case gast.Attribute(value=root, attr=method) if ir.is_mutator(method):
                pass
            case gast.keyword(arg="out", value=root):
                pass
            case _:
                continue
        while isinstance(root, gast.Subscript | gast.Attribute):
            root = root.value
        if isinstance(root, gast.Name):
            names.add(root.id)
    return names


def augmented(tree: gast.AST) -> set[str]:
    """The names that a tree changes by `x += v`, in place if they are arrays."""
    return {
        node.target.id
        for node in walks.over(tree)
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
    }


def nonlocals(tree: gast.AST) -> set[str]:
    """The names of the function around that functions in a tree bind."""
    return {n for node in walks.over(tree) if isinstance(node, gast.Nonlocal) for n in node.names}


def calls(tree: gast.AST) -> Iterator[gast.Call]:
    """The calls that are made where a tree is run: those in nested functions wait."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Call):
            yield node
        if not isinstance(node, SCOPES):
            pending.extend(walks.children(node))


CHANGING = {targets.member(name) for name in records.CHANGING if Kind.LIST in records.said(name).of}
"""The methods that lists may be changed by."""


def assigned(body: Iterable[gast.stmt]) -> set[str]:
    """The names of variables of TensorFlow's that are set, `v.assign(x)`, and other names for them.

    A subscript of one copies: unlike a view of an array it stays as it was.
    """
    found: set[str] = set()
    bound: list[set[str]] = []
    for node in (inner for tree in body for inner in walks.over(tree)):
        match node:
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=method))
            ) if f"ndarray.{method}" in ir.ASSIGNING:
                found.add(name)
            case gast.Assign(targets=[gast.Name(id=first)], value=gast.Name(id=second)):
                bound.append({first, second})
    for _ in bound:
        found = found.union(*(pair for pair in bound if pair & found))
    return found


def results(function: gast.FunctionDef) -> dict[str, gast.Call]:
    """The variables that are bound once, to what a call gives, with the calls."""
    nodes = [*walks.over(function)]
    bound = Counter(n.id for n in nodes if isinstance(n, gast.Name) and _is_bound(n))
    found = {}
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                bound[name] == 1
            ):
                found[name] = call
    return found


def _is_bound(name: gast.Name) -> bool:
    return not isinstance(name.ctx, gast.Load)


def lists(body: Iterable[gast.stmt]) -> set[str]:
    """The names that are bound to lists only, of which no list gets a second name.

    A list may be read by index, run over, passed to functions, returned and changed by its methods;
    it may also be appended to another one.
    """
    trees = list(body)
    made: set[str] = set()
    allowed: set[int] = set()
    for node in (inner for tree in trees for inner in walks.over(tree)):
        match node:
            case gast.Assign(targets=[gast.Name() as target], value=value) if (
                sequences.kind(value, {}) is Kind.LIST
            ):
                made.add(target.id)
                allowed.add(id(target))
            case gast.Subscript(value=gast.Name() as base):
                allowed.add(id(base))
            case gast.For(iter=gast.Name() as base) | gast.Return(value=gast.Name() as base):
                allowed.add(id(base))
            case gast.IfExp(test=gast.Name() as base):
                allowed.add(id(base))
            case gast.If(test=gast.Name() as base) | gast.While(test=gast.Name() as base):
                allowed.add(id(base))
            case gast.AugAssign(
                target=gast.Name() as target, op=gast.Add() | gast.Mult(), value=value
            ):
                allowed |= {id(target), id(value)}
            case gast.Starred(value=gast.Name() as base):
                allowed.add(id(base))
            case gast.Return(value=gast.Tuple(elts=elements)):
                allowed |= {id(element) for element in elements}
            case gast.For(iter=gast.Call(func=gast.Name(id="zip" | "enumerate"), args=values)):
                allowed |= {id(value) for value in values}
            case gast.Call(
                func=gast.Attribute(value=gast.Name() as base, attr=method), args=values
            ) if method in CHANGING:
                allowed |= {id(base), *map(id, values)}
            case gast.Call() if not _holds(node):
                values = (*node.args, *(keyword.value for keyword in node.keywords))
                allowed |= {id(value) for value in values}
    for node in (inner for tree in trees for inner in walks.over(tree)):
        if isinstance(node, gast.Name) and node.id in made and id(node) not in allowed:
            made.discard(node.id)
    return made


def _holds(call: gast.Call) -> bool:
    """Tells whether a call may put what it is given into a container, as it is."""
    match call.func:
        case gast.Attribute(attr=name):
            return name in ("extend", "insert", "setdefault", "update", "add")
        case gast.Name(id=name):
            return name in ("dict", "iter", "setattr", "zip", "enumerate", "map", "filter")
    return True


def free(tree: gast.AST) -> Iterator[gast.Name]:
    """The names that a tree reads from the scope around it, nested scopes included."""
    yield from _free(tree, frozenset())


def _free(node: gast.AST, hidden: frozenset[str]) -> Iterator[gast.Name]:
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load) and node.id not in hidden:
            yield node
        return
    if isinstance(node, SCOPES):
        outside = list(getattr(node, "decorator_list", ())) + list(getattr(node, "bases", ()))
        inside = hidden
        if not isinstance(node, gast.ClassDef):
            outside += [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            inside = inside | {p.id for p in parameters(node.args)}
        body = [node.body] if isinstance(node, gast.Lambda) else node.body
        if not isinstance(node, gast.Lambda):
            inside = inside | bound(body)
        for child in outside:
            yield from _free(child, hidden)
        for child in body:
            yield from _free(child, inside)
        return
    if isinstance(node, COMPREHENSIONS):
        yield from _free(node.generators[0].iter, hidden)
        hidden = hidden | bound(g.target for g in node.generators)
    for child in _inside(node):
        yield from _free(child, hidden)


def _inside(node: gast.AST) -> Iterator[gast.AST]:
    """The children of a tree in its own scope: what a comprehension runs over first is outside."""
    for child in walks.children(node):
        if isinstance(node, COMPREHENSIONS) and child is node.generators[0]:
            yield from (child.target, *child.ifs)
        else:
            yield child
