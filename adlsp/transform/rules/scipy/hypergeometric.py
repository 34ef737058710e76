# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Hypergeometric functions of SciPy: with them elliptic integrals and orthogonal polynomials.

Rules read, never run: each body is spliced into generated code. These families are closed under
derivatives by the argument; those by parameters have no closed form. Formulas: NIST Digital
Library of Mathematical Functions (DLMF), chapters 13, 15, 18, 19 and 22. Elliptic integrals are
differentiated as hypergeometric functions (DLMF 19.5), since the usual formulas divide by what is 0
where there is nothing to be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import elementwise, forward, reverse

if TYPE_CHECKING:
    import math

    import numpy as np
    from scipy import special

    from adlsp import runtime as rt


@elementwise("scipy.special.hyp0f1", of="z")
def hyp0f1(v, z):
    return special.hyp0f1(v + 1, z) / v


@elementwise("scipy.special.hyp1f1", of="x")
def hyp1f1(a, b, x):
    return a / b * special.hyp1f1(a + 1, b + 1, x)


@elementwise("scipy.special.hyp2f1", of="z")
def hyp2f1(a, b, c, z):
    return a * b / c * special.hyp2f1(a + 1, b + 1, c + 1, z)


@elementwise("scipy.special.hyperu", of="x")
def hyperu(a, b, x):
    return -a * special.hyperu(a + 1, b + 1, x)


# elliptic integrals and functions


@elementwise("scipy.special.ellipk")
def ellipk(m):
    return special.hyp2f1(0.5, 0.5, 2, m) * (math.pi / 8) / (1 - m)


@elementwise("scipy.special.ellipkm1")
def ellipkm1(p):
    return special.hyp2f1(0.5, 0.5, 2, 1 - p) * (-math.pi / 8) / p


@elementwise("scipy.special.ellipe")
def ellipe(m):
    return special.hyp2f1(0.5, 1.5, 2, m) * (-math.pi / 8)


@elementwise("scipy.special.ellipkinc", of="phi")
def ellipkinc(phi, m):
    return 1 / np.sqrt(1 - m * np.sin(phi) ** 2)


@elementwise("scipy.special.ellipeinc", of="phi")
def ellipeinc(phi, m):
    return np.sqrt(1 - m * np.sin(phi) ** 2)


@forward("scipy.special.ellipj", of="u")
def ellipj_forward(u, m, *, u_dot):
    found = special.ellipj(u, m)
    sn_dot = found[1] * found[2] * u_dot
    cn_dot = -found[0] * found[2] * u_dot
    return [sn_dot, cn_dot, -m * found[0] * found[1] * u_dot, found[2] * u_dot]


@reverse("scipy.special.ellipj", of="u")
def ellipj_reverse(u, m, *, out_bar):
    found = special.ellipj(u, m)
    of_both = (out_bar[0] * found[1] - out_bar[1] * found[0]) * found[2]
    of_rest = out_bar[3] * found[2] - out_bar[2] * (m * found[0] * found[1])
    return rt.unbroadcast(of_both + of_rest, u)


# orthogonal polynomials


@elementwise("scipy.special.eval_legendre", of="x")
def eval_legendre(n, x):
    return special.eval_gegenbauer(n - 1, 1.5, x)


@elementwise("scipy.special.eval_gegenbauer", of="x")
def eval_gegenbauer(n, alpha, x):
    return 2 * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x)


@elementwise("scipy.special.eval_chebyt", of="x")
def eval_chebyt(n, x):
    return n * special.eval_chebyu(n - 1, x)


@elementwise("scipy.special.eval_chebyu", of="x")
def eval_chebyu(n, x):
    return 2 * special.eval_gegenbauer(n - 1, 2.0, x)


@elementwise("scipy.special.eval_hermite", of="x")
def eval_hermite(n, x):
    return 2 * n * special.eval_hermite(np.maximum(n - 1, 0), x)


@elementwise("scipy.special.eval_hermitenorm", of="x")
def eval_hermitenorm(n, x):
    return n * special.eval_hermitenorm(np.maximum(n - 1, 0), x)


@elementwise("scipy.special.eval_laguerre", of="x")
def eval_laguerre(n, x):
    return -special.eval_genlaguerre(n - 1, 1.0, x)


@elementwise("scipy.special.eval_genlaguerre", of="x")
def eval_genlaguerre(n, alpha, x):
    return -special.eval_genlaguerre(n - 1, alpha + 1, x)


@elementwise("scipy.special.eval_jacobi", of="x", when="n is a whole number")
def eval_jacobi(n, alpha, beta, x):
    factor = (n > 0) * (n + alpha + beta + 1) / 2
    return factor * special.eval_jacobi(np.maximum(n - 1, 0), alpha + 1, beta + 1, x)
