"""What the parts of a function that stay as they were written do to the variables around them.

These are the effects of unlowered code, as far as one text tells. What a call changes, and of what
it gives a part, only the whole program tells: here is noted what is called, and with which
variables. `for row in y:`, `first = y[0]` and `flat = y.reshape(-1)` give names to parts of `y`:
what changes those changes `y`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import gast

from adlsp.transform.frontend import changing, scope, walks
from adlsp.transform.frontend.resolve import Binding, written_as
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Generated
from adlsp.transform.ops import records

ITSELF = ""
"""Stands for a function that gives what it is given, or a part of that."""

COPYING = ("copy", "dtype")
"""Keywords that decide whether a function gives what it is given or a copy of that."""

Given = tuple[str, list[gast.expr]]
"""A function, and what it is given."""


class Names(Protocol):
    """What the names of a function mean: `renamed` are called otherwise by now."""

    local: frozenset[str]
    renamed: dict[str, str]

    def binding(self, node: gast.expr) -> Binding | None:
        """What a dotted name means, if it is none of a local variable."""

    def text(self, node: gast.AST) -> str:
        """The text of a tree."""


def calls(tree: gast.AST, names: Names) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The calls in a tree, each with the variables that the function gets at.

    Those of a function that it defines are made later, with the variables around it, but for what
    gives its defaults and decorators.
    """
    for each in _run_at_once(tree):
        yield from calls(each, names)
    own = _own(tree)
    effects = {id(node.value) for node in walks.over(tree) if isinstance(node, gast.Expr)}
    for call in (call for part in _run(tree) for call in scope.calls(part)):
        given: list[gast.expr] = [*call.args, *(k.value for k in call.keywords)]
        function = _called(call, names, own)
        is_method = targets.is_method(function) and records.said(function).changes != (1,)
        if is_method:
            given = [call.func.value if isinstance(call.func, gast.Attribute) else call.func]
        elif function == "python.call":
            given = [call.func, *given]
        yield function, _variables(given, names, own)
        runs = applied(call, function)
        if isinstance(runs, gast.Name | gast.Attribute):
            every = [*call.args, *(k.value for k in call.keywords)]
            yield _called(gast.Call(runs, [], []), names, own), _variables(every, names, own)
        is_effect = id(call) in effects and targets.is_of(function, "numpy")
        out = [*changing.placed(function, call), *(call.args[1:] if is_effect else ())]
        if is_method:  # it may be that of a module
            out += changing.changed(f"numpy.{targets.member(function)}", call)
        if out:
            yield "python.out", _variables(out, names, own)
    for place in _stored(tree):
        yield "python.out", _variables([place], names, own)
    for name in sorted((scope.changed(tree) | scope.augmented(tree)) & own):
        yield "python.out", (name,)


def applied(call: gast.Call, function: str) -> gast.expr | None:
    """The function that a call is given and calls with its other arguments."""
    place = records.said(function).applies
    if isinstance(place, int):
        return call.args[place] if place < len(call.args) else None
    return next((k.value for k in call.keywords if place is not None and k.arg == place), None)


