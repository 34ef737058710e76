# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Reductions of TensorFlow, and what runs along an axis: sums, means, extremes, cumulative sums.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, constant, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# sums and means


@linear("tensorflow.reduce_sum", "tensorflow.math.reduce_sum", of="input_tensor")
def reduce_sum(input_tensor: Shaped, axis=None, keepdims=False, *, out_bar):
    return rt.expand_as(out_bar, input_tensor, axis, keepdims)


@linear("tensorflow.reduce_mean", "tensorflow.math.reduce_mean", of="input_tensor")
def reduce_mean(input_tensor: Shaped, axis=None, keepdims=False, *, out_bar):
    share = out_bar / tensors.count(input_tensor, axis)
    return rt.expand_as(share, input_tensor, axis, keepdims)


@forward("tensorflow.math.reduce_variance")
def reduce_variance_forward(input_tensor, axis=None, keepdims=False, *, input_tensor_dot):
    centered = input_tensor - tf.reduce_mean(input_tensor, axis, keepdims=True)
    changes = 2 * tf.math.real(tensors.conj(centered) * input_tensor_dot)
    return tf.reduce_mean(changes, axis, keepdims)


@reverse("tensorflow.math.reduce_variance")
def reduce_variance_reverse(input_tensor, axis=None, keepdims=False, *, out_bar):
    centered = input_tensor - tf.reduce_mean(input_tensor, axis, keepdims=True)
    share = 2 * out_bar / tensors.count(input_tensor, axis)
    whole = rt.expand_as(share, input_tensor, axis, keepdims)
    return whole * tensors.conj(centered)


@forward("tensorflow.math.reduce_std", when="0 where all elements are equal")
def reduce_std_forward(input_tensor, axis=None, keepdims=False, *, out, input_tensor_dot):
    centered = input_tensor - tf.reduce_mean(input_tensor, axis, keepdims=True)
    changes = tf.math.real(tensors.conj(centered) * input_tensor_dot)
    change = tf.reduce_mean(changes, axis, keepdims)
    return tf.math.divide_no_nan(change, out)


@reverse("tensorflow.math.reduce_std", when="0 where all elements are equal")
def reduce_std_reverse(input_tensor, axis=None, keepdims=False, *, out, out_bar):
    centered = input_tensor - tf.reduce_mean(input_tensor, axis, keepdims=True)
    share = tf.math.divide_no_nan(out_bar, out) / tensors.count(input_tensor, axis)
    whole = rt.expand_as(share, input_tensor, axis, keepdims)
    return whole * tensors.conj(centered)


# products


@forward("tensorflow.reduce_prod", "tensorflow.math.reduce_prod")
def reduce_prod_forward(input_tensor, axis=None, keepdims=False, *, input_tensor_dot):
    changes = input_tensor_dot * tensors.product_of_others(input_tensor, axis)
    return tf.reduce_sum(changes, axis, keepdims)


@reverse("tensorflow.reduce_prod", "tensorflow.math.reduce_prod")
def reduce_prod_reverse(input_tensor, axis=None, keepdims=False, *, out_bar):
    whole = rt.expand_as(out_bar, input_tensor, axis, keepdims)
    return whole * tensors.product_of_others(input_tensor, axis)


@forward("adlsp.runtime.tensors.product_of_others")
def product_of_others_forward(x, axis=None, *, x_dot):
    pairs = tensors.product_of_others(tensors.others(x, axis), -1)
    return tf.reduce_sum(pairs * tensors.others(x_dot, axis), -1)


@reverse("adlsp.runtime.tensors.product_of_others")
def product_of_others_reverse(x, axis=None, *, out_bar):
    pairs = tensors.product_of_others(tensors.others(x, axis), -1)
    return tensors.others_bar(pairs * tf.expand_dims(out_bar, -1), x, axis)


@linear("adlsp.runtime.tensors.others", of="x")
def others(x: Shaped, axis=None, *, out_bar):
    return tensors.others_bar(out_bar, x, axis)


@linear("adlsp.runtime.tensors.others_bar", of="g")
def others_bar(g, x: Shaped, axis=None, *, out_bar):
    return tensors.others(out_bar, axis)


# extremes


@forward(
    "tensorflow.reduce_max",
    "tensorflow.math.reduce_max",
    "tensorflow.reduce_min",
    "tensorflow.math.reduce_min",
    when="ties share equally",
)
def extreme_forward(input_tensor, axis=None, keepdims=False, *, out, input_tensor_dot):
    whole = rt.expand_as(out, input_tensor, axis, keepdims)
    chosen = tf.cast(tf.equal(input_tensor, whole), out.dtype)
    n_chosen = tf.reduce_sum(chosen, axis, keepdims)
    return tf.reduce_sum(chosen * input_tensor_dot, axis, keepdims) / n_chosen


