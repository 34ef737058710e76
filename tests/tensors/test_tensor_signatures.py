"""Derivatives of tensors for what the arguments are: right for whatever comes next.

A derivative is made for the ranks, dtypes and sizes of one that its first arguments tell; others
get one of their own. Each gradient is compared with that of a tape.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp import runtime as rt

tf = pytest.importorskip("tensorflow")

programs = pytest.importorskip("signature_programs")
affine, scaled, looped = programs.affine, programs.scaled, programs.looped
of_structure, two_layers = programs.of_structure, programs.two_layers

Value = Any


def normal(*shape: int, dtype: str = "float64") -> Value:
    """A tensor of random numbers, the same for each shape."""
    return tf.constant(np.random.default_rng(sum(shape)).normal(size=shape), dtype)


def taped(loss: Callable[..., Value], args: tuple[Value, ...], n: int) -> Value:
    """The gradients of the tape for the first arguments."""
    args = tuple(tf.nest.map_structure(tf.convert_to_tensor, x) for x in args)
    with tf.GradientTape() as tape:
        tape.watch(args[:n])
        value = loss(*args)
    return tape.gradient(value, args[:n])


def assert_like_tape(found: Value, loss: Callable[..., Value], args: tuple[Value, ...]) -> None:
    """Compares gradients with those of the tape, and what they are."""
    n = len(found)
    expected = taped(loss, args, n)
    tolerance = 1e-9 if tf.nest.flatten(args)[0].dtype == "float64" else 1e-4
    flat = zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True)
    for one, other in flat:
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, tolerance, tolerance)


SHAPES = [
    ((3, 4), (4,), (5, 3)),
    ((3, 4), (1,), (5, 3)),
    ((3, 1), (4,), (5, 3)),
    ((3, 4), (5, 4), (5, 3)),
    ((3, 4), (5, 1), (5, 3)),
    ((3, 4), (), (5, 3)),
    ((1, 4), (4,), (5, 1)),
    ((3, 4), (4,), (1, 3)),
    ((3, 4), (2, 5, 4), (5, 3)),
    ((2, 3, 4), (4,), (5, 3)),
    ((3, 4), (4,), (2, 5, 3)),
    ((3, 4), (4,), (0, 3)),
]


def test_each_shape_has_a_derivative_that_is_right() -> None:
    derivative = adlsp.grad(affine, (0, 1, 2))
    compiled = tf.function(derivative)
    for shapes in [*SHAPES, *reversed(SHAPES)]:
        args = tuple(normal(*shape) for shape in shapes)
        if 0 in shapes[2]:
            assert [g.shape for g in derivative(*args)] == [x.shape for x in args]
            continue
        assert_like_tape(derivative(*args), affine, args)
        assert_like_tape(compiled(*args), affine, args)


def test_dtypes_take_turns() -> None:
    derivative = adlsp.grad(affine, (0, 1, 2))
    for dtype in ("float32", "float64", "float32", "float16", "float64"):
        args = normal(3, 4, dtype=dtype), normal(4, dtype=dtype), normal(5, 3, dtype=dtype)
        found = derivative(*args)
        assert {each.dtype.name for each in found} == {dtype}
        if dtype != "float16":
            assert_like_tape(found, affine, args)


@pytest.mark.parametrize("order", [*itertools.permutations(("arrays", "tensors", "variables"))])
def test_arrays_and_tensors_take_turns(order: tuple[str, ...]) -> None:
    derivative = adlsp.grad(scaled, (0, 1))
    made = {"arrays": np.asarray, "tensors": tf.constant, "variables": tf.Variable}
    x, k = normal(5, 3).numpy(), normal(3).numpy()
    expected = [each.numpy() for each in taped(scaled, (x, k), 2)]
    for kind in (*order, *order):
        found = derivative(made[kind](x), made[kind](k))
        assert {isinstance(each, np.ndarray) for each in found} == {kind == "arrays"}
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, 1e-9)
    mixed = derivative(tf.constant(x), k)
    assert isinstance(mixed[1], np.ndarray)
    for one, other in zip(mixed, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-9)


def test_numbers_beside_tensors() -> None:
    derivative = adlsp.grad(scaled, (0, 1))
    x = normal(5, 3)
    for k in (2.0, tf.constant(2.0, tf.float64), np.float64(2.0), normal(1), 2.0):
        found = derivative(x, k)
        expected = taped(scaled, (x, tf.convert_to_tensor(k, tf.float64)), 2)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, 1e-9)


@pytest.mark.parametrize("is_jit", [False, True])
def test_compiled_for_sizes_that_nobody_knows(is_jit: bool) -> None:
    derivative = adlsp.grad(affine, (0, 1, 2))
    one, two, three = (tf.TensorSpec([None] * rank, tf.float64) for rank in (1, 2, 3))
    several = [(two, one, two), (two, two, two), (two, one, three)]
    if not is_jit:
        several.append((tf.TensorSpec(None, tf.float64),) * 3)
    for specs in several:
        compiled = tf.function(derivative, input_signature=specs, jit_compile=is_jit)
        for shapes in SHAPES[:-1]:
            args = tuple(normal(*shape) for shape in shapes)
            if all(spec.is_compatible_with(x) for spec, x in zip(specs, args, strict=True)):
                assert_like_tape(compiled(*args), affine, args)
                assert_like_tape(derivative(*args), affine, args)


@pytest.mark.parametrize("loss", [of_structure, looped])
def test_weights_in_structures_and_loops(loss: Callable[..., Value]) -> None:
    derivative = adlsp.grad(loss, (0, 1))
    for dtype, n in itertools.product(("float64", "float32"), (5, 1)):
        w: Value = normal(4, 4, dtype=dtype)
        if loss is of_structure:
            w = {"a": w, "b": w + 1.0, "c": normal(4, dtype=dtype)}
        args = w, normal(n, 4, dtype=dtype)
        assert_like_tape(derivative(*args), loss, args)
        for compiled in (tf.function(derivative), tf.function(derivative, jit_compile=True)):
            assert_like_tape(compiled(*args), loss, args)
        assert all(map(tf.is_tensor, tf.nest.flatten(derivative(*args))))


def test_seeds_of_any_kind() -> None:
    gradient = adlsp.grad(affine, (0, 1))
    args = normal(3, 4, dtype="float32"), normal(4, dtype="float32"), normal(5, 3, dtype="float32")
    expected = [3.0 * each for each in taped(affine, args, 2)]
    for seed in (3.0, np.float64(3.0), np.array(3.0), tf.constant(3.0), tf.Variable(3.0)):
        for one, other in zip(gradient(*args, out_bar=seed), expected, strict=True):
            assert one.dtype == tf.float32
            np.testing.assert_allclose(one, other, 1e-5)


def test_a_second_derivative_of_plain_forms() -> None:
    w, b, x = normal(3, 4), normal(4), normal(5, 3)
    v = normal(3, 4) + 1.0
    with tf.GradientTape() as outer:
        outer.watch((w, b, x))
        with tf.GradientTape() as inner:
            inner.watch(w)
            value = affine(w, b, x)
        first = inner.gradient(value, w)
    expected = outer.gradient(first, (w, b, x), output_gradients=v)
    found = adlsp.vjp(adlsp.grad(affine), (0, 1, 2))(w, b, x, out_bar=v)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-9)


def test_a_second_derivative_of_a_function_of_tensors_and_scalars() -> None:
    args = normal(4), normal(3)
    directions = normal(4), normal(3)
    with tf.GradientTape() as outer:
        outer.watch(args)
        with tf.GradientTape() as inner:
            inner.watch(args)
            value = programs.of_bent(*args)
        first = inner.gradient(value, args)
    expected = outer.gradient(first, args, output_gradients=directions)
    gradient = adlsp.grad(programs.of_bent, (0, 1))
    found = adlsp.vjp(gradient, (0, 1))(*args, out_bar=directions)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-9)


def test_what_is_known_is_written_plainly() -> None:
    derivative = adlsp.grad(two_layers)
    w = {"a": normal(4, 4), "b": normal(4), "c": normal(4, 4), "d": normal(4)}
    assert_like_tape((derivative(w, normal(5, 4)),), two_layers, (w, normal(5, 4)))
    text = derivative.derivative.source
    assert "tf.reduce_sum(" in text
    assert "transpose_a=True" in text
    for helper in ("rt.unbroadcast", "rt.matmul_bar", "rt.add_at", "rt.restructure", "rt.copy"):
        assert helper not in text


PLAIN = [
    (programs.attention, [(4, 3), (4, 3), (4, 3)], set()),
    (programs.heads, [(6, 6), (6, 6), (6, 6), (4, 6)], set()),
    (
        programs.recurrent,
        [(2, 4), (3, 4), (4, 4), (4,), (5, 2, 3)],
        {"rt.zeros", "rt.add_at", "rt.cast_like"},  # of the parts of `xs`
    ),
    (programs.springs, [(3,), (3,), (), 4], set()),
    (programs.regression, [(3,), (), (5, 3), (5,)], {"tensors.count"}),
    (programs.similarity, [(4, 3), (5, 3)], set()),
    (programs.gates, [(3, 4), (5, 3)], set()),
    (programs.sections, [(3, 4), (5, 3)], set()),
    (programs.bent_norm, [(4,)], {"rt.seed", "rt.cast_like"}),
    (programs.huber, [(5,), (5,)], {"tensors.count"}),
    (programs.contrasted, [(4, 3), (4, 3)], {"tensors.count", "tensors.without_label"}),
    (programs.positionwise, [(3, 4), (4,), (2, 5, 3)], {"rt.unbroadcast"}),  # of any bias
    (
        programs.nearest,
        [(5, 2), (3, 2)],
        {"rt.zeros", "rt.add_at", "rt.cast_like", "tensors.scatter"},
    ),
    (programs.edges, [(3, 2), (3, 2)], set()),
    (programs.degrees, [(3, 2)], {"tensors.of_segments"}),
    (programs.filtered, [(4,), ()], {"rt.zeros", "rt.add_at", "rt.cast_like"}),
]
"""Functions, the shapes of their arguments, and what their gradients call of the runtime."""


@pytest.mark.parametrize(
    ("function", "shapes", "helpers"), PLAIN, ids=[each.__name__ for each, _, _ in PLAIN]
)
def test_nothing_looks_at_what_is_known(
    function: Callable[..., Value], shapes: list[Any], helpers: set[str]
) -> None:
    args = tuple(normal(*s) if isinstance(s, tuple) else s for s in shapes)
    n = sum(map(tf.is_tensor, args))
    derivative = adlsp.grad(function, tuple(range(n)))
    with tf.GradientTape() as tape:
        tape.watch(args[:n])
        value = function(*args)
    found, expected = derivative(*args), tape.gradient(value, args[:n])
    for seed, factor in ((1.0, 1.0), (2, 2.0), (tf.constant(3.0, tf.float64), 3.0)):
        found = derivative(*args, out_bar=seed)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, factor * other, 1e-9, 1e-9)
    assert set(re.findall(r"\b(?:rt|tensors)\.\w+", derivative.derivative.source)) == helpers
    compiled = tf.function(derivative)(*args)
    for one, other in zip(compiled, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-9, 1e-9)


def test_what_loops_add_is_added_at_once() -> None:
    parts = [normal(3, 4) * k for k in range(40)]
    total = rt.add(parts[0], parts[1])
    before = rt.add(total, parts[2])
    for part in parts[2:]:
        total = rt.add(total, part)
    np.testing.assert_allclose(tf.convert_to_tensor(total), sum(parts), 1e-9)
    np.testing.assert_allclose(tf.convert_to_tensor(before), sum(parts[:3]), 1e-9)
    np.testing.assert_allclose(rt.add(total, normal(4)), sum(parts) + normal(4), 1e-9)
    assert tf.is_tensor(rt.restructure(total, parts[0]))
