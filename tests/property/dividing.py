"""Writes functions at random in which roots are divided by, and may be 0."""

from __future__ import annotations

import random

ROOTS = "x * x", "np.sum(m**2, axis=1)", "abs(y)", "np.maximum(x, 0.0)", "x * x + 1e-2"
FURTHER = "y * y", "r", "x**2 + y**2", "abs(x) * 2", "r * r + k * k"
DIVISORS = "r", "q", "s", "(2 * r)", "(q * y)"
PRODUCTS = "r * q", "2 * r", "r", "r + q", "q * y"


def write(seed: int) -> str:
    """The text of a function `f(x, y, m, k)`: vectors of three elements, a matrix, and a number."""
    return _Writer(random.Random(seed)).function()


class _Writer:
    """Writes one function; `variables` are those that are vectors so far."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.variables = ["x", "y", "r", "q", "a"]

    def function(self) -> str:
        choose = self.chance.choice
        body = [
            "a = x * y + k",
            f"r = np.sqrt({choose(ROOTS)})",
            f"q = np.sqrt({choose(FURTHER)})",
            f"s = {choose(PRODUCTS)}",
        ]
        for _ in range(3):
            if self.chance.random() < 0.15:
                body.append(f"{choose('rqa')} {choose(('-=', '+=', '*='))} {choose(('0.5', 'x'))}")
            target = choose("aabcr")
            body.append(f"{target} = {self.value(3)}")
            self.variables = [*dict.fromkeys((*self.variables, target))]
        if self.chance.random() < 0.3:
            body += ["for _ in range(2):", "    a = a / r", "    r = np.sqrt(abs(a) + y * y)"]
        body.append(f"return np.sum({self.value(2)}) + np.sum(a * r)")
        lines = "".join(f"    {line}\n" for line in body)
        return f"import numpy as np\n\n\ndef f(x, y, m, k):\n{lines}"

    def value(self, depth: int) -> str:
        """An expression of vectors and numbers."""
        if depth == 0:
            return self.chance.choice(self.variables)
        one, other = self.value(depth - 1), self.value(depth - 1)
        under_root = self.chance.choice(("0", "1e-3", "k"))
        return self.chance.choice(
            (
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} / {self.chance.choice(DIVISORS)})",
                f"({one} / {self.chance.choice(DIVISORS)})",
                f"np.sum({one}, keepdims=True)",
                f"np.mean({one}, keepdims=True)",
                f"np.where(x > 0, {one}, {other})",
                f"np.tanh({one})",
                f"-{one}",
                f"np.sqrt({one} ** 2 + {under_root})",
            )
        )
