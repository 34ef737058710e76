"""Arrays that grow (`runtime/growth.py`): what their versions hold, and what is read of them.

A version is an object with the array that it stands for, of whose length nothing is known.
"""

from __future__ import annotations

from adlsp.transform.values.calls import Call, UntoldError, operand, shape
from adlsp.transform.values.lattice import Array, Object, Value

CLASS = "adlsp.runtime.Growing"

WHOLE = "whole"


def whole(value: Value) -> Array | None:
    """The array that a version stands for; None for what is none."""
    match value:
        case Object(of=of, attributes=((_, Array() as held),)) if of == CLASS:
            return held
    return None


def made(call: Call) -> Value:
    """What `growing` gives: without values, one of float64."""
    return _of(call.first) if call.args else _version(Array("float64", (None,)))


def version(call: Call) -> Value:
    """Another version of the first argument, which a derivative may have as a plain array."""
    return _of(call.first)


def _of(value: Value) -> Value:
    held = whole(value)
    if held is not None:
        return _version(held)
    given = operand(value)
    sizes = shape(given)
    if not sizes or given.dtype is None:
        raise UntoldError("what an array that grows holds")
    return _version(Array(given.dtype, (None, *sizes[1:])))


def _version(held: Array) -> Object:
    return Object(CLASS, ((WHOLE, Array(held.dtype, held.shape)),))
