# mypy: allow-untyped-defs, disable-error-code="assignment"
# ruff: noqa: D103
"""Products of matrices and tensors of TensorFlow.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, linear, multilinear

if TYPE_CHECKING:
    from typing import LiteralString

    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# products of matrices


@multilinear("tensorflow.matmul", "tensorflow.linalg.matmul", of="a b")
def matmul(
    a,
    b,
    transpose_a: Literal[False] = False,
    transpose_b: Literal[False] = False,
    adjoint_a: Literal[False] = False,
    adjoint_b: Literal[False] = False,
    *,
    out_bar,
):
    return rt.matmul_bar_a(out_bar, a, b), rt.matmul_bar_b(out_bar, a, b)


@multilinear("tensorflow.matmul", "tensorflow.linalg.matmul", of="a b")
def matmul_transposed_b(
    a,
    b,
    transpose_a: Literal[False] = False,
    transpose_b: Literal[True] = False,
    adjoint_a: Literal[False] = False,
    adjoint_b: Literal[False] = False,
    *,
    out_bar,
):
    a_bar = rt.unbroadcast(tf.matmul(out_bar, b), a)
    return a_bar, rt.unbroadcast(tf.matmul(out_bar, a, transpose_a=True), b)


@multilinear("tensorflow.matmul", "tensorflow.linalg.matmul", of="a b")
def matmul_transposed_a(
    a,
    b,
    transpose_a: Literal[True] = False,
    transpose_b: Literal[False] = False,
    adjoint_a: Literal[False] = False,
    adjoint_b: Literal[False] = False,
    *,
    out_bar,
):
    a_bar = rt.unbroadcast(tf.matmul(b, out_bar, transpose_b=True), a)
    return a_bar, rt.unbroadcast(tf.matmul(a, out_bar), b)


@multilinear("tensorflow.matmul", "tensorflow.linalg.matmul", of="a b")
def matmul_of_options(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    *,
    out_bar,
):
    left = tensors.turned(a, transpose_a, adjoint_a)
    right = tensors.turned(b, transpose_b, adjoint_b)
    left_bar = rt.matmul_bar_a(out_bar, left, right)
    right_bar = rt.matmul_bar_b(out_bar, left, right)
    a_bar = tensors.turned(left_bar, transpose_a, adjoint_a)
    return a_bar, tensors.turned(right_bar, transpose_b, adjoint_b)


@multilinear("tensorflow.raw_ops.MatMul", of="a b")
def product(a, b, transpose_a=False, transpose_b=False, *, out_bar):
    left = tensors.turned(a, transpose_a)
    right = tensors.turned(b, transpose_b)
    a_bar = tensors.turned(rt.matmul_bar_a(out_bar, left, right), transpose_a)
    return a_bar, tensors.turned(rt.matmul_bar_b(out_bar, left, right), transpose_b)


@linear("adlsp.runtime.tensors.turned", of="x")
def turned(x, transpose=False, adjoint=False, *, out_bar):
    return tensors.turned(out_bar, transpose, adjoint)


@multilinear("tensorflow.linalg.matvec", of="a b")
def matvec(
    a, b, transpose_a: Literal[False] = False, adjoint_a: Literal[False] = False, *, out_bar
):
    a_bar = rt.unbroadcast(tf.expand_dims(out_bar, -1) * tf.expand_dims(b, -2), a)
    return a_bar, rt.unbroadcast(tf.linalg.matvec(a, out_bar, transpose_a=True), b)


@multilinear("tensorflow.linalg.matvec", of="a b")
def matvec_transposed(
    a, b, transpose_a: Literal[True] = False, adjoint_a: Literal[False] = False, *, out_bar
):
    a_bar = rt.unbroadcast(tf.expand_dims(b, -1) * tf.expand_dims(out_bar, -2), a)
    return a_bar, rt.unbroadcast(tf.linalg.matvec(a, out_bar), b)


@multilinear("tensorflow.linalg.matvec", of="a b")
def matvec_adjoint(
    a, b, transpose_a: Literal[False] = False, adjoint_a: Literal[True] = False, *, out_bar
):
    a_bar = rt.unbroadcast(tensors.conj(tf.expand_dims(b, -1) * tf.expand_dims(out_bar, -2)), a)
    return a_bar, rt.unbroadcast(tf.linalg.matvec(tensors.conj(a), out_bar), b)


@multilinear("tensorflow.linalg.cross", of="a b")
def cross(a, b, *, out_bar):
    return tf.linalg.cross(b, out_bar), tf.linalg.cross(out_bar, a)


# products of tensors


@multilinear("tensorflow.tensordot", "tensorflow.linalg.tensordot", of="a b")
def tensordot(a, b, axes, *, out_bar):
    a_bar = tensors.tensordot_bar_a(out_bar, a, b, axes)
    return a_bar, tensors.tensordot_bar_b(out_bar, a, b, axes)


@multilinear("adlsp.runtime.tensors.tensordot_bar_a", of="g b")
def tensordot_bar_a(g, a: Shaped, b, axes, *, out_bar):
    g_bar = tf.tensordot(out_bar, b, axes)
    return g_bar, tensors.tensordot_bar_b(g, out_bar, b, axes)


@multilinear("adlsp.runtime.tensors.tensordot_bar_b", of="g a")
def tensordot_bar_b(g, a, b: Shaped, axes, *, out_bar):
    g_bar = tf.tensordot(a, out_bar, axes)
    return g_bar, tensors.tensordot_bar_a(g, a, out_bar, axes)


@multilinear("tensorflow.einsum", "tensorflow.linalg.einsum", of="a b c d", when="at most four")
def einsum(equation: LiteralString, a, b=None, c=None, d=None, *, optimize="greedy", out_bar):
    return (
        tensors.einsum_bar_a(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_b(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_c(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_d(out_bar, equation, a, b, c, d),
    )


@multilinear("adlsp.runtime.tensors.einsum", of="a b c d")
def einsum_of_some(equation, a, b=None, c=None, d=None, *, out_bar):
    return (
        tensors.einsum_bar_a(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_b(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_c(out_bar, equation, a, b, c, d),
        tensors.einsum_bar_d(out_bar, equation, a, b, c, d),
    )


@multilinear("adlsp.runtime.tensors.einsum_bar_a", of="g b c d")
def einsum_bar_a(g, equation, a: Shaped, b=None, c=None, d=None, *, out_bar):
    return (
        tensors.einsum(equation, out_bar, b, c, d),
        tensors.einsum_bar_b(g, equation, out_bar, b, c, d),
        tensors.einsum_bar_c(g, equation, out_bar, b, c, d),
        tensors.einsum_bar_d(g, equation, out_bar, b, c, d),
    )


@multilinear("adlsp.runtime.tensors.einsum_bar_b", of="g a c d")
def einsum_bar_b(g, equation, a, b: Shaped, c=None, d=None, *, out_bar):
    return (
        tensors.einsum(equation, a, out_bar, c, d),
        tensors.einsum_bar_a(g, equation, a, out_bar, c, d),
        tensors.einsum_bar_c(g, equation, a, out_bar, c, d),
        tensors.einsum_bar_d(g, equation, a, out_bar, c, d),
    )


@multilinear("adlsp.runtime.tensors.einsum_bar_c", of="g a b d")
def einsum_bar_c(g, equation, a, b, c: Shaped, d=None, *, out_bar):
    return (
        tensors.einsum(equation, a, b, out_bar, d),
        tensors.einsum_bar_a(g, equation, a, b, out_bar, d),
        tensors.einsum_bar_b(g, equation, a, b, out_bar, d),
        tensors.einsum_bar_d(g, equation, a, b, out_bar, d),
    )


@multilinear("adlsp.runtime.tensors.einsum_bar_d", of="g a b c")
def einsum_bar_d(g, equation, a, b, c, d: Shaped, *, out_bar):
    return (
        tensors.einsum(equation, a, b, c, out_bar),
        tensors.einsum_bar_a(g, equation, a, b, c, out_bar),
        tensors.einsum_bar_b(g, equation, a, b, c, out_bar),
        tensors.einsum_bar_c(g, equation, a, b, c, out_bar),
    )
