"""What is read at an index: of arrays, lists, tuples and dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from adlsp.transform.ir import Attribute
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import broadcasting, dtypes, growing
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.calls import (
    Call,
    Operand,
    UntoldError,
    axes,
    known_shape,
    made,
    operand,
    shape,
    text,
)
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    NONE,
    NOWHERE,
    SEVERAL,
    UNREACHED,
    Array,
    Dimension,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Sequence,
    Size,
    Slice,
    Value,
    constant_of,
    joined,
)

PATH = "python.path"
"""The class of what stands for several indices, one after the other."""


def getitem(call: Call) -> Value:
    """What `base[index]` gives."""
    return item(*call.pair)


def path(index: Value) -> list[Value]:
    """The indices that an index stands for, one after the other."""
    if isinstance(index, Object) and index.of == PATH:
        return [each for _, each in index.attributes]
    return [index]


def is_of_attribute(index: Value) -> bool:
    """Tells whether an index is an attribute, or begins with one."""
    return isinstance(constant_of(path(index)[0]), Attribute)


def item(base: Value, index: Value) -> Value:
    """What stands at an index."""
    if isinstance(index, Object) and index.of == PATH:
        for each in path(index):
            base = item(base, each)
        return base
    if (grown := growing.whole(base)) is not None:
        return item(grown, index)
    match base:
        case Number(dtype=str()) if index == Sequence(is_list=False, items=()):
            return base
        case Number(dtype=str() as dtype):  # `x[..., None]`: as an array without axes
            return _of_known_rank(Array(dtype, ()), (), index)
        case Array() if base.shape is not None:
            return _of_known_rank(base, base.shape, index)
        case Array(dtype=dtype, sites=sites) if base.library == "numpy":
            return Numeric(dtype, sites)
        case Numeric(dtype, sites):
            return Numeric(dtype, sites)
        case Sequence():
            return _of_sequence(base, index)
        case Mapped(items=items):
            key = constant_of(index)
            if items is None or key is UNREACHED:
                return joined(entries(base, index))
            if key in dict(items):
                return dict(items)[key]
        case Object(attributes=attributes):
            key = constant_of(index)
            if key in dict(attributes):
                return dict(attributes)[str(key)]
        case Range():
            return Range(None, ANY_INTEGER) if isinstance(index, Slice) else ANY_INTEGER
        case Literal("str"):
            return text()
    raise UntoldError("what is read at an index")


def entries(base: Mapped | Sequence, index: Value) -> tuple[Value, ...]:
    """What an index may read; of a dictionary, at a text, entries whose keys begin in that way."""
    if base.items is None:
        return (base.each,)
    if isinstance(base, Sequence):
        return base.items
    begin = index.begin if isinstance(index, Literal) else ""
    held = [v for key, v in base.items if isinstance(key, str) and key.startswith(begin)]
    return tuple(held if begin and held else dict(base.items).values())


def _of_known_rank(base: Array, sizes: Axes, index: Value) -> Value:
    """A part of an array: of one of NumPy, at an index that is not known, a number or an array."""
    try:
        return _of_array(base, sizes, index)
    except UntoldError:
        if base.library == "numpy":
            return Numeric(base.dtype, base.sites)
        raise


def _of_sequence(base: Sequence, index: Value) -> Value:
    """An element of a list or tuple, or a part of it."""
    if isinstance(index, Slice):
        if base.items is not None and (taken := _constants(index)) is not None:
            return Sequence(base.is_list, base.items[taken])
        size = base.size if base.items is None else len(base.items)
        return Sequence(base.is_list, None, base.element, sliced(size, index))
    if not isinstance(index, Number):
        raise UntoldError("the index of a list")
    at = constant_of(index)
    if base.items is not None and isinstance(at, int):
        if not -len(base.items) <= at < len(base.items):
            raise UntoldError("an index that a list does not have")
        return base.items[at]
    return base.element


def _constants(index: Slice) -> slice | None:
    """A slice of which all ends are known."""
    ends = [constant_of(end) for end in (index.start, index.stop, index.step)]
    if all(end is None or isinstance(end, int) for end in ends) and ends[2] != 0:
        return slice(*ends)
    return None


def sliced(size: Dimension, index: Slice) -> Dimension:
    """How many of so many elements a slice takes."""
    taken = _constants(index)
    if isinstance(size, int) and taken is not None:
        return len(range(*taken.indices(size)))
    step = constant_of(index.step)
    if step == -1 and index.start == NONE and index.stop == NONE:
        return size
    if step not in (None, 1) or size in (None, SEVERAL):
        return None
    start, stop = _end(size, index.start, 0), _end(size, index.stop, size)
    if stop == 0 or start == size:
        return 0
    if start is None or stop is None:
        return None
    if isinstance(start, int) and _is_end_of(stop, size):
        return broadcasting.minus(stop, start)
    return _part_of(size, index)


def _part_of(size: int | Size, index: Slice) -> Size:
    """The size of what lies between two places of an axis: one symbol for the same three.

    Places are as they are written: what is counted from the end is so where there is no such place.
    It is another one in each pass of a loop where one of these is.
    """
    ends = broadcasting.size(index.start), broadcasting.size(index.stop)
    sizes = [each for each in (size, *ends) if isinstance(each, Size)]
    made = (each.symbol[0] for each in sizes if isinstance(each.symbol, tuple))
    place = max((each for each in made if isinstance(each, int)), default=0)
    return Size((place, "part", size, *ends), may_be_one=not _takes_several(size, index))


def _takes_several(size: Dimension, index: Slice) -> bool:
    """Tells whether a slice takes all of an axis that is not one long, or two of it at least.

    So do `x[:2]` and `x[-2:]`, where there are as many.
    """
    start, stop = constant_of(index.start), constant_of(index.stop)
    is_first = index.start == NONE or start == 0
    of_first = is_first and isinstance(stop, int) and stop > 1
    of_last = index.stop == NONE and isinstance(start, int) and start < -1
    return broadcasting.is_not_one(size) and (of_first or of_last)


def _end(size: Dimension, end: Value, default: Dimension) -> Dimension:
    """The place where a slice begins or ends, counted from the start."""
    if end == NONE:
        return default
    place = broadcasting.size(end)
    return broadcasting.plus(size, place) if isinstance(place, int) and place < 0 else place


def _is_end_of(stop: Dimension, size: Dimension) -> bool:
    """Tells whether a slice ends where a size tells, or so many before."""
    apart = broadcasting.minus(size, stop)
    return isinstance(apart, int) and apart >= 0 and isinstance(stop, Size)


Part = tuple[str, Value]


def _of_array(base: Array, sizes: Axes, index: Value) -> Value:
    """A part of an array, by an index or a tuple of them."""
    parts = [index]
    if isinstance(index, Sequence) and not index.is_list:
        if index.items is None:
            raise UntoldError("an index of unknown length")
        parts = list(index.items)
    parts = _without_ellipsis(parts, len(sizes))
    if any(isinstance(_advanced(part), Array) for part in parts):
        found = _of_arrays(sizes, parts)
    else:
        found = _of_slices(sizes, parts)
    if base.library != "numpy":
        return Array(base.dtype, found, base.sites, base.library)
    if found == ():
        is_view = any(_is_ellipsis(part) for part in _parts(index))
        return Array(base.dtype, (), base.sites) if is_view else made(base.dtype, ())
    return Array(base.dtype, found, NOWHERE if copies(base, index) else base.sites)


def copies(base: Value, index: Value) -> bool:
    """Tells whether what stands at an index is surely a copy: an array is indexed by an array."""
    if not isinstance(base, Array) or base.library != "numpy":
        return False
    is_tuple = isinstance(index, Sequence) and not index.is_list
    parts = _parts(index) if is_tuple else (index,)
    return any(isinstance(part, Array) and part.rank for part in parts)


def _parts(index: Value) -> tuple[Value, ...]:
    return index.items or () if isinstance(index, Sequence) else (index,)


def _is_ellipsis(part: Value) -> bool:
    return isinstance(part, Literal) and part.kind == "ellipsis"


def _taken(part: Value) -> int:
    """How many axes an index is for."""
    if part == NONE:
        return 0
    found = _advanced(part)
    if isinstance(found, Array) and found.dtype == "bool":
        return len(known_shape(found))
    return 1


def _advanced(part: Value) -> Operand | None:
    """An index that is an array, or a number."""
    match part:
        case Number(kind="bool") | Number(dtype="bool"):
            raise UntoldError("a truth value as an index")
        case Number():
            return part
        case Array(dtype=None) | Numeric():
            raise UntoldError("an index of unknown dtype")
        case Array() | Sequence(is_list=True) | Range():
            found = operand(part)
            known_shape(found)
            if isinstance(part, Sequence) and part.items == ():
                return Array("int64", (0,))
            return found
        case Slice() | Literal("NoneType" | "ellipsis"):
            return None
    raise UntoldError("an index of unknown kind")


def _without_ellipsis(parts: list[Value], rank: int) -> list[Value]:
    """The indices for all axes: whole ones for those that are not named."""
    whole = Slice(NONE, NONE, NONE)
    n_left = rank - sum(_taken(part) for part in parts if not _is_ellipsis(part))
    if n_left < 0:
        raise UntoldError("more indices than axes")
    places = [at for at, part in enumerate(parts) if _is_ellipsis(part)]
    if len(places) > 1:
        raise UntoldError("two ellipses")
    at = places[0] if places else len(parts)
    return [*parts[:at], *[whole] * n_left, *parts[at + 1 :]]


def _of_slices(sizes: Axes, parts: list[Value]) -> Axes:
    """The shape of what numbers and slices take."""
    found: list[Dimension] = []
    axis = 0
    for part in parts:
        if part == NONE:
            found.append(1)
            continue
        if isinstance(part, Slice):
            found.append(sliced(sizes[axis], part))
        axis += 1
    return tuple(found)


def _of_arrays(sizes: Axes, parts: list[Value]) -> Axes | None:
    """The shape of what arrays of integers take, or masks, with slices beside them."""
    found: list[Dimension] = []
    taken: list[Axes] = []
    places: list[int] = []
    at: int | None = None
    axis = 0
    for place, part in enumerate(parts):
        index = _advanced(part)
        if index is not None:
            at = len(found) if at is None else at
            places.append(place)
            is_mask = isinstance(index, Array) and index.dtype == "bool"
            taken.append((None,) if is_mask else known_shape(index))
        elif isinstance(part, Slice):
            found.append(sliced(sizes[axis], part))
        else:
            found.append(1)
        axis += _taken(part)
    is_together = places == list(range(places[0], places[-1] + 1))
    start = at if at is not None and is_together else 0
    together = broadcasting.broadcast(taken)
    return None if together is None else (*found[:start], *together, *found[start:])


def taken(call: Call) -> Value:
    """What `take` gives."""
    base, indices = call.operand(), call.operand(1)
    places = shape(indices)
    if not call.has("axis") or shape(base) == ():
        return made(call.dtype(base), places)
    sizes = known_shape(base)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    if places is None:
        return Array(call.dtype(base), None)
    return made(call.dtype(base), (*sizes[:axis], *places, *sizes[axis + 1 :]))


def taken_rows(call: Call) -> Value:
    """What gives a row for each place."""
    base, places = call.operand(), known_shape(call.operand(1))
    return made(call.dtype(base), (*places, *known_shape(base)[1:]))


def of_segments(call: Call) -> Value:
    """What sums of the rows of a tensor give, those of a segment together."""
    base, places = call.operand(), known_shape(call.operand(1))
    sizes = known_shape(base)[len(places) :]
    n = broadcasting.size(call.get("num_segments")) if call.has("num_segments") else None
    return Array(call.dtype(base), (n, *sizes))


def chosen(call: Call) -> Value:
    """What `take_along_axis` gives."""
    base, indices = call.operand(), call.operand(1)
    dtype = call.dtype(base)
    sizes, places = known_shape(base), known_shape(indices)
    if not call.has("axis"):
        return Array(dtype, places)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    together = broadcasting.broadcast(((*sizes[:axis], 1, *sizes[axis + 1 :]), places))
    return Array(dtype, together)


def nonzero(call: Call) -> Value:
    """What `nonzero` gives: a vector of places for each axis, all of one length."""
    sizes = known_shape(call.operand())
    return Sequence(is_list=False, items=(Array("int64", (None,)),) * max(len(sizes), 1))


def where(call: Call) -> Value:
    """What `where` gives: an array, also for numbers."""
    if len(call.args) == 1:
        return nonzero(call)
    condition, one, other = (call.operand(place) for place in range(3))
    sizes = broadcasting.broadcast(map(shape, (condition, one, other)))
    return Array(dtypes.common((one, other)), sizes)


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.TAKEN: taken,
        Shape.TAKEN_ROWS: taken_rows,
        Shape.SEGMENTS: of_segments,
        Shape.CHOSEN: chosen,
        Shape.NONZERO: nonzero,
        Shape.WHERE: where,
    }
)

MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType({Makes.ITEM: getitem})
