"""Shapes: to which arrays broadcast, and arithmetic with sizes."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import zip_longest
from typing import TypeAlias

from adlsp.transform.frozen import dataclass
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    SEVERAL,
    Array,
    Dimension,
    Number,
    Size,
    Value,
    is_not_one,
)

Axes: TypeAlias = tuple[Dimension, ...]
"""The sizes of all axes."""


def is_one(size: Dimension) -> bool:
    """Tells whether a size is surely one."""
    return size == 1


def together(one: Dimension, other: Dimension) -> Dimension:
    """The size to which two broadcast, in a program that runs."""
    if one is not None and one == other:
        return one
    if is_one(one):
        return other
    if is_one(other) or (is_not_one(one) and one != SEVERAL):
        return one
    if is_not_one(other):
        return other
    return one if one == SEVERAL else None


def broadcast(shapes: Iterable[Axes | None]) -> Axes | None:
    """The shape to which some broadcast; None where a rank is not known."""
    found: Axes = ()
    for shape in shapes:
        if shape is None:
            return None
        pairs = zip_longest(reversed(found), reversed(shape), fillvalue=1)
        found = tuple(together(one, other) for one, other in pairs)[::-1]
    return found


def plus(one: Dimension, other: Dimension) -> Dimension:
    """The sum of two sizes."""
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    if SEVERAL in (one, other):
        return None
    if isinstance(one, Size) and isinstance(other, int):
        return one + other
    return other + one if isinstance(one, int) and isinstance(other, Size) else None


def minus(one: Dimension, other: Dimension) -> Dimension:
    """The difference of two sizes."""
    if isinstance(other, int):
        return plus(one, -other)
    if isinstance(one, Size) and isinstance(other, Size) and SEVERAL not in (one, other):
        return one.plus - other.plus if one.symbol == other.symbol else None
    return None


def times(one: Dimension, other: Dimension) -> Dimension:
    """The product of two sizes."""
    if isinstance(one, int) and isinstance(other, int):
        return one * other
    for size, factor in ((one, other), (other, one)):
        if factor == 1:
            return size
        if factor == 0:
            return 0
    return None


def product(sizes: Iterable[Dimension]) -> Dimension:
    """The product of some sizes."""
    found: Dimension = 1
    for size in sizes:
        found = times(found, size)
    return found


def total(sizes: Iterable[Dimension]) -> Dimension:
    """The sum of some sizes."""
    found: Dimension = 0
    for size in sizes:
        found = plus(found, size)
    return found


def number(size: Dimension) -> Number:
    """A size as a number."""
    return ANY_INTEGER if size in (None, SEVERAL) else Number("int", constant=size)


def size(value: Value) -> Dimension:
    """A number as a size; None where it is not known."""
    match value:
        case Number("int", constant=int() | Size() as found):
            return found
    return None


def rank(value: Value) -> int | None:
    """How many axes a number or an array has."""
    match value:
        case Number():
            return 0
        case Array():
            return value.rank
    return None


def place(axis: int, rank: int) -> int:
    """The place of an axis that may be counted from the last one."""
    return operator.index(axis) + rank if axis < 0 else axis


@dataclass(frozen=True, slots=True)
class Reduction:
    """What broadcasting repeats: so many `leading` axes, and some `kept` ones, of length one."""

    leading: int = 0
    kept: tuple[int, ...] = ()


def reduction(own: Value, whole: Value) -> Reduction | None:
    """What broadcasting of a value to another, in the same pass, repeats; None if that is unknown.

    Only that of an axis counts which may be one: all others are as long as they become.
    """
    shape, wide = shape_of(own), shape_of(whole)
    if shape is None or wide is None or len(wide) < len(shape):
        return None
    leading = len(wide) - len(shape)
    kept = []
    for axis, (size, given) in enumerate(zip(shape, wide[leading:], strict=True)):
        if size == 1:
            if given != 1:
                kept.append(axis)
        elif not (size == given is not None or given == 1 or is_not_one(size)):
            return None
    return Reduction(leading, tuple(kept))


def shape_of(value: Value) -> tuple[Dimension, ...] | None:
    """The shape of a number or of an array, if it is known."""
    match value:
        case Number():
            return ()
        case Array(shape=shape):
            return shape
    return None