@reverse(
    "tensorflow.reduce_max",
    "tensorflow.math.reduce_max",
    "tensorflow.reduce_min",
    "tensorflow.math.reduce_min",
    when="ties share equally",
)
def extreme_reverse(input_tensor, axis=None, keepdims=False, *, out, out_bar):
    whole = rt.expand_as(out, input_tensor, axis, keepdims)
    chosen = tf.cast(tf.equal(input_tensor, whole), out.dtype)
    n_chosen = tf.reduce_sum(chosen, axis, keepdims)
    return chosen * rt.expand_as(out_bar / n_chosen, input_tensor, axis, keepdims)


@forward("tensorflow.reduce_logsumexp", "tensorflow.math.reduce_logsumexp")
def reduce_logsumexp_forward(input_tensor, axis=None, keepdims=False, *, out, input_tensor_dot):
    shares = tf.exp(input_tensor - rt.expand_as(out, input_tensor, axis, keepdims))
    return tf.reduce_sum(shares * input_tensor_dot, axis, keepdims)


@reverse("tensorflow.reduce_logsumexp", "tensorflow.math.reduce_logsumexp")
def reduce_logsumexp_reverse(input_tensor, axis=None, keepdims=False, *, out, out_bar):
    shares = tf.exp(input_tensor - rt.expand_as(out, input_tensor, axis, keepdims))
    return shares * rt.expand_as(out_bar, input_tensor, axis, keepdims)


@forward("tensorflow.math.lbeta")
def lbeta_forward(x, *, x_dot):
    slope = tf.math.digamma(x) - tf.math.digamma(tf.reduce_sum(x, -1, keepdims=True))
    return tf.reduce_sum(slope * x_dot, -1)


@reverse("tensorflow.math.lbeta")
def lbeta_reverse(x, *, out_bar):
    slope = tf.math.digamma(x) - tf.math.digamma(tf.reduce_sum(x, -1, keepdims=True))
    return tf.expand_dims(out_bar, -1) * slope


# norms


@forward("tensorflow.math.reduce_euclidean_norm", when="0 at 0")
def reduce_euclidean_norm_forward(
    input_tensor, axis=None, keepdims=False, *, out, input_tensor_dot
):
    change = tf.reduce_sum(rt.real(input_tensor) * input_tensor_dot, axis, keepdims)
    return tf.math.divide_no_nan(change, out)


@reverse("tensorflow.math.reduce_euclidean_norm", when="0 at 0")
def reduce_euclidean_norm_reverse(input_tensor, axis=None, keepdims=False, *, out, out_bar):
    share = tf.math.divide_no_nan(out_bar, out)
    return rt.expand_as(share, input_tensor, axis, keepdims) * rt.real(input_tensor)


@forward("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def norm_forward(
    tensor,
    ord: Literal["euclidean", "fro"] = "euclidean",
    axis=None,
    keepdims=None,
    *,
    out,
    tensor_dot,
):
    changes = tf.math.real(tensors.conj(tensor) * tensor_dot)
    change = tf.reduce_sum(changes, axis, keepdims)
    return rt.cast_like(tf.math.divide_no_nan(change, tf.math.real(out)), out)


@reverse("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def norm_reverse(
    tensor,
    ord: Literal["euclidean", "fro"] = "euclidean",
    axis=None,
    keepdims=None,
    *,
    out,
    out_bar,
):
    share = tf.math.divide_no_nan(tf.math.real(out_bar), tf.math.real(out))
    whole = rt.expand_as(rt.cast_like(share, tensor), tensor, axis, keepdims)
    return whole * tensors.conj(tensor)


@forward("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def norm_of_vectors_forward(
    tensor,
    ord: Literal[2],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    out,
    tensor_dot,
):
    changes = tf.math.real(tensors.conj(tensor) * tensor_dot)
    change = tf.reduce_sum(changes, axis, keepdims)
    return rt.cast_like(tf.math.divide_no_nan(change, tf.math.real(out)), out)


@reverse("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def norm_of_vectors_reverse(
    tensor,
    ord: Literal[2],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    out,
    out_bar,
):
    share = tf.math.divide_no_nan(tf.math.real(out_bar), tf.math.real(out))
    whole = rt.expand_as(rt.cast_like(share, tensor), tensor, axis, keepdims)
    return whole * tensors.conj(tensor)


