# mypy: allow-untyped-defs, disable-error-code=assignment
# ruff: noqa: D103
"""Systems, inverses and decompositions of SciPy, whose defaults are others than those of NumPy.

Rules read, never run: each body is spliced into generated code. What decomposes is SciPy again,
since NumPy may choose other signs of vectors. `overwrite_a` changes an argument, and has no rule.
Formulas: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008); of `lu` de Hoog, Anderssen and Lukas, "Differentiation of matrix
functionals using triangular factorization" (2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np
    from scipy import linalg

    from adlsp import runtime as rt


# systems and inverses


@forward("scipy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_forward(
    a, b, *, check_finite=True, assume_a: Literal[None, "gen", "general"] = None, out, a_dot, b_dot
):
    return -linalg.solve(a, np.matmul(a_dot, out)), linalg.solve(a, b_dot)


@reverse("scipy.linalg.solve", when="a stack of matrices has a stack of matrices b")
def solve_reverse(
    a, b, *, check_finite=True, assume_a: Literal[None, "gen", "general"] = None, out, out_bar
):
    b_bar = linalg.solve(np.swapaxes(a, -1, -2), out_bar)
    return rt.unbroadcast(rt.matmul_bar_a(-b_bar, a, out), a), rt.unbroadcast(b_bar, b)


@forward("scipy.linalg.solve", when="real where symmetric; reads what is not below the diagonal")
def solve_symmetric_forward(
    a,
    b,
    *,
    check_finite=True,
    assume_a: Literal["sym", "pos", "symmetric", "positive definite"] = "gen",
    out,
    a_dot,
    b_dot,
):
    change = np.matmul(rt.hermitian(rt.real(a_dot), "U"), out)
    return -linalg.solve(rt.real(a), change, assume_a="sym"), linalg.solve(
        rt.real(a), b_dot, assume_a="sym"
    )


@reverse("scipy.linalg.solve", when="real where symmetric; reads what is not below the diagonal")
def solve_symmetric_reverse(
    a,
    b,
    *,
    check_finite=True,
    assume_a: Literal["sym", "pos", "symmetric", "positive definite"] = "gen",
    out,
    out_bar,
):
    b_bar = linalg.solve(rt.real(a), out_bar, assume_a="sym")
    a_bar = rt.hermitian_bar(rt.matmul_bar_a(-b_bar, a, out), "U")
    return rt.unbroadcast(a_bar, a), rt.unbroadcast(b_bar, b)


@forward("scipy.linalg.inv")
def inv_forward(a, *, check_finite=True, out, a_dot):
    return -np.matmul(np.matmul(out, a_dot), out)


@reverse("scipy.linalg.inv")
def inv_reverse(a, *, check_finite=True, out, out_bar):
    transposed = np.swapaxes(out, -1, -2)
    return rt.unbroadcast(-np.matmul(np.matmul(transposed, out_bar), transposed), a)


@forward("scipy.linalg.det", when="regular matrices")
def det_forward(a, *, check_finite=True, out, a_dot):
    return out * np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)


@reverse("scipy.linalg.det", when="regular matrices")
def det_reverse(a, *, check_finite=True, out, out_bar):
    scale = np.expand_dims(out_bar * out, (-2, -1))
    return rt.unbroadcast(scale * np.swapaxes(np.linalg.inv(a), -1, -2), a)


@forward("scipy.linalg.norm", when="the norm is not zero")
def norm_forward(a, ord: Literal[None, "fro"] = None, axis=None, keepdims=False, *, out, a_dot):
    parts = np.real(rt.conj(a) * a_dot) / rt.expand(out, np.shape(a), axis, keepdims)
    return np.sum(parts, axis=axis, keepdims=keepdims)


@reverse("scipy.linalg.norm", when="the norm is not zero")
def norm_reverse(a, ord: Literal[None, "fro"] = None, axis=None, keepdims=False, *, out, out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(a), axis, keepdims)
    change = whole * (rt.conj(a) / rt.expand(out, np.shape(a), axis, keepdims))
    return rt.unbroadcast(change, a)


@forward("scipy.linalg.norm", when="the norm is not zero")
def norm_of_order_forward(a, ord=None, axis=None, keepdims=False, *, a_dot):
    change = np.real(rt.norm_slope(a, ord, axis) * a_dot)
    return np.sum(change, axis=axis, keepdims=keepdims)


@reverse("scipy.linalg.norm", when="the norm is not zero")
def norm_of_order_reverse(a, ord=None, axis=None, keepdims=False, *, out_bar):
    whole = rt.expand(np.real(out_bar), np.shape(a), axis, keepdims)
    return rt.unbroadcast(whole * rt.norm_slope(a, ord, axis), a)


# decompositions


@forward("scipy.linalg.cholesky", when="reads one triangle: above the diagonal, or below for lower")
def cholesky_forward(a, lower: Literal[False] = False, *, check_finite=True, out, a_dot):
    own = np.swapaxes(out, -1, -2)
    half = np.linalg.solve(own, rt.hermitian(np.swapaxes(a_dot, -1, -2)))
    whole = np.linalg.solve(own, rt.dagger(half))
    change = np.matmul(own, (np.tril(whole) + np.tril(whole, -1)) / 2)
    return np.swapaxes(change, -1, -2)


@reverse("scipy.linalg.cholesky", when="reads one triangle: above the diagonal, or below for lower")
def cholesky_reverse(a, lower: Literal[False] = False, *, check_finite=True, out, out_bar):
    whole = np.matmul(out, np.swapaxes(out_bar, -1, -2))
    half = np.linalg.solve(out, (np.tril(whole) + np.tril(whole, -1)) / 2)
    change = np.linalg.solve(np.conj(out), np.swapaxes(half, -1, -2))
    return np.swapaxes(rt.hermitian_bar(np.swapaxes(change, -1, -2)), -1, -2)


@forward("scipy.linalg.cholesky", when="reads one triangle: above the diagonal, or below for lower")
def lower_cholesky_forward(a, lower: Literal[True], *, check_finite=True, out, a_dot):
    half = np.linalg.solve(out, rt.hermitian(a_dot))
    whole = np.linalg.solve(out, rt.dagger(half))
    return np.matmul(out, (np.tril(whole) + np.tril(whole, -1)) / 2)


@reverse("scipy.linalg.cholesky", when="reads one triangle: above the diagonal, or below for lower")
def lower_cholesky_reverse(a, lower: Literal[True], *, check_finite=True, out, out_bar):
    transposed = np.swapaxes(out, -1, -2)
    whole = np.matmul(transposed, out_bar)
    half = np.linalg.solve(transposed, (np.tril(whole) + np.tril(whole, -1)) / 2)
    change = np.linalg.solve(rt.dagger(out), np.swapaxes(half, -1, -2))
    return rt.hermitian_bar(np.swapaxes(change, -1, -2))


@forward("scipy.linalg.cho_factor", when="real matrices")
def cho_factor_forward(a, lower=False, *, check_finite=True, a_dot):
    """The other triangle of the result is that of `a` before SciPy 1.18, and zero since then."""
    made = linalg.cho_factor(rt.real(a), lower)[0]
    found = rt.triangle(made, lower)
    own = rt.turned(found, 1 - lower)
    half = np.linalg.solve(own, rt.hermitian(rt.turned(a_dot, 1 - lower)))
    whole = np.linalg.solve(own, np.swapaxes(half, -1, -2))
    change = np.matmul(own, (np.tril(whole) + np.tril(whole, -1)) / 2)
    rest = np.any(made != found) * (a_dot - rt.triangle(a_dot, lower))
    return [rt.turned(change, 1 - lower) + rest, 0.0]


@reverse("scipy.linalg.cho_factor", when="real matrices")
def cho_factor_reverse(a, lower=False, *, check_finite=True, out_bar):
    made = linalg.cho_factor(rt.real(a), lower)[0]
    found = rt.triangle(made, lower)
    transposed = rt.turned(found, lower)
    arrived = rt.triangle(out_bar[0], lower)
    whole = np.matmul(transposed, rt.turned(arrived, 1 - lower))
    half = np.linalg.solve(transposed, (np.tril(whole) + np.tril(whole, -1)) / 2)
    change = np.linalg.solve(transposed, np.swapaxes(half, -1, -2))
    own = rt.hermitian_bar(np.swapaxes(change, -1, -2))
    return rt.turned(own, 1 - lower) + np.any(made != found) * (out_bar[0] - arrived)


@forward("scipy.linalg.cho_solve", when="real arguments")
def cho_solve_forward(c_and_lower, b, *, check_finite=True, out, c_and_lower_dot, b_dot):
    lower = np.not_equal(c_and_lower[1], 0)
    own = rt.turned(rt.triangle(rt.real(c_and_lower[0]), lower), 1 - lower)
    own_dot = rt.turned(rt.triangle(c_and_lower_dot[0], lower), 1 - lower)
    half = np.matmul(own_dot, np.matmul(np.swapaxes(own, -1, -2), out))
    change = half + np.matmul(own, np.matmul(np.swapaxes(own_dot, -1, -2), out))
    return -linalg.cho_solve(c_and_lower, change), linalg.cho_solve(c_and_lower, b_dot)


@reverse("scipy.linalg.cho_solve", when="real arguments")
def cho_solve_reverse(c_and_lower, b, *, check_finite=True, out, out_bar):
    lower = np.not_equal(c_and_lower[1], 0)
    own = rt.turned(rt.triangle(rt.real(c_and_lower[0]), lower), 1 - lower)
    b_bar = linalg.cho_solve(c_and_lower, out_bar)
    whole = rt.matmul_bar_a(-b_bar, c_and_lower[0], out)
    own_bar = np.tril(np.matmul(whole + np.swapaxes(whole, -1, -2), own))
    return [rt.turned(own_bar, 1 - lower), 0.0], rt.unbroadcast(b_bar, b)


@forward("scipy.linalg.eigh", when="Hermitian matrices; eigenvectors where eigenvalues differ")
def eigh_forward(
    a,
    b: Literal[None] = None,
    *,
    lower: Literal[True] = True,
    driver=None,
    eigvals_only: Literal[False] = False,
    a_dot,
):
    found = linalg.eigh(a, driver=driver)  # not `out`, which may have been taken apart
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    turned = rt.dagger(v) @ rt.hermitian(a_dot) @ v
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    mixed = rt.ratio(turned * (1 - eye), gaps)
    return [np.real(np.diagonal(turned, 0, -2, -1)), v @ mixed]


@reverse("scipy.linalg.eigh", when="Hermitian matrices; eigenvectors where eigenvalues differ")
def eigh_reverse(
    a,
    b: Literal[None] = None,
    *,
    lower: Literal[True] = True,
    driver=None,
    eigvals_only: Literal[False] = False,
    out_bar,
):
    found = linalg.eigh(a, driver=driver)
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    mixed = rt.ratio(np.swapaxes(v, -1, -2) @ out_bar[1] * (1 - eye), gaps)
    turned = mixed + np.expand_dims(np.real(out_bar[0]), -1) * eye
    change = rt.conj(v) @ turned @ np.swapaxes(v, -1, -2)
    return rt.unbroadcast(rt.hermitian_bar(change), a)


@forward("scipy.linalg.eigvalsh", when="Hermitian matrices whose eigenvalues differ")
def eigvalsh_forward(
    a, b: Literal[None] = None, *, lower: Literal[True] = True, driver=None, a_dot
):
    v = linalg.eigh(a)[1]
    return np.real(np.diagonal(rt.dagger(v) @ rt.hermitian(a_dot) @ v, 0, -2, -1))


@reverse("scipy.linalg.eigvalsh", when="Hermitian matrices whose eigenvalues differ")
def eigvalsh_reverse(
    a, b: Literal[None] = None, *, lower: Literal[True] = True, driver=None, out_bar
):
    v = linalg.eigh(a)[1]
    change = (rt.conj(v) * np.expand_dims(np.real(out_bar), -2)) @ np.swapaxes(v, -1, -2)
    return rt.unbroadcast(rt.hermitian_bar(change), a)


@forward("scipy.linalg.svd", when="full_matrices for square ones; vectors where values differ")
def svd_forward(a, full_matrices=True, compute_uv=True, *, a_dot):
    found = linalg.svd(a, full_matrices=False)
    return rt.svd_dot(a_dot, a, full_matrices, compute_uv, found)


@reverse("scipy.linalg.svd", when="full_matrices for square ones; vectors where values differ")
def svd_reverse(a, full_matrices=True, compute_uv=True, *, out_bar):
    found = linalg.svd(a, full_matrices=False)
    return rt.svd_bar(out_bar, a, full_matrices, compute_uv, found)


@forward("scipy.linalg.qr", when="real matrices of full rank: square, or tall where economic")
def qr_forward(a, *, mode: Literal["full"] = "full", a_dot):
    found = linalg.qr(rt.not_tall(rt.real(a)))
    q = found[0]
    r = found[1]
    scaled = np.linalg.solve(np.swapaxes(r, -1, -2), np.swapaxes(a_dot, -1, -2))
    inner = np.matmul(scaled, q)
    below = np.swapaxes(np.triu(inner, 1), -1, -2)
    upper = np.swapaxes(inner, -1, -2) - below + np.triu(inner, 1)
    return [np.swapaxes(scaled, -1, -2) - np.matmul(q, upper), np.matmul(upper, r)]


@reverse("scipy.linalg.qr", when="real matrices of full rank: square, or tall where economic")
def qr_reverse(a, *, mode: Literal["full"] = "full", out_bar):
    found = linalg.qr(rt.not_tall(rt.real(a)))
    q = found[0]
    r = found[1]
    upper = np.matmul(r, np.swapaxes(out_bar[1], -1, -2))
    turned = upper - np.matmul(np.swapaxes(out_bar[0], -1, -2), q)
    mirrored = np.tril(turned) + np.swapaxes(np.tril(turned, -1), -1, -2)
    change = out_bar[0] + np.matmul(q, mirrored)
    return np.swapaxes(np.linalg.solve(r, np.swapaxes(change, -1, -2)), -1, -2)


@forward("scipy.linalg.qr", when="real matrices of full rank: square, or tall where economic")
def economic_qr_forward(a, *, mode: Literal["economic"] = "full", a_dot):
    found = linalg.qr(rt.real(a), mode="economic")
    q = found[0]
    r = found[1]
    scaled = np.linalg.solve(np.swapaxes(r, -1, -2), np.swapaxes(a_dot, -1, -2))
    inner = np.matmul(scaled, q)
    below = np.swapaxes(np.triu(inner, 1), -1, -2)
    upper = np.swapaxes(inner, -1, -2) - below + np.triu(inner, 1)
    return [np.swapaxes(scaled, -1, -2) - np.matmul(q, upper), np.matmul(upper, r)]


@reverse("scipy.linalg.qr", when="real matrices of full rank: square, or tall where economic")
def economic_qr_reverse(a, *, mode: Literal["economic"] = "full", out_bar):
    found = linalg.qr(rt.real(a), mode="economic")
    q = found[0]
    r = found[1]
    upper = np.matmul(r, np.swapaxes(out_bar[1], -1, -2))
    turned = upper - np.matmul(np.swapaxes(out_bar[0], -1, -2), q)
    mirrored = np.tril(turned) + np.swapaxes(np.tril(turned, -1), -1, -2)
    change = out_bar[0] + np.matmul(q, mirrored)
    return np.swapaxes(np.linalg.solve(r, np.swapaxes(change, -1, -2)), -1, -2)


@forward("scipy.linalg.lu", when="square regular matrices, between changes of the pivots")
def lu_forward(a, *, a_dot):
    found = linalg.lu(a)
    moved = np.linalg.solve(found[1], np.matmul(np.swapaxes(found[0], -1, -2), a_dot))
    transposed = np.swapaxes(found[2], -1, -2)
    inner = np.swapaxes(np.linalg.solve(transposed, np.swapaxes(moved, -1, -2)), -1, -2)
    lower = np.matmul(found[1], np.tril(inner, -1))
    return [0 * found[0], lower, np.matmul(np.triu(inner), found[2])]


@reverse("scipy.linalg.lu", when="square regular matrices, between changes of the pivots")
def lu_reverse(a, *, out_bar):
    found = linalg.lu(a)
    below = np.tril(np.matmul(np.swapaxes(found[1], -1, -2), out_bar[1]), -1)
    inner = below + np.triu(np.matmul(out_bar[2], np.swapaxes(found[2], -1, -2)))
    moved = np.linalg.solve(found[2], np.swapaxes(inner, -1, -2))
    change = np.linalg.solve(np.swapaxes(found[1], -1, -2), np.swapaxes(moved, -1, -2))
    return rt.unbroadcast(np.matmul(found[0], change), a)


# matrices made of vectors


@linear("scipy.linalg.circulant", of="c")
def circulant(c, *, out_bar):
    places = linalg.circulant(np.arange(np.size(c)))
    return rt.gather_bar(out_bar, np.shape(c), places)


@linear("scipy.linalg.toeplitz", of="c", when="real vectors; r does not vary")
def toeplitz(c, r: Literal[None] = None, *, out_bar):
    places = linalg.toeplitz(np.arange(np.size(c)))
    return rt.gather_bar(out_bar, np.shape(rt.real(c)), places)


@linear("scipy.linalg.hankel", of="c", when="r does not vary")
def hankel(c, r: Literal[None] = None, *, out_bar):
    places = linalg.hankel(np.arange(1, np.size(c) + 1))
    return rt.gather_bar(out_bar, (np.size(c) + 1,), places)[1:]
