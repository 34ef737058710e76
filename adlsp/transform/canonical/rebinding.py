"""`h += v` where tensors may take part: it binds the name anew, and changes no tensor.

An array would change in place, and with it all that shares its memory. Where somebody reads that
later, or the caller has it, the text does not tell which of the two happens. It is read as
`h = rt.fixed(h) + v`, which refuses arrays while it runs.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import callees

FIXED = "adlsp.runtime.fixed"


def rebound(function: ir.Function, wrt: tuple[str, ...], known: callees.Callees) -> ir.Function:
    """The function in which what shares its memory is bound anew, and not changed in place."""
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and _is_whole(s)]
    if not stores or not known.has_tensors:
        return function
    facts = known.facts(function)
    active, shared, live = facts.activity(wrt), facts.aliases(), facts.live.after
    chosen: set[ir.Statement] = set()
    for store in stores:
        others = shared.shared(store, store.base) - {store.base}
        is_seen = not others.isdisjoint(live[store])
        is_callers = not {*shared.parameters(store, store.base)} <= {store.base}
        if (is_seen or is_callers) and store.base in active.varied_after[store]:
            chosen.add(store)
    if not chosen:
        return function
    fresh = ir.fresh(function)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for each in statements:
            if not isinstance(each, ir.Store) or each not in chosen:
                made.append(ir.rebuilt(each, block=block))
                continue
            old, base = fresh.step(), ir.Name(each.base)
            made.append(ir.Assign((old,), ir.Call(FIXED, (base,)), each.origin, each.role))
            value = ir.Call(each.kind.operator, (ir.Name(old), each.value), (), each.span)
            made.append(ir.Assign((each.base,), value, each.origin, each.role))
        return tuple(made)

    return replace(function, body=block(function.body))


def _is_whole(store: ir.Store) -> bool:
    """Tells whether a store is `h += v`, or its like."""
    return store.index is None and store.kind.changes and bool(store.kind.operator)
