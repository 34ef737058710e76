"""What a class holds for all of its objects, and the ways in which that changes and is read.

Each change of `DATA` stands in each program of `WAYS`, which reads by another name than it changes:
by the class, or another object. Those of `KEPT` read before, and want it again backward.
"""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

HEAD = """import numpy as np

K = np.array([0.5, -0.7, 2.0])


"""


class Data(NamedTuple):
    """What a class holds, how that is begun and read, and changes by an active `x`, or by `K`.

    `OWNER` stands for a class or an object.
    """

    held: str
    begun: str
    read: str
    changes: tuple[str, ...]
    others: tuple[str, ...]


DATA = (
    Data(
        "kept = []",
        "Box.kept[:] = [np.array([1.0, 2.0, 3.0])]",
        "OWNER.kept[0]",
        ("OWNER.kept.insert(0, x)", "OWNER.kept[:0] = [x]", "OWNER.kept[0] = x"),
        ("OWNER.kept[0] = K", "OWNER.kept[0][:] = K", "OWNER.kept[0] += K"),
    ),
    Data(
        "kept = np.zeros(3)",
        "Box.kept[:] = np.array([1.0, 2.0, 3.0])",
        "OWNER.kept",
        (
            "OWNER.kept[:] = x",
            "OWNER.kept += x",
            "OWNER.kept += K",
            "a = OWNER.kept\na[:] = x",
            "OWNER.kept.fill(x[0])",
        ),
        ("OWNER.kept[:] = K", "a = OWNER.kept\na[:] = K", "np.copyto(OWNER.kept, K)"),
    ),
    Data(
        "kept = {}",
        "Box.kept['a'] = np.array([1.0, 2.0, 3.0])",
        "OWNER.kept['a']",
        ("OWNER.kept['a'] = x", "OWNER.kept.update(a=x)"),
        ("OWNER.kept['a'] = K", "OWNER.kept['a'][:] = K"),
    ),
    Data(
        "kept = 0.0",
        "Box.kept = 1.5",
        "OWNER.kept",
        ("OWNER.kept = x[0]", "setattr(OWNER, 'kept', x[0])"),
        (),
    ),
)

WAYS = {
    "twice by a callee": """
class Box:
    {held}


def g(box, x):
    {box}


def f(x):
    {begun}
    box, other = Box(), Box()
    g(box, x)
    y = x * {=other}
    g(box, x)
    return np.sum(y * {=other})
""",
    "by a method": """
class Box:
    {held}

    def put(self, x):
        {self}


def f(x):
    {begun}
    box = Box()
    box.put(x)
    return np.sum({=Box} ** 2) * x[2]
""",
    "by another object": """
class Box:
    {held}

    def put(self, x):
        {self}

    def total(self):
        return np.sum({=self} ** 2)


def f(x):
    {begun}
    box, other = Box(), Box()
    box.put(x)
    return other.total() * x[2]
""",
    "by its type": """
class Box:
    {held}

    def put(self, x):
        {type(self)}


def f(x):
    {begun}
    box = Box()
    box.put(x)
    return np.sum({=box} ** 2) * x[2]
""",
    "by a class method": """
class Box:
    {held}

    @classmethod
    def put(cls, x):
        {cls}


def f(x):
    {begun}
    Box.put(x)
    return np.sum({=Box()} ** 2) * x[2]
""",
    "here": """
class Box:
    {held}


def f(x):
    {begun}
    box, other = Box(), Box()
    {box}
    return np.sum({=other} ** 2) * x[2]
""",
    "in a callee": """
class Box:
    {held}


def g(box, x):
    {box}
    return 2.0


def f(x):
    {begun}
    scale = g(Box(), x)
    return np.sum({=Box} ** 2) * x[2] * scale
""",
    "by the class in a callee": """
class Box:
    {held}


def g(x):
    {Box}


def f(x):
    {begun}
    box = Box()
    g(x)
    return np.sum({=box} ** 2) * x[2]
""",
    "by a class that is given": """
class Box:
    {held}


def g(kind, x):
    {kind}
    return 2.0


def f(x):
    {begun}
    scale = g(Box, x)
    return np.sum({=Box} ** 2) * x[2] * scale
""",
    "below": """
class Base:
    {held}


class Box(Base):
    def put(self, x):
        {self}


def f(x):
    {begun}
    Box().put(x)
    return np.sum({=Base} ** 2) * x[2]
""",
    "when made": """
class Box:
    {held}

    def __init__(self, x):
        {self}


def f(x):
    {begun}
    Box(x)
    return np.sum({=Box} ** 2) * x[2]
""",
    "of a module": """
class Box:
    {held}

    def put(self, x):
        {self}


BOX = Box()


def f(x):
    {begun}
    BOX.put(x)
    return np.sum({=Box} ** 2) * x[2]
""",
    "in a block": """
class Box:
    {held}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def f(x):
    {begun}
    with Box() as box:
        {box}
    return np.sum({=Box} ** 2) * x[2]
""",
    "perhaps its own": """
class Box:
    {held}

    def __init__(self, is_own):
        if is_own:
            self.kept = 1.0

    def put(self, x):
        {self}


def f(x):
    {begun}
    box = Box(x[0] > 5)
    box.put(x)
    return np.sum({=Box} ** 2) * x[2]
""",
    "of several": """
class Box:
    {held}


def f(x):
    {begun}
    boxes = [Box() for _ in range(2)]
    for box in boxes[:1]:
        {box}
    return np.sum({=boxes[1]} ** 2) * x[2]
""",
}

KEPT = {
    "here": """
class Box:
    {held}


def f(x):
    {begun}
    box, other = Box(), Box()
    y = x * x * {=box}
    {other}
    return np.sum(y * y * x * {=box})
""",
    "by the class": """
class Box:
    {held}


def f(x):
    {begun}
    box = Box()
    y = x * x * {=box}
    {Box}
    return np.sum(y * y * {=Box})
""",
    "by methods": """
class Box:
    {held}

    def put(self):
        {self}

    def times(self, x):
        return x * x * {=self}


def f(x):
    {begun}
    box, other = Box(), Box()
    y = box.times(x)
    other.put()
    y = box.times(y)
    return np.sum(y * {=Box})
""",
    "in a callee": """
class Box:
    {held}


def g(box):
    {type(box)}


def f(x):
    {begun}
    box, other = Box(), Box()
    y = x * x * {=box}
    for _ in range(2):
        y = y * x * {=other}
        g(box)
    return np.sum(y * {=Box})
""",
}


def programs(way: str) -> list[str]:
    """The programs of one way in which what a class holds becomes active."""
    return [_filled(WAYS[way], data, change) for data in DATA for change in data.changes]


def kept(way: str) -> list[str]:
    """The programs of one way that read what a class holds before it changes."""
    return [_filled(KEPT[way], data, change) for data in DATA for change in data.others]


def _filled(text: str, data: Data, change: str) -> str:
    """A program with what a class holds, a change, and how it is read."""

    def part(found: re.Match[str]) -> str:
        indent, name = found.groups()
        if name in ("held", "begun"):
            return indent + getattr(data, name)
        if name.startswith("="):
            return indent + data.read.replace("OWNER", name[1:])
        return textwrap.indent(change.replace("OWNER", name), indent)

    return HEAD + re.sub(r"((?:^ +)?)\{([^}]+)\}", part, text, flags=re.MULTILINE).lstrip()
