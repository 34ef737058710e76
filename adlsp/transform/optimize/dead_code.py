"""Removes what nobody reads: in the backward sweep, then in the forward sweep that served it.

This is adjoint liveness when run over both sweeps as one block (Hascoët and Araya-Polo, The adjoint
data-flow analyses: formalization, properties, and applications, 2005).
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.analyses import aliases, effects, likes

Live = frozenset[str]


def prune(block: ir.Block, live: Live) -> ir.Block:
    """The statements of a block that matter for the variables live after it, and for effects."""
    return _Pruning(aliases.classes(block, are_held=True)).block(block, live)[0]


def _shape(name: str) -> str:
    """Stands among the live variables for one of which only shape and dtype are read."""
    return f"shape of {name}"


def _read(statement: ir.Assign, *, is_shape: bool) -> Live:
    """The variables that an assignment reads; those of which it only asks the shape as such.

    `is_shape`: of its own value, too, only the shape is asked.
    """
    value = statement.value
    if not isinstance(value, ir.Call):
        names = frozenset(ir.reads(statement))
        return frozenset(map(_shape, names)) if is_shape and isinstance(value, ir.Name) else names
    place = likes.LIKE_ARGUMENTS.get(value.function)
    is_whole = (is_shape and value.function == "python.tuple") or value.function == likes.BROADCAST
    if is_shape and value.function in likes.KEEPS_SHAPE:
        place = 0
    found: set[str] = set()
    for position, atom in enumerate(value.atoms):
        for name in ir.names((atom,)):
            found.add(_shape(name) if position == place or is_whole else name)
    return frozenset(found)


class _Pruning:
    def __init__(self, classes: dict[str, frozenset[str]]) -> None:
        self.classes = classes
        self.loops: dict[ir.Statement, tuple[Live, ir.Block, ir.Block]] = {}

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
            case ir.Store(base=base, index=index):
                changed = self.classes.get(base, frozenset({base}))
                if index is None or ir.resizes(statement):
                    changed |= {_shape(base)}
                is_of_module = any(name.startswith("global ") for name in changed)
                if live.isdisjoint(changed) and not is_of_module:
                    return None, live
                return statement, live.union(ir.reads(statement))
            case ir.Assign(targets=targets, value=ir.Call(function="python.pop")):
                bound = {*targets, *map(_shape, targets)}
                if live.isdisjoint(bound):
                    return None, live
                return statement, live.difference(bound).union(ir.reads(statement))
            case ir.Assign(targets=targets) if any(t.startswith("%at:") for t in targets):
                return statement, live.union(ir.reads(statement))
            case ir.Assign(targets=targets, value=value):
                bound = {*targets, *map(_shape, targets)}
                if live.isdisjoint(bound) and effects.is_pure(value):
                    return None, live
                is_shape = live.isdisjoint(targets)
                return statement, live.difference(bound) | _read(statement, is_shape=is_shape)
            case ir.Do(value=ir.Opaque(is_definition=True, writes=writes)):
                if live.isdisjoint(writes):
                    return None, live
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
        at_head, header, body = self.at_head(statement, live)
        if isinstance(statement, ir.While):
            tested = [name for s in header for name in ir.writes(s)]
            is_pure = all(isinstance(s, ir.Assign) and effects.is_pure(s.value) for s in header)
            if not body and is_pure and live.isdisjoint((*tested, *map(_shape, tested))):
                return None, live
            made: ir.Statement = ir.While(
                header, statement.test, body, statement.origin, statement.role
            )
            return made, at_head
        if not body and live.isdisjoint((statement.target, _shape(statement.target))):
            return None, live
        made = ir.For(statement.target, statement.iterable, body, statement.origin, statement.role)
        return made, at_head.union(ir.reads(statement))

    def at_head(self, statement: ir.For | ir.While, live: Live) -> tuple[Live, ir.Block, ir.Block]:
        """What is live at the head of a loop, and what is kept of its header and of its body.

        A loop in a loop is walked again only where more is live than the last time.
        """
        at_head, header, body = self.loops.get(statement, (None, (), ()))
        before = live if at_head is None else at_head | live
        while before != at_head:
            at_head = before
            body, inner = self.block(statement.body, at_head)
            if isinstance(statement, ir.For):
                element = {statement.target, _shape(statement.target)}
                read = frozenset() if inner.isdisjoint(element) else frozenset(ir.reads(statement))
                inner = (inner - element) | read  # later passes read what a pass stores there
            else:
                read = frozenset(ir.reads(statement))
                header, inner = self.block(statement.header, at_head | inner | read)
            before = at_head | inner
        self.loops[statement] = at_head, header, body
        return at_head, header, body
