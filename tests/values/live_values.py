"""Live values with the texts of what they are, and more of them, for tests of signatures."""

from __future__ import annotations

import enum
import functools
import io
import math
import pickle
import types
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.optimize
import scipy.special

HERE = __name__


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1


class Mode(enum.Flag):
    A = 1
    B = 2


Point = namedtuple("Point", "x y")


@dataclass
class Linear:
    w: Any
    b: Any

    def __call__(self, x: Any) -> Any:
        return x @ self.w + self.b

    @classmethod
    def made(cls) -> Linear:
        return cls(1.0, 2.0)


@dataclass(slots=True)
class Slotted:
    w: Any
    b: Any = 0.0


class Below(Linear):
    pass


class Computed:
    kept: ClassVar[int] = 3

    def __init__(self) -> None:
        self.__dict__["size"] = 3
        self.w = 1.0

    @property
    def size(self) -> int:
        return 4


class Once:
    """Computes an attribute when it is first read, and keeps it."""

    def __init__(self) -> None:
        self.w = 1.0

    @functools.cached_property
    def size(self) -> float:
        return 4 * self.w


def read() -> Once:
    """An object that has computed its attribute."""
    made = Once()
    assert made.size
    return made


class Odd:
    def __getattribute__(self, name: str) -> Any:
        return 3


class Text(str):
    pass


def decay(y: float, rate: float = 1.0) -> float:
    return -rate * y


def scaled(k: Any) -> Callable[..., Any]:
    def inner(y: float) -> float:
        return k * y

    return inner


def pair(k: float) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (lambda y: k * y), (lambda y: k + y)


