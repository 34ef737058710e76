# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of matrices, and equations of triangular matrices, Sylvester's and Lyapunov's of SciPy.

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
    transposed = np.swapaxes(rt.real(out), -1, -2)
    return linalg.solve_sylvester(transposed, transposed, np.real(out_bar))


@forward("scipy.linalg.solve_sylvester", when="real arguments")
def solve_sylvester_forward(a, b, q, *, out, a_dot, b_dot, q_dot):
    by_a = -linalg.solve_sylvester(a, b, np.matmul(a_dot, rt.real(out)))
    by_b = -linalg.solve_sylvester(a, b, np.matmul(rt.real(out), b_dot))
    return by_a, by_b, linalg.solve_sylvester(a, b, rt.real(q_dot))


@reverse("scipy.linalg.solve_sylvester", when="real arguments")
def solve_sylvester_reverse(a, b, q, *, out, out_bar):
    q_bar = linalg.solve_sylvester(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), np.real(out_bar))
    transposed = np.swapaxes(rt.real(out), -1, -2)
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


@forward("scipy.linalg.logm", when="no eigenvalue is zero or a negative number")
def logm_forward(A, *, A_dot):  # noqa: N803
    return rt.corner(linalg.logm(rt.upper(A, A_dot)))


@reverse("scipy.linalg.logm", when="no eigenvalue is zero or a negative number")
def logm_reverse(A, *, out_bar):  # noqa: N803
    return rt.unbroadcast(rt.corner(linalg.logm(rt.upper(np.swapaxes(A, -1, -2), out_bar))), A)


@forward("scipy.linalg.sinm")
def sinm_forward(A, *, A_dot):  # noqa: N803
    return rt.corner(linalg.sinm(rt.upper(A, A_dot)))


@reverse("scipy.linalg.sinm")
def sinm_reverse(A, *, out_bar):  # noqa: N803
    return rt.corner(linalg.sinm(rt.upper(np.swapaxes(A, -1, -2), out_bar)))


@forward("scipy.linalg.cosm")
def cosm_forward(A, *, A_dot):  # noqa: N803
    return rt.corner(linalg.cosm(rt.upper(A, A_dot)))


@reverse("scipy.linalg.cosm")
def cosm_reverse(A, *, out_bar):  # noqa: N803
    return rt.corner(linalg.cosm(rt.upper(np.swapaxes(A, -1, -2), out_bar)))


@forward("scipy.linalg.solve_continuous_lyapunov", "scipy.linalg.solve_lyapunov", when="real")
def solve_continuous_lyapunov_forward(a, q, *, out, a_dot, q_dot):
    half = np.matmul(a_dot, rt.real(out))
    other = np.matmul(rt.real(out), np.swapaxes(a_dot, -1, -2))
    by_a = -linalg.solve_continuous_lyapunov(rt.real(a), half + other)
    return by_a, linalg.solve_continuous_lyapunov(a, rt.real(q_dot))


@reverse("scipy.linalg.solve_continuous_lyapunov", "scipy.linalg.solve_lyapunov", when="real")
def solve_continuous_lyapunov_reverse(a, q, *, out, out_bar):
    q_bar = linalg.solve_continuous_lyapunov(np.swapaxes(rt.real(a), -1, -2), np.real(out_bar))
    by_first = np.matmul(q_bar, np.swapaxes(rt.real(out), -1, -2))
    a_bar = -by_first - np.matmul(np.swapaxes(q_bar, -1, -2), out)
    return rt.unbroadcast(a_bar, a), rt.unbroadcast(q_bar, q)


@forward("scipy.linalg.solve_discrete_lyapunov", when="real")
def solve_discrete_lyapunov_forward(a, q, *, out, a_dot, q_dot):
    half = np.matmul(a_dot, np.matmul(rt.real(out), np.swapaxes(rt.real(a), -1, -2)))
    other = np.matmul(a, np.matmul(out, np.swapaxes(a_dot, -1, -2)))
    by_a = linalg.solve_discrete_lyapunov(a, half + other)
    return by_a, linalg.solve_discrete_lyapunov(a, rt.real(q_dot))


@reverse("scipy.linalg.solve_discrete_lyapunov", when="real")
def solve_discrete_lyapunov_reverse(a, q, *, out, out_bar):
    q_bar = linalg.solve_discrete_lyapunov(np.swapaxes(rt.real(a), -1, -2), np.real(out_bar))
    by_first = np.matmul(q_bar, np.matmul(a, np.swapaxes(rt.real(out), -1, -2)))
    a_bar = by_first + np.matmul(np.swapaxes(q_bar, -1, -2), np.matmul(a, out))
    return rt.unbroadcast(a_bar, a), rt.unbroadcast(q_bar, q)


@linear("adlsp.runtime.triangle", of="x")
def triangle(x, lower=False, *, out_bar):
    return rt.triangle(out_bar, lower)


@linear("adlsp.runtime.not_tall", of="a")
def not_tall(a, *, out_bar):
    return out_bar


@linear("adlsp.runtime.turned", of="x")
def turned(x, trans=0, *, out_bar):
    return rt.turned(out_bar, trans)
