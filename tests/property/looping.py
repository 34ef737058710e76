"""Programs with loops over all that can be run over, by one loop or by several.

Lists, generators and iterators of Python's own are combined by `zip` and its like, get names, are
given to functions that run over them, and are taken apart. A class, a function and a dictionary of
the module count the passes meanwhile.
"""

import random
from dataclasses import dataclass, field

import numpy as np

HEAD = """\
import itertools

import numpy as np

SIZES = [0.5, 1.25, -0.75]
COUNT = {"n": 0}


class Meter:
    n = 0

    @classmethod
    def tick(cls):
        cls.n += 1


def used():
    used.times += 1
    return used.times


def indices(n):
    for i in range(n):
        yield (2 * i + 1) % 4


def along(x, places):
    s = 1.0
    for i in places:
        s = s * 0.5 + x[i % 4]
    return s


def weighed(x, pairs):
    s = 0.5
    for i, k in pairs:
        s = s * k + x[i % 4]
    return s


"""

INDICES = (
    "[0, 2, 1]",
    "range(3)",
    "places",
    "indices(3)",
    "(i + 1 for i in places)",
    'map(int, "3 0 1".split())',
    "iter(places)",
    "reversed(places)",
    "sorted(places)",
    "{2: 0.5, 0: 1.5}",
    "itertools.chain([1], places)",
    "np.array([3, 1, 2])",
)
NUMBERS = ("SIZES", "[2.0, 0.25]", "(0.5, 1.5, 1.0)", "np.array([0.5, 0.75])", "iter(SIZES)")
ACTIVE = ("x", "x[1:]", "x[::-1]", "[x[0], x[2]]", "list(x)")
COUNTING = (
    ("Meter.tick()", "Meter.n"),
    ("Meter.n += 1", "Meter.n"),
    ("used()", "used.times"),
    ('COUNT["n"] += 1', 'COUNT["n"]'),
    ("meter.tick()", "meter.n"),
)

POINT = {"x": np.array([0.5, -1.25, 0.75, 1.5]), "places": [1, 0, 3]}


@dataclass(frozen=True)
class Program:
    """A module whose function `f` is to be differentiated with respect to `x`."""

    text: str


@dataclass
class Writer:
    """Writes one program; `lines` are those of `f` so far."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    n_names: int = 0

    def name(self, word: str) -> str:
        """A name that no variable has."""
        self.n_names += 1
        return f"{word}{self.n_names}"

    def run(self, depth: int) -> tuple[str, object]:
        """Something to run over, and what its elements are: a letter, or a tuple of such."""
        kind = self.rng.random()
        if depth and kind < 0.25:
            of, each = self.run(depth - 1)
            start = self.rng.choice(("", ", 1", ", start=2"))
            return f"enumerate({of}{start})", ("i", each)
        if depth and kind < 0.55:
            parts = [self.run(depth - 1) for _ in range(self.rng.choice((2, 2, 3)))]
            return f"zip({', '.join(of for of, _ in parts)})", tuple(each for _, each in parts)
        letter = self.rng.choice("iiikkvv")
        texts = {"i": INDICES, "k": NUMBERS, "v": ACTIVE}[letter]
        return self.rng.choice(texts), letter

    def target(self, each: object, names: list[tuple[str, str]]) -> str:
        """What a loop calls an element, with the names of its parts."""
        if isinstance(each, tuple):
            inside = ", ".join(self.target(part, names) for part in each)
            return f"({inside})"
        assert isinstance(each, str)
        names.append((each, self.name(each)))
        return names[-1][1]

    def body(self, names: list[tuple[str, str]], pad: str) -> None:
        """What a pass does."""
        factor = self.rng.choice(("0.5", "x[0]", "s"))
        for letter, name in self.rng.sample(names, min(len(names), 3)):
            value = {"i": f"x[{name} % 4]", "k": name, "v": name}[letter]
            form = self.rng.choice(
                ("s = s * {0} + {1}", "s = np.sin(s) + {1} * {0}", "s += {1} * {1}", "s = s * {1}")
            )
            self.lines.append(pad + form.format(factor, value))
        if self.rng.random() < 0.4:
            done, read = self.rng.choice(COUNTING)
            self.lines += [pad + done, f"{pad}s = s * 0.5 + x[1] * {read}"]

    def loop(self, of: str, each: object, pad: str) -> None:
        """A loop over something."""
        names: list[tuple[str, str]] = []
        target = self.target(each, names)
        if isinstance(each, tuple):
            target = target[1:-1]
        self.lines.append(f"{pad}for {target} in {of}:")
        self.body(names, pad + "    ")

    def part(self) -> None:
        """A loop, two loops over one thing, or a call of a function that runs over it."""
        kind, pad = self.rng.random(), "    "
        if kind < 0.15:
            self.lines.append(f"{pad}s = s + along(x, {self.rng.choice(INDICES)})")
        elif kind < 0.3:
            pairs = f"zip({self.rng.choice(INDICES)}, {self.rng.choice(NUMBERS)})"
            self.lines.append(f"{pad}s = s + weighed(x, {pairs})")
        else:
            of, each = self.run(2)
            if self.rng.random() < 0.4:
                name = self.name("it")
                self.lines.append(f"{pad}{name} = {of}")
                of = name
            if self.rng.random() < 0.2:
                self.lines.append(f"{pad}for n in range(2):")
                self.lines.append(f"{pad}    s = s * 0.5 + n")
                pad += "    "
            self.loop(of, each, pad)
            if self.rng.random() < 0.2:
                self.loop(of, each, "    ")


def write(seed: int) -> Program:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    for _ in range(writer.rng.choice((1, 1, 2))):
        writer.part()
    start = '    Meter.n = used.times = COUNT["n"] = 0\n    meter = Meter()\n    s = 0.75\n'
    body = "\n".join(writer.lines)
    return Program(f"{HEAD}def f(x, places):\n{start}{body}\n    return s\n")
