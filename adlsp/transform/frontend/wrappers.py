"""Decorators that put a function around another one, where the text tells which.

Such a decorator defines a function that calls the one that it is given, and returns it. What a
decorated function computes is then what that one says: it is taken for a function with the
parameters of the decorated one, in which the decorator's parameter holds the function without the
decorator.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import replace

import gast

from adlsp.transform.frontend import bindings, closures, decorators, states, walks
from adlsp.transform.frontend.bindings import DefinedFunction
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.ir import targets


def wrapper(definition: Definition, resolver: Resolver) -> Definition | None:
    """The function that a decorator has put around another; None where that is not clear.

    It has the name and the parameters of the decorated function.
    """
    found = stack(definition, resolver)
    return found[0][1] if len(found) == 1 else None


def stack(definition: Definition, resolver: Resolver) -> tuple[tuple[str, Definition], ...]:
    """The functions that decorators have put around a function, the outermost first.

    Each comes with the variable that holds what it is around, whose parameters it has in place of
    stars. None where one of them is not clear.
    """
    made: list[tuple[str, Definition]] = []
    if definition.inner is not None and not definition.is_method:
        return ()
    opaque, inner = [*decorators.every_opaque(definition, resolver)], definition.written.tree
    for mark in reversed(opaque):
        maker = _maker(mark, definition, resolver)
        around = None if maker is None else _returned(maker, resolver)
        if maker is None or around is None or not decorators.are_transparent(around, resolver):
            return ()
        tree, parameters = None, maker.named_parameters
        constants = _constants(maker.written.tree)
        if len(parameters) == len(constants) + 1 and parameters[0] in around.captured:
            tree = _spelled(_with(constants, around.written.tree), parameters[0], inner)
        if tree is None:
            return ()
        inner = tree
        read = {each.id for each in walks.over(tree) if isinstance(each, ast.Name)}
        captured = tuple(each for each in around.captured if each in read)
        written = DefinedFunction(tree, around.written.path, captured)
        bare = parameters[0], targets.Nested(targets.Bare(definition.dotted))
        holds = (bare,) if mark is opaque[-1] else ()
        made.append((parameters[0], replace(around, written=written, holds=holds)))
    return tuple(reversed(made))


def changes_kept(definition: Definition, resolver: Resolver) -> bool:
    """Tells whether a function may change what it has captured, or a method its object."""
    module, inner = resolver.parsed(definition.source)[0], definition.inner
    if definition.is_method:
        return any(
            isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            for node in walks.over(definition.written.tree)
        )
    entries = {} if module is None else module.names
    around = () if inner is None else inner.chain
    changed = (states.of_function(each.tree, entries).keys() for each in around)
    return not all(each.isdisjoint(definition.captured) for each in changed)


def _maker(mark: gast.expr, definition: Definition, resolver: Resolver) -> Definition | None:
    """The function that is given the decorated one: a decorator, or what a call of one returns."""
    binding = decorators.maker(definition, mark, resolver)
    if binding is None or binding.kind != "function":
        return None
    found = resolver.definition(binding.dotted)
    if found is None or not decorators.are_transparent(found, resolver):
        return None
    return _returned(found, resolver) if isinstance(mark, gast.Call) else found


def _returned(outer: Definition, resolver: Resolver) -> Definition | None:
    """The function that a function defines and returns; None where it may return another."""
    tree = outer.written.tree
    returns = [node for node in closures.walk(tree) if isinstance(node, ast.Return)]
    match tree.body[-1], returns:
        case ast.Return(value=ast.Name(id=name)), [_]:
            binders = [node for node in closures.walk(tree) if name in closures.binds(node)]
            dotted = f"{outer.dotted}.{closures.LOCALS}.{name}"
            return resolver.definition(dotted) if len(binders) == 1 else None
    return None


def _spelled(around: ast.FunctionDef, held: str, inner: ast.FunctionDef) -> ast.FunctionDef | None:
    """A function with the parameters of another in place of its stars.

    None where it has other parameters, or does more with its stars than passing them on.
    """
    made = copy.deepcopy(around)
    made.name, made.decorator_list = inner.name, []
    own, taken = around.args, _plain(inner.args)
    if own.vararg is None and own.kwarg is None:
        return made if _names(own) == _names(inner.args) else None
    named = {*bindings.parameters(taken)} if taken is not None else set[str]()
    read = {node.id for node in walks.over(around) if isinstance(node, ast.Name)}
    hides = bool(named & (closures.own_names(around) | read | {held}))
    if taken is None or hides or own.posonlyargs or own.args or own.kwonlyargs:
        return None
    if own.kwarg is None and taken.kwonlyargs:
        return None
    passed = [f"*{each.arg}" for each in (own.vararg,) if each is not None]
    passed += [f"**{each.arg}" for each in (own.kwarg,) if each is not None]
    for node in walks.over(made):
        if isinstance(node, ast.Call) and ast.unparse(node) == f"{held}({', '.join(passed)})":
            places = (*taken.posonlyargs, *taken.args)
            node.args = [_name(each.arg, node) for each in places]
            node.keywords = [_keyword(each.arg, node) for each in taken.kwonlyargs]
    if own.vararg is not None and not taken.defaults:
        every = [_name(each.arg, around) for each in (*taken.posonlyargs, *taken.args)]
        made = _with({own.vararg.arg: ast.Tuple(every, ast.Load())}, made)
    stars = {each[1:].lstrip("*") for each in passed}
    left = {node.id for node in walks.over(made) if isinstance(node, ast.Name)}
    made.args = taken
    return None if left & stars or own.vararg is None else made


def _names(arguments: ast.arguments) -> tuple[list[str], list[str]]:
    """The names of parameters that can be counted, and of the others."""
    counted = (*arguments.posonlyargs, *arguments.args)
    every = [*bindings.parameters(arguments)]
    return [each.arg for each in counted], every[len(counted) :]


def _plain(arguments: ast.arguments) -> ast.arguments | None:
    """The parameters of a function as they can stand elsewhere.

    None with stars, or with other defaults than constants.
    """
    defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    is_open = arguments.vararg is not None or arguments.kwarg is not None
    if is_open or not all(isinstance(each, ast.Constant) for each in defaults):
        return None
    made = copy.deepcopy(arguments)
    for each in (*made.posonlyargs, *made.args, *made.kwonlyargs):
        each.annotation = None
    return made


def _constants(maker: ast.FunctionDef) -> dict[str, ast.expr]:
    """The constants that stand for the parameters of a decorator which nobody gives anything."""
    arguments = maker.args
    bound = closures.own_names(maker) - {*bindings.parameters(arguments)}
    stored = (node for node in walks.over(maker) if isinstance(node, ast.Name))
    bound |= {node.id for node in stored if not isinstance(node.ctx, ast.Load)}
    places = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    pairs = [*zip(places, arguments.defaults, strict=True), *named]
    constants = ((p.arg, value) for p, value in pairs if isinstance(value, ast.Constant))
    return {name: value for name, value in constants if name not in bound}


def _with(given: Mapping[str, ast.expr], tree: ast.FunctionDef) -> ast.FunctionDef:
    """A function with expressions for variables that nothing in it binds, but a star."""
    names = (node for node in walks.over(tree) if isinstance(node, ast.Name))
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    for each in walks.over(tree):
        if isinstance(each, ast.arguments):
            own = each.vararg if each is tree.args else None
            bound |= {*bindings.parameters(each)} - {own.arg if own else ""}
    read = {name: value for name, value in given.items() if name not in bound}
    return _Substituted(read).visit(copy.deepcopy(tree))


class _Substituted(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.given.get(node.id) if isinstance(node.ctx, ast.Load) else None
        if value is None:
            return node
        made = copy.deepcopy(value)
        for each in walks.over(made):
            ast.copy_location(each, node)
        return made


def _name(name: str, node: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), node)


def _keyword(name: str, node: ast.AST) -> ast.keyword:
    return ast.copy_location(ast.keyword(name, _name(name, node)), node)
