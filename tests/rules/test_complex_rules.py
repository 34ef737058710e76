"""Rules at complex numbers: right, or refused.

All samples with complex numbers in the place of real ones. A gradient and a tangent are paired by
⟨a, b⟩ = Re Σ a·b; with random complex tangents, differences go in both real and imaginary
directions.
"""

from typing import Any

import numpy as np
import pytest
from cases import CASES, Case, differences
from samples import Call
from tree import close_to, inner, is_smooth

import adlsp
from adlsp import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")


REFUSED = {
    "adlsp.runtime.gradient",
    "adlsp.runtime.interp_bar",
    "numpy.corrcoef",
    "python.largest",
    "python.smallest",
    "numpy.cov",
    "numpy.float64",
    "numpy.fmax",
    "numpy.fmin",
    "numpy.gradient",
    "numpy.linalg.lstsq",
    "numpy.linalg.qr",
    "numpy.linalg.slogdet",
    "numpy.maximum",
    "numpy.minimum",
    "scipy.linalg.cho_factor",
    "scipy.linalg.cho_solve",
    "scipy.linalg.qr",
    "scipy.linalg.solve",
    "scipy.linalg.solve_continuous_lyapunov",
    "scipy.linalg.solve_discrete_lyapunov",
    "scipy.linalg.solve_lyapunov",
    "scipy.linalg.solve_sylvester",
    "scipy.linalg.solve_triangular",
    "scipy.linalg.sqrtm",
    "scipy.linalg.toeplitz",
    "scipy.special.digamma",
    "scipy.special.ive",
    "scipy.special.jve",
    "scipy.special.yve",
    "scipy.special.psi",
}
"""Functions that take complex numbers, whose derivatives do not, or not all kinds of them."""

TURNING = {"numpy.linalg.eigh", "numpy.linalg.eigvals", "numpy.linalg.svd"}
TURNING |= {"scipy.linalg.eigh", "scipy.linalg.svd"}
"""Functions whose results have phases, or an order, that nobody chose; see below."""


def complexed(value: Any) -> Any:
    """A value with imaginary parts beside its real numbers, the same for all of its shape."""
    if isinstance(value, list | tuple):
        return type(value)(complexed(element) for element in value)
    if isinstance(value, np.ndarray) and is_smooth(value):
        random = np.random.default_rng([5, *value.shape])
        return np.asarray(value + 1j * random.uniform(0.1, 0.5, value.shape))
    return complex(value, 0.3) if isinstance(value, float) else value


def case_of(name: str, call: Call) -> Case:
    try:
        return Case(name, call)
    except (TypeError, ValueError, NotImplementedError, AttributeError):
        pytest.skip("not a function of complex numbers")


def check(name: str, call: Call) -> None:
    if name.startswith("scipy.stats."):
        pytest.skip("distributions of real numbers, which do not look whether they are given some")
    if name.startswith("adlsp.runtime.log_"):
        x, _, *others = call.args
        call = Call((x, rt.sigmoid(x), *others))
    try:
        case = Case(name, call)
    except (TypeError, ValueError, NotImplementedError, AttributeError):
        pytest.skip("not a function of complex numbers")
    try:
        bars, out_dot = case.bars(), case.out_dot(case.active)
    except TypeError:
        assert name in REFUSED
        return
    if name not in TURNING:
        close_to(out_dot, differences(case, case.active), rtol=1e-7, atol=1e-7)
    back = sum(inner(bars[key], case.dots[key]) for key in case.active)
    np.testing.assert_allclose(back, inner(case.out_bar, out_dot), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("name", "call"), CASES)
def test_rules_are_right_for_complex_numbers_or_refuse_them(name: str, call: Call) -> None:
    check(name, Call(tuple(map(complexed, call.args)), call.keywords))


@pytest.mark.parametrize(("name", "call"), [c for c in CASES if len(c.values[1].args) > 1])
def test_rules_are_right_for_real_numbers_beside_complex_ones(name: str, call: Call) -> None:
    if name == "adlsp.runtime.plus_part":
        pytest.skip("the part has the dtype of the value that it is a tangent of")
    for position in range(len(call.args)):
        if not isinstance(call.args[position], type) and is_smooth(call.args[position]):
            args = list(call.args)
            args[position] = complexed(args[position])
            check(name, Call(tuple(args), call.keywords))


def rebuilt(a: Any) -> Any:
    """Turns of the vectors cancel in the matrix that is put together of them."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum((u * s**2) @ vh * (1.0 - 2.0j)) + np.sum(np.abs(u) ** 3) * s[0]


def projected(a: Any) -> Any:
    """So they do in the projection on one vector."""
    w, v = np.linalg.eigh(a, UPLO="U")
    return np.sum(np.outer(v[:, 0], np.conj(v[:, 0])) * (1.0 - 2.0j)) * w[-1]


@pytest.mark.parametrize("f", [rebuilt, projected])
def test_turns_of_vectors_that_cancel(f: Any) -> None:
    a = complexed(np.random.default_rng(2).normal(size=(3, 3)) * 0.3 + np.diag([1.0, 2.5, 4.0]))
    adlsp.check_grads(f, (a,))


def read_as_real(z: Any, y: Any) -> Any:
    return np.abs(float(z.sum()) * y) ** 2


def test_a_number_that_is_read_as_a_real_one() -> None:
    """Its gradient is real, whatever it is multiplied by."""
    z, y = np.array([0.5 + 1j, 2.0]), 0.3 + 0.7j
    expected = np.full(2, 2 * 2.5 * abs(y) ** 2)
    np.testing.assert_allclose(adlsp.grad(read_as_real)(z, y), expected)
    z_dot = np.array([1.0 + 2j, 0.5j])
    np.testing.assert_allclose(adlsp.jvp(read_as_real)(z, y, dots=(z_dot,)), expected[0])


def made_real(z: Any, y: Any) -> Any:
    return np.abs(np.float64(z[0]) * y) ** 2


def test_a_number_that_a_dtype_makes_real() -> None:
    z, y = np.array([0.5 + 1j, 2.0]), 0.3 + 0.7j
    expected = [2 * 0.5 * abs(y) ** 2, 0.0]
    np.testing.assert_allclose(adlsp.grad(made_real)(z, y), expected)


def made_real_by_dtype(z: Any, y: Any) -> Any:
    whole = np.array(z, dtype=float) + np.asarray(z, float) + np.cumsum(z.astype(np.float64))
    filled = np.full(2, z[0], dtype=float) * np.linspace(z[0], z[1], 2, dtype=float)
    like = np.full_like(whole, z[1]) + np.array(z, dtype=float, ndmin=2)[0]
    return np.sum(np.abs((whole + filled * like) * y) ** 2)


def stored_as_real(z: Any, y: Any) -> Any:
    kept = products(z)
    return np.sum(np.abs(kept * y) ** 2)


def products(z: Any) -> Any:
    kept = np.zeros(2)
    for i in range(2):
        kept[i] = z[i] * z[0]
    return kept


@pytest.mark.parametrize("f", [made_real_by_dtype, stored_as_real])
def test_arrays_that_hold_real_numbers_only(f: Any) -> None:
    """Also what a callee stores into one: its gradient is real where the caller's is not."""
    z, y = np.array([0.5 + 1j, 2.0 - 0.3j]), 0.3 + 0.7j
    adlsp.check_grads(f, (z, y))
