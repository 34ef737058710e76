"""Which dtype a result has: promotion, as NumPy does it, without NumPy.

Numbers of Python are weak: they have a kind, and take part with no more than that. Where a dtype
cannot be told it is None.

(NEP 50, Promotion rules for Python scalars.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType

from adlsp.transform.ops.spec import Dtype
from adlsp.transform.values.lattice import (
    KINDS,
    OF_KIND,
    Array,
    Function,
    Literal,
    Number,
    Numeric,
    Value,
)

NAMES = MappingProxyType(
    {
        "bool_": "bool",
        "?": "bool",
        "int": "int64",
        "int_": "int64",
        "intp": "int64",
        "b": "int8",
        "h": "int16",
        "i": "int32",
        "q": "int64",
        "B": "uint8",
        "H": "uint16",
        "I": "uint32",
        "Q": "uint64",
        **{f"i{bits // 8}": f"int{bits}" for bits in (8, 16, 32, 64)},
        **{f"u{bits // 8}": f"uint{bits}" for bits in (8, 16, 32, 64)},
        "float": "float64",
        "double": "float64",
        "f": "float32",
        "f4": "float32",
        "f8": "float64",
        "d": "float64",
        "single": "float32",
        "half": "float16",
        "complex": "complex128",
        "c8": "complex64",
        "c16": "complex128",
        "csingle": "complex64",
        "cdouble": "complex128",
    }
)
"""What else dtypes are called, as types or as texts."""

SPELLED = re.compile(r"bool|(u?int)(8|16|32|64)|(float)(16|32|64)|(complex)(64|128)")


@cache
def named(name: str) -> str | None:
    """The dtype that is called so; None for one that we do not know."""
    name = NAMES.get(name, name)
    return name if SPELLED.fullmatch(name) else None


def told(value: Value) -> str | None:
    """The dtype that an argument names: a type, a text, or a dtype itself."""
    match value:
        case Function(dotted) if dotted.startswith(("numpy.", "builtins.", "tensorflow.")):
            return named(dotted.partition(".")[2])
        case Literal("str" | "dtype", str() as name):
            return named(name)
    return None


@cache
def _parts(dtype: str) -> tuple[str, int]:
    """The family and the number of bits."""
    word = dtype.rstrip("0123456789")
    return word, int(dtype[len(word) :] or 1)


def kind(dtype: str) -> str:
    """The kind of Python's numbers that is like a dtype."""
    return _parts(dtype)[0].removeprefix("u")


def kind_of(value: Value) -> str | None:
    """The kind of Python's numbers that a value surely is, or that its elements are like."""
    match value:
        case Number(kind=found):
            return found
        case Array(dtype=str() as dtype) | Numeric(dtype=str() as dtype):
            return kind(dtype)
    return None


def is_whole(value: Value) -> bool:
    """Tells whether a value is surely an integer or a truth value, or an array of such."""
    return kind_of(value) in ("bool", "int")


def is_narrow(value: Value, result: Value) -> bool:
    """Tells whether an operand has a dtype which its own arithmetic leaves, and a result has not.

    Of integers it cuts off what does not fit into the bits, or a sign; that of truth values is
    logic, and that of half precision ends at 65,504. TensorFlow mixes no dtypes.
    """
    match value:
        case (
            Array(dtype=str() as dtype, library="numpy")
            | Number(dtype=str() as dtype)
            | Numeric(dtype=str() as dtype)
        ) if SPELLED.fullmatch(dtype):
            word, bits = _parts(dtype)
            is_cut = word == "float" and bits == 16 and _dtype(result) != dtype
            return is_cut or word in ("bool", "uint") or (word == "int" and bits < 64)
    return False


def _dtype(value: Value) -> str | None:
    return value.dtype if isinstance(value, Array | Number | Numeric) else None


def wide(result: Value) -> str:
    """The dtype in which the operands of a result do not leave it: its own, as Python has it."""
    return "numpy.float32" if _dtype(result) == "float32" else "builtins.float"


@cache
def promoted(one: str, other: str) -> str:
    """The dtype to which two are promoted."""
    if one == other:
        return one
    (word, bits), (others_word, others_bits) = sorted(map(_parts, (one, other)), key=_rank)
    match word, others_word:
        case "bool", _:
            return f"{others_word}{others_bits}"
        case "int", "uint":
            if bits > others_bits:
                return f"int{bits}"
            return "float64" if others_bits == 64 else f"int{2 * others_bits}"
        case (("int" | "uint"), ("float" | "complex")):
            needed = min(2 * bits, 64)
            return _wide(others_word, max(needed, _real(others_word, others_bits)))
        case "float", "complex":
            return _wide("complex", max(bits, _real("complex", others_bits)))
    return f"{word}{max(bits, others_bits)}"


