"""Which steps are printed inside the expression that uses them, and so need no name.

This is forward substitution, as when a decompiler rebuilds expressions. A step may move to its only
use if nothing between changes what it reads or reads what it changes, and if no two things with
effects change their order. The user's own statements come out as they were written, because their
steps are used once, where they stand. A gradient that is begun and added to is one sum, if it is
short: `x_bar = t_bar * y` and `x_bar = x_bar + u_bar` are `x_bar = t_bar * y + u_bar`. Sweeps of
what the user calls are not called in sums: who debugs them steps into one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts import aliases, effects
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Adjoint, Fresh, Step, primal

MOST_INSIDE = 7
"""How many steps of ours go into one line at most; what the user wrote stays as long as it was."""

MOST_IN_SUMS = 5
"""How many steps go into the line of a sum that would be two lines otherwise."""

SUMS = "operator.add", "operator.sub"


@dataclass(slots=True)
class _Pending:
    """A step that waits for its use: what it reads and overwrites, and what is printed inside.

    It may call a sweep of what the user calls.
    """

    reads: frozenset[str]
    changes: frozenset[aliases.Holder]
    inside: tuple[str, ...]
    is_pure: bool
    is_ours: bool
    calls_sweep: bool


def plan(function: ir.Function) -> tuple[ir.Function, frozenset[str]]:
    """A function with short sums in one step, and the steps to print where they are used.

    These are all that can be substituted.
    """
    left = frozenset[int]()
    while True:
        begun = _Begun(ir.fresh(function), left)
        body = begun.block(function.body)
        uses = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        defined = Counter(name for s in ir.walk(body) for name in ir.writes(s))
        candidates = frozenset(
            name for name in uses if uses[name] == 1 and defined[name] == 1 and _may_fuse(name)
        )
        planning = _Planning(candidates, body, begun.steps)
        planning.block(body)
        apart = {place for step, place in begun.steps.items() if step not in planning.fused}
        if not apart:
            return replace(function, body=body), frozenset(planning.fused) | _paths(function)
        left |= apart


class _Begun:
    """Gradients that are begun in one step and added to in another one, of one line of the user's.

    `steps` are the beginnings, and which sums they begin, counted in their order. Those of some
    sums are `left` as they are.
    """

    def __init__(self, fresh: Fresh, left: Container[int]) -> None:
        self.fresh, self.left = fresh, left
        self.steps: dict[str, int] = {}
        self.n_sums = 0

    def block(self, block: ir.Block) -> ir.Block:
        """A block in which what begins a gradient is a step, if the sum is all that reads it."""
        made: list[ir.Statement] = []
        last: dict[str, int] = {}
        for statement in block:
            statement = ir.rewritten(statement, block=self.block)
            match statement:
                case ir.Assign((name,), ir.Call(function, (ir.Name(first), other)) as call) if (
                    first in last and first == name != getattr(other, "id", "") and function in SUMS
                ):
                    earlier = made[last[name]]
                    assert isinstance(earlier, ir.Assign)
                    if earlier.origin == statement.origin:
                        self.n_sums += 1
                        if self.n_sums not in self.left:
                            step = self.fresh.step()
                            self.steps[step] = self.n_sums
                            made[last[name]] = replace(earlier, targets=(step,))
                            call = replace(call, args=(ir.Name(step), other))
                            statement = replace(statement, value=call)
            if ir.blocks(statement):
                last.clear()
            for name in (*ir.reads(statement), *ir.writes(statement)):
                last.pop(name, None)
            match statement:
                case ir.Assign((Adjoint() as name,), ir.Call(), is_tuple=False):
                    if statement.role is ir.Role.ADJOINT:
                        last[name] = len(made)
            made.append(statement)
        return tuple(made)


def _paths(function: ir.Function) -> frozenset[str]:
    """The steps for `i`, `j` of `x[i][j]`, which have no other way to be written."""
    return frozenset(
        statement.targets[0]
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == ir.PATH
    )


def _may_fuse(name: str) -> bool:
    """Tells whether nobody misses a name: a step without a purpose of its own, or its adjoint."""
    step = primal(name)
    return isinstance(step, Step) and not step.purpose


class _Planning:
    def __init__(self, candidates: frozenset[str], body: ir.Block, begun: Container[str]) -> None:
        self.candidates, self.begun = candidates, begun
        self.body = body
        self.fused: set[str] = set()

    @cached_property
    def classes(self) -> aliases.Classes:
        """What may share memory: of little interest where nothing is changed."""
        return aliases.classes(self.body)

    @cached_property
    def states(self) -> frozenset[str]:
        """The variables that may share memory with what a module holds."""
        return aliases.of_modules(self.classes)

    def block(self, block: ir.Block) -> None:
        """Plans a block; what waits at its end gets a name."""
        pending: dict[str, _Pending] = {}
        for statement in block:
            self.statement(statement, pending)
        self.settle(pending, list(pending))

    def settle(self, pending: dict[str, _Pending], names: list[str]) -> None:
        """Gives up moving some steps: they stand where they are, with what is inside of them."""
        for name in names:
            self.fused.update(pending.pop(name).inside)

    def statement(self, statement: ir.Statement, pending: dict[str, _Pending]) -> None:
        if isinstance(statement, ir.While):
            self.settle(pending, list(pending))
            self.header(statement)
            self.block(statement.body)
            return
        consumed = [name for name in ir.reads(statement) if name in pending]
        n_inside = sum(1 + len(pending[name].inside) for name in consumed)
        if n_inside > MOST_IN_SUMS or any(pending[name].calls_sweep for name in consumed):
            self.settle(pending, [name for name in consumed if name in self.begun])
        taken = {name: pending.pop(name) for name in consumed if name in pending}
        reads = frozenset(n for n in ir.reads(statement) if n not in taken).union(
            *(p.reads for p in taken.values())
        )
        overwritten = [name for name, _ in effects.changes(statement)]
        overwrites = aliases.together(overwritten, self.classes if overwritten else {})
        crossing = [
            name
            for name, waiting in pending.items()
            if not (overwrites.isdisjoint(waiting.reads) and reads.isdisjoint(waiting.changes))
        ]
        self.settle(pending, crossing)
        is_pure = _is_pure(statement) and all(p.is_pure for p in taken.values())
        if not is_pure:
            self.settle(pending, [n for n, p in pending.items() if not p.is_pure])
        match statement:
            case ir.Assign(targets=(target,), is_tuple=False) if target in self.candidates:
                changes = overwrites.union(*(p.changes for p in taken.values()))
                inside = tuple(n for name, p in taken.items() for n in (name, *p.inside))
                if len(inside) >= MOST_INSIDE and _is_ours(statement):
                    self.fused.update(inside)
                    return
                if not is_pure:
                    self.settle(pending, [n for n, p in pending.items() if self.is_before(p)])
                calls_sweep = _calls_sweep(statement) or any(p.calls_sweep for p in taken.values())
                pending[target] = _Pending(
                    reads, changes, inside, is_pure, _is_ours(statement), calls_sweep
                )
                return
        for name, waiting in taken.items():
            self.fused.update((name, *waiting.inside))
        if ir.blocks(statement):
            self.settle(pending, list(pending))
            for inner in ir.blocks(statement):
                self.block(inner)
            return
        match statement:
            case ir.Do(value=ir.Call(function=ir.SPLIT)):
                self.settle(pending, list(pending))
        changed = self.changed(statement)
        self.settle(pending, [n for n, p in pending.items() if not changed.isdisjoint(p.reads)])

    def is_before(self, waiting: _Pending) -> bool:
        """Tells whether a step of ours must stand before what may change variables of modules."""
        return waiting.is_ours and not self.states.isdisjoint(waiting.reads)

    def header(self, statement: ir.While) -> None:
        """The steps of a loop's test are printed in the test if all of them can be."""
        pending: dict[str, _Pending] = {}
        for step in statement.header:
            self.statement(step, pending)
        for name in ir.reads(statement):
            if name in pending:
                waiting = pending.pop(name)
                self.fused.update((name, *waiting.inside))
        self.settle(pending, list(pending))

    def changed(self, statement: ir.Statement) -> set[aliases.Holder]:
        """The variables whose value a statement may change, and what else shares it."""
        names: set[aliases.Holder] = {*ir.writes(statement)}
        if isinstance(statement, ir.Store):
            for name in ir.writes(statement):
                names |= self.classes.get(name, aliases.ALONE)
        if isinstance(statement, ir.Do):
            for name in ir.reads(statement):
                names |= self.classes.get(name, frozenset({name}))
        if _may_change_states(statement):
            names |= self.states
        return names


def _may_change_states(statement: ir.Statement) -> bool:
    """Tells whether a statement may run functions that change what variables of modules hold."""
    return _calls_sweep(statement) or not _is_pure(statement)


def _calls_sweep(statement: ir.Statement) -> bool:
    """Tells whether a statement calls a sweep of a function of the user's."""
    match statement:
        case ir.Assign(value=ir.Call(function=function)):
            return isinstance(function, targets.OF_SWEEPS)
    return False


def _is_ours(statement: ir.Assign) -> bool:
    """Tells whether we wrote a step, and not the user; a tuple to return goes into its line."""
    match statement.value:
        case ir.Call(function="python.tuple"):
            return False
    return statement.role is not ir.Role.PRIMAL


def _is_pure(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(value=value):
            return effects.is_pure(value)
        case ir.Do() | ir.Assert():
            return False
    return True
