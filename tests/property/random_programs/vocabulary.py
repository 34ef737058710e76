"""Further expressions, of which idiomatic programs are made: more of NumPy, and parts of arguments.

Containers come as arguments only: `model` is a dictionary, `points` a list of vectors, `couple` a
tuple of a number and a vector, `places` an array of integers.
"""

from typing import Any

from random_programs.expressions import Expressions

PARTS = {
    "model": {
        "number": ("{}['bias']", "{}['layers'][1]['rate']"),
        "vector": ("{}['weight']", "{}['layers'][0]"),
    },
    "points": {"vector": ("{}[0]", "{}[-1]", "{}[1]"), "number": ("{}[0][1]",)},
    "couple": {"number": ("{}[0]",), "vector": ("{}[1]",)},
}
"""How the parts of a container are written, by the kinds of both."""


class Vocabulary(Expressions):
    """Writes more expressions, in idiomatic programs."""

    def leaf(self, kind: str) -> str:
        """A variable, a constant, or a part of a container."""
        parts = self.parts(kind)
        if parts and self.random.random() < 0.3:
            return self.random.choice(parts)
        return super().leaf(kind)

    def parts(self, kind: str) -> list[str]:
        """The parts of containers that have a kind."""
        return [
            text.format(name)
            for container, texts in PARTS.items()
            for name in self.known(container)
            for text in texts.get(kind, ())
        ]

    def more(self, kind: str, depth: int) -> list[Any]:
        """Further expressions of a kind."""
        if not self.is_idiomatic:
            return []
        writers = {
            "number": (self.numbers, self.numbers_of_arrays),
            "vector": (self.vectors, self.new_vectors),
            "matrix": (self.matrices,),
        }
        return [made for writer in writers[kind] for made in writer(depth - 1)]

    def numbers(self, depth: int) -> list[Any]:
        """Numbers, mostly of numbers."""

        def n() -> str:
            return self.number(depth)

        made = [
            lambda: f"({n()}) ** {self.pick('2', '3', '2.0')}",
            lambda: f"abs({n()})",
            lambda: f"float({n()})",
            lambda: f"pow({n()}, 2)",
            lambda: f"np.log(1.2 + ({n()}) ** 2)",
            lambda: f"np.power(1.5 + ({n()}) ** 2, 0.5)",
            lambda: f"np.where({self.leaf('number')} > 0.2, {n()}, {n()})",
            lambda: f"np.clip({n()}, -0.5, 0.6)",
            lambda: f"(({self.leaf('number')} > 0.1) * ({n()}))",
            lambda: f"(({n()}) or 0.4)",
            lambda: f"(({n()}) and ({n()}))",
            lambda: f"np.array([{n()}, {n()}])[{self.pick('0', '-1')}]",
            lambda: f"[{n()}, {n()}][1]",
            lambda: f"({n()}, {n()})[0]",
            lambda: f"({n()} if {self.condition()} else {n()} if {self.condition()} else 0.3)",
            lambda: f"sum([{n()}, {n()}])",
        ]
        if self.known("index"):
            i = self.random.choice(self.known("index"))
            made += [
                lambda: f"2.0 ** {i} * ({n()})",
                lambda: f"(1.1 + ({n()}) ** 2) ** {i}",
                lambda: f"({n()}) * (-1) ** {i}",
                lambda: f"({n()}) * 0.5 ** abs({i})",
            ]
        return made

    def numbers_of_arrays(self, depth: int) -> list[Any]:
        """Numbers of vectors and matrices."""

        def v() -> str:
            return self.vector(depth)

        def name() -> str:
            return self.leaf("vector")

        def m() -> str:
            return self.leaf("matrix")

        return [
            lambda: f"({v()}).{self.pick('mean', 'max', 'min', 'prod')}()",
            lambda: f"np.{self.pick('max', 'min', 'prod', 'var')}({v()})",
            lambda: f"np.linalg.norm({v()} + 3.0)",
            lambda: f"np.sqrt(0.3 + np.sum(({v()}) ** 2))",
            lambda: f"({name()}).dot({v()})",
            lambda: f"np.{self.pick('inner', 'vdot')}({v()}, {name()})",
            lambda: f"np.einsum('g,g->', {v()}, {name()})",
            lambda: f"len({name()}) * ({self.number(depth)})",
            lambda: f"{name()}.shape[0] * {self.leaf('number')} / {name()}.size",
            lambda: f"sum({name()})",
            lambda: f"sum(z * {self.leaf('number')} for z in {name()})",
            lambda: f"np.sum({name()}[{name()} > 0.1])",
            lambda: f"{name()}[{name()} < 0.4].sum()",
            lambda: f"np.sum({name()}[:0]) + {self.leaf('number')}",
            lambda: f"np.sum({m()}, axis=1)[{self.row()}]",
            lambda: f"{m()}[{self.row()}][{self.index()}]",
            lambda: f"({m()} ** 2).mean()",
            lambda: f"np.trace({m()} @ ({self.matrix(depth)}).T)",
            lambda: f"{m()}.T[{self.index()}, {self.row()}]",
        ]

    def vectors(self, depth: int) -> list[Any]:
        """Vectors of vectors."""

        def n() -> str:
            return self.number(depth)

        def v() -> str:
            return self.vector(depth)

        def name() -> str:
            return self.leaf("vector")

        made = [
            lambda: f"({v()}) ** 2",
            lambda: f"np.clip({v()}, -0.5, {self.leaf('number')} ** 2)",
            lambda: f"np.minimum({v()}, {n()})",
            lambda: f"{self.pick('np.square', 'np.copy', 'np.sort', 'np.flip')}({v()})",
            lambda: f"({v()}).{self.pick('copy', 'ravel', 'flatten', 'cumsum')}()",
            lambda: f"np.hypot({v()}, 0.5)",
            lambda: f"np.concatenate([{name()}[:1], {name()}[1:]])",
            lambda: f"np.append({name()}[:2], {n()})",
            lambda: f"np.diff(np.append({v()}, {n()}))",
            lambda: f"np.where({name()} > {self.leaf('number')}, {v()}, {n()})",
            lambda: f"np.convolve({name()}, {v()}, 'same')",
            lambda: f"{name()}[np.argsort({name()})]",
            lambda: f"{name()}[{self.pick('2::-1', '-3:', '...', ':')}]",
            lambda: f"({v()}).reshape(3, 1)[:, 0]",
            lambda: f"({name()} > 0.1) * ({v()})",
            lambda: f"({v()} if {self.condition()} else {v()})",
            lambda: f"({v()}) / np.sum(0.5 + {name()} ** 2)",
        ]
        if self.known("places"):
            made.append(lambda: f"({v()})[{self.random.choice(self.known('places'))}]")
        return made

    def new_vectors(self, depth: int) -> list[Any]:
        """Vectors of numbers and matrices."""

        def n() -> str:
            return self.number(depth)

        def m() -> str:
            return self.matrix(depth)

        def name() -> str:
            return self.leaf("vector")

        return [
            lambda: f"np.full(3, {n()})",
            lambda: f"np.full_like({name()}, {n()})",
            lambda: f"np.ones(3) * ({n()})",
            lambda: f"np.array([z * {self.leaf('number')} for z in {name()}])",
            lambda: f"np.array([{self.leaf('number')} * (k_2 + 1) for k_2 in range(3)])",
            lambda: f"np.stack([{name()}, {self.vector(depth)}]).sum(axis=0)",
            lambda: f"({m()}).{self.pick('mean', 'max')}(axis=0)",
            lambda: f"np.einsum('gh,g->h', {m()}, np.array([{n()}, 0.5]))",
            lambda: f"np.dot(({m()}).T, {self.leaf('matrix')}[:, {self.index()}])",
            lambda: f"({m()})[{self.pick('-1', '0', '1, :', '0, ...')}]",
            lambda: f"({m()}).ravel()[{self.pick('::2', '3:', '1:4')}]",
            lambda: f"np.outer({name()}, {name()})[{self.index()}]",
            lambda: f"({name()}[:, None] * {name()}[None, :]).sum(axis={self.pick('0', '1')})",
            lambda: f"{self.leaf('matrix')}[[0, 1, 0], [2, {self.pick('0', '1')}, 1]]",
            lambda: f"np.diag(np.outer({name()}, {self.vector(depth)}))",
        ]

    def matrices(self, depth: int) -> list[Any]:
        """Matrices."""

        def v() -> str:
            return self.vector(depth)

        def m() -> str:
            return self.matrix(depth)

        return [
            lambda: f"np.array([{v()}, {v()}])",
            lambda: f"{self.pick('np.stack', 'np.vstack')}([{v()}, {v()}])",
            lambda: f"({m()}).copy()",
            lambda: f"({m()})[{self.pick(':, ::-1', '[1, 0]', '::-1', '..., [2, 0, 1]')}]",
            lambda: f"({m()}).T.T",
            lambda: f"np.transpose(({m()}).T)",
            lambda: f"({m()}) - ({self.leaf('matrix')}).mean(axis=0)",
            lambda: f"({m()}) * ({self.leaf('matrix')}).sum(axis=1, keepdims=True)",
            lambda: f"({v()})[None, :] + ({m()})",
            lambda: f"np.where({self.leaf('matrix')} > 0, {m()}, {v()})",
            lambda: f"({m()}) @ np.outer({v()}, {self.leaf('vector')})",
            lambda: f"np.array([[z * k_2 for z in {self.leaf('vector')}] for k_2 in (1, 2)])",
            lambda: f"np.concatenate([({m()})[:1], {self.leaf('matrix')}[1:]], axis=0)",
        ]
