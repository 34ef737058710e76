"""What products of vectors and matrices give, and functions of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import arithmetic, broadcasting, dtypes
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
    Array,
    Dimension,
    Literal,
    Number,
    Numeric,
    Sequence,
    Value,
    constant_of,
)
from adlsp.transform.values.reducing import shorter


def _both(call: Call, shapes: Callable[[Axes, Axes], Axes | None]) -> Value:
    """What a product of two gives, by their shapes; a number if there are no axes."""
    one, other, told = call.strong(0), call.strong(1), call.record.dtype
    always = dtypes.ALWAYS.get(told) if told is not None else None
    dtype = always or dtypes.common((one, other))
    ours, theirs = shape(one), shape(other)
    if ours is None or theirs is None:
        return Numeric(dtype)
    return made(dtype, shapes(ours, theirs))


def at_sign(call: Call) -> Value:
    """What `a @ b` gives, of arrays of one library."""
    library = arithmetic.tensors(call.args)
    one, other = call.pair
    if library is None or not (isinstance(one, Array) and isinstance(other, Array)):
        return matmul(call)
    if one.shape is None or other.shape is None:
        return Array(one.dtype if one.dtype == other.dtype else None, None, library=library)
    dtype = one.dtype if one.dtype == other.dtype else None
    return Array(dtype, matrix_product(one.shape, other.shape), library=library)


def matmul(call: Call) -> Value:
    """What `matmul` gives, of which TensorFlow's can be told to transpose its factors first."""

    def shapes(ours: Axes, theirs: Axes) -> Axes | None:
        return matrix_product(_turned(call, "a", ours), _turned(call, "b", theirs))

    return _both(call, shapes)


def _turned(call: Call, factor: str, sizes: Axes) -> Axes:
    """The shape of a factor as it is multiplied."""
    flags = (f"transpose_{factor}", f"adjoint_{factor}")
    is_turned = any(call.flag(flag) for flag in flags if flag in call.named)
    return (*sizes[:-2], sizes[-1], sizes[-2]) if is_turned else sizes


def matrix_product(ours: Axes, theirs: Axes) -> Axes | None:
    """The shape of matrix products."""
    if not ours or not theirs:
        raise UntoldError("a matrix product of numbers")
    outer = broadcasting.broadcast((ours[:-2], theirs[:-2]))
    return None if outer is None else (*outer, *ours[-2:-1], *(theirs[-1:] if theirs[1:] else ()))


def dot(call: Call) -> Value:
    """What `dot` gives."""

    def shapes(ours: Axes, theirs: Axes) -> Axes:
        if not ours or not theirs:
            return ours or theirs
        rest = (*theirs[:-2], *theirs[-1:]) if theirs[1:] else ()
        return (*ours[:-1], *rest)

    return _both(call, shapes)


def inner(call: Call) -> Value:
    """What `inner` gives."""
    return _both(call, lambda a, b: (*a[:-1], *b[:-1]) if a and b else a or b)


def outer(call: Call) -> Value:
    """What `outer` gives."""
    one, other = call.strong(0), call.strong(1)
    sides = [None if s is None else broadcasting.product(s) for s in map(shape, (one, other))]
    return Array(dtypes.common((one, other)), tuple(sides))


def outer_of_axes(call: Call) -> Value:
    """What `add.outer` gives."""
    return _both(call, lambda a, b: (*a, *b))


def vecdot(call: Call) -> Value:
    """What `vecdot` gives."""
    return _both(call, lambda a, b: broadcasting.broadcast((a[:-1], b[:-1])))


def matvec(call: Call) -> Value:
    """What `matvec` gives."""
    is_turned = "transpose_a" in call.named and call.flag("transpose_a")

    def shapes(ours: Axes, theirs: Axes) -> Axes | None:
        if is_turned:
            ours = (*ours[:-2], *reversed(ours[-2:]))
        outer = broadcasting.broadcast((ours[:-2], theirs[:-1]))
        return None if outer is None else (*outer, *ours[-2:-1])

    return _both(call, shapes)


def kron(call: Call) -> Value:
    """What `kron` gives: an array."""
    one, other = call.strong(0), call.strong(1)
    ours, theirs = shape(one), shape(other)
    if ours is None or theirs is None:
        return Array(dtypes.common((one, other)), None)
    rank = max(len(ours), len(theirs))
    pairs = zip(*((1,) * (rank - len(each)) + each for each in (ours, theirs)), strict=True)
    sizes = tuple(broadcasting.times(a, b) for a, b in pairs)
    return made(dtypes.common((one, other)), sizes)


