"""Complex numbers on the way: holomorphic steps are differentiated, sizes are refused."""

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


def test_a_holomorphic_step_is_differentiated() -> None:
    slope = np.exp(0.5j) * (1 + 0.5j)
    gradient = adlsp.vjp(turned)(0.5, out_bar=1.0 - 2.0j)
    # FIXME the gradient of a real argument has an imaginary part, which means nothing
    np.testing.assert_allclose(np.real(gradient), ((1.0 - 2.0j) * slope).real, rtol=1e-12)
    tangent = adlsp.jvp(turned)(np.array([0.5, -1.25]), dots=(np.array([1.0, 0.0]),))
    np.testing.assert_allclose(tangent, slope, rtol=1e-12)


@pytest.mark.parametrize("f", [size, length, spread])
def test_a_size_of_complex_numbers_is_refused(f: Callable[..., Any]) -> None:
    x = np.array([0.5, -1.25])
    with pytest.raises(TypeError, match="holomorphic"):
        adlsp.grad(f)(x)
    with pytest.raises(TypeError, match="holomorphic"):
        adlsp.jvp(f)(x, dots=(x,))
