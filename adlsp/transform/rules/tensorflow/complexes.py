# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that are not holomorphic: sizes, phases and parts of complex numbers.

Rules read, never run: each body is spliced into generated code. Gradients are paired with tangents
by ⟨a, b⟩ = Re Σ a·b. So what is holomorphic has the same rule for real and for complex numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import Shaped, constant, elementwise, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


@linear("tensorflow.complex", "tensorflow.dtypes.complex", of="real imag")
def complex_of(real: Shaped, imag: Shaped, *, out_bar):
    real_bar = rt.unbroadcast(tf.math.real(out_bar), real)
    return real_bar, rt.unbroadcast(-tf.math.imag(out_bar), imag)


@linear("tensorflow.math.real", of="input")
def real(input: Shaped, *, out_bar):
    return rt.cast_like(out_bar, input)


@linear("tensorflow.math.imag", of="input")
def imag(input: Shaped, *, out_bar):
    return tensors.imag_bar(out_bar, input)


@linear("tensorflow.math.conj", of="x")
def conj(x: Shaped, *, out_bar):
    return tensors.conj(out_bar)


@forward("tensorflow.math.angle")
def angle_forward(input, *, input_dot):
    return tf.math.imag(tf.math.divide_no_nan(input_dot, input))


@reverse("tensorflow.math.angle")
def angle_reverse(input, *, out_bar):
    return tf.math.divide_no_nan(tensors.imag_bar(out_bar, input), input)


@forward("tensorflow.abs", "tensorflow.math.abs")
def absolute_forward(x, *, x_dot):
    """Takes the derivative at 0 as 0."""
    return tf.math.real(tensors.turn(x) * x_dot)


@reverse("tensorflow.abs", "tensorflow.math.abs")
def absolute_reverse(x, *, out_bar):
    """Takes the derivative at 0 as 0."""
    return rt.cast_like(out_bar, x) * tensors.turn(x)


# what the rules call


@elementwise("adlsp.runtime.tensors.power_log")
def power_log(x):
    return tf.math.divide_no_nan(tensors.has_log(x), x)


constant("adlsp.runtime.tensors.has_log")


@linear("adlsp.runtime.tensors.conj", of="x")
def plain_conj(x: Shaped, *, out_bar):
    return tensors.conj(out_bar)


@linear("adlsp.runtime.tensors.imag_bar", of="g")
def imag_bar(g: Shaped, x: Shaped, *, out_bar):
    return rt.cast_like(tf.math.imag(out_bar), g)


@forward("adlsp.runtime.tensors.turn")
def turn_forward(x, *, out, x_dot):
    along = tf.math.real(out * x_dot)
    return tensors.per_size(tensors.conj(x_dot) - out * rt.cast_like(along, out), x)


@reverse("adlsp.runtime.tensors.turn")
def turn_reverse(x, *, out, out_bar):
    along = tf.math.real(out * out_bar)
    return tensors.per_size(tensors.conj(out_bar) - out * rt.cast_like(along, out), x)


@forward("adlsp.runtime.tensors.per_size")
def per_size_forward(g, x, *, out, g_dot, x_dot):
    along = rt.cast_like(tf.math.real(tensors.turn(x) * x_dot), out)
    return tensors.per_size(g_dot, x), -tensors.per_size(out * along, x)


@reverse("adlsp.runtime.tensors.per_size")
def per_size_reverse(g, x, *, out, out_bar):
    along = tf.math.real(out * tensors.per_size(out_bar, x))
    return tensors.per_size(out_bar, x), -rt.cast_like(along, x) * tensors.turn(x)
