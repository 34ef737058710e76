"""Which variables may share memory: a relation between names, before and after each statement.

This is may-alias analysis, sensitive to flow. Two names are related where one may be bound to the
memory, or a part of it, that the other is bound to. A relation survives what sets of allocation
sites confuse: after `u, v = v, u` the two are no more related than before. What an expression
shares, `views.py` tells; a user's function gives what its own relation says of its parameters;
unknown calls may give any of their arguments. What is taken for a number (`elements.py`) shares
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from adlsp.transform import ir
from adlsp.transform.facts import (
    containers,
    effects,
    iteration,
    liveness,
    operations,
    persistent,
    versions,
)
from adlsp.transform.facts.callees import Callees, Inferred
from adlsp.transform.facts.elements import calls_for_numbers, used_as_numbers
from adlsp.transform.facts.points_to import (
    OUTSIDE,
    containers_made,
    copied_parts,
    copies_of_containers,
    descendants,
    other_names,
    parts,
)
from adlsp.transform.facts.views import is_into, may_view
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops import records

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts


class Given(NamedTuple):
    """What a function is given for a parameter, which is the caller's."""

    parameter: str


Holder: TypeAlias = str | Given | ir.Global
"""What holds memory: a variable of the function, the caller, or a module."""

Relation = persistent.Map[Holder, frozenset[Holder]]
"""For each holder those that it may share memory with, both ways; it is never changed."""

Classes = Mapping[str, frozenset[Holder]]
"""For each variable all that it may ever share memory with, itself among them."""

ALONE: frozenset[Holder] = frozenset()


