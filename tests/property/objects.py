"""Random programs with objects and functions as values.

Classes have an array `w`, a number `b` and methods by the same names, which call each other, so that
an object of any class can stand where one of another does: in a variable that has a second name, in
a list, in another object, chosen by a condition, made in a loop, or given as an argument. Their
methods are called, taken as values, and change them. Functions capture what takes part, and later
that is bound anew or changed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import typed

HEAD = """from dataclasses import dataclass, replace
from functools import partial

import numpy as np
"""

LIBRARY = """
def use(o, v):
    return o.apply(v) * o.b


def touch(o, r):
    o.w[0] = r * o.w[1]


def grow(o, r):
    o.b = np.sin(o.b * r)
    return o


def call(g, v):
    return g(v)


def repeat(g, v, k):
    for _ in range(k):
        v = np.tanh(g(v))
    return v


def compose(g, h):
    return lambda v: g(h(v))


def weighed(v, r):
    return np.sin(v) * r


def total(os, v):
    t = 0.0
    for o in os:
        t = t + o.score(v)
    return t


def built(kind, w, r):
    return kind(w * r, r)


class Pair:
    def __init__(self, one, two):
        self.one = one
        self.two = two
        self.w = one.w
        self.b = one.b * 0.5

    def act(self, v):
        return self.one.act(v)

    def apply(self, v):
        return self.one.apply(v) + self.two.apply(v) * self.b

    def score(self, v):
        return np.sum(self.two.apply(v) * self.w)

    def change(self, v, r):
        self.one.change(v, r)
        self.two.b = self.one.b

    def __call__(self, v):
        return self.two(self.one(v))
