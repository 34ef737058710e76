"""What instances of functions tell apart of the values that they are given.

Of objects it is the class and what each attribute holds: numbers, whichever, or an option by value.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform.values import lattice
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


def is_told(value: Value) -> bool:
    """Tells whether instances of functions may tell a value apart from others."""
    is_option = isinstance(value, Literal) and value.kind == "str" and value.value is not None
    return is_option or has_objects(value)


def holds_numbers(value: Value) -> bool:
    """Tells whether a value is numbers, or a structure in which some may be."""
    return isinstance(value, Number | Array | Numeric | Sequence | Mapped | Object)


def of(value: Value) -> Value:
    """The structure of a value."""
    match value:
        case Number() | Array() | Numeric():
            return Numeric()
        case Sequence(is_list, tuple() as items):
            structures = tuple(map(of, items))
            if len({*structures}) == 1 and is_list:
                return Sequence(is_list, None, structures[0])
            return Sequence(is_list, structures)
        case Sequence(is_list, None, each):
            return Sequence(is_list, None, of(each))
        case Mapped() | Object():
            parts = (of(part) for _, part in lattice.parts(value))
            return lattice.holding(replace(value, sites=lattice.NOWHERE), parts)
        case Function(_, (), (), ()):
            return value
        case Literal("str" | "NoneType"):
            return value
    return UNKNOWN
