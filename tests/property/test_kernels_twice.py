"""Second derivatives of kernels: forward over reverse, and reverse over reverse.

A run of the tests takes every second one, those that are not compared with JAX.
"""

import pytest
import thinning
from kernels.every import KERNELS
from kernels.kernel import Kernel
from twice import Twice

import adlsp


@pytest.mark.parametrize("kernel", KERNELS[thinning.STEP - 1 :: thinning.STEP], ids=str)
def test_second_derivatives_are_right(kernel: Kernel) -> None:
    twice = Twice(kernel.function, kernel.wrt, kernel.outputs)
    assert twice.check(kernel.args), "the gradient has a kink here"


def test_a_derivative_has_no_outputs_of_its_own() -> None:
    kernel = next(kernel for kernel in KERNELS if kernel.outputs)
    gradient = adlsp.vjp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    with pytest.raises(ValueError, match="is a derivative, which changes nothing"):
        adlsp.jvp(gradient, wrt=kernel.wrt, outputs=kernel.outputs)
