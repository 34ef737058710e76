# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Random numbers of TensorFlow, which are functions of the parameters of their distribution.

Rules read, never run: each body is spliced into generated code. Nothing is drawn again: what was
drawn is read off the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import constant, forward, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# a location and a scale


@forward(
    "tensorflow.random.normal",
    "tensorflow.random.truncated_normal",
    when="stddev is not zero",
)
def normal_forward(
    shape, mean=0.0, stddev=1.0, dtype=None, seed=None, *, out, mean_dot, stddev_dot
):
    return tf.zeros_like(out) + mean_dot, (out - mean) / stddev * stddev_dot


@reverse(
    "tensorflow.random.normal",
    "tensorflow.random.truncated_normal",
    of="mean stddev",
    when="stddev is not zero",
)
def normal_reverse(shape, mean=0.0, stddev=1.0, dtype=None, seed=None, *, out, out_bar):
    mean_bar = rt.unbroadcast(out_bar, mean)
    return mean_bar, rt.unbroadcast(out_bar * (out - mean) / stddev, stddev)


@forward(
    "tensorflow.random.stateless_normal",
    "tensorflow.random.stateless_truncated_normal",
    when="stddev is not zero",
)
def stateless_normal_forward(
    shape, seed, mean=0.0, stddev=1.0, dtype=None, name=None, alg=None, *, out, mean_dot, stddev_dot
):
    return tf.zeros_like(out) + mean_dot, (out - mean) / stddev * stddev_dot


@reverse(
    "tensorflow.random.stateless_normal",
    "tensorflow.random.stateless_truncated_normal",
    of="mean stddev",
    when="stddev is not zero",
)
def stateless_normal_reverse(
    shape, seed, mean=0.0, stddev=1.0, dtype=None, name=None, alg=None, *, out, out_bar
):
    mean_bar = rt.unbroadcast(out_bar, mean)
    return mean_bar, rt.unbroadcast(out_bar * (out - mean) / stddev, stddev)


@forward("tensorflow.random.uniform", when="the bounds differ")
def uniform_forward(
    shape, minval=0, maxval=None, dtype=None, seed=None, *, out, minval_dot, maxval_dot
):
    share = tensors.share_of(out, minval, maxval)
    return (1 - share) * minval_dot, share * maxval_dot


@reverse("tensorflow.random.uniform", of="minval maxval", when="the bounds differ")
def uniform_reverse(shape, minval=0, maxval=None, dtype=None, seed=None, *, out, out_bar):
    share = tensors.share_of(out, minval, maxval)
    minval_bar = rt.unbroadcast(out_bar * (1 - share), minval)
    return minval_bar, rt.unbroadcast(out_bar * share, maxval)


@forward("tensorflow.random.stateless_uniform", when="the bounds differ")
def stateless_uniform_forward(
    shape,
    seed,
    minval=0,
    maxval=None,
    dtype=None,
    name=None,
    alg=None,
    *,
    out,
    minval_dot,
    maxval_dot,
):
    share = tensors.share_of(out, minval, maxval)
    return (1 - share) * minval_dot, share * maxval_dot


@reverse("tensorflow.random.stateless_uniform", of="minval maxval", when="the bounds differ")
def stateless_uniform_reverse(
    shape, seed, minval=0, maxval=None, dtype=None, name=None, alg=None, *, out, out_bar
):
    share = tensors.share_of(out, minval, maxval)
    minval_bar = rt.unbroadcast(out_bar * (1 - share), minval)
    return minval_bar, rt.unbroadcast(out_bar * share, maxval)


@forward("adlsp.runtime.tensors.share_of")
def share_of_forward(x, low, high, *, out, x_dot, low_dot, high_dot):
    width = tensors.width_of(low, high)
    return x_dot / width, (out - 1) / width * low_dot, -out / width * high_dot


@reverse("adlsp.runtime.tensors.share_of")
def share_of_reverse(x, low, high, *, out, out_bar):
    x_bar = out_bar / tensors.width_of(low, high)
    return x_bar, rt.unbroadcast(x_bar * (out - 1), low), rt.unbroadcast(-x_bar * out, high)


@forward("adlsp.runtime.tensors.width_of")
def width_of_forward(low, high, *, low_dot, high_dot):
    return -low_dot, high_dot


@reverse("adlsp.runtime.tensors.width_of")
def width_of_reverse(low, high, *, out_bar):
    return rt.unbroadcast(-out_bar, low), rt.unbroadcast(out_bar, high)


constant("tensorflow.random.categorical", "tensorflow.random.stateless_categorical")
constant("tensorflow.random.poisson", "tensorflow.random.stateless_poisson")
constant("tensorflow.random.stateless_binomial")