def doubled(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def wrapper(*args: Any) -> Any:
        return 2 * f(*args)

    return wrapper


@doubled
def twice(y: float) -> float:
    return y


square = lambda y: y * y  # noqa: E731


def unset() -> Slotted:
    made = Slotted(1.0)
    del made.b
    return made


KNOWN: list[tuple[Any, str]] = [
    (3, "int"),
    (3.0, "float"),
    (1j, "complex"),
    (True, "True"),
    (np.float64(3), "np.float64"),
    (np.float32(3), "np.float32"),
    (np.int8(3), "np.int8"),
    (np.bool_(True), "np.bool"),
    (np.ones((3, 1)), "float64[n, 1]"),
    (np.ones((3, 3)), "float64[n, m]"),
    (np.ones((0, 1), "f4"), "float32[n, 1]"),
    (np.ones(()), "float64[]"),
    (np.ones((3, 4))[::2, 1:2], "float64[n, 1]"),
    (np.array([True]), "bool[1]"),
    (np.ones((3, 1), np.longdouble), "?[n, 1]"),
    ("relu", '"relu"'),
    ("x" * 101, "str"),
    (b"a", 'b"a"'),
    (None, "None"),
    (..., "..."),
    (np.dtype("f8"), 'dtype("float64")'),
    (Color.RED, f"{HERE}.Color.RED"),
    (Level.LOW, f"{HERE}.Level.LOW"),
    ([1, 2.0, np.ones(2)], "[int, float, float64[n]]"),
    ([], "[]"),
    ([1.0] * 65, "list[float, n]"),
    ([True, False] * 40, "list[bool, n]"),
    ([1.0, 2] * 40, "list[numeric, n]"),
    ([np.ones((2, 1))] * 65, "list[float64[?, 1], n]"),
    ([np.ones(2)] * 65 + [1.0], "list[numeric, n]"),
    ((1, (2.0,)), "(int, (float,))"),
    ({"w": np.ones(3), 1: {"b": 2}}, '{"w": float64[n], 1: {"b": int}}'),
    (OrderedDict(w=1.0), '{"w": float}'),
    (Counter(a=1), "dict[?]"),
    (defaultdict(list), "dict[?]"),
    ({1.5: 1}, "dict[int]"),
    (dict.fromkeys(range(70), 1.0), "dict[float]"),
    (Point(1, 2.0), f"{HERE}.Point(x=int, y=float)"),
    (Linear(np.ones((3, 4)), None), f"{HERE}.Linear(w=float64[n, m], b=None)"),
    (Slotted(1.0), f"{HERE}.Slotted(w=float, b=float)"),
    (unset(), f"{HERE}.Slotted(w=float)"),
    (types.SimpleNamespace(w=1), "types.SimpleNamespace(w=int)"),
    (Computed(), f"{HERE}.Computed(size=?, w=float)"),
    (Once(), f"{HERE}.Once(w=float)"),
    (read(), f"{HERE}.Once(w=float, size=?)"),
    (decay, f"{HERE}.decay"),
    (twice, f"{HERE}.twice"),
    (scaled(np.ones(2)), f"partial({HERE}.scaled.<locals>.inner, k=float64[n])"),
    (doubled(decay), f"partial({HERE}.doubled.<locals>.wrapper, f={HERE}.decay)"),
    (Linear(1, 2).__call__, f"partial({HERE}.Linear.__call__, {HERE}.Linear(w=int, b=int))"),
    (functools.partial(decay, 1, rate=2.0), f"partial({HERE}.decay, int, rate=float)"),
    (functools.partial(scaled(1), y=2.0), f"partial({HERE}.scaled.<locals>.inner, k=int, y=float)"),
    (Linear, f"{HERE}.Linear"),
    (float, "builtins.float"),
    (np.float32, "numpy.float32"),
    (len, "builtins.len"),
    (math.sin, "math.sin"),
    (np.tanh, "numpy.tanh"),
    (np.sum, "numpy.sum"),
    (np.linalg.inv, "numpy.linalg.inv"),
    (scipy.special.erf, "scipy.special.erf"),
    (scipy.optimize.minimize, "scipy.optimize.minimize"),
    (np, 'function("numpy")'),
    (range(3), "range(n, int)"),
    (slice(None, 3), "slice(None, int, None)"),
]


class Local:
    """Has a class of its own, which no name of the module leads to."""

    def __init__(self) -> None:
        class Inner:
            w = 1

        self.inner = Inner()


class Turned(np.ndarray):
    """An array of a class of its own."""


UNKNOWNS = [
    np.ones(1).view(Turned),
    np.ma.array([1]),
    np.recarray(2, [("a", float)]),
    np.ones(3, ">f8"),
    np.array(["a"]),
    np.array([None]),
    np.array("2020", "M8[s]"),
    np.zeros(2, "f8,i4"),
    np.datetime64("2020"),
    np.longdouble(1),
    np.dtype(">f8"),
    np.random.default_rng(0),
    np.ones(3).sum,
    Text("a"),
    {1},
    range(0, 9, 2),
    object(),
    io.StringIO(),
    Local().inner,
    Odd(),
    Mode.A | Mode.B,
    (x for x in ()),
    Linear.made,
    type("Made", (), {})(),
]


MORE = [
    False,
    np.float64(4),
    np.ones((1, 1)),
    np.ones((5, 6)),
    np.ones((5, 6), "f4"),
    np.ones((5, 6), order="F"),
    np.ones((5, 6, 7)),
    pickle.loads(pickle.dumps(np.ones((5, 6)))),
    "tanh",
    Color.BLUE,
    [1, 2.0],
    [1, 2.0, np.ones(1)],
    [1, 2.0, np.ones(5)],
    [2.0] * 99,
    [2.0] * 98 + [np.float64(1)],
    [2] * 99,
    [np.ones((9, 1))] * 99,
    [np.ones((9, 2))] * 99,
    {"w": np.ones(5), 1: {"b": 3}},
    {"w": np.ones(5), 1: {"c": 3}},
    {1: {"b": 3}, "w": np.ones(5)},
    {"w": np.ones(5)},
    Point(2, 3.0),
    Point(2, 3),
    (2, 3.0),
    Linear(np.ones((5, 6)), None),
    Below(np.ones((5, 6)), None),
    Linear(np.ones((5, 6)), 1.0),
    Slotted(2.0),
    Slotted(2),
    types.SimpleNamespace(w=2),
    types.SimpleNamespace(w=2, b=3),
    scaled(np.ones(5)),
    scaled(np.ones(1)),
    scaled(1.0),
    *pair(1.0),
    *pair(2.0),
    square,
    doubled(decay),
    doubled(twice),
    Linear(3, 4).__call__,
    Linear(3, 4.0).__call__,
    functools.partial(decay, 2, rate=3.0),
    functools.partial(decay, 2.0, rate=3.0),
    functools.partial(decay, 2),
    functools.partial(scaled(2), y=3.0),
    functools.partial(scaled(2.0), y=3.0),
    np.cos,
    range(4),
    range(1),
    slice(None, 4),
    slice(1, 4),
    *UNKNOWNS[:12],
]
