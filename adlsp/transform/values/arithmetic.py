"""What operators, and functions that go through arrays element by element, give."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Dtype, Shape
from adlsp.transform.values import broadcasting, dtypes, texts
from adlsp.transform.values.calls import (
    Call,
    Operand,
    UntoldError,
    made,
    operand,
    shape,
)
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    KINDS,
    NONE,
    Array,
    Dimension,
    Literal,
    Number,
    Numeric,
    Sequence,
    Size,
    Value,
    of_constant,
)

OF_UFUNCS = frozenset(("dtype", "where", "casting", "order", "subok"))
"""What functions that go through arrays element by element can be told besides."""

LARGEST = 2**62
"""Integers beyond it are not worked out."""


def each(call: Call) -> Value:
    """What an elementwise function gives: numbers for numbers."""
    return spread(call, *map(operand, operands(call)))


def operands(call: Call) -> tuple[Value, ...]:
    """The arguments that broadcast: those behind a bar are options, and so is `None`."""
    if call.record.parameters is None:
        if not call.named.keys() <= OF_UFUNCS:
            raise UntoldError(f"`{call.dotted}` is told more than is known of")
        given = call.args
    else:
        given = tuple(call.named[name] for name in records.by_position(call.dotted))
    where = call.get("where")
    return tuple(v for v in given if v != NONE) + (() if where == NONE else (where,))


def spread(call: Call, *given: Operand) -> Operand:
    """A result of the shape to which some arguments broadcast."""
    return at_shape(call.dtype(*given), given)


def at_shape(dtype: str | None, given: tuple[Operand, ...]) -> Operand:
    """A result of a dtype, and of the shape to which some arguments broadcast."""
    axes = broadcasting.broadcast(map(shape, given))
    if axes is None and any(isinstance(v, Array) and v.rank for v in given):
        return Array(dtype, None)
    return made(dtype, axes)


def sum_of(one: Operand, other: Operand) -> Operand:
    """What a sum gives of NumPy's numbers and arrays."""
    return at_shape(dtypes.common((one, other)), (one, other))


def cast(call: Call) -> Value:
    """What `numpy.float64` and `astype` give: the first argument in a dtype."""
    base = call.operand()
    if "dtype" in call.named:
        dtype = call.told_dtype()
        return Array(dtype, base.shape) if isinstance(base, Array) else made(dtype, shape(base))
    return made(dtypes.named(targets.member(call.dotted)), shape(base))


def arithmetic(call: Call) -> Value:
    """What an operator gives, of numbers, arrays, lists, or texts."""
    match call.args:
        case (Sequence() | Literal(), _) | (_, Sequence() | Literal()):
            return _of_sequences(call)
        case (Number(dtype=None) as one, Number(dtype=None) as other):
            return _of_numbers(call, one, other)
        case (Number(dtype=None) as one,):
            return _of_number(call, one)
    if len(call.args) > 2:
        raise UntoldError(f"what `{call.dotted}` gives")
    if (library := tensors(call.args)) is not None:
        return of_tensors(call, library)
    return _elementwise(call)


def _elementwise(call: Call) -> Value:
    given = operands_of(call)
    dtype = dtypes.common(given) if call.record.dtype is None else call.dtype(*given)
    return at_shape(None if dtype == "bool" and _has_no_truth(call) else dtype, given)


def operands_of(call: Call) -> tuple[Operand, ...]:
    """The operands of an operator of NumPy's.

    Not before a `float64` stands a complex number of Python's: that takes it for a Python float.
    """
    match call.args:
        case (Number("complex", None), Number(dtype="float64") | Numeric()):
            raise UntoldError("a complex number of Python's, or of NumPy's")
    return tuple(map(operand, call.args))


def _has_no_truth(call: Call) -> bool:
    """Tells whether an operator gives narrow integers for truth values."""
    return targets.member(call.dotted) in ("floordiv", "lshift", "mod", "rshift")


def tensors(args: tuple[Value, ...]) -> str | None:
    """The library of which there are arrays among some arguments, and else only numbers."""
    arrays = [each for each in args if isinstance(each, Array)]
    libraries = {each.library for each in arrays}
    are_others_numbers = all(isinstance(each, Array | Number) for each in args)
    if len(libraries) != 1 or libraries == {"numpy"} or not are_others_numbers:
        return None
    return libraries.pop()


def of_tensors(call: Call, library: str) -> Value:
    """What an operator gives of tensors, which are not promoted."""
    arrays = tuple(each for each in call.args if isinstance(each, Array))
    found = {each.dtype for each in arrays}
    dtype = found.pop() if len(found) == 1 else None
    if call.record.makes is Makes.COMPARISON:
        dtype = "bool"
    elif call.record.dtype is Dtype.QUOTIENT and (dtype is None or dtypes.kind(dtype) == "int"):
        dtype = None
    return Array(dtype, broadcasting.broadcast(map(shape, arrays)), library=library)


