"""What each variable of a function is, from what its parameters are: abstract interpretation.

The interpreter runs a function on the values of `lattice.py`: a branch that is surely not taken is
not entered, where ways meet values are joined, and a loop is run until nothing changes (a fixed
point). A call of a user's function is an *instance* of it for the values of its arguments, and runs
once for all calls that have the same. What a store does to a list it does to every value that may
be that list, by where values live.

A size that is not known becomes a symbol where it is made. In a loop it is another number in each
pass; so what comes from an earlier pass has none of the symbols of this one.

(Cousot and Cousot, POPL 1977; on constants in branches that are not taken: Wegman and Zadeck,
Constant propagation with conditional branches, ACM TOPLAS 13(2), 1991.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set
from dataclasses import field, replace
from operator import is_
from typing import Protocol

from adlsp.transform import arguments, ir
from adlsp.transform.facts import dataflow, liveness, operations, views
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step, Tape
from adlsp.transform.ops.spec import Effect, Result
from adlsp.transform.values import (
    changes,
    constants,
    containers,
    derivatives,
    elements,
    indexing,
    lattice,
    places,
    transfer,
)
from adlsp.transform.values.classes import (
    DEEP,
    DISPLAYS,
    GETTER,
    Construction,
    Member,
    attribute_read,
    augmenting,
    by_name,
    called_of,
    displayed,
    for_object,
    has_attribute,
    held_of,
    is_instance,
    is_of_user,
    method_of,
    named_parts,
    of_class,
    of_module,
    overloaded,
    replaced,
    seen_in_run,
    unbound,
)
from adlsp.transform.values.lattice import (
    NOWHERE,
    SEVERAL,
    UNKNOWN,
    UNREACHED,
    Array,
    Dimension,
    Function,
    Mapped,
    Number,
    Object,
    Sequence,
    Signature,
    Sites,
    Size,
    Symbol,
    Unknown,
    Unreached,
    Value,
    join,
)

Environment = dict[str, Value]

MOST_PASSES = 12
"""After so many passes of a loop what still changes is not known."""

UNDECIDED: Environment = {}
"""Stands for what is not known behind a loop, by identity."""

MOST_IN_ALL = 128
"""How many passes of loops are run one by one in one function."""

MOST_INSTANCES = 32
"""Of one function; a call with further arguments is one with arguments that are not known."""

DEEPEST = 40
"""How many calls stand within each other."""


class World(Protocol):
    """What the inference asks of the program."""

    def definition(self, dotted: str) -> ir.Function | None:
        """The user's function that a call goes to; None if it has no source, or a rule."""

    def signature(self, dotted: str) -> ir.Function | None:
        """The same for its parameters: calls in it do not go yet to what variables hold."""

    def is_variable(self, dotted: str) -> bool:
        """Tells whether a name is that of a variable of a user's module."""

    def held_by(self, dotted: str) -> Value | None:
        """What a variable of a module holds, if that is functions that nobody exchanges."""

    def member(self, of: str, name: str, above: str = "") -> Member | None:
        """What a class has under a name, or those above it from one on."""

    def constructing(self, dotted: str) -> Construction | None:
        """What the constructor of a class does, as far as texts tell."""

    def constructor(self, of: Object) -> str | None:
        """What makes the gradient of an object of its attributes, if that is sure."""

    def unset(self, of: str, name: str) -> str:
        """Why a store into an attribute of a class's objects is not just that; empty where it is.

        What the class does then is not followed.
        """

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """What is known of a function: the value of each variable that a statement reads or writes.

    `given` are the values of its parameters, and `after` what these are when it returns. `running`
    are the statements that may run. `passed` says of calls of user functions what they give to the
    parameters there, and `held_by` what variables of modules hold.
    """

    given: Signature
    reads: Mapping[tuple[ir.Statement, str], Value]
    writes: Mapping[tuple[ir.Statement, str], Value]
    running: Set[ir.Statement]
    result: Value
    after: Signature
    passed: Mapping[ir.Statement, Signature] = field(default_factory=dict)
    held_by: Callable[[str], Value | None] = lambda _: None

    def of(self, statement: ir.Statement, atom: ir.Atom) -> Value:
        """The value of an atom as a statement reads it."""
        if isinstance(atom, ir.Name):
            return self.reads.get((statement, atom.id), UNREACHED)
        if isinstance(atom, ir.Global):
            return self.held_by(atom.dotted) or UNKNOWN
        return lattice.of_constant(atom.value)


NOTHING = Typed({}, {}, {}, frozenset(), UNREACHED, {})


Instance = tuple[ir.Function, tuple[Value, ...]]
"""A function with the values of its arguments."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What is known of a function for some arguments, whoever asks.

    `within` are the instances that were made for it, itself included; there were `further` ones, in
    recursions, and `levels` says how many calls stood within each other.
    """

    function: ir.Function
    given: tuple[Value, ...]
    typed: Typed
    within: Set[Settled]
    further: Set[Instance]
    levels: int


@dataclass(slots=True)
class _Making:
    """What an instance rests on while it is made.

    It waits for others that are being made, around it, and `is_limited` where a limit was met.
    """

    within: set[Settled] = field(default_factory=set)
    further: set[Instance] = field(default_factory=set)
    waits_for: set[Instance] = field(default_factory=set)
    levels: int = 0
    is_limited: bool = False


