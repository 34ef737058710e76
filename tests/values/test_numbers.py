"""Promotion, and operators on numbers, against NumPy and Python."""

import itertools
import operator
from collections import abc
from typing import Any

import numpy as np
import pytest
from abstraction import Abstraction

from adlsp.transform.values import comparing, dtypes
from adlsp.transform.values.lattice import Number, Size, of_constant
from adlsp.transform.values.transfer import Given, result

NAMES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
PYTHONS: tuple[Any, ...] = (True, 3, 2.5, 1.5 + 2j)
UNARY = ("neg", "pos", "invert", "abs")
BINARY = [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and_",
    "or_",
    "xor",
    "lshift",
    "rshift",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
]
NUMBERS: tuple[Any, ...] = (*PYTHONS, 0, -2, 7, False, *(np.dtype(n).type(1) for n in NAMES))


@pytest.mark.parametrize(("one", "other"), [*itertools.product(NAMES, NAMES)])
def test_two_dtypes_are_promoted_as_numpy_does(one: str, other: str) -> None:
    assert dtypes.promoted(one, other) == np.promote_types(one, other).name


@pytest.mark.parametrize(("name", "number"), [*itertools.product(NAMES, PYTHONS)])
def test_numbers_of_python_are_weak(name: str, number: Any) -> None:
    operands = (Number(dtypes.kind(name), name), of_constant(number))
    assert dtypes.common(operands) == np.result_type(np.ones(2, name), number).name


def worked_out(function: Any, *args: Any) -> Any:
    """What a function gives; nothing where it fails, or roots of negative numbers are complex."""
    try:
        with np.errstate(all="ignore"):
            found = function(*args)
    except (TypeError, ZeroDivisionError, ValueError, OverflowError):
        return None
    is_root = function is operator.pow and not any(np.iscomplexobj(arg) for arg in args)
    return None if is_root and isinstance(found, complex) else found


def check(name: str, *args: Any) -> None:
    """Compares what an operator gives of numbers and vectors, known and unknown."""
    value = worked_out(getattr(operator, name), *args)
    if value is None:
        return
    dotted = "builtins.abs" if name == "abs" else f"operator.{name}"
    for way in (Abstraction(), Abstraction(has_constants=False), Abstraction(has_symbols=True)):
        said = result(dotted, Given(tuple(map(way.of, args)), {}))
        assert way.has(said, value), (args, said, value)


IS_OLD = np.lib.NumpyVersion(np.__version__) < "2.3.0"
"""Whether arrays to the power of the number 1 or 2 keep their dtype, whatever that number's."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
def test_operators_of_two_numbers(name: str) -> None:
    for one, other in itertools.product(NUMBERS, NUMBERS):
        check(name, one, other)
        check(name, one, np.array([other, other]))
        if not (IS_OLD and name == "pow"):
            check(name, np.array([[one], [one]]), other)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", UNARY)
def test_operators_of_one_number(name: str) -> None:
    for one in NUMBERS:
        check(name, one)
        check(name, np.array([one, one]))
        check(name, np.array(one))


N = Size("n", may_be_one=False)

FOLDED = {
    ("add", N, 1): Size("n", 1),
    ("sub", N, 1): Size("n", -1),
    ("sub", N, N): 0,
    ("mul", N, 1): N,
    ("mul", 0, N): 0,
    ("eq", N, 1): False,
    ("ne", N, 1): True,
    ("eq", N, N): True,
    ("lt", Size("n", -1), N): True,
    ("eq", N, 3): None,
    ("floordiv", 7, 2): 3,
    ("pow", 2, 3): 8,
    ("lshift", 1, 3): None,
}
"""What is worked out of integers and symbols."""


@pytest.mark.parametrize(("case", "expected"), [*FOLDED.items()])
def test_integers_and_symbols_are_worked_out(case: tuple[str, Any, Any], expected: Any) -> None:
    name, *numbers = case
    found = result(f"operator.{name}", Given(tuple(Number("int", None, n) for n in numbers), {}))
    assert isinstance(found, Number)
    assert found.constant == expected


@pytest.mark.parametrize("value", [*NUMBERS, "w", None, [1.0], (1.0,), {"w": 1.0}, np.ones(2)])
def test_what_an_object_can_do_is_told_as_python_does(value: Any) -> None:
    classes = comparing.classes(Abstraction().of(value)) or ()
    for name in comparing.INTERFACES:
        is_one = isinstance(value, getattr(abc, name))
        assert [f"{home}.{name}" in classes for home in comparing.ABSTRACT] == [is_one, is_one]
        assert all(comparing.is_told(f"{home}.{name}") for home in comparing.ABSTRACT)
