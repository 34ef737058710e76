"""Removes what nobody reads: in the backward sweep, then in the forward sweep that served it.

This is adjoint liveness when run over both sweeps as one block (Hascoët and Araya-Polo, The adjoint
data-flow analyses: formalization, properties, and applications, 2005).
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.analyses import aliases, effects

Live = frozenset[str]


def prune(block: ir.Block, live: Live) -> ir.Block:
    """The statements of a block that matter for the variables live after it, and for effects."""
    return _Pruning(aliases.classes(block)).block(block, live)[0]


class _Pruning:
    def __init__(self, classes: dict[str, frozenset[str]]) -> None:
        self.classes = classes

    def block(self, block: ir.Block, live: Live) -> tuple[ir.Block, Live]:
        kept: list[ir.Statement] = []
        for statement in reversed(block):
            made, live = self.statement(statement, live)
            if made is not None:
                kept.append(made)
        return tuple(reversed(kept)), live

    def statement(self, statement: ir.Statement, live: Live) -> tuple[ir.Statement | None, Live]:
        match statement:
            case ir.If():
                return self.branch(statement, live)
            case ir.For() | ir.While():
                return self.loop(statement, live)
            case ir.Store(base=base):
                if live.isdisjoint(self.classes.get(base, frozenset({base}))):
                    return None, live
                return statement, live.union(ir.reads(statement))
            case ir.Assign(targets=targets, value=ir.Call(function="python.pop")):
                if live.isdisjoint(targets):
                    return None, live
                return statement, live.difference(targets).union(ir.reads(statement))
            case ir.Assign(targets=targets) if any(t.startswith("%at:") for t in targets):
                return statement, live.union(ir.reads(statement))
            case ir.Assign(targets=targets, value=value):
                if live.isdisjoint(targets) and effects.is_pure(value):
                    return None, live
                return statement, live.difference(targets).union(ir.reads(statement))
            case ir.Do(value=ir.Call(function="python.append", args=(ir.Name(tape), _))):
                if tape.startswith("%") and tape not in live:
                    return None, live
        return statement, live.union(ir.reads(statement))

    def branch(self, statement: ir.If, live: Live) -> tuple[ir.Statement | None, Live]:
        body, live_body = self.block(statement.body, live)
        orelse, live_orelse = self.block(statement.orelse, live)
        if not body and not orelse:
            return None, live
        made = ir.If(statement.test, body, orelse, statement.origin, statement.role)
        return made, (live_body | live_orelse).union(ir.reads(statement))

    def loop(self, statement: ir.For | ir.While, live: Live) -> tuple[ir.Statement | None, Live]:
        at_head = live
        while True:
            body, before = self.block(statement.body, at_head)
            if isinstance(statement, ir.For):
                before = before - {statement.target}
            else:
                header, before = self.block(
                    statement.header, at_head | before | set(ir.reads(statement))
                )
            if before <= at_head:
                break
            at_head |= before
        if isinstance(statement, ir.While):
            tested = [name for s in header for name in ir.writes(s)]
            is_pure = all(isinstance(s, ir.Assign) and effects.is_pure(s.value) for s in header)
            if not body and is_pure and live.isdisjoint(tested):
                return None, live
            made: ir.Statement = ir.While(
                header, statement.test, body, statement.origin, statement.role
            )
            return made, at_head
        if not body and statement.target not in live:
            return None, live
        made = ir.For(statement.target, statement.iterable, body, statement.origin, statement.role)
        return made, at_head.union(ir.reads(statement))
