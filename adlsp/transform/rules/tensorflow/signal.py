# mypy: allow-untyped-defs, disable-error-code="assignment"
# ruff: noqa: D103, RUF013
"""Fourier transforms of TensorFlow, and signals in frames.

Rules read, never run: each body is spliced into generated code. The matrix of a transform is its
own transpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, constant, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


# complex transforms


@linear("tensorflow.signal.fft", of="input")
def fft(input: Shaped, *, out_bar):
    return tf.signal.fft(out_bar)


@linear("tensorflow.signal.ifft", of="input")
def ifft(input: Shaped, *, out_bar):
    return tf.signal.ifft(out_bar)


@linear("tensorflow.signal.fft2d", of="input")
def fft2d(input: Shaped, *, out_bar):
    return tf.signal.fft2d(out_bar)


@linear("tensorflow.signal.ifft2d", of="input")
def ifft2d(input: Shaped, *, out_bar):
    return tf.signal.ifft2d(out_bar)


@linear("tensorflow.signal.fft3d", of="input")
def fft3d(input: Shaped, *, out_bar):
    return tf.signal.fft3d(out_bar)


@linear("tensorflow.signal.ifft3d", of="input")
def ifft3d(input: Shaped, *, out_bar):
    return tf.signal.ifft3d(out_bar)


# transforms of real numbers


@linear("tensorflow.signal.rfft", of="input_tensor")
def rfft(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.rfft_bar(out_bar, input_tensor, fft_length, 1)


@linear("tensorflow.signal.rfft2d", of="input_tensor")
def rfft2d(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.rfft_bar(out_bar, input_tensor, fft_length, 2)


@linear("tensorflow.signal.rfft3d", of="input_tensor")
def rfft3d(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.rfft_bar(out_bar, input_tensor, fft_length, 3)


@linear("tensorflow.signal.irfft", of="input_tensor")
def irfft(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.irfft_bar(out_bar, input_tensor, 1)


@linear("tensorflow.signal.irfft2d", of="input_tensor")
def irfft2d(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.irfft_bar(out_bar, input_tensor, 2)


@linear("tensorflow.signal.irfft3d", of="input_tensor")
def irfft3d(input_tensor: Shaped, fft_length=None, *, out_bar):
    return tensors.irfft_bar(out_bar, input_tensor, 3)


@linear("adlsp.runtime.tensors.rfft_bar", of="g")
def rfft_bar(g: Shaped, x: Shaped, lengths, n_axes, *, out_bar):
    return tensors.rfft(out_bar, lengths, n_axes)


@linear("adlsp.runtime.tensors.rfft", of="x")
def rfft_of_axes(x: Shaped, lengths, n_axes, *, out_bar):
    return tensors.rfft_bar(out_bar, x, lengths, n_axes)


@linear("adlsp.runtime.tensors.irfft_bar", of="g")
def irfft_bar(g: Shaped, x: Shaped, n_axes, *, out_bar):
    return tensors.irfft(out_bar, tf.shape(g)[-n_axes:], n_axes)


@linear("adlsp.runtime.tensors.irfft", of="x")
def irfft_of_axes(x: Shaped, lengths, n_axes, *, out_bar):
    return tensors.irfft_bar(out_bar, x, n_axes)


# cosine transforms


@linear("tensorflow.signal.dct", of="input")
def dct(
    input,
    type: Literal[2] = 2,
    n: Literal[None] = None,
    axis: Literal[-1] = -1,
    norm: Literal[None] = None,
    *,
    out_bar,
):
    return tf.signal.idct(out_bar) + out_bar[..., :1]


@linear("tensorflow.signal.dct", of="input")
def orthogonal_dct(
    input,
    type: Literal[2] = 2,
    n: Literal[None] = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] = None,
    *,
    out_bar,
):
    return tf.signal.idct(out_bar, norm="ortho")


@linear("tensorflow.signal.idct", of="input")
def idct(
    input,
    type: Literal[2] = 2,
    n: Literal[None] = None,
    axis: Literal[-1] = -1,
    norm: Literal[None] = None,
    *,
    out_bar,
):
    return tf.concat([tf.reduce_sum(out_bar, -1, True), tf.signal.dct(out_bar)[..., 1:]], -1)


@linear("tensorflow.signal.idct", of="input")
def orthogonal_idct(
    input,
    type: Literal[2] = 2,
    n: Literal[None] = None,
    axis: Literal[-1] = -1,
    norm: Literal["ortho"] = None,
    *,
    out_bar,
):
    return tf.signal.dct(out_bar, norm="ortho")


# signals in frames


@forward("tensorflow.signal.frame", of="signal")
def frame_forward(
    signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, *, signal_dot
):
    return tf.signal.frame(signal_dot, frame_length, frame_step, pad_end, 0, axis)


@reverse("tensorflow.signal.frame", of="signal")
def frame_reverse(
    signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, *, out_bar
):
    return tensors.frame_bar(out_bar, signal, frame_length, frame_step, pad_end, axis)


@linear("adlsp.runtime.tensors.frame_bar", of="g")
def frame_bar(g: Shaped, signal: Shaped, length, step, pad_end=False, axis=-1, *, out_bar):
    return tf.signal.frame(out_bar, length, step, pad_end, 0, axis)


@linear("tensorflow.signal.overlap_and_add", of="signal")
def overlap_and_add(signal: Shaped, frame_step, *, out_bar):
    return tf.signal.frame(out_bar, tf.shape(signal)[-1], frame_step)


@linear("tensorflow.signal.stft", of="signals")
def stft(
    signals: Shaped,
    frame_length,
    frame_step,
    fft_length=None,
    window_fn="hann_window",
    pad_end=False,
    *,
    out_bar,
):
    window = tensors.window(window_fn)
    return tensors.stft_bar(out_bar, signals, frame_length, frame_step, fft_length, window, pad_end)


@linear("adlsp.runtime.tensors.stft_bar", of="g")
def stft_bar(g: Shaped, x: Shaped, length, step, fft_length, window, pad_end, *, out_bar):
    return tf.signal.stft(out_bar, length, step, fft_length, window, pad_end)


@linear("tensorflow.signal.inverse_stft", of="stfts")
def inverse_stft(
    stfts: Shaped,
    frame_length,
    frame_step,
    fft_length=None,
    window_fn="hann_window",
    *,
    out_bar,
):
    return tensors.inverse_stft_bar(
        out_bar, stfts, frame_length, frame_step, fft_length, tensors.window(window_fn)
    )


@linear("adlsp.runtime.tensors.inverse_stft_bar", of="g")
def inverse_stft_bar(g: Shaped, x: Shaped, length, step, fft_length, window, *, out_bar):
    return tf.signal.inverse_stft(out_bar, length, step, fft_length, window)


@linear("tensorflow.signal.mfccs_from_log_mel_spectrograms", of="log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Shaped, *, out_bar):
    n = tf.cast(tf.shape(out_bar)[-1], out_bar.dtype)
    return (tf.signal.idct(out_bar) + out_bar[..., :1]) * tf.math.rsqrt(2 * n)


constant("adlsp.runtime.tensors.window")
