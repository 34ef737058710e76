"""Gradients of scalars in both precisions are those of the tape, also compiled and twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")

programs = pytest.importorskip("scalar_programs")

SCALARS = [f for _, f in inspect.getmembers(programs, inspect.isfunction)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("function", SCALARS, ids=[f.__name__ for f in SCALARS])
def test_the_gradient_is_that_of_the_tape(function: Callable[..., Any], dtype: str) -> None:
    x = tf.constant([0.4, 0.9, 1.2, 0.5], dtype)
    v = tf.constant([1.0, -0.5, 0.3, 2.0], dtype)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = function(x)
        first = tf.convert_to_tensor(inner.gradient(value, x))
    expected = outer.gradient(first, x, output_gradients=v)
    gradient = adlsp.grad(function)
    second = adlsp.vjp(gradient)(x, out_bar=v)
    tolerance = 1e-9 if dtype == "float64" else 1e-3
    for found in (gradient(x), tf.function(gradient)(x)):
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, first, tolerance, tolerance)
    assert second.dtype == x.dtype
    wanted = tf.zeros_like(x) if expected is None else expected
    np.testing.assert_allclose(second, wanted, tolerance, tolerance)
