"""What an author knows of the variables: their kinds, and which may share memory."""

from dataclasses import dataclass
from random import Random

POOL = {
    "number": ("a", "b", "c", "d"),
    "vector": ("u", "v", "w"),
    "matrix": ("p", "q"),
    "index": ("j", "k"),
    "flag": ("chosen",),
    "pair": ("both",),
    "table": ("named",),
}
MEMORY = ("number", "vector", "matrix", "pair", "table", "model", "points", "couple")
"""The kinds of value that may share memory."""


@dataclass(frozen=True)
class Helper:
    """A function that later ones may call. `result` is the kind of its result.

    It may have an option `rate`, change its first argument, or take arguments by position only.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str
    has_option: bool = False
    changes: bool = False
    is_by_position: bool = False


class Scope:
    """The lines written so far, and the variables that are bound at their end.

    The parameters of the root are its own to change, and those `kept`, which are not bound again.
    """

    def __init__(
        self,
        random: Random,
        scope: dict[str, str],
        helpers: list[Helper],
        *,
        is_sharing: bool = False,
        is_idiomatic: bool = False,
        is_root: bool = False,
        kept: tuple[str, ...] = (),
    ) -> None:
        self.random = random
        self.scope = scope
        self.helpers = helpers
        self.is_sharing = is_sharing
        self.is_idiomatic = is_idiomatic
        self.is_root = is_root
        self.kept = kept
        self.has_inserted = False
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.fixed: dict[str, str] = {}
        self.counters: set[str] = set(kept)
        self.serial = 0
        self.written: set[str] = set()
        self.own = set(scope if is_root else kept)
        self.rebound: set[str] = set()
        self.memory = {
            name: {f"parameter {name}"} for name, kind in scope.items() if kind in MEMORY
        }

    def line(self, text: str) -> None:
        """Writes one line."""
        self.lines.append("    " * self.indent + text)

    def function(self, name: str, signature: str) -> str:
        """The lines as a function."""
        lines = self.lines or ["pass"]
        return "\n".join((f"def {name}({signature}):", *(f"    {line}" for line in lines), ""))

    def pick(self, *choices: str) -> str:
        """One of some texts."""
        return self.random.choice(choices)

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

    def held(self, name: str, value: str) -> str:
        """A value for a container, which is noted to hold the memory of it."""
        if value in self.kept:
            return f"1.0 * {value}"
        self.scope[name] = "container"
        self.memory[name] = self.memory.get(name, set()) | self.memory.get(value, set())
        return value

    def share(self) -> bool:
        """Tells whether to let a new name share memory."""
        return self.is_sharing or not self.loops

    def own_memory(self, name: str) -> None:
        """Copies an array before it is written, where that could be seen elsewhere."""
        mine = self.memory[name]
        others = [
            n for n in self.scope if n != name and not mine.isdisjoint(self.memory.get(n, ()))
        ]
        if name in self.kept:
            for other in others:
                if self.scope[other] in ("vector", "matrix"):
                    self.line(f"{other} = {other}.copy()")
                    self.bind(other, self.scope[other])
            return
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
