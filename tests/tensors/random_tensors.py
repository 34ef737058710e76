"""Random programs on tensors, as people write them: shapes, branches, loops, helpers, containers.

Each variable has a kind, which is its shape: a scalar `s`, a vector `v` of four numbers, a matrix
`m`, a row `r`, a column `c`. An expression is a template with places for others.
"""

from __future__ import annotations

import ast
import random
import re
from dataclasses import dataclass

SIMPLE = {"s": "x[1]", "v": "x", "m": "w", "r": "w[:1]", "c": "w[:, 2:3]"}
"""An expression of each kind that there always is."""

PLACE = re.compile(r"\{(\w)\}")
"""A place in a template: of a kind, or for a number."""

NUMBERS = {"i": 4, "j": 4, "a": 2, "b": 2}
"""The bounds of numbers: indices, axes, one of two."""

CLOSED = (ast.Name, ast.Call, ast.Subscript)
"""Expressions that need no parentheses."""

EXPRESSIONS = {
    "s": (
        "{v}[{i}]",
        "{m}[{i}, {j}]",
        "{s} * {s}",
        "{s} * 0.5 + 0.1",
        "tf.sin({s})",
        "tf.reduce_sum({v} * {v})",
        "tf.reduce_mean({m})",
        "tf.reduce_max({v})",
        "tf.reduce_logsumexp({m})",
        "tf.tensordot({v}, {v}, 1)",
        "tf.norm({v} + 2.0)",
        "tf.squeeze({r} @ {c})",
        "tf.reduce_sum({r})",
        "tf.stop_gradient({s})",
    ),
    "v": (
        "{v}",
        "-{v}",
        "{v} * {v}",
        "{v} - {v}",
        "{v} * {s}",
        "{v} / (1.5 + tf.square({v}))",
        "(0.5 + tf.square({v})) ** 1.5",
        "2.0 * {v} + {s}",
        "tf.sin({v})",
        "tf.identity({v})",
        "{v}[::-1]",
        "{v} * {v}[{i}]",
        "{m}[{i}]",
        "{m}[:, {i}]",
        "{r}[0]",
        "{v}[None][0]",
        "tf.squeeze({c}, 1)",
        "tf.reduce_sum({m}, axis={a})",
        "tf.reduce_mean({m} * {r}, axis=1)",
        "tf.linalg.matvec({m}, {v})",
        "tf.linalg.diag_part({m})",
        "tf.concat([{v}[1:], {v}[:1]], 0)",
        "tf.concat([{v}[:2], [{s}, {s}]], 0)",
        "tf.stack([{v}[0], {s}, {v}[2], {v}[1]])",
        "tf.stack([{s}] * 4)",
        "tf.gather({v}, [0, 0, 2, 3])",
        "tf.reverse({v}, [0])",
        "tf.roll({v}, 1, 0)",
        "tf.pad({v}[1:3], [[1, 1]])",
        "tf.cumsum({v})",
        "tf.nn.softmax({v})",
        "tf.clip_by_value({v}, -0.6, 0.7)",
        "tf.maximum({v}, {s})",
        "tf.where({v} > 0.2, {v}, 0.3 * {v})",
        "tf.where(MASK, {v}, {s})",
        "tf.ensure_shape({v}, [4])",
        "tf.tensor_scatter_nd_add({v}, [[1], [3]], {v}[:2])",
        "tf.boolean_mask(tf.concat([{v}, {v}], 0), np.repeat([True, False], 4))",
        "{v} * WEIGHTS",
        "np.array([0.5, 1.0, -1.0, 2.0]) * {v}",
        "tf.cast(tf.sin(tf.cast({v}, tf.float32)), tf.float64)",
        "bend({v}, {s})",
        "bend({v}, scale=0.7)",
        "traced({v})",
        "swapped({v}, {v})[{b}]",
        "tf.add_n([{v}, {v}])",
        "early({v})",
        "of_parts({'h': {v}, 'k': [{s}, {v}]})",
        "tf.split({v}, [1, 3])[0] * {v}",
        "tf.linalg.matvec({m} + 4.0 * tf.eye(4, dtype=tf.float64), {v})",
        "tf.linalg.solve(tf.linalg.diag(2.0 + tf.square({v})), {c})[:, 0]",
        "np.float64(0.4) * {v}",
        "sum([{v} * k for k in range(3)])",
    ),
    "m": (
        "{m} + {r}",
        "{c} * {r}",
        "{m} * {c}",
        "{m} - {v}",
        "{m} @ {m}",
        "{m} * ({c} @ {r})",
        "{c} * ({r} @ {m})",
        "{m}[None, ..., ::-1][0] / (2.0 + abs({s}))",
        "tf.stack(tf.unstack({m}, axis=1)[::-1])",
        "{r} + {m} @ tf.linalg.diag({v})",
        "tf.tanh({m})",
        "tf.transpose({m})",
        "tf.matmul({m}, {m}, transpose_b=True)",
        "tf.einsum('i,j->ij', {v}, {v})",
        "{v}[:, None] * {v}",
        "{v}[:, tf.newaxis] - {m}",
        "tf.reshape({m}[::-1, :], [4, 4])",
        "tf.stack([{v}, {v}, {v}, {v}], axis={a})",
        "tf.broadcast_to({r}, [4, 4])",
        "tf.tile({c}, [1, 4])",
        "tf.concat([{m}[:2], {m}[2:]], axis=0)",
        "tf.linalg.band_part({m}, -1, 0)",
        "tf.nn.softmax({m}, axis={a})",
        "tf.gather({m}, [3, 1, 1, 0], axis={a})",
    ),
    "r": (
        "{v}[None, :]",
        "tf.expand_dims({v}, 0)",
        "{r} * {s}",
        "{r} @ {m}",
        "{m}[1:2]",
        "tf.transpose({c})",
        "tf.reduce_mean({m}, axis=0, keepdims=True)",
        "tf.reduce_max({m} * {c}, axis=0, keepdims=True)",
    ),
    "c": (
        "{v}[:, None]",
        "tf.reshape({v}, [4, 1])",
        "{m} @ {c}",
        "{c} - {c}[{i}]",
        "tf.exp(-tf.square({c}))",
        "tf.reduce_sum({m}, axis=1, keepdims=True)",
        "tf.transpose({r}) * {c}",
    ),
}

