"""What statements do besides giving a value: which objects they change, and why they do (mod-ref).

`changes` is the one place that answers it, for all who ask: which order steps must keep, what is
read again backward, which names see a change. What changes an object is a cause: the form tells it,
as of `x.sort()`; a call is told to, by `out=x`; a user's function does it in its body; or nothing
is known of what is called for nothing else (it clobbers). Stores are not among it: they say so
themselves. Each question is one for some of the causes.

And which steps do no more than give a value: those may be left out, or done later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum

from adlsp.transform import ir
from adlsp.transform.facts import callees, operations
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Effect


class Cause(Enum):
    """Why a statement is taken to change an object."""

    BINDING = "binding"
    """`x.sort()`: the form takes it for a new `x`."""

    TAKING = "taking"
    """`v = heappop(x)`: the result is looked at, too."""

    RESIZING = "resizing"
    """`v = x.pop()`: the same, of a list or dictionary that becomes longer or shorter."""

    TOLD = "told"
    """`np.add(a, b, out=x)`: the call is told to, or there for nothing else."""

    TEXT = "text"
    """A part of the text that is not lowered does."""

    BODY = "body"
    """The user's function that is called does."""

    DOUBT = "doubt"
    """A function that has neither a rule nor a source is called for nothing else, here or there."""


OVERWRITING = (Cause.TOLD, Cause.TEXT)
"""An array gets other elements, though no store says so."""

UNSAID = tuple(cause for cause in Cause if cause is not Cause.BINDING)
"""The statement does not bind the name: what was read of it must be kept before."""

UFUNCS = ("numpy", "scipy.special")
"""Where the functions are that have a method `at`, which adds into what it is given."""

UNCOPIED = (Cause.TAKING, Cause.TEXT, Cause.DOUBT)
"""Nothing makes a copy before: other names for the object have something else then, too."""


def is_pure(value: ir.Expression) -> bool:
    """Tells whether an expression may be left out, or computed later, if nobody looks at it."""
    if isinstance(value, ir.Opaque):
        return value.is_definition or value.function is not None
    if not isinstance(value, ir.Call):
        return True
    if value.function in ir.STATES.values():
        return isinstance(value.args[0], ir.Global)
    if operations.of(value.function).effect is not Effect.NONE:
        return False
    return not (operations.into(value) or written(value) or ir.changes_first(value.function))


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
    is_ufunc_at = name.endswith(".at") and targets.is_of(name, *UFUNCS)
    return call.args[:1] if is_ufunc_at else operations.into(call)


def filed(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The file that a function writes into, which may be one in memory."""
    place = operations.of(call.function).file_at
    if isinstance(place, int):
        return call.args[place : place + 1]
    return tuple(atom for key, atom in call.keywords if key == place)


def changed(
    statement: ir.Statement, causes: Collection[Cause], known: callees.Callees | None = None
) -> Iterator[str]:
    """The variables whose objects a statement may change for one of these causes."""
    return (name for name, cause in changes(statement, known) if cause in causes)


def changes(
    statement: ir.Statement,
    known: callees.Callees | None = None,
    *,
    scalar_elements: bool = False,
) -> Iterator[tuple[str, Cause]]:
    """The variables whose objects a statement may change, and why; without a program, as it says.

    `scalar_elements`: what a user's function takes for a number is one.
    """
    match statement:
        case ir.Do(value=ir.Opaque(changes=names)) | ir.Assign(value=ir.Opaque(changes=names)):
            yield from ((name, Cause.TEXT) for name in names)
        case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
            if ir.changes_first(call.function):
                yield from _each(call.args[:1], _of_first(statement, call.function))
            if told := written(call):
                yield from _each(told, Cause.TOLD)
            if known is not None and _applies_what_writes(call, known):
                yield from _each(call.atoms, Cause.TOLD)
            if known is None or known.rule(call.function) is not None:
                return
            if known.function(call.function) is not None:
                yield from _each(known.changed(call, scalar_elements=scalar_elements), Cause.BODY)
                yield from _each(known.doubted(call), Cause.DOUBT)
            elif isinstance(statement, ir.Do):
                yield from _each(_doubtful(call), Cause.DOUBT)


def _applies_what_writes(call: ir.Call, known: callees.Callees) -> bool:
    """Tells whether a call calls a user's function that changes what it is given: `map(g, xs)`."""
    applied = operations.applied(call)
    if not isinstance(applied, ir.Global) or known.rule(applied.dotted) is not None:
        return False
    function = known.function(applied.dotted)
    return function is not None and bool(known.written(function))


def _each(atoms: tuple[ir.Atom, ...], cause: Cause) -> Iterator[tuple[str, Cause]]:
    return ((name, cause) for name in ir.names(atoms))


def _of_first(statement: ir.Statement, function: str) -> Cause:
    """Why a call changes its first argument that is there to do so."""
    if isinstance(statement, ir.Do):
        return Cause.BINDING
    return Cause.RESIZING if records.said(function).resizes else Cause.TAKING


def _doubtful(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments that a function without rule and source may change; ours change none."""
    name = call.function
    if targets.is_of(name, "adlsp") or isinstance(name, targets.WRITTEN):
        return ()
    is_loud = targets.has_receiver(name) and not is_quiet(name)
    return call.atoms if is_loud or may_change_any(name) else ()


def may_change_first(function: str) -> bool:
    """Tells whether an unknown function may change its first argument only: an object's method."""
    return ir.changes_first(function) or (targets.has_receiver(function) and not is_quiet(function))


def may_be_of_class(function: str, known: callees.Callees | None) -> bool:
    """Tells whether a method may be that of a class, `C.put(box, x)`: it may change all it gets."""
    if known is None or not targets.is_method(function):
        return False
    return known.defines_method(targets.member(function))


def may_change_any(function: str) -> bool:
    """Tells whether an unknown function may change what it is given."""
    if operations.of(function).effect is Effect.ANY:
        return True
    is_of_object = targets.has_receiver(function) or targets.is_attribute(function)
    return not (is_of_object or isinstance(function, targets.Nested) or is_quiet(function))


def is_quiet(function: str) -> bool:
    """Tells whether a function leaves what it is given as it is, if it is not told otherwise."""
    return operations.of(function).effect in (Effect.NONE, Effect.OUTSIDE)
