# mypy: allow-untyped-defs
# ruff: noqa: ANN001, ANN201, ARG001, D103
"""Python's own functions: `math` on single numbers, and the builtins.

Rules read, never run: each body is spliced into generated code. Those for `math` stay in `math`,
which on single numbers is several times as fast as NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import (
    composite,
    constant,
    elementwise,
    forward,
    linear,
    reverse,
)

if TYPE_CHECKING:
    import math

    import numpy as np

    from adlsp import runtime as rt


@forward("math.sqrt")
def sqrt_forward(x, *, out, x_dot):
    return rt.ratio(x_dot, 2 * out)


@reverse("math.sqrt")
def sqrt_reverse(x, *, out, out_bar):
    return rt.unbroadcast(rt.ratio(out_bar, 2 * out), x)


@elementwise("math.cbrt")
def cbrt(x, *, out):
    return 1 / (3 * out * out)


@elementwise("math.pow")
def power(x, y, *, out):
    return y * x ** np.where(y == 0, 1, y - 1), out * rt.power_log(x)


@elementwise("math.fabs")
def fabs(x):
    """Takes the derivative at 0 as 0."""
    return np.sign(x)


@elementwise("math.fmod", when="away from the jumps")
def fmod(x, y):
    return 1, -np.trunc(x / y)


@elementwise("math.remainder", when="away from the jumps")
def remainder(x, y):
    return 1, -np.round(x / y)


@elementwise("math.copysign", when="x is not zero")
def copysign(x, y):
    return np.sign(x) * np.copysign(1.0, y), 0


@forward("math.modf", when="away from the jumps")
def modf_forward(x, *, x_dot):
    return [x_dot, 0.0]


@reverse("math.modf", when="away from the jumps")
def modf_reverse(x, *, out_bar):
    return out_bar[0]


@elementwise("math.exp")
def exp(x, *, out):
    return out


@elementwise("math.expm1")
def expm1(x, *, out):
    return out + 1


@elementwise("math.exp2")
def exp2(x, *, out):
    return out * math.log(2)


@elementwise("math.log", of="x")
def log(x, base: Literal[None] = None):
    return 1 / x


@composite("math.log", of="x base")
def log_to_base(x, base):
    return math.log(x) / math.log(base)


@elementwise("math.log1p")
def log1p(x):
    return 1 / (1 + x)


@elementwise("math.log2")
def log2(x):
    return 1 / (x * math.log(2))


@elementwise("math.log10")
def log10(x):
    return 1 / (x * math.log(10))


@elementwise("math.sin")
def sin(x):
    return math.cos(x)


@elementwise("math.cos")
def cos(x):
    return -math.sin(x)


@elementwise("math.tan")
def tan(x, *, out):
    return 1 + out * out


@elementwise("math.asin")
def asin(x):
    return 1 / math.sqrt(1 - x * x)


@elementwise("math.acos")
def acos(x):
    return -1 / math.sqrt(1 - x * x)


@elementwise("math.atan")
def atan(x):
    return 1 / (1 + x * x)


@elementwise("math.atan2")
def atan2(y, x):
    """Squares neither operand alone: it may be one of NumPy's small integers."""
    r2 = math.hypot(x, y) ** 2
    return x / r2, -(y / r2)


@elementwise("math.hypot")
def hypot(x, y, *, out):
    return x / out, y / out


@forward("math.dist")
def dist_forward(p, q, *, out, p_dot, q_dot):
    way = np.asarray(p) - q
    return rt.ratio(np.dot(way, p_dot), out), -rt.ratio(np.dot(way, q_dot), out)


@reverse("math.dist")
def dist_reverse(p, q, *, out, out_bar):
    way_bar = rt.ratio(out_bar, out) * (np.asarray(p) - q)
    return rt.unbroadcast(way_bar, p), rt.unbroadcast(-way_bar, q)


@linear("math.fsum", of="seq")
def fsum(seq, *, out_bar):
    return rt.sum_bar(out_bar, seq)


@forward("math.prod")
def prod_forward(iterable, *, start=1, iterable_dot):
    return start * np.sum(rt.product_of_others(iterable, 0) * iterable_dot, axis=0)


@reverse("math.prod")
def prod_reverse(iterable, *, start=1, out_bar):
    return rt.unbroadcast(out_bar * start * rt.product_of_others(iterable, 0), iterable)


@elementwise("math.sinh")
def sinh(x):
    return math.cosh(x)


@elementwise("math.cosh")
def cosh(x):
    return math.sinh(x)


@elementwise("math.tanh")
def tanh(x, *, out):
    return 1 - out * out


@elementwise("math.asinh")
def asinh(x):
    return 1 / math.sqrt(x * x + 1)


