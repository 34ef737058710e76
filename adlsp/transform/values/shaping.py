"""What functions give that arrange an array anew: other axes, the same elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import broadcasting, lattice, making
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.calls import Call, Operand, UntoldError, axes, known_shape, shape
from adlsp.transform.values.lattice import Array, Dimension, Numeric, Sequence, Size, Value


def arranged(axes_of: Callable[[Call, Axes], Axes]) -> Callable[[Call], Value]:
    """The array of which a function says the shape; of unknown rank, if the argument is."""

    def made(call: Call) -> Value:
        base = call.operand()
        dtype, sizes = call.dtype(base), shape(base)
        try:
            return arranged_as(dtype, base, None if sizes is None else axes_of(call, sizes))
        except UntoldError:
            return arranged_as(dtype, base, None)

    return made


def arranged_as(dtype: str | None, base: Operand, sizes: Axes | None) -> Operand:
    """An array of other axes; a number stays one or becomes an array, which nobody tells."""
    is_number = sizes in (None, ()) and not isinstance(base, Array)
    return Numeric(dtype) if is_number else Array(dtype, sizes)


def reshaped(call: Call) -> Value:
    """What `reshape` gives."""
    base = call.operand()
    wanted = making.sizes_of(call.get("shape"))
    if wanted is None:
        return arranged_as(call.dtype(base), base, None)
    if -1 in wanted:
        place = wanted.index(-1)
        others = (*wanted[:place], *wanted[place + 1 :])
        wanted = (*wanted[:place], _left(shape(base), others), *wanted[place + 1 :])
    return arranged_as(call.dtype(base), base, wanted)


def _left(sizes: Axes | None, others: Axes) -> Dimension:
    """The size of an axis that has what the others leave."""
    if sizes is None:
        return None
    left = list(sizes)
    rest = [size for size in others if size != 1]
    for size in (*rest,):
        if isinstance(size, Size) and size in left:
            left.remove(size)
            rest.remove(size)
    whole, divisor = broadcasting.product(left), broadcasting.product(rest)
    if isinstance(whole, int) and isinstance(divisor, int):
        return whole // divisor if divisor else None
    return whole if divisor == 1 else None


def flat(call: Call) -> Value:
    """A vector of all elements."""
    base = call.operand()
    sizes = shape(base)
    size = None if sizes is None else broadcasting.product(sizes)
    return Array(call.dtype(base), (size,))


def broadcast(call: Call) -> Value:
    """What `broadcast_to` gives."""
    base = call.operand()
    return arranged_as(call.dtype(base), base, making.sizes_of(call.get("shape")))


def _transposed(call: Call, sizes: Axes) -> Axes:
    named = "perm" if "perm" in call.named else "axes"
    if not call.has(named):
        return sizes[::-1]
    order = axes(call.integers(named), len(sizes))
    if sorted(order) != list(range(len(sizes))):
        raise UntoldError("an order of axes")
    return tuple(sizes[axis] for axis in order)


def _matrices_transposed(_: Call, sizes: Axes) -> Axes:
    if len(sizes) < 2:
        raise UntoldError("a matrix")
    return (*sizes[:-2], sizes[-1], sizes[-2])


def _swapped(call: Call, sizes: Axes) -> Axes:
    one, other = axes((call.integer("axis1"), call.integer("axis2")), len(sizes))
    found = list(sizes)
    found[one], found[other] = found[other], found[one]
    return tuple(found)


def _moved(call: Call, sizes: Axes) -> Axes:
    source = axes(call.integers("source"), len(sizes))
    destination = axes(call.integers("destination"), len(sizes))
    if len(source) != len(destination):
        raise UntoldError("axes that are moved")
    order = [axis for axis in range(len(sizes)) if axis not in source]
    for place, axis in sorted(zip(destination, source, strict=True)):
        order.insert(place, axis)
    return tuple(sizes[axis] for axis in order)


def _rolled(call: Call, sizes: Axes) -> Axes:
    (axis,) = axes((call.integer("axis"),), len(sizes))
    start = broadcasting.place(call.integer("start"), len(sizes))
    found = list(sizes)
    size = found.pop(axis)
    found.insert(start - 1 if axis < start else start, size)
    return tuple(found)


def squeezed(call: Call) -> Value:
    """What `squeeze` gives: without axes the rank is only known if it is known which are one."""
    base = call.operand()
    sizes = shape(base)
    if sizes is None:
        return arranged_as(call.dtype(base), base, None)
    if call.has("axis"):
        gone = axes(call.integers("axis"), len(sizes))
        rest = tuple(size for axis, size in enumerate(sizes) if axis not in gone)
        return arranged_as(call.dtype(base), base, rest)
    if any(not broadcasting.is_one(s) and not lattice.is_not_one(s) for s in sizes):
        return arranged_as(call.dtype(base), base, None)
    rest = tuple(size for size in sizes if not broadcasting.is_one(size))
    return arranged_as(call.dtype(base), base, rest)


def _expanded(call: Call, sizes: Axes) -> Axes:
    new = call.integers("axis")
    places = axes(new, len(sizes) + len(new))
    rest = iter(sizes)
    return tuple(1 if at in places else next(rest) for at in range(len(sizes) + len(new)))


def at_least(rank: int) -> Callable[[Call], Value]:
    """What has so many axes, or more."""

    def made(call: Call) -> Value:
        base = call.operand()
        sizes = shape(base)
        if sizes is None:
            return Array(call.dtype(base), None)
        return Array(call.dtype(base), (*(1,) * (rank - len(sizes)), *sizes))

    return made


def at_least_3d(call: Call) -> Value:
    """What has three axes, or more."""
    base = call.operand()
    sizes = shape(base)
    return Array(call.dtype(base), None if sizes is None else three_axes(sizes))


def three_axes(sizes: Axes) -> Axes:
    """A shape with three axes, or more: that of a vector is in the middle."""
    match sizes:
        case ():
            return (1, 1, 1)
        case (size,):
            return (1, size, 1)
        case (one, other):
            return (one, other, 1)
    return sizes


def _rotated(call: Call, sizes: Axes) -> Axes:
    one, other = axes(call.integers("axes"), len(sizes))
    found = list(sizes)
    if call.integer("k") % 2:
        found[one], found[other] = found[other], found[one]
    return tuple(found)


def diagonal(call: Call) -> Value:
    """What `diag` gives: the diagonal of a matrix, or a matrix that has one."""
    base = call.operand()
    offset = call.integer("k")
    match known_shape(base):
        case (size,):
            side = broadcasting.plus(size, abs(offset))
            return Array(call.dtype(base), (side, side))
        case (one, other) if one == other and isinstance(one, Size):
            return Array(call.dtype(base), (broadcasting.minus(one, abs(offset)),))
        case (one, other) if isinstance(one, int) and isinstance(other, int):
            size = min(one, other - offset) if offset >= 0 else min(one + offset, other)
            return Array(call.dtype(base), (max(size, 0),))
        case (_, _):
            return Array(call.dtype(base), (None,))
    raise UntoldError("a diagonal")


def pairs(call: Call) -> Value:
    """What `pdist` gives: a number for each pair of rows."""
    base = call.operand()
    sizes = known_shape(base)
    if len(sizes) != 2:
        raise UntoldError("rows")
    n_rows = sizes[0]
    size = n_rows * (n_rows - 1) // 2 if isinstance(n_rows, int) else None
    return Array(call.dtype(base), (size,))


def squareform(call: Call) -> Value:
    """What `squareform` gives: a matrix of what stands in a row, and a row of a matrix."""
    base = call.operand()
    rank = len(known_shape(base))
    if rank not in (1, 2):
        raise UntoldError("distances")
    return Array(call.dtype(base), (None,) * (3 - rank))


def last_diagonals(call: Call) -> Value:
    """What gives the diagonal of each matrix."""
    base = call.operand()
    sizes = known_shape(base)
    if len(sizes) < 2:
        raise UntoldError("a matrix")
    side = sizes[-1] if sizes[-1] == sizes[-2] else None
    return Array(call.dtype(base), (*sizes[:-2], side))


def flat_diagonal(call: Call) -> Value:
    """What `diagflat` gives: a matrix with all elements in a diagonal."""
    base = call.operand()
    sizes = shape(base)
    size = None if sizes is None else broadcasting.product(sizes)
    side = broadcasting.plus(size, abs(call.integer("k")))
    return Array(call.dtype(base), (side, side))


def triangle(call: Call) -> Value:
    """What `tril` gives: of a vector a matrix."""
    base = call.operand()
    sizes = shape(base)
    return Array(call.dtype(base), sizes * 2 if sizes is not None and len(sizes) == 1 else sizes)


def padded(call: Call) -> Value:
    """What `pad` gives."""
    base = call.operand()
    sizes = shape(base)
    if sizes is None:
        return Array(call.dtype(base), None)
    widths = _widths(call.at(1), len(sizes))
    found = (broadcasting.plus(s, w) for s, w in zip(sizes, widths, strict=True))
    return Array(call.dtype(base), tuple(found))


def _widths(value: Value, rank: int) -> Axes:
    """How much longer each axis becomes."""
    match value:
        case Sequence(items=tuple() as items) if any(isinstance(i, Sequence) for i in items):
            pairs = [i.items if isinstance(i, Sequence) else None for i in items]
            every = pairs * rank if len(pairs) == 1 else pairs
            if len(every) != rank:
                raise UntoldError("how an array is padded")
            return tuple(_width(pair) for pair in every)
        case Sequence(items=tuple() as items):
            return (_width(items),) * rank
    return (_width((value,)),) * rank


def _width(pair: tuple[Value, ...] | None) -> Dimension:
    match pair:
        case (both,):
            size = broadcasting.size(both)
            return 2 * size if isinstance(size, int) else None
        case (before, after):
            return broadcasting.plus(broadcasting.size(before), broadcasting.size(after))
    return None


def tiled(call: Call) -> Value:
    """What `tile` gives."""
    base = call.operand()
    sizes = shape(base)
    times = making.sizes_of(call.at(1))
    if sizes is None or times is None:
        return Array(call.dtype(base), None)
    rank = max(len(sizes), len(times))
    sizes, times = ((1,) * (rank - len(each)) + each for each in (sizes, times))
    found = (broadcasting.times(s, t) for s, t in zip(sizes, times, strict=True))
    return Array(call.dtype(base), tuple(found))


def repeated(call: Call) -> Value:
    """What `repeat` gives."""
    base = call.operand()
    sizes = shape(base)
    times = broadcasting.size(call.get("repeats"))
    if not call.has("axis") or sizes == ():
        size = None if sizes is None else broadcasting.product(sizes)
        return Array(call.dtype(base), (broadcasting.times(size, times),))
    if sizes is None:
        return Array(call.dtype(base), None)
    (axis,) = axes((call.integer("axis"),), len(sizes))
    longer = broadcasting.times(sizes[axis], times)
    return Array(call.dtype(base), (*sizes[:axis], longer, *sizes[axis + 1 :]))


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.RESHAPED: reshaped,
        Shape.FLAT: flat,
        Shape.BROADCAST: broadcast,
        Shape.TRANSPOSED: arranged(_transposed),
        Shape.MATRICES_TRANSPOSED: arranged(_matrices_transposed),
        Shape.SWAPPED: arranged(_swapped),
        Shape.MOVED: arranged(_moved),
        Shape.ROLLED: arranged(_rolled),
        Shape.SQUEEZED: squeezed,
        Shape.EXPANDED: arranged(_expanded),
        Shape.AT_LEAST_1D: at_least(1),
        Shape.AT_LEAST_2D: at_least(2),
        Shape.AT_LEAST_3D: at_least_3d,
        Shape.ROTATED: arranged(_rotated),
        Shape.DIAGONAL: diagonal,
        Shape.PAIRS: pairs,
        Shape.SQUAREFORM: squareform,
        Shape.FLAT_DIAGONAL: flat_diagonal,
        Shape.LAST_DIAGONALS: last_diagonals,
        Shape.TRIANGLE: triangle,
        Shape.PADDED: padded,
        Shape.TILED: tiled,
        Shape.REPEATED: repeated,
    }
)
