"""Which variables of a primal are read again: live-variable analysis, as a client of `dataflow`.

A loop reads what it runs over for each pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from operator import or_

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, persistent

Live = persistent.Set[str]


def live(function: ir.Function) -> dataflow.Solution[Live]:
    """The variables whose value at a place some way through the function reads."""
    return dataflow.backward(function.body, Live(), PROBLEM)


def carried(function: ir.Function) -> Mapping[dataflow.Loop, Set[str]]:
    """For each loop the variables that a pass, or what comes behind, reads as an earlier one left.

    They are those that are live at its head.
    """
    return dataflow.gather(function.body, set(), CARRIED)


def _step(statement: ir.Statement, after: Live) -> Live:
    if isinstance(statement, ir.Assign):
        after = after.difference(statement.targets)
    return after.union(ir.reads(statement))


def _bind(loop: ir.For, inside: Live) -> Live:
    return inside.difference((loop.target,)).union(ir.reads(loop))


def _ask(decision: dataflow.Decision, after: Live) -> Live:
    return after.union(ir.reads(decision))


def _before(statement: ir.Statement, live: set[str]) -> None:
    if isinstance(statement, ir.Assign):
        live.difference_update(statement.targets)
    live.update(ir.reads(statement))


def _around(loop: ir.For, live: set[str]) -> None:
    live.discard(loop.target)
    live.update(ir.reads(loop))


def _asked(decision: dataflow.Decision, live: set[str]) -> None:
    live.update(ir.reads(decision))


PROBLEM: dataflow.Problem[Live] = dataflow.Problem(or_, _step, _bind, _ask)

CARRIED = dataflow.Gathering(_before, _around, _asked)
