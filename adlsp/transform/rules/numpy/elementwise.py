# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that act on each element by itself, and Python's operators that share them.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Tested, constant, elementwise, forward, linear, reverse

if TYPE_CHECKING:
    import math

    import numpy as np

    from adlsp import runtime as rt


# arithmetic


@elementwise("numpy.add", "operator.add")
def add(x1, x2):
    return 1, 1


@elementwise("numpy.subtract", "operator.sub")
def subtract(x1, x2):
    return 1, -1


@elementwise("numpy.multiply", "operator.mul")
def multiply(x1, x2):
    return x2, x1


@elementwise("numpy.divide", "numpy.true_divide", "operator.truediv")
def divide(x1, x2, *, out):
    return 1 / x2, -out / x2


@elementwise("numpy.negative", "operator.neg")
def negative(x):
    return -1


@elementwise("numpy.positive", "operator.pos")
def positive(x):
    return 1


@elementwise("numpy.power", "numpy.pow", "numpy.float_power", "operator.pow", "builtins.pow")
def power(x1, x2, *, out):
    """Avoids 0 * inf for a zero exponent, and log(0) * 0 for a zero base."""
    return x2 * x1 ** np.where(x2 == 0, 1, x2 - 1), out * rt.power_log(x1, out)


@elementwise("numpy.remainder", "numpy.mod", "operator.mod", when="away from the jumps")
def remainder(x1, x2):
    return 1, -np.floor_divide(x1, x2)


@elementwise("numpy.fmod", when="away from the jumps")
def fmod(x1, x2):
    return 1, -np.trunc(x1 / x2)


@forward("numpy.divmod", "builtins.divmod", when="away from the jumps")
def divmod_forward(x1, x2, *, x1_dot, x2_dot):
    whole = np.floor_divide(x1, x2)
    rest = rt.stretch(x1_dot, np.shape(whole))
    return [0 * rest, rest], [0 * whole, -whole * x2_dot]


@reverse("numpy.divmod", "builtins.divmod", when="away from the jumps")
def divmod_reverse(x1, x2, *, out_bar):
    x2_bar = -np.floor_divide(x1, x2) * out_bar[1]
    return rt.unbroadcast(out_bar[1], x1), rt.unbroadcast(x2_bar, x2)


@elementwise("numpy.ldexp", of="x1")
def ldexp(x1, x2):
    return np.ldexp(np.ones_like(x1), x2)


@forward("numpy.modf", when="away from the jumps")
def modf_forward(x, *, x_dot):
    return [x_dot, 0 * x_dot]


@reverse("numpy.modf", when="away from the jumps")
def modf_reverse(x, *, out_bar):
    return out_bar[0]


@elementwise("numpy.reciprocal")
def reciprocal(x, *, out):
    return -out * out


@elementwise("numpy.square")
def square(x):
    return 2 * x


@forward("numpy.sqrt")
def sqrt_forward(x, *, out, x_dot):
    return rt.ratio(x_dot, 2 * out)


@reverse("numpy.sqrt")
def sqrt_reverse(x, *, out, out_bar):
    return rt.ratio(out_bar, 2 * out)


@elementwise("numpy.cbrt", "scipy.special.cbrt")
def cbrt(x, *, out):
    return 1 / (3 * out * out)


@elementwise("numpy.fabs")
def fabs(x):
    """Takes the derivative at 0 as 0."""
    return np.sign(x)


# exponentials and logarithms


@elementwise("numpy.exp")
def exp(x, *, out):
    return out


@elementwise("numpy.expm1", "scipy.special.expm1")
def expm1(x, *, out):
    return out + 1


@elementwise("numpy.exp2", "scipy.special.exp2")
def exp2(x, *, out):
    return out * math.log(2)


@elementwise("numpy.log")
def log(x):
    return 1 / x


@elementwise("numpy.log1p", "scipy.special.log1p")
def log1p(x):
    return 1 / (1 + x)


@elementwise("numpy.log2")
def log2(x):
    return 1 / (x * math.log(2))


@elementwise("numpy.log10")
def log10(x):
    return 1 / (x * math.log(10))


@elementwise("numpy.logaddexp")
def logaddexp(x1, x2, *, out):
    """Avoids -inf - (-inf): what has no probability has no share of it."""
    whole = np.where(np.isneginf(out), 0.0, out)
    return np.exp(x1 - whole), np.exp(x2 - whole)


@elementwise("numpy.logaddexp2")
def logaddexp2(x1, x2, *, out):
    whole = np.where(np.isneginf(out), 0.0, out)
    return np.exp2(x1 - whole), np.exp2(x2 - whole)


# trigonometric and hyperbolic functions


@elementwise("numpy.sin")
def sin(x):
    return np.cos(x)


