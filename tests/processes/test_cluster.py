"""Derivatives on the workers of a Dask cluster: a scheduler and two processes."""

from __future__ import annotations

import gc
import os
import runpy
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import sent_losses as losses
from distributed import Client, LocalCluster

import adlsp

EXAMPLES = Path(__file__).parents[2] / "examples"

X = np.array([1.5, -2.0])


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()  # what Dask leaves open is no matter of the tests that come next


def in_worker(derived, *args):
    return os.getpid(), derived(*args)


def test_each_worker_computes_gradients(client: Client) -> None:
    gradient = adlsp.grad(losses.loss)
    weights = [np.array([0.1, -0.4]) * i for i in range(4)]
    workers = list(client.nthreads())
    futures = [
        client.submit(in_worker, gradient, w, X, workers=workers[i % 2], pure=False)
        for i, w in enumerate(weights)
    ]
    places, given = zip(*client.gather(futures), strict=True)
    assert len({*places, os.getpid()}) == 3
    np.testing.assert_array_equal(given, [gradient(w, X) for w in weights])


def test_derivatives_of_every_kind_are_mapped(client: Client) -> None:
    kinds = (adlsp.grad, adlsp.hessian, lambda f: adlsp.grad(adlsp.grad(f)))
    for kind in kinds:
        derived = kind(losses.cached)
        given = client.gather(client.map(derived, [0.1, 0.2]))
        np.testing.assert_array_equal(given, [derived(0.1), derived(0.2)])


def test_closures_are_mapped(client: Client) -> None:
    derived = [adlsp.grad(losses.nested(X)), adlsp.grad(lambda w: np.sum(losses.squash(w * X)))]
    for one in derived:
        given = client.gather(client.map(one, [X, 2.0 * X]))
        np.testing.assert_array_equal(given, [one(X), one(2.0 * X)])


def test_a_worker_says_why_it_cannot_differentiate(client: Client) -> None:
    future = client.submit(losses.gradient_of_the_refused, X)
    with pytest.raises(adlsp.DifferentiationError) as caught:
        future.result()
    assert [finding.code for finding in caught.value.findings] == ["AD301"]


def test_the_example_trains_as_one_process_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / "data_parallel.py")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    monkeypatch.syspath_prepend(str(EXAMPLES))
    accuracy = runpy.run_path(str(EXAMPLES / "digits.py"))["train"](10, batch=128, rate=0.8)
    assert accuracy > 0.95
    assert done.stdout == capsys.readouterr().out


def test_the_example_says_what_it_needs() -> None:
    code = f"import sys, runpy\nsys.path.insert(0, {str(EXAMPLES)!r})\nsys.modules['dask'] = None\n"
    code += f"runpy.run_path({str(EXAMPLES / 'data_parallel.py')!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    said = "This example needs Dask: pip install dask distributed\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
