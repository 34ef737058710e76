# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of NumPy that are not holomorphic: sizes, phases and parts of complex numbers.

Rules read, never run: each body is spliced into generated code. Gradients are paired with tangents
by ⟨a, b⟩ = Re Σ a·b. A result that is real has a gradient of which only the real part counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import forward, linear, reverse

if TYPE_CHECKING:
    import numpy as np

    from adlsp import runtime as rt


@linear("numpy.real", "ndarray.real", of="val")
def real(val, *, out_bar):
    return rt.cast_like(np.real(out_bar), val)


@linear("numpy.imag", "ndarray.imag", of="val")
def imag(val, *, out_bar):
    return rt.unbroadcast(-1j * np.real(out_bar), val)


@linear("numpy.conj", "numpy.conjugate", "ndarray.conj", "ndarray.conjugate", of="x")
def conj(x, *, out_bar):
    return rt.conj(out_bar)


@forward("numpy.absolute", "numpy.abs", "builtins.abs")
def absolute_forward(x, *, x_dot):
    """Takes the derivative at 0 as 0."""
    return np.real(rt.phase(x) * x_dot)


@reverse("numpy.absolute", "numpy.abs", "builtins.abs")
def absolute_reverse(x, *, out_bar):
    return np.real(out_bar) * rt.phase(x)


@forward("numpy.angle")
def angle_forward(z, deg=False, *, z_dot):
    return np.imag(z_dot / z) * np.where(deg, 180 / np.pi, 1)


@reverse("numpy.angle")
def angle_reverse(z, deg=False, *, out_bar):
    turn = np.real(out_bar) * np.where(deg, 180 / np.pi, 1)
    return rt.unbroadcast(-1j * turn / z, z)


# what the rules call


@linear("adlsp.runtime.conj", of="x")
def plain_conj(x, *, out_bar):
    return rt.conj(out_bar)


@linear("adlsp.runtime.dagger", of="x")
def dagger(x, *, out_bar):
    return rt.dagger(out_bar)


@linear("adlsp.runtime.hermitian", of="x")
def hermitian(x, uplo="L", *, out_bar):
    return rt.hermitian_bar(out_bar, uplo)


@linear("adlsp.runtime.hermitian_bar", of="g")
def hermitian_bar(g, uplo="L", *, out_bar):
    return rt.hermitian(out_bar, uplo)


@forward("adlsp.runtime.phase")
def phase_forward(x, *, out, x_dot):
    return (rt.conj(x_dot) - out * np.real(out * x_dot)) * rt.per_size(x)


@reverse("adlsp.runtime.phase")
def phase_reverse(x, *, out, out_bar):
    return (rt.conj(out_bar) - out * np.real(out * out_bar)) * rt.per_size(x)


@forward("adlsp.runtime.per_size")
def per_size_forward(x, *, out, x_dot):
    return -out * out * np.real(rt.phase(x) * x_dot)


@reverse("adlsp.runtime.per_size")
def per_size_reverse(x, *, out, out_bar):
    return -out * out * np.real(out_bar) * rt.phase(x)