def cross(call: Call) -> Value:
    """What `cross` gives of vectors along the last axes."""
    one, other = call.strong(0), call.strong(1)
    ours, theirs = known_shape(one), known_shape(other)
    if not (ours and theirs and 3 in (ours[-1], theirs[-1])):
        raise UntoldError("vectors that may be of two numbers")
    rest = broadcasting.broadcast((ours[:-1], theirs[:-1]))
    return Array(dtypes.common((one, other)), None if rest is None else (*rest, 3))


def convolved(call: Call) -> Value:
    """What `convolve` gives: a vector."""
    one, other = call.strong(0), call.strong(1)
    n, m = (broadcasting.product(known_shape(each)) for each in (one, other))
    size: Dimension = None
    match constant_of(call.get("mode")):
        case "full":
            size = broadcasting.plus(broadcasting.plus(n, m), -1)
        case "same" if isinstance(n, int) and isinstance(m, int):
            size = max(n, m)
        case "valid" if isinstance(n, int) and isinstance(m, int):
            size = abs(n - m) + 1
    return Array(dtypes.common((one, other)), (size,))


def tensordot(call: Call) -> Value:
    """What `tensordot` gives: always an array."""
    one, other = call.strong(0), call.strong(1)
    ours, theirs = known_shape(one), known_shape(other)
    left, right = _summed(call, len(ours), len(theirs))
    rest = (
        *(size for axis, size in enumerate(ours) if axis not in left),
        *(size for axis, size in enumerate(theirs) if axis not in right),
    )
    return Array(dtypes.common((one, other)), rest)


