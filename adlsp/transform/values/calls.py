"""A call as the transfer functions see it: a function's record, and arguments by their names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache

from adlsp.transform.frozen import dataclass
from adlsp.transform.ops.spec import Makes, Op
from adlsp.transform.values import broadcasting, dtypes
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.lattice import (
    NONE,
    OF_KIND,
    UNREACHED,
    Array,
    Dimension,
    Literal,
    Number,
    Numeric,
    Range,
    Sequence,
    Unknown,
    Value,
    constant_of,
    of_constant,
)

Operand = Number | Array | Numeric
"""What NumPy computes with."""


class UntoldError(Exception):
    """What a call gives cannot be told; caught by `transfer.result`, as which it is `Unknown`."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function: its record, all arguments by position, and those that have names."""

    dotted: str
    record: Op
    args: tuple[Value, ...]
    named: Mapping[str, Value]

    @property
    def first(self) -> Value:
        """The first argument."""
        return self.at(0)

    def at(self, place: int) -> Value:
        """The argument at a place, in the order of the parameters."""
        values = tuple(self.named.values()) if self.record.parameters else self.args
        if place >= len(values):
            raise UntoldError(f"`{self.dotted}` has fewer arguments")
        return values[place]

    @property
    def pair(self) -> tuple[Value, Value]:
        """The two arguments of an operator."""
        if len(self.args) != 2:
            raise UntoldError(f"`{self.dotted}` takes two arguments")
        return self.args[0], self.args[1]

    def get(self, name: str) -> Value:
        """The argument of a name, or `None`."""
        return self.named.get(name, NONE)

    def has(self, name: str) -> bool:
        """Tells whether there is an argument of that name other than `None`."""
        return self.get(name) != NONE

    def integer(self, name: str) -> int:
        """The integer that an argument surely is."""
        found = self.integers(name)
        if len(found) != 1:
            raise UntoldError(f"`{name}` of `{self.dotted}` is not one integer")
        return found[0]

    def integers(self, name: str) -> tuple[int, ...]:
        """The integers that an argument surely is: one, or a tuple of them."""
        given = self.get(name)
        items: tuple[Value, ...] | None = (given,)
        match given:
            case Sequence():
                items = given.items
            case Literal("tuple", tuple() as constants):
                items = tuple(map(of_constant, constants))
        found = [] if items is None else [constant_of(item) for item in items]
        whole = tuple(int(each) for each in found if isinstance(each, int))
        if items is None or len(whole) != len(items):
            raise UntoldError(f"`{name}` of `{self.dotted}` is not known")
        return whole

    def flag(self, name: str) -> bool:
        """The truth value that an argument surely is; none is false."""
        found = constant_of(self.get(name))
        if found is UNREACHED:
            raise UntoldError(f"`{name}` of `{self.dotted}` is not known")
        return bool(found)

    def operand(self, place: int = 0) -> Operand:
        """An argument as a number or an array."""
        return operand(self.at(place))

    def strong(self, place: int) -> Operand:
        """The same, where a number of Python's counts as much as an array."""
        found = self.operand(place)
        if isinstance(found, Number) and found.dtype is None:
            return Number(found.kind, OF_KIND[found.kind])
        return found

    def dtype(self, *operands: Operand) -> str | None:
        """The dtype of the result, by the record or the argument `dtype`."""
        if self.has("dtype"):
            return self.told_dtype()
        return dtypes.of(self.record.dtype, operands)

    def told_dtype(self) -> str | None:
        """The dtype that the argument `dtype` tells."""
        found = dtypes.told(self.get("dtype"))
        if found is None and self.get("dtype") != Literal("dtype"):
            raise UntoldError("a dtype")
        return found


