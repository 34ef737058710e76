"""Complex numbers, as arguments and on the way: their gradients, and what has none."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Derivatives go to a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def turned(x: Any) -> Any:
    return np.sum(np.exp(1j * x) * x)


def size(x: Any) -> Any:
    return np.sum(np.abs(np.exp(1j * x) + 1.0))


def length(x: Any) -> Any:
    return np.linalg.norm(1j * x + 1.0)


def spread(x: Any) -> Any:
    return np.var(1j * x * x)


def parts(x: Any) -> Any:
    z = (1.0 + 2.0j) * x * x
    return np.sum(z.real * z.conj().imag) + np.angle(z[0] + 1j * x[1])


def stored(x: Any) -> Any:
    z = np.zeros(2, dtype=complex)
    z[0] = 1j * x[0]
    for i in range(2):
        z[1] += z[0] * x[i] + 0.5
    return np.sum(np.abs(z))


def quarter(z: Any) -> Any:
    return 1j * z


def called(x: Any) -> Any:
    return np.sum(np.real(quarter(x) * quarter(x) * x) + np.abs(quarter(x) - 2.0))


def read(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total = total + np.abs(x[i] * x[i - 1] + 1j)
    return total + np.sum(np.real(x) ** 2)


def shifted(x: Any) -> Any:
    z = np.array(x * (1.0 + 0.5j))
    z[1:] = z[:-1] * 0.5j
    return np.real(np.sum(np.imag(x) * z)) + np.real(np.sum(np.abs(x) * z))


def held(x: Any) -> Any:
    both = [np.exp(1j * x), x * x]
    return np.sum(np.abs(both[0] * both[1])) + np.real(np.sum(both[0]))


REAL = [held, size, length, spread, parts, stored, called, read, shifted]


def test_a_holomorphic_step_is_differentiated() -> None:
    slope = np.exp(0.5j) * (1 + 0.5j)
    gradient = adlsp.vjp(turned)(0.5, out_bar=1.0 - 2.0j)
    assert isinstance(gradient, float)
    np.testing.assert_allclose(gradient, ((1.0 - 2.0j) * slope).real, rtol=1e-12)
    tangent = adlsp.jvp(turned)(np.array([0.5, -1.25]), dots=(np.array([1.0, 0.0]),))
    np.testing.assert_allclose(tangent, slope, rtol=1e-12)


@pytest.mark.parametrize("f", REAL)
@pytest.mark.parametrize("x", [np.array([0.5, -1.25]), np.array([0.5 + 0.3j, -1.25 - 0.8j])])
def test_what_is_not_holomorphic_is_differentiated_twice(f: Callable[..., Any], x: Any) -> None:
    adlsp.check_grads(f, (x,), order=2)
    assert adlsp.grad(f)(x).dtype == x.dtype


def test_a_gradient_pairs_without_a_conjugate() -> None:
    z = np.array([3.0 + 4.0j, 1.0j])
    np.testing.assert_allclose(adlsp.grad(absolute)(z), np.conj(z) / np.abs(z), rtol=1e-15)


def absolute(z: Any) -> Any:
    return np.sum(np.abs(z))


def test_a_size_has_no_slope_at_zero() -> None:
    np.testing.assert_array_equal(adlsp.grad(absolute)(np.zeros(2, complex)), np.zeros(2))


@pytest.mark.parametrize("kind", [adlsp.grad, adlsp.value_and_grad])
def test_a_complex_output_has_no_gradient(kind: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="output of `turned` is complex"):
        kind(turned)(np.array([0.5, -1.25]))