def _rank(parts: tuple[str, int]) -> int:
    return ("bool", "int", "uint", "float", "complex").index(parts[0])


def _real(word: str, bits: int) -> int:
    return bits // 2 if word == "complex" else bits


def _wide(word: str, bits: int) -> str:
    return f"complex{max(2 * bits, 64)}" if word == "complex" else f"{word}{bits}"


def _with_weak(dtype: str, weak: str) -> str:
    """The dtype that NumPy's and a number of Python's have together."""
    if KINDS.index(kind(dtype)) >= KINDS.index(weak):
        return dtype
    return promoted("complex64", dtype) if kind(dtype) == "float" else OF_KIND[weak]


def common(operands: Iterable[Value]) -> str | None:
    """The dtype to which numbers and arrays are promoted."""
    strong: str | None = None
    weak = ""
    for each in operands:
        match each:
            case Number(kind=found, dtype=None):
                weak = max(weak, found, key=lambda k: KINDS.index(k) if k else -1)
            case Number(dtype=str() as dtype) | Array(dtype=str() as dtype):
                strong = dtype if strong is None else promoted(strong, dtype)
            case Numeric(dtype=str() as dtype):
                strong = dtype if strong is None else promoted(strong, dtype)
            case _:
                return None
    if strong is None:
        return OF_KIND[weak] if weak else None
    return _with_weak(strong, weak) if weak else strong


def in_array(operands: Iterable[Value]) -> str | None:
    """The dtype of an array of these numbers: those of Python's are not weak there."""
    found: str | None = None
    for each in operands:
        match each:
            case Number(kind=name, dtype=None):
                dtype: str | None = OF_KIND[name]
            case Number(dtype=dtype) | Array(dtype=dtype) | Numeric(dtype=dtype):
                pass
            case _:
                return None
        if dtype is None:
            return None
        found = dtype if found is None else promoted(found, dtype)
    return found


def _inexact(dtype: str) -> str | None:
    """What functions give that have only floats; narrow integers have narrow floats."""
    if kind(dtype) in ("float", "complex"):
        return dtype
    return "float64" if _parts(dtype)[1] >= 32 else None


def quotient(dtype: str) -> str:
    """What a division gives, or a mean."""
    return dtype if kind(dtype) in ("float", "complex") else "float64"


def real(dtype: str) -> str:
    """The dtype of real and imaginary parts."""
    word, bits = _parts(dtype)
    return f"float{bits // 2}" if word == "complex" else dtype


def total(dtype: str) -> str:
    """What a sum gives: narrow integers are added up as wide ones."""
    word, bits = _parts(dtype)
    if word in ("bool", "int", "uint") and bits < 64:
        return "uint64" if word == "uint" else "int64"
    return dtype


ALWAYS: Mapping[Dtype, str] = MappingProxyType(
    {Dtype.TRUTH: "bool", Dtype.INTEGER: "int64", Dtype.DOUBLE: "float64"}
)
"""Dtypes that do not depend on what is given."""

OF_COMMON: Mapping[Dtype, Callable[[str], str | None]] = MappingProxyType(
    {
        Dtype.COMMON: str,
        Dtype.PART: real,
        Dtype.FLOATS: _inexact,
        Dtype.QUOTIENT: quotient,
        Dtype.MAGNITUDE: lambda dtype: real(quotient(dtype)),
        Dtype.REAL: lambda dtype: real(quotient(dtype)),
        Dtype.TOTAL: total,
        Dtype.NUMBERS: lambda dtype: None if dtype == "bool" else dtype,
        Dtype.SPECIAL: _inexact,
        Dtype.WIDE: lambda dtype: promoted(dtype, "float64"),
        Dtype.COMPLEX: lambda dtype: promoted(quotient(dtype), "complex64"),
        Dtype.INEXACT: lambda dtype: dtype if kind(dtype) in ("float", "complex") else None,
    }
)
"""What is made of the dtype that the arguments have together."""


def of(record: Dtype | None, operands: tuple[Value, ...]) -> str | None:
    """The dtype of a result, by what the record of the function says."""
    if record is None:
        return None
    if record in ALWAYS:
        return ALWAYS[record]
    if record is Dtype.FIRST:
        return common(operands[:1])
    together = common(operands)
    if record is Dtype.SPECIAL and together != in_array(operands):
        return None
    made = OF_COMMON.get(record)
    return None if made is None or together is None else made(together)
