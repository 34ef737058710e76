"""Variables that are set, blocks of operations, dropout, and functions with their own gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")
programs = pytest.importorskip("variable_programs")

Value = Any

X = tf.constant([0.3, -0.5, 0.7], tf.float64)
DIRECTION = tf.constant([1.0, -2.0, 0.5], tf.float64)
STEP = 1e-5

SETTING: list[tuple[Callable[..., Value], Callable[[], tuple[Value, ...]]]] = [
    (programs.accumulated, tuple),
    (programs.set_twice, tuple),
    (programs.iterated, tuple),
    (programs.of_two_names, tuple),
    (programs.of_parts, tuple),
    (programs.of_callee, tuple),
    (programs.of_caller, lambda: (tf.Variable(DIRECTION),)),
    (programs.moving_average, lambda: ({"mean": tf.Variable(0.5, dtype=tf.float64)},)),
    (programs.of_module, tuple),
]
EACH = pytest.mark.parametrize(
    ("function", "others"), SETTING, ids=[f.__name__ for f, _ in SETTING]
)


def slope(function: Callable[[Value], Value], direction: Value) -> Value:
    """The derivative of a function at X along a direction, by central differences."""
    ahead, behind = function(X + STEP * direction), function(X - STEP * direction)
    return (ahead - behind) / (2 * STEP)


@EACH
def test_setting_a_variable_is_a_store(
    function: Callable[..., Value], others: Callable[[], tuple[Value, ...]]
) -> None:
    gradient, tangent = adlsp.grad(function), adlsp.jvp(function)
    if function is not programs.moving_average:  # of which a part counts as constant
        expected = slope(lambda x: function(x, *others()), DIRECTION)
        np.testing.assert_allclose(tangent(X, *others(), dots=(DIRECTION,)), expected, 1e-8)
    along = tf.reduce_sum(gradient(X, *others()) * DIRECTION)
    np.testing.assert_allclose(along, tangent(X, *others(), dots=(DIRECTION,)), 1e-12)
    second = adlsp.hvp(function)(X, *others(), dots=(DIRECTION,))
    if function is not programs.moving_average:
        expected = slope(lambda x: gradient(x, *others()), DIRECTION)
        np.testing.assert_allclose(second, expected, 1e-7, 1e-8)


@pytest.mark.parametrize("function", [programs.of_caller, programs.moving_average])
def test_variables_of_the_caller_stay_as_they_were(function: Callable[..., Value]) -> None:
    others = dict(SETTING)[function]
    (given,), expected = others(), adlsp.grad(function)(X, *others())
    found = tf.function(lambda x: adlsp.grad(function)(x, given))(X)
    np.testing.assert_allclose(found, expected, 1e-12)
    for variable, before in zip(*map(tf.nest.flatten, (given, others()[0])), strict=True):
        np.testing.assert_array_equal(variable, before)


def test_a_variable_given_twice_is_refused() -> None:
    v = tf.Variable(X)
    with pytest.raises(ValueError, match="AD303"):
        adlsp.grad(programs.read_after)(v, v)


@pytest.mark.parametrize("function", [programs.dropped, programs.some_dropped])
def test_a_mask_is_drawn_once(function: Callable[..., Value]) -> None:
    x = tf.constant(np.where(np.arange(60) % 3 == 0, 0.0, np.linspace(-1, 1, 60)))
    tf.random.set_seed(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = function(x)
    expected = tape.gradient(value, x)
    tf.random.set_seed(3)
    found = adlsp.value_and_grad(function)(x)
    np.testing.assert_allclose(found[0], value)
    np.testing.assert_allclose(found[1], expected, 1e-12)
    assert np.any(np.asarray(expected)[::3] != 0) or function is programs.some_dropped


def test_what_is_dropped_hides_what_is_not_finite() -> None:
    x = tf.constant(np.full(50, np.inf))
    assert np.all(np.isin(adlsp.vjp(programs.halved)(x, out_bar=tf.ones_like(x)), (0, 2)))


@pytest.mark.parametrize("function", [programs.of_own_gradients, programs.of_clipped])
def test_a_function_may_have_a_gradient_of_its_own(function: Callable[..., Value]) -> None:
    with tf.GradientTape() as outer:
        outer.watch(X)
        with tf.GradientTape() as tape:
            tape.watch(X)
            value = function(X)
        expected = tape.gradient(value, X)
    np.testing.assert_allclose(adlsp.grad(function)(X), expected, 1e-12)
    again = adlsp.vjp(adlsp.grad(function))(X, out_bar=DIRECTION)
    np.testing.assert_allclose(again, outer.gradient(expected, X, DIRECTION), 1e-12)
    with pytest.raises(adlsp.DifferentiationError, match="AD110"):
        adlsp.jvp(function)


@pytest.mark.parametrize("make", [adlsp.grad, adlsp.value_and_grad])
def test_blocks_hold_in_the_backward_sweep(make: Callable[..., Value]) -> None:
    traced = tf.function(make(programs.placed)).get_concrete_function(X)
    placed = {"Sin": "GPU", "Cos": "GPU", "Exp": "CPU"}
    kinds = {op.type: op.device for op in traced.graph.get_operations() if op.type in placed}
    assert {kind: device[-5:-2] for kind, device in kinds.items()} == placed
    (after,) = (op for op in traced.graph.get_operations() if op.type == "TanhGrad")
    assert after.device == ""


def test_named_tuples_have_fields() -> None:
    with tf.GradientTape() as tape:
        tape.watch(X)
        value = programs.best(X)
    np.testing.assert_allclose(adlsp.grad(programs.best)(X), tape.gradient(value, X))
