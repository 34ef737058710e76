"""To derive a function takes what its length is: so many calls, and so much memory."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable

import pytest

from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source

HEAD = "import numpy as np\n\n\ndef f(x, k):\n"


def new_names(n: int) -> str:
    lines = (f"    y{i + 1} = np.sin(y{i}) * k\n" for i in range(n))
    return f"{HEAD}    y0 = x\n{''.join(lines)}    return np.sum(y{n})\n"


def one_name(n: int) -> str:
    lines = "    y = np.sin(y) * k\n" * n
    return f"{HEAD}    y = x\n{lines}    return np.sum(y)\n"


def stores(n: int) -> str:
    lines = (f"    u[{i % 9 + 1}] = np.sin(u[{i % 9}]) * k\n" for i in range(n))
    return f"{HEAD}    u = np.zeros(10)\n    u[0] = x[0]\n{''.join(lines)}    return np.sum(u)\n"


def one_loop(n: int) -> str:
    lines = "        y = np.sin(y) * k\n" * n
    return f"{HEAD}    y = x\n    for _ in range(3):\n{lines}    return np.sum(y)\n"


def decisions(n: int) -> str:
    lines = (f"    if k > {i}:\n        y = np.sin(y)\n" for i in range(n))
    return f"{HEAD}    y = x\n{''.join(lines)}    return np.sum(y)\n"


PROGRAMS = (new_names, one_name, stores, one_loop, decisions)
FEW, MANY = 50, 200


def derive(text: str) -> None:
    source = Source("long.py", "long", text)
    made = engine.derive(Request("long.f", ("x",)), StaticResolver({"long": source}.get))
    assert made.findings == ()


def n_calls(text: str) -> int:
    """How often functions are called, and generators go on, until a derivative is there."""
    found = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal found
        found += event == "call"

    sys.setprofile(count)
    try:
        derive(text)
    finally:
        sys.setprofile(None)
    return found


def peak(text: str) -> int:
    """How much memory is in use at most while a derivative is written."""
    gc.collect()
    tracemalloc.start()
    try:
        derive(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("measured", [n_calls, peak])
def test_what_it_takes_grows_with_the_length(
    program: Callable[[int], str], measured: Callable[[str], int]
) -> None:
    derive(program(2))
    assert measured(program(MANY)) < 1.3 * MANY / FEW * measured(program(FEW))
