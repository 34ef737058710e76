"""Which variables of a primal are read again: live after each statement."""

from __future__ import annotations

from adlsp.transform import ir

Live = frozenset[str]


def live_after(function: ir.Function) -> dict[ir.Statement, Live]:
    """The variables whose value after a statement some way through the function reads."""
    walk = _Walk()
    walk.block(function.body, frozenset())
    return walk.after


class _Walk:
    """Walks the statements backward; of loops it keeps what was live at their heads so far."""

    def __init__(self) -> None:
        self.after: dict[ir.Statement, Live] = {}
        self.heads: dict[ir.Statement, Live] = {}

    def block(self, block: ir.Block, live: Live) -> Live:
        for statement in reversed(block):
            self.after[statement] = live
            live = self.before(statement, live)
        return live

    def before(self, statement: ir.Statement, live: Live) -> Live:
        read = frozenset(ir.reads(statement))
        match statement:
            case ir.If(body=body, orelse=orelse):
                return self.block(body, live) | self.block(orelse, live) | read
            case ir.For() | ir.While():
                return self.loop(statement, live | read)
            case ir.Assign(targets=targets):
                return live.difference(targets) | read
        return live | read

    def loop(self, statement: ir.For | ir.While, live: Live) -> Live:
        """A loop in a loop is walked again only where more is live than the last time."""
        head = self.heads.get(statement)
        merged = live if head is None else head | live
        while merged != head:
            head = merged
            inner = self.block(statement.body, head)
            if isinstance(statement, ir.While):
                merged = head | self.block(statement.header, head | inner)
            else:
                merged = head | (inner - {statement.target})
        self.heads[statement] = head
        return head
