# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that act on each element by itself.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import (
    Counted,
    constant,
    elementwise,
    forward,
    linear,
    multilinear,
    reverse,
)

if TYPE_CHECKING:
    import math

    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# arithmetic


@elementwise("tensorflow.add", "tensorflow.math.add")
def add(x, y):
    return 1, 1


@elementwise("tensorflow.subtract", "tensorflow.math.subtract")
def subtract(x, y):
    return 1, -1


@elementwise("tensorflow.multiply", "tensorflow.math.multiply")
def multiply(x, y):
    return y, x


@elementwise("tensorflow.scalar_mul", "tensorflow.math.scalar_mul")
def scalar_mul(scalar, x):
    return x, scalar


@elementwise(
    "tensorflow.divide",
    "tensorflow.math.divide",
    "tensorflow.truediv",
    "tensorflow.math.truediv",
    "tensorflow.realdiv",
)
def divide(x, y, *, out):
    return 1 / y, -out / y


@forward("tensorflow.math.divide_no_nan")
def divide_no_nan_forward(x, y, *, out, x_dot, y_dot):
    return tf.math.divide_no_nan(x_dot, y), -tf.math.divide_no_nan(out * y_dot, y)


@reverse("tensorflow.math.divide_no_nan")
def divide_no_nan_reverse(x, y, *, out, out_bar):
    share = tf.math.divide_no_nan(out_bar, y)
    return rt.unbroadcast(share, x), rt.unbroadcast(-share * out, y)


@multilinear("tensorflow.math.multiply_no_nan", of="x y")
def multiply_no_nan(x, y, *, out_bar):
    x_bar = rt.unbroadcast(tf.math.multiply_no_nan(out_bar, y), x)
    return x_bar, rt.unbroadcast(tf.math.multiply_no_nan(x, out_bar), y)


@linear("tensorflow.add_n", "tensorflow.math.add_n", of="inputs")
def add_n(inputs, *, out_bar):
    return rt.sum_bar(out_bar, inputs)


@linear("tensorflow.math.accumulate_n", of="inputs")
def accumulate_n(inputs, shape=None, tensor_dtype=None, *, out_bar):
    return rt.sum_bar(out_bar, inputs)


@elementwise("tensorflow.math.reciprocal", "tensorflow.math.reciprocal_no_nan")
def reciprocal(x, *, out):
    return -out * out


@elementwise("tensorflow.negative", "tensorflow.math.negative")
def negative(x):
    return -1


@elementwise("tensorflow.math.floormod", "tensorflow.math.mod", when="away from the jumps")
def floormod(x, y):
    return 1, -tf.math.floordiv(x, y)


@elementwise("tensorflow.square", "tensorflow.math.square")
def square(x):
    return 2 * x


@elementwise("tensorflow.math.squared_difference")
def squared_difference(x, y):
    return 2 * rt.real(x - y), 2 * rt.real(y - x)


@forward("tensorflow.sqrt", "tensorflow.math.sqrt")
def sqrt_forward(x, *, out, x_dot):
    return rt.ratio(x_dot, 2 * out)


@reverse("tensorflow.sqrt", "tensorflow.math.sqrt")
def sqrt_reverse(x, *, out, out_bar):
    return rt.ratio(out_bar, 2 * out)


@elementwise("tensorflow.math.rsqrt")
def rsqrt(x, *, out):
    return -out * out * out / 2


@elementwise("tensorflow.pow", "tensorflow.math.pow")
def power(x, y, *, out):
    """Avoids 0 * inf for a zero exponent; takes the logarithm as 0 where there is none."""
    base = tf.convert_to_tensor(x, out.dtype)
    return tf.math.multiply_no_nan(base ** (y - 1), y), out * tensors.power_log(base)


# exponentials and logarithms


@elementwise("tensorflow.exp", "tensorflow.math.exp")
def exp(x, *, out):
    return out


@elementwise("tensorflow.math.expm1")
def expm1(x, *, out):
    return out + 1


@elementwise("tensorflow.math.log")
def log(x):
    return 1 / x


