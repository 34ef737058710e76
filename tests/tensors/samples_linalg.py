"""Samples for the rules of TensorFlow: linalg."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample

A, B = array(2, 3), array(3, 4, seed=1)
STACK = array(5, 2, 3)
SQUARE, SQUARES = array(3, 3) + 3 * np.eye(3), array(2, 3, 3) + 3 * np.eye(3)
SYMMETRIC = "tf.matmul(x, x, transpose_b=True) + 3.0 * tf.eye(3, dtype=x.dtype)"
LOWER = np.tril(SQUARE)

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.matmul": [
        sample("{f}(a, b)", a=A, b=B),
        sample("{f}(a, b)", a=STACK, b=B),
        sample("{f}(a, b)", a=A, b=array(5, 3, 4)),
        sample("{f}(a, b)", a=array(4, 1, 2, 3), b=array(5, 3, 2)),
        sample("{f}(a, b)", a=array(0, 3), b=B),
        sample("{f}(a, b, transpose_b=True)", a=A, b=array(4, 3)),
        sample("{f}(a, b, transpose_b=True)", a=STACK, b=array(4, 3)),
        sample("{f}(a, b, True)", a=array(3, 2), b=B),
        sample("{f}(a, b, transpose_a=True)", a=array(3, 2), b=array(5, 3, 4)),
        sample("{f}(a, b, True, True)", a=array(3, 2), b=array(4, 3)),
        sample("{f}(a, b, transpose_a=True, transpose_b=True)", a=array(5, 3, 2), b=array(4, 3)),
        sample("{f}(a, b, adjoint_a=True)", a=array(3, 2), b=array(5, 3, 4)),
        sample("{f}(a, b, adjoint_b=True)", a=array(5, 2, 3), b=array(4, 3)),
        sample("{f}(a, b, transpose_a=True, adjoint_b=True)", a=array(3, 2), b=array(5, 4, 3)),
        sample("{f}(a, b, is_turned, not is_turned)", a=A, b=array(2, 3, seed=1), is_turned=True),
        sample("{f}(a, a, transpose_b=True)", a=A),
        sample("{f}(a, b)", a=array(2, 0), b=array(0, 4)),
    ],
    "tensorflow.raw_ops.MatMul": [
        sample("{f}(a=a, b=b)", a=A, b=B),
        sample("{f}(a=a, b=b, transpose_a=True)", a=array(3, 2), b=B),
        sample("{f}(a=a, b=b, transpose_b=True)", a=A, b=array(4, 3)),
        sample("{f}(a=a, b=b, transpose_a=True, transpose_b=True)", a=array(3, 2), b=array(4, 3)),
        sample("{f}(a=a, b=a, transpose_b=True)", a=A),
    ],
    "tensorflow.linalg.matvec": [
        sample("{f}(a, b)", a=A, b=array(3)),
        sample("{f}(a, b)", a=STACK, b=array(3)),
        sample("{f}(a, b)", a=A, b=array(4, 3)),
        sample("{f}(a, b, transpose_a=True)", a=A, b=array(2)),
        sample("{f}(a, b, transpose_a=True)", a=STACK, b=array(2)),
        sample("{f}(a, b, adjoint_a=True)", a=A, b=array(5, 2)),
    ],
    "tensorflow.linalg.cross": [
        sample("{f}(a, b)", a=array(3), b=array(3, seed=1)),
        sample("{f}(a, b)", a=array(2, 4, 3), b=array(2, 4, 3, seed=1)),
    ],
    "tensorflow.tensordot": [
        sample("{f}(a, b, 1)", a=A, b=B),
        sample("{f}(a, b, axes=0)", a=A, b=array(4)),
        sample("{f}(a, b, 2)", a=array(4, 2, 3), b=array(2, 3, 5)),
        sample("{f}(a, b, 2)", a=A, b=array(2, 3, seed=1)),
        sample("{f}(a, b, [[0], [1]])", a=A, b=array(4, 2)),
        sample("{f}(a, b, [[2, 0], [0, 1]])", a=array(2, 3, 4), b=array(4, 2, 5)),
        sample("{f}(a, b, ([0, 2], [2, 0]))", a=array(2, 3, 4), b=array(4, 5, 2)),
        sample("{f}(a, b, [-1, 0])", a=A, b=B),
        sample("{f}(a, b, axes=[[-1, 0], [-2, -1]])", a=array(2, 3, 4), b=array(5, 4, 2)),
    ],
    "tensorflow.einsum": [
        sample("{f}('ij,jk->ik', a, b)", a=A, b=B),
        sample("{f}(' i j , j k -> k i', a, b)", a=A, b=B),
        sample("{f}('ij,jk', a, b)", a=A, b=B),
        sample("{f}('ij->ji', a)", a=A),
        sample("{f}('ji', a)", a=A),
        sample("{f}('ij->', a)", a=A),
        sample("{f}('ij->i', a)", a=A),
        sample("{f}('ijk->kj', a)", a=array(2, 3, 4)),
        sample("{f}('i->', a)", a=array(3)),
        sample("{f}('ii->i', a)", a=SQUARE),
        sample("{f}('ii', a)", a=SQUARE),
        sample("{f}('iij,i->j', a, b)", a=array(3, 3, 2), b=array(3)),
        sample("{f}('i,i->', a, b)", a=array(3), b=array(3, seed=1)),
        sample("{f}('i,j->ij', a, b)", a=array(3), b=array(2)),
        sample("{f}('ij,k->i', a, b)", a=A, b=array(4)),
        sample("{f}('bij,bjk->bik', a, b)", a=STACK, b=array(5, 3, 4)),
        sample("{f}('...ij,jk->...ik', a, b)", a=STACK, b=B),
        sample("{f}('...ij,...jk->...ik', a, b)", a=STACK, b=B),
        sample("{f}('...ij,...jk->...ik', a, b)", a=array(4, 1, 2, 3), b=array(5, 3, 2)),
        sample("{f}('i...,...j->...', a, b)", a=array(3, 1, 2), b=array(4, 2, 5)),
        sample("{f}('i...i->...', a)", a=array(3, 2, 3)),
        sample("{f}('...ij->...j', a)", a=STACK),
        sample("{f}('i...,ij->...', a, b)", a=array(3, 2), b=array(3, 4)),
        sample("{f}('ij,jk,kl->il', a, b, c)", a=A, b=B, c=array(4, 2)),
        sample("{f}('ij,kl,jk', a, b, c)", a=A, b=array(4, 2), c=B),
        sample("{f}('...i,ij,...j->...', a, b, c)", a=array(5, 3), b=B, c=array(4)),
        sample(
            "{f}('ij,jk,kl,l->i', a, b, c, d, optimize='optimal')",
            a=A,
            b=B,
            c=array(4, 2),
            d=array(2),
        ),
        sample("{f}('i,i,i,i->i', a, a, b, b)", a=array(3), b=array(3, seed=1)),
    ],
    "tensorflow.linalg.inv": [
        sample("{f}(x)", x=SQUARE),
        sample("{f}(x)", x=SQUARES),
        sample("{f}(x, adjoint=True)", x=SQUARES),
    ],
    "tensorflow.linalg.det": [sample("{f}(x)", x=SQUARE), sample("{f}(x)", x=SQUARES)],
    "tensorflow.linalg.logdet": [
        sample(f"{{f}}({SYMMETRIC})", x=array(3, 3)),
        sample(f"{{f}}({SYMMETRIC})", x=array(2, 3, 3)),
    ],
    "tensorflow.linalg.slogdet": [
        sample("{f}(x)", x=SQUARE),
        sample("{f}(-x)[1]", x=SQUARE),
        sample("{f}(x)[1]", x=SQUARES),
        sample("{f}(x)", x=SQUARES),
    ],
    "tensorflow.linalg.pinv": [
        sample("{f}(x)", x=array(4, 3)),
        sample("{f}(x, 1e-8)", x=array(2, 3)),
        sample("{f}(x)", x=SQUARES),
    ],
    "tensorflow.linalg.solve": [
        sample("{f}(a, b)", a=SQUARE, b=B),
        sample("{f}(a, b)", a=SQUARES, b=array(2, 3, 2)),
        sample("{f}(a, b, adjoint=True)", a=SQUARES, b=array(2, 3, 2)),
    ],
    "tensorflow.linalg.triangular_solve": [
        sample("{f}(a, b)", a=SQUARE, b=B),
        sample("{f}(a, b, lower=False)", a=SQUARE, b=B),
        sample("{f}(a, b, True, True)", a=SQUARE, b=B),
        sample("{f}(a, b, lower=False, adjoint=True)", a=SQUARES, b=array(2, 3, 2)),
        sample("{f}(a, b)", a=SQUARES, b=B),
        sample("{f}(a, b, adjoint=True)", a=SQUARE, b=array(2, 3, 2)),
    ],
    "tensorflow.linalg.cholesky_solve": [
        sample("{f}(a, b)", a=LOWER, b=B),
        sample("{f}(a, b)", a=SQUARES, b=B),
        sample("{f}(a, b)", a=LOWER, b=array(2, 3, 2)),
    ],
    "tensorflow.linalg.lstsq": [
        sample("{f}(a, b)", a=array(4, 2), b=array(4, 3)),
        sample("{f}(a, b)", a=array(2, 4), b=array(2, 3)),
        sample("{f}(a, b)", a=SQUARES, b=array(2, 3, 1)),
    ],
    "tensorflow.linalg.cholesky": [
        sample(f"{{f}}({SYMMETRIC})", x=array(3, 3)),
        sample(f"{{f}}({SYMMETRIC})", x=array(2, 3, 3)),
        sample("{f}(x)", x=SQUARE @ SQUARE.T),
    ],
    "tensorflow.linalg.eigh": [
        sample("{f}(x)", x=SQUARE + SQUARE.T),
        sample("{f}(x)", x=array(2, 3, 3)),
        sample("{f}(x)[1]", x=SQUARE),
        sample(f"{{f}}({SYMMETRIC})[0]", x=array(3, 3)),
        sample("{f}(x)[0]", x=np.eye(3), is_twice=False),
    ],
    "tensorflow.linalg.eigvalsh": [
        sample("{f}(x)", x=SQUARE),
        sample("{f}(x)", x=array(2, 3, 3)),
        sample(f"{{f}}({SYMMETRIC})", x=array(3, 3)),
    ],
    "tensorflow.linalg.svd": [
        sample("{f}(x, compute_uv=False)", x=array(3, 2)),
        sample("{f}(x, compute_uv=False)", x=array(2, 2, 3)),
        sample("{f}(x, full_matrices=True, compute_uv=False)", x=array(2, 3)),
        sample("{f}(x, True, False)", x=np.eye(3), is_twice=False),
        sample("{f}(x)", x=SQUARE),
        sample("{f}(x)", x=array(4, 2)),
        sample("{f}(x)", x=array(2, 2, 4)),
        sample("{f}(x)", x=np.eye(3)),
        sample("{f}(x)[0]", x=array(4, 3)),
        sample("{f}(x)[1]", x=array(4, 3)),
        sample("{f}(x)[2]", x=array(2, 3)),
    ],
    "tensorflow.linalg.qr": [
        sample("{f}(x)", x=SQUARE),
        sample("{f}(x)", x=array(4, 2)),
        sample("{f}(x)", x=array(2, 4, 3)),
        sample("{f}(x)[0]", x=array(4, 3)),
        sample("{f}(x)[1]", x=array(2, 4, 3)),
    ],
    "tensorflow.linalg.expm": [
        sample("{f}(x)", x=array(3, 3, low=-0.5, high=0.5)),
        sample("{f}(x)", x=array(2, 3, 3)),
    ],
    "tensorflow.linalg.normalize": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x, axis=-1)", x=array(2, 3)),
        sample("{f}(x, axis=[0, 1])[0]", x=array(2, 3, 2)),
        sample("{f}(x, 'euclidean', 0)[1]", x=array(2, 3)),
    ],
    "tensorflow.linalg.global_norm": [
        sample("{f}([x, y])", x=array(2, 3), y=array(4)),
        sample("{f}([x])", x=array(3)),
        sample("{f}((x, x * y))", x=array(3), y=array(3, seed=1)),
        sample("{f}([x, tf.ones((2, 2), x.dtype)])", x=np.zeros(3)),
    ],
    "tensorflow.clip_by_global_norm": [
        sample("{f}([x, y], 1.5)", x=array(2, 3), y=array(4)),
        sample("{f}([x, y], clip_norm=15.0)", x=array(2, 3), y=array(4)),
        sample("{f}([x, x * y], 0.5)[1]", x=array(3), y=array(3, seed=1)),
        sample("{f}([x, x * y], 0.5)[0][1]", x=array(3), y=array(3, seed=1)),
        sample("{f}((x, y), 50.0)[0][0]", x=array(3), y=array(3, seed=1)),
        sample("{f}([x], 1.0)[0][0]", is_taped=False, x=np.zeros(3)),
    ],
    "tensorflow.linalg.tridiagonal_matmul": [
        sample("{f}(d, x)", d=array(3, 4), x=array(4, 2)),
        sample("{f}(d, x, diagonals_format='compact')", d=array(2, 3, 4), x=array(2, 4, 3)),
    ],
    "tensorflow.linalg.tridiagonal_solve": [
        sample("{f}(d + tf.constant([[0], [5], [0]], d.dtype), x)", d=array(3, 4), x=array(4, 2)),
        sample(
            "{f}(d + tf.constant([[0], [5], [0]], d.dtype), x)", d=array(2, 3, 4), x=array(2, 4, 1)
        ),
        sample(
            "{f}(d * tf.constant([[1], [5], [1]], d.dtype), x[:, None])[:, 0]",
            d=array(3, 4, low=1.0),
            x=array(4),
        ),
    ],
}
