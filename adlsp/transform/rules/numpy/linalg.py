# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Inverses, least squares, determinants and norms of NumPy's linear algebra, also of stacks.

Rules read, never run: each body is spliced into generated code. Formulas: Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("numpy.trace", "ndarray.trace", of="a")
def trace(a, offset=0, axis1=0, axis2=1, *, out_bar):
    return rt.trace_bar(out_bar, np.shape(a), offset, axis1, axis2)


@linear("numpy.linalg.trace", of="x")
def linalg_trace(x, *, offset=0, out_bar):
    return rt.trace_bar(out_bar, np.shape(x), offset, -2, -1)


@forward("numpy.linalg.inv")
def inv_forward(a, *, out, a_dot):
    return -np.matmul(np.matmul(out, a_dot), out)


@reverse("numpy.linalg.inv")
def inv_reverse(a, *, out, out_bar):
    transposed = np.swapaxes(out, -1, -2)
    return -np.matmul(np.matmul(transposed, out_bar), transposed)


@forward("numpy.linalg.det", when="regular matrices")
def det_forward(a, *, out, a_dot):
    return out * np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)


@reverse("numpy.linalg.det", when="regular matrices")
def det_reverse(a, *, out, out_bar):
    scale = np.expand_dims(out_bar * out, (-2, -1))
    return scale * np.swapaxes(np.linalg.inv(a), -1, -2)


@forward("numpy.linalg.slogdet", when="real regular matrices")
def slogdet_forward(a, *, a_dot):
    change = np.trace(np.linalg.solve(rt.real(a), a_dot), axis1=-2, axis2=-1)
    return [0 * change, change]


@reverse("numpy.linalg.slogdet", when="real regular matrices")
def slogdet_reverse(a, *, out_bar):
    scale = np.expand_dims(out_bar[1], (-2, -1))
    return scale * np.swapaxes(np.linalg.inv(rt.real(a)), -1, -2)


