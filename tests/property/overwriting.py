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
    "np.isposinf({b}, {b})",
    "np.greater({b}, 0.5, {b})",
    "np.logical_not({b}, {b})",
    "np.round({b}, 1, {b})",
    "{b}.round(1, {b})",
    "{b}.clip(0.0, 1.0, {b})",
    "np.cumsum({b}, -1, None, {b})",
    "{b}.cumsum(-1, None, {b})",
    "c = np.modf({b}, {b})[1]",
    "np.divmod({b}, 0.5, {b}, np.empty({b}.shape))",
    "operator.imul({b}, 2.0)",
    "c = operator.iadd({b}, 1.0)",
    "{b}.sort()",
    "{b}.partition(1)",
    "{b}.fill(2.0)",
    "{b}[0] = 5.0",
    "{b}[...] = {b}[::-1] * 2.0",
    "{b} *= 2.0",
    "np.copyto(dst={b}, src={b} * 2.0)",
    "np.put(a={b}, ind=[0], v=4.0)",
    "np.ndarray.sort({b})",
    "np.ndarray.__imul__({b}, 1.5)",
    "{b}.__setitem__(0, 4.0)",
    "c = [{b}.__setitem__(0, 0.5) for _ in range(2)]",
    "c = {b}.put(0, 3.0)",
    "c = np.ndarray.fill({b}, 3.0) if {b}[0] > 0 else {b}.sort()",
    "list(map({b}.__setitem__, [0, 1], [0.5, 2.5]))",
    "any(map(overwrite, [{b}]))",
    "c = sorted([0.5], key=lambda v: {b}.__setitem__(0, v) or v)",
    "c = max([{b}], key=lambda v: v.sort() or 0)",
    "overwrite({b})",
    "c = changed({b})",
)
"""Statements that change `b` in place."""

HELPERS = """
def overwrite(t):
    np.multiply(t, 3.0, out=t)


def changed(t):
    return np.add(t, 0.5, t)


def overwritten(t):
    return np.sin(t, out=t) + 1.0
"""

READS = ("held += np.sum({x} * {b})", "held *= np.sum(np.sin({x} * {b}))", "{x} = {x} * {b}")

AT_ONCE = (
    "held += np.sum({x} * {b}) * np.sum(np.add({b}, 0.5, out={b}))",
    "held += np.sum(np.cumsum({b}, out={b}) * {x} + np.sin({b} * {x}))",
    "{x} = np.sin({x} * {b}) * np.multiply({b}, 0.5, {b})",
    "{x} = np.cos({x} + {b}) * np.modf({b}, {b})[1] + {x} * {b}",
    "held += overwritten({b})[0] * np.sum({x} * {b})",
)
"""Statements that change `b` in place between two reads."""

NAMES = ("d = b", "d = b[1:]", "d = b[::-1]", "d = b.reshape(2, 2)", "d = np.asarray(b)")
"""Further names for the memory."""

POINT: dict[str, Any] = {
    "x": np.array([0.7, -0.4, 1.1, 0.2]),
    "b": np.array([0.3, 1.2, -0.8, 0.9]),
}


BLIND = ("np.ndarray.", "{b}.__", "c = [{b}.__")
"""What of these is not followed: it changes what the caller has."""


@dataclass(frozen=True)
class Overwriting:
    """A text with the function `f`; `is_alone`: the array has one name, and no callee has it."""

    text: str
    is_alone: bool


def write(seed: int) -> Overwriting:
    """Writes a program that reads an array, changes it, and reads it again, some times."""
    chance = random.Random(seed)
    lines, names, is_alone, is_blind = ["held = 1.0"], ["b"], True, False
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
        is_blind = is_blind or way.startswith(BLIND)
        is_alone = is_alone and not way.endswith(("overwrite({b})", "changed({b})"))
        inner.append(way.format(b=chance.choice(names)))
        if way.startswith("c ="):
            is_alone = False
        if chance.random() < 0.3:
            inner.append(chance.choice(AT_ONCE).format(x="x", b="b"))
            is_alone = False
    inner.append(chance.choice(READS).format(x="x", b="b"))
    if passes:
        lines += ["for _ in range(2):", *(f"    {line}" for line in inner)]
    else:
        lines += inner
    if is_blind:
        lines.insert(0, "b = b * 1.1")
    body = "".join(f"    {line}\n" for line in lines)
    head = f"import operator\n\nimport numpy as np\n\n{HELPERS}"
    return Overwriting(f"{head}\n\ndef f(x, b):\n{body}    return held, np.sum(x * x)\n", is_alone)
