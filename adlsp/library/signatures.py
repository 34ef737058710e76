"""The signature of actual arguments: what each of them is, as far as derivatives depend on it.

Options count by value: texts, booleans, None, members of enumerations, dtypes, functions, classes.
Of numbers and sizes only the kind counts, and whether a size is one. What is not of the very types
that are known here, such as a masked array, is unknown. Nothing of a library is imported.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property, partial
from keyword import iskeyword
from types import CellType, FunctionType, MemberDescriptorType, MethodType, SimpleNamespace
from typing import Any

from adlsp.library import named, unwrap
from adlsp.library.asked import Asked
from adlsp.library.ground import MISSING
from adlsp.runtime.objects import is_array
from adlsp.transform.frontend import operators
from adlsp.transform.ir import targets
from adlsp.transform.values import dtypes, lattice, places, structures
from adlsp.transform.values.derivatives import keeps_seed
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    NONE,
    UNREACHED,
    Array,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Object,
    Range,
    Size,
    Slice,
    Unknown,
    Value,
)
from adlsp.transform.values.signature import WIDEST, letters

Live = Any
"""Whatever a program has."""

MOST_ITEMS = 64
"""How many elements of a container are told apart."""

OWN_ARITHMETIC = "an array with an arithmetic of its own: "
"""How the reason begins why nothing is known of what is no plain array: its `*` is another one."""

ARITHMETIC = (
    *(f"__{name}__" for name in ("add", "sub", "mul", "truediv", "matmul", "pow", "neg")),
    "__array_ufunc__",
    "__array_function__",
    "dot",
    "sum",
)
"""What the classes below `numpy.ndarray` have that compute as arrays do."""

AN_OBJECT = "an object of "
"""How the reason begins why an object is unknown."""

MOST_PARTS = 1024
"""How many structures all arguments have together; what comes then is unknown."""

LONGEST = 100
"""How long a text is that counts by value: longer ones are no options."""

NUMBERS = (int, float, complex)

FUNCTIONS = (FunctionType, MethodType, partial)
"""What keeps something that stands in no place of an argument."""

DICTS = (dict, OrderedDict)
"""The types of dictionaries that are told by their keys."""

OPEN_DICTS = (Counter, defaultdict)
"""The types of dictionaries that give something for more keys than they have."""

KINDS = "biufc"
"""The dtypes of NumPy's numbers, by its letters for kinds."""

DATA = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type)
"""What objects are that are no mere holders of attributes."""


def of_arguments(
    function: Callable[..., Live], args: Sequence[Live], kwargs: Mapping[str, Live]
) -> dict[str, Value]:
    """The signature of a call: a value for each parameter, also for those that are not given."""
    return of_values(arguments(function, args, kwargs))


def of_values(given: Mapping[str, Live]) -> dict[str, Value]:
    """The signature of arguments, and of captured variables, which have been given to parameters.

    Each axis has a size of its own: that two are as long may be chance. Where there are objects, it
    is told which of them are the same one, and which lists and dictionaries.
    """
    abstraction = _Abstraction(letters({*given}))
    found = {name: abstraction.at(name, x) for name, x in given.items()}
    if any(map(structures.has_objects, found.values())):
        return found
    return {name: places.without_sites(value) for name, value in found.items()}


def arguments(
    function: Callable[..., Live], args: Sequence[Live], kwargs: Mapping[str, Live]
) -> dict[str, Live]:
    """What a call gives to each parameter."""
    bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def of_value(x: Live) -> Value:
    """The abstract value of one live value."""
    return _Abstraction(letters(())).value(x)


def of_variable(dotted: str, x: Live) -> Value:
    """The abstract value of what a variable holds, which is no name of that."""
    abstraction = _Abstraction(letters(()))
    return abstraction.unnamed(x) if named.dotted(x) == dotted else abstraction.value(x)


def attributes(x: Live) -> dict[str, Live] | None:
    """The attributes that an object itself holds; None where it holds them in another way."""
    names = slots(type(x))
    own = getattr(x, "__dict__", None)
    if not names and not isinstance(own, dict):
        return None
    held = {name: getattr(x, name) for name in names if hasattr(x, name)}
    return {**held, **(own or {})}