@forward("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def sum_norm_forward(
    tensor,
    ord: Literal[1],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    tensor_dot,
):
    changes = tf.math.real(tensors.turn(tensor) * tensor_dot)
    return tf.reduce_sum(changes, axis, keepdims)


@reverse("tensorflow.norm", "tensorflow.linalg.norm", when="0 at 0")
def sum_norm_reverse(
    tensor,
    ord: Literal[1],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    out_bar,
):
    whole = rt.expand_as(rt.cast_like(out_bar, tensor), tensor, axis, keepdims)
    return whole * tensors.turn(tensor)


@forward("tensorflow.norm", "tensorflow.linalg.norm", when="ties share equally")
def largest_norm_forward(
    tensor,
    ord: Literal["numpy.inf", "math.inf"],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    out,
    tensor_dot,
):
    whole = rt.expand_as(out, rt.real(tensor), axis, keepdims)
    chosen = tf.cast(tf.equal(tf.abs(tensor), whole), out.dtype)
    n_chosen = tf.reduce_sum(chosen, axis, keepdims)
    return tf.reduce_sum(chosen * tf.sign(tensor) * tensor_dot, axis, keepdims) / n_chosen


@reverse("tensorflow.norm", "tensorflow.linalg.norm", when="ties share equally")
def largest_norm_reverse(
    tensor,
    ord: Literal["numpy.inf", "math.inf"],
    axis: Literal[None, 0, 1, 2, 3, 4, -1, -2, -3, -4] = None,
    keepdims=None,
    *,
    out,
    out_bar,
):
    whole = rt.expand_as(out, rt.real(tensor), axis, keepdims)
    chosen = tf.cast(tf.equal(tf.abs(tensor), whole), out.dtype)
    n_chosen = tf.reduce_sum(chosen, axis, keepdims)
    share = rt.expand_as(out_bar / n_chosen, tensor, axis, keepdims)
    return chosen * tf.sign(tensor) * share


@forward(
    "tensorflow.math.l2_normalize", "tensorflow.nn.l2_normalize", "tensorflow.linalg.l2_normalize"
)
def l2_normalize_forward(x, axis=None, epsilon=1e-12, *, out, x_dot):
    squares = tf.reduce_sum(rt.real(x) * x, axis, keepdims=True)
    along = tf.reduce_sum(out * x_dot, axis, keepdims=True)
    across = x_dot - out * tf.where(squares >= epsilon, along, 0)
    return across * tf.math.rsqrt(tf.maximum(squares, epsilon))


@reverse(
    "tensorflow.math.l2_normalize", "tensorflow.nn.l2_normalize", "tensorflow.linalg.l2_normalize"
)
def l2_normalize_reverse(x, axis=None, epsilon=1e-12, *, out, out_bar):
    squares = tf.reduce_sum(rt.real(x) * x, axis, keepdims=True)
    along = tf.reduce_sum(out * out_bar, axis, keepdims=True)
    across = out_bar - out * tf.where(squares >= epsilon, along, 0)
    return across * tf.math.rsqrt(tf.maximum(squares, epsilon))


@forward("tensorflow.clip_by_norm", of="t")
def clip_by_norm_forward(t, clip_norm, axes=None, *, out, t_dot):
    size = tf.sqrt(tf.reduce_sum(rt.real(t) * t, axes, keepdims=True))
    is_clipped = size >= clip_norm
    limit = tf.maximum(tf.convert_to_tensor(clip_norm, out.dtype), 0)
    part = tf.math.divide_no_nan(tf.reduce_sum(t * t_dot, axes, keepdims=True), size * size)
    across = t_dot - t * tf.where(is_clipped, part, 0)
    return across * tf.where(is_clipped, tf.math.divide_no_nan(limit, size), 1)


@reverse("tensorflow.clip_by_norm", of="t")
def clip_by_norm_reverse(t, clip_norm, axes=None, *, out, out_bar):
    size = tf.sqrt(tf.reduce_sum(rt.real(t) * t, axes, keepdims=True))
    is_clipped = size >= clip_norm
    limit = tf.maximum(tf.convert_to_tensor(clip_norm, out.dtype), 0)
    part = tf.math.divide_no_nan(tf.reduce_sum(t * out_bar, axes, keepdims=True), size * size)
    across = out_bar - t * tf.where(is_clipped, part, 0)
    return across * tf.where(is_clipped, tf.math.divide_no_nan(limit, size), 1)


# along an axis


