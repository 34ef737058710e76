"""Random programs of the differentiated language, as text, with arguments at which to run them.

An `Author` writes one function, statement by statement, and knows in its scope which variables are
surely bound at the place of writing and of which kind they are, so that the programs run. Values
stay bounded: what is bound in a loop goes through `sin` or `tanh`. The same seed gives the same
program.

Programs come in two sorts. In *separate* ones no array is written while another name shares its
memory, so the engine must differentiate them. *Sharing* ones do as they like, and the engine may
refuse them with AD302 or AD303.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

N = 3
"""The length of a vector; a matrix is 2 by 3."""

POOL = {
    "number": ("a", "b", "c", "d"),
    "vector": ("u", "v", "w"),
    "matrix": ("p", "q"),
    "index": ("j", "k"),
    "flag": ("chosen",),
    "pair": ("both",),
    "table": ("named",),
}
MEMORY = ("number", "vector", "matrix", "pair", "table")
"""The kinds of value that may share memory."""

HEADER = """import math

import numpy as np

SCALE = 0.7
WEIGHTS = np.array([0.5, -0.4, 0.8])
"""


@dataclass(frozen=True, eq=False)
class Program:
    """A module with a function `f`, the parameters of interest, and points at which to run it."""

    seed: int
    text: str
    wrt: tuple[str, ...]
    outputs: tuple[str, ...]
    points: tuple[dict[str, Any], ...]
    is_sharing: bool


@dataclass(frozen=True)
class Helper:
    """A function that later ones may call. `result` is the kind of its result."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str
    has_option: bool


def write(seed: int, *, is_sharing: bool = False) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    helpers: list[Helper] = []
    texts = [HEADER]
    for number in range(random.choice((0, 1, 2, 2))):
        helper, text = _helper(random, f"helper_{number}", helpers, is_sharing=is_sharing)
        helpers.append(helper)
        texts.append(text)
    parameters = [
        ("x", "vector"),
        ("s", "number"),
        ("m", "matrix"),
        ("y", "vector"),
        ("r", "number"),
    ]
    parameters = parameters[: random.choice((2, 3, 4, 5))]
    scope = {**dict(parameters), "n": "count"}
    author = Author(random, scope, helpers, is_sharing=is_sharing, is_root=True)
    author.statements(random.randint(4, 8))
    kind = random.choice(("number", "vector"))
    is_early = random.random() < 0.25
    if is_early:
        author.early_return(kind)
        author.statements(random.randint(1, 2))
        author.line(f"return {author.value(kind)}")
    outputs = () if is_early else _ending(author, random)
    names = [name for name, _ in parameters]
    signature = ", ".join((*names, "n"))
    texts.append(_function("f", signature, author.lines))
    wrt = tuple(name for name in names if random.random() < 0.7) or (random.choice(names),)
    points = tuple(_point(random, dict(parameters), n) for n in random.sample(range(4), 2))
    return Program(seed, "\n\n".join(texts), wrt, outputs, points, is_sharing)


def _ending(author: "Author", random: Random) -> tuple[str, ...]:
    """The return of the root, or none where the arrays that it changed are the outputs."""
    arrays = tuple(n for n in ("x", "m", "y") if n in author.written - author.rebound)
    if arrays and random.random() < 0.3:
        return arrays
    kind = random.choice(("number", "number", "vector", "vector", "matrix", "both", "array"))
    if kind == "both":
        author.line(f"return {author.number(2)}, {author.vector(1)}")
    elif kind == "array" and arrays:
        author.line(f"return {random.choice(arrays)}")
    else:
        author.line(f"return {author.value('number' if kind == 'array' else kind)}")
    return ()


