"""Programs of several modules: functions that import each other in all the ways there are.

Each module has its own constant and its own private helper, by the same names as the others. What
is called may be a function, or what somebody has put around one: a mark, a derivative, a wrapper.
"""

import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

HEAD = "import functools\n\nimport numpy as np\n\nimport adlsp\n"

MODULE = """
SCALE = {scale}


def _inner(v):
    return {inner}


def mark(function):
    function.is_marked = True
    return function


def negated(function):
    @functools.wraps(function)
    def wrapped(v):
        return -function(v)

    return wrapped


class Negated:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, v):
        return -self.function(v)
"""

INNERS = ("np.sin(v) * SCALE", "np.cos(v) * v + SCALE", "np.tanh(v) / SCALE", "v * SCALE")

BODIES = (
    "return _inner(v) * SCALE",
    "return v * _inner(v)",
    "w = v * SCALE\n    w[0] = w[1] * w[2]\n    return w + _inner(v)",
    "w = v.copy()\n    for i in range(3):\n        w[i] = w[i] * SCALE + i\n    return _inner(w)",
    "return _inner(v)[::-1] + v * SCALE",
    "return _inner(_inner(v)) if v[0] > 0.0 else v - _inner(v)",
)

PLAIN = {
    "function": "def {name}(v):\n    {body}\n",
    "marked": "@mark\ndef {name}(v):\n    {body}\n",
    "differentiable": "@adlsp.differentiable\ndef {name}(v):\n    {body}\n",
    "alias": "def _{name}(v):\n    {body}\n\n\n{name} = _{name}\n",
    "guarded": 'if hasattr(np, "sin"):\n\n    def {name}(v):\n        {deeper}\n',
}
"""Functions that are what their text says, by how they are defined."""

SCALAR = "def _{name}(v):\n    return np.sum(_inner(v) ** 2)\n\n\n"

WRAPPED = {
    "grad": SCALAR + "{name} = adlsp.grad(_{name})\n",
    "hvp": SCALAR + "{name} = functools.partial(adlsp.hvp(_{name}), dots=(np.ones(3),))\n",
    "vjp": (
        "def _{name}(v):\n    {body}\n\n\n"
        "{name} = functools.partial(adlsp.vjp(_{name}), out_bar=np.ones(3))\n"
    ),
    "again": SCALAR + "_slope = adlsp.grad(_{name})\n{name} = _slope\n",
    "partial": "def _{name}(v):\n    {body}\n\n\n{name} = functools.partial(_{name})\n",
    "negated": "@negated\ndef {name}(v):\n    {body}\n",
    "held": "@Negated\ndef {name}(v):\n    {body}\n",
    "wrapper": "def _{name}(v):\n    {body}\n\n\n{name} = negated(_{name})\n",
    "holder": "def _{name}(v):\n    {body}\n\n\n{name} = Negated(_{name})\n",
}
"""What is called like a function and is another one than its text says."""

IMPORTS = (
    "from {home} import {name}",
    "from {home} import {name} as {name}_here",
    "import {home}",
    "import {home} as home_of_{name}",
    "from {home} import *",
    "import {home}\n\n{name}_there = {home}.{name}",
    "try:\n    from {home} import {name}\nexcept ImportError:\n    {name} = None",
)
CALLED = (
    "{name}",
    "{name}_here",
    "{home}.{name}",
    "home_of_{name}.{name}",
    "{name}",
    "{name}_there",
    "{name}",
)
"""How a name is imported, and how it is called then."""


@dataclass(frozen=True)
class Helper:
    """A function of a module; `is_plain`: it and all that it calls are what their texts say."""

    home: str
    name: str
    is_plain: bool


@dataclass(frozen=True)
class Spread:
    """The texts of a program's modules by their names, the last with the function `f`.

    `is_plain`: so is all that takes part.
    """

    files: tuple[tuple[str, str], ...]
    is_plain: bool


POINT: dict[str, Any] = {"x": np.array([0.7, -0.4, 1.1]), "s": 0.6}

CONSTANT = "np.array([0.5, -0.25, 1.5])"
"""What a derivative may be called with: it is no input."""


def write(seed: int) -> Spread:
    """Writes a program; the modules are called after the seed."""
    chance = random.Random(seed)
    files: list[tuple[str, str]] = []
    known: list[Helper] = []
    for number in range(chance.choice((1, 2, 2, 3))):
        home = f"spread_{seed}_{number}"
        if files and chance.random() < 0.15:  # another module with the same text
            files.append((home, files[0][1]))
            known += [replace(h, home=home) for h in known if h.home == files[0][0]]
            continue
        text, helpers = _module(chance, home, number, known)
        files.append((home, text))
        known += helpers
    text, is_plain = _main(chance, known)
    return Spread((*files, (f"spread_{seed}", text)), is_plain)


def _module(
    chance: random.Random, home: str, number: int, known: list[Helper]
) -> tuple[str, list[Helper]]:
    """A module with two helpers, which may call those of modules before it."""
    imports = _Imports(chance)
    definitions, helpers = [], []
    for name in (f"bend_{number}", f"turn_{number}"):
        body, is_plain = chance.choice(BODIES), True
        if known and "_inner(v)" in body and chance.random() < 0.5:
            used = chance.choice(known)
            body = body.replace("_inner(v)", f"_inner({imports.called(used)}(v))")
            is_plain = used.is_plain
        kinds = WRAPPED if is_plain and chance.random() < 0.2 else PLAIN
        kind = chance.choice(tuple(kinds))
        given = {"name": name, "body": body, "deeper": body.replace("\n", "\n    ")}
        definitions.append(kinds[kind].format(**given))
        helpers.append(Helper(home, name, is_plain and kinds is PLAIN))
    scale, inner = chance.choice((0.5, 1.25, -0.75)), chance.choice(INNERS)
    parts = (HEAD + imports.text, MODULE.format(scale=scale, inner=inner), *definitions)
    return "\n\n".join(parts), helpers


def _main(chance: random.Random, known: list[Helper]) -> tuple[str, bool]:
    """The module with `f`, which calls helpers one after another."""
    imports = _Imports(chance)
    variables, lines, is_plain = ["x"], [], True
    moved = {"x"}
    for number in range(chance.choice((1, 2, 3))):
        used, given = chance.choice(known), chance.choice(variables)
        if not used.is_plain and chance.random() < 0.3:
            given = CONSTANT
        lines.append(f"    y{number} = {imports.called(used)}({given})\n")
        variables.append(f"y{number}")
        is_plain = is_plain and (used.is_plain or given not in moved)
        moved |= {f"y{number}"} if given in moved else set()
    result = f"    return np.sum(np.sin({' * '.join(variables)})) * s * SCALE\n"
    head = HEAD + imports.text + "\nSCALE = 0.25\n"
    return f"{head}\n\ndef f(x, s):\n{''.join(lines)}{result}", is_plain


class _Imports:
    """The imports of a module, in all the ways there are."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.text = ""
        self.taken: dict[str, str] = {}

    def called(self, used: Helper) -> str:
        """How a helper is called; it is imported for that."""
        kind = self.chance.randrange(len(IMPORTS))
        if self.taken.setdefault(used.name, used.home) != used.home:
            kind = IMPORTS.index("import {home}")
        given = {"home": used.home, "name": used.name}
        text = IMPORTS[kind].format(**given) + "\n"
        self.text += text if text not in self.text else ""
        return CALLED[kind].format(**given)
