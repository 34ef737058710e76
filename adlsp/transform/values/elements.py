"""What values are made of: what a loop over them gives, and their parts by position."""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform.values.lattice import (
    UNKNOWN,
    Array,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Run,
    Sequence,
    Unknown,
    Unreached,
    Value,
    joined,
    of_constant,
)


def scalar(dtype: str) -> Number:
    """A number of NumPy's."""
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    return Number(kinds[dtype[0]], dtype)


def element(value: Value) -> Value:
    """What a loop over a value gives in each pass."""
    match value:
        case Sequence(element=each) | Run(each=each):
            return each
        case Range():
            return Number("int")
        case Mapped(items=None):
            return Unknown("a key of a dictionary")
        case Mapped(items=tuple() as entries):
            return joined(of_constant(key) for key, _ in entries)
        case Array(shape=None):
            return Numeric(value.dtype)
        case Array(dtype=dtype, shape=(_,)):
            return UNKNOWN if dtype is None else scalar(dtype)
        case Array(shape=(_, *further)):
            return replace(value, shape=tuple(further))
        case Literal("str"):
            return Literal("str")
        case Unreached():
            return value
    return Unknown("what a loop runs over")


def items(value: Value) -> tuple[Value, ...]:
    """The elements of a list or tuple, each of which any element is one; nothing if unknown."""
    return (value.items or ()) if isinstance(value, Sequence) else ()


OF_OBJECT = Unknown("a part of an object that its class takes apart")
"""What `a, b = value` gives of an object that is no tuple."""


def unpacked(value: Value, n_parts: int) -> tuple[Value, ...]:
    """What `a, b = value` gives to each target."""
    if isinstance(value, Sequence) and value.items is not None and len(value.items) == n_parts:
        return value.items
    if isinstance(value, Mapped) and value.items is not None and len(value.items) == n_parts:
        return tuple(of_constant(key) for key, _ in value.items)
    if isinstance(value, Object):
        return (OF_OBJECT,) * n_parts
    return (element(value),) * n_parts
