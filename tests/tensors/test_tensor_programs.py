"""Programs on tensors: gradients, tangents and second derivatives as `tf.GradientTape` has them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import adlsp
from adlsp import runtime as rt
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.workspace import Workspace

tf = pytest.importorskip("tensorflow")
programs = pytest.importorskip("tensor_programs")

Value = Any


def made(*shape: int, seed: int = 0) -> Value:
    return tf.constant(np.random.default_rng([seed, *shape]).normal(size=shape))


VECTOR = made(4)
POINTS: list[tuple[Callable[..., Value], tuple[Value, ...]]] = [
    (programs.network, ([(made(3, 2), made(2)), (made(2, 3), made(3))], made(5, 3))),
    (programs.of_dictionary, ({"w": made(3, 2), "b": made(2)}, made(4, 3))),
    (programs.neighbours, (VECTOR,)),
    (programs.said_by_name, (VECTOR, made(3, 1))),
    (programs.parts_and_whole, (VECTOR,)),
    (programs.whole_and_parts, (VECTOR,)),
    (programs.branches, (abs(VECTOR),)),
    (programs.branches, (-abs(VECTOR),)),
    (programs.until_small, (VECTOR,)),
    (programs.with_arrays, (VECTOR,)),
    (programs.of_compiled, (VECTOR,)),
    (programs.listed, (VECTOR,)),
    (programs.powers, (VECTOR, tf.constant(2.5, tf.float64))),
    (programs.powers, (VECTOR, tf.constant([2.5, 0.0, 1.0, 3.0], tf.float64))),
    (programs.literal_powers, (VECTOR,)),
    (programs.indices, (made(3, 4),)),
    (programs.with_numbers, (VECTOR, 2.0)),
    (programs.with_numbers, (VECTOR, tf.constant(2.0, tf.float64))),
    (programs.unpacked, (VECTOR,)),
    (programs.comprehension, (VECTOR,)),
    (programs.products, (made(2, 3, 3), made(3, 3))),
    (programs.recursive, (VECTOR,)),
    (programs.named_in_many_ways, (VECTOR,)),
    (programs.beside_a_list, (VECTOR,)),
    (programs.of_lists, (VECTOR,)),
    (programs.beside_arrays, (made(3, 4), made(2, 4))),
    (programs.beside_arrays, (made(3, 4), made(1, 4))),
    (programs.residual, (VECTOR,)),
    (programs.bound_together, (VECTOR,)),
    (programs.power_of, (tf.constant(1.0, tf.float64),)),
    (programs.beside_lists_of_constants, (VECTOR,)),
]
EACH = pytest.mark.parametrize(
    ("function", "args"), POINTS, ids=[f"{f.__name__}-{k}" for k, (f, _) in enumerate(POINTS)]
)


def taped(function: Callable[..., Value], args: tuple[Value, ...]) -> Value:
    """The gradients with respect to the first argument, in its structure."""
    with tf.GradientTape() as tape:
        for part in tf.nest.flatten(args[0]):
            tape.watch(part)
        out = function(*args)
    return tape.gradient(out, args[0])


def agree(got: Value, expected: Value, tolerance: float = 1e-10) -> None:
    tf.nest.assert_same_structure(got, expected)
    for one, other in zip(tf.nest.flatten(got), tf.nest.flatten(expected), strict=True):
        assert isinstance(one, tf.Tensor)
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


@EACH
def test_gradients(function: Callable[..., Value], args: tuple[Value, ...]) -> None:
    value, gradient = adlsp.value_and_grad(function)(*args)
    agree(value, function(*args))
    agree(gradient, taped(function, args))


@EACH
def test_compiled_gradients(function: Callable[..., Value], args: tuple[Value, ...]) -> None:
    if function in (programs.branches, programs.until_small, programs.unpacked):
        pytest.skip("Python asks for values, which are not there while a function is traced")
    derivative = adlsp.grad(function)
    compiled = tf.function(lambda first: derivative(first, *args[1:]))
    agree(compiled(args[0]), taped(function, args))


@EACH
def test_tangents(function: Callable[..., Value], args: tuple[Value, ...]) -> None:
    dots = tf.nest.map_structure(tf.cos, args[0])
    out_dot = adlsp.jvp(function)(*args, dots=(dots,))
    pairs = zip(tf.nest.flatten(taped(function, args)), tf.nest.flatten(dots), strict=True)
    expected = sum(float(tf.reduce_sum(bar * dot)) for bar, dot in pairs)
    np.testing.assert_allclose(out_dot, expected, rtol=1e-10)


@EACH
def test_second_derivatives(function: Callable[..., Value], args: tuple[Value, ...]) -> None:
    x = args[0]
    if not tf.is_tensor(x):
        pytest.skip("of one tensor alone")
    direction = tf.cos(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        gradient = taped(function, args)
        along = tf.reduce_sum(gradient * direction)
    expected = tape.gradient(along, x, unconnected_gradients="zero")
    agree(adlsp.vjp(adlsp.grad(function))(*args, out_bar=direction), expected)


@pytest.mark.parametrize("function", dict.fromkeys(f for f, _ in POINTS))
def test_the_static_way_gives_the_same_text(function: Callable[..., Value]) -> None:
    workspace, path = Workspace(), str(Path(programs.__file__))
    name = f"tensor_programs.{function.__name__}"
    wrt = (function.__code__.co_varnames[0],)
    static = engine.derive(Request(name, wrt), workspace.resolver(path))
    assert static.source == adlsp.derive(function).source


def test_variables_are_read() -> None:
    v = tf.Variable(VECTOR)
    gradient = adlsp.grad(programs.parts_and_whole)(v)
    agree(gradient, taped(programs.parts_and_whole, (VECTOR,)))


def test_single_precision_stays() -> None:
    x = tf.cast(VECTOR, tf.float32)
    for function in (programs.whole_and_parts, programs.literal_powers, programs.neighbours):
        agree(adlsp.grad(function)(x), taped(function, (x,)), 1e-5)


def test_half_precision_stays() -> None:
    for dtype in (tf.float16, tf.bfloat16):
        gradient = adlsp.grad(programs.whole_and_parts)(tf.cast(VECTOR, dtype))
        assert gradient.dtype == dtype


def test_shapes_may_be_unknown_while_a_derivative_is_traced() -> None:
    some = tf.TensorSpec([None], tf.float64), tf.TensorSpec([None], tf.float64)
    for function in (programs.powers, programs.with_numbers):
        compiled = tf.function(adlsp.grad(function), input_signature=some)
        for x, y in ((VECTOR, abs(VECTOR)), (VECTOR[:1], abs(VECTOR)), (VECTOR, abs(VECTOR[:1]))):
            agree(compiled(x, y), taped(function, (x, y)))


def test_tangents_may_be_traced() -> None:
    """With a number as an operand, and where nobody knows the sizes."""
    some = tf.TensorSpec([None], tf.float64), tf.TensorSpec([None], tf.float64)
    for function in (programs.powers, programs.with_numbers):
        tangent = adlsp.jvp(function)
        for y in (abs(VECTOR), abs(VECTOR[:1])):
            expected = tangent(VECTOR, y, dots=(VECTOR,))
            agree(tf.function(tangent)(VECTOR, y, dots=(VECTOR,)), expected)

        @tf.function(input_signature=some)
        def traced(x: Value, y: Value, tangent: Callable[..., Value] = tangent) -> Value:
            return tangent(x, y, dots=(x,))

        agree(traced(VECTOR, abs(VECTOR)), tangent(VECTOR, abs(VECTOR), dots=(VECTOR,)))


def test_a_compiled_derivative_takes_a_seed() -> None:
    function = tf.function(adlsp.grad(programs.parts_and_whole))
    agree(function(VECTOR, out_bar=3.0), 3.0 * function(VECTOR))
    with pytest.raises(TypeError, match="other"):
        function(VECTOR, other=3.0)


def test_a_derivative_may_be_an_argument_of_a_compiled_function() -> None:
    made = [adlsp.grad(f) for f in (programs.parts_and_whole, programs.neighbours)]

    @tf.function
    def run(x: Value, derivative: Callable[..., Value] = made[0]) -> Value:
        return derivative(x)

    agree(run(VECTOR), taped(programs.parts_and_whole, (VECTOR,)))
    agree(run(VECTOR, made[1]), taped(programs.neighbours, (VECTOR,)))


def test_xla_compiles_a_derivative() -> None:
    args = (made(2, 3, 3), made(3, 3))
    compiled = tf.function(adlsp.grad(programs.products), jit_compile=True)
    agree(compiled(*args), taped(programs.products, args))


def test_a_function_of_numpy_gets_tensors() -> None:
    agree(adlsp.grad(programs.of_array)(VECTOR), 2 * VECTOR)


def test_an_array_has_an_array_as_its_gradient() -> None:
    found = adlsp.grad(programs.parts_and_whole)(np.arange(4.0))
    assert type(found) is np.ndarray
    agree(tf.constant(found), taped(programs.parts_and_whole, (tf.range(4.0, dtype=tf.float64),)))


def test_what_others_see_is_no_array() -> None:
    with pytest.raises(TypeError, match=r"a ndarray .* \(AD303\)"):
        adlsp.grad(programs.residual)(np.ones(3))
    for changed in ([1.0], scipy.sparse.eye(2).tocsr(), bytearray(2)):
        with pytest.raises(TypeError, match="AD303"):
            rt.fixed(changed)


def test_an_output_that_is_no_scalar_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the output of `layer` has shape \(5, 2\)"):
        adlsp.grad(programs.layer)(made(5, 3), made(3, 2), made(2))


def test_complex_tensors_are_refused() -> None:
    with pytest.raises(TypeError, match="complex"):
        adlsp.grad(programs.parts_and_whole)(tf.complex(VECTOR, VECTOR))


@pytest.mark.parametrize(
    "code",
    [
        "import adlsp",
        "from adlsp import cli; cli.main(['check', '--all-functions', '--exit-zero', {path!r}])",
        "import adlsp, colorsys; adlsp.grad(colorsys.rgb_to_yiq, 0)",
    ],
)
def test_tensorflow_is_not_loaded_by_us(code: str) -> None:
    text = code.format(path=programs.__file__)
    told = f"import sys\n{text}\nassert 'tensorflow' not in sys.modules"
    subprocess.run([sys.executable, "-c", told], check=True, capture_output=True)


def test_gradients_of_tensors_are_checked_by_differences() -> None:
    adlsp.check_grads(programs.whole_and_parts, (VECTOR,))
    adlsp.check_grads(programs.whole_and_parts, (VECTOR,), order=2)
    with pytest.raises(ValueError, match="double precision"):
        adlsp.check_grads(programs.whole_and_parts, (tf.cast(VECTOR, tf.float32),))


def test_matrices_of_derivatives_are_tensors() -> None:
    direction = tf.cos(VECTOR)
    hessian = adlsp.hessian(programs.whole_and_parts)(VECTOR)
    along = adlsp.hvp(programs.whole_and_parts)(VECTOR, dots=(direction,))
    agree(tf.linalg.matvec(hessian, direction), along)
    jacobian = adlsp.jacobian(programs.layer, 2)(made(5, 3), made(3, 2), made(2))
    assert isinstance(jacobian, tf.Tensor)
    assert jacobian.shape == (5, 2, 2)


def test_a_compiled_function_is_differentiated_by_its_text() -> None:
    for function in (programs.compiled, programs.compiled_with_xla):
        with tf.GradientTape() as tape:
            tape.watch(VECTOR)
            out = function(VECTOR)
        expected = tape.gradient(out, VECTOR, VECTOR)
        agree(adlsp.vjp(function)(VECTOR, out_bar=VECTOR), expected)


def test_functions_of_tensorflow_itself_are_not_differentiated() -> None:
    for function in (tf.tanh, tf.reduce_sum):
        with pytest.raises(adlsp.DifferentiationError, match="AD112"):
            adlsp.grad(function)
