"""What functions give that make arrays: of a shape, like another one, or of a range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform.ir import targets
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Dtype, Shape
from adlsp.transform.values import broadcasting, containers, dtypes, growing
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
)
from adlsp.transform.values.lattice import (
    EITHER,
    NONE,
    Array,
    Literal,
    Number,
    Sequence,
    Unknown,
    Value,
    constant_of,
    of_constant,
)


def sizes_of(value: Value) -> Axes | None:
    """The shape that an argument tells: a number, or several in a tuple; None if none is known."""
    match value:
        case Number():
            return (broadcasting.size(value),)
        case Sequence(items=tuple() as items):
            return tuple(map(broadcasting.size, items))
    return None


def filled(call: Call) -> Value:
    """What `zeros` and `full` give."""
    given = (operand(call.get("fill_value")),) if "fill_value" in call.named else ()
    dtype = call.dtype(*given) if given or call.has("dtype") else "float64"
    return Array(dtype, sizes_of(call.get("shape")))


def drawn(call: Call) -> Value:
    """What a distribution gives: one number, or an array of numbers drawn for each place."""
    is_whole = call.record.dtype is Dtype.INTEGER
    told = call.get("args" if "args" in call.named else "size")
    sizes: Axes | None = sizes_of(told)
    if told == NONE:
        options = "self", "size", "args", "dtype"
        others = (v for name, v in call.named.items() if name not in options)
        sizes = broadcasting.broadcast(shape(operand(v)) for v in others if v != NONE)
    usual = "int64" if is_whole else "float64"
    dtype = call.told_dtype() if call.has("dtype") else usual
    if sizes == () and told == NONE:
        if dtype != usual:
            raise UntoldError("a number of NumPy's, or of Python's")
        return Number("int", EITHER) if is_whole else Number("float")
    return Array(dtype, sizes)


def generator(call: Call) -> Value:
    """What draws random numbers, by the name of its class."""
    name = GENERATORS.get(call.dotted, call.dotted)
    return Literal(name)


GENERATORS = {"numpy.random.default_rng": "numpy.random.Generator"}


def square(call: Call) -> Value:
    """What `eye` gives."""
    if call.has("batch_shape"):
        raise UntoldError("several matrices")
    n, columns = broadcasting.size(call.first), call.at(1)
    m = n if columns == NONE else broadcasting.size(columns)
    return Array(call.told_dtype() if call.has("dtype") else "float64", (n, m))


def steps(call: Call) -> Value:
    """What `arange` gives: integers for integers."""
    given = tuple(call.at(place) for place in range(3))
    ends = tuple(each for each in given if each != NONE)
    numbers = tuple(map(operand, ends))
    dtype = call.told_dtype() if call.has("dtype") else dtypes.in_array(numbers)
    is_of_integers = all(isinstance(each, Number) and each.kind == "int" for each in numbers)
    return Array(dtype, (containers.range_size(ends) if is_of_integers else None,))


def samples(call: Call) -> Value:
    """What `linspace` gives: floats, so many."""
    if call.named.get("retstep", of_constant(False)) != of_constant(False):
        raise UntoldError("samples with their distance")
    ends = (call.operand(0), call.operand(1))
    together = broadcasting.broadcast(map(shape, ends))
    dtype = call.told_dtype() if call.has("dtype") else _floats(dtypes.in_array(ends))
    if together is None:
        return Array(dtype, None)
    (axis,) = axes((call.integer("axis"),), len(together) + 1)
    size = broadcasting.size(call.get("num"))
    return Array(dtype, (*together[:axis], size, *together[axis:]))


def _floats(dtype: str | None) -> str | None:
    return None if dtype is None else dtypes.quotient(dtype)


def like(call: Call) -> Value:
    """What has the shape of the first argument: always an array."""
    base = call.operand()
    axes_ = sizes_of(call.get("shape")) if call.has("shape") else shape(base)
    return Array(call.dtype(base), axes_)


def converted(call: Call) -> Value:
    """What `asarray` gives: an array of whatever it is given; `array`, with axes before it."""
    if call.has("ndmin"):
        return _with_axes(call)
    match call.first:
        case Unknown():
            return Array(call.told_dtype() if call.has("dtype") else None, None)
        case Array(dtype, sizes, library=library) if library != "numpy":
            return Array(call.told_dtype() if call.has("dtype") else dtype, sizes)
    if not call.has("dtype") and (grown := growing.whole(call.first)) is not None:
        return Array(grown.dtype, grown.shape)
    return like(call)


def _with_axes(call: Call) -> Value:
    """What `array` gives that is told how many axes there are at least."""
    n_axes, found = constant_of(call.get("ndmin")), like(call)
    if not isinstance(found, Array) or not isinstance(n_axes, int):
        raise UntoldError("how many axes there are")
    sizes = known_shape(operand(found))
    return replace(found, shape=(1,) * (n_axes - len(sizes)) + sizes)


def vector(call: Call) -> Value:
    """A vector of unknown length."""
    return Array(call.dtype(*_all(call)), (None,))


def _all(call: Call) -> tuple[Operand, ...]:
    return tuple(map(operand, call.args))


def scalar(call: Call) -> Value:
    """One number of NumPy's."""
    return made(call.dtype(*_all(call)), ())


def meshgrid(call: Call) -> Value:
    """What `meshgrid` gives: an array for each vector, of the lengths of all."""
    vectors = call.first
    if not isinstance(vectors, Sequence) or vectors.items is None:
        raise UntoldError("how many vectors there are")
    parts = tuple(map(operand, vectors.items))
    sizes = [(*known_shape(part), 1)[0] for part in parts]
    if call.get("indexing") != of_constant("ij"):
        sizes[:2] = sizes[1::-1] if len(sizes) > 1 else sizes
    return Sequence(
        is_list=False, items=tuple(Array(dtypes.common((p,)), tuple(sizes)) for p in parts)
    )


def frequencies(call: Call) -> Value:
    """What `fftfreq` gives, and `rfftfreq`: half of it, and one more."""
    size = broadcasting.size(call.first)
    if targets.member(call.dotted) == "rfftfreq":
        size = size // 2 + 1 if isinstance(size, int) else None
    return Array("float64", (size,))


def places(call: Call) -> Value:
    """What `argwhere` gives: a row for each place."""
    return Array("int64", (None, max(len(known_shape(call.operand())), 1)))


def convolved(call: Call) -> Value:
    """What goes over the places between the first and the last axis, which filters tell if any."""
    sizes = known_shape(call.operand())
    last = known_shape(call.operand(1))[-1] if "filters" in call.named else sizes[-1]
    if call.get("data_format") not in (NONE, *map(of_constant, CHANNELS_LAST)):
        raise UntoldError("an order of axes")
    return Array(None, (sizes[0], *(None,) * (len(sizes) - 2), last))


CHANNELS_LAST = "NWC", "NHWC", "NDHWC"


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.FILLED: filled,
        Shape.DRAWN: drawn,
        Shape.SQUARE: square,
        Shape.STEPS: steps,
        Shape.SAMPLES: samples,
        Shape.FIRST: like,
        Shape.SAME: like,
        Shape.VECTOR: vector,
        Shape.SCALAR: scalar,
        Shape.FREQUENCIES: frequencies,
        Shape.PLACES: places,
        Shape.MESHGRID: meshgrid,
        Shape.WINDOWED: convolved,
    }
)

MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.ARRAY: converted,
        Makes.GENERATOR: generator,
        Makes.GROWING: growing.made,
        Makes.VERSION: growing.version,
    }
)
