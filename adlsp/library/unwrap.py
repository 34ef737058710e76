"""What a cache, a compiler or a mark of ours was put around: the function that was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CellType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from adlsp.library import primal

if TYPE_CHECKING:
    from adlsp.library.asked import Asked


def unwrapped(thing: object) -> object:
    """The function that a cache of functools or a compiler of Numba or TensorFlow was put around.

    Other objects may keep a function in the same attributes, and compute something else with it.
    """
    kind = type(thing)
    if isinstance(thing, _CACHE):
        inner = getattr(thing, "__wrapped__", None)
    elif str(kind.__module__).startswith(_COMPILERS):
        inner = getattr(thing, "py_func", None)
    elif str(kind.__module__).startswith(_TRACERS):
        inner = getattr(thing, "python_function", None)
    else:
        return primal.written(thing)
    return primal.written(inner) if isinstance(inner, FunctionType) else thing


ASKED = "__adlsp_asked__"
"""The method by which a derivative tells of which function it is, and what was asked."""


def derivative(thing: object) -> tuple[Callable[..., Any], Asked] | None:
    """The function and what is asked of it, of what `adlsp.grad` has made."""
    told = getattr(type(thing), ASKED, None)
    return None if told is None else told(thing)


def held(cell: CellType) -> FunctionType | None:
    """The function in a cell, if one is there."""
    try:
        found = unwrapped(cell.cell_contents)
    except ValueError:  # nothing yet
        return None
    return found if isinstance(found, FunctionType) else None


def beneath(thing: object) -> Iterator[FunctionType]:
    """What decorators may be around: a function with all that it has captured, or an object's."""
    if (asked := derivative(thing)) is not None:
        thing = asked[0]
    is_object = not isinstance(thing, type | ModuleType | FunctionType)
    pending = [thing, *(vars(thing).values() if is_object and hasattr(thing, "__dict__") else ())]
    seen = set[int]()
    for each in pending:
        if isinstance(each, FunctionType) and id(each) not in seen:
            seen.add(id(each))
            yield each
            pending += map(held, each.__closure__ or ())


_CACHE = type(lru_cache(int))
_COMPILERS = "numba.core."
_TRACERS = "tensorflow.python.eager."
