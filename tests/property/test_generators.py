"""What generators give, by what runs through it: derivatives are right, or refused.

A generator goes on where what runs through it asks for more, so both see what the other changes. A
derivative that takes it for a list must not be wrong of that.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest

GENERATORS = {
    "views": "for i in range(len(x) - 1):\n        yield x[i : i + 2]",
    "copies": "for i in range(len(x) - 1):\n        yield x[i : i + 2] * x[0]",
    "a buffer": (
        "b = x[:2].copy()\n    for i in range(3):\n        b *= x[:2] * 0.5 + i\n        yield b"
    ),
    "a buffer of data": (
        "b = np.zeros(2)\n    for i in range(3):\n        b[0] = i\n        yield b"
    ),
    "a list that grows": (
        "b = [x[0]]\n    for i in range(3):\n        b.append(x[i])\n        yield b"
    ),
    "stores into what it is given": (
        "for i in range(2):\n        yield x[i : i + 2]\n        x[i] = x[i + 1] * x[0]"
    ),
    "several places": "yield x[:2]\n    yield np.sin(x[1:])\n    yield x[:2] * x[0]",
    "a condition": (
        "for i in range(len(x) - 1):\n        if x[i] > 0:\n            yield x[i:][:2]\n"
        "        else:\n            yield -x[:2]"
    ),
    "a while loop": "while x[0] < 3:\n        yield x[:2]\n        x = x * 1.7",
    "another generator": "yield from inner(x)\n    for v in inner(x[::-1]):\n        yield v * 2",
    "loops in loops": (
        "for i in range(2):\n        for j in range(i + 1):\n"
        "            yield x[i] * x[j : j + 2] / 2"
    ),
}

CONSUMERS = {
    "a loop": "for v in {}:\n        total = total * v[0] + v[1]",
    "a loop with stores": "for v in {}:\n        total = total + v[1]\n        a[1] = a[1] * v[0]",
    "a loop that binds again": (
        "for v in {}:\n        total = total + v[1]\n        a = a * 0.5 + v[0]"
    ),
    "a loop with stores into it": "for v in {}:\n        v[0] = v[1] ** 2\n        total += v[0]",
    "a loop in a loop": (
        "for i in range(2):\n        for v in {}:\n            total = total * v[0] + v[1] * i"
    ),
    "enumerate": "for i, v in enumerate({}):\n        total = total * v[0] + v[1] * i",
    "zip": "for u, v in zip(x, {}):\n        total = total * v[0] + v[1] * u",
    "map": "for v in map(np.negative, {}):\n        total = total * v[0] + v[1]",
    "a generator expression": "for v in (2 * u[0] for u in {}):\n        total = total * v + 1",
    "a comprehension": "total = sum([v[0] * v[1] for v in {}])",
    "a sum": "total = sum(v[0] * v[1] for v in {})",
    "a whole sum": "total = np.sum(sum(np.asarray(v[:2]) for v in {}))",
    "a list": "total = np.prod(list({})[1][0]) * x[1]",
    "a stack": "total = np.sum(np.stack([np.asarray(v[:2]) for v in {}], axis=1)[0] ** 2)",
    "an array": "total = np.sum(np.array([v[0] for v in {}]) ** 2)",
    "parts": "u, v, *_ = {}\n    total = u[0] * v[1]",
    "the first": "total = next({})[0] ** 2",
    "the largest": "total = max({}, key=lambda v: v[0])[1]",
    "one that is kept": "g = {}\n    for v in g:\n        total = total * v[0] + v[1]",
    "one that is run through twice": "g = {}\n    total = sum(v[0] for v in g) + 2 * len(list(g))",
}

CHANGING = ("a list that grows", "stores into what it is given")
"""Of these all may be refused, by what stands before the first loop over them."""

PROGRAM = """
import numpy as np


def inner(x):
    for i in range(len(x) - 1):
        yield x[i : i + 2] * x[-1]


def generator(x):
    {generator}


def f(x):
    total, a = 0.5, x * 1.5
    {consumer}
    return total + a[0] * a[1]
"""

POINT = {"x": np.array([0.9, -1.25, 0.7])}


@pytest.mark.parametrize("generator", GENERATORS)
def test_generators_are_right_or_refused(folder: Path, generator: str) -> None:
    """It is given what is of interest, and what is computed of that, in turn."""
    programs = [
        PROGRAM.format(
            generator=GENERATORS[generator], consumer=each.format(f"generator({'xa'[at % 2]})")
        )
        for at, each in enumerate(CONSUMERS.values(), [*GENERATORS].index(generator))
    ]
    n_accepted = oracle.run_each(folder, f"generators_{generator}", programs, POINT)
    assert n_accepted or generator in CHANGING
