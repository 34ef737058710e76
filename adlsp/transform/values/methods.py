"""What methods of lists, dictionaries and texts give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from adlsp.transform.ops.makes import Makes
from adlsp.transform.values import dtypes, indexing
from adlsp.transform.values.calls import Call, UntoldError, shape
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    NONE,
    UNREACHED,
    Array,
    Literal,
    Mapped,
    Number,
    Run,
    Sequence,
    Value,
    constant_of,
    join,
    joined,
    of_constant,
)


def _dictionary(call: Call) -> Mapped:
    if not isinstance(call.first, Mapped):
        raise UntoldError(f"`{call.dotted}` of what is no dictionary")
    return call.first


def keys(call: Call) -> Value:
    """The keys of a dictionary."""
    given = _dictionary(call)
    if given.items is None:
        raise UntoldError("keys that are not known")
    return Sequence(is_list=False, items=tuple(of_constant(key) for key, _ in given.items))


def values(call: Call) -> Value:
    """The values of a dictionary."""
    given = _dictionary(call)
    if given.items is None:
        return Run(given.each)
    return Sequence(is_list=False, items=tuple(value for _, value in given.items))


def items(call: Call) -> Value:
    """The pairs of a dictionary."""
    given = _dictionary(call)
    if given.items is None:
        raise UntoldError("keys that are not known")
    pairs = (Sequence(is_list=False, items=(of_constant(key), value)) for key, value in given.items)
    return Sequence(is_list=False, items=tuple(pairs))


def entry(call: Call) -> Value:
    """What `get` gives, and `setdefault`: what stands at the key, or the other argument."""
    given = _dictionary(call)
    default = call.args[2] if len(call.args) > 2 else NONE
    key = constant_of(call.at(1))
    if given.items is not None and key is not UNREACHED:
        return dict(given.items).get(key, default)
    return join(given.element, default)


def held(call: Call) -> Value:
    """What a container has at a place, None where a dictionary has nothing there."""
    key = constant_of(call.at(1))
    match call.first:
        case Mapped(items=tuple() as items) if key is not UNREACHED:
            return dict(items).get(key, NONE)
        case Mapped(items=None, each=each):
            return join(NONE, each)
    return indexing.item(call.first, call.at(1))


def popped(call: Call) -> Value:
    """What `pop` gives."""
    match call.args:
        case (Sequence() as given,):
            return indexing.item(given, of_constant(-1))
        case (Sequence() as given, place):
            return indexing.item(given, place)
        case (Mapped() as given, key):
            return indexing.item(given, key)
        case (Mapped() as given, _, default):
            return joined((given.element, default))
    raise UntoldError("what is taken out")


def nested_lists(call: Call) -> Value:
    """What `tolist` gives: a list in a list for each axis."""
    match call.first:
        case Array(dtype=str() as dtype) as given if (axes := shape(given)) is not None:
            from_dtype: Value = Number(dtypes.kind(dtype))
            for size in reversed(axes):
                from_dtype = Sequence(True, None, from_dtype, size)
            return from_dtype
        case Number(kind, str()):
            return Number(kind)
    raise UntoldError("what becomes a list")


def one_element(call: Call) -> Value:
    """What `item` gives: a number of Python's."""
    given = call.operand()
    if given.dtype is None:
        raise UntoldError("a number of unknown kind")
    return Number(dtypes.kind(given.dtype))


def counted(call: Call) -> Value:
    """What `index` and `count` give, of lists and texts."""
    if not isinstance(call.first, Sequence | Literal):
        raise UntoldError("what is searched")
    return ANY_INTEGER


MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.KEYS: keys,
        Makes.VALUES: values,
        Makes.ITEMS: items,
        Makes.ENTRY: entry,
        Makes.HELD: held,
        Makes.POPPED: popped,
        Makes.ONE_ELEMENT: one_element,
        Makes.NESTED_LISTS: nested_lists,
        Makes.COUNTED: counted,
    }
)