@elementwise("math.acosh")
def acosh(x):
    return 1 / math.sqrt(x * x - 1)


@elementwise("math.atanh")
def atanh(x):
    return 1 / (1 - x * x)


@elementwise("math.degrees")
def degrees(x):
    return 180 / math.pi


@elementwise("math.radians")
def radians(x):
    return math.pi / 180


@elementwise("math.erf")
def erf(x):
    return 2 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise("math.erfc")
def erfc(x):
    return -2 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise("math.gamma")
def gamma(x, *, out):
    return out * rt.polygamma(0, x)


@elementwise("math.lgamma")
def lgamma(x):
    return rt.polygamma(0, x)


@forward("builtins.float")
def float_forward(x, *, x_dot):
    return np.real(x_dot)


@reverse("builtins.float")
def float_reverse(x, *, out_bar):
    return rt.unbroadcast(np.real(out_bar), x)


@elementwise("builtins.complex")
def complex(real, imag=0):
    return 1, 1j


@elementwise("builtins.max", when="two numbers")
def max(a, b):
    """Shares the gradient equally where both are the largest."""
    return rt.larger(a, b), rt.larger(b, a)


@elementwise("builtins.min", when="two numbers")
def min(a, b):
    """Shares the gradient equally where both are the smallest."""
    return rt.larger(b, a), rt.larger(a, b)


@forward("python.largest")
@forward("python.smallest")
def extreme_forward(iterable, *, out, iterable_dot):
    """Shares the tangents equally where several are the largest, or smallest."""
    return rt.chosen(iterable_dot, iterable, out)


@reverse("python.largest")
@reverse("python.smallest")
def extreme_reverse(iterable, *, out, out_bar):
    return rt.chosen_bar(out_bar, iterable, out)


@forward("builtins.sorted", when="numbers")
def sorted_forward(iterable, *, reverse=False, iterable_dot):
    return rt.in_order(iterable_dot, iterable, reverse)


@reverse("builtins.sorted", when="numbers")
def sorted_reverse(iterable, *, reverse=False, out_bar):
    return rt.in_order_bar(out_bar, iterable, reverse)


@forward("builtins.dict")
def dict_forward(entries, *, entries_dot):
    return rt.entered(entries_dot, entries)


@reverse("builtins.dict")
def dict_reverse(entries, *, out_bar):
    return rt.entered_bar(out_bar, entries)


@linear("builtins.sum", of="iterable start")
def sum(iterable, start=0, *, out_bar):
    return rt.sum_bar(out_bar, iterable), rt.unbroadcast(out_bar, start)


@linear("adlsp.runtime.unpack", "python.unpack", of="values")
def unpack(values, place, n, *, out_bar):
    return rt.repack(out_bar, place, values)


@linear("adlsp.runtime.repack", of="parts")
def repack(parts, place, values, *, out_bar):
    return rt.unpack(out_bar, place, len(parts))


@linear("python.concat", of="a b")
def concat(a, b, *, out_bar):
    return rt.head_bar(out_bar, a), rt.tail_bar(out_bar, a)


@linear("python.plus", "adlsp.runtime.plus", of="a b")
def plus(a, b, *, out_bar):
    return rt.plus_bar(out_bar, a, b, 0), rt.plus_bar(out_bar, a, b, 1)


@linear("python.repeat", of="a")
def repeat(a, n, *, out_bar):
    return rt.repeats_bar(out_bar, a, n)


@linear("python.transposed", of="rows")
def transposed(rows, *, out_bar):
    return rt.transposed_bar(out_bar, rows)


@linear("builtins.list", "builtins.tuple", of="iterable")
def listed(iterable, *, out_bar):
    return rt.restructure(out_bar, iterable)


constant("math.floor", "math.ceil", "math.trunc", "math.isfinite", "math.isnan", "math.isinf")
constant("bisect.bisect", "bisect.bisect_left", "bisect.bisect_right")
constant("math.isclose", "builtins.len", "builtins.range", "builtins.int", "builtins.bool")
constant("builtins.round", "builtins.isinstance", "builtins.callable", "builtins.type")
constant("builtins.any", "builtins.all")
constant("operator.lt", "operator.le", "operator.gt", "operator.ge", "operator.eq", "operator.ne")
constant("operator.is_", "operator.is_not", "operator.not_", "python.in", "python.not_in")
constant("python.option")
constant("operator.invert", "operator.lshift", "operator.rshift")
constant("adlsp.stop_gradient")


@linear("python.bound", "python.changed", of="x")
def state(x, *, out_bar):
    return out_bar


@linear("copy.copy", "copy.deepcopy", of="x")
def copied(x, *, out_bar):
    return out_bar
