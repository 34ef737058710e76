"""Which variables of a primal are read again: live-variable analysis, as a client of `dataflow`.

A loop reads what it runs over for each pass.
"""

from __future__ import annotations

from operator import or_

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, persistent

Live = persistent.Set[str]


def live(function: ir.Function) -> dataflow.Solution[Live]:
    """The variables whose value at a place some way through the function reads."""
    return dataflow.backward(function.body, Live(), PROBLEM)


def _step(statement: ir.Statement, after: Live) -> Live:
    if isinstance(statement, ir.Assign):
        after = after.difference(statement.targets)
    return after.union(ir.reads(statement))


def _bind(loop: ir.For, inside: Live) -> Live:
    return inside.difference((loop.target,)).union(ir.reads(loop))


def _ask(decision: dataflow.Decision, after: Live) -> Live:
    return after.union(ir.reads(decision))


PROBLEM: dataflow.Problem[Live] = dataflow.Problem(or_, _step, _bind, _ask)
