"""What calls may change in place without a word: `rng.shuffle(y)`, `log.append(y)`, `callback(y)`.

These are clobbers: side effects that no record and no source tells of. Where such a change takes
part in a derivative it is a finding. Elsewhere nothing follows it, but a value that is read
backward must be kept before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir import targets
from adlsp.transform.ops import records


def _is_ours(function: str) -> bool:
    """Tells whether we have written a function, or made it of a user's."""
    return targets.is_of(function, "adlsp") or isinstance(function, targets.WRITTEN)


def changed(statement: ir.Statement, known: Callees) -> Iterator[str]:
    """The variables whose objects a statement may clobber: change in place without a word.

    What has neither a rule nor a source is taken to change something only where it is called for
    nothing else.
    """
    match statement:
        case ir.Do(value=ir.Call() as call):
            yield from ir.names(_by_user(call, known) or _by_others(call, known))
        case ir.Assign(value=ir.Call() as call):
            taken = call.args[:1] if ir.changes_first(call.function) else ()
            yield from ir.names((*taken, *_by_user(call, known)))
    yield from effects.overwritten(statement)


def in_place(statement: ir.Statement, known: Callees) -> Iterator[str]:
    """The variables whose objects something that is not followed may change, and has no copies of.

    Other names for them have something else then, too.
    """
    match statement:
        case ir.Do(value=ir.Opaque(changes=names)) | ir.Assign(value=ir.Opaque(changes=names)):
            yield from names
        case ir.Assign(value=ir.Call(function, args)) if _changes_first(function):
            yield from ir.names(args[:1])
        case ir.Do(value=ir.Call() as call) if not _by_user(call, known):
            yield from ir.names(_by_others(call, known))


def _changes_first(function: str) -> bool:
    """Tells whether a call changes its first argument, other than as a list or dictionary does."""
    return ir.changes_first(function) and not records.said(function).resizes


def _by_user(call: ir.Call, known: Callees) -> tuple[ir.Atom, ...]:
    name = call.function
    if _is_ours(name) or known.rule(name) is not None or known.function(name) is None:
        return ()
    return known.changed(call, scalar_elements=False)


def _by_others(call: ir.Call, known: Callees) -> tuple[ir.Atom, ...]:
    name = call.function
    if _is_ours(name) or known.rule(name) is not None or known.function(name) is not None:
        return ()
    is_method = targets.is_method(name) or name == "python.call"
    is_loud = is_method and not effects.is_quiet(name)
    return call.atoms if is_loud or effects.may_change_any(name) else ()
