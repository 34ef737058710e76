"""Abstract values: what is known of a value before a program runs.

They form a lattice, whose terms are those of the field: `join` is the least value that says what
two have in common, `UNREACHED` says that nothing comes here, `Unknown` says nothing, and why. A
`Signature` gives one to each parameter (`signature.py` has the text form), `transfer.py` says what
functions make of them, and `inference.py` follows them through a program.

Sizes are symbols, not numbers: a `Size` is that of an axis, of which one only knows whether it may
be one, which is what broadcasting asks. Where a value lives is a set of sites: a parameter, a part
of one, or a statement that allocates; values that share none share no memory. Numbers live nowhere.

(Cousot and Cousot, Abstract interpretation: a unified lattice model for static analysis of programs
by construction or approximation of fixpoints, POPL 1977.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from operator import is_
from os.path import commonprefix
from types import MappingProxyType
from typing import TypeAlias

from adlsp.transform.frozen import dataclass

KINDS = ("bool", "int", "float", "complex")
"""The kinds of Python's numbers, each within the next."""


OF_KIND = MappingProxyType(
    dict(zip(KINDS, ("bool", "int64", "float64", "complex128"), strict=True))
)
"""The dtypes of Python's numbers, where nothing else tells."""

EITHER = "?"
"""In the place of a dtype: the number is Python's, or has the dtype that such numbers have."""

Symbol: TypeAlias = "str | tuple[int | str | Size | None, ...]"
"""What stands for a number: a name, or the place where the program makes it, and what of."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of an axis, or another integer that is not known: a symbol, and what is added.

    The symbol of a signature has a name. That of a value which the program makes has the place of
    the statement that makes it, and in a loop stands for another number in each pass.
    """

    symbol: Symbol
    plus: int = 0
    may_be_one: bool = True

    def __add__(self, other: int) -> Size:
        return replace(self, plus=self.plus + other, may_be_one=True) if other else self


Dimension: TypeAlias = int | Size | None
"""What is known of a size; None is one that is equal to no other."""

SEVERAL = Size(("several",), may_be_one=False)
"""A size that is not one, of which no more is known: it may differ from another such."""


def is_not_one(size: Dimension) -> bool:
    """Tells whether a size is surely another one."""
    return not size.may_be_one if isinstance(size, Size) else size not in (1, None)


def anonymous(size: Dimension) -> Dimension:
    """What is left of a size without its symbol."""
    return SEVERAL if is_not_one(size) else None


Sites: TypeAlias = frozenset[str]
"""The places of memory that a value may live in: a parameter or a part of one, or an allocation."""

NOWHERE: Sites = frozenset()


def is_of_arguments(size: Dimension) -> bool:
    """Tells whether a size is one number for as long as a function runs: that of an argument."""
    if not isinstance(size, Size):
        return size is not None
    return isinstance(size.symbol, str) or size.symbol[0] == 0


