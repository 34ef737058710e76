"""Values as signatures tell them, of what the inference has found where something is made.

Of numbers and sizes only the kind counts, as for the arguments of a call (`library/signatures.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform.ir import targets
from adlsp.transform.values import lattice, places
from adlsp.transform.values.lattice import (
    EITHER,
    SEVERAL,
    UNKNOWN,
    Array,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Object,
    Sequence,
    Signature,
    Size,
    Unknown,
    Value,
)
from adlsp.transform.values.signature import letters

MOST_PARTS = 32
"""How many parts a list, tuple or dictionary has that is told: to ask takes time at each call."""


def is_data(value: Value) -> bool:
    """Tells whether a value is data of which all is known, and little to ask."""
    parts = [value]
    for each in parts:
        inner = lattice.parts(each)
        is_whole = all(step != "[*]" for step, _ in inner)
        is_one = isinstance(each, Number | Literal | Sequence | Mapped)
        if isinstance(each, Array):
            is_one = each.library == "numpy"
        parts += [part for _, part in inner]
        if not (is_one and is_whole) or len(parts) > MOST_PARTS:
            return False
    return True


def of_modules(held: Signature) -> dict[str, Value]:
    """What variables of modules hold, those with data alone: their sizes are of no argument."""
    names = (f"{letter}0" for letter in letters(()))

    def size(own: Dimension, _: tuple[int, ...] | None) -> Dimension:
        return replace(own, symbol=next(names)) if isinstance(own, Size) else own

    return {name: lattice.resized(value, size) for name, value in held.items() if is_data(value)}


def named_after(dotted: str, value: Value) -> Value:
    """The value of a module's variable, whose sizes are none of another one."""
    name = dotted.replace(".", "_")

    def size(own: Dimension, _: tuple[int, ...] | None) -> Dimension:
        return replace(own, symbol=f"{own.symbol}_{name}") if isinstance(own, Size) else own

    return lattice.resized(value, size)


class Told:
    """Values as the arguments of a call tell them: of sizes whether they are one, no numbers."""

    def __init__(self, taken: set[str]) -> None:
        self.names: Iterator[str] = letters(taken)
        self.shapes: dict[tuple[Dimension, ...], tuple[Dimension, ...]] = {}

    def value(self, value: Value) -> Value:
        """An argument itself: arrays of one shape have the same sizes."""
        shape = value.shape if isinstance(value, Array) else None
        if not isinstance(value, Array) or shape is None or {None, SEVERAL}.intersection(shape):
            return self.part(value)
        if shape not in self.shapes:
            self.shapes[shape] = tuple(map(self.size, shape))
        return self.array(value, self.shapes[shape])

    def part(self, value: Value) -> Value:
        """An argument, or what it holds; an object that stands there before has been told."""
        if places.own_sites(value) and not isinstance(value, Array):
            return value
        match value:
            case Array(shape=tuple() as shape):
                return self.array(value, tuple(map(self.size, shape)))
            case Number(dtype=dtype) if dtype == EITHER:
                return UNKNOWN
            case Number(kind="bool"):
                return value
            case Number(kind=kind, dtype=dtype):
                return Number(kind, dtype)
            case Literal(kind) if "." not in kind:
                return value
            case Sequence(items=tuple()) | Mapped(items=tuple()):
                parts = [self.part(part) for _, part in lattice.parts(value)]
                is_known = not any(isinstance(part, Unknown) for part in parts)
                return lattice.holding(value, parts) if is_known else UNKNOWN
            case Function(targets.Nested(of=of), captured=()):
                return self.part(replace(value, dotted=of))
            case Function(captured=()) | Object(above=""):
                return lattice.holding(value, [self.part(part) for _, part in lattice.parts(value)])
        return UNKNOWN

    def array(self, value: Array, shape: tuple[Dimension, ...]) -> Value:
        """An array with other sizes; one of which the dtype is not known tells nothing."""
        is_known = value.dtype is not None and value.library == "numpy" and None not in shape
        return Array(value.dtype, shape) if is_known else UNKNOWN

    def size(self, size: Dimension) -> Dimension:
        """A size of its own, which is one or not; None where nobody knows."""
        if size == 1:
            return 1
        is_several = isinstance(size, int) or (isinstance(size, Size) and not size.may_be_one)
        return Size(next(self.names), may_be_one=False) if is_several else None
