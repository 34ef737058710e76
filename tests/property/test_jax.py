"""The gradient of each kernel against JAX on its reference.

The references change nothing in place, so that they are programs of JAX as well: with `jax.numpy`
in the place of autograd's. A run of the tests takes every second one.
"""

import copy
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import oracle
import pytest
import structures
import thinning
from kernels.every import KERNELS
from kernels.kernel import Kernel

import adlsp

jax = pytest.importorskip("jax")


@pytest.fixture(scope="module", autouse=True)
def double_precision() -> Iterator[None]:
    before = jax.config.read("jax_enable_x64")
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("kernel", KERNELS[:: thinning.STEP], ids=str)
def test_the_gradient_is_that_of_jax(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    out = oracle.call(kernel.function, kernel.args, kernel.outputs)
    out_bar = oracle.weights(out, np.random.default_rng(3))
    gradient = adlsp.vjp(kernel.function, wrt=kernel.wrt, outputs=kernel.outputs)
    bars = gradient(**copy.deepcopy(kernel.args), out_bar=out_bar)

    names = kernel.reference.__globals__
    monkeypatch.setitem(names, "anp", jax.numpy)
    if "stats" in names:
        monkeypatch.setitem(names, "stats", jax.scipy.stats)

    def number(*moved: Any) -> Any:
        made = kernel.reference(**{**kernel.args, **dict(zip(kernel.wrt, moved, strict=True))})
        pairs = zip(structures.parts(made), structures.parts(out_bar), strict=True)
        return sum(jax.numpy.sum(part * weight) for part, weight in pairs)

    places = tuple(range(len(kernel.wrt)))
    expected = jax.grad(number, places)(*(kernel.args[name] for name in kernel.wrt))
    close = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-11)
    structures.mapped(close, bars, expected)
