# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Products, inverses and norms of NumPy's linear algebra, for matrices and stacks of them.

Rules read, never run: each body is spliced into generated code. Formulas: Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import forward, linear, multilinear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@multilinear("numpy.matmul", "operator.matmul", of="x1 x2")
def matmul(x1, x2, *, out_bar):
    return rt.matmul_bar_a(out_bar, x1, x2), rt.matmul_bar_b(out_bar, x1, x2)


@multilinear("numpy.dot", "ndarray.dot", of="a b")
def dot(a, b, *, out_bar):
    return rt.dot_bar_a(out_bar, a, b), rt.dot_bar_b(out_bar, a, b)


@multilinear("numpy.inner", of="a b")
def inner(a, b, *, out_bar):
    return rt.inner_bar_a(out_bar, a, b), rt.inner_bar_b(out_bar, a, b)


@multilinear("numpy.vdot", of="a b", when="real arguments")
def vdot(a, b, *, out_bar):
    a_bar = np.reshape(out_bar * np.ravel(b), np.shape(a))
    return a_bar, np.reshape(out_bar * np.ravel(a), np.shape(b))


@multilinear("numpy.outer", of="a b")
def outer(a, b, *, out_bar):
    a_bar = np.reshape(np.dot(out_bar, np.ravel(b)), np.shape(a))
    return a_bar, np.reshape(np.dot(np.ravel(a), out_bar), np.shape(b))


@linear("numpy.trace", "ndarray.trace", of="a")
def trace(a, offset=0, axis1=0, axis2=1, *, out_bar):
    return rt.trace_bar(out_bar, np.shape(a), offset, axis1, axis2)


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


@forward("numpy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_forward(a, b, *, out, a_dot, b_dot):
    change = rt.solve_transposed(np.swapaxes(a, -1, -2), np.matmul(a_dot, out), b)
    return -change, np.linalg.solve(a, b_dot)


@reverse("numpy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_reverse(a, b, *, out, out_bar):
    b_bar = rt.solve_transposed(a, out_bar, b)
    return -rt.matmul_bar_a(b_bar, a, out), rt.unbroadcast(b_bar, b)


@forward("numpy.linalg.norm", when="real arguments, the norm is not zero")
def norm_forward(x, *, axis=None, keepdims=False, out, x_dot):
    return np.sum(x * x_dot, axis=axis, keepdims=keepdims) / out


@reverse("numpy.linalg.norm", when="real arguments, the norm is not zero")
def norm_reverse(x, *, axis=None, keepdims=False, out, out_bar):
    return rt.expand(out_bar / out, np.shape(x), axis, keepdims) * x
