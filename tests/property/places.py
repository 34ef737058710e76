"""Programs that read and set elements of arrays in loops, by sums of what these count.

What a pass sets others may have read, or not: only there is it saved.
"""

import random

POINT = [0.2, 0.3, 0.4, 0.55, 0.6, 0.7, 0.85, 0.9]

OF_LOOP = (*("{v}",) * 4, "{v} - 1", "{v} + 1", "{v} + 2", "3 - {v}", "2 * {v}", "-{v}", "{v} // 2")
RANGES = ("range(4)", "range(1, 4)", "range({lo}, 4)", "range(3, -1, -1)", "range(3, {lo}, -1)")
MORE_RANGES = ("reversed(range({lo}, 4))", "range({lo})", "range(0, 4, 2)")
VALUES = (
    "{a} * {b}",
    "np.sin({a}) + {b}",
    "np.tanh({a}) * {b}",
    "{a} * 0.5",
    "np.sqrt(1.0 + {a} * {a})",
)


def write(seed: int) -> str:
    """The text of a program: a function `f` of an array `x` of eight numbers."""
    writer = _Writer(random.Random(seed))
    body = "\n".join(writer.block(0, [], "    "))
    start = "    a = x * 1.0\n    m = np.outer(x, x)"
    end = "    return np.sum(a * a) + np.sum(m * m * m)"
    return f"import numpy as np\n\n\ndef f(x):\n{start}\n{body}\n{end}\n"


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def index(self, counted: list[str]) -> str:
        options = ["0", "1", "-1", "-2", "3"]
        if counted:
            options += [each.format(v=self.chance.choice(counted)) for each in OF_LOOP]
        if len(counted) > 1:
            options += [f"{counted[0]} + {counted[1]}", f"{counted[0]} - {counted[1]}"]
        return self.chance.choice(options)

    def part(self, counted: list[str]) -> str:
        if self.chance.random() < 0.7:
            return self.index(counted)
        first, last = (self.chance.choice(["", self.index(counted)]) for _ in range(2))
        return f"{first}:{last}" + self.chance.choice(["", "", "", ":2", ":-1"])

    def place(self, counted: list[str]) -> str:
        if self.chance.random() < 0.5:
            return f"a[{self.part(counted)}]"
        return f"m[{self.part(counted)}, {self.part(counted)}]"

    def value(self, counted: list[str]) -> str:
        one, other = (f"np.sum({self.place(counted)})" for _ in range(2))
        return f"0.3 * np.tanh({self.chance.choice(VALUES).format(a=one, b=other)})"

    def block(self, depth: int, counted: list[str], indent: str) -> list[str]:
        made: list[str] = []
        for _ in range(self.chance.randint(1, 3)):
            if self.chance.random() < 0.35 and depth < 3:
                name = "ijk"[depth]
                lo = self.index(counted)
                run = self.chance.choice((*RANGES, *MORE_RANGES)).format(lo=lo)
                made.append(f"{indent}for {name} in {run}:")
                made += self.block(depth + 1, [*counted, name], indent + "    ")
            elif self.chance.random() < 0.2 and counted:
                made.append(f"{indent}if a[{self.index(counted)}] > 0.1:")
                made.append(f"{indent}    {self.place(counted)} *= 0.5 + {self.value(counted)}")
            elif self.chance.random() < 0.3:
                made.append(f"{indent}t = {self.value(counted)}")
                made.append(f"{indent}{self.place(counted)} = t")
            else:
                sign = self.chance.choice(["=", "=", "+=", "-=", "*=", "/="])
                start = "1.2 + " if sign in ("*=", "/=") else ""
                made.append(f"{indent}{self.place(counted)} {sign} {start}{self.value(counted)}")
        return made