@dataclass(slots=True)
class Instances:
    """The functions of a program, each for the values of its arguments.

    `settled` is shared by all for whom calls mean the same; `called` finds the functions to which
    they go, if these are others than in the program. `is_one_by_one`: loops over what is known one
    by one are run pass by pass, and only results count, not what statements read or write.
    """

    world: World
    settled: dict[Instance, Settled] = field(default_factory=dict)
    called: Callable[[str], ir.Function | None] | None = None
    is_one_by_one: bool = False
    made: dict[ir.Function, dict[tuple[Value, ...], Typed]] = field(default_factory=dict)
    working: list[Instance] = field(default_factory=list)
    making: list[_Making] = field(default_factory=list)
    rests_on: set[Instance] = field(default_factory=set)

    def definition(self, dotted: str) -> ir.Function | None:
        """The function that a call goes to."""
        return (self.called or self.world.definition)(dotted)

    def of(self, function: ir.Function, signature: Signature) -> Typed:
        """What is known of a function for some arguments; others are not known.

        With recursion, a call that waits for itself gives what is known by then, until that is all.
        """
        given = tuple(signature.get(p.name, UNKNOWN) for p in function.parameters)
        known = self.made.setdefault(function, {})
        if given not in known:
            begun = [each for f, each in self.working if f is function and each not in known]
            if len(known) + len(begun) >= MOST_INSTANCES and given not in begun:
                given = (UNKNOWN,) * len(given)
                self._meet_limit()
        key = function, given
        if key in self.working:
            self.rests_on.add(key)
            self.making[-1].waits_for.add(key)
            return known.get(given, NOTHING)
        if len(self.working) >= DEEPEST:
            self._meet_limit()
            return _unknown(function)
        settled = self.settled.get(key)
        if given in known or (settled is not None and self._is_like_new(settled)):
            self._rest_on(settled)
            if settled is not None and given not in known:
                return self._taken(settled)
            return known[given]
        self.working.append(key)
        self.making.append(_Making())
        names = (p.name for p in function.parameters)
        start = dict(zip(names, given, strict=True))
        for _ in range(MOST_PASSES):
            found = _Interpreter(self, function).run(start)
            before = known.get(given, NOTHING)
            result = join(before.result, found.result)
            after = {n: join(before.after.get(n, UNREACHED), v) for n, v in found.after.items()}
            known[given] = replace(found, result=result, after=after)
            if key not in self.rests_on or (result, after) == (before.result, before.after):
                break
        else:
            unknown = dict.fromkeys(known[given].after, UNKNOWN)
            known[given] = replace(known[given], result=UNKNOWN, after=unknown)
        self.working.pop()
        self._settle(key, known[given])
        self.rests_on.discard(key)
        if self.rests_on:
            return known.pop(given)
        return known[given]

    def _meet_limit(self) -> None:
        """Notes that the instance that is being made would be another with fewer ones around."""
        if self.making:
            self.making[-1].is_limited = True

    def _rest_on(self, settled: Settled | None) -> None:
        """Notes what the instance rests on that is being made; without, on what has met a limit."""
        if not self.making:
            return
        making = self.making[-1]
        if settled is None:
            making.is_limited = True
        elif settled not in making.within:
            making.within |= settled.within
            making.further |= settled.further
            making.levels = max(making.levels, settled.levels)

    def _settle(self, key: Instance, typed: Typed) -> None:
        """Remembers an instance that was made, if it would always be made so."""
        made = self.making.pop()
        made.waits_for.discard(key)
        made.levels += 1
        if not (made.is_limited or made.waits_for):
            settled = Settled(*key, typed, made.within, made.further, made.levels)
            made.within.add(settled)
            self.settled[key] = settled
            self._rest_on(settled)
        elif self.making:
            around = self.making[-1]
            around.within |= made.within
            around.further |= made.further | {key}
            around.waits_for |= made.waits_for
            around.levels = max(around.levels, made.levels)
            around.is_limited |= made.is_limited

    def _is_like_new(self, settled: Settled) -> bool:
        """Tells whether an instance would be made as it was: no limit would be met."""
        further: dict[ir.Function, int] = {}
        within = {(each.function, each.given) for each in settled.within} | settled.further
        for function, given in within:
            known = self.made.get(function, {})
            if given not in known:
                further[function] = further.get(function, len(known)) + 1
        is_deep = len(self.working) + settled.levels > DEEPEST
        return not is_deep and all(n <= MOST_INSTANCES for n in further.values())

    def _taken(self, settled: Settled) -> Typed:
        """Takes over an instance with all that were made for it."""
        for each in settled.within if not self.rests_on else ():
            self.made.setdefault(each.function, {}).setdefault(each.given, each.typed)
        return settled.typed

    def forget_callers(self) -> None:
        """Forgets what rests on functions that are called, which are others from now on."""
        for function, known in [*self.made.items()]:
            if any(typed.passed for typed in known.values()) or _may_call(function.body):
                del self.made[function]
        for key, each in [*self.settled.items()]:
            if each.typed.passed or _may_call(each.function.body):
                del self.settled[key]

    def reached(
        self, start: str, signature: Signature, definition: Callable[[str], ir.Function | None]
    ) -> dict[str, Typed]:
        """What is known of a function and of those that it calls, each for all calls together."""
        signatures, typed, pending = {start: signature}, dict[str, Typed](), [start]
        while pending:
            name = pending.pop(0)
            function = definition(name)
            assert function is not None
            typed[name] = self.of(function, signatures[name])
            for statement, passed in typed[name].passed.items():
                called = _called(statement)
                if called is None or definition(called) is None:
                    continue
                before = signatures.get(called, passed)
                now = {n: join(value, before.get(n, UNKNOWN)) for n, value in passed.items()}
                if called not in signatures or now != before:
                    signatures[called] = now
                    pending.append(called)
        return typed


@dataclass(frozen=True, slots=True)
class _Done:
    """The variables that a statement reads, what they were, and what those are that it binds."""

    names: tuple[str, ...]
    given: Iterable[Value]
    made: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class _Looped:
    """What variables were where a loop began, and when its last pass did, and are behind it."""

    begun: list[Environment]
    behind: Environment | None


def _called(statement: ir.Statement) -> str | None:
    match statement:
        case ir.Assign(value=ir.Call(function=function)) | ir.Do(value=ir.Call(function=function)):
            return targets.primal(function)
    return None


def _captured(function: ir.Function) -> Iterator[str]:
    """The variables that closures of a function have captured, or those that it is given."""
    held = [p.held for p in function.parameters if p.held is not None]
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=value) | ir.Do(value=value):
                if isinstance(value, ir.Opaque) and value.function is not None:
                    held.append(value.function)
    return (own for each in held for _, own in each.captured)


