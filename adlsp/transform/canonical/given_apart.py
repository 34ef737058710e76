"""Objects that a function is given, as if it had made them of what they hold.

`net.layers[0].forward(x)` sets `self.x` in an object of the caller's. The function that is
differentiated leaves what it is given as it is. So it may as well read at first all that it needs,
and change objects of its own: of these nobody needs more than variables (`scalar_replacement.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Protocol

from adlsp.transform import ir
from adlsp.transform.canonical import unrolling
from adlsp.transform.diagnostics import mutation
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frozen import dataclass
from adlsp.transform.values import lattice, places, structures
from adlsp.transform.values.classes import is_of_user
from adlsp.transform.values.lattice import Mapped, Object, Sequence, Signature, Value

MOST_OBJECTS = 64
"""How many objects, lists and dictionaries of all arguments are made anew."""

SINGLE = "adlsp.runtime.single"
"""What makes sure that objects that change are several, and nothing else holds them."""

ARRAY = "array"
"""The kind of what may share memory with others of its kind."""

Field = tuple[str, str]
"""A part of an object: the place of that, and the name."""


class Known(Protocol):
    """What is known of classes, and of the function that is differentiated."""

    def taken_apart(self, function: ir.Function) -> Signature:
        """What a function is given, if it is differentiated and nobody gets what it is given."""

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A function that makes anew what it is given.

    `made` is what is made for a place, `net.layers[0]`, `read` what holds that before, `values`
    what it is, and `fields` in which place it stands, by which name. `given` are all arguments.
    """

    function: ir.Function
    made: Mapping[str, str]
    read: Mapping[str, ir.Atom]
    values: Mapping[str, Value]
    fields: Mapping[str, Field]
    given: Signature


@dataclass(slots=True)
class Wanted:
    """Which objects stay `whole`, which lists are made anew, and which arrays are, by places."""

    whole: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)

    def add(self, *more: Iterable[str]) -> bool:
        """Adds to each of them; tells whether there are more then."""
        own = (self.whole, self.lists, self.arrays)
        before = sum(map(len, own))
        for held, given in zip(own, more, strict=True):
            held.update(given)
        return sum(map(len, own)) > before


def apart(function: ir.Function, known: Known, wanted: Wanted) -> Apart | None:
    """The function with objects of its own for those that it is given; None where there are none.

    What they hold it reads at first.
    """
    given = known.taken_apart(function)
    tops = set(map(_top, shared(given)))
    names = {
        p.name: value
        for p in function.parameters
        if (value := given.get(p.name)) is not None and not (p.is_rest or p.is_function)
        if _has_own(value) or p.name in tops or any(_other_names(value, p.name))
    }
    making = _Making(function, known, wanted)
    made = {name: making.of(name, ir.Name(name), value) for name, value in names.items()}
    if len(making.made) > MOST_OBJECTS or not making.made:
        return None
    own = {name: atom.id for name, atom in made.items() if isinstance(atom, ir.Name)}
    body = (*making.steps, *unrolling.renamed(function.body, own))
    return Apart(
        replace(function, body=body), making.made, making.read, making.values, making.fields, given
    )


def _has_own(value: Value) -> bool:
    """Tells whether a value is an object of a user's class, or surely holds one."""
    if is_of_user(value):
        return True
    is_told = isinstance(value, Sequence | Mapped) and value.items is not None
    return is_told and any(_has_own(part) for part in lattice.contents(value))


def refused(function: ir.Function, given: Signature) -> ir.Function:
    """The function, with a finding where objects that it is given have several names.

    It sets attributes, and its objects are not made anew: the other names are not followed.
    """
    others = (pair for name, value in given.items() for pair in _other_names(value, name))
    found = next((mutation.AliasedWrite(first, other) for other, first in others), None)
    if found is None:
        return function
    told = Diagnostic(found, function.origin)
    return replace(function, findings=(*function.findings, told))


def shared(given: Signature) -> dict[str, None]:
    """The places of objects that stand in several."""
    others = (pair for name, value in given.items() for pair in _other_names(value, name))
    return dict.fromkeys(first for _, first in others)


def _other_names(value: Value, place: str) -> Iterator[tuple[str, str]]:
    """The places in a value at which an object stands that stands at another one before, and that.

    What it holds stands there, too.
    """
    for first in places.own_sites(value):
        yield place, first
        return
    for step, part in lattice.parts(value):
        yield from _other_names(part, f"{place}{step}")


