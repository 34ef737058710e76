"""What functions give that put arrays together, or take one apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import broadcasting, dtypes, shaping
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.calls import (
    Call,
    Operand,
    UntoldError,
    alike,
    axes,
    known_shape,
    made,
    operand,
    shape,
)
from adlsp.transform.values.lattice import (
    SEVERAL,
    Array,
    Dimension,
    Sequence,
    Size,
    Unreached,
    Value,
    constant_of,
)

UNEQUAL = "numpy.array_split"
"""What splits also where no equal parts are possible."""

_Parts: TypeAlias = tuple[Operand, ...]


def _parts(call: Call) -> tuple[_Parts, bool]:
    """The arrays that are put together, and whether these are all: else there are more like it."""
    match call.first:
        case Sequence(items=tuple() as items) if items:
            return tuple(map(operand, items)), True
        case Sequence(items=None, each=each) if not isinstance(each, Unreached):
            return (operand(each),), False
        case Array(shape=(size, *rest), dtype=dtype):
            part = operand(Array(dtype, tuple(rest)))
            is_all = isinstance(size, int)
            return (part,) * (size if isinstance(size, int) else 1), is_all
    raise UntoldError("what is put together")


def _dtype(call: Call, parts: _Parts) -> str | None:
    if call.has("dtype"):
        return call.told_dtype()
    return dtypes.in_array(parts)


def _sizes(parts: _Parts, change: Callable[[Axes], Axes]) -> list[Axes] | None:
    found = [shape(part) for part in parts]
    known = [change(each) for each in found if each is not None]
    return None if len(known) < len(found) else known


def _along(every: list[Axes], axis: int, *, is_all: bool) -> Axes:
    """The shape of arrays one after the other."""
    if len({len(each) for each in every}) > 1:
        raise UntoldError("arrays of several ranks")
    (place,) = axes((axis,), len(every[0]))
    found = [alike(sizes) for sizes in zip(*every, strict=True)]
    found[place] = broadcasting.total(each[place] for each in every) if is_all else None
    return tuple(found)


def _same(sizes: Axes) -> Axes:
    return sizes


def _flat(sizes: Axes) -> Axes:
    return (broadcasting.product(sizes),)


def _one_axis(sizes: Axes) -> Axes:
    return sizes or (1,)


def _rows(sizes: Axes) -> Axes:
    return (*(1,) * (2 - len(sizes)), *sizes)


def _columns(sizes: Axes) -> Axes:
    return (*sizes, *(1,) * (2 - len(sizes)))


def joined(call: Call) -> Value:
    """What `concatenate` gives."""
    parts, is_all = _parts(call)
    if call.has("axis"):
        return _joined(call, parts, _same, call.integer("axis"), is_all=is_all)
    return _joined(call, parts, _flat, 0, is_all=is_all)


def _joined(
    call: Call, parts: _Parts, change: Callable[[Axes], Axes], axis: int, *, is_all: bool
) -> Array:
    every = _sizes(parts, change)
    found = None if every is None else _along(every, axis, is_all=is_all)
    return Array(_dtype(call, parts), found)


def in_rows(call: Call) -> Value:
    """What `hstack` gives."""
    parts, is_all = _parts(call)
    sizes = shape(parts[0])
    axis = 1 if sizes is not None and len(sizes) > 1 else 0
    return _joined(call, parts, _one_axis, axis, is_all=is_all)


def in_columns(call: Call) -> Value:
    """What `vstack` gives."""
    parts, is_all = _parts(call)
    return _joined(call, parts, _rows, 0, is_all=is_all)


def columns(call: Call) -> Value:
    """What `column_stack` gives."""
    parts, is_all = _parts(call)
    return _joined(call, parts, _columns, 1, is_all=is_all)


def stacked(call: Call) -> Value:
    """What `stack` gives."""
    parts, is_all = _parts(call)
    every = _sizes(parts, _same)
    dtype = _dtype(call, parts)
    if every is None:
        return Array(dtype, None)
    rank = len(every[0])
    if any(len(each) != rank for each in every):
        raise UntoldError("arrays of several ranks")
    (axis,) = axes((call.integer("axis"),), rank + 1)
    size: Dimension = len(parts) if is_all else _length(call.first)
    found = [alike(sizes) for sizes in zip(*every, strict=True)]
    return Array(dtype, (*found[:axis], size, *found[axis:]))


def _length(value: Value) -> Dimension:
    match value:
        case Sequence(size=size):
            return size
        case Array(shape=(size, *_)):
            return size
    return None


def appended(call: Call) -> Value:
    """What `append` gives."""
    parts = (call.operand(0), call.operand(1))
    if call.has("axis"):
        return _joined(call, parts, _same, call.integer("axis"), is_all=True)
    if any(shape(part) is None for part in parts):
        return Array(_dtype(call, parts), (None,))
    return _joined(call, parts, _flat, 0, is_all=True)


def deep(call: Call) -> Value:
    """What `dstack` gives."""
    parts, is_all = _parts(call)
    return _joined(call, parts, shaping.three_axes, 2, is_all=is_all)


def rows(call: Call) -> Value:
    """What `r_` gives."""
    parts, is_all = _parts(call)
    return _joined(call, parts, _one_axis, 0, is_all=is_all)


def split(call: Call) -> Value:
    """What `split` gives: a list of parts."""
    sizes = known_shape(call.operand())
    (axis,) = axes((call.integer("axis") if call.has("axis") else 0,), len(sizes))
    return _split(call, sizes, axis, call.at(1))


def sections(call: Call) -> Value:
    """What `split` of TensorFlow gives: parts of sizes that are told, or some of one size."""
    match call.at(1):
        case Sequence(items=tuple() as items):
            dtype, sizes = call.dtype(call.operand()), known_shape(call.operand())
            (axis,) = axes((call.integer("axis"),), len(sizes))
            told = [constant_of(item) for item in items]
            known = [size if isinstance(size, int) and size >= 0 else None for size in told]
            shapes = [(*sizes[:axis], size, *sizes[axis + 1 :]) for size in known]
            return Sequence(is_list=True, items=tuple(Array(dtype, each) for each in shapes))
        case Sequence() | Array():
            raise UntoldError("how large parts are")
    return split(call)


def split_in_rows(call: Call) -> Value:
    """What `hsplit` gives: parts along the second axis; of a vector, along the first."""
    sizes = known_shape(call.operand())
    (axis,) = axes((min(len(sizes) - 1, 1),), len(sizes))
    return _split(call, sizes, axis, call.at(1))


def _split(call: Call, sizes: Axes, axis: int, where: Value) -> Value:
    """The parts by how many they are to be, or by where they begin."""
    dtype = call.dtype(call.operand())

    def part(size: Dimension) -> Array:
        return Array(dtype, (*sizes[:axis], size, *sizes[axis + 1 :]))

    count = constant_of(where)
    if isinstance(count, int) and count > 0:
        whole = sizes[axis]
        if not isinstance(whole, int):
            one = part(None if call.dotted == UNEQUAL else _share(whole, count))
            return Sequence(is_list=True, items=(one,) * count)
        larger = [part(whole // count + 1)] * (whole % count)
        others = [part(whole // count)] * (count - whole % count)
        return Sequence(is_list=True, items=(*larger, *others))
    if isinstance(where, Sequence) and where.items is not None:
        places = [constant_of(each) for each in where.items]
        ends = (*places, sizes[axis])
        found = [_between(a, b, sizes[axis]) for a, b in zip((0, *places), ends, strict=True)]
        return Sequence(is_list=True, items=tuple(map(part, found)))
    return Sequence(is_list=True, each=part(None))


def _share(size: Dimension, count: int) -> Dimension:
    """The size of each of some parts that are all the same, by a symbol of its own."""
    if not isinstance(size, Size) or size == SEVERAL:
        return None
    symbol = size.symbol if isinstance(size.symbol, tuple) else (size.symbol,)
    return Size((*symbol, "/", size.plus, count))


def _between(start: object, stop: object, size: Dimension) -> Dimension:
    """How many elements a part has between two places."""
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(size, int)):
        return None
    return len(range(*slice(start, stop).indices(size)))


def unstacked(call: Call) -> Value:
    """What `unstack` gives: a tuple of the parts, without the axis."""
    base = call.operand()
    sizes = known_shape(base)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    part = made(call.dtype(base), (*sizes[:axis], *sizes[axis + 1 :]))
    size = sizes[axis]
    if isinstance(size, int):
        return Sequence(is_list=False, items=(part,) * size)
    return Sequence(is_list=False, each=part, size=size)


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.JOINED: joined,
        Shape.JOINED_IN_ROWS: in_rows,
        Shape.JOINED_IN_COLUMNS: in_columns,
        Shape.COLUMNS: columns,
        Shape.STACKED: stacked,
        Shape.APPENDED: appended,
        Shape.SPLIT: split,
        Shape.SECTIONS: sections,
        Shape.SPLIT_IN_ROWS: split_in_rows,
        Shape.DEEP: deep,
        Shape.ROWS: rows,
        Shape.UNSTACKED: unstacked,
    }
)
