"""What displays, and Python's functions of lists, tuples and dictionaries, give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform.ir import targets
from adlsp.transform.ops.makes import Makes
from adlsp.transform.values import arithmetic, broadcasting, dtypes, growing, indexing, texts
from adlsp.transform.values.calls import Call, UntoldError, operand, shape, text
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    KINDS,
    NONE,
    UNREACHED,
    Array,
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
    Slice,
    Unknown,
    Value,
    constant_of,
    join,
    joined,
    of_constant,
)


def run(value: Value) -> tuple[tuple[Value, ...] | None, Value, Dimension]:
    """What is met as one runs through a value: one by one if that is known, each, and how many."""
    match value:
        case Sequence(items=items):
            return items, value.element, arithmetic.length(value)
        case Mapped(items=tuple() as entries):
            keys = tuple(of_constant(key) for key, _ in entries)
            return keys, joined(keys), len(keys)
        case Range(size=int() as size, start=Number(constant=int() as start)) if size <= FEW:
            numbers = tuple(map(of_constant, range(start, start + size)))
            return numbers, ANY_INTEGER, size
        case Range(size=size):
            return None, ANY_INTEGER, size
        case Run(each, size):
            return None, each, size
        case Unknown():
            return None, value, None
        case Array() if value.rank != 0:
            return None, indexing.item(value, ANY_INTEGER), (value.shape or (None,))[0]
        case Numeric(dtype, sites):
            return None, Numeric(dtype, sites), None
        case Literal("str"):
            return None, text(), None
    raise UntoldError("what is run through")


def one_by_one(value: Value) -> tuple[Value, ...] | None:
    """What a loop over a value meets, one by one, if that is known."""
    try:
        return run(value)[0]
    except UntoldError:
        return None


FEW = 16
"""Ranges of more numbers are not followed one by one."""


def tuple_(call: Call) -> Value:
    """A display of a tuple."""
    return Sequence(is_list=False, items=call.args)


def list_(call: Call) -> Value:
    """A display of a list."""
    return Sequence(is_list=True, items=call.args)


def dict_(call: Call) -> Value:
    """A display of a dictionary: keys and values in turn."""
    keys = [constant_of(key) for key in call.args[::2]]
    values = call.args[1::2]
    if UNREACHED in keys:
        return Mapped(None, joined(values))
    return Mapped(tuple(dict(zip(keys, values, strict=True)).items()))


def object_(call: Call) -> Value:
    """An object of a class, by its attributes."""
    if not isinstance(call.first, Function):
        raise UntoldError("the class of an object")
    return Object(call.first.dotted, tuple(call.named.items()))


def slice_(call: Call) -> Value:
    """A slice; the function takes one end, both, or also a step."""
    match call.args:
        case (stop,):
            return Slice(NONE, stop, NONE)
        case (start, stop):
            return Slice(start, stop, NONE)
        case (start, stop, step):
            return Slice(start, stop, step)
    raise UntoldError("a slice")


def path(call: Call) -> Value:
    """Several indices, one after the other."""
    return Object(indexing.PATH, tuple((str(i), each) for i, each in enumerate(call.args)))


def unpacked(call: Call) -> Value:
    """The elements of what is taken apart into so many, of which the one at a place is a list."""
    values, place, count = call.args
    items, each, size = run(values)
    at, n = constant_of(place), constant_of(count)
    if not isinstance(at, int) or not isinstance(n, int):
        raise UntoldError("how a tuple is taken apart")
    if items is None:
        rest = Sequence(True, None, each, broadcasting.minus(size, n - 1))
        return Sequence(is_list=False, items=(*(each,) * at, rest, *(each,) * (n - 1 - at)))
    end = len(items) - (n - 1 - at)
    parts = (*items[:at], Sequence(is_list=True, items=items[at:end]), *items[end:])
    return Sequence(is_list=False, items=parts)


def length(call: Call) -> Value:
    """What `len` gives."""
    match call.first:
        case Literal("str", str() as given):
            return of_constant(len(given))
        case Numeric() | Array(shape=None) | Literal("str") | Object():
            return ANY_INTEGER
        case Array(shape=()):
            raise UntoldError("an array without axes")
    return broadcasting.number(run(call.first)[2])


def range_(call: Call) -> Value:
    """What `range` gives."""
    start = call.args[0] if len(call.args) > 1 else of_constant(0)
    if len(call.args) > 2 or not isinstance(start, Number):
        start = ANY_INTEGER
    is_known = all(isinstance(each, Number) for each in call.args)
    return Range(range_size(call.args) if is_known else None, start)


def range_size(args: tuple[Value, ...]) -> Dimension:
    """How many numbers a range has."""
    ends = [broadcasting.size(each) for each in args]
    match ends:
        case [int() as stop]:
            return max(stop, 0)
        case [stop]:
            return stop
        case [start, stop] | [start, stop, 1]:
            found = broadcasting.minus(stop, start)
            return max(found, 0) if isinstance(found, int) else found
        case [int() as start, int() as stop, int() as step] if step:
            return len(range(start, stop, step))
    return None


def enumerated(call: Call) -> Value:
    """What `enumerate` gives."""
    items, each, size = run(call.first)
    is_from_0 = len(call.args) == 1 and not call.named
    if items is not None and is_from_0:
        return _pairs(tuple(map(of_constant, range(len(items)))), items)
    return Run(Sequence(is_list=False, items=(ANY_INTEGER, each)), size)


def _pairs(*columns: tuple[Value, ...]) -> Sequence:
    rows = (Sequence(is_list=False, items=row) for row in zip(*columns, strict=False))
    return Sequence(is_list=False, items=tuple(rows), is_once=True)


def zipped(call: Call) -> Sequence | Run:
    """What `zip` gives, also for arguments with a star of which it is not known how many."""
    found = [run(each) for each in call.args]
    rows = [run(value)[1] for name, value in call.named.items() if name.startswith("*")]
    if rows:
        each = joined((*(each for _, each, _ in found), *(run(row)[1] for row in rows)))
        return Run(Sequence(is_list=False, each=each))
    columns = [items for items, _, _ in found if items is not None]
    if len(columns) == len(found):
        return _pairs(*columns)
    sizes = {size for _, _, size in found}
    row = Sequence(is_list=False, items=tuple(each for _, each, _ in found))
    return Run(row, sizes.pop() if len(sizes) == 1 else None)


def columns(call: Call) -> Value:
    """What `list(zip(*rows))` gives."""
    rows = run(call.first)[0]
    given = Call(call.dotted, call.record, rows or (), {} if rows else {"*rows": call.first})
    found = zipped(given)
    if isinstance(found, Run):
        return Sequence(is_list=True, items=None, each=found.each, size=found.size)
    return replace(found, is_list=True, is_once=False)


def combined(call: Call) -> Value:
    """What `itertools.product` gives: tuples with an element of each argument."""
    row = tuple(run(each)[1] for each in call.args)
    n = constant_of(call.named.get("repeat", of_constant(1)))
    if not isinstance(n, int):
        raise UntoldError("how often something is repeated")
    return Run(Sequence(is_list=False, items=row * n))


def chosen(call: Call) -> Value:
    """What `itertools.combinations` and its like give: tuples of so many elements."""
    _, each, size = run(call.first)
    taken = call.args[1] if len(call.args) > 1 else call.get("r")
    if taken == NONE:
        return Run(Sequence(False, None, each, size))
    n = constant_of(taken)
    if isinstance(n, int):
        return Run(Sequence(is_list=False, items=(each,) * n))
    return Run(Sequence(False, None, each))


def reversed_(call: Call) -> Value:
    """What `reversed` gives."""
    items, each, size = run(call.first)
    if items is None:
        return Run(each, size)
    return Sequence(is_list=False, items=items[::-1], is_once=True)


def sorted_(call: Call) -> Value:
    """What `sorted` gives."""
    _, each, size = run(call.first)
    return Sequence(True, None, each, size)


def order(call: Call) -> Value:
    """What the positions of elements are, in some order."""
    return Sequence(True, None, ANY_INTEGER, run(call.first)[2])


def gathered(*, is_list: bool) -> Callable[[Call], Value]:
    """What `list` and `tuple` give."""

    def made(call: Call) -> Value:
        if not call.args:
            return Sequence(is_list, ())
        items, each, size = run(call.first)
        return Sequence(is_list, None, each, size) if items is None else Sequence(is_list, items)

    return made


def dict_of(call: Call) -> Value:
    """What `dict` gives, of a dictionary or of pairs."""
    named = tuple(call.named.items())
    match call.args:
        case ():
            return Mapped(named)
        case (Mapped(items=tuple() as entries),):
            return Mapped(tuple({**dict(entries), **dict(named)}.items()))
        case (Mapped() as given,):
            return Mapped(None, joined((given.each, *call.named.values())))
    _, each, _ = run(call.first)
    match each:
        case Sequence(items=(_, value)):
            return Mapped(None, joined((value, *call.named.values())))
    raise UntoldError("what a dictionary is made of")


def from_keys(call: Call) -> Value:
    """What `dict.fromkeys` gives: the keys of a dictionary, each with the same."""
    entry = call.args[1] if len(call.args) > 1 else NONE
    match call.first:
        case Mapped(items=tuple() as entries):
            return Mapped(tuple((key, entry) for key, _ in entries))
    return Mapped(None, entry)


def run_of(call: Call) -> Value:
    """What `iter` gives."""
    items, each, size = run(call.first)
    return Run(each, size) if items is None else Sequence(False, items, is_once=True)


def mapped(call: Call) -> Value:
    """What `map` gives: what the function gives, of which nobody looks here."""
    sizes = {run(each)[2] for each in call.args[1:]}
    each = Unknown("what a function gives that is mapped")
    return Run(each, sizes.pop() if len(sizes) == 1 else None)


def filtered(call: Call) -> Value:
    """What `filter` gives."""
    return Run(run(call.at(1))[1])


def places(call: Call) -> Value:
    """What `ndindex` gives: a tuple of as many integers as there are axes."""
    given = call.args
    if len(given) == 1 and isinstance(given[0], Sequence):
        if given[0].items is None:
            raise UntoldError("how many axes there are")
        given = given[0].items
    return Run(Sequence(is_list=False, items=(ANY_INTEGER,) * len(given)))


def next_(call: Call) -> Value:
    """What `next` gives."""
    _, each, _ = run(call.first)
    return joined((each, *call.args[1:]))


def sum_(call: Call) -> Value:
    """What `sum` gives: the start if there is nothing, or a sum.

    Its own start is taken for a number like those that there are.
    """
    items, each, _ = run(call.first)
    is_begun = len(call.args) > 1 or "start" in call.named
    start = call.args[1] if len(call.args) > 1 else call.named.get("start", of_constant(0))
    if items is not None:
        found = start
        for item in items:
            found = added(found, item)
        return found
    found = added(start, each)
    every = join(found, added(found, each))
    return join(start, every) if is_begun or not isinstance(every, Number) else every


def product(call: Call) -> Value:
    """What `math.prod` gives: integers for integers."""
    _, each, _ = run(call.first)
    match each:
        case Number("bool" | "int", None):
            return ANY_INTEGER
        case Number("float", None) if not call.named and is_some(call.first):
            return Number("float")
    raise UntoldError("a product of elements")


def is_some(value: Value) -> bool:
    """Tells whether a list or tuple surely has elements."""
    return isinstance(value, Sequence) and bool(value.items)


def added(one: Value, other: Value) -> Value:
    """What `one + other` gives."""
    match one, other:
        case Number(dtype=None), Number(dtype=None):
            return Number(max(one.kind, other.kind, "int", key=KINDS.index))
        case Sequence(), Sequence():
            return arithmetic.concatenated(one, other)
    return arithmetic.sum_of(operand(one), operand(other))


def extreme(call: Call) -> Value:
    """What `max` and `min` give: one of the arguments, or of the elements of the only one."""
    is_one = targets.is_syntax(call.dotted) or len(call.args) == 1
    found = run(call.first)[1] if is_one else joined(call.args)
    found = joined((found, *(v for name, v in call.named.items() if name == "default")))
    if not is_one and isinstance(found, Number) and found.constant is not None:
        return found  # the same number each time
    if isinstance(found, Number) and call.named.keys() <= {"key", "default"}:
        return Number(found.kind, found.dtype)
    return found


def copied(call: Call) -> Value:
    """What a copy of a list or dictionary is; the elements are the same."""
    match call.first:
        case Sequence(is_list, items, each, size):
            return Sequence(is_list, items, each, size)
        case Mapped(items, each):
            return Mapped(items, each)
        case Number() | Literal() | Range():
            return call.first
        case Array(dtype, axes, _, library):
            return Array(dtype, axes, library=library)
        case Numeric(dtype):
            return Numeric(dtype)
    raise UntoldError("what is copied")


def same(call: Call) -> Value:
    """The first argument."""
    return call.first


def nothing(_: Call) -> Value:
    """`None`."""
    return NONE


def a_text(call: Call) -> Value:
    """A text; that of a text is the same."""
    match call.dotted, call.args:
        case ("builtins.str", (_,)) | ("python.text", _):
            return texts.together(call.args)
        case "ndarray.format", (first, *given) if not call.named:
            return texts.formatted(first, tuple(given), is_method=True)
    return text()


def shape_of(call: Call) -> Value:
    """The shape of an array, as a tuple."""
    axes = _axes(call)
    if axes is None:
        return Sequence(False, None, ANY_INTEGER)
    return Sequence(is_list=False, items=tuple(map(broadcasting.number, axes)))


def _axes(call: Call) -> tuple[Dimension, ...] | None:
    """The axes of the first argument; functions tell of any value how many there are."""
    match call.first:
        case Array(shape=axes):
            return axes
        case Unknown() if not targets.is_attribute(call.dotted):
            return None
    return shape(growing.whole(call.first) or call.operand())


def rank_of(call: Call) -> Value:
    """The number of axes."""
    axes = _axes(call)
    return ANY_INTEGER if axes is None else of_constant(len(axes))


def size_of(call: Call) -> Value:
    """The number of elements, or that of an axis."""
    axes = _axes(call)
    if axes is None:
        return ANY_INTEGER
    if len(call.args) > 1 or call.named:
        return ANY_INTEGER
    return broadcasting.number(broadcasting.product(axes))


def dtype_of(call: Call) -> Value:
    """The dtype of an array."""
    match call.first:
        case Number(dtype=dtype) | Array(dtype=dtype) | Numeric(dtype=dtype):
            return Literal("dtype", dtype)
    raise UntoldError("what has a dtype")


def arrays(call: Call) -> Value:
    """What `broadcast_arrays` gives: a tuple of the arguments, broadcast."""
    given = call.first
    if not isinstance(given, Sequence) or given.items is None:
        raise UntoldError("how many arrays there are")
    parts = tuple(map(operand, given.items))
    axes = broadcasting.broadcast(map(shape, parts))
    found = tuple(Array(dtypes.in_array((part,)), axes) for part in parts)
    return Sequence(is_list=False, items=found)


MAKES: Mapping[Makes, Callable[[Call], Value]] = MappingProxyType(
    {
        Makes.TUPLE: tuple_,
        Makes.LIST: list_,
        Makes.DICT: dict_,
        Makes.OBJECT: object_,
        Makes.SLICE: slice_,
        Makes.PATH: path,
        Makes.UNPACKED: unpacked,
        Makes.LENGTH: length,
        Makes.RANGE: range_,
        Makes.ENUMERATED: enumerated,
        Makes.ZIPPED: zipped,
        Makes.COLUMNS: columns,
        Makes.COMBINED: combined,
        Makes.CHOSEN: chosen,
        Makes.REVERSED: reversed_,
        Makes.ORDER: order,
        Makes.SORTED: sorted_,
        Makes.LIST_OF: gathered(is_list=True),
        Makes.TUPLE_OF: gathered(is_list=False),
        Makes.DICT_OF: dict_of,
        Makes.FROM_KEYS: from_keys,
        Makes.RUN_OF: run_of,
        Makes.MAPPED: mapped,
        Makes.FILTERED: filtered,
        Makes.PLACES: places,
        Makes.NEXT: next_,
        Makes.SUM: sum_,
        Makes.PRODUCT: product,
        Makes.EXTREME: extreme,
        Makes.COPY: copied,
        Makes.SAME: same,
        Makes.NOTHING: nothing,
        Makes.TEXT: a_text,
        Makes.SHAPE: shape_of,
        Makes.RANK: rank_of,
        Makes.SIZE: size_of,
        Makes.ARRAYS: arrays,
        Makes.DTYPE: dtype_of,
    }
)
