"""What hides where a value comes from, or what becomes of it, in idiomatic programs.

Variables of comprehensions hide others; comprehensions, lists and dictionaries hand on parts of
arrays; and calls without arguments of interest change what is read next.
"""

from random_programs.habits import Habits

STATES = """RATE, COUNT = 0.5, 0
LOG = [0.3]
STATE = {"rate": 0.4, "weights": np.ones(3)}


def note(value):
    global RATE, COUNT
    RATE = math.cos(value + COUNT)
    COUNT += 1
    LOG.append(0.1 * value)
    STATE["rate"] = RATE * 0.5
    STATE["weights"][COUNT % 3] = value


def forget():
    global RATE, COUNT
    RATE, COUNT = 0.5, 0
    LOG[1:] = []
    STATE["weights"][:] = 1.0
"""
"""The variables of a module that a function changes for others, and what puts them back."""


class Hidden(Habits):
    """Writes statements after which the text alone does not say what a name stands for."""

    def shadowing(self) -> None:
        """A comprehension whose variable is called as what it runs over."""
        names = [name for name in self.known("vector") if name not in self.fixed]
        if not names:
            return self.comprehension()
        v, target, held = self.random.choice(names), self.target("number"), f"h_{len(self.lines)}"
        a = self.random.choice([*self.known("number"), "SCALE"])
        texts = (
            f"sum([{v} * {a} for {v} in {v}])",
            f"sum({v} * {v} for {v} in {v} if {v} > -2.0)",
            f"max({v} * {a} for {v} in {v})",
            f"sum([{v} * (k_2 + 1) for k_2, {v} in enumerate({v})])",
            f"sum([np.sum([{v} * z for {v} in {v}]) for z in ({a}, 0.5)])",
            f"sum([np.sum({v} * z) for {v} in ({v}, 2.0 * {v}) for z in {v}])",
            f"sum(np.sum({v}) * {a} for {v} in [[z * {v} for {v} in {v}] for z in {v}])",
        )
        text = self.random.choice(texts)
        if self.random.random() < 0.3:
            self.line(f"{held} = {{'one': {v} * {a}, 'two': np.sin({v})}}")
            self.line(f"{held} = {{z: {held} * {a} for z, {held} in {held}.items()}}")
            text = f"np.sum({held}['one'] * {held}['two'])"
        self.line(f"{target} = np.sin({text})")
        self.bind(target, "number")
        return None

    def parts_in_lists(self) -> None:
        """Parts of an array in a list or dictionary that a comprehension makes."""
        base, rows, target = f"base_{len(self.lines)}", f"rows_{len(self.lines)}", "number"
        self.line(f"{base} = 1.0 * {self.leaf('matrix')}")
        element = self.pick(f"{base}[z]", f"{base}[:, z]", f"{base}[z, 1:]", f"{base}.T[z]")
        if not self.is_sharing:
            element = self.pick(f"np.array({element})", f"{element} * 1.0", f"np.sin({element})")
        open_, close = self.random.choice((("[", "]"), ("{z: ", "}")))
        self.line(f"{rows} = {open_}{element} for z in range(2){close}")
        a = self.leaf("number")
        written = [f"{rows}[0][:] = {rows}[1] * 0.5", f"{rows}[1] *= {a}", f"{rows}[0][1] = {a}"]
        written += [f"{rows}[0] = {rows}[1] * {a}", f"{base}[0] = {a}", f"{base}[0, 1] *= {a}"]
        for text in self.random.sample(written, self.random.randint(1, 2)):
            self.line(text)
        found = self.target(target)
        self.line(f"{found} = np.sin(np.sum({rows}[0] * {rows}[1]) + np.sum({base}))")
        self.bind(found, "number")

    def taken_back(self) -> None:
        """An array that goes into a list or dictionary, comes back and is changed."""
        held, top, target = (f"{name}_{len(self.lines)}" for name in ("held", "top", "taken"))
        v = self.leaf("vector") if self.is_sharing else f"1.0 * {self.leaf('vector')}"
        ways = [
            (f"[0.5, {v}]", f"{held}[1]"),
            (f"({v}, 0.5)", f"{held}[0]"),
            (f"{{'one': {v}}}", f"{held}.get('one')"),
        ]
        if self.is_sharing or not self.loops:
            ways += [(f"[{v}]", f"{held}.pop()"), (f"[{v}, 2.0]", f"{held}.pop(0)")]
            ways += [(f"{{'one': {v}}}", f"{held}.pop('one')")]
        if self.is_sharing:
            ways += [(f"[z for z in ({v}, {v})]", f"{held}.pop()")]
        made, taken = self.random.choice(ways)
        self.line(f"{held} = {made}")
        self.line(f"{top} = {taken}")
        change = self.pick("*= 0.5", f"+= {self.leaf('number')}", f"*= {self.leaf('vector')}")
        self.line(f"{top} {change}")
        target = self.target("vector")
        self.line(f"{target} = np.cos({top} * {self.leaf('number')})")
        self.bind(target, "vector")

    def noted(self) -> None:
        """Variables of the module, which a call changes before they are read again."""
        target = self.target("number")
        values = ("0.5", "0.25", "len(LOG)", "COUNT + 0.5", "RATE")
        rate = (
            "RATE",
            "STATE['rate']",
            "LOG[-1]",
            "len(LOG)",
            "(COUNT + 1)",
            "STATE['weights'][0]",
        )
        texts = (*rate, *rate, f"np.sum({self.leaf('vector')} * STATE['weights'])")
        self.line(f"note({self.pick(*values)})")
        self.line(f"{target} = np.sin({self.leaf('number')} * {self.random.choice(texts)})")
        if self.random.random() < 0.6:
            self.line(f"note({self.pick(*values)})")
            self.line(f"{target} = {target} * {self.random.choice(texts)}")
        self.bind(target, "number")

    def counted_inside(self) -> None:
        """Variables that a function in the function changes."""
        if self.indent:
            return self.noted()
        n, log, count = (f"{name}_{len(self.lines)}" for name in ("n", "log", "count"))
        target, a, b = self.target("number"), self.leaf("number"), self.leaf("number")
        self.line(f"{n}, {log} = 1.0, [0.5]")
        self.line(f"def {count}(z):")
        self.line(f"    nonlocal {n}")
        self.line(f"    {n} = {n} * 0.5 + z")
        self.line(f"    {log}.append({n})")
        read = (n, f"{log}[-1]", f"len({log})", f"sum({log})")
        self.line(f"{target} = np.sin({a} * {self.pick(*read)})")
        self.line(f"{count}({self.pick('0.5', '2')})")
        self.line(f"{target} = {target} * {self.pick(*read)} + {b} * {self.pick(*read)}")
        self.line(f"{count}(0.25)")
        self.bind(target, "number")
        return None
