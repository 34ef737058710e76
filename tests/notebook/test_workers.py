"""Derivatives of functions of cells, in the workers of joblib and of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.notebook.sessions import Session, session

CELLS = (
    """\
import os
import adlsp, joblib
import numpy as np
from dask.distributed import Client, LocalCluster

def helper(u):
    return np.tanh(u) ** 2
""",
    """\
X = np.array([1.0, 2.0])

def loss(w):
    return np.sum(helper(w * X))

def slope(w):
    t = np.tanh(w * X)
    return 2.0 * t * (1.0 - t * t) * X
""",
    """\
cluster = LocalCluster(
    n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
)
client = Client(cluster)
points = [X, 0.5 * X]
""",
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with session(tmp_path_factory.mktemp("workers")) as started:
        for cell in CELLS:
            assert started.run(cell).error == ""
        yield started
        started.run("client.close(); cluster.close()")


def test_joblib(kernel: Session) -> None:
    for f, factor in (("loss", 1.0), ("lambda w: loss(w) * 2.0", 2.0)):
        found = kernel.value(
            f"gradient = joblib.delayed(adlsp.grad({f}))\n"
            "given = joblib.Parallel(n_jobs=2)(gradient(w) for w in points)\n"
            f"np.allclose(given, [{factor} * slope(w) for w in points])"
        )
        assert found == "True"


def test_a_cluster(kernel: Session) -> None:
    for f, factor in (("loss", 1.0), ("lambda w: loss(w) * 2.0", 2.0)):
        found = kernel.value(
            f"given = client.gather(client.map(adlsp.grad({f}), points))\n"
            f"np.allclose(given, [{factor} * slope(w) for w in points])"
        )
        assert found == "True"


def test_a_function_that_calls_a_derivative(kernel: Session) -> None:
    found = kernel.value(
        "gradient = adlsp.grad(loss)\n"
        "def step(w):\n"
        "    return os.getpid(), w - 0.1 * gradient(w)\n"
        "workers = list(client.nthreads())\n"
        "sent = [client.submit(step, X, workers=[worker], pure=False) for worker in workers]\n"
        "ids, given = zip(*client.gather(sent))\n"
        "len({*ids, os.getpid()}), np.allclose(given, X - 0.1 * slope(X))"
    )
    assert found == "(3, True)"


def test_a_function_that_was_defined_again(kernel: Session) -> None:
    assert kernel.run("def helper(u):\n    return np.sin(u)\n").error == ""
    found = kernel.value(
        "given = client.gather(client.map(adlsp.grad(loss), points))\n"
        "np.allclose(given, [np.cos(w * X) * X for w in points])"
    )
    assert found == "True"
