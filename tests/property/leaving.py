"""Random programs with several returns, which give arrays, or lists and dictionaries of them.

What changes an array in one branch must leave alone what the same name is in another one.
"""

from __future__ import annotations

import random
import textwrap
from typing import NamedTuple

import numpy as np

HEAD = """import numpy as np


class Box:
    def __init__(self, v):
        self.v = v

    def put(self, w):
        self.v = self.v + w * self.v[0]


def first(a, b):
    if a[0] > 100.0:
        return a
    a = a * 0.5
    a[1] += b[0]
    return a


def scaled(a, s):
    if s > 0.5:
        return a
    a = a * 2.0
    a[2] = a[0] * s
    return a


"""

POINT = {"x": np.array([0.7, -0.6, 0.4])}

STEPS = """
v *= 2.0
---
v[0] = v[1] * v[2]
---
w[:] = v * v
---
w = v
---
w += v
---
v = v * w + x
---
w = v[::-1]
w *= 3.0
---
for i in range(3):
    v[i] *= v[0]
---
t = v
t += x
---
v[1:] += v[:-1]
---
w = v.copy()
w[1] = v[0]
---
v, w = w, v
---
held = [v, w]
held[0] *= 2.0
v = held[0] + held[1]
---
held = {"a": v}
held["a"] = held["a"] * w
v = held["a"]
---
v = np.append(v, x[0])[1:]
---
s = s + v[0] * w[1]
v = v * s
---
if s > 0:
    v = v + 1.0
else:
    w = w * 2.0
---
rows = []
for r in v:
    rows.append(r * s)
w = np.array(rows)
---
v = np.where(v > 0, v * w, x)
---
w[v > 0] = 2.0
---
v = v.reshape(1, 3)[0]
v[0] += s
---
while s < 3.0:
    s = s * 1.7 + 0.3
    v = v * 1.1
---
v = first(v, w)
---
v = scaled(v, s) + x
---
box = Box(v)
box.put(w)
v = box.v
"""

SHELLS = (
    """
{step}
if x[0] {sign} 0.0:
    {step}
    return {result}
{step}
return {result}
""",
    """
{step}
if s > 100.0:
    return {result}
{step}
if x[1] {sign} 0.0:
    return {result}
{step}
return {result}
""",
    """
for k in range(3):
    {step}
    if k == 1:
        continue
    {step}
if x[0] {sign} 0.0:
    {step}
    return {result}
return {result}
""",
    """
if x[0] {sign} 0.0:
    if s > 0.1:
        {step}
        return {result}
    {step}
else:
    {step}
{step}
return {result}
""",
)

RESULTS = (
    "v",
    "w",
    "v, w",
    "[v, w]",
    '{"a": v, "b": w}',
    "v * w",
    "np.sum(v * w)",
    "v[1:]",
    "v, v",
    "s",
    "(v, s)",
    "v + w[0]",
)


class Program(NamedTuple):
    """A program with the function `f` of an array of three numbers."""

    text: str


def write(seed: int) -> Program:
    """The program of a seed."""
    choice = random.Random(seed)
    steps = [each.strip("\n") for each in STEPS.split("---\n")]
    result, sign = choice.choice(RESULTS), choice.choice("<>")
    lines = ["v = x * 1.5", "w = np.array([1.0, 2.0, 3.0])", "s = x[1] * x[1]"]
    for line in choice.choice(SHELLS).strip("\n").split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        if line.strip() == "{step}":
            lines.append(textwrap.indent(choice.choice(steps), indent))
        else:
            lines.append(line.replace("{sign}", sign).replace("{result}", result))
    body = textwrap.indent("\n".join(lines), "    ")
    return Program(f"{HEAD}def f(x):\n{body}\n")
