# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of matrices, and triangular and Sylvester's equations of SciPy.

Rules read, never run: each body is spliced into generated code. A function of a matrix is
differentiated by the same function of a block matrix, see `adlsp.runtime.spectra`. SciPy solves
Sylvester's equation wrongly where real and complex matrices meet, so its gradients are for real
ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np
    from scipy import linalg

    from adlsp import runtime as rt


@forward("scipy.linalg.expm")
def expm_forward(A, *, A_dot):  # noqa: N803
    return rt.corner(linalg.expm(rt.upper(A, A_dot)))


@reverse("scipy.linalg.expm")
def expm_reverse(A, *, out_bar):  # noqa: N803
    return rt.corner(linalg.expm(rt.upper(np.swapaxes(A, -1, -2), out_bar)))


@forward("scipy.linalg.sqrtm", when="regular matrices with a real root")
def sqrtm_forward(A, *, out, A_dot):  # noqa: N803
    return linalg.solve_sylvester(rt.real(out), out, A_dot)


@reverse("scipy.linalg.sqrtm", when="regular matrices with a real root")
def sqrtm_reverse(A, *, out, out_bar):  # noqa: N803
    transposed = np.transpose(rt.real(out))
    return linalg.solve_sylvester(transposed, transposed, np.real(out_bar))


@forward("scipy.linalg.solve_sylvester", when="real arguments")
def solve_sylvester_forward(a, b, q, *, out, a_dot, b_dot, q_dot):
    by_a = -linalg.solve_sylvester(a, b, np.matmul(a_dot, rt.real(out)))
    by_b = -linalg.solve_sylvester(a, b, np.matmul(rt.real(out), b_dot))
    return by_a, by_b, linalg.solve_sylvester(a, b, rt.real(q_dot))


@reverse("scipy.linalg.solve_sylvester", when="real arguments")
def solve_sylvester_reverse(a, b, q, *, out, out_bar):
    q_bar = linalg.solve_sylvester(np.transpose(a), np.transpose(b), np.real(out_bar))
    transposed = np.transpose(rt.real(out))
    return -np.matmul(q_bar, transposed), -np.matmul(transposed, q_bar), q_bar


@forward("scipy.linalg.solve_triangular", when="real arguments")
def solve_triangular_forward(a, b, trans=0, lower=False, *, out, a_dot, b_dot):
    turned = rt.turned(rt.triangle(rt.real(a_dot), lower), trans)
    change = linalg.solve_triangular(a, np.matmul(turned, out), trans, lower)
    return -change, linalg.solve_triangular(a, b_dot, trans, lower)


@reverse("scipy.linalg.solve_triangular", when="real arguments")
def solve_triangular_reverse(a, b, trans=0, lower=False, *, out, out_bar):
    b_bar = linalg.solve_triangular(rt.real(a), out_bar, 1 - trans, lower)
    change = rt.turned(rt.matmul_bar_a(b_bar, a, out), trans)
    return rt.unbroadcast(-rt.triangle(change, lower), a), rt.unbroadcast(b_bar, b)


@linear("adlsp.runtime.triangle", of="x")
def triangle(x, lower=False, *, out_bar):
    return rt.triangle(out_bar, lower)


@linear("adlsp.runtime.turned", of="x")
def turned(x, trans=0, *, out_bar):
    return rt.turned(out_bar, trans)
