"""Which variables of a primal are read again: live after each statement."""

from __future__ import annotations

from adlsp.transform import ir

Live = frozenset[str]


def live_after(function: ir.Function) -> dict[ir.Statement, Live]:
    """The variables whose value after a statement some way through the function reads."""
    after: dict[ir.Statement, Live] = {}
    _block(function.body, frozenset(), after)
    return after


def _block(block: ir.Block, live: Live, after: dict[ir.Statement, Live]) -> Live:
    for statement in reversed(block):
        after[statement] = live
        live = _before(statement, live, after)
    return live


def _before(statement: ir.Statement, live: Live, after: dict[ir.Statement, Live]) -> Live:
    read = frozenset(ir.reads(statement))
    match statement:
        case ir.If(body=body, orelse=orelse):
            return _block(body, live, after) | _block(orelse, live, after) | read
        case ir.For(target=target, body=body):
            while True:
                before = live | (_block(body, live | read, after) - {target})
                if before <= live:
                    return live | read
                live = before
        case ir.While(header=header, body=body):
            while True:
                tested = _block(body, live, after) | live | read
                before = live | _block(header, tested, after)
                if before <= live:
                    return live
                live = before
        case ir.Assign(targets=targets):
            return live.difference(targets) | read
    return live | read
