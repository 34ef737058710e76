"""Places in arrays, as idiomatic programs change them: masks, integers, exchanges, views."""

from random_programs.assignments import Assignments


class Places(Assignments):
    """Writes stores that need more than one line, or more than one place."""

    def changing(self, kind: str) -> str:
        """A variable that may be written into; a new one where there is none."""
        names = [n for n in self.known(kind) if n in self.kept or n not in self.counters]
        if names:
            name = self.random.choice(names)
        else:
            name = self.target(kind)
            self.line(f"{name} = np.zeros({'3' if kind == 'vector' else '(2, 3)'})")
            self.bind(name, kind)
        self.own_memory(name)
        return name

    def masked(self) -> None:
        """Stores at the places that a mask tells."""
        name, mask = self.changing("vector"), f"mask_{len(self.lines)}"
        self.line(f"{mask} = {self.leaf('vector')} {self.pick('> 0.1', '< 0.3', '> 5.0')}")
        value = self.value("number")
        self.line(
            self.pick(
                f"{name}[{mask}] = {value}",
                f"{name}[{mask}] *= {value}",
                f"{name}[~{mask}] += np.sin({self.leaf('vector')})[~{mask}]",
                f"{name}[{mask}] = np.tanh({name})[{mask}]",
                f"{name}[np.where({mask})] -= {value}",
                f"{name}[{mask} & ({name} > -0.5)] = {value}",
            )
        )

    def ordered(self) -> None:
        """Stores at places that integers tell, some of them twice."""
        name, order = self.changing("vector"), f"order_{len(self.lines)}"
        places = ["np.array([2, 0, 1])", f"np.argsort({self.leaf('vector')})", "[0, 0, 2]"]
        places += self.known("places")
        self.line(f"{order} = {self.random.choice(places)}")
        value = self.value("vector")
        self.line(
            self.pick(
                f"{name}[{order}] = {value}",
                f"{name}[{order}] += {value}",
                f"{name}[{order}] *= {self.value('number')}",
                f"{name}[{order}[0]] = {self.value('number')}",
                f"{name}[:] = ({value})[{order}]",
            )
        )

    def exchanged(self) -> None:
        """Elements or rows that change their places."""
        name = self.changing("vector")
        one, other = self.index(), self.index()
        step = f"held_{len(self.lines)}"
        if self.random.random() < 0.2:
            name = self.changing("matrix")
            self.line(
                self.pick(
                    f"{name}[[0, 1]] = {name}[[1, 0]]",
                    f"{name}[0], {name}[1] = {name}[1].copy(), {name}[0].copy()",
                )
            )
        elif self.random.random() < 0.5:
            self.line(f"{name}[{one}], {name}[{other}] = {name}[{other}], {name}[{one}]")
        else:
            self.line(f"{step} = {name}[{one}]")
            self.line(f"{name}[{one}] = {name}[{other}] * {self.leaf('number')}")
            self.line(f"{name}[{other}] = {step}")

    def spread(self) -> None:
        """Updates of whole arrays and of parts, whose values have fewer axes."""
        name, v = self.changing("matrix"), self.leaf("vector")
        self.line(
            self.pick(
                f"{name} += np.sin({v})",
                f"{name} -= {self.value('number')}",
                f"{name} *= 0.9",
                f"{name} /= 1.5 + {v} ** 2",
                f"{name}[:, 1:] *= np.cos({v})[1:]",
                f"{name}[0] += {name}[1]",
                f"{name}[:, ::-1] -= np.tanh({self.matrix(1)})",
                f"{name}[{name} > 0.2] = {self.value('number')}",
                f"{name}[:, [0, 2]] = {self.value('number')}",
                f"{name}[..., 0] = np.sin({self.leaf('matrix')})[..., 1]",
                f"{name}[{self.row()}, {v} > 0] *= {self.leaf('number')}",
                f"{name}[:, :] = {self.value('matrix')}",
                f"{name}[1, :2] = np.tanh({v}[1:])",
            )
        )

    def filled(self) -> None:
        """A new array, filled element by element."""
        name, i = self.target("vector"), f"i_{len(self.lines)}"
        v = self.random.choice([n for n in self.known("vector") if n != name] or ["WEIGHTS"])
        self.line(f"{name} = {self.pick('np.empty(3)', f'np.empty_like({v})', 'np.zeros(3)')}")
        self.line(f"for {i} in range({self.pick('3', f'len({v})', f'{v}.shape[0]')}):")
        self.line(f"    {name}[{i}] = np.sin({v}[{i}] * {self.leaf('number')})")
        if self.random.random() < 0.5:
            self.line(f"    if {i} > 0:")
            self.line(f"        {name}[{i}] += 0.5 * {name}[{i} - 1] * {self.leaf('number')}")
        self.bind(name, "vector")

    def chained(self) -> None:
        """One value for several targets."""
        name, a = self.changing("vector"), self.target("number")
        self.line(
            self.pick(
                f"{name}[{self.index()}] = {a} = {self.fresh('number')}",
                f"{a} = {name}[0] = {name}[{self.index()}] = {self.fresh('number')}",
            )
        )
        self.bind(a, "number")

    def without_axes(self) -> None:
        """An array without axes, changed in place."""
        name, target = f"held_{len(self.lines)}", self.target("number")
        self.line(f"{name} = np.array({self.value('number')})")
        for _ in range(self.random.randint(1, 2)):
            self.line(
                self.pick(
                    f"{name} += {self.value('number')}",
                    f"{name}[...] = {self.value('number')}",
                    f"{name}[()] *= {self.leaf('number')}",
                )
            )
        self.line(f"{target} = np.sin({name}) + {name}[()]")
        self.bind(target, "number")

    def viewed(self) -> None:
        """A change of a part under a name of its own, seen in the whole."""
        if not self.is_sharing:
            return self.spread()
        whole, part = self.changing("matrix"), f"part_{len(self.lines)}"
        rows = f"[{self.row()}]", f"[:, {self.index()}]"
        text = self.pick(*rows, ".T", ".reshape(-1)", "[::-1]", "")
        self.line(f"{part} = {whole}{text}")
        n = self.value("number")
        row = [f"{part} += {n}", f"{part}[1] = {n}", f"{part}[:] = {n}", f"{part} *= {n}"]
        every = [f"{part} *= {n}", f"{part}[0] = {n}", f"{part}[...] = {n}", f"{part}[1:] += {n}"]
        self.line(self.random.choice(row if text in rows else every))
        return None
