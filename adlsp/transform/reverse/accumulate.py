"""Accumulating adjoints: what each variable's adjoint has received so far.

While the backward sweep is written we know which adjoints exist (`present`): one that is not
present is zero, and is never allocated only to be added to. So the first contribution is assigned,
`x_bar = v`, the next ones are added, `x_bar = x_bar + v`; those to elements are added in place,
`x_bar[i] += v`. What broadcasting has repeated is summed (`unbroadcast`), at the latest where the
adjoint is complete.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.shapes import broadcast
from adlsp.transform.facts.versions import Version
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role, StoreKind
from adlsp.transform.ir.variables import Fresh, Reference, Step
from adlsp.transform.modes.builder import RUNTIME, Builder, at, bar
from adlsp.transform.modes.primal_facts import PrimalFacts
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Operation, Result
from adlsp.transform.reverse import deferred_reduction
from adlsp.transform.source import Span
from adlsp.transform.values import broadcasting, dtypes
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import UNKNOWN, Array, Value


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a statement adds to the adjoint of a variable, or of its elements at `index`.

    `is_fresh`: nobody else holds the value, so that it may be changed in place. `is_array`: it is
    surely a number or array, so that `+` adds it. `is_basic`: the index never repeats an element;
    `is_slice`: it selects an array. `is_exact`: it has the shape of the variable.
    """

    name: str
    value: ir.Expression
    is_fresh: bool = False
    is_array: bool = True
    index: ir.Atom | None = None
    is_basic: bool = True
    is_slice: bool = False
    is_exact: bool = False