@dataclass(frozen=True, slots=True)
class Unreached:
    """The value of what does not run: the least element."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any value: the greatest element. `why` says what was met that is not known."""

    why: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: Python's, of a kind, or NumPy's, which has a dtype; `EITHER` is one of these.

    `constant` is the number itself where the text tells it, or what is known of an integer.
    """

    kind: str
    dtype: str | None = None
    constant: bool | int | float | complex | Size | None = None


LIKE, LIKE_TENSOR = "adlsp", "adlsp of tensorflow"
"""The libraries of what has the shape and the dtype of an array, and no elements: `rt.like(x)`."""

WITH_ELEMENTS = MappingProxyType({LIKE: "numpy", LIKE_TENSOR: "tensorflow"})
"""What these arrays are of."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array of a library. No dtype or no shape: these are not known.

    An axis of the shape is a size, a symbol, or None.
    """

    dtype: str | None = None
    shape: tuple[Dimension, ...] | None = None
    sites: Sites = NOWHERE
    library: str = "numpy"

    @property
    def with_elements(self) -> Array:
        """An array with the shape and the dtype that are kept of one."""
        of = WITH_ELEMENTS.get(self.library)
        return self if of is None else replace(self, library=of)

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self.shape is None else len(self.shape)


@dataclass(frozen=True, slots=True)
class Numeric:
    """A number or an array of NumPy, of which no more is known than perhaps its dtype."""

    dtype: str | None = None
    sites: Sites = NOWHERE


@dataclass(frozen=True, slots=True)
class Sequence:
    """A tuple or a list, by its `items` where these are known, else one value for `each`.

    `size` is the number of elements. Of what `is_once` they can be had in one run only, as of
    `zip(a, b)`; where they are not known, that is a `Run`.
    """

    is_list: bool
    items: tuple[Value, ...] | None = None
    each: Value = Unreached()
    size: Dimension = None
    sites: Sites = NOWHERE
    is_once: bool = False

    @property
    def element(self) -> Value:
        """What each element is."""
        return self.each if self.items is None else joined(self.items)


@dataclass(frozen=True, slots=True)
class Mapped:
    """A dictionary, by its `items` where all keys are known, else one value for each."""

    items: tuple[tuple[object, Value], ...] | None = None
    each: Value = Unreached()
    sites: Sites = NOWHERE

    @property
    def element(self) -> Value:
        """What each entry is."""
        return self.each if self.items is None else joined(value for _, value in self.items)


@dataclass(frozen=True, slots=True)
class Object:
    """An object of a class, with what its attributes hold.

    `above` is the class from which on it is one of those above: that of `super()`. Where it
    `may_be_none`, that is what it is as long as none is found; `None` has no attributes, so that
    what reads one meets the object.
    """

    of: str
    attributes: tuple[tuple[str, Value], ...] = ()
    sites: Sites = NOWHERE
    above: str = ""
    may_be_none: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function, a class or a module, by its dotted name; `bound` are arguments that it has.

    They are given first, as the object is to a method; `keywords` are given as well, as `partial`
    was told. `captured` pairs its parameters for what it has captured with the variables that have
    it, in the function in which it is called. One that `is_given` comes from outside with what it
    keeps: what that is, is no part of what is differentiated.
    """

    dotted: str
    bound: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    captured: tuple[tuple[str, str], ...] = ()
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several functions."""

    functions: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """`None`, `...`, a text, bytes, or a dtype: `value` itself; a text that is not known is None.

    `kind` is the type's name. Of a library's object that is all: the dotted name of its class. A
    text that is not known may `begin` with one that is.
    """

    kind: str
    value: object = None
    begin: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A `range`, of `size` numbers."""

    size: Dimension = None
    start: Value = Number("int", constant=0)


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice, by its ends and its step."""

    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Run:
    """What can be run through once, or its like: `each` is what it gives."""

    each: Value
    size: Dimension = None


Value: TypeAlias = (
    Unreached
    | Unknown
    | Number
    | Array
    | Numeric
    | Sequence
    | Mapped
    | Object
    | Function
    | Choice
    | Literal
    | Range
    | Slice
    | Run
)

SIMPLE = frozenset({Unreached, Unknown, Number, Array, Numeric, Choice, Literal})
"""The types of values that hold no others."""

UNREACHED = Unreached()
UNKNOWN = Unknown()
NONE = Literal("NoneType")
ANY_INTEGER = Number("int")
MOST_FUNCTIONS = 8
"""Of which one knows that a value is one."""

DEEPEST = 6
"""How deep structures are followed."""


def of_constant(value: object) -> Value:
    """The value of a literal."""
    if isinstance(value, bool | int | float | complex):
        return Number(type(value).__name__, constant=value)
    return Literal("str" if isinstance(value, str) else type(value).__name__, value)


def constant_of(value: Value) -> object:
    """The number or the text that a value surely is; `UNREACHED` where it is not known."""
    match value:
        case Number(constant=constant) if constant is not None and not isinstance(constant, Size):
            return constant
        case Literal(kind, given) if given is not None or kind == "NoneType":
            return given
    return UNREACHED


def join(one: Value, other: Value, depth: int = DEEPEST) -> Value:
    """The least value that is both: what is known of a value that is one of two."""
    if one is other or one == other or isinstance(other, Unreached):
        return one
    if isinstance(one, Unreached):
        return other
    if isinstance(one, Unknown) or isinstance(other, Unknown) or not depth:
        return one if isinstance(one, Unknown) else UNKNOWN
    match one, other:
        case Number(), Number():
            return _numbers(one, other)
        case (Number() | Array() | Numeric(), Number() | Array() | Numeric()):
            return _numeric(one, other)
        case Sequence(), Sequence() if one.is_list is other.is_list:
            return _sequences(one, other, depth)
        case Mapped(), Mapped():
            return _mapped(one, other, depth)
        case Object(), Object() if (one.of, one.above) == (other.of, other.above):
            return _objects(one, other, depth)
        case (Object(above="") as held, Literal("NoneType")) | (
            Literal("NoneType"),
            Object(above="") as held,
        ):
            return replace(held, may_be_none=True)
        case Function() | Choice(), Function() | Choice():
            return _choice(one, other)
        case Literal("str", a, begin), Literal("str", b, other_begin):
            texts = [str(begin if a is None else a), str(other_begin if b is None else b)]
            return Literal("str", begin=commonprefix(texts))  # noqa: RUF071 - letters are meant
        case Literal(kind), Literal(given) if kind == given:
            return Literal(kind)
        case Range(), Range():
            return Range(None, join(one.start, other.start))
        case Run(), Run():
            return Run(join(one.each, other.each, depth - 1), same(one.size, other.size))
        case Slice(), Slice():
            ends = zip(_ends(one), _ends(other), strict=True)
            return Slice(*(join(a, b) for a, b in ends))
    return UNKNOWN


def joined(values: Iterable[Value]) -> Value:
    """The join of some values."""
    found: Value = UNREACHED
    for value in values:
        found = join(found, value)
    return found


def same(one: Dimension, other: Dimension) -> Dimension:
    """A size that is one of two."""
    return one if one == other else None


def is_either(value: Value) -> bool:
    """Tells whether a value is a number that is Python's or NumPy's."""
    return isinstance(value, Number) and value.dtype == EITHER


def either(value: Value) -> tuple[Value, ...]:
    """A value; of a number that is Python's or NumPy's, both."""
    if isinstance(value, Number) and value.dtype == EITHER:
        return replace(value, dtype=None), replace(value, dtype=OF_KIND[value.kind])
    return (value,)


def _ends(given: Slice) -> tuple[Value, Value, Value]:
    return given.start, given.stop, given.step


def _numbers(one: Number, other: Number) -> Value:
    if one.kind == other.kind:
        found = {one.dtype, other.dtype}
        if len(found) == 1:
            return Number(one.kind, one.dtype)
        if found <= {None, OF_KIND[one.kind], EITHER}:
            return Number(one.kind, EITHER)
    return Numeric(one.dtype if one.dtype == other.dtype else None)


def _numeric(one: Value, other: Value) -> Value:
    match one, other:
        case Array(), Array() if one.library == other.library:
            shape = None
            if one.shape is not None and other.shape is not None and one.rank == other.rank:
                shape = tuple(map(_either_size, one.shape, other.shape))
            dtype = one.dtype if one.dtype == other.dtype else None
            return Array(dtype, shape, one.sites | other.sites, one.library)
    both = [v for v in (one, other) if isinstance(v, Array | Numeric)]
    if any(isinstance(v, Array) and v.library != "numpy" for v in both):
        return UNKNOWN
    dtypes = {v.dtype for v in (one, other) if isinstance(v, Number | Array | Numeric)}
    sites = NOWHERE.union(*(v.sites for v in both))
    return Numeric(dtypes.pop() if len(dtypes) == 1 else None, sites)


def _either_size(one: Dimension, other: Dimension) -> Dimension:
    """The size of an axis that has one of two."""
    if one == other:
        return one
    return SEVERAL if is_not_one(one) and is_not_one(other) else None


def _choice(one: Function | Choice, other: Function | Choice) -> Value:
    either = (v.functions if isinstance(v, Choice) else (v,) for v in (one, other))
    functions = tuple(dict.fromkeys(each for some in either for each in some))
    return Choice(functions) if len(functions) <= MOST_FUNCTIONS else UNKNOWN


def _sequences(one: Sequence, other: Sequence, depth: int) -> Value:
    sites, is_once = one.sites | other.sites, one.is_once or other.is_once
    if one.items is not None and other.items is not None and len(one.items) == len(other.items):
        items = tuple(join(a, b, depth - 1) for a, b in zip(one.items, other.items, strict=True))
        return Sequence(one.is_list, items, size=one.size, sites=sites, is_once=is_once)
    each, size = unsized(join(one.element, other.element, depth - 1)), same(one.size, other.size)
    return Run(each, size) if is_once else Sequence(one.is_list, None, each, size, sites)


def _mapped(one: Mapped, other: Mapped, depth: int) -> Value:
    sites = one.sites | other.sites
    if one.items is not None and other.items is not None:
        ours, theirs = dict(one.items), dict(other.items)
        if ours.keys() == theirs.keys():
            items = tuple((key, join(ours[key], theirs[key], depth - 1)) for key in ours)
            return Mapped(items, sites=sites)
    return Mapped(None, unsized(join(one.element, other.element, depth - 1)), sites)


def _objects(one: Object, other: Object, depth: int) -> Value:
    ours, theirs = dict(one.attributes), dict(other.attributes)
    every = dict.fromkeys((*ours, *theirs))
    found = tuple(
        (name, join(ours[name], theirs[name], depth - 1) if name in ours and name in theirs
         else UNKNOWN)
        for name in every
    )  # fmt: skip
    may_be_none = one.may_be_none or other.may_be_none
    return Object(one.of, found, one.sites | other.sites, one.above, may_be_none)


def kept(function: Value, name: object) -> Value | None:
    """What a function keeps under a name, or at a place among the arguments that it has."""
    if not isinstance(function, Function):
        return None
    if isinstance(name, int):
        return function.bound[name] if name < len(function.bound) else None
    return dict(function.keywords).get(str(name))


def may_be_none(value: Value) -> bool:
    """Tells whether a value is an object that may be None."""
    return isinstance(value, Object) and value.may_be_none


def holds_optional(value: Value) -> bool:
    """Tells whether a value is an object that may be None, or holds such."""
    return may_be_none(value) or any(map(holds_optional, contents(value)))


def parts(value: Value) -> tuple[tuple[str, Value], ...]:
    """What a value holds, each with how it is reached: `[0]`, `['w']`, `.w`, `[*]` for any."""
    if type(value) in SIMPLE:
        return ()
    match value:
        case Sequence(items=tuple() as items):
            return tuple((f"[{at}]", item) for at, item in enumerate(items))
        case Mapped(items=tuple() as entries):
            return tuple((f"[{key!r}]", entry) for key, entry in entries)
        case Sequence(each=each) | Mapped(each=each) | Run(each=each):
            return (("[*]", each),)
        case Object(attributes=attributes):
            return tuple((f".{name}", held) for name, held in attributes)
        case Function(bound=bound, keywords=keywords):
            first = ((f"({at})", held) for at, held in enumerate(bound))
            return (*first, *((f"({name}=)", held) for name, held in keywords))
        case Slice():
            return (("start", value.start), ("stop", value.stop), ("step", value.step))
        case Range():
            return (("start", value.start),)
    return ()


def contents(value: Value) -> tuple[Value, ...]:
    """What a value holds, in the order of `parts`."""
    if type(value) in SIMPLE:
        return ()
    match value:
        case Sequence(items=tuple() as items):
            return items
        case Mapped(items=tuple() as entries):
            return tuple([entry for _, entry in entries])
        case Sequence(each=each) | Mapped(each=each) | Run(each=each):
            return (each,)
        case Object(attributes=attributes):
            return tuple([held for _, held in attributes])
    return tuple([held for _, held in parts(value)])


def holding(value: Value, held: Iterable[Value]) -> Value:
    """The value with other parts, in the order of `parts`; the very same where all are those."""
    if type(value) in SIMPLE:
        return value
    given = tuple(held)
    if all(map(is_, given, contents(value))):
        return value
    match value:
        case Sequence(items=tuple()):
            return replace(value, items=given)
        case Mapped(items=tuple() as entries):
            keys = (key for key, _ in entries)
            return replace(value, items=tuple(zip(keys, given, strict=True)))
        case Sequence() | Mapped() | Run():
            return replace(value, each=given[0])
        case Object(attributes=attributes):
            names = (name for name, _ in attributes)
            return replace(value, attributes=tuple(zip(names, given, strict=True)))
        case Function(bound=bound, keywords=keywords):
            names = (name for name, _ in keywords)
            further = zip(names, given[len(bound) :], strict=True)
            return replace(value, bound=given[: len(bound)], keywords=tuple(further))
        case Slice():
            return Slice(*given)
        case Range():
            return replace(value, start=given[0])
    return value


Resized: TypeAlias = Callable[[Dimension, tuple[int, ...] | None], Dimension]
"""Gives a size, of what it was and where it stands; None is the place of what stands for many."""


def resized(value: Value, dimension: Resized, path: tuple[int, ...] | None = ()) -> Value:
    """The value with other sizes; the very same where none is other."""

    def at(place: int) -> tuple[int, ...] | None:
        return None if path is None else (*path, place)

    if type(value) is Array:
        shape = value.shape
        if not shape:
            return value
        sizes = tuple([dimension(d, at(axis)) for axis, d in enumerate(shape)])
        is_same = all(map(is_, sizes, shape)) or sizes == shape
        return value if is_same else Array(value.dtype, sizes, value.sites, value.library)
    if type(value) is Number:
        if not isinstance(value.constant, Size):
            return value
        constant = dimension(value.constant, path)
        is_same = constant is value.constant
        return value if is_same else Number(value.kind, value.dtype, constant)
    if type(value) in SIMPLE:
        return value
    held = parts(value)
    is_each = bool(held) and held[0][0] == "[*]"
    made = holding(
        value,
        [
            resized(one, dimension, None if is_each else at(place))
            for place, (_, one) in enumerate(held)
        ],
    )
    if isinstance(made, Sequence | Range | Run) and not isinstance(made.size, int):
        size = dimension(made.size, None)
        return made if size == made.size else replace(made, size=size)
    return made


def size_at(value: Value, like: Value, path: tuple[int, ...]) -> Dimension:
    """The size of an axis of a part of a value, at the place that it has in another one like it."""
    *steps, axis = path
    for step in steps:
        name, like = parts(like)[step]
        value = dict(parts(value)).get(name, UNKNOWN)
    shape = value.shape if isinstance(value, Array) else None
    return shape[axis] if shape is not None and axis < len(shape) else None


def unsized(value: Value) -> Value:
    """What stands for many values: none of the sizes that differ from one to another are known."""

    def dimension(size: Dimension, _: tuple[int, ...] | None) -> Dimension:
        is_made = isinstance(size, Size) and isinstance(size.symbol, tuple)
        return anonymous(size) if is_made else size

    return resized(value, dimension)


WITH_VARIABLES = ("errno", "locale", "os", "platform", "signal", "sys", "threading", "typing")
"""Modules of Python with variables that programs test, which are spelled as functions are."""


def truth(value: Value) -> bool | None:
    """Whether a value surely counts as true, or surely does not; None where that is not known."""
    constant = constant_of(value)
    if constant is not UNREACHED:
        return bool(constant)
    match value:
        case Function(dotted):
            return None if dotted.partition(".")[0] in WITH_VARIABLES else True
        case Sequence(items=tuple() as held) | Mapped(items=tuple() as held):
            return bool(held)
    return None


def is_empty(value: Value) -> bool:
    """Tells whether a value surely is a list, tuple, dictionary or range without elements."""
    if isinstance(value, Range):
        return value.size == 0
    return isinstance(value, Sequence | Mapped) and value.items == ()


Signature: TypeAlias = Mapping[str, Value]
"""What each parameter of a function is."""
