"""Parts of arrays and of containers, and Python's functions of these, against what they are."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from abstraction import Abstraction, is_told

from adlsp.transform.ops import records
from adlsp.transform.values import classes
from adlsp.transform.values.lattice import (
    NONE,
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Run,
    Sequence,
    Size,
    Slice,
    Unknown,
    Unreached,
    Value,
    of_constant,
)
from adlsp.transform.values.transfer import Given, result

ARRAYS = (np.ones(4), np.ones((4, 5)), np.ones((4, 5, 6), np.float32))
INDICES: tuple[Any, ...] = (
    0,
    -1,
    np.int64(2),
    slice(None),
    slice(1, None),
    slice(None, -1),
    slice(1, -2),
    slice(None, 2),
    slice(-2, None),
    slice(None, None, -1),
    slice(0, 3, 2),
    slice(3, 1),
    None,
    ...,
    [0, 2],
    [],
    np.array([1, 0, 1]),
    np.array([[0], [1]]),
    np.array([True, False, True, True]),
    np.ones((4, 5), bool),
)
WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"has_symbols": True},
    {"is_apart": True},
    {"has_constants": False},
    {"has_items": False},
    {"has_dtypes": False},
    {"has_ranks": False},
)


def check(dotted: str, function: Callable[..., Any], *args: Any) -> list[Value]:
    """Compares what is said of a call with what it gives; gives what is said, in each way."""
    try:
        value = function(*args)
    except (IndexError, TypeError, ValueError, KeyError):
        return []
    if hasattr(value, "__next__"):
        value = tuple(value)
    found = []
    for kept in WAYS:
        way = Abstraction(**kept)
        said = result(dotted, Given(tuple(map(way.of, args)), {}))
        assert way.has(said, value), (args, said, value)
        found.append(said)
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("base", ARRAYS, ids=lambda a: f"{a.ndim}d")
def test_parts_of_arrays(base: Any, count: int) -> None:
    seen = 0
    for parts in itertools.product(INDICES[:: max(count, 2) - 1], repeat=count):
        index = parts[0] if count == 1 else parts
        found = check("operator.getitem", lambda x, i: x[i], base, index)
        assert all(map(is_told, found[:2])), index
        seen += bool(found)
    assert seen >= 14


PAIRS = {"w": np.ones((2, 3)), "b": 0.5}
ROWS = [np.ones(3), np.zeros(3)]
OF_PYTHON: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "operator.getitem": (
        lambda x, i: x[i],
        [
            ([1, 2.0, "a"], 1),
            ([1, 2.0], -1),
            ((1, 2.0, "a"), slice(1, None)),
            (ROWS, 0),
            (ROWS, slice(1)),
            (PAIRS, "w"),
            ("abc", 0),
            (range(3), 1),
            (range(5), slice(2)),
            (np.float64(2.0), ()),
        ],
    ),
    "operator.add": (
        lambda x, y: x + y,
        [([1], [2.0]), ((1,), (2, 3)), ("a", "b"), ([1, 2], np.ones(2)), (ROWS, ROWS)],
    ),
    "operator.mul": (
        lambda x, y: x * y,
        [([1], 3), (2, (1, 2.0)), ("a", 2), ([0.0], 100), (ROWS, 2), ([1, 2], np.ones(2))],
    ),
    "operator.eq": (
        lambda x, y: x == y,
        [("a", "a"), ("a", "b"), ((1, 2), (1, 2)), (None, None), ("a", None), ([1, 2], np.ones(2))],
    ),
    "operator.is_": (lambda x, y: x is y, [(None, None), (1.0, None), (ROWS, None), (True, True)]),
    "operator.not_": (lambda x: not x, [([],), ([1],), (0,), ("",), (None,), (2.5,), ({},)]),
    "operator.ne": (
        lambda x, y: x != y,
        [(np.dtype("f4"), np.float32), (np.dtype(float), "f4"), (1, 2.0), ("a", 1)],
    ),
    "python.in": (lambda x, y: x in y, [(1, [1, 2]), ("w", PAIRS), ("z", PAIRS), ("a", ("b",))]),
    "python.not_in": (lambda x, y: x not in y, [(1, (1, 2)), ("w", PAIRS)]),
    "python.tuple": (lambda *given: given, [(), (1, 2.0), (ROWS, "a")]),
    "python.list": (lambda *given: [*given], [(), (1, 2.0)]),
    "python.dict": (lambda k, v: {k: v}, [("a", 1.0), (1, ROWS)]),
    "python.slice": (slice, [(None, 3, None), (1, -1, None)]),
    "python.unpack": (
        lambda xs, at, n: (*xs[:at], [*xs[at : len(xs) - (n - 1 - at)]], *xs[at - n + 1 :]),
        [([1, 2.0, "a", 3], 1, 3), (np.ones((4, 2)), 1, 3)],
    ),
    "builtins.slice": (slice, [(3,), (1, 3), (1, 3, 2)]),
    "builtins.len": (len, [([1, 2],), ("abc",), (PAIRS,), (np.ones((4, 5)),), (range(3),)]),
    "builtins.range": (range, [(4,), (1, 4), (0, 5, 2), (-2,)]),
    "builtins.enumerate": (enumerate, [(ROWS,), ((1, "a"),), (np.ones((4, 2)),), ([1], 3)]),
    "builtins.zip": (zip, [(ROWS, [1, 2]), ([1], "ab"), (np.ones(4), np.ones((4, 2))), ()]),
    "builtins.reversed": (reversed, [(ROWS,), ([1, "a"],), (range(3),)]),
    "builtins.sorted": (sorted, [([2, 1],), ((2.0, 1.0),), (PAIRS,)]),
    "builtins.list": (list, [(), ((1, "a"),), (np.ones((2, 3)),), (range(3),), (PAIRS,), ("ab",)]),
    "builtins.tuple": (tuple, [(), ([1, "a"],), (np.ones(3),)]),
    "builtins.dict": (dict, [(), (PAIRS,), ([("a", 1), ("b", 2)],)]),
    "builtins.map": (map, [(abs, [1, 2])]),
    "builtins.filter": (filter, [(None, [1, 2])]),
    "numpy.ndindex": (np.ndindex, [(2, 3), ((2, 3),)]),
    "builtins.iter": (iter, [(ROWS,)]),
    "builtins.sum": (sum, [([1, 2],), ([1.5],), ([],), (ROWS,), (np.ones(3),), ([[1], [2]], [])]),
    "builtins.max": (max, [(1, 2), (1, 2.0), ([1, 3],), (np.float64(1), 2)]),
    "builtins.abs": (abs, [(-1,), (True,), (-1.5,), (1j,), (np.ones(3),), (np.ones(2) * 1j,)]),
    "builtins.round": (round, [(1.5,), (1,), (1.234, 2), (12, -1)]),
    "builtins.divmod": (divmod, [(7, 2), (7.0, 2), (np.ones(3), 2)]),
    "builtins.pow": (pow, [(2, 3), (2, -1), (2.0, 2), (np.ones(3), 2)]),
    "builtins.float": (float, [(1,), (1.5,), ("1",), (np.ones(1)[0],)]),
    "builtins.int": (int, [(1,), (True,), (1.5,)]),
    "builtins.bool": (bool, [(1,), ([],), (0.0,)]),
    "builtins.complex": (complex, [(1, 2)]),
    "builtins.str": (str, [(1,)]),
    "math.sqrt": (np.emath.sqrt, []),
    "math.floor": (lambda x: int(x // 1), [(1.5,), (np.float64(1.5),)]),
    "math.prod": (lambda xs: eval("*".join(map(str, xs))), [([1, 2],), ([1.0, 2.0],)]),
    "ndarray.keys": (lambda d: d.keys(), [(PAIRS,)]),
    "ndarray.values": (lambda d: d.values(), [(PAIRS,)]),
    "ndarray.items": (lambda d: d.items(), [(PAIRS,)]),
    "ndarray.get": (dict.get, [(PAIRS, "w"), (PAIRS, "z"), (PAIRS, "z", 1.0)]),
    "ndarray.copy": (lambda x: x.copy(), [(ROWS,), (PAIRS,), (np.ones(3),), (np.array(1.0),)]),
    "ndarray.index": (list.index, [([1, 2], 2)]),
    "ndarray.pop": (lambda x, *at: type(x)(x).pop(*at), [(ROWS,), ([1, "a"], 0), (PAIRS, "b")]),
    "ndarray.tolist": (lambda x: x.tolist(), [(np.ones((2, 3)),), (np.float32(1),)]),
    "ndarray.item": (lambda x: x.item(), [(np.ones(1),), (np.array(1),)]),
}
"""Python's functions and steps, what they do, and calls."""


