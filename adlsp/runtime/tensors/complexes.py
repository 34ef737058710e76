"""Conjugates, sizes and phases of tensors that may be complex.

Gradients and tangents are paired by ⟨a, b⟩ = Re Σ a·b, without a conjugate, as those of NumPy's
arrays are. TensorFlow's tape pairs with a conjugate: what it gives is the conjugate of this.
"""

from __future__ import annotations

import tensorflow as tf

from adlsp.runtime.tensors.gradients import Value, cast_like, tensor


def conj(x: Value) -> Value:
    """Gives the complex conjugate; what is real comes back as it is."""
    x = tensor(x)
    return tf.math.conj(x) if x.dtype.is_complex else x


def turn(x: Value) -> Value:
    """Gives what the size of `x` changes by: `conj(x) / abs(x)`, the sign of a real number.

    Zero has 0: the size has no slope there, and this is the mean of all that it has.
    """
    return conj(tf.sign(x))


def imag_bar(g: Value, x: Value) -> Value:
    """Gives the gradient of `x` in `tf.math.imag(x)`: zeros, where `x` is real."""
    if not x.dtype.is_complex:
        return tf.zeros_like(x)
    g = tf.math.real(g)
    return tf.complex(tf.zeros_like(g), -g)


def per_size(g: Value, x: Value) -> Value:
    """Gives `g / abs(x)`, and 0 where `x` is zero."""
    return tf.math.divide_no_nan(g, cast_like(tf.abs(x), g))