@linear("tensorflow.cumsum", "tensorflow.math.cumsum", of="x")
def cumsum(x, axis=0, exclusive=False, reverse=False, *, out_bar):
    return tf.cumsum(out_bar, axis, exclusive, not reverse)


@forward("tensorflow.math.cumprod")
def cumprod_forward(x, axis=0, exclusive: Literal[False] = False, reverse=False, *, out, x_dot):
    changes = x_dot * tensors.shifted(out, 1, axis, reverse, 1)
    return tensors.scan(x, changes, axis, reverse)


@reverse("tensorflow.math.cumprod")
def cumprod_reverse(x, axis=0, exclusive: Literal[False] = False, reverse=False, *, out, out_bar):
    after = tensors.shifted(x, 1, axis, not reverse, 0)
    back = tensors.scan(after, out_bar, axis, not reverse)
    return back * tensors.shifted(out, 1, axis, reverse, 1)


@forward("tensorflow.math.cumprod")
def cumprod_before_forward(
    x, axis=0, exclusive: Literal[True] = True, reverse=False, *, out, x_dot
):
    before = tensors.shifted(x, 1, axis, reverse, 1)
    before_dot = tensors.shifted(x_dot, 1, axis, reverse, 0)
    changes = before_dot * tensors.shifted(out, 1, axis, reverse, 1)
    return tensors.scan(before, changes, axis, reverse)


@reverse("tensorflow.math.cumprod")
def cumprod_before_reverse(
    x, axis=0, exclusive: Literal[True] = True, reverse=False, *, out, out_bar
):
    after = tensors.shifted(tensors.shifted(x, 1, axis, reverse, 1), 1, axis, not reverse, 0)
    back = tensors.scan(after, out_bar, axis, not reverse)
    before_bar = back * tensors.shifted(out, 1, axis, reverse, 1)
    return tensors.shifted(before_bar, 1, axis, not reverse, 0)


@forward("adlsp.runtime.tensors.scan")
def scan_forward(a, b, axis, reverse, *, out, a_dot, b_dot):
    changes = a_dot * tensors.shifted(out, 1, axis, reverse, 0)
    return tensors.scan(a, changes, axis, reverse), tensors.scan(a, b_dot, axis, reverse)


@reverse("adlsp.runtime.tensors.scan")
def scan_reverse(a, b, axis, reverse, *, out, out_bar):
    after = tensors.shifted(a, 1, axis, not reverse, 0)
    back = tensors.scan(after, out_bar, axis, not reverse)
    return back * tensors.shifted(out, 1, axis, reverse, 0), back


@forward("adlsp.runtime.tensors.shifted")
def shifted_forward(x, step, axis, reverse, first, *, x_dot):
    return tensors.shifted(x_dot, step, axis, reverse, 0)


@reverse("adlsp.runtime.tensors.shifted", of="x")
def shifted_reverse(x, step, axis, reverse, first, *, out_bar):
    return tensors.shifted(out_bar, step, axis, not reverse, 0)


@forward("tensorflow.math.cumulative_logsumexp")
def cumulative_logsumexp_forward(x, axis=0, exclusive=False, reverse=False, *, out, x_dot):
    return tensors.shared(x_dot, x, out, axis, exclusive, reverse)


@reverse("tensorflow.math.cumulative_logsumexp")
def cumulative_logsumexp_reverse(x, axis=0, exclusive=False, reverse=False, *, out, out_bar):
    return tensors.shared(out_bar, -out, -x, axis, exclusive, not reverse)


@forward("adlsp.runtime.tensors.shared")
def shared_forward(g, a, b, axis, exclusive, reverse, *, out, g_dot, a_dot, b_dot):
    g_part = tensors.shared(g_dot, a, b, axis, exclusive, reverse)
    a_part = tensors.shared(g * a_dot, a, b, axis, exclusive, reverse)
    return g_part, a_part, -out * b_dot


@reverse("adlsp.runtime.tensors.shared")
def shared_reverse(g, a, b, axis, exclusive, reverse, *, out, out_bar):
    back = tensors.shared(out_bar, -b, -a, axis, exclusive, not reverse)
    return back, g * back, -out * out_bar


constant("adlsp.runtime.tensors.count")
constant("tensorflow.reduce_all", "tensorflow.math.reduce_all")
constant("tensorflow.reduce_any", "tensorflow.math.reduce_any")
constant("tensorflow.argmax", "tensorflow.math.argmax")
constant("tensorflow.argmin", "tensorflow.math.argmin")
constant("tensorflow.math.count_nonzero")
