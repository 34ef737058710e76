# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Products with tridiagonal matrices, and systems of equations with them.

Rules read, never run: each body is spliced into generated code. A matrix is its three diagonals,
the upper one first; the last element of that and the first one of the lower one do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import forward, linear, multilinear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


@multilinear("tensorflow.linalg.tridiagonal_matmul", of="diagonals rhs")
def tridiagonal_matmul(
    diagonals, rhs, diagonals_format: Literal["compact"] = "compact", *, out_bar
):
    turned = tensors.tridiagonal_turned(diagonals)
    return tensors.tridiagonal_outer(out_bar, rhs), tf.linalg.tridiagonal_matmul(turned, out_bar)


@forward("tensorflow.linalg.tridiagonal_solve", when="rhs is a matrix")
def tridiagonal_solve_forward(
    diagonals,
    rhs,
    diagonals_format: Literal["compact"] = "compact",
    transpose_rhs: Literal[False] = False,
    conjugate_rhs: Literal[False] = False,
    name=None,
    partial_pivoting=True,
    perturb_singular: Literal[False] = False,
    *,
    out,
    diagonals_dot,
    rhs_dot,
):
    change = tf.linalg.tridiagonal_matmul(diagonals_dot, out)
    rhs_part = tf.linalg.tridiagonal_solve(diagonals, tf.identity(rhs_dot))
    return -tf.linalg.tridiagonal_solve(diagonals, change), rhs_part


@reverse("tensorflow.linalg.tridiagonal_solve", when="rhs is a matrix")
def tridiagonal_solve_reverse(
    diagonals,
    rhs,
    diagonals_format: Literal["compact"] = "compact",
    transpose_rhs: Literal[False] = False,
    conjugate_rhs: Literal[False] = False,
    name=None,
    partial_pivoting=True,
    perturb_singular: Literal[False] = False,
    *,
    out,
    out_bar,
):
    turned = tensors.tridiagonal_turned(diagonals)
    rhs_bar = tf.linalg.tridiagonal_solve(turned, tf.identity(out_bar))
    return -tensors.tridiagonal_outer(rhs_bar, out), rhs_bar


@linear("adlsp.runtime.tensors.tridiagonal_turned", of="diagonals")
def tridiagonal_turned(diagonals, *, out_bar):
    return tensors.tridiagonal_turned(out_bar)


@multilinear("adlsp.runtime.tensors.tridiagonal_outer", of="u v")
def tridiagonal_outer(u, v, *, out_bar):
    turned = tensors.tridiagonal_turned(out_bar)
    return tf.linalg.tridiagonal_matmul(out_bar, v), tf.linalg.tridiagonal_matmul(turned, u)
