# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Polynomials of NumPy, and what cumulative products are made of.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import Shaped, forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@forward("numpy.polyval")
def polyval_forward(p, x, *, p_dot, x_dot):
    return np.polyval(p_dot, x), x_dot * rt.polynomial(p, x, 1)


@reverse("numpy.polyval")
def polyval_reverse(p, x, *, out_bar):
    p_bar = rt.polynomial_bar(out_bar, np.shape(p), x)
    return rt.unbroadcast(p_bar, p), rt.unbroadcast(out_bar * rt.polynomial(p, x, 1), x)


@forward("numpy.vander")
def vander_forward(x, N=None, increasing=False, *, out, x_dot):  # noqa: N803
    return np.expand_dims(x_dot, 1) * rt.powers_of(x, np.shape(out)[1], increasing, 1)


@reverse("numpy.vander")
def vander_reverse(x, N=None, increasing=False, *, out_bar):  # noqa: N803
    slopes = rt.powers_of(x, np.shape(out_bar)[1], increasing, 1)
    return rt.unbroadcast(np.sum(out_bar * slopes, axis=1), x)


@linear("numpy.polyadd", of="a1 a2")
def polyadd(a1, a2, *, out_bar):
    return rt.last(out_bar, a1), rt.last(out_bar, a2)


@linear("numpy.polysub", of="a1 a2")
def polysub(a1, a2, *, out_bar):
    return rt.last(out_bar, a1), -rt.last(out_bar, a2)


@forward("numpy.polymul", when="no leading coefficient is zero")
def polymul_forward(a1, a2, *, a1_dot, a2_dot):
    return np.convolve(a1_dot, a2), np.convolve(a1, a2_dot)


@reverse("numpy.polymul", when="no leading coefficient is zero")
def polymul_reverse(a1, a2, *, out_bar):
    a1_bar = rt.convolve_bar(out_bar, np.shape(a1), a2, "full")
    return a1_bar, rt.convolve_bar(out_bar, np.shape(a2), a1, "full")


@linear("numpy.polyder", of="p")
def polyder(p, m=1, *, out_bar):
    """A polynomial of ones has the factors with which coefficients count."""
    made = out_bar * np.polyder(np.ones(np.shape(p)), m)
    return rt.unbroadcast(np.append(made, np.zeros(min(m, np.size(p)))), p)


@forward("numpy.polyint")
def polyint_forward(p, m=1, k=None, *, p_dot):
    return np.polyint(p_dot, m)


@reverse("numpy.polyint")
def polyint_reverse(p, m=1, k=None, *, out_bar):
    made = (out_bar * np.polyint(np.ones(np.shape(p)), m))[: np.size(p)]
    return rt.unbroadcast(made, p)


@linear("numpy.polyfit", of="y", when="as many different x as coefficients at least")
def polyfit(x, y, deg, *, out_bar):
    inverse = np.linalg.pinv(np.vander(x, deg + 1))
    return rt.unbroadcast(np.matmul(np.transpose(inverse), out_bar), y)


# what the rules call


@linear("adlsp.runtime.last", of="g")
def last(g, like: Shaped, *, out_bar):
    return np.polyadd(np.zeros_like(g), out_bar)


@forward("adlsp.runtime.polynomial")
def polynomial_forward(p, x, n=0, *, p_dot, x_dot):
    return rt.polynomial(p_dot, x, n), x_dot * rt.polynomial(p, x, n + 1)


@reverse("adlsp.runtime.polynomial")
def polynomial_reverse(p, x, n=0, *, out_bar):
    p_bar = rt.polynomial_bar(out_bar, np.shape(p), x, n)
    return rt.unbroadcast(p_bar, p), rt.unbroadcast(out_bar * rt.polynomial(p, x, n + 1), x)


@forward("adlsp.runtime.polynomial_bar")
def polynomial_bar_forward(g, shape, x, n=0, *, g_dot, x_dot):
    moved = rt.polynomial_bar(g * x_dot, shape, x, n + 1)
    return rt.polynomial_bar(g_dot, shape, x, n), moved


@reverse("adlsp.runtime.polynomial_bar")
def polynomial_bar_reverse(g, shape, x, n=0, *, out_bar):
    x_bar = g * rt.polynomial(out_bar, x, n + 1)
    return rt.unbroadcast(rt.polynomial(out_bar, x, n), g), rt.unbroadcast(x_bar, x)


@forward("adlsp.runtime.powers_of")
def powers_of_forward(x, n_columns, increasing=False, n=0, *, x_dot):
    return np.expand_dims(x_dot, 1) * rt.powers_of(x, n_columns, increasing, n + 1)


@reverse("adlsp.runtime.powers_of")
def powers_of_reverse(x, n_columns, increasing=False, n=0, *, out_bar):
    slopes = rt.powers_of(x, n_columns, increasing, n + 1)
    return rt.unbroadcast(np.sum(out_bar * slopes, axis=1), x)


@forward("adlsp.runtime.scan")
def scan_forward(a, b, axis=None, *, out, a_dot, b_dot):
    moved = a_dot * rt.before(out, 0, axis)
    return rt.scan(a, moved, axis), rt.scan(a, b_dot, axis)


@reverse("adlsp.runtime.scan")
def scan_reverse(a, b, axis=None, *, out, out_bar):
    b_bar = rt.scan_back(a, out_bar, axis)
    return b_bar * rt.before(out, 0, axis), b_bar


@forward("adlsp.runtime.scan_back")
def scan_back_forward(a, g, axis=None, *, out, a_dot, g_dot):
    moved = rt.after(a_dot * out, axis)
    return rt.scan_back(a, moved, axis), rt.scan_back(a, g_dot, axis)


@reverse("adlsp.runtime.scan_back")
def scan_back_reverse(a, g, axis=None, *, out, out_bar):
    g_bar = rt.scan(a, out_bar, axis)
    return out * rt.before(g_bar, 0, axis), g_bar


@forward("adlsp.runtime.before")
def before_forward(x, first, axis=None, *, x_dot):
    return rt.before(x_dot, 0, axis)


@reverse("adlsp.runtime.before")
def before_reverse(x, first, axis=None, *, out_bar):
    return rt.after(out_bar, axis)


@linear("adlsp.runtime.after", of="x")
def after(x, axis=None, *, out_bar):
    return rt.before(out_bar, 0, axis)
