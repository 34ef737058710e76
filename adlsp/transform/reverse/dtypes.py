"""Whether an adjoint may have another dtype than its variable.

Type promotion is followed through the backward sweep. NumPy's promotion keeps a single-precision
adjoint single where the primal is, but for what the backward sweep itself makes of Python's
numbers: the expanded gradient of a sum, or the shares of a maximum, are arrays of double precision.
Sums over broadcasting and products cast to the dtype of the variable; so does what is added in
place.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Dtype, Shape

WIDENING = "scipy"
"""Where functions give double precision for single, or for the integers among their arguments."""


def may_differ(name: str, backward: ir.Block, primal: ir.Block, arrays: Container[str]) -> bool:
    """Tells whether an adjoint, at the end of a backward sweep, may have a dtype of its own.

    `arrays` are the variables of the primal that are surely numbers or arrays.
    """
    is_double = any(
        operations.of(call.function).may_widen
        or isinstance(call.function, targets.Pair)
        or targets.is_of(call.function, WIDENING)
        for call in _calls(backward)
    ) or any(targets.is_of(call.function, WIDENING) for call in _calls(primal))
    is_typed = any(_is_typed(call) for call in _calls(primal))
    is_double |= any(_is_common(call, arrays) for call in _calls(primal))
    is_double |= any(map(_narrows, ir.walk(primal)))
    return is_typed or (is_double and not is_cast(name, backward))


def _is_typed(call: ir.Call) -> bool:
    """Tells whether a call chooses the dtype of its result, and its adjoint does not go back."""
    is_told = len(call.args) > 1 or any(key == "dtype" for key, _ in call.keywords)
    return is_told and _makes_array(call)


def _casts(call: ir.Call, like: ir.Name | None) -> bool:
    """Tells whether a call gives an adjoint the dtype of its variable, or surely that of `like`."""
    record = operations.of(call.function)
    if record.dtype is not Dtype.LIKE:
        return False
    return like is None or (record.like is not None and call.args[record.like] == like)


def _makes_array(call: ir.Call) -> bool:
    """Tells whether a call makes an array, also of a list of numbers and arrays."""
    record = operations.of(call.function)
    return record.shape is Shape.FIRST and record.dtype_at is not None


def _narrows(statement: ir.Statement) -> bool:
    """Tells whether a statement stores what may be of double precision into an array that is not.

    Then the adjoint of what is stored is single, and that of what it is made of is double.
    """
    match statement:
        case ir.Store(index=index, value=ir.Name()):
            return index is not None and not ir.resizes(statement) and not ir.sets_cell(statement)
    return False


def _is_common(call: ir.Call, arrays: Container[str]) -> bool:
    """Tells whether the dtype of a result, and of the adjoint, is common to several values."""
    if _makes_array(call):
        return any(name not in arrays for name in ir.names(call.args[:1]))
    return bool(operations.of(call.function).has_common_dtype)


def is_cast(name: str, backward: ir.Block, like: ir.Name | None = None) -> bool:
    """Tells whether an adjoint surely has the dtype of its variable, whatever it was made of.

    `like` is the variable, where the steps on the way to it may have other dtypes.
    """
    match next((s for s in reversed(backward) if _binds(s, name)), None):
        case ir.Assign(value=ir.Call() as call) if _casts(call, like):
            return True
    return _is_cast(name, like, _values(backward), frozenset())


def _calls(block: ir.Block) -> Iterator[ir.Call]:
    for statement in ir.walk(block):
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call):
            yield statement.value


def _values(backward: ir.Block) -> dict[str, list[ir.Expression]]:
    """What each variable is bound to."""
    values: dict[str, list[ir.Expression]] = {}
    for statement in ir.walk(backward):
        match statement:
            case ir.Assign(targets=targets, value=value, is_tuple=is_tuple):
                for target in targets:
                    values.setdefault(target, []).append(ir.Const(None) if is_tuple else value)
    return values


def _binds(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement, or one inside of it, binds or changes a variable."""
    return any(name in ir.writes(inner) for inner in ir.walk((statement,)))


def _is_cast(
    name: str,
    like: ir.Name | None,
    values: dict[str, list[ir.Expression]],
    seen: frozenset[str],
) -> bool:
    """Tells whether all that a variable is bound to has the dtype that it should have."""
    if name in seen:
        return True
    for value in values.get(name, ()):
        match value:
            case ir.Call() if _casts(value, like):
                continue
            case ir.Call(function="operator.add" | "adlsp.runtime.add", args=args):
                parts = args
            case ir.Call(function="adlsp.runtime.add_at", args=(changed, *_)):
                parts = (changed,)
            case ir.Name():
                parts = (value,)
            case _:
                return False
        names = ir.names(parts)
        if len(names) < len(parts):
            return False
        if not all(_is_cast(each, like, values, seen | {name}) for each in names):
            return False
    return bool(values.get(name))
