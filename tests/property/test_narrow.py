"""Operands of few bits count as the numbers in them, though their own arithmetic does not.

A derivative with pixels of eight bits, or truth values, is the one with the same numbers as floats.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
import thinning

import adlsp

pytest.importorskip("scipy")

BOTH_WAYS = """
u + x; u - x; u * x; u / x; u ** x; np.power(u, x); np.float_power(u, x); np.arctan2(u, x);
np.hypot(u, x); np.logaddexp(u, x); np.logaddexp2(u, x); np.maximum(u, x); np.fmin(u, x);
np.fmod(u, x); u % x; np.outer(u, x); np.convolve(u, x); np.kron(u, x); u @ x; u[1] / x[1];
math.atan2(u[0], x[0]); math.hypot(u[2], x[0]); math.pow(u[0], x[0]); special.xlogy(u, x);
special.xlog1py(u, x); special.rel_entr(u, x); special.kl_div(u, x); special.huber(u, x);
special.pseudo_huber(u, x); special.powm1(u, x); special.beta(u, x); special.owens_t(u, x);
np.linspace(u, x, 3); np.logspace(u, x, 3); np.geomspace(u + 1, x + 1, 4); np.average(u, weights=x);
np.clip(u, 0, x); np.abs(u) / (x + 1); np.cumsum(u) * x; np.where(u > 3, u * x, x / (u + 1.0))
"""
"""Functions of two operands, of which either may be the one of few bits."""

ONE_WAY = """
special.jv(u, x); special.iv(u, x); special.expn(u, x); special.zeta(u + 2.0, x);
special.zeta(u, x + 1); special.eval_legendre(u, x); special.eval_hermite(u, x);
special.eval_laguerre(u, x); special.boxcox(x, u); special.inv_boxcox(x, u);
special.gammainc(u, x); special.stdtr(u, x); special.voigt_profile(x, u, 0.5);
np.interp(x, np.sort(u), u); np.interp(x, [0.0, 0.8, 2.0], u); np.polyval(u, x); np.cov(u, x)
"""
"""Functions of which the first operand is the one of few bits."""

KINDS = {
    "eight": np.array([200, 3, 40], np.uint8),
    "zero": np.array([2, 0, 1], np.uint8),
    "signed": np.array([100, 3, 12], np.int8),
    "more": np.array([70_000, 3, 1], np.uint32),
    "truth": np.array([True, False, True]),
    "half": np.array([300.0, 3.0, 7.0], np.float16),
}

PROGRAM = """
import math

import numpy as np
from scipy import special


def f(u, x):
    return np.sum({value})
"""


def programs() -> list[tuple[str, int]]:
    """The texts, each with the place of the operand of few bits."""
    both = [each.strip() for each in BOTH_WAYS.split(";")]
    once = [(each.strip(), 0) for each in ONE_WAY.split(";")]
    return [(each, at) for each in both for at in (0, 1)] + once


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_narrow_operands_are_the_numbers_in_them(folder: Path, kind: str) -> None:
    few, smooth, dot = KINDS[kind], np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.5, 1.1])
    n_compared = 0
    first = [*KINDS].index(kind) % thinning.STEP
    for number, (value, at) in enumerate(programs()[first :: thinning.STEP]):
        if kind == "half" and value.startswith("math."):  # gives numbers of Python, which are weak
            continue
        path = folder / f"narrow_{kind}_{number}.py"
        f = oracle.load(path, PROGRAM.format(value=value)).f
        given, wide = [[a, smooth][:: -1 if at else 1] for a in (few, few.astype(float))]
        try:
            is_same = np.allclose(f(*given), f(*wide), rtol=1e-12, atol=0) and np.isfinite(f(*wide))
        except (TypeError, ValueError):  # no minus of truth values, no SciPy of half precision
            continue
        if not is_same:  # what the program computes is something else
            continue
        n_compared += 1
        for derivative, more in (adlsp.grad, {}), (adlsp.jvp, {"dots": (dot,)}):
            got, expected = (derivative(f, wrt=1 - at)(*args, **more) for args in (given, wide))
            if not np.all(np.isfinite(expected)):  # a polynomial of degree 200 by gamma functions
                continue
            rtol = 1e-3 if kind == "half" else 1e-9
            np.testing.assert_allclose(got, expected, rtol=rtol, err_msg=f"{value}, {at}, {kind}")
            assert dtype(got) == dtype(expected), value
    assert n_compared > 15


def dtype(x: Any) -> np.dtype[Any]:
    return np.asarray(x).dtype
