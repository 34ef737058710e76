"""Gradients of discrete Fourier transforms.

The matrix of a transform is symmetric, and gradients are paired without a conjugate, so that a
gradient goes back through the same transform. Around it is what NumPy does before and after: it
crops an axis or fills it up with zeros, and of a transform of real numbers it keeps the first half,
for the other one is conjugate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adlsp.runtime.arrays import unbroadcast
from adlsp.runtime.shapes import Shape, Value


def fit_to(g: Value, x: Value) -> Value:
    """Crops each axis of `g`, or fills it up with zeros, to the shape of `x`, in the dtype of `x`.

    Only the shape and dtype of `x` are read.
    """
    shape = np.shape(x)
    if g.shape != shape:
        made = np.zeros(shape, g.dtype)
        common = tuple(slice(min(n, m)) for n, m in zip(shape, g.shape, strict=True))
        made[common] = g[common]
        g = made
    return unbroadcast(g, x)


def fourier_lengths(
    shape: Shape, s: Sequence[int] | None = None, axes: Sequence[int] | None = None
) -> list[int]:
    """Gives the lengths over which `numpy.fft.rfftn(a, s, axes)` transforms an `a` of `shape`."""
    return [
        shape[axis] if s is None or s[i] in (None, -1) else s[i]
        for i, axis in enumerate(fourier_axes(len(shape), s, axes))
    ]


def fourier_axes(
    ndim: int, s: Sequence[int] | None = None, axes: Sequence[int] | None = None
) -> tuple[int, ...]:
    """Gives the axes over which `numpy.fft.fftn(a, s, axes)` transforms."""
    if axes is not None:
        return tuple(axes)
    return tuple(range(-(ndim if s is None else len(s)), 0))


def half(g: Value, axis: int = -1) -> Value:
    """Gives the first half of an axis, doubled inside: it stands for the other half too."""
    n = g.shape[axis]
    made = np.moveaxis(g, axis, -1)[..., : n // 2 + 1].copy()
    made[..., 1 : (n + 1) // 2] *= 2
    return np.moveaxis(made, -1, axis)


def half_bar(out_bar: Value, shape: Shape, axis: int = -1) -> Value:
    """Gives the gradient of the array of `shape` in `half`."""
    n = shape[axis]
    made = np.zeros(shape, out_bar.dtype)
    view = np.moveaxis(made, axis, -1)
    view[..., : n // 2 + 1] = np.moveaxis(out_bar, axis, -1)
    view[..., 1 : (n + 1) // 2] *= 2
    return made
