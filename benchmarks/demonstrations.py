"""What the ratios do not show: how cost grows, what is recorded, how long deriving takes."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np

import adlsp
from benchmarks.measuring import Candidate, medians
from benchmarks.reporting import duration, table
from benchmarks.workloads import growing, jacobi

N_TOUCHED = 1000


def smooth(u, k, n):
    """Changes elements one by one, each with the values of its neighbours."""
    for i in range(1, n + 1):
        u[i] = u[i] + k * u[i - 1] * u[i + 1]


def touched() -> str:
    """The time for each element that is touched, where arrays and where loops grow.

    It stays the same where nothing is as large as the array but the copy that is made of it once.
    """
    gradient = adlsp.grad(smooth, ("u", "k"), outputs=("u",))
    measured = {}
    for length, n in _sizes():
        u, out_bar = np.linspace(0.5, 1.0, length), (np.ones(length),)
        measured[length, n] = Candidate(gradient, (u, 1e-3, n), {"out_bar": out_bar})
    lines = [["elements", "touched", "gradient", "for each touched"]]
    for (length, n), seconds in medians(measured).items():
        lines.append([f"{length:,}", f"{n:,}", duration(seconds), duration(seconds / n)])
    return "Element stores, `u[i] = u[i] + k * u[i - 1] * u[i + 1]`:\n\n" + table(lines)


def _sizes() -> list[tuple[int, int]]:
    arrays = [(N_TOUCHED * 2**i, N_TOUCHED) for i in (1, 3, 5)]
    loops = [(N_TOUCHED * 2**i + 2, N_TOUCHED * 2**i) for i in (0, 1, 2, 3)]
    return arrays + loops


def recorded() -> str:
    """The most memory that a gradient has in use at once, for more and more steps."""
    lines = [["workload", "steps", "memory of the gradient"]]
    for workload, name, is_linear in (
        (jacobi.LINE, "Jacobi 1-D, 400 points: linear, nothing recorded", True),
        (growing.FILLED, "filled array: what its gradient reads is recorded", False),
    ):
        for steps in (50, 500, 5000):
            arguments = workload.arguments(400 if is_linear else steps)
            if is_linear:
                arguments = (steps, *arguments[1:])
            lines.append([name, f"{steps:,}", f"{peak(workload, arguments) / 1024:.0f} KiB"])
    return "Memory:\n\n" + table(lines)


def peak(workload: Any, arguments: tuple[Any, ...]) -> int:
    """The bytes that a gradient has in use at most, above what there was before."""
    gradient = adlsp.grad(workload.primal, workload.wrt, outputs=workload.outputs)
    seed = workload.seed(arguments)
    keywords = {"out_bar": seed} if seed else {}
    gradient(*arguments, **keywords)
    tracemalloc.start()
    try:
        gradient(*arguments, **keywords)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


DERIVE = """
import time

import adlsp
from adlsp.transform import engine
from benchmarks.workloads import lstm, mlp

if {is_warm}:
    adlsp.derive(lstm.lstm, lstm.WORKLOAD.wrt)
start = time.process_time()
adlsp.derive(mlp.mlp, mlp.WORKLOAD.wrt)
print(time.process_time() - start)
"""


def deriving() -> str:
    """The time to derive a function that was never seen before, in processes of their own."""
    lines = [["deriving `mlp`", "median of 7"]]
    for title, is_warm in (
        ("the first function of a process: reads the rules as well", False),
        ("after another function", True),
    ):
        program = DERIVE.format(is_warm=is_warm)
        found = []
        for _ in range(7):
            command = [sys.executable, "-c", program]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found.append(float(done.stdout))
        lines.append([title, duration(statistics.median(found))])
    return "Deriving:\n\n" + table(lines)