def _top(place: str) -> str:
    """The parameter with which a place begins."""
    return place.partition(".")[0].partition("[")[0]


class _Making:
    """Makes objects of what others hold; `steps` read and make them."""

    def __init__(self, function: ir.Function, known: Known, wanted: Wanted) -> None:
        self.known, self.wanted, self.origin = known, wanted, function.origin
        self.fresh = ir.fresh(function)
        self.steps: list[ir.Statement] = []
        self.made: dict[str, str] = {}
        self.read: dict[str, ir.Atom] = {}
        self.values: dict[str, Value] = {}
        self.fields: dict[str, Field] = {}

    def step(self, value: ir.Expression, place: str, *, is_own: bool = False) -> ir.Name:
        target = (self.fresh.own if is_own else self.fresh.step)(_name(place))
        self.steps.append(ir.Assign((target,), value, self.origin))
        return ir.Name(target)

    def of(self, place: str, held: ir.Atom, value: Value) -> ir.Atom:
        """What stands for a part of an argument, which is `held` by something."""
        self.values[place], self.read[place] = value, held
        first = next(iter(places.own_sites(value)), "")
        if first in self.made:
            return ir.Name(self.made[first])
        if place in self.wanted.arrays:
            return self.step(ir.Call("ndarray.copy", (held,), (), self.origin), place)
        if not self.is_made(place, value):
            return held
        keys = [*self.keys(value)]
        parts: list[ir.Atom] = []
        for (step, part), key in zip(lattice.parts(value), keys, strict=True):
            at = f"{place}{step}"
            self.fields[at] = place, str(key.value)
            constant = lattice.constant_of(part)
            if constant is None or isinstance(constant, bool | str):
                parts.append(ir.Const(constant))
                continue
            is_smooth = structures.holds_numbers(part) or part == lattice.UNKNOWN
            function = "operator.getitem" if is_smooth else ir.OPTION
            read = self.step(ir.Call(function, (held, key), (), self.origin), at)
            parts.append(self.of(at, read, part))
        is_own = not isinstance(value, Sequence)
        made = self.step(self.display(value, keys, parts), place, is_own=is_own)
        self.made[place] = made.id
        return made

    def is_made(self, place: str, value: Value) -> bool:
        """Tells whether an object is made anew: all that it holds is known by name."""
        if place in self.wanted.whole:
            return False
        match value:
            case Object(of=of, attributes=attributes, may_be_none=False) if is_of_user(value):
                return all(self.known.holds(of, name) for name, _ in attributes)
            case Mapped(items=tuple() as items):
                return all(isinstance(key, str) for key, _ in items)
            case Sequence(items=tuple()):
                return not value.is_once and (place in self.wanted.lists or _has_own(value))
        return False

    def keys(self, value: Value) -> Iterator[ir.Const]:
        """By what the parts of a value are read."""
        match value:
            case Object(attributes=attributes):
                yield from (ir.Const(ir.Attribute(name)) for name, _ in attributes)
            case Mapped(items=tuple() as items):
                yield from (ir.Const(key) for key, _ in items)
            case Sequence(items=tuple() as parts):
                yield from (ir.Const(at) for at in range(len(parts)))

    def display(self, value: Value, keys: list[ir.Const], parts: list[ir.Atom]) -> ir.Call:
        """What makes an object of its parts."""
        match value:
            case Object(of=of):
                fields = tuple(
                    (str(key.value), part) for key, part in zip(keys, parts, strict=True)
                )
                return ir.Call(ir.OBJECT, (ir.Global(of),), fields, self.origin)
            case Mapped():
                flat = (atom for pair in zip(keys, parts, strict=True) for atom in pair)
                return ir.Call("python.dict", tuple(flat), (), self.origin)
        made = "python.list" if isinstance(value, Sequence) and value.is_list else "python.tuple"
        return ir.Call(made, tuple(parts), (), self.origin)


def _name(place: str) -> str:
    """What an object is called that stands at a place: `layers_0` for `net.layers[0]`."""
    text = "".join(letter if letter.isalnum() else "_" for letter in place)
    named = "_".join(part for part in text.split("_") if part)
    _, _, inner = named.partition("_")
    return inner if inner.isidentifier() else named