def _may_call(block: ir.Block) -> bool:
    """Tells whether a block may call functions that are made of others, or has what is not read."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=value) | ir.Do(value=value):
                if isinstance(value, ir.Opaque) or isinstance(_called(statement), targets.Made):
                    return True
    return False


def _free(function: ir.Function, captured: Container[str]) -> list[str]:
    """The captured variables that a function reads itself, in order: its free variables.

    What only functions read that it calls is none of its own cells.
    """
    read = set[str]()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                plain = [
                    atom for key, atom in call.keywords if not isinstance(key, targets.Captured)
                ]
                read.update(ir.names((*call.args, *plain)))
            case _:
                read.update(ir.reads(statement))
    return sorted(name for name in read if name in captured)


def _unknown(function: ir.Function) -> Typed:
    after = {p.name: UNKNOWN for p in function.parameters}
    return Typed({}, {}, {}, frozenset(), Unknown("a call within many calls"), after)


@dataclass(slots=True)
class _Interpreter:
    """Runs one function; `places` numbers its statements, and says which stand in a loop.

    `known` has what statements did that only bound variables or changed arrays: what they read, and
    what they made of it. Read again, the same objects make the same. `looped` has what loops made
    of all that was there, and `named` the variables in them; `met` has for each variable what it
    was when a pass began and behind it, and what is known when any pass begins. At places that are
    `once_only` one object is made. `is_plain` tells whether the statement that runs is one that is
    `known` then, `waits` whether it calls what is being looked at, and has not been seen to give
    anything yet.
    """

    instances: Instances
    function: ir.Function
    reads: dict[tuple[ir.Statement, str], Value] = field(default_factory=dict)
    writes: dict[tuple[ir.Statement, str], Value] = field(default_factory=dict)
    places: dict[ir.Statement, int] = field(default_factory=dict)
    n_places: int = 0
    n_passes: int = 0
    last: dict[ir.Statement, int] = field(default_factory=dict)
    once_only: set[str] = field(default_factory=set)
    running: set[ir.Statement] = field(default_factory=set)
    passed: dict[ir.Statement, Signature] = field(default_factory=dict)
    known: dict[ir.Statement, _Done] = field(default_factory=dict)
    looped: dict[ir.Statement, _Looped] = field(default_factory=dict)
    named: dict[ir.Statement, Set[str]] = field(default_factory=dict)
    met: dict[tuple[ir.Statement, str], tuple[Value, Value, Value]] = field(default_factory=dict)
    live: Mapping[dataflow.Loop, Set[str]] | None = None
    is_plain: bool = True
    waits: bool = False
    result: Value = UNREACHED

    def run(self, given: Signature) -> Typed:
        self._number(self.function.body, is_in_loop=False)
        environment = {name: entered(value, name) for name, value in given.items()}
        for parameter in self.function.parameters:
            if parameter.held is not None:
                environment[parameter.name] = Function(
                    parameter.held.dotted, captured=parameter.held.captured
                )
        start = dict(environment)
        if self.instances.is_one_by_one:
            self.once_only |= _told_apart(environment)
        kept = self._as_given(environment)
        environment |= {own: environment[name] for name, own in kept.items()}
        end = self.block(self.function.body, environment)
        after = {
            name: UNREACHED if end is None else end.get(kept.get(name, name), UNKNOWN)
            for name in given
        }
        known = self.reads, self.writes, self.running, self.result, after, self.passed
        return Typed(start, *known, self.instances.world.held_by)

    def _as_given(self, environment: Environment) -> Mapping[str, str]:
        """Names by which what the caller holds is found, where parameters are bound anew."""
        held = {n for n, value in environment.items() if isinstance(value, places.CONTAINERS)}
        bound: set[str] = set()
        for statement in ir.walk(self.function.body) if held else ():
            match statement:
                case ir.Assign(targets=names):
                    bound.update(names)
                case ir.For(target=name):
                    bound.add(name)
        return {name: f"{name} as given" for name in held & bound}

    @property
    def carried(self) -> Mapping[dataflow.Loop, Set[str]]:
        """For each loop of the text the variables of an earlier pass that are read."""
        if self.live is None:
            self.live = liveness.carried(self.function)
        return self.live

    def _number(self, block: ir.Block, *, is_in_loop: bool) -> None:
        for statement in block:
            self.n_places += 1
            self.places[statement] = self.n_places
            if not is_in_loop:
                self.once_only.add(str(self.places[statement]))
            is_loop = is_in_loop or isinstance(statement, ir.For | ir.While)
            for inner in ir.blocks(statement):
                self._number(inner, is_in_loop=is_loop)
            match statement:
                case (
                    ir.Assign(value=ir.Opaque(unfolded=(steps, _)))
                    | ir.Do(value=ir.Opaque(unfolded=(steps, _)))
                ):
                    self._number(steps, is_in_loop=is_in_loop)
            self.last[statement] = self.n_places

    # control flow

    def block(self, block: ir.Block, environment: Environment) -> Environment | None:
        """What variables are behind a block; None where that is not reached."""
        for statement in block:
            self.running.add(statement)
            after = self.statement(statement, environment)
            if after is None:
                return None
            environment = after
        return environment

    def statement(self, statement: ir.Statement, now: Environment) -> Environment | None:
        self.waits = False
        match statement:
            case ir.Assign() | ir.Store():
                self.once(statement, now)
                return None if self.waits else now
        if not isinstance(statement, ir.While):
            self._note_reads(statement, now)
        match statement:
            case ir.Do(value=ir.Opaque(unfolded=((*_, ir.Store()) as steps, _)) as kept):
                before = self.block(steps[:-1], dict(now))
                if before is not None and self.is_store(steps[-1], before):
                    return self.block(steps[-1:], before)
                self.value(replace(kept, unfolded=None), statement, now)
            case ir.Do(value=value):
                self.value(value, statement, now)
                return None if self.waits else now
            case ir.If():
                return self.branches(statement, now)
            case ir.For() | ir.While():
                return self.loop(statement, now)
            case ir.Assert(test=test):
                if lattice.truth(self.atom(test, now)) is False:
                    return None
            case ir.Return(value=value):
                given = self.closed(self.atom(value, now), now)
                self.result = join(self.result, given)
        return now

    def once(self, statement: ir.Assign | ir.Store, now: Environment) -> None:
        """Runs a statement, unless it has read the very same before."""
        known = self.known.get(statement)
        names = ir.reads(statement) if known is None else known.names
        given = [now.get(name, UNKNOWN) for name in names]
        if known is not None and all(map(is_, known.given, given)):
            now.update(known.made)
            return
        for name, value in zip(names, given, strict=True):
            self.reads[statement, name] = value
        self.is_plain = True
        if isinstance(statement, ir.Store):
            self.store(statement, now)
        else:
            self.assign(statement, now)
        if self.is_plain:
            made = tuple((name, now[name]) for name in ir.writes(statement))
            self.known[statement] = _Done(names, given, made)

    def _note_reads(self, statement: ir.Statement, now: Environment) -> None:
        for name in ir.reads(statement):
            self.reads[statement, name] = now.get(name, UNKNOWN)

    def site(self, statement: ir.Statement) -> str:
        """The place of what a statement makes; one with a star is that of several objects."""
        place = str(self.places[statement])
        return place if place in self.once_only else f"{place}*"

    def is_one(self, sites: Sites) -> bool:
        """Tells whether one object lives at some places, as it is made once, also by a callee."""
        place = min(sites) if len(sites) == 1 else ""
        begin, is_of_call, _ = place.partition("/")
        is_made = bool(is_of_call) and "*" not in place and begin in self.once_only
        return place in self.once_only or is_made

    def bind(
        self,
        statement: ir.Statement,
        name: str,
        value: Value,
        now: Environment,
        met: tuple[Value, ...] = (),
    ) -> None:
        made = self.symbols(value, statement, name, met)
        before = self.writes.get((statement, name))
        if made == before and isinstance(before, Array):
            made = before
        now[name] = self.writes[statement, name] = made

    def symbols(
        self, value: Value, statement: ir.Statement, name: str, met: tuple[Value, ...] = ()
    ) -> Value:
        """The value with a symbol for each size that is not known.

        Where it is one of those that have `met`, of which none is one, it is not one, either.
        """
        if isinstance(value, Array) and _has_symbols(value):
            return value
        place = self.places[statement]

        def dimension(size: Dimension, path: tuple[int, ...] | None) -> Dimension:
            if size not in (None, SEVERAL) or path is None:
                return size
            is_several = size == SEVERAL or (
                bool(met)
                and all(lattice.is_not_one(lattice.size_at(one, value, path)) for one in met)
            )
            return Size((place, name, *path), may_be_one=not is_several)

        if isinstance(value, Number) and value.kind == "int" and value.constant is None:
            return replace(value, constant=Size((place, name)))
        return lattice.resized(value, dimension)

    def branches(self, statement: ir.If, now: Environment) -> Environment | None:
        truth = lattice.truth(self.atom(statement.test, now))
        body = None if truth is False else self.block(statement.body, dict(now))
        orelse = None if truth is True else self.block(statement.orelse, dict(now))
        return self.meet(statement, body, orelse)

    def meet(
        self, statement: ir.Statement, one: Environment | None, other: Environment | None
    ) -> Environment | None:
        """What variables are where two ways meet; what one way lacks it does not bind."""
        if one is None or other is None:
            return other if one is None else one
        made = dict(one)
        for name, value in other.items():
            before = one.get(name, UNREACHED)
            if before is not value:
                met = join(before, value)
                both = before, value
                made[name] = met if met in both else self.symbols(met, statement, name, both)
        return made

    def loop(self, statement: ir.For | ir.While, now: Environment) -> Environment | None:
        """Runs a loop, unless it began in the very same way before, or with what passes begin with.

        A loop around it would run it twice as often for each level of loops. Numbers of which it
        says nothing have no part in that.
        """
        if self.instances.is_one_by_one and str(self.places[statement]) in self.once_only:
            found = self.one_by_one(statement, dict(now))
            if found is not UNDECIDED:
                return found
            self._number_again(statement, is_in_loop=True)
        apart = self._apart(statement, now)
        begun = {name: value for name, value in now.items() if name not in apart}
        known = self.looped.get(statement)
        if known is None or begun not in known.begun:
            known = self.until_settled(statement, begun)
            if not self.instances.making[-1].waits_for:
                self.looped[statement] = known
        return None if known.behind is None else known.behind | apart

    def one_by_one(self, loop: ir.For | ir.While, now: Environment) -> Environment | None:
        """Runs a loop that runs once pass by pass; what a pass makes stands at places of its own.

        It is undecided where it is not known how many passes there are, or where these are many.
        """
        elements: tuple[Value, ...] = (UNKNOWN,) * (MOST_PASSES + 1)
        if isinstance(loop, ir.For):
            iterable = seen_in_run(self.atom(loop.iterable, now), self.instances.world.member)
            found = containers.one_by_one(iterable)
            if found is None or len(found) > MOST_PASSES:
                return UNDECIDED
            elements = found
        for element in elements:
            self.n_passes += 1
            if self.n_passes > MOST_IN_ALL:
                return UNDECIDED
            self._number_again(loop, is_in_loop=False)
            if isinstance(loop, ir.For):
                self.bind(loop, loop.target, element, now)
            elif (tested := self.block(loop.header, now)) is None:
                return None
            elif (truth := lattice.truth(self.atom(loop.test, tested))) is not True:
                return tested if truth is False else UNDECIDED
            end = self.block(loop.body, now)
            if end is None:
                return None
            now = end
        return now if isinstance(loop, ir.For) else UNDECIDED

    def _number_again(self, loop: ir.For | ir.While, *, is_in_loop: bool) -> None:
        """Gives what stands in a loop other places, and forgets what it did."""
        steps = tuple(statement for block in ir.blocks(loop) for statement in block)
        self._number(steps, is_in_loop=is_in_loop)
        for statement in ir.walk(steps):
            self.known.pop(statement, None)
            self.looped.pop(statement, None)

    def _apart(self, loop: ir.For | ir.While, now: Environment) -> Environment:
        """The numbers that a loop neither reads nor binds, nor any closure."""
        if loop not in self.named:
            inner = ir.walk((loop,))
            used = {n for s in inner for n in (*ir.reads(s), *ir.writes(s))}
            self.named[loop] = used.union(_captured(self.function))
        named = self.named[loop]
        return {n: v for n, v in now.items() if isinstance(v, Number) and n not in named}

    def until_settled(self, statement: ir.For | ir.While, now: Environment) -> _Looped:
        """Runs a loop until a pass changes nothing of what is there when one begins."""
        begun = [now]
        head = dict(now)
        for n_passes in range(MOST_PASSES):
            leaves, end = self.one_pass(statement, dict(head))
            again = self.next_pass(statement, head, end)
            if again == head:
                begun.append(head)
                break
            if n_passes == MOST_PASSES - 2:
                again = {n: v if head.get(n) == v else UNKNOWN for n, v in again.items()}
            head = again
        return _Looped(begun, None if leaves is None else {**(end or {}), **leaves})

    def one_pass(
        self, statement: ir.For | ir.While, now: Environment
    ) -> tuple[Environment | None, Environment | None]:
        """What variables are where a loop ends, before a pass, and behind the pass."""
        if isinstance(statement, ir.For):
            self._note_reads(statement, now)
            passed = dict(now)
            iterable = seen_in_run(self.atom(statement.iterable, now), self.instances.world.member)
            element = elements.element(iterable)
            self.bind(statement, statement.target, element, now, elements.items(iterable))
            if isinstance(element, Unreached):
                return passed, None
            return passed, self.block(statement.body, now)
        tested = self.block(statement.header, now)
        if tested is None:
            return None, None
        self._note_reads(statement, tested)
        truth = lattice.truth(self.atom(statement.test, tested))
        leaves: Environment | None = None if truth is True else dict(tested)
        end = None if truth is False else self.block(statement.body, tested)
        return leaves, end

    def next_pass(
        self, loop: ir.For | ir.While, head: Environment, end: Environment | None
    ) -> Environment:
        """What variables are when any pass begins, as far as it is known after one."""
        if end is None:
            return head
        first, last, carried = self.places[loop], self.last[loop], self.carried.get(loop)

        def is_inside(size: Dimension) -> bool:
            match size:
                case Size(symbol=(int() as place, *_)):
                    return first <= place <= last
            return False

        def older(value: Value) -> Value:
            return lattice.resized(
                value, lambda size, _: lattice.anonymous(size) if is_inside(size) else size
            )

        made = dict(head)
        for name, value in end.items():
            before = head.get(name, UNREACHED)
            is_dead = before is UNREACHED and carried is not None and name not in carried
            if value is before or is_dead:
                continue
            one, other, met = self.met.get((loop, name), (None, None, UNREACHED))
            if one is not before or other is not value:
                met = before
                if value != before:
                    met = self.symbols(
                        join(older(before), older(value)), loop, name, (before, value)
                    )
                self.met[loop, name] = before, value, met
            if met is not before:
                made[name] = met
        return made

    # statements

    def atom(self, atom: ir.Atom, now: Environment) -> Value:
        match atom:
            case ir.Name(id):
                return now.get(id, UNKNOWN)
            case ir.Const(value):
                return lattice.of_constant(value)
        if (known := constants.value_of(atom.dotted)) is not None:
            return known
        if not self.instances.world.is_variable(atom.dotted):
            return Function(atom.dotted)
        return self.instances.world.held_by(atom.dotted) or Unknown(f"the variable `{atom.dotted}`")

    def closed(self, value: Value, now: Environment, seen: frozenset[str] = frozenset()) -> Value:
        """A value that leaves the function: closures in it keep what variables have by then.

        `seen` are those around it, which they may have captured themselves.
        """
        if isinstance(value, Function) and value.captured:
            definition = self.instances.definition(value.dotted)
            if definition is None or value.dotted in seen:
                return Unknown("a closure that is not read")
            own, seen = dict(value.captured), seen | {value.dotted}
            held = ((name, now.get(own[name], UNKNOWN)) for name in _free(definition, own))
            keywords = tuple((name, self.closed(each, now, seen)) for name, each in held)
            return Function(targets.defined(value.dotted), keywords=keywords)
        before = [part for _, part in lattice.parts(value)]
        after = [self.closed(part, now, seen) for part in before]
        return value if all(map(is_, before, after)) else lattice.holding(value, after)

    def assign(self, statement: ir.Assign, now: Environment) -> None:
        value = self.value(statement.value, statement, now)
        if _stands_for_nothing(statement):
            value = UNREACHED
        if not statement.is_tuple:
            met: tuple[Value, ...] = ()
            match statement.value:
                case ir.Call("operator.getitem", (base, _)):
                    met = elements.items(self.atom(base, now))
            self.bind(statement, statement.targets[0], value, now, met)
            return
        names = named_parts(value, self.instances.world.member)
        if isinstance(value, Object) and len(names) == len(statement.targets):
            held = dict(value.attributes)
            value = Sequence(is_list=False, items=tuple(held.get(n, UNKNOWN) for n in names))
        parts = elements.unpacked(value, len(statement.targets))
        for target, part in zip(statement.targets, parts, strict=True):
            self.bind(statement, target, part, now)

    def store(self, statement: ir.Store, now: Environment) -> None:
        """A store changes what a container holds; an array stays what it is."""
        base, value = now.get(statement.base, UNKNOWN), self.atom(statement.value, now)
        index = None if statement.index is None else self.atom(statement.index, now)
        kind = statement.kind
        if index is None and isinstance(base, Object):
            args = ir.Name(statement.base), statement.value
            called = augmenting(kind.operator, base, self.instances.world.member)
            made = self.call(ir.Call(called, args), statement, now)
            self.bind(statement, statement.base, made, now)
            return
        if index is None and isinstance(base, Sequence) and not base.is_list:
            made = transfer.result(kind.operator, transfer.Given((base, value), {}))
            self.bind(statement, statement.base, made, now)
            return
        if index is None:
            made = changes.augmented(kind.operator, base, value)
        elif kind is ir.StoreKind.APPEND:
            made = changes.appended(base, value)
        elif kind is ir.StoreKind.POP:
            made = changes.forgotten(base)
        elif changes.is_into_array(base, index, is_whole=targets.is_operator(kind.operator)):
            made = base
        else:
            if targets.is_operator(kind.operator) and not isinstance(base, Array):
                cell = transfer.result("operator.getitem", transfer.Given((base, index), {}))
                value = changes.augmented(kind.operator, cell, value)
            if kind is ir.CHANGE and isinstance(value, Array):  # in Python it is the same array
                cell = transfer.result("operator.getitem", transfer.Given((base, index), {}))
                value = replace(value, sites=value.sites | places.own_sites(cell))
            self.reach(base, index, value, now)
            made = changes.stored(now.get(statement.base, UNKNOWN), index, value)
        self.become(statement, statement.base, made, now)

    def reach(self, base: Value, index: Value, value: Value, now: Environment) -> None:
        """A store at a path changes what stands before its end, by whichever names that goes."""
        *path, last = indexing.path(index)
        for each in path:
            base = transfer.result("operator.getitem", transfer.Given((base, each), {}))
        is_followed = changes.has_attribute(index) or changes.is_placed(base)
        sites = places.own_sites(base) if path and is_followed else NOWHERE
        if sites:
            self.is_plain = False
            made = changes.stored(base, last, value)
            is_one = self.is_one(sites)
            for name, other in now.items():
                if places.may_live(other, sites):
                    now[name] = places.changed_at(other, sites, made, is_one=is_one)

    def is_store(self, statement: ir.Statement, now: Environment) -> bool:
        """Tells whether what sets an attribute does just that."""
        assert isinstance(statement, ir.Store)
        assert statement.index is not None
        self._note_reads(statement, now)
        base, index = now.get(statement.base, UNKNOWN), self.atom(statement.index, now)
        operator = statement.kind.operator
        return changes.obstacle(base, index, operator, self.instances.world) is None

    def become(self, statement: ir.Statement, name: str, made: Value, now: Environment) -> None:
        """The object of a variable has changed; so may what is the same object elsewhere."""
        before = now.get(name, UNKNOWN)
        sites = places.own_sites(before)
        self.bind(statement, name, made, now)
        if isinstance(name, Tape):  # which nobody else holds as long as it is filled or emptied
            return
        if sites and made is not before and made != before:
            self.is_plain = False
            is_one = self.is_one(sites)
            is_simple = isinstance(before, Array)  # a container is held by others only
            for other, value in now.items():
                if other == name or (type(value) in lattice.SIMPLE and not is_simple):
                    continue
                if places.may_live(value, sites):
                    now[other] = places.changed_at(value, sites, made, is_one=is_one)

    # expressions

    def value(self, expression: ir.Expression, statement: ir.Statement, now: Environment) -> Value:
        match expression:
            case ir.Call():
                return self.call(expression, statement, now)
            case ir.Opaque():
                return self.opaque(expression, statement, now)
        return self.atom(expression, now)

    def opaque(self, opaque: ir.Opaque, statement: ir.Statement, now: Environment) -> Value:
        """What stays as it was written gives, binds and changes what is not known.

        Of a comprehension the steps tell that it stands for.
        """
        self.is_plain = False
        if opaque.unfolded is not None and statement in self.places:
            steps, result = opaque.unfolded
            end = self.block(steps, dict(now))
            if end is not None:
                now.update((name, end[name]) for name in now)
                return end.get(result.id, UNKNOWN)
        for name in opaque.changes:
            self.lose(now.get(name, UNKNOWN), now)
        for name in opaque.writes:
            held: Value = Unknown("a statement that is not read")
            if opaque.function is not None:
                held = Function(opaque.function.dotted, captured=opaque.function.captured)
            self.bind(statement, name, held, now)
        if opaque.function is not None:
            return Function(opaque.function.dotted, captured=opaque.function.captured)
        return Unknown("an expression that is not read")

    def call(self, call: ir.Call, statement: ir.Statement, now: Environment) -> Value:
        """What a call gives; of a variable that holds a function, what that gives."""
        if call.function == ir.GETATTR:
            call = by_name(call, self.atom(call.args[-1], now))
        args = tuple(self.atom(a, now) for a in call.args)
        keywords = {name: self.atom(a, now) for name, a in call.keywords}
        args, keywords = _spread(args, keywords)
        world = self.instances.world
        function: Value = Function(call.function)
        is_of_held = False  # what is called is an object that an attribute holds
        match call.function, args:
            case ir.SUPER, (Function(dotted), Object() as base):
                return replace(base, above=dotted)
            case ir.KEPT, (Function() as keeping, place):
                return lattice.kept(keeping, lattice.constant_of(place)) or UNKNOWN
        kept = replaced(call.function, args, keywords, world.member)
        if kept is not None and isinstance(args[0], Object):
            held = {name: dict(args[0].attributes)[name] for name in kept}
            if call.function == DEEP:
                copied = (transfer.result(DEEP, transfer.Given((v,), {})) for v in held.values())
                held = dict(zip(held, copied, strict=True))
            another = Object(args[0].of, tuple({**held, **keywords}.items()))
            return places.placed(another, self.site(statement))
        if names := displayed(call.function, args, keywords, world.member):
            assert isinstance(args[0], Object)
            fields = tuple((n, dict(args[0].attributes).get(n, UNKNOWN)) for n in names)
            if not targets.is_method(call.function):
                copies = (transfer.result(DEEP, transfer.Given((v,), {})) for _, v in fields)
                fields = tuple(zip(names, copies, strict=True))
            is_dict = DISPLAYS[call.function] == "python.dict"
            whole = Mapped(fields) if is_dict else Sequence(False, tuple(v for _, v in fields))
            return places.placed(whole, self.site(statement))
        name = attribute_read(call.function, args)
        if name and isinstance(args[0], Object | Function):
            read = self.attribute(args[0], name)
            if not isinstance(read, Member):
                return read
            function = Function(read.called)
        elif (operated := overloaded(call.function, args, world.member)) is not None:
            name, at = operated
            others = (*args[:at], *args[at + 1 :])
            if isinstance(own := args[at], Object):
                function, args = self.member(f"ndarray.{name}", own, others)
        elif targets.has_receiver(call.function) and isinstance(own := args[0], Object):
            function, args = self.member(call.function, own, args[1:])
            is_of_held = not own.above and bool(args) and args[0] is not own
        elif targets.is_method(call.function) and isinstance(args[0], Function):
            method = targets.member(call.function)
            found_there = of_module(args[0], method, world.member)
            if (of := unbound(args[0], method, world.member)) is not None:
                function, args = Function(of), args[1:]
            elif found_there is not None:
                function, args = self.atom(ir.Global(found_there), {}), args[1:]
        elif call.function == targets.CALL:
            function, *further = args
            args = tuple(further)
        if not isinstance(function, Function):
            self.lose(Sequence(False, (function, *args, *keywords.values())), now)
            return Unknown("a call of what is not known")
        dotted = for_object(function.dotted, args, world.member)
        given = transfer.Given((*function.bound, *args), {**dict(function.keywords), **keywords})
        if (of := derivatives.primal(dotted, given.args)) is not None:
            primal = world.signature(of)
            if primal is not None:
                return derivatives.made(dotted, given.args, given.keywords, primal)
        definition = self.instances.definition(dotted)
        is_written = definition is not None and definition.is_derived
        if isinstance(dotted, targets.Derivative) and not is_written:
            held = {targets.Captured(n): now.get(own, UNKNOWN) for n, own in function.captured}
            given = transfer.Given(given.args, {**held, **given.keywords})
            return self.derivative(dotted, given, statement)
        if definition is not None:
            n_bound = len(given.args) - len(args)
            passed = enumerate(call.args[len(call.args) - len(args) :], n_bound)
            variables: dict[str, ir.Atom] = {str(at): atom for at, atom in passed}
            variables |= {f"{name}=": call.args[0] for name, _ in function.keywords if call.args}
            if is_of_held:
                variables = {n: atom for n, atom in variables.items() if atom != call.args[0]}
            variables |= {f"{name}=": atom for name, atom in call.keywords}
            return self.instance(definition, dotted, given, variables, statement, now)
        if operations.of(dotted).binds and args and isinstance(first := args[0], Function):
            if derivatives.keeps_seed(first, given.keywords):
                return Unknown("a derivative with a seed")
            named = {**dict(first.keywords), **given.keywords}
            bound = (*first.bound, *given.args[1:])
            return replace(first, bound=bound, keywords=tuple(named.items()))
        match dotted, args:
            case "operator.is_" | "operator.is_not", (one, other) if (
                is_one := self.are_one(one, other)
            ) is not None:
                return Number("bool", constant=is_one is (dotted == "operator.is_"))
            case "builtins.type", (Object(of, above="", may_be_none=False) as own,) if is_of_user(
                own
            ):
                return Function(of)
            case "builtins.isinstance", (own, kinds):
                return Number("bool", constant=is_instance(own, kinds, world.member))
            case "builtins.hasattr", (own, key):
                is_held = has_attribute(own, lattice.constant_of(key), world.member)
                return Number("bool", constant=is_held)
        if operations.of(dotted).runs is not None:
            seen = tuple(seen_in_run(each, world.member) for each in given.args)
            given = transfer.Given(seen, given.keywords)
        made = changes.by_method(dotted, given)
        if taken := self.fields_of(dotted):
            found = _filled(dotted, taken, given)
        else:
            found = transfer.result(dotted, given)
        if made is not None and isinstance(call.args[0], ir.Name):
            self.is_plain = False
            self.become(statement, call.args[0].id, made, now)
            return found
        self.effects(dotted, given, now)
        shared = NOWHERE
        unnamed = (ir.Const(None),) * len(function.bound)
        asked = ir.Call(dotted, (*unnamed, *call.args[len(call.args) - len(args) :]), call.keywords)
        is_copy = dotted == "operator.getitem" and indexing.copies(*args)
        record = operations.of(dotted)
        is_fresh = record.result is Result.FRESH and not views.may_view(asked)
        if not (is_copy or is_fresh):
            others = tuple(each for at, each in enumerate(args) if at != record.like)
            if record.passes_on is not None and record.result is not Result.SHARED:
                others = args[record.passes_on : record.passes_on + 1]
            others = (*others, *keywords.values())
            holding = (each for each in others if not isinstance(each, Function))
            if isinstance(found, Array) and any(map(places.has_unknown, holding)):
                return places.anywhere(found)
            shared = shared.union(*map(places.sites_of, others))
        return places.placed(found, self.site(statement), shared)

    def fields_of(self, dotted: str) -> tuple[ir.Parameter, ...]:
        """The fields of a class whose constructor only sets them; none for others."""
        made = self.instances.world.constructing(dotted) if targets.is_plain(dotted) else None
        return () if made is None or made.method or made.begun else made.fields

    def attribute(self, base: Object | Function, name: str) -> Value | Member:
        """What an attribute is; of one that a class computes, the property."""
        nothing = Unknown(f"the attribute `{name}`")
        member = self.instances.world.member
        if isinstance(base, Function):
            named = of_module(base, name, member)
            if named is not None:
                return self.atom(ir.Global(named), {})
            return of_class(base.dotted, name, member) or nothing
        held = dict(base.attributes).get(name)
        found = member(base.of, name, base.above) if held is None else None
        if found is not None and found.kind == GETTER:
            return found
        if held is not None and not base.above:
            return held
        return nothing if found is None else method_of(base, found)

    def member(
        self, called: str, base: Object, args: tuple[Value, ...]
    ) -> tuple[Value, tuple[Value, ...]]:
        """What `model(x)` or `model.step(x)` calls, and with which arguments.

        It is what an attribute holds, or a method, which gets the object by its keyword.
        """
        name = "__call__" if called == targets.CALL else targets.member(called)
        is_own = called != targets.CALL and not base.above
        held = held_of(base, name, self.instances.world.member) if is_own else None
        if isinstance(held, Object):
            return self.member(targets.CALL, held, args)
        if held is not None:
            return held, args
        found = called_of(base, name, self.instances.world.member)
        if found is None:
            return Unknown(f"the method `{name}`"), (base, *args)
        if not found.is_held:
            return Function(found.dotted), (replace(base, above=""), *args)
        of = Function(found.of) if found.of else base
        captured = () if not found.own else ((targets.Captured(found.own), of),)
        return Function(found.dotted, keywords=captured), (base, *args)

    def effects(self, dotted: str, given: transfer.Given, now: Environment) -> None:
        """What a function changes in a way that is not followed is not known any more."""
        record = operations.of(dotted)
        if record.effect in (None, Effect.ANY):
            changed = (*given.args, *given.keywords.values())
        else:
            several = record.changes or ()
            several = (*several, 0) if record.effect is Effect.UNKNOWN else several
            changed = tuple(given.args[at] for at in several if at < len(given.args))
        for value in changed:
            self.lose(value, now)

    def lose(self, value: Value, now: Environment) -> None:
        """Something may have changed a value in a way that is not followed."""
        sites = places.sites_of(value)
        if sites:
            self.is_plain = False
            for name, other in now.items():
                if places.may_live(other, sites):
                    now[name] = places.changed_at(other, sites, UNKNOWN)

    def instance(
        self,
        function: ir.Function,
        dotted: str,
        given: transfer.Given,
        named: Mapping[str, ir.Atom],
        statement: ir.Statement,
        now: Environment,
    ) -> Value:
        """What a user's function gives for some arguments; `named` are the variables of these."""
        self.is_plain = False
        given = _with_starred(function, given)
        args = tuple(ir.Name(str(at)) for at in range(len(given.args)))
        keywords = tuple((name, ir.Name(f"{name}=")) for name in given.keywords)
        call = ir.Call(dotted, args, keywords)
        values = {str(at): value for at, value in enumerate(given.args)}
        values |= {f"{name}=": value for name, value in given.keywords.items()}
        bound = arguments.bind(function, call)
        if isinstance(bound, str):
            return Unknown(f"a call of `{dotted}` whose arguments do not fit")
        signature = {name: self._argument(a, values) for name, a in bound.items()}
        passed = _Passed(signature, self.site(statement))
        self.passed[statement] = passed.signature
        typed = self.instances.of(function, passed.signature)
        self.waits |= typed is NOTHING
        for name, value in signature.items():
            after = typed.after.get(name, UNKNOWN)
            if isinstance(value, places.CONTAINERS) and after != passed.entered[name]:
                made, atom = passed.back(after), bound[name]
                self.change(value, made, now)
                of = named.get(atom.id) if isinstance(atom, ir.Name) else None
                if isinstance(of, ir.Name) and now.get(of.id) is not None:
                    now[of.id] = made
        result = passed.back(typed.result)
        if function.findings:
            result = Unknown("what a generator gives")
        if isinstance(dotted, targets.Pair) and function.called != dotted:
            result = Sequence(False, (result, Unknown("what a forward sweep has saved")))
            return places.placed(result, self.site(statement))
        return places.anywhere(result)

    def derivative(
        self, called: targets.Derivative, given: transfer.Given, statement: ir.Statement
    ) -> Value:
        """What the derivative of a user's function gives for some arguments, which it leaves."""
        self.is_plain = False
        function = self.instances.definition(targets.primal(called))
        if function is None:
            return Unknown("a derivative")
        args = tuple(ir.Name(str(at)) for at in range(len(given.args)))
        own = {p.name for p in function.parameters}
        seeds = derivatives.SEEDS - own
        named = {name: v for name, v in given.keywords.items() if name not in seeds}
        keywords = tuple((name, ir.Name(f"{name}=")) for name in named)
        values = {str(at): value for at, value in enumerate(given.args)}
        values |= {f"{name}=": value for name, value in named.items()}
        bound = arguments.bind(function, ir.Call(called, args, keywords))
        if isinstance(bound, str):
            return Unknown(f"a call of `{called}` whose arguments do not fit")
        signature = {name: self._argument(a, values) for name, a in bound.items()}
        passed = _Passed(signature, self.site(statement))
        self.passed[statement] = passed.signature
        typed = self.instances.of(function, passed.signature)
        self.waits |= typed is NOTHING
        constructor = self.instances.world.constructor
        found = derivatives.given_by(called, passed.signature, typed.result, constructor)
        return places.placed(passed.back(found), self.site(statement))

    def are_one(self, one: Value, other: Value) -> bool | None:
        """Whether two values are one object, of those that are made once; None if nobody knows."""
        both = places.own_sites(one), places.own_sites(other)
        if all(map(self.is_one, both)):
            is_optional = [isinstance(v, Object) and v.may_be_none for v in (one, other)]
            if all(is_optional) or (any(is_optional) and both[0] == both[1]):
                return None
            return both[0] == both[1]
        return None

    def change(self, value: Value, made: Value, now: Environment) -> None:
        """A callee has made something else of an argument; so it is wherever that is held."""
        became = places.containers(made)
        every = [places.own_sites(value), *places.containers(value)]
        for name, other in now.items():
            for sites in dict.fromkeys(every):
                if places.may_live(other, sites):
                    then = made if sites == every[0] else became.get(sites, UNKNOWN)
                    other = places.changed_at(other, sites, then, is_one=self.is_one(sites))
            now[name] = other

    def _argument(
        self, argument: ir.Atom | arguments.Made | arguments.LeftOut, values: Mapping[str, Value]
    ) -> Value:
        match argument:
            case ir.Name() | ir.Const() | ir.Global():
                return self.atom(argument, dict(values))
            case arguments.Packed() | arguments.Element():
                display = argument.display
                given = tuple(self.atom(a, dict(values)) for a in display.args)
                return transfer.result(display.function, transfer.Given(given, {}))
        return Unknown("a default that is computed")


