# mypy: allow-untyped-defs, disable-error-code="assignment"
# ruff: noqa: D103
"""The linear algebra of TensorFlow: systems of equations, decompositions, norms.

Rules read, never run: each body is spliced into generated code. Which triangle of a symmetric
matrix has the gradient, and what divides small gaps between eigenvalues, is as in TensorFlow.
Formulas: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008); Seeger et al., "Auto-differentiating linear algebra" (2017); Townsend,
"Differentiating the singular value decomposition" (2016).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import constant, forward, linear, multilinear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# inverses and determinants


@forward("tensorflow.linalg.inv")
def inv_forward(input, adjoint: Literal[False] = False, *, out, input_dot):
    return -tf.matmul(tf.matmul(out, input_dot), out)


@reverse("tensorflow.linalg.inv")
def inv_reverse(input, adjoint: Literal[False] = False, *, out, out_bar):
    return -tf.matmul(tf.matmul(out, out_bar, transpose_a=True), out, transpose_b=True)


@forward("tensorflow.linalg.inv")
def inv_adjoint_forward(input, adjoint: Literal[True] = False, *, out, input_dot):
    return -tf.matmul(tf.matmul(out, input_dot, adjoint_b=True), out)


@reverse("tensorflow.linalg.inv")
def inv_adjoint_reverse(input, adjoint: Literal[True] = False, *, out, out_bar):
    return -tensors.conj(tf.matmul(tf.matmul(out, out_bar, transpose_b=True), out))


@forward("tensorflow.linalg.det", when="regular matrices")
def det_forward(input, *, out, input_dot):
    return out * tf.linalg.trace(tf.linalg.solve(input, input_dot))


@reverse("tensorflow.linalg.det", when="regular matrices")
def det_reverse(input, *, out, out_bar):
    return (out_bar * out)[..., None, None] * tf.linalg.matrix_transpose(tf.linalg.inv(input))


@forward("tensorflow.linalg.logdet", when="symmetric, positive definite matrices")
def logdet_forward(matrix, *, matrix_dot):
    return tf.linalg.trace(tf.linalg.solve(rt.real(matrix), matrix_dot))


@reverse("tensorflow.linalg.logdet", when="symmetric, positive definite matrices")
def logdet_reverse(matrix, *, out_bar):
    return out_bar[..., None, None] * tf.linalg.inv(rt.real(matrix), adjoint=True)


@forward("tensorflow.linalg.slogdet", when="regular matrices")
def slogdet_forward(input, *, input_dot):
    change = tf.linalg.trace(tf.linalg.solve(rt.real(input), input_dot))
    return [tf.zeros_like(change), change]


@reverse("tensorflow.linalg.slogdet", when="regular matrices")
def slogdet_reverse(input, *, out_bar):
    scale = out_bar[1]
    return scale[..., None, None] * tf.linalg.inv(rt.real(input), adjoint=True)


@forward("tensorflow.linalg.pinv", when="the rank stays the same")
def pinv_forward(a, rcond=None, *, out, a_dot):
    back = tf.linalg.matrix_transpose(rt.real(a_dot))
    left = back - tf.matmul(out, tf.matmul(a, back))
    right = back - tf.matmul(tf.matmul(back, a), out)
    own = tf.matmul(tf.matmul(out, out, transpose_b=True), right)
    change = own + tf.matmul(left, tf.matmul(out, out, transpose_a=True))
    return change - tf.matmul(tf.matmul(out, a_dot), out)


@reverse("tensorflow.linalg.pinv", when="the rank stays the same")
def pinv_reverse(a, rcond=None, *, out, out_bar):
    back = tf.linalg.matrix_transpose(rt.real(out_bar))
    left = back - tf.matmul(tf.matmul(a, out), back)
    right = back - tf.matmul(back, tf.matmul(out, a))
    own = tf.matmul(left, tf.matmul(out, out, transpose_b=True))
    change = own + tf.matmul(tf.matmul(out, out, transpose_a=True), right)
    return change - tf.matmul(tf.matmul(out, out_bar, transpose_a=True), out, transpose_b=True)


# systems of equations


@forward("tensorflow.linalg.solve")
def solve_forward(matrix, rhs, adjoint: Literal[False] = False, *, out, matrix_dot, rhs_dot):
    return (
        -tf.linalg.solve(matrix, tf.matmul(matrix_dot, out)),
        tf.linalg.solve(matrix, rhs_dot),
    )


@reverse("tensorflow.linalg.solve")
def solve_reverse(matrix, rhs, adjoint: Literal[False] = False, *, out, out_bar):
    rhs_bar = tensors.conj(tf.linalg.solve(matrix, tensors.conj(out_bar), adjoint=True))
    return -tf.matmul(rhs_bar, out, transpose_b=True), rhs_bar


@forward("tensorflow.linalg.solve")
def solve_adjoint_forward(matrix, rhs, adjoint: Literal[True] = False, *, out, matrix_dot, rhs_dot):
    change = tf.matmul(matrix_dot, out, adjoint_a=True)
    return (
        -tf.linalg.solve(matrix, change, adjoint=True),
        tf.linalg.solve(matrix, rhs_dot, adjoint=True),
    )


@reverse("tensorflow.linalg.solve")
def solve_adjoint_reverse(matrix, rhs, adjoint: Literal[True] = False, *, out, out_bar):
    rhs_bar = tensors.conj(tf.linalg.solve(matrix, tensors.conj(out_bar)))
    return -tensors.conj(tf.matmul(out, rhs_bar, transpose_b=True)), rhs_bar


@forward("tensorflow.linalg.triangular_solve")
def triangular_solve_forward(
    matrix, rhs, lower=True, adjoint: Literal[False] = False, *, out, matrix_dot, rhs_dot
):
    change = tf.matmul(tensors.triangle(matrix_dot, lower), out)
    return (
        -tf.linalg.triangular_solve(matrix, change, lower),
        tf.linalg.triangular_solve(matrix, rhs_dot, lower),
    )


@reverse("tensorflow.linalg.triangular_solve")
def triangular_solve_reverse(
    matrix, rhs, lower=True, adjoint: Literal[False] = False, *, out, out_bar
):
    turned = tf.linalg.triangular_solve(matrix, tensors.conj(out_bar), lower, adjoint=True)
    back = tensors.conj(turned)
    change = tensors.triangle(tf.matmul(back, out, transpose_b=True), lower)
    return -rt.unbroadcast(change, matrix), rt.unbroadcast(back, rhs)


@forward("tensorflow.linalg.triangular_solve")
def triangular_solve_adjoint_forward(
    matrix, rhs, lower=True, adjoint: Literal[True] = False, *, out, matrix_dot, rhs_dot
):
    change = tf.matmul(tensors.triangle(matrix_dot, lower), out, adjoint_a=True)
    return (
        -tf.linalg.triangular_solve(matrix, change, lower, adjoint=True),
        tf.linalg.triangular_solve(matrix, rhs_dot, lower, adjoint=True),
    )


@reverse("tensorflow.linalg.triangular_solve")
def triangular_solve_adjoint_reverse(
    matrix, rhs, lower=True, adjoint: Literal[True] = False, *, out, out_bar
):
    back = tensors.conj(tf.linalg.triangular_solve(matrix, tensors.conj(out_bar), lower))
    change = tensors.triangle(tf.matmul(out, back, transpose_b=True), lower)
    return -rt.unbroadcast(tensors.conj(change), matrix), rt.unbroadcast(back, rhs)


@linear("adlsp.runtime.tensors.triangle", of="x")
def triangle(x, lower=True, *, out_bar):
    return tensors.triangle(out_bar, lower)


@forward("tensorflow.linalg.cholesky_solve")
def cholesky_solve_forward(chol, rhs, *, out, chol_dot, rhs_dot):
    factor = tensors.triangle(rt.real(chol))
    change = tensors.triangle(chol_dot)
    first = tf.matmul(change, tf.matmul(factor, out, transpose_a=True))
    second = tf.matmul(factor, tf.matmul(change, out, transpose_a=True))
    return -tf.linalg.cholesky_solve(chol, first + second), tf.linalg.cholesky_solve(chol, rhs_dot)


@reverse("tensorflow.linalg.cholesky_solve")
def cholesky_solve_reverse(chol, rhs, *, out, out_bar):
    back = tf.linalg.cholesky_solve(rt.real(chol), out_bar)
    first = tf.matmul(back, out, transpose_b=True)
    second = tf.matmul(out, back, transpose_b=True)
    change = tensors.triangle(tf.matmul(first + second, tensors.triangle(chol)))
    return -rt.unbroadcast(change, chol), rt.unbroadcast(back, rhs)


@forward("tensorflow.linalg.lstsq", when="full rank")
def lstsq_forward(
    matrix,
    rhs,
    *,
    fast: Literal[True] = True,
    out,
    matrix_dot,
    rhs_dot,
):
    """Adds what a tall matrix leaves over, and what a wide one does not reach: one is zero."""
    transposed = tf.linalg.matrix_transpose(rt.real(matrix))
    rest = tf.matmul(matrix_dot, rhs - tf.matmul(matrix, out), transpose_a=True)
    lean = tf.linalg.lstsq(transposed, rest) - tf.matmul(matrix_dot, out)
    turn = tf.matmul(matrix_dot, tf.linalg.lstsq(transposed, out), transpose_a=True)
    change = tf.linalg.lstsq(matrix, lean - tf.matmul(matrix, turn)) + turn
    return change, tf.linalg.lstsq(matrix, rhs_dot)


@reverse("tensorflow.linalg.lstsq", when="full rank")
def lstsq_reverse(
    matrix,
    rhs,
    *,
    fast: Literal[True] = True,
    out,
    out_bar,
):
    """Adds what a tall matrix leaves over, and what a wide one does not reach: one is zero."""
    transposed = tf.linalg.matrix_transpose(rt.real(matrix))
    rhs_bar = tf.linalg.lstsq(transposed, out_bar)
    rest = rhs - tf.matmul(matrix, out)
    further = out_bar - tf.matmul(matrix, rhs_bar, transpose_a=True)
    lean = tf.matmul(rest, tf.linalg.lstsq(matrix, rhs_bar), transpose_b=True)
    turn = tf.matmul(tf.linalg.lstsq(transposed, out), further, transpose_b=True)
    return lean + turn - tf.matmul(rhs_bar, out, transpose_b=True), rhs_bar


# decompositions


@forward("tensorflow.linalg.cholesky", when="symmetric, positive definite matrices")
def cholesky_forward(input, *, out, input_dot):
    half = tf.linalg.triangular_solve(
        rt.real(out), input_dot + tf.linalg.matrix_transpose(input_dot)
    )
    whole = tf.linalg.triangular_solve(out, tf.linalg.matrix_transpose(half)) / 2
    return tf.matmul(out, tensors.half_triangle(whole))


@reverse("tensorflow.linalg.cholesky", when="symmetric, positive definite matrices")
def cholesky_reverse(input, *, out, out_bar):
    whole = tensors.half_triangle(tf.matmul(rt.real(out), out_bar, transpose_a=True))
    half = tf.linalg.triangular_solve(out, whole, adjoint=True)
    change = tf.linalg.triangular_solve(out, tf.linalg.matrix_transpose(half), adjoint=True)
    return (change + tf.linalg.matrix_transpose(change)) / 2


@linear("adlsp.runtime.tensors.half_triangle", of="x")
def half_triangle(x, *, out_bar):
    return tensors.half_triangle(out_bar)


@linear("adlsp.runtime.tensors.symmetric", of="x")
def symmetric(x, *, out_bar):
    return tensors.symmetric_bar(out_bar)


@linear("adlsp.runtime.tensors.symmetric_bar", of="g")
def symmetric_bar(g, *, out_bar):
    return tensors.symmetric(out_bar)


@forward("tensorflow.linalg.eigh", when="eigenvectors where eigenvalues differ")
def eigh_forward(tensor, *, tensor_dot):
    found = tf.linalg.eigh(rt.real(tensor))  # not `out`, which may have been taken apart
    e = found[0]
    v = found[1]
    inner = tf.matmul(v, tf.matmul(tensors.symmetric(tensor_dot), v), transpose_a=True)
    gaps = e[..., None, :] - e[..., :, None]
    shares = tf.linalg.set_diag(gaps / (gaps * gaps + 1e-20), tf.zeros_like(e))
    return [tf.linalg.diag_part(inner), tf.matmul(v, shares * inner)]


@reverse("tensorflow.linalg.eigh", when="eigenvectors where eigenvalues differ")
def eigh_reverse(tensor, *, out_bar):
    found = tf.linalg.eigh(rt.real(tensor))
    e = found[0]
    v = found[1]
    gaps = e[..., None, :] - e[..., :, None]
    shares = tf.linalg.set_diag(gaps / (gaps * gaps + 1e-20), tf.zeros_like(e))
    mixed = shares * tf.matmul(v, out_bar[1], transpose_a=True)
    inner = tf.linalg.diag(out_bar[0]) + mixed
    change = tf.matmul(v, tf.matmul(inner, v, transpose_b=True))
    return tensors.symmetric_bar(change)


@forward("tensorflow.linalg.eigvalsh")
def eigvalsh_forward(tensor, *, tensor_dot):
    v = tf.linalg.eigh(rt.real(tensor))[1]
    return tf.reduce_sum(v * tf.matmul(tensors.symmetric(tensor_dot), v), axis=-2)


@reverse("tensorflow.linalg.eigvalsh")
def eigvalsh_reverse(tensor, *, out_bar):
    v = tf.linalg.eigh(rt.real(tensor))[1]
    change = tf.matmul(v * out_bar[..., None, :], v, transpose_b=True)
    return tensors.symmetric_bar(change)


@forward("tensorflow.linalg.svd", when="vectors where values differ")
def svd_forward(
    tensor,
    full_matrices: Literal[False] = False,
    compute_uv: Literal[True] = True,
    *,
    tensor_dot,
):
    found = tf.linalg.svd(rt.real(tensor))
    s = found[0]
    u = found[1]
    v = found[2]
    columns = s[..., None, :]
    rows = s[..., :, None]
    gaps = columns * columns - rows * rows
    shares = tf.linalg.set_diag(gaps / (gaps * gaps + 1e-20), tf.zeros_like(s))
    inverse = columns / (columns * columns + 1e-20)
    inner = tf.matmul(u, tf.matmul(tensor_dot, v), transpose_a=True)
    across = tf.linalg.matrix_transpose(inner)
    rest_u = tf.matmul(tensor_dot, v) - tf.matmul(u, inner)
    rest_v = tf.matmul(tensor_dot, u, transpose_a=True) - tf.matmul(v, across)
    return [
        tf.linalg.diag_part(inner),
        tf.matmul(u, shares * (inner * columns + rows * across)) + rest_u * inverse,
        tf.matmul(v, shares * (rows * inner + across * columns)) + rest_v * inverse,
    ]


@reverse("tensorflow.linalg.svd", when="vectors where values differ")
def svd_reverse(
    tensor,
    full_matrices: Literal[False] = False,
    compute_uv: Literal[True] = True,
    *,
    out_bar,
):
    found = tf.linalg.svd(rt.real(tensor))
    s = found[0]
    u = found[1]
    v = found[2]
    columns = s[..., None, :]
    rows = s[..., :, None]
    gaps = columns * columns - rows * rows
    shares = tf.linalg.set_diag(gaps / (gaps * gaps + 1e-20), tf.zeros_like(s))
    inverse = columns / (columns * columns + 1e-20)
    turned_u = tf.matmul(u, out_bar[1], transpose_a=True)
    turned_v = tf.matmul(v, out_bar[2], transpose_a=True)
    mixed_u = shares * turned_u
    mixed_v = shares * turned_v
    inner = (
        tf.linalg.diag(out_bar[0])
        + (mixed_u + tf.linalg.matrix_transpose(mixed_u)) * columns
        + rows * (mixed_v + tf.linalg.matrix_transpose(mixed_v))
    )
    rest_u = (out_bar[1] - tf.matmul(u, turned_u)) * inverse
    rest_v = (out_bar[2] - tf.matmul(v, turned_v)) * inverse
    left = tf.matmul(u, inner) + rest_u
    return tf.matmul(left, v, transpose_b=True) + tf.matmul(u, rest_v, transpose_b=True)


@forward("tensorflow.linalg.svd")
def svd_values_forward(
    tensor, full_matrices=False, compute_uv: Literal[False] = True, *, tensor_dot
):
    found = tf.linalg.svd(rt.real(tensor))
    return tf.reduce_sum(found[1] * tf.matmul(tensor_dot, found[2]), axis=-2)


@reverse("tensorflow.linalg.svd")
def svd_values_reverse(tensor, full_matrices=False, compute_uv: Literal[False] = True, *, out_bar):
    found = tf.linalg.svd(rt.real(tensor))
    return tf.matmul(found[1] * out_bar[..., None, :], found[2], transpose_b=True)


@forward("tensorflow.linalg.qr", when="not wide, of full rank")
def qr_forward(input, full_matrices: Literal[False] = False, *, input_dot):
    found = tf.linalg.qr(rt.real(input))
    q = found[0]
    r = found[1]
    back = tf.linalg.matrix_transpose(input_dot)
    scaled = tf.linalg.matrix_transpose(tf.linalg.triangular_solve(r, back, False, adjoint=True))
    inner = tf.matmul(q, scaled, transpose_a=True)
    upper = tf.linalg.matrix_transpose(tensors.symmetric_bar(inner))
    return [scaled - tf.matmul(q, upper), tf.matmul(upper, r)]


@reverse("tensorflow.linalg.qr", when="not wide, of full rank")
def qr_reverse(input, full_matrices: Literal[False] = False, *, out_bar):
    found = tf.linalg.qr(rt.real(input))
    q = found[0]
    r = found[1]
    turned = tf.matmul(r, out_bar[1], transpose_b=True) - tf.matmul(out_bar[0], q, transpose_a=True)
    change = out_bar[0] + tf.matmul(q, tensors.symmetric(turned))
    scaled = tf.linalg.triangular_solve(r, tf.linalg.matrix_transpose(change), False)
    return tf.linalg.matrix_transpose(scaled)


# functions of matrices, norms


@forward("tensorflow.linalg.expm")
def expm_forward(input, *, input_dot):
    return tensors.corner(tf.linalg.expm(tensors.upper(input, input_dot)))


@reverse("tensorflow.linalg.expm")
def expm_reverse(input, *, out_bar):
    transposed = tf.linalg.matrix_transpose(input)
    return tensors.corner(tf.linalg.expm(tensors.upper(transposed, out_bar)))


@linear("adlsp.runtime.tensors.upper", of="a g")
def upper(a, g, *, out_bar):
    return tensors.diagonal_blocks(out_bar), tensors.corner(out_bar)


@linear("adlsp.runtime.tensors.corner", of="blocks")
def corner(blocks, *, out_bar):
    return tensors.upper(tf.zeros_like(out_bar), out_bar)


@linear("adlsp.runtime.tensors.diagonal_blocks", of="blocks")
def diagonal_blocks(blocks, *, out_bar):
    return tensors.upper(out_bar, tf.zeros_like(out_bar))


@forward("tensorflow.linalg.normalize", when="the norm is not zero")
def normalize_forward(tensor, ord: Literal["euclidean"] = "euclidean", axis=None, *, tensor_dot):
    norm = tf.norm(rt.real(tensor), axis=axis, keepdims=True)
    unit = tensor / norm
    change = tf.reduce_sum(unit * tensor_dot, axis=axis, keepdims=True)
    return [(tensor_dot - unit * change) / norm, change]


@reverse("tensorflow.linalg.normalize", when="the norm is not zero")
def normalize_reverse(tensor, ord: Literal["euclidean"] = "euclidean", axis=None, *, out_bar):
    norm = tf.norm(rt.real(tensor), axis=axis, keepdims=True)
    unit = tensor / norm
    along = tf.reduce_sum(unit * out_bar[0], axis=axis, keepdims=True)
    return (out_bar[0] - unit * along) / norm + unit * out_bar[1]


@forward("tensorflow.linalg.global_norm")
def global_norm_forward(t_list, *, out, t_list_dot):
    return rt.ratio(tensors.inner_all(t_list, t_list_dot), out)


@reverse("tensorflow.linalg.global_norm")
def global_norm_reverse(t_list, *, out, out_bar):
    return tensors.scale_all(t_list, rt.ratio(out_bar, out))


@forward("tensorflow.clip_by_global_norm", when="the norm has slope 0 at 0")
def clip_by_global_norm_forward(t_list, clip_norm, use_norm: Literal[None] = None, *, t_list_dot):
    norm = tf.linalg.global_norm(t_list)
    is_clipped = norm > clip_norm
    factor = tf.where(is_clipped, clip_norm / norm, 1)
    change = tf.math.divide_no_nan(tensors.inner_all(t_list, t_list_dot), norm)
    part = tf.where(is_clipped, -clip_norm * change / (norm * norm), 0)
    moved = tensors.add_all(tensors.scale_all(t_list_dot, factor), tensors.scale_all(t_list, part))
    return [moved, change]


@reverse("tensorflow.clip_by_global_norm", when="the norm has slope 0 at 0")
def clip_by_global_norm_reverse(t_list, clip_norm, use_norm: Literal[None] = None, *, out_bar):
    norm = tf.linalg.global_norm(t_list)
    is_clipped = norm > clip_norm
    factor = tf.where(is_clipped, clip_norm / norm, 1)
    along = tensors.inner_all(t_list, out_bar[0]) / norm
    inward = tf.where(is_clipped, -clip_norm * along / (norm * norm), 0)
    part = inward + tf.math.divide_no_nan(out_bar[1], norm)
    return tensors.add_all(tensors.scale_all(out_bar[0], factor), tensors.scale_all(t_list, part))


@linear("adlsp.runtime.tensors.add_all", of="x y")
def add_all(x, y, *, out_bar):
    return out_bar, out_bar


@multilinear("adlsp.runtime.tensors.inner_all", of="x y")
def inner_all(x, y, *, out_bar):
    return tensors.scale_all(y, out_bar), tensors.scale_all(x, out_bar)


@multilinear("adlsp.runtime.tensors.scale_all", of="values by")
def scale_all(values, by, *, out_bar):
    return tensors.scale_all(out_bar, by), tensors.inner_all(values, out_bar)


constant("tensorflow.linalg.matrix_rank", "tensorflow.eye", "tensorflow.linalg.eye")
