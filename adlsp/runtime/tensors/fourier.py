"""Gradients of TensorFlow's Fourier transforms of real tensors, and of the frames of signals.

The matrix of a transform is symmetric, and gradients are paired without a conjugate, so that a
gradient goes back through the same transform. Around it is what is done before and after: an axis
is cropped or filled up with zeros, and of a transform of real numbers the first half is kept, for
the other one is conjugate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import tensorflow as tf

from adlsp.runtime.tensors.gradients import Value, tensor

if TYPE_CHECKING:
    Window = Callable[..., Value] | None

FORTH = {1: tf.signal.fft, 2: tf.signal.fft2d, 3: tf.signal.fft3d}

BACK = {1: tf.signal.ifft, 2: tf.signal.ifft2d, 3: tf.signal.ifft3d}

HALF = {1: tf.signal.rfft, 2: tf.signal.rfft2d, 3: tf.signal.rfft3d}

WHOLE = {1: tf.signal.irfft, 2: tf.signal.irfft2d, 3: tf.signal.irfft3d}


def rfft(x: Value, lengths: Value, n_axes: int) -> Value:
    """Transforms real numbers along the last axes."""
    return HALF[n_axes](x, lengths)


def irfft(x: Value, lengths: Value, n_axes: int) -> Value:
    """Gives the real numbers of which `x` is the first half of the transform."""
    return WHOLE[n_axes](x, lengths)


def rfft_bar(g: Value, x: Value, lengths: Value, n_axes: int) -> Value:
    """Gives the gradient of `x` in `rfft(x, lengths, n_axes)`."""
    n_last = tf.shape(x)[-1] if lengths is None else lengths[-1]
    whole = FORTH[n_axes](_fit(g, tf.concat([tf.shape(g)[:-1], [n_last]], 0)))
    return _fit(tf.math.real(whole), tf.shape(x))


def irfft_bar(g: Value, x: Value, n_axes: int) -> Value:
    """Gives the gradient of `x` in `irfft(x, lengths, n_axes)`: what is inside counts twice."""
    g = tensor(g)
    whole = BACK[n_axes](tf.complex(g, tf.zeros_like(g)))
    n = tf.shape(g)[-1]
    place = tf.range(n // 2 + 1)
    counts = tf.where(tf.logical_and(place > 0, 2 * place < n), 2, 1)
    return _fit(whole[..., : n // 2 + 1] * tf.cast(counts, whole.dtype), tf.shape(x))


def _fit(x: Value, shape: Value) -> Value:
    """Crops each axis, or fills it up with zeros, so that a tensor has a shape."""
    x = tensor(x)
    kept = x[tuple(slice(None, shape[i]) for i in range(len(x.shape)))]
    missing = shape - tf.shape(kept)
    return tf.pad(kept, tf.stack([tf.zeros_like(missing), missing], 1))


# signals in frames


def frame_bar(
    g: Value, signal: Value, length: Value, step: Value, pad_end: Value = False, axis: Value = -1
) -> Value:
    """Gives the gradient of `signal` in `tf.signal.frame`: what overlaps is added."""
    numbers = tf.reshape(tf.range(tf.size(signal)), tf.shape(signal))
    places = tf.signal.frame(numbers, length, step, pad_end, -1, axis)
    flat = tf.math.unsorted_segment_sum(g, places, tf.size(signal))
    return tf.reshape(flat, tf.shape(signal))


def stft_bar(
    g: Value, x: Value, length: int, step: Value, fft_length: Value, window: Window, pad_end: Value
) -> Value:
    """Gives the gradient of `x` in `tf.signal.stft`."""
    g = tensor(g)
    n = _fft_length(length, fft_length)
    frames = FORTH[1](_fit(g, tf.concat([tf.shape(g)[:-1], [n]], 0)))
    shape = tf.concat([tf.shape(g)[:-1], [length]], 0)
    return frame_bar(_windowed(_fit(tf.math.real(frames), shape), window), x, length, step, pad_end)


def inverse_stft_bar(
    g: Value, x: Value, length: int, step: Value, fft_length: Value, window: Window
) -> Value:
    """Gives the gradient of `x` in `tf.signal.inverse_stft`."""
    frames = _windowed(tf.signal.frame(g, length, step), window)
    n = _fft_length(length, fft_length)
    return irfft_bar(_fit(frames, tf.concat([tf.shape(frames)[:-1], [n]], 0)), x, 1)


def window(named: Value) -> Window:
    """Gives what makes a window: it, or what TensorFlow takes where none is said, by its name."""
    return getattr(tf.signal, named) if isinstance(named, str) else named


def _windowed(frames: tf.Tensor, window: Window) -> tf.Tensor:
    """Weights frames by a window of their length."""
    if window is None:
        return frames
    return frames * window(tf.shape(frames)[-1], dtype=frames.dtype)


def _fft_length(length: int, fft_length: Value) -> Value:
    """The length of a transform, which TensorFlow takes as a power of two where none is said."""
    return 1 << (length - 1).bit_length() if fft_length is None else fft_length
