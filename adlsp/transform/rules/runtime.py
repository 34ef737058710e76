# mypy: allow-untyped-defs
# ruff: noqa: ANN001, ANN201, ARG001, D103
"""The functions of `adlsp.runtime`, so that generated code can be differentiated again.

Rules read, never run: each body is spliced into generated code. An argument that carries a
gradient is called `g` here, because `out_bar` means the gradient of what the function returns.
Generated code passes all arguments by position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import constant, forward, linear, multilinear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("adlsp.runtime.unbroadcast", of="g")
def unbroadcast(g, like, *, out_bar):
    return np.broadcast_to(out_bar, np.shape(g))


@linear("adlsp.runtime.expand", of="g")
def expand(g, shape, axis=None, keepdims=False, *, out_bar):
    return np.sum(out_bar, axis=axis, keepdims=keepdims)


@linear("adlsp.runtime.copy", of="g")
def copy(g, *, out_bar):
    return out_bar


@linear("adlsp.runtime.seed", of="g")
def seed(g, out, name, *, out_bar):
    return out_bar


@linear("adlsp.runtime.add", of="g1 g2")
def add(g1, g2, *, out_bar):
    return out_bar, out_bar


@linear("adlsp.runtime.add_at", of="g value")
def add_at(g, index, value, *, out_bar):
    return out_bar, out_bar[index]


@linear("adlsp.runtime.take_bar", of="g")
def take_bar(g, index, *, out_bar):
    return rt.add_at(rt.zeros(g), index, out_bar)


@linear("adlsp.runtime.restructure", of="g")
def restructure(g, x, *, out_bar):
    return out_bar


@linear("adlsp.runtime.transpose_bar", of="g")
def transpose_bar(g, axes, *, out_bar):
    return np.transpose(out_bar, axes)


@linear("adlsp.runtime.trace_bar", of="g")
def trace_bar(g, shape, offset=0, axis1=0, axis2=1, *, out_bar):
    return np.trace(out_bar, offset, axis1, axis2)


@linear("adlsp.runtime.diag_bar", of="g")
def diag_bar(g, shape, k=0, *, out_bar):
    return np.diag(out_bar, k)


@multilinear("adlsp.runtime.matmul_bar_a", of="g b")
def matmul_bar_a(g, a, b, *, out_bar):
    return np.matmul(out_bar, b), rt.matmul_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.matmul_bar_b", of="g a")
def matmul_bar_b(g, a, b, *, out_bar):
    return np.matmul(a, out_bar), rt.matmul_bar_a(g, a, out_bar)


@multilinear("adlsp.runtime.dot_bar_a", of="g b")
def dot_bar_a(g, a, b, *, out_bar):
    return np.dot(out_bar, b), rt.dot_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.dot_bar_b", of="g a")
def dot_bar_b(g, a, b, *, out_bar):
    return np.dot(a, out_bar), rt.dot_bar_a(g, a, out_bar)


@multilinear("adlsp.runtime.inner_bar_a", of="g b")
def inner_bar_a(g, a, b, *, out_bar):
    return np.inner(out_bar, b), rt.inner_bar_b(g, out_bar, b)


@multilinear("adlsp.runtime.inner_bar_b", of="g a")
def inner_bar_b(g, a, b, *, out_bar):
    return np.inner(a, out_bar), rt.inner_bar_a(g, a, out_bar)


@forward("adlsp.runtime.solve_transposed")
def solve_transposed_forward(a, g, b, *, out, a_dot, g_dot):
    change = np.matmul(np.swapaxes(a_dot, -1, -2), out)
    return -rt.solve_transposed(a, change, b), rt.solve_transposed(a, g_dot, b)


@reverse("adlsp.runtime.solve_transposed")
def solve_transposed_reverse(a, g, b, *, out, out_bar):
    g_bar = np.linalg.solve(a, out_bar)
    return -rt.matmul_bar_a(out, a, g_bar), g_bar


constant("adlsp.runtime.zeros", "adlsp.runtime.like", "adlsp.runtime.count")


@linear("adlsp.runtime.stretch", of="g")
def stretch(g, shape, *, out_bar):
    return rt.unbroadcast(out_bar, g)


@linear("adlsp.runtime.number", of="g")
def number(g, *, out_bar):
    return out_bar


@linear("adlsp.runtime.unshared", of="g")
def unshared(g, array, *, out_bar):
    return out_bar
