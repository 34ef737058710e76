"""Functions with blocks for the backward sweep, called as what they are: primals."""

import traceback

import numpy as np
import pytest

import adlsp
from adlsp import insert_grad_of


@adlsp.differentiable(wrt="x")
def marked(x, scale=3.0, *, shift=1.0):
    """A product."""
    y = x * scale
    with insert_grad_of(y) as y_bar:
        twice = y_bar * 2

        y_bar = twice
    return 1 / (y + shift)


def unmarked(x):
    with adlsp.insert_grad_of(x) as x_bar:
        x_bar = x_bar * 2
    return x * x


@adlsp.differentiable
def plain(x):
    return x * x


def caller(x):
    return marked(x) * 2


def test_the_primal_runs_without_its_blocks() -> None:
    assert marked(2.0) == 1 / 7
    assert marked(2.0, 1.0, shift=0.0) == 0.5
    assert (marked.__name__, marked.__doc__) == ("marked", "A product.")


def test_its_tracebacks_show_its_lines() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        marked(0.0, shift=0.0)
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert (last.filename, last.line) == (__file__, "return 1 / (y + shift)")


def test_the_derivative_has_the_blocks_and_names_the_primal() -> None:
    gradient = adlsp.grad(marked)
    assert gradient.__wrapped__ is marked
    np.testing.assert_allclose(gradient(2.0), -2 * 3.0 / 49)
    np.testing.assert_allclose(adlsp.grad(caller)(2.0), -4 * 3.0 / 49)
    assert caller(2.0) == 2 / 7


def test_an_unmarked_primal_says_what_to_do() -> None:
    with pytest.raises(RuntimeError, match=r"@adlsp\.differentiable"):
        unmarked(2.0)
    assert adlsp.grad(unmarked)(2.0) == 8.0


def test_a_function_without_blocks_is_left_as_it_is() -> None:
    assert adlsp.differentiable(plain) is plain
    assert adlsp.grad(plain).__wrapped__ is plain