def _of_sequences(call: Call) -> Value:
    """Lists that are put together or repeated, texts, and lists that meet arrays."""
    name = targets.member(call.dotted)
    match call.args:
        case (Literal("str"), Literal("str")) if name == "add":
            return texts.together(call.args)
        case (Literal("str") as one, Sequence(False, tuple() as given)) if name == "mod":
            return texts.formatted(one, given, is_method=False)
        case (Literal("str") as one, other) if name == "mod":
            return texts.formatted(one, (other,), is_method=False)
        case (Literal("str"), _) if name in ("add", "mul"):
            return Literal("str")
        case (_, Literal("str")) if name == "mul":
            return Literal("str")
        case (Sequence() as one, Sequence() as other) if name in ("add", "concat", "plus"):
            return concatenated(one, other)
        case (Sequence() as one, Number("int" | "bool", None) as times) | (
            Number("int" | "bool", None) as times,
            Sequence() as one,
        ) if name in ("mul", "repeat"):
            return _repeated(one, times)
    if any(isinstance(each, Array) for each in call.args):
        return _elementwise(call)
    raise UntoldError(f"what `{call.dotted}` gives")


def concatenated(one: Sequence, other: Sequence) -> Sequence:
    """Two lists, or two tuples, one after the other."""
    if one.is_list is not other.is_list:
        raise UntoldError("a list and a tuple")
    if one.items is not None and other.items is not None:
        both = one.items + other.items
        if len(both) <= MOST:
            return Sequence(one.is_list, both)
    size = broadcasting.plus(length(one), length(other))
    return Sequence(one.is_list, None, _both(one, other), size)


def _both(one: Sequence, other: Sequence) -> Value:
    return Sequence(is_list=False, items=(one.element, other.element)).element


def length(value: Sequence) -> Dimension:
    """The number of elements."""
    return value.size if value.items is None else len(value.items)


MOST = 512
"""Lists that are put together of more elements are not followed one by one."""

MANY = 64
"""Lists of more elements are not followed one by one."""


def _repeated(one: Sequence, times: Number) -> Sequence:
    count = broadcasting.size(times)
    if one.items is not None and isinstance(count, int):
        count = max(count, 0)
        if count * len(one.items) <= MANY:
            return Sequence(one.is_list, one.items * count)
    return Sequence(one.is_list, None, one.element, broadcasting.times(length(one), count))


WITHIN: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "floordiv": operator.floordiv,
        "mod": operator.mod,
        "and_": operator.and_,
        "or_": operator.or_,
        "xor": operator.xor,
    }
)
"""The operators that are worked out where both integers are known."""

OF_SIZES: Mapping[str, Callable[[Dimension, Dimension], Dimension]] = MappingProxyType(
    {"add": broadcasting.plus, "sub": broadcasting.minus, "mul": broadcasting.times}
)
"""Those that are worked out for symbols."""


def _of_numbers(call: Call, one: Number, other: Number) -> Value:
    """What an operator gives of two numbers of Python's."""
    name = targets.member(call.dotted)
    if name == "pow":
        return _power(one, other)
    widest = max(one.kind, other.kind, key=KINDS.index)
    if name in ("truediv", "divide"):
        return Number("complex" if widest == "complex" else "float")
    if widest == "bool" and name in ("and_", "or_", "xor"):
        return Number("bool", constant=_folded(name, one, other, bool))
    if widest in ("bool", "int"):
        return Number("int", constant=_folded(name, one, other, int))
    return Number(widest)


def _folded(
    name: str, one: Number, other: Number, type_: Callable[[int], int]
) -> int | Size | None:
    """The integer that an operator gives, where it is known and not large."""
    match one.constant, other.constant:
        case (int() as a, int() as b) if name in WITHIN and max(abs(a), abs(b)) < LARGEST:
            is_by_nothing = name in ("floordiv", "mod") and not b
            found = None if is_by_nothing else WITHIN[name](a, b)
            return type_(found) if found is not None and abs(found) < LARGEST else None
        case (int() | Size() as a, int() | Size() as b) if name in OF_SIZES:
            return OF_SIZES[name](a, b)
    return None


def _power(one: Number, other: Number) -> Value:
    """A power of Python's numbers: roots are taken for those of positive ones, which are real."""
    widest = max(one.kind, other.kind, key=KINDS.index)
    if widest in ("float", "complex"):
        return Number(widest)
    match one.constant, other.constant:
        case int() as base, int() as exponent if 0 <= exponent <= 16 and abs(base) < 1024:
            return Number("int", constant=int(base) ** exponent)
        case _, int() as exponent:
            return Number("int" if exponent >= 0 else "float")
    raise UntoldError("a power of an integer")


