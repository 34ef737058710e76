"""What comparisons give, and other questions that are answered by a truth value."""

from __future__ import annotations

import operator
from collections import abc
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from adlsp.transform.ir import targets
from adlsp.transform.ops.makes import Makes
from adlsp.transform.values import arithmetic, broadcasting, dtypes, lattice
from adlsp.transform.values.calls import Call, UntoldError
from adlsp.transform.values.lattice import (
    NONE,
    UNREACHED,
    Array,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Sequence,
    Size,
    Unknown,
    Unreached,
    Value,
    constant_of,
)

PYTHONS = Number, Sequence, Mapped, Literal
"""Values of which a comparison is one truth value, if none is NumPy's."""

ORDERS: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        "eq": operator.eq,
        "ne": operator.ne,
        "lt": operator.lt,
        "le": operator.le,
        "gt": operator.gt,
        "ge": operator.ge,
    }
)


def comparison(call: Call) -> Value:
    """What a comparison gives: truth values where arrays take part."""
    one, other = call.pair
    if any(isinstance(v, Literal) and v.kind == "dtype" for v in call.args):
        return Number("bool", constant=_same_dtype(targets.member(call.dotted), one, other))
    name = targets.member(call.dotted)
    if all(isinstance(v, Function) for v in call.args) and name in ("eq", "ne") and _is(one, other):
        return Number("bool", constant=name == "eq")
    if any(isinstance(v, Unknown | Object | Function) for v in call.args):
        raise UntoldError("what is compared")
    if all(isinstance(v, PYTHONS) for v in call.args) and not any(
        isinstance(v, Number) and v.dtype for v in call.args
    ):
        return Number("bool", constant=_order(targets.member(call.dotted), one, other))
    if (library := arithmetic.tensors(call.args)) is not None:
        return arithmetic.of_tensors(call, library)
    given = arithmetic.operands_of(call)
    is_numpys = any(isinstance(v, Array) or v.dtype is not None for v in given)
    return arithmetic.at_shape("bool" if is_numpys else None, given)


def _same_dtype(name: str, one: Value, other: Value) -> bool | None:
    """Whether two dtypes are the same one, or are not, where both are known."""
    both = dtypes.told(one), dtypes.told(other)
    return None if None in both or name not in ORDERS else ORDERS[name](*both)


def _order(name: str, one: Value, other: Value) -> bool | None:
    """The truth of a comparison of integers, symbols, or texts."""
    match one, other:
        case Number(constant=int() as a), Number(constant=int() as b):
            return ORDERS[name](a, b)
        case Number(constant=int() | Size() as a), Number(constant=int() | Size() as b):
            return _of_symbols(name, a, b)
        case Literal(value=a), Literal(value=b) if name in ("eq", "ne"):
            if constant_of(one) is not UNREACHED and constant_of(other) is not UNREACHED:
                return (type(a) is type(b) and a == b) is (name == "eq")
    return None


def _of_symbols(name: str, one: Dimension, other: Dimension) -> bool | None:
    apart = broadcasting.minus(one, other)
    if isinstance(apart, int):
        return ORDERS[name](apart, 0)
    is_never = (one == 1 and lattice.is_not_one(other)) or (other == 1 and lattice.is_not_one(one))
    return name == "ne" if is_never and name in ("eq", "ne") else None


def identity(call: Call) -> Value:
    """What `is` gives: told for `None`, `True` and `False`, and for a class and itself."""
    found = _is(*call.pair)
    is_same = targets.member(call.dotted) == "is_"
    return Number("bool", constant=None if found is None else found is is_same)


def _is(one: Value, other: Value) -> bool | None:
    if other != NONE:
        one, other = other, one
    if other == NONE:
        match one:
            case Literal(kind):
                return kind == "NoneType"
            case Unknown() | Unreached() | Object(may_be_none=True):
                return None
        return False
    match one, other:
        case Number("bool", None, constant=bool() as a), Number("bool", None, constant=bool() as b):
            return a is b
        case Function(a, (), (), ()), Function(b, (), (), ()) if a == b and targets.is_plain(a):
            return True
    return None


def negation(call: Call) -> Value:
    """What `not` gives."""
    found = lattice.truth(call.first)
    return Number("bool", constant=None if found is None else not found)


NUMBERS = "Integral", "Rational", "Real", "Complex", "Number"


def truth(call: Call) -> Value:
    """What `bool` gives."""
    match targets.member(call.dotted), call.args:
        case "bool", (given,):
            return Number("bool", constant=lattice.truth(given))
    return Number("bool")


