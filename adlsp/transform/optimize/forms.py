"""How a library of arrays spells what helpers of derivatives do, where it is known what is given.

Each form gives what takes the place of a call, by the values of its arguments, or None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol, TypeGuard

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir.variables import Step, primal
from adlsp.transform.values import broadcasting, dtypes, lattice, transfer
from adlsp.transform.values.lattice import (
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Object,
    Sequence,
    Slice,
    Value,
)

HOME = "adlsp.runtime."
SUM, EXPAND = "numpy.sum", "numpy.expand_dims"
REPEAT, ZEROS, ADD_AT = (f"{HOME}{name}" for name in ("expand", "zeros", "add_at"))
RESTRUCTURE = f"{HOME}restructure"
LISTED = "adlsp.runtime.listed"
TIMES, MULTIPLY = "operator.mul", "tensorflow.multiply"


class Place(Protocol):
    """Where a call stands: `at` is its statement.

    `bound` and `read` tell how often variables are, `own` which are new arrays, `outer` which are
    outer products, `rows` which are lists of the rows of others, `smaller` what stands for arrays
    that are wider, `summed` which are summed part by part, and `structured` which gradients have
    the structure of something.
    """

    at: ir.Statement
    bound: Counter[str]
    read: Counter[str]
    own: set[str]
    outer: set[str]
    rows: dict[str, ir.Name]
    smaller: dict[str, Value]
    summed: set[str]
    structured: dict[str, ir.Name]

    def step(self, function: str, *args: ir.Atom) -> ir.Name:
        """A step before the statement."""

    def shaped(self, atom: ir.Atom) -> ir.Name | None:
        """The array of floats whose shape a step is, if it still has its name."""


Values = tuple[Value, ...]
Form = Callable[[Place, ir.Call, Values], ir.Expression | None]


def with_elements(value: Value) -> Value:
    """An array, also for what only says what another is like."""
    return value.with_elements if isinstance(value, Array) else value


def is_floats(value: Value) -> bool:
    """Tells whether a value is an array of NumPy's, of floats."""
    return _is_of_floats(value) and isinstance(value, Array) and _is_own(value)


def _is_of_floats(value: Value) -> bool:
    return isinstance(value, Array) and value.dtype in ("float64", "float32")


def is_ours(name: str) -> bool:
    """Tells whether a variable is a step of an expression, or the adjoint of one."""
    return isinstance(primal(name), Step)


def is_tensor(value: Value) -> TypeGuard[Array]:
    """Tells whether a value is a tensor of floats."""
    return isinstance(value, Array) and value.library == "tensorflow" and _is_of_floats(value)


def is_basic(index: Value) -> bool:
    """Tells whether an index is an integer, a slice, a mask, or says where new axes are."""
    match index:
        case Number("int") | Slice() | Literal("ellipsis" | "NoneType") | Array("bool"):
            return True
    return False


def is_row(value: Value) -> TypeGuard[Array]:
    """Tells whether a value is a vector of integers, of NumPy's."""
    match value:
        case Array(dtype=str() as dtype, shape=(_,), library="numpy"):
            return dtypes.kind(dtype) == "int"
    return False


def has_all(value: Value, whole: Array) -> bool:
    """Tells whether an array has the dtype, and all elements, of what has the shape of another."""
    if not isinstance(value, Array) or (value.library, value.dtype) != (whole.library, whole.dtype):
        return False
    if whole.library != "numpy":
        return value.shape == whole.shape is not None and None not in whole.shape
    return broadcasting.reduction(value, whole) == broadcasting.Reduction()


def is_like(given: Array, like: Value) -> bool:
    """Tells whether a gradient has the dtype and the rank of its variable as it is."""
    return (
        isinstance(like, Array)
        and given.dtype == like.dtype is not None
        and given.rank == like.rank is not None
        and like.library == given.library
    )