UNARY: Mapping[str, Callable[[int], int]] = MappingProxyType(
    {"neg": operator.neg, "pos": operator.pos, "invert": lambda n: -n - 1, "abs": abs}
)


def _of_number(call: Call, one: Number) -> Value:
    """What an operator gives of a number of Python's."""
    name = targets.member(call.dotted)
    if name not in UNARY:
        raise UntoldError(f"what `{call.dotted}` gives")
    if one.kind not in ("bool", "int"):
        return Number("float" if name == "abs" else one.kind)
    is_known = isinstance(one.constant, int)
    return Number("int", constant=UNARY[name](int(one.constant)) if is_known else None)  # type: ignore[arg-type]


def magnitude(call: Call) -> Value:
    """What `abs` gives."""
    match call.args:
        case (Number(dtype=None) as one,):
            return _of_number(call, one)
        case (Array(library=library) as one,) if library != "numpy":
            is_complex = one.dtype in (None, "complex64", "complex128")
            return Array(None if is_complex else one.dtype, one.shape, library=library)
    return _elementwise(call)


def number(kind: str) -> Callable[[Call], Value]:
    """What `float` and its like give: a number of Python's, which is what it was if it was one."""

    def made_of(call: Call) -> Value:
        is_cast = targets.is_of(call.dotted, "builtins") and targets.member(call.dotted) == kind
        match call.args:
            case (Number(kind=found, dtype=None) as given,) if is_cast and found == kind:
                return given
            case (Number("bool", None, constant=bool() as given),) if is_cast and kind == "int":
                return of_constant(int(given))
        return Number(kind)

    return made_of


def whole(call: Call) -> Value:
    """What `floor` and its like give of a number."""
    call.operand()
    return ANY_INTEGER


def rounded(call: Call) -> Value:
    """What `round` gives: an integer, if no number of digits is told."""
    match call.args:
        case _ if call.named:
            raise UntoldError("how a number is rounded")
        case (Number(dtype=None) as one,):
            return one if one.kind == "int" else ANY_INTEGER
        case (Number(dtype=None) as one, Number()):
            return replace(one, kind=max(one.kind, "int", key=KINDS.index), constant=None)
    raise UntoldError(f"what `{call.dotted}` gives")


def quotient_and_rest(call: Call) -> Value:
    """What `divmod` gives."""
    match call.args:
        case (Number(dtype=None) as one, Number(dtype=None) as other) if is_pythons(call):
            widest = max(one.kind, other.kind, "int", key=KINDS.index)
            return Sequence(is_list=False, items=(Number(widest), Number(widest)))
    part = _elementwise(call)
    return Sequence(is_list=False, items=(part, part))


def two(call: Call) -> Value:
    """A tuple of two arrays, of which each element is made of those at its place."""
    return Sequence(is_list=False, items=(_elementwise(call),) * 2)


def four(call: Call) -> Value:
    """The same of four."""
    return Sequence(is_list=False, items=(_elementwise(call),) * 4)


def is_pythons(call: Call) -> bool:
    """Tells whether a function is one of Python's."""
    return targets.is_of(call.dotted, "builtins")


def parts_of_float(call: Call) -> Value:
    """What `frexp` and `modf` of `math` give."""
    second = ANY_INTEGER if targets.member(call.dotted) == "frexp" else Number("float")
    return Sequence(is_list=False, items=(Number("float"), second))


def part(call: Call) -> Value:
    """What `real` and `conj` give: of the same sort as what they are of."""
    match call.first:
        case Number(kind="complex", dtype=None):
            return Number("complex" if call.record.dtype is Dtype.FIRST else "float")
        case Number(kind=found, dtype=None):
            return Number(max(found, "int", key=KINDS.index))
        case Array(dtype, axes, library=library) if library != "numpy":
            is_real = dtype is not None and dtypes.kind(dtype) == "float"
            is_same = is_real or call.record.dtype is Dtype.FIRST
            return Array(dtype if is_same else None, axes, library=library)
    base = call.operand()
    dtype = call.dtype(base)
    return Array(dtype, base.shape) if isinstance(base, Array) else made(dtype, shape(base))


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {Shape.EACH: each, Shape.PIECEWISE: each, Shape.CAST: cast}
)

MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.ARITHMETIC: arithmetic,
        Makes.FLOAT: number("float"),
        Makes.INTEGER: number("int"),
        Makes.COMPLEX: number("complex"),
        Makes.WHOLE: whole,
        Makes.ROUNDED: rounded,
        Makes.MAGNITUDE: magnitude,
        Makes.QUOTIENT_AND_REST: quotient_and_rest,
        Makes.TWO: two,
        Makes.FOUR: four,
        Makes.PART: part,
        Makes.PARTS_OF_FLOAT: parts_of_float,
    }
)