class Accumulator(Builder):
    """Writes additions to adjoints, and knows what each of them is, as far as the sweep has come.

    - `present`: it exists; all others are zero;
    - `numeric`: it is surely a number or array, so that `+` adds to it;
    - `owned`: nobody else holds it, so that it may be changed in place and given away;
    - `spread`: it has the shape of what broadcasting made of the variable, and that shape;
      `spreading` tells so of the adjoints that loops carry, by the version at the loop's head, and
      `spread_as` has a value that is as wide, where that is inferred;
    - `loose`: it may have more axes than its variable, a single number, of length one; `is_loose`
      says so of the one that is being taken apart;
    - `inexact`: it may be given what has not the shape of its variable.
    """

    def __init__(self, facts: PrimalFacts, fresh: Fresh) -> None:
        super().__init__(fresh)
        self.facts = facts
        self.present: frozenset[str] = frozenset()
        self.numeric: set[str] = set()
        self.owned: set[str] = set()
        self.spread: dict[str, Hashable] = {}
        self.spread_as: dict[str, Value] = {}
        self.spreading = deferred_reduction.carried(facts)
        self.loose: set[str] = set()
        self.is_loose = False
        self.inexact: set[str] = set()
        self.numbered = {version.number: version for version in facts.versions.every}
        self.inferred_arrays = facts.inferred.arrays()

    def at(self, statement: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """An atom that a statement reads, as the backward sweep refers to it."""
        if not isinstance(atom, ir.Name):
            return atom
        version = self.facts.versions.reads.get((statement, atom.id))
        return atom if version is None else at(version)

    @cached_property
    def taken_apart(self) -> frozenset[str]:
        """The variables of which steps read parts and stores set parts, and no more that is active.

        Nothing that others hold becomes a part of their adjoints.
        """
        every = [*ir.walk(self.facts.function.body)]
        whole = {n for s in every if self.facts.activity.is_active(s) for n in _read_whole(s)}
        for statement in reversed(every):  # what reads a part comes before what reads that
            match statement:
                case ir.Assign(
                    (Step() as part,), ir.Call("operator.getitem", (ir.Name(id), _))
                ) if part in whole and not is_double(self.facts.inferred.written(statement, part)):
                    whole.add(id)
        return frozenset(name for s in every for name in ir.reads(s)) - whole

    def is_steady(self, first: ir.Statement, last: ir.Statement, name: str) -> bool:
        """Tells whether two statements of one block have none between them that sets a variable."""
        for block in ir.nested(self.facts.function.body):
            if first in block:
                between = block[block.index(first) :]
                found = between[: between.index(last)] if last in between else None
                return found is not None and not any(name in ir.all_writes(s) for s in found)
        return False

    def after(self, statement: ir.Statement, name: str) -> ir.Name:
        """The value that a statement gave to a variable."""
        return at(self.facts.versions.writes[statement, name])

    def version(self, atom: ir.Atom) -> Version | None:
        """The version of a variable of the primal to which the backward sweep refers."""
        match atom:
            case ir.Name(Reference(version=number)):
                return self.numbered.get(number)
        return None

    def varied(self, statement: ir.Statement, atom: ir.Atom) -> str | None:
        """The name of an atom that is varied before a statement."""
        if isinstance(atom, ir.Name) and atom.id in self.facts.activity.varied_before[statement]:
            return atom.id
        return None

    def add(self, statement: ir.Statement, contributions: list[Contribution]) -> None:
        """Adds contributions to adjoints; several to one variable are summed first.

        The adjoint of a variable that the statement itself sets comes last, because the others may
        still read it.
        """
        own = set(ir.writes(statement))
        contributions = [self.listed(statement, c) for c in contributions]
        if any(c.value == ir.Name(bar(c.name)) for c in contributions if self.is_in_place(c.name)):
            contributions = [self.copied(c, statement.origin) for c in contributions]
        grouped: dict[str, list[Contribution]] = {}
        for contribution in contributions:
            grouped.setdefault(contribution.name, []).append(contribution)
        for name in own:
            if any(c.value == ir.Name(bar(name)) for c in contributions if c.name != name):
                self.owned.discard(name)
        for name in sorted(grouped, key=lambda n: n in own):
            direct = [c for c in grouped[name] if c.index is None]
            if direct:
                self._add_direct(statement, name, direct)
            for contribution in grouped[name]:
                if contribution.index is not None:
                    self._add_indexed(statement, contribution)

    def is_in_place(self, name: str) -> bool:
        """Tells whether an adjoint is changed in place, so that nobody may share it."""
        return name in self.facts.in_place

    def listed(self, statement: ir.Statement, contribution: Contribution) -> Contribution:
        """A contribution as a list, where the adjoint is one that becomes longer and shorter."""
        name, value = contribution.name, contribution.value
        if name not in self.facts.lists or contribution.index is not None:
            return contribution
        made = self.functions.get(value.id) if isinstance(value, ir.Name) else None
        if made is None or not operations.gives_gradients(made):
            given = self.hold(value, statement.origin)
            like = self.at(statement, ir.Name(name))
            value = self.call(f"{RUNTIME}.listed", statement.origin, given, like)
        return replace(contribution, value=value, is_array=False)

    def copied(self, contribution: Contribution, origin: Span) -> Contribution:
        """A contribution that shares nothing with the adjoint of another variable."""
        is_own = contribution.value == ir.Name(bar(contribution.name))
        if contribution.is_fresh or contribution.index is not None or is_own:
            return contribution
        value = self.hold(contribution.value, origin)
        return replace(contribution, value=ir.Call(f"{RUNTIME}.copy", (value,)), is_fresh=True)

    def _add_direct(
        self, statement: ir.Statement, name: str, contributions: list[Contribution]
    ) -> None:
        origin = statement.origin
        is_cast = self._is_cast(statement, name)
        if is_cast and name not in self.facts.arrays:  # a list becomes one again
            contributions = [replace(c, is_array=False) for c in contributions]
        is_array = any(c.is_array for c in contributions) or name in self.inferred_arrays
        if is_array and name not in self.facts.optional:
            self.numeric.add(name)
        if not all(c.is_exact for c in contributions):
            self.inexact.add(name)
        total = contributions[0]
        for other in contributions[1:]:
            total = self._sum(total, other, origin)
        value: ir.Expression = total.value
        if name not in self.present and value == ir.Name(bar(name)):
            self.present |= {name}
            return
        if is_cast:
            value = self.cut(statement, name, value)
            total = replace(total, value=value)
        self.owned.discard(name)
        if name in self.present:
            before = Contribution(name, ir.Name(bar(name)), is_array=name in self.numeric)
            value = self._sum(before, total, origin).value
            self.owned.add(name)
        elif name in self.facts.in_place and not total.is_fresh:
            is_known = total.is_array or name in self.facts.arrays | self.facts.lists
            copying = "copy" if is_known else "parts"
            value = ir.Call(f"{RUNTIME}.{copying}", (self.hold(value, origin),))
        if total.is_fresh or name in self.facts.in_place:
            self.owned.add(name)
        self.out.append(ir.Assign((bar(name),), value, origin, Role.ADJOINT))
        self.present |= {name}

    def _sum(self, one: Contribution, other: Contribution, origin: Span) -> Contribution:
        left, right = self.hold(one.value, origin), self.hold(other.value, origin)
        is_array = (one.is_array or other.is_array) and one.name not in self.facts.optional
        function = "operator.add" if is_array else f"{RUNTIME}.add"
        return Contribution(one.name, ir.Call(function, (left, right)), True, is_array)

    def _add_indexed(self, statement: ir.Statement, contribution: Contribution) -> None:
        name, origin = contribution.name, statement.origin
        value = self.hold(contribution.value, origin)
        if name not in self.present and value == ir.Name(bar(name)):
            value = self.renamed(ir.Name(bar(name)), origin)
        if name not in self.present:
            self.zero(name, self.at(statement, ir.Name(name)), origin)
        index = contribution.index
        assert index is not None
        if self._is_cut(statement, name):
            reference = self.at(statement, ir.Name(name))
            value = self.call(f"{RUNTIME}.cast_item", origin, value, reference, index)
        if contribution.is_slice and name not in self.facts.lists:
            self.numeric.add(name)
        if contribution.is_basic and not self.facts.program.has_tensors:
            self.out.append(ir.Store(bar(name), index, value, StoreKind.ADD, origin, Role.ADJOINT))
        else:
            call = ir.Call(f"{RUNTIME}.add_at", (ir.Name(bar(name)), index, value))
            self.out.append(ir.Assign((bar(name),), call, origin, Role.ADJOINT))

    def cut(self, statement: ir.Statement, name: str, value: ir.Expression) -> ir.Expression:
        """What an adjoint that is changed in place is given: real, if its variable is."""
        if not self._is_cast(statement, name):
            return value
        like = self.at(statement, ir.Name(name))
        held = self.hold(value, statement.origin)
        return self.call(f"{RUNTIME}.cast_like", statement.origin, held, like)

    def _is_cast(self, statement: ir.Statement, name: str) -> bool:
        return name in self.facts.in_place - self.facts.lists and self._is_cut(statement, name)

    def _is_cut(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable may be real and what its adjoint is given complex."""
        facts = self.facts
        is_of_tensors = facts.program.has_tensors  # which have one dtype, as their rules see to
        if not facts.makes_complex and (is_of_tensors or not facts.meets_complex):
            return False
        value = facts.inferred.read(statement, ir.Name(name))
        return not (
            isinstance(value, Array)
            and value.dtype is not None
            and dtypes.kind(value.dtype) == "complex"
        )

    def bar_shape(self, statement: ir.Assign) -> Hashable:
        """The shape of the adjoint of what an assignment made; None if it is not known."""
        target = statement.targets[0]
        return self.spread.pop(target, self.facts.shapes.written(statement, target))

    def bar_value(self, statement: ir.Assign) -> Value:
        """A value that has the shape of the adjoint of what an assignment made."""
        target = statement.targets[0]
        return self.spread_as.pop(target, self.facts.inferred.written(statement, target))

    def is_fresh(self, atom: ir.Atom) -> bool:
        """Tells whether an atom is the result of arithmetic, which nobody else holds."""
        if not isinstance(atom, ir.Name) or atom.id not in self.functions:
            return False
        function = self.functions[atom.id]
        rule = self.facts.program.rule(function)
        is_new = rule is not None and rule.gives_new
        is_new &= operations.of(function).result is not Result.SHARED  # as `np.real` is
        return operations.is_fresh(function) or is_new

    def renamed(self, name: ir.Name, origin: Span) -> ir.Name:
        """A second name for a value whose first one is about to be bound again."""
        step = self.fresh.step()
        self.out.append(ir.Assign((step,), name, origin, Role.ADJOINT))
        return ir.Name(step)

    def zero(self, name: str, like: ir.Atom, origin: Span) -> None:
        """Sets an adjoint to zero, in the shape of its variable."""
        value: ir.Expression = ir.Call(f"{RUNTIME}.zeros", (like,))
        if self.facts.shapes.is_scalar(like):
            value = ir.Const(0.0)
        self.out.append(ir.Assign((bar(name),), value, origin, Role.INIT))
        self.present |= {name}
        self.owned.add(name)

    def carried_shape(self, statement: ir.Statement, like: ir.Atom) -> Hashable | None:
        """The shape that the adjoint of a variable has throughout a loop, summed after it."""
        if not isinstance(like, ir.Name):
            return None
        version = self.facts.versions.reads.get((statement, like.id))
        return None if version is None else self.spreading.get(version.number)

    def is_number(self, statement: ir.Statement, name: str, own: Hashable, shape: Hashable) -> bool:
        """Tells whether a variable and its adjoint are numbers, whatever axes they have."""
        numbers, facts = self.facts.numbers, self.facts
        if name in facts.in_place or name in facts.lists or name in facts.optional:
            return False
        return numbers.is_number(statement, own) and numbers.is_number(statement, shape)

    def tighten(self, name: str, like: ir.Atom, origin: Span) -> None:
        """Gives a loose adjoint the axes of its variable."""
        if name in self.loose:
            self.loose.discard(name)
            given = self.taken(bar(name)) if isinstance(name, Step) else ir.Name(bar(name))
            call = ir.Call(f"{RUNTIME}.unbroadcast", (given, like))
            self.out.append(ir.Assign((bar(name),), call, origin, Role.ADJOINT))

    def taken(self, name: str) -> ir.Name:
        """The value of an adjoint that is about to be bound again: a step, if none has read it."""
        for position in reversed(range(len(self.out))):
            statement = self.out[position]
            if isinstance(statement, ir.Assign) and statement.targets == (name,):
                step = self.fresh.step()
                self.out[position] = replace(statement, targets=(step,))
                return ir.Name(step)
            if any(name in (*ir.reads(s), *ir.writes(s)) for s in ir.walk((statement,))):
                break
        return ir.Name(name)

    def unbroadcast(
        self,
        statement: ir.Statement,
        value_bar: ir.Atom,
        like: ir.Atom,
        shape: object,
        whole: Value = UNKNOWN,
    ) -> ir.Atom:
        """Sums an adjoint of `shape` over what broadcasting repeated of `like`, or defers that.

        Nothing is needed where the shapes are surely the same. Nothing is done yet where the sum
        can wait: the adjoint of a step goes on to its operands as it is, and their sums are the
        sums over both repetitions at once; what a loop carries is summed after it. `whole` is a
        value of that shape, where it is inferred, which says what to sum.
        """
        summed = None
        if not self.is_loose:
            summed = self.reduced(statement, value_bar, like, whole)
        if summed is not None:
            return summed
        shapes = self.facts.shapes
        if shape is not None and self.carried_shape(statement, like) == shape:
            return value_bar
        own = shapes.of(statement, like)
        if shape is not None and not self.is_loose and shapes.is_same(statement, own, shape):
            return value_bar
        if isinstance(like, ir.Name) and self.is_number(statement, like.id, own, shape):
            self.loose.add(like.id)
            return value_bar
        if isinstance(like, ir.Name) and deferred_reduction.can_wait(self.facts, statement, like):
            self.spread[like.id] = None if shape is None else broadcast(own, shape)
            self.spread_as[like.id] = UNKNOWN
            return value_bar
        reference = self.at(statement, like)
        return self.call(f"{RUNTIME}.unbroadcast", statement.origin, value_bar, reference)

    def reduced(
        self, statement: ir.Statement, value_bar: ir.Atom, like: ir.Atom, whole: Value
    ) -> ir.Atom | None:
        """The sum over what broadcasting repeated, where the inference says what that is."""
        found = broadcasting.reduction(self.facts.inferred.read(statement, like), whole)
        if found is None or found == broadcasting.Reduction():
            return None if found is None else value_bar
        if isinstance(like, ir.Name) and deferred_reduction.can_wait(self.facts, statement, like):
            self.spread[like.id], self.spread_as[like.id] = None, whole
            return value_bar
        origin, given = statement.origin, value_bar
        function = records.computing(
            Operation.SUM, whole.library if isinstance(whole, Array) else "numpy"
        )
        if found.leading:
            own = broadcasting.shape_of(self.facts.inferred.read(statement, like))
            axes = None if not own else (*range(found.leading),)
            given = self.hold(_sum(function, given, axes), origin)
        if found.kept:
            given = self.hold(_sum(function, given, found.kept, keepdims=True), origin)
        return given


def _read_whole(statement: ir.Statement) -> Iterator[str]:
    """The variables that a statement reads, but for what it reads a part of, or sets one of."""
    match statement:
        case ir.Assign((Step(),), ir.Call("operator.getitem", (ir.Name(), *others), ())):
            yield from ir.names(tuple(others))
        case ir.Store(index=ir.Name() as index, value=value):
            yield from ir.names((index, value))
        case _:
            yield from ir.reads(statement)


def _sum(
    function: str, given: ir.Atom, axes: tuple[int, ...] | None, *, keepdims: bool = False
) -> ir.Call:
    """A sum over some axes; none stand for all."""
    named: tuple[tuple[str, ir.Atom], ...] = ()
    if axes is not None:
        named = (("axis", ir.Const(axes[0] if len(axes) == 1 else axes)),)
    if keepdims:
        named += (("keepdims", ir.Const(True)),)
    return ir.Call(function, (given,), named)
