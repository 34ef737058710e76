# mypy: allow-untyped-defs
# ruff: noqa: D103
"""What tensors share with arrays, operators above all, where the text does not tell which it is.

These are instead of the rules whose bodies call functions of NumPy, wherever tensors may take part.
Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import (
    Implied,
    constant,
    elementwise,
    forward,
    linear,
    reverse,
)

if TYPE_CHECKING:
    from adlsp import runtime as rt


@elementwise("tensors.operator.pow", "tensors.builtins.pow")
def power(x1, x2, *, out):
    """Avoids 0 * inf for a zero exponent, and log(0) * 0 for a zero base."""
    return x2 * x1 ** rt.where(x2 == 0, 1, x2 - 1), out * rt.power_log(x1, out)


@elementwise("tensors.adlsp.runtime.power_log", of="x")
def power_log(x, power: Implied = None):
    return rt.has_log(x) / rt.where(x == 0, 1, x)


constant("adlsp.runtime.has_log")


@elementwise("tensors.operator.mod", when="away from the jumps")
def remainder(x1, x2):
    return 1, -(x1 // x2)


@elementwise("tensors.builtins.abs")
def absolute(x):
    return rt.phase(x)


@linear("tensors.adlsp.runtime.expand", of="g")
def expand(g, shape, axis=None, keepdims=False, *, out_bar):
    return rt.collapse(out_bar, axis, keepdims)


@forward("ndarray.read_value", "ndarray.value")
def read_value_forward(variable, *, variable_dot):
    return variable_dot


@reverse("ndarray.read_value", "ndarray.value")
def read_value_reverse(variable, *, out_bar):
    return out_bar


@forward("tensorflow.Variable")
def variable_forward(initial_value, *, initial_value_dot):
    return rt.cast_like(initial_value_dot, initial_value)


@reverse("tensorflow.Variable")
def variable_reverse(initial_value, *, out_bar):
    return rt.cast_like(out_bar, initial_value)


constant("ndarray.numpy", "ndarray.device", "ndarray.get_shape")
