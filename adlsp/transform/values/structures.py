"""What instances of functions tell apart of the values that they are given.

Of objects it is the class and what each attribute holds: numbers, whichever, or an option by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform.ir import targets
from adlsp.transform.values import lattice, places
from adlsp.transform.values.lattice import (
    UNKNOWN,
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Sequence,
    Value,
)


def has_objects(value: Value) -> bool:
    """Tells whether a value is an object of a user's class, or surely holds some."""
    match value:
        case Object():
            return True
        case Sequence() | Mapped():
            return any(has_objects(part) for _, part in lattice.parts(value))
    return False


def has_functions(value: Value) -> bool:
    """Tells whether a list, a tuple or a dictionary surely holds functions."""
    if not isinstance(value, Sequence | Mapped):
        return False
    held = [part for _, part in lattice.parts(value)]
    return any(isinstance(part, Function) or has_functions(part) for part in held)


def functions(value: Value) -> Iterator[str]:
    """The functions that a value is, or holds, by their dotted names."""
    if isinstance(value, Function):
        yield value.dotted
    for _, part in lattice.parts(value):
        yield from functions(part)


def called(value: Value) -> Iterator[str]:
    """The functions that a value is, or holds, and those by which its objects are called."""
    if isinstance(value, Function | Object):
        yield value.dotted if isinstance(value, Function) else f"{value.of}.__call__"
    for _, part in lattice.parts(value):
        yield from called(part)


def is_told(value: Value) -> bool:
    """Tells whether instances of functions may tell a value apart from others."""
    is_option = isinstance(value, Literal) and value.kind == "str" and value.value is not None
    return is_option or has_objects(value) or has_functions(value)


def is_option(value: Value) -> bool:
    """Tells whether a value is None, or true or false, and known to be."""
    constant = lattice.constant_of(value)
    return constant is None or isinstance(constant, bool)


def keeps(value: Value) -> bool:
    """Tells whether a value is, or holds, a function that keeps something.

    What a decorator was given, and gives back, counts as such.
    """
    is_one = isinstance(value, Function) and bool(
        value.bound or value.keywords or isinstance(value.dotted, targets.Bare | targets.Derivative)
    )
    return is_one or any(keeps(part) for _, part in lattice.parts(value))


def given(value: Value) -> Value:
    """The value as it comes from outside, with the functions that are in it."""
    made = lattice.holding(value, [given(part) for _, part in lattice.parts(value)])
    return replace(made, is_given=True) if isinstance(made, Function) and keeps(made) else made


def holds_numbers(value: Value) -> bool:
    """Tells whether a value is numbers, or a structure in which some may be."""
    return isinstance(value, Number | Array | Numeric | Sequence | Mapped | Object)


def of_arguments(given: Mapping[str, Value]) -> dict[str, Value]:
    """The structures of what a function is given, with what stands there before.

    Where something does, elements of lists are told apart, for these may be what it is.
    """
    values = places.as_arguments(given)
    return {n: _of(v, is_told=any(map(_refers, values.values()))) for n, v in values.items()}


def _refers(value: Value) -> bool:
    """Tells whether a value, or a part of it, is an object that stands elsewhere."""
    return bool(places.own_sites(value)) or any(map(_refers, lattice.contents(value)))


def of(value: Value) -> Value:
    """The structure of a value."""
    return _of(value, is_told=False)


def _of(value: Value, *, is_told: bool) -> Value:
    """The structure of a value; `is_told`: with the places that it has, and each element."""
    made: Value
    match value:
        case Number() | Array() | Numeric():
            return Numeric()
        case Sequence(is_list, tuple() as items):
            structures = tuple(_of(item, is_told=is_told) for item in items)
            made = Sequence(is_list, structures)
            if len({*structures}) == 1 and is_list and not is_told:
                made = Sequence(is_list, None, structures[0])
            return replace(made, sites=value.sites) if is_told else made
        case Sequence(is_list, None, each):
            made = Sequence(is_list, None, _of(each, is_told=is_told))
            return replace(made, sites=value.sites) if is_told else made
        case Mapped() | Object():
            parts = (_of(part, is_told=is_told) for _, part in lattice.parts(value))
            sites = value.sites if is_told else lattice.NOWHERE
            return lattice.holding(replace(value, sites=sites), parts)
        case Function(_, (), (), ()):
            return value
        case Function(is_given=True):
            return lattice.holding(
                value, [_of(part, is_told=is_told) for _, part in lattice.parts(value)]
            )
        case Literal("str" | "NoneType"):
            return value
    return UNKNOWN
