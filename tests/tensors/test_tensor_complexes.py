"""Gradients of complex tensors: paired by ⟨a, b⟩ = Re Σ a·b, as those of NumPy's arrays are.

TensorFlow's tape pairs with a conjugate, so that its gradients are the conjugates of these. Every
sample of every rule is tried with complex arguments, where the function takes them: the gradient
agrees with differences, or the rule says that it is for real numbers.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sample import Sample

import adlsp

tf = pytest.importorskip("tensorflow")

import complex_programs as programs  # noqa: E402

from adlsp.runtime.tensors.gradients import COMPLEX  # noqa: E402

GROUPS = (
    "elementwise",
    "complexes",
    "signal",
    "reductions",
    "shaping",
    "selecting",
    "linalg",
    "nn",
)

Value = Any

SAMPLES: dict[str, list[Sample]] = {}
for group in GROUPS:
    SAMPLES |= importlib.import_module(f"samples_{group}").SAMPLES


def numbers(*shape: int, seed: int = 0) -> Value:
    """Complex numbers of a shape, the same each time."""
    random = np.random.default_rng([seed, *shape])
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def like(x: Value, seed: int) -> Value:
    """Random numbers of the shape and dtype of a tensor; zeros for integers."""
    made = numbers(*x.shape, seed=seed)
    if x.dtype.is_complex:
        return tf.constant(made, x.dtype)
    return tf.constant(made.real, x.dtype) if x.dtype.is_floating else tf.zeros_like(x)


def inner(a: Value, b: Value) -> float:
    """The real part of the sum of all products of the numbers of two structures."""
    pairs = zip(tf.nest.flatten(a), tf.nest.flatten(b), strict=True)
    smooth = [(x, y) for x, y in pairs if x.dtype.is_floating or x.dtype.is_complex]
    return sum(float(tf.reduce_sum(tf.math.real(x * y))) for x, y in smooth)


def slope(function: Callable[..., Value], args: list[Value], dots: list[Value]) -> Value:
    """The central difference of a function, along tangents of some of its arguments."""
    ends = [
        function(*(x if dot is None else x + step * dot for x, dot in zip(args, dots, strict=True)))
        for step in (1e-6, -1e-6)
    ]
    return tf.nest.map_structure(lambda x, y: x if x.dtype.is_integer else (x - y) / 2e-6, *ends)


# every rule


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """One module for each first name of a rule, with a function for each sample."""
    folder: Path = tmp_path_factory.mktemp("complexes")
    made: dict[str, ModuleType] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(folder / "cache"))
        patch.syspath_prepend(str(folder))
        for count, (name, samples) in enumerate(SAMPLES.items()):
            lines = ["import numpy as np", "import tensorflow as tf", ""]
            for number, sample in enumerate(samples):
                call = sample.text.replace("{f}", name.replace("tensorflow.", "tf.", 1))
                lines += ["", f"def f{number}({', '.join(sample.at)}):", f"    return {call}", ""]
            module = f"complex_samples_{count}"
            (folder / f"{module}.py").write_text("\n".join(lines), encoding="utf-8")
            made[name] = importlib.import_module(module)
        yield made
        for module in made.values():
            del sys.modules[module.__name__]


def arguments(sample: Sample) -> list[Value]:
    """The arguments of a sample, with an imaginary part."""
    return [
        tf.constant(value + 0.3j * numbers(*value.shape, seed=k))
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
        else tf.constant(value)
        if isinstance(value, np.ndarray)
        else value
        for k, value in enumerate(sample.at.values())
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_rules_hold_for_complex_numbers_or_say_that_they_do_not(
    functions: dict[str, ModuleType], name: str
) -> None:
    for number, sample in enumerate(SAMPLES[name]):
        function, args = getattr(functions[name], f"f{number}"), arguments(sample)
        active = [k for k, n in enumerate(sample.at) if n in sample.active]
        try:
            out = function(*args)
        except (TypeError, ValueError, AttributeError, AssertionError, tf.errors.OpError):
            continue  # not of complex numbers
        out_bar = tf.nest.map_structure(lambda x: like(x, 5), out)
        dots = [like(x, 6) if k in active else None for k, x in enumerate(args)]
        expected = inner(slope(function, args, dots), out_bar)
        try:
            bars = adlsp.vjp(function, wrt=tuple(active))(*args, out_bar=out_bar)
        except TypeError as refused:
            if str(refused) != COMPLEX:
                raise
            continue
        found = inner(list(bars), [dots[k] for k in active])
        if np.isfinite(expected):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
        out_dot = adlsp.jvp(function, wrt=tuple(active))(*args, dots=tuple(dots[k] for k in active))
        np.testing.assert_allclose(inner(out_dot, out_bar), found, rtol=1e-8, atol=1e-8)


# programs


Z, H = numbers(4), numbers(4, seed=1)


@pytest.mark.parametrize("name", ["power", "wave", "quadratic"])
def test_gradients_are_those_of_numpy(name: str) -> None:
    ours = adlsp.grad(getattr(programs, name), wrt=(0, 1))(tf.constant(Z), tf.constant(H))
    theirs = adlsp.grad(getattr(programs, f"{name}_of_arrays"), wrt=(0, 1))(Z, H)
    for got, expected in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["power", "wave", "quadratic"])
def test_gradients_are_conjugates_of_those_of_the_tape(name: str) -> None:
    function, z, h = getattr(programs, name), tf.constant(Z), tf.constant(H)
    with tf.GradientTape() as tape:
        tape.watch([z, h])
        out = function(z, h)
    expected = tape.gradient(out, [z, h])
    for got, bar in zip(adlsp.grad(function, wrt=(0, 1))(z, h), expected, strict=True):
        np.testing.assert_allclose(got, tf.math.conj(bar), rtol=1e-12)


@pytest.mark.parametrize("name", ["power", "wave", "quadratic"])
def test_second_derivatives_agree_with_differences(name: str) -> None:
    function, z, h = getattr(programs, name), tf.constant(Z), tf.constant(H)
    gradient = adlsp.grad(function)
    out_bar, z_dot = like(z, 1), like(z, 2)
    found = adlsp.vjp(gradient)(z, h, out_bar=out_bar)
    expected = inner(slope(gradient, [z, h], [z_dot, None]), out_bar)
    np.testing.assert_allclose(inner(found, z_dot), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["power", "wave", "quadratic"])
def test_compiled_gradients_agree(name: str) -> None:
    gradient, z, h = adlsp.grad(getattr(programs, name)), tf.constant(Z), tf.constant(H)
    np.testing.assert_allclose(tf.function(gradient)(z, h), gradient(z, h), rtol=1e-12)


def test_holomorphic_functions_are_differentiated_as_real_ones_are() -> None:
    z, out_bar = tf.constant(Z), tf.constant(0.3 - 2j, tf.complex128)
    found = adlsp.vjp(programs.holomorphic)(z, out_bar=out_bar)
    np.testing.assert_allclose(found, out_bar * (tf.cos(z) * z + tf.sin(z)), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_real_arguments_have_real_gradients(dtype: str) -> None:
    x = tf.constant(Z.real, dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        out = programs.phases(x)
    found = adlsp.grad(programs.phases)(x)
    assert found.dtype == x.dtype
    np.testing.assert_allclose(found, tape.gradient(out, x), rtol=1e-5)


def test_what_is_cast_to_complex_numbers_has_a_second_derivative() -> None:
    x, out_bar = tf.constant(Z.real), tf.constant(H.real)
    gradient = adlsp.grad(programs.cast)
    found = adlsp.vjp(gradient)(x, out_bar=out_bar)
    np.testing.assert_allclose(found, -12 * x * out_bar, rtol=1e-12)


def test_a_python_number_has_a_real_gradient() -> None:
    z = tf.constant(Z)
    found = adlsp.grad(programs.scaled, wrt="w")(z, 0.5)
    expected = (programs.scaled(z, 0.5 + 1e-6) - programs.scaled(z, 0.5 - 1e-6)) / 2e-6
    assert not np.iscomplexobj(found)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_parts_of_a_complex_tensor() -> None:
    z, z_dot = tf.constant(Z), like(tf.constant(Z), 3)
    found = adlsp.grad(programs.parts)(z)
    expected = slope(programs.parts, [z], [z_dot])
    np.testing.assert_allclose(inner(found, z_dot), expected, rtol=1e-6)


def test_a_complex_output_has_no_gradient() -> None:
    with pytest.raises(TypeError, match="the output of `corner` is complex"):
        adlsp.grad(programs.corner)(tf.constant(Z))
    with pytest.raises(TypeError, match="the output of the function is complex"):
        adlsp.grad(programs.holomorphic)(tf.constant(Z))


def test_what_is_known_for_real_tensors_only_is_refused() -> None:
    with pytest.raises(TypeError, match="complex tensors"):
        adlsp.grad(programs.size)(tf.constant(Z))
