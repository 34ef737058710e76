"""What a derivative is pickled to, and what comes back of it."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
import sent_losses as losses

import adlsp

W, X = np.array([0.3, -1.2, 0.7]), np.array([1.5, 0.5, -2.0])

DERIVED = {
    "grad": (adlsp.grad(losses.loss), (W, X), {}),
    "wrt a tuple": (adlsp.grad(losses.loss, wrt=("x", "w")), (W, X), {}),
    "value_and_grad": (adlsp.value_and_grad(losses.loss, wrt="x"), (W, X), {}),
    "vjp": (adlsp.vjp(losses.residuals), (W, X), {"out_bar": X}),
    "jvp": (adlsp.jvp(losses.residuals, wrt=(0, 1)), (W, X), {"dots": (X, W)}),
    "hvp": (adlsp.hvp(losses.loss), (W, X), {"dots": (X,)}),
    "jacobian": (adlsp.jacobian(losses.residuals), (W, X), {}),
    "jacobian wrt a tuple": (adlsp.jacobian(losses.residuals, wrt=(0, 1)), (W, X), {}),
    "hessian": (adlsp.hessian(losses.loss), (W, X), {}),
    "outputs": (adlsp.vjp(losses.fill, outputs=("out",)), (2.0, X), {"out_bar": (W,)}),
    "nested": (adlsp.grad(adlsp.grad(losses.cached)), (0.3,), {}),
    "a cache": (adlsp.grad(losses.cached), (0.3,), {}),
    "blocks of the backward sweep": (adlsp.grad(losses.clipped), (0.3,), {}),
}

ELSEWHERE = """
import pickle, sys
derived, args, options = pickle.load(sys.stdin.buffer)
given = [derived[name](*args[name], **options[name]) for name in derived]
pickle.dump(given, sys.stdout.buffer)
"""


@pytest.mark.parametrize("name", DERIVED)
@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_a_derivative_comes_back_from_a_pickle(name: str, dumps) -> None:
    derived, args, options = DERIVED[name]
    again = pickle.loads(dumps(derived))
    np.testing.assert_equal(again(*args, **options), derived(*args, **options))
    assert isinstance(derived, adlsp.library.differentiated.Differentiated) == (again is derived)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_each_protocol_pickles(protocol: int) -> None:
    derived = adlsp.grad(losses.loss)
    assert pickle.loads(pickle.dumps(derived, protocol)) is derived


def test_another_process_computes_the_same() -> None:
    derived = {name: made for name, (made, _, _) in DERIVED.items()}
    args = {name: args for name, (_, args, _) in DERIVED.items()}
    options = {name: options for name, (_, _, options) in DERIVED.items()}
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps((derived, args, options)),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parent,
    )
    given = dict(zip(derived, pickle.loads(done.stdout), strict=True))
    for name, made in derived.items():
        np.testing.assert_equal(given[name], made(*args[name], **options[name]), err_msg=name)


@pytest.mark.parametrize("name", DERIVED)
def test_a_copy_is_the_derivative_itself(name: str) -> None:
    derived = DERIVED[name][0]
    assert copy.copy(derived) is derived
    assert copy.deepcopy({"step": [derived]}) == {"step": [derived]}


def test_a_derivative_in_text_pickles() -> None:
    derivative = adlsp.derive(losses.loss)
    assert pickle.loads(pickle.dumps(derivative)) == derivative


def test_a_refusal_pickles_with_its_findings() -> None:
    with pytest.raises(adlsp.DifferentiationError) as caught:
        adlsp.grad(losses.refused)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is adlsp.DifferentiationError
    assert (str(again), again.findings) == (str(caught.value), caught.value.findings)
