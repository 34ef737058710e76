"""Whole programs: helpers, a function `f`, and the arguments at which it is run."""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from random_programs.callees import idiomatic_helper
from random_programs.collisions import collided
from random_programs.flow import Author
from random_programs.hidden import STATES
from random_programs.scope import POOL, Helper

N = 3
"""The length of a vector; a matrix is 2 by 3."""

HEADER = """import math

import numpy as np

SCALE = 0.7
WEIGHTS = np.array([0.5, -0.4, 0.8])
"""


PARAMETERS = (
    ("x", "vector"),
    ("s", "number"),
    ("m", "matrix"),
    ("y", "vector"),
    ("r", "number"),
)
CONTAINERS = (
    ("model", "model"),
    ("points", "points"),
    ("couple", "couple"),
    ("places", "places"),
)
"""The parameters of the root, by kind; idiomatic programs have some of the second sort, too."""


@dataclass(frozen=True, eq=False)
class Program:
    """A module with a function `f`, the parameters of interest, and points at which to run it."""

    seed: int
    text: str
    wrt: tuple[str, ...]
    outputs: tuple[str, ...]
    points: tuple[dict[str, Any], ...]
    is_sharing: bool


def write(seed: int, *, is_sharing: bool = False, is_idiomatic: bool = False) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    helpers: list[Helper] = []
    texts = [HEADER]
    for number in range(random.choice((0, 1, 2, 2))):
        name = f"helper_{number}"
        if is_idiomatic and random.random() < 0.6:
            helper, text = idiomatic_helper(random, name, helpers)
        else:
            helper, text = _helper(random, name, helpers, is_sharing=is_sharing)
        helpers.append(helper)
        texts.append(text)
    parameters = list(PARAMETERS[: random.choice((2, 3, 4, 5))])
    if is_idiomatic:
        parameters += random.sample(CONTAINERS, random.choice((0, 1, 2)))
    scope = {**dict(parameters), "n": "count"}
    author = Author(
        random, scope, helpers, is_sharing=is_sharing, is_idiomatic=is_idiomatic, is_root=True
    )
    author.statements(random.randint(4, 8))
    kind = random.choice(("number", "vector"))
    is_early = random.random() < 0.25
    if is_early:
        author.early_return(kind)
        author.statements(random.randint(1, 2))
        author.line(f"return {author.value(kind)}")
    outputs = () if is_early else _ending(author, random)
    names = [name for name, kind in parameters if kind != "places"]
    signature = ", ".join((*(name for name, _ in parameters), "n"))
    texts.append(author.function("f", signature))
    wrt = tuple(name for name in names if random.random() < 0.7) or (random.choice(names),)
    points = tuple(_point(random, dict(parameters), n) for n in random.sample(range(4), 2))
    text = "\n\n".join(texts)
    if "note(" in text:
        text = text.replace(HEADER, f"{HEADER}{STATES}", 1)
        text = text.replace(f"def f({signature}):\n", f"def f({signature}):\n    forget()\n")
    if author.has_inserted:
        text = text.replace("def f(", "@differentiable\ndef f(")
        text = text.replace("\n\n", "\n\nfrom adlsp import differentiable, insert_grad_of\n", 1)
    if is_idiomatic:
        text = collided(random, text, LOCAL)
    return Program(seed, text, wrt, outputs, points, is_sharing)


LOCAL = tuple(name for names in POOL.values() for name in names)
"""The variables that authors bind."""


def _ending(author: Author, random: Random) -> tuple[str, ...]:
    """The return of the root, or none where the arrays that it changed are the outputs."""
    arrays = tuple(n for n in ("x", "m", "y") if n in author.written - author.rebound)
    if arrays and random.random() < 0.3:
        return arrays
    if author.is_idiomatic and random.random() < 0.3:
        a, b, v = author.value("number"), author.value("number"), author.value("vector")
        texts = (f"{{'loss': {a}, 'parts': [{b}, {v}]}}", f"[{a}, {v}]", f"({a}, ({v}, {b}))")
        author.line(f"return {random.choice(texts)}")
        return ()
    kind = random.choice(("number", "number", "vector", "vector", "matrix", "both", "array"))
    if kind == "both":
        author.line(f"return {author.number(2)}, {author.vector(1)}")
    elif kind == "array" and arrays:
        author.line(f"return {random.choice(arrays)}")
    else:
        author.line(f"return {author.value('number' if kind == 'array' else kind)}")
    return ()


def _helper(
    random: Random, name: str, known: list[Helper], *, is_sharing: bool
) -> tuple[Helper, str]:
    if random.random() < 0.15:
        smaller = ("0.8 * t", "t * t", "t + 0.3")
        text = (
            f"def {name}(t, n):\n    if n <= 0:\n        return t\n"
            f"    return np.sin({name}({random.choice(smaller)}, n - 1) * t)\n"
        )
        return Helper(name, (("t", "vector"), ("n", "index")), "vector"), text
    parameters = [("t", random.choice(("number", "vector")))]
    if random.random() < 0.7:
        parameters.append(("o", random.choice(("number", "vector", "matrix"))))
    if random.random() < 0.3:
        parameters.append(("l", "index"))
    has_option = random.random() < 0.4
    scope = dict(parameters) | ({"rate": "number"} if has_option else {})
    author = Author(random, scope, known, is_sharing=is_sharing)
    result = random.choice(("number", "vector", "both"))
    author.statements(random.randint(1, 4))
    if random.random() < 0.5:
        author.early_return(result)
        author.statements(random.randint(1, 2))
    author.line(f"return {author.result(result)}")
    signature = ", ".join(p for p, _ in parameters) + (", rate=0.6" if has_option else "")
    return Helper(name, tuple(parameters), result, has_option), author.function(name, signature)


SHAPES = {"vector": (N,), "matrix": (2, N), "number": ()}


def _point(random: Random, parameters: dict[str, str], n: int) -> dict[str, Any]:
    numbers = np.random.default_rng(random.randrange(10**6))
    return {name: _argument(numbers, kind) for name, kind in parameters.items()} | {"n": n}


def _argument(numbers: np.random.Generator, kind: str) -> Any:
    """An argument of a kind."""

    def made(kind: str) -> Any:
        return _argument(numbers, kind)

    match kind:
        case "model":
            layers = [made("vector"), {"rate": made("number")}]
            return {"weight": made("vector"), "bias": made("number"), "layers": layers}
        case "points":
            return [made("vector"), made("vector")]
        case "couple":
            return made("number"), made("vector")
        case "places":
            return np.array([2, 0, 1])
    value = numbers.uniform(-1.2, 1.2, SHAPES[kind])
    return value if kind != "number" else float(value)