@elementwise("tensorflow.math.log1p")
def log1p(x):
    return 1 / (1 + x)


@elementwise("tensorflow.math.xlogy")
def xlogy(x, y, *, out):
    """Takes the derivative by x as 0 at 0."""
    return tf.math.xlogy(tf.cast(tf.not_equal(x, 0), out.dtype), y), tf.math.xdivy(x, y)


@elementwise("tensorflow.math.xlog1py")
def xlog1py(x, y, *, out):
    """Takes the derivative by x as 0 at 0."""
    return tf.math.xlog1py(tf.cast(tf.not_equal(x, 0), out.dtype), y), tf.math.xdivy(x, 1 + y)


@elementwise("tensorflow.math.xdivy")
def xdivy(x, y, *, out):
    """Takes the derivative by x as 0 at 0."""
    return tf.math.xdivy(tf.cast(tf.not_equal(x, 0), out.dtype), y), -tf.math.xdivy(out, y)


@elementwise("tensorflow.math.log_sigmoid")
def log_sigmoid(x):
    return tf.sigmoid(-x)


# trigonometric and hyperbolic functions


@elementwise("tensorflow.sin", "tensorflow.math.sin")
def sin(x):
    return tf.cos(x)


@elementwise("tensorflow.cos", "tensorflow.math.cos")
def cos(x):
    return -tf.sin(x)


@elementwise("tensorflow.tan", "tensorflow.math.tan")
def tan(x, *, out):
    return 1 + out * out


@elementwise("tensorflow.asin", "tensorflow.math.asin")
def asin(x):
    return 1 / tf.sqrt(1 - x * x)


@elementwise("tensorflow.acos", "tensorflow.math.acos")
def acos(x):
    return -1 / tf.sqrt(1 - x * x)


@elementwise("tensorflow.atan", "tensorflow.math.atan")
def atan(x):
    return 1 / (1 + x * x)


@elementwise("tensorflow.atan2", "tensorflow.math.atan2")
def atan2(y, x):
    r2 = y * y + x * x
    return x / r2, -y / r2


@elementwise("tensorflow.sinh", "tensorflow.math.sinh")
def sinh(x):
    return tf.cosh(x)


@elementwise("tensorflow.cosh", "tensorflow.math.cosh")
def cosh(x):
    return tf.sinh(x)


@elementwise("tensorflow.asinh", "tensorflow.math.asinh")
def asinh(x):
    return 1 / tf.sqrt(x * x + 1)


@elementwise("tensorflow.acosh", "tensorflow.math.acosh")
def acosh(x, *, out):
    return 1 / tf.sinh(out)


@elementwise("tensorflow.atanh", "tensorflow.math.atanh")
def atanh(x):
    return 1 / (1 - x * x)


# the normal distribution


@elementwise("tensorflow.math.erf")
def erf(x):
    return 2 / math.sqrt(math.pi) * tf.exp(-x * x)


@elementwise("tensorflow.math.erfc")
def erfc(x):
    return -2 / math.sqrt(math.pi) * tf.exp(-x * x)


@elementwise("tensorflow.math.erfinv")
def erfinv(x, *, out):
    return math.sqrt(math.pi) / 2 * tf.exp(out * out)


@elementwise("tensorflow.math.erfcinv")
def erfcinv(x, *, out):
    return -math.sqrt(math.pi) / 2 * tf.exp(out * out)


@elementwise("tensorflow.math.ndtri")
def ndtri(x, *, out):
    return math.sqrt(2 * math.pi) * tf.exp(out * out / 2)


# the gamma function and its kin


@elementwise("tensorflow.math.lgamma")
def lgamma(x):
    return tf.math.digamma(x)


@elementwise("tensorflow.math.digamma")
def digamma(x, *, out):
    return tf.math.polygamma(tf.ones_like(out), x)


@elementwise("tensorflow.math.polygamma", of="x")
def polygamma(a, x):
    return tf.math.polygamma(a + 1, x)


