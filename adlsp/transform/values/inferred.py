"""What the values of one function are, by the versions of its variables, as the inference says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts import graphs
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import Reference, Saved
from adlsp.transform.ops.spec import Kind
from adlsp.transform.values import (
    arithmetic,
    broadcasting,
    classes,
    dtypes,
    growing,
    indexing,
    lattice,
    places,
    transfer,
)
from adlsp.transform.values.inference import NOTHING, Typed
from adlsp.transform.values.lattice import (
    EITHER,
    UNKNOWN,
    UNREACHED,
    Array,
    Dimension,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Sequence,
    Sites,
    Size,
    Slice,
    Unknown,
    Unreached,
    Value,
    join,
)


class Inferred:
    """What the values of one function are; of an atom, as the backward sweep refers to it."""

    def __init__(self, typed: Typed, versions: Versions) -> None:
        self.typed = typed
        self.by_version: dict[int, Value] = {}
        self.versions = versions
        if typed is NOTHING:
            return
        read = (
            (version, typed.reads.get(key, UNREACHED)) for key, version in versions.reads.items()
        )
        made = ((version, _written(typed, *key)) for key, version in versions.writes.items())
        given = (
            (version, typed.given.get(version.name, UNREACHED))
            for version in versions.every
            if version.kind is VersionKind.PARAMETER
        )
        for version, value in (*given, *made, *read):
            before = self.by_version.get(version.number, UNREACHED)
            self.by_version[version.number] = join(before, value)

    def __bool__(self) -> bool:
        return self.typed is not NOTHING

    def of(self, atom: ir.Atom) -> Value:
        """What the value is to which the backward sweep refers."""
        match atom:
            case ir.Name(Reference(version=number)):
                return self.by_version.get(number, UNKNOWN)
            case ir.Const(value):
                return lattice.of_constant(value)
            case ir.Global(dotted):
                return self.typed.held_by(dotted) or UNKNOWN
        return UNKNOWN

    def shape(self, name: str) -> broadcasting.Axes | None:
        """The shape of the value to which the backward sweep refers, if it is known."""
        return broadcasting.shape_of(self.of(ir.Name(name)))

    def is_sequence(self, name: str) -> bool:
        """Tells whether a variable may hold a list or tuple, or that to which a sweep refers."""
        if isinstance(name, Reference):
            return isinstance(self.of(ir.Name(name)), Sequence)
        return name in self._sequences

    @cached_property
    def _sequences(self) -> frozenset[str]:
        """The variables that may hold lists or tuples."""
        return frozenset(name for name, value in self._values() if isinstance(value, Sequence))

    def read(self, statement: ir.Statement, atom: ir.Atom) -> Value:
        """What an atom is where a statement reads it."""
        return self.typed.of(statement, atom) if self else UNKNOWN

    def is_run_again(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether what an atom is can surely be run over more than once."""
        value = self.read(statement, atom)
        is_spent = isinstance(value, Sequence) and value.is_once
        return isinstance(value, _KEPT) and not is_spent

    def is_real(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely a number that is no integer, or an array of such."""
        match self.read(statement, atom):
            case Number(kind=kind):
                return kind in ("float", "complex")
            case Array(dtype=dtype):
                return dtype is not None and dtype.startswith(("float", "complex"))
        return False

    def is_truth(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely a truth value, or an array of such."""
        match self.read(statement, atom):
            case Number(kind="bool") | Array(dtype="bool"):
                return True
        return False

    def is_known(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether anything is known of what a statement reads."""
        return not isinstance(self.read(statement, atom), Unknown)

    def holds_sequences(self, statement: ir.Statement, atoms: tuple[ir.Atom, ...]) -> bool:
        """Tells whether some atoms, or the elements of the only one, are lists or tuples."""
        return any(isinstance(value, Sequence) for value in self._compared(statement, atoms))

    def holds_objects(self, statement: ir.Statement, atoms: tuple[ir.Atom, ...]) -> bool:
        """Tells whether some atoms, or the elements of the only one, are objects."""
        return any(isinstance(value, Object) for value in self._compared(statement, atoms))

    def _compared(self, statement: ir.Statement, atoms: tuple[ir.Atom, ...]) -> list[Value]:
        values = [self.read(statement, atom) for atom in atoms]
        if len(values) == 1 and isinstance(values[0], Sequence):
            values = [values[0].element] if values[0].items is None else [*values[0].items]
        return values

    def written(self, statement: ir.Statement, name: str) -> Value:
        """What a statement makes of a variable."""
        return self.typed.writes.get((statement, name), UNKNOWN) if self else UNKNOWN

    def cell(self, store: ir.Store) -> Value:
        """What stands at the place that a store sets."""
        base = self.read(store, ir.Name(store.base))
        if store.index is None:
            return base
        index = self.read(store, store.index)
        return transfer.result("operator.getitem", transfer.Given((base, index), {}))

    def put(self, store: ir.Store) -> Value:
        """What stands at the place that a store sets, behind it: a container has what it is given.

        An array keeps the shape of the place.
        """
        is_held = store.kind.replaces and store.index is not None
        if is_held and isinstance(self._holder(store), Sequence | Mapped | Object):
            return self.read(store, store.value)
        return self.cell(store)

    def taken_apart(self, statement: ir.Assign) -> Value:
        """What stands at the index that a statement reads: `p[k]` in `a, b = p[k]`."""
        assert isinstance(statement.value, ir.Call)
        base, index = (self.read(statement, atom) for atom in statement.value.args)
        return transfer.result("operator.getitem", transfer.Given((base, index), {}))

    def inside(self, store: ir.Store, source: ir.Statement, path: Iterable[ir.Atom]) -> Value:
        """What the base of a store holds at some places, one in another, which `source` reads."""
        value = self.read(store, ir.Name(store.base))
        for atom in path:
            given = transfer.Given((value, self.read(source, atom)), {})
            value = transfer.result("operator.getitem", given)
        return value

    def may_resize(self, store: ir.Store) -> bool:
        """Tells whether a store may replace a slice of a list by more or fewer elements.

        All elements from a place on are replaced, and put back, whatever their number.
        """
        index = self.read(store, store.index) if store.index is not None else UNKNOWN
        if not (isinstance(self.read(store, ir.Name(store.base)), Sequence) and _is_run(index)):
            return False
        cell, value = self.cell(store), self.read(store, store.value)
        sizes = (_length(cell), _length(value))
        return None in sizes or sizes[0] != sizes[1]

    def extends_list(self, store: ir.Store) -> bool:
        """Tells whether `xs += ys` or `xs *= n` makes a list longer, in place."""
        base = self.read(store, ir.Name(store.base))
        is_list = isinstance(base, Sequence) and base.is_list
        return store.index is None and is_list and not store.kind.resizes

    def is_stored_whole(self, store: ir.Store) -> bool:
        """Tells whether a place holds what a store has put there: as many numbers, as exact."""
        cell, value = self.cell(store), self.read(store, store.value)
        if not (is_double(cell) and is_double(value)):
            return False
        if isinstance(cell, Number):
            return isinstance(value, Number)
        shape = broadcasting.shape_of(cell)
        return shape is not None and None not in shape and shape == broadcasting.shape_of(value)

    def arrays(self) -> frozenset[str]:
        """The variables that are always numbers or arrays."""
        every: dict[str, Value] = {}
        for name, value in self._values():
            every[name] = value if isinstance(every.get(name, value), _NUMERIC) else UNKNOWN
        return frozenset(name for name, value in every.items() if isinstance(value, _NUMERIC))

    def whole_arrays(self) -> frozenset[str]:
        """The variables that are always NumPy's arrays: `b += v` changes what they hold."""
        return self._always(lambda value: isinstance(value, Array) and value.library == "numpy")

    def objects(self) -> frozenset[str]:
        """The variables that are always objects of users' classes."""
        return self._always(classes.is_of_user)

    def is_object(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a statement reads an object of a user's class."""
        return classes.is_of_user(self.read(statement, ir.Name(name)))

    def _always(self, is_such: Callable[[Value], bool]) -> frozenset[str]:
        values = [*self._values()]
        others = {name for name, value in values if not is_such(value)}
        return frozenset(name for name, _ in values) - others

    def containers(self) -> Mapping[str, Kind]:
        """The variables that are always lists, tuples or dictionaries, and which of these."""
        found: dict[str, set[Kind | None]] = {}
        for name, value in self._values():
            found.setdefault(name, set()).add(_container(value))
        return {n: kind for n, (kind, *others) in found.items() if kind and not others}

    def holds_apart(
        self, statement: ir.Statement, name: str, written: Sites = places.ANYWHERE
    ) -> bool:
        """Tells whether the parts that are known of a container share no memory that is written."""
        return places.hold_apart(self._before(statement, name), written)

    def written_into(self, statement: ir.Statement, names: Iterable[str]) -> Sites:
        """The places into which a store writes, or a call that changes what some variables hold.

        A store that puts another object into a container leaves the object as it is.
        """
        values = [self.read(statement, ir.Name(name)) for name in names]
        if isinstance(statement, ir.Store) and statement.index is not None:
            values = [self._holder(statement)]
            if not isinstance(values[0], Array):
                values = [] if statement.kind.replaces else [self.cell(statement)]
        if any(map(places.has_unknown, values)):
            return places.ANYWHERE
        return places.NOWHERE.union(*map(places.sites_of, values))

    def changes_own_part(self, store: ir.Store, *, is_put_back: bool = False) -> bool:
        """Tells whether what a store changes in a container is surely not of a module.

        What a module holds lives at its place in what the function makes of it, if anywhere. What
        `is_put_back` has changed by another name.
        """
        holder = self.read(store, ir.Name(store.base))
        if isinstance(holder, Array) or not places.own_sites(holder):
            return False
        if isinstance(self._holder(store), places.CONTAINERS):
            if not (store.kind.changes or is_put_back):
                return True
            changed = self.cell(store)
        else:
            changed = self._holder(store)
        sites = places.ANYWHERE if places.has_unknown(changed) else places.sites_of(changed)
        return bool(sites) and not any(set(site) & {"?", "[", "."} for site in sites)

    def sets_cell(self, store: ir.Store) -> bool:
        """Tells whether a store may put another object into a container."""
        return not isinstance(self._holder(store), Array)

    def has_parts(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable is a list, tuple, dictionary or object where it is read."""
        return isinstance(self.read(statement, ir.Name(name)), Sequence | Mapped | Object)

    def changes_number(self, store: ir.Store) -> bool:
        """Tells whether what stands at the place of a store is surely a number."""
        return isinstance(self.cell(store), Number)

    def sets_other(self, store: ir.Store) -> bool:
        """Tells whether a store surely puts into a list or dictionary what may be of other axes."""
        match self._replaced(store):
            case None | (Number(), Number()):
                return False
            case (Array(shape=tuple() as before), Array(shape=tuple() as after)):
                return before != after or None in before
        return True

    def changes_rank(self, store: ir.Store) -> bool:
        """Tells whether what a store puts into a list or dictionary has surely other axes."""
        match self._replaced(store):
            case (Array(shape=tuple() as before), Array(shape=tuple() as after)):
                return len(before) != len(after)
            case (Number(), Array(shape=tuple() as axes)) | (
                Array(shape=tuple() as axes),
                Number(),
            ):
                return bool(axes)
        return False

    def _replaced(self, store: ir.Store) -> tuple[Value, Value] | None:
        """What a cell of a list or dictionary has held, and what a store puts there."""
        held = UNKNOWN if store.index is None else self._holder(store)
        if not isinstance(held, Sequence | Mapped):
            return None
        *_, last = self._path(store)
        cell = transfer.result("operator.getitem", transfer.Given((held, last), {}))
        return cell, self.read(store, store.value)

    def cuts_fractions(self, store: ir.Store) -> bool:
        """Tells whether an array surely holds integers, and what is put there may be none."""
        held = self._holder(store)
        is_array = isinstance(held, Array | Numeric) and dtypes.is_whole(held)
        return is_array and not dtypes.is_whole(self.read(store, store.value))

    def gives_whole(self, statement: ir.Statement) -> bool:
        """Tells whether all that a statement binds are surely arrays of integers."""
        made = [self.written(statement, name) for name in ir.writes(statement)]
        return all(isinstance(v, Array | Numeric) and dtypes.is_whole(v) for v in made)

    def has_dtype(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether the dtype of an array is known, and what else is no array.

        Of what a store changes, that is what it holds at all but the last of its indices.
        """
        held = self.read(statement, ir.Name(name))
        if isinstance(statement, ir.Store):
            held = self._holder(statement)
        if isinstance(held, Array | Numeric):
            return held.dtype is not None
        return not isinstance(held, Unknown)

    def _holder(self, store: ir.Store) -> Value:
        """What a store changes, at all but the last of its indices."""
        held = self.read(store, ir.Name(store.base))
        for each in self._path(store)[:-1]:
            held = transfer.result("operator.getitem", transfer.Given((held, each), {}))
        return held

    def _path(self, store: ir.Store) -> list[Value]:
        """The indices of a store, one after the other."""
        return [] if store.index is None else indexing.path(self.read(store, store.index))

    def gives_numbers(self, statement: ir.Statement) -> bool | None:
        """Tells whether all that a statement binds are numbers; None where that is not known."""
        values = [self.typed.writes.get((statement, n), UNKNOWN) for n in ir.writes(statement)]
        if any(isinstance(value, Unknown | Numeric) for value in values):
            return None
        return all(isinstance(value, Number) for value in values)

    def makes_tuple(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a statement surely makes a tuple of a variable."""
        made = self.written(statement, name)
        return isinstance(made, Sequence) and not made.is_list

    def may_share(self, statement: ir.Statement, one: str, other: str) -> bool:
        """Tells whether two variables may share memory before a statement, by where they live."""
        ours, theirs = self._places(statement, one), self._places(statement, other)
        return ours is None or theirs is None or not ours.isdisjoint(theirs)

    def may_hold(self, statement: ir.Statement, name: str, held: str) -> bool:
        """Tells whether a variable may be, or hold, the object or container that another one is.

        It may where their places of memory are known, and meet.
        """
        one, other = self._before(statement, held), self._before(statement, name)
        is_container = isinstance(one, places.CONTAINERS)
        return is_container and places.may_live(other, places.own_sites(one))

    def may_be_of(self, statement: ir.Statement, name: str, parameter: str) -> bool:
        """Tells whether a variable may live where the caller has what a parameter holds."""
        found = self._places(statement, name)
        return found is None or parameter in found

    def is_integer(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable surely holds one integer before a statement."""
        value = self._before(statement, name)
        return isinstance(value, Number) and value.kind == "int"

    def may_be_integer(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether nothing speaks against an integer where a statement reads something."""
        match self.read(statement, atom):
            case Unknown() | Number(kind="int") | Numeric(dtype=None):
                return True
        return False

    def is_text(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable surely holds a text before a statement."""
        value = self._before(statement, name)
        return isinstance(value, Literal) and value.kind == "str"

    def rank(self, statement: ir.Statement, name: str) -> int | None:
        """How many axes a variable's array has before a statement, if that is known."""
        value = self._before(statement, name)
        shape = value.shape if isinstance(value, Array) else None
        return None if shape is None else len(shape)

    def is_complex(self, statement: ir.Statement, name: str) -> bool | None:
        """Tells whether a variable's array is of complex numbers, if that is known."""
        value = self._before(statement, name)
        dtype = value.dtype if isinstance(value, Array) else None
        return None if dtype is None else dtypes.kind(dtype) == "complex"

    def _before(self, statement: ir.Statement, name: str) -> Value:
        version = self.versions.before[statement].get(name)
        return UNKNOWN if version is None else self._at(version)

    def _at(self, version: Version) -> Value:
        """What a version is; one that nobody reads by its name is what its priors are."""

        def priors(one: Version) -> tuple[Version, ...]:
            is_unread = isinstance(self.by_version.get(one.number), Unreached)
            return one.priors if is_unread else ()

        found: Value = UNREACHED
        for one in graphs.reached((version,), priors):
            found = join(found, self.by_version.get(one.number, UNKNOWN))
        return found

    def _places(self, statement: ir.Statement, name: str) -> Sites | None:
        """Where a variable and its parts may live before a statement; None if that is not known.

        The parts of a parameter count as one place: a caller may have one array in two of them.
        """
        value = self._before(statement, name)
        return None if places.has_unknown(value) else places.wholes(places.sites_of(value))

    def double_arrays(self) -> frozenset[str]:
        """The variables that are always arrays of double precision."""
        values = [*self._values()]
        others = {n for n, v in values if not (isinstance(v, Array) and is_double(v))}
        return frozenset(name for name, _ in values) - others

    def scalars(self) -> frozenset[int]:
        """The versions that are numbers, or arrays without axes."""
        return frozenset(number for number, value in self.by_version.items() if is_scalar(value))

    def without_axes(self) -> frozenset[int]:
        """The versions that are arrays without axes."""
        found = self.by_version.items()
        return frozenset(n for n, value in found if is_scalar(value) and isinstance(value, Array))

    def integers(self) -> frozenset[int]:
        """The versions that are single integers."""
        return frozenset(
            number
            for number, value in self.by_version.items()
            if isinstance(value, Number) and value.kind == "int"
        )

    def growing(self) -> frozenset[int]:
        """The versions that are arrays that grow: older ones of these are dear to read."""
        found = self.by_version.items()
        return frozenset(number for number, value in found if growing.whole(value) is not None)

    @cached_property
    def is_double(self) -> bool:
        """Whether all numbers are of double precision, or less exact ones and integers.

        An adjoint of a variable of double precision then is of double precision, too.
        """
        return bool(self) and all(
            _is_double(value) for name, value in self._values() if not isinstance(name, Saved)
        )

    def has_complex(self) -> bool:
        """Tells whether complex numbers are surely among the values."""
        return any(_is_complex(value) for _, value in self._values())

    def has_single(self) -> bool:
        """Tells whether floats of less than double precision are surely among the values."""
        return any(_is_single(value) for _, value in self._values())

    def _values(self) -> Iterator[tuple[str, Value]]:
        yield from self.typed.given.items()
        for (_, name), value in (*self.typed.reads.items(), *self.typed.writes.items()):
            yield name, value


def _written(typed: Typed, statement: ir.Statement, name: str) -> Value:
    """What a statement makes of a variable: of one that it changes unseen, the same array."""
    found = typed.writes.get((statement, name))
    if found is not None:
        return found
    found = typed.reads.get((statement, name), UNREACHED)
    return found if isinstance(found, Array | Unreached) else UNKNOWN


_NUMERIC = Number | Array | Numeric

SINGLE = ("float32", "float16")

_KEPT = (Number, Array, Numeric, Sequence, Mapped, Range, Literal)
"""What can be run over more than once, if at all."""


def _container(value: Value) -> Kind | None:
    """Which container a value is."""
    match value:
        case Sequence(is_list=is_list):
            return Kind.LIST if is_list else Kind.TUPLE
        case Mapped():
            return Kind.DICT
    return None


def _is_run(index: Value) -> bool:
    """Tells whether an index is a slice of elements beside each other, with others behind them."""
    match index:
        case Slice(step=Literal("NoneType") | Number("int", constant=1)):
            return not (index.stop == lattice.NONE and _is_from_start(index.start))
    return False


def _is_from_start(start: Value) -> bool:
    match start:
        case Number("int", constant=int() as place):
            return place >= 0
        case Number("int", constant=Size()):
            return True
    return start == lattice.NONE


def _length(value: Value) -> Dimension:
    match value:
        case Sequence():
            return arithmetic.length(value)
        case Array(shape=(size, *_)):
            return size
    return None


def is_scalar(value: Value) -> bool:
    """Tells whether a value is a number, or an array without axes."""
    is_array = isinstance(value, Array) and value.library == "numpy"
    return isinstance(value, Number) or (is_array and broadcasting.shape_of(value) == ())


def is_double(value: Value) -> bool:
    """Tells whether a value is a float of double precision, or an array of such."""
    match value:
        case Number(kind="float", dtype=dtype):
            return dtype in (None, EITHER, "float64")
        case Array(dtype="float64", library="numpy"):
            return True
    return False


def _is_double(value: Value) -> bool:
    """Tells whether all numbers in a value are of double precision, or integers."""
    match value:
        case Unknown():
            return False
        case Number(kind=kind, dtype=dtype):
            return kind != "complex" and (dtype in (None, EITHER) or _is_exact(dtype))
        case Array(dtype=str() as dtype, library="numpy") | Numeric(dtype=str() as dtype):
            return _is_exact(dtype)
        case Array() | Numeric():
            return False
    return all(_is_double(held) for _, held in lattice.parts(value))


def _is_complex(value: Value) -> bool:
    """Tells whether complex numbers are surely in a value."""
    found = dtypes.kind_of(value)
    if found is not None:
        return found == "complex"
    return any(_is_complex(held) for _, held in lattice.parts(value))


def _is_single(value: Value) -> bool:
    """Tells whether floats of less than double precision are surely in a value."""
    match value:
        case Number(dtype=str() as dtype) | Array(dtype=str() as dtype) | Numeric(str() as dtype):
            return dtype in SINGLE
    return any(_is_single(held) for _, held in lattice.parts(value))


def _is_exact(dtype: str) -> bool:
    return dtype == "float64" or dtypes.kind(dtype) in ("bool", "int")
