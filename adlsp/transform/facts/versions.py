"""Which value of a variable a statement reads: static single assignment, as facts beside the tree.

Every binding makes a *version*; so do a join of two branches, the head of a loop (one version for
each variable that the loop changes) and its exit: these are the phi nodes. A store makes a version
of the same object. Priors are the edges from use to definition:

    y = np.tanh(x)               1  ASSIGN
    for i in range(1, n):        2  HEAD   of 1 and 3
        y[i] = y[i - 1] * k      3  STORE  of 2, and reads 2
    return np.sum(y)             4  EXIT   of 2 and 3

The backward sweep refers to versions; `reverse/save_restore.py` decides how each stays available.
(Cytron et al., Efficiently computing static single assignment form and the control dependence
graph, ACM TOPLAS 13(4), 1991; over structured control flow no frontier of dominance is needed.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from itertools import count

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, liveness, persistent
from adlsp.transform.facts.iteration import Iterations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Step

Environment = Mapping[str, "Version"]


class VersionKind(Enum):
    """How a variable comes to a value.

    A join is where two branches meet. A loop makes a version at its head for what it changes, and
    one at its exit; its own variable is a `TARGET`, to be bound again by the backward loop, or, if
    the loop changes what it runs over, an `ELEMENT`. What is read by a later pass of a loop than
    the one that binds it, or after it, is `UNBOUND` before. `CHANGED`: something that is not
    followed, or that goes by another name, may have changed the object, which cannot be undone.
    """

    PARAMETER = "parameter"
    ASSIGN = "assign"
    STORE = "store"
    JOIN = "join"
    HEAD = "head"
    EXIT = "exit"
    TARGET = "target"
    ELEMENT = "element"
    UNBOUND = "unbound"
    CHANGED = "changed"


MEETING = (VersionKind.JOIN, VersionKind.HEAD, VersionKind.EXIT)
OF_PRIORS = (*MEETING, VersionKind.STORE, VersionKind.CHANGED)


@dataclass(slots=True, eq=False)
class Version:
    """One value that a variable takes.

    `statement` made it, inside of `loops` (outermost first); `priors` are the versions that a store
    changes or that meet here, where what is unbound does not count; `block` is the block at whose
    place it is made. No statement made what is `CHANGED`: it is there `behind` one.
    """

    name: str
    number: int
    kind: VersionKind
    statement: ir.Statement | None
    loops: tuple[ir.Statement, ...]
    block: int
    priors: tuple[Version, ...] = ()
    behind: ir.Statement | None = None

    @property
    def meets(self) -> bool:
        """Tells whether it is one of its priors, by where the function has come from."""
        return self.kind in MEETING

    @property
    def is_of_priors(self) -> bool:
        """Tells whether it is the object of a prior, changed or not."""
        return self.kind in OF_PRIORS


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a function: what statements read and write, and what holds at the end."""

    reads: dict[tuple[ir.Statement, str], Version]
    writes: dict[tuple[ir.Statement, str], Version]
    before: dict[ir.Statement, persistent.Map[str, Version]]
    after: dict[ir.Statement, persistent.Map[str, Version]]
    heads: dict[tuple[ir.Statement, str], Version]
    final: Environment
    every: tuple[Version, ...]


def versions(
    function: ir.Function,
    iterations: Iterations,
    live: Mapping[dataflow.Loop, liveness.Live],
    changed: Mapping[ir.Statement, Sequence[str]],
) -> Versions:
    """Numbers the versions of all variables of a function; `live` is told at heads of loops.

    `changed` tells what statements may change that do not say so.
    """
    maker = _Maker(iterations, live, changed)
    start = {
        p.name: maker.new(p.name, VersionKind.PARAMETER, None, id(function.body))
        for p in function.parameters
    }
    final = maker.block(function.body, maker.bound(Now(), start))
    return Versions(
        maker.reads,
        maker.writes,
        maker.before,
        maker.after,
        maker.heads,
        {name: final[name] for name in maker.in_order(final)},
        tuple(maker.every),
    )


Now = persistent.Map[str, Version]