def guarded(
    function: ir.Function, found: Apart, variables: Mapping[Field, str], changed: Collection[str]
) -> ir.Function:
    """The function with `variables` for parts, which makes sure that what changes is nothing else.

    That is an object of which a part is set, or what is at a place that is `changed`. The signature
    tells which objects are the same one; but arrays may share memory, and objects may stand in
    something that is not known. What is read at first, and nobody needs, is left out.
    """
    of_objects = [place for place, _ in variables]
    n_reads = _n_reads(_without_unread(function, found))
    n_writes = Counter(name for s in ir.walk(function.body) for name in ir.writes(s))
    begun = {*found.fields.values()}
    changing = [field[0] for field, v in variables.items() if n_writes[v] > (field in begun)]
    changing = [*dict.fromkeys((*changing, *sorted(changed)))]

    def is_used(place: str) -> bool:
        if place in of_objects:
            return any(n_reads[v] for (of, _), v in variables.items() if of == place)
        return bool(n_reads[holder(place)])

    def holder(place: str) -> str:
        """The variable that has what is at a place, or has the container that it is in."""
        field = found.fields.get(place)
        if place in found.made or field is None:
            return found.made.get(place, place)
        return variables.get(field) or found.made[field[0]]

    def atom(place: str) -> ir.Atom:
        read = found.read.get(place, ir.Name(place))
        is_there = isinstance(read, ir.Name) and (n_writes[read.id] or read.id in parameters)
        return read if is_there else ir.Name(variables[found.fields[place]])

    parameters = {parameter.name for parameter in function.parameters}
    values = {
        **{name: found.given.get(name, lattice.UNKNOWN) for name in parameters},
        **found.values,
    }
    guards: list[ir.Statement] = []
    fresh = ir.fresh(function)
    for kind in dict.fromkeys(_kind(values[place]) for place in changing):
        objects = [place for place in changing if _kind(values[place]) == kind]
        others = [
            place
            for place, value in values.items()
            if not (place in (*objects, *found.made) or places.own_sites(value))
            if _may_hold(value, kind)
            if is_used(place) or structures.has_objects(value)
        ]
        if others or (len(objects) > 1 and kind == ARRAY):
            each, call = fresh.step(), ir.Call("python.tuple", tuple(map(atom, objects)))
            guards.append(ir.Assign((each,), call, function.origin, ir.Role.INIT))
            call = ir.Call(SINGLE, (ir.Name(each), *map(atom, others)))
            guards.append(ir.Do(call, function.origin, ir.Role.INIT))
    first = (at for at, s in enumerate(function.body) if _is_first(s, found))
    place = max(first, default=-1) + 1
    body = (*function.body[:place], *guards, *function.body[place:])
    return _without_unread(replace(function, body=body), found)


def _without_unread(function: ir.Function, found: Apart) -> ir.Function:
    """The function without steps that read what it is given, where nothing reads them."""
    n_reads = _n_reads(function)
    kept: list[ir.Statement] = []
    for statement in reversed(function.body):
        is_read = any(n_reads[name] for name in ir.writes(statement))
        if _is_first(statement, found) and not is_read:
            n_reads.subtract(ir.reads(statement))
        else:
            kept.append(statement)
    return replace(function, body=tuple(reversed(kept)))


def _is_first(statement: ir.Statement, found: Apart) -> bool:
    """Tells whether a statement reads what the function is given, or makes it anew."""
    return isinstance(statement, ir.Assign) and statement.origin is found.function.origin


def _n_reads(function: ir.Function) -> Counter[str]:
    return Counter(name for s in ir.walk(function.body) for name in ir.reads(s))


def _may_hold(value: Value, kind: str) -> bool:
    """Tells whether a value may be of a kind, or hold such."""
    if _kind(value) in (kind, ""):
        return True
    return any(_may_hold(part, kind) for part in lattice.contents(value))


def _kind(value: Value) -> str:
    """What a value is of, if it can change; empty where it may be anything."""
    match value:
        case Object(of=of):
            return of
        case Mapped():
            return "dict"
        case Sequence(is_list=is_list):
            return "list" if is_list else "tuple"
        case lattice.Array() | lattice.Numeric():
            return ARRAY
        case lattice.Unknown():
            return ""
    return "other"
