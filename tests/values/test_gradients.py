"""What is said of gradients that functions of derivatives give, held against the gradients."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from abstraction import Abstraction, is_told
from test_transfer import WAYS

from adlsp import runtime as rt
from adlsp.transform.values.lattice import Array
from adlsp.transform.values.transfer import Given, result

A, B, F = np.arange(3.0), np.arange(6.0).reshape(2, 3), np.arange(3, dtype=np.float32)
SQUARE, CUBE = np.arange(9.0).reshape(3, 3), np.arange(24.0).reshape(2, 3, 4)
WHOLE = np.arange(3)

VALUES = {
    "a number": 1.5,
    "a number of NumPy": np.float64(1.5),
    "a number in single precision": np.float32(1.5),
    "an integer": 2,
    "a complex number": 1j,
    "an array": A,
    "a matrix": B,
    "an array in single precision": F,
    "an array of integers": WHOLE,
    "a list": [A, B],
    "a list of numbers": [1.0, 2, np.float32(3)],
    "a tuple": (A, 1.0),
    "a list in a list": [[A], (B, 2.0)],
    "a dictionary": {"w": A, "b": 1.0},
    "names and functions beside": {"w": B, "name": "relu", "act": np.tanh, "none": None},
    "integers in a dictionary": {"n": 3, "w": F, "c": {"x": A}},
    "a range": range(3),
    "nothing": None,
    "an empty list": [],
}


def opened(x: Any) -> Any:
    """A gradient of a structure: twice as much as zero, and one more."""
    return rt.add(rt.zeros(x), rt.zeros(x))


CALLS: dict[str, list[tuple[Callable[..., Any], tuple[Any, ...]]]] = {
    "zeros": [(rt.zeros, (x,)) for x in VALUES.values()],
    "parts": [(rt.parts, (opened(x),)) for x in VALUES.values()],
    "add": [(rt.add, (rt.zeros(x), opened(x))) for x in VALUES.values()],
    "restructure": [(rt.restructure, (opened(x), x)) for x in VALUES.values()],
    "cast_like": [(rt.cast_like, (opened(x), x)) for x in VALUES.values()],
    "fitted": [(rt.fitted, (opened(x), x)) for x in VALUES.values()],
    "add_at": [
        (rt.add_at, (rt.zeros([A, B]), 1, B)),
        (rt.add_at, (rt.zeros((A, 1.0)), 0, A)),
        (rt.add_at, (rt.zeros({"w": A, "b": 1.0}), "b", 2.0)),
        (rt.add_at, (rt.zeros(B), (0, 1), 2.0)),
        (rt.add_at, (rt.zeros(A), WHOLE, A)),
        (rt.add_at, (rt.zeros(F), slice(1, None), F[1:])),
        (rt.add_at, (rt.zeros([1.0, 2]), 1, 2.0)),
    ],
    "unbroadcast": [
        (rt.unbroadcast, (given, like))
        for given in (A, B, F, 1.5, np.float64(2), np.float32(2))
        for like in (A, F, 1.5, 2, np.float64(2), np.float32(2), np.int64(2), WHOLE)
        if np.ndim(given) >= np.ndim(like)
    ],
    "broadcast": [(rt.broadcast, given) for given in ((A, B), (A, 1.5), (1.0, 2.0), (B, F))],
    "listed": [
        (rt.listed, ([A, B], [A, B])),
        (rt.listed, (B, [A, F])),
        (rt.listed, (A, [1.0, 2, 3])),
    ],
    "split_bar": [
        (rt.split_bar, (np.arange(6.0), [A, F])),
        (rt.split_bar, (B, [A, A])),
        (rt.split_bar, (np.float32(1) * B, (A, WHOLE))),
        (rt.split_bar, (A, [1.0, 2, np.float32(3)])),
    ],
    "repack": [
        (rt.repack, (([A, B], A), 0, [A, B, A])),
        (rt.repack, ((1.0, [A], 2.0), 1, (3.0, A, 2.0))),
        (rt.repack, (([(A, 1.0)], (B, 2.0)), 0, [(A, 1.0), (B, 3.0)])),
    ],
    "transpose_bar": [
        (rt.transpose_bar, (B, (1, 0))),
        (rt.transpose_bar, (np.zeros((2, 3, 4)), (1, 2, 0))),
        (rt.transpose_bar, (np.zeros((2, 3, 4)), (1, -1, 0))),
        (rt.transpose_bar, (F, (0,))),
    ],
    "cross_bar": [(rt.cross_bar, (A, A, A)), (rt.cross_bar, (F, F, F))],
    "dagger": [(rt.dagger, (x,)) for x in (B, CUBE, 1j * B, np.float32(1) * B)],
    "diag_bar": [(rt.diag_bar, (A, (3, 3))), (rt.diag_bar, (SQUARE, (3,)))],
    "diagonal_bar": [(rt.diagonal_bar, (A, (3, 4))), (rt.diagonal_bar, (B, (3, 3, 2)))],
    "diff_bar": [(rt.diff_bar, (A, (4,))), (rt.diff_bar, (B, (2, 5), 2))],
    "fit_to": [(rt.fit_to, (A, np.arange(5.0))), (rt.fit_to, (1j * A, A))],
    "gather_bar": [
        (rt.gather_bar, (F, (5,), np.array([1, 1, 4]))),
        (rt.gather_bar, (A, (2, 4), np.array([1, 1, 4]))),
        (rt.gather_bar, (2.0, (4,), 1)),
        (rt.gather_bar, (B, (2, 4), WHOLE, 1)),
    ],
    "gather_along_bar": [(rt.gather_along_bar, (B, (2, 4), np.array([[1, 0, 1], [3, 2, 1]])))],
    "half_bar": [(rt.half_bar, (B, (2, 4))), (rt.half_bar, (F, (5,)))],
    "hermitian": [(rt.hermitian, (x,)) for x in (SQUARE, 1j * SQUARE, np.float32(1) * SQUARE)],
    "hermitian_bar": [(rt.hermitian_bar, (x, "U")) for x in (SQUARE, 1j * SQUARE)],
    "kron_bar_a": [
        (rt.kron_bar_a, (np.kron(a, b), a, b)) for a in (A, B, F, 1.5) for b in (A, B, 2.0)
    ],
    "kron_bar_b": [(rt.kron_bar_b, (np.kron(a, b), a, b)) for a in (A, B, F) for b in (A, F, 2.0)],
    "last": [(rt.last, (A, A[1:])), (rt.last, (A, 2.0)), (rt.last, (A, F))],
    "others_bar": [(rt.others_bar, (rt.others(B, 1), (2, 3), 1))],
    "pad_bar": [(rt.pad_bar, (A, (1,), 1)), (rt.pad_bar, (F, (1,), 1, "edge"))],
    "product_of_others": [(rt.product_of_others, (x,)) for x in (A, B, F, 1j * A)],
    "repeat_bar": [(rt.repeat_bar, (np.arange(6.0), (3,), 2)), (rt.repeat_bar, (A, (1, 1), 3))],
    "tensordot_bar_a": [
        (rt.tensordot_bar_a, (B, B, SQUARE, 1)),
        (rt.tensordot_bar_a, (np.float64(2.0), A, A, 1)),
        (rt.tensordot_bar_a, (np.outer(F, A), F, A, 0)),
    ],
    "tensordot_bar_b": [(rt.tensordot_bar_b, (B, B, SQUARE, 1))],
    "tile_bar": [(rt.tile_bar, (np.arange(6.0), (3,), 2)), (rt.tile_bar, (B, (3,), (2, 1)))],
    "trace_bar": [(rt.trace_bar, (2.0, (3, 3))), (rt.trace_bar, (A, (2, 2, 3)))],
    "triangle": [(rt.triangle, (SQUARE,)), (rt.triangle, (1j * CUBE, True))],
    "windows_bar": [(rt.windows_bar, (B, (4,), 3))],
    "take_bar": [
        (rt.take_bar, (A, 1)),
        (rt.take_bar, (A, WHOLE)),
        (rt.take_bar, (B, slice(0, 1))),
        (rt.take_bar, ([A, B], 1)),
        (rt.take_bar, ({"w": A}, "w")),
    ],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_gradients_are_among_those_that_are_told(name: str) -> None:
    n_told = 0
    for function, args in CALLS[name]:
        made = function(*copy.deepcopy(args))
        is_shape = isinstance(made, np.broadcast)
        value = np.zeros(made.shape) if is_shape else made
        for what, kept in WAYS.items():
            way = Abstraction(**kept)
            said = result(f"adlsp.runtime.{name}", Given(tuple(map(way.of, args)), {}))
            n_told += what == "exactly" and (is_shape or is_told(said))
            if is_shape:
                assert isinstance(said, Array)
                said = said.with_elements
            assert way.has(said, value), (what, args, said, value)
    assert n_told >= 0.4 * len(CALLS[name])
