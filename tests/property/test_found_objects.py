"""Objects that a loop, a branch or a function finds, or none: right at both, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
import thinning

CLASSES = {
    "class": "class Found:\n    def __init__(self, p, k):\n        self.p, self.k = p, k\n",
    "dataclass": "@dataclass\nclass Found:\n    p: float\n    k: float\n",
    "tuple": "class Found(NamedTuple):\n    p: float\n    k: float\n",
    "equal": (
        "class Found:\n    def __init__(self, p, k):\n        self.p, self.k = p, k\n"
        "    def __eq__(self, other):\n        return isinstance(other, Found)\n"
    ),
}

FINDING = (
    "H = None\n    for v in every:\n        if v.p > 1.0:\n            H = v",
    "H, best = None, 1\n    for v in every:\n        if v.p > best:\n            best, H = v.p, v",
    "H = every[1] if every[1].p > 1.0 else None",
    "H = found(every, 1.0)",
    "H = every[0]\n    for v in every:\n        H = None if v.p < 1.0 else v",
    "H = None\n    for v in every:\n        if v.p > 1.0:\n            H = Found(v.p * s, x[0])",
)

HOLDERS = ("h", "box.held", "box['held']", "box[0]")

READ = (
    "if H is None:\n        return x[0] * s\n    return H.p * H.k + s",
    "y = x[1] * s\n    if H is not None:\n        y = y + H.val(x[0])\n    return y",
    "y = x[2] * s\n    if H != None:\n        y = y * H.p\n    return y",
    "y = x[2] * s\n    if isinstance(H, Found):\n        y = y * H.p\n    return y",
    "return H.p * s if hasattr(H, 'p') else x[0]",
    "return used(H, s) + x[0]",
    "y = x[1]\n    for v in every:\n        y = y + v.p * s if v is H else y + v.k\n    return y",
    "some = [v for v in (every[0], H) if v is not None]\n    return sum(v.p for v in some) * s",
    "H = copy.copy(H)\n    return x[0] if H is None else H.k * H.p",
    "if H is None:\n        H = every[0]\n    return H.p * H.k",
)

TEXT = """
import copy
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np


{}
    def val(self, s):
        return self.p * s + self.k


def found(every, least):
    held = None
    for v in every:
        if v.p > least:
            held = v
    return held


def used(held, s):
    if held is None:
        return s
    return held.p * s


def f(x, s):
    every = [Found(x[0] * s, x[1]), Found(x[1] * s, x[2]), Found(x[2] ** 2, x[0])]
    {}{}
    {}
"""

BOXES = {"h": "", "box.held": "box = SimpleNamespace(held=None)\n    "}
BOXES |= {"box['held']": "box = {}\n    ", "box[0]": "box = [None]\n    "}

POINTS = tuple({"x": np.array(x), "s": 0.9} for x in ([0.5, 2.0, 1.5], [0.3, 0.2, 0.4]))

ACCEPTED = 3
"""How many programs of each class and holder are not refused, of ways to find and to read."""


@pytest.mark.parametrize(("kind", "holder"), thinning.pairs(CLASSES, HOLDERS))
def test_derivatives_are_right_or_refused(folder: Path, kind: str, holder: str) -> None:
    programs = [
        TEXT.format(CLASSES[kind], BOXES[holder], *(t.replace("H", holder) for t in (find, read)))
        for find in FINDING
        for read in READ
    ]
    first = HOLDERS.index(holder) + len(HOLDERS) * ([*CLASSES].index(kind) % 2)
    of_holder = programs[first :: 2 * len(HOLDERS)]
    name = f"found {kind} {HOLDERS.index(holder)}"
    assert oracle.run_each(folder, name, of_holder, POINTS[0], ("x", "s"), POINTS[1]) >= ACCEPTED