def bind(dotted: str, record: Op, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Call:
    """A call whose arguments have the names of the parameters, with defaults filled in."""
    if record.parameters is None:
        if record.makes is not Makes.ZIPPED and any(name.startswith("*") for name in keywords):
            raise UntoldError("how many arguments there are")
        return Call(dotted, record, args, keywords)
    named: dict[str, Value] = {}
    rest = list(args)
    given = dict(keywords)
    for name, default in parameters(record.parameters):
        if name.startswith("*"):
            named[name[1:]] = _gathered(rest)
            rest = []
        elif rest:
            named[name] = rest.pop(0)
        elif name in given:
            named[name] = given.pop(name)
        elif default is not None:
            named[name] = default
        else:
            raise UntoldError(f"`{dotted}` lacks `{name}`")
    if rest or given:
        raise UntoldError(f"`{dotted}` has arguments of which nothing is known")
    return Call(dotted, record, args, named)


def _gathered(rest: list[Value]) -> Value:
    """The value of `*shape`: one argument as it is, several as a tuple, none as `None`."""
    if not rest:
        return NONE
    return rest[0] if len(rest) == 1 else Sequence(is_list=False, items=tuple(rest))


@cache
def parameters(written: str) -> tuple[tuple[str, Value | None], ...]:
    """The parameters of a record, each with the value of its default."""
    found: list[tuple[str, Value | None]] = []
    for each in written.replace("|", "").split():
        name, sign, default = each.partition("=")
        found.append((name, _default(ast.literal_eval(default)) if sign else None))
    return tuple(found)


def _default(value: object) -> Value:
    if isinstance(value, tuple):
        return Sequence(is_list=False, items=tuple(map(_default, value)))
    return of_constant(value)


def operand(value: Value) -> Operand:
    """A value as NumPy takes it: a list is an array."""
    match value:
        case Array(library=library) if library != "numpy":
            raise UntoldError(f"an array of {library}")
        case Number(dtype=dtype) | Array(dtype=dtype) | Numeric(dtype=dtype):
            if dtype is not None and dtypes.named(dtype) != dtype:
                raise UntoldError(f"numbers of {dtype}")
            return value
        case Range(size=size):
            return Array("int64", (size,))
        case Sequence():
            return _of_sequence(value)
        case Unknown(why):
            raise UntoldError(why)
    raise UntoldError("no number and no array")


def _of_sequence(value: Sequence) -> Operand:
    """The array of the elements of a list; a list of any length is taken for one that has some."""
    if value.items is None:
        if value.each == UNREACHED:
            return Array("float64", (0,))
        inner = operand(value.each)
        return stacked(dtypes.in_array((inner,)), value.size, (inner,))
    if not value.items:
        return Array("float64", (0,))
    parts = tuple(map(operand, value.items))
    return stacked(dtypes.in_array(parts), len(parts), parts)


def stacked(dtype: str | None, size: Dimension, parts: tuple[Operand, ...]) -> Array:
    """An array of some arrays of one shape."""
    shapes = [shape(part) for part in parts]
    known = [each for each in shapes if each is not None]
    if len(known) < len(parts):
        return Array(dtype, None)
    if len({len(each) for each in known}) > 1:
        raise UntoldError("lists of several shapes")
    axes = tuple(alike(sizes) for sizes in zip(*known, strict=True))
    return Array(dtype, (size, *axes))


def alike(sizes: Iterable[Dimension]) -> Dimension:
    """The size that is each of some, which are the same in a program that runs."""
    return next((size for size in sizes if size is not None), None)


def shape(value: Operand) -> Axes | None:
    """The shape of a number or an array; None where the rank is not known."""
    match value:
        case Number():
            return ()
        case Array(shape=found):
            return found
    return None


def known_shape(value: Operand) -> Axes:
    """The shape of what must have a known rank."""
    found = shape(value)
    if found is None:
        raise UntoldError("an array of unknown rank")
    return found


def axes(given: Iterable[int], rank: int) -> tuple[int, ...]:
    """The places of some axes of an array."""
    found = tuple(broadcasting.place(axis, rank) for axis in given)
    if any(not 0 <= axis < rank for axis in found):
        raise UntoldError("an axis that an array does not have")
    return found


def made(dtype: str | None, axes: Axes | None) -> Operand:
    """What functions give that give numbers instead of arrays without axes."""
    if axes:
        return Array(dtype, axes)
    if axes is None or dtype is None:
        return Numeric(dtype)
    return Number(dtypes.kind(dtype), dtype)


def text() -> Literal:
    """A text that is not known."""
    return Literal("str")
