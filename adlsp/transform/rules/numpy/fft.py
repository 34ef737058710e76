# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Discrete Fourier transforms of NumPy and SciPy.

Rules read, never run: each body is spliced into generated code. The matrix of a transform is its
own transpose; `rt.fit_to` undoes cropping and padding, and gives real arguments a real gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import Counted, constant, forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


# one axis


@linear("numpy.fft.fft", "scipy.fft.fft", of="a")
def fft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    return rt.fit_to(np.fft.fft(out_bar, None, axis, norm), a)


@linear("numpy.fft.ifft", "scipy.fft.ifft", of="a")
def ifft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    return rt.fit_to(np.fft.ifft(out_bar, None, axis, norm), a)


@linear("numpy.fft.rfft", "scipy.fft.rfft", of="a")
def rfft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    lengths = rt.fourier_lengths(np.shape(a), [n], [axis])
    return rt.fit_to(np.fft.fft(out_bar, lengths[0], axis, norm), a)


@linear("numpy.fft.irfft", "scipy.fft.irfft", of="a")
def irfft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    return rt.fit_to(rt.half(np.fft.ifft(np.real(out_bar), None, axis, norm), axis), a)


@linear("numpy.fft.hfft", "scipy.fft.hfft", of="a")
def hfft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    return rt.fit_to(rt.half(np.fft.fft(np.real(out_bar), None, axis, norm), axis), a)


@linear("numpy.fft.ihfft", "scipy.fft.ihfft", of="a")
def ihfft(a, n: Counted = None, axis=-1, norm=None, *, out_bar):
    lengths = rt.fourier_lengths(np.shape(a), [n], [axis])
    return rt.fit_to(np.fft.ifft(out_bar, lengths[0], axis, norm), a)


# several axes


@linear("numpy.fft.fft2", "scipy.fft.fft2", of="a")
def fft2(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(2, None, axes)
    return rt.fit_to(np.fft.fftn(out_bar, None, own, norm), a)


@linear("numpy.fft.ifft2", "scipy.fft.ifft2", of="a")
def ifft2(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(2, None, axes)
    return rt.fit_to(np.fft.ifftn(out_bar, None, own, norm), a)


@linear("numpy.fft.fftn", "scipy.fft.fftn", of="a")
def fftn(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(np.ndim(a), s, axes)
    return rt.fit_to(np.fft.fftn(out_bar, None, own, norm), a)


@linear("numpy.fft.ifftn", "scipy.fft.ifftn", of="a")
def ifftn(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(np.ndim(a), s, axes)
    return rt.fit_to(np.fft.ifftn(out_bar, None, own, norm), a)


@linear("numpy.fft.rfft2", "scipy.fft.rfft2", of="a")
def rfft2(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(2, None, axes)
    lengths = rt.fourier_lengths(np.shape(a), s, own)
    return rt.fit_to(np.fft.fftn(out_bar, lengths, own, norm), a)


@linear("numpy.fft.rfftn", "scipy.fft.rfftn", of="a")
def rfftn(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(np.ndim(a), s, axes)
    lengths = rt.fourier_lengths(np.shape(a), s, axes)
    return rt.fit_to(np.fft.fftn(out_bar, lengths, own, norm), a)


@linear("numpy.fft.irfft2", "scipy.fft.irfft2", of="a")
def irfft2(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(2, None, axes)
    whole = np.fft.ifftn(np.real(out_bar), None, own, norm)
    return rt.fit_to(rt.half(whole, own[-1]), a)


@linear("numpy.fft.irfftn", "scipy.fft.irfftn", of="a")
def irfftn(a, s=None, axes=None, norm=None, *, out_bar):
    own = rt.fourier_axes(np.ndim(a), s, axes)
    whole = np.fft.ifftn(np.real(out_bar), None, own, norm)
    return rt.fit_to(rt.half(whole, own[-1]), a)


# order


@linear("numpy.fft.fftshift", "scipy.fft.fftshift", of="x")
def fftshift(x, axes=None, *, out_bar):
    return np.fft.ifftshift(out_bar, axes)


@linear("numpy.fft.ifftshift", "scipy.fft.ifftshift", of="x")
def ifftshift(x, axes=None, *, out_bar):
    return np.fft.fftshift(out_bar, axes)


# frequencies


@forward("numpy.fft.fftfreq", "numpy.fft.rfftfreq", "scipy.fft.fftfreq", "scipy.fft.rfftfreq")
def fftfreq_forward(n, d=1.0, *, out, d_dot):
    return -out / d * d_dot


@reverse("numpy.fft.fftfreq", "numpy.fft.rfftfreq", "scipy.fft.fftfreq", "scipy.fft.rfftfreq")
def fftfreq_reverse(n, d=1.0, *, out, out_bar):
    return rt.unbroadcast(-out_bar * out / d, d)


# what the rules call


@linear("adlsp.runtime.fit_to", of="g")
def fit_to(g, x, *, out_bar):
    return rt.fit_to(out_bar, g)


@linear("adlsp.runtime.half", of="g")
def half(g, axis=-1, *, out_bar):
    return rt.half_bar(out_bar, np.shape(g), axis)


@linear("adlsp.runtime.half_bar", of="g")
def half_bar(g, shape, axis=-1, *, out_bar):
    return rt.half(out_bar, axis)


constant("adlsp.runtime.fourier_axes", "adlsp.runtime.fourier_lengths")
