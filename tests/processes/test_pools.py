"""Derivatives in the workers of process pools, however these start."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pytest
import sent_losses as losses

import adlsp

WEIGHTS = [np.array([0.1, -0.4]) * i for i in range(4)]
X = np.array([1.5, -2.0])

SCRIPT = """
import functools, multiprocessing, sys
import numpy as np
import adlsp

STRENGTH = 0.5

def penalty(w):
    return STRENGTH * np.sum(w * w)

def loss(w, x):
    return np.sum(np.sin(w * x)) + penalty(w)

@functools.lru_cache
def cached(w):
    return np.sin(w)

if __name__ == "__main__":
    derived = adlsp.grad(loss), adlsp.grad(adlsp.grad(cached)), adlsp.hessian(penalty)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.apply(derived[0], (np.ones(2), 2.0)) - (2 * np.cos(2.0) + 1.0))
        print(pool.apply(derived[1], (0.3,)) + np.sin(0.3))
        print(pool.apply(derived[2], (np.ones(2),)))
"""


@pytest.fixture
def wanted() -> list[np.ndarray]:
    return [adlsp.grad(losses.loss)(w, X) for w in WEIGHTS]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_multiprocessing(method: str, wanted: list[np.ndarray]) -> None:
    with multiprocessing.get_context(method).Pool(2) as pool:
        given = pool.starmap(adlsp.grad(losses.loss), [(w, X) for w in WEIGHTS])
        np.testing.assert_array_equal(given, wanted)
        with pytest.raises(adlsp.DifferentiationError) as caught:
            pool.apply(losses.gradient_of_the_refused, (X,))
    assert [finding.code for finding in caught.value.findings] == ["AD301"]


def test_concurrent_futures(wanted: list[np.ndarray]) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        given = pool.map(adlsp.grad(losses.loss), WEIGHTS, [X] * len(WEIGHTS))
        np.testing.assert_array_equal(list(given), wanted)


def test_joblib(wanted: list[np.ndarray]) -> None:
    gradient = joblib.delayed(adlsp.grad(losses.loss))
    with joblib.parallel_config(backend="loky", n_jobs=2):
        given = joblib.Parallel()(gradient(w, X) for w in WEIGHTS)
    np.testing.assert_array_equal(given, wanted)


def test_joblib_sends_closures() -> None:
    gradient = joblib.delayed(adlsp.grad(lambda w: losses.loss(w, X)))
    with joblib.parallel_config(backend="loky", n_jobs=2):
        given = joblib.Parallel()(gradient(w) for w in WEIGHTS)
    np.testing.assert_array_equal(given, [adlsp.grad(losses.loss)(w, X) for w in WEIGHTS])


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_functions_of_the_main_program(method: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), method], capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == "[0. 0.]\n0.0\n[[1. 0.]\n [0. 1.]]\n"
