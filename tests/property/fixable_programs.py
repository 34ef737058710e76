"""Random programs that have findings with fixes: results written by `out=`, and closures.

They are written to be hard to repair: the functions in them have names from one small pool, and so
have their variables, loops and parameters; buffers are views, parameters, of all types and shapes;
what a closure captures is bound late, twice, in a branch or not at all. So many of them raise
errors for some arguments, which is no matter: those that raise none tell.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

HEADER = "import math\n\nimport numpy as np\n\nimport adlsp\n"
INNER = ("inner", "scale", "step", "sum", "f0", "f0_inner", "helper")
NUMBERS = ("s", "t", "k", "v")
ARRAYS = ("a", "b", "y", "row")
UNARY = ("exp", "tanh", "abs", "negative", "sqrt", "square", "floor", "conj")
BINARY = ("add", "multiply", "maximum", "divide", "power", "arctan2", "subtract")
MAKERS = (
    *["np.zeros(3)", "np.ones((3,))", "x * 1.0", "np.exp(x)"] * 3,
    "np.zeros(3, dtype=int)",
    "np.zeros(3, np.float32)",
    "np.zeros(3, dtype=complex)",
    "np.zeros((2, 3))",
    "np.zeros((2, 3))[0]",
    "np.zeros(6)[::2]",
    "np.zeros(())",
    "np.zeros_like(x)",
    "np.array([1.0, 2.0, 3.0])",
    "np.array([1, 2, 3])",
    "x.copy()",
    "x * 1.0",
    "x + x",
    "np.tanh(x)",
    "w",
    "x[:]",
    "[1.0, 2.0, 3.0]",
)


@dataclass(frozen=True)
class FixableProgram:
    """A text, and calls of its functions: the name, and what is given to it."""

    seed: int
    text: str
    calls: tuple[tuple[str, tuple[Any, ...]], ...]


def write(seed: int) -> FixableProgram:
    """Makes a program; the same for the same seed."""
    text = next(filter(_is_program, (_text(Random(seed + 0.5**n)) for n in itertools.count())))
    names = [name for name in ("f0", "f1", "f2") if f"\ndef {name}(x, w, n)" in text]
    return FixableProgram(seed, text, tuple((n, given) for n in names for given in arguments(seed)))


def _text(random: Random) -> str:
    names = [f"f{number}" for number in range(random.choice((1, 2, 2, 3)))]
    functions = ("\n".join(Writer(random, name).function()) + "\n" for name in names)
    return "\n\n".join([HEADER, *_globals(random), *functions])


def _is_program(text: str) -> bool:
    try:
        compile(text, "program.py", "exec")
    except SyntaxError:
        return False
    return True


def arguments(seed: int) -> Iterator[tuple[Any, ...]]:
    """What `x`, `w` and `n` are: floats, of other types, numbers, one object twice."""
    random = np.random.default_rng(seed)
    x, w = random.uniform(0.5, 2.0, (2, 3))
    yield x, w, 2
    yield -x, w.astype(np.float32), 0
    yield np.array([1, 2, 3]), np.array([3, 1, 2]), 1
    yield x.astype(np.float32), np.zeros(3), 3
    shared = np.array([1.0, 2.0, 3.0, 4.0])
    yield shared[1:], shared[:-1], 1
    yield 1.5, w, 2


def _globals(random: Random) -> Iterator[str]:
    if random.random() < 0.3:
        yield f"{random.choice(INNER)} = 2.0\n"
    if random.random() < 0.3:
        yield f"def {random.choice(INNER)}(v):\n    return v * 3.0\n"
    if random.random() < 0.1:
        yield "from math import *  # noqa: F403\n"


@dataclass
class Writer:
    """Writes one function. What it has bound so far, or may have, is what it reads most."""

    random: Random
    name: str
    numbers: list[str] = field(default_factory=lambda: ["n"])
    arrays: list[str] = field(default_factory=lambda: ["x", "w"])
    inner: list[tuple[str, int]] = field(default_factory=list)

    def function(self) -> Iterator[str]:
        """The lines of the function."""
        if self.random.random() < 0.2:
            yield f"# What {self.name} is for."
        yield "@adlsp.differentiable" + self.chosen("", "", '(wrt="x")')
        yield f"def {self.name}(x, w, n):"
        yield from _indented(self.first())
        yield from _indented(self.block(self.random.randint(3, 9), 0))
        yield from _indented(self.ending())

    def first(self) -> Iterator[str]:
        """Most names have a value from the start, so that most programs run."""
        for name in NUMBERS:
            if self.random.random() < 0.8:
                self.numbers.append(name)
                value = self.chosen("np.sum(x)", "np.max(x)", "np.sum(x * w)", "1.5", "n")
                yield f"{name} = {value}"
        for name in ARRAYS:
            if self.random.random() < 0.9:
                self.arrays.append(name)
                yield f"{name} = {self.chosen(*MAKERS)}"

    def chosen(self, *options: str) -> str:
        return self.random.choice(options)

    def ending(self) -> Iterator[str]:
        if self.random.random() < 0.08:
            return
        shown = [f"np.sum({a})" for a in self.arrays]
        whole = " + ".join([*shown, *self.numbers, *(self.call(f) for f in self.inner[-2:])])
        kept = ", ".join([self.random.choice(self.arrays), self.number()])
        yield f"return {self.chosen(whole, whole, f'({whole}, {kept})', kept)}"

    def block(self, n_statements: int, depth: int) -> list[str]:
        """Some statements, some of them with blocks."""
        lines: list[str] = []
        for _ in range(n_statements):
            writers: list[tuple[float, Callable[[int], list[str]]]] = [
                (2, self.bind_number),
                (3, self.bind_array),
                (4, self.out),
                (3, self.define),
                (2, self.use),
                (1.2 if depth < 2 else 0, self.nest),
                (0.5, self.oddity),
            ]
            weights, choices = zip(*writers, strict=True)
            lines += self.random.choices(choices, weights)[0](depth)
        return lines

    # expressions

    def number(self) -> str:
        return self.chosen(*self.numbers, "2.0", "np.sum(x)", "0.5", self.chosen(*NUMBERS))

    def array(self) -> str:
        base = self.chosen(*self.arrays)
        return self.chosen(base, base, f"{base} * 2.0", f"({base})", "x", self.number())

    def call(self, function: tuple[str, int]) -> str:
        """A call of a function inside, written in one of many ways."""
        name, n_parameters = function
        given = [self.number() for _ in range(n_parameters)]
        plain = f"{name}({', '.join(given)})"
        variable = self.chosen(*NUMBERS)
        return self.chosen(
            plain,
            plain,
            plain,
            f"{name}({', '.join(given)},)" if given else plain,
            f"{name}(*[{', '.join(given)}])",
            f"sum([{plain} for {variable} in (1.0, 2.0)])",
            f"sum({plain} for {variable} in (1.0, 2.0))",
            f"(lambda {variable}: {plain})(3.0)",
            f"({variable} := 2.0) * {plain}",
            f"max({plain}, 0.0)",
            f"float(f'{{{plain}}}')",
            f"{name}({plain})" if n_parameters == 1 else plain,
        )

    # statements

    def bind_number(self, depth: int) -> list[str]:
        name = self.chosen(*NUMBERS)
        value = self.chosen(self.number(), "np.sum(x * 2.0)", "np.sum(w)", "np.max(x)", "1.5")
        line = self.chosen(f"{name} = {value}", f"{name} = {value}", f"{name} += {value}")
        self._bound(self.numbers, name, depth)
        return [line]

    def bind_array(self, depth: int) -> list[str]:
        name, base = self.chosen(*ARRAYS), self.chosen(*self.arrays)
        views = (f"{base}[1:]", f"{base}[0]", f"{base}.T", f"{base}.reshape(-1)", base, f"[{base}]")
        value = self.chosen(*MAKERS, *views) if self.random.random() < 0.8 else self.array()
        line = self.chosen(f"{name} = {value}", f"{name} = {value}", f"{name} += {value}")
        pair = f"{name}, {self.chosen(*ARRAYS)} = {value}, np.ones(3)"
        self._bound(self.arrays, name, depth)
        return [pair if self.random.random() < 0.1 else line]

    def _bound(self, known: list[str], name: str, depth: int) -> None:
        if name not in known and (depth == 0 or self.random.random() < 0.3):
            known.append(name)

    def out(self, _: int) -> list[str]:
        """A call that writes its result into an array, by `out=` or otherwise."""
        base = self.chosen(*self.arrays)
        index = self.chosen(*self.numbers, "0", "[0, 1]", "1:", ":", "...", ":2", ":, 0", "i, :")
        buffer = self.chosen(base, base, base, base, f"{base}[1:]", f"{base}[{index}]", f"{base}.T")
        given = self.chosen(
            f"np.{self.chosen(*UNARY)}({self.array()}",
            f"np.{self.chosen(*BINARY)}({self.array()}, {self.array()}",
            f"np.{self.chosen(*BINARY)}(({self.array()}), ({self.array()})",
            f"np.{self.chosen('sum', 'cumsum', 'mean', 'max')}(np.outer({base}, x), 0",
            f"np.{self.chosen('dot', 'matmul', 'outer')}({self.array()}, x",
            f"np.concatenate([{base}[1:], {base}[:1]]",
            f"np.clip({self.array()}, -1, 1",
            f"np.round({self.array()}, 1",
            f"{base}.{self.chosen('clip(0, 1', 'cumsum(0', 'round(1')}",
        )
        written = self.chosen(
            *[f"{given}, out={buffer})"] * 8,
            f"{given}, out=({buffer},))",
            f"{given}, out=({buffer}))",
            f"{given}, out={buffer},)",
            f"{given}, out={buffer}, dtype=float)",
            f"{given}, out={buffer}, where=x > 0)",
            f"{given}, out=None)",
            f"{given}, {buffer})",
        )
        written = self.chosen(written, written, written.replace(", out", ",\n        out"))
        written = self.chosen(
            written, written, written, written.replace("(", "(  # so\n        ", 1)
        )
        name = self.chosen(*ARRAYS)
        return self.chosen(
            *[written] * 8, f"{name} = {written}", f"({written})", f"{written}; k = 1.0"
        ).split("\n")

    def define(self, _: int) -> list[str]:
        """A function inside, with what it reads of the one around it."""
        name, parameters = (
            self.chosen(*INNER),
            self.random.sample(NUMBERS, self.random.randint(0, 2)),
        )
        read = [self.number(), self.number(), *parameters, f"np.sum({self.chosen(*self.arrays)})"]
        body = f"return {self.chosen(' + ', ' * ', ' - ').join(read)}"
        array = self.chosen(*self.arrays)
        bodies = [
            [body],
            [body],
            [f"if {self.number()} > 1.0:", f"    {body}", "return 0.0"],
            [f"{self.chosen(*NUMBERS)} = 3.0", body],
            [f"{array}[0] = {self.number()}", body],
            [f"{array} *= 2.0", body],
            *(
                [["nonlocal s", "s = 4.0", body]]
                if "s" in set(self.numbers) - {*parameters}
                else []
            ),
            [f"def deep():\n        {body}", "return deep()"],
            [f"return sum([{self.number()} for {self.chosen(*NUMBERS)} in (1.0, 2.0)])"],
            [f"np.add({array}, 1.0, out={array})", body],
            ['"""Says.', "", '    More."""', body],
        ]
        if self.inner:
            bodies.append([f"return {self.call(self.random.choice(self.inner))}"])
        more = self.chosen("", "", "", "", "", ",", ", u=2.0", ", *u", ", /")
        header = f"def {name}({', '.join(parameters)}{more if parameters else ''}):"
        header = self.chosen(header, header, header.replace("):", ") -> float:"))
        header = self.chosen(header, header, header.replace("(", "(\n    ").replace(")", "\n)", 1))
        self.inner = [f for f in self.inner if f[0] != name] + [(name, len(parameters))]
        chosen = self.random.choice(bodies)
        if len(chosen) == 1 and "\n" not in chosen[0] and self.random.random() < 0.2:
            return f"{header} {chosen[0]}".split("\n")
        return [*header.split("\n"), *_indented(line for b in chosen for line in b.split("\n")), ""]

    def use(self, depth: int) -> list[str]:
        """Calls a function inside."""
        if not self.inner:
            return self.bind_number(depth)
        called = self.call(self.random.choice(self.inner))
        name, other = self.chosen(*NUMBERS), self.chosen(*NUMBERS)
        lines = self.chosen(
            f"{name} = {called}",
            f"{name} = {called} + {self.number()}",
            called,
            f"for {other} in (1.0, 2.0):\n    {name} = {called}",
            f"def late():\n    return {called}\n{name} = late()",
            f"try:\n    {name} = {called}\nexcept NameError as {other}:\n    {name} = 0.0",
        )
        self._bound(self.numbers, name, depth)
        return lines.split("\n")

    def nest(self, depth: int) -> list[str]:
        """A statement with blocks."""
        test = self.chosen("n > 1", f"{self.number()} > 1.0", "n")
        body = _indented(self.block(self.random.randint(1, 3), depth + 1))
        if self.random.random() < 0.5:
            other = _indented(self.block(self.random.randint(1, 2), depth + 1))
            return [f"if {test}:", *body, *self.random.choice(([], ["else:", *other]))]
        variable = self.chosen("i", "i", *NUMBERS)
        return [
            self.chosen(f"for {variable} in range(n):", f"with np.errstate():  # {test}"),
            *body,
        ]

    def oddity(self, _: int) -> list[str]:
        """What makes a repair wrong if it is not seen."""
        number = self.chosen(*NUMBERS)
        inner = self.inner[-1][0] if self.inner else "abs"
        return self.chosen(
            f"del {number}",
            f"{number} = {inner}",
            f"{number} = sum(map({inner}, [1.0]))",
            f"{number} = len(locals())",
            f"global {self.chosen('gone', 'helper')}",
            f"{number}: float",
            f"import math as {number}",
            f"class C:\n    {number} = 1.0",
            f"{inner} = np.sum",
        ).split("\n")


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line.strip() else "" for line in lines]
