"""Random functions with roots: what is divided plainly is what `rt.ratio` gives, also at 0.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dividing
import numpy as np
import pytest

import adlsp
from adlsp.transform.optimize import ratios

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))
N_POINTS = 4


@pytest.fixture
def function(tmp_path: Path) -> Iterator[Callable[[int], Callable[..., Any]]]:
    """Makes the function of a seed, each time in a module of its own."""
    names: list[str] = []

    def make(seed: int) -> Callable[..., Any]:
        names.append(f"roots_{seed}_{len(names)}")
        (tmp_path / f"{names[-1]}.py").write_text(dividing.write(seed))
        importlib.invalidate_caches()
        made: Callable[..., Any] = importlib.import_module(names[-1]).f
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
        patch.syspath_prepend(str(tmp_path))
        yield make
    for name in names:
        del sys.modules[name]


def points(seed: int) -> Iterator[tuple[Any, ...]]:
    """Arguments, with zeros among them."""
    chance = np.random.default_rng(seed)
    for _ in range(N_POINTS):
        x, y = (chance.choice([0.0, 1.0, -1.5, 0.3], 3) for _ in range(2))
        yield x, y, chance.choice([0.0, 0.0, 1.0, -2.0], (3, 2)), float(chance.choice([0.0, 0.5]))


def gradients(gradient: Callable[..., Any], seed: int) -> tuple[list[Any], int]:
    """The gradients at some points, and how many times the derivative calls for a ratio."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = [part for point in points(seed) for part in gradient(*point)]
    return found, gradient.derivative.source.count("rt.ratio")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_gradients_are_those_of_ratios(
    function: Callable[[int], Callable[..., Any]], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, n_left = gradients(adlsp.grad(function(seed), wrt=(0, 1, 2, 3)), seed)
    monkeypatch.setattr(ratios, "without_divided", lambda block: block)
    monkeypatch.setattr(ratios, "without_positive", lambda block, _: block)
    careful, n_all = gradients(adlsp.grad(function(seed), wrt=(0, 1, 2, 3)), seed)
    assert n_left <= n_all
    for one, other in zip(plain, careful, strict=True):
        is_number = np.isfinite(other)
        np.testing.assert_array_equal(np.isfinite(one), is_number)
        np.testing.assert_allclose(np.asarray(one)[is_number], np.asarray(other)[is_number])


def test_most_programs_have_something_to_divide_plainly(
    function: Callable[[int], Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [gradients(adlsp.grad(function(s), wrt=(0, 1, 2, 3)), s)[1] for s in range(8)]
    monkeypatch.setattr(ratios, "without_divided", lambda block: block)
    monkeypatch.setattr(ratios, "without_positive", lambda block, _: block)
    every = [gradients(adlsp.grad(function(s), wrt=(0, 1, 2, 3)), s)[1] for s in range(8)]
    assert sum(one < other for one, other in zip(counts, every, strict=True)) >= 4
