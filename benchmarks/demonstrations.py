"""What the ratios do not show: how cost grows, what is recorded, how long deriving takes."""

from __future__ import annotations

import functools
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

import adlsp
from benchmarks.measuring import Candidate, medians
from benchmarks.reporting import duration, table
from benchmarks.workloads import growing, jacobi

N_TOUCHED = 1000

KINDS = ("primal", "gradient")


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


def square(w, x, k):
    """Is so short that what a call costs is seen."""
    r = w * x - k
    return r * r


class Fitted:
    """Has the data of `square`."""

    def __init__(self, x, k):
        self.x = x
        self.k = k

    def square(self, w):
        """Reads them at each call."""
        r = w * self.x - self.k
        return r * r

    def __call__(self, w):
        """Does the same."""
        r = w * self.x - self.k
        return r * r


def _closed(x, k):
    def closure(w):
        r = w * x - k
        return r * r

    return closure


def ways() -> dict[str, tuple[Any, tuple[float, ...]]]:
    """One function in the ways in which data is given to it, and what is left to be given."""
    x, k = 0.5, 2.0
    return {
        "a function of three arguments": (square, (1.5, x, k)),
        "a closure over two of them": (_closed(x, k), (1.5,)),
        "a lambda that calls the function": (lambda w: square(w, x, k), (1.5,)),
        "a partial": (functools.partial(square, x=x, k=k), (1.5,)),
        "a bound method": (Fitted(x, k).square, (1.5,)),
        "a callable object": (Fitted(x, k), (1.5,)),
    }


def given() -> str:
    """What a call costs more than that of the plain function, of the primal and the gradient."""
    candidates = {}
    for title, (f, arguments) in ways().items():
        candidates[title, "primal"] = Candidate(f, arguments, {})
        candidates[title, "gradient"] = Candidate(adlsp.grad(f), arguments, {})
    found = medians(candidates)
    plain = next(iter(ways()))
    lines = [["given to `grad`", "primal", "gradient", "primal more", "gradient more"]]
    for title in ways():
        times = [found[title, kind] for kind in KINDS]
        more = [one - found[plain, kind] for one, kind in zip(times, KINDS, strict=True)]
        lines.append([title, *map(duration, times), *map(duration, more)])
    return "Data that is captured or bound:\n\n" + table(lines)


DISPATCHED = {
    "one number": (1, 0),
    "four numbers": (4, 0),
    "one array": (0, 1),
    "four arrays": (0, 4),
    "two numbers, two arrays": (2, 2),
}
"""How many numbers and arrays are given."""


def taking(n: int) -> str:
    """The text of a function of so many arguments, of which it uses the first."""
    names = ", ".join(f"x{i}" for i in range(n))
    return f"def first({names}):\n    return x0 * x0\n"


def dispatched() -> str:
    """What a call costs more than one of the derivative's text: to tell what the arguments are."""
    candidates = {}
    with tempfile.TemporaryDirectory() as folder:
        for title, (n_numbers, n_arrays) in DISPATCHED.items():
            path = Path(folder, f"of_{n_numbers}_{n_arrays}.py")
            path.write_text(taking(n_numbers + n_arrays), "utf-8")
            space = runpy.run_path(str(path), run_name=path.stem)
            arrays = (np.ones((2, 3)) for _ in range(n_arrays))
            arguments = (*arrays, *(float(i) for i in range(n_numbers)))
            keywords = {"out_bar": np.ones((2, 3))} if n_arrays else {}
            gradient = adlsp.grad(space["first"], ("x0",))
            gradient(*arguments, **keywords)
            plain: dict[str, Any] = {"__name__": path.stem}
            exec(gradient.derivative.source, plain)
            text = plain[gradient.derivative.name]
            candidates[title, "text"] = Candidate(text, arguments, keywords)
            candidates[title, "gradient"] = Candidate(gradient, arguments, keywords)
    found = medians(candidates)
    lines = [["given to the gradient of `x0 * x0`", "its text", "by `grad`", "more"]]
    for title in DISPATCHED:
        text, gradient = found[title, "text"], found[title, "gradient"]
        lines.append([title, duration(text), duration(gradient), duration(gradient - text)])
    return "Telling what the arguments of a call are:\n\n" + table(lines)


