"""Removes what nobody reads: in the backward sweep, then in the forward sweep that served it.

This is dead-code elimination. What is computed for what nobody reads reads nothing, either: the
variables are strongly live (Nielson, Nielson and Hankin, Principles of Program Analysis, 1999,
chapter 2). Run over both sweeps as one block this is adjoint liveness (Hascoët and Araya-Polo, The
adjoint data-flow analyses: formalization, properties, and applications, 2005).
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import field, replace
from typing import NamedTuple, TypeAlias

from adlsp.transform import ir
from adlsp.transform.facts import aliases, dataflow, effects, operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Generated, Reference, Step


class Shape(NamedTuple):
    """Stands for a variable of which only shape and dtype are read."""

    variable: str


Use: TypeAlias = str | Shape
Live: TypeAlias = "Set[Use | ir.Statement]"
"""The variables that are read, and the decisions and loops by which something is done that is."""


def prune(block: ir.Block, live: frozenset[str]) -> ir.Block:
    """The statements of a block that matter for the variables live after it, and for effects."""
    has_stores = any(isinstance(statement, ir.Store) for statement in ir.walk(block))
    classes = aliases.classes(block, are_held=True) if has_stores else {}
    needs = _Needs(classes, aliases.of_modules(classes), _around(block), _paths(block))
    needed: set[ir.Statement] = set()

    def note(statement: ir.Statement, before: Live) -> None:
        if isinstance(statement, dataflow.Decision):
            is_needed = statement in before
        else:
            is_needed = needs.found[statement]
        if is_needed:
            needed.add(statement)

    def kept(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            if statement in needs.alone:
                made += _taken(statement, needs.alone[statement])
            elif statement in needed:
                is_nesting = ir.blocks(statement)
                made.append(ir.rewritten(statement, block=kept) if is_nesting else statement)
        return tuple(made)

    problem: dataflow.Gathering[Use | ir.Statement]
    problem = dataflow.Gathering(needs.step, needs.bind, needs.ask, note)
    start: set[Use | ir.Statement] = {*live}
    dataflow.gather(block, start, problem)
    return kept(block)


def _taken(statement: ir.Statement, wanted: str) -> ir.Block:
    """`s = slogdet(a)[1]` for `_, s = slogdet(a)`, of which nothing else is read."""
    assert isinstance(statement, ir.Assign)
    whole = next(name for name in statement.targets if name != wanted)
    item = ir.Call("operator.getitem", (ir.Name(whole), ir.Const(statement.targets.index(wanted))))
    return (
        replace(statement, targets=(whole,), is_tuple=False),
        replace(statement, targets=(wanted,), value=item, is_tuple=False),
    )


def _around(block: ir.Block) -> dict[ir.Statement, ir.Statement]:
    """For each statement the decision or loop that does it or not; for the steps of a test none."""
    return {
        inner: decision
        for decision in ir.walk(block)
        if isinstance(decision, dataflow.Decision)
        for inner in (*decision.body, *(decision.orelse if isinstance(decision, ir.If) else ()))
    }


def _paths(block: ir.Block) -> frozenset[str]:
    """The steps that stand for several indices, one after the other, as of lists in lists."""
    return frozenset(
        target
        for statement in ir.walk(block)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
        if statement.value.function == ir.PATH
        for target in statement.targets
    )


def _read(statement: ir.Assign, *, is_shape: bool) -> Iterable[Use]:
    """The variables that an assignment reads; those of which it only asks the shape as such.

    `is_shape`: of its own value, too, only the shape is asked.
    """
    value = statement.value
    if not isinstance(value, ir.Call):
        names = ir.reads(statement)
        is_only_shape = is_shape and isinstance(value, ir.Name)
        return [*map(Shape, names)] if is_only_shape else names
    record = operations.of(value.function)
    place = record.like
    is_whole = (is_shape and value.function == "python.tuple") or record.is_of_shapes
    if is_shape and record.keeps_shape:
        place = 0
    if place is None and not is_whole:
        return ir.reads(statement)
    return [
        Shape(atom.id) if position == place or is_whole else atom.id
        for position, atom in enumerate(value.atoms)
        if isinstance(atom, ir.Name)
    ]


@dataclass(frozen=True, slots=True)
class _Needs:
    """The transfer functions; a statement that is needed makes what is `around` it needed, too.

    `found` has whether the statements that were met last are needed, and `alone` the one result
    that is read of a call that gives several.
    """

    classes: aliases.Classes
    of_modules: frozenset[str]
    around: dict[ir.Statement, ir.Statement]
    paths: frozenset[str]
    found: dict[ir.Statement, bool] = field(default_factory=dict)
    alone: dict[ir.Statement, str] = field(default_factory=dict)

    def step(self, statement: ir.Statement, live: set[Use | ir.Statement]) -> None:
        is_needed = self.found[statement] = self.is_needed(statement, live)
        if not is_needed:
            return
        if statement in self.around:
            live.add(self.around[statement])
        if isinstance(statement, ir.Assign) and not _is_reference(statement):
            self.note_results(statement, live)
            is_shape = live.isdisjoint(statement.targets)
            live.difference_update(_whole(*statement.targets))
            live.update(_read(statement, is_shape=is_shape))
        else:
            live.update(ir.reads(statement))

    def note_results(self, statement: ir.Assign, live: Live) -> None:
        """Notes whether one result of several is read; it is met again in loops, where more is."""
        self.alone.pop(statement, None)
        if not (statement.is_tuple and isinstance(statement.value, ir.Call)):
            return
        read = [n for n in statement.targets if n in live or Shape(n) in live]
        is_named = bool(operations.of(statement.value.function).fields)
        others = [name for name in statement.targets if name not in read]
        if is_named and len(read) == 1 and all(isinstance(name, Step) for name in others):
            self.alone[statement] = read[0]

    def is_needed(self, statement: ir.Statement, live: Live) -> bool:
        """Tells whether a statement makes something that is live after it, or has an effect."""
        match statement:
            case ir.Store(base=base, index=index):
                if base in self.of_modules or base in live:
                    return True
                if not live.isdisjoint(self.classes.get(base, ())):
                    return True
                is_cell = ir.sets_cell(statement) or self.is_of_container(index)
                is_other_shape = index is None or is_cell or ir.resizes(statement)
                return is_other_shape and Shape(base) in live
            case ir.Assign(targets=targets, value=value):
                if not live.isdisjoint(targets) or not live.isdisjoint(map(Shape, targets)):
                    return True
                is_pop = isinstance(value, ir.Call) and value.function == "python.pop"
                is_dropped = effects.is_pure(value) and not _is_reference(statement)
                return not (is_pop or is_dropped)
            case ir.Do(value=ir.Opaque(is_definition=True, writes=writes)):
                return not live.isdisjoint(writes)
            case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), _))):
                return not isinstance(tape, Generated) or tape in live
        return True

    def is_of_container(self, index: ir.Atom | None) -> bool:
        """Tells whether no array is indexed so: what is put there may have any shape."""
        match index:
            case ir.Const(value):
                return isinstance(value, str)
            case ir.Name(id):
                return id in self.paths
        return False

    def bind(self, loop: ir.For, live: set[Use | ir.Statement]) -> None:
        """What a loop runs over is live if its elements are: later passes read what is stored."""
        element = _whole(loop.target)
        if not live.isdisjoint(element):
            live.difference_update(element)
            live.update(ir.reads(loop))

    def ask(self, decision: dataflow.Decision, live: set[Use | ir.Statement]) -> None:
        """A decision is needed if something is that is done by it, and only then reads its test.

        A `while` loop reads it in any case: what decides how long it runs is not removed, as nobody
        knows whether it ends without that.
        """
        is_needed = decision in live
        match decision:
            case ir.For(target=target):
                is_needed |= not live.isdisjoint(_whole(target))
            case ir.While(header=header):
                tested = _whole(*(name for s in header for name in ir.writes(s)))
                is_pure = all(isinstance(s, ir.Assign) and effects.is_pure(s.value) for s in header)
                is_needed |= not is_pure or not live.isdisjoint(tested)
                live.update(ir.reads(decision))
        if is_needed:
            live.update(ir.reads(decision), (decision,))
            if decision in self.around:
                live.add(self.around[decision])


def _is_reference(statement: ir.Assign) -> bool:
    """Tells whether a statement gives a value of the primal, which other statements refer to."""
    return any(isinstance(target, Reference) for target in statement.targets)


def _whole(*names: str) -> set[Use]:
    """Variables, and their shapes."""
    return {*names, *map(Shape, names)}
