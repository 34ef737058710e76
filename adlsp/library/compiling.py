"""From the text of a derivative to a function: the text is compiled as it stands in its file.

Captured variables are parameters in the text. What is compiled reads them from cells, as the
primal does, so that a derivative is called as its primal is, and sees what these hold by then.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any

from adlsp.library import codes, derivatives, tracebacks
from adlsp.transform.artifact import Derivative
from adlsp.transform.emit import cells
from adlsp.transform.emit.guarded import LEAVER, NUMBER, OTHERWISE, SEEDING, TYPE, Guard
from adlsp.transform.emit.handled import HANDLER

Value = Any
"""A number, an array or a tensor."""


def compiled(
    derivative: Derivative,
    captured: Sequence[str],
    importer: Callable[..., Any],
    home: dict[str, Any],
    guard: Guard | None = None,
    first: Callable[[], Derivative] | None = None,
) -> FunctionType:
    """The function of a derivative, with empty cells for captured variables.

    `importer` finds the modules that it imports, `home` are the variables of the primal's module,
    a `guard` passes on arguments that it is not made for, and `first` gives the derivative that it
    is one of.
    """
    from adlsp.library import watching  # NumPy loads when something is derived

    assert derivative.path is not None
    space: dict[str, Any] = {
        "__name__": f"adlsp.derivatives.{derivative.name}",
        "__file__": derivative.path,
        "__builtins__": {**vars(builtins), "__import__": importer},
        HANDLER: tracebacks.hide,
    }
    if guard is not None:
        space |= {LEAVER: tracebacks.leave, **guard.space}
        space |= {NUMBER: float, TYPE: type, SEEDING: _seed}
    tree = cells.tree(derivative.source, derivative.name, captured, guard)
    code = codes.of_one_file(compile(tree, derivative.path, "exec"))
    cells_of = (*captured, *(() if guard is None else (OTHERWISE,)))
    exec(_unseen(code, derivative.name if cells_of else ""), space)
    made = space[derivative.name]
    if cells_of:
        made = made(*cells_of)
        made.__qualname__ = derivative.name
    watching.keep(derivative, captured, space, guard, home, first).add(made)
    assert isinstance(made, FunctionType)
    return made


def _seed(out_bar: Value) -> Value:
    """A float for another number; tensors stay what they are, for them nothing is taken for one."""
    return out_bar if derivatives.is_tensor(out_bar) else float(out_bar)


def instance(
    template: FunctionType, like: FunctionType, held: Mapping[str, CellType]
) -> FunctionType:
    """A derivative that reads its captured variables from cells, with the defaults of a primal."""
    from adlsp.library import watching

    code = template.__code__
    closure = tuple(held[name.removeprefix(cells.AGAIN)] for name in code.co_freevars)
    made = FunctionType(code, template.__globals__, template.__name__, None, closure)
    watching.follow(template, made)
    made.__doc__, made.__qualname__ = template.__doc__, template.__qualname__
    made.__defaults__ = like.__defaults__
    made.__kwdefaults__ = {**(template.__kwdefaults__ or {}), **(like.__kwdefaults__ or {})}
    return made


def _unseen(module: CodeType, outer: str) -> CodeType:
    """The code around the functions of a derivative as ours, so that no debugger stops in it."""
    constants = (
        each.replace(co_filename=__file__)
        if isinstance(each, CodeType) and each.co_name == outer
        else each
        for each in module.co_consts
    )
    return module.replace(co_filename=__file__, co_consts=tuple(constants))