@elementwise("tensorflow.math.zeta", of="q")
def zeta(x, q):
    return -x * tf.math.zeta(x + 1, q)


@elementwise("tensorflow.math.igamma", of="x")
def igamma(a, x, *, out):
    size = tf.math.lgamma(tf.convert_to_tensor(a, out.dtype))
    return tf.exp(tf.math.xlogy(a - 1, x) - x - size)


@elementwise("tensorflow.math.igammac", of="x")
def igammac(a, x, *, out):
    size = tf.math.lgamma(tf.convert_to_tensor(a, out.dtype))
    return -tf.exp(tf.math.xlogy(a - 1, x) - x - size)


@elementwise("tensorflow.math.betainc", of="x")
def betainc(a, b, x, *, out):
    first, second = tf.convert_to_tensor(a, out.dtype), tf.convert_to_tensor(b, out.dtype)
    size = tf.math.lgamma(first) + tf.math.lgamma(second) - tf.math.lgamma(first + second)
    return tf.exp(tf.math.xlogy(first - 1, x) + tf.math.xlog1py(second - 1, -x) - size)


# Bessel functions and other integrals


@elementwise("tensorflow.math.bessel_i0", "tensorflow.math.special.bessel_i0")
def bessel_i0(x):
    return tf.math.bessel_i1(x)


@elementwise("tensorflow.math.bessel_i0e", "tensorflow.math.special.bessel_i0e")
def bessel_i0e(x, *, out):
    return tf.math.bessel_i1e(x) - tf.sign(x) * out


@elementwise("tensorflow.math.bessel_i1", "tensorflow.math.special.bessel_i1")
def bessel_i1(x, *, out):
    slope = tf.math.bessel_i0(x) - tf.math.divide_no_nan(out, x)
    return tf.where(tf.not_equal(x, 0), slope, 0.5)


@elementwise("tensorflow.math.bessel_i1e", "tensorflow.math.special.bessel_i1e")
def bessel_i1e(x, *, out):
    slope = tf.math.bessel_i0e(x) - tf.sign(x) * out - tf.math.divide_no_nan(out, x)
    return tf.where(tf.not_equal(x, 0), slope, 0.5)


@elementwise("tensorflow.math.special.bessel_j0")
def bessel_j0(x):
    return -tf.math.special.bessel_j1(x)


@elementwise("tensorflow.math.special.bessel_j1")
def bessel_j1(x, *, out):
    slope = tf.math.special.bessel_j0(x) - tf.math.divide_no_nan(out, x)
    return tf.where(tf.not_equal(x, 0), slope, 0.5)


@elementwise("tensorflow.math.special.bessel_y0")
def bessel_y0(x):
    return -tf.math.special.bessel_y1(x)


@elementwise("tensorflow.math.special.bessel_y1")
def bessel_y1(x, *, out):
    return tf.math.special.bessel_y0(x) - out / x


@elementwise("tensorflow.math.special.bessel_k0")
def bessel_k0(x):
    return -tf.math.special.bessel_k1(x)


@elementwise("tensorflow.math.special.bessel_k0e")
def bessel_k0e(x, *, out):
    return out - tf.math.special.bessel_k1e(x)


@elementwise("tensorflow.math.special.bessel_k1")
def bessel_k1(x, *, out):
    return -tf.math.special.bessel_k0(x) - out / x


@elementwise("tensorflow.math.special.bessel_k1e")
def bessel_k1e(x, *, out):
    return out * (1 - 1 / x) - tf.math.special.bessel_k0e(x)


@elementwise("tensorflow.math.special.dawsn")
def dawsn(x, *, out):
    return 1 - 2 * x * out


@elementwise("tensorflow.math.special.expint")
def expint(x):
    return tf.exp(x) / x


@elementwise("tensorflow.math.special.fresnel_cos")
def fresnel_cos(x):
    return tf.cos(math.pi / 2 * x * x)


@elementwise("tensorflow.math.special.fresnel_sin")
def fresnel_sin(x):
    return tf.sin(math.pi / 2 * x * x)


