"""Lists, tuples and dictionaries, as idiomatic programs build and take them apart."""

from random_programs.places import Places


class Gatherings(Places):
    """Writes statements that gather values, and what becomes of them."""

    def comprehension(self) -> None:
        """A list made by a comprehension, and what is read of it."""
        name, v, a = f"rows_{len(self.lines)}", self.leaf("vector"), self.leaf("number")
        kind, text = self.random.choice(
            (
                ("vector", f"[np.sin({v} * (z + 1)) for z in range(2)]"),
                ("vector", f"[z * {v} for z in ({a}, {self.leaf('number')})]"),
                ("vector", f"[np.tanh(z) for z in {self.leaf('matrix')}]"),
                ("number", f"[z * {a} for z in {v}]"),
                ("number", f"[z ** 2 for z in {v} if z > -2.0]"),
                ("number", f"[np.sin(z) * z_2 for z, z_2 in zip({v}, {self.leaf('vector')})]"),
                ("number", f"[z * {a} + k_2 for k_2, z in enumerate({v})]"),
            )
        )
        self.line(f"{name} = {text}")
        target = self.target(kind)
        made = f"np.stack({name})" if kind == "vector" else f"np.array({name})"
        whole = self.pick(f"{made}.sum(axis=0)", f"np.sum({name}, axis=0)", f"sum({name})")
        part = self.pick(f"{name}[0] + {name}[-1]", f"{name}[1]", f"{made}[-1]")
        self.line(f"{target} = np.cos({self.pick(whole, part)})")
        self.bind(target, kind)

    def layers(self) -> None:
        """A loop over arrays that a list or tuple holds."""
        u, v, target = self.leaf("vector"), self.leaf("vector"), self.target("vector")
        a, b = self.leaf("number"), self.leaf("number")
        name, k = f"layers_{len(self.lines)}", f"k_{len(self.lines)}"
        if target not in self.scope:
            self.line(f"{target} = np.ones(3)")
        open_, close = self.random.choice(("[]", "()"))
        self.line(f"{name} = {open_}{self.held(name, u)}, {self.held(name, v)}{close}")
        header, value = self.random.choice(
            (
                (f"z in {name}", "z"),
                (f"z in reversed({name})", "z"),
                (f"{k}, z in enumerate({name})", f"z * ({k} + 1)"),
                (f"z, z_2 in zip({name}, ({a}, {b}))", "z * z_2"),
                (f"z, z_2 in zip({name}[:1], {name}[1:])", "z * z_2"),
                (f"{k} in range(len({name}))", f"{name}[{k}]"),
                (f"z, (z_2, z_3) in zip({name}, (({a}, 1.0), (0.5, {b})))", "z * z_2 + z_3"),
            )
        )
        self.line(f"for {header}:")
        self.line(f"    {target} = np.tanh({target} + {value})")
        self.bind(target, "vector")

    def keyed(self) -> None:
        """A dictionary that is written down, and its entries one by one."""
        name, target = f"state_{len(self.lines)}", self.target("number")
        number, vector = self.value("number"), self.held(name, self.leaf("vector"))
        self.line(f"{name} = {{'one': {number}, 'two': {vector}}}")
        entries = f"{name}['one'] * np.sum({name}['two'])"
        if self.random.random() < 0.5:
            self.line(f"{target} = {entries}")
        else:
            total = f"total_{len(self.lines)}"
            self.line(f"{total} = {self.pick('0', '0.0')}")
            header, value = self.random.choice(
                (
                    ("z in " + name, f"{name}[z]"),
                    (f"z in {name}.values()", "z"),
                    (f"z_2, z in {name}.items()", "z"),
                )
            )
            self.line(f"for {header}:")
            self.line(f"    {total} {self.pick('+= ', f'= {total} + ')}np.sum(np.sin({value}))")
            self.line(f"{target} = {total}")
        self.bind(target, "number")

    def nested(self) -> None:
        """Several values at once, in structures of their own."""
        a, b = self.random.sample([n for n in "abcd" if n not in self.counters], 2)
        v, rest = self.target("vector"), f"rest_{len(self.lines)}"
        first, second = self.fresh("number"), self.fresh("number")
        third = self.fresh("number")
        match self.random.randrange(5):
            case 0:
                self.line(f"({a}, {b}), {v} = ({first}, {second}), {self.fresh('vector')}")
                self.bind(v, "vector")
            case 1:
                self.line(f"*{rest}, {a} = [{first}, {second}, {third}]")
                self.line(f"{b} = {rest}[0] - {rest}[1]")
            case 2:
                self.line(f"{a}, *{rest} = np.sin({self.leaf('vector')})")
                self.line(f"{b} = sum({rest})")
            case 3:
                self.line(f"{rest} = ({first}, ({second}, {third}))")
                self.line(f"{a}, ({b}, _) = {rest}")
            case 4:
                self.line(f"[{a}, {b}] = np.cos(np.array([{first}, {second}]))")
        self.bind(a, "number")
        self.bind(b, "number")

    def carried(self) -> None:
        """A loop that hands a tuple from pass to pass."""
        name, a, v = f"state_{len(self.lines)}", self.target("number"), self.target("vector")
        self.line(f"{name} = {self.fresh('number')}, {self.fresh('vector')}")
        times = "n" if self.scope.get("n") == "count" and self.random.random() < 0.4 else "2"
        self.line(f"for _ in range({times}):")
        self.line(f"    {a}, {v} = {name}")
        extra = self.leaf("number")
        self.line(f"    {name} = np.sin({a} + np.sum({v})), np.cos({v} * {a} + {extra})")
        self.line(f"{a}, {v} = {name}")
        self.bind(a, "number")
        self.bind(v, "vector")
