"""Linear algebra: what NumPy does element by element is an operation of TensorFlow, or a list."""

import tensorflow as tf
from kernels.matrices import MATRICES
from kernels.paths import PATHS
from kernels.systems import SYSTEMS
from kernels.updates import UPDATES

from twins.twin import twins_of


def lu(a):
    n = a.shape[0]
    rows = tf.unstack(a)
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rest = rows[i][k + 1 :] - factor * rows[k][k + 1 :]
            rows[i] = tf.concat([rows[i][:k], [factor], rest], axis=0)
    return tf.stack(rows)


def gram_schmidt(a):
    columns = tf.unstack(a, axis=1)
    n = len(columns)
    q, r = [], []
    for k in range(n):
        size = tf.norm(columns[k])
        q.append(columns[k] / size)
        row = [tf.zeros_like(size)] * k + [size]
        for j in range(k + 1, n):
            along = tf.reduce_sum(q[k] * columns[j])
            row.append(along)
            columns[j] = columns[j] - q[k] * along
        r.append(tf.stack(row))
    return tf.stack(q, axis=1), tf.stack(r)


def forward_substitution(lower, b):
    return tf.linalg.triangular_solve(lower, b[:, None])[:, 0]


def thomas(lower, diagonal, upper, rhs):
    matrix = tf.linalg.diag(diagonal) + tf.linalg.diag(upper, k=1) + tf.linalg.diag(lower, k=-1)
    return tf.squeeze(tf.linalg.solve(matrix, rhs[:, None]), axis=1)


def covariance(data):
    centered = data - tf.reduce_mean(data, axis=0)
    return tf.matmul(centered, centered, transpose_a=True) / (data.shape[0] - 1.0)


def normalize(v):
    return v / tf.norm(v)


def power_iteration(a, v, n_steps):
    for _ in range(n_steps):
        v = normalize(tf.linalg.matvec(a, v))
    return tf.tensordot(v, tf.linalg.matvec(a, v), 1)


def matrix_power(a, n):
    if n == 0:
        return tf.eye(a.shape[0], dtype=a.dtype)
    if n == 1:
        return a
    half = matrix_power(a, n // 2)
    return half @ half @ a if n % 2 else half @ half


def conjugate_gradients(a, b, tolerance):
    x, r, p = tf.zeros_like(b), b, b
    rs = tf.reduce_sum(r * r)
    while rs > tolerance:
        ap = tf.linalg.matvec(a, p)
        step = rs / tf.reduce_sum(p * ap)
        x = x + step * p
        r = r - step * ap
        before, rs = rs, tf.reduce_sum(r * r)
        p = r + rs / before * p
    return x


def determinant(a):
    return tf.linalg.det(a)


def solve_definite(a, b):
    """Reads the lower triangle alone, as the elimination does."""
    lower = tf.linalg.band_part(a, -1, 0)
    whole = lower + tf.transpose(tf.linalg.set_diag(lower, tf.zeros_like(b)))
    return tf.linalg.cholesky_solve(tf.linalg.cholesky(whole), b[:, None])[:, 0]


TWINS = (
    *twins_of(
        MATRICES, lu, gram_schmidt, forward_substitution, thomas, covariance, power_iteration
    ),
    *twins_of(PATHS, matrix_power),
    *twins_of(SYSTEMS, conjugate_gradients, is_eager=True),
    *twins_of(UPDATES, determinant, solve_definite),
)
