"""What functions give that go along axes: reductions, and what keeps the axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import broadcasting, dtypes
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
from adlsp.transform.values.lattice import Array, Dimension, Number, Numeric, Sequence, Value


def reduced(call: Call) -> Value:
    """What a reduction gives: a number, or an array without the axes of `axis`."""
    base = call.operand()
    return made(call.dtype(base), without(call, shape(base)))


def moments(call: Call) -> Value:
    """What `moments` gives: means, and variances."""
    base = call.operand()
    found = made(call.dtype(base), without(call, shape(base), "axes"))
    return Sequence(is_list=False, items=(found, found))


def largest(call: Call) -> Value:
    """What `top_k` gives: so many elements along the last axis, and where they are."""
    base = call.operand()
    sizes = known_shape(base)
    if not sizes:
        raise UntoldError("the largest of a number")
    found = (*sizes[:-1], broadcasting.size(call.get("k")))
    return Sequence(is_list=False, items=(Array(call.dtype(base), found), Array("int32", found)))


def normalized(call: Call) -> Value:
    """What `normalize` gives: what it is given, by its length, and that length."""
    base = call.operand()
    sizes = known_shape(base)
    gone = axes(call.integers("axis"), len(sizes)) if call.has("axis") else range(len(sizes))
    kept = tuple(1 if axis in gone else size for axis, size in enumerate(sizes))
    dtype = call.dtype(base)
    return Sequence(is_list=False, items=(Array(dtype, sizes), Array(dtype, kept)))


def sizes_of(call: Call) -> Value:
    """What `shape` gives as an array."""
    return Array("int64", (len(known_shape(call.operand())),))


def without(call: Call, sizes: Axes | None, named: str = "axis") -> Axes | None:
    """A shape without the axes of `axis`, or with ones for them; None if that is not known."""
    try:
        is_kept = call.flag("keepdims") if "keepdims" in call.named else False
        told = call.integers(named) if call.has(named) else None
    except UntoldError:
        return None
    if told is None and not is_kept:
        return ()
    if not sizes:  # a number takes an axis, too
        return sizes
    gone = tuple(range(len(sizes))) if told is None else axes(told, len(sizes))
    if is_kept:
        return tuple(1 if axis in gone else size for axis, size in enumerate(sizes))
    return tuple(size for axis, size in enumerate(sizes) if axis not in gone)


def along(call: Call) -> Array:
    """What keeps the axis, which of a number is a new one; it is flat if no axis is told."""
    base = call.operand()
    sizes = shape(base)
    if not call.has("axis"):
        return Array(call.dtype(base), (None if sizes is None else broadcasting.product(sizes),))
    return Array(call.dtype(base), (1,) if sizes == () else sizes)


def cumulated(call: Call) -> Value:
    """What `cumsum` gives."""
    found = along(call)
    if call.has("dtype") or found.dtype is None:
        return found
    return replace(found, dtype=dtypes.total(found.dtype))


def average(call: Call) -> Value:
    """What `average` gives."""
    if call.flag("returned"):
        raise UntoldError("an average with its weights")
    base = call.operand()
    weights = (operand(call.get("weights")),) if call.has("weights") else ()
    return made(call.dtype(base, *weights), without(call, shape(base)))


def second(call: Call) -> Value:
    """What is of the shape of the second argument."""
    one, other = call.strong(0), call.strong(1)
    return made(call.dtype(one, other), shape(other))


def interpolated(call: Call) -> Value:
    """What `interp` gives: double precision, perhaps complex."""
    return made(call.dtype(call.operand(2)), shape(call.operand(0)))


def permuted(call: Call) -> Value:
    """What has the elements of the first argument."""
    base = call.operand()
    return Array(dtypes.common((base,)), shape(base))


def resized(call: Call) -> Value:
    """What may have more or fewer elements along the axis."""
    base = call.operand()
    if not call.has("axis"):
        return Array(call.dtype(base), (None,))
    sizes = shape(base)
    return Array(call.dtype(base), None if sizes is None else _at(call, sizes, None))


def _at(call: Call, sizes: Axes, size: Dimension) -> Axes:
    """A shape with another size at the axis."""
    (axis,) = axes((call.integer("axis"),), len(sizes))
    return (*sizes[:axis], size, *sizes[axis + 1 :])


def gradient(call: Call) -> Value:
    """What `gradient` gives: for several axes an array for each, in a list before NumPy 2."""
    base = call.operand()
    sizes = known_shape(base)
    slopes = Array(call.dtype(base), sizes)
    if isinstance(call.get("axis"), Number):
        return slopes
    n_axes = len(call.integers("axis")) if call.has("axis") else len(sizes)
    return slopes if n_axes == 1 else Sequence(is_list=False, items=(slopes,) * n_axes)


def windows(call: Call) -> Value:
    """What `sliding_window_view` gives: an axis more for each that windows go along."""
    base = call.operand()
    sizes = known_shape(base)
    lengths = call.get("window_shape")
    items = lengths.items if isinstance(lengths, Sequence) else (lengths,)
    every = range(len(sizes)) if not call.has("axis") else axes(call.integers("axis"), len(sizes))
    if items is None or len(items) != len(every):
        raise UntoldError("windows")
    found, inner = list(sizes), [broadcasting.size(item) for item in items]
    for axis, size in zip(every, inner, strict=True):
        found[axis] = broadcasting.plus(broadcasting.minus(found[axis], size), 1)
    return Array(call.dtype(base), (*found, *inner))


def transformed_axes(call: Call) -> Value:
    """What transforms along several axes give: of other sizes where `s` tells some."""
    base = call.operand()
    sizes = known_shape(base)
    return Array(call.dtype(base), (None,) * len(sizes) if call.has("s") else sizes)


def of_rank(call: Call) -> Value:
    """What has as many axes as the first argument, and is made of all operands."""
    base = call.operand()
    others = (call.operand(1),) if call.has("in2") else ()
    return Array(call.dtype(base, *others), (None,) * len(known_shape(base)))


def half(call: Call) -> Value:
    """What `rfft` gives: the first half of what `fft` gives."""
    base = call.operand()
    sizes = known_shape(base)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    size = broadcasting.size(call.get("n")) if call.has("n") else sizes[axis]
    found = size // 2 + 1 if isinstance(size, int) else None
    return Array(call.dtype(base), _at(call, sizes, found))


def whole(call: Call) -> Value:
    """What `irfft` gives: real numbers."""
    base = call.operand()
    sizes = known_shape(base)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    size = sizes[axis]
    found = 2 * (size - 1) if isinstance(size, int) else None
    dtype = call.dtype(base)
    told = broadcasting.size(call.get("n")) if call.has("n") else found
    return Array(None if dtype is None else dtypes.real(dtype), _at(call, sizes, told))


def differences(call: Call) -> Value:
    """What `diff` gives: fewer elements along the axis, of what it was put between, too."""
    base = call.operand()
    sizes = shape(base)
    n = call.integer("n")
    margins = [place for place, name in ((3, "prepend"), (4, "append")) if call.has(name)]
    dtype = call.dtype(base, *map(call.strong, margins))
    if sizes is None:
        return Array(dtype, None)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    whole = sizes[axis]
    for place in margins:
        given = shape(call.strong(place))
        longer = None if given is None else given[axis] if given else 1
        whole = broadcasting.plus(whole, longer)
    fewer = broadcasting.minus(whole, n)
    fewer = max(fewer, 0) if isinstance(fewer, int) else fewer
    return Array(dtype, _at(call, sizes, fewer))


def margin(call: Call) -> Value:
    """What stands beside an array along an axis: of a number, one element."""
    base, beside = call.strong(0), shape(call.operand(1))
    sizes = shape(base)
    if sizes != ():
        return Array(call.dtype(base), sizes)
    return Array(call.dtype(base), None if beside is None else _at(call, beside, 1))


def quantiles(call: Call) -> Value:
    """What `quantile` gives: for several `q`, an axis in front."""
    base, q = call.operand(), call.operand(1)
    rest, first = without(call, shape(base)), shape(q)
    given = (each.dtype for each in (base, call.strong(1)))
    if not any(dtype is not None and dtypes.kind(dtype) == "float" for dtype in given):
        raise UntoldError("quantiles of integers, or like them")
    is_wider = base.dtype != "float64" and call.strong(1).dtype not in (None, base.dtype)
    dtype = None if is_wider else call.dtype(base)
    return Numeric(dtype) if rest is None or first is None else made(dtype, (*first, *rest))


def trace(call: Call) -> Value:
    """What `trace` gives: what is left without two axes."""
    base = call.operand()
    sizes = shape(base)
    return made(call.dtype(base), None if sizes is None else _without_two(call, sizes))


def _without_two(call: Call, sizes: Axes) -> Axes:
    gone = axes((call.integer("axis1"), call.integer("axis2")), len(sizes))
    return tuple(size for axis, size in enumerate(sizes) if axis not in gone)


def diagonals(call: Call) -> Value:
    """What `diagonal` gives: an axis for two."""
    base = call.operand()
    sizes = shape(base)
    if sizes is None:
        return Array(call.dtype(base), None)
    first, second = axes((call.integer("axis1"), call.integer("axis2")), len(sizes))
    is_main = call.integer("offset") == 0
    size = shorter(sizes[first], sizes[second]) if is_main else None
    return Array(call.dtype(base), (*_without_two(call, sizes), size))


def shorter(one: Dimension, other: Dimension) -> Dimension:
    """The smaller one of two sizes."""
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    return one if one == other else None


def integral(call: Call) -> Value:
    """What `trapezoid` gives: without the axis."""
    base = call.operand()
    given: tuple[Operand, ...] = (base, call.operand(1)) if call.has("x") else (base,)
    return made(call.dtype(*given), without(call, shape(base)))


def transformed(call: Call) -> Value:
    """What Fourier transforms give: `n` elements along the axis."""
    base = call.operand()
    sizes = shape(base)
    if sizes is None:
        return Array(call.dtype(base), None)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    size = broadcasting.size(call.get("n")) if call.has("n") else sizes[axis]
    return Array(call.dtype(base), _at(call, sizes, size))


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.REDUCED: reduced,
        Shape.FOLDED: reduced,
        Shape.MOMENTS: moments,
        Shape.LARGEST: largest,
        Shape.NORMALIZED: normalized,
        Shape.SIZES: sizes_of,
        Shape.ALONG: along,
        Shape.CUMULATED: cumulated,
        Shape.AVERAGE: average,
        Shape.SECOND: second,
        Shape.INTERPOLATED: interpolated,
        Shape.PERMUTED: permuted,
        Shape.RESIZED: resized,
        Shape.GRADIENT: gradient,
        Shape.WINDOWS: windows,
        Shape.HALF: half,
        Shape.WHOLE: whole,
        Shape.DIFFERENCES: differences,
        Shape.MARGIN: margin,
        Shape.QUANTILES: quantiles,
        Shape.TRACE: trace,
        Shape.DIAGONALS: diagonals,
        Shape.INTEGRAL: integral,
        Shape.TRANSFORMED: transformed,
        Shape.TRANSFORMED_AXES: transformed_axes,
        Shape.OF_RANK: of_rank,
    }
)
