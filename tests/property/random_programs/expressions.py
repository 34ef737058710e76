"""Expressions for numbers, vectors and matrices, tests, and calls of helpers."""

from typing import Any

from random_programs.scope import Helper, Scope


class Expressions(Scope):
    """Writes expressions."""

    def value(self, kind: str) -> str:
        """An expression of a kind, bounded where it stands in a loop."""
        made = {"number": self.number, "vector": self.vector, "matrix": self.matrix}[kind](2)
        if self.loops or self.random.random() < 0.3:
            function = self.pick("np.sin", "np.tanh")
            if kind == "number" and self.random.random() < 0.4:
                function = self.pick("math.sin", "math.tanh")
            return f"{function}({made})"
        return made

    def fresh(self, kind: str) -> str:
        """An expression whose value shares no memory, and is no other variable's number."""
        return f"0.9 * ({self.value(kind)})"

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
        made += self.calls("number") + self.more("number", depth)
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
        made += self.calls("vector") + self.more("vector", depth)
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
            *self.more("matrix", depth),
        ]
        return self.random.choice(made)()

    def more(self, kind: str, depth: int) -> list[Any]:
        """Further expressions of a kind, if there are any."""
        del kind, depth
        return []

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
        helpers = [h for h in self.helpers if h.result == kind and not h.changes]
        return [lambda h=h: self.call(h) for h in helpers]

    def call(self, helper: Helper, first: str = "") -> str:
        """A call of a helper, with arguments by position or by name; `first` is changed by it."""
        arguments = [first] if first else []
        for name, kind in helper.parameters[len(arguments) :]:
            value = self.index_argument() if kind == "index" else self.leaf(kind)
            if kind in ("number", "vector") and self.random.random() < 0.3:
                value = self.number(1) if kind == "number" else self.vector(1)
            if first and not self.is_sharing and kind != "index":
                value = f"np.sin({value})"
            is_named = arguments and ("=" in arguments[-1] or self.random.random() < 0.2)
            is_named = is_named and not helper.is_by_position
            arguments.append(f"{name}={value}" if is_named else value)
        if helper.has_option and self.random.random() < 0.5:
            arguments.append(f"rate={self.leaf('number')}")
        return f"{helper.name}({', '.join(arguments)})"

    def index_argument(self) -> str:
        """A small integer."""
        return self.random.choice([*self.known("index"), "1", "2"])
