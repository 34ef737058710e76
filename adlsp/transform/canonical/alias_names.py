"""Second names of what is written into: `b = a`, then `b[0] = v` or `b += v`.

Aliases are canonicalized by must-alias analysis (`facts/must_alias.py`). As long as both surely
hold one object, what is done with it is done by the name that it had first: `b[0]` is `a[0]`. So an
object that changes has one name, and its adjoint one place.

`b += v` is another matter: it changes an array, which `a` holds, too, and leaves a number alone.
There the second name gets a copy, and what is written into one is put into the other at once if
that is an array. So the program decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from adlsp.transform import ir
from adlsp.transform.canonical.view_write_back import IS_ARRAY
from adlsp.transform.facts import aliases, callees, containers, liveness
from adlsp.transform.facts.must_alias import Holding, MustAlias, aliased, must_alias
from adlsp.transform.ir.variables import Step
from adlsp.transform.source import Span

FirstNames = dict[tuple[Span, str], str]
"""The first names of what variables hold, by the statement that mentions them and their own."""


def unified(function: ir.Function, known: callees.Callees) -> tuple[ir.Function, FirstNames]:
    """The function in which an object that is written into has one name, where that is sure."""
    written = {name for s in ir.walk(function.body) for name in _written(s, known)}
    if written.isdisjoint(aliased(function)):
        return function, {}
    made, firsts = _by_first_names(function, known)
    return _kept_equal(made, known), firsts


def _written(statement: ir.Statement, known: callees.Callees) -> Iterator[str]:
    """The variables whose object a statement changes, be it a list that becomes longer."""
    if isinstance(statement, ir.Store):
        yield statement.base
    else:
        yield from aliases.changed(statement, known)


def _names(holding: Holding, name: str) -> list[str]:
    """The variables that hold the object of one, itself among them, the oldest first."""
    number = holding.get(name)
    return [n for n, held in holding.items() if held == number and not isinstance(n, Step)]


def _inserted(function: ir.Function) -> set[str]:
    """The variables whose adjoints the user asks for by name."""
    inserts = (s for s in ir.walk(function.body) if isinstance(s, ir.Insert))
    return {name for insert in inserts for name in ir.names((insert.variable,))}


def _by_first_names(
    function: ir.Function, known: callees.Callees
) -> tuple[ir.Function, FirstNames]:
    """The function in which elements are set by the first of several names."""
    held, live = must_alias(function), known.facts(function).live.after
    outside = {p.name for p in function.parameters} if function.gives_nothing else set()
    chosen: set[str] = set()
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Store) and statement.index is None:
            continue
        for name in _written(statement, known):
            names = _names(held.before[statement], name)
            if not (live[statement] | outside).isdisjoint({*names} - {name}):
                chosen.update(names)
    if chosen and chosen.isdisjoint(_inserted(function)):
        made = _Renamed(function, held, live, chosen)
        return made.function, made.firsts
    return function, {}


class _Renamed:
    """A function in which some variables go by the first name of what they hold.

    Where the first name is bound again, or ways meet, the next one gets the object at last.
    """

    def __init__(
        self,
        function: ir.Function,
        known: MustAlias,
        live: dict[ir.Statement, liveness.Live],
        chosen: set[str],
    ) -> None:
        self.known = known
        self.live = live
        self.chosen = chosen
        self.firsts: FirstNames = {}
        self.origins = {
            statement.targets[0]: statement.origin
            for statement in ir.walk(function.body)
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Name)
        }
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            before, after = self.known.before[statement], self.known.after[statement]
            self.note(statement)
            live = self.live[statement].difference(ir.writes(statement))
            match statement:
                case ir.If():
                    body, orelse = (self.arm(a, statement, live) for a in ir.blocks(statement))
                    test = self.atom(before, statement.test)
                    made.append(replace(statement, test=test, body=body, orelse=orelse))
                case ir.For() | ir.While():
                    head = self.known.heads[statement]
                    inner = (s for block in ir.blocks(statement) for s in ir.walk(block))
                    live = self.live[statement].union(*map(ir.reads, inner))
                    made += self.rebound_firsts(before, head, live, statement)
                    made.append(self.loop(statement, head, live))
                case _:
                    made += self.rebound_firsts(before, after, live, statement)
                    made.append(self.renamed(statement))
        return tuple(made)

    def note(self, statement: ir.Statement) -> None:
        """Notes by what names the variables go that a statement mentions."""
        for names, holding in (
            (ir.writes(statement), self.known.after[statement]),
            (ir.reads(statement), self.known.before[statement]),
        ):
            for name in self.chosen.intersection(names):
                first = self.first(holding, name)
                if first != name:
                    self.firsts[statement.origin, name] = first

    def arm(self, arm: ir.Block, branch: ir.If, live: liveness.Live) -> ir.Block:
        """One of two branches; at its end the variables are as after both."""
        end = self.known.after[arm[-1]] if arm else self.known.before[branch]
        more = self.rebound_firsts(end, self.known.after[branch], live, branch)
        return (*self.block(arm), *more)

    def loop(
        self, loop: ir.For | ir.While, head: Holding, live: liveness.Live
    ) -> ir.For | ir.While:
        """A loop; at the end of its body the variables are as at its head."""
        end = self.known.after[loop.body[-1]] if loop.body else head
        body = (*self.block(loop.body), *self.rebound_firsts(end, head, live, loop))
        if isinstance(loop, ir.While):
            return replace(loop, header=self.block(loop.header), body=body)
        iterable = self.atom(self.known.before[loop], loop.iterable)
        return replace(loop, iterable=iterable, body=body)

    def rebound_firsts(
        self, before: Holding, after: Holding, live: liveness.Live, statement: ir.Statement
    ) -> Iterator[ir.Assign]:
        """Binds those that are the first of their names from now on."""
        firsts = {self.first(after, name) for name in self.chosen & live}
        for first in sorted(firsts.difference(ir.writes(statement))):
            name = self.first(before, first)
            if name != first:
                origin = self.origins.get(first, statement.origin)
                yield ir.Assign((first,), ir.Name(name), origin)

    def first(self, holding: Holding, name: str) -> str:
        """The first name of what a variable holds."""
        names = _names(holding, name) if name in self.chosen else ()
        return next((n for n in names if n in self.chosen), name)

    def atom(self, holding: Holding, atom: ir.Atom) -> ir.Atom:
        return ir.Name(self.first(holding, atom.id)) if isinstance(atom, ir.Name) else atom

    def renamed(self, statement: ir.Statement) -> ir.Statement:
        """A statement without blocks, by first names; what is kept as written stays so."""
        if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Opaque):
            return statement
        holding = self.known.before[statement]
        is_element = isinstance(statement, ir.Store) and statement.index is not None
        atom = partial(self.atom, holding)
        if not is_element:
            return ir.rebuilt(statement, atom)
        return ir.rebuilt(statement, atom, partial(self.first, holding))


def _kept_equal(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which what `b += v` may change has as many copies as names."""
    wholes = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.index is None]
    if not wholes:
        return function
    held = must_alias(function, are_arrays=True).before
    facts = known.facts(function)
    live, shared = facts.live.after, facts.aliases()
    chosen: set[str] = set()
    for store in wholes:
        names = _names(held[store], store.base)
        is_number = facts.shapes.is_number(facts.versions.reads[store, store.base])
        others = {*names} & shared.shared(store, store.base) & live[store]
        if others and not is_number:
            chosen.update(names)
    if not chosen:
        return function
    strict = facts.aliases(scalar_elements=False)
    fixed = _inserted(function).union(p.name for p in function.parameters)
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Assign) and statement.is_tuple:
            fixed.update(statement.targets)
        if not isinstance(statement, ir.Store):
            fixed.update(aliases.changed(statement, known))
        elif statement.base in chosen and containers.kind_of(
            facts.versions.reads.get((statement, statement.base)), facts.versions
        ):
            return function
        for name in _written(statement, known):  # what no store tells of is not put into copies
            equal = {*_names(held[statement], name)} if name in chosen else {name}
            seen = (strict.shared(statement, name) - equal) & live[statement]
            if seen and (len(equal) > 1 or not chosen.isdisjoint(seen)):
                return function
    if chosen & fixed:
        return function
    return _Copied(function, held, live, chosen).function


