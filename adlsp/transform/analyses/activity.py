"""Which variables carry derivatives: varied from the inputs on, useful for the output.

A value is *varied* if it depends differentiably on an input of interest, *useful* if the output
depends differentiably on it, and *active* if both. (Hascoët and Pascual, The Tapenade automatic
differentiation tool, ACM TOMS 39(3), 2013, section 4.1.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from adlsp.transform import ir
from adlsp.transform.analyses import cancelling
from adlsp.transform.analyses.iteration import Iterations, Run

Names = frozenset[str]

Flow = Callable[[ir.Expression], Iterable[ir.Atom]]
"""The atoms of an expression that its value depends on differentiably."""


@dataclass(frozen=True, slots=True)
class Activity:
    """Varied and useful variables before and after each statement, and why they are varied.

    `iterations` tell what loops run over. The tables of loops hold what was found at their heads so
    far, and after them.
    """

    varied_before: dict[ir.Statement, Names]
    varied_after: dict[ir.Statement, Names]
    useful_before: dict[ir.Statement, Names]
    useful_after: dict[ir.Statement, Names]
    flow: Flow
    iterations: Iterations
    inputs: Names
    varied_by_loops: dict[ir.Statement, tuple[Names, Names]] = field(default_factory=dict)
    useful_by_loops: dict[ir.Statement, Names] = field(default_factory=dict)

    def is_active(self, statement: ir.Statement) -> bool:
        """Tells whether a statement computes something active."""
        made = self.varied_after[statement] & self.useful_after[statement]
        return any(name in made for name in ir.writes(statement))

    def varied_in(self, loop: ir.For | ir.While) -> Names:
        """What is varied where a pass of a loop begins: its target only if its elements are."""
        if loop.body:
            return self.varied_before[loop.body[0]]
        head = self.varied_after[loop]
        if isinstance(loop, ir.While):
            return head
        is_varied = _is_varied(loop.iterable, head, self.flow)
        return head | {loop.target} if is_varied else head - {loop.target}

    def stored_over(self, loop: ir.For) -> Names:
        """The arrays that a loop runs over and stores into, if elements are varied in some pass.

        They need not be varied before the loop.
        """
        atoms = (leaf.atom for leaf in self.iterations.runs[loop].leaves())
        return _stored(loop).intersection(self.varied_after[loop], ir.names(tuple(atoms)))

    def varied_atoms(self, statement: ir.Statement, atoms: Iterable[ir.Atom]) -> list[ir.Name]:
        """Those atoms that are varied before the statement."""
        varied = self.varied_before[statement]
        return [a for a in atoms if isinstance(a, ir.Name) and a.id in varied]


def activity(function: ir.Function, wrt: Iterable[str], flow: Flow) -> Activity:
    """Finds what is varied with respect to some parameters, and useful for the result.

    What a derivative keeps as it was written has no influence: else there would be no derivative.
    """
    without = cancelling.cancelled(function)
    is_derived = function.dotted.startswith(ir.DERIVED)

    def flows(value: ir.Expression) -> Iterable[ir.Atom]:
        is_kept = is_derived and isinstance(value, ir.Opaque) and value.unfolded is None
        return () if is_kept or (isinstance(value, ir.Call) and value in without) else flow(value)

    following = flows if without or is_derived else flow
    inputs = frozenset(wrt)
    facts = Activity({}, {}, {}, {}, following, Iterations(function), inputs)
    _varied(function.body, inputs, facts)
    _useful(function.body, frozenset(), facts)
    return facts


def _varied(block: ir.Block, varied: Names, facts: Activity) -> Names:
    for statement in block:
        facts.varied_before[statement] = varied
        varied = _varied_after(statement, varied, facts)
        facts.varied_after[statement] = varied
    return varied


def _is_varied(value: ir.Expression, varied: Names, flow: Flow) -> bool:
    return any(isinstance(a, ir.Name) and a.id in varied for a in flow(value))


def _runs_over(run: Run | None, varied: Names) -> bool:
    """Tells whether the elements of a run carry derivatives."""
    return run is not None and any(
        isinstance(leaf.atom, ir.Name) and leaf.atom.id in varied for leaf in run.leaves()
    )


def _stored(loop: ir.For) -> Names:
    """The variables that a loop stores into, and does not bind to other objects."""
    walked = list(ir.walk(loop.body))
    bound = {n for s in walked if not isinstance(s, ir.Store) for n in ir.writes(s)}
    return frozenset(s.base for s in walked if isinstance(s, ir.Store)) - bound


def _varied_after(statement: ir.Statement, varied: Names, facts: Activity) -> Names:
    match statement:
        case ir.Assign(targets=targets, value=ir.Call(function="python.tuple", args=args)) if (
            statement.is_tuple and len(args) == len(targets)
        ):
            new = {
                t for t, a in zip(targets, args, strict=True) if _is_varied(a, varied, facts.flow)
            }
            return varied.difference(targets) | new
        case ir.Assign(targets=targets) if statement in facts.iterations.apart:
            parts = facts.iterations.apart[statement]
            new = {t for t, part in zip(targets, parts, strict=True) if _runs_over(part, varied)}
            return varied.difference(targets) | new
        case ir.Assign(targets=targets, value=value):
            if _is_varied(value, varied, facts.flow):
                return varied | set(targets)
            return varied.difference(targets)
        case ir.Store(base=base, value=value):
            return varied | {base} if _is_varied(value, varied, facts.flow) else varied
        case ir.Do(value=ir.Opaque() as value):
            if _is_varied(value, varied, facts.flow):
                return varied | set(value.writes)
            return varied
        case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), value))):
            return varied | {tape} if _is_varied(value, varied, facts.flow) else varied
        case ir.If(body=body, orelse=orelse):
            return _varied(body, varied, facts) | _varied(orelse, varied, facts)
        case ir.For() | ir.While():
            return _varied_by_loop(statement, varied, facts)
    return varied


def _varied_by_loop(statement: ir.For | ir.While, varied: Names, facts: Activity) -> Names:
    """What is varied after a loop.

    A loop in a loop is walked again only where more is varied at its head than the last time.
    """
    head, after = facts.varied_by_loops.get(statement, (frozenset(), None))
    merged = head | varied
    while after is None or merged != head:
        head = merged
        if isinstance(statement, ir.While):
            inner = _varied(statement.header, head, facts)
            after = inner | head
        else:
            is_varied = _is_varied(statement.iterable, head, facts.flow)
            run = facts.iterations.runs[statement]
            is_varied = is_varied or _runs_over(run, head.intersection(_stored(statement)))
            inner = (head | {statement.target}) if is_varied else (head - {statement.target})
            after = head
        merged = head | _varied(statement.body, inner, facts)
    facts.varied_by_loops[statement] = head, after
    return after


def _useful(block: ir.Block, useful: Names, facts: Activity) -> Names:
    for statement in reversed(block):
        facts.useful_after[statement] = useful
        useful = _useful_before(statement, useful, facts)
        facts.useful_before[statement] = useful
    return useful


def _flows(value: ir.Expression, flow: Flow) -> set[str]:
    return {a.id for a in flow(value) if isinstance(a, ir.Name)}


def _useful_before(statement: ir.Statement, useful: Names, facts: Activity) -> Names:
    match statement:
        case ir.Return(value=value):
            return useful | _flows(value, facts.flow)
        case ir.Assign(targets=targets, value=value):
            if useful.isdisjoint(targets):
                return useful
            return useful.difference(targets) | _flows(value, facts.flow)
        case ir.Store(base=base, value=value):
            return useful | _flows(value, facts.flow) if base in useful else useful
        case ir.Do(value=ir.Opaque() as value):
            if useful.isdisjoint(value.writes):
                return useful
            return useful | _flows(value, facts.flow)
        case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), value))):
            return useful | _flows(value, facts.flow) if tape in useful else useful
        case ir.Insert(variable=ir.Name(id)):
            return useful | {id}
        case ir.If(body=body, orelse=orelse):
            return _useful(body, useful, facts) | _useful(orelse, useful, facts)
        case ir.For() | ir.While():
            return _useful_by_loop(statement, useful, facts)
    return useful


def _useful_by_loop(statement: ir.For | ir.While, useful: Names, facts: Activity) -> Names:
    """What is useful before a loop, walked again only where more is useful than the last time."""
    known = facts.useful_by_loops.get(statement)
    head, merged = known or frozenset[str](), (known or frozenset[str]()) | useful
    while known is None or merged != head:
        head = merged
        known = _useful(statement.body, head, facts)
        if isinstance(statement, ir.While):
            merged = head | _useful(statement.header, head | known, facts)
        else:
            flows = set[str]()
            if statement.target in known:  # later passes read what a pass stores into the arrays
                atoms = (leaf.atom for leaf in facts.iterations.runs[statement].leaves())
                flows = _flows(statement.iterable, facts.flow) | set(ir.names(tuple(atoms)))
            merged = head | (known - {statement.target}) | flows
    facts.useful_by_loops[statement] = head
    return head