def holds(tree: gast.AST, names: Names) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The names that a tree binds, each with what gives it a part of variables, and these."""
    own, pending = _own(tree), list(_run(tree))
    while pending:
        node = pending.pop()
        for target, value in _bindings(node):
            given = list(_given(value, lambda call: _called(call, names, own)))
            for name in sorted(scope.bound([target])):
                for function, of in given:
                    yield names.renamed.get(name, name), function, _variables(of, names, own)
        if not isinstance(node, scope.SCOPES):
            pending.extend(walks.children(node))


def _run(tree: gast.AST) -> list[gast.AST]:
    """What runs of a tree; of a function that it defines, the body."""
    match tree:
        case gast.Lambda(body=body):
            return [body]
        case gast.FunctionDef(body=statements):
            return [*statements]
    return [tree]


def _run_at_once(tree: gast.AST) -> Iterator[gast.expr]:
    """What runs where a function is defined: what gives its defaults, and its decorators."""
    if isinstance(tree, gast.Lambda | gast.FunctionDef):
        yield from (*tree.args.defaults, *filter(None, tree.args.kw_defaults))
    if isinstance(tree, gast.FunctionDef):
        yield from tree.decorator_list


def _own(tree: gast.AST) -> set[str]:
    """The variables of the comprehensions in a tree, which the scope around them does not see.

    So are the parameters and variables of a function that it defines.
    """
    own = scope.bound(n.target for n in walks.over(tree) if isinstance(n, gast.comprehension))
    if isinstance(tree, gast.FunctionDef | gast.Lambda):
        own |= {p.id for p in scope.parameters(tree.args)} | scope.bound(_run(tree))
        own -= scope.nonlocals(tree)
    return own


def _called(call: gast.Call, names: Names, own: set[str]) -> str:
    """The function that a call calls: a method, also of `own` names, or what its name means."""
    root = call.func
    while isinstance(root, gast.Attribute):
        root = root.value
    is_own = isinstance(root, gast.Name) and root.id in own
    binding = None if is_own else names.binding(call.func)
    if binding is not None:
        return written_as(binding, names.text(call.func))
    is_method = isinstance(call.func, gast.Attribute)
    return f"ndarray.{call.func.attr}" if is_method else "python.call"


def _variables(nodes: list[gast.expr], names: Names, own: set[str]) -> tuple[str, ...]:
    """The local variables, and `own` names, that some expressions read."""
    read = [name.id for node in nodes for name in scope.free(node)]
    found = (names.renamed.get(name, name) for name in read)
    known = names.local | own
    return tuple(dict.fromkeys(n for n in found if n in known or isinstance(n, Generated)))


def _stored(tree: gast.AST) -> Iterator[gast.expr]:
    """What a tree stores into that has no name: `y.reshape(-1)` for `y.reshape(-1)[0] = …`."""
    for node in walks.over(tree):
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                root: gast.expr = node
                while isinstance(root, gast.Subscript | gast.Attribute):
                    root = root.value
                if not isinstance(root, gast.Name):
                    yield root


def _bindings(node: gast.AST) -> Iterator[tuple[gast.expr, gast.expr]]:
    """The targets that a node itself binds, each with the value of which it holds a part."""
    match node:
        case gast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case gast.AnnAssign(target=target, value=value) if value is not None:
            yield target, value
        case gast.NamedExpr(target=target, value=value):
            yield target, value
        case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value):
            yield target, value
        case gast.withitem(context_expr=value, optional_vars=target) if target is not None:
            yield target, value


def _given(value: gast.expr, function: Callable[[gast.Call], str]) -> Iterator[Given]:
    """The functions that may give a value, or a part of it, and what they are given."""
    match value:
        case gast.Name():
            yield ITSELF, [value]
        case gast.Subscript(value=of) | gast.Starred(value=of) | gast.NamedExpr(value=of):
            yield from _given(of, function)
        case gast.Attribute(value=of, attr=attribute):
            yield f"attribute.{attribute}", [of]
        case gast.IfExp(body=body, orelse=orelse):
            yield from _given(body, function)
            yield from _given(orelse, function)
        case gast.BoolOp(values=parts) | gast.Tuple(elts=parts) | gast.List(elts=parts):
            for part in parts:
                yield from _given(part, function)
        case gast.Dict(values=parts):
            for part in parts:
                yield from _given(part, function)
        case gast.ListComp(elt=part) | gast.GeneratorExp(elt=part) | gast.DictComp(value=part):
            yield from _given(part, function)
        case (
            gast.BinOp(left=gast.List() as left, right=right)
            | gast.BinOp(left=left, right=gast.List() as right)
        ):
            yield from _given(left, function)
            yield from _given(right, function)
        case gast.Call():
            arguments = [*value.args, *(k.value for k in value.keywords)]
            if isinstance(value.func, gast.Attribute):
                arguments.append(value.func.value)
            is_asked = any(k.arg in COPYING for k in value.keywords)
            yield ITSELF if is_asked else function(value), arguments
