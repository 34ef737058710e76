"""Objects that change, in variables: scalar replacement of aggregates.

`layer.x = x` for a layer of a list changes what two names are for, and `self.values.append(v)` a
list that has no name. Where a function makes such an object, and all that gets it is written out,
nobody needs the object: each attribute becomes a variable, `layer_x = x`, and each entry of a
dictionary. Calls that are given the object are written out for it, and so are loops over lists of
such. An object that anything else may look at stays what it is, and so do all where none needs it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Protocol, TypeGuard

from adlsp.transform import ir
from adlsp.transform.canonical import branches, given_apart, inline, unrolling
from adlsp.transform.facts import graphs, operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.ops.spec import Result
from adlsp.transform.values import indexing, lattice, places, structures
from adlsp.transform.values.classes import Member, is_of_user
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Mapped, Object, Sequence, Value

MOST_ROUNDS = 12
"""How often calls and loops are written out, each time with what that has made known."""

MOST_TRIES = 4
"""How often what a function is given is taken apart, each time less of it."""

READING = ("operator.getitem", ir.OPTION)
"""What reads a part of an object."""

MAKERS = (ir.OBJECT, "python.dict")

KEEPING = ("builtins.len", "builtins.list", "builtins.tuple", "builtins.reversed",
           "builtins.enumerate", "builtins.zip")  # fmt: skip
"""What may be done with a list of objects: its elements are looked at where they are read."""

UPDATE = "ndarray.update"
"""What sets entries of a dictionary by their names."""

ASKING = ("operator.is_", "operator.is_not", "builtins.isinstance", "builtins.hasattr",
          "builtins.type", "builtins.callable")  # fmt: skip
"""What asks which object one is, or of which class: the inference may tell, and then nobody reads
what it gives."""

OF_ENTRIES = ("ndarray.items", "ndarray.keys", "ndarray.values")
"""What gives the entries of dictionaries."""

Field = tuple[str, str]
"""An attribute or entry of what is made at a place: the place, and the name."""


class Known(Callees, given_apart.Known, Protocol):
    """What is known of the functions that are called, of what is given, and of classes."""

    def member(self, of: str, name: str, above: str = "") -> Member | None:
        """What a class has under a name, or those above it from one on."""


def replaced(function: ir.Function, known: Known) -> ir.Function:
    """The function with variables for what objects and dictionaries of its own hold, if needed.

    What the function is given that is differentiated counts as its own, where it changes that.
    """
    is_given = any(map(structures.has_objects, known.taken_apart(function).values()))
    is_own = any(map(_makes, ir.with_unfolded(function.body)))
    if not ((is_given or is_own) and _may_change(function, known)):
        return function
    made = _given(function, known) if is_given else None
    if made is None and is_given and _sets_attributes(function, known):
        function = given_apart.refused(function, known.taken_apart(function))
    if made is None and is_own:
        found = _found(function, known)
        made = _Rewriter(found).function if found and found.chosen else None
    return function if made is None else made


def _found(function: ir.Function, known: Known, given: Collection[str] = ()) -> _Finder | None:
    """The objects of a function, with the calls that get them written out; None if none is needed.

    So are the loops over them. One that is `given` is needed where an attribute of it is set.
    """
    made, is_needed = function, False
    typed = known.typed(function)
    for _ in range(MOST_ROUNDS):
        before, made = made, inline.given_objects(made, known, typed, _sites(made, typed))
        typed = typed if made is before else known.typed(made)
        is_needed = is_needed or _is_needed(made, typed, given)
        if made is before and is_needed:
            made = branches.decided(made, typed)
            typed = typed if made is before else known.typed(made)
            made = unrolling.unrolled(made, typed, _sites(made, typed))
            typed = typed if made is before else known.typed(made)
        if made is before:
            break
    return _Finder(made, typed, known) if is_needed else None


def _given(function: ir.Function, known: Known) -> ir.Function | None:
    """The function with variables for what objects hold that it is given; None where it cannot.

    Where something looks at one of them, that stays what it is, and the others are tried again.
    """
    wanted = given_apart.Wanted()
    for _ in range(MOST_TRIES):
        apart = given_apart.apart(function, known, wanted)
        found = None if apart is None else _found(apart.function, known, apart.made.values())
        if apart is None or found is None:
            return None
        if not wanted.add(_kept_whole(found, apart), *_changed_places(found, apart)):
            made, names = _Rewriter(found), {name: place for place, name in apart.made.items()}
            left = given_apart.shared(apart.given).keys() - apart.made.keys()
            if left and _sets_attributes(made.function, known):
                return None  # by one of several names of what is not made anew
            variables = {
                (names[of], name): variable
                for (site, name), variable in made.variables.items()
                if (of := found.made[site].targets[0]) in names
            }
            changed = (wanted.lists | wanted.arrays) & apart.values.keys()
            return given_apart.guarded(made.function, apart, variables, changed)
    return None


def _kept_whole(found: _Finder, apart: given_apart.Apart) -> Iterator[str]:
    """The places of the given objects at which something looks; dictionaries may change then."""
    sites = {made.targets[0]: site for site, made in found.made.items()}
    changed = {site for value in _changes(found) for site in places.own_sites(value)}
    for place, name in apart.made.items():
        site, value = sites.get(name, ""), apart.values[place]
        is_changed = isinstance(value, Mapped) and site in changed
        if _is_own(value) and not (site in found.chosen or is_changed):
            yield place


def _changed_places(found: _Finder, apart: given_apart.Apart) -> tuple[set[str], set[str]]:
    """The places of the given lists and arrays that change."""
    lists, arrays = set[str](), set[str]()
    kept = {p: value for p, value in apart.values.items() if p not in apart.made}
    for value in _changes(found):
        for site in places.own_sites(value):
            held = kept.get(site)
            if isinstance(held, lattice.Array) and held.library == "numpy":
                arrays.add(site)
            own = (p for p, v in kept.items() if isinstance(v, Sequence))
            lists |= {p for p in own if site == p or site.startswith(f"{p}[")}
    return lists, arrays


def _changes(found: _Finder) -> Iterator[Value]:
    """What statements change that bind no name, as it was before, and what is changed in it."""
    for statement in found.walked:
        names = {_changed(statement)}
        names.update(() if isinstance(statement, ir.Assign) else ir.writes(statement))
        for name in names - {""}:
            value = found.typed.reads.get((statement, name), lattice.UNKNOWN)
            yield value
            if isinstance(statement, ir.Store) and statement.index is not None:
                path = indexing.path(found.typed.of(statement, statement.index))
                yield found.way(value, path[:-1], found.made).value
                if targets.is_operator(statement.kind.operator):
                    yield found.way(value, path, found.made).value


def _makes(statement: ir.Statement) -> TypeGuard[ir.Assign]:
    match statement:
        case ir.Assign((_,), ir.Call(function), is_tuple=False):
            return function in MAKERS
    return False


def _site(statement: ir.Assign, typed: Typed) -> str:
    """The place at which a statement makes an object."""
    value = typed.writes.get((statement, statement.targets[0]), lattice.UNKNOWN)
    return next(iter(places.own_sites(value)), "")


def _sites(function: ir.Function, typed: Typed) -> frozenset[str]:
    """The places at which a function makes objects and dictionaries."""
    return frozenset(_site(s, typed) for s in ir.with_unfolded(function.body) if _makes(s)) - {""}


def _fields(statement: ir.Assign) -> tuple[tuple[str, ir.Atom], ...] | None:
    """What a display puts into an object, by name; None where a key is no name."""
    call = statement.value
    assert isinstance(call, ir.Call)
    if call.function == ir.OBJECT:
        return call.keywords
    found: list[tuple[str, ir.Atom]] = []
    for key, value in zip(call.args[::2], call.args[1::2], strict=True):
        if not (isinstance(key, ir.Const) and isinstance(key.value, str)):
            return None
        found.append((key.value, value))
    return tuple(found)


def _changed(statement: ir.Statement) -> str:
    """The variable whose object or container a statement changes."""
    match statement:
        case ir.Store(base=base):
            return base
        case (
            ir.Do(value=ir.Call(function, (ir.Name(id), *_)))
            | ir.Assign(value=ir.Call(function, (ir.Name(id), *_)))
        ) if operations.changes_container(function):
            return id
    return ""


def _parts(function: ir.Function) -> set[str]:
    """The variables that are parts of others, or in the course of a loop elements of them.

    So are steps that hold what a variable does, as the methods do that return their object.
    """
    found: set[str] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.For(target=target):
                found.add(target)
            case ir.Assign(names, ir.Call("operator.getitem")) | ir.Assign(
                names, ir.Name(), is_tuple=True
            ):
                found.update(names)
            case ir.Assign((name,), ir.Name(id)) if id in found or isinstance(name, Step):
                found.add(name)
    return found


def _may_change(function: ir.Function, known: Callees) -> bool:
    """Tells whether a function, or what it calls, changes what objects and containers hold."""
    return any(
        _changed(s) and not (isinstance(s, ir.Store) and s.index is None)
        for one in _reached(function, known)
        for s in ir.with_unfolded(one.body)
    )


def _reached(function: ir.Function, known: Callees) -> list[ir.Function]:
    """A function and all that it calls."""

    def callees(one: ir.Function) -> Iterator[ir.Function]:
        for statement in ir.with_unfolded(one.body):
            match statement:
                case ir.Assign(value=ir.Call(called)) | ir.Do(value=ir.Call(called)):
                    found = known.definition(called)
                    yield from () if found is None else (found,)

    return graphs.reached((function,), callees)


def _sets_attributes(function: ir.Function, known: Callees) -> bool:
    """Tells whether a function, or what it calls, sets attributes, or what they hold."""

    def places_of(statement: ir.Statement) -> tuple[ir.Atom | None, ...]:
        match statement:
            case ir.Store(index=index):
                return (index,)
            case ir.Assign(value=ir.Call(ir.PATH, args)):
                return args
        return ()

    statements = (s for one in _reached(function, known) for s in ir.with_unfolded(one.body))
    atoms = (atom for s in statements for atom in places_of(s))
    return any(isinstance(a, ir.Const) and isinstance(a.value, ir.Attribute) for a in atoms)


def _is_needed(function: ir.Function, typed: Typed, given: Collection[str] = ()) -> bool:
    """Tells whether a function changes objects, or containers in them, by names for parts.

    One that is `given` may have a name of its own.
    """
    parts = _parts(function)
    for statement in ir.walk(function.body):
        name = _changed(statement)
        value = typed.reads.get((statement, name), lattice.UNKNOWN)
        is_resized = not isinstance(statement, ir.Store)
        is_meant = _is_own(value) or (is_resized and isinstance(value, Sequence))
        if is_meant and (name in parts or name in given):
            return True
        if isinstance(statement, ir.Store) and statement.index is not None and is_of_user(value):
            *path, last = indexing.path(typed.of(statement, statement.index))
            if path and not isinstance(lattice.constant_of(last), str):
                return True
    return False


def _is_own(value: Value) -> TypeGuard[Mapped | Object]:
    """Tells whether a value is of the sort of which each part may become a variable."""
    return isinstance(value, Mapped) or (is_of_user(value) and not lattice.may_be_none(value))


@dataclass(frozen=True, slots=True)
class _Way:
    """The last part of an object on a path, behind how many indices it is, and what it holds."""

    field: Field | None
    n_steps: int
    value: Value


class _Finder:
    """Finds the objects of which nobody needs more than their parts, by where they are made.

    Variables of one group may come to hold one object, or what holds it. In a group in which one
    is, each value must be known, or it might be that object.
    """

    def __init__(self, function: ir.Function, typed: Typed, known: Known) -> None:
        self.function, self.typed, self.known = function, typed, known
        every = [*ir.walk(function.body)]
        self.n_reads = Counter(name for s in every for name in ir.reads(s))
        self.unread = {s for s in every if self.is_unread(s)}
        self.walked = [s for s in every if s not in self.unread]
        candidates = [s for s in function.body if _makes(s) and _fields(s) is not None]
        self.made = {site: s for s in candidates if (site := _site(s, typed))}
        self.paths = {
            s.targets[0]: s.value.args
            for s in self.walked
            if isinstance(s, ir.Assign)
            and isinstance(s.value, ir.Call)
            and s.value.function == ir.PATH
        }
        self.set_names = {
            atom.value
            for s in self.walked
            if isinstance(s, ir.Store) and s.index is not None
            for atom in (s.index, *self.paths.get(getattr(s.index, "id", ""), ()))
            if isinstance(atom, ir.Const)
        }
        self.group: dict[object, object] = {}
        self.fields: set[Field] = set()
        for statement in self.walked:
            self.join(statement)
        self.within = defaultdict[object, set[str]](set)
        for site, statement in self.made.items():
            self.within[self.first(statement.targets[0])].add(site)
        self.escaped: set[str] = set()
        for statement in self.walked:
            self.look(statement)
        self.escape_held()
        self.chosen = self.made.keys() - self.escaped

    def is_unread(self, statement: ir.Statement) -> bool:
        """Tells whether a statement looks at a container, and nobody at what it gives.

        It may be a method, whose calls are written out.
        """
        match statement:
            case ir.Assign((Step() as step,), ir.Call(function)) if not self.n_reads[step]:
                looking = (*KEEPING, *READING, *OF_ENTRIES, *ASKING)
                return _gives_method(function) or function in looking
        return False

    # which variables may come to hold one object

    def first(self, node: object) -> object:
        """What stands for the group of a variable, or of a part of an object."""
        while (further := self.group.get(node, node)) != node:
            node = further
        return node

    def same(self, *nodes: object) -> None:
        """Makes one group of several."""
        self.fields.update(node for node in nodes if isinstance(node, tuple))
        first, *others = map(self.first, nodes)
        self.group.update((other, first) for other in others)

    def join(self, statement: ir.Statement) -> None:
        """Makes one group of what may share objects by what a statement does."""
        match statement:
            case ir.Assign() if statement in self.made.values():
                site = _site(statement, self.typed)
                for name, atom in _fields(statement) or ():
                    self.same((site, name), *ir.names((atom,)))
            case ir.Assign(names, ir.Call(function, (ir.Name() as base, index))) if (
                function in READING and (field := self.field(statement, base, index))
            ):
                self.same(field, *names)
            case ir.Store(base=base, index=index, value=value) if index is not None:
                self.same(self.field(statement, ir.Name(base), index) or base, *ir.names((value,)))
            case ir.Do(value=ir.Call(function, (base,), keywords)) if function == UPDATE and (
                site := self.site(self.typed.of(statement, base))
            ):
                for name, atom in keywords:
                    self.same((site, name), *ir.names((atom,)))
            case ir.Assign(value=ir.Call(function)) if (
                operations.of(function).result is Result.FRESH
            ):
                pass
            case ir.Assign() | ir.Do() | ir.For():
                self.same(statement, *ir.reads(statement), *ir.writes(statement))

    def field(self, reader: ir.Statement, base: ir.Atom, index: ir.Atom) -> Field | None:
        """The part of an object at an index, or at a path as far as it leads to such."""
        path = indexing.path(self.typed.of(reader, index))
        return self.way(self.typed.of(reader, base), path, self.made).field

    def way(self, value: Value, path: list[Value], among: Collection[str]) -> _Way:
        """How far a path leads from one known object to another, of some that are made here."""
        way = _Way(None, 0, value)
        for place, each in enumerate(path, 1):
            further = self.part(value, each)
            if further is not None and further[0] in among:
                value = _entries(value).get(further[1], lattice.NONE)
                way = _Way(further, place, value)
            elif isinstance(value, Sequence) and value.items is not None:
                at = lattice.constant_of(each)
                if not (isinstance(at, int) and -len(value.items) <= at < len(value.items)):
                    break
                value = value.items[at]
            else:
                break
        return way

    def part(self, value: Value, index: Value) -> Field | None:
        """The part of what is surely one object, and made here."""
        site, key = self.site(value), lattice.constant_of(index)
        return (site, str(key)) if site and isinstance(key, str) else None

    def site(self, value: Value) -> str:
        """Where the one object was made that a value surely is; empty for others."""
        sites = places.own_sites(value) if _is_own(value) else lattice.NOWHERE
        return next(iter(sites)) if len(sites) == 1 and self.made.keys() & sites else ""

    # who looks at an object

    def look(self, statement: ir.Statement) -> None:
        """Notes the objects of which a statement needs more than their parts."""
        for name in ir.reads(statement):
            value = self.typed.reads.get((statement, name), lattice.UNKNOWN)
            if isinstance(value, lattice.Unknown | lattice.Choice | lattice.Function):
                self.escaped |= self.within[self.first(name)]
            sites = places.sites_of(value) & self.made.keys()
            is_one = not _is_own(value) or bool(self.site(value))
            if sites and not (is_one and self.is_of_parts(statement, name, value)):
                self.escaped |= sites

    def is_of_parts(self, statement: ir.Statement, name: str, value: Value) -> bool:
        """Tells whether a statement only reads or sets parts of objects, or holds them."""
        is_object = _is_own(value)
        match statement:
            case ir.Assign(value=ir.Name(), is_tuple=is_tuple):
                return not (is_object and is_tuple)
            case ir.Assign(value=ir.Call(function, (ir.Name(base), index))) if (
                function in READING and base == name and index != ir.Name(name)
            ):
                if not is_object:
                    return function != ir.OPTION
                field = self.part(value, self.typed.of(statement, index))
                held = {} if field is None else _entries(value)
                if field is not None and statement.is_tuple:  # it is taken apart
                    self.escaped |= places.own_sites(held.get(field[1], lattice.NONE))
                    self.escaped &= self.made.keys()
                is_there = field is not None and field[1] in held
                return is_there or self.is_of_class(value, index)
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                if call.function == UPDATE and call.args == (ir.Name(name),):
                    return isinstance(value, Mapped)
                if call.function == "ndarray.append":
                    return not (is_object and call.args[0] == ir.Name(name))
                is_kept = call.function in KEEPING and not is_object
                return is_kept or bool(operations.of(call.function).holds)
            case ir.Store(base=base, index=index) if index is not None and index != ir.Name(name):
                return base != name or self.is_clear(statement, value)
            case ir.For():
                return not is_object
        return False

    def is_of_class(self, value: Value, index: ir.Atom) -> bool:
        """Tells whether an attribute is one of a class, which it holds for all of its objects."""
        name = index.value if isinstance(index, ir.Const) else None
        if not isinstance(value, Object) or not isinstance(name, ir.Attribute) or "<" in value.of:
            return False
        found = self.known.member(value.of, name)
        is_its_own = name in dict(value.attributes) or name in self.set_names
        return found is not None and found.is_variable and not is_its_own

    def is_clear(self, store: ir.Store, value: Value) -> bool:
        """Tells whether it is known which part of an object a store sets, or goes through.

        What it meets behind that in a way that is not known stays what it is.
        """
        assert store.index is not None
        path = indexing.path(self.typed.of(store, store.index))
        way = self.way(value, path, self.made)
        n_behind = len(path) - way.n_steps
        is_changed = n_behind or targets.is_operator(store.kind.operator)  # by `__iadd__`
        if n_behind > 1 or (is_changed and _is_own(way.value)):
            self.escaped |= places.sites_of(way.value) & self.made.keys()
        if way.field and n_behind and isinstance(way.value, lattice.Unknown):
            self.escaped |= self.within[self.first(way.field)]
        return bool(way.field) or not _is_own(value)

    def escape_held(self) -> None:
        """Notes what is held by objects that stay what they are."""
        groups = defaultdict[str, set[object]](set)
        for field in self.fields:
            groups[field[0]].add(self.first(field))
        pending = [*self.escaped]
        for site in pending:
            further = {held for group in groups[site] for held in self.within[group]}
            pending += further - self.escaped
            self.escaped |= further


def _gives_method(function: str) -> bool:
    """Tells whether a function gives a method, or an object as one of a class above its own."""
    return function == ir.SUPER or function.startswith(targets.OF_OBJECT)


def _entries(value: Value) -> dict[object, Value]:
    """The attributes of an object, or the entries of a dictionary."""
    match value:
        case Object(attributes=attributes):
            return dict(attributes)
        case Mapped(items=tuple() as items):
            return dict(items)
    return {}


class _Rewriter:
    """Writes variables for the parts of chosen objects."""

    def __init__(self, found: _Finder) -> None:
        self.found, self.typed = found, found.typed
        self.fresh = ir.fresh(found.function)
        self.variables: dict[Field, str] = {}
        self.stems: dict[str, str] = {}
        for statement in found.walked:
            for name in ir.writes(statement) if isinstance(statement, ir.Assign) else ():
                site = self.chosen(self.typed.writes.get((statement, name), lattice.UNKNOWN))
                if site and not isinstance(name, Step):
                    self.stems.setdefault(site, readable(name))
        body = self.block(found.function.body)
        named = _Named(body, {*self.variables.values()}, self.lists())
        self.function = replace(found.function, body=named.body)

    def lists(self) -> set[str]:
        """The variables that are bound once, and to a list or dictionary."""
        bound = Counter(n for s in self.found.walked for n in ir.writes(s) if _binds(s, n))
        written = self.typed.writes.items()
        held = {n for (_, n), v in written if isinstance(v, Sequence | Mapped)}
        return {n for n in held if bound[n] == 1} - {p.name for p in self.found.function.parameters}

    def chosen(self, value: Value) -> str:
        """The place of the object that is not made any more; empty where a value is none."""
        site = self.found.site(value)
        return site if site in self.found.chosen else ""

    def variable(self, field: Field) -> str:
        """What a part of an object is called."""
        if field not in self.variables:
            site, name = field
            statement = self.found.made[site]
            assert isinstance(statement.value, ir.Call)
            first = statement.value.args[:1]
            of = first[0].dotted if first and isinstance(first[0], ir.Global) else "entry"
            stem = self.stems.get(site, targets.member(of).lower().strip("_"))
            self.variables[field] = self.fresh.own(f"{stem}_{name.strip('_')}")
        return self.variables[field]

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        match statement:
            case ir.Assign() if site := self.made_at(statement):
                for name, atom in _fields(statement) or ():
                    given = self.atom(statement, atom)
                    yield replace(statement, targets=(self.variable((site, name)),), value=given)
            case ir.Assign((target,), is_tuple=False) if self.chosen(
                self.typed.writes.get((statement, target), lattice.UNKNOWN)
            ):
                return
            case ir.Assign(value=ir.Call(function, args)) if _gives_method(function) and any(
                self.chosen(self.typed.of(statement, each)) for each in args
            ):
                return
            case ir.Assign(value=ir.Call(function, (base, index))) if (
                function in READING and self.chosen(value := self.typed.of(statement, base))
            ):
                if isinstance(value, Object) and self.found.is_of_class(value, index):
                    read = ir.Call(function, (ir.Global(value.of), index), (), statement.origin)
                    yield replace(statement, value=read)
                    return
                field = self.found.part(value, self.typed.of(statement, index))
                assert field is not None
                yield replace(statement, value=ir.Name(self.variable(field)))
            case ir.Do(value=ir.Call(function, (base,), keywords)) if function == UPDATE and (
                site := self.chosen(self.typed.of(statement, base))
            ):
                for name, atom in keywords:
                    held, given = self.variable((site, name)), self.atom(statement, atom)
                    yield ir.Assign((held,), given, statement.origin, statement.role)
            case ir.Store(index=index) if index is not None and (way := self.way(statement)).field:
                yield from self.stored(statement, way)
            case _:
                yield ir.rebuilt(statement, lambda a: self.atom(statement, a), block=self.block)

    def made_at(self, statement: ir.Assign) -> str:
        site = _site(statement, self.typed) if _makes(statement) else ""
        return site if site in self.found.chosen else ""

    def atom(self, reader: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """What is written for an object where others hold it, who only read its parts."""
        return ir.Const(None) if self.chosen(self.typed.of(reader, atom)) else atom

    def way(self, store: ir.Store) -> _Way:
        """Which part of a chosen object a store sets, or goes through."""
        assert store.index is not None
        path = indexing.path(self.typed.of(store, store.index))
        return self.found.way(self.typed.of(store, ir.Name(store.base)), path, self.found.chosen)

    def stored(self, store: ir.Store, way: _Way) -> Iterator[ir.Statement]:
        """A store into a part of an object: the variable is bound, or what it holds changes."""
        assert store.index is not None
        assert way.field is not None
        atoms: tuple[ir.Atom, ...] = (store.index,)
        if isinstance(store.index, ir.Name):
            atoms = self.found.paths.get(store.index.id, atoms)
        atoms = atoms[way.n_steps :]
        name, given = self.variable(way.field), self.atom(store, store.value)
        if not atoms and targets.is_operator(store.kind.operator):
            yield replace(store, base=name, index=None)
        elif not atoms:
            yield ir.Assign((name,), given, store.origin, store.role)
        else:
            index = atoms[0]
            if len(atoms) > 1:
                index = ir.Name(self.fresh.step())
                path = ir.Call(ir.PATH, atoms)
                yield ir.Assign((index.id,), path, store.origin, store.role)
            yield replace(store, base=name, index=index, value=given)


class _Named:
    """Leaves out the steps by which variables are read, and by which they are bound.

    A list then has one name, and can become longer by it.
    """

    def __init__(self, body: ir.Block, variables: Collection[str], lists: Collection[str]) -> None:
        self.variables, self.lists = variables, lists
        self.n_reads = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        self.body = self.block(body)

    def block(self, block: ir.Block) -> ir.Block:
        made = [ir.rebuilt(s, block=self.block) for s in block]
        place = 0
        while place < len(made):
            match made[place]:
                case ir.Assign((Step() as step,), ir.Call(ir.PATH)) if not self.n_reads[step]:
                    del made[place]
                case ir.Assign((step,), ir.Name(id), is_tuple=False) if (
                    id in self.variables
                    and (isinstance(step, Step) or step in self.lists)
                    and self.is_read(step, id, made, place)
                ):
                    del made[place]
                case ir.Assign((name,), ir.Name(Step() as step), is_tuple=False) if (
                    name in self.variables and self.is_bound(name, step, made, place)
                ):
                    del made[place]
                case _:
                    place += 1
        return tuple(made)

    def is_read(self, step: str, name: str, made: list[ir.Statement], place: int) -> bool:
        """Reads a variable where a step is read that holds it, if it is not bound meanwhile."""
        rest = made[place + 1 :]
        n_reads = [sum(step in ir.reads(s) for s in ir.walk((each,))) for each in rest]
        last = max((at for at, n in enumerate(n_reads) if n), default=-1)
        region = rest[: last + 1]
        if sum(n_reads) != self.n_reads[step] or any(
            _binds(s, name) for s in ir.walk(tuple(region))
        ):
            return False
        made[place + 1 : place + 2 + last] = [_with_name(s, step, name) for s in region]
        return True

    def is_bound(self, name: str, step: Step, made: list[ir.Statement], place: int) -> bool:
        """Binds a variable where a step is made that nothing else reads."""
        for at in range(place - 1, -1, -1) if self.n_reads[step] == 1 else ():
            each = made[at]
            if isinstance(each, ir.Assign) and each.targets == (step,):
                made[at] = replace(each, targets=(name,))
                return True
            if any(name in (*ir.reads(s), *ir.writes(s)) for s in ir.walk((each,))):
                return False
        return False


def _binds(statement: ir.Statement, name: str) -> bool:
    return not isinstance(statement, ir.Store | ir.Do) and name in ir.writes(statement)


def _with_name(statement: ir.Statement, old: str, new: str) -> ir.Statement:
    """A statement that reads another variable, or changes what that holds."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(new) if given == ir.Name(old) else given

    def target(name: str) -> str:
        return new if name == old else name

    return ir.rebuilt(
        statement, atom, target, lambda inner: tuple(_with_name(s, old, new) for s in inner)
    )
