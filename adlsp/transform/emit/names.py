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
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, graphs, persistent
from adlsp.transform.ir.variables import Generated, Kept, readable

RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins))

NUMBERS = re.compile(r"(_\d+)*$")


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
    variables = _variables(function, fused)
    users = {name for name in variables if not isinstance(name, Generated)}
    given = _promised(function, taken)
    given |= {name: name for name in users - set(given.values())}
    families = _Families(variables, given, preferred)
    colouring = _Colouring(families, _interference(function, fused, families), users, taken)
    for name in variables:
        if name in given:
            colouring.give(name, given[name])
    for name in variables:
        if name not in given:
            given[name] = colouring.choose(name, preferred.get(name, readable(name)))
            colouring.give(name, given[name])
    return given


def _variables(function: ir.Function, fused: frozenset[str]) -> tuple[str, ...]:
    """The variables that need a name, in order of appearance."""
    found = {p.name: None for p in function.parameters}
    for statement in ir.walk(function.body):
        found |= dict.fromkeys((*ir.reads(statement), *ir.writes(statement)))
    return tuple(name for name in found if name not in fused)


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


def _stem(name: str) -> str:
    """A name without its numbers: what has another stem has another name."""
    return NUMBERS.sub("", name) if name[-1:].isdigit() else name


class _Families:
    """The variables that may want one name, by the stem of that: each has a bit in its family.

    Those that have their names come first, then the others as they get theirs. What nobody else may
    want to be called is in no family.
    """

    def __init__(
        self, variables: Iterable[str], given: Mapping[str, str], preferred: Mapping[str, str]
    ) -> None:
        families: dict[str, list[str]] = {}
        for name in sorted(variables, key=lambda name: name not in given):
            wanted = given.get(name, readable(name))
            for stem in {_stem(wanted), _stem(preferred.get(name, wanted))}:
                families.setdefault(stem, []).append(name)
        self.members = {
            stem: family
            for stem, family in families.items()
            if len(family) > 1 and family[-1] not in given
        }
        self.of: dict[str, dict[str, int]] = {}
        for stem, family in self.members.items():
            for bit, name in enumerate(family):
                self.of.setdefault(name, {})[stem] = bit

    def bits(self, names: Iterable[str]) -> Iterator[tuple[str, str, int]]:
        """Names with the stems of their families, and their places there."""
        return ((name, s, bit) for name in names for s, bit in self.of.get(name, {}).items())


Apart = Mapping[tuple[str, str], int]
"""For a variable, in the family of a stem, those that must not have its name, as bits."""


class _Colouring:
    """Gives names; `having` are those that have one, as bits of their family.

    `tried` has a number of each name that is wanted, and the variables around the one that got it:
    smaller ones are no good for whoever has these around, too.
    """

    def __init__(
        self, families: _Families, apart: Apart, users: set[str], taken: frozenset[str]
    ) -> None:
        self.families = families
        self.apart = apart
        self.users = users
        self.taken = taken
        self.having = defaultdict[str, int](int)
        self.tried: dict[str, tuple[int, int]] = {}

    def give(self, name: str, given: str) -> None:
        """Notes the name of a variable."""
        bit = self.families.of.get(name, {}).get(_stem(given))
        if bit is not None:
            self.having[given] |= 1 << bit

    def choose(self, name: str, candidate: str) -> str:
        """The first name for a variable that is free: a candidate, or what it wants by number."""
        wanted = readable(name)
        owner = wanted if isinstance(name, Kept) and name.of == wanted else None
        if self.is_free(candidate, self.apart.get((name, _stem(candidate)), 0), owner):
            return candidate
        around = self.apart.get((name, _stem(wanted)), 0)
        known, number = self.tried.get(wanted, (0, 2))
        number = 2 if known & ~around else number
        while not self.is_free(f"{wanted}_{number}", around, owner):
            number += 1
        self.tried[wanted] = around, number
        return f"{wanted}_{number}"

    def is_free(self, candidate: str, around: int, owner: str | None) -> bool:
        """Tells whether a name is free among some variables; that of its owner is no user's."""
        if candidate in self.having and self.having[candidate] & around:
            return False
        if candidate in self.taken or candidate in RESERVED:
            return False
        return candidate not in self.users or candidate == owner