DERIVE = """
import time

from benchmarks import derived
from benchmarks.workloads import lstm, mlp

bend = derived.bend, derived.WRT[derived.bend], derived.of_bend()
ascent = derived.ascent, derived.WRT[derived.ascent], derived.of_ascent()
basin = derived.basin, derived.WRT[derived.basin], derived.of_basin()
perceptron = mlp.mlp, mlp.WORKLOAD.wrt, mlp.WORKLOAD.arguments(8)
before = lstm.lstm, lstm.WORKLOAD.wrt, lstm.WORKLOAD.arguments(4)


def first(function, wrt, arguments):
    import adlsp

    start = time.process_time()
    gradient = adlsp.grad(function, wrt)
    gradient(*arguments)
    made = time.process_time()
    gradient(*arguments)
    return 2 * made - start - time.process_time()


if {is_warm}:
    first(*before)
start = time.process_time()
import adlsp
seconds = time.process_time() - start
print(seconds + first(*{program}))
"""
"""Prints how much longer the first call of a gradient takes than the second one."""

DERIVED = (
    ("`import adlsp`, and a function of 3 lines", "bend", False),
    ("`import adlsp`, and `mlp`, of 6 lines", "perceptron", False),
    ("a function of 3 lines after another function", "bend", True),
    ("`mlp` after another function", "perceptron", True),
    ("a function of 30 lines after another function", "ascent", True),
    ("a solver of 150 lines after another function", "basin", True),
)


def deriving() -> str:
    """The time to derive a function that was never seen before, in processes of their own.

    A later run finds it in the cache.
    """
    lines = [["deriving for the arguments of a call, medians of 7", "at first", "in a later run"]]
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    for title, name, is_warm in DERIVED:
        program = DERIVE.format(program=name, is_warm=is_warm)
        command = [sys.executable, "-c", program]
        found: tuple[list[float], list[float]] = [], []
        for _ in range(7):
            with tempfile.TemporaryDirectory() as folder:
                environment["ADLSP_CACHE_DIR"] = folder
                for seconds in found:
                    done = subprocess.run(
                        command, capture_output=True, text=True, check=True, env=environment
                    )
                    seconds.append(float(done.stdout))
        lines.append([title, *(duration(statistics.median(seconds)) for seconds in found)])
    return "Deriving, when NumPy is there:\n\n" + table(lines)


LONG = """
import gc
import re
import time
from pathlib import Path

from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source


def derive(n, signature):
    lines = (f"    y{{i + 1}} = np.sin(y{{i}}) * k\\n" for i in range(n))
    head = "import numpy as np\\n\\n\\ndef f(x, k):\\n    y0 = x\\n"
    source = Source("long.py", "long", f"{{head}}{{''.join(lines)}}    return np.sum(y{{n}})\\n")
    request = Request("long.f", ("x",), signature=signature)
    made = engine.derive(request, StaticResolver({{"long": source}}.get))
    assert made.findings == ()


derive(5, {signature!r})
gc.disable()
start = time.process_time()
derive({n}, {signature!r})
seconds = time.process_time() - start
# What `getrusage` says counts what the process was before it began to run this, too.
print(seconds, re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def lengths() -> str:
    """How long it takes to derive a straight line, and how much memory the process has for it."""
    lines = [["statements", "arguments", "deriving", "for each", "memory"]]
    for signature in ("", "x: float64[n], k: float"):
        for n in (200, 1000, 5000):
            command = [sys.executable, "-c", LONG.format(n=n, signature=signature)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, kilobytes = map(float, done.stdout.split())
            memory = f"{kilobytes / 1024:.0f} MB"
            given = f"`{signature}`" if signature else "whatever"
            lines.append([f"{n:,}", given, duration(seconds), duration(seconds / n), memory])
    return "Deriving a straight line, `y1 = np.sin(y0) * k` and so on:\n\n" + table(lines)
