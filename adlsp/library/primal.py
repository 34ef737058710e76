"""The primal of a function with blocks for the backward sweep: the same function without them."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

MARKER = "insert_grad_of"
WRITTEN, RUNS = "__adlsp_written__", "__adlsp_runs__"
"""The attributes by which the function that was written and the one that runs know each other."""


def without_blocks(f: Callable[..., Any], marker: Callable[..., Any]) -> Callable[..., Any]:
    """`f` as it computes its value; `f` itself where it has no such blocks or no text.

    `marker` is the function that opens a block. The result has the file and the lines of `f`, so
    that tracebacks and debuggers show its text.
    """
    if not isinstance(f, FunctionType) or f.__closure__:
        return f
    used = f.__code__.co_names
    markers = {name for name in used if name == MARKER or f.__globals__.get(name) is marker}
    if not markers:
        return f
    from adlsp.transform.frontend import gradient_blocks  # the parser, for those who need it

    try:
        lines, first = inspect.getsourcelines(f)
    except (OSError, TypeError):
        return f
    text = textwrap.dedent("".join(lines))
    text = "\n" * (first - 1) + gradient_blocks.without_blocks(text, frozenset(markers))
    compiled = compile(text, f.__code__.co_filename, "exec", dont_inherit=True)
    code = next(
        constant
        for constant in compiled.co_consts
        if isinstance(constant, CodeType) and constant.co_name == f.__name__
    )
    made = FunctionType(code, f.__globals__, f.__name__, f.__defaults__)
    made.__kwdefaults__ = f.__kwdefaults__
    functools.update_wrapper(made, f)
    del made.__dict__["__wrapped__"]
    setattr(made, WRITTEN, f)
    setattr(f, RUNS, made)
    return made


def written(thing: object) -> object:
    """The function that somebody wrote, of one that runs without its blocks.

    A decorator that uses `functools.wraps` copies the attributes: its function is another.
    """
    found = getattr(thing, WRITTEN, thing)
    return found if getattr(found, RUNS, None) is thing else thing


def runs(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function to call for the value of what somebody wrote."""
    made: Callable[..., Any] = getattr(f, RUNS, f)
    return made
