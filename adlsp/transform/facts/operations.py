"""What a function does: its record, with what the word of its rule says."""

from __future__ import annotations

from functools import cache

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Dtype, Effect, Elements, Kind, Op, Result, Shape, Takes, When
from adlsp.transform.rules import table

RUNTIME = "adlsp.runtime"
BROADCAST = "adlsp.runtime.broadcast"
"""The call that gives a shape: that to which its arguments broadcast."""


NAMED = ("int", "int8", "int16", "int32", "int64", "intp", "uint8", "uint32", "uint64", "bool")
INTEGERS = frozenset(ir.Const(name) for name in (*NAMED, "i", "i4", "i8", "b", "?"))
"""How a dtype of integers may be written as a text."""

OBJECTS = (ir.Const("object"), ir.Const("O"))
"""How a dtype is written of which the elements are anything."""

OF_SWEEPS = Op(effect=Effect.NONE)
"""What the functions of derivatives do."""


@cache
def of(dotted: str) -> Op:
    """The record of a function; what nothing is known of is `None` in it."""
    if isinstance(dotted, targets.OF_SWEEPS):
        return OF_SWEEPS
    return records.of(dotted, table.load().word(dotted))


def gives(dotted: str, kind: Kind) -> bool:
    """Tells whether a function gives an object of some kind."""
    return of(dotted).gives is kind


def changes_container(dotted: str) -> bool:
    """Tells whether a function changes its first argument, perhaps a list or dictionary."""
    record = of(dotted)
    return record.changes == (0,) and not {Kind.LIST, Kind.DICT}.isdisjoint(record.of)


def is_written_out(dotted: str) -> bool:
    """Tells whether a function is a display of a list, tuple or dictionary, or makes an index."""
    record = of(dotted)
    is_display = record.holds and record.gives not in (None, Kind.SET)
    return bool(record.is_index or is_display)


def names(atom: ir.Atom, dtype: Dtype) -> bool:
    """Tells whether an argument is the type that a dtype is called by."""
    return isinstance(atom, ir.Global) and of(atom.dotted).names_dtype is dtype


def names_integers(atom: ir.Atom) -> bool:
    """Tells whether an argument is a dtype of integers or truth values."""
    return atom in INTEGERS or names(atom, Dtype.INTEGER)


def names_text(atom: ir.Atom) -> bool:
    """Tells whether an argument is a dtype of texts."""
    match atom:
        case ir.Const(str(name)):
            return name in ("str", "bytes") or name.lstrip("<>=|")[:1] in ("U", "S")
    return names(atom, Dtype.TEXT)


def told_dtype(call: ir.Call) -> ir.Atom | None:
    """The argument of a call that says which dtype its result is to have."""
    place = of(call.function).dtype_at
    told = dict(call.keywords).get("dtype")
    return (
        call.args[place] if told is None and place is not None and len(call.args) > place else told
    )


def names_objects(atom: ir.Atom) -> bool:
    """Tells whether an argument is the dtype of which the elements are anything."""
    return atom in OBJECTS or names(atom, Dtype.OBJECT)


def cuts_fractions(call: ir.Call) -> bool:
    """Tells whether a function of a library is told to give integers, whatever it is given."""
    told = told_dtype(call) if of(call.function).dtype_at is not None else None
    return told is not None and names_integers(told)


def gives_array(dotted: str) -> bool:
    """Tells whether a function surely gives a number or an array."""
    record = of(dotted)
    return record.gives in (Kind.ARRAY, Kind.INTEGER) and not record.gives_several


def gives_shape(dotted: str) -> bool:
    """Tells whether a function gives a shape, a tuple of integers."""
    record = of(dotted)
    return bool(record.tells_shape) and record.gives is Kind.TUPLE


def keeps_integers(dotted: str) -> bool:
    """Tells whether a function gives an integer for integers."""
    record = of(dotted)
    is_of_each = record.shape is Shape.EACH or targets.is_operator(dotted)
    return is_of_each and record.dtype in (Dtype.COMMON, Dtype.PART)


