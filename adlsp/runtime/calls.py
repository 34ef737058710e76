"""Calls of functions that change their arguments, where no derivative of them is needed.

The function works on copies of what it changes, and these are given back: what a derivative has
saved of the old values stays true.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from adlsp.runtime.arrays import Value, copy


def changed(
    function: Callable[..., Value], names: tuple[str, ...], *args: Value, **keywords: Value
) -> Value:
    """Calls a function on copies of the arguments `names`; gives the copies, one or a tuple."""
    _, *copies = called(function, names, *args, **keywords)
    return copies[0] if len(copies) == 1 else tuple(copies)


def called(
    function: Callable[..., Value], names: tuple[str, ...], *args: Value, **keywords: Value
) -> tuple[Value, ...]:
    """Calls a function on copies of the arguments `names`; gives its result and the copies."""
    bound = inspect.signature(function).bind(*args, **keywords)
    for name in names:
        bound.arguments[name] = copy(bound.arguments[name])
    result = function(*bound.args, **bound.kwargs)
    return (result, *(bound.arguments[name] for name in names))