@pytest.mark.parametrize("dotted", OF_PYTHON)
def test_functions_of_python(dotted: str) -> None:
    function, calls = OF_PYTHON[dotted]
    for args in calls:
        found = check(dotted, function, *args)
        assert found, args
        assert not isinstance(found[0], Unknown), args


N, M = Size("n", may_be_one=False), Size("m")
X = Array("float64", (N, M), frozenset({"x"}))
W = Array("float64", (M, 3))
TENSOR = Array("float32", (N, 2), library="tensorflow")


def whole(size: Any) -> Number:
    return Number("int", constant=size)


SAID: dict[str, tuple[str, tuple[Value, ...], Value]] = {
    "a row": ("operator.getitem", (X, of_constant(0)), Array("float64", (M,), X.sites)),
    "inside": (
        "operator.getitem",
        (X, Slice(of_constant(1), of_constant(-1), NONE)),
        Array("float64", (Size("n", -2), M), X.sites),
    ),
    "up to a size": (
        "operator.getitem",
        (X, Slice(NONE, whole(Size("n", -1)), NONE)),
        Array("float64", (Size("n", -1), M), X.sites),
    ),
    "up to another": (
        "operator.getitem",
        (X, Slice(NONE, whole(M), NONE)),
        Array("float64", (Size((0, "part", N, None, M)), M), X.sites),
    ),
    "from another": (
        "operator.getitem",
        (X, Slice(of_constant(-2), whole(M), NONE)),
        Array("float64", (Size((0, "part", N, -2, M)), M), X.sites),
    ),
    "up to what nobody knows": (
        "operator.getitem",
        (X, Slice(NONE, Number("int"), NONE)),
        Array("float64", (None, M), X.sites),
    ),
    "a list's array": ("operator.getitem", (Sequence(True, (X, W)), of_constant(0)), X),
    "a product": ("operator.matmul", (X, W), Array("float64", (N, 3))),
    "a column": ("numpy.mean", (X, of_constant(1)), Array("float64", (N,))),
    "a sum with one": (
        "operator.add",
        (X, Array("float64", (M,))),
        Array("float64", (N, M)),
    ),
    "perhaps of one": (
        "operator.add",
        (Array("float64", (M,)), Array("float64", (Size("k"),))),
        Array("float64", (None,)),
    ),
    "length": ("builtins.len", (X,), whole(N)),
    "shape": ("attribute.shape", (X,), Sequence(is_list=False, items=(whole(N), whole(M)))),
    "zeros": ("numpy.zeros", (whole(N),), Array("float64", (N,))),
    "zeros in rows": (
        "numpy.zeros",
        (Sequence(is_list=False, items=(whole(N), whole(3))),),
        Array("float64", (N, 3)),
    ),
    "flat": ("numpy.reshape", (W, of_constant(-1)), Array("float64", (None,))),
    "what is left": (
        "ndarray.reshape",
        (Array("float64", (N, M, 1)), whole(N), of_constant(-1)),
        Array("float64", (N, M)),
    ),
    "of a dtype": (
        "numpy.zeros",
        (whole(N), Function("numpy.float32")),
        Array("float32", (N,)),
    ),
    "of another": (
        "numpy.zeros",
        (whole(N), Literal("dtype", "int32")),
        Array("int32", (N,)),
    ),
    "tensors": ("operator.mul", (TENSOR, of_constant(2.0)), TENSOR),
    "compared": (
        "operator.lt",
        (TENSOR, TENSOR),
        Array("bool", (N, 2), library="tensorflow"),
    ),
    "multiplied": (
        "operator.matmul",
        (TENSOR, Array("float32", (2, 5), library="tensorflow")),
        Array("float32", (N, 5), library="tensorflow"),
    ),
    "an attribute": ("attribute.w", (Object("Model", (("w", X),)),), X),
    "along any axis": ("numpy.sum", (X, Number("int")), Numeric("float64")),
    "kept or not": (
        "numpy.mean",
        (X, NONE, NONE, NONE, Number("bool")),
        Numeric("float64"),
    ),
    "at any index": ("operator.getitem", (X, Unknown()), Numeric("float64", X.sites)),
    "with any axes": ("numpy.transpose", (X, Unknown()), Array("float64", None)),
    "of any shape": ("numpy.zeros", (Unknown(),), Array("float64", None)),
    "any value as an array": (
        "numpy.asarray",
        (Unknown(), Function("builtins.float")),
        Array("float64", None),
    ),
    "a tensor as an array": ("numpy.asarray", (TENSOR,), Array("float32", (N, 2))),
    "the length of any value": ("builtins.len", (Unknown(),), Number("int")),
    "any value as a list": ("builtins.list", (Unknown(),), Sequence(True, None, Unknown())),
    "any number": ("builtins.float", (Unknown(),), Number("float")),
    "each": (
        "numpy.stack",
        (Sequence(True, None, Array("float64", (M,)), N),),
        Array("float64", (N, M)),
    ),
}
"""What is said of symbols, and of what a program may meet besides NumPy's arrays."""


