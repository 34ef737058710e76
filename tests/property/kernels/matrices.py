"""Dense linear algebra, element by element as textbooks have it."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, definite, dominant, numbers


def lu(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return a


def lu_reference(a):
    n = len(a)
    rows = [[a[i, j] for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            rows[i][k] = rows[i][k] / rows[k][k]
            for j in range(k + 1, n):
                rows[i][j] = rows[i][j] - rows[i][k] * rows[k][j]
    return anp.array(rows)


def cholesky(a):
    n = a.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total = total - out[i, k] * out[j, k]
            if i == j:
                out[i, j] = np.sqrt(total)
            else:
                out[i, j] = total / out[j, j]
    return out


def cholesky_reference(a):
    return anp.linalg.cholesky(anp.tril(a) + anp.transpose(anp.tril(a, -1)))


def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(a[:, k] ** 2))
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ a[:, j]
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def gram_schmidt_reference(a):
    columns = [a[:, j] for j in range(a.shape[1])]
    q, r = [], [[0.0] * len(columns) for _ in columns]
    for k in range(len(columns)):
        r[k][k] = anp.sqrt(anp.sum(columns[k] ** 2))
        q.append(columns[k] / r[k][k])
        for j in range(k + 1, len(columns)):
            r[k][j] = anp.sum(q[k] * columns[j])
            columns[j] = columns[j] - q[k] * r[k][j]
    return anp.stack(q, axis=1), anp.array(r)


def forward_substitution(lower, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def forward_substitution_reference(lower, b):
    return anp.linalg.solve(anp.tril(lower), b)


def thomas(lower, diagonal, upper, rhs):
    """Solves a tridiagonal system; changes the coefficients on its way."""
    n = rhs.shape[0]
    for i in range(1, n):
        factor = lower[i - 1] / diagonal[i - 1]
        diagonal[i] = diagonal[i] - factor * upper[i - 1]
        rhs[i] = rhs[i] - factor * rhs[i - 1]
    x = np.zeros(n)
    x[n - 1] = rhs[n - 1] / diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (rhs[i] - upper[i] * x[i + 1]) / diagonal[i]
    return x


def thomas_reference(lower, diagonal, upper, rhs):
    matrix = anp.diag(diagonal) + anp.diag(upper, 1) + anp.diag(lower, -1)
    return anp.linalg.solve(matrix, rhs)


def covariance(data):
    n_rows, n_columns = data.shape
    mean = np.zeros(n_columns)
    for j in range(n_columns):
        mean[j] = np.sum(data[:, j]) / n_rows
    data -= mean
    cov = np.zeros((n_columns, n_columns))
    for i in range(n_columns):
        for j in range(i, n_columns):
            cov[i, j] = data[:, i] @ data[:, j] / (n_rows - 1.0)
            cov[j, i] = cov[i, j]
    return cov


def covariance_reference(data):
    centered = data - anp.mean(data, axis=0)
    return centered.T @ centered / (data.shape[0] - 1.0)


def normalize(v):
    return v / np.sqrt(np.sum(v * v))


def power_iteration(a, v, n_steps):
    for _ in range(n_steps):
        v = normalize(a @ v)
    return v @ a @ v


def power_iteration_reference(a, v, n_steps):
    power = anp.eye(len(v))
    for _ in range(n_steps):
        power = power @ a
    v = power @ v
    return v @ a @ v / (v @ v)


MATRICES = (
    Kernel(lu, {"a": dominant(4)}, ("a",), lu_reference),
    Kernel(cholesky, {"a": definite(4)}, ("a",), cholesky_reference),
    Kernel(gram_schmidt, {"a": numbers(4, 3)}, ("a",), gram_schmidt_reference),
    Kernel(
        forward_substitution,
        {"lower": dominant(4), "b": numbers(4, seed=1)},
        ("lower", "b"),
        forward_substitution_reference,
    ),
    Kernel(
        thomas,
        {
            "lower": numbers(4),
            "diagonal": numbers(5, seed=1) + 4.0,
            "upper": numbers(4, seed=2),
            "rhs": numbers(5, seed=3),
        },
        ("lower", "diagonal", "upper", "rhs"),
        thomas_reference,
    ),
    Kernel(covariance, {"data": numbers(5, 3)}, ("data",), covariance_reference),
    Kernel(
        power_iteration,
        {"a": definite(3), "v": numbers(3, seed=1), "n_steps": 4},
        ("a", "v"),
        power_iteration_reference,
    ),
)
