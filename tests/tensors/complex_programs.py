"""Functions of complex tensors, some of them written with NumPy a second time."""

from __future__ import annotations

import numpy as np
import tensorflow as tf


def power(z, h):
    return tf.reduce_sum(tf.abs(tf.signal.ifft(tf.signal.fft(z) * h)) ** 2)


def power_of_arrays(z, h):
    return np.sum(np.abs(np.fft.ifft(np.fft.fft(z) * h)) ** 2)


def wave(z, h):
    return tf.math.real(tf.reduce_sum(tf.exp(z) * tf.math.conj(z) / h)) + tf.math.angle(z[0])


def wave_of_arrays(z, h):
    return np.real(np.sum(np.exp(z) * np.conj(z) / h)) + np.angle(z[0])


def quadratic(z, h):
    return tf.math.imag(tf.tensordot(z * z, h, 1))


def quadratic_of_arrays(z, h):
    return np.imag(np.dot(z * z, h))


def holomorphic(z):
    return tf.reduce_sum(tf.sin(z) * z)


def phases(x):
    z = tf.exp(tf.complex(tf.zeros_like(x), x))
    return tf.reduce_sum(tf.math.real(z * z) * x) + tf.abs(tf.reduce_sum(z))


def cast(x):
    z = tf.cast(x, tf.complex128) * (1.0 + 2.0j)
    return tf.reduce_sum(tf.math.imag(z * z * z))


def scaled(z, w):
    return tf.reduce_sum(tf.abs(w * z + 1j))


def parts(z):
    return tf.abs(z[0]) * tf.math.real(z[1] * z[0]) + tf.reduce_sum(tf.abs(z[1:]))


def size(z):
    return tf.reduce_sum(abs(z))


def corner(z):
    return tf.sin(z)[0]
