"""What people write besides: counters, names that change their type, functions in functions."""

from random_programs.gatherings import Gatherings


class Habits(Gatherings):
    """Writes small idioms of a few lines each."""

    def counted(self) -> None:
        """An integer counter beside a number that grows."""
        count, total, target = (f"{n}_{len(self.lines)}" for n in ("count", "total", "z"))
        self.line(f"{count}, {total} = 0, 0.0")
        self.line(f"for {target} in {self.leaf('vector')}:")
        self.line(f"    if {target} > {self.pick('0.0', '-0.4', '3.0')}:")
        self.line(f"        {count} += 1")
        self.line(f"        {total} += {target} * {self.pick(self.leaf('number'), count)}")
        name = self.target("number")
        self.line(f"{name} = {total} / max({count}, 1)")
        self.bind(name, "number")

    def retyped(self) -> None:
        """A name that is first a number and then an array, or the other way round."""
        name, target = f"held_{len(self.lines)}", self.target("number")
        a, v = self.leaf("number"), self.leaf("vector")
        match self.random.randrange(4):
            case 0:
                self.line(f"{name} = {v} * {a}")
                self.line(f"{name} = np.sum({name})")
                self.line(f"{name} = {name} * {self.leaf('matrix')}")
            case 1:
                self.line(f"{name} = {v} if {self.condition()} else {a}")
            case 2:
                self.line(f"if {self.condition()}:")
                self.line(f"    {name} = {self.pick('0.0', '0', a)}")
                self.line("else:")
                self.line(f"    {name} = np.sin({self.pick(v, self.leaf('matrix'))})")
            case 3:
                self.line(f"{name} = 0")
                self.line(f"{name} += {v}")
                self.line(f"{name} += {a}")
        self.line(f"{target} = np.sum(np.sin({name}))")
        self.bind(target, "number")

    def after_loop(self) -> None:
        """The variables of a loop, read behind it."""
        name, total = f"z_{len(self.lines)}", self.target("number")
        source = self.pick(self.leaf("vector"), "range(3)", f"({self.leaf('number')}, 0.4)")
        if not self.share():
            source = "range(3)"
        if total not in self.scope:
            self.line(f"{total} = 0.1")
            self.bind(total, "number")
        self.held(name, source)
        self.line(f"for {name} in {source}:")
        self.line(f"    {total} = np.sin({total} + {name})")
        self.line(f"{total} = {total} * {name}")
        self.bind(total, "number")

    def perhaps_not_run(self) -> None:
        """A loop that may have no pass, over what was bound before it."""
        name, total = f"z_{len(self.lines)}", self.target("number")
        many = "range(n)" if self.scope.get("n") == "count" else "()"
        source = self.pick(f"{self.leaf('vector')}[:0]", many, f"{self.leaf('vector')}[2:]")
        self.line(f"{name} = {self.leaf('number')}")
        self.line(f"for {name} in {source}:")
        self.line("    pass")
        self.line(f"{total} = {name} * {self.leaf('number')}")
        self.bind(total, "number")

    def nothing_yet(self) -> None:
        """`None` until there is something better."""
        best, name, target = f"best_{len(self.lines)}", f"z_{len(self.lines)}", "number"
        self.line(f"{best} = None")
        self.line(f"for {name} in {self.leaf('vector')}:")
        self.line(f"    if {best} is None or {name} {self.pick('<', '>')} {best}:")
        self.line(f"        {best} = {name}")
        found = self.target(target)
        self.line(f"{found} = {best} * {self.leaf('number')}")
        self.bind(found, "number")

    def inner(self) -> None:
        """A function in the function, which reads nothing of it."""
        if self.indent:
            return self.counted()
        name, target = f"inner_{len(self.lines)}", self.target("number")
        self.line(f"def {name}(z, z_2=0.5):")
        self.line(f"    return {self.pick('np.sin(z) * z_2', 'z * z_2 - z ** 2')}")
        second = self.pick("", f", {self.leaf('number')}", f", z_2={self.leaf('number')}")
        self.line(f"{target} = {name}({self.value('number')}{second})")
        self.bind(target, "number")
        return None

    def halved(self) -> None:
        """A loop that ends when a value is small enough."""
        name = f"held_{len(self.lines)}"
        self.line(f"{name} = np.abs({self.leaf('vector')}) + 0.1")
        self.line(f"while np.sum({name}) > {self.pick('0.5', '1.7')}:")
        self.line(f"    {name} = {self.pick(f'{name} / 2', f'0.4 * {name} * np.cos({name})')}")
        target = self.target("number")
        self.line(f"{target} = np.max({name}) * {self.leaf('number')}")
        self.bind(target, "number")

    def rotated(self) -> None:
        """Three numbers that go round, as Fibonacci's do."""
        a, b = self.random.sample([n for n in "abcd" if n not in self.counters], 2)
        self.line(f"{a}, {b} = {self.fresh('number')}, {self.fresh('number')}")
        self.line(f"for _ in range({self.pick('2', '3')}):")
        self.line(f"    {a}, {b} = {b}, {self.pick(f'{a} + {b}', f'np.sin({a} * {b})')}")
        self.bind(a, "number")
        self.bind(b, "number")

    def aside(self) -> None:
        """What has no part in the result, and what only helps to read."""
        name, a = f"text_{len(self.lines)}", self.target("number")
        v = self.leaf("vector")
        shown = self.random.choice([*self.known("number"), "SCALE"])
        walrus = (f"if ({name} := np.sum({v})) > 0.3:", f"    {a} = {name} * 2")
        lines = self.random.choice(
            (
                (f"{name} = f'{{{shown}:.3f}} of {{{shown}}}'",),
                (f"{a}: float = {self.fresh('number')}",),
                (f"assert len({v}) == 3 and {v}.ndim == 1",),
                (f"{name} = {v} * 2", f"{a} = np.sum({name})", f"del {name}"),
                (*walrus, "else:", f"    {a} = {name}"),
                (f"if np.isnan({v}).any():", "    raise ValueError('no number')"),
                (f"{a} = {self.fresh('number')}", f"{name} = int({a} > 0) + round({a}, 1)"),
            )
        )
        for line in lines:
            self.line(line)
        if any(f"{a} =" in line or f"{a}:" in line for line in lines):
            self.bind(a, "number")

    def inserted(self) -> None:
        """Code for the backward sweep that changes no gradient."""
        names = self.known("number") + self.known("vector")
        if not self.is_root or not names:
            return self.aside()
        name = self.random.choice(names)
        self.has_inserted = True
        self.line(f"with insert_grad_of({name}) as {name}_grad:")
        self.line(f"    {name}_grad = {self.pick('1.0', '1')} * {name}_grad")
        return None

    def effect(self) -> None:
        """A call of a helper that changes its first argument."""
        helpers = [h for h in self.helpers if h.changes]
        if not helpers:
            return self.filled()
        helper = self.random.choice(helpers)
        if self.random.random() < 0.3:
            matrix = self.changing("matrix")
            first = f"{matrix}[{self.row()}]"
        else:
            matrix, first = "", self.changing("vector")
        call = self.call(helper, first)
        if helper.result:
            target = self.target("number")
            self.line(f"{target} = {call}")
            self.bind(target, "number")
        else:
            self.line(call)
        return None
