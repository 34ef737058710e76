"""What is read of structures in structures: how they are nested, and where their parts are used."""

from __future__ import annotations

import random

HEAD = """
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    w: np.ndarray
    b: np.ndarray


@dataclass
class Dense:
    w: np.ndarray
    b: np.ndarray
    name: str = "dense"


class Net:
    def __init__(self, first, second):
        self.first = first
        self.second = second
        self.n_seen = 3


def array(seed, dtype="float64"):
    return np.linspace(-1.0, 1.0 + seed, 3).astype(dtype)


def scaled(p, x):
    return {w} * x + {b}


def make():
    return {given}


def f(net, x):
    y = x
{body}
    return np.sum(y * np.sin(y))
"""

PAIRS = {
    "dictionary": ('{{"w": {0}, "b": {1}}}', '["w"]', '["b"]'),
    "tuple": ("({0}, {1})", "[0]", "[1]"),
    "list": ("[{0}, {1}]", "[0]", "[-1]"),
    "named tuple": ("Pair({0}, {1})", ".w", ".b"),
    "dataclass": ("Dense({0}, {1})", ".w", ".b"),
}
"""What holds two arrays, and how each is read."""

OUTER = {
    "dictionary": ('{{"a": {0}, "b": {1}, "kind": "two"}}', '["a"]', '["b"]'),
    "list": ("[{0}, {1}]", "[0]", "[1]"),
    "tuple": ("({0}, {1})", "[-2]", "[1]"),
    "object": ("Net({0}, {1})", ".first", ".second"),
    "deep": ('{{"m": Net([{0}], {{"k": {1}}})}}', '["m"].first[0]', '["m"].second["k"]'),
}
"""What holds two such pairs, and how each is read."""

LEAVES = ("array({n})", "array({n})", "array({n})", "array({n}, 'float32')", "0.{n}5", "{n}")

USES = (
    "y = y * net{p}{w} + net{p}{b}",
    "y = np.tanh(y + net{p}{w})",
    "y = y + net{p}{w} * net{q}{w}",
    "y = net{p}{b} + y",
    "for i in range(3):\n        y = y * 0.5 + net{p}{w} * i",
    "if x[0] > 0:\n        y = y * net{p}{w}\n    else:\n        y = y - net{q}{b}",
    "p = net{p}\n    y = y + p{w} * x",
    "y = y + scaled(net{p}, x)",
    "for p in (net{p}, net{q}):\n        y = y + p{b} * 0.3",
    "a, b, *rest = (net{p}{w}, net{p}{b}, x)\n    y = y + a * b",
    "y = np.array(y)\n    y += net{p}{b}",
    "y = sum([y * 0.5, net{q}{w}, net{q}{b}])",
)
"""What is done with what, of `net` and a vector."""


def write(seed: int) -> str:
    """A program with a function `f(net, x)`, and `make()` for what it is given."""
    rng = random.Random(seed)
    pair, w, b = PAIRS[rng.choice([*PAIRS])]
    outer, p, q = OUTER[rng.choice([*OUTER])]
    leaves = [rng.choice(LEAVES).format(n=n) for n in range(1, 5)]
    given = outer.format(pair.format(*leaves[:2]), pair.format(*leaves[2:]))
    lines = []
    for _ in range(rng.randint(1, 5)):
        either = rng.sample((p, q), 2)
        lines.append("    " + rng.choice(USES).format(p=either[0], q=either[1], w=w, b=b))
    text = HEAD.replace("{given}", given).replace("{body}", "\n".join(lines))
    return text.replace("{w}", f"p{w}").replace("{b}", f"p{b}")
