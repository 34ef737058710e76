"""Which stores may overwrite the elements that are read of an earlier value: data dependence.

A store need not be undone for a read of what it did not overwrite. To solve a triangular system,
`x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]`, each store sets an element that no pass before
has read. Indices are sums of the variables of loops, of other integers and of numbers, so that it
is a system of inequalities whether a store comes in some pass after the value that is read in
another one, and meets it.

Source: Pugh, The Omega test: a fast and practical integer programming algorithm for dependence
analysis (Supercomputing 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import field
from functools import cache
from typing import TypeAlias

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.inequalities import Form, constant, is_impossible, minus, plus, times
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Reference

MOST = 400
"""How many pairs of a read and a store of one array are looked at: the work stays linear."""

ZERO, ONE = constant(0), constant(1)

Reader: TypeAlias = Callable[[str], "Version | Made | None"]
"""What a name stands for somewhere: a version of a variable, or a step that is made there."""


@dataclass(frozen=True, slots=True)
class Made:
    """A call, and what the names in it stand for."""

    call: ir.Call
    reader: Reader


@dataclass(frozen=True, slots=True)
class Axis:
    """What an index selects of one axis: nothing before `first` or behind `last`, if known."""

    first: Form | None = None
    last: Form | None = None


Place: TypeAlias = tuple[Axis, ...]


@dataclass(slots=True)
class Reads:
    """What a backward sweep reads of values of the primal: the places in them, by versions.

    `whole` are the versions of which more is read than what is at an index, and the shape.
    """

    places: dict[int, list[Place]] = field(default_factory=dict)
    whole: set[int] = field(default_factory=set)


class Dependences:
    """Answers which stores of one function may overwrite what is read of a value.

    Forms are of the numbers of versions, and of the sizes of axes.
    """

    def __init__(
        self, function: ir.Function, versions: Versions, indices: Indices, integers: frozenset[int]
    ) -> None:
        self.versions, self.indices, self.integers = versions, indices, integers
        self.numbered = {v.number: v for v in versions.every}
        self.positions = {s: at for at, s in enumerate(ir.walk(function.body))}
        self.form_of = cache(self._form_of)

    # what is read and stored

    def reads(self, backward: ir.Block) -> Reads:
        """What a backward sweep reads, which refers to values by versions."""
        reader, found = self._backward(backward), Reads()
        for statement in ir.walk(backward):
            names = (*ir.reads(statement), *ir.writes(statement))
            match statement:
                case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(Reference() as id), at))):
                    place = self._place(at, reader)
                    found.places.setdefault(id.version, []).append(place)
                    names = ir.names((at,))
                case ir.Assign(value=ir.Call() as call):
                    names = ir.names(_by_value(call))
                case ir.Store(index=index, value=value, role=ir.Role.RESTORE):
                    names = ir.names((index, value))
            found.whole |= {name.version for name in names if isinstance(name, Reference)}
        return found

    def stored(self, store: ir.Store) -> Place:
        """The place that a store sets."""
        return () if store.index is None else self._place(store.index, self._primal(store))

    def _backward(self, block: ir.Block) -> Reader:
        """What names stand for in a backward sweep."""
        calls: dict[str, ir.Call | None] = {}
        for statement in ir.walk(block):
            for name in ir.writes(statement):
                match statement:
                    case ir.Assign(value=ir.Call() as call, is_tuple=False) if name not in calls:
                        calls[name] = call
                    case _:
                        calls[name] = None

        def reader(name: str) -> Version | Made | None:
            if isinstance(name, Reference):
                return self.numbered[name.version]
            call = calls.get(name)
            return None if call is None else Made(call, reader)

        return reader

    def _primal(self, statement: ir.Statement) -> Reader:
        """What names stand for where a statement of the primal reads them."""
        return lambda name: self.versions.reads.get((statement, name))

    def _made(self, atom: ir.Atom, reader: Reader) -> Made | None:
        """The call that made an atom."""
        found = reader(atom.id) if isinstance(atom, ir.Name) else None
        if isinstance(found, Version) and found.kind is VersionKind.ASSIGN:
            match found.statement:
                case ir.Assign(value=ir.Call() as call, is_tuple=False) as statement:
                    return Made(call, self._primal(statement))
        return found if isinstance(found, Made) else None

    # places

    def _place(self, index: ir.Atom, reader: Reader) -> Place:
        """What an index selects of the first axes, as far as it counts places."""
        made = self._made(index, reader)
        if made is None or made.call.function != "python.tuple":
            axis = self._axis(index, reader, 0)
            return () if axis is None else (axis,)
        place: list[Axis] = []
        for atom in made.call.args:
            axis = self._axis(atom, made.reader, len(place))
            if axis is None:
                break
            place.append(axis)
        return tuple(place)

    def _axis(self, atom: ir.Atom, reader: Reader, number: int) -> Axis | None:
        """What an index selects of an axis; None where it may take more or fewer axes than one."""
        made = self._made(atom, reader)
        size: Form = {("size", number): 1}
        if made is not None and made.call.function == "python.slice":
            first, last, step = (*made.call.args, *(ir.Const(None),) * 3)[:3]
            is_forward = step == ir.Const(None) or (
                isinstance(step, ir.Const) and isinstance(step.value, int) and step.value > 0
            )
            start = self._counted(first, made.reader, size) if is_forward else None
            end = self._counted(last, made.reader, size) if is_forward else None
            return Axis(start or ZERO, minus(end or size, ONE))
        if not self._is_integer(atom, reader):
            return None
        at = self._counted(atom, reader, size)
        return Axis(at, at)

    def _counted(self, atom: ir.Atom, reader: Reader, size: Form) -> Form | None:
        """A place on an axis, counted from its start; None where the sign of it is not known."""
        form = self._form(atom, reader)
        if form is None:
            return None
        bounds = [*self._bounds(form, lambda v: v.number, set())]
        if is_impossible([*bounds, minus(constant(-1), form)]):
            return form
        return plus(size, form) if is_impossible([*bounds, form]) else None

    def _is_integer(self, atom: ir.Atom, reader: Reader) -> bool:
        """Tells whether an index is surely one integer."""
        return self._form(atom, reader) is not None

    # forms

    def _form(self, atom: ir.Atom, reader: Reader) -> Form | None:
        """An atom as a sum of integers; None for what may be something else."""
        if isinstance(atom, ir.Const):
            return constant(atom.value) if type(atom.value) is int else None
        found = reader(atom.id) if isinstance(atom, ir.Name) else None
        if isinstance(found, Version):
            return self.form_of(found)
        return None if found is None else self._sum(found)

    def _form_of(self, version: Version) -> Form | None:
        """A version as a sum of integers."""
        if version.kind is VersionKind.ASSIGN and isinstance(version.statement, ir.Assign):
            statement, reader = version.statement, self._primal(version.statement)
            form = None
            if not statement.is_tuple and isinstance(statement.value, ir.Name):
                form = self._form(statement.value, reader)
            elif not statement.is_tuple and isinstance(statement.value, ir.Call):
                form = self._sum(Made(statement.value, reader))
            if form is not None:
                return form
        is_integer = version.number in self.integers or self.indices.is_count(version)
        return {version.number: 1} if is_integer else None

    def _sum(self, made: Made) -> Form | None:
        """The result of a sum, difference or product of integers."""
        forms = [self._form(atom, made.reader) for atom in made.call.args]
        match made.call.function, forms:
            case "operator.neg", [dict() as one]:
                return times(one, -1)
            case "operator.add", [dict() as one, dict() as other]:
                return plus(one, other)
            case "operator.sub", [dict() as one, dict() as other]:
                return minus(one, other)
            case "operator.mul", [dict() as one, dict() as other]:
                for factor, form in ((one, other), (other, one)):
                    if factor.keys() == {None}:
                        return times(form, factor[None])
        return None

    # what loops count

    def _range(self, loop: ir.Statement) -> tuple[Form, Form, bool] | None:
        """The least and the greatest value of what a loop counts, and whether it counts up."""
        if not isinstance(loop, ir.For):
            return None
        made, is_up = self._made(loop.iterable, self._primal(loop)), True
        if made is not None and made.call.function == "builtins.reversed":
            made, is_up = self._made(made.call.args[0], made.reader), False
        if made is None or made.call.function != "builtins.range" or made.call.keywords:
            return None
        first, *others = (self._form(atom, made.reader) for atom in made.call.args)
        start, end, step = (first, *others, ONE)[:3] if others else (ZERO, first, ONE)
        if start is None or end is None or step is None or step.keys() != {None}:
            return None
        if step[None] < 0:
            return plus(end, ONE), start, not is_up
        return start, minus(end, ONE), is_up

    def _bounds(
        self, form: Form, name: Callable[[Version], Hashable], seen: set[int]
    ) -> Iterator[Form]:
        """What is known of the versions in a form, which are called by `name`."""
        for number in form:
            if not isinstance(number, int) or number in seen:
                continue
            seen.add(number)
            version = self.numbered[number]
            found = self._range(version.statement) if version.statement is not None else None
            if found is None or not _is_target(version):
                continue
            low, high, _ = found
            counted = {name(version): 1}
            yield minus(counted, self._named(low, name))
            yield minus(self._named(high, name), counted)
            yield from self._bounds(plus(low, high), name, seen)

    def _named(self, form: Form, name: Callable[[Version], Hashable]) -> Form:
        """A form with other names for its versions."""
        named: dict[Hashable, int] = {}
        for key, factor in form.items():
            to = name(self.numbered[key]) if isinstance(key, int) else key
            named[to] = named.get(to, 0) + factor
        return named

    # stores after reads

    def may_overwrite(self, store: Version, version: Version, read: Place, stored: Place) -> bool:
        """Tells whether a store may come after a version of its array and set what is read of it.

        The version is that of one pass, the store comes in the same pass of the first loops around
        both, and in a later one of the next; or in the same pass of all, further down.
        """
        common = [
            one for one, other in zip(store.loops, version.loops, strict=False) if one is other
        ]
        for n_same in range(len(common) + 1):
            later = common[n_same] if n_same < len(common) else None
            if later is None and not self._is_behind(store, version):
                continue
            if not self._is_apart(read, stored, common[:n_same], later):
                return True
        return False

    def _is_apart(
        self,
        read: Place,
        stored: Place,
        same: list[ir.Statement],
        later: ir.Statement | None,
    ) -> bool:
        """Tells whether two places differ, in one pass of the `same` loops, a `later` one."""

        def called(side: str) -> Callable[[Version], Hashable]:
            def name(of: Version) -> Hashable:
                is_same = all(loop in same for loop in of.loops)
                return of.number if is_same else (side, of.number)

            return name

        ours, theirs = called("store"), called("read")
        system: list[Form] = []
        for one, other in zip(stored, read, strict=False):
            for place, name in ((one, ours), (other, theirs)):
                for form in (place.first, place.last):
                    if form is not None:
                        system += self._bounds(form, name, set())
            for low, low_name, high, high_name in (
                (one.first, ours, other.last, theirs),
                (other.first, theirs, one.last, ours),
            ):
                if low is not None and high is not None:
                    system.append(minus(self._named(high, high_name), self._named(low, low_name)))
        system += self._ordered(later, ours, theirs)
        return is_impossible(system)

    def _ordered(
        self,
        loop: ir.Statement | None,
        ours: Callable[[Version], Hashable],
        theirs: Callable[[Version], Hashable],
    ) -> Iterator[Form]:
        """A pass of a loop that comes after another one, by what it counts."""
        found = None if loop is None else self._range(loop)
        if found is None or not isinstance(loop, ir.For):
            return
        version = self.versions.writes[loop, loop.target]
        after, before = {ours(version): 1}, {theirs(version): 1}
        if not found[2]:
            after, before = before, after
        yield minus(minus(after, before), ONE)
        for name in (ours, theirs):
            yield from self._bounds({version.number: 1}, name, set())

    def _is_behind(self, store: Version, version: Version) -> bool:
        """Tells whether a store is written after the place where a version is made."""
        assert store.statement is not None
        return self.positions[store.statement] > self._position(version)

    def _position(self, version: Version) -> int:
        """Where a version is made: where ways meet, after all that they lead through."""
        if version.statement is None:
            return -1
        if version.kind in (VersionKind.JOIN, VersionKind.EXIT):
            return max(self.positions[s] for s in ir.walk((version.statement,)))
        return self.positions[version.statement]


def _by_value(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments of which more is read than the shape: that of an array stays the same."""
    record = operations.of(call.function)
    like = 0 if record.tells_shape else record.like
    return tuple(atom for position, atom in enumerate(call.atoms) if position != like)


def _is_target(version: Version) -> bool:
    """Tells whether a version is what a loop counts."""
    statement = version.statement
    return (
        isinstance(statement, ir.For)
        and version.name == statement.target
        and version.kind in (VersionKind.TARGET, VersionKind.ELEMENT)
    )
