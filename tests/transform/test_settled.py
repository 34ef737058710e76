"""Instances of functions: what is known of one for some arguments is worked out once for all."""

from __future__ import annotations

import pytest
from lowered import lowered

from adlsp.transform import depth
from adlsp.transform.values import inference, lattice
from adlsp.transform.values.inference import Instances, Settled
from adlsp.transform.values.lattice import Array, Number

CODE = """\
import numpy as np


def depth(x, n):
    if n <= 0:
        return np.sum(x)
    return depth(x * 2.0, n - 1)


def even(x, n):
    return x if n <= 0 else odd(x, n - 1)


def odd(x, n):
    return -x if n <= 0 else even(x, n - 1)


def scaled(x, k):
    return k * x


def f(x, n):
    s = depth(x, n) + depth(x, 3) + np.sum(even(x, n))
    s += np.sum({})
    return s
"""

MANY = " + ".join(f"scaled(x, {k}.0)" for k in range(12))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that are run, each time."""
    found: list[str] = []
    run = inference._Interpreter.run

    def noted(self, given):
        found.append(self.function.name)
        return run(self, given)

    monkeypatch.setattr(inference._Interpreter, "run", noted)
    return found


def test_functions_that_call_themselves_are_run_once_for_all(runs: list[str]) -> None:
    given = {"x": Array("float64", (lattice.Size("n"),)), "n": Number("int")}
    with depth.room():
        function, program = lowered(CODE.format(MANY))
        runs.clear()
        settled: dict[inference.Instance, Settled] = {}
        first = Instances(program, settled).of(function, given)
        assert {"depth", "even", "odd", "scaled"} <= {*runs}
        runs.clear()
        again = Instances(program, settled).of(function, given)
    assert runs == []
    assert again.result == first.result


def test_what_has_met_a_limit_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"x": Array("float64", (lattice.Size("n"),)), "n": Number("int")}
    monkeypatch.setattr(inference, "MOST_INSTANCES", 4)
    with depth.room():
        function, program = lowered(CODE.format(MANY))
        settled: dict[inference.Instance, Settled] = {}
        Instances(program, settled).of(function, given)
    names = [function.name for function, _ in settled]
    assert names.count("scaled") == 5  # one of them for whatever arguments
    assert "f" not in names
