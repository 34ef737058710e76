"""Random programs of which each is called with arguments of several types in turn.

A program is written for numbers, vectors of one length `n`, square matrices, lists of vectors, a
dictionary and a dataclass. The arguments are then drawn: those, or NumPy's numbers, 0-d arrays,
other ranks, sizes of 1 and 0, lists and tuples, single precision, integers, booleans, complex
numbers, arrays with gaps or that must not be written into, and one array given twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

HEAD = """from dataclasses import dataclass
from functools import partial, reduce
import math

import numpy as np

RATE = 0.75
OFFSETS = np.array([0.25, -0.5, 0.125])


@dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray

    def __call__(self, v):
        return np.tanh(self.w @ v + self.b)

    def penalty(self, rate=0.5):
        return rate * np.sum(self.w * self.w) + np.sum(self.b)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def softplus(z, beta=1.0):
    return np.log1p(np.exp(beta * z)) / beta
"""

HELPERS = {
    "elementwise": (
        "def {f}(z):\n    return np.exp(z) / (1.0 + np.exp(z))\n",
        "def {f}(z):\n    return 0.5 * (np.tanh(0.5 * z) + 1.0)\n",
        "def {f}(z):\n    return z * sigmoid(z)\n",
        "def {f}(z, rate=RATE):\n    z = z * rate\n    return z * z\n",
        "def {f}(z, c=2.0, *, d=0.5):\n    return np.sin(c * z) + d * z\n",
        "def {f}(z):\n    e = np.exp(-z)\n    return (1.0 - e) / (1.0 + e)\n",
        "def {f}(z):\n    if np.sum(z) > 0.3:\n        return np.sin(z)\n    return z * 0.5\n",
        "def {f}(z):\n    y = z\n    for _ in range(2):\n        y = np.tanh(y + z)\n    return y\n",
        "def {f}(z):\n    return np.where(z > 0.0, z, 0.1 * z)\n",
        "def {f}(z):\n    return np.log(np.clip(sigmoid(z), 0.1, 0.9))\n",
        "def {f}(z):\n    q = sigmoid(z)\n    return q * np.log(q) + (1.0 - q) * np.log(1.0 - q)\n",
        "def {f}(z):\n    return np.maximum(z, 0.0) + np.minimum(z, 0.2)\n",
        "{f} = partial(softplus, beta=2.0)\n",
        "{f} = lambda z: np.sqrt(z * z + 1.0)\n",
        "def {f}(z):\n    def inner(u):\n        return u * RATE + np.cos(u)\n\n    return inner(inner(z))\n",
        "def {f}(z, depth=2):\n    if depth == 0:\n        return z\n    return np.sin({f}(z, depth - 1)) + z\n",
        "def {f}(z):\n    return np.abs(z) ** 1.5 + z ** 2\n",
    ),
    "binary": (
        "def {f}(a, b):\n    return a * b + 0.5 * a\n",
        "def {f}(a, b, t=0.25):\n    return (1.0 - t) * a + t * b\n",
        "def {f}(a, b):\n    return np.sqrt(a * a + b * b + 1.0)\n",
        "def {f}(a, b):\n    a = a * b\n    b = a * b\n    return a + b\n",
        "def {f}(a, b):\n    d = a - b\n    return np.exp(-d * d)\n",
        "def {f}(a, b=0.5):\n    return sigmoid(a) * (1.0 - sigmoid(b)) + sigmoid(a)\n",
        "def {f}(a, b):\n    return np.where(a > b, a * a, b)\n",
        "def {f}(a, b):\n    return -(b * np.log(sigmoid(a)) + (1.0 - b) * np.log(1.0 - sigmoid(a)))\n",
        "def {f}(a, b):\n    return softplus(a) - b * a\n",
    ),
    "score": (
        "def {f}(v):\n    return np.sum(v * v)\n",
        "def {f}(v):\n    s = 0.0\n    for e in v:\n        s += e * e\n    return s\n",
        "def {f}(v):\n    return np.mean(sigmoid(v))\n",
        "def {f}(v):\n    total = 0.0\n    for i in range(len(v)):\n        total = total + v[i] * np.sum(v[:i])\n    return total\n",
        "def {f}(v):\n    return np.sum(v * np.sin(v)) / (1.0 + np.sum(v * v))\n",
        "def {f}(v):\n    top = np.max(v)\n    return top + np.log(np.sum(np.exp(v - top)))\n",
        "def {f}(v):\n    for i in range(len(v)):\n        if v[i] > 0.8:\n            return v[i] * 2.0\n    return np.sum(v)\n",
    ),
    "change": (
        "def {f}(v, r):\n    v *= r\n",
        "def {f}(v, r):\n    v[0] = r * v[-1]\n    return v\n",
        "def {f}(v, r):\n    for i in range(1, len(v)):\n        v[i] += r * v[i - 1]\n",
        "def {f}(v, r):\n    v[:] = np.tanh(v * r)\n    return r\n",
        "def {f}(v, r):\n    w = v[1:]\n    w += r\n",
        "def {f}(v, r):\n    v.reshape(-1)[0] *= r\n",
    ),
}

EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "num": (
        "{num}", "{num}", "{const}", "{num} * {num}", "{num} + {num}", "{num} - {num}",
        "{num} / (1.0 + {num} ** 2)", "np.sin({num})", "np.sum({vec})", "np.sum({vec} * {vec})",
        "np.sum({vec} * {vec} * {vec})", "{vec} @ {vec}", "np.dot({vec}, {vec})", "np.mean({vec})",
        "{name_vec}[0]", "{name_vec}[-1]", "{name_mat}[0, -1]", "{vec}.sum()",
        "np.sum({name_mat}[0, :k] * {name_vec}[:k])", "{name_mat}[0, 1:] @ {name_vec}[1:]",
        "{name_mat}[:, 0] @ {name_vec}", "np.sum({mat} * {mat})", "np.sum({mat})",
        "{elementwise}({num})", "{binary}({num}, {num})", "{binary}({num}, b={num})",
        "{score}({vec})", "np.max({vec})", "np.linalg.norm(np.append({vec}, 2.0))", "np.trace({mat})",
        "({num} if {num} > 0.1 else {num})", "np.sum({any})", "np.mean({elementwise}({any}))",
        "np.sum({binary}({any}, {num}))", "len({name_vec}) * {num}", "{name_vec}.shape[0] * {num}",
        "np.sum(np.outer({vec}, {vec}) * {mat})", "np.vdot({vec}, {vec})", "{vec} @ {mat} @ {vec}",
        "np.einsum('i,ij,j', {vec}, {mat}, {vec})", "np.prod({vec} + 1.5)", "np.var({vec})",
        "max({num}, {num})", "abs({num})", "sum(e * {num} for e in {name_vec})",
        "np.sum(np.log(1.0 + np.exp({vec})))", "np.sum(np.square({vec} - {num}))",
        "{num} ** 2", "{num} ** k", "2.0 ** {num}", "-{num}",
        "np.mean(-({vec} * np.log(sigmoid({vec}))))", "np.sum(({mat} @ {vec} - {vec}) ** 2)",
    ),
    "vec": (
        "{name_vec}", "{name_vec}", "{vec} + {vec}", "{vec} * {num}", "{num} - {vec}", "{vec} * {vec}",
        "{mat} @ {vec}", "{vec} @ {mat}", "{name_mat}.T @ {vec}", "np.tanh({vec})",
        "{elementwise}({vec})", "{binary}({vec}, {vec})", "{binary}({vec}, {num})",
        "{binary}({num}, {vec})", "{name_mat}[0]", "{name_mat}[:, -1]", "{name_mat}[k - 1]",
        "np.sum({mat}, axis=0)", "np.sum({mat}, axis=1)", "np.mean({mat}, axis=1)",
        "{name_mat}.sum(axis=0)", "np.where({vec} > 0.1, {vec}, {num})", "np.maximum({vec}, {num})",
        "np.clip({vec}, -1.0, 1.0)", "{name_vec}[::-1]", "{vec} / (1.0 + np.sum({vec} ** 2))",
        "np.concatenate([{name_vec}[1:], {name_vec}[:1]])", "np.cumsum({vec})", "np.diag({mat})",
        "np.exp({name_vec} - np.max({name_vec}))", "np.full(len({name_vec}), {num})",
        "{name_vec}.copy()", "np.roll({vec}, 1)", "np.append({name_vec}[1:], {num})",
        "{vec} - np.mean({vec})", "np.array([{num} * e for e in {name_vec}])", "-{vec}",
        "np.sum({vec}[:, None] * {mat}, axis=0)", "np.zeros(len({name_vec})) + {num}",
        "np.zeros_like({name_vec}) + {vec}", "np.asarray({vec})", "np.array({vec})", "1.0 / (1.0 + np.exp(-{vec}))",
        "np.ones({name_vec}.shape) * {vec}", "np.linalg.solve(np.eye(len({name_vec})) * 4.0 + 0.1 * {mat}, {vec})",
        "({vec} if {num} > 0.2 else {vec})", "np.sort({vec})", "{vec} ** 2", "abs({vec})",
        "np.stack([{vec}, {vec}]).sum(axis=0)", "np.dot({mat}, {vec})", "np.einsum('ij,j->i', {mat}, {vec})",
        "np.hstack([{num}, {name_vec}[1:]])", "{name_mat}[0, :] * {name_mat}[:, 0]", "np.sqrt({vec} * {vec} + 0.5)",
    ),
    "mat": (
        "{name_mat}", "{name_mat}", "np.outer({vec}, {vec})", "{mat} * {mat}", "{mat} + {vec}",
        "{mat} * {vec}[:, None]", "{mat} @ {mat}", "{name_mat}.T", "np.tanh({mat})", "{mat} * {num}",
        "{elementwise}({mat})", "{binary}({mat}, {num})", "{binary}({mat}, {vec})",
        "{vec}[:, None] - {vec}[None, :]", "np.diag({vec})", "np.eye(len({name_vec})) * {num}",
        "{name_mat}[::-1]", "{name_mat}.copy()", "np.sum({mat}, axis=1, keepdims=True) * {mat}",
        "{vec}[:, None] * {vec}", "np.outer({vec}, {vec}) + np.outer({vec}, {vec})", "{mat} - {mat}.T",
        "np.transpose({mat})", "np.stack([{vec} for _ in range(len({name_vec}))])", "{name_vec}.reshape(-1, 1) * {mat}",
        "np.where({mat} > 0.0, {mat}, {num})", "np.maximum({mat}, 0.0)", "np.tril({mat})",
        "{mat} / (1.0 + np.sum({mat} * {mat}, axis=0))", "np.zeros_like({name_mat}) + {vec}",
        "np.exp({name_mat}) / np.sum(np.exp({name_mat}), axis=1, keepdims=True)",
    ),
    "any": (
        "{name_any}", "{name_any}", "{any} * {num}", "{any} + {any}", "{elementwise}({any})", "{binary}({any}, {any})",
        "{binary}({num}, {any})", "np.exp(-{any} ** 2)", "{any} * np.sum({any})", "-{any}", "np.tanh({any})",
        "np.where({any} > 0.2, {any}, {num})", "({any} - np.mean({any}))", "{any} / (1.0 + {any} ** 2)",
        "np.asarray({any}).T", "np.maximum({any}, {num})",
    ),
}  # fmt: skip
"""Expressions by what they give. `{num}` stands for any number, `{name_num}` for a variable."""

STATEMENTS: tuple[str, ...] = (
    "{new_num} = {num}", "{new_vec} = {vec}", "{new_mat} = {mat}", "{new_any} = {any}",
    "{old_num} = {num}", "{old_vec} = {vec}", "{old_mat} = {mat}", "{old_any} = {any}",
    "{old_num} += {num}", "{old_num} *= {num}", "{old_vec} += {vec}", "{old_vec} *= {num}", "{old_vec} -= {num} * {vec}",
    "{old_mat} += np.outer({vec}, {vec})", "{old_mat} += {vec}", "{old_mat} *= {num}", "{old_mat} -= {num} * {mat}",
    "{old_any} += {any}", "{old_any} *= {num}",
    "{name_vec}[0] = {num}", "{name_vec}[-1] *= {num}", "{name_vec}[1:] = {name_vec}[:-1]",
    "{name_vec}[...] = {vec}", "{name_vec}[:k] += {num}", "{name_vec}[::2] = {num}", "{name_vec}[{name_vec} > 0.2] *= {num}",
    "{name_mat}[0] = {vec}", "{name_mat}[:, 0] += {vec}", "{name_mat}[0, -1] = {num}", "{name_mat}[k - 1] *= {vec}",
    "{name_mat}.T[0] = {vec}", "{name_mat}.T[0, -1] += {num}", "{name_mat}.reshape(-1)[0] = {num}", "{name_mat}.ravel()[-1] *= {num}",
    "{name_mat}.flat[0] = {num}", "{name_vec}.real[0] = {num}", "{name_mat}[1:, 1:] -= {num}", "{name_mat}[:k, k:] = {num}",
    "w = {name_mat}[0]; w *= {num}", "w = {name_mat}[:, -1]; w += {vec}", "w = {name_vec}[1:]; w[...] = {num}",
    "w = {name_vec}.reshape(-1, 1); w[0] += {num}", "w = {name_mat}.T; w[0] *= {vec}", "w = {name_mat}[1:]; w[:, 0] = {num}",
    "w = {name_vec}[:, None]; w *= {num}", "w = {name_mat}.reshape(-1); w[1:] += w[:-1]", "w = {name_mat}[::-1]; w[0, 0] = {num}",
    "{change}({name_vec}, {num})", "{change}({name_mat}[0], {num})", "{change}({name_vec}[1:], {num})",
    "{name_any}[...] = {num}", "np.add.at({name_vec}, [0, 0], {num})",
    "{new_num}, {new_vec} = {num}, {vec}", "{old_vec}, {old_vec} = {vec}, {vec}", "{old_num}, {old_num} = {num}, {num}",
    "for i in range(k):\n    {block}", "for i in range(len({name_vec})):\n    {block_i}", "for i in range(len({name_vec})):\n    {block_i}",
    "for i in range(len({name_vec})):\n    {old_num} += {name_vec}[i] * {num}",
    "for i in range(len({name_vec})):\n    {name_vec}[i] = ({name_vec}[i] - {name_mat}[i, :i] @ {name_vec}[:i]) / (2.0 + {name_mat}[i, i] ** 2)",
    "for i in range(len({name_vec}) - 1, -1, -1):\n    {name_vec}[i] = ({name_vec}[i] - {name_mat}[i, i + 1:] @ {name_vec}[i + 1:]) / 3.0",
    "for i in range(len({name_vec})):\n    for j in range(i):\n        {name_mat}[i, j] = {name_mat}[i, j] - np.sum({name_mat}[i, :j] * {name_mat}[j, :j])",
    "for i in range(len({name_vec})):\n    {name_mat}[i, i:] -= {name_vec}[i] * {name_mat}[0, i:]",
    "for i in range(1, len({name_vec})):\n    {name_mat}[i:, 0] += {num} * {name_mat}[:-i, 0]",
    "for i in range(k):\n    {old_mat} += np.outer({vec}, {vec}) * {num}", "for i in range(k):\n    {old_mat} = {old_mat} + {num} * np.outer({vec}, {vec})",
    "for i in range(k):\n    {old_vec} = {vec} + {old_vec}", "for i in range(k):\n    {old_vec} += {num} * ({mat} @ {vec})",
    "for e in {name_vec}:\n    {old_num} = {old_num} + e * {num}", "for r in {name_mat}:\n    {old_vec} = {old_vec} + r * {num}",
    "for r in {name_mat}:\n    r *= {num}", "for e, r in zip({name_vec}, {name_mat}):\n    {old_vec} += e * r",
    "for r, q in zip({name_mat}, {name_mat}):\n    r -= {num} * q", "for i, r in enumerate({name_mat}):\n    {old_num} += r[i] * {num}",
    "for w, g in zip({rows}, {name_mat}):\n    w -= {num} * g", "for w in {rows}:\n    w *= {num}", "for i, w in enumerate({rows}):\n    w[0] = {num}",
    "{rows}[0] = {vec}", "{rows}[-1][0] *= {num}", "{rows}[0] += {vec}", "{new_vec} = {rows}[0] * {rows}[-1]", "{new_vec} = sum({rows})",
    "{new_mat} = np.stack({rows})[:1] * {mat}", "for w in {rows}:\n    {old_num} += {score}(w)",
    "p['b'] = {vec}", "p['w'] += np.outer({vec}, {vec})", "{new_vec} = sigmoid(p['w'] @ {vec} + p['b'])", "p['b'][0] = {num}", "for key in p:\n    p[key] = p[key] * {num}",
    "{new_vec} = p['b'] * {num}", "for key, v in p.items():\n    {old_num} += np.sum(v * v)",
    "{new_vec} = layer({vec})", "{new_num} = layer.penalty()", "{new_num} = layer.penalty(rate={num})", "{new_vec} = layer.b * {vec}", "{new_mat} = layer.w @ {mat}",
    "if {num} > 0.1:\n    {block}\nelse:\n    {block}", "if {num} > 0.1:\n    {block}", "if k > 1:\n    {block}", "if flag:\n    {block}\nelse:\n    {block}",
    "if np.ndim({name_any}) == 0:\n    {old_any} = {any}\nelse:\n    {old_num} = np.sum({name_any})", "if {num} > 1.0:\n    return {num}",
    "for i in range(k):\n    if {num} > 0.9:\n        return {num}\n    {block}", "i = 0\nwhile i < k and {num} < 2.0:\n    {block}\n    i += 1",
    "xs = []\nfor i in range(k):\n    xs.append({vec})\n{new_vec} = np.sum(np.array(xs), axis=0) + {vec}",
    "xs = [{num}]\nfor i in range(k):\n    xs.append(xs[-1] * {num} + {num})\n{new_num} = np.sum(np.array(xs))",
    "xs = [{vec}]\nfor i in range(k):\n    xs.append({elementwise}(xs[i] * {num}) + xs[0])\n{new_vec} = xs[-1]\n{new_num} = np.sum(np.stack(xs))",
    "xs = [{elementwise}(e) * {num} for e in {name_vec}]\n{new_num} = sum(xs)", "{new_vec} = np.array([{binary}(e, {num}) for e in {name_vec}])",
    "state = ({vec}, {num})\nfor i in range(k):\n    v, c = state\n    state = (v * c + {vec}, c * {num})\n{new_vec} = state[0]",
    "d = dict(a={vec}, c={num})\nd['a'] = d['a'] * d['c']\nd['c'] += {num}\n{new_vec} = d['a'] * d['c']",
    "q = sigmoid({vec})\n{old_num} += -np.mean({vec} * np.log(q) + (1.0 - {vec}) * np.log(1.0 - q))",
    "q = sigmoid({vec})\nq = np.clip(q, 0.2, 0.8)\n{old_num} -= np.sum({vec} * np.log(q) + (1.0 - {vec}) * np.log(1.0 - q))",
    "q = 1.0 / (1.0 + np.exp(-{vec}))\n{old_num} += np.sum(np.log(q))\nq = q * {num}\n{old_vec} = q + 1.0 - q * q",
    "q = {elementwise}({vec})\n{old_num} += np.sum(q)\nq *= {num}\n{old_num} += np.sum(q * q)",
    "u = np.exp({name_vec})\n{old_num} += np.sum(np.exp({name_vec}) * u)\n{name_vec}[0] = {num}\n{old_num} += np.sum(np.exp({name_vec}) * u)",
    "u = {old_num} * {old_num}\n{old_num} = {old_num} * {old_num} + u\n{old_num} = u * {old_num}",
    "t = {name_mat} @ {name_vec}\n{old_vec} = {name_mat} @ {name_vec} + t\n{old_vec} = {name_mat} @ {old_vec} * {num}",
    "def local(z, c=0.5):\n    return z * c + np.sin(z)\n\n{new_vec} = local({vec})\n{new_num} = local({num}, c={num})",
    "def local(z):\n    return z * k + len(z)\n\n{new_vec} = local({vec})",
    "{new_vec} = apply({elementwise}, {vec}, k)", "{new_num} = apply({elementwise}, {num}, 2)", "{new_vec} = apply(lambda z: z * RATE + 0.1, {vec}, k)",
    "{new_vec} = heun({binary}, {vec}, {num})", "{new_num} = reduce({binary}, [{num}, {num}, {num}])", "{new_vec} = act({vec})", "{new_num} = act({num}) * act({num})",
    "{new_num} = down({num}, k)", "{new_vec} = down({vec}, k)", "{new_num}, {new_vec} = both({vec}, {num})", "{new_vec} = {vec} + OFFSETS[k - 1]",
)  # fmt: skip
"""Statements; those with more than one line keep their indentation."""

LIBRARY = """
def apply(function, v, times):
    for _ in range(times):
        v = function(v)
    return v


