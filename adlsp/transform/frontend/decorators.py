"""Decorators that leave a function what its text says, as far as its derivative is concerned."""

from __future__ import annotations

import gast

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
    for decorator in definition.node.decorator_list:
        tree = decorator.func if isinstance(decorator, gast.Call) else decorator
        binding = _meaning(definition.source, tree, resolver)
        if binding is None or binding.dotted not in TRANSPARENT:
            return False
    return True


def _meaning(source: Source, tree: gast.expr, resolver: Resolver) -> Binding | None:
    match tree:
        case gast.Name():
            return resolver.name(source, tree.id)
        case gast.Attribute():
            owner = _meaning(source, tree.value, resolver)
            return None if owner is None else resolver.attribute(owner, tree.attr)
    return None
