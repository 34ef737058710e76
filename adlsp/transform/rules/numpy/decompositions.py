# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Decompositions of NumPy's linear algebra, for matrices and stacks of them.

Rules read, never run: each body is spliced into generated code. Of a Hermitian matrix one triangle
is read. The phase of a complex eigenvector or singular vector is nobody's choice: a result that
depends on it has no derivative. Formulas: Giles, "Collected matrix derivative results for forward
and reverse mode algorithmic differentiation" (2008); Seeger et al., "Auto-differentiating linear
algebra" (2017).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import forward, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@forward("numpy.linalg.cholesky", when="reads what is not above the diagonal")
def cholesky_forward(a, *, out, a_dot):
    half = np.linalg.solve(out, rt.hermitian(a_dot))
    whole = np.linalg.solve(out, rt.dagger(half))
    return np.matmul(out, (np.tril(whole) + np.tril(whole, -1)) / 2)


@reverse("numpy.linalg.cholesky", when="reads what is not above the diagonal")
def cholesky_reverse(a, *, out, out_bar):
    transposed = np.swapaxes(out, -1, -2)
    whole = np.matmul(transposed, out_bar)
    half = np.linalg.solve(transposed, (np.tril(whole) + np.tril(whole, -1)) / 2)
    change = np.linalg.solve(rt.dagger(out), np.swapaxes(half, -1, -2))
    return rt.hermitian_bar(np.swapaxes(change, -1, -2))


@forward("numpy.linalg.eigh", when="Hermitian matrices; eigenvectors where eigenvalues differ")
def eigh_forward(a, UPLO="L", *, a_dot):  # noqa: N803
    found = np.linalg.eigh(a, UPLO)  # not `out`, which may have been taken apart
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    turned = rt.dagger(v) @ rt.hermitian(a_dot, UPLO) @ v
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    mixed = rt.ratio(turned * (1 - eye), gaps)
    return [np.real(np.diagonal(turned, 0, -2, -1)), v @ mixed]


@reverse("numpy.linalg.eigh", when="Hermitian matrices; eigenvectors where eigenvalues differ")
def eigh_reverse(a, UPLO="L", *, out_bar):  # noqa: N803
    found = np.linalg.eigh(a, UPLO)
    v = found[1]
    eye = np.eye(np.shape(a)[-1])
    gaps = np.expand_dims(found[0], -2) - np.expand_dims(found[0], -1) + eye
    mixed = rt.ratio(np.swapaxes(v, -1, -2) @ out_bar[1] * (1 - eye), gaps)
    turned = mixed + np.expand_dims(np.real(out_bar[0]), -1) * eye
    change = rt.conj(v) @ turned @ np.swapaxes(v, -1, -2)
    return rt.unbroadcast(rt.hermitian_bar(change, UPLO), a)


@forward("numpy.linalg.eigvalsh", when="Hermitian matrices whose eigenvalues differ")
def eigvalsh_forward(a, UPLO="L", *, a_dot):  # noqa: N803
    v = np.linalg.eigh(a, UPLO)[1]
    turned = rt.dagger(v) @ rt.hermitian(a_dot, UPLO) @ v
    return np.real(np.diagonal(turned, 0, -2, -1))


@reverse("numpy.linalg.eigvalsh", when="Hermitian matrices whose eigenvalues differ")
def eigvalsh_reverse(a, UPLO="L", *, out_bar):  # noqa: N803
    v = np.linalg.eigh(a, UPLO)[1]
    change = (rt.conj(v) * np.expand_dims(np.real(out_bar), -2)) @ np.swapaxes(v, -1, -2)
    return rt.hermitian_bar(change, UPLO)


@forward("numpy.linalg.eigvals", when="eigenvalues differ")
def eigvals_forward(a, *, a_dot):
    v = np.linalg.eig(a)[1]
    return np.diagonal(np.linalg.solve(v, a_dot @ v), 0, -2, -1)


@reverse("numpy.linalg.eigvals", when="eigenvalues differ")
def eigvals_reverse(a, *, out_bar):
    transposed = np.swapaxes(np.linalg.eig(a)[1], -1, -2)
    turned = np.linalg.solve(transposed, np.expand_dims(out_bar, -1) * transposed)
    return rt.unbroadcast(turned, a)


@forward("numpy.linalg.svd", when="full_matrices for square ones; vectors where values differ")
def svd_forward(a, full_matrices=True, compute_uv=True, *, a_dot):
    return rt.svd_dot(a_dot, a, full_matrices, compute_uv)


@reverse("numpy.linalg.svd", when="full_matrices for square ones; vectors where values differ")
def svd_reverse(a, full_matrices=True, compute_uv=True, *, out_bar):
    return rt.svd_bar(out_bar, a, full_matrices, compute_uv)


@forward("numpy.linalg.svdvals", "scipy.linalg.svdvals")
def svdvals_forward(x, *, x_dot):
    return rt.svd_dot(x_dot, x, False, False)


@reverse("numpy.linalg.svdvals", "scipy.linalg.svdvals")
def svdvals_reverse(x, *, out_bar):
    return rt.svd_bar(out_bar, x, False, False)


@forward("numpy.linalg.qr", when="real matrices, not wide, of full rank")
def qr_forward(a, mode: Literal["reduced"] = "reduced", *, a_dot):
    found = np.linalg.qr(rt.real(a))
    q = found[0]
    r = found[1]
    scaled = np.linalg.solve(np.swapaxes(r, -1, -2), np.swapaxes(a_dot, -1, -2))
    inner = np.matmul(scaled, q)
    below = np.swapaxes(np.triu(inner, 1), -1, -2)
    upper = np.swapaxes(inner, -1, -2) - below + np.triu(inner, 1)
    return [np.swapaxes(scaled, -1, -2) - np.matmul(q, upper), np.matmul(upper, r)]


@reverse("numpy.linalg.qr", when="real matrices, not wide, of full rank")
def qr_reverse(a, mode: Literal["reduced"] = "reduced", *, out_bar):
    found = np.linalg.qr(rt.real(a))
    q = found[0]
    r = found[1]
    upper = np.matmul(r, np.swapaxes(out_bar[1], -1, -2))
    turned = upper - np.matmul(np.swapaxes(out_bar[0], -1, -2), q)
    mirrored = np.tril(turned) + np.swapaxes(np.tril(turned, -1), -1, -2)
    change = out_bar[0] + np.matmul(q, mirrored)
    return np.swapaxes(np.linalg.solve(r, np.swapaxes(change, -1, -2)), -1, -2)