Live = persistent.Map[str, int]
"""The variables whose values are needed later: by the stems of their families, as bits."""


def _interference(function: ir.Function, fused: frozenset[str], families: _Families) -> Apart:
    """Which variables hold values that are needed at the same time, of those in one family.

    This is the interference graph of register allocation, from live variables. (Chaitin et al.,
    Register allocation via coloring, Computer Languages 6, 1981.) Of two it is noted for the later.
    """
    apart = defaultdict[tuple[str, str], int](int)
    if not families.members:
        return apart

    def meet(bound: tuple[str, ...], live: Live) -> None:
        live = _with(live, bound, families)
        for name, stem, bit in families.bits(bound):
            new = live[stem] & ~(1 << bit) & ~apart[name, stem]
            apart[name, stem] |= new
            later = new >> bit + 1
            while later:
                place = (later & -later).bit_length() + bit
                apart[families.members[stem][place], stem] |= 1 << bit
                later &= later - 1

    def note(statement: ir.Statement, before: Live, after: Live) -> None:
        match statement:
            case ir.Store():
                pass
            case ir.Assign(targets=(target,)) if target in fused:
                pass
            case ir.For(target=target):
                meet((target,), before)
            case _:
                meet(ir.writes(statement), after)

    kept = _with(Live(), _captured(function), families)
    live = dataflow.backward_noting(function.body, kept, _needed(function, fused, families), note)
    for loop, inside in live.passes.items():
        if isinstance(loop, ir.For):
            meet((loop.target,), inside)
    meet(tuple(p.name for p in function.parameters), live.end)
    return apart


def _captured(function: ir.Function) -> Iterator[str]:
    """The variables that functions in the function read, whenever these are called."""
    for statement in ir.walk(function.body):
        match statement:
            case (
                ir.Assign(value=ir.Opaque(function=ir.Held()) as made)
                | ir.Do(value=ir.Opaque(function=ir.Held()) as made)
            ):
                yield from made.reads


def _with(live: Live, names: Iterable[str], families: _Families) -> Live:
    made: dict[str, int] = {}
    for _, stem, bit in families.bits(names):
        made[stem] = made.get(stem, live.get(stem, 0)) | 1 << bit
    return live | made if made else live


def _without(live: Live, names: Iterable[str], families: _Families) -> Live:
    made: dict[str, int] = {}
    for _, stem, bit in families.bits(names):
        made[stem] = made.get(stem, live.get(stem, 0)) & ~(1 << bit)
    return live | made if made else live


def _either(one: Live, other: Live) -> Live:
    return one | {stem: one.get(stem, 0) | other.get(stem, 0) for stem in one.differing(other)}


def _needed(
    function: ir.Function, fused: frozenset[str], families: _Families
) -> dataflow.Problem[Live]:
    """Which values are needed later: live variables, of the text as it is printed.

    A fused step is read where it is used: its operands live until there.
    """
    operands = {
        name: tuple(ir.reads(statement))
        for statement in ir.walk(function.body)
        for name in fused.intersection(ir.writes(statement))
    }

    def reading(statement: ir.Statement, live: Live) -> Live:
        every = graphs.reached(ir.reads(statement), lambda name: operands.get(name, ()))
        return _with(live, (name for name in every if name not in fused), families)

    def step(statement: ir.Statement, live: Live) -> Live:
        match statement:
            case ir.Assign(targets=(target,)) if target in fused:
                return live
            case ir.Store():
                return reading(statement, live)
        return reading(statement, _without(live, ir.writes(statement), families))

    def bind(loop: ir.For, live: Live) -> Live:
        return reading(loop, _without(live, (loop.target,), families))

    def ask(decision: dataflow.Decision, live: Live) -> Live:
        return reading(decision, live)

    return dataflow.Problem(_either, step, bind, ask)
