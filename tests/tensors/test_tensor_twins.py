"""The corpus in both libraries: kernels written for NumPy, and once more for TensorFlow.

Both texts have the same values and gradients, and the gradients are those of the tape.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pytest

import adlsp
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.workspace import Workspace

tf = pytest.importorskip("tensorflow")
every = pytest.importorskip("twins.every")

Value = Any

every_twin = pytest.mark.parametrize("twin", every.TWINS, ids=str)
every_traced_twin = pytest.mark.parametrize(
    "twin", [twin for twin in every.TWINS if not twin.is_eager], ids=str
)


def out_bar_of(twin: Value) -> Value:
    """A gradient of the output, in its structure; as tensors it is the same."""
    out = oracle.call(twin.arrays, twin.args, twin.outputs)
    return oracle.weights(out, np.random.default_rng(3))


def tensors(tree: Value) -> Value:
    return tf.nest.map_structure(lambda part: tf.constant(part, tf.float64), tree)


def flat(tree: Value) -> list[Value]:
    return tf.nest.flatten(tree)


def agree(got: Value, expected: Value, tolerance: float = 1e-9) -> None:
    for one, other in zip(flat(got), flat(expected), strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=1e-2 * tolerance)


def taped(function: Callable[..., Value], args: Value, wrt: tuple[str, ...], bar: Value) -> Value:
    """The gradients by the tape, as a flat list."""
    watched = flat([args[name] for name in wrt])
    with tf.GradientTape() as tape:
        for part in watched:
            tape.watch(part)
        out = function(**args)
    bars = tape.gradient(flat(out), watched, flat(bar), unconnected_gradients="zero")
    return [tf.convert_to_tensor(bar) for bar in bars]


@every_twin
def test_both_libraries_have_the_same_gradients(twin: Value) -> None:
    bar, args = out_bar_of(twin), twin.tensor_args()
    of_arrays = adlsp.value_and_grad(twin.arrays, wrt=twin.wrt, outputs=twin.outputs)
    value, gradients = of_arrays(**copy.deepcopy(twin.args), out_bar=bar)
    got, bars = adlsp.value_and_grad(twin.tensors, wrt=twin.wrt)(**args, out_bar=tensors(bar))
    assert all(isinstance(part, tf.Tensor) for part in flat(bars))
    agree(got, value)
    agree(bars, gradients)
    agree(bars, taped(twin.tensors, args, twin.wrt, tensors(bar)))


@every_twin
def test_the_text_alone_gives_the_same_derivative(twin: Value) -> None:
    workspace, path = Workspace(), inspect.getfile(twin.tensors)
    name = f"{workspace.module_name(path)}.{twin.tensors.__name__}"
    static = engine.derive(Request(name, twin.wrt, True), workspace.resolver(path))
    assert static.source == adlsp.derive(twin.tensors, wrt=twin.wrt).source


@every_traced_twin
def test_gradients_compile(twin: Value) -> None:
    bar, args = tensors(out_bar_of(twin)), twin.tensor_args()
    derivative = adlsp.vjp(twin.tensors, wrt=twin.wrt)
    active = {name: args[name] for name in twin.wrt}
    compiled = tf.function(lambda given: derivative(**{**args, **given}, out_bar=bar))
    agree(compiled(active), taped(twin.tensors, args, twin.wrt, bar))


@every_twin
def test_tangents_are_adjoint_to_gradients(twin: Value) -> None:
    """⟨out_bar, out_dot⟩ is Σ ⟨x_bar, x_dot⟩, up to rounding."""
    bar, args = tensors(out_bar_of(twin)), twin.tensor_args()
    dots = tensors(tuple(oracle.directions(twin.args, twin.wrt).values()))
    out_dot = adlsp.jvp(twin.tensors, wrt=twin.wrt)(**args, dots=dots)
    bars = taped(twin.tensors, args, twin.wrt, bar)
    agree(inner(out_dot, bar), inner(bars, dots))


def inner(one: Value, other: Value) -> Value:
    pairs = zip(flat(one), flat(other), strict=True)
    return tf.add_n([tf.reduce_sum(a * b) for a, b in pairs])


@every_twin
def test_second_derivatives_agree(twin: Value) -> None:
    """With those of a tape in a tape; where that is wrong, with those of NumPy."""
    bar, args = out_bar_of(twin), twin.tensor_args()
    dots = tuple(oracle.directions(twin.args, twin.wrt).values())
    gradient = adlsp.vjp(twin.tensors, wrt=twin.wrt)
    pulled = adlsp.vjp(gradient, wrt=twin.wrt)
    got = pulled(**args, inner_bar=tensors(bar), out_bar=tensors(dots))
    if twin.is_taped_twice:
        expected = taped_twice(twin, args, tensors(bar), tensors(dots))
    else:
        of_arrays = adlsp.vjp(adlsp.vjp(twin.arrays, wrt=twin.wrt), wrt=twin.wrt)
        expected = of_arrays(**copy.deepcopy(twin.args), inner_bar=bar, out_bar=dots)
    agree(got, expected, 1e-8)


def taped_twice(twin: Value, args: Value, bar: Value, dots: Value) -> Value:
    """The gradients of what the gradients are along some directions, as a flat list."""
    watched = flat([args[name] for name in twin.wrt])
    with tf.GradientTape() as tape:
        for part in watched:
            tape.watch(part)
        gradients = taped(twin.tensors, args, twin.wrt, bar)
        along = inner(gradients, dots)
    bars = tape.gradient(along, watched, unconnected_gradients="zero")
    return [tf.convert_to_tensor(bar) for bar in bars]
