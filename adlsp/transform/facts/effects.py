"""Which steps do more than give a value: they must run, once, and in their order.

All others are pure. And what calls may change of which nothing is known: they have neither a rule
nor a source.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Effect


def is_pure(value: ir.Expression) -> bool:
    """Tells whether an expression may be left out, or computed later, if nobody looks at it."""
    if isinstance(value, ir.Opaque):
        return value.is_definition
    if not isinstance(value, ir.Call):
        return True
    if value.function in ir.STATES.values():
        return isinstance(value.args[0], ir.Global)
    if operations.into(value) or written(value) or ir.changes_first(value.function):
        return False
    return operations.of(value.function).effect is Effect.NONE


def written(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments that a function is told to write into, or is there to change."""
    name = call.function
    record = operations.of(name)
    is_changing = record.changes_when is None or operations.holds(record.changes_when, call)
    if record.changes and is_changing and not ir.changes_first(name):
        return tuple(call.args[i] for i in record.changes if i < len(call.args))
    if not targets.is_of(name, "numpy", "scipy", "ndarray"):
        return ()
    is_to_spoil = any(
        key.startswith("overwrite_") and given != ir.Const(False) for key, given in call.keywords
    )
    if is_to_spoil:
        return call.args
    return call.args[:1] if name.endswith(".at") else operations.into(call)


def changed(statement: ir.Statement) -> tuple[str, ...]:
    """The variables whose objects a call changes that is told to, or is there for nothing else."""
    match statement:
        case ir.Do(value=ir.Call(function, args)) | ir.Assign(value=ir.Call(function, args)) if (
            ir.changes_first(function)
        ):
            return (*ir.names(args[:1]), *overwritten(statement))
    return overwritten(statement)


def overwritten(statement: ir.Statement) -> tuple[str, ...]:
    """The variables whose arrays a statement overwrites that is no store."""
    match statement:
        case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
            return tuple(ir.names(written(call)))
        case ir.Do(value=ir.Opaque(changes=names)) | ir.Assign(value=ir.Opaque(changes=names)):
            return names
    return ()


def may_change_first(function: str) -> bool:
    """Tells whether an unknown function may change its first argument only: an object's method."""
    is_of_object = targets.is_method(function) or function == "python.call"
    return ir.changes_first(function) or (is_of_object and not is_quiet(function))


def may_change_any(function: str) -> bool:
    """Tells whether an unknown function may change what it is given."""
    if operations.of(function).effect is Effect.ANY:
        return True
    is_of_object = targets.is_member(function) or function == "python.call"
    return not (is_of_object or isinstance(function, targets.Nested) or is_quiet(function))


def is_quiet(function: str) -> bool:
    """Tells whether a function leaves what it is given as it is, if it is not told otherwise."""
    return operations.of(function).effect in (Effect.NONE, Effect.OUTSIDE)
