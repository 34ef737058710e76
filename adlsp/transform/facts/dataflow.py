"""What is known at each place of a block, whichever way it is run: the one data-flow solver.

An analysis is a `Problem`: what is known is a state, each statement changes it, and where ways meet
two states are joined. `forward` follows the run, `backward` goes against it. This is Kildall's
algorithm for monotone frameworks (Kildall, A unified approach to global program optimization, POPL
1973; Kam and Ullman, Monotone data flow analysis frameworks, Acta Informatica 7, 1977) over
structured control flow: there are no jumps, and a block ends at its end, so that only loops are
walked several times.

It ends if states cannot grow for ever (each is joined from finitely many names, say) and if more
before a statement never gives less after it. Then the solution is the least one, and a loop in a
loop need not begin anew: it is walked again only where something has come in that was not there the
last time, so that nesting does not multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from adlsp.transform import ir
from adlsp.transform.frozen import dataclass

State = TypeVar("State")

Key = TypeVar("Key", bound=Hashable)

Decision: TypeAlias = ir.If | ir.For | ir.While

Loop: TypeAlias = ir.For | ir.While


def _same(_: Decision, state: State) -> State:
    return state


@dataclass(frozen=True, slots=True)
class Problem(Generic[State]):
    """An analysis: its join, and its transfer functions.

    `join` gives what is known where two ways meet. `step` is the transfer function of a statement
    without blocks, `bind` that of the target of a loop, once for each pass, and `ask` that of the
    test of a decision or of what a loop runs over: of a `while` loop for each pass, of a `for` loop
    once before. States are values: no function changes one that it is given.
    """

    join: Callable[[State, State], State]
    step: Callable[[ir.Statement, State], State]
    bind: Callable[[ir.For, State], State]
    ask: Callable[[Decision, State], State] = _same


Note: TypeAlias = Callable[[ir.Statement, State, State], None]
"""Is told what is known before and after a statement.

