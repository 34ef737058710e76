"""Adjoints of products of tensors and of the decompositions of matrices."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from adlsp.runtime.arrays import Parts
from adlsp.runtime.subscripts import einsum_back
from adlsp.runtime.tensors.gradients import Value, is_tensor, shape_of


def turned(x: Value, transpose: bool = False, adjoint: bool = False) -> Value:
    """Gives the transposes of matrices, or their conjugates, if one of two options says so."""
    return tf.linalg.matrix_transpose(x, conjugate=adjoint) if transpose or adjoint else x


def triangle(x: Value, lower: bool = True) -> Value:
    """Gives the lower or upper triangle of a matrix, with the diagonal."""
    return tf.linalg.band_part(x, -1, 0) if lower else tf.linalg.band_part(x, 0, -1)


def half_triangle(x: Value) -> Value:
    """Gives the lower triangle of a matrix with half of its diagonal."""
    return tf.linalg.band_part(x, -1, 0) - tf.linalg.band_part(x, 0, 0) / 2


def symmetric(x: Value) -> Value:
    """Gives the symmetric matrix that has the lower triangle of `x`."""
    half = half_triangle(x)
    return half + tf.linalg.matrix_transpose(half)


def symmetric_bar(out_bar: Value) -> Value:
    """Gives the gradient of `x` in `symmetric`, a lower triangle."""
    return half_triangle(out_bar + tf.linalg.matrix_transpose(out_bar))


def upper(a: Value, g: Value) -> Value:
    """Gives the block matrix `[[a, g], [0, a]]`."""
    return tf.concat([tf.concat([a, g], -1), tf.concat([tf.zeros_like(a), a], -1)], -2)


def corner(blocks: Value) -> Value:
    """Gives the block on the upper right."""
    n = shape_of(blocks)[-1] // 2
    return blocks[..., :n, n:]


def diagonal_blocks(blocks: Value) -> Value:
    """Gives the sum of the two blocks on the diagonal."""
    n = shape_of(blocks)[-1] // 2
    return blocks[..., :n, :n] + blocks[..., n:, n:]


def tridiagonal_turned(diagonals: Value) -> Value:
    """Gives the transpose of a tridiagonal matrix, as its three diagonals."""
    above, middle, below = tf.unstack(diagonals, axis=-2)
    return tf.stack([tf.roll(below, -1, -1), middle, tf.roll(above, 1, -1)], -2)


def tridiagonal_outer(u: Value, v: Value) -> Value:
    """Gives the three diagonals of `u @ transpose(v)`, with zeros where these have no element."""
    zeros = tf.zeros_like(v[..., :1, :])
    after, before = tf.concat([v[..., 1:, :], zeros], -2), tf.concat([zeros, v[..., :-1, :]], -2)
    return tf.stack([tf.reduce_sum(u * shifted, -1) for shifted in (after, v, before)], -2)


def inner_all(x: Value, y: Value) -> Value:
    """Gives the sum of the products of all elements of two lists of tensors."""
    return tf.add_n([tf.reduce_sum(a * b) for a, b in zip(x, y, strict=True)])


def scale_all(values: Value, by: Value) -> Value:
    """Gives a list of tensors, each times the same number."""
    return Parts(by * value for value in values)


def add_all(x: Value, y: Value) -> Value:
    """Gives the sums of two lists of tensors."""
    return Parts(a + b for a, b in zip(x, y, strict=True))


def tensordot_bar_a(out_bar: Value, a: Value, b: Value, axes: Value) -> Value:
    """Gives the gradient of `a` in `tf.tensordot(a, b, axes)`."""
    axes_a, axes_b = _contracted(a, b, axes)
    free_a, free_b = _others(a, axes_a), _others(b, axes_b)
    last = list(range(len(free_a), len(free_a) + len(free_b)))
    a_bar = tf.tensordot(out_bar, b, (last, free_b))
    order = free_a + [i for _, i in sorted(zip(axes_b, axes_a, strict=True))]
    return tf.transpose(a_bar, [order.index(i) for i in range(len(order))])


def tensordot_bar_b(out_bar: Value, a: Value, b: Value, axes: Value) -> Value:
    """Gives the gradient of `b` in `tf.tensordot(a, b, axes)`."""
    axes_a, axes_b = _contracted(a, b, axes)
    free_a, free_b = _others(a, axes_a), _others(b, axes_b)
    b_bar = tf.tensordot(a, out_bar, (free_a, list(range(len(free_a)))))
    order = [i for _, i in sorted(zip(axes_a, axes_b, strict=True))] + free_b
    return tf.transpose(b_bar, [order.index(i) for i in range(len(order))])


def _contracted(a: Value, b: Value, axes: Value) -> tuple[list[int], list[int]]:
    """The axes of both that a product of tensors sums over, in pairs."""
    n_a, n_b = len(a.shape), len(b.shape)
    axes = tf.get_static_value(axes) if is_tensor(axes) else axes
    if np.ndim(axes) == 0:
        return list(range(n_a - int(axes), n_a)), list(range(int(axes)))
    first, second = axes
    return (
        [int(i) % n_a for i in np.atleast_1d(first)],
        [int(i) % n_b for i in np.atleast_1d(second)],
    )


def _others(x: Value, axes: list[int]) -> list[int]:
    return [i for i in range(len(x.shape)) if i not in axes]


def einsum(equation: str, *operands: Value) -> Value:
    """Gives `tf.einsum(equation, *operands)` without operands that are None."""
    return tf.einsum(equation, *(operand for operand in operands if operand is not None))


def einsum_bar_a(
    out_bar: Value, equation: str, a: Value, b: Value = None, c: Value = None, d: Value = None
) -> Value:
    """Gives the gradient of `a` in `tf.einsum(equation, a, b, c, d)`."""
    return _einsum_bar(out_bar, equation, 0, a, b, c, d)


def einsum_bar_b(
    out_bar: Value, equation: str, a: Value, b: Value, c: Value = None, d: Value = None
) -> Value:
    """Gives the gradient of `b` in `tf.einsum(equation, a, b, c, d)`."""
    return _einsum_bar(out_bar, equation, 1, a, b, c, d)


def einsum_bar_c(
    out_bar: Value, equation: str, a: Value, b: Value, c: Value, d: Value = None
) -> Value:
    """Gives the gradient of `c` in `tf.einsum(equation, a, b, c, d)`."""
    return _einsum_bar(out_bar, equation, 2, a, b, c, d)


def einsum_bar_d(out_bar: Value, equation: str, a: Value, b: Value, c: Value, d: Value) -> Value:
    """Gives the gradient of `d` in `tf.einsum(equation, a, b, c, d)`."""
    return _einsum_bar(out_bar, equation, 3, a, b, c, d)


def _einsum_bar(out_bar: Value, equation: str, position: int, *operands: Value) -> Value:
    """The gradient of an operand, which gives its shape only.

    It is again a sum of products, for which the gradient of the result takes the operand's place.
    What remains are axes that no other operand has, along which it is repeated, and letters that
    the operand has twice, of which it has a diagonal.
    """
    back = einsum_back(equation, position)
    whole = einsum(back, *(out_bar if i == position else x for i, x in enumerate(operands)))
    own = equation.replace(" ", "").partition("->")[0].split(",")[position]
    before, dots, after = own.partition("...")
    letters, kept = "".join(dict.fromkeys(before + after)), back.partition("->")[2].strip(".")
    shape = shape_of(operands[position])
    lengths = {c: shape[i] for i, c in enumerate(before)}
    lengths |= {c: shape[i - len(after)] for i, c in enumerate(after)}
    if "..." in back.partition("->")[2]:
        n_more = len(operands[position].shape) - len(before + after)
        more = [shape[len(before) + i] for i in range(n_more)]
        whole = _sum_over(whole, [*more, *(lengths[c] for c in kept)])
    if kept != letters:
        missing = (slice(None) if c in kept else tf.newaxis for c in letters)
        front = shape_of(whole)[: len(whole.shape) - len(kept)]
        wanted = [*(front[i] for i in range(len(whole.shape) - len(kept)))]
        wanted += [lengths[c] for c in letters]
        whole = tf.broadcast_to(whole[(..., *missing)], wanted)
    if own == f"{dots}{letters}":
        return whole
    return tf.raw_ops.Einsum(inputs=[whole], equation=f"{dots}{letters}->{own}")


def _sum_over(x_bar: Value, shape: list[Value]) -> Value:
    """Sums over what broadcasting repeated of a tensor whose shape is given by its lengths."""
    if x_bar.shape == shape:
        return x_bar
    axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=shape, s1=tf.shape(x_bar))
    return tf.reshape(tf.reduce_sum(x_bar, axes), shape)