def _helper(
    random: Random, name: str, known: list[Helper], *, is_sharing: bool
) -> tuple[Helper, str]:
    if random.random() < 0.15:
        smaller = ("0.8 * t", "t * t", "t + 0.3")
        text = (
            f"def {name}(t, n):\n    if n <= 0:\n        return t\n"
            f"    return np.sin({name}({random.choice(smaller)}, n - 1) * t)\n"
        )
        return Helper(name, (("t", "vector"), ("n", "index")), "vector", False), text
    parameters = [("t", random.choice(("number", "vector")))]
    if random.random() < 0.7:
        parameters.append(("o", random.choice(("number", "vector", "matrix"))))
    if random.random() < 0.3:
        parameters.append(("l", "index"))
    has_option = random.random() < 0.4
    scope = dict(parameters) | ({"rate": "number"} if has_option else {})
    author = Author(random, scope, known, is_sharing=is_sharing, is_root=False)
    result = random.choice(("number", "vector", "both"))
    author.statements(random.randint(1, 4))
    if random.random() < 0.5:
        author.early_return(result)
        author.statements(random.randint(1, 2))
    author.line(f"return {author.result(result)}")
    signature = ", ".join(p for p, _ in parameters) + (", rate=0.6" if has_option else "")
    helper = Helper(name, tuple(parameters), result, has_option)
    return helper, _function(name, signature, author.lines)


def _function(name: str, signature: str, lines: list[str]) -> str:
    return "\n".join((f"def {name}({signature}):", *(f"    {line}" for line in lines), ""))


def _point(random: Random, parameters: dict[str, str], n: int) -> dict[str, Any]:
    shapes = {"vector": (N,), "matrix": (2, N)}
    numbers = np.random.default_rng(random.randrange(10**6))
    point: dict[str, Any] = {}
    for name, kind in parameters.items():
        value = numbers.uniform(-1.2, 1.2, shapes.get(kind, ()))
        point[name] = value if kind in shapes else float(value)
    return {**point, "n": n}


