"""Drops the copy of a part of an adjoint that is only read before the adjoint changes.

This is copy elision, of views. `t = x_bar[i].copy(); x_bar[i] = 0; s = t / 3` becomes
`s = x_bar[i] / 3; x_bar[i] = 0`: a result of arithmetic is an array of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice

from adlsp.transform import ir
from adlsp.transform.facts import aliases, effects, operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.rules import table

COPY = "adlsp.runtime.copy"


def elide_views(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block in which parts are read in place where that gives the same."""
    uses = Counter(name for s in ir.walk(block) for name in ir.reads(s))
    return _Reading(uses, block, rule).block(block)


@dataclass(frozen=True)
class _Reading:
    uses: Counter[str]
    whole: ir.Block
    rule: Callable[[str], table.Rule | None]

    @cached_property
    def classes(self) -> aliases.Classes:
        """Which variables may share memory."""
        return aliases.classes(self.whole)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        waiting = [ir.rewritten(s, block=self.block) for s in block]
        position = 0
        while position < len(waiting):
            taken = self.pattern(waiting, position)
            replacing, n_replaced = ([waiting[position]], 1) if taken is None else taken
            made += replacing
            position += n_replaced
        return tuple(made)

    def pattern(
        self, statements: list[ir.Statement], position: int
    ) -> tuple[list[ir.Statement], int] | None:
        """The statements that replace those from a place on, and how many these are."""
        match statements[position : position + 2]:
            case [
                ir.Assign(
                    targets=(part,),
                    value=ir.Call(function="operator.getitem", args=(ir.Name(base), _)),
                ) as read,
                ir.Assign(targets=(copy,), value=ir.Call(function=copied, args=(ir.Name(source),))),
            ] if copied == COPY and source == part and self.uses[part] == self.uses[copy] == 1:
                following = islice(statements, position + 2, None)
                return self.moved(read, part, copy, base, following)
        return None

    def moved(
        self, read: ir.Statement, part: str, copy: str, base: str, following: Iterable[ir.Statement]
    ) -> tuple[list[ir.Statement], int] | None:
        """The part, what leads to its reader, the reader; then what changes the adjoint."""
        shared = {base, *self.classes.get(base, ())}
        passed: list[ir.Statement] = []
        changes: list[ir.Statement] = []
        for statement in following:
            fixed = {*shared, part, *(name for change in changes for name in ir.reads(change))}
            if not fixed.isdisjoint(ir.writes(statement)) and not isinstance(statement, ir.Store):
                return None
            if copy in ir.reads(statement):
                reader = self.reader(statement, copy, part, shared)
                n_replaced = 3 + len(passed) + len(changes)
                if reader is None:
                    return None
                return [read, *passed, reader, *changes], n_replaced
            match statement:
                case ir.Store(base=changed) if (
                    changed == base and not changes and part not in ir.reads(statement)
                ):
                    changes.append(statement)
                case ir.Assign(value=value) if effects.is_pure(value) and shared.isdisjoint(
                    ir.reads(statement)
                ):
                    passed.append(statement)
                case _:
                    return None
        return None

    def reader(
        self, statement: ir.Statement, copy: str, part: str, shared: set[str]
    ) -> ir.Statement | None:
        """The statement that reads the copy, reading the part instead; None if it may keep it."""
        match statement:
            case ir.Assign(value=ir.Call(function=function)):
                known = self.rule(function)
                is_fresh = known is not None and known.gives_new
                is_fresh = is_fresh or operations.is_fresh_of_runtime(function)
                others = {*ir.reads(statement), *ir.writes(statement)} - {copy}
                if is_fresh and shared.isdisjoint(others):
                    return ir.rewritten(
                        statement, lambda a: ir.Name(part) if a == ir.Name(copy) else a
                    )
        return None
