"""Programs that write over arrays of no interest, in all the ways there are, and read them again.

What the gradient needs of such an array is what was there when it was read.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

WAYS = (
    "np.multiply({b}, 2.0, out={b})",
    "np.add({b}, 1.0, {b})",
    "c = np.add({b}, 1.0, out={b})",
    "c = np.subtract({b}, 0.5, {b})",
    "np.sin({b}, out={b})",
    "np.cumsum({b}, out={b})",
    "np.clip({b}, 0.0, 1.0, {b})",
    "np.median({b}, overwrite_input=True)",
    "c = np.percentile({b}, 40, overwrite_input=True)",
    "np.nan_to_num({b}, copy=False, nan=1.0)",
    "np.maximum.at({b}, [0], 3.0)",
    "np.copyto({b}, 2.0 * {b})",
    "np.put({b}, [0], 4.0)",
    "np.place({b}, {b} > 0.5, [1.5])",
    "np.floor({b}, {b})",
    "operator.imul({b}, 2.0)",
    "c = operator.iadd({b}, 1.0)",
    "{b}.sort()",
    "{b}.partition(1)",
    "{b}.fill(2.0)",
    "{b}[0] = 5.0",
    "{b}[...] = {b}[::-1] * 2.0",
    "{b} *= 2.0",
    "overwrite({b})",
    "c = changed({b})",
)
"""Statements that change `b` in place."""

HELPERS = """
def overwrite(t):
    np.multiply(t, 3.0, out=t)


def changed(t):
    return np.add(t, 0.5, t)
"""

READS = ("held += np.sum({x} * {b})", "held *= np.sum(np.sin({x} * {b}))", "{x} = {x} * {b}")

NAMES = ("d = b", "d = b[1:]", "d = b[::-1]", "d = b.reshape(2, 2)", "d = np.asarray(b)")
"""Further names for the memory."""

POINT: dict[str, Any] = {
    "x": np.array([0.7, -0.4, 1.1, 0.2]),
    "b": np.array([0.3, 1.2, -0.8, 0.9]),
}


@dataclass(frozen=True)
class Overwriting:
    """A text with the function `f`; `is_alone`: the array has one name, and no callee has it."""

    text: str
    is_alone: bool


def write(seed: int) -> Overwriting:
    """Writes a program that reads an array, changes it, and reads it again, some times."""
    chance = random.Random(seed)
    lines, names, is_alone = ["held = 1.0"], ["b"], True
    if chance.random() < 0.3:
        lines.append("b = b * 1.5")
    if chance.random() < 0.3:
        lines.append(chance.choice(NAMES))
        names.append("d")
        is_alone = False
    passes = chance.random() < 0.3
    inner: list[str] = []
    for _ in range(chance.choice((1, 2, 3))):
        inner.append(chance.choice(READS).format(x="x", b="b"))
        way = chance.choice(WAYS)
        is_alone = is_alone and not way.endswith(("overwrite({b})", "changed({b})"))
        inner.append(way.format(b=chance.choice(names)))
        if way.startswith("c ="):
            is_alone = False
    inner.append(chance.choice(READS).format(x="x", b="b"))
    if passes:
        lines += ["for _ in range(2):", *(f"    {line}" for line in inner)]
    else:
        lines += inner
    body = "".join(f"    {line}\n" for line in lines)
    head = f"import operator\n\nimport numpy as np\n\n{HELPERS}"
    return Overwriting(f"{head}\n\ndef f(x, b):\n{body}    return held, np.sum(x * x)\n", is_alone)
