"""The functions of NumPy in Python give what NumPy gives, and each name leads to one of them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adlsp.transform.frontend import resolve
from adlsp.transform.source import packaged

TEXT = packaged(resolve.IN_PYTHON).text

OURS: dict[str, Any] = {}
exec(compile(TEXT, resolve.IN_PYTHON, "exec"), OURS)

ARRAYS = (np.arange(3.0), np.arange(6.0).reshape(2, 3), np.arange(24.0).reshape(2, 3, 4))

ALONG: dict[str, Callable[..., Any]] = {
    "a sum": np.sum,
    "running sums": np.cumsum,
    "a part": lambda row: row[:2],
    "half precision": lambda row: np.float16(row[0]),
    "a matrix": lambda row: np.outer(row, row[:2]),
    "matrices": lambda row: np.arange(24.0).reshape(4, 3, 2) * row[0],
    "a list": lambda row: [row[0], 2],
    "an integer at first": lambda row: 1 if row[0] == 0 else row[0] / 4,
}


def same(ours: Any, theirs: Any) -> None:
    """Fails where two results have other elements, or another shape or dtype."""
    if isinstance(theirs, tuple):
        assert isinstance(ours, tuple)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
        return
    assert np.shape(ours) == np.shape(theirs)
    assert np.asarray(ours).dtype == np.asarray(theirs).dtype
    assert np.array_equal(ours, theirs)


def test_each_name_leads_to_a_function() -> None:
    written = {n.name for n in ast.parse(TEXT).body if isinstance(n, ast.FunctionDef)}
    assert {f"numpy.{name}" for name in written} == resolve.HAVING


@pytest.mark.parametrize("name", ALONG)
@pytest.mark.parametrize("array", ARRAYS, ids=np.ndim)
def test_along_each_axis(array: np.ndarray, name: str) -> None:
    for axis in range(-array.ndim, array.ndim):
        ours = OURS["apply_along_axis"](ALONG[name], axis, array)
        same(ours, np.apply_along_axis(ALONG[name], axis, array))


@pytest.mark.parametrize("otypes", [None, [np.float32]])
@pytest.mark.parametrize("array", ARRAYS, ids=np.ndim)
def test_of_each_element(array: np.ndarray, otypes: list[type] | None) -> None:
    for given in ((array,), (array, 2.0), (2, array), (array, array[..., :1])):
        for f in (lambda *values: sum(values), lambda *values: 1 if values[0] == 0 else 2.5):
            same(OURS["vectorize"](f, otypes)(*given), np.vectorize(f, otypes)(*given))


def test_of_each_element_several() -> None:
    def both(a: float, b: float) -> tuple[float, int]:
        return a * b, int(a)

    for otypes in (None, [float, float]):
        ours = OURS["vectorize"](both, otypes)(ARRAYS[1], 2.0)
        same(ours, np.vectorize(both, otypes)(ARRAYS[1], 2.0))


def test_of_places() -> None:
    for kinds in ({}, {"dtype": int}):
        ours = OURS["fromfunction"](lambda i, j: i * j, (2, 3), **kinds)
        same(ours, np.fromfunction(lambda i, j: i * j, (2, 3), **kinds))


def test_open_grids() -> None:
    mask = np.array([True, False, True])
    for given in (([0, 2],), ([0, 2], [1]), (mask, [1, 0]), (ARRAYS[0], ARRAYS[0], [2])):
        same(OURS["ix_"](*given), np.ix_(*given))
