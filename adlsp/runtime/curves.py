"""Slopes of functions whose derivatives NumPy does not have: powers, interpolation and others.

Interpolation is linear in the values at the points, and its slope is constant between points. At a
point it has the slope to the right of it; outside of all points it is zero.
"""

from __future__ import annotations

import math

import numpy as np

from adlsp.runtime.foreign import library
from adlsp.runtime.shapes import Value


def larger(a: Value, b: Value) -> float:
    """Gives the slope by `a` of the larger of two numbers: 1 or 0, and a half at a tie."""
    if a > b:
        return 1.0
    return 0.5 if a == b else 0.0


BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
"""The Bernoulli numbers with even indices, from the second on."""


def polygamma(n: int, x: float) -> float:
    """Gives the derivative number `n` of the digamma function of a number, which is number 0.

    By the recurrence, and far from zero by the asymptotic series (Abramowitz and Stegun, 6.4).
    """
    total, sign = 0.0, (-1) ** n
    while x < 12 + n:
        total -= sign * math.factorial(n) / x ** (n + 1)
        x += 1
    first = -math.log(x) if n == 0 else math.factorial(n - 1) / x**n
    series = first + math.factorial(n) / (2 * x ** (n + 1))
    for k, bernoulli in enumerate(BERNOULLI, 1):
        series += (
            bernoulli * math.factorial(2 * k + n - 1) / math.factorial(2 * k) / x ** (2 * k + n)
        )
    return total - sign * series


def sigmoid(x: Value, above: float = 1, below: float = 1) -> Value:
    """Gives the logistic sigmoid of `x`; `above` and `below` are ones, as somebody spells them."""
    return above / (below + np.exp(-x))


def sigmoid_of_number(x: float, above: float = 1, below: float = 1) -> float:
    """Gives the logistic sigmoid of a number, as `sigmoid`; raises OverflowError for large `-x`."""
    return above / (below + math.exp(-x))


def log_of_sigmoid(x: Value, p: Value) -> Value:  # noqa: ARG001
    """Gives the logarithm of the sigmoid of `x`, which is `p`."""
    return np.log(sigmoid(x))


def log_of_lack(x: Value, p: Value, one: float = 1) -> Value:  # noqa: ARG001
    """Gives the logarithm of what the sigmoid of `x`, which is `p`, lacks to one."""
    return np.log(one - sigmoid(x))


def log_likelihood(x: Value, p: Value, y: Value, whole: float = 1, above: float = 1) -> Value:
    """Gives the logarithm of the likelihood of `y`, which is 1 with probability `p`.

    That is the sigmoid of `x`; `whole` and `above` are ones, as somebody spells them.
    """
    p = sigmoid(x)
    return y * np.log(p) + (whole - y) * np.log(above - p)


def sinc_slope(x: Value, n: int) -> Value:
    """Gives the `n`-th derivative of `numpy.sinc`, also near zero."""
    x = np.asarray(x)
    z = np.pi * (x if x.dtype.kind in "fc" else x.astype(float))
    near = np.abs(z) < n + 1
    far = np.where(near, 1, z)
    value = np.sin(far) / far
    for k in range(1, n + 1):
        value = (np.sin(far + k * np.pi / 2) - k * value) / far
    return np.pi**n * np.where(near, _series(np.where(near, z, 0), n), value)[()]


def power_log(x: Value, power: Value = None) -> Value:
    """Gives the logarithm in the derivative of a power by its exponent.

    `x ** y` changes with `y` by `x ** y * power_log(x, x ** y)`.
    At zero it is zero, as the product is for a positive `y`. Where the power is a real number, the
    logarithm of a negative `x` is its real part: where `y` is an integer, the product is then the
    derivative of the real part of the power.
    """
    other = library(x)
    if other is not None:
        return other.power_log(x)
    size = x + 0j if np.iscomplexobj(power) else x if np.iscomplexobj(x) else np.abs(x)
    if np.asarray(size).dtype.kind in "biu":
        size = np.asarray(size, float)
    elif power is not None and np.asarray(size).dtype == np.float16:
        size = np.asarray(size, np.result_type(power))
    return np.log(np.where(size == 0, 1, size))[()]


def has_log(x: Value) -> Value:
    """Gives 1 where `power_log` is the logarithm, and 0 where it stands for none."""
    other = library(x)
    return (x != 0) * 1.0 if other is None else other.has_log(x)


def interp_slope(x: Value, xp: Value, fp: Value) -> Value:
    """Gives the slope of `numpy.interp(x, xp, fp)` at `x`."""
    left, width, is_inside = _segments(x, xp)
    fp = np.multiply(fp, 1.0)  # integers may have no negative ones
    return np.where(is_inside, (fp[left + 1] - fp[left]) / width, 0)[()]


def interp_slope_bar(out_bar: Value, x: Value, xp: Value) -> Value:
    """Gives the gradient of `fp` in `interp_slope(x, xp, fp)`."""
    left, width, is_inside = _segments(x, xp)
    share = np.where(is_inside, out_bar / width, 0)
    made = np.zeros(np.shape(xp), share.dtype)
    np.add.at(made, left, -share)
    np.add.at(made, left + 1, share)
    return made


def interp_bar(out_bar: Value, x: Value, xp: Value) -> Value:
    """Gives the gradient of `fp` in `numpy.interp(x, xp, fp)`."""
    left, width, _ = _segments(x, xp)
    share = np.clip((np.asarray(x) - np.multiply(xp, 1.0)[left]) / width, 0, 1)
    made = np.zeros(np.shape(xp), np.result_type(out_bar, share))
    np.add.at(made, left, (1 - share) * out_bar)
    np.add.at(made, left + 1, share * out_bar)
    return made


def _series(z: Value, n: int) -> Value:
    """The `n`-th derivative of `sin(z) / z` for small z, from its power series."""
    total = np.zeros_like(z)
    for k in range((n + 1) // 2, (n + 1) // 2 + 20 + 2 * n):
        power = 2 * k - n
        scale = (-1) ** k / (math.factorial(power) * (2 * k + 1))
        total = total + scale * z**power
    return total


def _segments(x: Value, xp: Value) -> tuple[Value, Value, Value]:
    """For each place the point to the left of it, the width of its segment, and if it has one."""
    xp = np.multiply(xp, 1.0)
    left = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    is_inside = (xp[0] <= x) & (x < xp[-1])
    width = xp[left + 1] - xp[left]
    return left, np.where(width == 0, 1, width), is_inside
