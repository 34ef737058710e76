"""The examples with TensorFlow: they train, and NumPy has the same gradients."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture(params=["convolution", "lstm"])
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module(request.param)


def weights(example: ModuleType) -> Any:
    made = example.start(np.random.default_rng(3))
    return {name: tf.cast(value, tf.float64) for name, value in made.items()}


def batch(example: ModuleType) -> tuple[Any, Any]:
    x, labels, _, _ = example.load()
    shape = (5, 8, 8, 1) if example.__name__ == "convolution" else (5, 8, 8)
    return tf.constant(x[:5].reshape(shape)), tf.constant(labels[:5])


def test_the_gradient_is_that_of_the_tape(example: ModuleType) -> None:
    w, given = weights(example), batch(example)
    gradient = adlsp.grad(example.loss)
    with tf.GradientTape() as tape:
        tape.watch(w)
        value = example.loss(w, *given)
    expected = tape.gradient(value, w)
    for found in (gradient(w, *given), tf.function(gradient)(w, *given)):
        for name in w:
            np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, atol=1e-12)


def test_it_learns(example: ModuleType) -> None:
    assert example.train(n_epochs=4) > (0.9 if example.__name__ == "convolution" else 0.5)


def test_numpy_has_the_same_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    assert importlib.import_module("lstm").compare() < 1e-12


@pytest.fixture
def mixed(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("mixed_precision")


def test_gradients_in_half_precision_stay_there(mixed: ModuleType) -> None:
    w = mixed.start(np.random.default_rng(3))
    x, labels, _, _ = mixed.load()
    given = tf.constant(x[:32], tf.float16), tf.constant(labels[:32])
    halves, seed = mixed.halves(w), tf.constant(512.0)
    _, found = mixed.gradient(halves, *given, out_bar=seed)
    with tf.GradientTape() as tape:
        tape.watch(halves)
        value = mixed.loss(halves, *given)
    expected = tape.gradient(value, halves, seed)
    for name in w:
        assert found[name].dtype == tf.float16
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-2, atol=1e-2)
    _, unscaled, is_finite = mixed.scaled_gradient(w, *given, 512.0)
    assert is_finite
    assert all(bar.dtype == tf.float32 for bar in unscaled.values())
    assert not mixed.scaled_gradient(w, *given, 2.0**24)[2]


def test_mixed_precision_learns_and_tells_of_the_scale(
    mixed: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mixed.train(n_epochs=5) > 0.9
    told = capsys.readouterr().out
    assert "overflows, left out; scale down to" in told
    assert "good steps; scale up to" in told
    losses = [float(line.split()[3].rstrip(",")) for line in told.splitlines() if "loss" in line]
    assert len(losses) == 5
    assert losses[-1] < 0.3 < losses[0]