class _Copied:
    """A function in which some variables have copies of what they hold, which are kept equal."""

    def __init__(
        self,
        function: ir.Function,
        held: dict[ir.Statement, Holding],
        live: dict[ir.Statement, liveness.Live],
        chosen: set[str],
    ) -> None:
        self.fresh = ir.fresh(function)
        self.held = held
        self.live = live
        self.chosen = chosen
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign((target,), ir.Name(id) as source) if target in self.chosen and (
                    id in self.chosen or isinstance(id, Step)
                ):
                    copied = ir.Call("adlsp.runtime.part", (source,))
                    made.append(replace(statement, value=copied))
                case ir.Store(base=base) if base in self.chosen:
                    made.append(statement)
                    for name in _names(self.held[statement], base):
                        if name != base and name in self.live[statement]:
                            made += self.put(statement, name)
                case _:
                    made.append(ir.rebuilt(statement, block=self.block))
        return tuple(made)

    def put(self, store: ir.Store, name: str) -> Iterator[ir.Statement]:
        """The steps that put into another copy what a store has changed in one."""
        origin, changed = store.origin, ir.Name(store.base)
        if store.index is not None:
            item = ir.Name(self.fresh.step())
            read = ir.Call("operator.getitem", (changed, store.index))
            yield ir.Assign((item.id,), read, origin)
            yield ir.Store(name, store.index, item, ir.StoreKind.REPLACE, origin, span=store.span)
            return
        function, kinds = IS_ARRAY
        test = self.fresh.step()
        yield ir.Assign((test,), ir.Call(function, (ir.Name(name), *kinds)), origin)
        copied = ir.Assign((name,), ir.Call("adlsp.runtime.part", (changed,)), origin)
        yield ir.If(ir.Name(test), (copied,), (), origin)