class _Passed:
    """The arguments of a call in the terms of the callee, and what comes back from there.

    Their sizes and places go by other names there, so that calls share an instance. What the callee
    makes lives in the place of the `call`.
    """

    def __init__(self, given: Signature, call: str) -> None:
        self.call = call
        self.symbols: dict[Symbol, str] = {}
        self.places: dict[str, Sites] = {}
        self.signature: dict[str, Value] = {}
        self.entered: dict[str, Value] = {}
        plain = places.as_arguments(given)
        for name, value in given.items():
            here = lattice.resized(_counted(plain[name]), self._renamed)
            self.signature[name], self.entered[name] = here, entered(here, name)
            self.places |= places.paired(self.entered[name], value)
        self.ours = {theirs: ours for ours, theirs in self.symbols.items()}

    def _renamed(self, size: Dimension, _: tuple[int, ...] | None) -> Dimension:
        if not isinstance(size, Size) or size == SEVERAL:
            return size
        name = self.symbols.setdefault(size.symbol, f"={len(self.symbols)}")
        return replace(size, symbol=name)

    def back(self, value: Value) -> Value:
        """A value of the callee's in the terms of the caller."""

        def dimension(size: Dimension, _: tuple[int, ...] | None) -> Dimension:
            if not isinstance(size, Size):
                return size
            ours = self.ours.get(str(size.symbol))
            return lattice.anonymous(size) if ours is None else replace(size, symbol=ours)

        return places.moved(lattice.resized(value, dimension), self.places, self.call)


