"""Programs whose modules hold functions with what they keep, and objects, in many ways.

All that is called takes a vector of two numbers and gives one. Closures are made by factories,
which bind what these keep before or after; there are partials, methods, lambdas, objects that are
called, lists and tables of all of these, and the module goes on to change what it has made. Some
functions put active values into an array or a list of the module and read them there: refused.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

HEAD = """\
import functools

import numpy as np


def scaled(k):
    def apply(x):
        return k * x

    return apply


def affine(A, b=0.5):
    return lambda x: np.tanh(A @ x + b)


def compose(f, g):
    def both(x):
        return f(g(x))

    return both


def negated(function):
    @functools.wraps(function)
    def wrapped(x):
        return -function(x)

    return wrapped


def several(k, A):
    def one(x):
        return np.sin(k * x)

    def two(x):
        return A @ one(x)

    return one, two


def chosen(name, k):
    table = {"sin": lambda x: np.sin(k * x), "cos": lambda x: np.cos(k * x)}
    return table[name]


def late(k):
    def apply(x):
        return k * np.cos(x)

    k = k + 1.0
    return apply


def looped(ks):
    made = []
    for k in ks:
        made.append(lambda x: k * x)
    return made


def weighted(*weights):
    def apply(x):
        total = 0.0
        for weight in weights:
            total = total + weight * x
        return total

    return apply


def fill(array, x):
    array[:] = x


def square(x):
    return 0.5 * x * x


def power(x, n):
    return np.tanh(x) ** n


class Model:
    rate = 0.5

    def __init__(self, k, act):
        self.k = k
        self.act = act

    def __call__(self, x):
        return self.act(self.k * x)

    def step(self, x):
        return x - self.rate * self(x)

    @property
    def twice(self):
        return 2.0 * self.k

    def times(self, x):
        return self.twice * x

    def bump(self):
        self.k = self.k + 0.1


"""

PLAIN = ("np.sin", "np.cos", "np.tanh", "square", "np.arctan")
STATE = ("B = np.zeros(2)", "LOG = [np.zeros(2)]", "push = LOG.append")
NAMES = ('"sin"', '"cos"')
METHODS = ("step", "times")
WRITES = (
    "np.multiply({0}, 2.0, out=B)",
    "np.sin({0}, B)",
    "np.put(B, [0, 1], {0})",
    "fill(B, {0})",
    "B[:] = {0}",
    "np.copyto(B, {0})",
    "LOG.append({0})",
    "list(map(LOG.append, [{0}]))",
    "push({0})",
    "[LOG.append(x) for x in ({0},)]",
)
"""What puts a value into `B`, or at the end of `LOG`."""

MATRIX = "np.array([[0.5, -0.25], [0.75, 1.5]])"
POINT: dict[str, Any] = {"w": np.array([0.7, -0.4])}


@dataclass(frozen=True)
class Held:
    """The statements of a module behind its functions, and those of its function `f`."""

    seed: int
    module: tuple[str, ...]
    body: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of the module."""
        lines = "\n".join(f"    {line}" for line in self.body)
        return HEAD + "\n".join(self.module) + f"\n\n\ndef f(w):\n{lines}\n"


