"""Assignments, stores, unpacking, containers: the statements that bind or change something."""

from random_programs.scope import POOL
from random_programs.vocabulary import Vocabulary


class Assignments(Vocabulary):
    """Writes simple statements."""

    def assignment(self) -> None:
        """`a = value`, or `a = b = value`."""
        kind = self.random.choice(("number", "number", "vector", "vector", "matrix"))
        value, name = self.value(kind), self.target(kind)
        if kind == "number" and self.random.random() < 0.1:
            other = self.target(kind)
            self.line(f"{name} = {other} = {value}")
            self.bind(name, kind, *self.given(kind, value))
            self.bind(other, kind, *([name] if other != name else []))
            return
        if kind != "number" and not self.share():
            value = f"0.9 * ({value})"
        self.line(f"{name} = {value}")
        self.bind(name, kind, *self.given(kind, value))

    def given(self, kind: str, value: str) -> list[str]:
        """The names of which a value of a kind may be a second one, be it of a number.

        Of a number the engine cannot tell that `a = s`, `a += 1` leaves `s` alone.
        """
        is_new = kind == "number" and not (
            value.isidentifier()
            or value.endswith("]")
            or " if " in value
            or value.startswith(("min(", "max("))
        )
        return [] if is_new else self.sources(value)

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
        vectors = [n for n in self.known("vector") if n not in self.counters]
        kind = self.random.randrange(6)
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
        elif kind == 3 and vectors and self.share():
            name, rest = self.target("number"), f"rest_{len(self.lines)}"
            self.line(f"{name}, *{rest} = {self.pick('np.sin', 'np.tanh')}({self.vector(1)})")
            self.line(f"{name} = {name} * {rest}[0] - {self.leaf('number')} * {rest}[-1]")
            self.bind(name, "number")
        elif kind == 4:
            one, other, value = self.target("number"), self.target("vector"), self.value("number")
            self.line(f"{one}, {other} = {value}, np.sin({self.vector(1)})")
            self.bind(one, "number", *self.given("number", value))
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
            self.bind(name, "number", *self.given("number", values[0]))

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
            number = self.value("number")
            self.line(f"{name} = {number}, np.sin({name}[1] * {self.leaf('number')})")
            return self.bind(name, "pair", *self.given("number", number))
        if not self.share():
            return self.assignment()
        if self.random.random() < 0.6:
            value, kind = f"{self.value('number')}, {self.leaf('vector')}", "pair"
        else:
            value = f"{{'one': {self.value('number')}, 'other': {self.value('number')}}}"
            kind = "table"
        name = self.target(kind)
        self.line(f"{name} = {value}")
        self.bind(name, kind, *self.sources(f"({value})"))
        return None

    def growing(self) -> None:
        """A sum that starts as a number and becomes an array, if anything is added to it."""
        vectors = [n for n in self.known("vector") if n not in self.counters]
        if self.loops or not vectors:
            return self.assignment()
        name, source = f"total_{len(self.lines)}", self.random.choice(vectors)
        times = self.pick("range(2)", "range(n)") if self.scope.get("n") == "count" else "range(2)"
        self.line(f"{name} = {self.pick('0.0', '0', self.leaf('number'))}")
        self.line(f"for step in {times}:")
        self.indent += 1
        if self.random.random() < 0.5:
            self.line(f"{source} = np.sin({source}) * (step + 1)")
            self.bind(source, "vector", source)
        self.line(f"{name} = {name} + {self.pick(source, f'np.cos({source})')}")
        self.indent -= 1
        target = self.target("number")
        self.line(f"{target} = np.sum({name} * {self.leaf('number')})")
        self.bind(target, "number")
        return None

    def gathering(self) -> None:
        """A list that a loop fills, and an array made of it."""
        name, times = f"rows_{len(self.lines)}", self.pick("range(2)", "range(3)", "(1, 2)")
        self.line(f"{name} = []")
        self.line(f"for step in {times}:")
        row = self.vector(1)
        self.line(f"    {name}.append({self.pick('np.sin', 'np.tanh')}({row}) * (step + 1))")
        if self.random.random() < 0.3:
            self.line(f"{name}.append({name}[0] * {self.leaf('number')})")
        made = self.pick(f"np.stack({name})[-1]", f"np.array({name}).sum(axis=0)", f"{name}[-1]")
        target = self.target("vector")
        self.line(f"{target} = np.cos({made})")
        self.bind(target, "vector")

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