def is_structured(given: Value, like: Value, *, is_plain: bool = False) -> bool:
    """Tells whether a gradient has the classes, dtypes and ranks of what it is of.

    Lists may be those to which parts can be added, also in place of a tuple, but not in an object
    of a class: it has been put into its structure.
    """
    match given, like:
        case (Object(of=of), Object(of=other, may_be_none=False)) if of == other:
            is_plain |= of != ir.RECORD
        case (Sequence(items=tuple()), Sequence(items=tuple())):
            if not is_plain or given.is_list != like.is_list:
                return False
        case (Mapped(items=tuple()), Mapped(items=tuple())):
            pass
        case (Array(), Array()):
            return is_like(given, like)
        case (Number(kind="float"), Number(kind="float", dtype=None | "float64" | "?")):
            return True
        case _:
            return given == lattice.NONE and isinstance(like, Literal | Function)
    held, parts = dict(lattice.parts(given)), dict(lattice.parts(like))
    return held.keys() == parts.keys() and all(
        is_structured(held[at], part, is_plain=is_plain) for at, part in parts.items()
    )


def _is_own(value: Array) -> bool:
    return value.library == "numpy"


def _zeros(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    match values[0]:
        case Array(library="tensorflow") as tensor if _is_of_floats(tensor):
            return ir.Call("tensorflow.zeros_like", call.args)
        case Number(kind="float", dtype=None | "float64" | "?"):
            return ir.Const(0.0)
        case Array() as array if is_floats(array):
            return ir.Call("numpy.zeros_like", call.args)
    return None


def _times(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A product of tensors of one dtype, for which the operator looks twice as long."""
    if not around.smaller.keys().isdisjoint(ir.names(call.args)):
        return None
    match values:
        case (Array(library="tensorflow") as one, Array(library="tensorflow") as other) if (
            _is_of_floats(one) and one.dtype == other.dtype
        ):
            return ir.Call(MULTIPLY, call.args)
    return None


def _power(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The slope of a root of a number of Python's: as a power it raises an error for zero."""
    match values:
        case Number("float", None), Number(constant=float() as exponent) if (
            -1 < exponent < 0 and around.at.role is not ir.Role.PRIMAL
        ):
            power = around.step("operator.pow", call.args[0], ir.Const(-exponent))
            return ir.Call(f"{HOME}ratio", (ir.Const(1.0), power))
    return None


def _copy(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    (given,) = call.args
    if isinstance(given, ir.Name) and around.read[given.id] == 1:
        if given.id in around.own:
            return given
        if given.id in around.rows:
            return ir.Call("builtins.list", (around.step("numpy.array", around.rows[given.id]),))
    match values[0]:
        case Number():
            return given
        case Array() as array if _is_own(array):
            return ir.Call("numpy.array", call.args)
    is_sum = isinstance(given, ir.Name) and given.id in around.summed  # which changes in place
    return given if is_tensor(values[0]) and _is_made(values[0]) and not is_sum else None


def _is_made(tensor: Array) -> bool:
    """Tells whether steps have made a tensor: what is given may be a variable, which changes."""
    return bool(tensor.sites) and all(site[0].isdigit() for site in tensor.sites)


def _held(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """What a list, a dictionary or an object surely has at a place."""
    base, key = values[0], lattice.constant_of(values[1])
    is_there = isinstance(base, Sequence) and base.is_list
    is_there |= isinstance(base, Object) and key in dict(base.attributes)
    is_there |= isinstance(base, Mapped) and base.items is not None and key in dict(base.items)
    return ir.Call("operator.getitem", call.args) if is_there else None


def _entered(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The tangent of a dictionary that is made of another one."""
    return ir.Call("builtins.dict", call.args[:1]) if isinstance(values[1], Mapped) else None


def _entered_bar(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of a dictionary of which another one is made."""
    return ir.Call(f"{HOME}restructure", call.args) if isinstance(values[1], Mapped) else None


def _real(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The real part, or the conjugate, of what is real."""
    return call.args[0] if _is_real(values[0]) else None


def _logarithm(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The logarithm in the slope of a power that is real."""
    is_plain = len(values) == 2 and _is_real(values[1]) and not dtypes.is_narrow(*values)
    return ir.Call(call.function, call.args[:1]) if is_plain else None


def _is_real(value: Value) -> bool:
    return _is_of_floats(value) or (isinstance(value, Number) and value.kind == "float")


def _product(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A product of an array, which no list is multiplied by."""
    is_plain = len(values) == 2 and all(isinstance(v, Array | Number) for v in values)
    is_plain &= max(map(rank, values)) > 0
    return ir.Call("operator.mul", call.args) if is_plain else None


def _stretched(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A tangent that has the shape of its variable as it is."""
    match values:
        case (Number(), Sequence(items=())):
            return call.args[0]
        case (Array(shape=tuple() as sizes), Sequence(items=tuple() as items)) if sizes:
            is_same = None not in sizes and [*map(broadcasting.size, items)] == [*sizes]
            return call.args[0] if is_same else None
    return None


def _negated(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A number of the text, or several, with the other sign; that of an integer."""
    match call.args:
        case (ir.Const(int() as number),) if not isinstance(number, bool):
            return ir.Const(-number)
    match values[0]:
        case Sequence(items=tuple() as items):
            several = [n for n in map(lattice.constant_of, items) if isinstance(n, int)]
            return ir.Const((*(-n for n in several),)) if len(several) == len(items) > 0 else None
        case Number(kind="int"):
            return ir.Call("operator.neg", call.args)
    return None


def _inverted(_: Place, _call: ir.Call, values: Values) -> ir.Expression | None:
    """The order that puts axes back."""
    match values[0]:
        case Sequence(items=tuple() as items):
            axes = [*map(lattice.constant_of, items)]
            if all(place in axes for place in range(len(axes))):
                return ir.Const(tuple(map(axes.index, range(len(axes)))))
    return None


def _sign(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """What the size of real numbers changes by."""
    return replace(call, function="numpy.sign") if is_floats(values[0]) else None


def _sign_of_tensor(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The same, of a tensor."""
    return replace(call, function="tensorflow.sign") if is_tensor(values[0]) else None


def _count(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """How many elements a reduction over one axis takes together."""
    match call.args:
        case (shape, ir.Const(int() as axis)) if isinstance(values[0], Sequence):
            base = around.shaped(shape)
            if base is not None and axis == 0:
                return ir.Call("builtins.len", (base,))
            return ir.Call("operator.getitem", (shape, ir.Const(axis)))
    return None


def _turned(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A matrix transposed; that of an outer product is one, too (`outer_products.py`)."""
    if not around.outer.isdisjoint(ir.names(call.args)):
        return None
    axes = {ir.Const(-1), ir.Const(-2)}
    is_matrix = rank(values[0]) == 2 and (not call.args[1:] or set(call.args[1:]) == axes)
    return ir.Call("attribute.T", call.args[:1]) if is_matrix else None


def _multiplied(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A product of matrices or vectors."""
    is_plain = len(call.args) == 2 and all(rank(value) > 0 for value in values)
    return ir.Call("operator.matmul", call.args) if is_plain else None


def _least(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The least of numbers that are known to be the same."""
    first = values[0]
    is_known = isinstance(first, Number) and first.constant is not None
    return call.args[0] if is_known and all(value == first for value in values) else None


def _size(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    match values[0]:
        case Array() as array if _is_own(array):
            return ir.Call("attribute.size", call.args)
    return None


def _broadcast(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The operand whose shape all have together, in a program that runs."""
    shapes = [broadcasting.shape_of(value) for value in values]
    whole = broadcasting.broadcast(shapes)
    if whole is None or None in whole:
        return None
    for atom, value, shape in zip(call.args, values, shapes, strict=True):
        is_once = isinstance(atom, ir.Name) and around.bound[atom.id] == 1
        is_own = isinstance(value, Array) and _is_own(value)
        if shape == whole and is_once and is_own and all(map(lattice.is_not_one, whole)):
            return atom
    return None


def _like(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A gradient that has the shape and dtype of its variable as it is."""
    match values[:2]:
        case (Array() as given, Array() as like) if _is_of_floats(like):
            is_known = None not in (given.shape or (None,)) and given.library == like.library
            if is_known and (given.dtype, given.shape) == (like.dtype, like.shape):
                return call.args[0]
        case (Number(kind="float"), Number(kind="float", dtype=None | "float64" | "?")):
            return call.args[0]
    return None


def _reduced(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A gradient that has the shape of its variable as it is, or the sum for a number."""
    match values[:2]:
        case (Array(dtype="float64"), Number(kind="float", dtype="float64" | "?" | None)) if (
            rank(values[0]) > 0
        ):
            return ir.Call(SUM, call.args[:1])
        case (Array() as given, Array() as like) if given.dtype == like.dtype:
            is_told = _is_of_floats(like) and given.library == like.library
            if is_told and broadcasting.reduction(like, given) == broadcasting.Reduction():
                return call.args[0]
    return _like(around, call, values)


def _cast(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A gradient that has the dtype, or the structure, of its variable as it is."""
    match call.args:
        case (ir.Name(id) as made, of) if around.structured.get(id) == of:
            return made if _holds_doubles(values[1]) else None
    match values[:2]:
        case (Array() as given, Array() as like) if (
            _is_of_floats(given) and given.dtype == like.dtype
        ):
            return call.args[0] if given.library == like.library else None
        case (Object() as given, Object() as like) if is_structured(given, like):
            return call.args[0]
    return _like(around, call, values)


def _restructured(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A gradient that has the structure of its variable as it is."""
    is_told = isinstance(values[0], Object | Mapped | Array)
    return call.args[0] if is_told and is_structured(values[0], values[1]) else None


def _holds_doubles(value: Value) -> bool:
    """Tells whether all numbers of a structure are floats in double precision."""
    held = [part for _, part in lattice.parts(value)]
    if isinstance(value, Number):
        return value.kind == "float" and value.dtype in (None, "float64")
    return is_floats(value) or (bool(held) and all(map(_holds_doubles, held)))


def _conjugate_transpose(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """A real matrix transposed, or each in a stack."""
    match rank(values[0]):
        case 2:
            return ir.Call("attribute.T", call.args)
        case int() as axes if axes > 2:
            return ir.Call("numpy.swapaxes", (*call.args, ir.Const(-1), ir.Const(-2)))
    return None


def _is_square(shape: Value) -> bool:
    """Tells whether a shape is that of a square matrix."""
    match shape:
        case Sequence(items=(Number() as rows, Number() as columns)) if rows == columns:
            return rows.constant is not None
    return False


def _diagonal(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of the diagonal of a square matrix."""
    is_whole = len(call.args) == 2 and rank(values[0]) == 1 and _is_square(values[1])
    return ir.Call("numpy.diag", call.args[:1]) if is_whole else None


def _trace(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of the trace of a square matrix."""
    base = around.shaped(call.args[1])
    is_double = isinstance(values[0], Number) and _holds_doubles(values[0])
    if len(call.args) != 2 or base is None or not is_double or not _is_square(values[1]):
        return None
    one = around.step("numpy.eye", around.step("builtins.len", base))
    return ir.Call("operator.mul", (call.args[0], one))


def _factor(place: int, *, has_stacks: bool = True) -> Form:
    """The gradient of one of the factors of a product of matrices, vectors, or stacks of these."""

    def factor(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
        bar, *factors = call.args
        given, *others = values
        own, other = others[place], others[1 - place]
        if has_stacks and is_tensor(own):
            return _factor_of_tensors(place, call, values)
        if not _is_of_product(given, *others) or not _has_dtype(own, given, other):
            return None
        if [*map(rank, values)] == [1, *((2, 1), (1, 2))[place]]:
            return ir.Call("numpy.outer", ((bar, factors[1]), (factors[0], bar))[place])
        if not has_stacks:
            return None
        if rank(others[1]) == 1 and rank(given) > 1:
            if place:
                return ir.Call("numpy.tensordot", (bar, factors[0], ir.Const(rank(given))))
            return ir.Call("operator.mul", (around.step(EXPAND, bar, ir.Const(-1)), factors[1]))
        if min(map(rank, values)) < 2 or rank(given) < 3:
            return None
        if _is_stacked_as(own, given):
            axes = () if rank(other) == 2 else (ir.Const(-1), ir.Const(-2))
            name = "numpy.swapaxes" if axes else "attribute.T"
            turned = around.step(name, factors[1 - place], *axes)
            return ir.Call("operator.matmul", ((bar, turned), (turned, bar))[place])
        if place and rank(own) == 2 and _is_stacked_as(other, given):
            along = ir.Const((tuple(range(rank(given) - 1)),) * 2)
            return ir.Call("numpy.tensordot", (factors[0], bar, along))
        return None

    return factor


def _factor_of_tensors(place: int, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of one of the factors of a product of tensors, as by `_factor`."""
    bar, *factors = call.args
    given, *others = values
    made = transfer.result("operator.matmul", transfer.Given((others[0], others[1]), {}))
    own, other = others[place], others[1 - place]
    if not (isinstance(given, Array) and isinstance(own, Array) and isinstance(other, Array)):
        return None
    if not is_tensor(other) or not is_tensor(made) or not has_all(given, made):
        return None
    if own.shape is None or other.shape is None or given.shape is None:
        return None
    n_axes = len(given.shape)
    if place and len(own.shape) == 2 and n_axes == len(other.shape) > 2:
        along = ir.Const((tuple(range(n_axes - 1)),) * 2)
        return ir.Call("tensorflow.tensordot", (factors[0], bar, along))
    if len(own.shape) != n_axes or own.shape[:-2] != given.shape[:-2]:
        return None
    args = (factors[0], bar) if place else (bar, factors[1])
    turned = "transpose_a" if place else "transpose_b"
    return ir.Call("tensorflow.matmul", args, ((turned, ir.Const(True)),))


def _dotted(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The sum over the axes of a vector, and the first one of an array."""
    if len(call.args) < 3 or call.args[2] != ir.Const(1) or rank(values[0]) != 1:
        return None
    return ir.Call("numpy.dot", call.args[:2]) if rank(values[1]) in (1, 2) else None


def _is_of_product(bar: Value, one: Value, other: Value) -> bool:
    """Tells whether a gradient has the shape of a product; where that is broadcast, it is wider."""
    if min(map(rank, (bar, one, other))) < 1:
        return False
    assert isinstance(bar, Array)
    made = transfer.result("operator.matmul", transfer.Given((one, other), {}))
    return broadcasting.reduction(made, bar) == broadcasting.Reduction()


def _has_dtype(own: Value, bar: Value, other: Value) -> bool:
    """Tells whether a gradient has the dtype of its factor as it is: the helper would cast it."""
    return isinstance(own, Array) and dtypes.common((bar, other)) == own.dtype


def _is_stacked_as(own: Value, whole: Value) -> bool:
    """Tells whether there are as many matrices in a stack as in another."""
    if not isinstance(own, Array) or not isinstance(whole, Array):
        return False
    stacks = [replace(each, shape=(each.shape or ())[:-2]) for each in (own, whole)]
    return rank(own) == rank(whole) and broadcasting.reduction(*stacks) == broadcasting.Reduction()


def _split(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradients of numbers, or arrays of one shape, that were stacked: a list of the rows."""
    match call.args, values:
        case (ir.Name() as bar, _, *axis), (Array() as given, Sequence() as stacked, *_) if (
            axis in ([], [ir.Const(0)]) and rank(given) > 0
        ):
            (name,), element = ir.writes(around.at), stacked.element
            row = replace(given, shape=(given.shape or ())[1:])
            is_number = isinstance(element, Number) and element.kind == "float" and not row.shape
            if not is_number and not (isinstance(element, Array) and has_all(element, row)):
                return None
            if is_number or (around.read[bar.id] == 1 and bar.id in around.own):
                around.own.add(name)
            else:
                around.rows[name] = bar
            return ir.Call("builtins.list", (bar,))
    return None


def _joined(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of an array that was split, along one axis."""
    match call.args, values[:2]:
        case (parts, _, ir.Const(int()) as axis), (
            Sequence(items=tuple() as items),
            Sequence(items=tuple() as sizes),
        ):
            if items and {rank(part) for part in items} == {len(sizes)}:  # not what was stacked
                return ir.Call("numpy.concatenate", (parts,), (("axis", axis),))
    return None


def _transposed(_: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of an array whose axes changed places: they are put back."""
    match call.args:
        case (bar, ir.Const(tuple() as axes)) if rank(values[0]) == len(axes):
            places = sorted(range(len(axes)), key=lambda place: axes[place] % len(axes))
            return ir.Call("numpy.transpose", (bar, ir.Const(tuple(places))))
    return None


def rank(value: Value) -> int:
    """The rank of an array of floats; -1 if it is not known."""
    if isinstance(value, Array) and is_floats(value) and value.rank is not None:
        return value.rank
    return -1


def _expand(around: Place, call: ir.Call, values: Values) -> ir.Expression | None:
    """The gradient of a sum of all elements."""
    if len(call.args) != 2:
        return None
    given, shape = call.args
    match values:
        case (Number(kind="float", dtype=None | "float64" | "?"), Sequence(items=tuple() as sizes)):
            base = around.shaped(shape)
            if base is None:
                return ir.Call("numpy.full", (shape, given)) if sizes else None
            return ir.Call("numpy.full_like", (base, given)) if sizes else None
    return None


def is_sure(call: ir.Call, value: Value) -> bool:
    """Tells whether a call makes sure of nothing but what is known of its argument."""
    match call.function:
        case "adlsp.runtime.plain_list":
            return isinstance(value, Sequence) and value.is_list
        case "adlsp.runtime.plain_dict":
            return isinstance(value, Mapped)
        case "adlsp.runtime.beside":
            is_array = isinstance(value, Array) and value.library == "numpy"
            return isinstance(value, Number) or (is_array and len(call.args) > 1)
    return False


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        ZEROS: _zeros,
        TIMES: _times,
        "operator.pow": _power,
        f"{HOME}copy": _copy,
        f"{HOME}distinct": _copy,
        f"{HOME}own": _copy,
        f"{HOME}part": _copy,
        f"{HOME}diag_bar": _diagonal,
        f"{HOME}trace_bar": _trace,
        f"{HOME}dagger": _conjugate_transpose,
        f"{HOME}transpose_bar": _transposed,
        f"{HOME}join": _joined,
        f"{HOME}split_bar": _split,
        LISTED: _split,
        f"{HOME}size": _size,
        f"{HOME}count": _count,
        f"{HOME}entered": _entered,
        f"{HOME}entered_bar": _entered_bar,
        f"{HOME}entry": _held,
        f"{HOME}held": _held,
        f"{HOME}conj": _real,
        f"{HOME}real": _real,
        f"{HOME}power_log": _logarithm,
        f"{HOME}phase": _sign,
        f"{HOME}tensors.conj": _real,
        f"{HOME}tensors.turn": _sign_of_tensor,
        "builtins.min": _least,
        "numpy.real": _real,
        "tensorflow.math.real": _real,
        "numpy.multiply": _product,
        f"{HOME}stretch": _stretched,
        "numpy.negative": _negated,
        "tensorflow.negative": _negated,
        "tensorflow.math.invert_permutation": _inverted,
        "numpy.matmul": _multiplied,
        "numpy.tensordot": _dotted,
        "numpy.swapaxes": _turned,
        "numpy.transpose": _turned,
        operations.BROADCAST: _broadcast,
        f"{HOME}cast_like": _cast,
        RESTRUCTURE: _restructured,
        f"{HOME}unbroadcast": _reduced,
        f"{HOME}matmul_bar_a": _factor(0),
        f"{HOME}dot_bar_a": _factor(0, has_stacks=False),
        f"{HOME}matmul_bar_b": _factor(1),
        f"{HOME}matmul_factors_a": _factor(0),
        f"{HOME}matmul_factors_b": _factor(1),
        f"{HOME}dot_bar_b": _factor(1, has_stacks=False),
        REPEAT: _expand,
    }
)
"""What a library has for a call, by the values of its arguments; None for nothing."""
