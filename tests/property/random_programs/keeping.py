"""Programs that keep vectors in lists and dictionaries of their own, and change them there later.

A vector is appended, entered or displayed, its variable bound anew, and then it is changed where a
container holds it, by an element, a slice, an operator, another name or a callee: what was read of
it before is something else then. Some of these share memory in ways that are refused.
"""

import re
from random import Random

import numpy as np

from random_programs.program import Program

HEADER = """import numpy as np


def touch(held, a):
    held[0][1] = a * 1.5


def scale(d, a):
    d['a'] *= a


class State:
    def __init__(self, log, a, b):
        self.log, self.a, self.b = log, a, b

    def scale(self, a):
        self.a = self.a * a

    def append(self, v):
        self.log.append(v)
"""

IN_OBJECT = (
    (r"d = \{'a': (.*), 'b': (.*)\}", r"s = State(log, \1, \2)"),
    (r"scale\(d, r\)", "s.scale(r)"),
    (r"log\.append", "s.append"),
    (r"\bd\['(\w)'\]", r"s.\1"),
    (r"(?<!\.)(?<!State\()\blog\b", "s.log"),
)
"""How a line is written where an object holds the list, and what the dictionary has."""

VECTORS = "h", "v"
PLACES = "log[0]", "log[-1]", "d['a']", "d['b']"


def write_objects(seed: int) -> Program:
    """Writes the program of a seed, with what it keeps in an object."""
    return write(seed, in_object=True)


def write(seed: int, *, in_object: bool = False) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    lines = ["h = x * 1.0", "v = np.sin(x) + r", "t = r * 1.0"]
    lines.append(random.choice(("log = []", "log = [v]", "log = [x + 1.0]")))
    if lines[-1] == "log = []":
        lines.append("log.append(h)")
    lines.append(random.choice(("d = {'a': h, 'b': x * r}", "d = {'a': v * 1.0, 'b': h}")))
    n_first = len(lines)
    for _ in range(random.randint(2, 5)):
        if random.random() < 0.25:
            lines.append(random.choice(("for i in range(2):", "if n > 1:")))
            lines += [f"    {_statement(random)}" for _ in range(random.randint(1, 3))]
        else:
            lines.append(_statement(random))
    lines.append(f"return np.sum({_vector(random)} * {_vector(random)}) + t")
    if in_object:
        last = n_first - 1
        lines[last:] = [_in_object(line) for line in lines[last:]]
    text = "\n".join((HEADER, "", "def f(x, r, n):", *(f"    {line}" for line in lines), ""))
    wrt = random.choice((("x",), ("x", "r"), ("r",)))
    numbers = [np.random.default_rng(random.randrange(10**6)) for _ in range(2)]
    points = tuple(
        {"x": each.uniform(-1.2, 1.2, 3), "r": float(each.uniform(-1.2, 1.2)), "n": n}
        for each, n in zip(numbers, (1, 2), strict=True)
    )
    return Program(seed, text, wrt, (), points, is_sharing=True)


def _in_object(line: str) -> str:
    for pattern, text in IN_OBJECT:
        line = re.sub(pattern, text, line)
    return line


def _vector(random: Random) -> str:
    return random.choice((*VECTORS, *PLACES))


def _number(random: Random) -> str:
    return random.choice(("r", "0.5 * r", f"{_vector(random)}[0]", f"np.sum({_vector(random)})"))


def _statement(random: Random) -> str:
    """One line: something is kept, bound anew, or changed where it is kept."""
    name, place, number = random.choice(VECTORS), random.choice(PLACES), _number(random)
    value = random.choice((f"{name} * r", f"np.sin({_vector(random)})", f"{place} + {name}"))
    return random.choice(
        (
            f"{name} = {value}",
            f"{name} = {value}",
            f"log.append({name})",
            f"log.append({value})",
            f"d['a'] = {name}",
            f"log[0] = {name}",
            f"d['b'] = {value}",
            f"{place}[0] = {number}",
            f"{place}[{random.choice(('1', '-1'))}] *= r",
            f"{place}[1:] = {random.choice(VECTORS)}[:-1]",
            f"{place} *= {random.choice(('r', '1.1'))}",
            f"{place} = {value}",
            f"{name}[0] = {number}",
            "touch(log, r)",
            "scale(d, r)",
            f"t = t + np.sum({place} * {name})",
            f"t += {number}",
        )
    )
