"""The tangents of variables: which of them have one, what it is called, how it is set."""

from __future__ import annotations

from collections import defaultdict

from adlsp.transform import ir
from adlsp.transform.facts import aliases, graphs, operations, views
from adlsp.transform.facts.activity import Names
from adlsp.transform.ir import Role
from adlsp.transform.ir.variables import Tangent
from adlsp.transform.modes.builder import RUNTIME, Builder
from adlsp.transform.modes.primal_facts import PrimalFacts
from adlsp.transform.source import Span


def dot(name: str) -> Tangent:
    """The tangent of a variable."""
    return Tangent(name)


class Tangents(Builder):
    """Writes statements that compute tangents.

    A variable has a tangent exactly where it is active: what has no influence may be outside of the
    language. Only where the function is a derivative itself does all that is varied have one,
    because derivatives change arrays under second names, whose influence is not followed.
    """

    def __init__(self, function: ir.Function, facts: PrimalFacts) -> None:
        super().__init__(ir.fresh(function))
        self.facts = facts
        self.activity = facts.activity
        self.in_place = _in_place(function, facts.in_place)
        self.is_derived = function.is_derived
        self.changing = _changing(function)

    def has_before(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable has a tangent before a statement."""
        facts = self.activity
        is_useful = self.is_derived or name in facts.useful_before[statement]
        return is_useful and name in facts.varied_before[statement]

    def has_after(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable has a tangent after a statement."""
        facts = self.activity
        is_useful = self.is_derived or name in facts.useful_after[statement]
        return is_useful and name in facts.varied_after[statement]

    def before(self, statement: ir.Statement) -> Names:
        """The variables that have a tangent before a statement."""
        facts = self.activity
        return self.with_tangent(facts.varied_before[statement], facts.useful_before[statement])

    def after(self, statement: ir.Statement) -> Names:
        """The variables that have a tangent after a statement."""
        facts = self.activity
        return self.with_tangent(facts.varied_after[statement], facts.useful_after[statement])

    def with_tangent(self, varied: Names, useful: Names) -> Names:
        """Those varied variables that have a tangent where some are useful."""
        return varied if self.is_derived else varied & useful

    def is_active(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom has a tangent before a statement."""
        return isinstance(atom, ir.Name) and self.has_before(statement, atom.id)

    def binds_active(self, statement: ir.Statement) -> bool:
        """Tells whether something that a statement binds has a tangent after it."""
        return any(self.has_after(statement, name) for name in ir.writes(statement))

    def is_useful(self, statement: ir.Statement) -> bool:
        """Tells whether the result may depend on what a statement binds.

        What it does not depend on may be outside of the language, and has no tangent then.
        """
        return not self.activity.useful_after[statement].isdisjoint(ir.writes(statement))

    def is_entry(self, store: ir.Store) -> bool:
        """Tells whether a store may put something inactive into a list or dictionary, as it is.

        In a derivative 0 stands for a gradient of zero in any shape, and is its own tangent.
        """
        is_zero = self.is_derived and store.value == ir.Const(0)
        is_put = store.kind.replaces and store.base not in self.facts.arrays
        return is_put and not is_zero and self.facts.indices.may_be_cell(store)

    def is_lent(self, target: str, value: ir.Expression, tangent: ir.Atom) -> bool:
        """Tells whether the tangent of a new value may be that of an operand, and one may change.

        `y = x + 1.0` is an array of its own, and its tangent must be one as well.
        """
        if not isinstance(value, ir.Call) or views.may_view(value):
            return False
        names = (target, *ir.names(value.atoms))
        if not isinstance(tangent, ir.Name) or self.changing.isdisjoint(names):
            return False
        made = self.functions.get(tangent.id)
        if made is None or operations.of(made).passes_on is not None:
            return True
        return views.may_view(ir.Call(made))

    def dot(self, statement: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """The tangent of an atom; a zero where it has none."""
        if self.is_active(statement, atom):
            assert isinstance(atom, ir.Name)
            return ir.Name(dot(atom.id))
        if isinstance(atom, ir.Const) and isinstance(atom.value, int | float):
            return ir.Const(0.0)
        return self.call(f"{RUNTIME}.zeros", statement.origin, atom)

    def part_dot(self, statement: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """The tangent of what an object holds, which may be no number."""
        if self.is_active(statement, atom) or isinstance(atom, ir.Const):
            return self.dot(statement, atom)
        return self.call(f"{RUNTIME}.part_zeros", statement.origin, atom)

    def hold(self, value: ir.Expression, origin: Span, role: Role = Role.TANGENT) -> ir.Atom:
        """Names a value with a step."""
        return super().hold(value, origin, role)

    def bind(self, name: str, value: ir.Expression, origin: Span) -> None:
        """Sets the tangent of a variable."""
        self.out.append(ir.Assign((dot(name),), value, origin, Role.TANGENT))

    def rebind(self, name: str, value: ir.Atom, origin: Span) -> None:
        """Sets the tangent of a variable that `x += v` changes; in place if others look at it."""
        if name in self.in_place:
            args = (ir.Name(dot(name)), value)
            self.bind(name, ir.Call(f"{RUNTIME}.refill", args), origin)
        else:
            self.bind(name, value, origin)

    def zeros(self, statement: ir.Statement, names: Names, bound: set[str]) -> ir.Block:
        """Zero tangents for variables that are bound before a statement, or by a block."""
        known = self.facts.versions.before[statement]
        return tuple(
            ir.Assign((dot(name),), zeros(name), statement.origin, Role.TANGENT)
            for name in sorted(names)
            if name in known or name in bound
        )


def zeros(name: str) -> ir.Call:
    """A zero tangent in the shape of a variable."""
    return ir.Call(f"{RUNTIME}.zeros", (ir.Name(name),))


def _changing(function: ir.Function) -> frozenset[str]:
    """The variables that share memory with what is stored into, or what a function gives back.

    Whoever gets that may store into it.
    """
    classes = aliases.classes(function.body)
    bases = {s.base for s in ir.walk(function.body) if isinstance(s, ir.Store)}
    last = function.body[-1]
    assert isinstance(last, ir.Return)
    bases |= set(ir.names((last.value,)))
    shared = (other for name in bases for other in classes.get(name, ()))
    return frozenset((*bases, *(other for other in shared if isinstance(other, str))))


def _in_place(function: ir.Function, found: frozenset[str]) -> frozenset[str]:
    """The variables whose tangent is changed in place, under this name or another one."""
    sources = defaultdict[str, list[str]](list)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Name(other)):
                sources[target].append(other)
            case ir.Assign(targets=(target,), value=ir.Call("python.pop", (ir.Name(tape),))):
                sources[target].append(tape)
            case ir.Do(value=ir.Call("python.append", (ir.Name(tape), ir.Name(other)))):
                sources[tape].append(other)
    return frozenset(graphs.reached(found, sources.__getitem__))
