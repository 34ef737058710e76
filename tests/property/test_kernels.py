"""Each kernel by value, and its derivatives against differences and autograd on its reference."""

import copy
import inspect
from functools import partial
from pathlib import Path
from typing import Any

import autograd
import autograd.numpy as anp
import numpy as np
import oracle
import pytest
import structures
from kernels.every import KERNELS
from kernels.kernel import Kernel

import adlsp

every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=str)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Derivatives go to a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def value(kernel: Kernel) -> Any:
    return oracle.call(kernel.function, kernel.args, kernel.outputs)


def weighted_reference(kernel: Kernel, out_bar: Any) -> Any:
    """The reference as a number, of the arguments of interest."""

    def number(*moved: Any) -> Any:
        out = kernel.reference(**{**kernel.args, **dict(zip(kernel.wrt, moved, strict=True))})
        pairs = zip(structures.parts(out), structures.parts(out_bar), strict=True)
        return sum(anp.sum(part * weight) for part, weight in pairs)

    return number


@every_kernel
def test_the_kernel_computes_what_its_reference_does(kernel: Kernel) -> None:
    expected = kernel.reference(**copy.deepcopy(kernel.args))
    for mine, theirs in zip(
        structures.parts(value(kernel)), structures.parts(expected), strict=True
    ):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-14)


@every_kernel
def test_the_gradient_is_that_of_the_reference(kernel: Kernel) -> None:
    out = value(kernel)
    out_bar = oracle.weights(out, np.random.default_rng(3))
    arguments = copy.deepcopy(kernel.args)
    differentiated = adlsp.value_and_grad(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    _, bars = differentiated(**arguments, out_bar=out_bar)
    number = weighted_reference(kernel, out_bar)
    places = tuple(range(len(kernel.wrt)))
    expected = autograd.grad(number, places)(*(kernel.args[name] for name in kernel.wrt))
    close = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-11)
    structures.mapped(close, bars, expected)


@every_kernel
def test_the_gradient_is_that_of_differences(kernel: Kernel) -> None:
    """Also: nothing is changed, the value is the primal's, the text alone gives the same."""
    expected = oracle.differences(kernel.function, kernel.args, kernel.wrt, kernel.outputs)
    assert expected is not None, "the kernel has a kink here"
    path = Path(inspect.getfile(kernel.function))
    live = adlsp.value_and_grad(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs).derivative
    for optimize in (True, False):
        derivative = oracle.static(
            path,
            kernel.wrt,
            kernel.outputs,
            optimize=optimize,
            function=kernel.function.__name__,
            signature=live.request.signature,
        )
        if optimize:
            assert derivative.source == live.source
        oracle.compare(
            f"optimize={optimize}",
            oracle.compiled(derivative),
            kernel.function,
            kernel.args,
            kernel.wrt,
            kernel.outputs,
            expected,
        )


@every_kernel
def test_the_tangent_is_that_of_differences(kernel: Kernel) -> None:
    expected = oracle.differences(kernel.function, kernel.args, kernel.wrt, kernel.outputs)
    assert expected is not None, "the kernel has a kink here"
    push = adlsp.jvp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    oracle.compare_tangent(
        "jvp", push, kernel.function, kernel.args, kernel.wrt, kernel.outputs, expected
    )


@every_kernel
def test_tangent_and_gradient_are_adjoint(kernel: Kernel) -> None:
    """⟨out_bar, out_dot⟩ is Σ ⟨x_bar, x_dot⟩, up to rounding."""
    given = copy.deepcopy(kernel.args)
    dots = tuple(oracle.directions(kernel.args, kernel.wrt).values())
    push = adlsp.jvp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    out_dot = push(**given, dots=dots)
    out_bar = oracle.weights(out_dot, np.random.default_rng(3))
    bars = adlsp.vjp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)(
        **given, out_bar=out_bar
    )
    one, other = structures.inner(out_dot, out_bar), structures.inner(bars, dots)
    assert one == pytest.approx(other, rel=1e-9, abs=1e-11)