"""

INITS = (
    "class {c}:\n    def __init__(self, w, b):\n        self.w = w\n        self.b = b\n",
    "class {c}:\n    def __init__(self, w, b=0.5):\n        self.b = b\n        self.w = w * 0.5\n",
    "class {c}:\n    rate = 0.5\n\n    def __init__(self, w, b):\n        self.w, self.b = w, b * self.rate\n",
    "@dataclass\nclass {c}:\n    w: np.ndarray\n    b: float = 0.5\n",
    "@dataclass\nclass {c}:\n    w: np.ndarray\n    b: float\n\n    def __post_init__(self):\n        self.w = np.sin(self.w)\n",
)  # fmt: skip
ABOVE = (
    "class {c}({a}):\n    gain = 1.5\n",
    "class {c}({a}):\n    gain = 0.5\n\n    def __init__(self, w, b):\n        super().__init__(w, b * b)\n        self.w = self.w * 2.0\n",
    "@dataclass\nclass {c}({a}):\n    gain: float = 1.5\n",
)  # fmt: skip
"""How classes start, and those that have one above."""

METHODS: dict[str, tuple[str, ...]] = {
    "act": (
        "def act(self, v):\n    return np.tanh({vec})\n",
        "def act(self, v):\n    return np.sin(v) + {num}\n",
        "@staticmethod\ndef act(v):\n    return np.tanh(v)\n",
        "@property\ndef act(self):\n    return lambda v: np.tanh(v * self.b)\n",
        "def act(self, v):\n    h = self.w\n    self.w = np.sin(self.w * 1.5)\n    return h * v\n",
    ),
    "apply": (
        "def apply(self, v):\n    return self.act({vec})\n",
        "def apply(self, v):\n    act = self.act\n    return act(v) * {num}\n",
        "def apply(self, v):\n    v = v * self.b\n    return np.tanh({vec})\n",
        "def apply(self, v):\n    w, b = self.w, self.b\n    return np.sin(w * v) + b\n",
        "def apply(self, v):\n    def inner(u):\n        return u * self.b\n\n    return inner(v) + {vec}\n",
        "def apply(self, v):\n    if {num} > 0.1:\n        return self.act(v)\n    return {vec}\n",
    ),
    "__call__": (
        "def __call__(self, v):\n    return self.apply({vec})\n",
        "def __call__(self, v):\n    return call(self.apply, v) * {num}\n",
        "def __call__(self, v):\n    for _ in range(2):\n        v = np.tanh(self.apply(v))\n    return v\n",
        "def __call__(self, v):\n    return repeat(self.act, v, 2)\n",
    ),
    "score": (
        "def score(self, v):\n    return np.sum(self.apply(v) * {vec})\n",
        "def score(self, v):\n    return np.sum(self(v) ** 2) * self.size\n",
        "def score(self, v):\n    return np.mean(use(self, {vec}))\n",
        "def score(self, v):\n    g = self.apply if {num} > 0.0 else self.act\n    return np.sum(g(v))\n",
    ),
    "change": (
        "def change(self, v, r):\n    self.w = np.tanh({vec} * r)\n",
        "def change(self, v, r):\n    self.w[0] = r * v[1]\n    self.b = {num}\n",
        "def change(self, v, r):\n    self.w *= r\n    return self\n",
        "def change(self, v, r):\n    self.b += np.sum(v) * r\n    return self.b\n",
        "def change(self, v, r):\n    w = self.w\n    w[1:] = v[:-1] * r\n    self.b *= r\n",
        "def change(self, v, r):\n    self.w, self.b = v, r * self.b\n    return self.w\n",
        "def change(self, v, r):\n    self.b = np.sin(self.score(v) * r)\n",
        "def change(self, v, r):\n    touch(self, r)\n    self.w = self.w + v\n",
    ),
    "size": (
        "@property\ndef size(self):\n    return np.sum(self.w) * {num}\n",
        "@property\ndef size(self):\n    return self.b\n",
    ),
}  # fmt: skip
ORDER = ("act", "apply", "__call__", "size", "score", "change")
"""The methods of a class: each may call those before it."""

SUPER = {
    "act": "def act(self, v):\n    return super().act(v) * 0.5\n",
    "apply": "def apply(self, v):\n    return super().apply({vec}) + self.b\n",
    "score": "def score(self, v):\n    return super().score(v) * self.gain\n",
    "change": "def change(self, v, r):\n    super().change(v, r * 0.5)\n    self.b = self.b + r\n",
}
"""Methods of a class that call those of the one above."""

INSIDE = {
    "num": ("{num} * {num}", "np.sum({vec} * {vec})", "np.sin({num})", "{vec}[0]", "self.b", "0.5"),
    "vec": ("{vec} * {num}", "{vec} * {vec}", "np.tanh({vec})", "{vec} - self.w", "self.w", "v"),
}
"""Expressions in methods."""

TAKEN: dict[str, tuple[str, ...]] = {
    "num": (
        "{num} * {num}", "{num} + {num}", "np.sin({num})", "np.sum({vec} * {vec})", "{name_vec}[0]", "{obj}.b", "{obj}.b",
        "{obj}.score({vec})", "{obj}.score({vec})", "0.5", "{obj}.size", "call({obj}.score, {vec})", "total({objs}, {vec})",
        "sum(o.b for o in {objs})", "max({obj}.b, {num})",
    ),
    "vec": (
        "{vec} * {num}", "{vec} * {vec}", "np.tanh({vec})", "{vec} + {vec}", "{obj}.w", "{obj}.w", "{obj}.apply({vec})", "{obj}.apply({vec})",
        "{obj}({vec})", "{fun}({vec})", "{fun}({vec})", "{fun}({vec})", "use({obj}, {vec})", "call({fun}, {vec})", "repeat({fun}, {vec}, n)",
        "{funs}[0]({vec})", "{funs}[-1]({vec})", "weighed({vec}, {num})", "{obj}.act({vec})", "{obj}.w[::-1]",
    ),
    "obj": (
        "{cls}({vec}, {num})", "{cls}({vec}, b={num})", "{objs}[0]", "{objs}[-1]", "{pair}.one", "{pair}.two", "grow({obj}, {num})",
        "built({cls}, {vec}, {num})", "({obj} if {num} > 0.2 else {obj})", "Pair({obj}, {obj})", "{table}['a']",
    ),
    "fun": (
        "{obj}.apply", "{obj}.apply", "{obj}.act", "{obj}", "partial(weighed, r={num})", "partial(use, {obj})", "compose({fun}, {fun})",
        "(lambda v: v * {num})", "(lambda v: np.sin(v) + {name_vec})", "(lambda v: {name_obj}.apply(v) * {num})", "np.tanh", "{funs}[0]",
        "({fun} if {num} > 0.1 else {fun})", "getattr({obj}, 'apply')", "{table}['b'].apply",
    ),
    "objs": ("[{obj}, {obj}]", "({obj}, {obj})", "[{obj}]", "[{cls}({vec}, c) for c in ({num}, {num})]"),
    "funs": ("[{fun}, {fun}]", "({fun}, {fun})", "[{obj}.apply for _ in range(2)]", "[o.apply for o in {objs}]", "[lambda v, o=o: o.apply(v) for o in {objs}]"),
    "table": ("dict(a={obj}, b={obj})",),
    "pair": ("Pair({obj}, {obj})",),
}  # fmt: skip
"""Expressions in the function, by what they give."""

STATEMENTS: tuple[str, ...] = (
    "{new_num} = {num}", "{new_vec} = {vec}", "{old_num} = {num}", "{old_vec} = {vec}", "{new_vec} = {obj}.w", "{old_num} += {num}",
    "{new_obj} = {cls}({vec}, {num})", "{new_obj} = {name_obj}", "{new_obj} = {obj}", "{old_obj} = {obj}", "{old_obj} = {cls}({vec}, {num})",
    "{new_objs} = {objs}", "{new_table} = {table}", "{new_pair} = {pair}", "{new_obj} = {name_obj} if {num} > 0.1 else {name_obj}",
    "{new_fun} = {fun}", "{new_fun} = {fun}", "{new_fun} = {name_obj}.apply", "{old_fun} = {fun}", "{new_funs} = {funs}",
    "{new_fun} = {name_obj}.apply if {num} > 0.1 else {name_obj}.act",
    "{name_obj}.w = {vec}", "{name_obj}.b = {num}", "{name_obj}.b += {num}", "{name_obj}.b *= {num}", "{name_obj}.w[0] = {num}", "{name_obj}.w *= {num}",
    "{name_obj}.w[1:] += {vec}[:-1]", "{name_vec}[0] = {num}", "{name_vec} *= {num}", "{name_obj}.w, {name_obj}.b = {vec}, {num}",
    "{name_obj}.change({vec}, {num})", "{name_obj}.change({vec}, {num})", "{name_obj}.change({vec}, {num})", "touch({name_obj}, {num})", "grow({name_obj}, {num})",
    "{name_pair}.one.change({vec}, {num})", "{name_pair}.two = {obj}", "{name_pair}.one.w[0] = {num}", "{name_pair}.change({vec}, {num})",
    "{name_obj}.extra = {vec}; {new_vec} = {name_obj}.w * 2.0", "{new_obj} = replace({name_obj}, b={num})",
    "{name_obj}.apply = {fun}", "t = {name_obj}.change; {name_obj}.b = {num}; t({vec}, {num})",
    "t = {name_obj}.apply; {old_obj} = {cls}({vec}, {num}); {new_vec} = t({vec})",
    "t = {name_obj}.apply; {name_obj}.w = {vec}; {new_vec} = t({vec})",
    "def local(v, c={num}):\n    return v * c + {name_vec}\n\n{new_fun} = local", "def local(v):\n    return {name_obj}.apply(v) * {name_num}\n\n{new_fun} = local",
    "def local(r):\n    {name_obj}.b = {name_obj}.b * r\n\nlocal({num})",
    "{new_vec} = {vec}\nfor i in range(n):\n    {name_obj}.change({vec}, {num})\n    {old_vec} = np.sin({vec})",
    "for i in range(n):\n    {block}", "for i in range(n):\n    {block}", "if {num} > 0.1:\n    {block}\nelse:\n    {block}", "if {num} > 0.1:\n    {block}",
    "for o in {objs}:\n    o.change({vec}, {num})\n    {old_num} += o.b", "for o in {objs}:\n    {old_vec} = np.tanh(o({vec}))", "for o in {objs}:\n    o.w = {vec}",
    "for g in {funs}:\n    {old_vec} = np.sin(g({vec}))", "for i in range(n):\n    o = {cls}({vec}, {num})\n    {old_num} = np.sin({old_num} + o.score({vec}))",
    "t = []\nfor i in range(n):\n    t.append({cls}({vec}, {num}))\n{old_num} += total(t, {vec})", "t = []\nfor i in range(n):\n    t.append({fun})\n{new_vec} = t[0]({vec})",
    "{new_obj} = {cls}({name_vec}, {num})\n{name_obj}.w[0] = {num}", "{new_obj} = {cls}({name_obj}.w, {num})\n{name_obj}.w[0] = {num}",
    "{new_num} = sum(g({vec})[0] for g in {funs})", "{new_num}, {new_obj} = {num}, {obj}", "{old_obj}, {old_obj} = {obj}, {obj}",
)  # fmt: skip
RESULTS = (
    "return {num}", "return np.sum({vec}) + {num}", "return {name_obj}.score({vec}) * {name_num}", "return np.sum({fun}({vec}))", "return {vec}",
    "return {name_num} + np.sum({name_obj}.w * {name_vec}) * {name_obj}.b",
)  # fmt: skip
INNER = tuple(each for each in STATEMENTS if "{block" not in each)

PARAMETERS = ("x", "y", "s", "r", "model", "n")
"""The parameters: two arrays, two numbers, an object, and a number of times."""


LEAVES = {
    "fun": "{name_obj}.apply",
    "objs": "[{name_obj}, {name_obj}]",
    "funs": "[{name_obj}.apply, np.tanh]",
    "table": "dict(a={name_obj}, b={name_obj})",
    "pair": "Pair({name_obj}, {name_obj})",
}
"""What stands for a kind of which there is no variable."""


class Writer(typed.Writer):
    """Writes statements of which some kinds may have no variables yet."""

    def statement(self) -> str:
        while True:
            known = {kind: list(names) for kind, names in self.names.items()}
            try:
                return super().statement()
            except IndexError:  # it needs a variable of such a kind
                self.names = known

    def expression(self, kind: str, depth: int) -> str:
        if not self.names[kind] and (depth <= 0 or self.random.random() < 0.25):
            return self.filled(LEAVES[kind], 0)
        return super().expression(kind, depth)


def write(seed: int) -> typed.Program:
    """Writes the program of a seed."""
    random = Random(seed)
    classes, texts = _classes(random)
    of_given = random.choice((None, None, *classes))
    names = {"num": ["s", "r"], "vec": ["x", "y"], "obj": ["model"] if of_given else []}
    names |= {kind: [] for kind in LEAVES}
    deepest = random.choice((1, 1, 2))
    writer = Writer(random, names, {"cls": classes}, TAKEN, STATEMENTS, INNER, deepest)
    lines = ["x = x * 1.0"] if random.random() < 0.3 else []
    lines.append(writer.filled("{new_obj} = {cls}({name_vec}, {name_num})", 1))
    for _ in range(random.choice((1, 2, 2, 3, 4))):
        lines += writer.statement().split("\n")
    lines.append(writer.filled(random.choice(RESULTS), deepest))
    used = [name for name in PARAMETERS if any(typed.names_in(line, name) for line in lines)]
    wrt = tuple(n for n in used if n != "n" and random.random() < 0.75)
    if not wrt:
        used, wrt = [*dict.fromkeys((*used, "s"))], ("s",)
    annotation = f": {of_given}" if random.random() < 0.5 else ""
    taken = ", ".join(name + annotation * (name == "model") for name in used)
    body = "".join(f"    {line}\n" if line else "\n" for line in lines)
    text = "\n\n".join((HEAD, LIBRARY, *texts, f"def f({taken}):\n{body}"))
    points = tuple(_point(seed * 100 + i, tuple(used), of_given or "") for i in range(2))
    return typed.Program(seed, text, wrt, points)


def _classes(random: Random) -> tuple[list[str], list[str]]:
    """The names of some classes, and their texts."""
    names, texts = ["Plain", "Other", "Above"], []
    for name in names:
        above = random.choice(names[: names.index(name)]) if name == "Above" else ""
        head = random.choice(ABOVE if above else INITS).format(c=name, a=above)
        if above:
            is_data = texts[names.index(above)].startswith("@dataclass")
            head = (ABOVE[2] if is_data else random.choice(ABOVE[:2])).format(c=name, a=above)
        methods = [_method(random, each, above) for each in ORDER]
        texts.append(head + "".join(f"\n{each}" for each in methods if each))
    return names, texts


def _method(random: Random, name: str, above: str) -> str:
    """A method of a class, indented; none where the class above has it."""
    if above and random.random() < 0.5:
        return ""
    templates = METHODS[name]
    if above and name in SUPER and random.random() < 0.6:
        templates = (SUPER[name],)
    names = {"num": ["self.b"], "vec": ["self.w", "v"]}
    if name == "change":
        names["num"].append("r")
    if name == "size":
        names["vec"].remove("v")
    inside = INSIDE if name != "size" else {**INSIDE, "vec": INSIDE["vec"][:-1]}
    text = Writer(random, names, {}, inside).filled(random.choice(templates), 1)
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def _point(seed: int, used: tuple[str, ...], of: str) -> Callable[[Any], dict[str, Any]]:
    """Arguments by their names, made for the module of a program."""

    def make(module: Any) -> dict[str, Any]:
        numbers = np.random.default_rng(seed)

        def argument(name: str) -> Any:
            if name == "model":
                return getattr(module, of)(argument("x"), argument("s"))
            if name == "n":
                return int(numbers.integers(1, 4))
            return numbers.uniform(-1.2, 1.2, 3 if name in "xy" else None)

        return {name: argument(name) for name in used}

    return make
