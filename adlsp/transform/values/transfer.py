"""What a function gives for abstract arguments: the transfer functions of the interpretation.

What is known of a function stands in its record (`ops/`): its parameters, and by which words the
shape and the dtype of its result are told, or what it makes of lists and dictionaries. Each word
has one implementation, in the module for its like; this is the list of them.

Arrays and containers that a function makes have no sites: where a result lives says `Op.result`,
which the interpreter knows to apply. What is only passed on keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from types import MappingProxyType

from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Op, Shape
from adlsp.transform.rules import table
from adlsp.transform.values import (
    arithmetic,
    comparing,
    containers,
    gradients,
    indexing,
    joining,
    lattice,
    making,
    methods,
    products,
    reducing,
    shaping,
    tensors,
)
from adlsp.transform.values.calls import Call, UntoldError, bind
from adlsp.transform.values.lattice import (
    NONE,
    Array,
    Function,
    Literal,
    Object,
    Unknown,
    Unreached,
    Value,
)


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a call."""

    args: tuple[Value, ...]
    keywords: Mapping[str, Value]


SHAPES: Mapping[Shape, Callable[[Call], Value]] = MappingProxyType(
    {
        **arithmetic.SHAPES,
        **making.SHAPES,
        **reducing.SHAPES,
        **shaping.SHAPES,
        **joining.SHAPES,
        **products.SHAPES,
        **indexing.SHAPES,
    }
)
"""What functions of NumPy give that have a result of such a shape."""

MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        **arithmetic.MAKES,
        **comparing.MAKES,
        **containers.MAKES,
        **methods.MAKES,
        **indexing.MAKES,
        **products.MAKES,
        **making.MAKES,
        **gradients.MAKES,
    }
)
"""What functions of Python give that make such a thing."""


OTHERS = Unknown, Object, Function, Unreached
"""Values whose methods are not those of arrays, lists, dictionaries and texts."""


MOST_UNSURE = 3
"""How many numbers among the arguments may be Python's or NumPy's."""


def result(dotted: str, given: Given) -> Value:
    """What a function gives for abstract arguments; `Unknown` where nothing is known of it."""
    match given.args[:1]:
        case (Literal(kind),) if "." in kind and targets.is_method(dotted):
            dotted = f"{kind}.{targets.member(dotted)}"
    record = of(dotted)
    every = (*given.args, *given.keywords.values())
    unsure = sum(map(lattice.is_either, every))
    if unsure and not record.holds:
        if unsure > MOST_UNSURE:
            return Unknown("numbers that are Python's or NumPy's")
        ways = product(*(lattice.either(value) for value in every))
        return lattice.joined(result(dotted, _with(given, way)) for way in ways)
    try:
        return _result(dotted, record, given)
    except UntoldError as reason:
        return Unknown(str(reason))


def _with(given: Given, values: tuple[Value, ...]) -> Given:
    """Other arguments, in the places of some."""
    keywords = zip(given.keywords, values[len(given.args) :], strict=True)
    return Given(values[: len(given.args)], dict(keywords))


@cache
def of(dotted: str) -> Op:
    """The record of a function."""
    return records.of(dotted, table.load().word(dotted))


def _result(dotted: str, record: Op, given: Given) -> Value:
    if targets.is_attribute(dotted) and given.args and isinstance(given.args[0], Object):
        return _attribute(given.args[0], targets.member(dotted))
    if targets.is_method(dotted) and isinstance(given.args[0], OTHERS):
        raise UntoldError(f"`{dotted}` of what may have methods of its own")
    place = records.n_before_out(dotted)
    is_object = record.makes is Makes.OBJECT  # which may have an attribute of that name
    if not is_object and (into := _into(given, place)) is not None:
        return into
    told = None if record.makes is None else MAKES.get(record.makes)
    if told is None and record.shape is not None:
        told = SHAPES.get(record.shape)
    is_of_runtime = record.makes is None and targets.is_of(dotted, tensors.RUNTIME)
    if is_of_runtime or targets.is_of(dotted, tensors.LIBRARY):
        return tensors.result(told, dotted, record, given.args, given.keywords)
    if told is None:
        raise UntoldError(f"what `{dotted}` gives")
    keywords = {key: v for key, v in given.keywords.items() if key != "out" or is_object}
    return told(bind(dotted, record, given.args[:place] + given.args[place + 1 :], keywords))


def _into(given: Given, place: int) -> Value | None:
    """The array that takes the result of a call, if there is one, at a place or by its name."""
    out = given.args[place] if len(given.args) > place else given.keywords.get("out", NONE)
    if out == NONE:
        return None
    if not isinstance(out, Array):
        raise UntoldError("what takes the result")
    return out


def _attribute(base: Object, name: str) -> Value:
    """An attribute of an object."""
    found = dict(base.attributes).get(name)
    if found is None:
        raise UntoldError(f"the attribute `{name}`")
    return found