class _Writer:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.module = [f"A = {MATRIX}", "K = 1.25", *STATE]
        self.functions: list[str] = []
        self.objects: list[str] = []
        self.lists: list[str] = []
        self.tables: list[str] = []

    def number(self) -> str:
        return self.chance.choice(("0.5", "1.5", "K", "np.float64(0.75)", "K * 0.5", "2"))

    def function(self) -> str:
        """Something to call that is there already."""
        return self.chance.choice((*PLAIN, *self.functions, *self.functions))

    def model(self) -> str:
        """An expression that makes an object."""
        return f"Model({self.number()}, {self.function()})"

    def made(self) -> str:
        """An expression that makes something to call."""
        ways = (
            lambda: f"scaled({self.number()})",
            lambda: f"affine(A{self.chance.choice(('', ', b=K', f', {MATRIX}[0]'))})",
            lambda: f"compose({self.function()}, {self.function()})",
            lambda: f"negated({self.function()})",
            lambda: f"chosen({self.chance.choice(NAMES)}, {self.number()})",
            lambda: f"late({self.number()})",
            lambda: f"looped([{self.number()}, {self.number()}])[{self.chance.choice('01')}]",
            lambda: f"weighted({self.number()}, {self.number()})",
            lambda: f"functools.partial(power, n={self.chance.choice('123')})",
            lambda: f"lambda x: {self.number()} * {self.function()}(x)",
            lambda: (
                f"Model({self.number()}, {self.function()}).{self.chance.choice(('step', 'times'))}"
            ),
        )
        return self.chance.choice(ways)()

    def setting(self, at: int) -> None:
        """A statement of the module."""
        way = self.chance.random()
        if way < 0.5:
            self.module.append(f"v{at} = {self.made()}")
            self.functions.append(f"v{at}")
        elif way < 0.58:
            self.module.append(f"v{at}, u{at} = several({self.number()}, A)")
            self.functions += [f"v{at}", f"u{at}"]
        elif way < 0.74:
            self.module.append(f"m{at} = {self.model()}")
            self.objects.append(f"m{at}")
            self.functions += [f"m{at}", f"m{at}.step", f"m{at}.times"]
        elif way < 0.84:
            parts = ", ".join((self.function(), self.made()))
            self.module.append(f"fs{at} = {self.chance.choice(('[{}]', '({})')).format(parts)}")
            self.lists.append(f"fs{at}")
            self.functions += [f"fs{at}[0]", f"fs{at}[1]"]
        elif way < 0.92:
            self.module.append(f'by{at} = {{"a": {self.function()}, "b": {self.made()}}}')
            self.tables.append(f"by{at}")
            self.functions += [f'by{at}["a"]', f'by{at}["b"]']
        elif self.objects and way < 0.96:
            own = self.chance.choice(self.objects)
            self.module.append(
                self.chance.choice(
                    (f"{own}.k = {self.number()}", f"{own}.act = {self.made()}", f"{own}.bump()")
                )
            )
        elif self.tables:
            own = self.chance.choice(self.tables)
            self.module.append(f'{own}["{self.chance.choice("abc")}"] = {self.made()}')

    def statement(self, at: int) -> str:
        """A statement of the function, which binds `y<at>`."""
        before = f"y{self.chance.randrange(at)}" if at else "w"
        way = self.chance.random()
        if way < 0.05:
            written = self.chance.choice(WRITES)
            read = "B" if "B" in written else "LOG[-1]"
            return f"{written.format(before)}\ny{at} = np.cos({read}) * {before}"
        if way < 0.12 and self.lists:
            own = self.chance.choice(self.lists)
            return f"y{at} = {before}\nfor g in {own}:\n    y{at} = g(y{at})"
        if way < 0.14 and self.objects:
            own = self.chance.choice(self.objects)
            return f"{own}.bump()\ny{at} = {own}({before})"
        if way < 0.2 and self.functions:
            return f"g = {self.function()}\ny{at} = g({before}) + {before}"
        if way < 0.26:
            return f"y{at} = [{self.function()}(x) for x in (w, {before})][1]"
        if way < 0.32:
            return f"y{at} = sum(map({self.function()}, [{before}, w]))"
        if way < 0.4:
            test = self.chance.choice((f"{before}[0] > 0.2", "K > 1.0"))
            one, other = self.function(), self.function()
            return f"y{at} = {one}({before}) if {test} else {other}({before})"
        if way < 0.46 and self.objects:
            own = self.chance.choice(self.objects)
            return f"y{at} = {own}.k * {before} + A[0]"
        return f"y{at} = {self.function()}({before})"

    def program(self, seed: int) -> Held:
        for at in range(self.chance.randint(2, 6)):
            self.setting(at)
        n_steps = self.chance.randint(1, 4)
        body = [line for at in range(n_steps) for line in self.statement(at).split("\n")]
        names = " + ".join(f"y{at}" for at in range(n_steps))
        return Held(seed, tuple(self.module), (*body, f"return np.sum(np.tanh({names}) * w)"))


def write(seed: int) -> Held:
    """Writes a program."""
    return _Writer(seed).program(seed)
