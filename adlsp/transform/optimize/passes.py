"""The passes over generated code, in their order."""

from __future__ import annotations

from collections.abc import Callable

from adlsp.transform import ir
from adlsp.transform.optimize import (
    broadcasts,
    coalesce,
    constants,
    copies,
    dead_code,
    places,
    signs,
    views,
)
from adlsp.transform.rules import table


def improve(
    block: ir.Block, live: frozenset[str], rule: Callable[[str], table.Rule | None]
) -> ir.Block:
    """The block as one would write it; `live` are the variables that are read after it."""
    simpler = constants.simplify(block, rule)
    named = copies.propagate(signs.cancel(copies.propagate(coalesce.coalesce(simpler))))
    pruned = dead_code.prune(places.set_once(named, rule), live)
    lighter = copies.propagate(broadcasts.leave_to_numpy(pruned, rule))
    return views.read_before(dead_code.prune(lighter, live), rule)
