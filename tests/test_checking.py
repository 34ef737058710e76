"""`check_grads`: it accepts what is right, and reports what is wrong."""

from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp import insert_grad_of, rules

X = np.array([0.3, -0.5, 1.2])
LAYERS = {"layers": [{"w": np.eye(3) * 0.5, "b": X}, {"w": np.ones((3, 3)), "b": -X}], "name": "n"}


def network(params, x):
    for layer in params["layers"]:
        x = np.tanh(x @ layer["w"] + layer["b"])
    return {"out": x, "parts": (np.sum(x), 3)}


def running(a, b):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * b[i] + a[i]


def numbers(x, n):
    return x**n


def cube(x):
    return x * x * x


def wrong_cube(x):
    return x * x * x


@rules.elementwise(wrong_cube)
def wrong_cube_rule(x):
    return 3 * x


def calls_wrong(x):
    return np.sum(wrong_cube(x))


def slope(x):
    return 3 * x * x


def wrong_slope(x):
    return 3 * x * x


@rules.elementwise(cube)
def cube_rule(x):
    return wrong_slope(x)


@rules.elementwise(wrong_slope)
def wrong_slope_rule(x):
    return 3 * x


def calls_cube(x):
    return np.sum(cube(x))


def asked_of_a_number(x, y):
    return x.sum() * y[None].sum() * x


def above(x, k):
    places = np.arange(x.size)
    return places[x.ravel() > k], x * x


@adlsp.differentiable
def doubled(x):
    with insert_grad_of(x) as x_bar:
        x_bar = 2 * x_bar
    return np.sum(x)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(
    ("function", "args", "options"),
    [
        (network, (LAYERS, X), {}),
        (network, (LAYERS, X), {"wrt": "x"}),
        (running, (X, X + 1), {"outputs": ("a",)}),
        (numbers, (1.5, 3), {}),
        (numbers, (1.5, 3.0), {}),
        (above, (X, 0.5), {"wrt": "x"}),
        (asked_of_a_number, (np.float64(1.5), np.float32(0.5)), {}),
    ],
)
def test_what_is_right_is_accepted(function: Any, args: Any, options: Any, order: int) -> None:
    adlsp.check_grads(function, args, order=order, **options)


def test_a_wrong_gradient_is_reported_with_its_argument() -> None:
    with pytest.raises(AssertionError, match="`calls_wrong` is wrong\n  x: WRONG, gradient"):
        adlsp.check_grads(calls_wrong, (X,))


def test_a_wrong_second_derivative_is_found_by_order_2() -> None:
    adlsp.check_grads(calls_cube, (X,))
    with pytest.raises(AssertionError, match="x: WRONG"):
        adlsp.check_grads(calls_cube, (X,), order=2)


def test_the_tangent_must_agree_with_the_gradient() -> None:
    with pytest.raises(AssertionError, match="with the tangent it is"):
        adlsp.check_grads(doubled, (X,))


def test_arguments_are_left_alone_and_other_orders_refused() -> None:
    a, b = X.copy(), X + 1
    adlsp.check_grads(running, (a, b), outputs=("a",))
    np.testing.assert_array_equal(a, X)
    with pytest.raises(ValueError, match="`order`"):
        adlsp.check_grads(cube, (1.0,), order=3)


def seeded(inner_bar, inner_dots):
    return inner_bar**3 * inner_dots


def test_derivatives_nest_as_often_as_one_likes() -> None:
    third = adlsp.grad(adlsp.grad(adlsp.grad(numbers)))
    assert third(0.7, 3) == pytest.approx(6.0)
    assert third(0.7, 3, inner_bar=2.0, inner_bar_2=3.0) == pytest.approx(36.0)
    assert adlsp.grad(third)(0.7, 3) == 0.0
    tangent = adlsp.jvp(adlsp.jvp(adlsp.jvp(numbers)))
    dots = {"dots": (1.0,), "inner_dots": (1.0,), "inner_dots_2": (1.0,)}
    assert tangent(0.7, 3, **dots) == pytest.approx(6.0)
    assert adlsp.grad(adlsp.grad(seeded))(0.7, 2.0) == pytest.approx(8.4)
