"""Drops the copy of a part of an adjoint that is only read before the adjoint changes.

`t = x_bar[i].copy(); x_bar[i] = 0; s = t / 3` becomes `s = x_bar[i] / 3; x_bar[i] = 0`: a result of
arithmetic is an array of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from adlsp.transform import ir
from adlsp.transform.rules import table

COPY = "adlsp.runtime.copy"


def read_before(block: ir.Block, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """A block in which parts are read in place where that gives the same."""
    uses = Counter(name for s in ir.walk(block) for name in ir.reads(s))
    return _block(block, uses, rule)


def _block(
    block: ir.Block, uses: Counter[str], rule: Callable[[str], table.Rule | None]
) -> ir.Block:
    made: list[ir.Statement] = []
    statements = [ir.rebuilt(s, block=lambda inner: _block(inner, uses, rule)) for s in block]
    position = 0
    while position < len(statements):
        taken = _pattern(statements[position:], uses, rule)
        if taken:
            made += taken
            position += len(taken) + 1
        else:
            made.append(statements[position])
            position += 1
    return tuple(made)


def _pattern(
    statements: list[ir.Statement],
    uses: Counter[str],
    rule: Callable[[str], table.Rule | None],
) -> list[ir.Statement]:
    """The statements that replace one more than they are, or none."""
    match statements:
        case [
            ir.Assign(
                targets=(part,),
                value=ir.Call(function="operator.getitem", args=(ir.Name(base), _)),
            ) as read,
            ir.Assign(targets=(copy,), value=ir.Call(function=copied, args=(ir.Name(source),))),
            *following,
        ] if copied == COPY and source == part and uses[part] == uses[copy] == 1:
            zero = [s for s in following[:1] if isinstance(s, ir.Store) and s.base == base]
            rest = following[len(zero) :]
            if rest and not (zero and part in ir.reads(zero[0])):
                reader = _reader(rest[0], copy, part, base, rule)
                return [] if reader is None else [read, reader, *zero]
    return []


def _reader(
    statement: ir.Statement,
    copy: str,
    part: str,
    base: str,
    rule: Callable[[str], table.Rule | None],
) -> ir.Statement | None:
    """The statement that reads the copy, reading the part instead; None if it does not."""
    match statement:
        case ir.Assign(value=ir.Call(function=function)) if copy in ir.reads(statement):
            known = rule(function)
            is_fresh = known is not None and known.gives_new
            if is_fresh and base not in (*ir.reads(statement), *ir.writes(statement)):
                return ir.rebuilt(statement, lambda a: ir.Name(part) if a == ir.Name(copy) else a)
    return None
