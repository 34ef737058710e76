"""Conjugates, sizes and phases of numbers that may be complex.

Gradients and tangents are paired by ⟨a, b⟩ = Re Σ a·b, without a conjugate. So what is holomorphic
is differentiated as if its numbers were real, by the same rules; conjugates are only in the rules
of what is not: of sizes, and of real and imaginary parts. What gives real numbers takes the real
part of the gradient that arrives, for it may have met complex numbers on its way.
"""

from __future__ import annotations

import math

import numpy as np

from adlsp.runtime.foreign import library
from adlsp.runtime.shapes import Value


def conj(x: Value) -> Value:
    """Gives the complex conjugate; what is real comes back as it is, and of a list an array."""
    if np.iscomplexobj(x):
        return np.conj(x)
    return np.asarray(x) if isinstance(x, (list, tuple)) else x


def dagger(x: Value) -> Value:
    """Gives the conjugate transpose of a matrix, or of each in a stack."""
    return conj(np.swapaxes(x, -1, -2))


def phase(x: Value) -> Value:
    """Gives what the size of `x` changes by: `conj(x) / abs(x)`, the sign of a real number.

    Zero has the phase 0: the size has no slope there, and this is the mean of all that it has.
    """
    if isinstance(x, float):
        return math.copysign(1.0, x) if x else 0.0
    other = library(x)
    if other is not None:
        return other.phase(x)
    if not np.iscomplexobj(x):
        return np.sign(x)
    size = np.abs(x)
    return np.conj(x) / np.where(size == 0, 1, size)


def per_size(x: Value) -> Value:
    """Gives `1 / abs(x)`, and 0 at zero."""
    size = np.abs(x)
    return np.where(size == 0, 0, 1 / np.where(size == 0, 1, size))[()]


def hermitian(x: Value, uplo: str = "L") -> Value:
    """Gives the Hermitian matrix of which one triangle of `x` is read: the lower one for "L"."""
    half = np.tril(x, -1) if uplo in "Ll" else np.triu(x, 1)
    return half + dagger(half) + _real_diagonal(x)


def hermitian_bar(out_bar: Value, uplo: str = "L") -> Value:
    """Gives the gradient of the matrix that `hermitian` reads."""
    both = out_bar + dagger(out_bar)
    half = np.tril(both, -1) if uplo in "Ll" else np.triu(both, 1)
    return half + _real_diagonal(out_bar)


def _real_diagonal(x: Value) -> Value:
    """The real part of the diagonal, and zeros beside it."""
    return np.real(x) * np.eye(np.shape(x)[-1], dtype=np.real(x).dtype)
