"""What the text of a reduction says: along which axes, and whether they are kept."""

from __future__ import annotations

from adlsp.transform import ir


def axes(call: ir.Call) -> tuple[object, bool] | None:
    """The axis of a reduction and whether it is kept, where both are literals and all it is told.

    The axis is None where everything is taken together.
    """
    told = dict(call.keywords)
    if len(call.args) == 2 and "axis" not in told:
        told["axis"] = call.args[1]
    elif len(call.args) != 1:
        return None
    axis, keepdims = told.pop("axis", ir.Const(None)), told.pop("keepdims", ir.Const(False))
    if told or not isinstance(axis, ir.Const) or keepdims not in (ir.Const(False), ir.Const(True)):
        return None
    return axis.value, keepdims == ir.Const(True)
