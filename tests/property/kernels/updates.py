"""Matrices that are changed in place, in the manner of BLAS and LAPACK."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, definite, numbers


def gemm(alpha, beta, C, A, B):
    C *= beta
    C += alpha * A @ B


def gemm_reference(alpha, beta, C, A, B):
    return (alpha * anp.dot(A, B) + beta * C,)


def symmetric_update(alpha, beta, C, A):
    """Updates the lower triangle of `C` only."""
    n, m = A.shape
    for i in range(n):
        C[i, : i + 1] *= beta
        for k in range(m):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def symmetric_update_reference(alpha, beta, C, A):
    return (anp.tril(beta * C + alpha * A @ A.T) + anp.triu(C, 1),)


def two_outer_products(alpha, A, u, v, x, y, w):
    A += np.outer(u, v) + np.outer(v, u)
    x += alpha * (A.T @ y)
    w -= A @ x


def two_outer_products_reference(alpha, A, u, v, x, y, w):
    A = A + u[:, None] * v[None] + v[:, None] * u[None]
    x = x + alpha * anp.einsum("ij,i->j", A, y)
    return A, x, w - anp.einsum("ij,j->i", A, x)


def determinant(a):
    """By elimination, with the largest pivot of each column."""
    n = len(a)
    det = 1.0
    for k in range(n):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            det = -det
        det *= a[k, k]
        for i in range(k + 1, n):
            a[i, k:] -= a[i, k] / a[k, k] * a[k, k:]
    return det


def determinant_reference(a):
    return anp.linalg.det(a)


def triangularize(a):
    """The triangular factor of `a`, by rotations of two rows at a time."""
    m, n = a.shape
    for j in range(n):
        for i in reversed(range(j + 1, m)):
            length = np.hypot(a[i - 1, j], a[i, j])
            c, s = a[i - 1, j] / length, a[i, j] / length
            upper, lower = a[i - 1].copy(), a[i].copy()
            a[i - 1], a[i] = c * upper + s * lower, c * lower - s * upper
    return np.triu(a)[:n]


def triangularize_reference(a):
    return anp.linalg.cholesky(a.T @ a).T


def solve_lower(a, b):
    for i in range(len(b)):
        for j in range(i):
            b[i] -= a[i, j] * b[j]
        b[i] /= a[i, i]


def solve_upper(a, b):
    for i in range(len(b) - 1, -1, -1):
        for j in range(i + 1, len(b)):
            b[i] -= a[j, i] * b[j]
        b[i] /= a[i, i]


def factorize(a):
    for j in range(a.shape[0]):
        a[j, j] = np.sqrt(a[j, j] - a[j, :j] @ a[j, :j])
        for i in range(j + 1, a.shape[0]):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]


def solve_definite(a, b):
    """Solves in the memory of `b`, with the factor in that of `a`; each step is a function."""
    factorize(a)
    solve_lower(a, b)
    solve_upper(a, b)
    return b


def solve_definite_reference(a, b):
    return anp.linalg.solve(anp.tril(a) + anp.tril(a, -1).T, b)


UPDATES = (
    Kernel(
        gemm,
        {
            "alpha": 1.5,
            "beta": 1.2,
            "C": numbers(3, 4),
            "A": numbers(3, 2, seed=1),
            "B": numbers(2, 4, seed=2),
        },
        ("alpha", "beta", "C", "A", "B"),
        gemm_reference,
        outputs=("C",),
    ),
    Kernel(
        symmetric_update,
        {"alpha": 1.5, "beta": 0.7, "C": numbers(4, 4), "A": numbers(4, 3, seed=1)},
        ("alpha", "beta", "C", "A"),
        symmetric_update_reference,
        outputs=("C",),
    ),
    Kernel(
        two_outer_products,
        {
            "alpha": 0.6,
            "A": numbers(3, 3),
            "u": numbers(3, seed=1),
            "v": numbers(3, seed=2),
            "x": numbers(3, seed=3),
            "y": numbers(3, seed=4),
            "w": numbers(3, seed=5),
        },
        ("alpha", "A", "u", "v", "x", "y", "w"),
        two_outer_products_reference,
        outputs=("A", "x", "w"),
    ),
    Kernel(determinant, {"a": numbers(4, 4)}, ("a",), determinant_reference),
    Kernel(triangularize, {"a": numbers(4, 3)}, ("a",), triangularize_reference),
    Kernel(
        solve_definite,
        {"a": definite(4), "b": numbers(4, seed=1)},
        ("a", "b"),
        solve_definite_reference,
    ),
)
