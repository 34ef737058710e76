"""Writing generated statements: fresh steps, references to primal values, spliced rules.

The IR builder of both modes. A mode that refers to a value of the primal does not say how it is
kept: `at` writes a reference to its version, `%at:7`, and `mark` and `undo` the places where the
backward sweep may have to take something back. `reverse/save_restore.py` resolves all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from adlsp.transform import ir
from adlsp.transform.facts import definite_assignment
from adlsp.transform.facts.versions import Version
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import Adjoint, Fresh, Reference
from adlsp.transform.rules import table
from adlsp.transform.source import Span

OLD = "old"
"""What a step is for that reads what a store into a cell replaces."""

RUNTIME = "adlsp.runtime"

ONE = ir.Const(1)
MINUS_ONE = ir.Const(-1)


def bar(name: str) -> Adjoint:
    """The adjoint of a variable."""
    return Adjoint(name)


def at(version: Version) -> ir.Name:
    """The value of a variable as the primal had it, by reference to its version."""
    return ir.Name(Reference(version.number))


def mark(block: int, origin: Span) -> ir.Statement:
    """The place in the backward sweep where a block of the primal begins backward."""
    return ir.Do(ir.Call("python.mark", (ir.Const(block),)), origin, Role.RESTORE)


def undo(version: Version, origin: Span) -> ir.Statement:
    """The place in the backward sweep where a store is undone, if anybody reads the old value."""
    return ir.Do(ir.Call("python.undo", (ir.Const(version.number),)), origin, Role.RESTORE)


class Builder:
    """Collects generated statements; numbers of steps continue those of the primal."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh
        self.out: list[ir.Statement] = []
        self.functions: dict[str, str] = {}

    def hold(self, value: ir.Expression, origin: Span, role: Role = Role.ADJOINT) -> ir.Atom:
        """Names a value with a step."""
        if isinstance(value, ir.Name | ir.Const | ir.Global):
            return value
        name = self.fresh.step()
        if isinstance(value, ir.Call):
            self.functions[name] = value.function
        self.out.append(ir.Assign((name,), value, origin, role))
        return ir.Name(name)

    def call(self, function: str, origin: Span, *args: ir.Atom) -> ir.Atom:
        """Names the result of a call with a step."""
        return self.hold(ir.Call(function, args), origin)

    def array(self, rule: table.Rule, given: ir.Atom, origin: Span) -> ir.Atom:
        """Makes an array of a list that a rule is given, in the library of the rule."""
        is_of_tensors = targets.is_of(rule.name, "tensorflow")
        function = "tensorflow.convert_to_tensor" if is_of_tensors else "numpy.asarray"
        return self.call(function, origin, given)

    def wide(self, given: ir.Atom, dtype: str, origin: Span) -> ir.Atom:
        """Makes an array of what a rule is given in a dtype that its own steps do not leave."""
        return self.call("ndarray.astype", origin, given, ir.Global(dtype))

    def splice(
        self,
        template: table.Template,
        values: dict[str, ir.Atom],
        positions: Sequence[int],
        origin: Span,
        role: Role = Role.ADJOINT,
    ) -> tuple[ir.Atom, ...]:
        """Writes the body of a rule with its parameters replaced and its own names made fresh.

        Only the steps are written that the results at `positions` need.
        """
        names = dict(values)

        def replaced(atom: ir.Atom) -> ir.Atom:
            return names.get(atom.id, atom) if isinstance(atom, ir.Name) else atom

        for statement in _needed(template, positions):
            value = statement.value
            if isinstance(value, ir.Call):
                value = ir.Call(
                    value.function,
                    tuple(replaced(a) for a in value.args),
                    tuple((k, replaced(a)) for k, a in value.keywords),
                )
                fresh = tuple(self.fresh.step() for _ in statement.targets)
                self.functions[fresh[0]] = value.function
                names.update({t: ir.Name(f) for t, f in zip(statement.targets, fresh, strict=True)})
                self.out.append(ir.Assign(fresh, value, origin, role, statement.is_tuple))
            elif not isinstance(value, ir.Opaque):
                names[statement.targets[0]] = replaced(value)
        return tuple(replaced(atom) for atom in template.results)


def _needed(template: table.Template, positions: Sequence[int]) -> list[ir.Assign]:
    """The steps of a rule that some of its results depend on."""
    wanted = set(ir.names(tuple(template.results[p] for p in positions)))
    kept: list[ir.Assign] = []
    for statement in reversed(template.function.body):
        if isinstance(statement, ir.Assign) and not wanted.isdisjoint(statement.targets):
            kept.append(statement)
            wanted |= set(ir.reads(statement))
    return kept[::-1]


def with_bound_checks(
    block: ir.Block, result: ir.Atom, names: Iterable[str], bound: Iterable[str]
) -> ir.Block:
    """A forward sweep that fails where the primal reads a variable that it has not bound.

    `names` are set to `None` where they are not bound, which the primal does not know. In loops
    nothing is asked: there hardly anything takes `None`.
    """
    unsure, made = frozenset(names), list[ir.Statement]()
    now = {*bound}

    def guards(read: Iterable[str], origin: Span) -> Iterator[ir.Statement]:
        for name in dict.fromkeys(read):
            if name in unsure and name not in now:
                call = ir.Call(f"{RUNTIME}.bound", (ir.Name(name), ir.Const(name)))
                yield ir.Do(call, origin, Role.INIT)

    for statement in block:
        if isinstance(statement, ir.If):
            branch = partial(with_bound_checks, result=ir.Const(None), names=unsure, bound=now)
            made.append(ir.rebuilt(statement, block=branch))
        else:
            if statement.role is Role.PRIMAL and not isinstance(statement, ir.For | ir.While):
                made += guards(ir.reads(statement), statement.origin)
                now |= {*ir.reads(statement)}
            made.append(statement)
        definite_assignment.bind((statement,), now)
    last = guards(ir.names((result,)), block[-1].origin) if block else ()
    return (*made, *last)


def unset(body: ir.Block, bound: Iterable[str], origin: Span) -> ir.Block:
    """Sets to `None` what we read though it is bound on some ways only: nobody looks at it then."""
    names = definite_assignment.unbound_reads(
        body, bound, lambda statement: statement.role is not Role.PRIMAL
    )
    return tuple(ir.Assign((name,), ir.Const(None), origin, Role.SAVE) for name in names)
