"""Decorators that leave a function what its text says, as far as its derivative is concerned."""

from __future__ import annotations

import ast

import gast

from adlsp.transform.frontend import leaving, scope
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.source import Source

TRANSPARENT = {
    "adlsp.differentiable",
    "functools.cache",
    "functools.lru_cache",
    "numba.jit",
    "numba.njit",
    "typing.no_type_check",
}
"""Marks, caches and compilers."""


def are_transparent(definition: Definition, resolver: Resolver) -> bool:
    """Tells whether no decorator makes something else of a function."""
    return _opaque(definition, resolver) is None


def opaque(definition: Definition, resolver: Resolver) -> str | None:
    """The text of the first decorator that may make something else of a function, if one may."""
    found = _opaque(definition, resolver)
    if found is None:
        return None
    return f"@{' '.join(ast.unparse(gast.gast_to_ast(found)).split())}"


def _opaque(definition: Definition, resolver: Resolver) -> gast.expr | None:
    for decorator in definition.node.decorator_list:
        tree = decorator.func if isinstance(decorator, gast.Call) else decorator
        binding = _meaning(definition.source, tree, resolver)
        if binding is None:
            return decorator
        if binding.dotted not in TRANSPARENT and not _is_mark(binding, decorator, resolver):
            return decorator
    return None


def _is_mark(binding: Binding, decorator: gast.expr, resolver: Resolver) -> bool:
    """Tells whether a user's decorator gives back the function that it is given.

    `@register("name")` is called for one that does.
    """
    found = resolver.definition(binding.dotted) if binding.kind == "function" else None
    if found is None:
        return False
    node: gast.FunctionDef | None = found.node
    if isinstance(decorator, gast.Call):
        node = _returned(found.node)
    return node is not None and gives_back(node)


def _returned(node: gast.FunctionDef) -> gast.FunctionDef | None:
    """The function that a function defines and returns."""
    match node.body[-2:]:
        case [gast.FunctionDef(name=name) as inner, gast.Return(value=gast.Name(id=returned))] if (
            name == returned and len(_returns(node)) == 1
        ):
            return inner
    return None


def gives_back(node: gast.FunctionDef) -> bool:
    """Tells whether a function always returns its only parameter, which it never binds again."""
    given = list(scope.parameters(node.args))
    if node.decorator_list or len(given) != 1 or given[0].id in scope.bound(node.body):
        return False
    return isinstance(node.body[-1], gast.Return) and all(
        isinstance(each.value, gast.Name) and each.value.id == given[0].id
        for each in _returns(node)
    )


def _returns(node: gast.FunctionDef) -> list[gast.Return]:
    """The returns of a function itself."""
    inner = (n for statement in node.body for n in leaving.own(statement))
    return [n for n in inner if isinstance(n, gast.Return)]


def _meaning(source: Source, tree: gast.expr, resolver: Resolver) -> Binding | None:
    match tree:
        case gast.Name():
            return resolver.name(source, tree.id)
        case gast.Attribute():
            owner = _meaning(source, tree.value, resolver)
            return None if owner is None else resolver.attribute(owner, tree.attr)
    return None
