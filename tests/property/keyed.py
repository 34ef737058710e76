"""Dictionaries and lists of whose places a loop reads some: how these are named, and used."""

from __future__ import annotations

import random

HEAD = """
import numpy as np


def array(seed, dtype="float64"):
    return (np.linspace(-1.0, 1.0 + seed, 3) / 4).astype(dtype)


def matrix(seed):
    return np.sin(np.arange(9.0) + seed).reshape(3, 3)


def make():
    net = {}
    for i in range(-4, 9):
        net[f"W{i}"] = {first}
        net[f"b{i}"] = {second}
    net["last"] = array(3)
    {some}
    return net


def f(net, x):
    y = x
    n = {n}
{body}
    return np.sum(y * np.sin(y))
"""

LEAVES = (
    "array(i)",
    "array(i)",
    "matrix(i)",
    "matrix(i)",
    "array(i, 'float32')",
    "0.1 * i",
    "array(i) if i % 2 else array(i, 'float32')",
)

SOME = (
    "",
    "net = {k: v for k, v in net.items() if k in ('W0', 'W1', 'b0', 'b1')}",
    "net = {k: v for k, v in net.items() if k in ('W1', 'W2', 'W3')}",
    "net = [net[f'W{i}'] for i in range(5)]",
    "net = tuple(net[f'W{i}'] for i in range(5))",
    "net = {i: net[f'W{i}'] for i in range(-4, 5)}",
)
"""What is kept of it."""

RUNS = (
    "range(n)",
    "range(2)",
    "range(1, n + 1)",
    "range(n - 1, -1, -1)",
    "range(0, n, 2)",
    "reversed(range(2))",
    "range(1 - n, 2)",
    "(0, 1)",
    "[1, 1]",
)

KEYS = (
    'f"{k}{i}"',
    '"{k}" + str(i)',
    '"{k}%d" % i',
    '"{k}{}".format(i)',
    'f"{k}{i + 1}"',
    'f"{k}{n - i}"',
    'f"{k}{i // 2}"',
    'f"{k}{i % 2}"',
    'f"{k}{abs(i)}"',
    'f"{k}{int(x[0] > i)}"',
    '"{k}1"',
)
"""The keys of a pass; some stay the same in two of them."""

NUMBERS = ("i", "i", "i + 1", "i - n", "-i", "i // 2", "n - i", "0")
"""The same of a list, or of integers."""

PARTS = (
    "y = y * net[{one}]",
    "y = np.tanh(y + net[{one}] * x)",
    "y = y + net[{one}]",
    "y = y + np.sum(net[{one}])",
    "y = y @ np.atleast_2d(net[{one}] * np.eye(3))",
    "y = np.tanh(net[{one}] * np.ones((3, 3)) @ y)",
    "y = np.sum(net[{one}] * np.ones((3, 3)), axis=0) * y",
    "y = np.tanh(np.dot(net[{one}], y)) + np.zeros(3)",
    "y = y - np.dot(net[{one}], x) * y",
    "y = y * np.mean(net[{one}] * np.ones(3), keepdims=True)",
    "y = y * net[{one}] + net[{other}]",
    "p = net[{one}]\n        y = y + p * p",
    "if i:\n            y = y - net[{one}]",
    "if x[0] > i:\n            y = y * net[{one}]\n        else:\n            y = y + net[{other}]",
    "for j in range(2):\n            y = y * 0.5 + net[{one}] * j",
    "key = {one}\n        y = y + net[key] * x",
    "y = net[{one}] * 1.0",
    "y = y + sum(net[{k}] for k in ({one}, {other}))",
)
"""What one pass does."""

BEHIND = ("y = y * net[{constant}]", "y = y + 0.5 * np.cos(net[{constant}])", "", "", "", "")


def write(seed: int) -> str:
    """A program with a function `f(net, x)`, and `make()` for what it is given."""
    rng = random.Random(seed)
    some = rng.choice(SOME)
    has_texts = "in (" in some or not some
    body: list[str] = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        body.append(f"    for i in {rng.choice(RUNS)}:")
        for _ in range(rng.choice((1, 1, 1, 2))):
            letters = rng.sample("Wb", 2) if has_texts and "W3" not in some else ["W", "W"]
            keys = [
                rng.choice(KEYS).replace("{k}", k) if has_texts else rng.choice(NUMBERS)
                for k in letters
            ]
            part = rng.choice(PARTS).replace("{one}", keys[0]).replace("{other}", keys[1])
            body.append("        " + part.replace("{k}", "k"))
        constant = '"W1"' if has_texts else "1"
        behind = rng.choice(BEHIND).replace("{constant}", constant)
        body.append("    " + behind if behind else "")
    leaves = [rng.choice(LEAVES) for _ in range(2)]
    text = HEAD.replace("{first}", leaves[0]).replace("{second}", leaves[1])
    text = text.replace("{n}", rng.choice(("2", "len(net) // 2", "3")))
    return text.replace("{some}", some).replace("{body}", "\n".join(body))
