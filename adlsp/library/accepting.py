"""Whether arguments have a known signature: one expression for each signature, compiled.

It stands before each call of a derivative, so that all tests are written out: `type(x) is ndarray
and x.ndim == 2 and x.dtype is float64 and 1 not in x.shape`. What a signature knows by its name, a
function or a class, is compared with the one that it was made of, and so is the class of what is
unknown.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, count
from types import CodeType, FunctionType, MethodType
from typing import Any

from adlsp.library import named, signatures
from adlsp.library.ground import MISSING
from adlsp.transform.values import lattice, places, structures
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.lattice import (
    EITHER,
    Array,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Sequence,
    Signature,
    Size,
    Slice,
    Symbol,
    Unknown,
    Unreached,
    Value,
)

Live = Any
"""Whatever a program has."""

Test = tuple[str, Mapping[str, object]]
"""An expression, and what its names stand for."""


def checker(signature: Signature, given: Mapping[str, Live]) -> Callable[..., bool]:
    """A function that tells whether arguments, in the order of the signature, are of a signature.

    `given` are the arguments that it was made of, of which none is kept.
    """
    return _Writer(signature).function(given)


def guard(signature: Signature, given: Mapping[str, Live], accepts: Callable[..., bool]) -> Test:
    """The test of a checker as an expression over `a0`, `a1` and so on, with what it compares with.

    Those of numbers and arrays are written out; others call the checker, which may bind variables
    and catches what is raised.
    """
    writer = _Writer(signature)
    test = " and ".join(writer.arguments(given)) or "True"
    is_plain = all(isinstance(value, _PLAIN) for value in signature.values())
    if is_plain and not writer.shared and not _VARIABLE.search(test):
        return test, writer.things
    places = (place for place, _ in zip(_places("a"), signature, strict=False))
    return f"accepts({', '.join(places)})", {"accepts": accepts}


def written_out(values: Mapping[str, Value], given: Mapping[str, Live]) -> Test | None:
    """The test of some expressions as an expression, with what it compares with.

    None where it would have to bind variables, or catch what is raised.
    """
    writer = _Writer(values)
    each = (writer.tests(value, place, given[place]) for place, value in values.items())
    test = " and ".join(chain(*each)) or "True"
    is_plain = all(isinstance(value, _PLAIN) for value in values.values())
    is_one = is_plain and not (writer.shared or writer.alike or _VARIABLE.search(test))
    return (test, writer.things) if is_one else None


@lru_cache(maxsize=256)
def _code(text: str) -> CodeType:
    """The code of a checker: many arguments are of the same kinds."""
    return compile(text, "<signature>", "exec")


class _Writer:
    """Writes the tests for one signature; `things` are the objects that they compare with."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.places = dict(zip(signature, _places("a"), strict=False))
        uses = Counter(each for value in signature.values() for each in _symbols(value))
        shapes = Counter(v.shape for v in signature.values() if isinstance(v, Array) and v.shape)
        self.alike = {shape for shape, number in shapes.items() if number > 1}
        for shape in self.alike:
            own = Counter(size.symbol for size in shape if isinstance(size, Size))
            for symbol, number in own.items():
                uses[symbol] -= number * (shapes[shape] - 1)
        self.first: dict[Axes, str] = {}
        self.shared = {symbol: f"s{at}" for at, symbol in enumerate(uses) if uses[symbol] > 1}
        self.things: dict[str, object] = {}
        self._names = (f"${number}$" for number in count())

    def function(self, given: Mapping[str, Live]) -> Callable[..., bool]:
        """The compiled function."""
        tests = [*self.arguments(given)]
        places = (place for place, _ in zip(_places("a"), self.signature, strict=False))
        text = (
            f"def accepts({', '.join(places)}):\n"
            f"    {'sizes = {}' if self.shared else 'pass'}\n"
            f"    try:\n"
            f"        return {' and '.join(tests) or 'True'}\n"
            f"    except (AttributeError, ValueError):\n"
            f"        return False\n"
        )
        text = _VARIABLE.sub(r"v\1", text)
        exec(_code(text), self.things)
        made = self.things["accepts"]
        assert isinstance(made, FunctionType)
        return made

    def arguments(self, given: Mapping[str, Live]) -> Iterator[str]:
        """The tests of all arguments: what they are, and that objects are several."""
        objects: dict[str, list[str]] = {}
        values = self.signature.values()
        for name, place in self.places.items():
            value = self.signature[name]
            yield from self.tests(value, place, given.get(name, MISSING))
            for kind, expression in _objects(value, place):
                objects.setdefault(kind, []).append(expression)
        for each in objects.values() if any(map(structures.has_objects, values)) else ():
            if len(each) > 1:
                yield f"len({{{', '.join(f'id({x})' for x in each)}}}) == {len(each)}"

    def same(self, value: Value) -> str:
        """What has an object that stands there before; empty where a value is no such."""
        sites = places.own_sites(value)
        place = next(iter(sites), "")
        parameter = _OWN.match(place)
        known = self.places.get(parameter[0]) if parameter else None
        return f"{known}{place[parameter.end() :]}" if parameter and known else ""

    def thing(self, thing: object) -> str:
        """The name of an object in the text."""
        name = f"t{len(self.things)}"
        self.things[name] = thing
        return name

    def part(self, value: Value, expression: str, like: Live) -> Iterator[str]:
        """The tests of a part, which is had by an expression and then has a name."""
        name = next(self._names)
        tests = [*self.tests(value, name, like)]
        yield from _bound(tests, name, expression)

    def parts(self, parts: Iterator[tuple[Value, str, Live]]) -> Iterator[str]:
        """The tests of several parts."""
        for part in parts:
            yield from self.part(*part)

    def tests(self, value: Value, x: str, like: Live) -> Iterator[str]:
        """The tests for the value of a variable, which are done in this order."""
        if there := self.same(value):
            yield f"{x} is {there}"
            return
        match value:
            case Unknown():
                yield from self.unknown(x, like)
            case Number():
                yield from self.number(value, x)
            case Array(library="numpy"):
                yield from self.array(value, x)
            case Array(library="tensorflow"):
                yield from self.tensor(value, x)
            case Numeric(dtype):
                yield from self.numeric(dtype, x)
            case Sequence():
                yield from self.sequence(value, x, like)
            case Mapped():
                yield from self.mapped(value, x, like)
            case Object():
                yield from self.holder(value, x, like)
            case Function():
                yield from self.named(value, x, like)
            case Literal(kind, given):
                yield from self.literal(kind, given, x, like)
            case Range(size, start):
                yield f"type({x}) is range and {x}.step == 1"
                yield from self.size(size, f"len({x})")
                yield from self.part(start, f"{x}.start", MISSING)
            case Slice():
                yield f"type({x}) is slice"
                for end in ("start", "stop", "step"):
                    like_end = getattr(like, end, MISSING)
                    yield from self.part(getattr(value, end), f"{x}.{end}", like_end)
            case _:
                yield "False"

    def unknown(self, x: str, like: Live) -> Iterator[str]:
        """The tests for what is not known: it is of the same class."""
        if like is MISSING:
            return
        yield f"type({x}) is {self.thing(type(like))}"
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(like, numpy.ndarray):
            yield f"{x}.dtype == {self.thing(like.dtype)}"

    def number(self, number: Number, x: str) -> Iterator[str]:
        """The tests for a number."""
        numpy = sys.modules.get("numpy")
        constant = number.constant
        if number.dtype is None and isinstance(constant, bool):
            yield f"{x} is {constant}"
            return
        if number.dtype == EITHER and numpy is not None:
            both = vars(builtins)[number.kind], numpy.dtype(lattice.OF_KIND[number.kind]).type
            yield f"type({x}) in {self.thing(both)}"
        elif number.dtype is None:
            yield f"type({x}) is {number.kind}"
        elif numpy is not None:
            yield f"type({x}) is {self.thing(numpy.dtype(number.dtype).type)}"
        else:
            yield "False"
        if isinstance(constant, Size):
            yield from self.size(replace(constant, may_be_one=True), x)
        elif constant is not None:
            yield f"{x} == {self.thing(constant)}"

    def numeric(self, dtype: str | None, x: str) -> Iterator[str]:
        """The tests for a number or an array."""
        numpy = sys.modules.get("numpy")
        arrays = () if numpy is None else (numpy.ndarray,)
        scalars = () if numpy is None else (numpy.number, numpy.bool_)
        kinds = self.thing((bool, *signatures.NUMBERS, *arrays))
        yield f"(type({x}) in {kinds} or isinstance({x}, {self.thing(scalars)}))"
        if dtype is not None:
            yield f"{x}.dtype.name == {dtype!r}"

    def array(self, array: Array, x: str) -> Iterator[str]:
        """The tests for an array of NumPy."""
        numpy = sys.modules.get("numpy")
        if numpy is None:
            yield "False"
            return
        yield f"type({x}) is {self.thing(numpy.ndarray)}"
        if array.shape is not None:
            yield f"{x}.ndim == {array.rank}"
        if array.dtype is None:
            yield f"{x}.dtype.kind in {signatures.KINDS!r}"
        else:
            dtype = self.thing(numpy.dtype(array.dtype))
            yield f"({x}.dtype is {dtype} or {x}.dtype == {dtype})"
        if array.shape in self.alike and _ARGUMENT.fullmatch(x):
            first = self.first.setdefault(array.shape, x)
            if first != x:
                yield f"{x}.shape == {first}.shape"
                return
        if array.shape:
            yield from self.shape(array.shape, f"{x}.shape")

    def tensor(self, tensor: Array, x: str) -> Iterator[str]:
        """The tests for a tensor."""
        tensorflow = sys.modules.get("tensorflow")
        if tensorflow is None:
            yield "False"
            return
        kinds = (tensorflow.Tensor, tensorflow.Variable)
        yield f"isinstance({x}, {self.thing(kinds)})"
        if tensor.dtype is None:
            others = (tensorflow.string, tensorflow.resource, tensorflow.variant)
            yield f"{x}.dtype not in {self.thing(others)}"
        else:
            yield f"{x}.dtype == {self.thing(tensorflow.as_dtype(tensor.dtype))}"
        if tensor.shape is None:
            return
        yield f"{x}.shape.rank == {tensor.rank}"
        sizes = next(self._names)
        places = (axis for axis, d in enumerate(tensor.shape) if d is not None)
        known = [f"{sizes}[{axis}] is not None" for axis in places]
        every = (self.size(d, f"{sizes}[{axis}]") for axis, d in enumerate(tensor.shape))
        yield from _bound([*known, *chain(*every)], sizes, f"{x}.shape")

    def shape(self, shape: tuple[Dimension, ...], expression: str) -> Iterator[str]:
        """The tests for the shape of an array."""
        if all(isinstance(d, Size) and not d.may_be_one for d in shape):
            yield f"1 not in {expression}"
            shape = tuple(replace(d, may_be_one=True) for d in shape if isinstance(d, Size))
        sizes = next(self._names)
        every = (self.size(d, f"{sizes}[{axis}]") for axis, d in enumerate(shape))
        yield from _bound([*chain(*every)], sizes, expression)

    def size(self, size: Dimension, x: str) -> Iterator[str]:
        """The tests for a size; those of one symbol have to agree."""
        if isinstance(size, int):
            yield f"{x} == {size}"
        elif size is not None:
            if not size.may_be_one:
                yield f"{x} != 1"
            if size.symbol in self.shared:
                number = f"{x} - {size.plus}" if size.plus else x
                symbol = self.shared[size.symbol]
                yield f"sizes.setdefault({symbol!r}, {number}) == {number}"

    def sequence(self, sequence: Sequence, x: str, like: Live) -> Iterator[str]:
        """The tests for a list or a tuple."""
        yield f"type({x}) is {'list' if sequence.is_list else 'tuple'}"
        if sequence.items is None:
            yield from self.size(sequence.size, f"len({x})")
            yield from self.each(sequence.each, x, like)
            return
        yield f"len({x}) == {len(sequence.items)}"
        yield from self.parts(
            (value, f"{x}[{at}]", _item(like, at)) for at, value in enumerate(sequence.items)
        )

    def each(self, each: Value, x: str, like: Live) -> Iterator[str]:
        """The tests for all elements of a container."""
        match each:
            case Number(kind, None, None):
                yield f"{{*map(type, {x})}} <= {self.thing({vars(builtins)[kind]})}"
                return
            case Unreached():
                yield f"not {x}"
                return
        name = next(self._names)
        first = next(iter(like), MISSING) if isinstance(like, Iterable) else MISSING
        tests = [*self.tests(each, name, first)]
        if tests:
            yield f"all([{' and '.join(tests)} for {name} in {x}])"

    def mapped(self, mapped: Mapped, x: str, like: Live) -> Iterator[str]:
        """The tests for a dictionary."""
        is_open = isinstance(mapped.each, Unknown)
        kinds = signatures.OPEN_DICTS if is_open else ()
        yield f"type({x}) in {self.thing((*signatures.DICTS, *kinds))}"
        if mapped.items is None:
            held = like.values() if isinstance(like, dict) else MISSING
            yield from self.each(mapped.each, f"{x}.values()", held)
            return
        keys = [key for key, _ in mapped.items]
        yield f"[*{x}] == {self.thing(keys)}"
        yield from self.parts(
            (value, f"{x}[{self.thing(key)}]", _item(like, key)) for key, value in mapped.items
        )

    def holder(self, of: Object, x: str, like: Live) -> Iterator[str]:
        """The tests for an object: those of its class, and of all that it holds."""
        kind = type(like)
        if like is MISSING:
            yield "False"
            return
        yield f"type({x}) is {self.thing(kind)}"
        if isinstance(like, tuple):
            yield from self.parts(
                (value, f"{x}[{at}]", like[at]) for at, (_, value) in enumerate(of.attributes)
            )
            return
        expected = dict(of.attributes)
        slots = signatures.slots(kind)
        for name in slots:
            yield f"{'' if name in expected else 'not '}hasattr({x}, {self.thing(name)})"
        own = next(self._names)
        names = expected.keys() - slots
        if hasattr(like, "__dict__"):
            yield f"({own} := {x}.__dict__).keys() == {self.thing(names)}"
        held = signatures.attributes(like) or {}
        for name, value in of.attributes:
            place = f"{x}.{name}" if name in slots else f"{own}[{self.thing(name)}]"
            yield from self.part(value, place, held.get(name, MISSING))

    def named(self, function: Function, x: str, like: Live) -> Iterator[str]:
        """The tests for what has a name: it is this very thing, or a function of the same text."""
        bound, keywords = function.bound, dict(function.keywords)
        if like is MISSING:
            yield "False"
        elif isinstance(like, MethodType):
            yield f"type({x}) is {self.thing(MethodType)}"
            inner = replace(function, bound=())
            yield from self.part(inner, f"{x}.__func__", like.__func__)
            yield from self.part(bound[0], f"{x}.__self__", like.__self__)
        elif isinstance(like, partial):
            given = bound[len(bound) - len(like.args) :]
            own = tuple((name, each) for name, each in keywords.items() if name in like.keywords)
            rest = tuple(pair for pair in function.keywords if pair not in own)
            inner = Function(function.dotted, bound[: len(bound) - len(like.args)], rest)
            yield f"type({x}) is {self.thing(partial)}"
            yield from self.part(inner, f"{x}.func", like.func)
            yield from self.part(lattice.Sequence(False, given), f"{x}.args", like.args)
            yield from self.part(Mapped(own), f"{x}.keywords", like.keywords)
        elif isinstance(like, FunctionType) and (keywords or named.dotted(like) is None):
            yield f"type({x}) is {self.thing(FunctionType)}"
            yield f"{x}.__code__ is {self.thing(like.__code__)}"
            if like.__defaults__ or like.__kwdefaults__:
                yield f"{self.thing(named.defaults(like))}({x})"
            for at, (name, cell) in enumerate(signatures.captured(like)):
                held = f"{x}.__closure__[{at}].cell_contents"
                yield from self.part(keywords[name], held, signatures.content(cell, MISSING))
        else:
            yield f"{x} is {self.thing(like)}"

    def literal(self, kind: str, given: object, x: str, like: Live) -> Iterator[str]:
        """The tests for a constant that is no number."""
        if kind in ("NoneType", "ellipsis"):
            yield f"{x} is {self.thing(given)}"
        elif kind in ("str", "bytes"):
            yield f"type({x}) is {kind}"
            if given is not None:
                yield f"{x} == {self.thing(given)}"
        elif like is MISSING:
            yield "False"
        else:
            yield f"type({x}) is {self.thing(type(like))} and {x} == {self.thing(like)}"