@elementwise("tensorflow.math.special.spence")
def spence(x):
    return tf.where(tf.not_equal(x, 1), tf.math.divide_no_nan(tf.math.log(x), 1 - x), -1)


# choices


@forward("tensorflow.maximum", "tensorflow.math.maximum", when="x is chosen where both are equal")
def maximum_forward(x, y, *, x_dot, y_dot):
    is_x = tf.greater_equal(x, y)
    return tf.where(is_x, x_dot, 0), tf.where(tf.logical_not(is_x), y_dot, 0)


@reverse("tensorflow.maximum", "tensorflow.math.maximum", when="x is chosen where both are equal")
def maximum_reverse(x, y, *, out_bar):
    is_x = tf.greater_equal(x, y)
    x_bar = rt.unbroadcast(tf.where(is_x, out_bar, 0), x)
    return x_bar, rt.unbroadcast(tf.where(tf.logical_not(is_x), out_bar, 0), y)


@forward("tensorflow.minimum", "tensorflow.math.minimum", when="x is chosen where both are equal")
def minimum_forward(x, y, *, x_dot, y_dot):
    is_x = tf.less_equal(x, y)
    return tf.where(is_x, x_dot, 0), tf.where(tf.logical_not(is_x), y_dot, 0)


@reverse("tensorflow.minimum", "tensorflow.math.minimum", when="x is chosen where both are equal")
def minimum_reverse(x, y, *, out_bar):
    is_x = tf.less_equal(x, y)
    x_bar = rt.unbroadcast(tf.where(is_x, out_bar, 0), x)
    return x_bar, rt.unbroadcast(tf.where(tf.logical_not(is_x), out_bar, 0), y)


@forward("tensorflow.clip_by_value")
def clip_by_value_forward(
    t, clip_value_min, clip_value_max, *, t_dot, clip_value_min_dot, clip_value_max_dot
):
    """Gives the tangent at a bound to the value that is clipped; the lower bound wins."""
    is_inside = tf.logical_and(t >= clip_value_min, t <= clip_value_max)
    is_high = tf.logical_and(t > clip_value_max, clip_value_min <= clip_value_max)
    is_low = tf.logical_or(t < clip_value_min, clip_value_min > clip_value_max)
    t_part = tf.where(is_inside, t_dot, 0)
    low_part = tf.where(is_low, clip_value_min_dot, 0)
    return t_part, low_part, tf.where(is_high, clip_value_max_dot, 0)


@reverse("tensorflow.clip_by_value")
def clip_by_value_reverse(t, clip_value_min, clip_value_max, *, out_bar):
    """Gives the gradient at a bound to the value that is clipped; the lower bound wins."""
    is_inside = tf.logical_and(t >= clip_value_min, t <= clip_value_max)
    is_high = tf.logical_and(t > clip_value_max, clip_value_min <= clip_value_max)
    is_low = tf.logical_or(t < clip_value_min, clip_value_min > clip_value_max)
    low_bar = tf.where(is_low, out_bar, 0)
    high_bar = tf.where(is_high, out_bar, 0)
    return (
        tf.where(is_inside, out_bar, 0),
        rt.unbroadcast(low_bar, clip_value_min),
        rt.unbroadcast(high_bar, clip_value_max),
    )


@linear("tensorflow.where", of="x y")
def where(condition, x, y, *, out_bar):
    x_bar = rt.unbroadcast(tf.where(condition, out_bar, 0), x)
    return x_bar, rt.unbroadcast(tf.where(condition, tf.zeros_like(out_bar), out_bar), y)


# what makes tensors of values


@linear("tensorflow.identity", of="input")
def identity(input, *, out_bar):
    return rt.unbroadcast(out_bar, input)


@linear("tensorflow.debugging.assert_all_finite", of="x")
def assert_all_finite(x, message, *, out_bar):
    return rt.unbroadcast(out_bar, x)


@linear("tensorflow.debugging.check_numerics", of="tensor")
def check_numerics(tensor, message, *, out_bar):
    return rt.unbroadcast(out_bar, tensor)