@dataclass(slots=True)
class _Maker:
    """Walks a function with the versions of its variables; `places` is the order of these."""

    iterations: Iterations
    live: Mapping[dataflow.Loop, liveness.Live]
    changed: Mapping[ir.Statement, Sequence[str]]
    reads: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    writes: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    before: dict[ir.Statement, Now] = field(default_factory=dict)
    after: dict[ir.Statement, Now] = field(default_factory=dict)
    heads: dict[tuple[ir.Statement, str], Version] = field(default_factory=dict)
    every: list[Version] = field(default_factory=list)
    loops: tuple[ir.Statement, ...] = ()
    numbers: count[int] = field(default_factory=count)
    places: dict[str, int] = field(default_factory=dict)
    next_place: count[int] = field(default_factory=count)

    def new(
        self,
        name: str,
        kind: VersionKind,
        statement: ir.Statement | None,
        block: int,
        priors: tuple[Version, ...] = (),
    ) -> Version:
        made = Version(name, next(self.numbers), kind, statement, self.loops, block, priors)
        self.every.append(made)
        return made

    def bound(self, environment: Now, made: Mapping[str, Version]) -> Now:
        """What holds where some variables have new versions; what was not bound comes last."""
        self.place(name for name in made if name not in environment)
        return environment | made

    def place(self, names: Iterable[str]) -> None:
        """Puts some variables after all others."""
        for name in names:
            self.places[name] = next(self.next_place)

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Variables in the order in which they were first bound on the way to a place."""
        return sorted(names, key=self.places.__getitem__)

    def block(self, block: ir.Block, environment: Now) -> Now:
        for statement in block:
            self.before[statement] = environment
            for name in ir.reads(statement):
                if name in environment:
                    self.reads[statement, name] = environment[name]
            environment = self.after[statement] = self.statement(statement, environment, id(block))
        return environment

    def statement(self, statement: ir.Statement, environment: Now, block: int) -> Now:
        match statement:
            case ir.If():
                return self.branch(statement, environment, block)
            case ir.For() | ir.While():
                return self.loop(statement, environment, block)
        others = [name for name in self.changed.get(statement, ()) if name in environment]
        kind = VersionKind.STORE if isinstance(statement, ir.Store) else VersionKind.ASSIGN
        written, made = ir.writes(statement), dict[str, Version]()
        for name in written:
            is_stored = kind is VersionKind.STORE and name in environment
            priors = (environment[name],) if is_stored else ()
            made[name] = self.new(name, kind, statement, block, priors)
            self.writes[statement, name] = made[name]
        for name in (name for name in others if name not in written):
            made[name] = self.new(name, VersionKind.CHANGED, None, block, (environment[name],))
            made[name].behind = statement
        return self.bound(environment, made)

    def written(self, statement: ir.Statement) -> tuple[str, ...]:
        """The variables that a statement binds, or changes in place."""
        return tuple(dict.fromkeys((*ir.writes(statement), *self.changed.get(statement, ()))))

    def branch(self, statement: ir.If, before: Now, block: int) -> Now:
        """What holds after a decision: versions of their own where its branches differ."""
        body = self.block(statement.body, before)
        new = self.in_order(name for name in body.differing(before) if name not in before)
        orelse = self.block(statement.orelse, before)
        new += self.in_order(name for name in orelse.differing(before) if name not in before)
        self.place(dict.fromkeys(new))
        joined: dict[str, Version] = {}
        for name in self.in_order(body.differing(orelse)):
            sides = tuple(dict.fromkeys(e[name] for e in (body, orelse) if name in e))
            joined[name] = self.new(name, VersionKind.JOIN, statement, block, sides)
        return body | joined

    def is_steady(self, loop: ir.For, changed: list[str]) -> bool:
        """Tells whether a loop leaves what it runs over as it is."""
        run = self.iterations.runs[loop]
        names = {*ir.reads(loop), *ir.names(tuple(leaf.atom for leaf in run.leaves()))}
        for name in tuple(names):
            version = self.reads.get((loop, name))
            if version is not None and isinstance(version.statement, ir.Assign):
                names |= set(ir.reads(version.statement))
        return names.isdisjoint(changed)

    def taken_apart(self, loop: ir.For) -> tuple[ir.Assign, ...]:
        """The first statements of a loop, if all they do is to name parts of its elements."""
        match loop.body:
            case (ir.Assign(value=ir.Name(id), is_tuple=True) as first, *_) if (
                id == loop.target and isinstance(id, Step)
            ):
                return self.iterations.of_loop[loop] or (first,)
        return ()

    def loop(self, statement: ir.For | ir.While, environment: Now, block: int) -> Now:
        inside = [
            name
            for inner in ir.blocks(statement)
            for s in ir.walk(inner)
            for name in self.written(s)
        ]
        target = statement.target if isinstance(statement, ir.For) else None
        is_steady = isinstance(statement, ir.For) and self.is_steady(statement, inside)
        unbound: dict[str, Version] = {}
        for name in dict.fromkeys(inside):
            is_bound = name in environment or name == target
            if name in self.live[statement] and not is_bound:
                unbound[name] = self.new(name, VersionKind.UNBOUND, None, block)
        environment = self.bound(environment, unbound)
        changed = tuple(dict.fromkeys(name for name in inside if name in environment))
        outer = self.loops
        self.loops = (*outer, statement)
        body_block = id(statement.body)
        for name in changed:
            head = self.new(name, VersionKind.HEAD, statement, body_block, (environment[name],))
            self.heads[statement, name] = head
        inner = environment | {name: self.heads[statement, name] for name in changed}
        if isinstance(statement, ir.While):
            for name in ir.reads(statement):
                if name in inner:
                    self.reads[statement, name] = inner[name]
            inner = self.block(statement.header, inner)
        exits = inner
        if target is not None:
            kind = VersionKind.TARGET if is_steady else VersionKind.ELEMENT
            made = self.new(target, kind, statement, body_block)
            self.writes[statement, target] = made
            inner = self.bound(inner, {target: made})
        end = self.block(statement.body, inner)
        if isinstance(statement, ir.For) and is_steady:
            for named in self.taken_apart(statement):
                for name in named.targets:
                    version = self.writes[named, name]
                    version.kind, version.block = VersionKind.TARGET, body_block
        self.loops = outer
        for name in changed:
            head = self.heads[statement, name]
            priors = (environment[name], end[name])
            head.priors = tuple(prior for prior in priors if prior.kind is not VersionKind.UNBOUND)
        after: dict[str, Version] = {}
        for name in dict.fromkeys((*changed, *inside, *((target,) if target else ()))):
            last = tuple(v for v in (exits.get(name), end.get(name)) if v is not None)
            after[name] = self.new(
                name, VersionKind.EXIT, statement, block, tuple(dict.fromkeys(last))
            )
        return self.bound(environment, after)