@elementwise("numpy.cos")
def cos(x):
    return -np.sin(x)


@elementwise("numpy.tan")
def tan(x, *, out):
    return 1 + out * out


@elementwise("numpy.arcsin", "numpy.asin")
def arcsin(x):
    return 1 / np.sqrt(1 - x * x)


@elementwise("numpy.arccos", "numpy.acos")
def arccos(x):
    return -1 / np.sqrt(1 - x * x)


@elementwise("numpy.arctan", "numpy.atan")
def arctan(x):
    return 1 / (1 + x * x)


@elementwise("numpy.arctan2", "numpy.atan2")
def arctan2(x1, x2):
    """Squares neither operand alone: it may be one of small integers."""
    r2 = np.hypot(x1, x2) ** 2
    return x2 / r2, -(x1 / r2)


@elementwise("numpy.hypot")
def hypot(x1, x2, *, out):
    return x1 / out, x2 / out


@elementwise("numpy.sinh")
def sinh(x):
    return np.cosh(x)


@elementwise("numpy.cosh")
def cosh(x):
    return np.sinh(x)


@elementwise("numpy.tanh")
def tanh(x, *, out):
    return 1 - out * out


@elementwise("numpy.arcsinh", "numpy.asinh")
def arcsinh(x):
    return 1 / np.sqrt(x * x + 1)


@elementwise("numpy.arccosh", "numpy.acosh")
def arccosh(x):
    return 1 / np.sqrt(x * x - 1)


@elementwise("numpy.arctanh", "numpy.atanh")
def arctanh(x):
    return 1 / (1 - x * x)


@elementwise("numpy.degrees", "numpy.rad2deg")
def degrees(x):
    return 180 / np.pi


@elementwise("numpy.radians", "numpy.deg2rad")
def radians(x):
    return np.pi / 180


@elementwise("numpy.sinc", "scipy.special.sinc")
def sinc(x):
    return rt.sinc_slope(x, 1)


# choices


@elementwise("numpy.maximum", "numpy.fmax", when="real arguments")
def maximum(x1, x2):
    """Shares the gradient equally where both are the largest."""
    return np.where(x1 == x2, 0.5, x1 > x2), np.where(x1 == x2, 0.5, x2 > x1)


@elementwise("numpy.minimum", "numpy.fmin", when="real arguments")
def minimum(x1, x2):
    """Shares the gradient equally where both are the smallest."""
    return np.where(x1 == x2, 0.5, x1 < x2), np.where(x1 == x2, 0.5, x2 < x1)


@elementwise("numpy.clip", when="real arguments")
def clip(a, a_min=None, a_max=None, *, out):
    """Gives the gradient at a bound to the value that is clipped, and else the upper one counts."""
    return out == a, (a < a_min) & (out != a_max), (out == a_max) & (out != a)


@elementwise("ndarray.clip", when="real arguments")
def ndarray_clip(a, min=None, max=None, *, out):
    """Gives the gradient at a bound to the value that is clipped, and else the upper one counts."""
    return out == a, (a < min) & (out != max), (out == max) & (out != a)


@linear("numpy.where", "adlsp.runtime.where", of="x y")
def where(condition: Tested, x=None, y=None, *, out_bar):
    x_bar = rt.unbroadcast(np.where(condition, out_bar, 0), x)
    return x_bar, rt.unbroadcast(np.where(condition, 0, out_bar), y)


@elementwise("numpy.heaviside")
def heaviside(x1, x2):
    return 0, x1 == 0


@elementwise("numpy.copysign", when="real arguments")
def copysign(x1, x2):
    return np.sign(x1) * np.copysign(1, x2), 0


@elementwise("numpy.nan_to_num", when="real arguments")
def nan_to_num(x, *, copy: Literal[True] = True, nan=0.0, posinf=None, neginf=None):
    return np.isfinite(x)


@linear("numpy.float64", "numpy.float32", of="x")
def float64(x, *, out_bar):
    return rt.unbroadcast(np.real(out_bar), x)


constant("numpy.sign", "numpy.signbit")
constant("numpy.floor", "numpy.ceil", "numpy.trunc", "numpy.fix", "numpy.rint", "numpy.round")
constant("numpy.around", "numpy.floor_divide", "operator.floordiv", "ndarray.round")
constant("numpy.isfinite", "numpy.isnan", "numpy.isinf", "numpy.isclose", "numpy.allclose")
constant("numpy.isreal", "numpy.iscomplex", "numpy.array_equiv")
constant("numpy.isposinf", "numpy.isneginf", "numpy.int64", "numpy.int32", "numpy.bool_")
constant("numpy.equal", "numpy.not_equal", "numpy.array_equal")
constant("numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal")
constant("numpy.logical_and", "numpy.logical_or", "numpy.logical_xor", "numpy.logical_not")
