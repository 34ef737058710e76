"""Derivatives that what is differentiated calls, as the program has them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp import cli
from tests.transform import differences

TEXT = """\
import functools

import numpy as np

import adlsp


def cube(q):
    return np.sum(q**3)


def wave(q):
    return np.sum(np.cos(q) * q)


def kept(scale):
    def energy(q):
        return scale * np.sum(q**3)

    return energy


force = adlsp.grad(cube)
seeded = functools.partial(adlsp.vjp(cube), out_bar=1.0)


def beside(q):
    return np.sum(q * seeded(np.array([1.0, 2.0])))


@adlsp.grad
def pull(q):
    return np.sum(np.sin(q) * q)


def held(q):
    return np.sum(force(q) * q)


def decorated(q):
    return np.sum(pull(q) * q)


def asked(q):
    return np.sum(adlsp.grad(cube)(q) * q)


def given(q, f):
    return np.sum(f(q) * q)


def vector(q):
    return q * q


def unfit(q):
    return np.sum(adlsp.grad(vector)(q) * q)


def unread(q):
    return np.sum(np.lib.scimath.log(q))


def refused(q):
    return np.sum(adlsp.grad(unread)(q))


def unasked(q, p):
    return np.sum(q) * np.sum(adlsp.grad(cube)(p))
"""

AT = np.array([0.5, -1.25])


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forces.py").write_text(TEXT)
    yield importlib.import_module("forces")
    del sys.modules["forces"]


def check(f: Callable[..., Any], *args: Any) -> None:
    """The gradient of the first argument is what differences say, and its tangent, too."""
    expected = differences.gradient(lambda q: f(q, *args), AT)
    np.testing.assert_allclose(adlsp.grad(f)(AT.copy(), *args), expected, rtol=1e-6)
    tangent = adlsp.jvp(f)(AT.copy(), *args, dots=(np.array([1.0, 2.0]),))
    np.testing.assert_allclose(tangent, expected @ [1.0, 2.0], rtol=1e-6)


def test_a_variable_may_hold_another_derivative(program: Any) -> None:
    gradient = adlsp.grad(program.held)
    np.testing.assert_allclose(gradient(AT), 9 * AT**2)
    program.force = adlsp.grad(program.wave)
    check(program.held)
    np.testing.assert_allclose(gradient(AT), adlsp.grad(program.held)(AT))
    program.force = adlsp.value_and_grad(program.cube)
    with pytest.raises(ValueError, match="sequence"):
        gradient(AT)
    program.force = np.sin
    check(program.held)
    program.force = adlsp.grad(program.cube)
    np.testing.assert_allclose(gradient(AT), 9 * AT**2)


def test_what_it_is_of_may_be_another_function(program: Any) -> None:
    before = adlsp.grad(program.held)(AT)
    program.cube = program.wave
    check(program.asked)
    with pytest.raises(adlsp.DifferentiationError, match="held in a variable"):
        adlsp.grad(program.held)(AT)  # of which the name leads to another one
    program.force = adlsp.grad(program.wave)
    check(program.held)
    assert not np.allclose(before, adlsp.grad(program.held)(AT))


def test_a_decorator_makes_the_derivative(program: Any) -> None:
    check(program.decorated)


def test_a_derivative_is_an_argument(program: Any) -> None:
    check(program.given, adlsp.grad(program.cube))
    check(program.given, adlsp.grad(program.wave))
    check(program.given, np.sin)


def test_of_a_closure_from_outside_it_is_refused(program: Any) -> None:
    program.force = adlsp.grad(program.kept(2.0))
    with pytest.raises(adlsp.DifferentiationError, match="held in a variable"):
        adlsp.grad(program.held)(AT)


def test_what_gives_no_number_has_no_gradient(program: Any) -> None:
    with pytest.raises(ValueError, match="the output of `vector` has shape"):
        adlsp.grad(program.unfit)(AT)


def test_what_is_found_in_it_is_told(program: Any) -> None:
    with pytest.raises(adlsp.DifferentiationError, match=r"scimath\.log"):
        adlsp.grad(program.refused)(AT)


def test_float32_stays(program: Any) -> None:
    for f in (program.held, program.asked, program.decorated):
        assert adlsp.grad(f)(AT.astype(np.float32)).dtype == np.float32


def test_the_editor_shows_what_runs(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("held", "asked", "decorated"):
        gradient = adlsp.grad(getattr(program, name))
        gradient(AT)
        assert cli.main(["show", f"forces.py::{name}"]) == 0
        assert capsys.readouterr().out == gradient.derivative.source


def test_what_takes_no_part_is_computed(program: Any) -> None:
    gradient = adlsp.grad(program.unasked)(AT, 2 * AT)
    np.testing.assert_allclose(gradient, np.sum(12 * AT**2) * np.ones(2))


def test_a_partial_of_one_that_takes_no_part(program: Any) -> None:
    """It was refused, as what may change something that nobody knows."""
    check(program.beside)
