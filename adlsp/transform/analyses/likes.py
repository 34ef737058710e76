"""Reads of which only shape and dtype matter: they need no value, and keep no store alive."""

from __future__ import annotations

RUNTIME = "adlsp.runtime"

LIKE_ARGUMENTS = {
    f"{RUNTIME}.unbroadcast": 1,
    f"{RUNTIME}.cast_item": 1,
    f"{RUNTIME}.cast_like": 1,
    f"{RUNTIME}.cross_bar": 1,
    f"{RUNTIME}.fit_to": 1,
    f"{RUNTIME}.zeros": 0,
    f"{RUNTIME}.like": 0,
    f"{RUNTIME}.seed": 1,
    f"{RUNTIME}.matmul_bar_a": 1,
    f"{RUNTIME}.matmul_bar_b": 2,
    f"{RUNTIME}.dot_bar_a": 1,
    f"{RUNTIME}.dot_bar_b": 2,
    f"{RUNTIME}.inner_bar_a": 1,
    f"{RUNTIME}.inner_bar_b": 2,
    "numpy.shape": 0,
    "numpy.size": 0,
    "numpy.ndim": 0,
}
"""The argument of which a call reads no more than shape and dtype."""

BROADCAST = "numpy.broadcast"
"""The call that reads no more than the shapes of all its arguments."""

KEEPS_SHAPE = {
    "operator.getitem",
    f"{RUNTIME}.copy",
    f"{RUNTIME}.separate",
    "ndarray.copy",
    "attribute.T",
}
"""Calls whose result has a shape that follows from the shape of their first argument."""
