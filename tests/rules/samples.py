"""The one table of samples: for each rule, calls at which it is tested.

A rule is entered under the first name of its declaration; all its names are tested with the same
calls. A string key with several names separated by spaces enters the same calls for several rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

RANDOM = np.random.default_rng(20)


@dataclass(frozen=True)
class Call:
    """Arguments of one call; arrays of floats and Python floats are what may be differentiated."""

    args: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [_text(a) for a in self.args]
        return ",".join(parts + [f"{key}={_text(a)}" for key, a in self.keywords.items()])


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.char}{'x'.join(map(str, value.shape))}" if value.shape else "0d"
    return type(value).__name__ if isinstance(value, float) else str(value)


def array(*shape: int, low: float = -2.0, high: float = 2.0) -> Any:
    return np.asarray(RANDOM.uniform(low, high, shape))


def number(low: float = -2.0, high: float = 2.0) -> float:
    return float(RANDOM.uniform(low, high))


def each(low: float = -2.0, high: float = 2.0) -> list[Call]:
    """One argument: vector, matrix, empty, 0-d, number."""
    shapes: list[tuple[int, ...]] = [(3,), (2, 3), (0,), ()]
    made = [Call((array(*shape, low=low, high=high),)) for shape in shapes]
    return [*made, Call((number(low, high),))]


def pairs(first: tuple[float, float], second: tuple[float, float]) -> list[Call]:
    """Two arguments, with all kinds of broadcasting."""
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 1), (1, 3)),
        ((), (2, 3)),
        ((3,), ()),
        ((0, 3), (3,)),
    ]
    made = []
    for left, right in shapes:
        x = array(*left, low=first[0], high=first[1])
        made.append(Call((x, array(*right, low=second[0], high=second[1]))))
    made.append(Call((array(3, low=first[0], high=first[1]), number(*second))))
    made.append(Call((number(*first), array(2, 3, low=second[0], high=second[1]))))
    return [*made, Call((number(*first), number(*second)))]


def numbers(*ranges: tuple[float, float]) -> list[Call]:
    """Python numbers, one from each range."""
    return [Call(tuple(number(*bounds) for bounds in ranges)) for _ in range(3)]


def options(calls: list[Call], **choices: list[Any]) -> list[Call]:
    """The product of calls with keyword arguments."""
    made = []
    for call, values in product(calls, product(*choices.values())):
        keywords = dict(zip(choices, values, strict=True))
        made.append(Call(call.args, {**call.keywords, **keywords}))
    return made


def shapes(*all_shapes: tuple[int, ...]) -> list[Call]:
    return [Call((array(*shape),)) for shape in all_shapes]


def products(*all_shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Call]:
    return [Call((array(*left), array(*right))) for left, right in all_shapes]


def regular(*shape: int) -> Any:
    """Matrices far from singular."""
    return array(*shape) * 0.5 + 3 * np.eye(shape[-1])


ANYWHERE = (-2.0, 2.0)
POSITIVE = (0.3, 2.0)
INSIDE = (-0.8, 0.8)
ABOVE_ONE = (1.2, 3.0)
LOWER, UPPER = (-2.0, -0.2), (0.2, 2.0)

REDUCED = [
    *options(shapes((3,), (2, 3)), keepdims=[False, True]),
    *options(shapes((2, 3), (2, 0, 3)[::2]), axis=[0, -1, (0, 1)], keepdims=[False, True]),
    Call((array(2, 3, 4), (0, -1))),
    Call((array(2, 3, 4), 1)),
    *shapes(()),
]
CUMULATED = [*shapes((3,), (2, 3), (0,), ()), *options(shapes((2, 3)), axis=[0, 1, -1])]
PRODUCTS = (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)))
STACKED = (
    ((5, 2, 3), (5, 3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 2)),
)
SPREAD = (((2, 3), (4, 3, 2)), ((5, 2, 3), (3,)), ((3,), (4, 3, 2)), ((), (2, 3)), ((2, 3), ()))


def entries() -> Iterator[tuple[str, list[Call]]]:
    yield "numpy.add numpy.subtract numpy.multiply", pairs(ANYWHERE, ANYWHERE)
    yield "numpy.divide", pairs(ANYWHERE, UPPER) + pairs(ANYWHERE, LOWER)
    yield "numpy.remainder", pairs((2.1, 2.9), (-1.0, -0.98)) + pairs((5.1, 5.9), (1.0, 1.01))
    yield "numpy.fmod", pairs((-2.9, -2.1), (1.0, 1.02))
    yield "numpy.negative numpy.positive numpy.square numpy.exp numpy.expm1", each()
    yield "numpy.exp2 numpy.sin numpy.cos numpy.arctan numpy.sinh numpy.cosh", each()
    yield "numpy.tanh numpy.arcsinh numpy.degrees numpy.radians", each()
    yield "numpy.power", _powers()
    yield "numpy.reciprocal numpy.cbrt numpy.absolute", each(*LOWER) + each(*UPPER)
    yield "numpy.sqrt numpy.log numpy.log2 numpy.log10", each(*POSITIVE)
    yield "numpy.log1p", each(-0.7, 2.0)
    yield "numpy.logaddexp numpy.logaddexp2 numpy.hypot", pairs(ANYWHERE, ANYWHERE)
    yield "numpy.tan", each(-1.0, 1.0)
    yield "numpy.arcsin numpy.arccos numpy.arctanh", each(*INSIDE)
    yield "numpy.arccosh", each(*ABOVE_ONE)
    yield "numpy.arctan2", pairs(UPPER, ANYWHERE) + pairs(ANYWHERE, UPPER)
    yield "numpy.maximum numpy.minimum", pairs(LOWER, UPPER) + pairs(UPPER, LOWER)
    yield "numpy.clip ndarray.clip", _clips()
    yield "numpy.where", [Call((x.args[0] > 0, *y.args)) for x, y in _choices()]

    yield "numpy.sum numpy.mean", REDUCED
    yield "numpy.cumsum", CUMULATED
    yield "numpy.prod", [Call((c.args[0] + 3, *c.args[1:]), c.keywords) for c in REDUCED]
    yield "numpy.var numpy.std", _spreads()
    yield "numpy.max numpy.min", [c for c in REDUCED if c.args[0].size]

    yield "numpy.matmul", products(*PRODUCTS, *STACKED)
    yield "numpy.dot", products(*PRODUCTS, *SPREAD, ((), ()))
    yield "numpy.inner", products(((3,), (3,)), ((2, 3), (3,)), ((3,), (4, 3)), ((2, 3), (5, 3)))
    yield "numpy.vdot", products(((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (3, 2)))
    yield "numpy.outer", products(((2,), (3,)), ((2, 2), (3,)), ((), (3,)), ((0,), (3,)))
    yield "numpy.trace", [*shapes((3, 3), (2, 3)), Call((array(2, 3, 4), 1, 2, 0))]
    yield "numpy.linalg.inv", [Call((regular(3, 3),)), Call((regular(2, 3, 3),))]
    yield "numpy.linalg.det", [Call((regular(3, 3),)), Call((regular(2, 3, 3),))]
    yield "numpy.linalg.solve", _systems()
    yield "numpy.linalg.norm", _norms()

    yield "numpy.reshape", [Call((array(2, 3), (3, -1))), Call((array(4), (2, 2)))]
    yield "ndarray.reshape", [Call((array(2, 3), (3, 2))), Call((array(2, 3), 3, -1))]
    yield "numpy.ravel ndarray.T", shapes((2, 3), (3,), (0, 3), ())
    yield "numpy.squeeze", [*shapes((1, 3, 1), (3,)), Call((array(1, 3), 0)), Call((array(1, 1),))]
    yield "numpy.expand_dims", [Call((array(3), 0)), Call((array(2, 3), (-1, 0)))]
    yield "numpy.atleast_1d numpy.ascontiguousarray", each()
    yield "numpy.broadcast_to", [Call((array(1, 3), (2, 4, 3))), Call((array(), (2,)))]
    yield (
        "numpy.transpose",
        [*shapes((2, 3), (3,)), *options(_boxes(), axes=[(2, 0, 1), (-1, 0, 1)])],
    )
    yield "ndarray.transpose", [*shapes((2, 3)), Call((array(2, 3, 4), 2, 0, 1)), *_transposed()]
    yield "numpy.swapaxes", [Call((array(2, 3, 4), 0, -1))]
    yield "numpy.moveaxis", [Call((array(2, 3, 4), 0, -1)), Call((array(2, 3, 4), (0, 1), (2, 0)))]
    yield "numpy.flip", [*shapes((3,), (2, 3)), *options(shapes((2, 3)), axis=[0, -1, (0, 1)])]
    yield "numpy.fliplr numpy.flipud", shapes((2, 3), (3, 1))
    yield "numpy.roll", [*_rolls()]
    yield "numpy.diag", [*shapes((3,), (3, 3), (2, 4)), *options(shapes((3,), (3, 4)), k=[1, -1])]
    yield "numpy.tril numpy.triu", [*shapes((3, 3), (2, 4)), Call((array(3, 3), 1))]
    yield "numpy.copy numpy.array", shapes((2, 3), (3,), ())
    yield "numpy.full", [Call(((2, 3), number())), Call(((2, 3), array(3)))]
    yield "numpy.full_like", [Call((array(2, 3), number())), Call((array(2, 3), array(2, 1)))]
    yield "numpy.linspace", [*numbers(ANYWHERE, ANYWHERE), Call((number(), number(), 1))]

    yield "math.exp math.expm1 math.exp2 math.sin math.cos math.tan", numbers((-1.0, 1.0))
    yield "math.atan math.sinh math.cosh math.tanh math.asinh math.erf math.erfc", numbers(ANYWHERE)
    yield "math.degrees math.radians builtins.float", numbers(ANYWHERE)
    yield "math.sqrt math.log math.log2 math.log10 math.log1p", numbers(POSITIVE)
    yield "math.cbrt math.fabs", numbers(LOWER) + numbers(UPPER)
    yield "math.asin math.acos math.atanh", numbers(INSIDE)
    yield "math.acosh", numbers(ABOVE_ONE)
    yield "math.pow", [*numbers(POSITIVE, ANYWHERE), Call((-1.5, 2)), Call((-1.5, -3))]
    yield "math.fmod", numbers((2.1, 2.9), (1.0, 1.02))
    yield "math.atan2 math.hypot", numbers(UPPER, ANYWHERE)
    yield "builtins.max builtins.min", numbers(LOWER, UPPER) + numbers(UPPER, LOWER)

    yield "adlsp.runtime.unbroadcast", [*_unbroadcast()]
    yield "adlsp.runtime.expand", [*_expand()]
    yield "adlsp.runtime.stretch", [Call((array(3), (2, 3))), Call((array(2, 3), (2, 3)))]
    yield "adlsp.runtime.copy", shapes((2, 3), ())
    yield "adlsp.runtime.seed", [Call((number(), number(), "f")), Call((array(3), array(3), "f"))]
    yield "adlsp.runtime.add", products(((2, 3), (2, 3)), ((), ()))
    yield "adlsp.runtime.add_at", [*_add_at()]
    yield "adlsp.runtime.take_bar", [*_take_bar()]
    yield "adlsp.runtime.restructure", products(((2, 3), (2, 3)), ((), ()))
    yield (
        "adlsp.runtime.transpose_bar",
        [Call((array(2, 3, 4), (2, 0, 1))), Call((array(2, 3), None))],
    )
    yield (
        "adlsp.runtime.trace_bar",
        [Call((array(), (3, 4), 1)), Call((array(3), (2, 3, 4), 0, 2, 0))],
    )
    yield "adlsp.runtime.diag_bar", [Call((array(3, 3), (3,))), Call((array(2), (3, 2), -1))]
    yield "adlsp.runtime.matmul_bar_a", _products_bar(np.matmul, products(*PRODUCTS, *STACKED))
    yield "adlsp.runtime.matmul_bar_b", _products_bar(np.matmul, products(*PRODUCTS, *STACKED))
    yield "adlsp.runtime.dot_bar_a", _products_bar(np.dot, products(*PRODUCTS, *SPREAD))
    yield "adlsp.runtime.dot_bar_b", _products_bar(np.dot, products(*PRODUCTS, *SPREAD))
    yield (
        "adlsp.runtime.inner_bar_a",
        _products_bar(np.inner, products(((2, 3), (5, 3)), ((3,), (3,)))),
    )
    yield (
        "adlsp.runtime.inner_bar_b",
        _products_bar(np.inner, products(((2, 3), (5, 3)), ((3,), (3,)))),
    )
    yield "adlsp.runtime.solve_transposed", [Call((a, b, b)) for a, b in _matrices_and_sides()]


def _powers() -> list[Call]:
    return [
        *pairs(POSITIVE, ANYWHERE),
        *[Call((array(2, 3), n)) for n in (2, 3, 1, 0, -1)],
        *[Call((array(3, low=0.3), n)) for n in (0.5, -1.5)],
        Call((array(2, 3), np.arange(3))),
        Call((number(*POSITIVE), 2)),
        Call((2, array(3))),
    ]


def _clips() -> list[Call]:
    x = np.array([-1.7, -0.4, 0.3, 1.9])
    return [
        Call((x, -1.0, 1.0)),
        Call((x, None, 1.0)),
        Call((x, np.full(4, -1.0), np.full(4, 1.0))),
    ]


def _choices() -> Iterator[tuple[Call, Call]]:
    yield from zip(shapes((3,), (2, 3), (), (2, 1)), products(*CHOSEN), strict=True)


CHOSEN = (((3,), (3,)), ((3,), (2, 1)), ((), ()), ((2, 3), ()))


def _spreads() -> list[Call]:
    calls = [c for c in REDUCED if c.args[0].size > 1 and c.args[0].ndim]
    return [*calls, Call((array(4),), {"ddof": 1}), Call((array(4, 3), 0), {"ddof": 1})]


def _matrices_and_sides() -> list[tuple[Any, Any]]:
    return [
        (regular(3, 3), array(3)),
        (regular(3, 3), array(3, 2)),
        (regular(2, 3, 3), array(2, 3, 2)),
        (regular(3, 3), array(2, 3, 1)),
    ]


def _systems() -> list[Call]:
    return [
        *[Call(pair) for pair in _matrices_and_sides()],
        Call((regular(2, 3, 3), array(1, 3, 2))),
    ]


def _norms() -> list[Call]:
    keywords = [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}]
    return [Call((array(3),)), *[Call((array(2, 3),), k) for k in keywords]]


def _boxes() -> list[Call]:
    return shapes((2, 3, 4))


def _transposed() -> Iterator[Call]:
    yield Call((array(2, 3, 4), (1, 2, 0)))
    yield Call((array(2, 3, 4), None))


def _rolls() -> Iterator[Call]:
    yield Call((array(2, 3), 2))
    yield Call((array(2, 3), -1, 1))
    yield Call((array(2, 3), (1, 2), (0, 1)))


def _unbroadcast() -> Iterator[Call]:
    yield Call((array(2, 3), array(2, 3)))
    yield Call((array(2, 3), array(3)))
    yield Call((array(4, 2, 3), array(2, 1)))
    yield Call((array(2, 3), 1.0))


def _expand() -> Iterator[Call]:
    yield Call((number(), (2, 3)))
    yield Call((array(3), (2, 3), 0))
    yield Call((array(2, 1), (2, 3), -1, True))
    yield Call((array(3), (2, 3, 4), (0, -1)))


def _add_at() -> Iterator[Call]:
    yield Call((array(4), 1, number()))
    yield Call((array(4, 2), slice(1, 3), array(2, 2)))
    yield Call((array(4, 2), np.array([1, 1, 3]), array(3, 2)))
    yield Call((array(4), np.array([True, False, True, False]), array(2)))


def _take_bar() -> Iterator[Call]:
    yield Call((array(4), 1))
    yield Call((array(4, 2), slice(1, 3)))
    yield Call((array(4, 2), np.array([3, 1])))


def _products_bar(multiply: Any, calls: list[Call]) -> list[Call]:
    return [Call((array(*np.shape(multiply(*c.args))), *c.args)) for c in calls]


SAMPLES: dict[str, list[Call]] = {
    name: calls for names, calls in entries() for name in names.split()
}

EXACT: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
    ("numpy.absolute", (0.0,), (0.0,)),
    ("math.fabs", (0.0,), (0.0,)),
    ("numpy.power", (0.0, 2), (0.0, 0.0)),
    ("numpy.power", (0.0, 1), (1.0, 0.0)),
    ("numpy.power", (0.0, 0), (0.0, 0.0)),
    ("numpy.power", (-3.0, 2), (-6.0, None)),
    ("math.pow", (0.0, 0), (0.0, 0.0)),
    ("numpy.tanh", (40.0,), (0.0,)),
    ("numpy.logaddexp", (1000.0, 1000.0), (0.5, 0.5)),
    ("numpy.logaddexp", (1000.0, -1000.0), (1.0, 0.0)),
    ("numpy.maximum", (1.0, 1.0), (0.5, 0.5)),
    ("numpy.minimum", (1.0, 1.0), (0.5, 0.5)),
    ("builtins.max", (1.0, 1.0), (0.5, 0.5)),
    ("numpy.max", (np.array([3.0, 1.0, 3.0]),), (np.array([0.5, 0.0, 0.5]),)),
    ("numpy.clip", (np.array([1.0, 2.0]), 0.0, 1.0), (np.array([1.0, 0.0]), 0.0, 1.0)),
]
"""Places where differences do not tell: name, arguments, gradient of the sum of the result."""

FLAT: dict[str, list[Call]] = {
    name: calls
    for names, calls in [
        (
            "sign signbit floor ceil trunc fix rint round around isfinite isnan isinf any all "
            "logical_not argmax argmin argsort count_nonzero nonzero shape size ndim result_type "
            "iscomplexobj zeros_like ones_like",
            each(0.2, 0.8)[:2],
        ),
        (
            "heaviside floor_divide isclose allclose equal not_equal array_equal less less_equal "
            "greater greater_equal logical_and logical_or logical_xor",
            products(((3,), (3,)), ((2, 3), (3,))),
        ),
        ("searchsorted", [Call((np.array([1.0, 2.0, 3.0]), array(3, low=1.1, high=2.9)))]),
    ]
    for name in names.split()
}
"""Calls of NumPy's functions that do not depend smoothly on their arguments."""
