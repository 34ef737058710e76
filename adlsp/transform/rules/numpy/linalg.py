# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Inverses, determinants and norms of NumPy's linear algebra, for matrices and stacks of them.

Rules read, never run: each body is spliced into generated code. Formulas: Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


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


@forward("numpy.linalg.slogdet", when="real regular matrices")
def slogdet_forward(a, *, a_dot):
    change = np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)
    return [0 * change, change]


@reverse("numpy.linalg.slogdet", when="real regular matrices")
def slogdet_reverse(a, *, out_bar):
    scale = np.expand_dims(out_bar[1], (-2, -1))
    return scale * np.swapaxes(np.linalg.inv(a), -1, -2)


@forward("numpy.linalg.cholesky", when="real arguments; reads what is not above the diagonal")
def cholesky_forward(a, *, out, a_dot):
    change = np.tril(a_dot) + np.swapaxes(np.tril(a_dot, -1), -1, -2)
    half = np.swapaxes(np.linalg.solve(out, change), -1, -2)
    whole = np.linalg.solve(out, half)
    return np.matmul(out, (np.tril(whole) + np.tril(whole, -1)) / 2)


@reverse("numpy.linalg.cholesky", when="real arguments; reads what is not above the diagonal")
def cholesky_reverse(a, *, out, out_bar):
    transposed = np.swapaxes(out, -1, -2)
    whole = np.matmul(transposed, out_bar)
    half = np.linalg.solve(transposed, (np.tril(whole) + np.tril(whole, -1)) / 2)
    change = np.linalg.solve(transposed, np.swapaxes(half, -1, -2))
    return np.tril(np.swapaxes(change, -1, -2)) + np.tril(change, -1)


@forward("numpy.linalg.eigh", when="real symmetric matrices whose eigenvalues differ")
def eigh_forward(a, *, a_dot):
    found = np.linalg.eigh(a)  # not `out`, which may have been taken apart
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    change = np.tril(a_dot) + np.swapaxes(np.tril(a_dot, -1), -1, -2)
    turned = np.swapaxes(v, -1, -2) @ change @ v
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    return [np.diagonal(turned, 0, -2, -1), v @ (turned * (1 - eye) / gaps)]


@reverse("numpy.linalg.eigh", when="real symmetric matrices whose eigenvalues differ")
def eigh_reverse(a, *, out_bar):
    found = np.linalg.eigh(a)
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    transposed = np.swapaxes(v, -1, -2)
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    turned = transposed @ out_bar[1] * (1 - eye) / gaps + np.expand_dims(out_bar[0], -1) * eye
    change = v @ turned @ transposed
    return rt.unbroadcast(np.tril(change) + np.tril(np.swapaxes(change, -1, -2), -1), a)


@forward("numpy.linalg.eigvalsh", when="real symmetric matrices whose eigenvalues differ")
def eigvalsh_forward(a, *, a_dot):
    v = np.linalg.eigh(a)[1]
    change = np.tril(a_dot) + np.swapaxes(np.tril(a_dot, -1), -1, -2)
    return np.diagonal(np.swapaxes(v, -1, -2) @ change @ v, 0, -2, -1)


@reverse("numpy.linalg.eigvalsh", when="real symmetric matrices whose eigenvalues differ")
def eigvalsh_reverse(a, *, out_bar):
    v = np.linalg.eigh(a)[1]
    change = (v * np.expand_dims(out_bar, -2)) @ np.swapaxes(v, -1, -2)
    return np.tril(change) + np.tril(np.swapaxes(change, -1, -2), -1)


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
    return np.sum(rt.real(x) * x_dot, axis=axis, keepdims=keepdims) / out


@reverse("numpy.linalg.norm", when="real arguments, the norm is not zero")
def norm_reverse(x, *, axis=None, keepdims=False, out, out_bar):
    return rt.expand(out_bar / out, np.shape(x), axis, keepdims) * rt.real(x)
