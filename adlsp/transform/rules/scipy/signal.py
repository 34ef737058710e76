# mypy: allow-untyped-defs, disable-error-code=assignment
# ruff: noqa: D103, RUF013
"""Cosine transforms, integrals of samples, convolutions and filters of SciPy.

Rules read, never run: each body is spliced into generated code. With `norm="ortho"` the matrix of a
cosine or sine transform is orthogonal: its transpose is its inverse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import constant, linear, multilinear

if TYPE_CHECKING:
    import numpy as np
    from scipy import fft, signal

    from adlsp import runtime as rt


# cosine and sine transforms


@linear("scipy.fft.dct", of="x")
def dct(x, type=2, n: Literal[None] = None, axis=-1, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.idct(out_bar, type, None, axis, "ortho"), x)


@linear("scipy.fft.dct", of="x")
def plain_dct(
    x,
    type: Literal[2] = 2,
    n: Literal[None] = None,
    axis=-1,
    norm: Literal[None] = None,
    *,
    out_bar,
):
    """A transform of type 3 is the transpose, but for the first row."""
    first = np.take(out_bar, [0], axis)
    return rt.unbroadcast(fft.dct(out_bar, 3, None, axis) + first, x)


@linear("scipy.fft.dct", of="x")
def dct_of_type_3(
    x, type: Literal[3], n: Literal[None] = None, axis=-1, norm: Literal[None] = None, *, out_bar
):
    whole = fft.dct(out_bar, 2, None, axis)
    first = np.take(whole, [0], axis) / 2
    return rt.unbroadcast(np.append(first, np.delete(whole, 0, axis), axis), x)


@linear("scipy.fft.idct", of="x")
def idct(x, type=2, n: Literal[None] = None, axis=-1, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.dct(out_bar, type, None, axis, "ortho"), x)


@linear("scipy.fft.dst", of="x")
def dst(x, type=2, n: Literal[None] = None, axis=-1, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.idst(out_bar, type, None, axis, "ortho"), x)


@linear("scipy.fft.idst", of="x")
def idst(x, type=2, n: Literal[None] = None, axis=-1, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.dst(out_bar, type, None, axis, "ortho"), x)


@linear("scipy.fft.dctn", of="x")
def dctn(x, type=2, s: Literal[None] = None, axes=None, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.idctn(out_bar, type, None, axes, "ortho"), x)


@linear("scipy.fft.idctn", of="x")
def idctn(x, type=2, s: Literal[None] = None, axes=None, norm: Literal["ortho"] = None, *, out_bar):
    return rt.unbroadcast(fft.dctn(out_bar, type, None, axes, "ortho"), x)


# integrals of samples


@linear("scipy.integrate.simpson", of="y")
def simpson(y, x=None, *, dx=1.0, axis=-1, out_bar):
    whole = rt.expand(out_bar, np.shape(y), axis)
    return rt.unbroadcast(whole * rt.simpson_weights(np.shape(y), x, dx, axis), y)


@linear("scipy.integrate.cumulative_trapezoid", of="y")
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial: Literal[None] = None, *, out_bar):
    sums = np.flip(np.cumsum(np.flip(out_bar, axis), axis), axis)
    half = sums * rt.trapezoid_steps(np.shape(y), x, dx, axis) / 2
    none = np.zeros_like(np.take(y, [0], axis))
    return rt.unbroadcast(np.append(half, none, axis) + np.append(none, half, axis), y)


@linear("scipy.integrate.cumulative_trapezoid", of="y")
def cumulative_trapezoid_from_zero(y, x=None, dx=1.0, axis=-1, initial: Literal[0] = 0, *, out_bar):
    rest = np.delete(out_bar, 0, axis)
    sums = np.flip(np.cumsum(np.flip(rest, axis), axis), axis)
    half = sums * rt.trapezoid_steps(np.shape(y), x, dx, axis) / 2
    none = np.zeros_like(np.take(y, [0], axis))
    return rt.unbroadcast(np.append(half, none, axis) + np.append(none, half, axis), y)


# convolutions and filters


@multilinear(
    "scipy.signal.convolve", "scipy.signal.fftconvolve", "scipy.signal.oaconvolve", of="in1 in2"
)
def convolve(in1, in2, mode: Literal["full"] = "full", *, out_bar):
    in1_bar = signal.correlate(out_bar, rt.conj(in2), "valid")
    in2_bar = signal.correlate(out_bar, rt.conj(in1), "valid")
    return rt.unbroadcast(in1_bar, in1), rt.unbroadcast(in2_bar, in2)


@multilinear(
    "scipy.signal.convolve", "scipy.signal.fftconvolve", "scipy.signal.oaconvolve", of="in1 in2"
)
def convolve_same(in1, in2, mode: Literal["same"], *, out_bar):
    whole = rt.centered_bar(out_bar, rt.full_shape(np.shape(in1), np.shape(in2)))
    in1_bar = signal.correlate(whole, rt.conj(in2), "valid")
    in2_bar = signal.correlate(whole, rt.conj(in1), "valid")
    return rt.unbroadcast(in1_bar, in1), rt.unbroadcast(in2_bar, in2)


@multilinear("scipy.signal.correlate", of="in1 in2")
def correlate(in1, in2, mode: Literal["full"] = "full", *, out_bar):
    in1_bar = signal.correlate(out_bar, np.flip(in2), "valid")
    in2_bar = rt.conj(np.flip(signal.correlate(out_bar, rt.conj(in1), "valid")))
    return rt.unbroadcast(in1_bar, in1), rt.unbroadcast(in2_bar, in2)


@multilinear("scipy.signal.correlate", of="in1 in2", when="in1 is not shorter, where valid")
def correlate_valid(in1, in2, mode: Literal["valid"], *, out_bar):
    in1_bar = np.reshape(signal.convolve(out_bar, rt.conj(in2)), np.shape(in1))
    in2_bar = rt.conj(signal.correlate(in1, rt.conj(out_bar), "valid"))
    return rt.unbroadcast(in1_bar, in1), rt.unbroadcast(in2_bar, in2)


@linear("scipy.signal.lfilter", of="x")
def lfilter(b, a, x, axis=-1, *, out_bar):
    """The transpose of a filter is the same filter, backward in time."""
    return rt.unbroadcast(np.flip(signal.lfilter(b, a, np.flip(out_bar, axis), axis), axis), x)


@linear("scipy.signal.detrend", of="data")
def detrend(data, axis=-1, type="linear", bp=0, *, out_bar):
    """The projection is orthogonal, so that it is its own transpose."""
    return rt.unbroadcast(signal.detrend(out_bar, axis, type, bp), data)


# what the rules call


@linear("adlsp.runtime.centered", of="whole")
def centered(whole, shape, *, out_bar):
    return rt.centered_bar(out_bar, np.shape(whole))


@linear("adlsp.runtime.centered_bar", of="g")
def centered_bar(g, shape, *, out_bar):
    return rt.centered(out_bar, np.shape(g))


constant("adlsp.runtime.full_shape", "adlsp.runtime.simpson_weights")
constant("adlsp.runtime.trapezoid_steps")
