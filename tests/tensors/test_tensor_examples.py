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
