"""Programs with lists, tuples and slices of arrays that functions give, take and change.

Whether a name holds a list, a tuple or a slice is told by no text of the function alone: objects,
dictionaries and other functions hold and give them. They are put together, repeated, cut and taken
apart; slices have names, which are written into and given to functions that change them.
"""

import random
from dataclasses import dataclass, field

import numpy as np
from looping import Program

HEAD = """\
import numpy as np


class Holder:
    def __init__(self, parts, factor):
        self.parts = parts
        self.factor = factor


def pair(a, b):
    return [a, b]


def triple(a, b):
    return (a, b, a * b)


def table(a, b):
    return {"list": [a, b], "tuple": (b, a)}


def itself(s):
    return s


def after(s):
    return s[1:]


def joined(s, t):
    return s + t


def twice(s):
    return s * 2


def ends(s):
    return s[0] * 0.5 + s[-1]


def bump(u, v):
    u[0] += v


def blend(u, w):
    u[:] = u * 0.5 + w
    return u.sum()


def relaxed(u):
    u[0] = u[1]
    u[1:-1] = 0.5 * (u[2:] + u[:-2])
    return u


"""

POINT = {"x": np.array([0.5, -1.25, 0.75])}

SLICES = ("[:]", "[0:3]", "[1:]", "[::-1]", "")


@dataclass
class Writer:
    """Writes one program; `lines` are those of `f` so far, `names` those of each kind."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(
        default_factory=lambda: {
            "number": ["x[0]", "x[1]", "x[2]"],
            "list": [],
            "tuple": [],
            "array": [],
            "table": [],
            "holder": [],
        }
    )
    n_names: int = 0

    def bind(self, kind: str, value: str, pad: str, *, is_kept: bool = True) -> None:
        """A statement that gives something a new name, which others may read then."""
        self.n_names += 1
        name = f"{kind}{self.n_names}"
        self.lines.append(f"{pad}{name} = {value}")
        if is_kept:
            self.names[kind].append(name)

    def named(self, kind: str) -> str | None:
        """A name of a kind, if there is one."""
        return self.rng.choice(self.names[kind]) if self.names[kind] else None

    def number(self, depth: int = 1) -> str:
        """An expression for a number."""
        kind, array = self.rng.random(), self.named("array")
        if kind < 0.15 and (held := self.named(self.rng.choice(("list", "tuple")))):
            return f"{held}[{self.rng.choice(('0', '1', '-1'))}]"
        if kind < 0.3 and array:
            return self.rng.choice((f"{array}[0]", f"np.sum({array})", f"ends({array})"))
        if kind < 0.4 and (holder := self.named("holder")):
            return f"{holder}.factor"
        if depth and kind < 0.7:
            one, other = self.number(depth - 1), self.number(depth - 1)
            return self.rng.choice((f"np.sin({one})", f"({one} * {other})", f"({one} + {other})"))
        return self.rng.choice(self.names["number"])

    def sequence(self, kind: str, depth: int = 2) -> str:
        """An expression for a list or a tuple."""
        one, other = self.number(), self.number()
        made = [f"[{one}, {other}]", f"pair({one}, {other})"]
        if kind == "tuple":
            made = [f"({one}, {other})", f"triple({one}, {other})"]
        if held := self.named(kind):
            made += [held] * 3
        if held := self.named("table"):
            made.append(f'{held}["{kind}"]')
        if kind == "list" and (held := self.named("holder")):
            made.append(f"{held}.parts")
        if depth:
            part, more = self.sequence(kind, depth - 1), self.sequence(kind, depth - 1)
            each = self.sequence(self.rng.choice(("list", "tuple")), depth - 1)
            made += [f"({part} + {more})", f"({part} * 2)", f"{part}[::-1]", f"itself({part})"]
            made += [f"joined({part}, {more})", f"twice({part})", f"after({part} + {more})"]
            made += [f"{kind}({each})", f"{kind}(q * {one} for q in {each})"]
            made.append(f"({part} if {one} > 0 else {more})")
        return self.rng.choice(made)

    def array(self) -> str:
        """An expression for an array of three numbers, or a slice of one."""
        made = ["x * 1.0", f"np.array([{self.number()}, {self.number()}, {self.number()}])"]
        if held := self.named("array"):
            made += [f"{held}{self.rng.choice(SLICES)}"] * 3
            made += [f"{held} * {self.number()}", f"relaxed({held})", f"relaxed({held}.copy())"]
        return self.rng.choice(made)

    def change(self, pad: str) -> None:
        """A statement that changes something in place."""
        made: list[str] = []
        number = self.number()
        if held := self.named("list"):
            made += [
                f"{held}[{self.rng.choice(('0', '-1'))}] = {number}",
                f"{held}.append({number})",
            ]
        if held := self.named("tuple"):
            made += [f"{held} += {self.sequence('tuple', 1)}", f"{held} *= 2"]
        if held := self.named("array"):
            other = self.named("array")
            made += [f"{held}[0] = {number}", f"{held}[1] *= {number}", f"{held} += {number}"]
            made += [f"bump({held}, {number})", f"bump({held}[1:], {number})", f"relaxed({held})"]
            made += [f"blend({held}, {number})", f"blend({held}, {other})"]
        if held := self.named("holder"):
            made += [f"{held}.factor = {number}", f"{held}.parts = {self.sequence('list', 1)}"]
        if made:
            self.lines.append(pad + self.rng.choice(made))

    def block(self, depth: int, pad: str) -> None:
        """Some statements; what they bind inside others is not read behind these."""
        before = {kind: list(names) for kind, names in self.names.items()}
        self.bind("number", self.number(), pad)
        for _ in range(self.rng.randint(2, 4)):
            kind = self.rng.choice(("list", "tuple", "array", "array", "change", "change", "more"))
            if kind in ("list", "tuple"):
                self.bind(kind, self.sequence(kind), pad)
            elif kind == "array":
                self.bind("array", self.array(), pad)
            elif kind == "change":
                self.change(pad)
            elif depth:
                test = f"if {self.number()} > 0.2:"
                self.lines.append(pad + self.rng.choice((test, "for _ in range(2):")))
                self.block(depth - 1, pad + "    ")
            elif pad == "    ":
                self.bind("table", f"table({self.number()}, {self.number()})", pad)
                self.bind("holder", f"Holder({self.sequence('list', 1)}, {self.number()})", pad)
        if pad != "    ":
            self.names = before


def write(seed: int) -> Program:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    for depth in (2, 0, 1):
        writer.block(depth, "    ")
    shown = [f"ends({name})" for kind in ("list", "tuple") for name in writer.names[kind][-2:]]
    shown += [f"np.sum({name} * {name})" for name in writer.names["array"][-3:]]
    shown += [f"{name}.factor * ends({name}.parts)" for name in writer.names["holder"][-1:]]
    shown += writer.names["number"][-2:]
    total = " + ".join(f"{0.5 * place + 1} * {text}" for place, text in enumerate(shown))
    body = "\n".join((*writer.lines, f"    return {total}"))
    return Program(f"{HEAD}def f(x):\n{body}\n")
