"""What the functions give that derivatives call for gradients: like what they are gradients of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from adlsp.transform import ir
from adlsp.transform.ops.makes import Makes
from adlsp.transform.values import arithmetic, broadcasting, dtypes, methods
from adlsp.transform.values.calls import Call, UntoldError, known_shape, made, operand, shape
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    EITHER,
    LIKE,
    LIKE_TENSOR,
    NONE,
    UNKNOWN,
    UNREACHED,
    WITH_ELEMENTS,
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Sequence,
    Slice,
    Unknown,
    Unreached,
    Value,
    constant_of,
    holding,
    parts,
)
from adlsp.transform.values.making import sizes_of


def gradient_like(call: Call) -> Value:
    """A gradient of a float, or of an array; that of integers has the dtype of what is given."""
    place = call.record.like or 0
    if place >= len(call.args):
        raise UntoldError("what a gradient is like")
    return _gradient(call.args[place], call.first)


def _gradient(of: Value, given: Value) -> Value:
    """The gradient of a number or an array, which another one becomes."""
    match of:
        case Number("float", str() as dtype) if dtype != EITHER:
            return Number("float", EITHER if dtype == "float64" else dtype)
        case Number("bool" | "int" | "float") if _is_double(given) or isinstance(given, Unknown):
            return Number("float", EITHER)  # single precision is told of all that has it
        case Numeric(dtype):
            return Numeric(_floats(dtype, given))
        case Array(dtype=dtype, shape=sizes, library=library):
            whole = WITH_ELEMENTS.get(library, library)
            return Array(_floats(dtype, given), sizes, library=whole)
    raise UntoldError("what has no gradient")


def _floats(dtype: str | None, given: Value) -> str | None:
    """The dtype of a gradient, of what has a dtype: its own, if that is one of floats."""
    if dtype is None or dtypes.kind(dtype) in ("float", "complex"):
        return dtype
    return "float64" if _is_double(given) else None


def _is_double(given: Value) -> bool:
    """Tells whether a value is a real number, or several, in double precision."""
    match given:
        case Number("float", None | "float64" | "?") | Array("float64") | Numeric("float64"):
            return True
    return False


def zeros(call: Call) -> Value:
    """The zero gradient of what is given."""
    return _zero(call.first)


def _zero(of: Value) -> Value:
    match of:
        case Number("complex", dtype):
            return Number("complex", dtype)
        case Number() | Array() | Numeric():
            return _gradient(of, Number("float"))
        case Range(size=size):
            return Sequence(is_list=True, each=Number("float"), size=size)
        case Sequence(is_once=False):
            return _parts(of, _zero)
        case Mapped():
            return _mapped(of, _zero)
        case Object(may_be_none=False):
            return _record(of, _zero)
        case Literal() | Function() | Slice():
            return NONE
    raise UntoldError("what has no gradient")


def _parts(of: Sequence, function: Callable[[Value], Value], *, is_list: bool = True) -> Sequence:
    """A list of what a function gives for each element."""
    items = None if of.items is None else tuple(_of_part(part, function) for part in of.items)
    return Sequence(is_list, items, _of_part(of.each, function), of.size)


def _mapped(of: Mapped, function: Callable[[Value], Value]) -> Mapped:
    """A dictionary of what a function gives for each entry."""
    items = of.items and tuple((key, _of_part(part, function)) for key, part in of.items)
    return Mapped(items, _of_part(of.each, function))


def _record(of: Object, function: Callable[[Value], Value]) -> Object:
    """A record of what a function gives for each attribute, whatever the class is."""
    attributes = ((name, _of_part(held, function)) for name, held in of.attributes)
    return Object(ir.RECORD, tuple(attributes))


def _of_part(part: Value, function: Callable[[Value], Value]) -> Value:
    if isinstance(part, Unreached):
        return part
    try:
        return function(part)
    except UntoldError as reason:
        return Unknown(str(reason))


def open_parts(call: Call) -> Value:
    """A copy of a gradient, a list of which can take the place of a tuple."""
    return _copy(call.first, is_open=True)


def deep_copy(call: Call) -> Value:
    """A copy of a gradient, and of all that it holds."""
    return _copy(call.first, is_open=False)


def _copy(given: Value, *, is_open: bool) -> Value:
    copied = partial(_copy, is_open=is_open)
    match given:
        case Sequence(is_once=False):
            return _parts(given, copied, is_list=is_open or given.is_list)
        case Mapped():
            return _mapped(given, copied)
        case Object():
            return replace(_record(given, copied), of=given.of)
        case Number() | Literal():
            return given
        case Array(dtype, sizes, library=library) if library == "numpy" or not is_open:
            return Array(dtype, sizes, library=library)
        case Numeric(dtype):
            return Numeric(dtype)
    raise UntoldError("what is copied")


def added_to(call: Call) -> Value:
    """A gradient to a part of which something is added: of an array or a container that itself."""
    match call.first:
        case Array(library="numpy") | Sequence() | Mapped() | Object():
            return _changing(call.first)
    raise UntoldError("to what is added")  # parts of tensors are only added up in the end


def taken(call: Call) -> Value:
    """A copy of what a gradient has at a place."""
    if isinstance(call.first, Array) and call.first.library != "numpy":
        raise UntoldError("what is taken of tensors")
    return methods.held(call)


def _changing(given: Value) -> Value:
    """A gradient, to parts of which others are added: these are new, and may be of other dtypes."""
    if isinstance(given, Object):
        given = replace(given, of=ir.RECORD)
    if isinstance(given, Sequence | Mapped | Object):
        return holding(given, (_summed(part) for _, part in parts(given)))
    return given


def _summed(part: Value) -> Value:
    match part:
        case Sequence() | Mapped() | Object():
            return _changing(part)
        case Array(dtype="float64", library="numpy") | Unreached() | Literal("NoneType"):
            return part
        case Array(library="numpy"):  # terms of tensors are added up in the end
            return replace(part, dtype=None)
        case Number("float", None | "float64" | "?"):
            return Number("float", EITHER)
    return Unknown("a sum of gradients")


def added(call: Call) -> Value:
    """The sum of two gradients of one value."""
    return _sum(*call.pair)


def _sum(one: Value, other: Value) -> Value:
    match one, other:
        case (Literal("NoneType"), _):
            return other
        case (_, Literal("NoneType")):
            return one
        case Sequence(is_once=False), Sequence(is_once=False):
            return _sum_of_lists(one, other)
        case Mapped(), Mapped():
            return _sum_of_dicts(one, other)
        case Object(), Object():
            rest = dict(other.attributes)
            pairs = ((n, _sum_of_parts(part, rest.get(n, NONE))) for n, part in one.attributes)
            return Object(ir.RECORD, tuple(pairs))
        case Number(), Number():
            return _sum_of_numbers(one, other)
    return arithmetic.sum_of(operand(one), operand(other))


def _sum_of_numbers(one: Number, other: Number) -> Value:
    if (one.kind, one.dtype) == (other.kind, other.dtype):
        return Number(one.kind, one.dtype)
    if _is_double(one) and _is_double(other):
        return Number("float", EITHER)
    raise UntoldError("a sum of gradients")


def _sum_of_lists(one: Sequence, other: Sequence) -> Value:
    if one.items is None or other.items is None:
        return Sequence(one.is_list, each=_sum_of_parts(one.element, other.element), size=one.size)
    if len(one.items) != len(other.items):
        raise UntoldError("gradients of several lengths")
    return Sequence(one.is_list, tuple(map(_sum_of_parts, one.items, other.items)))


def _sum_of_dicts(one: Mapped, other: Mapped) -> Value:
    if one.items is None or other.items is None:
        return Mapped(each=_sum_of_parts(one.element, other.element))
    rest = dict(other.items)
    return Mapped(tuple((k, _sum_of_parts(part, rest.get(k, NONE))) for k, part in one.items))


def _sum_of_parts(one: Value, other: Value) -> Value:
    if UNREACHED in (one, other):
        return UNREACHED
    try:
        return _sum(one, other)
    except UntoldError as reason:
        return Unknown(str(reason))


def structured(call: Call) -> Value:
    """A gradient in the structure of what it is of."""
    given, of = call.pair
    if isinstance(of, Sequence | Mapped | Object) and not isinstance(given, type(of)):
        raise UntoldError("another structure")
    return _in_memory_of(_structured(of), given)


def cast(call: Call) -> Value:
    """A gradient in the structure, and in the dtypes, of what it is of."""
    if isinstance(call.at(1), Sequence | Mapped | Object):
        return structured(call)
    return gradient_like(call)


def repacked(call: Call) -> Value:
    """A gradient in the structure of what was taken apart with a star, the third argument."""
    given, place, of = call.at(0), constant_of(call.at(1)), call.at(2)
    if not isinstance(of, Sequence):
        raise UntoldError("what was taken apart")
    match given:
        case Sequence(items=tuple() as items) if isinstance(place, int) and place < len(items):
            match items[place]:
                case Sequence(items=tuple() as inner):
                    every = (*items[:place], *inner, *items[place + 1 :])
                    return _in_memory_of(_structured(of), Sequence(is_list=True, items=every))
    return _structured(of)


def _in_memory_of(made: Value, given: Value) -> Value:
    """A gradient whose arrays are those of another one, as far as these are known."""
    if isinstance(made, Array) and isinstance(given, Array):
        return replace(made, sites=given.sites)
    held = dict(parts(given))
    every = held.get("[*]", UNKNOWN)
    return holding(made, (_in_memory_of(part, held.get(at, every)) for at, part in parts(made)))


def _structured(of: Value) -> Value:
    match of:
        case Sequence(is_once=False):
            return _parts(of, _structured, is_list=of.is_list)
        case Mapped():
            return _mapped(of, _structured)
        case Object(may_be_none=False):
            return replace(_record(of, _structured), of=of.of)
        case Array(dtype=str() as dtype, shape=sizes, library="numpy") if _is_floats(dtype):
            return Array(dtype, sizes)
        case Number("float", None | "float64" | "?"):
            return Number("float", EITHER)
        case Literal() | Function():
            return NONE
    raise UntoldError("another structure")


def _is_floats(dtype: str) -> bool:
    return dtypes.kind(dtype) in ("float", "complex")


def taken_apart(call: Call) -> Value:
    """The gradients of the elements of a list: as a list, or as an array in which they are."""
    given, of = call.pair
    if isinstance(given, Sequence):
        return Sequence(is_list=True, items=given.items, each=given.each, size=given.size)
    return _in_places(given, of)


def put_apart(call: Call) -> Value:
    """The gradients of arrays that were put together, by that of the whole."""
    return _in_places(call.at(0), call.at(1))


def _in_places(given: Value, of: Value) -> Value:
    if not (isinstance(given, Array | Numeric) and isinstance(of, Sequence)) or of.is_once:
        raise UntoldError("what is put together")
    if isinstance(given, Array) and given.library != "numpy":
        raise UntoldError("tensors that are put together")
    return _parts(of, lambda part: _gradient(part, given))


def fitted(call: Call) -> Value:
    """The gradient of what was stored: of a container as it is, else as that of what it is like."""
    given, like = call.pair
    if isinstance(given, Sequence | Mapped | Object) or NONE in (given, like):
        return given
    if isinstance(given, Array | Number | Numeric):
        return _gradient(like, given)
    raise UntoldError("what is stored")


def put_back(call: Call) -> Value:
    """The gradient of an array whose axes changed places."""
    base, order = call.operand(), call.integers("axes")
    sizes = known_shape(base)
    if len(order) != len(sizes):
        raise UntoldError("other axes")
    places = sorted(range(len(order)), key=lambda place: order[place] % len(order))
    return Array(dtypes.common((base,)), tuple(sizes[place] for place in places))


def gradient_as(call: Call) -> Value:
    """What has the shape and the dtype of a tensor that it is like."""
    match call.at(call.record.like or 0):
        case Array(library=library) as like if library != "numpy":
            return _gradient(like, like)
    raise UntoldError("what a gradient is like")


def ratio(call: Call) -> Value:
    """The first argument divided by the second, whose shape it has."""
    return _gradient(call.pair[1], call.pair[0])


def seeded(call: Call) -> Value:
    """The gradient of an output that somebody gives: of arrays it is known, for it is checked."""
    if len(call.args) < 2:
        raise UntoldError("whose gradient it is")
    return _seed(call.args[1])


def _seed(out: Value) -> Value:
    match out:
        case Array(dtype=str() as dtype) if _is_floats(dtype):
            return _gradient(out, out)
        case Sequence(is_list=False, items=tuple() as items):
            return Sequence(is_list=False, items=tuple(map(_seed, items)))
    return Unknown("what somebody gives")


def counted(call: Call) -> Value:
    """How many elements a reduction takes together, of a shape of which the sizes are numbers."""
    match call.first:
        case Sequence(items=tuple() as items) if all(isinstance(each, Number) for each in items):
            return ANY_INTEGER
        case Array(library="tensorflow"):
            return ANY_INTEGER
    raise UntoldError("how many elements there are")


def broadcast(call: Call) -> Value:
    """What only has the shape of arrays of NumPy, and of numbers, together."""
    given = (each.with_elements if isinstance(each, Array) else each for each in call.args)
    return Array(None, broadcasting.broadcast(shape(operand(each)) for each in given), library=LIKE)


def expanded(call: Call) -> Value:
    """What repeats the gradient of a sum."""
    given, sizes = operand(call.first), sizes_of(call.get("shape"))
    dtype = dtypes.in_array((given,))
    return made(None if dtype is None else dtypes.quotient(dtype), sizes)


def joined_parts(call: Call) -> Value:
    """The gradient of an array that was split, of those of its parts."""
    if not isinstance(call.first, Sequence):
        raise UntoldError("what is put together")
    return made(dtypes.in_array((call.first.element,)), sizes_of(call.get("shape")))


def shape_and_dtype(call: Call) -> Value:
    """What keeps the shape and the dtype of an array; of a number it is the number itself."""
    match call.first:
        case Array(dtype=str() as dtype, shape=sizes, library="numpy"):
            return Array(dtype, sizes, library=LIKE)
        case Array(dtype=str() as dtype, shape=sizes, library="tensorflow"):
            return Array(dtype, sizes, library=LIKE_TENSOR)
        case Number(kind="float", dtype=dtype) if dtype in (None, "float64"):
            return Number("float", dtype)
    raise UntoldError("a shape and a dtype")


MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.LIKE: gradient_like,
        Makes.ZERO: zeros,
        Makes.PARTS: open_parts,
        Makes.DEEP_COPY: deep_copy,
        Makes.ADDED_TO: added_to,
        Makes.ADDED: added,
        Makes.TAKEN: taken,
        Makes.STRUCTURED: structured,
        Makes.REPACKED: repacked,
        Makes.CAST: cast,
        Makes.TAKEN_APART: taken_apart,
        Makes.PUT_APART: put_apart,
        Makes.FITTED: fitted,
        Makes.PUT_BACK: put_back,
        Makes.COUNT: counted,
        Makes.BROADCAST: broadcast,
        Makes.EXPANDED: expanded,
        Makes.JOINED: joined_parts,
        Makes.RATIO: ratio,
        Makes.SEED: seeded,
        Makes.GRADIENT_AS: gradient_as,
        Makes.SHAPE_AND_DTYPE: shape_and_dtype,
    }
)
