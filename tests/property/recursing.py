"""Programs of functions that call each other and themselves, and change what they are given.

What one of them changes, or gives back of its arguments, rests on what the others do.
"""

import random
from typing import Any

import numpy as np

HEAD = "import numpy as np\n"

VALUES = ("np.tanh({a}[{i}] * {b}[{j}]) + 0.3", "{a}[{i}] * {b}[{j}]", "np.sin({b}[{i}])")

ARGUMENTS = ("a", "b", "a", "b", "a[:]", "b * 1.5", "a.copy()")

BINDINGS = ("a = b", "a = a[:]", "b = b * 2.0", "a, b = b, a", "b = np.asarray(a)")

POINT: dict[str, Any] = {"x": np.array([0.4, 0.7])}


def write(seed: int) -> str:
    """Writes a program with the function `f`, from which all others are called."""
    chance = random.Random(seed)
    names = [f"step_{i}" for i in range(chance.randint(1, 4))]
    gives = {name: chance.random() < 0.4 for name in names}
    parts = [HEAD, *(_function(name, names, gives, chance) for name in names)]
    lines = ["y = x * 2.0", "z = np.sin(x)", "t = 0.0"]
    for _ in range(chance.randint(1, 3)):
        called = chance.choice(names)
        given = ", ".join(chance.sample(("y", "z"), 2))
        call = f"{called}({given}, {chance.randint(1, 4)})"
        if gives[called] and chance.random() < 0.6:
            lines += [f"w = {call}", "w[0] = w[0] * 1.5", "t = t + np.sum(w)"]
        else:
            lines.append(call)
        lines.append("t = t + np.sum(y * z)")
    parts.append(_written("f(x)", [*lines, "return t"]))
    return "\n\n".join(parts)


def _function(name: str, names: list[str], gives: dict[str, bool], chance: random.Random) -> str:
    lines = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if kind < 0.35:
            a, b, c = (chance.choice("ab") for _ in range(3))
            i, j, k = (chance.randint(0, 1) for _ in range(3))
            value = chance.choice(VALUES).format(a=a, b=b, i=i, j=j)
            how = chance.choice(("=", "=", "*="))
            lines.append(f"{c}[{k}] {how} {value}")
        elif kind < 0.5:
            lines.append(chance.choice(BINDINGS))
        else:
            called = chance.choice(names)
            given = ", ".join(chance.choice(ARGUMENTS) for _ in range(2))
            into = chance.choice(("a = ", "b = ", "")) if gives[called] else ""
            lines.append(f"{into}{called}({given}, n - 1)")
    if gives[name]:
        result = chance.choice(("a", "b", "b[:]", "a * 2.0"))
        ended = ["if n <= 0:", f"    return {chance.choice('ab')}"]
        return _written(f"{name}(a, b, n)", [*ended, *lines, f"return {result}"])
    return _written(f"{name}(a, b, n)", ["if n <= 0:", "    return", *lines])


def _written(head: str, lines: list[str]) -> str:
    return "\n    ".join((f"def {head}:", *lines)) + "\n"
