"""Which variables carry derivatives: varied from the inputs on, useful for the output.

A value is *varied* if it depends differentiably on an input of interest, *useful* if the output
depends differentiably on it, and *active* if both. (Hascoët and Pascual, The Tapenade automatic
differentiation tool, ACM TOMS 39(3), 2013, section 4.1.)

Both are data-flow problems over sets of names, one forward (`_varied`) and one backward
(`_useful`), for the solver of `dataflow.py`. By which of its arguments a step depends on inputs
differentiably, its rule tells (`Program.flow`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from operator import or_
from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, effects, log_sum_exp, operations, persistent
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.iteration import Iterations, Run
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import RETURNED

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts

Names = persistent.Set[str]

Flow = Callable[[ir.Expression], Iterable[ir.Atom]]
"""The atoms of an expression that its value depends on differentiably."""


@dataclass(frozen=True, slots=True)
class Activity:
    """Varied and useful variables before and after each statement, and why they are varied.

    `iterations` tell what loops run over.
    """

    varied: dataflow.Solution[Names]
    useful: dataflow.Solution[Names]
    flow: Flow
    iterations: Iterations
    inputs: Names

    @property
    def varied_before(self) -> dict[ir.Statement, Names]:
        """What is varied before each statement."""
        return self.varied.before

    @property
    def varied_after(self) -> dict[ir.Statement, Names]:
        """What is varied after each statement."""
        return self.varied.after

    @property
    def useful_before(self) -> dict[ir.Statement, Names]:
        """What is useful before each statement."""
        return self.useful.before

    @property
    def useful_after(self) -> dict[ir.Statement, Names]:
        """What is useful after each statement."""
        return self.useful.after

    def is_active(self, statement: ir.Statement) -> bool:
        """Tells whether a statement computes something active."""
        varied, useful = self.varied_after[statement], self.useful_after[statement]
        return any(name in varied and name in useful for name in ir.writes(statement))

    def varied_in(self, loop: dataflow.Loop) -> Names:
        """What is varied where a pass of a loop begins: its target only if its elements are."""
        return self.varied.passes[loop]

    def stored_over(self, loop: ir.For) -> frozenset[str]:
        """The arrays that a loop runs over and stores into, if elements are varied in some pass.

        They need not be varied before the loop.
        """
        atoms = (leaf.atom for leaf in self.iterations.runs[loop].leaves())
        varied = self.varied_after[loop]
        return _stored(loop).intersection(n for n in ir.names(tuple(atoms)) if n in varied)

    def is_by_position(self, loop: ir.For) -> bool:
        """Tells whether elements of a loop are active: the backward sweep takes them by position.

        The keys of a dictionary are not: a variable that is only an index has no influence of its
        own.
        """
        varied = self.varied_before[loop]
        if varied.isdisjoint(ir.names((loop.iterable,))) and not self.stored_over(loop):
            return False
        useful = self.useful_before[loop.body[0]] if loop.body else self.useful_after[loop]
        return bool(self.iterations.runs[loop].elements()) or loop.target in useful


def activity(
    function: ir.Function,
    wrt: Iterable[str],
    flow: Flow,
    iterations: Iterations,
    useful: dataflow.Solution[Names],
) -> Activity:
    """Finds what is varied with respect to some parameters; `useful` is for the result."""
    following, inputs = _following(function, flow), Names(wrt)
    varied = dataflow.forward(function.body, inputs, _varied(following, iterations))
    return Activity(varied, useful, following, iterations, inputs)


def useful(function: ir.Function, flow: Flow, iterations: Iterations) -> dataflow.Solution[Names]:
    """Finds what is useful for the result."""
    following = _following(function, flow)
    return dataflow.backward(function.body, Names(), _useful(following, iterations))


def changes_unseen(facts: Facts, known: Callees) -> bool:
    """Tells whether something that the result depends on may change in a way that is not followed.

    So it does by a second name, by `out=`, or by a call of something unknown.
    """
    useful = facts.useful.after

    def is_seen(statement: ir.Statement, name: str) -> bool:
        after = useful[statement]
        if name in after:
            return True
        related = facts.aliases(scalar_elements=False).related(statement, name)
        return not after.isdisjoint(related)

    for statement in ir.walk(facts.function.body):
        after = useful[statement]
        match statement:
            case ir.Store(base=base) | ir.Do(value=ir.Call("python.append", (ir.Name(base), _))):
                if base not in after and is_seen(statement, base):
                    return True
            case ir.Do(value=ir.Opaque() as value):
                others = set(value.changes).difference(value.writes)
                if any(is_seen(statement, name) for name in others):
                    return True
            case ir.Assign(value=ir.Opaque() as value):
                if any(is_seen(statement, name) for name in value.changes):
                    return True
            case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
                if operations.of(call.function).reads_all is not None:
                    return True
                is_unknown = after.isdisjoint(ir.writes(statement)) and _is_unknown(
                    statement, call, known
                )
                if is_unknown and effects.may_change_any(call.function):
                    return True
                changed = {*ir.names(effects.filed(call))}
                if is_unknown:
                    changed |= {*ir.names(call.args[:1])}
                if not isinstance(call.function, targets.CopyOut):
                    changed |= {name for name, _ in effects.changes(statement, known)}
                if any(is_seen(statement, name) for name in changed):
                    return True
    return False


def _is_unknown(statement: ir.Statement, call: ir.Call, known: Callees) -> bool:
    """Tells whether it is not known what a call does besides giving a value."""
    if effects.is_quiet(call.function) or known.function(call.function) is not None:
        return False
    return isinstance(statement, ir.Do) or known.rule(call.function) is None


def _following(function: ir.Function, flow: Flow) -> Flow:
    """How values depend on others in a function.

    Extremes that cancel have no influence (`log_sum_exp.py`), nor have places among the results of
    a call, and what a derivative keeps as it was written has none, either: else there would be no
    derivative.
    """
    without = log_sum_exp.cancelled(function) | _places(function)
    is_derived = function.is_derived

    def flows(value: ir.Expression) -> Iterable[ir.Atom]:
        is_kept = is_derived and isinstance(value, ir.Opaque) and value.unfolded is None
        return () if is_kept or (isinstance(value, ir.Call) and value in without) else flow(value)

    return flows if without or is_derived else flow


def _places(function: ir.Function) -> frozenset[ir.Call]:
    """What takes an integer from the results of a call, which have a name: `found.indices`."""
    every = [*ir.walk(function.body)]
    places = {
        n: found for s in every if (found := _integers(s, is_tuple=False)) for n in ir.writes(s)
    }
    if not places:
        return frozenset()
    bound = Counter(p.name for p in function.parameters)
    bound.update(name for statement in every for name in ir.writes(statement))
    taken: set[ir.Call] = set()
    for statement in every:
        match statement:
            case ir.Assign(value=ir.Call("operator.getitem", args) as call):
                match args:
                    case (ir.Name(id), ir.Const(int(at))) if bound[id] == 1:
                        if at in places.get(id, ()):
                            taken.add(call)
    return frozenset(taken)


def _integers(statement: ir.Statement, *, is_tuple: bool) -> frozenset[int]:
    """Which results of a call are integers, if it binds one name to all or each has its own."""
    match statement:
        case ir.Assign(value=ir.Call(function), is_tuple=taken_apart) if taken_apart == is_tuple:
            return frozenset(operations.of(function).places)
    return frozenset()


def _is_varied(value: ir.Expression, varied: Names, flow: Flow) -> bool:
    return any(isinstance(a, ir.Name) and a.id in varied for a in flow(value))


def _runs_over(run: Run | None, varied: Names) -> bool:
    """Tells whether the elements of a run carry derivatives."""
    return run is not None and any(
        isinstance(leaf.atom, ir.Name) and leaf.atom.id in varied for leaf in run.leaves()
    )


def _stored(loop: ir.For) -> frozenset[str]:
    """The variables that a loop stores into, and does not bind to other objects."""
    walked = list(ir.walk(loop.body))
    bound = {n for s in walked if not isinstance(s, ir.Store) for n in ir.writes(s)}
    return frozenset(s.base for s in walked if isinstance(s, ir.Store)) - bound


def _varied(flow: Flow, iterations: Iterations) -> dataflow.Problem[Names]:
    """What depends on the inputs: forward."""
    stored = cache(_stored)

    def step(statement: ir.Statement, varied: Names) -> Names:
        match statement:
            case ir.Assign(targets=targets, value=ir.Call(function="python.tuple", args=args)) if (
                statement.is_tuple and len(args) == len(targets)
            ):
                pairs = zip(targets, args, strict=True)
                new = {target for target, atom in pairs if _is_varied(atom, varied, flow)}
                return varied.difference(targets).union(new)
            case ir.Assign(targets=targets) if statement in iterations.apart:
                parts = iterations.apart[statement]
                new = {
                    t for t, part in zip(targets, parts, strict=True) if _runs_over(part, varied)
                }
                return varied.difference(targets).union(new)
            case ir.Assign(targets=targets, value=value):
                if not _is_varied(value, varied, flow):
                    return varied.difference(targets)
                places = _integers(statement, is_tuple=True)
                integers = {target for at, target in enumerate(targets) if at in places}
                return varied.union(targets).difference(integers)
            case ir.Store(base=base, value=value):
                return varied.union((base,)) if _is_varied(value, varied, flow) else varied
            case ir.Do(value=ir.Opaque() as value):
                return varied.union(value.writes) if _is_varied(value, varied, flow) else varied
            case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), value))):
                return varied.union((tape,)) if _is_varied(value, varied, flow) else varied
        return varied

    def bind(loop: ir.For, varied: Names) -> Names:
        is_varied = _is_varied(loop.iterable, varied, flow)
        run = iterations.runs[loop]
        if not is_varied:
            is_varied = _runs_over(run, Names(stored(loop)) & varied)
        return varied.union((loop.target,)) if is_varied else varied.difference((loop.target,))

    return dataflow.Problem(or_, step, bind)


def _flows(value: ir.Expression, flow: Flow) -> set[str]:
    return {a.id for a in flow(value) if isinstance(a, ir.Name)}


def _useful(flow: Flow, iterations: Iterations) -> dataflow.Problem[Names]:
    """What the result depends on: backward."""

    def step(statement: ir.Statement, useful: Names) -> Names:
        match statement:
            case ir.Return(value=value):
                return useful.union(_flows(value, flow))
            case ir.Assign(targets=targets, value=value):
                if useful.isdisjoint(targets):
                    return useful
                return useful.difference(targets).union(_flows(value, flow))
            case ir.Store(base=base, value=value):
                return useful.union(_flows(value, flow)) if base in useful else useful
            case ir.Do(value=ir.Opaque() as value):
                if useful.isdisjoint(value.writes) and RETURNED not in value.writes:
                    return useful
                return useful.union(_flows(value, flow))
            case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), value))):
                return useful.union(_flows(value, flow)) if tape in useful else useful
            case ir.Insert(variable=ir.Name(id)):
                return useful.union((id,))
        return useful

    def bind(loop: ir.For, useful: Names) -> Names:
        if loop.target not in useful:
            return useful
        elements = (leaf.atom for leaf in iterations.runs[loop].leaves())
        stored = ir.names(tuple(elements))  # later passes read what a pass stores there
        return useful.difference((loop.target,)).union(_flows(loop.iterable, flow), stored)

    return dataflow.Problem(or_, step, bind)
