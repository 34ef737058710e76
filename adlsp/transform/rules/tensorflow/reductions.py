# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Reductions of TensorFlow, and what runs along an axis: sums, means, extremes, cumulative sums.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import Shaped, linear

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt


@linear("tensorflow.reduce_sum", "tensorflow.math.reduce_sum", of="input_tensor")
def reduce_sum(input_tensor: Shaped, axis=None, keepdims=False, *, out_bar):
    return rt.expand_as(out_bar, input_tensor, axis, keepdims)