@forward("numpy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_forward(a, b, *, out, a_dot, b_dot):
    change = rt.solve_transposed(np.swapaxes(a, -1, -2), np.matmul(a_dot, out), b)
    return -change, np.linalg.solve(a, b_dot)


@reverse("numpy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_reverse(a, b, *, out, out_bar):
    b_bar = rt.solve_transposed(a, out_bar, b)
    return rt.matmul_bar_a(-b_bar, a, out), rt.unbroadcast(b_bar, b)


@forward("numpy.linalg.norm", when="the norm is not zero")
def norm_forward(x, ord: Literal[None, "fro"] = None, axis=None, keepdims=False, *, out, x_dot):
    """Each part is divided by the norm, so that of an empty array none is divided by zero."""
    parts = np.real(rt.conj(x) * x_dot) / rt.expand(out, np.shape(x), axis, keepdims)
    return np.sum(parts, axis=axis, keepdims=keepdims)


@reverse("numpy.linalg.norm", when="the norm is not zero")
def norm_reverse(x, ord: Literal[None, "fro"] = None, axis=None, keepdims=False, *, out, out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(x), axis, keepdims)
    return whole * (rt.conj(x) / rt.expand(out, np.shape(x), axis, keepdims))


@forward("numpy.linalg.norm", when="the norm is not zero")
def norm_of_order_forward(x, ord=None, axis=None, keepdims=False, *, x_dot):
    change = np.real(rt.norm_slope(x, ord, axis) * x_dot)
    return np.sum(change, axis=axis, keepdims=keepdims)


@reverse("numpy.linalg.norm", when="the norm is not zero")
def norm_of_order_reverse(x, ord=None, axis=None, keepdims=False, *, out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(x), axis, keepdims)
    return whole * rt.norm_slope(x, ord, axis)


@forward("numpy.linalg.vector_norm", when="the norm is not zero")
def vector_norm_forward(x, *, axis=None, keepdims=False, ord: Literal[2] = 2, out, x_dot):
    parts = np.real(rt.conj(x) * x_dot) / rt.expand(out, np.shape(x), axis, keepdims)
    return np.sum(parts, axis=axis, keepdims=keepdims)


@reverse("numpy.linalg.vector_norm", when="the norm is not zero")
def vector_norm_reverse(x, *, axis=None, keepdims=False, ord: Literal[2] = 2, out, out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(x), axis, keepdims)
    return whole * (rt.conj(x) / rt.expand(out, np.shape(x), axis, keepdims))


@forward("numpy.linalg.matrix_norm", when="the norm is not zero")
def matrix_norm_forward(x, *, keepdims=False, ord="fro", x_dot):
    change = np.real(rt.norm_slope(x, ord, (-2, -1)) * x_dot)
    return np.sum(change, axis=(-2, -1), keepdims=keepdims)


@reverse("numpy.linalg.matrix_norm", when="the norm is not zero")
def matrix_norm_reverse(x, *, keepdims=False, ord="fro", out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(x), (-2, -1), keepdims)
    return whole * rt.norm_slope(x, ord, (-2, -1))


@forward("numpy.linalg.cond", when="regular matrices; the singular values differ")
def cond_forward(x, p: Literal[None, 2] = None, *, out, x_dot):
    ratio = np.expand_dims(out, (-2, -1))
    slope = rt.norm_slope(x, 2, (-2, -1)) - ratio * rt.norm_slope(x, -2, (-2, -1))
    change = np.sum(np.real(slope * x_dot), axis=(-2, -1))
    return change / np.linalg.norm(x, -2, (-2, -1))


@reverse("numpy.linalg.cond", when="regular matrices; the singular values differ")
def cond_reverse(x, p: Literal[None, 2] = None, *, out, out_bar):
    ratio = np.expand_dims(out, (-2, -1))
    slope = rt.norm_slope(x, 2, (-2, -1)) - ratio * rt.norm_slope(x, -2, (-2, -1))
    share = np.real(out_bar) / np.linalg.norm(x, -2, (-2, -1))
    return np.expand_dims(share, (-2, -1)) * slope


@forward("adlsp.runtime.norm_slope")
def norm_slope_forward(x, ord, axis=None, *, x_dot):
    return rt.norm_bend(x_dot, x, ord, axis)


@reverse("adlsp.runtime.norm_slope")
def norm_slope_reverse(x, ord, axis=None, *, out_bar):
    """A second derivative is symmetric."""
    return rt.norm_bend(out_bar, x, ord, axis)


@forward("numpy.linalg.pinv", "scipy.linalg.pinv", when="the rank stays the same")
def pinv_forward(a, rcond=None, *, out, a_dot):
    back = rt.dagger(a_dot)
    left = back - np.matmul(out, np.matmul(a, back))
    right = back - np.matmul(np.matmul(back, a), out)
    own = np.matmul(np.matmul(out, rt.dagger(out)), right)
    change = own + np.matmul(left, np.matmul(rt.dagger(out), out))
    return change - np.matmul(np.matmul(out, a_dot), out)


@reverse("numpy.linalg.pinv", "scipy.linalg.pinv", when="the rank stays the same")
def pinv_reverse(a, rcond=None, *, out, out_bar):
    back = rt.dagger(out_bar)
    left = back - np.matmul(np.conj(np.matmul(a, out)), back)
    right = back - np.matmul(back, np.conj(np.matmul(out, a)))
    own = np.matmul(left, np.conj(np.matmul(out, rt.dagger(out))))
    change = own + np.matmul(np.conj(np.matmul(rt.dagger(out), out)), right)
    transposed = np.swapaxes(out, -1, -2)
    return change - np.matmul(np.matmul(transposed, out_bar), transposed)


@forward("numpy.linalg.lstsq", when="real; the rank stays the same")
def lstsq_forward(a, b, rcond=None, *, a_dot, b_dot):
    found = np.linalg.lstsq(rt.real(a), rt.real(b), rcond)
    inverse = np.linalg.pinv(a, rt.cutoff(a, rcond))
    rest = b - np.matmul(a, found[0])
    lost = np.matmul(a_dot, found[0])
    turned = np.matmul(np.transpose(a_dot), np.matmul(np.transpose(inverse), found[0]))
    leaned = np.matmul(np.transpose(inverse), np.matmul(np.transpose(a_dot), rest))
    x_dot = turned + np.matmul(inverse, leaned - lost - np.matmul(a, turned))
    axes = np.linalg.svd(a, full_matrices=False)
    s_dot = np.sum(axes[0] * np.matmul(a_dot, np.transpose(axes[2])), axis=0)
    return (
        [x_dot, rt.fill(-2 * np.sum(rest * lost, axis=0), np.shape(found[1])), 0.0, s_dot],
        [
            np.matmul(inverse, b_dot),
            rt.fill(2 * np.sum(rest * b_dot, axis=0), np.shape(found[1])),
            0.0,
            0 * found[3],
        ],
    )


@reverse("numpy.linalg.lstsq", when="real; the rank stays the same")
def lstsq_reverse(a, b, rcond=None, *, out_bar):
    inverse = np.linalg.pinv(rt.real(a), rt.cutoff(a, rcond))
    x = np.matmul(inverse, rt.real(b))
    rest = b - np.matmul(a, x)
    moved = np.matmul(np.transpose(inverse), out_bar[0])
    b_bar = moved + 2 * rest * rt.fill(out_bar[1], np.shape(rest)[1:])
    leaned = rt.matmul_bar_a(rest, a, np.matmul(inverse, moved))
    further = out_bar[0] - np.matmul(np.transpose(a), moved)
    turned = rt.matmul_bar_a(np.matmul(np.transpose(inverse), x), a, further)
    axes = np.linalg.svd(a, full_matrices=False)
    own = leaned + turned + np.matmul(axes[0] * out_bar[3], axes[2])
    return own - rt.matmul_bar_a(b_bar, a, x), b_bar


@forward("numpy.linalg.matrix_power")
def matrix_power_forward(a, n, *, a_dot):
    return rt.corner(np.linalg.matrix_power(rt.upper(a, a_dot), n))


@reverse("numpy.linalg.matrix_power")
def matrix_power_reverse(a, n, *, out_bar):
    return rt.corner(np.linalg.matrix_power(rt.upper(np.swapaxes(a, -1, -2), out_bar), n))


@linear("adlsp.runtime.upper", of="a g")
def upper(a, g, *, out_bar):
    return rt.diagonal_blocks(out_bar), rt.corner(out_bar)


@linear("adlsp.runtime.corner", of="blocks")
def corner(blocks, *, out_bar):
    return rt.corner_bar(out_bar, np.shape(blocks))


@linear("adlsp.runtime.corner_bar", of="g")
def corner_bar(g, shape, *, out_bar):
    return rt.corner(out_bar)


@linear("adlsp.runtime.fill", of="x")
def fill(x, shape, *, out_bar):
    return rt.fill(out_bar, np.shape(x))


@linear("adlsp.runtime.diagonal_blocks", of="blocks")
def diagonal_blocks(blocks, *, out_bar):
    return rt.upper(out_bar, np.zeros_like(out_bar))