def _summed(call: Call, rank: int, others_rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of both that are summed over."""
    given = call.get("axes")
    if isinstance(given, Sequence):
        if given.items is None or len(given.items) != 2:
            raise UntoldError("axes of products")
        left, right = (_integers(each) for each in given.items)
        return axes(left, rank), axes(right, others_rank)
    n = call.integer("axes")
    if not 0 <= n <= min(rank, others_rank):
        raise UntoldError("axes of products")
    return tuple(range(rank - n, rank)), tuple(range(n))


def _integers(value: Value) -> tuple[int, ...]:
    items = value.items if isinstance(value, Sequence) else (value,)
    found = [constant_of(each) for each in items or ()]
    whole = tuple(each for each in found if isinstance(each, int))
    if items is None or len(whole) < len(items):
        raise UntoldError("axes of products")
    return whole


def einsum(call: Call) -> Value:
    """What `einsum` gives, by subscripts that are a literal."""
    match call.args:
        case (Literal("str", str() as subscripts), *rest) if rest and call.named.keys() <= {
            "optimize"
        }:
            given = tuple(map(operand, rest))
            return _einsum(subscripts.replace(" ", ""), given)
    raise UntoldError("subscripts that are not known")


def _einsum(subscripts: str, given: tuple[Operand, ...]) -> Value:
    left, arrow, right = subscripts.partition("->")
    terms = left.split(",")
    if len(terms) != len(given):
        raise UntoldError("subscripts")
    if not arrow:
        letters = left.replace(",", "").replace(REST, "")
        once = sorted(letter for letter in set(letters) if letters.count(letter) == 1)
        right = REST * (REST in left) + "".join(once)
    sizes: dict[str, Dimension] = {}
    rest: Axes = ()
    for term, each in zip(terms, given, strict=True):
        inside = _sizes(term, known_shape(each), sizes)
        found = broadcasting.broadcast((rest, inside))
        assert found is not None
        rest = found
    before, dots, behind = right.partition(REST)
    every = (
        *map(sizes.get, before),
        *(rest if dots else ()),
        *map(sizes.get, behind),
    )
    return made(dtypes.common(given), every)


REST = "..."
"""What stands for all other axes in subscripts."""


def _sizes(term: str, axes: Axes, sizes: dict[str, Dimension]) -> Axes:
    """Notes the sizes of the axes that have letters, and gives those of the others."""
    before, dots, behind = term.partition(REST)
    n_rest = len(axes) - len(before) - len(behind)
    if n_rest < 0 or (n_rest and not dots):
        raise UntoldError("subscripts")
    end = len(before) + n_rest
    for letter, size in zip(before + behind, axes[: len(before)] + axes[end:], strict=True):
        known = sizes.get(letter, 1)
        sizes[letter] = broadcasting.together(known, size)
    return axes[len(before) : end]


def solved(call: Call) -> Value:
    """What `solve` gives: of a vector a vector."""
    one, other = call.strong(0), call.strong(1)
    ours, theirs = known_shape(one), known_shape(other)
    dtype = call.dtype(one, other)
    if len(ours) < 2 or not theirs:
        raise UntoldError("a matrix")
    if len(theirs) == 1:
        return Array(dtype, ours[:-1])
    outer = broadcasting.broadcast((ours[:-2], theirs[:-2]))
    return Array(dtype, None if outer is None else (*outer, *theirs[-2:]))


def lstsq(call: Call) -> Value:
    """What `lstsq` gives: a solution, residuals, the rank, and singular values."""
    one, other = call.strong(0), call.strong(1)
    ours, theirs = known_shape(one), known_shape(other)
    if len(ours) != 2 or not theirs:
        raise UntoldError("a matrix")
    dtype = call.dtype(one, other)
    solution = Array(dtype, (ours[1], *theirs[1:]))
    residuals = Array(_magnitude(dtype), (None,))
    values = Array(_magnitude(dtype), (shorter(*ours),))
    rank = Number("int", "int32")
    return Sequence(is_list=False, items=(solution, residuals, rank, values))


def _stack(call: Call, base: Operand) -> tuple[Axes, Dimension, Dimension]:
    """The axes before those of matrices, and the two of these."""
    sizes = known_shape(base)
    if len(sizes) < 2:
        raise UntoldError(f"`{call.dotted}` of what is no matrix")
    return sizes[:-2], sizes[-2], sizes[-1]


def of_matrices(call: Call) -> Value:
    """A number for each matrix."""
    base = call.operand()
    return made(call.dtype(base), _stack(call, base)[0])


def eigenvalues(call: Call) -> Value:
    """A vector for each matrix."""
    base = call.operand()
    rest, n, _ = _stack(call, base)
    return Array(call.dtype(base), (*rest, n))


def _magnitude(dtype: str | None) -> str | None:
    return None if dtype is None else dtypes.real(dtype)


def eigh(call: Call) -> Value:
    """What `eigh` gives: eigenvalues, and vectors."""
    base = call.operand()
    rest, n, _ = _stack(call, base)
    dtype = call.dtype(base)
    values = Array(_magnitude(dtype), (*rest, n))
    return Sequence(is_list=False, items=(values, Array(dtype, (*rest, n, n))))


def slogdet(call: Call) -> Value:
    """What `slogdet` gives: signs and logarithms."""
    base = call.operand()
    rest, _, _ = _stack(call, base)
    dtype = call.dtype(base)
    return Sequence(is_list=False, items=(made(dtype, rest), made(_magnitude(dtype), rest)))


def svd(call: Call) -> Value:
    """What `svd` gives: three arrays, or the singular values."""
    base = call.operand()
    rest, m, n = _stack(call, base)
    dtype, k = call.dtype(base), shorter(m, n)
    values = Array(_magnitude(dtype), (*rest, k))
    if not call.flag("compute_uv"):
        return values
    left, right = (m, n) if call.flag("full_matrices") else (k, k)
    u, vh = Array(dtype, (*rest, m, left)), Array(dtype, (*rest, right, n))
    return Sequence(is_list=False, items=(u, values, vh))


def qr(call: Call) -> Value:
    """What `qr` gives: an orthogonal and a triangular matrix."""
    base = call.operand()
    rest, m, n = _stack(call, base)
    dtype, k = call.dtype(base), shorter(m, n)
    match constant_of(call.get("mode")):
        case "reduced":
            sides = (m, k), (k, n)
        case "complete":
            sides = (m, m), (m, n)
        case "r":
            return Array(dtype, (*rest, k, n))
        case _:
            raise UntoldError("how a matrix is taken apart")
    return Sequence(is_list=False, items=tuple(Array(dtype, (*rest, *side)) for side in sides))


def pinv(call: Call) -> Value:
    """What `pinv` gives."""
    base = call.operand()
    rest, m, n = _stack(call, base)
    return Array(call.dtype(base), (*rest, n, m))


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        Shape.MATMUL: matmul,
        Shape.DOT: dot,
        Shape.INNER: inner,
        Shape.OUTER: outer,
        Shape.OUTER_OF_AXES: outer_of_axes,
        Shape.VECDOT: vecdot,
        Shape.MATVEC: matvec,
        Shape.KRON: kron,
        Shape.CROSS: cross,
        Shape.CONVOLVED: convolved,
        Shape.LSTSQ: lstsq,
        Shape.TENSORDOT: tensordot,
        Shape.EINSUM: einsum,
        Shape.SOLVED: solved,
        Shape.OF_MATRICES: of_matrices,
        Shape.EIGENVALUES: eigenvalues,
        Shape.EIGH: eigh,
        Shape.SLOGDET: slogdet,
        Shape.SVD: svd,
        Shape.QR: qr,
        Shape.PINV: pinv,
    }
)

MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType({Makes.MATMUL: at_sign})