@linear("tensorflow.convert_to_tensor", of="value")
def convert_to_tensor(value, dtype=None, dtype_hint=None, *, out_bar):
    return rt.cast_like(out_bar, value)


@linear("tensorflow.constant", of="value")
def constant_of(value, dtype=None, *, out_bar):
    return rt.cast_like(out_bar, value)


@forward("tensorflow.cast", "tensorflow.dtypes.cast")
def cast_forward(x, dtype, *, x_dot):
    return tensors.cast(x_dot, dtype)


@reverse("tensorflow.cast", "tensorflow.dtypes.cast")
def cast_reverse(x, dtype, *, out_bar):
    return rt.unbroadcast(tensors.cast(out_bar, dtype), x)


@linear("adlsp.runtime.tensors.cast", of="g")
def cast_of_gradient(g, dtype, *, out_bar):
    return rt.unbroadcast(tensors.cast(out_bar, dtype), g)


@linear("tensorflow.fill", of="value")
def fill(dims: Counted, value, *, out_bar):
    return rt.unbroadcast(out_bar, value)


@linear("tensorflow.linspace", of="start stop")
def linspace(start, stop, num: Counted, name=None, axis=0, *, out_bar):
    share = tf.linspace(0 * start, 0 * stop + 1, num, axis=axis)
    start_bar = rt.unbroadcast(tf.reduce_sum(out_bar * (1 - share), axis), start)
    return start_bar, rt.unbroadcast(tf.reduce_sum(out_bar * share, axis), stop)


constant("tensorflow.stop_gradient", "tensorflow.zeros", "tensorflow.ones")
constant("tensorflow.zeros_like", "tensorflow.ones_like")
constant("tensorflow.sign", "tensorflow.math.sign", "tensorflow.floor", "tensorflow.math.floor")
constant("tensorflow.math.ceil", "tensorflow.round", "tensorflow.math.round")
constant("tensorflow.math.rint", "tensorflow.math.floordiv", "tensorflow.truncatediv")
constant("tensorflow.math.is_finite", "tensorflow.math.is_inf", "tensorflow.math.is_nan")
constant("tensorflow.math.is_non_decreasing", "tensorflow.math.is_strictly_increasing")
constant("tensorflow.equal", "tensorflow.math.equal")
constant("tensorflow.not_equal", "tensorflow.math.not_equal")
constant("tensorflow.less", "tensorflow.math.less")
constant("tensorflow.less_equal", "tensorflow.math.less_equal")
constant("tensorflow.greater", "tensorflow.math.greater")
constant("tensorflow.greater_equal", "tensorflow.math.greater_equal")
constant("tensorflow.logical_and", "tensorflow.math.logical_and")
constant("tensorflow.logical_or", "tensorflow.math.logical_or")
constant("tensorflow.logical_not", "tensorflow.math.logical_not", "tensorflow.math.logical_xor")

# what looks at tensors, and may raise

constant("tensorflow.print", "tensorflow.Assert")
constant("tensorflow.debugging.assert_equal", "tensorflow.debugging.assert_greater")
constant("tensorflow.debugging.assert_greater_equal", "tensorflow.debugging.assert_integer")
constant("tensorflow.debugging.assert_less", "tensorflow.debugging.assert_less_equal")
constant("tensorflow.debugging.assert_near", "tensorflow.debugging.assert_negative")
constant("tensorflow.debugging.assert_non_negative", "tensorflow.debugging.assert_non_positive")
constant("tensorflow.debugging.assert_none_equal", "tensorflow.debugging.assert_positive")
constant("tensorflow.debugging.assert_proper_iterable", "tensorflow.debugging.assert_rank")
constant("tensorflow.debugging.assert_rank_at_least", "tensorflow.debugging.assert_rank_in")
constant("tensorflow.debugging.assert_same_float_dtype", "tensorflow.debugging.assert_scalar")
constant("tensorflow.debugging.assert_shapes", "tensorflow.debugging.assert_type")
