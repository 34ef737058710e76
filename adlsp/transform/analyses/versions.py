"""Which value of a variable a statement reads: static single assignment, as facts beside the tree.

Every binding makes a *version*; so do a join of two branches, the head of a loop (one version for
each variable that the loop changes) and its exit. A store makes a version of the same object. The
backward sweep asks for versions, and `reverse/keep.py` decides how each stays available.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from adlsp.transform import ir

Environment = dict[str, "Version"]


@dataclass(slots=True, eq=False)
class Version:
    """One value that a variable takes.

    `kind` is "parameter", "assign", "store", "join", "head", "exit", "target" (of a loop, to be
    bound again by the backward loop) or "element" (of a loop that changes it); `statement` made
    it, inside of `loops` (outermost first); `priors` are the versions that a store changes or that
    meet here; `block` is the block at whose place it is made.
    """

    name: str
    number: int
    kind: str
    statement: ir.Statement | None
    loops: tuple[ir.Statement, ...]
    block: int
    priors: tuple[Version, ...] = ()


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a function: what statements read and write, and what holds at the end."""

    reads: dict[tuple[ir.Statement, str], Version]
    writes: dict[tuple[ir.Statement, str], Version]
    before: dict[ir.Statement, Environment]
    after: dict[ir.Statement, Environment]
    heads: dict[tuple[ir.Statement, str], Version]
    final: Environment
    every: tuple[Version, ...]


@dataclass(slots=True)
class _Maker:
    reads: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    writes: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    before: dict[ir.Statement, Environment] = field(default_factory=dict)
    after: dict[ir.Statement, Environment] = field(default_factory=dict)
    heads: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    every: list[Version] = field(default_factory=list)
    loops: tuple[ir.Statement, ...] = ()
    numbers: count[int] = field(default_factory=count)

    def new(
        self,
        name: str,
        kind: str,
        statement: ir.Statement | None,
        block: int,
        priors: tuple[Version, ...] = (),
    ) -> Version:
        made = Version(name, next(self.numbers), kind, statement, self.loops, block, priors)
        self.every.append(made)
        return made

    def block(self, block: ir.Block, environment: Environment) -> Environment:
        for statement in block:
            self.before[statement] = dict(environment)
            for name in ir.reads(statement):
                if name in environment:
                    self.reads[statement, name] = environment[name]
            environment = self.statement(statement, environment, id(block))
            self.after[statement] = dict(environment)
        return environment

    def statement(
        self, statement: ir.Statement, environment: Environment, block: int
    ) -> Environment:
        match statement:
            case ir.If():
                body = self.block(statement.body, dict(environment))
                orelse = self.block(statement.orelse, dict(environment))
                return self.join(statement, environment, body, orelse, block)
            case ir.For() | ir.While():
                return self.loop(statement, environment, block)
        kind = "store" if isinstance(statement, ir.Store) else "assign"
        for name in ir.writes(statement):
            priors = (environment[name],) if kind == "store" and name in environment else ()
            made = self.new(name, kind, statement, block, priors)
            self.writes[statement, name] = environment[name] = made
        return environment

    def join(
        self,
        statement: ir.If,
        before: Environment,
        body: Environment,
        orelse: Environment,
        block: int,
    ) -> Environment:
        joined: Environment = {}
        for name in dict.fromkeys((*before, *body, *orelse)):
            sides = tuple(dict.fromkeys(e[name] for e in (body, orelse) if name in e))
            joined[name] = (
                sides[0]
                if len(sides) == 1 and name in body and name in orelse
                else (self.new(name, "join", statement, block, sides))
            )
        return joined

    def elements(self, statement: ir.Statement, changed: list[str]) -> ir.Statement | None:
        """The statement that binds what a loop runs over, if a backward loop can bind it again.

        That is the loop itself or, for `for a, b in …`, the first statement of its body. None if
        the loop changes what it runs over.
        """
        if not isinstance(statement, ir.For):
            return None
        names = set(ir.reads(statement))
        for name in tuple(names):
            version = self.reads.get((statement, name))
            if version is not None and isinstance(version.statement, ir.Assign):
                names |= set(ir.reads(version.statement))
        if not names.isdisjoint(changed):
            return None
        match statement.body:
            case (ir.Assign(value=ir.Name(id), is_tuple=True) as first, *_) if (
                id == statement.target and ir.is_step(id)
            ):
                return first
        return statement

    def loop(
        self, statement: ir.For | ir.While, environment: Environment, block: int
    ) -> Environment:
        inside = [
            name for inner in ir.blocks(statement) for s in ir.walk(inner) for name in ir.writes(s)
        ]
        target = statement.target if isinstance(statement, ir.For) else None
        elements = self.elements(statement, inside)
        changed = tuple(dict.fromkeys(name for name in inside if name in environment))
        outer = self.loops
        self.loops = (*outer, statement)
        current = dict(environment)
        body_block = id(statement.body)
        for name in changed:
            head = self.new(name, "head", statement, body_block, (environment[name],))
            self.heads[statement, name] = current[name] = head
        if isinstance(statement, ir.While):
            for name in ir.reads(statement):
                if name in current:
                    self.reads[statement, name] = current[name]
            current = self.block(statement.header, current)
            exits = current
        else:
            exits = dict(current)
        inner = dict(current)
        if target is not None:
            kind = "target" if elements is not None else "element"
            made = self.new(target, kind, statement, body_block)
            self.writes[statement, target] = inner[target] = made
        end = self.block(statement.body, inner)
        for version in self.every:
            if elements is not None and version.statement is elements and elements is not statement:
                version.kind, version.block = "target", body_block
        self.loops = outer
        for name in changed:
            head = self.heads[statement, name]
            head.priors = (environment[name], end[name])
        after = dict(environment)
        for name in dict.fromkeys((*changed, *inside, *((target,) if target else ()))):
            last = tuple(v for v in (exits.get(name), end.get(name)) if v is not None)
            after[name] = self.new(name, "exit", statement, block, tuple(dict.fromkeys(last)))
        return after


def versions(function: ir.Function) -> Versions:
    """Numbers the versions of all variables of a function."""
    maker = _Maker()
    start = {
        p.name: maker.new(p.name, "parameter", None, id(function.body)) for p in function.parameters
    }
    final = maker.block(function.body, start)
    return Versions(
        maker.reads,
        maker.writes,
        maker.before,
        maker.after,
        maker.heads,
        final,
        tuple(maker.every),
    )