def _has_symbols(array: Array) -> bool:
    """Tells whether no size of an array lacks a symbol."""
    return array.shape is None or not {None, SEVERAL}.intersection(array.shape)


def _stands_for_nothing(statement: ir.Assign) -> bool:
    """Tells whether a step is only set to have a name at all: a loop sets it that may not run."""
    is_step = isinstance(statement.targets[0], Step)
    return is_step and statement.role is ir.Role.SAVE and statement.value == ir.Const(None)


def _told_apart(given: Signature) -> set[str]:
    """The places of what is surely one object, as it stands in one of some arguments only."""
    every = Counter(site for value in given.values() for site in _all_sites(value))
    return {s for s, n in every.items() if n == 1 and places.SEVERAL not in s} - places.ANYWHERE


def _all_sites(value: Value) -> Iterator[str]:
    yield from places.own_sites(value)
    for part in lattice.contents(value):
        yield from _all_sites(part)


def _counted(value: Value) -> Value:
    """An argument; `n - 1` is an integer like another, as it is at each step of a recursion."""
    match value:
        case Number(constant=Size(plus=plus)) if plus:
            return replace(value, constant=None)
    return value


def entered(value: Value, name: str) -> Value:
    """The value of a parameter: it lives in its own place, and an integer has a symbol."""
    if isinstance(value, Number) and value.kind == "int" and value.constant is None:
        return replace(value, constant=Size((0, name)))
    return places.of_parameter(value, name)


