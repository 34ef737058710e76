"""Calls of functions that change their arguments, and what their callers see of that.

Where no derivative of a function is needed, it works on copies of what it changes, and these are
given back: what a derivative has saved of the old values stays true.

`x += v` changes an array, which the caller has, too, and leaves a number of the caller's alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import CellType, FunctionType, MethodType

import numpy as np

from adlsp.runtime.arrays import ARRAYS, CONTAINERS, copy, zeros
from adlsp.runtime.shapes import Value

FUNCTIONS = (FunctionType, MethodType, partial)
"""What may keep something: what it has captured, or is given besides the arguments of a call."""


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


def unseen(
    function: Callable[..., Value], names: tuple[str, ...], *args: Value, **keywords: Value
) -> Value:
    """Calls a function on copies of the arguments `names`; gives its result."""
    return called(function, names, *args, **keywords)[0]


def kept_by(function: Callable[..., Value], name: str | int) -> Value:
    """Reads what a function keeps: a variable that it has captured, or an argument that it has.

    These are arguments of a `functools.partial`, by name or place, those of `numpy.vectorize` and
    the object of a method, at place 0. Raises LookupError where there is none, and ValueError where
    a variable is not bound.
    """
    if isinstance(name, int):
        return _places(function)[name]
    if isinstance(function, np.vectorize):
        return getattr(function, name)
    if isinstance(function, partial):
        held = function.keywords
        return held[name] if name in held else kept_by(function.func, name)
    return _cells(function)[name].cell_contents


def keeping(function: Callable[..., Value]) -> Iterator[Value]:
    """Gives all that a function keeps."""
    yield from _places(function)
    if isinstance(function, np.vectorize):
        yield function.pyfunc
    while isinstance(function, partial):
        yield from function.keywords.values()
        function = function.func
    for cell in _cells(function).values():
        with suppress(ValueError):
            yield cell.cell_contents


def _places(function: Callable[..., Value]) -> tuple[Value, ...]:
    """The arguments that a function has by place."""
    if isinstance(function, partial):
        return (*_places(function.func), *function.args)
    return (function.__self__,) if isinstance(function, MethodType) else ()


def _cells(function: Callable[..., Value]) -> dict[str, CellType]:
    """The variables that a function has captured."""
    inner = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(inner, FunctionType):
        return {}
    return dict(zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True))


def is_array(x: Value) -> bool:
    """Tells whether `x += v` changes `x` in place, for all that have it."""
    return isinstance(x, (*ARRAYS, list))


def is_part(part: Value, owner: Value) -> bool:
    """Tells whether what changes `part`, which was read from `owner`, changes `owner`.

    Of an array integers in a list select a copy; of a container one gets the very object, but a
    slice of a list is a list of its own. Raises TypeError where such a slice holds arrays: what
    changes these in place changes `owner`, what puts others there does not.
    """
    if isinstance(owner, (list, tuple)) and isinstance(part, (list, tuple)):
        if any(part is element for element in owner):
            return True
        if any(isinstance(element, (np.ndarray, *CONTAINERS)) for element in part):
            raise TypeError(
                f"a slice of a {type(owner).__name__} is given to a function that changes it: it "
                f"holds the same arrays, but is a {type(part).__name__} of its own (AD303); pass "
                f"the {type(owner).__name__} and the places"
            )
        return False
    return isinstance(owner, CONTAINERS) or bool(
        isinstance(part, np.ndarray) and np.may_share_memory(part, owner)
    )


def number_of(x: Value) -> Value:
    """Gives `x` if it is a number, and zero for an array."""
    return 0.0 if is_array(x) else x


def number_of_bar(g: Value, x: Value) -> Value:
    """Gives the gradient of `x` in `number_of(x)`."""
    return zeros(x) if is_array(x) else g


def seen(x: Value, number: Value, was_array: bool) -> Value:
    """Gives what is in a caller's variable `x` after a callee has done `x += v`.

    That changes an array in place, which is given; a number is rebound in the callee, and the
    caller has the one from before.
    """
    return x if was_array else number


def seen_bar(g: Value, x: Value, was_array: bool) -> Value:
    """Gives the gradient of `x` in `seen(x, number, was_array)`."""
    return g if was_array else zeros(x)


def array_part(g: Value, was_array: bool) -> Value:
    """Gives the tangent of an array, and else zero."""
    return g if was_array else 0.0


def number_part(g: Value, was_array: bool) -> Value:
    """Gives the tangent or gradient of a number, and else zero."""
    return 0.0 if was_array else g
