"""Loops that write into the rows of the array that they run over: `for row in a: row *= 2`.

Such loops are indexed instead, `for i in range(len(a))`, and `row = a[i]` is a part of the array
like any other, for `view_write_back.py` to put back. So is `for i, row in enumerate(a)`. It is done
where `a` is surely an array, and `row` is not taken for a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import callees
from adlsp.transform.ir.variables import Step


def indexed(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which loops over rows that they write into are loops over their numbers."""
    stored = {s.base for s in ir.walk(function.body) if isinstance(s, ir.Store)}
    loops = [
        (loop, *run)
        for loop in ir.walk(function.body)
        if isinstance(loop, ir.For)
        for run in _runs(function, loop)
        if run[1] in stored
    ]
    if not loops:
        return function
    surely, facts = known.facts(function).arrays(), known.facts(function).aliases()
    chosen = {}
    for loop, owner, row, body in loops:
        inside = [*ir.walk(loop.body)]
        is_written = any(
            isinstance(s, ir.Store) and s.base == row and owner in facts.shared(s, row)
            for s in inside
        )
        is_steady = not any(_binds(s, owner) for s in inside)
        if owner in surely and is_written and is_steady:
            chosen[loop] = owner, row, body
    return _Counting(function, chosen).function if chosen else function


def _runs(function: ir.Function, loop: ir.For) -> Iterator[tuple[str, str, ir.Block]]:
    """What a loop runs over, what it calls an element, and its body without taking that apart."""
    if not isinstance(loop.iterable, ir.Name):
        return
    if not isinstance(loop.iterable.id, Step):
        yield loop.iterable.id, loop.target, loop.body
        return
    made = [
        s.value
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and s.targets == (loop.iterable.id,)
    ]
    match made, loop.body:
        case (
            [ir.Call("builtins.enumerate", (ir.Name(owner),), ())],
            (ir.Assign((_, row), ir.Name(pair), is_tuple=True), *rest),
        ) if pair == loop.target and not any(pair in ir.reads(s) for s in ir.walk(tuple(rest))):
            yield owner, row, tuple(rest)


def _binds(statement: ir.Statement, name: str) -> bool:
    is_place = isinstance(statement, ir.Store) and not ir.resizes(statement)
    return name in ir.writes(statement) and not is_place


class _Counting:
    """Writes loops over rows as loops over their numbers."""

    def __init__(
        self, function: ir.Function, chosen: dict[ir.For, tuple[str, str, ir.Block]]
    ) -> None:
        self.fresh = ir.fresh(function)
        self.chosen = chosen
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        if not isinstance(statement, ir.For) or statement not in self.chosen:
            return [ir.rebuilt(statement, block=self.block)]
        owner, row, body = self.chosen[statement]
        origin = statement.origin
        length, run = self.fresh.step(), self.fresh.step()
        i, inner = self.numbered(statement, body)
        part = ir.Call("operator.getitem", (ir.Name(owner), ir.Name(i)))
        inner.append(ir.Assign((row,), part, origin))
        return [
            ir.Assign((length,), ir.Call("builtins.len", (ir.Name(owner),)), origin),
            ir.Assign((run,), ir.Call("builtins.range", (ir.Name(length),)), origin),
            replace(statement, target=i, iterable=ir.Name(run), body=(*inner, *self.block(body))),
        ]

    def numbered(self, loop: ir.For, body: ir.Block) -> tuple[str, list[ir.Statement]]:
        """What the number of a row is called, and how it gets the user's name for it, if any."""
        ours = self.fresh.own("i")
        if len(body) == len(loop.body):
            return ours, []
        apart = loop.body[0]
        assert isinstance(apart, ir.Assign)
        users = apart.targets[0]
        if not any(users in ir.writes(s) for s in ir.walk(body)):
            return users, []
        return ours, [ir.Assign((users,), ir.Name(ours), apart.origin)]
