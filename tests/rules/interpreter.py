"""Runs straight-line bodies of rules on values: the smallest thing that can evaluate a template."""

import functools
import importlib
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from adlsp import runtime as rt
from adlsp.transform import ir
from adlsp.transform.rules import table

SYNTAX: dict[str, Callable[..., Any]] = {
    "python.tuple": lambda *elements: elements,
    "python.list": lambda *elements: list(elements),
    "python.slice": slice,
    "python.broadcast_arrays": lambda args: np.broadcast_arrays(*args),
    "python.meshgrid": lambda xi, indexing="xy": np.meshgrid(*xi, indexing=indexing),
    "numpy.r_": lambda parts: np.r_[tuple(parts)],
    "numpy.c_": lambda parts: np.c_[tuple(parts)],
    "python.concat": rt.plus,
    "python.plus": rt.plus,
    "python.bound": lambda x: x,
    "python.changed": lambda x: x,
    "python.largest": max,
    "python.smallest": min,
    "python.repeat": rt.repeated,
    "python.transposed": rt.transposed,
    "python.unpack": rt.unpack,
    "operator.getitem": operator.getitem,
    "python.in": lambda x, container: x in container,
    "python.not_in": lambda x, container: x not in container,
    "adlsp.stop_gradient": lambda x: x,
}

RENAMED = {"numpy.trapz": "trapezoid", "numpy.row_stack": "unstack"}
"""Functions that NumPy warns of where it has another one, which came with it."""


def function(dotted: str) -> Callable[..., Any] | None:
    """What a dotted name calls; None for what is not installed, or not in this version."""
    if hasattr(np, RENAMED.get(dotted, "?")):
        return None
    if dotted in SYNTAX:
        return SYNTAX[dotted]
    home, _, name = dotted.rpartition(".")
    if home == "ndarray" and not hasattr(np.ndarray, name):
        return None
    if home == "attribute" or (home == "ndarray" and not callable(getattr(np.ndarray, name))):
        return operator.attrgetter(name)
    if home == "ndarray":
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    for missing in range(2):
        module, *attributes = home.rsplit(".", missing)
        try:
            owner = importlib.import_module(module)
        except ImportError:
            continue
        return getattr(functools.reduce(getattr, attributes, owner), name, None)
    return None


def run(template: table.Template, result: int, values: dict[str, Any]) -> Any:
    """Evaluates one result of a template, with the steps it needs and no others."""
    steps: dict[str, ir.Expression] = {}
    for statement in template.function.body[:-1]:
        assert isinstance(statement, ir.Assign)
        assert len(statement.targets) == 1
        steps[statement.targets[0]] = statement.value
    return evaluate(template.results[result], steps, values)


def evaluate(
    expression: ir.Expression, steps: dict[str, ir.Expression], values: dict[str, Any]
) -> Any:
    """Evaluates an expression; a name that is neither a step nor has a value is an error."""
    match expression:
        case ir.Name(name):
            return evaluate(steps[name], steps, values) if name in steps else values[name]
        case ir.Const(value):
            return value
        case ir.Global(dotted):
            return function(dotted)
        case ir.Call(dotted, args, keywords):
            called = function(dotted)
            assert called is not None, dotted
            given = [evaluate(atom, steps, values) for atom in args]
            return called(*given, **{k: evaluate(atom, steps, values) for k, atom in keywords})
    raise AssertionError(f"not in a rule: {expression}")
