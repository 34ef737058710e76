"""The text form of values and signatures, for docstrings, hovers, recordings and tests.

`w: float64[n, d], labels: int64[n], p: {"w": float64[n], "b": float}, f: mine.decay`. What is read
back (`parse.py`) is equal, but for sites, for reasons why something is unknown, and for the sizes
that a program makes, which have letters here.

- Numbers: `float`, one of NumPy `np.float64`, one of either `np.float64?`, known ones `3`,
  `np.float64(0.5)`, `float("inf")`.
- Arrays: `float64[n, 1]`; 0-d `float64[]`; of unknown rank `float64[...]`, or unknown dtype `?[n]`;
  a tensor `tf.float32[n]`. A number or an array: `numeric`, `numeric[float64]`.
- Tuples: `(float, int)`, `(float,)`; of one sort `tuple[float, ...]`, and `n` of it
  `tuple[float, n]`. Lists: `[float, int]`, `list[float]`, `list[float, n]`. Dictionaries:
  `{"w": float}`, `dict[float]`.
- Objects: `mine.Linear(w=float64[d])`; what is one or None, `mine.Ball(r=float) | None`.
- Functions, classes and modules: `mine.decay`, `function("numpy")`; with what is bound,
  `partial(mine.decay, float, k=int)`. One of several: `either(mine.decay, mine.growth)`.
- Constants: `"relu"`, `b"relu"`, `None`, `...`, `dtype("float32")`; of unknown value `str`,
  `bytes`, `dtype(?)`.
- Ranges by size and start `range(n)`, `range(n, 1)`; slices `slice(1, None, None)`; what can be run
  through once `run[float]`, `run[float, n]`.
- What is unknown is `?`, what nothing reaches `never`. An object that stands there before is
  `@net.layers[0]`: the same one.

A size `n` is not one, `n?` may be one; `n - 2` may be one, `n - 2 != 1` is not; nothing is known of
the size `?`. An integer that is known as a size is an `int`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator

from adlsp.transform.ir import targets
from adlsp.transform.values import dtypes, lattice, places
from adlsp.transform.values.lattice import (
    EITHER,
    OF_KIND,
    SEVERAL,
    Array,
    Choice,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Run,
    Sequence,
    Signature,
    Size,
    Slice,
    Symbol,
    Unknown,
    Unreached,
    Value,
)

LIBRARIES = {"tf": "tensorflow", "np": "numpy"}
"""What libraries are called in the text."""

LETTERS = "nmkdpqrstuvwabcefgh"

SCALAR = re.compile(rf"np\.({dtypes.SPELLED.pattern})")

NAME = re.compile(r"[^\W\d]\w*(?:\.(?:[^\W\d]\w*|<\w+(?::\d+)*>)(?::\d+)?)*")
"""A dotted name; functions inside others have their places in it."""

WORDS = frozenset(
    (
        *lattice.KINDS,
        *("numeric", "str", "bytes", "None", "True", "False", "never", "list", "tuple", "dict"),
        *("either", "partial", "given", "function", "object", "range", "slice", "run"),
    )
)
"""The names that mean something in a text."""

WIDEST = 64
"""The bits of the largest integers that are written out."""


def text(value: Value) -> str:
    """The text of a value; one that has a place is the object that stands there."""
    return Writer(named_symbols([value]), refers=True).value(value)


def signature_text(signature: Signature, home: str = "") -> str:
    """The text of a signature; classes and functions of the module `home` lose its name."""
    writer = Writer({*signature, *named_symbols(signature.values())}, home, refers=True)
    signature = places.as_arguments(signature)
    own = f"{home}." if home else ""
    told = ((name.removeprefix(own), writer.value(value)) for name, value in signature.items())
    return ", ".join(f"{_named(name)}: {text}" for name, text in told)


def named_symbols(values: Iterable[Value]) -> set[str]:
    """The names of the sizes in some values."""
    found: set[str] = set()
    for value in values:
        sizes: tuple[object, ...] = ()
        match value:
            case Array(shape=tuple() as shape):
                sizes = shape
            case Sequence(size=size) | Range(size=size) | Run(size=size):
                sizes = (size,)
        symbols = (size.symbol for size in sizes if isinstance(size, Size))
        found.update(symbol for symbol in symbols if isinstance(symbol, str))
        found |= named_symbols(part for _, part in lattice.parts(value))
    return found


def letters(taken: Collection[str]) -> Iterator[str]:
    """Names for sizes, in the order in which they are given: n, m, k, d and so on."""
    rounds = 0
    while True:
        every = (f"{letter}{rounds or ''}" for letter in LETTERS)
        yield from (name for name in every if name not in taken)
        rounds += 1


class Writer:
    """Writes values; one size that the program makes has one letter in all of them.

    No letter is one of the names that are `taken`. Where it `refers`, an object that has a place is
    the one that stands there.
    """

    def __init__(
        self, taken: Collection[str] = (), home: str = "", *, refers: bool = False
    ) -> None:
        self._refers = refers
        self._letters = letters(taken)
        self._given: dict[Symbol, str] = {}
        self._home = f"{home}." if home else ""

    def value(self, value: Value) -> str:
        """The text of a value."""
        match value:
            case Sequence(sites=sites) | Mapped(sites=sites) | Object(sites=sites) if (
                sites and self._refers
            ):
                return f"@{min(sites)}{_or_none(value)}"
            case Unreached():
                return "never"
            case Unknown():
                return "?"
            case Number():
                return _number(value)
            case Array(dtype, shape, library=library):
                of = next((short for short, name in LIBRARIES.items() if name == library), library)
                prefix = "" if library == "numpy" else f"{of}."
                sizes = "..." if shape is None else ", ".join(map(self._size, shape))
                return f"{prefix}{dtype or '?'}[{sizes}]"
            case Numeric(dtype):
                return f"numeric[{dtype}]" if dtype else "numeric"
            case Literal():
                return _literal(value)
            case Choice(functions):
                return f"either({', '.join(map(self._function, functions))})"
            case Function():
                return self._function(value)
            case Object(of, attributes):
                return self._called("object", of, self._pairs(attributes)) + _or_none(value)
        return self._structure(value)

    def _structure(self, value: Value) -> str:
        match value:
            case Sequence(is_list, tuple() as items):
                texts = ", ".join(map(self.value, items))
                if value.is_once:
                    return f"run({texts})"
                comma = "," if len(items) == 1 else ""
                return f"[{texts}]" if is_list else f"({texts}{comma})"
            case Sequence(is_list, None, each, size):
                unsized = "" if is_list else ", ..."
                return f"{'list' if is_list else 'tuple'}[{self._each(each, size, unsized)}]"
            case Mapped(tuple() as entries):
                pairs = (f"{_key(key)}: {self.value(held)}" for key, held in entries)
                return f"{{{', '.join(pairs)}}}"
            case Mapped(each=each):
                return f"dict[{self.value(each)}]"
            case Range(size, start):
                from_zero = start == Number("int", constant=0)
                return f"range({self._size(size)}{'' if from_zero else f', {self.value(start)}'})"
            case Slice(start, stop, step):
                return f"slice({', '.join(map(self.value, (start, stop, step)))})"
            case Run(each, size):
                return f"run[{self._each(each, size, '')}]"
        raise TypeError(value)

    def _each(self, each: Value, size: Dimension, unsized: str) -> str:
        return self.value(each) + (unsized if size is None else f", {self._size(size)}")

    def _pairs(self, pairs: Iterable[tuple[str, Value]]) -> list[str]:
        return [f"{name}={self.value(value)}" for name, value in pairs]

    def _function(self, function: Function) -> str:
        dotted, bound, keywords = function.dotted, function.bound, function.keywords
        if self._home and isinstance(dotted, targets.Derivative) and not (bound or keywords):
            return self._derivative(dotted)
        if self._home and isinstance(dotted, targets.Of):  # people read of what they have written
            dotted = targets.defined(dotted)
        if not bound and not keywords:
            is_plain = "." in dotted and _is_plain(dotted)
            return self._short(dotted) if is_plain else f"function({json.dumps(dotted)})"
        given = [*map(self.value, bound), *self._pairs(keywords)]
        word = "given" if function.is_given else "partial"
        return f"{word}({', '.join([self._function(Function(dotted)), *given])})"

    def _derivative(self, called: targets.Derivative) -> str:
        """A derivative as it is asked for."""
        names = ", ".join(map(json.dumps, called.wrt))
        wrt = f"({names}{',' * (len(called.wrt) == 1)})" if called.is_tuple else names
        return f"adlsp.{called.kind}({self._function(Function(called.of))}, wrt={wrt})"

    def _called(self, otherwise: str, dotted: str, given: list[str]) -> str:
        if _is_plain(dotted):
            return f"{self._short(dotted)}({', '.join(given)})"
        return f"{otherwise}({', '.join([json.dumps(dotted), *given])})"

    def _short(self, dotted: str) -> str:
        short = dotted.removeprefix(self._home)
        return short if _is_plain(short) else dotted

    def _size(self, size: Dimension) -> str:
        if not isinstance(size, Size):
            return "?" if size is None else str(size)
        if size == SEVERAL:
            return next(self._letters)
        name = size.symbol
        if not (isinstance(name, str) and name.isidentifier()):  # one that the program makes
            if name not in self._given:
                self._given[name] = next(self._letters)
            name = self._given[name]
        if not size.plus:
            return f"{name}?" if size.may_be_one else name
        moved = f"{name} {'-' if size.plus < 0 else '+'} {abs(size.plus)}"
        return moved if size.may_be_one else f"{moved} != 1"


def _or_none(value: Value) -> str:
    """What stands behind the text of an object that may be None."""
    return " | None" if lattice.may_be_none(value) else ""


def _named(name: str) -> str:
    """The name of a variable, quoted where its module has none that could be written: `01_fit`."""
    return json.dumps(name) if "." in name and not NAME.fullmatch(name) else name


def _is_plain(dotted: str) -> bool:
    """Tells whether a name stands for itself in a text."""
    is_name = bool(NAME.fullmatch(dotted))
    return is_name and dotted not in WORDS and not SCALAR.fullmatch(dotted)


def _number(number: Number) -> str:
    if number.dtype == EITHER:
        return f"np.{OF_KIND[number.kind]}?"
    sort = f"np.{number.dtype}" if number.dtype else number.kind
    constant = number.constant
    if constant is None or isinstance(constant, Size):
        return sort
    if isinstance(constant, int) and constant.bit_length() > WIDEST:
        return sort
    is_literal = not isinstance(constant, complex) and math.isfinite(constant)
    shown = repr(constant) if is_literal else json.dumps(str(constant))
    is_bare = is_literal and sort == type(constant).__name__
    return shown if is_bare else f"{sort}({shown})"


def _literal(literal: Literal) -> str:
    match literal:
        case Literal("NoneType"):
            return "None"
        case Literal("ellipsis"):
            return "..."
        case Literal("str", str() as given):
            return json.dumps(given, ensure_ascii=not given.isprintable())
        case Literal("bytes", bytes() as given):
            return f"b{json.dumps(given.decode('latin-1'))}"
        case Literal("str" | "bytes"):
            return literal.kind
        case Literal(kind, str() as given):
            return f"{kind}({json.dumps(given)})"
    return f"{literal.kind}(?)"


def _key(key: object) -> str:
    """The text of the key of a dictionary: a constant, or a tuple of such."""
    if isinstance(key, tuple):
        return f"({', '.join(map(_key, key))}{',' if len(key) == 1 else ''})"
    return text(lattice.of_constant(key))
