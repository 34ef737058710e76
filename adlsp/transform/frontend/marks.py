"""What leaves a function what its text says, as far as its derivative is concerned."""

from __future__ import annotations

import gast

from adlsp.transform.frontend import exits, scope

TRANSPARENT = {
    "adlsp.differentiable",
    "functools.cache",
    "functools.lru_cache",
    "numba.jit",
    "numba.njit",
    "functools.wraps",
    "tensorflow.autograph.experimental.do_not_convert",
    "tensorflow.function",
    "typing.no_type_check",
}
"""Marks, caches and compilers."""


def returned(node: gast.FunctionDef) -> gast.FunctionDef | None:
    """The function that a function defines and returns."""
    match node.body[-2:]:
        case [gast.FunctionDef(name=name) as inner, gast.Return(value=gast.Name(id=returned))] if (
            name == returned and len(_returns(node)) == 1
        ):
            return inner
    return None


def is_identity(node: gast.FunctionDef) -> bool:
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
    inner = (n for statement in node.body for n in exits.own(statement))
    return [n for n in inner if isinstance(n, gast.Return)]