@dataclass(frozen=True, slots=True)
class Aliases:
    """Which variables may share memory before and after each statement: may-alias.

    A parameter shares memory with what it is given. `inner` are stores `rows[i][j] = v` into lists
    that the function makes, with the variables that may have one of these lists: what the lists
    hold stays as it is.
    """

    before: dict[ir.Statement, Relation]
    after: dict[ir.Statement, Relation]
    inner: Mapping[ir.Statement, frozenset[str]]
    inferred: Inferred | None = None

    def shared(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The other variables that may share memory with one, before a statement."""
        found = self.before[statement].get(name, ALONE)
        if statement in self.inner:
            found &= self.inner[statement]
        return frozenset(o for o in found if isinstance(o, str) and self._meet(statement, name, o))

    def _meet(self, statement: ir.Statement, one: str, other: str) -> bool:
        return self.inferred is None or self.inferred.may_share(statement, one, other)

    def related(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The other variables that may share memory with one, or with what it holds."""
        found = self.before[statement].get(name, ALONE)
        return frozenset(o for o in found if isinstance(o, str) and self._meet(statement, name, o))

    def parameters(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The parameters whose array at the caller's a variable may share memory with."""
        found = ALONE if statement in self.inner else self.before[statement].get(name, ALONE)
        names = (other.parameter for other in found if isinstance(other, Given))
        given = self.inferred
        return frozenset(n for n in names if given is None or given.may_be_of(statement, name, n))

    def is_of_module(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable may share memory with what a module holds."""
        found = self.before[statement].get(name, ALONE)
        return any(isinstance(one, ir.Global) for one in found)

    def of_modules(self, statement: ir.Statement, name: str) -> tuple[ir.Global, ...]:
        """The variables of modules that a variable may share memory with."""
        found = self.before[statement].get(name, ALONE)
        return tuple(sorted((g for g in found if isinstance(g, ir.Global)), key=lambda g: g.dotted))

    def is_kept(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable may share memory with what a function keeps."""
        return OUTSIDE in self.before[statement].get(name, ALONE)


def of_modules(classes: Classes) -> frozenset[str]:
    """The variables that may ever share memory with what a module holds."""
    groups = {id(group): group for group in classes.values()}.values()
    theirs = (group for group in groups if any(isinstance(one, ir.Global) for one in group))
    return frozenset(one for group in theirs for one in group if isinstance(one, str))


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is taken for granted of a function, from which its relation follows.

    `numbers` tells of statements how many of their targets, from the first on, are numbers or
    copies, and `relaxed` are calls that give numbers where they give elements. `held` are stores
    after which a container of the caller's holds the value, None if that is not asked.
    """

    numbers: frozenset[tuple[ir.Statement, int]]
    relaxed: frozenset[ir.Statement]
    held: frozenset[ir.Store] | None


def assumed(facts: Facts, *, scalar_elements: bool, are_held: bool) -> Assumed:
    """What is taken for granted under two assumptions, which may come to the same.

    `scalar_elements`: an element is taken for a number. `are_held`: what is stored into a parameter
    is taken to be held by a list or dictionary. Of what calls share only users' functions say other
    things under these.
    """
    numbers: dict[ir.Statement, int] = dict.fromkeys(iteration.counted(facts.iterations), 1)
    numbers |= dict.fromkeys(_copying(facts), 1)
    numbers |= dict(_known_numbers(facts))
    relaxed = frozenset[ir.Statement]()
    if scalar_elements:
        numbers |= {read: len(read.targets) for read in facts.element_reads()}
        relaxed = calls_for_numbers(facts)
    held = facts.cells if are_held else None
    if not _calls_users(facts):
        relaxed, held = frozenset(), held or None
    return Assumed(frozenset(numbers.items()), relaxed, held)


def _calls_users(facts: Facts) -> bool:
    """Tells whether a function calls one of the user's, which says what its result shares."""
    known = facts.known
    called = {
        statement.value.function
        for statement in ir.walk(facts.function.body)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
    }
    return known is not None and any(
        known.rule(name) is None and known.function(name) is not None for name in called
    )


def aliases(
    facts: Facts, assumed: Assumed, listed: frozenset[ir.Statement] = frozenset()
) -> Aliases:
    """Finds what the variables of a function may share.

    `listed` are copies, `x.copy()`, that are taken to be of lists, so that the arrays in them are
    the same; so are those in copies of what is surely a list or dictionary.
    """
    function, known = facts.function, facts.known
    listed |= copies_of_containers(function.body)
    start = Relation()
    for parameter in function.parameters:
        outside: tuple[Holder, ...] = (Given(parameter.name),)
        if isinstance(parameter.default, ir.Opaque):  # one object for all calls
            outside += (OUTSIDE,)
        start = _linked(start, ((parameter.name, other) for other in outside))
    made = Aliases({}, {}, _inner(facts), facts.inferred)
    numbers = dict(assumed.numbers)
    given = known, numbers, assumed.relaxed, facts.live.after
    further = iteration.surely_run(function), listed, assumed.held
    _Walk(made, *given, *further).block(function.body, start)
    separate = _separate(facts, made)
    if separate:
        made = Aliases({}, {}, made.inner, made.inferred)
        _Walk(made, *given, *further, separate).block(function.body, start)
    return made


def _known_numbers(facts: Facts) -> Iterator[tuple[ir.Statement, int]]:
    """The statements that surely bind nothing but numbers, with how many."""
    inferred = facts.inferred
    if inferred is not None:
        for statement in ir.walk(facts.function.body):
            if isinstance(statement, ir.Assign) and inferred.gives_numbers(statement):
                yield statement, len(statement.targets)


def _copying(facts: Facts) -> Iterator[ir.Statement]:
    """The statements that read copies of elements, by an index that never gives a view."""
    told: set[ir.Atom] = set()
    reads: list[tuple[ir.Statement, ir.Atom, ir.Atom]] = []
    for statement in ir.walk(facts.function.body):
        match statement:
            case ir.Assign((_,), ir.Call("operator.getitem", (base, index))) if index in told:
                reads.append((statement, base, index))
            case ir.Assign((target,), ir.Call(made, args)) if (
                made == "python.list"
                or operations.of(made).compares
                or (made == "python.tuple" and not told.isdisjoint(args))
            ):
                told.add(ir.Name(target))
    if reads:
        yield from (s for s, base, index in reads if facts.indices.copies(s, base, index))


def _inner(facts: Facts) -> dict[ir.Statement, frozenset[str]]:
    """The stores into lists that others hold, and the variables that may have such a list."""
    function, numbered = facts.function, facts.versions
    walked = list(ir.walk(function.body))
    depths = {
        s.targets[0]: len(s.value.args) - 1
        for s in walked
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        if s.value.function == ir.PATH and s.value.args[-1] != ir.Const(...)
    }
    if not depths:
        return {}
    found: dict[ir.Statement, frozenset[str]] = {}
    for store in walked:
        match store:
            case ir.Store(index=ir.Name(path)) if path in depths:
                made = containers.held_at(function, numbered, store, depths[path])
                if made is not None:
                    names = other_names({store.base, *made}, function)
                    found[store] = frozenset(descendants(names, function, facts.known))
    return found


def _separate(facts: Facts, made: Aliases) -> frozenset[ir.Statement]:
    """The statements that take tuples apart whose parts share no memory with each other.

    These are tuples that the function has written down itself: `state = a, b`, `a, b = state`.
    """
    function = facts.function
    unpacking = [
        (s, s.value.id)
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and s.is_tuple and isinstance(s.value, ir.Name)
    ]
    if not unpacking:
        return frozenset()
    numbered = facts.versions
    resized = {name for s in ir.walk(function.body) if ir.resizes(s) for name in ir.writes(s)}

    def is_separate(version: versions.Version | None, n_parts: int, seen: set[int]) -> bool:
        if version is None or version.number in seen:
            return version is not None
        seen.add(version.number)
        if version.meets:
            return all(is_separate(prior, n_parts, seen) for prior in version.priors)
        match version.statement:
            case ir.Assign(value=ir.Call("python.tuple", args), is_tuple=False) as display:
                names = [atom.id for atom in args if isinstance(atom, ir.Name)]
                relation = made.before[display]
                is_shared = any(
                    one == other or other in relation.get(one, ALONE)
                    for i, one in enumerate(names)
                    for other in names[:i]
                )
                return len(args) == n_parts and not is_shared and resized.isdisjoint(names)
            case ir.Assign(targets, ir.Call("python.tuple", args), is_tuple=True) as both if len(
                args
            ) == len(targets):
                held = args[targets.index(version.name)]
                if isinstance(held, ir.Name):
                    return is_separate(numbered.reads.get((both, held.id)), n_parts, seen)
        return False

    return frozenset(
        statement
        for statement, name in unpacking
        if is_separate(numbered.reads.get((statement, name)), len(ir.writes(statement)), set())
    )


def written_parameters(
    facts: Facts, *, scalar_elements: bool = True, are_held: bool = False
) -> tuple[str, ...]:
    """The parameters whose memory a function may write into: its mod set.

    What `x += v` changes here is a number if it may be one and `scalar_elements`; what a call
    changes, or `x[0][...] = v`, need not be. `are_held`: what is put into a list or dictionary and
    changed there belongs to it.
    """
    function, known = facts.function, facts.known
    changes = [
        (statement, name)
        for statement in ir.walk(function.body)
        for name in changed(statement, known, scalar_elements=scalar_elements)
        if not _resizes_own(statement, name, facts)
    ]
    changes += _put_back(facts)
    if not changes:
        return ()
    shared = facts.aliases(scalar_elements=scalar_elements, are_held=are_held)
    of_calls = cache(lambda: facts.aliases(scalar_elements=False, are_held=are_held))
    compared = set() if scalar_elements else used_as_numbers(function)
    inside = {
        ir.Name(target)
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        if s.value.function == ir.PATH and s.value.args[-1] == ir.Const(...)
        for target in s.targets
    }
    written: set[str] = set()
    for statement, name in changes:
        is_whole = isinstance(statement, ir.Store) and not ir.sets_cell(statement)
        if isinstance(statement, ir.Store) and is_whole and statement.index not in inside:
            is_number = statement.index is None and name in compared
            written |= set() if is_number else shared.parameters(statement, name)
        else:
            written |= of_calls().parameters(statement, name)
    return tuple(p.name for p in function.parameters if p.name in written)


def _put_back(facts: Facts) -> Iterator[tuple[ir.Statement, str]]:
    """The stores that put back what a loop has changed in a list, which others may hold, too."""
    parts = copied_parts(facts.function.body)
    for statement in ir.walk(facts.function.body) if parts else ():
        match statement:
            case ir.Store(base=base, value=ir.Name(id)) if ir.sets_cell(statement) and id in parts:
                if not (facts.inferred and facts.inferred.changes_number(statement)):
                    yield statement, base


def doubted_parameters(facts: Facts) -> frozenset[str]:
    """The parameters whose memory a function gives to something unknown, which may change it.

    `exec` reads all.
    """
    found: set[str] = set()
    for statement in ir.walk(facts.function.body):
        names = {*effects.changed(statement, (effects.Cause.DOUBT,), facts.known)}
        match statement:
            case ir.Do(value=ir.Call(function)) if operations.of(function).reads_all is not None:
                found.update(p.name for p in facts.function.parameters)
            case ir.Do(value=ir.Call(function, args)) if targets.is_method(
                function
            ) and not effects.may_be_of_class(function, facts.known):
                given = {p.name for p in facts.function.parameters}
                names &= set(ir.names(args[:1])) - (containers_made(facts.function.body) - given)
        for name in names:
            found |= facts.aliases(scalar_elements=False).parameters(statement, name)
    return frozenset(found)


def changed(
    statement: ir.Statement, known: Callees | None, *, scalar_elements: bool = True
) -> Iterator[str]:
    """The variables whose memory a statement itself writes into, or what it calls.

    `scalar_elements`: what is taken for a number there is one.
    """
    match statement:
        case ir.Store(base=base) if not (ir.resizes(statement) or ir.sets_cell(statement)):
            yield base
        case ir.Do() | ir.Assign():
            found = effects.changes(statement, known, scalar_elements=scalar_elements)
            yield from (name for name, cause in found if cause is not effects.Cause.DOUBT)


def _resizes_own(statement: ir.Statement, name: str, facts: Facts) -> bool:
    """Tells whether a call only resizes a container that the function makes.

    What that holds, which may be the caller's, stays as it is.
    """
    match statement:
        case (
            ir.Do(value=ir.Call(function, (first, *_)))
            | ir.Assign(value=ir.Call(function, (first, *_)))
        ) if first == ir.Name(name) and records.said(function).resizes:
            version = facts.versions.reads.get((statement, name))
            return containers.is_resizable(version, facts.versions)
    return False


def _without(relation: Relation, names: set[Holder]) -> Relation:
    """The relation of the other names among themselves."""
    others = {other for each in names for other in relation[each]} - names
    return relation.without(names) | {other: relation[other] - names for other in others}


class _Walk:
    """Walks the statements of a function with the relation that holds; `live` as `liveness` says.

    `numbers` tells of statements how many of their targets, from the first on, are numbers or
    copies, and `relaxed` are calls that give numbers where they give elements. Steps
    are left out as soon as nothing reads them any more: there are many. Such a step was read or
    bound by the statement before, or is not read on the way that a branch or loop has taken.
    `surely_run` are loops that have a pass, `listed` copies of lists, `held` stores after which a
    container holds the value, None if that is not asked; `separate` statements whose targets share
    nothing with each other.
    """

    def __init__(
        self,
        facts: Aliases,
        known: Callees | None,
        numbers: Mapping[ir.Statement, int],
        relaxed: frozenset[ir.Statement],
        live: Mapping[ir.Statement, liveness.Live],
        surely_run: frozenset[ir.Statement],
        listed: frozenset[ir.Statement],
        held: frozenset[ir.Store] | None,
        separate: frozenset[ir.Statement] = frozenset(),
    ) -> None:
        self.facts = facts
        self.known = known
        self.numbers = numbers
        self.relaxed = relaxed
        self.live = live
        self.listed = listed
        self.held = held
        self.separate = separate
        self.surely_run = surely_run
        self.loops: dict[ir.Statement, tuple[Relation, Relation]] = {}

    def block(self, block: ir.Block, relation: Relation) -> Relation:
        for position, statement in enumerate(block):
            self.facts.before[statement] = relation
            relation = self.statement(statement, relation)
            live = self.live[statement]
            near: Iterable[Holder] = (*ir.reads(statement), *ir.writes(statement))
            if position == 0 or isinstance(statement, ir.NESTING):
                near = relation
            steps = (name for name in near if isinstance(name, Step) and name in relation)
            dead: set[Holder] = {name for name in steps if name not in live}
            if dead:
                relation = _without(relation, dead)
            self.facts.after[statement] = relation
        return relation

    def statement(self, statement: ir.Statement, relation: Relation) -> Relation:
        match statement:
            case ir.Assign():
                return self.assign(statement, relation)
            case ir.Do(value=value) if is_into(value):
                return relation
            case ir.Do(value=ir.Opaque() as value):
                bound = [name for name in value.writes if name not in value.changes]
                made = _bound(relation, dict.fromkeys(bound, value.reads))
                return _linked(made, ((n, other) for n in value.changes for other in value.reads))
            case ir.Do(value=ir.Call(args=(ir.Name(id), *rest), function=function)) if (
                function == "python.append" or ir.changes_first(function)
            ):
                return _held(relation, id, self.memory(tuple(rest)))
            case ir.Store(base=base, value=value, kind=kind) if kind.keeps_value or statement in (
                self.held or ()
            ):
                return _held(relation, base, self.memory((value,)))
            case ir.If(body=body, orelse=orelse):
                return _either(self.block(body, relation), self.block(orelse, relation))
            case ir.For() | ir.While():
                return self.loop(statement, relation)
        return relation

    def memory(self, atoms: tuple[ir.Atom, ...]) -> tuple[Holder, ...]:
        """What atoms stand for that may have memory: variables of the function and of modules."""
        known = self.known
        of_modules = (
            one
            for one in atoms
            if ir.is_global(one)
            if not known or known.may_be_changed(one.dotted)
        )
        return (*ir.names(atoms), *of_modules)

    def loop(self, statement: ir.For | ir.While, relation: Relation) -> Relation:
        """The relation after a loop, which holds at its head whatever the number of passes.

        A loop in a loop is walked again only where more may share memory than the last time.
        """
        head, after = self.loops.get(statement, (Relation(), None))
        merged = _either(head, relation)
        while after is None or merged is not head:
            head = merged
            match statement:
                case ir.For(target=target, iterable=iterable):
                    after = head
                    inner = _bound(head, {target: tuple(ir.names((iterable,)))})
                case ir.While(header=header):
                    after = inner = self.block(header, head)
            end = self.block(statement.body, inner)
            merged = _either(head, end)
            if statement in self.surely_run:
                after = end
        self.loops[statement] = (head, after)
        return after

    def assign(self, statement: ir.Assign, relation: Relation) -> Relation:
        targets = statement.targets
        scalar_elements, is_listed = statement in self.relaxed, statement in self.listed
        are_held = self.held is not None
        found = parts(
            statement,
            self.known,
            scalar_elements=scalar_elements,
            is_listed=is_listed,
            are_held=are_held,
        )
        n_numbers = self.numbers.get(statement, 0)
        found[:n_numbers] = [()] * n_numbers
        sources: dict[str, tuple[Holder, ...]] = {
            target: (*ir.names(part), *filter(ir.is_global, part))
            for target, part in zip(targets, found, strict=True)
        }
        made = _bound(relation, sources)
        if statement in self.separate:
            return made | {t: made.get(t, ALONE).difference(targets) for t in targets}
        if len(set(found)) < len(found):
            among = [t for t, part in zip(targets, found, strict=True) if part]
            made = _linked(made, ((a, b) for a in among for b in among))
        return made


def _bound(relation: Relation, sources: Mapping[str, tuple[Holder, ...]]) -> Relation:
    """The relation after binding names, all at once, to what may share memory with others."""
    old: set[Holder] = {target for target in sources if target in relation}
    kept = _without(relation, old) if old else relation
    pairs: list[tuple[Holder, Holder]] = []
    heirs: dict[Holder, set[str]] = {}
    for target, names in sources.items():
        for name in names:
            heirs.setdefault(name, set()).add(target)
            others = (name, *relation.get(name, ALONE))
            pairs += ((target, other) for other in others if other not in sources)
    for name, bound in heirs.items():
        for other in (name, *relation.get(name, ALONE)):
            pairs += ((one, two) for one in bound for two in heirs.get(other, ()))
    return _linked(kept, pairs)


def _held(relation: Relation, container: str, holders: tuple[Holder, ...]) -> Relation:
    """The relation where a container holds some values, and all that they share memory with."""
    values = {other for one in holders for other in (one, *relation.get(one, ALONE))}
    return _linked(relation, ((container, value) for value in values))


def _linked(relation: Relation, pairs: Iterable[tuple[Holder, Holder]]) -> Relation:
    """The relation with some names related to each other, too."""
    more: dict[Holder, set[Holder]] = {}
    for one, other in pairs:
        if one != other:
            more.setdefault(one, set()).add(other)
            more.setdefault(other, set()).add(one)
    new = {
        n: relation.get(n, ALONE) | o for n, o in more.items() if not o <= relation.get(n, ALONE)
    }
    return relation | new


def _either(one: Relation, other: Relation) -> Relation:
    """What holds where two ways meet: the first relation itself, if it has all of the other."""
    if one is other:
        return one
    more = {}
    for name in one.differing(other):
        known, others = one.get(name, ALONE), other.get(name, ALONE)
        if not others <= known:
            more[name] = known | others
    return one | more


def _state(value: ir.Expression) -> Iterator[ir.Global]:
    """The variable of a module that an expression reads, if functions change its object."""
    match value:
        case ir.Call(function=ir.KEPT):
            yield OUTSIDE
        case ir.Call(function=function, args=args) if function in ir.STATES.values():
            yield from filter(ir.is_global, args)


def together(names: Iterable[str], groups: Mapping[str, frozenset[Holder]]) -> frozenset[Holder]:
    """Some variables, and what may share memory with them by their groups."""
    return frozenset(other for name in names for other in (name, *groups.get(name, ())))


def classes(
    block: ir.Block,
    views: Callable[[ir.Expression], bool] = may_view,
    *,
    are_held: bool = False,
) -> Classes:
    """Groups variables that may ever share memory in a block, whatever the order of statements.

    These are alias classes, by unification (Steensgaard, Points-to analysis in almost linear time,
    POPL 1996). `views` tells which expressions may share memory with what they read. `are_held`:
    what is stored is taken to be held, as by a list, but for parts that are put back.
    """
    parts, copies = copied_parts(block), copies_of_containers(block)
    groups: dict[Holder, set[Holder]] = {}
    for statement in ir.walk(block):
        linked: list[Holder] = []
        match statement:
            case ir.Assign(
                targets=targets, value=ir.Call(function="operator.getitem", args=(base, _))
            ):
                linked = [*targets, *ir.expression_reads(base)]
            case ir.Assign(
                targets=targets, value=ir.Call(function=function, args=args) as call
            ) if (like := operations.of(function).like) is not None and views(call):
                linked = [*targets, *ir.names(args[:like] + args[like + 1 :])]
            case ir.Assign(targets=targets) if statement in copies:
                linked = [*targets, *ir.reads(statement)]
            case ir.Assign(targets=targets, value=value) if views(value):
                linked = [*targets, *ir.expression_reads(value), *_state(value)]
            case ir.For(target=target, iterable=ir.Name(id)):
                linked = [target, id]
            case ir.Do(value=ir.Opaque() as value):
                linked = [*value.writes, *(() if is_into(value) else value.reads)]
            case ir.Do(value=ir.Call(function="python.append", args=args)):
                linked = list(ir.names(args))
            case ir.Store(base=base, value=ir.Name(other), kind=kind) if kind.keeps_value or (
                are_held and kind.replaces and other not in parts
            ):
                linked = [base, other]
        if len(linked) > 1:
            _unite(groups, linked)
    return _frozen(groups)


def _frozen(groups: dict[Holder, set[Holder]]) -> Classes:
    """The groups of the variables; those of one group have the same object."""
    distinct = {id(group): group for group in groups.values()}
    made = {number: frozenset(group) for number, group in distinct.items()}
    return {name: made[id(group)] for name, group in groups.items() if isinstance(name, str)}


def _unite(groups: dict[Holder, set[Holder]], linked: Iterable[Holder]) -> None:
    """Makes one group of those of some holders: the smaller ones go into the largest."""
    every = {id(group): group for group in (groups.setdefault(one, {one}) for one in linked)}
    whole = max(every.values(), key=len, default=set[Holder]())
    for group in every.values():
        if group is not whole:
            whole |= group
            groups.update(dict.fromkeys(group, whole))