@pytest.mark.parametrize("what", SAID)
def test_symbols_are_followed(what: str) -> None:
    dotted, args, expected = SAID[what]
    assert result(dotted, Given(args, {})) == expected


@pytest.mark.parametrize("kinds", ["pandas.Series", "pandas.DataFrame"])
def test_plain_values_are_of_no_class_of_a_library(kinds: str) -> None:
    def asked(value: Value) -> bool | None:
        return classes.is_instance(value, Function(kinds), lambda *_: None)

    plain = (X, Numeric(), Number("float"), NONE, Sequence(True, (X,)))
    assert [*map(asked, plain)] == [False] * 5
    assert [*map(asked, (Unknown(), Object("Model")))] == [None, None]


NOT_SAID: dict[str, tuple[str, tuple[Value, ...]]] = {
    "a function that nobody knows": ("mine.f", (X,)),
    "of an unknown value": ("numpy.tanh", (Unknown("b"),)),
    "a method of an object": ("ndarray.update", (Object("Model"), X)),
    "a method of an unknown value": ("ndarray.append", (Unknown(), X)),
    "a sum with an unknown value": ("operator.add", (X, Unknown("b"))),
    "of a tensor": ("numpy.tanh", (TENSOR,)),
    "a tensor and an array": ("operator.add", (TENSOR, X)),
    "of objects": ("numpy.zeros", (whole(N), Function("builtins.object"))),
    "of texts": ("numpy.array", (Sequence(True, (Literal("str", "a"),)),)),
    "of another library's numbers": ("numpy.sum", (Array("object", (N,)),)),
    "an axis that is not there": ("numpy.sum", (X, of_constant(5))),
}
"""Calls of which nothing can be told."""


