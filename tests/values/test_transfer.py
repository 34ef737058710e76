"""What is said of results, held against the results: at each sample of each rule, of each function.

Arguments are abstracted in several ways, from exactly to hardly at all. Whatever is said then of
the result must be so.
"""

import contextlib
import copy
import inspect
from typing import Any

import numpy as np
import pytest
from abstraction import Abstraction, is_told
from samples import Call
from test_operations import CALLS, function, in_integers, narrowed, record_name

from adlsp.transform.ops import records
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Shape
from adlsp.transform.values import calls, transfer
from adlsp.transform.values.lattice import Array, Sequence, Size, Value
from adlsp.transform.values.transfer import Given, result

WAYS: dict[str, dict[str, Any]] = {
    "with sizes": {},
    "exactly": {"has_symbols": True},
    "apart": {"is_apart": True},
    "without constants": {"has_symbols": True, "has_constants": False},
    "by each": {"has_symbols": True, "has_items": False},
    "without ranks": {"has_ranks": False},
    "without dtypes": {"has_dtypes": False},
}
"""What is forgotten of arguments."""

OF_OURS = "adlsp."
"""Functions of derivatives, of which nothing is said."""


def single(value: Any) -> Any:
    """The same in single precision."""
    if isinstance(value, list | tuple):
        return type(value)(map(single, value))
    if isinstance(value, np.complex128) or (
        isinstance(value, np.ndarray) and value.dtype == np.complex128
    ):
        return value.astype(np.complex64)
    return narrowed(value)


def turned(value: Any) -> Any:
    """The same array in complex numbers."""
    is_real = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value * (0.6 + 0.8j) if is_real else value


NOT_COMPLEX = "scipy.stats."
"""Functions of real numbers: what they make of others depends on SciPy."""


def variants(name: str, call: Call) -> list[Call]:
    """A call, and the same in integers and in single precision, and with one such operand."""
    made = [call]
    for change in (in_integers, single):
        args, keywords = map(copy.deepcopy, (call.args, call.keywords))
        with contextlib.suppress(OverflowError):
            made.append(Call(change(args), {key: change(v) for key, v in keywords.items()}))
    arrays = [at for at, given in enumerate(call.args) if isinstance(given, np.ndarray)]
    for at in arrays if len(arrays) > 1 else ():
        for change in (in_integers, single, turned)[: 2 + (not name.startswith(NOT_COMPLEX))]:
            args, keywords = map(copy.deepcopy, (call.args, call.keywords))
            args = (*args[:at], change(args[at]), *args[at + 1 :])
            made.append(Call(args, keywords))
    return made


def concrete(name: str, call: Call) -> Any:
    """What the function gives; of one that does not take this, nothing."""
    called = function(name)
    assert called is not None
    args, keywords = copy.deepcopy((call.args, call.keywords))
    with np.errstate(all="ignore"):
        return called(*args, **keywords)


def told(name: str, call: Call, way: Abstraction) -> Value:
    """What is said of the result."""
    args = tuple(map(way.of, call.args))
    keywords = {key: way.of(value) for key, value in call.keywords.items()}
    return result(record_name(name), Given(args, keywords))


NAMES = [name for name in CALLS if not name.startswith(OF_OURS) and function(name) is not None]
FAILING = (
    AttributeError,
    TypeError,
    ValueError,
    ZeroDivisionError,
    IndexError,
    NotImplementedError,
    np.linalg.LinAlgError,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_results_are_among_those_that_are_told(name: str) -> None:
    for call in [each for found in CALLS[name] for each in variants(name, found)]:
        try:
            value = concrete(name, call)
        except FAILING:
            continue
        for what, kept in WAYS.items():
            way = Abstraction(**kept)
            said = told(name, call, way)
            found = (*value,) if hasattr(value, "__next__") else value
            assert way.has(said, found), (what, str(call), said, type(value), np.shape(value))


@pytest.mark.parametrize(
    ("home", "share"),
    [("numpy.", 0.94), ("scipy.", 0.94), ("ndarray.", 0.97), ("operator.", 1.0)],
)
def test_most_is_told_where_arguments_are_known(home: str, share: float) -> None:
    names = [name for name in NAMES if name.startswith(home)]
    calls = [(name, call) for name in names for call in CALLS[name]]
    known = [pair for pair in calls if is_told(told(*pair, Abstraction(has_symbols=True)))]
    assert len(known) >= share * len(calls)


OLD = ("ndarray.amax", "ndarray.amin", "numpy.row_stack", "numpy.trapz")
"""What NumPy has not, or not any more."""

WITH_PARAMETERS = [
    name
    for name, said in records.SAID.items()
    if said.parameters is not None and not name.startswith(("attribute.", "python."))
]


@pytest.mark.parametrize("name", [n for n in WITH_PARAMETERS if n not in OLD])
def test_parameters_are_those_of_the_function(name: str) -> None:
    said = records.SAID[name].parameters
    home, _, last = name.rpartition(".")
    called = getattr(np.ndarray, last) if home == "ndarray" else function(name)
    try:
        real = [*inspect.signature(called).parameters.values()]
    except (TypeError, ValueError):
        pytest.skip("NumPy tells no signature")
    assert said is not None
    ours = [each for each, _ in calls.parameters(said)][1:]
    theirs = [each for each in real if each.name != "out"][1:]
    is_open = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in theirs)
    for place, each in enumerate(ours):
        is_there = place < len(theirs) and theirs[place].name == each.removeprefix("*")
        by_keyword = [p.name for p in theirs if p.kind is inspect.Parameter.KEYWORD_ONLY]
        assert is_there or each in by_keyword or is_open, (each, theirs)


def test_each_word_of_a_record_has_an_implementation() -> None:
    of_others = {Shape.LIKE, Shape.OTHER}
    assert set(Shape) - of_others == transfer.SHAPES.keys()
    assert set(Makes) == transfer.MAKES.keys()
    every = [*records.SAID.values(), *records.HOMES.values()]
    assert {said.shape for said in every} >= transfer.SHAPES.keys() - {Shape.EACH}
    assert {said.makes for said in every} >= transfer.MAKES.keys()


def test_a_tuple_may_be_long():
    """What has more items than any function has arguments holds all of them."""
    arrays = tuple(Array("float64", (Size(f"n{at}"),)) for at in range(300))
    given = result("python.tuple", Given(arrays, {}))
    assert isinstance(given, Sequence)
    assert given.items == arrays
