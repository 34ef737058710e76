"""Arrays that a module holds, changed by whatever else has them: refused, and never without a word.

What else the same list or object holds may change.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
import thinning

import adlsp

HELD = {
    "c[0]": (
        "c = [W, x]",
        "c = (W, x)",
        "c = [None]\n    c[0] = W",
        "c = []\n    c.append(W)",
        "c = [pick()]",
        "c = list((W,))",
        "c = [W for _ in range(2)]",
        "c = [W] * 2",
        "c = HELD",
        "c = HELD + [x]",
        "c = HELD.copy()",
        "c = [*HELD]",
        "c = [a for a, b in zip(HELD, [x])]",
        "c = made()",
        "c = [W[:2], x]",
        "c = [np.asarray(W)]",
        "c = [W.T]",
        "c = deque([W])",
    ),
    "c[0][0]": ("c = [[W]]",),
    "c['a']": ("c = {'a': W}", "c = dict(a=W)"),
    "c.w": (
        "c = Box(W)",
        "c = Box(None)\n    c.w = W",
        "c = Named(W)",
        "c = SimpleNamespace(w=W)",
        "c = made_object()",
    ),
    "c": (
        "c = pick()",
        "c = same(W)",
        "c = held()",
        "c = W if s > 0 else x",
        "c = TABLE['w']",
        "c = Shared.w",
        "c = {0: W}.get(0)",
        "c = [W].pop()",
        "c = partial(same, W)()",
        "c = (lambda: W)()",
        "c = max([W, W], key=len)",
        "c = next(iter([W]))",
        "c = None or W",
    ),
}
"""Ways to hold the array, by how it is read there."""

CHANGES = (
    "E *= s",
    "E[0] = s",
    "v = E\n    v *= s",
    "v = E[1:]\n    v += s",
    "scaled(E, s)",
    "for e in (E,):\n        e *= s",
    "E.fill(s)",
    "E[:] = E * s",
    "E[1:] += s",
    "stored(E, s)",
)

TEXT = """
from collections import deque
from functools import partial
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

W = np.array([1.0, 2.0, 3.0])
HELD = [W]
RATE = 0.3
TABLE = {{"w": W}}


class Box:
    def __init__(self, w, v=None):
        self.w, self.v, self.rate = w, v, 0.5

    def step(self, s):
        self.v += s
        self.rate *= s
        self.v[0] *= s


class Named(NamedTuple):
    w: np.ndarray


class Shared:
    w = W


def pick():
    return W


def rate():
    return RATE


def same(w):
    return w


def held(w=W):
    return w


def made():
    return [W]


def made_object():
    return Box(W)


def scaled(a, s):
    a *= s


def stored(a, s):
    a[0] = s


def f(x, s):
    {}
    {}
    return np.sum({} * x)
"""

PROGRAMS = [
    TEXT.format(made, change.replace("E", read), "W")
    for read, every in HELD.items()
    for made in every
    for change in CHANGES
    if change != CHANGES[0] or made not in ("c = (W, x)", "c = Named(W)")
]
"""All of these but for the two tuples of which no part can be set."""

POINT = {"x": np.array([0.5, 0.3, 0.9]), "s": 1.3}


@pytest.mark.parametrize("part", range(4))
def test_changes_are_refused(folder: Path, part: int) -> None:
    wrong = []
    for number, text in enumerate(thinning.some(PROGRAMS[part::4])):
        module = oracle.load(folder / f"of_modules_{part}_{number}.py", text)
        module.f(**POINT)
        assert not np.array_equal(module.W, [1.0, 2.0, 3.0]), text
        for derivative, given in ((adlsp.grad, POINT), (adlsp.jvp, {**POINT, "dots": (1.0,)})):
            try:
                derivative(module.f, wrt="s")(**given)
            except adlsp.DifferentiationError:
                continue
            wrong.append(text)
    assert not wrong, "\n".join(wrong)


ACCEPTED = (
    ("c = Box(W, x * 1.0)\n    c.step(s)", "c.v[1] -= s", "c.v * c.w * c.rate"),
    ("c = {'a': W}\n    c['a'] = c['a'] * s", "c['a'][0] *= s", "c['a']"),
    ("c = [g(x) for g in (np.sin, np.cos)]\n    c[0] *= s", "c.append(W)", "c[0] * c[2] + c[1]"),
    (
        "c = [x * 1.0]\n    d = [x * 2.0]\n    c.append(RATE)\n    d.append(RATE)",
        "c[0] *= s",
        "d[0] * c[0]",
    ),
    (
        "c = {'a': x * 1.0, 'r': rate()}\n    d = [x * 2.0, rate()]",
        "c['a'] *= s",
        "d[0] * c['a'] * d[1]",
    ),
    ("c = (np.pi, x * 1.0)", "c[1][:] *= s", "c[1] * c[0]"),
    ("c = dict(zip(('a', 'b'), (W * 1.0, W)))", "c['a'] = c['a'] * s", "c['a'] + c['b']"),
)


@pytest.mark.parametrize("parts", ACCEPTED)
def test_what_else_is_held_may_change(folder: Path, parts: tuple[str, str, str]) -> None:
    path = folder / f"beside_{ACCEPTED.index(parts)}.py"
    verdict = oracle.run_called(path, TEXT.format(*parts), ("x", "s"), (POINT,))
    assert verdict == oracle.Verdict((), 1)