CLASSES = MappingProxyType(
    {
        "bool": ("builtins.bool", "builtins.int", *("numbers." + n for n in NUMBERS)),
        "int": ("builtins.int", *("numbers." + n for n in NUMBERS)),
        "float": ("builtins.float", "numbers.Real", "numbers.Complex", "numbers.Number"),
        "complex": ("builtins.complex", "numbers.Complex", "numbers.Number"),
        "array": ("numpy.ndarray",),
        "list": ("builtins.list",),
        "tuple": ("builtins.tuple",),
        "dict": ("builtins.dict",),
        "str": ("builtins.str",),
    }
)
"""The classes that an object of Python's or an array is of, among all those that stand here."""

INTERFACES = (
    *("Collection", "Container", "Generator", "Iterable", "Iterator", "Reversible", "Sized"),
    *("ItemsView", "KeysView", "Mapping", "MappingView", "MutableMapping", "ValuesView"),
    *("MutableSequence", "MutableSet", "Sequence", "Set"),
)
"""The classes of `collections.abc` that tell what an object can do."""

MET: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "array": ("Collection", "Container", "Iterable", "Sized"),
        **{
            kind.__name__: tuple(n for n in INTERFACES if issubclass(kind, getattr(abc, n)))
            for kind in (list, tuple, dict, str)
        },
    }
)
"""Those that arrays and objects of Python's are of; numbers are of none."""


NUMPY = ("numpy.generic", "numpy.number", "numbers.Number")

SCALARS = MappingProxyType(
    {
        "bool": ("numpy.bool_", "numpy.bool", "numpy.generic"),
        "int": ("numpy.integer", *("numbers." + n for n in NUMBERS), *NUMPY),
        "float": ("numpy.floating", "numpy.inexact", "numbers.Real", "numbers.Complex", *NUMPY),
        "complex": ("numpy.complexfloating", "numpy.inexact", "numbers.Complex", *NUMPY),
    }
)
"""The classes that a number of NumPy's is of, by its kind."""

DOUBLES = MappingProxyType({"float64": "builtins.float", "complex128": "builtins.complex"})
"""The numbers of NumPy's that are numbers of Python's."""

ABSTRACT = "collections.abc", "typing"
"""The modules that have the classes which tell what an object can do."""

KNOWN = frozenset(name for told in (CLASSES, SCALARS) for names in told.values() for name in names)


FOREIGN = frozenset(
    f"pandas.{name}" for name in ("DataFrame", "DatetimeIndex", "Index", "Series", "Timestamp")
)
"""Classes of a library that is not read, of which no plain value is."""


def is_plain(given: Value) -> bool:
    """Tells whether a value surely is a number, an array, a container or a constant of Python."""
    return isinstance(given, Numeric) or classes(given) is not None


def is_told(dotted: str) -> bool:
    """Tells whether `classes` names a class wherever a value is of it."""
    home, _, name = dotted.rpartition(".")
    if home in ABSTRACT:
        return name in INTERFACES
    is_dtype = home == "numpy" and dtypes.SPELLED.fullmatch(name) is not None
    return dotted in KNOWN or is_dtype


def classes(given: Value) -> tuple[str, ...] | None:
    """The classes that a value is of; None where they are not known."""
    match given:
        case Number(kind=kind, dtype=None):
            return CLASSES[kind]
        case Number(kind=kind, dtype=str() as dtype):
            own = (DOUBLES[dtype],) if dtype in DOUBLES else ()
            return (f"numpy.{dtype}", *own, *SCALARS[kind])
        case Literal(kind="NoneType"):
            return ()
    kind = _kind(given)
    met = (f"{home}.{name}" for home in ABSTRACT for name in MET.get(kind, ()))
    return (*CLASSES[kind], *met) if kind else None


def _kind(given: Value) -> str:
    """What an array or a container is called in the tables; empty for something else."""
    match given:
        case Array(library="numpy"):
            return "array"
        case Sequence(is_list=is_list):
            return "list" if is_list else "tuple"
        case Mapped():
            return "dict"
        case Literal(kind="str"):
            return "str"
    return ""


def membership(call: Call) -> Value:
    """What `in` gives."""
    found = _in(*call.pair)
    is_in = targets.member(call.dotted) == "in"
    return Number("bool", constant=None if found is None else found is is_in)


def _in(one: Value, container: Value) -> bool | None:
    wanted = constant_of(one)
    if wanted is UNREACHED or (isinstance(one, Literal) and one.kind == "dtype"):
        return None
    match container:
        case Mapped(items=tuple() as entries):
            return wanted in [key for key, _ in entries]
        case Sequence(items=tuple() as items):
            known = [constant_of(item) for item in items]
            return None if UNREACHED in known else wanted in known
    return None


MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.COMPARISON: comparison,
        Makes.IDENTITY: identity,
        Makes.NEGATION: negation,
        Makes.MEMBERSHIP: membership,
        Makes.TRUTH: truth,
    }
)