@pytest.mark.parametrize("what", NOT_SAID)
def test_nothing_is_said_where_nothing_is_known(what: str) -> None:
    dotted, args = NOT_SAID[what]
    assert isinstance(result(dotted, Given(args, {})), Unknown)


ANYTHING: tuple[Value, ...] = (
    X,
    TENSOR,
    Array(),
    Array("float64", ()),
    Numeric(),
    Number("float"),
    Number("int", "int64"),
    whole(N),
    of_constant(-1),
    of_constant("ij,jk"),
    NONE,
    Unknown(),
    Unreached(),
    Object("Model"),
    Function("numpy.float32"),
    Slice(NONE, NONE, NONE),
    Range(N),
    Run(X),
    Sequence(is_list=True, items=()),
    Sequence(is_list=False, items=(X, of_constant(1))),
    Sequence(True, None, X),
    Mapped((("w", X),)),
    Mapped(None, X),
)


@pytest.mark.parametrize(
    "dotted", [name for name in records.SAID if not name.startswith("python.")]
)
def test_no_call_fails(dotted: str) -> None:
    random = np.random.default_rng(len(dotted))
    is_step = dotted.startswith(("operator.", "attribute.", "ndarray."))
    for n_args in (1, 2, 3) if is_step else (0, 1, 2, 3, 4):
        for _ in range(12):
            args = tuple(ANYTHING[at] for at in random.integers(0, len(ANYTHING), n_args))
            keywords = {} if is_step else {"axis": args[-1], "key": X} if args[2:] else {}
            assert isinstance(result(dotted, Given(args, keywords)), Value)
