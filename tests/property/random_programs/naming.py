"""Programs that change what containers hold by names of their own, and in callees.

`w = p["u"]; w *= a` in a callee changes the caller's array, whether its result is used or not; an
entry that is put under a second key has two names. As for `holding`, the engine may refuse them.
"""

from dataclasses import dataclass
from random import Random

import numpy as np

from random_programs import holding
from random_programs.program import Program

GIVEN = {"state": ("t['u']", "t['v']"), "rows": ("t[0]", "t[1]", "t[-1]")}
"""The vectors in what a callee is given."""

EVERY = {
    "state": ("for k in ('u', 'v'):\n    w = t[k]", "for k in ['v']:\n    w = t[k]"),
    "rows": ("for i in range(len(t)):\n    w = t[i]", "for i in range(2):\n    w = t[i]"),
}
"""Loops in which each vector has a name."""

CHANGES = (
    "w *= a",
    "w += 0.3 * np.sin(w) * a",
    "w -= a",
    "w[0] = a",
    "w[1:] *= a",
    "w[:] = np.tanh(w * a)",
)
RESULTS = ("", "", "return w", "return np.sum(w)", "return a * a", "return 2")


@dataclass
class Writer(holding.Writer):
    """Writes more of what has several names."""

    def statement(self) -> None:
        """Writes one statement."""
        chosen = self.random.random()
        if chosen < 0.3:
            self.lent()
        elif chosen < 0.35:
            self.twice()
        elif chosen < 0.5:
            self.other_name()
        else:
            super().statement()

    def lent(self) -> None:
        """A callee that changes what it is given, by a name."""
        step, of = self.random.choice(list(self.steps.items()))
        if of not in self.containers:
            return self.other_name()
        call = f"{step}({of}, {self.leaf('number')})"
        if self.random.random() < 0.6:
            return self.line(call)
        self.line(f"got_{len(self.lines)} = {call}")
        return None

    def twice(self) -> None:
        """An entry under two keys, one of which is changed."""
        found = self.entries("vector")
        if len(found) < 2:
            return self.changed()
        one, other = self.random.sample(found, 2)
        self.line(f"{one} = {other}")
        value = self.value("number")
        return self.line(
            self.pick(f"{other}[1] *= {value}", f"{other} += {value}", f"{one}[:] = {value}")
        )

    def other_name(self) -> None:
        """An entry that is changed by a name of its own."""
        found = self.entries("vector")
        if not found:
            return self.computed()
        self.line(f"w = {self.random.choice(found)}")
        change = self.random.choice(CHANGES)
        self.line(f"a = {self.value('number')}")
        self.line(change)
        return None

    def called(self) -> None:
        """A call, as above."""
        self.lent()


def write(seed: int) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    containers = tuple(sorted(random.sample(("state", "rows", "layers", "numbers"), 2)))
    steps = {f"step_{number}": random.choice(("state", "rows")) for number in range(2)}
    texts = [holding.HEADER, *(_step(random, name, of) for name, of in steps.items())]
    writer = Writer(random, containers, {"vector": ["x"], "number": ["r"]}, steps)
    for _ in range(random.randint(2, 5)):
        writer.statement()
    results = (writer.number(), f"{writer.number()}, {writer.vector()}")
    sums = [s for name in containers for s in holding.SUMS[name]]
    writer.line(f"return {random.choice(results)}, {random.choice(sums)}")
    texts.append(
        "\n".join((f"def f({', '.join((*containers, 'x', 'r', 'n'))}):", *writer.lines, ""))
    )
    wrt = tuple(n for n in (*containers, "x", "r") if random.random() < 0.6) or ("x",)
    seeds = [np.random.default_rng(random.randrange(10**6)) for _ in range(2)]
    points = tuple(
        {name: holding.argument(seed, name) for name in (*containers, "x", "r")} | {"n": n}
        for seed, n in zip(seeds, random.sample(range(4), 2), strict=True)
    )
    return Program(seed, "\n\n".join(texts), wrt, (), points, is_sharing=True)


def _step(random: Random, name: str, of: str) -> str:
    """A function that changes what it is given by a name for a part of it."""
    loops = random.random() < 0.4
    named = random.choice(EVERY[of]) if loops else f"w = {random.choice(GIVEN[of])}"
    lines = named.split("\n")
    indent = "    " if loops else ""
    lines += [f"{indent}{change}" for change in random.sample(CHANGES, random.choice((1, 1, 2)))]
    if random.random() < 0.25:
        lines.append(f"w = {random.choice(GIVEN[of])}")
    lines += [line for line in (random.choice(RESULTS),) if line]
    return "\n".join((f"def {name}(t, a):", *(f"    {line}" for line in lines), ""))