class Author:
    """Writes the statements of one function."""

    def __init__(
        self,
        random: Random,
        scope: dict[str, str],
        helpers: list[Helper],
        *,
        is_sharing: bool,
        is_root: bool,
    ) -> None:
        self.random = random
        self.scope = scope
        self.helpers = helpers
        self.is_sharing = is_sharing
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.fixed: dict[str, str] = {}
        self.counters: set[str] = set()
        self.serial = 0
        self.written: set[str] = set()
        self.own = set(scope) if is_root else set()
        self.rebound: set[str] = set()
        self.memory = {
            name: {f"parameter {name}"} for name, kind in scope.items() if kind in MEMORY
        }

    def line(self, text: str) -> None:
        """Writes one line."""
        self.lines.append("    " * self.indent + text)

    def pick(self, *choices: str) -> str:
        """One of some texts."""
        return self.random.choice(choices)

    # variables

    def known(self, kind: str) -> list[str]:
        """The variables of a kind that are surely bound here."""
        return [name for name, its in self.scope.items() if its == kind]

    def target(self, kind: str) -> str:
        """A name to bind to a value of a kind; a variable of an enclosing loop keeps its kind."""
        bound = self.known(kind)
        if bound and self.random.random() < 0.5:
            found = [name for name in bound if name not in self.counters]
            if found:
                return self.random.choice(found)
        free = [n for n in POOL[kind] if self.fixed.get(n, kind) == kind]
        return self.random.choice(free or list(POOL[kind]))

    def bind(self, name: str, kind: str, *sources: str) -> None:
        """Notes that a name is bound, to memory of its own or to that of other names."""
        self.scope[name] = kind
        self.rebound.add(name)
        if kind not in MEMORY:
            return
        shared = [self.memory.get(source, set()) for source in sources]
        self.serial += 1
        self.memory[name] = set().union(*shared) if sources else {f"array {self.serial}"}

    def share(self) -> bool:
        """Tells whether to let a new name share memory."""
        return self.is_sharing or not self.loops

    def own_memory(self, name: str) -> None:
        """Copies an array before it is written, where that could be seen elsewhere."""
        mine = self.memory[name]
        others = [
            n for n in self.scope if n != name and not mine.isdisjoint(self.memory.get(n, ()))
        ]
        is_foreign = any(m.startswith("parameter") for m in mine) and name not in self.own
        is_global = any(m.startswith("global") for m in mine)
        if is_global or (
            (others or is_foreign) and not (self.is_sharing and self.random.random() < 0.5)
        ):
            is_number = self.scope[name] == "number"
            self.line(f"{name} = 1.0 * {name}" if is_number else f"{name} = {name}.copy()")
            self.bind(name, self.scope[name])
        if name in self.own and f"parameter {name}" in self.memory[name]:
            self.written.add(name)

    # expressions

    def value(self, kind: str) -> str:
        """An expression of a kind, bounded where it stands in a loop."""
        made = {"number": self.number, "vector": self.vector, "matrix": self.matrix}[kind](2)
        if self.loops or self.random.random() < 0.3:
            function = self.pick("np.sin", "np.tanh")
            if kind == "number" and self.random.random() < 0.4:
                function = self.pick("math.sin", "math.tanh")
            return f"{function}({made})"
        return made

    def result(self, kind: str) -> str:
        """An expression for the result of a helper."""
        if kind == "both":
            return f"{self.value('number')}, {self.value('vector')}"
        names = self.known(kind)
        return (
            self.random.choice(names) if names and self.random.random() < 0.3 else self.value(kind)
        )

    def leaf(self, kind: str) -> str:
        """A variable or a constant."""
        names = self.known(kind)
        if names and self.random.random() < 0.9:
            return self.random.choice(names)
        return {
            "number": self.pick("0.5", "1.2", "SCALE", "-0.3"),
            "vector": self.pick("WEIGHTS", "np.ones(3)", "np.array([0.2, 0.9, -0.6])"),
            "matrix": self.pick("np.ones((2, 3))", "np.full((2, 3), 0.4)"),
        }[kind]

    def index(self) -> str:
        """An index into a vector."""
        names = self.known("index")
        if names and self.random.random() < 0.6:
            name = self.random.choice(names)
            return self.pick(name, name, f"{name} - 1", f"2 - {name}")
        return self.pick("0", "1", "2", "-1")

    def row(self) -> str:
        """An index of a row of a matrix."""
        names = self.known("index")
        if names and self.random.random() < 0.5:
            return f"{self.random.choice(names)} % 2"
        return self.pick("0", "1", "-1")

    def number(self, depth: int) -> str:
        """An expression for a number."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf("number")
        n, v, m = (lambda: self.number(depth - 1)), (lambda: self.vector(depth - 1)), self.matrix
        made = [
            lambda: f"{n()} {self.pick('+', '-', '*')} {n()}",
            lambda: f"({n()} {self.pick('+', '-')} {n()}) * {n()}",
            lambda: f"({n()}) / (1.5 + ({n()}) ** 2)",
            lambda: f"-({n()})",
            lambda: f"{self.pick('np.sin', 'math.cos', 'np.tanh', 'math.atan')}({n()})",
            lambda: f"math.exp(-abs({n()}) - 0.1)",
            lambda: f"math.sqrt(1.1 + ({n()}) ** 2)",
            lambda: f"{self.pick('np.maximum', 'min', 'max')}({n()}, {n()})",
            lambda: f"{self.leaf('vector')}[{self.index()}]",
            lambda: f"{self.leaf('vector')}[{self.index()}] * {n()}",
            lambda: f"{self.leaf('matrix')}[{self.row()}, {self.index()}]",
            lambda: f"{self.pick('np.sum', 'np.mean')}({v()})",
            lambda: f"({v()}) @ ({v()})",
            lambda: f"np.dot({v()}, {v()})",
            lambda: f"({v()}).sum()",
            lambda: f"np.sum({m(depth - 1)})",
            lambda: f"({n()} if {self.condition()} else {n()})",
        ]
        if self.known("index"):
            i = self.random.choice(self.known("index"))
            made += [
                lambda: f"{n()} * ({i} + 1)",
                lambda: f"np.sum({self.leaf('vector')}[{self.pick(f':{i}', f'{i}:', f':-{i}')}])",
                lambda: f"{n()} / ({i} + 2) + {i} // 2",
            ]
        if self.known("pair"):
            made.append(lambda: f"{self.random.choice(self.known('pair'))}[0]")
        if self.known("table"):
            made.append(lambda: f"{self.random.choice(self.known('table'))}['one']")
        made += self.calls("number")
        return self.random.choice(made)()

    def vector(self, depth: int) -> str:
        """An expression for a vector."""
        if depth == 0 or self.random.random() < 0.2:
            return self.leaf("vector")
        n, v = (lambda: self.number(depth - 1)), (lambda: self.vector(depth - 1))
        made = [
            lambda: f"{v()} {self.pick('+', '-', '*')} {v()}",
            lambda: f"{self.leaf('number')} {self.pick('+', '*')} {v()}",
            lambda: f"({v()}) * ({n()}) - {v()}",
            lambda: f"({v()}) / (1.5 + ({v()}) ** 2)",
            lambda: f"{self.pick('np.sin', 'np.cos', 'np.tanh', 'np.arctan')}({v()})",
            lambda: f"np.exp(-np.abs({v()}) - 0.1)",
            lambda: f"np.maximum({v()}, {n()})",
            lambda: f"np.where({v()} > 0.1, {v()}, {v()})",
            lambda: f"({v()})[::-1]",
            lambda: f"{self.leaf('vector')}[[2, 0, 2]]",
            lambda: f"{self.leaf('matrix')}[{self.row()}]",
            lambda: f"np.cumsum({v()})",
            lambda: f"np.roll({v()}, 1)",
            lambda: f"np.zeros_like({self.leaf('vector')}) + {n()}",
            lambda: f"({self.matrix(depth - 1)}).sum(axis=0)",
            lambda: f"np.mean({self.matrix(depth - 1)}, axis=0)",
            lambda: f"np.array([{n()}, {n()}, {n()}])",
            lambda: f"({self.matrix(depth - 1)}).T @ {self.matrix(0)}[:, {self.index()}]",
        ]
        if self.known("pair"):
            made.append(lambda: f"{self.random.choice(self.known('pair'))}[1]")
        made += self.calls("vector")
        return self.random.choice(made)()

    def matrix(self, depth: int) -> str:
        """An expression for a matrix."""
        if depth == 0 or self.random.random() < 0.3:
            return self.leaf("matrix")
        n, v, m = (lambda: self.number(0)), (lambda: self.vector(depth - 1)), self.matrix
        made = [
            lambda: f"{m(depth - 1)} {self.pick('+', '-', '*')} {m(depth - 1)}",
            lambda: f"({m(depth - 1)}) * {v()}",
            lambda: f"{n()} * ({m(depth - 1)})",
            lambda: f"np.sin({m(depth - 1)})",
            lambda: f"np.outer({self.leaf('matrix')}[:, 1], {v()})",
            lambda: f"({m(depth - 1)})[::-1, 1:2] * {v()}",
            lambda: f"{self.leaf('matrix')}.reshape(3, 2).T",
        ]
        return self.random.choice(made)()

    def condition(self) -> str:
        """A test, on active values or on indices."""

        def n(kind: str) -> str:
            return self.random.choice(self.known(kind) or [self.leaf(kind)])

        made = [
            lambda: f"{n('number')} > {self.pick('0.1', '-0.2', '0.4')}",
            lambda: f"{n('number')} < {n('number')}",
            lambda: f"-0.9 < {n('number')} < 0.6",
            lambda: f"np.sum({n('vector')}) > 0.3 and {n('number')} < 0.5",
            lambda: f"not {n('number')} > 0.0",
            lambda: f"{n('vector')}[{self.index()}] > 0.0 or {n('number')} > 0.2",
        ]
        if self.known("index"):
            name = self.random.choice(self.known("index"))
            made += [lambda: f"{name} % 2 == 0", lambda: f"{name} > 0"]
        if self.known("flag"):
            made.append(lambda: self.random.choice(self.known("flag")))
        if "n" in self.scope and self.scope["n"] == "count":
            made.append(lambda: "n > 1")
        return self.random.choice(made)()

    def calls(self, kind: str) -> list[Any]:
        """Calls of helpers whose result has a kind."""
        return [lambda h=h: self.call(h) for h in self.helpers if h.result == kind]

    def call(self, helper: Helper) -> str:
        """A call of a helper, with arguments by position or by name."""
        arguments: list[str] = []
        for name, kind in helper.parameters:
            value = self.index_argument() if kind == "index" else self.leaf(kind)
            if kind in ("number", "vector") and self.random.random() < 0.3:
                value = self.number(1) if kind == "number" else self.vector(1)
            is_named = arguments and ("=" in arguments[-1] or self.random.random() < 0.2)
            arguments.append(f"{name}={value}" if is_named else value)
        if helper.has_option and self.random.random() < 0.5:
            arguments.append(f"rate={self.leaf('number')}")
        return f"{helper.name}({', '.join(arguments)})"

    def index_argument(self) -> str:
        """A small integer."""
        return self.random.choice([*self.known("index"), "1", "2"])

    # statements

    def statements(self, count: int) -> None:
        """Writes some statements."""
        for _ in range(count):
            self.statement()

    def block(self, count: int) -> None:
        """Writes an indented block."""
        self.indent += 1
        self.statements(count)
        self.indent -= 1

    def statement(self) -> None:
        """Writes one statement."""
        simple = [
            (6, self.assignment),
            (4, self.augmented),
            (6, self.store),
            (2, self.unpacking),
            (2, self.helper_result),
            (1, self.container),
            (1, self.growing),
            (0.5, self.assertion),
            (1, self.sharing),
        ]
        if self.indent < 3:
            simple += [(3, self.branch), (1, self.flagged)]
        if self.loops < 2:
            simple += [(3, self.for_loop), (2, self.while_loop)]
        weights, kinds = zip(*simple, strict=True)
        self.random.choices(kinds, weights)[0]()

    def assignment(self) -> None:
        """`a = value`, or `a = b = value`."""
        kind = self.random.choice(("number", "number", "vector", "vector", "matrix"))
        value, name = self.value(kind), self.target(kind)
        if kind == "number" and self.random.random() < 0.1:
            other = self.target(kind)
            self.line(f"{name} = {other} = {value}")
            self.bind(name, kind)
            self.bind(other, kind, *([name] if other != name else []))
            return
        if kind != "number" and not self.share():
            value = f"0.9 * ({value})"
        self.line(f"{name} = {value}")
        is_view = kind != "number" or value.endswith("]")
        self.bind(name, kind, *(self.sources(value) if is_view else ()))

    def sources(self, value: str) -> list[str]:
        """The names whose memory the value of an expression may share: all that it mentions."""
        words = "".join(c if c.isalnum() or c == "_" else " " for c in value).split()
        if "WEIGHTS" in words:
            self.memory["WEIGHTS"] = {"global WEIGHTS"}
        is_call = any(h.name in words for h in self.helpers)
        if not is_call and value.startswith(("np.sin(", "np.tanh(", "0.9 * ")):
            return []
        return [word for word in dict.fromkeys(words) if word in self.memory]

    def augmented(self) -> None:
        """`a += value` on a number or an array."""
        kind = self.random.choice(("number", "number", "vector", "matrix"))
        names = [n for n in self.known(kind) if n not in self.counters]
        if not names:
            return self.assignment()
        name = self.random.choice(names)
        self.own_memory(name)
        operation = self.pick("+", "+", "-", "*")
        value = self.value(kind)
        if kind == "vector" and self.random.random() < 0.2:
            value = self.value("number")
        if self.random.random() < 0.1:
            operation, value = "/", f"1.5 + ({value}) ** 2"
        self.line(f"{name} {operation}= {value}")
        if kind == "number":
            self.bind(name, kind)
        return None

    def store(self) -> None:
        """`v[place] = value`, plain or augmented."""
        kind = self.random.choice(("vector", "vector", "matrix"))
        names = self.known(kind)
        if not names:
            name = self.target(kind)
            self.line(
                f"{name} = {self.pick('np.zeros', 'np.ones')}({3 if kind == 'vector' else (2, 3)})"
            )
            self.bind(name, kind)
        else:
            name = self.random.choice(names)
        self.own_memory(name)
        n, v = self.value, self.vector
        places = {
            "vector": [
                lambda: (f"[{self.index()}]", n("number")),
                lambda: (f"[{self.index()}]", n("number")),
                lambda: ("[:]", n("vector")),
                lambda: ("[1:]", f"{self.leaf('vector')}[:-1] * {self.leaf('number')}"),
                lambda: ("[:2]", f"np.sin({name}[1:] * {self.leaf('number')})"),
                lambda: ("[::2]", n("number")),
                lambda: ("[1:]", f"np.tanh({v(1)})[1:]"),
                lambda: ("[[2, 0]]", f"np.sin({self.leaf('vector')}[:2])"),
                lambda: (f"[{self.leaf('vector')} > 0.1]", n("number")),
                lambda: ("[...]", n("vector")),
            ],
            "matrix": [
                lambda: (f"[{self.row()}, {self.index()}]", n("number")),
                lambda: (f"[{self.row()}]", n("vector")),
                lambda: (f"[{self.row()}]", n("number")),
                lambda: (
                    f"[:, {self.index()}]",
                    f"np.sin({self.leaf('matrix')}[:, {self.index()}])",
                ),
                lambda: ("[:, 1:]", f"np.tanh({self.leaf('matrix')}[:, :-1])"),
                lambda: (f"[:, {self.index()}]", n("number")),
                lambda: ("[:]", n("vector")),
            ],
        }
        if self.known("index"):
            i = self.random.choice(self.known("index"))
            places["vector"] += [
                lambda: (f"[{i}:]", n("number")),
                lambda: (f"[:{i}]", f"np.sin({self.leaf('vector')}[:{i}])"),
                lambda: (f"[{i}:]", f"{name}[{i}:] * {self.leaf('number')}"),
            ]
            places["matrix"].append(lambda: (f"[:, {i}:]", n("number")))
        place, value = self.random.choice(places[kind])()
        operation = self.pick("", "", "", "+", "+", "-", "*")
        self.line(f"{name}{place} {operation}= {value}")

    def unpacking(self) -> None:
        """`a, b = …`."""
        numbers = [n for n in self.known("number") if n not in self.counters]
        vectors = self.known("vector")
        kind = self.random.randrange(5)
        if kind == 0 and len(numbers) > 1:
            one, other = self.random.sample(numbers, 2)
            self.line(f"{one}, {other} = {other}, {self.pick(one, f'np.sin({one})')}")
            one_memory, other_memory = self.memory.get(other, set()), self.memory.get(one, set())
            self.memory[one], self.memory[other] = set(one_memory), set(other_memory)
        elif kind == 1 and len(vectors) > 1 and self.share():
            one, other = self.random.sample(vectors, 2)
            self.line(f"{one}, {other} = {other}, {one}")
            self.rebound |= {one, other}
            self.memory[one], self.memory[other] = self.memory[other], self.memory[one]
        elif kind == 2 and self.share():
            names = self.random.sample(POOL["number"], 3)
            value = self.leaf("vector")
            self.line(f"{', '.join(names)} = {value}")
            for name in names:
                self.bind(name, "number", *self.sources(value))
        elif kind == 3:
            one, other = self.target("number"), self.target("vector")
            self.line(f"{one}, {other} = {self.value('number')}, np.sin({self.vector(1)})")
            self.bind(one, "number")
            self.bind(other, "vector")
        else:
            name = self.target("number")
            values = self.value("number"), self.value("number")
            vector = self.target("vector")
            if vector not in self.scope:
                self.line(f"{vector} = np.zeros(3)")
                self.bind(vector, "vector")
            self.own_memory(vector)
            self.line(f"{name}, {vector}[{self.index()}] = {values[0]}, {values[1]}")
            self.bind(name, "number")

    def helper_result(self) -> None:
        """A name for what a helper gives, unpacked where it gives two things."""
        helpers = [h for h in self.helpers if h.result == "both"]
        if not helpers:
            return self.assignment()
        call = self.call(self.random.choice(helpers))
        one, other = self.target("number"), self.target("vector")
        sources = self.sources(call)
        if self.share() and self.random.random() < 0.3:
            name = self.target("pair")
            self.line(f"{name} = {call}")
            self.bind(name, "pair", *sources)
            return None
        self.line(f"{one}, {other} = {call}")
        if not self.share():
            self.line(f"{one} = 1.0 * {one}")
            self.line(f"{other} = {other}.copy()")
            sources = []
        self.bind(one, "number", *sources)
        self.bind(other, "vector", *sources)
        return None

    def container(self) -> None:
        """A tuple or a dictionary of active values."""
        if self.known("pair") and self.random.random() < 0.6:
            name = self.random.choice(self.known("pair"))
            self.line(f"{name} = {self.value('number')}, np.sin({name}[1] * {self.leaf('number')})")
            return self.bind(name, "pair")
        if not self.share():
            return self.assignment()
        if self.random.random() < 0.6:
            value, kind = f"{self.value('number')}, {self.leaf('vector')}", "pair"
        else:
            value = f"{{'one': {self.value('number')}, 'other': {self.value('number')}}}"
            kind = "table"
        name = self.target(kind)
        self.line(f"{name} = {value}")
        self.bind(name, kind, *self.sources(value))
        return None

    def growing(self) -> None:
        """A sum that starts as a number and becomes an array, if anything is added to it."""
        if self.loops or not self.known("vector"):
            return self.assignment()
        name, source = f"total_{len(self.lines)}", self.random.choice(self.known("vector"))
        times = self.pick("range(2)", "range(n)") if self.scope.get("n") == "count" else "range(2)"
        self.line(f"{name} = {self.pick('0.0', '0', self.leaf('number'))}")
        self.line(f"for step in {times}:")
        self.indent += 1
        if self.random.random() < 0.5:
            self.line(f"{source} = np.sin({source}) * (step + 1)")
            self.bind(source, "vector")
        self.line(f"{name} = {name} + {self.pick(source, f'np.cos({source})')}")
        self.indent -= 1
        target = self.target("number")
        self.line(f"{target} = np.sum({name} * {self.leaf('number')})")
        self.bind(target, "number")
        return None

    def assertion(self) -> None:
        """An assertion that holds."""
        self.line(f"assert np.isfinite({self.leaf('number')}), 'not finite'")

    def sharing(self) -> None:
        """A second name for memory: the array itself, or a view of it."""
        vectors = self.known("vector")
        if not vectors or not self.share():
            return self.store()
        source, name = self.random.choice(vectors), self.target("vector")
        text = self.pick(source, f"{source}[::-1]", f"{source}[:]", f"np.asarray({source})")
        if self.known("matrix") and self.random.random() < 0.3:
            source = self.random.choice(self.known("matrix"))
            text = f"{source}[{self.row()}]"
        self.line(f"{name} = {text}")
        self.bind(name, "vector", source)
        return None

    # control flow

    def both_ways(self, write_body: Any, write_orelse: Any) -> None:
        """Writes two blocks, and keeps of the scope what both leave."""
        scope, memory = dict(self.scope), {k: set(v) for k, v in self.memory.items()}
        write_body()
        body_scope, body_memory = self.scope, self.memory
        self.scope, self.memory = scope, memory
        write_orelse()
        self.scope = {n: k for n, k in self.scope.items() if body_scope.get(n) == k}
        self.memory = {
            n: self.memory.get(n, set()) | body_memory.get(n, set())
            for n in {*self.memory, *body_memory}
        }

    def branch(self) -> None:
        """`if`, with or without `elif` and `else`."""
        condition = self.condition()
        shape = self.random.randrange(4)

        def body() -> None:
            self.line(f"if {condition}:")
            self.block(self.random.randint(1, 2))

        def orelse() -> None:
            if shape == 0:
                return
            if shape == 1:
                self.line(f"elif {self.condition()}:")
                self.both_ways(lambda: self.block(1), lambda: None)
                return
            self.line("else:")
            self.block(self.random.randint(1, 2))

        self.both_ways(body, orelse)

    def flagged(self) -> None:
        """A variable that exists on one way only, and is used on that way only."""
        if self.loops:
            return self.branch()
        flag, name = self.target("flag"), f"only_{len(self.lines)}"
        self.line(f"{flag} = {self.condition()}")
        self.bind(flag, "flag")
        self.line(f"if {flag}:")
        value = self.value("number")
        self.indent += 1
        self.line(f"{name} = {value}")
        self.indent -= 1
        if self.random.random() < 0.5:
            self.statement()
            if not any(line.startswith(f"{'    ' * self.indent}if {flag}") for line in self.lines):
                return None
        changed = [i for i, text in enumerate(self.lines) if f"{flag} = " in text]
        if len(changed) > 1:
            return None
        target = self.target("number")
        if target not in self.scope:
            self.line(f"{target} = {self.pick('0.3', '-0.2')}")
            self.bind(target, "number")
        self.line(f"if {flag}:")
        self.indent += 1
        self.line(f"{target} {self.pick('+=', '=', '*=')} np.sin({name} * {target})")
        self.indent -= 1
        self.bind(target, "number")
        return None

    def repeat(self, header: str, count: int, *, is_surely_run: bool, end: str = "") -> None:
        """A loop around some statements."""
        outside, before = dict(self.fixed), dict(self.scope)
        memory = {k: set(v) for k, v in self.memory.items()}
        self.fixed |= before
        self.line(header)
        self.loops += 1
        self.block(count)
        if end:
            self.indent += 1
            self.line(end)
            self.indent -= 1
        self.loops -= 1
        self.fixed = outside
        if not is_surely_run:
            self.scope = {n: k for n, k in self.scope.items() if before.get(n) == k}
        self.memory = {
            n: self.memory.get(n, set()) | memory.get(n, set()) for n in {*self.memory, *memory}
        }

    def for_loop(self) -> None:
        """`for`, over a range or over values."""
        name = self.random.choice([n for n in ("i", "i_2", "i_3") if n not in self.counters])
        headers = [self.over_range] * 5 + [self.over_display]
        if self.known("vector") and not {"e", "g"} & set(self.scope):
            headers += [self.over_elements, self.over_numbered, self.over_two]
        if self.known("matrix"):
            headers.append(self.over_rows)
        before = dict(self.scope)
        header, bound, is_surely_run = self.random.choice(headers)(name)
        self.counters |= set(bound)
        self.repeat(header, self.random.randint(1, 3), is_surely_run=is_surely_run)
        self.counters -= set(bound)
        for each in bound:
            if not is_surely_run or each != name or self.random.random() < 0.4:
                self.scope.pop(each, None)
                if each in before:
                    self.scope[each] = before[each]

    def over_range(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over numbers, the variables it binds, and whether it surely runs."""
        texts = ["range(3)", "range(2, -1, -1)", "range(1, 3)", "reversed(range(3))"]
        if self.scope.get("n") == "count":
            texts += ["range(n)", "range(n, 3)"]
        if self.known("vector"):
            texts.append(f"range(len({self.random.choice(self.known('vector'))}))")
        text = self.random.choice(texts)
        self.bind(name, "index")
        return f"for {name} in {text}:", (name,), "n)" not in text and "n," not in text

    def over_display(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over numbers that are written down."""
        if self.random.random() < 0.5 or {"e", "g"} & set(self.scope) or self.loops:
            self.bind(name, "index")
            return f"for {name} in {self.pick('[2, 0, 1]', '(1, 2)')}:", (name,), True
        one, other = self.leaf("number"), self.leaf("number")
        self.bind("e", "number", *self.sources(f"{one} {other}"))
        return f"for e in {self.pick(f'({one}, {other})', f'[{one}, {other}]')}:", ("e",), True

    def over_elements(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over the elements of a vector."""
        del name
        source = self.random.choice(self.known("vector"))
        self.bind("e", "number", source)
        return f"for e in {source}:", ("e",), True

    def over_numbered(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over elements with their numbers."""
        source = self.random.choice(self.known("vector"))
        self.bind(name, "index")
        self.bind("e", "number", source)
        return f"for {name}, e in enumerate({source}):", (name, "e"), True

    def over_two(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over two vectors side by side."""
        del name
        one, other = self.random.choices(self.known("vector"), k=2)
        self.bind("e", "number", one)
        self.bind("g", "number", other)
        return f"for e, g in zip({one}, {other}):", ("e", "g"), True

    def over_rows(self, name: str) -> tuple[str, tuple[str, ...], bool]:
        """The header of a loop over the rows of a matrix."""
        del name
        source = self.random.choice(self.known("matrix"))
        self.bind("row", "vector", source)
        return f"for row in {source}:", ("row",), True

    def while_loop(self) -> None:
        """`while`, ended by a counter, or by an active value and a counter."""
        free = [n for n in POOL["index"] if n not in self.counters]
        if not free:
            return self.for_loop()
        name, limit = self.random.choice(free), self.pick("2", "3", "n")
        if limit == "n" and self.scope.get("n") != "count":
            limit = "3"
        self.line(f"{name} = 0")
        self.counters.add(name)
        self.scope[name] = "index"
        active = ""
        if self.random.random() < 0.5:
            active = f" and ({self.condition()})"
        self.repeat(
            f"while {name} < {limit}{active}:",
            self.random.randint(1, 3),
            is_surely_run=False,
            end=f"{name} += 1",
        )
        self.counters.discard(name)
        self.scope[name] = "count"
        return None

    def early_return(self, kind: str) -> None:
        """A return in a branch, perhaps one of several."""
        self.line(f"if {self.condition()}:")
        self.indent += 1
        if self.random.random() < 0.3 and self.loops == 0:
            self.both_ways(lambda: self.statements(1), lambda: None)
        self.line(f"return {self.result(kind)}")
        self.indent -= 1
        if self.random.random() < 0.3:
            self.line(f"elif {self.condition()}:")
            self.indent += 1
            self.line(f"return {self.result(kind)}")
            self.indent -= 1
