"""What becomes of lists and dictionaries that change: appends, entries, methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, Protocol

from adlsp.transform.ir import Attribute, targets
from adlsp.transform.values import arithmetic, indexing, places, transfer
from adlsp.transform.values.elements import element
from adlsp.transform.values.lattice import (
    UNKNOWN,
    UNREACHED,
    Array,
    Dimension,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Sequence,
    Size,
    Unknown,
    Value,
    constant_of,
    join,
    unsized,
)
from adlsp.transform.values.transfer import Given


def augmented(operator: str, base: Value, value: Value) -> Value:
    """What `base += value` makes of a variable; an array keeps its dtype and its shape."""
    if isinstance(base, Array) and base.library == "numpy":
        return base
    if isinstance(base, Sequence) and base.is_list and operator == "operator.add":
        if base.items is not None and isinstance(value, Sequence) and value.items is not None:
            both = (*base.items, *value.items)
            if len(both) <= arithmetic.MOST:
                return replace(base, items=both)
        each = unsized(join(base.element, element(value)))
        return Sequence(is_list=True, each=each, sites=base.sites)
    if isinstance(base, Array | Number | Numeric | Literal | Sequence):
        return transfer.result(operator, Given((base, value), {}))
    return Unknown("an augmented assignment to what is not known")


def appended(base: Value, value: Value) -> Value:
    """A list that has become longer by one."""
    match base:
        case Sequence(is_list=True, items=tuple() as items):
            return replace(base, items=(*items, value))
        case Sequence(is_list=True):
            each = unsized(join(base.each, value))
            return replace(base, each=each, size=_longer(base.size))
    return places.lost(base)


def is_into_array(base: Value, index: Value, *, is_whole: bool) -> bool:
    """Tells whether a store surely changes an array and no more, be it one in a container.

    `is_whole`: `xs[i] += v` changes the array that is there as a whole.
    """
    path = indexing.path(index)
    for each in path if is_whole else path[:-1]:
        if not isinstance(base, Array):
            base = transfer.result("operator.getitem", Given((base, each), {}))
    return isinstance(base, Array) and base.library == "numpy"


def stored(base: Value, index: Value, value: Value) -> Value:
    """A container in which a place is set; an array stays what it is."""
    first, *others = indexing.path(index)
    inner = transfer.result("operator.getitem", Given((base, first), {})) if others else UNREACHED
    if others and (has_attribute(index) or is_placed(inner)):
        rest = Object(indexing.PATH, tuple((str(i), each) for i, each in enumerate(others)))
        return stored(base, first, stored(inner, rest if len(others) > 1 else others[0], value))
    match base, constant_of(index):
        case Object(attributes=attributes), str() as name:
            return replace(base, attributes=tuple({**dict(attributes), str(name): value}.items()))
        case Sequence(items=tuple() as items), int(at) if -len(items) <= at < len(items):
            at %= len(items)
            return replace(base, items=(*items[:at], value, *items[at + 1 :]))
        case Sequence(is_list=True), _:
            each = unsized(join(base.element, value))
            size = base.size if base.items is None else len(base.items)
            is_place = isinstance(index, Number)
            return replace(base, items=None, each=each, size=size if is_place else None)
        case Mapped(items=tuple() as entries), (str() | int() | float() | bool()) as key:
            return replace(base, items=tuple({**dict(entries), key: value}.items()))
        case Mapped(), _:
            return Mapped(None, unsized(join(base.element, value)), base.sites)
    return base if isinstance(base, Array | Number) else places.lost(base)


def is_placed(value: Value) -> bool:
    """Tells whether a value is a list or dictionary of which it is known where it was made."""
    return isinstance(value, Sequence | Mapped) and bool(places.own_sites(value))


def has_attribute(index: Value) -> bool:
    """Tells whether a place is one of an attribute, or behind it."""
    return any(isinstance(constant_of(each), Attribute) for each in indexing.path(index))


class Setting(Protocol):
    """What is known of the classes of a program."""

    def unset(self, of: str, name: str) -> str:
        """Why a store into an attribute is not just that; empty where it is."""

    def member(self, of: str, name: str, above: str = "") -> object | None:
        """What a class has under a name, if that is known and stays what it is."""

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""


def obstacle(base: Value, index: Value, operator: str, known: Setting) -> str | None:
    """Why a store at the place of an attribute may be more than that; None where it is a store.

    What is empty is that nothing is known of the object: `box.kept += v` changes what its class
    has, where the object has nothing of its own by that name.
    """
    path = indexing.path(index)
    for place, each in enumerate(path):
        name = constant_of(each)
        if isinstance(name, Attribute):
            if not isinstance(base, Object):
                return ""
            is_last = place == len(path) - 1
            if is_last and (reason := known.unset(base.of, name)):
                return reason
            is_read = not is_last or targets.is_operator(operator)
            is_fixed = is_last and known.member(base.of, name) is not None
            held = dict(base.attributes).get(name)
            is_own = held is not None and (held != UNKNOWN or known.holds(base.of, name))
            if is_read and not (is_fixed or is_own):
                return ""
        base = transfer.result("operator.getitem", Given((base, each), {}))
    return None


def by_method(dotted: str, given: Given) -> Value | None:
    """What a method makes of the list or dictionary that it is called on; None if it is no such."""
    home, _, name = dotted.rpartition(".")
    if (
        (home != "ndarray" and dotted not in OF_TAPES)
        or name not in METHODS
        or not given.args
        or (given.keywords and name != "update")
    ):
        return None
    base, *args = given.args
    if given.keywords:
        args.append(Mapped(tuple(given.keywords.items())))
    is_tuple = isinstance(base, Sequence) and not base.is_list
    method = METHODS[name]
    if not isinstance(base, Sequence | Mapped) or is_tuple or len(args) not in method.n_arguments:
        return None
    return method.change(base, *args)


def _extended(base: Value, given: Value) -> Value:
    return augmented("operator.add", base, given)


def _inserted(base: Value, place: Value, value: Value) -> Value:
    match base, constant_of(place):
        case Sequence(is_list=True, items=tuple() as items), int(at):
            return replace(base, items=(*items[:at], value, *items[at:]))
    return _reordered(appended(base, value))


def _reordered(base: Value, *_: Value) -> Value:
    """A list of which the elements are in other places, or some are gone."""
    if isinstance(base, Mapped):
        return Mapped(None, unsized(base.element), base.sites)
    assert isinstance(base, Sequence)
    return replace(base, items=None, each=unsized(base.element), size=None)


def _popped(base: Value, *args: Value) -> Value:
    if isinstance(base, Sequence) and base.items and not args:
        return replace(base, items=base.items[:-1])
    return _reordered(base)


def _cleared(base: Value) -> Value:
    if isinstance(base, Mapped):
        return Mapped((), UNREACHED, base.sites)
    return Sequence(is_list=True, items=(), sites=places.own_sites(base))


def _defaulted(base: Value, key: Value, value: Value) -> Value:
    if isinstance(base, Mapped) and base.items is not None:
        known = constant_of(key)
        if any(known == key for key, _ in base.items):
            return base
    return stored(base, key, value) if isinstance(base, Mapped) else places.lost(base)


def _updated(base: Value, other: Value) -> Value:
    if not isinstance(base, Mapped) or not isinstance(other, Mapped):
        return places.lost(base)
    if base.items is not None and other.items is not None:
        return replace(base, items=tuple({**dict(base.items), **dict(other.items)}.items()))
    return Mapped(None, unsized(join(base.element, other.element)), base.sites)


class Method(NamedTuple):
    """What a method makes of its object, and with how many arguments it is followed."""

    change: Callable[..., Value]
    n_arguments: tuple[int, ...]


OF_TAPES = "python.append", "python.pop"
"""The steps by which derivatives write and read their lists."""

METHODS = MappingProxyType(
    {
        "append": Method(appended, (1,)),
        "clear": Method(_cleared, (0,)),
        "extend": Method(_extended, (1,)),
        "insert": Method(_inserted, (2,)),
        "pop": Method(_popped, (0, 1, 2)),
        "popitem": Method(_reordered, (0,)),
        "remove": Method(_reordered, (1,)),
        "reverse": Method(_reordered, (0,)),
        "setdefault": Method(_defaulted, (2,)),
        "sort": Method(_reordered, (0,)),
        "update": Method(_updated, (1,)),
    }
)


def _longer(size: Dimension) -> Dimension:
    return size + 1 if isinstance(size, int | Size) else None


def forgotten(base: Value) -> Value:
    """What is left of a list or dictionary from which something was taken."""
    return _reordered(base) if isinstance(base, Sequence | Mapped) else base
