"""Readable names for the variables that we made.

Two of them share a name if their values are never needed at the same time, so that `t_bar` may
serve many steps: an interference graph is coloured, as for registers (Chaitin, Register allocation
and spilling via graph coloring, 1982). A user's variable keeps its name, and none of ours takes it,
except a value of that very variable that was kept for the backward sweep. Only our parameters,
which callers know by name, go before a user's variable; but not before a user's parameter.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Mapping
from operator import or_

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, graphs
from adlsp.transform.ir.variables import Generated, Kept, readable

Live = frozenset[str]

RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins))


def assign(
    function: ir.Function,
    taken: frozenset[str],
    fused: frozenset[str],
    preferred: Mapping[str, str],
) -> dict[str, str]:
    """Names for all variables of a function but the fused steps, which are never printed.

    The interference graph is coloured greedily, with names as the colours. `taken` are the names of
    modules and functions, `preferred` those that variables have already in the other function of a
    pair.
    """
    interference = _interference(function, fused)
    users = {name for name in interference if not isinstance(name, Generated)}
    given = _promised(function, taken)
    given |= {name: name for name in users - set(given.values())}
    for name in interference:
        if name in given:
            continue
        wanted = readable(name)
        owner = wanted if isinstance(name, Kept) and name.of == wanted else None
        around = {given[other] for other in interference[name] if other in given}
        forbidden = around | taken | RESERVED | (users - {owner})
        candidate, number = preferred.get(name, wanted), 1
        while candidate in forbidden:
            number += 1
            candidate = f"{wanted}_{number}"
        given[name] = candidate
    return given


def _promised(function: ir.Function, taken: frozenset[str]) -> dict[str, str]:
    """The names of our parameters that callers pass by name, but for those that the user's have."""
    parameters = {p.name for p in function.parameters}
    return {
        p.name: readable(p.name)
        for p in function.parameters
        if p.kind is ir.ParameterKind.KEYWORD
        and isinstance(p.name, Generated)
        and readable(p.name) not in parameters | taken
    }


def _interference(function: ir.Function, fused: frozenset[str]) -> dict[str, set[str]]:
    """Which variables hold values that are needed at the same time, in order of appearance.

    This is the interference graph of register allocation, from live variables. (Chaitin et al.,
    Register allocation via coloring, Computer Languages 6, 1981.)
    """
    parameters = frozenset(p.name for p in function.parameters)
    graph: dict[str, set[str]] = {p.name: set() for p in function.parameters}
    for statement in ir.walk(function.body):
        for name in (*ir.reads(statement), *ir.writes(statement)):
            if name not in fused:
                graph.setdefault(name, set())

    def meet(bound: Iterable[str], live: Live) -> None:
        for name in bound:
            met = graph[name]
            new = live - met
            met |= new
            for other in new:
                graph[other].add(name)
            met.discard(name)

    def note(statement: ir.Statement, before: Live, after: Live) -> None:
        match statement:
            case ir.Store():
                pass
            case ir.Assign(targets=(target,)) if target in fused:
                pass
            case ir.For(target=target):
                meet((target,), before)
            case _:
                bound = ir.writes(statement)
                meet(bound, after.union(bound))

    problem = _needed(function, fused)
    live = dataflow.backward_noting(function.body, frozenset(), problem, note)
    for loop, inside in live.passes.items():
        if isinstance(loop, ir.For):
            meet((loop.target,), inside)
    meet(parameters, live.end | parameters)
    return graph


def _needed(function: ir.Function, fused: frozenset[str]) -> dataflow.Problem[Live]:
    """Which values are needed later: live variables, of the text as it is printed.

    A fused step is read where it is used: its operands live until there.
    """
    operands = {
        name: tuple(ir.reads(statement))
        for statement in ir.walk(function.body)
        for name in fused.intersection(ir.writes(statement))
    }

    def reads(statement: ir.Statement) -> set[str]:
        every = graphs.reached(ir.reads(statement), lambda name: operands.get(name, ()))
        return {*every} - fused

    def step(statement: ir.Statement, live: Live) -> Live:
        match statement:
            case ir.Assign(targets=(target,)) if target in fused:
                return live
            case ir.Store():
                return live.union(reads(statement))
        return live.difference(ir.writes(statement)).union(reads(statement))

    def bind(loop: ir.For, live: Live) -> Live:
        return live.difference((loop.target,)).union(reads(loop))

    def ask(decision: dataflow.Decision, live: Live) -> Live:
        return live.union(reads(decision))

    return dataflow.Problem(or_, step, bind, ask)