def takes_numbers(dotted: str) -> bool:
    """Tells whether all arguments of a function are single numbers, or it fails."""
    return of(dotted).takes is Takes.NUMBERS


def takes_no_lists(dotted: str) -> bool:
    """Tells whether all arguments of a function are numbers or arrays, or it fails."""
    return of(dotted).takes in (Takes.NUMBERS, Takes.ARITHMETIC)


def takes_sequences(dotted: str) -> bool:
    """Tells whether the first argument of a function is no number, or it fails."""
    return of(dotted).takes is Takes.SEQUENCES


def keeps_elements(dotted: str) -> bool:
    """Tells whether a function gives the elements of its arguments, in their order."""
    return of(dotted).elements in (Elements.OF_FIRST, Elements.TUPLES)


def gives_tuples(dotted: str) -> bool:
    """Tells whether the elements of what a function gives are tuples of those of its arguments."""
    return of(dotted).elements is Elements.TUPLES


def combines(dotted: str) -> bool:
    """Tells whether a function gives an iterator over the elements of its arguments, by position.

    Such are `zip`, `enumerate` and `reversed`.
    """
    return keeps_elements(dotted) and gives(dotted, Kind.ITERATOR)


def is_fresh_of_runtime(dotted: str) -> bool:
    """Tells whether a function of ours gives memory that nobody else holds."""
    return targets.is_of(dotted, RUNTIME) and records.said(dotted).result is Result.FRESH


def is_fresh(dotted: str) -> bool:
    """Tells whether an operator or a function of ours gives memory that nobody else holds.

    So does a sum of gradients, but where one of them is None: what it gives then is the other.
    """
    is_sum = targets.is_operator(dotted) or dotted == f"{RUNTIME}.add"
    return is_fresh_of_runtime(dotted) or (is_sum and of(dotted).result is not Result.SHARED)


def gives_new(dotted: str) -> bool:
    """Tells whether an operator or a function gives an array of its own, for arrays of NumPy."""
    record = of(dotted)
    is_array = targets.is_operator(dotted) or record.gives is Kind.ARRAY
    return is_array and record.result is Result.FRESH and record.passes_on is None


def gives_gradients(dotted: str) -> bool:
    """Tells whether a step may give a list of gradients, one for each element of a list."""
    return targets.is_of(dotted, RUNTIME) and bool(of(dotted).gives_several)


def holds(when: When, call: ir.Call) -> bool:
    """Tells whether a condition may hold for a call."""
    if when.n_operands:
        is_written = bool(call.args) and isinstance(call.args[0], ir.Const)
        match call.args:
            case (ir.Const(str() as subscripts), *_) if _sums_over(subscripts):
                return False
        return len(call.args) < when.n_operands + (1 if is_written else 2)
    given = given_at(call, when.at, when.keyword)
    return given is not None and (
        not isinstance(given, ir.Const) or given in map(ir.Const, when.literals)
    )


def _sums_over(subscripts: str) -> bool:
    """Tells whether an axis of the operands that subscripts name is none of the result."""
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    kept = result if arrow else [letter for letter in given if given.count(letter) == 1]
    return any(letter not in kept for letter in given if letter.isalpha())


def given_at(call: ir.Call, position: int, keyword: str) -> ir.Atom | None:
    """The argument of a call at a place or under a keyword."""
    return call.args[position] if len(call.args) > position else dict(call.keywords).get(keyword)


def into(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments into which a call is told to write its results, which are what it gives then.

    Of functions of NumPy and SciPy, and methods of arrays, that may be arguments by position.
    """
    placed = call.args[records.n_before_out(call.function) :]
    if not call.keywords or call.function == ir.OBJECT:  # which has attributes of any name
        return placed
    return (*placed, *(given for key, given in call.keywords if key == "out"))


def applied(call: ir.Call) -> ir.Atom | None:
    """The function that a call is given and calls with its other arguments."""
    place = records.said(call.function).applies
    if isinstance(place, int):
        return call.args[place] if place < len(call.args) else None
    return None if place is None else dict(call.keywords).get(place)
