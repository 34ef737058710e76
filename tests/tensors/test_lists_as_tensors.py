"""Functions of TensorFlow of lists, beside tensors of double precision and alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")


def difference(x: Any) -> Any:
    return tf.reduce_sum(tf.math.squared_difference(x, [1.0, 2.0, 3.0]))


def entropy(x: Any) -> Any:
    return tf.nn.softmax_cross_entropy_with_logits(labels=[0.0, 1.0, 0.0], logits=x)


def mean(x: Any) -> Any:
    return tf.reduce_mean([tf.reduce_sum(x), x[0] * x[1]])


def product(x: Any) -> Any:
    return tf.reduce_prod([x, x * x], axis=0)[1]


def spread(x: Any) -> Any:
    return tf.math.reduce_std([x, x * x]) + tf.math.reduce_variance((x, 2.0 * x))


def length(x: Any) -> Any:
    return tf.norm([x[0], x[1] * x[2]]) + tf.nn.l2_loss([x, x * x])


def dotted(x: Any) -> Any:
    return tf.reduce_sum(tf.tensordot([x, x * x], x, 1))


def clipped(x: Any) -> Any:
    return tf.reduce_sum(tf.clip_by_value([x[0], x[1] * 0.5], 0.2, 0.5))


@pytest.mark.parametrize("f", [difference, entropy, mean, product, spread, length, dotted, clipped])
def test_the_gradient_is_that_of_the_tape(
    f: Callable[[Any], Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path))
    x = tf.constant([0.3, 0.6, 0.85], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = f(x)
    expected = tape.gradient(value, x)
    found, x_bar = adlsp.value_and_grad(f)(x)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    np.testing.assert_allclose(x_bar, expected, rtol=1e-10)
    dot = tf.constant([1.0, -2.0, 0.5], tf.float64)
    out_dot = adlsp.jvp(f)(x, dots=(dot,))
    np.testing.assert_allclose(out_dot, tf.reduce_sum(expected * dot), rtol=1e-10)
