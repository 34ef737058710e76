"""Which variables are surely bound where they are read, whichever way a block is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from adlsp.transform import ir

Wanted = Callable[[ir.Statement], bool]


def unbound_reads(
    block: ir.Block, bound: Iterable[str], wanted: Wanted = lambda _: True
) -> tuple[str, ...]:
    """The variables that a block may read before it binds them, in order of reading.

    `bound` are bound before it; only reads by statements that are `wanted` count.
    """
    found: dict[str, None] = {}
    _block(block, frozenset(bound), found, wanted)
    return tuple(found)


def surely_bound(block: ir.Block, bound: Iterable[str]) -> frozenset[str]:
    """The variables that are bound at the end of a block."""
    return _block(block, frozenset(bound), {}, lambda _: False)


def _block(
    block: ir.Block, bound: frozenset[str], found: dict[str, None], wanted: Wanted
) -> frozenset[str]:
    for statement in block:
        if isinstance(statement, ir.While):
            bound = _block(statement.header, bound, found, wanted)
        if wanted(statement):
            found.update(dict.fromkeys(n for n in ir.reads(statement) if n not in bound))
        match statement:
            case ir.If(body=body, orelse=orelse):
                one = _block(body, bound, found, wanted)
                bound = one & _block(orelse, bound, found, wanted)
            case ir.For(target=target, body=body):
                _block(body, bound | {target}, found, wanted)
            case ir.While(body=body):
                _block(body, bound, found, wanted)
            case ir.Store():
                pass
            case _:
                bound |= set(ir.writes(statement))
    return bound
