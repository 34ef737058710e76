"""Concrete values against abstract ones: how one is made of the other, and whether it is within.

An abstraction forgets something of a value. Symbols stand for sizes: what each stands for is
remembered, so that a size of a result can be looked at.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adlsp.transform.values import lattice
from adlsp.transform.values.lattice import (
    EITHER,
    UNREACHED,
    Array,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Range,
    Run,
    Sequence,
    Size,
    Slice,
    Unknown,
    Unreached,
    Value,
    joined,
)


@dataclass
class Abstraction:
    """What is kept of a value."""

    has_symbols: bool = False
    """Sizes are symbols, of which one knows whether they are one."""

    is_apart: bool = False
    """Each size is a symbol of its own, of which nothing is known."""

    has_ranks: bool = True
    has_dtypes: bool = True
    has_constants: bool = True
    has_items: bool = True
    """Lists are known element by element."""

    sizes: dict[object, int] = field(default_factory=dict)
    """What the symbols stand for."""

    counter: Iterator[int] = field(default_factory=itertools.count)

    def size(self, size: int) -> Dimension:
        if self.is_apart:
            found = Size(f"a{next(self.counter)}")
        elif self.has_symbols and size != 1:
            found = Size(f"n{size}", may_be_one=False)
        else:
            return size
        self.sizes[found.symbol] = size
        return found

    def of(self, value: Any) -> Value:
        """The abstract value; `Unknown` for what has none."""
        match value:
            case bool() | int() | float() | complex() if not isinstance(value, np.generic):
                constant = value if self.has_constants else None
                return Number(type(value).__name__, constant=constant)
            case None | str():
                return Literal(type(value).__name__, value)
            case _ if value is ...:
                return Literal("ellipsis", ...)
            case np.generic() if value.dtype.kind in "biufc":
                if not self.has_dtypes:
                    return Numeric()
                return Number(kind(value.dtype), value.dtype.name)
            case np.ndarray() if type(value) is np.ndarray and value.dtype.kind in "biufc":
                shape = tuple(map(self.size, value.shape)) if self.has_ranks else None
                return Array(value.dtype.name if self.has_dtypes else None, shape)
            case list() | tuple():
                return self._sequence(value)
            case dict():
                return self._mapped(value)
            case range() if value.start == 0 and value.step == 1:
                return Range(len(value))
            case slice():
                return Slice(*(self.of(e) for e in (value.start, value.stop, value.step)))
            case type() if value.__module__ in ("builtins", "numpy"):
                return Function(f"{value.__module__}.{value.__name__}")
            case np.dtype():
                return Literal("dtype", value.name)
        return Unknown("a value")

    def _sequence(self, value: Any) -> Value:
        items = tuple(map(self.of, value))
        is_list = isinstance(value, list)
        if self.has_items or not is_list:
            return Sequence(is_list, items)
        return Sequence(is_list, None, joined(items), self.size(len(value)))

    def _mapped(self, value: dict[Any, Any]) -> Value:
        entries = tuple((key, self.of(entry)) for key, entry in value.items())
        if self.has_items:
            return Mapped(entries)
        return Mapped(None, joined(entry for _, entry in entries))

    def is_size(self, told: Dimension, size: int) -> bool:
        """Tells whether a size is one that may be meant."""
        return told is None or self.meant(told) == size

    def meant(self, told: Size | int | None) -> int | None:
        """The size that a symbol stands for; of a part of an axis that of the part."""
        match told:
            case Size((_, "part", whole, *ends), plus):
                length, (start, stop) = self.meant(whole), map(self.meant, ends)
                return len(range(length or 0)[start:stop]) + plus
            case Size((*whole, "/", more, count), plus):
                symbol = tuple(whole) if len(whole) > 1 else whole[0]
                return (self.sizes[symbol] + more) // count + plus
            case Size(symbol, plus):
                return self.sizes[symbol] + plus
        return told

    def has(self, told: Value, value: Any) -> bool:
        """Tells whether a value is one of those that an abstract value stands for."""
        match told:
            case Unknown():
                return True
            case Unreached():
                return False
            case Number():
                return self._is_number(told, value)
            case Array():
                return self._is_array(told, value)
            case Numeric(dtype=dtype):
                is_known = isinstance(value, np.ndarray | np.generic | int | float | complex)
                return is_known and (dtype is None or getattr(value, "dtype", None) == dtype)
            case Sequence():
                return self._is_sequence(told, value)
            case Mapped():
                return self._is_mapped(told, value)
            case Literal("dtype", name):
                return isinstance(value, np.dtype) and (name is None or value.name == name)
            case Literal(given, known):
                is_kind = type(value).__name__ == given
                return is_kind and (known is None or known == value)
            case Range(size=size):
                return isinstance(value, range) and self.is_size(size, len(value))
            case Run(each, size):
                elements = list(value)
                every = all(self.has(each, element) for element in elements)
                return every and self.is_size(size, len(elements))
            case Slice(start, stop, step):
                ends = ((start, value.start), (stop, value.stop), (step, value.step))
                return all(self.has(end, given) for end, given in ends)
        raise AssertionError(told)

    def _is_number(self, told: Number, value: Any) -> bool:
        if told.dtype == EITHER:
            return any(self.has(one, value) for one in lattice.either(told))
        if told.dtype is None:
            is_kind = type(value).__name__ == told.kind
        else:
            is_kind = isinstance(value, np.generic) and value.dtype == told.dtype
            is_kind = is_kind and kind(value.dtype) == told.kind
        if not is_kind or told.constant is None:
            return is_kind
        if isinstance(told.constant, Size):
            return self.is_size(told.constant, value)
        return bool(told.constant == value)

    def _is_array(self, told: Array, value: Any) -> bool:
        if not isinstance(value, np.ndarray) or told.library != "numpy":
            return False
        if told.dtype is not None and value.dtype != told.dtype:
            return False
        if told.shape is None:
            return True
        return len(told.shape) == value.ndim and all(map(self.is_size, told.shape, value.shape))

    def _is_sequence(self, told: Sequence, value: Any) -> bool:
        if isinstance(value, list) != told.is_list:
            value = tuple(value) if not isinstance(value, list | tuple) else None
        if value is None:
            return False
        if told.items is None:
            every = all(self.has(told.each, element) for element in value)
            return every and self.is_size(told.size, len(value))
        return len(value) == len(told.items) and all(map(self.has, told.items, value))

    def _is_mapped(self, told: Mapped, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        if told.items is None:
            return all(self.has(told.each, entry) for entry in value.values())
        items = dict(told.items)
        return items.keys() == value.keys() and all(self.has(items[k], v) for k, v in value.items())


def kind(dtype: np.dtype[Any]) -> str:
    """The kind of Python's numbers that is like a dtype."""
    return {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}[dtype.kind]


def is_told(told: Value) -> bool:
    """Tells whether kind, dtype and rank of a value are known, and of all its parts."""
    match told:
        case Number() | Literal() | Range():
            return True
        case Array(dtype=dtype, shape=shape):
            return dtype is not None and shape is not None
        case Sequence(items=tuple() as items):
            return all(map(is_told, items))
        case Mapped(items=tuple() as entries):
            return all(is_told(entry) for _, entry in entries)
        case Sequence() | Run() | Mapped():
            return is_told(told.each) or told.each == UNREACHED
    return False
