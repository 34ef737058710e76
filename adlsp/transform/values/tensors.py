"""What functions of TensorFlow give: what has the shape that NumPy's of the like would give.

Each of them gives tensors, whatever it is given: numbers, arrays and lists become tensors first.
Nothing is promoted, so that a dtype which one operand tells is that of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from adlsp.transform.ops.spec import Dtype, Kind, Op
from adlsp.transform.values import dtypes, lattice
from adlsp.transform.values.calls import Call, UntoldError, bind
from adlsp.transform.values.lattice import (
    NONE,
    NOWHERE,
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Sequence,
    Value,
)

if TYPE_CHECKING:
    from adlsp.transform.values.inference import Typed

LIBRARY, RUNTIME = "tensorflow", "adlsp.runtime.tensors"

ONE_DTYPE = (Dtype.COMMON, Dtype.FIRST, Dtype.QUOTIENT)
"""What records say of the dtype of operations whose operands, or first of them, tell it."""

SINGLE = "float32"
"""The dtype that tensors have if it is not told."""

OF_PYTHON = MappingProxyType({"float": SINGLE, "int": "int32", "bool": "bool"})
"""The dtypes of tensors that are made of Python's numbers."""


def result(
    told: Callable[[Call], Value] | None,
    dotted: str,
    record: Op,
    args: tuple[Value, ...],
    keywords: Mapping[str, Value],
) -> Value:
    """What a function of TensorFlow gives; `told` is what one of NumPy with such a record does."""
    named = {key: _as_array(value) for key, value in keywords.items() if key != "name"}
    given = *args, *keywords.values()
    try:
        if told is None:
            raise UntoldError(f"what `{dotted}` gives")
        call = bind(dotted, record, tuple(map(_as_array, args)), named)
        return _as_tensor(told(call), _dtype(record, call.get("dtype"), given))
    except UntoldError:
        if record.gives is not Kind.ARRAY:
            raise
        return Array(_dtype(record, keywords.get("dtype", NONE), given), library=LIBRARY)


def _dtype(record: Op, named: Value, values: tuple[Value, ...]) -> str | None:
    """The dtype of a result, if it is known; `named` is one that an argument tells."""
    if named != NONE:
        return dtypes.told(named)
    if record.dtype_at is not None and len(values) > record.dtype_at:
        return None
    if record.dtype is Dtype.FLOATS:
        return SINGLE
    if record.dtype is Dtype.TRUTH:
        return "bool"
    if record.dtype is Dtype.GIVEN and values:
        return _given(values[0])
    if record.dtype not in ONE_DTYPE:
        return None
    of_first = record.dtype is Dtype.FIRST
    found = {value.dtype for value in _tensors(values[:1] if of_first else values)}
    floats = {dtype for dtype in found if dtype is not None and dtypes.kind(dtype) == "float"}
    return floats.pop() if len(floats) == 1 else None


def _given(value: Value) -> str | None:
    """The dtype of the tensor that a value becomes."""
    match value:
        case Array(dtype=dtype):
            return dtype
        case Number(kind, None):
            return OF_PYTHON.get(kind)
        case Number(dtype=dtype) if dtype != lattice.EITHER:
            return dtype
        case Sequence():
            found = {_given(held) for _, held in lattice.parts(value)}
            return found.pop() if len(found) == 1 else None
    return None


def _tensors(values: Iterable[Value]) -> Iterator[Array]:
    """The tensors among some values, and in the lists among them."""
    for value in values:
        match value:
            case Array() if value.library == LIBRARY:
                yield value
            case Sequence():
                yield from _tensors(held for _, held in lattice.parts(value))


def _as_array(value: Value) -> Value:
    """A tensor as an array of NumPy, also where a list holds it."""
    match value:
        case Array() if value.library == LIBRARY:
            return replace(value, library="numpy", sites=NOWHERE)
        case Sequence():
            return lattice.holding(value, (_as_array(held) for _, held in lattice.parts(value)))
    return value


def _as_tensor(value: Value, dtype: str | None) -> Value:
    """What a function of NumPy gives as one of TensorFlow gives it."""
    match value:
        case Number():
            return Array(dtype, (), library=LIBRARY)
        case Array(shape=shape):
            return Array(dtype, shape, library=LIBRARY)
        case Numeric():
            return Array(dtype, library=LIBRARY)
        case Sequence():
            held = (_as_tensor(each, _of_part(each, dtype)) for _, each in lattice.parts(value))
            return lattice.holding(value, held)
    raise UntoldError("no tensor")


def _of_part(part: Value, dtype: str | None) -> str | None:
    """The dtype of one of several results: places, beside numbers that are there, are integers."""
    is_place = isinstance(part, Array) and part.dtype == "int32"
    return "int32" if is_place and dtype is not None else dtype


def alone(typed: Typed) -> Typed:
    """What is known of a function but for its arrays of NumPy, whose gradients may be tensors."""
    return replace(
        typed,
        given={name: without_arrays(value) for name, value in typed.given.items()},
        reads={key: without_arrays(value) for key, value in typed.reads.items()},
        writes={key: without_arrays(value) for key, value in typed.writes.items()},
    )


def without_arrays(value: Value) -> Value:
    """A value in which nothing is known of arrays of NumPy."""
    match value:
        case Array(library="numpy") | Numeric():
            return UNKNOWN
    parts = lattice.parts(value)
    if not parts:
        return value
    return lattice.holding(value, (without_arrays(held) for _, held in parts))
