"""Programs that change what lists and dictionaries of the caller's hold.

They read entries under names and without, change them as a whole and in parts, put names and other
entries there, before and after what was read is used, in loops, branches and callees. What they
share they may change, so the engine may refuse them with AD302 or AD303.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from random_programs.program import Program

HEADER = "import math\n\nimport numpy as np\n"

Entries = dict[str, tuple[str, ...]]
"""The texts of the entries of containers, by the kinds of what is there."""

CONTAINERS: dict[str, Entries] = {
    "state": {"vector": ("state['u']", "state['v']"), "number": ("state['s']",)},
    "rows": {"vector": ("rows[0]", "rows[1]")},
    "numbers": {"number": ("numbers[0]", "numbers[1]", "numbers[-1]")},
    "layers": {
        "vector": ("layers[0]['w']", "layers[1]['w']"),
        "number": ("layers[0]['b']", "layers[1]['b']"),
    },
    "net": {
        "vector": ("net['one']['w']", "net['all'][0]"),
        "number": ("net['one']['b']", "net['all'][1]"),
    },
    "pairs": {},
}

PARTS = {"layers": ("layers[0]", "layers[1]"), "net": ("net['one']",)}
"""Dictionaries in containers, each with a vector 'w' and a number 'b'."""

LOOPS = {
    "state": ("for k in state:", "for k in ('u', 'v'):", "for k in list(state):"),
    "rows": ("for i in range(2):", "for i in range(len(rows)):"),
    "numbers": ("for i in range(n):", "for i in range(1, 3):"),
    "layers": ("for i in range(2):",),
}
ENTRY = {
    "state": "state[k]",
    "rows": "rows[i]",
    "numbers": "numbers[i]",
    "layers": "layers[i]['w']",
}
SUMS = {
    "state": (
        "sum(np.sum(z ** 2) for z in state.values())",
        "sum(np.sum(np.sin(state[k])) for k in state)",
    ),
    "rows": ("sum(np.sum(z * z) for z in rows)", "np.sum(np.stack(rows) ** 2)", "sum(rows)[1]"),
    "numbers": ("sum(numbers)", "sum(z ** 2 for z in numbers)", "max(numbers)"),
    "layers": ("sum(np.sum(z['w']) * z['b'] for z in layers)",),
    "net": ("np.sum(net['one']['w'] * net['all'][0])",),
    "pairs": ("sum(np.sum(w) * b for w, b in pairs)", "pairs[0][1] * np.sum(pairs[1][0])"),
}


@dataclass
class Writer:
    """The lines of a function, and what may be read in the next one."""

    random: Random
    containers: tuple[str, ...]
    names: dict[str, list[str]]
    steps: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    indent: int = 1

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def entries(self, kind: str) -> list[str]:
        """The entries that hold a kind."""
        return [e for name in self.containers for e in CONTAINERS[name].get(kind, ())]

    def leaf(self, kind: str) -> str:
        """A variable or an entry of a kind."""
        found = [*self.names[kind], *self.entries(kind)]
        return self.random.choice(found or ["0.4" if kind == "number" else "np.ones(3)"])

    def number(self) -> str:
        """An expression for a number."""
        a, b, v, w = (self.leaf(k) for k in ("number", "number", "vector", "vector"))
        sums = [s for name in self.containers for s in SUMS[name]]
        made = (f"{a} * {b}", f"np.sum({v} * {w})", f"{v}[1] - {a}", f"math.sin({a})", f"{v} @ {w}")
        return self.pick(*made, *(f"0.3 * {s}" for s in sums[:3]))

    def vector(self) -> str:
        """An expression for a new vector."""
        a, v, w = (self.leaf(k) for k in ("number", "vector", "vector"))
        return self.pick(
            f"{v} * {w}", f"{v} - {a} * {w}", f"{a} * {v}", f"np.cos({v})", f"{v} ** 2"
        )

    def value(self, kind: str) -> str:
        """A bounded expression of a kind."""
        return f"np.tanh({self.number() if kind == 'number' else self.vector()})"

    def kind(self) -> str:
        return self.pick("vector", "vector", "number")

    def statement(self) -> None:
        """Writes one statement."""
        kinds: list[tuple[float, Callable[[], None]]] = [
            (3, self.named),
            (2, self.computed),
            (4, self.changed),
            (3, self.replaced),
            (2, self.element),
            (1, self.shared),
            (1, self.entered),
            (2, self.every),
            (1, self.paired),
            (0.5, self.written),
        ]
        kinds += [(3, self.called)] if self.steps else []
        kinds += [(1.5, self.branch), (1, self.loop)] if self.indent == 1 else []
        weights, writers = zip(*kinds, strict=True)
        self.random.choices(writers, weights)[0]()

    def name(self, kind: str) -> str:
        known = self.names[kind]
        made = f"{kind[0]}_{len(self.lines)}"
        return self.random.choice(known) if known and self.random.random() < 0.3 else made

    def bind(self, name: str, kind: str) -> None:
        if self.indent == 1 and name not in self.names[kind]:
            self.names[kind].append(name)

    def named(self) -> None:
        """A name for an entry."""
        kind = self.kind()
        found = self.entries(kind)
        if not found:
            return self.computed()
        name = self.name(kind)
        self.line(f"{name} = {self.random.choice(found)}{self.pick('', '', ' * 1.0')}")
        return self.bind(name, kind)

    def computed(self) -> None:
        """A name for something new."""
        kind = self.kind()
        name = self.name(kind)
        self.line(f"{name} = {self.value(kind)}")
        self.bind(name, kind)

    def changed(self) -> None:
        """An entry that is changed as a whole."""
        kind = self.kind()
        found = self.entries(kind)
        if not found:
            return self.computed()
        value = self.value(self.pick(kind, "number"))
        return self.line(f"{self.random.choice(found)} {self.pick('+', '-', '*')}= {value}")

    def replaced(self) -> None:
        """An entry that is replaced by something new."""
        kind = self.kind()
        found = self.entries(kind)
        if not found:
            return self.computed()
        return self.line(f"{self.random.choice(found)} = {self.value(kind)}")

    def element(self) -> None:
        """An element of a vector in a container, or several."""
        found = self.entries("vector")
        if not found:
            return self.computed()
        place = self.pick("[0]", "[-1]", "[1:]", "[:]", "[[2, 0]]")
        operation = self.pick("", "+", "-", "*")
        return self.line(f"{self.random.choice(found)}{place} {operation}= {self.value('number')}")

    def shared(self) -> None:
        """An entry that is another one, or what a name has."""
        kind = self.kind()
        found = self.entries(kind)
        if not found:
            return self.computed()
        return self.line(f"{self.random.choice(found)} = {self.leaf(kind)}")

    def entered(self) -> None:
        """A new entry of a dictionary, which is read at once."""
        if "state" not in self.containers:
            return self.computed()
        kind, key, name = self.kind(), self.pick("new", "other"), self.name("number")
        self.line(f"state['{key}'] = {self.value(kind)}")
        if self.random.random() < 0.5:
            self.line(f"state['{key}'] {self.pick('*', '+')}= {self.value('number')}")
        self.line(f"{name} = np.sum(state['{key}'] * {self.leaf('number')})")
        return self.bind(name, "number")

    def every(self) -> None:
        """A loop over all entries, which changes them."""
        found = [name for name in self.containers if name in LOOPS]
        if not found:
            return self.changed()
        name = self.random.choice(found)
        entry = ENTRY[name]
        self.line(self.pick(*LOOPS[name]))
        self.indent += 1
        value = self.pick(self.leaf("number"), f"np.sin({self.leaf('number')})", self.number())
        own = self.pick(entry, f"{entry} ** 2", f"np.sin({entry})", "1.0")
        self.line(
            self.pick(
                f"{entry} {self.pick('-', '+')}= 0.3 * np.tanh({value}) * {own}",
                f"{entry} *= np.cos({value})",
                f"{entry} = np.tanh({entry} * {value})",
            )
        )
        self.indent -= 1
        return None

    def paired(self) -> None:
        """Tuples in a list, which are replaced by others."""
        if "pairs" not in self.containers:
            return self.element()
        header = self.pick("for i in range(2):", "for i, (w, b) in enumerate(pairs):")
        self.line(header)
        if "enumerate" not in header:
            self.line("    w, b = pairs[i]")
        factor = f"np.cos({self.leaf('number')})"
        return self.line(f"    pairs[i] = {self.pick(f'(w * {factor}, b)', f'(w, b * {factor})')}")

    def written(self) -> None:
        """A name whose array is changed in place."""
        if not self.names["vector"]:
            return self.computed()
        name, value = self.random.choice(self.names["vector"]), self.value("number")
        return self.line(self.pick(f"{name} *= {value}", f"{name}[1] = {value}"))

    def called(self) -> None:
        """A callee that changes a dictionary."""
        step, of = self.random.choice(list(self.steps.items()))
        if of == "state" and "state" in self.containers:
            given = "state"
        else:
            found = [part for name in self.containers for part in PARTS.get(name, ())]
            if of == "state" or not found:
                return self.changed()
            given = self.random.choice(found)
        call, name = f"{step}({given}, {self.leaf('number')})", self.name("number")
        if self.random.random() < 0.4:
            return self.line(call)
        self.line(f"{name} = {call}")
        return self.bind(name, "number")

    def branch(self) -> None:
        """A decision."""
        self.line(f"if {self.leaf('number')} > {self.pick('0.1', '-0.3')}:")
        self.block()
        if self.random.random() < 0.4:
            self.line("else:")
            self.block()

    def loop(self) -> None:
        """Several passes."""
        self.line(f"for step in range({self.pick('2', '3', 'n')}):")
        self.block()

    def block(self) -> None:
        self.indent += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement()
        self.indent -= 1


def write(seed: int) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    containers = tuple(sorted(random.sample(sorted(CONTAINERS), random.choice((1, 1, 2, 3)))))
    steps: dict[str, str] = {}
    texts = [HEADER]
    for number in range(random.choice((0, 1, 1, 2))):
        of = random.choice(("state", "layer"))
        texts.append(_step(random, f"step_{number}", of))
        steps[f"step_{number}"] = of
    writer = Writer(random, containers, {"vector": ["x"], "number": ["r"]}, steps)
    for _ in range(random.randint(3, 7)):
        writer.statement()
    outputs = containers if random.random() < 0.2 else ()
    if not outputs:
        results = (writer.number(), writer.number(), f"{writer.number()}, {writer.vector()}")
        writer.line(f"return {random.choice(results)}")
    texts.append(
        "\n".join((f"def f({', '.join((*containers, 'x', 'r', 'n'))}):", *writer.lines, ""))
    )
    wrt = tuple(n for n in (*containers, "x", "r") if random.random() < 0.8) or containers
    seeds = [np.random.default_rng(random.randrange(10**6)) for _ in range(2)]
    points = tuple(
        {name: argument(seed, name) for name in (*containers, "x", "r")} | {"n": n}
        for seed, n in zip(seeds, random.sample(range(4), 2), strict=True)
    )
    return Program(seed, "\n\n".join(texts), wrt, outputs, points, is_sharing=True)


def _step(random: Random, name: str, of: str) -> str:
    """A function that changes a dictionary, and gives a number back."""
    v, s = ("t['u']", "t['s']") if of == "state" else ("t['w']", "t['b']")
    changes = (
        f"{v} += 0.2 * np.sin({v}) * a",
        f"{v} *= np.cos({s})",
        f"{v} = np.tanh({v} * a)",
        f"{s} -= 0.3 * np.sum({v} ** 2) * a",
        f"{v}[0] = math.sin(a) * {s}",
        f"{s} = math.sin({s} * a)",
    )
    lines = random.sample(changes, random.randint(1, 3))
    if random.random() < 0.3:
        lines.insert(0, f"old = {v}")
        lines.append("return np.sum(old * a)")
    else:
        lines.append(f"return np.sum({v}) * {s}")
    return "\n".join((f"def {name}(t, a):", *(f"    {line}" for line in lines), ""))


def argument(numbers: np.random.Generator, name: str) -> Any:
    """An argument by its name."""

    def vector() -> Any:
        return numbers.uniform(-1.2, 1.2, 3)

    def number() -> float:
        return float(numbers.uniform(-1.2, 1.2))

    match name:
        case "state":
            return {"u": vector(), "v": vector(), "s": number()}
        case "rows":
            return [vector(), vector()]
        case "numbers":
            return [number(), number(), number()]
        case "layers":
            return [{"w": vector(), "b": number()} for _ in range(2)]
        case "net":
            return {"one": {"w": vector(), "b": number()}, "all": [vector(), number()]}
        case "pairs":
            return [(vector(), number()) for _ in range(2)]
    return vector() if name == "x" else number()
