"""Branches and loops, and the choice of what to write next."""

from typing import Any

from random_programs.hidden import Hidden
from random_programs.scope import MEMORY, POOL


class Author(Hidden):
    """Writes the statements of one function."""

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
            (1, self.gathering),
            (0.5, self.assertion),
            (1, self.sharing),
        ]
        if self.is_idiomatic:
            simple += [(1, idiom) for idiom in self.idioms()]
        if self.indent < 3:
            simple += [(3, self.branch), (1, self.flagged)]
        if self.loops < 2:
            simple += [(3, self.for_loop), (2, self.while_loop)]
        weights, kinds = zip(*simple, strict=True)
        self.random.choices(kinds, weights)[0]()

    def idioms(self) -> tuple[Any, ...]:
        """What idiomatic programs have besides."""
        return (
            *(self.masked, self.ordered, self.exchanged, self.spread, self.filled, self.chained),
            *(self.without_axes, self.viewed, self.comprehension, self.layers, self.keyed),
            *(self.nested, self.carried, self.counted, self.retyped, self.after_loop),
            *(self.perhaps_not_run, self.nothing_yet, self.inner, self.halved, self.rotated),
            *(self.aside, self.inserted, self.effect, self.effect, self.effect),
            *(self.shadowing, self.parts_in_lists, self.taken_back),
            *(self.noted, self.noted, self.counted_inside),
        )

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
        value = self.fresh("number")
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
        self.own_memory(target)
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
        run_over = self.run_over(bound)
        self.repeat(header, self.random.randint(1, 3), is_surely_run=is_surely_run)
        self.scope.pop(run_over, None)
        self.counters -= set(bound)
        for each in bound:
            if not is_surely_run or each != name or self.random.random() < 0.4:
                self.scope.pop(each, None)
                if each in before:
                    self.scope[each] = before[each]

    def run_over(self, bound: tuple[str, ...]) -> str:
        """A name that no program has, for what the loop runs over: its elements share with that."""
        name = f"<run over {self.loops}>"
        sources = [each for each in bound if self.scope.get(each) in MEMORY]
        if sources:
            self.bind(name, "run over")
            self.memory[name] = set().union(*(self.memory[each] for each in sources))
        return name

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
