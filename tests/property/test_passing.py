"""Functions that are given to others: whatever they are, and by whichever way, right or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest

FUNCTIONS = {
    "named": "base",
    "of NumPy": "np.sin",
    "lambda": "(lambda v: v**2 * k)",
    "closure": "(lambda v: v * y[0])",
    "inner": "inner",
    "partial": "functools.partial(two, b=k)",
    "method": "Holder(k).scaled",
    "method of interest": "Holder(y[1]).scaled",
    "object": "Holder(k)",
    "made": "scaled(2.0)",
    "made of interest": "scaled(y[1])",
    "composed": "composed(np.sin, lambda v: v * y[0])",
    "from a table": "TABLE[name]",
    "decorated": "decorated",
}

WAYS = {
    "called": "{}(x)",
    "given": "apply({}, x)",
    "given by name": "apply(x=x, g={})",
    "wrapped": "wrapped({}, x, y)",
    "wrapped by a function": "inside({}, x, y)",
    "with more": "more({}, x, y[0], y[1])",
    "in a loop": "looped({}, x)",
    "in a list": "several([{}, np.cos], x)",
    "put into a list": "listed({}, x)",
    "put into a list inside": "apply(lambda v: listed({}, v), x)",
    "in a dictionary": "named({{'f': {}}}, x)",
    "in an object": "Solver({}).run(x)",
    "put into an object": "solved({}, x)",
    "twice": "wrapped(lambda v: wrapped({}, v, y), x, y)",
    "mapped": "np.array(list(map({}, [x[0], x[1]])))",
    "given back": "given({})(x)",
    "chosen": "apply({} if y[0] > 0 else np.cos, x)",
    "from a list": "[{}, np.cos][len(name) - 1](x)",
    "made of": "apply(composed({}, base), x)",
    "made of several": "several([composed({}, base), scaled(y[0])], x)",
}

PROGRAM = """
import functools

import numpy as np


def base(v):
    return v * v + 1.0


def two(a, b=2.0):
    return a * b + np.sin(a)


def decorate(g):
    def inner(*args):
        return g(*args) * 2.0

    return inner


@decorate
def decorated(v):
    return v**2


def scaled(c):
    c2 = c * c

    def inner(v):
        return c * v**2 + c2

    return inner


def composed(f, g):
    return lambda v: f(g(v))


class Holder:
    def __init__(self, c):
        self.c = c

    def scaled(self, v):
        return self.c * v**2

    def __call__(self, v):
        return self.c * np.cos(v)


TABLE = {{"a": base, "b": lambda v: v**3, "c": lambda v: v * 2.0}}


def apply(g, x):
    return g(x)


def wrapped(g, x, y):
    return apply(lambda v: g(v) * y[0] + v, x)


def inside(g, x, y):
    def own(v):
        u = g(v)
        return u * y[0] + u

    return apply(own, x)


def more(g, x, *args):
    return apply(lambda v: g(v) * args[0] + args[1], x)


def looped(g, x):
    for i in range(3):
        x = x + 0.1 * g(x)
    return x


def several(gs, x):
    for g in gs:
        x = g(x)
    return x


def listed(g, x):
    return several([g, np.sin], x)


def named(gs, x):
    return gs["f"](x) * x


class Solver:
    def __init__(self, g):
        self.g = g

    def run(self, x):
        for _ in range(2):
            x = x + 0.1 * self.g(x)
        return x


def solved(g, x):
    return Solver(g).run(x)


def given(g):
    return g


def f(x, y, k, name):
    def inner(v):
        return v * y[1] + k

    return np.sum({way})
"""

POINT = {"x": np.array([0.4, 0.7]), "y": np.array([0.3, 0.9]), "k": 1.3, "name": "b"}


@pytest.mark.parametrize("what", FUNCTIONS)
def test_functions_that_are_given_are_right_or_refused(folder: Path, what: str) -> None:
    programs = [PROGRAM.format(way=way.format(FUNCTIONS[what])) for way in WAYS.values()]
    assert oracle.run_each(folder, f"passing_{what}", programs, POINT, wrt=("x", "y"))
