"""Which expressions may share memory with what they read: names, views, elements of containers.

What a function gives its record tells (`ops/`).
"""

from __future__ import annotations

from collections.abc import Callable

from adlsp.transform import ir
from adlsp.transform.diagnostics import language, mutation
from adlsp.transform.facts import operations
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Kind, Result
from adlsp.transform.rules import table


def makes_new(function: str) -> bool:
    """Tells whether a function gives an object that nothing else holds: an array may be a view.

    A method may be that of a list, whose copy holds the same objects.
    """
    record = operations.of(function)
    is_array = record.result is Result.FRESH or record.gives is Kind.ARRAY
    return is_array and not targets.is_member(function)


def may_view(value: ir.Expression) -> bool:
    """Tells whether the value of an expression may share memory with what it reads."""
    if not isinstance(value, ir.Call):
        is_own = isinstance(value, ir.Opaque) and (not value.findings or is_apart(value))
        return isinstance(value, ir.Name | ir.Opaque | ir.Global) and not is_own
    record = operations.of(value.function)
    if targets.is_of(value.function, "numpy", "ndarray") and any(
        map(operations.names_objects, value.atoms)
    ):
        return True
    if record.result not in (Result.FRESH, Result.APART) or _is_told_to_share(value):
        return True
    return record.shared is not None and operations.holds(record.shared, value)


def is_into(value: ir.Expression) -> bool:
    """Tells whether an expression is a call of NumPy that writes its result into `out=`."""
    return (
        isinstance(value, ir.Opaque)
        and any(isinstance(found.finding, mutation.OutArgument) for found in value.findings)
        and all(name == "python.out" or targets.is_of(name, "numpy") for name, _ in value.calls)
    )


def viewed(value: ir.Expression) -> tuple[str, ...]:
    """The variables of which an expression may be a view: not what only says of which part."""
    if isinstance(value, ir.Opaque) and is_into(value):
        return value.changes
    if isinstance(value, ir.Call) and operations.into(value):
        return tuple(ir.expression_reads(value))
    if isinstance(value, ir.Call) and table.load().word(value.function) == "linear":
        rule = table.load().get(value.function)
        bound = None if rule is None else table.bind(rule.parameters, value)
        if rule is not None and isinstance(bound, dict):
            return tuple(ir.names(tuple(bound[name] for name in rule.of if name in bound)))
    return tuple(ir.expression_reads(value))


def is_new(value: ir.Opaque) -> bool:
    """Tells whether an expression is a comprehension whose elements are made by each pass.

    What they hold in their turn may be old.
    """
    return _is_filled(value, _gives_new)


def is_apart(value: ir.Opaque) -> bool:
    """Tells whether an expression shares no memory with what it reads.

    So it is with text, and a comprehension of what does not.
    """
    text = language.UnsupportedStatement(language.TEXT)
    is_text = any(found.finding == text for found in value.findings)
    return is_text or _is_filled(value, _gives_apart)


def _is_filled(value: ir.Opaque, gives: Callable[[ir.Expression, set[str]], bool]) -> bool:
    """Tells whether a comprehension holds only what expressions with a property `gives` give.

    These may read what is `made` so in the same pass.
    """
    if value.unfolded is None:
        return False
    steps, result = value.unfolded
    made: set[str] = set()
    old: set[str] = set()
    for statement in ir.walk(steps):
        match statement:
            case ir.For(target=target):
                old.add(target)
            case ir.Assign(targets=targets, value=given):
                (made if gives(given, made - old) else old).update(targets)
            case ir.Store(base=base, value=stored) if not _are_of(made - old, (stored,)):
                old.add(base)
    return result.id in made - old


def _gives_new(value: ir.Expression, made: set[str]) -> bool:
    """Tells whether an expression gives an object that nothing else holds."""
    match value:
        case ir.Opaque():
            return is_new(value)
        case ir.Call(function="python.list" | "python.dict" | "python.repeat" | "python.concat"):
            return True
        case ir.Call(function=ir.OBJECT):
            return True
    return _gives_apart(value, made)


def _gives_apart(value: ir.Expression, made: set[str]) -> bool:
    """Tells whether an expression gives what shares memory with what is `made` at most."""
    match value:
        case ir.Opaque():
            return is_apart(value)
        case ir.Call(function="python.repeat" | "operator.getitem", args=(whole, _)):
            return _are_of(made, (whole,))
        case ir.Call(function="python.dict", args=args):
            return _are_of(made, args[1::2])
        case ir.Call(function=ir.OBJECT, keywords=fields):
            return _are_of(made, tuple(a for _, a in fields))
        case ir.Call(function=function) if operations.of(function).result is Result.SHARED:
            return _are_of(made, value.atoms)
        case ir.Call(function=function):
            return makes_new(function) and not may_view(value)
    return made.issuperset(ir.expression_reads(value)) and not isinstance(value, ir.Global)


def _are_of(made: set[str], atoms: tuple[ir.Atom, ...]) -> bool:
    """Tells whether atoms are variables that are made there, or constants: none is of a module."""
    return made.issuperset(ir.names(atoms)) and not any(map(ir.is_global, atoms))


def _is_told_to_share(call: ir.Call) -> bool:
    """Tells whether a call has to copy only where there is no other way, or is given an array."""
    is_copied = all(key != "copy" or given == ir.Const(True) for key, given in call.keywords)
    return not is_copied or any(given != ir.Const(None) for given in operations.into(call))
