"""Sets a place of an adjoint at once: `x_bar[i] = 0; x_bar[i] += v` becomes `x_bar[i] = v`.

Such pairs come from stores whose value reads what they overwrite, `x[i] = 2 * x[i]`. Only results
of arithmetic are set, which are new: nothing else is changed where the place is changed later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.analyses import effects
from adlsp.transform.rules import table

ZERO = ir.Const(0)


def set_once(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block in which no place is set to zero only to be added to."""
    made: list[ir.Statement] = []
    known: dict[str, ir.Call] = {}
    for statement in block:
        statement = ir.rebuilt(statement, block=lambda inner: set_once(inner, rule))
        match statement:
            case ir.Store(operation="add", value=ir.Name(id)) as store if id in known and _is_new(
                known[id], rule
            ):
                place = _zeroed(store, made, known)
                if place is not None:
                    del made[place]
                    statement = replace(store, operation="")
        bound = {name for s in ir.walk((statement,)) for name in ir.writes(s)}
        known = {n: c for n, c in known.items() if bound.isdisjoint((n, *ir.names(c.atoms)))}
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call() as call, is_tuple=False) if (
                target not in ir.names(call.atoms)
            ):
                known[target] = call
        made.append(statement)
    return tuple(made)


def _is_new(call: ir.Call, rule: Callable[[str], table.Rule | None]) -> bool:
    known = rule(call.function)
    return known is not None and known.gives_new


def _zeroed(store: ir.Store, before: list[ir.Statement], known: dict[str, ir.Call]) -> int | None:
    """Where the place of a store was set to zero, if nobody has looked at it since."""
    bound: set[str] = set()
    for position in reversed(range(len(before))):
        match before[position]:
            case ir.Store(base=base, index=index, value=value, operation="") if (
                base == store.base and value == ZERO
            ):
                return position if _is_same(index, store.index, known, bound) else None
            case ir.Assign(targets=targets, value=value) as step if effects.is_pure(
                value
            ) and store.base not in (*ir.reads(step), *targets):
                bound.update(targets)
                continue
        return None
    return None


def _is_same(
    one: ir.Atom | None, other: ir.Atom | None, known: dict[str, ir.Call], bound: set[str]
) -> bool:
    """Tells whether two indices are the same variable, or computed in the same way.

    Variables in `bound` have been bound between the two: those say nothing.
    """
    if one == other:
        return one is not None and not (isinstance(one, ir.Name) and one.id in bound)
    if not (isinstance(one, ir.Name) and isinstance(other, ir.Name)) or one.id in bound:
        return False
    first, second = known.get(one.id), known.get(other.id)
    if first is None or second is None or replace(first, args=()) != replace(second, args=()):
        return False
    return (
        effects.is_pure(first)
        and len(first.args) == len(second.args)
        and all(_is_same(a, b, known, bound) for a, b in zip(first.args, second.args, strict=True))
    )
