"""Which variables are surely bound where they are read, whichever way a block is run.

This is definite assignment (The Java Language Specification, chapter 16), as a client of `dataflow`
whose join is the intersection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import and_

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, persistent

Wanted = Callable[[ir.Statement], bool]

Bound = persistent.Set[str]


def unbound_reads(
    block: ir.Block, bound: Iterable[str], wanted: Wanted = lambda _: True
) -> tuple[str, ...]:
    """The variables that a block may read before it binds them, in order of reading.

    They are its upward-exposed uses. `bound` are bound before it; only reads by statements that are
    `wanted` count.
    """
    found: dict[str, None] = {}

    def read(statement: ir.Statement, now: Bound) -> Bound:
        if wanted(statement):
            found.update(dict.fromkeys(name for name in ir.reads(statement) if name not in now))
        return now

    def step(statement: ir.Statement, now: Bound) -> Bound:
        return _step(statement, read(statement, now))

    _end(block, bound, dataflow.Problem(and_, step, _bind, read))
    return tuple(found)


def surely_bound(block: ir.Block, bound: Iterable[str]) -> Bound:
    """The variables that are bound at the end of a block."""
    return _end(block, bound, PROBLEM)


def _end(block: ir.Block, bound: Iterable[str], problem: dataflow.Problem[Bound]) -> Bound:
    return dataflow.forward_noting(block, Bound(bound), problem, lambda *_: None).end


def _step(statement: ir.Statement, bound: Bound) -> Bound:
    return bound if isinstance(statement, ir.Store) else bound.union(ir.writes(statement))


def _bind(loop: ir.For, bound: Bound) -> Bound:
    return bound.union((loop.target,))


PROBLEM: dataflow.Problem[Bound] = dataflow.Problem(and_, _step, _bind)