It is told again for each walk of the loops around, at last what is true; until then less is known.
"""


@dataclass(frozen=True, slots=True)
class Loops(Generic[State]):
    """What is known of loops; the order is that of a run in both directions.

    `heads` has what is known where a loop decides whether there is one more pass, before the steps
    of its test; `passes` where a pass begins, and the target is bound; `end` where the analysis
    ends, which is the start of the block for one that goes backward.
    """

    heads: dict[Loop, State]
    passes: dict[Loop, State]
    end: State


@dataclass(frozen=True, slots=True)
class Solution(Loops[State]):
    """What is known before and after each statement, too."""

    before: dict[ir.Statement, State]
    after: dict[ir.Statement, State]


def forward(block: ir.Block, start: State, problem: Problem[State]) -> Solution[State]:
    """What is known at each place of a block if `start` is known before it."""
    before, after, note = _tables(start)
    loops = forward_noting(block, start, problem, note)
    return Solution(loops.heads, loops.passes, loops.end, before, after)


def backward(block: ir.Block, end: State, problem: Problem[State]) -> Solution[State]:
    """What is known at each place of a block if `end` is known after it."""
    before, after, note = _tables(end)
    loops = backward_noting(block, end, problem, note)
    return Solution(loops.heads, loops.passes, loops.end, before, after)


def forward_noting(
    block: ir.Block, start: State, problem: Problem[State], note: Note[State]
) -> Loops[State]:
    """The same as `forward`, for a client that keeps itself what it needs of each statement."""
    solver = _Forward(problem, note)
    end = solver.block(block, start)
    return Loops(solver.heads, solver.passes, end)


def backward_noting(
    block: ir.Block, end: State, problem: Problem[State], note: Note[State]
) -> Loops[State]:
    """The same as `backward`, for a client that keeps itself what it needs of each statement."""
    solver = _Backward(problem, note)
    start = solver.block(block, end)
    return Loops(solver.heads, solver.passes, start)


@dataclass(frozen=True, slots=True)
class Gathering(Generic[Key]):
    """An analysis that goes backward, whose states are sets, joined by union: a bit vector problem.

    Its functions change the set that they are given, which costs less than to make another. `note`
    is told of each statement with what is known before it, as `Note` is; the set changes later.
    """

    step: Callable[[ir.Statement, set[Key]], None]
    bind: Callable[[ir.For, set[Key]], None]
    ask: Callable[[Decision, set[Key]], None]
    note: Callable[[ir.Statement, Set[Key]], None] = lambda *_: None


def gather(block: ir.Block, state: set[Key], problem: Gathering[Key]) -> dict[Loop, set[Key]]:
    """Makes of what is known after a block what is known before it; gives what is at heads."""
    solver = _Gatherer(problem)
    solver.block(block, state)
    return solver.heads


def _tables(
    _: State,
) -> tuple[dict[ir.Statement, State], dict[ir.Statement, State], Note[State]]:
    before: dict[ir.Statement, State] = {}
    after: dict[ir.Statement, State] = {}

    def note(statement: ir.Statement, one: State, other: State) -> None:
        before[statement], after[statement] = one, other

    return before, after, note


@dataclass(slots=True)
class _Solver(Generic[State]):
    """What both directions have; `met` is what was joined at each loop so far."""

    problem: Problem[State]
    note: Note[State]
    heads: dict[Loop, State] = field(default_factory=dict)
    passes: dict[Loop, State] = field(default_factory=dict)
    met: dict[Loop, State] = field(default_factory=dict)

    def around(self, loop: Loop, arriving: State, once: Callable[[Loop, State], State]) -> State:
        """The fixed point of a loop: what arrives at it, joined with what passes bring around."""
        join, known = self.problem.join, self.met.get(loop)
        if known is not None:
            arriving = join(known, arriving)
        while known is None or arriving != known:
            known = arriving
            arriving = join(known, once(loop, known))
        self.met[loop] = known
        return known


class _Forward(_Solver[State]):
    __slots__ = ()

    def block(self, block: ir.Block, state: State) -> State:
        for statement in block:
            before, state = state, self.through(statement, state)
            self.note(statement, before, state)
        return state

    def through(self, statement: ir.Statement, state: State) -> State:
        problem = self.problem
        match statement:
            case ir.If(body=body, orelse=orelse):
                asked = problem.ask(statement, state)
                return problem.join(self.block(body, asked), self.block(orelse, asked))
            case ir.For():
                return self.around(statement, problem.ask(statement, state), self.once)
            case ir.While():
                self.around(statement, state, self.once)
                return self.passes[statement]
        return problem.step(statement, state)

    def once(self, loop: Loop, head: State) -> State:
        """One pass of a loop: what it brings around to the head."""
        problem = self.problem
        if isinstance(loop, ir.For):
            inside = problem.bind(loop, head)
        else:
            inside = problem.ask(loop, self.block(loop.header, head))
        self.heads[loop], self.passes[loop] = head, inside
        return self.block(loop.body, inside)


class _Backward(_Solver[State]):
    __slots__ = ()

    def block(self, block: ir.Block, state: State) -> State:
        for statement in reversed(block):
            after, state = state, self.through(statement, state)
            self.note(statement, state, after)
        return state

    def through(self, statement: ir.Statement, state: State) -> State:
        problem = self.problem
        match statement:
            case ir.If(body=body, orelse=orelse):
                met = problem.join(self.block(body, state), self.block(orelse, state))
                return problem.ask(statement, met)
            case ir.For():
                return problem.ask(statement, self.around(statement, state, self.once))
            case ir.While():
                self.around(statement, state, self.once)
                return self.heads[statement]
        return problem.step(statement, state)

    def once(self, loop: Loop, met: State) -> State:
        """One pass of a loop: what it brings around to where the loop decides, from its end."""
        problem = self.problem
        head = met
        if isinstance(loop, ir.While):
            head = self.block(loop.header, problem.ask(loop, met))
        inside = self.block(loop.body, head)
        self.heads[loop], self.passes[loop] = head, inside
        return problem.bind(loop, inside) if isinstance(loop, ir.For) else inside


@dataclass(slots=True)
class _Gatherer(Generic[Key]):
    """The same as `_Backward`, with sets that change; `met` is what was joined at each loop."""

    problem: Gathering[Key]
    heads: dict[Loop, set[Key]] = field(default_factory=dict)
    met: dict[Loop, set[Key]] = field(default_factory=dict)

    def block(self, block: ir.Block, state: set[Key]) -> None:
        note = self.problem.note
        for statement in reversed(block):
            self.through(statement, state)
            note(statement, state)

    def through(self, statement: ir.Statement, state: set[Key]) -> None:
        problem = self.problem
        if not isinstance(statement, ir.NESTING):
            problem.step(statement, state)
        elif isinstance(statement, ir.If):
            other = set(state)
            self.block(statement.body, state)
            self.block(statement.orelse, other)
            state |= other
            problem.ask(statement, state)
        else:
            self.around(statement, state)

    def around(self, loop: Loop, state: set[Key]) -> None:
        """The fixed point of a loop, as `_Solver.around` has it."""
        known = self.met.get(loop)
        is_more = known is None or not state <= known
        state |= known or set()
        while is_more:
            once = self.once(loop, set(state))
            is_more = not once <= state
            state |= once
        self.met[loop] = set(state)
        if isinstance(loop, ir.For):
            self.problem.ask(loop, state)
        else:
            state.clear()
            state |= self.heads[loop]

    def once(self, loop: Loop, state: set[Key]) -> set[Key]:
        """One pass of a loop: what it brings around to where the loop decides, from its end."""
        if isinstance(loop, ir.While):
            self.problem.ask(loop, state)
            self.block(loop.header, state)
        self.heads[loop] = set(state)
        self.block(loop.body, state)
        if isinstance(loop, ir.For):
            self.problem.bind(loop, state)
        return state