HELPERS = """\
import numpy as np
import tensorflow as tf

WEIGHTS = np.array([0.3, -1.2, 0.8, 0.5])
MASK = tf.constant([True, False, False, True])


def bend(x, scale=1.0):
    y = tf.tanh(x * scale)
    return y + 0.1 * x * scale


@tf.function
def traced(x):
    return tf.sin(x) * x[0]


def swapped(x, y):
    return y * y, x * 0.5


def early(x):
    if tf.reduce_sum(x) > 0.0:
        return tf.sin(x)
    return x * x[1]


def of_parts(parts):
    factor, *rest = parts["k"]
    return parts["h"] * factor + rest[0]
"""


@dataclass(frozen=True)
class Program:
    """The text of a module with a function `f(x, w, p)`: a vector, a matrix, a dictionary.

    `is_eager` tells that Python asks for values of tensors.
    """

    text: str
    is_eager: bool


def write(seed: int) -> Program:
    """Writes the program of a seed."""
    return _Author(random.Random(seed)).program()


class _Author:
    """Writes the statements of one function; knows the variables that are bound, and their kind."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.scope = {"x": "v", "w": "m", "p['s']": "s", "p['r']": "r", "p['t'][1]": "v"}
        self.lines: list[str] = []
        self.depth = 1
        self.is_eager = False

    def program(self) -> Program:
        """Writes all of it."""
        for _ in range(self.chance.randint(3, 7)):
            self.statement()
        last = [*self.scope][-1]
        terms = [f"tf.reduce_sum(tf.sin({last}))"]
        terms += [
            f"tf.reduce_sum({self.closed(kind)} * 0.7)" for kind in self.chance.sample("svmrc", 2)
        ]
        self.line(f"return {' + '.join(terms)}")
        is_eager = self.is_eager or any("early(" in line for line in self.lines)
        return Program("\n".join([HELPERS, "", "def f(x, w, p):", *self.lines, ""]), is_eager)

    def line(self, text: str) -> None:
        """Writes one line at the depth of its block."""
        self.lines.append("    " * self.depth + text)

    def statement(self) -> None:
        """Writes a statement of any sort."""
        simple = [self.assignment] * 5 + [self.augmented, self.unpacking, self.held, self.keyed]
        if self.depth < 3:
            simple += [self.branch, self.branch, self.loop, self.loop, self.rows, self.until]
        self.chance.choice(simple)()

    def expression(self, kind: str, nesting: int = 0) -> str:
        """An expression of a kind: a variable, or a template with others in its places."""
        names = [name for name, its in self.scope.items() if its == kind]
        if names and self.chance.random() < (0.3, 0.75, 1.0)[nesting]:
            return self.chance.choice(names)
        if nesting == 2:
            return SIMPLE[kind]
        template = self.chance.choice(EXPRESSIONS[kind])
        return PLACE.sub(lambda found: self.place(found[1], nesting), template)

    def place(self, field: str, nesting: int) -> str:
        """What stands in a place of a template: a number, or an expression."""
        if field in NUMBERS:
            return str(self.chance.randrange(NUMBERS[field]))
        return self.closed(field, nesting + 1)

    def closed(self, kind: str, nesting: int = 0) -> str:
        """An expression that stands in a larger one."""
        found = self.expression(kind, nesting)
        is_closed = isinstance(ast.parse(found, mode="eval").body, CLOSED)
        return found if is_closed else f"({found})"

    def target(self, kind: str) -> str:
        """A new variable, or one of its kind that is bound."""
        names = [n for n, its in self.scope.items() if its == kind and n not in ("w", "x")]
        names = [n for n in names if "[" not in n]
        if names and (self.depth > 1 or self.chance.random() < 0.3):
            return self.chance.choice(names)
        return f"{kind}_{len(self.lines)}"

    def assignment(self) -> None:
        """`name = expression`."""
        kind = self.chance.choice("svvvmrc")
        value, name = self.expression(kind), self.target(kind)
        self.line(f"{name} = {value}")
        self.scope[name] = kind

    def augmented(self) -> None:
        """`name += expression`, of what no other name stands for."""
        kind = self.chance.choice("svm")
        name, value = f"{kind}_{len(self.lines)}", self.expression(kind)
        self.line(f"{name} = {self.closed(kind)} * 1.0")
        self.line(f"{name} {self.chance.choice(('+=', '-=', '*='))} {value}")
        self.scope[name] = kind

    def unpacking(self) -> None:
        """Two names at once, of a tuple or of parts."""
        one, other = (f"v_{len(self.lines)}", f"v_{len(self.lines)}_2")
        if self.chance.random() < 0.5:
            self.line(f"{one}, {other} = {self.expression('v')}, {self.closed('v')} * 0.5")
        elif self.chance.random() < 0.5:
            self.line(f"{one}, {other} = swapped({self.expression('v')}, {self.expression('v')})")
        else:
            self.line(f"{one}, {other} = tf.split({self.expression('v')}, 2)")
            self.line(f"{one} = tf.concat([{other}, {one}], axis=0)")
            self.line(f"{other} = tf.unstack({self.expression('m')})[{self.chance.randrange(4)}]")
        self.scope |= {one: "v", other: "v"}

    def held(self) -> None:
        """A list that grows, and what is made of it."""
        name, made = f"list_{len(self.lines)}", f"v_{len(self.lines)}"
        value = self.closed("v")
        if self.chance.random() < 0.4:
            self.line(f"{name} = [{value} * (k + 1.0) for k in range(3)]")
        else:
            self.line(f"{name} = []")
            self.line("for k in range(3):")
            self.line(f"    {name}.append({value} * {self.closed('v')}[k])")
        ends = ("tf.add_n({0})", "tf.reduce_sum(tf.stack({0}), axis=0)", "{0}[0] * {0}[-1]")
        self.line(f"{made} = {self.chance.choice(ends).format(name)}")
        self.scope[made] = "v"

    def keyed(self) -> None:
        """A dictionary, of which an entry is set."""
        name = f"d_{len(self.lines)}"
        self.line(f"{name} = {{'h': {self.expression('v')}, 'k': {self.expression('s')}}}")
        self.line(f"{name}['h'] = {name}['h'] * {name}['k'] + {self.expression('v')}")
        self.scope |= {f"{name}['h']": "v", f"{name}['k']": "s"}

    def branch(self) -> None:
        """`if` and `else`, by a value of a tensor or by a shape."""
        if self.chance.random() < 0.7:
            self.is_eager = True
            self.line(f"if {self.expression('s')} > {self.chance.choice(('0.1', '-0.3'))}:")
        else:
            self.line(f"if x.shape[0] > {self.chance.choice((3, 5))}:")
        before = dict(self.scope)
        self.block()
        self.scope = dict(before)
        if self.chance.random() < 0.6:
            self.line("else:")
            self.block()
            self.scope = before

    def block(self) -> None:
        """One or two statements in a block; what it binds anew is not read behind it."""
        self.depth += 1
        for _ in range(self.chance.randint(1, 2)):
            self.statement()
        self.depth -= 1

    def loop(self) -> None:
        """`for`, with a value that it carries and elements by its index."""
        before = dict(self.scope)
        kind = self.chance.choice("svm")
        carried = f"{kind}_{len(self.lines)}"
        self.line(f"{carried} = {self.closed(kind)} * 1.0")
        self.scope[carried] = kind
        if self.chance.random() < 0.7:
            self.line("for i in range(3):")
        else:
            self.is_eager = True
            self.line("for i in tf.range(3):")
        inner = dict(self.scope)
        self.block()
        self.line(
            f"    {carried} = tf.sin({carried} * {self.closed('v')}[i]) + 0.1 * {self.closed(kind)}"
        )
        self.scope = {name: its for name, its in inner.items() if name in before or name == carried}

    def rows(self) -> None:
        """A loop over the rows of a matrix."""
        total = f"v_{len(self.lines)}"
        self.line(f"{total} = tf.zeros(4, tf.float64)")
        if self.chance.random() < 0.5:
            self.line(f"for row in tf.unstack({self.expression('m')}):")
        else:
            self.is_eager = True
            self.line(f"for row in {self.closed('m')}:")
        self.line(f"    {total} = {total} * 0.5 + row * {self.closed('v')}")
        self.scope[total] = "v"

    def until(self) -> None:
        """`while`, as long as a value is small."""
        self.is_eager = True
        name, count = f"v_{len(self.lines)}", f"n_{len(self.lines)}"
        self.line(f"{name} = {self.closed('v')} * 0.5")
        self.line(f"{count} = 0")
        self.line(f"while {count} < 3 and tf.reduce_sum({name} * {name}) < 4.0:")
        self.line(f"    {name} = {name} * 1.5 + 0.2 * {self.closed('v')}")
        self.line(f"    {count} += 1")
        self.scope[name] = "v"
