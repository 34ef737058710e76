"""Functions in the program: the names that lead to them, and what they read."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any

from adlsp.library import unwrap

Value = Any
"""Whatever a program has."""

MAIN = ("__main__", "__mp_main__")

CLOUDPICKLES = ("cloudpickle", "joblib.externals.cloudpickle")

GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME"}
"""The instructions that read variables of modules."""


def at_its_name(f: FunctionType) -> Callable[..., Any] | None:
    """What a module has under the name of a function, if that is it, or is put around it."""
    found: Any = sys.modules.get(f.__module__)
    for part in f.__qualname__.split("."):
        found = getattr(found, part, None)
    return found if unwrap.unwrapped(found) is f else None


def goes_as_code(f: FunctionType) -> bool:
    """Tells whether cloudpickle does not pickle a function by its name."""
    home = f.__module__ or "__main__"
    if home in MAIN:
        return True
    registered: set[str] = set()
    for name in CLOUDPICKLES:
        known = getattr(sys.modules.get(name), "list_registry_pickle_by_value", set)
        registered |= known()
    return any(f"{home}.".startswith(f"{each}.") for each in registered)


def functions_of(x: Value) -> Iterator[FunctionType]:
    """The functions that a thing of a program is or has: those of a class, or of its class."""
    inner = unwrap.unwrapped(x)
    if isinstance(inner, functools.partial):
        yield from functions_of(inner.func)
    elif isinstance(inner, MethodType):
        yield from functions_of(inner.__func__)
    elif isinstance(inner, FunctionType):
        yield inner
    else:
        kind = inner if isinstance(inner, type) else type(inner)
        for each in vars(kind).values() if kind.__module__ in MAIN else ():
            held = unwrap.unwrapped(getattr(each, "__func__", each))
            if isinstance(held, FunctionType):
                yield held


def reached(f: FunctionType) -> dict[str, Value]:
    """The variables of its module that a function and those that it reads read."""
    pending, seen = [f], set[FunctionType]()
    found: dict[str, Value] = {}
    while pending:
        one = pending.pop()
        if one not in seen and one.__globals__ is f.__globals__:
            seen.add(one)
            read = variables(one)
            found |= read
            for each in read.values():
                pending += functions_of(each)
    return found


def variables(f: FunctionType) -> dict[str, Value]:
    """The variables of its module that a function reads, as they are now."""
    pending, names = [f.__code__], dict[str, None]()
    while pending:
        code = pending.pop()
        pending += [each for each in code.co_consts if isinstance(each, CodeType)]
        steps = dis.get_instructions(code)
        names |= dict.fromkeys(step.argval for step in steps if step.opname in GLOBALS)
    return {name: f.__globals__[name] for name in names if name in f.__globals__}