_VARIABLE = re.compile(r"\$(\d+)\$")
"""A variable, as it is written before all are known: no name of an attribute is like it."""


_OWN = re.compile(r"\w+")
"""The parameter with which a place begins."""

_ARGUMENT = re.compile(r"a\d+")
"""An argument of the function itself."""


_PLAIN = (Number, Array, Literal, Unknown)
"""The values whose tests raise nothing."""


def _places(letter: str) -> Iterator[str]:
    return (f"{letter}{number}" for number in count())


def _bound(tests: list[str], name: str, expression: str) -> Iterator[str]:
    """Tests of a variable, the first of which binds it; if it is read only once, none is needed."""
    is_once = sum(test.count(name) for test in tests) == 1
    made = expression if is_once else f"({name} := {expression})"
    for at, test in enumerate(tests):
        yield test if at else test.replace(name, made, 1)


def _item(like: Live, at: object) -> Live:
    """A part of a live container, if that is what was expected."""
    try:
        return like[at]
    except (TypeError, LookupError):
        return MISSING


def _objects(value: Value, x: str) -> Iterator[tuple[str, str]]:
    """The objects, lists and dictionaries in a value: of which kind, and where they stand."""
    if places.own_sites(value):
        return
    match value:
        case Object(of=of):
            yield of, x
        case Sequence(is_list=True) | Mapped():
            yield "dict" if isinstance(value, Mapped) else "list", x
    if isinstance(value, Object) or (isinstance(value, Sequence | Mapped) and value.items):
        for step, part in lattice.parts(value):
            yield from _objects(part, f"{x}{step}")


def _symbols(value: Value) -> Iterator[Symbol]:
    """The symbols of a value, as often as it has them: those of each element count twice."""
    if places.own_sites(value):
        return
    sizes: tuple[object, ...] = ()
    match value:
        case Number(constant=size) | Sequence(size=size) | Range(size=size):
            sizes = (size,)
        case Array(shape=tuple() as shape):
            sizes = shape
    yield from (size.symbol for size in sizes if isinstance(size, Size))
    for place, part in lattice.parts(value):
        for symbol in _symbols(part):
            yield from (symbol, symbol) if place == "[*]" else (symbol,)
