# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Products of NumPy that are more than elementwise: of matrices, of tensors, of signals.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Unsummed, linear, multilinear

if TYPE_CHECKING:
    from typing import LiteralString

    import numpy as np

    from adlsp import runtime as rt


@multilinear("numpy.matmul", "operator.matmul", "numpy.linalg.matmul", of="x1 x2")
def matmul(x1, x2, *, out_bar: Unsummed):
    return rt.matmul_bar_a(out_bar, x1, x2), rt.matmul_bar_b(out_bar, x1, x2)


@multilinear("numpy.dot", "ndarray.dot", "adlsp.runtime.dot", of="a b")
def dot(a, b, *, out_bar: Unsummed):
    return rt.dot_bar_a(out_bar, a, b), rt.dot_bar_b(out_bar, a, b)


@multilinear("numpy.inner", of="a b")
def inner(a, b, *, out_bar: Unsummed):
    return rt.inner_bar_a(out_bar, a, b), rt.inner_bar_b(out_bar, a, b)


@multilinear("numpy.vdot", of="a b")
def vdot(a, b, *, out_bar):
    a_bar = np.reshape(rt.conj(out_bar * np.ravel(b)), np.shape(a))
    return a_bar, np.reshape(out_bar * rt.conj(np.ravel(a)), np.shape(b))


@multilinear("numpy.outer", of="a b")
def outer(a, b, *, out_bar):
    a_bar = np.reshape(np.dot(out_bar, np.ravel(b)), np.shape(a))
    return a_bar, np.reshape(np.dot(np.ravel(a), out_bar), np.shape(b))


@multilinear("numpy.linalg.outer", of="x1 x2")
def linalg_outer(x1, x2, *, out_bar):
    return np.dot(out_bar, x2), np.dot(x1, out_bar)


@multilinear("numpy.multiply.outer", of="A B")
def multiply_outer(A, B, *, out_bar):  # noqa: N803
    return np.tensordot(out_bar, B, np.ndim(B)), np.tensordot(A, out_bar, np.ndim(A))


@linear("numpy.add.outer", of="A B")
def add_outer(A, B, *, out_bar):  # noqa: N803
    A_bar = np.sum(out_bar, axis=tuple(range(np.ndim(A), np.ndim(out_bar))))  # noqa: N806
    return A_bar, rt.unbroadcast(out_bar, B)


@linear("numpy.subtract.outer", of="A B")
def subtract_outer(A, B, *, out_bar):  # noqa: N803
    A_bar = np.sum(out_bar, axis=tuple(range(np.ndim(A), np.ndim(out_bar))))  # noqa: N806
    return A_bar, -rt.unbroadcast(out_bar, B)


@multilinear("numpy.cross", of="a b")
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None, *, out_bar):
    a_bar = rt.cross_bar(out_bar, a, b, axisa, axisb, axisc, axis)
    return a_bar, -rt.cross_bar(out_bar, b, a, axisb, axisa, axisc, axis)


@multilinear("numpy.linalg.cross", of="x1 x2")
def linalg_cross(x1, x2, *, axis=-1, out_bar):
    x1_bar = rt.cross_bar(out_bar, x1, x2, -1, -1, -1, axis)
    return x1_bar, -rt.cross_bar(out_bar, x2, x1, -1, -1, -1, axis)


@multilinear("numpy.kron", of="a b")
def kron(a, b, *, out_bar):
    return rt.kron_bar_a(out_bar, a, b), rt.kron_bar_b(out_bar, a, b)


@multilinear("numpy.tensordot", "numpy.linalg.tensordot", of="a b")
def tensordot(a, b, axes=2, *, out_bar):
    a_bar = rt.tensordot_bar_a(out_bar, a, b, axes)
    return a_bar, rt.tensordot_bar_b(out_bar, a, b, axes)


@multilinear("numpy.einsum", of="a b c d", when="real arguments, at most four")
def einsum(subscripts: LiteralString, a, b=None, c=None, d=None, *, optimize=False, out_bar):
    a_bar = rt.einsum(rt.einsum_back(subscripts, 0), out_bar, b, c, d)
    b_bar = rt.einsum(rt.einsum_back(subscripts, 1), a, out_bar, c, d)
    c_bar = rt.einsum(rt.einsum_back(subscripts, 2), a, b, out_bar, d)
    d_bar = rt.einsum(rt.einsum_back(subscripts, 3), a, b, c, out_bar)
    return (
        rt.einsum_fit(a_bar, subscripts, 0, np.shape(a)),
        rt.einsum_fit(b_bar, subscripts, 1, np.shape(b)),
        rt.einsum_fit(c_bar, subscripts, 2, np.shape(c)),
        rt.einsum_fit(d_bar, subscripts, 3, np.shape(d)),
    )


@multilinear("numpy.convolve", of="a v")
def convolve(a, v, mode: Literal["full", "same", "valid"] = "full", *, out_bar):
    a_bar = rt.convolve_bar(out_bar, np.shape(a), v, mode)
    return a_bar, rt.convolve_bar(out_bar, np.shape(v), a, mode)


@multilinear("numpy.correlate", of="a v")
def correlate(a, v, mode: Literal["valid", "full"] = "valid", *, out_bar):
    a_bar = rt.convolve_bar(out_bar, np.shape(a), np.flip(rt.conj(v)), mode)
    return a_bar, np.flip(rt.conj(rt.convolve_bar(out_bar, np.shape(v), a, mode)))


@multilinear("numpy.vecdot", "numpy.linalg.vecdot", of="x1 x2", when="on the last axis")
def vecdot(x1, x2, *, out_bar):
    whole = np.expand_dims(out_bar, -1)
    return rt.unbroadcast(rt.conj(whole * x2), x1), rt.unbroadcast(whole * rt.conj(x1), x2)


@multilinear("numpy.matvec", of="x1 x2")
def matvec(x1, x2, *, out_bar):
    x1_bar = np.expand_dims(out_bar, -1) * np.expand_dims(x2, -2)
    x2_bar = np.sum(np.expand_dims(out_bar, -1) * x1, axis=-2)
    return rt.unbroadcast(x1_bar, x1), rt.unbroadcast(x2_bar, x2)


@multilinear("numpy.vecmat", of="x1 x2")
def vecmat(x1, x2, *, out_bar):
    x1_bar = rt.conj(np.sum(np.expand_dims(out_bar, -2) * x2, axis=-1))
    x2_bar = np.expand_dims(rt.conj(x1), -1) * np.expand_dims(out_bar, -2)
    return rt.unbroadcast(x1_bar, x1), rt.unbroadcast(x2_bar, x2)