def heun(slope, v, h):
    one = slope(v, h)
    return v + 0.5 * h * (one + slope(v + h * one, h))


def down(z, n):
    return z if n == 0 else 0.5 * z * down(z, n - 1) + z


def both(v, r):
    v = v * r
    return np.sum(v), v + r
"""

PARAMETERS = ("x", "y", "z", "m", "a", "s", "r", "rows", "p", "layer", "act", "flag", "k")
KINDS = {"x": "vec", "y": "vec", "z": "vec", "m": "mat", "a": "any", "s": "num", "r": "num"}
CONSTANT = ("act", "flag", "k")
"""Parameters that have no gradient."""


@dataclass
class Writer:
    """Writes statements over the variables that there are, by kind."""

    random: Random
    names: dict[str, list[str]]
    helpers: dict[str, list[str]]
    expressions: dict[str, tuple[str, ...]] = field(default_factory=lambda: EXPRESSIONS)
    statements: tuple[str, ...] = STATEMENTS
    inner: tuple[str, ...] = STATEMENTS[:52]
    deepest: int = 2
    lines: list[str] = field(default_factory=list)
    count: int = 0
    depth: int = 0

    def statement(self) -> str:
        """A statement, which may have several lines."""
        template = self.random.choice(self.statements)
        if self.depth and ("{block" in template or "return" in template):
            template = self.random.choice(self.inner)
        return self.filled(template, self.deepest)

    def filled(self, template: str, depth: int) -> str:
        """A template with its holes filled; what it binds can be read after it."""
        made: list[tuple[str, str]] = []
        parts = []
        position = 0
        while (start := template.find("{", position)) >= 0:
            end = template.index("}", start)
            parts.append(template[position:start])
            hole = template[start + 1 : end]
            before = template[template.rfind("\n", 0, start) + 1 : start]
            parts.append(self.hole(hole, depth, made, len(before) - len(before.lstrip())))
            position = end + 1
        parts.append(template[position:])
        for kind, name in made:
            self.names[kind].append(name)
        return "".join(parts)

    def hole(self, hole: str, depth: int, made: list[tuple[str, str]], indent: int) -> str:
        """What stands in a hole."""
        sort, _, kind = hole.partition("_")
        if sort == "new":
            self.count += 1
            made.append((kind, f"{kind[0]}{self.count}"))
            return made[-1][1]
        if sort in ("old", "name"):
            return self.random.choice(self.names[kind])
        if sort == "const":
            return self.random.choice(("0.5", "2.0", "-1.5", "1", "2", "RATE", "0.3"))
        if sort == "block":
            return self.block(indent, is_counted=kind == "i")
        if sort in self.helpers:
            return self.random.choice(self.helpers[sort])
        if sort == "rows":
            return "rows"
        return self.expression(sort, depth)

    def block(self, indent: int, *, is_counted: bool) -> str:
        """Statements in a block; variables that are made there are not known after it."""
        known = {kind: list(names) for kind, names in self.names.items()}
        if is_counted:
            vector = self.random.choice(self.names["vec"])
            self.names["num"].append(f"{vector}[i]")
        self.depth += 1
        text = "\n".join(self.statement() for _ in range(self.random.choice((1, 1, 2))))
        self.depth -= 1
        self.names = known
        return text.replace("\n", "\n" + " " * indent)

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if self.names[kind] and (depth <= 0 or self.random.random() < 0.25):
            return self.random.choice(self.names[kind])
        text = self.filled(self.random.choice(self.expressions[kind]), depth - 1)
        is_plain = text.replace("_", "").replace(".", "").isalnum() or (
            text.endswith(")") and text[0] != "-"
        )
        return text if is_plain and " " not in text else f"({text})"


@dataclass(frozen=True, eq=False)
class Program:
    """A module with a function `f`, the parameters of interest, and the types of arguments."""

    seed: int
    text: str
    wrt: tuple[str, ...]
    points: tuple[Callable[[Any], dict[str, Any]], ...]


def write(seed: int) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    helpers, texts = _helpers(random)
    names = {
        "num": ["s", "r"],
        "vec": ["x", "y", "z"],
        "mat": ["m"],
        "any": ["a"],
    }
    writer = Writer(random, names, helpers)
    lines: list[str] = []
    if random.random() < 0.6:
        name = random.choice(("x", "m", "a"))
        lines.append(
            f"{name} = {name} * 1.0" if random.random() < 0.5 else f"{name} = {name}.copy()"
        )
    for _ in range(random.choice((1, 2, 3, 4, 5, 6))):
        lines += writer.statement().split("\n")
    lines.append(writer.filled(random.choice(RESULTS), 1))
    used = [name for name in PARAMETERS if any(names_in(line, name) for line in lines)] or ["x"]
    wrt = tuple(n for n in used if n not in CONSTANT and random.random() < 0.75)
    if not wrt:
        used, wrt = [*used, "s"] if "s" not in used else used, ("s",)
    body = "".join(f"    {line}\n" if line else "\n" for line in lines)
    text = "\n\n".join((HEAD, LIBRARY, *texts, f"def f({', '.join(used)}):\n{body}"))
    kept = tuple(_point(seed * 100 + i, tuple(used)) for i in range(5))
    return Program(seed, text, wrt, kept)


RESULTS = (
    "return {num}", "return {num} + {num} * {num}", "return np.sum({vec}) + {num}", "return {vec}", "return {num}, {vec}",
    "return {name_num} + np.sum({name_vec}) * np.sum({name_mat})", "return {any}", "return {mat}", "return np.sum({name_any}) * {name_num}",
    "return {name_num} + np.sum({name_vec} ** 2) + np.sum({name_mat} * {name_mat})", "return {name_vec}, {name_mat}", "return {name_num}",
)  # fmt: skip


def names_in(line: str, name: str) -> bool:
    """Tells whether a line has a name."""
    words = "".join(c if c.isalnum() or c == "_" else " " for c in line).split()
    return name in words


def _helpers(random: Random) -> tuple[dict[str, list[str]], list[str]]:
    """Some helpers of each sort: their names, and their texts."""
    names: dict[str, list[str]] = {"elementwise": ["sigmoid", "np.tanh"]}
    texts = []
    for sort, templates in HELPERS.items():
        for number, template in enumerate(random.sample(templates, 2)):
            name = f"{sort}_{number}"
            names.setdefault(sort, []).append(name)
            texts.append(template.replace("{f}", name))
    return names, texts


def _point(seed: int, used: tuple[str, ...]) -> Callable[[Any], dict[str, Any]]:
    """Arguments by their names, made for the module of a program."""

    def make(module: Any) -> dict[str, Any]:
        chance, numbers = Random(seed), np.random.default_rng(seed)
        draw = Draw(
            chance, numbers, chance.choice((3, 3, 3, 2, 2, 4, 1, 0)), chance.random() < 0.35
        )
        given = {name: draw.argument(name, module) for name in used}
        vectors = [n for n in ("x", "y", "z") if isinstance(given.get(n), np.ndarray)]
        if len(vectors) > 1 and chance.random() < 0.12:
            given[vectors[1]] = given[vectors[0]]
        return given

    return make


@dataclass
class Draw:
    """Draws arguments; `is_plain`: they are what the program was written for."""

    random: Random
    numbers: np.random.Generator
    n: int
    is_plain: bool

    def argument(self, name: str, module: Any) -> Any:
        """An argument for a parameter."""
        n = self.n
        if name == "k":
            return self.random.choice((1, 2, 3, 3))
        if name == "flag":
            return self.random.choice((True, False, None))
        if name == "act":
            return self.random.choice((module.sigmoid, np.tanh, module.softplus))
        if name == "rows":
            return [self.vec() for _ in range(self.random.choice((1, 2, n)) or 1)]
        if name == "p":
            return {"w": self.array(n, n), "b": self.array(n)}
        if name == "layer":
            return module.Layer(self.array(n, n), self.array(n))
        make: Callable[[], Any] = getattr(self, KINDS[name])
        return make()

    def array(self, *shape: int) -> Any:
        """Numbers away from kinks, in an array."""
        return np.asarray(self.numbers.uniform(-1.2, 1.2, shape))

    def num(self) -> Any:
        """A number."""
        value = float(self.array())
        if self.is_plain:
            return value
        chosen = self.random.random()
        if chosen < 0.45:
            return value
        if chosen < 0.85:
            return self.random.choice(
                (
                    np.float64(value),
                    np.float32(value),
                    np.asarray(value),
                    int(self.numbers.integers(-2, 4)),
                    np.int64(2),
                    True,
                    np.asarray(np.float32(value)),
                    np.array([value]),
                    np.asarray(2),
                )
            )
        return self.vec() if chosen < 0.95 else complex(value, 0.4)

    def vec(self) -> Any:
        """A vector."""
        return self.guise(self.array(self.n))

    def mat(self) -> Any:
        """A matrix."""
        return self.guise(self.array(self.n, self.n))

    def any(self) -> Any:
        """A number, or an array of any rank."""
        n = self.n
        shapes = ((), (n,), (1,), (n, n), (1, n), (n, 1), (2, 1, 3), (0,), (1, 1))
        shape = self.random.choice(shapes)
        if not shape and self.random.random() < 0.7:
            return self.num()
        return self.guise(self.array(*shape))

    def guise(self, array: Any) -> Any:
        """An array in another guise."""
        chosen = self.random.random()
        if self.is_plain or chosen < 0.5:
            return array
        kind = self.random.randrange(11)
        if not array.ndim and kind in (1, 2):
            return array
        if kind == 0:
            return array.astype(np.float32)
        if kind == 1:
            return array.tolist()
        if kind == 2:
            return tuple(array.tolist())
        if kind == 3:
            return np.asarray(np.round(2 * array), dtype=np.int64)
        if kind == 4:
            return array > 0.0
        if kind == 5:
            return array + 0.5j * self.array(*array.shape)
        if kind in (6, 7) and array.ndim:
            return np.repeat(array, 2, axis=-1)[..., ::2]
        if kind == 8:
            array.flags.writeable = False
            return array
        if kind == 9 and array.ndim:
            return np.asfortranarray(array[::-1])
        if kind == 10 and array.ndim:
            return array[:1].copy()
        return array
