"""What the library says of what it cannot take: in the user's names, with the way out."""

from __future__ import annotations

import difflib
import linecache
import numbers
from collections.abc import Sequence
from functools import partial
from types import MethodType
from typing import Any

from adlsp.lint import report
from adlsp.transform.diagnostics.vocabulary import Diagnostic

Value = Any
"""Whatever a user passes."""


CIRCLE = (
    "an argument that holds itself is copied, or has a gradient (AD203): leave out what leads "
    "back, or pass the parts that take part"
)
"""What is wrong where a copy or gradient of an argument has no end."""


def own_arithmetic(name: str, kind: str) -> str:
    """Says that an argument, or what a module holds, is an array that computes in another way."""
    return (
        f"`{name}` is, or holds, a {kind}, whose arithmetic is not that of arrays (AD203): "
        f"make it a plain array, by `np.asarray`"
    )


def refusal(name: str, findings: Sequence[Diagnostic]) -> str:
    """Says that a function cannot be differentiated, with findings as in `adlsp check`."""
    for path in {finding.span.path for finding in findings}:
        linecache.checkcache(path)
    found = report.blocks(findings, _line, report.PLAIN).rstrip("\n")
    return f"`{name}` cannot be differentiated\n\n{found}"


def no_function(f: Value) -> str:
    """Says what was passed in place of a function."""
    return f"only functions written in Python can be differentiated, and this is {_thing(f)}"


def no_parameter(name: str, which: Value, known: Sequence[str], n_counted: int = 1) -> str:
    """Says that a function has no such parameter, and which it has: so many can be counted."""
    if not known:
        return f"`{name}` has no parameters that could be named in `wrt`"
    if isinstance(which, str):
        parts = [part.strip() for part in which.split(",")]
        if len(parts) > 1 and set(parts) <= set(known):
            return f"several parameters are a tuple of names: wrt={tuple(parts)!r}"
        near = difflib.get_close_matches(which.lower(), [each.lower() for each in known], 1)
        meant = [each for each in known if each.lower() in near]
        hint = f": did you mean `{meant[0]}`?" if meant else ""
        return f"`{name}` has no parameter `{which}`; it has {_listed(known)}{hint}"
    return (
        f"`{name}` has no parameter number {which}; it has {_listed(known)}, counted from 0"
        if n_counted
        else f"`{name}` has no parameter that can be counted; name {_listed(known)} in `wrt`"
    )


def not_given(name: str, which: str) -> str:
    """Says that what is to be moved is not among the arguments that are passed by position."""
    return (
        f"`{which}` of `{name}` is not among the arguments: what is checked is passed by position; "
        f"put the rest into a `lambda` or a `functools.partial`"
    )


def no_wrt(name: str, wrt: Value) -> str:
    """Says what `wrt` is, where it is something else."""
    call = f": the arguments go to what that gives, `adlsp.grad({name})(…)`"
    is_argument = hasattr(wrt, "dtype") or isinstance(wrt, float | dict)
    return (
        f"`wrt` is the position or the name of a parameter, or a tuple of them, "
        f"not {_of_class(wrt)}{call if is_argument else ''}"
    )


def no_arguments(name: str, args: Value) -> str:
    """Says what the arguments of a function to be checked are, where they are something else."""
    return (
        f"`args` is a tuple of the arguments, `adlsp.check_grads({name}, (…,))`, "
        f"not {_of_class(args)}"
    )


def no_example(name: str, args: Value) -> str:
    """Says that a function cannot be called with the arguments of an example."""
    is_one = isinstance(args, tuple | list)
    count = f"{len(args)} arguments" if is_one else "no tuple of arguments"
    return f"`example` has {count}, with which `{name}` cannot be called: example=(x, y)"


def tangents(given: Sequence[str]) -> str:
    """Says how many tangents there are, by the names that they get in a derivative."""
    one = "a tangent" if len(given) == 1 else f"{len(given)} tangents"
    return f"`dots` is a tuple of {one}, one for each entry of `wrt`: dots=({_tuple(given)})"


def parts(name: str) -> str:
    """Says that lazy arrays cannot be added to a part of the gradient of a variable."""
    return (
        f"`{name}` is a NumPy array of which parts meet lazy arrays: pass it as a lazy array, too, "
        f"with Dask by `dask.array.from_array({name})`"
    )


def _tuple(names: Sequence[str]) -> str:
    return f"{names[0]}," if len(names) == 1 else ", ".join(names)


def _thing(f: Value) -> str:
    """What something is, without the address that its `repr` may have."""
    if isinstance(f, type):
        return f"the class `{f.__name__}`"
    if isinstance(f, partial):
        return f"a partial of {_thing(f.func)}"
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if isinstance(name, str) and callable(f):
        return f"`{name}`, {_of_class(f)}"
    if isinstance(f, MethodType):
        return f"a method of {_of_class(f.__self__)}"
    if isinstance(f, numbers.Number) or hasattr(f, "dtype"):
        return f"{_of_class(f)}: pass the function itself, as in `adlsp.grad(f)(x)`"
    if not callable(f):
        return f"{_of_class(f)}, which cannot be called"
    return f"{_of_class(f)}, whose `__call__` is not"


def _of_class(thing: Value) -> str:
    if thing is None:
        return "None"
    return f"an object of the class `{type(thing).__name__}`"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _line(path: str, number: int) -> str | None:
    return linecache.getline(path, number).rstrip("\r\n") or None
