"""Second derivatives of each kernel, by differentiating its gradient as a program like any other.

The gradient is weighted with a fixed random gradient of the output. Its tangent (forward over
reverse) is held against differences of it, its gradient (reverse over reverse) against the tangent:
⟨bar, x_bar_dot⟩ is Σ ⟨x_bar_bar, x_dot⟩, up to rounding.
"""

import copy
from typing import Any

import numpy as np
import oracle
import pytest
import structures
from kernels.every import KERNELS
from kernels.kernel import Kernel

import adlsp

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=str)


class Twice:
    """The gradient of a kernel, and where its derivatives are looked at."""

    def __init__(self, kernel: Kernel) -> None:
        self.wrt, self.args = kernel.wrt, kernel.args
        out = oracle.call(kernel.function, kernel.args, kernel.outputs)
        self.out_bar = oracle.weights(out, np.random.default_rng(3))
        self.dots = tuple(oracle.directions(kernel.args, kernel.wrt).values())
        self.gradient = adlsp.vjp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)

    def at(self, shift: float) -> tuple[Any, ...]:
        """The parts of the gradient at a distance along the direction."""
        moved = {
            name: structures.moved(self.args[name], direction, shift)
            for name, direction in zip(self.wrt, self.dots, strict=True)
        }
        given = copy.deepcopy({**self.args, **moved})
        return tuple(structures.parts(self.gradient(**given, out_bar=self.out_bar)))

    def tangent(self) -> Any:
        """The tangent of the gradient along the direction."""
        push = adlsp.jvp(self.gradient, wrt=self.wrt)
        return push(**copy.deepcopy(self.args), inner_bar=self.out_bar, dots=self.dots)

    def pulled(self, bars: Any) -> Any:
        """The gradient of the weighted gradient."""
        pull = adlsp.vjp(self.gradient, wrt=self.wrt)
        return pull(**copy.deepcopy(self.args), inner_bar=self.out_bar, out_bar=bars)


@every_kernel
def test_the_tangent_of_the_gradient_is_that_of_differences(kernel: Kernel) -> None:
    twice, step = Twice(kernel), oracle.STEP
    before_2, before, after, after_2 = (twice.at(k * step) for k in (-2, -1, 1, 2))
    found = structures.parts(twice.tangent())
    for mine, a, b, c, d in zip(found, before_2, before, after, after_2, strict=True):
        expected = (8 * (c - b) - (d - a)) / (12 * step)
        np.testing.assert_allclose(mine, expected, rtol=1e-6, atol=1e-6)


@every_kernel
def test_reverse_over_reverse_is_adjoint_to_forward_over_reverse(kernel: Kernel) -> None:
    twice = Twice(kernel)
    tangent = twice.tangent()
    bars = oracle.weights(tangent, np.random.default_rng(7))
    found = structures.inner(twice.pulled(bars), twice.dots)
    assert found == pytest.approx(structures.inner(tangent, bars), rel=1e-9, abs=1e-11)


def test_a_derivative_has_no_outputs_of_its_own() -> None:
    kernel = next(kernel for kernel in KERNELS if kernel.outputs)
    gradient = adlsp.vjp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    with pytest.raises(ValueError, match="is a derivative, which changes nothing"):
        adlsp.jvp(gradient, wrt=kernel.wrt, outputs=kernel.outputs)
