"""Random programs that are called with arguments of several types in turn, by one derivative.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
import shrinking
import spelling
import typed
import typed_oracle

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

EXPLAINED = {"AD202", "AD302", "AD303", "AD304", "AD404", "AD503"}
"""Findings that a program may have: a name of two functions, shared memory, early returns, arrays
of integers."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_for_each_signature(folder: Path, seed: int) -> None:
    written = typed.write(seed)
    program = replace(written, text=spelling.respelled(written.text, seed))

    def failure(text: str, number: int) -> oracle.WrongError | None:
        path = folder / f"typed_program_{seed}_{number}.py"
        try:
            typed_oracle.run_program(path, program, text)
        except oracle.WrongError as error:
            return error
        except adlsp.DifferentiationError as error:
            if text == program.text and not {f.code for f in error.findings} <= EXPLAINED:
                raise
        return None

    found = shrinking.smallest(program.text, failure)
    if found is not None:
        pytest.fail("\n".join((f"seed {seed}, wrt={program.wrt}", *map(str, found))))


def test_the_same_seed_gives_the_same_program() -> None:
    assert typed.write(7).text == typed.write(7).text
    assert len({typed.write(seed).text for seed in range(20)}) == 20


@pytest.mark.parametrize("seed", [0])
def test_most_points_are_compared(folder: Path, seed: int) -> None:
    done: Counter[str] = Counter()
    for number in range(4):
        path = folder / f"typed_program_{seed}_counted_{number}.py"
        done += typed_oracle.run_program(path, typed.write(seed + number)).done
    assert done["compared"] >= 0.5 * done["run"] > 0, done


VECTOR, COMPLEX = np.array([0.4, -0.7, 1.1]), np.array([0.4 + 0.3j, -0.7j, 1.1])


def drops(x: Any, y: Any, r: Any) -> Any:
    y[0] *= r
    return np.sum(x * x)


def scaled(v: Any, r: Any) -> None:
    v *= r


def drops_by_call(x: Any, y: Any, r: Any) -> Any:
    scaled(y, r)
    return np.sum(x * x)


def uses_by_call(x: Any, y: Any, r: Any) -> Any:
    scaled(y, r)
    return np.sum(x * x) + y[0]


@pytest.mark.parametrize("f", [drops, drops_by_call, uses_by_call])
@pytest.mark.parametrize("derivative", [adlsp.grad, adlsp.jvp])
def test_one_array_given_twice_is_refused_whatever_becomes_of_what_is_changed(
    f: Callable[..., Any], derivative: Callable[..., Any]
) -> None:
    seeds = {} if derivative is adlsp.grad else {"dots": (VECTOR, VECTOR)}
    made = derivative(f, ("x", "y"))
    made(VECTOR.copy(), VECTOR.copy(), 2.0, **seeds)
    one = VECTOR.copy()
    with pytest.raises(ValueError, match="share their memory"):
        made(one, one, 2.0, **seeds)


def weighed(w: Any, x: Any) -> Any:
    return np.sum(w * w * x)


def bent(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(w) * x)


@pytest.mark.parametrize("f", [weighed, bent])
@pytest.mark.parametrize("wrt", ["w", ("w", "x")])
@pytest.mark.parametrize("kind", [list, tuple])
def test_numbers_in_lists_meet_gradients_as_arrays(
    f: Callable[..., Any], wrt: Any, kind: type
) -> None:
    gradient, x = adlsp.grad(f, wrt), VECTOR[::-1]
    expected, found = gradient(VECTOR, x), gradient(VECTOR, kind(x.tolist()))
    for one, other in zip(np.atleast_2d(expected), np.atleast_2d(found), strict=True):
        np.testing.assert_allclose(one, other)


def rows_of(z: Any, m: Any) -> Any:
    m = m * z[:, None]
    return np.sum(np.real(m @ z) ** 2)


def tail_of(z: Any, m: Any) -> Any:
    z = np.tanh(z)[1:]
    return np.abs(np.sum(z * m[0, 1]))


def set_in(z: Any, m: Any) -> Any:
    z[0] = z[1] * z[2]
    return np.abs(np.sum(z[:2] * m[0, 1]))


@pytest.mark.parametrize("f", [rows_of, tail_of, set_in])
def test_parts_of_real_arrays_meet_complex_ones(f: Callable[..., Any]) -> None:
    adlsp.check_grads(f, (VECTOR, np.outer(COMPLEX, COMPLEX + 0.5)))
    bar = adlsp.grad(f)(VECTOR, np.outer(COMPLEX, COMPLEX))
    assert bar.dtype == np.float64


def test_a_real_number_has_a_real_gradient_beside_complex_ones() -> None:
    s_bar, r_bar = adlsp.vjp(lambda s, r: s / r, ("s", "r"))(0.3 + 0.4j, -0.5, out_bar=1.0 + 2.0j)
    assert isinstance(s_bar, complex)
    assert np.isrealobj(r_bar)


def test_a_seed_is_that_of_the_result_where_a_list_has_its_shape() -> None:
    bar = adlsp.vjp(lambda s, x: s + np.sum(x), "x")([1.0, 2.0], VECTOR, out_bar=np.ones(2))
    np.testing.assert_allclose(bar, np.full(3, 2.0))


def with_methods(u: Any) -> Any:
    return u.sum() * u[None] + np.sin(u)


def with_methods_in_a_callee(u: Any) -> Any:
    v = u
    return np.sum(with_methods(v)) * u.T


@pytest.mark.parametrize("u", [np.float64(0.7), np.array(0.7)])
@pytest.mark.parametrize("f", [with_methods, with_methods_in_a_callee])
def test_the_tangent_of_a_number_of_numpy_may_be_one_of_python(
    f: Callable[..., Any], u: Any
) -> None:
    expected = adlsp.jvp(f)(u, dots=(np.float64(1.0),))
    np.testing.assert_array_equal(adlsp.jvp(f)(u, dots=(1.0,)), expected)