def slots(kind: type) -> dict[str, MemberDescriptorType]:
    """The attributes for which objects of a class have a slot."""
    return {
        name: found
        for each in reversed(kind.__mro__)
        if "__slots__" in vars(each)
        for name in dict.fromkeys((*_texts(vars(each)["__slots__"]), *vars(each)))
        if isinstance(found := vars(each).get(name), MemberDescriptorType)
    }


def captured(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    """The variables that a function has captured."""
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def content(cell: CellType, otherwise: Live) -> Live:
    """What a captured variable holds, if it is bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return otherwise


class _Abstraction:
    """Abstracts the values of one call; `names` are those of its sizes.

    `_met` are objects by their identity, each with its value and the place where it stands first.
    What objects hold is told apart so; where a value stands in no place, so it is not.
    """

    def __init__(self, names: Iterator[str]) -> None:
        self._place: str | None = None
        self._met: dict[int, tuple[Value, str]] = {}
        self.names = names
        self._left = MOST_PARTS
        self._inside: list[int] = []
        self._has_each = False
        self._shapes: dict[tuple[int, ...], tuple[Dimension, ...]] = {}

    def at(
        self, place: str | None, x: Live, abstracted: Callable[[Live], Value] | None = None
    ) -> Value:
        """The abstract value of what stands at a place."""
        before, self._place = self._place, place
        found = (abstracted or self.value)(x)
        self._place = before
        return found

    def part(self, step: str, x: Live) -> Value:
        """The abstract value of a part of what is looked at."""
        return self.at(None if self._place is None else f"{self._place}{step}", x)

    def value(self, x: Live) -> Value:
        """The abstract value of a value, or of a part of one."""
        kind = type(x)
        if x is MISSING:
            return Unknown("a variable that is not bound yet")
        if x is None:
            return NONE
        if kind is bool:
            return Number("bool", constant=x)
        if kind in NUMBERS:
            return Number(kind.__name__)
        if kind in (str, bytes):
            return Literal(kind.__name__, x if _is_option(x) else None)
        if x is ...:
            return lattice.of_constant(x)
        library = str(kind.__module__).partition(".")[0]
        found = _LIBRARIES[library](self, x) if library in _LIBRARIES else None
        return self.structure(x) if found is None else found

    def structure(self, x: Live) -> Value:
        """The value of what has parts, or is known by its name."""
        self._left -= 1
        is_deep = len(self._inside) == lattice.DEEPEST
        if id(x) in self._inside or is_deep or self._left < 0:
            return Unknown(f"deep in an object of {_name(type(x))}")
        met = None if self._place is None else self._met.get(id(x))
        if met is not None:
            return places.standing(*met)
        self._inside.append(id(x))
        found = self.at(None, x, self.inner) if isinstance(x, FUNCTIONS) else self.inner(x)
        self._inside.pop()
        is_container = isinstance(found, Object | Mapped | lattice.Sequence)
        if self._place is not None and is_container and not isinstance(x, tuple):
            self._met[id(x)] = found, self._place
        return found

    def inner(self, x: Live) -> Value:
        """The value of what has parts, which are not those that it is in."""
        kind = type(x)
        if kind is list or kind is tuple:
            if len(x) <= MOST_ITEMS:
                items = (self.part(f"[{at}]", each) for at, each in enumerate(x))
                return lattice.Sequence(kind is list, tuple(items))
            return lattice.Sequence(kind is list, None, self.each(x), self.size(len(x)))
        if kind in DICTS:
            if len(x) <= MOST_ITEMS and all(map(_is_key, x)):
                entries = ((key, self.part(f"[{key!r}]", held)) for key, held in x.items())
                return Mapped(tuple(entries))
            return Mapped(None, self.each(x.values()))
        if kind in OPEN_DICTS:
            return Mapped(None, Unknown(f"what a {kind.__name__} gives"))
        if kind is range and x.step == 1:
            return Range(self.size(len(x)), ANY_INTEGER)
        if kind is slice:
            return Slice(*map(self.value, (x.start, x.stop, x.step)))
        if kind is MethodType:
            function = self.value(x.__func__)
            if isinstance(function, Function):
                return Function(function.dotted, (self.value(x.__self__),), function.keywords)
            return function
        if kind is partial:
            return self.partial(x)
        return self.by_name(x)

    def partial(self, x: partial[Live]) -> Value:
        """The value of a partial: its function, with more arguments."""
        function = self.value(x.func)
        if not isinstance(function, Function) or vars(x):
            return Unknown("a partial of what is not known")
        if keeps_seed(function, x.keywords):
            return Unknown("a derivative with a seed")
        more = {name: self.value(held) for name, held in x.keywords.items()}
        keywords = {**dict(function.keywords), **more}
        return Function(
            function.dotted, (*function.bound, *map(self.value, x.args)), tuple(keywords.items())
        )

    def by_name(self, x: Live) -> Value:
        """The value of what has a dotted name, or a class that has one."""
        kind = type(x)
        if (asked := unwrap.derivative(x)) is not None:
            return self.derivative(*asked)
        if isinstance(x, Enum):
            of = named.dotted(kind)
            is_member = isinstance(x.name, str) and of and getattr(kind, x.name, None) is x
            return Function(f"{of}.{x.name}") if is_member else Unknown(f"of {_name(kind)}")
        dotted = named.dotted(x)
        if dotted is not None:
            return Function(dotted)
        return self.unnamed(x)

    def derivative(self, function: Live, asked: Asked) -> Value:
        """The value of a derivative of a function that has a name, or of a derivative of that."""
        of = self.value(function)
        if not isinstance(of, Function) or of != Function(of.dotted):
            return Unknown("a derivative of what is not known")
        every, dotted = [asked], of.dotted
        while (inner := every[0].inner) is not None:
            every.insert(0, inner)
        for each in every:
            if each.kind not in operators.FOLLOWED or each.outputs:
                return Unknown(f"a derivative by `{each.kind}`")
            dotted = targets.Derivative(dotted, each.kind, each.names, each.is_tuple)
        return Function(dotted)

    def unnamed(self, x: Live) -> Value:
        """The value of a function by its text, with what it has captured, or of an object."""
        if not isinstance(x, FunctionType):
            return self.object(x)
        path = named.path(x)
        if path is None:
            return Unknown(f"the function {x.__qualname__}")
        held = ((name, self.value(content(cell, MISSING))) for name, cell in captured(x))
        return Function(path, keywords=tuple(held))

    def object(self, x: Live) -> Value:
        """The value of an object: what its attributes hold."""
        kind = type(x)
        if is_array(kind):
            return Unknown(f"an array of {_name(kind)}")
        of = named.dotted(kind)
        if of is not None and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            parts = zip(kind._fields, x, strict=True)
            return Object(of, tuple((name, self.part(f".{name}", each)) for name, each in parts))
        held = None if of is None or _is_data(kind) else attributes(x)
        if of is None or "<" in of or held is None or not all(map(_is_name, held)):
            return Unknown(f"{AN_OBJECT}{_name(kind)}")
        found = ((name, self.attribute(kind, name, each)) for name, each in held.items())
        return Object(of, tuple(found))

    def attribute(self, kind: type, name: str, held: Live) -> Value:
        """The value of an attribute, unless the class computes it, or has computed it before."""
        found = inspect.getattr_static(kind, name, None)
        is_computed = hasattr(type(found), "__set__") and type(found) is not MemberDescriptorType
        is_computed |= isinstance(found, cached_property)
        return Unknown(f"the property `{name}`") if is_computed else self.part(f".{name}", held)

    def each(self, items: Collection[Live]) -> Value:
        """What all elements of a container are; their sizes are not told apart."""
        kinds = {*map(type, items)}
        if kinds <= {*NUMBERS}:
            return lattice.joined(Number(kind.__name__) for kind in kinds)
        before, self._has_each = self._has_each, True
        found: Value = UNREACHED
        for x in items:
            found = lattice.join(found, self.at(None, x))
            if isinstance(found, Unknown):
                break
        self._has_each = before
        return Unknown("an object, or None") if lattice.holds_optional(found) else found

    def size(self, length: int | None) -> Dimension:
        """The size of an axis: one, or a symbol of its own that is not one."""
        if length == 1:
            return 1
        if length is None or self._has_each:
            return None
        return Size(next(self.names), may_be_one=False)

    def shape(self, lengths: Sequence[int | None]) -> tuple[Dimension, ...]:
        """The shape of an array."""
        return tuple(map(self.size, lengths))

    def top_shape(self, lengths: tuple[int, ...]) -> tuple[Dimension, ...]:
        """The shape of an array that is an argument itself: one for all that have the same."""
        if lengths not in self._shapes:
            self._shapes[lengths] = self.shape(lengths)
        return self._shapes[lengths]

    def numpy(self, x: Live) -> Value | None:
        """The value of an array, a number or a dtype of NumPy."""
        numpy = sys.modules["numpy"]
        if isinstance(x, numpy.dtype):
            return Literal("dtype", x.name) if _is_plain(x) else Unknown("a dtype")
        if type(x) is numpy.ndarray and x.dtype.kind in KINDS and x.dtype.isnative:
            sizes = self.shape(x.shape) if self._inside else self.top_shape(x.shape)
            return Array(_told(x.dtype.name), sizes)
        if isinstance(x, numpy.generic) and _is_plain(x.dtype) and type(x) is x.dtype.type:
            return Number(dtypes.kind(x.dtype.name), x.dtype.name)
        if isinstance(x, numpy.ndarray) and _has_own_arithmetic(type(x)):
            return Unknown(f"{OWN_ARITHMETIC}`{_name(type(x))}`")
        if isinstance(x, numpy.ndarray | numpy.generic):
            return Unknown(f"`{_name(type(x))}` of `{x.dtype}`")
        return None

    def tensorflow(self, x: Live) -> Value | None:
        """The value of a tensor, a variable or a dtype of TensorFlow."""
        tensorflow = sys.modules["tensorflow"]
        if isinstance(x, tensorflow.DType):
            return Literal("dtype", x.name) if _told(x.name) else Unknown("a dtype")
        if not isinstance(x, tensorflow.Tensor | tensorflow.Variable):
            return None
        dtype = _told(x.dtype.name)
        if dtype is None and not x.dtype.is_floating:
            return Unknown(f"a tensor of `{x.dtype.name}`")
        shape = None if x.shape.rank is None else self.shape(x.shape.as_list())
        return Array(dtype, shape, library="tensorflow")


_LIBRARIES = {"numpy": _Abstraction.numpy, "tensorflow": _Abstraction.tensorflow}


def own_arithmetic(value: Value) -> str:
    """The class of an array in an argument whose arithmetic is another one; empty if none is."""
    if isinstance(value, Unknown) and value.why.startswith(OWN_ARITHMETIC):
        return value.why.removeprefix(OWN_ARITHMETIC)
    return next(filter(None, map(own_arithmetic, lattice.contents(value))), "")


def _has_own_arithmetic(kind: type) -> bool:
    """Tells whether a class below that of arrays computes in another way, as `numpy.matrix`."""
    plain = sys.modules["numpy"].ndarray
    return any(getattr(kind, name) is not getattr(plain, name) for name in ARITHMETIC)


def _told(dtype: str) -> str | None:
    """A dtype that a signature tells by its name."""
    return dtype if dtypes.SPELLED.fullmatch(dtype) else None


def _is_plain(dtype: Live) -> bool:
    """Tells whether a name tells a dtype of NumPy: its bytes have the order of the machine."""
    return dtype.isnative and _told(dtype.name) is not None


def _is_option(text: str | bytes) -> bool:
    """Tells whether a text counts by value."""
    return len(text) <= LONGEST


def _is_data(kind: type) -> bool:
    """Tells whether objects of a type are more than their attributes, or of a library."""
    numpy = sys.modules.get("numpy")
    own = (numpy.ndarray, numpy.generic) if numpy is not None else ()
    package = str(kind.__module__).partition(".")[0]
    return kind is not SimpleNamespace and (
        issubclass(kind, (*DATA, *own))
        or package in named.LIBRARIES
        or package in sys.stdlib_module_names
        or kind.__getattribute__ is not object.__getattribute__
    )


def _texts(slots: str | Iterable[str]) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _is_name(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name)


def _is_key(key: Live) -> bool:
    """Tells whether the key of a dictionary is part of its structure."""
    if type(key) is tuple:
        return all(map(_is_key, key))
    if type(key) in (str, bytes):
        return _is_option(key)
    return key is None or type(key) is bool or (type(key) is int and key.bit_length() <= WIDEST)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