def _spread(
    args: tuple[Value, ...], keywords: dict[str, Value]
) -> tuple[tuple[Value, ...], dict[str, Value]]:
    """What a call gives one by one, where it is known what its arguments with stars hold."""
    named: dict[str, Value] = {}
    for name, value in keywords.items():
        match value:
            case Sequence(items=tuple() as items) if name.startswith("*") and name[1:2] != "*":
                args = (*args, *items)
            case Mapped(items=tuple() as entries) if name.startswith("**"):
                named |= {str(key): each for key, each in entries}
            case _:
                named[name] = value
    return args, named


def _with_starred(function: ir.Function, given: transfer.Given) -> transfer.Given:
    """What a function is given by arguments with stars of which it is not known how many there are.

    Each parameter has an element of a sequence, or else it may be anything.
    """
    stars = [name for name in given.keywords if name.startswith("*")]
    if not stars or any(p.is_rest for p in function.parameters):
        return given
    named = {name: value for name, value in given.keywords.items() if name not in stars}
    others = function.parameters[len(given.args) :]
    first = given.keywords[stars[0]]
    each = first.each if stars[1:] == [] and isinstance(first, Sequence) else UNKNOWN
    is_open = stars[0].startswith("**") or any(p.default is not None for p in others)
    filled = {p.name: UNKNOWN if is_open else each for p in others}
    return transfer.Given(given.args, {**filled, **named})


def _filled(of: str, fields: tuple[ir.Parameter, ...], given: transfer.Given) -> Value:
    """The object that a constructor makes of what it is given."""
    held = {p.name: p.default for p in fields if isinstance(p.default, ir.Const)}
    values: dict[str, Value] = {name: lattice.of_constant(c.value) for name, c in held.items()}
    values |= {**dict(zip((p.name for p in fields), given.args, strict=False)), **given.keywords}
    if values.keys() != {p.name for p in fields}:
        return Unknown("an object of a class")
    return Object(of, tuple((p.name, values[p.name]) for p in fields))
