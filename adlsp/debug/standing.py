"""What variables stand for where a derivative has stopped: read from its text and the primal's.

In a backward sweep a name may hold what it was when the forward sweep ended, or an adjoint that an
earlier pass of a loop has left. Which one it is follows from where it was set last: in order, and
in which loops. Where that is not known, a variable is taken for what it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adlsp.debug import keeping
from adlsp.debug.maps import DerivativeMap, Function, Loop, MappedLine
from adlsp.debug.scopes import SEED, Pair, Pairs
from adlsp.transform.frontend.outline import LOOP, Step, read
from adlsp.transform.ir import Role

VALUE = "value"
AT_THE_END = "value at the end"
AT_THE_CALL = "value at the call"
OF_ANOTHER = "value of another pass"
BEFORE, OF_LINE = "value before line {}", "value of line {}"
"""Of which time a value is: where nothing is said of that, as the statement has it."""

NOT_NOW = "not yet computed in this pass"

FORWARD = frozenset({Role.PRIMAL, Role.SAVE})

Stores = Callable[[str, int], tuple[Step, ...]]
"""Gives what a function of the primal does, by a file and a line of it."""


def pairs(derivative: DerivativeMap, function: Function, line: int, primal: Stores) -> Pairs:
    """The variables with their adjoints, and what both are where a function stands."""
    at = derivative.at(line)
    every = read(function.text, function.first)
    if at is None or not every or at.role is Role.TANGENT:
        return function.pairs
    view = _View(derivative, function, every, line, at, primal(at.path, at.first))
    return tuple(
        Pair(name, made, view.value(name) if name else VALUE, view.gradient(made))
        for name, made in ((view.variable(*pair[:2]), pair.made) for pair in function.pairs)
    )


def counted(function: Function, line: int) -> tuple[Loop, ...]:
    """The loops around a line; none where what tells the pass of one is something else there.

    Two loops may have one variable, and the body may change what the range was made of. Of another
    loop nothing tells the pass: without it, those around it would be taken for its own.
    """
    loops, every = function.around(line), read(function.text, function.first)
    is_all = not every or _depth(every, line) == len(loops)
    return _told_by(function, loops) if is_all else ()


def headed(function: Function, line: int) -> tuple[Loop, ...]:
    """The loop whose head is at a line; none where what tells its pass is something else there."""
    return _told_by(function, tuple(loop for loop in function.loops if loop.first == line))


def _told_by(function: Function, loops: tuple[Loop, ...]) -> tuple[Loop, ...]:
    every = read(function.text, function.first)
    for loop in loops:
        if loop.spans and not _is_constant(every, loop.total):
            return ()
        told = {loop.variable} | {
            n for step in every if step.line == loop.first for n in step.reads
        }
        sized = {n for n in told if not re.search(rf"\b{n}\b", _unsized(loop.over, n))}
        for step in every:
            changed = step.sets - (step.parts & sized)
            if loop.variable and loop.first in step.loops and told & changed:
                return ()
    return loops


def _is_constant(every: Sequence[Step], total: str) -> bool:
    """Whether a loop runs over as many elements whenever it is taken: no loop changes that.

    Elements that are set may be those that it runs over the elements of.
    """
    names = {*re.findall(r"[^\W\d]\w*", total)}
    heads = {loop for step in every for loop in step.loops}
    again = [step for step in every if step.loops or step.line in heads]
    kept = names if "[" not in total else set[str]()
    return bool(every) and not any(names & (step.sets - (step.parts & kept)) for step in again)


def _unsized(over: str, name: str) -> str:
    """What a loop runs over, but for the shape of a variable: elements that are set keep it."""
    return re.sub(rf"\blen\({name}\)|\b{name}\.shape\b", "", over)


@dataclass(frozen=True, slots=True)
class Comparable:
    """The primal's statement that is taken next, and the variables whose adjoints are complete.

    At the `head` of a loop, a line of the derivative, that is one of its passes, or the loop.
    """

    line: int
    pairs: tuple[tuple[str, str], ...]
    head: int = 0


def comparable(
    derivative: DerivativeMap, function: Function, line: int, primal: Stores
) -> Comparable:
    """What gradients can be compared where a function stands.

    Complete are those that are read later on, and summed in a loop, not behind it. What a loop
    runs over was taken before, and is none. At the `def` the function itself is taken next: the
    gradients are those for what it was given. Raises ValueError, with a sentence, where no
    statement begins.
    """
    at = derivative.at(line)
    if at is None or at.role.sweep != "backward":
        raise ValueError("gradients are compared in the backward sweep")
    every, steps = read(function.text, function.first), primal(at.path, at.first)
    is_head = any(line in step.loops for step in every)
    if _is_half_taken(derivative, function, at, steps, is_head=is_head):
        raise ValueError("this statement is half taken: step to the next one to compare gradients")
    made = [pair for pair in pairs(derivative, function, line, primal) if pair.name]
    taken = _run_over(steps, at.first)
    whole = (
        pair
        for pair in made
        if not pair.missing
        and _is_live(every, pair.made, line)
        and not _is_summed_later(every, pair, line)
        and pair.name not in taken
    )
    return Comparable(at.first, tuple((p.name, p.made) for p in whole), line if is_head else 0)


def _is_half_taken(
    derivative: DerivativeMap,
    function: Function,
    at: MappedLine,
    primal: Sequence[Step],
    *,
    is_head: bool,
) -> bool:
    """Whether adjoints of the statement at a line are there already, but not all of them.

    The head of a loop comes again; between two times, the loop is taken in part.
    """
    before = [each for each in derivative.lines if function.first < each.line < at.line]
    begun = [each.line for each in before if each.origin == at.origin and each.role is Role.ADJOINT]
    others = [each.line for each in before if each.origin != at.origin]
    is_loop = any(at.first in step.loops for step in primal)
    is_def = at.is_head and all(step.line != at.first for step in primal[1:])
    if is_def or not begun or (is_loop and is_head):
        return False
    return is_loop or begun[-1] > max(others, default=0)


def comparable_again(
    derivative: DerivativeMap, function: Function, line: int, primal: Stores
) -> Comparable:
    """The same of a derivative of a derivative: the statement is one of its own forward sweep.

    Both sweeps of the first derivative are in there. So a statement of the primal may have several
    places; the backward sweep takes them in turn, from the last. Where it takes others, or a loop,
    there is no statement, 0, and no variables.
    """
    try:
        found = comparable(derivative, function, line, primal)
    except ValueError:
        return NOWHERE
    if found.head:
        return NOWHERE
    every = read(function.text, function.first)
    seed = next((step.line for step in every if SEEDED in step.value), 0)
    whole = range(function.first, function.last + 1)
    backward = (n for n in whole if (at := derivative.at(n)) and at.role.sweep == "backward")
    start = seed + 1 if seed else next(backward, function.last)
    here = derivative.at(line)
    assert here is not None
    depth = _depth(every, line)
    before = _places(derivative, every, here, range(function.first, seed or start), depth)
    behind = _places(derivative, every, here, range(start, function.last + 1), depth)
    number = next((i for i, lines in enumerate(behind) if line in lines), 0)
    if not before or len(before) != len(behind):
        return NOWHERE
    return Comparable(before[-1 - number][-1], found.pairs)


NOWHERE = Comparable(0, ())

SEEDED = "rt.seed(out_bar"
"""What a derivative begins its backward sweep with, if what it is given is checked."""


def _depth(every: Sequence[Step], line: int) -> int:
    """In how many loops a line is."""
    return next((len(step.loops) for step in every if step.line == line), 0)


def _places(
    derivative: DerivativeMap, every: Sequence[Step], of: MappedLine, lines: range, depth: int
) -> list[list[int]]:
    """The lines of a statement of the primal in a part of a derivative: those together are one."""
    found: list[list[int]] = []
    last: tuple[object, int] | None = None
    for line in lines:
        mapped = derivative.at(line)
        if mapped is None:
            continue
        place = mapped.origin, _depth(every, line)
        if place == (of.origin, depth):
            found += [[]] if place != last else []
            found[-1].append(line)
        last = place
    return found


def _run_over(primal: Sequence[Step], line: int) -> frozenset[str]:
    """The variables whose elements the loops around a line of the primal run over, or one there."""
    around = {loop for step in primal if step.line == line for loop in _own(step, primal)}
    heads = (step for step in primal if step.line in around and not step.value.startswith("range("))
    return frozenset(name for head in heads if head.value for name in head.reads)


def _is_live(every: Sequence[Step], name: str, line: int) -> bool:
    """Whether what a variable is at a line may be read from there on."""
    inside = next((step.inside for step in every if step.line == line), ())
    loops = [head for head, block in inside if block == LOOP]
    start, end = line, 0
    for head in reversed(loops):
        body = [step for step in every if head in step.loops]
        end = body[-1].line
        event = _first(body, name, range(start, end + 1), inside)
        if event:
            return event == "read"
        if _first(body, name, range(head, end + 1), inside) == "read":
            return True
        start = end + 1
    return _first(every, name, range(start, every[-1].line + 1), inside) == "read"


def _first(
    every: Sequence[Step], name: str, lines: range, inside: tuple[tuple[int, str], ...]
) -> str:
    """What happens first to a variable on some lines: "read" or "set"; "" for nothing for sure."""
    before: list[tuple[tuple[int, str], ...]] = []
    for step in every:
        if step.line in lines:
            is_new = any(block == step.inside[: len(block)] for block in before)
            if name in step.reads and not is_new:
                return "read"
            if name in step.sets and step.inside == inside[: len(step.inside)]:
                return "set"
            before += [step.inside] if name in step.sets else []
    return ""


def _is_summed_later(every: Sequence[Step], pair: Pair, line: int) -> bool:
    """Whether contributions to an adjoint wait in a list for the end of a loop around a line."""
    loops = {loop for step in every if step.line == line for loop in _own(step, every)}
    listed = {
        name
        for step in every
        if loops & {*step.loops} and not step.targets and step.value
        for name in step.sets
    }
    later = [step for step in every if step.line > line and not loops <= {*step.loops}]
    return any(pair.made in step.sets and step.reads & listed for step in later)


@dataclass(frozen=True, slots=True)
class _View:
    """A derivative's function, in the order of its text, from a line of it."""

    derivative: DerivativeMap
    function: Function
    steps: Sequence[Step]
    line: int
    at: MappedLine
    primal: Sequence[Step]

    def variable(self, name: str, made: str) -> str:
        """A name, if it is that of a variable; "" for steps, which each sweep counts anew.

        A variable that no derivative flows to, such as that of a loop, may be called as a step is:
        nothing of the backward of what sets it reads the adjoint.
        """
        if keeping.STEP.fullmatch(name) is None or not self.primal:
            return name
        lines = {step.line for step in self.primal if name in step.sets}
        read = (self.derivative.at(step.line) for step in self.steps if made in step.reads)
        return name if any(each and each.first in lines for each in read) else ""

    def gradient(self, made: str) -> str:
        """Why what is called an adjoint is none here; "" where it is."""
        before, after = self._around(made)
        loop = self._loop(before, after)
        if loop is not None and not any(loop in step.loops for step in before):
            first = next(step for step in after if loop in step.loops)
            inside = (each for each in self.steps if loop in each.loops and each.line <= first.line)
            return "" if any(made in each.reads for each in inside) else NOT_NOW
        last = self.derivative.at(before[-1].line) if before else None
        if last is not None and last.is_head:
            is_there = made != f"{SEED}_bar" or not self._is_seed_of_another(after)
        else:
            is_there = last is None or last.role not in FORWARD
        return "" if is_there else "not yet computed"

    def _is_seed_of_another(self, after: Sequence[Step]) -> bool:
        """Whether a variable is called as the result is, and the seed is not that of the variable.

        What makes the adjoint of the variable of it is then a statement that does not set it.
        """
        sets = {step.line for step in self.primal[1:] if SEED in step.sets}
        made = next(filter(None, (self.derivative.at(step.line) for step in after)), None)
        return bool(sets) and made is not None and not sets & {*range(made.first, made.last + 1)}

    def value(self, name: str) -> str:
        """Of which time a value is; "" where an adjoint has taken its place."""
        if self.at.role.sweep == "forward":
            return VALUE
        before, after = self._around(name)
        loop = self._loop(before, after)
        if loop is not None:
            inside = [step for step in before if loop in step.loops]
            return self._of_kept(name, inside[-1]) if inside else OF_ANOTHER
        last = self.derivative.at(before[-1].line) if before else None
        if last is None:
            return VALUE
        if last.role is Role.RESTORE:  # in a loop that has ended, that was for its first pass
            return OF_ANOTHER if before[-1].loops else self._of_kept(name, before[-1])
        if last.role is Role.ADJOINT:
            return ""
        return self._of_primal(name, before[-1], last)

    def _of_kept(self, name: str, restored: Step) -> str:
        """Of which time a value is that was restored: where it was kept, others were set later.

        So at a statement that sets a variable anew it may be what that was before.
        """
        mapped = self.derivative.at(restored.line)
        here = self._primal()
        is_sure = restored.inside == self._inside()[: len(restored.inside)]
        if mapped is None or mapped.role is not Role.RESTORE or here is None or not is_sure:
            return VALUE
        at = keeping.moment(self.derivative, self.function, self.primal, restored, name)
        if at is None:
            return VALUE
        within = (step.line for step in self.primal if here.line in dict(step.inside))
        end = max(within, default=here.line)
        again = {*here.loops} - {*at.loops}
        sets = [step for step in self.primal if name in step.sets and not _is_apart(step, here)]
        if any(at.behind < step.line < at.before for step in sets):
            return VALUE
        since = [step for step in sets if step.line >= at.before]
        if since := [step for step in since if step.line <= end or again & {*step.loops}]:
            inner = (loop for loop in since[0].loops if loop not in at.loops)
            return BEFORE.format(next(inner, since[0].line))
        until = [step for step in sets if step.line <= at.behind]
        if any(again & {*step.loops} for step in until):
            return OF_ANOTHER
        is_only = sum(name in step.sets for step in self.primal) == 1
        later = [step for step in until if step.line > end and not is_only]
        return OF_LINE.format(later[-1].line) if later else VALUE

    def _of_primal(self, name: str, step: Step, last: MappedLine) -> str:
        """Of which time a value is that was set at a line of the primal."""
        sets = [each for each in self.primal if name in each.sets]
        here = self._primal()
        around = () if here is None else here.loops
        is_again = any(loop in _own(each, self.primal) for each in sets for loop in around)
        loops = {self.derivative.at(loop) for loop in self._loops()}
        origins = {mapped.origin for mapped in loops if mapped is not None}
        for loop in _own(step, self.steps):
            mapped = self.derivative.at(loop)
            is_again = is_again or (mapped is not None and mapped.origin in origins)
        head = sets[0].line if sets else 0
        line = head if last.is_head else last.first
        reached = [each.line for each in sets if each.line <= self.at.last]
        if not is_again and (not sets or last.path != self.at.path):
            return VALUE
        if not is_again and reached and reached[-1] == line:
            return VALUE
        if sets and last.is_head:
            return AT_THE_CALL
        return AT_THE_END if not sets or line == sets[-1].line else OF_LINE.format(line)

    def _around(self, name: str) -> tuple[list[Step], list[Step]]:
        """Where a name is set, before the line and from there on."""
        sets = [step for step in self.steps if name in step.sets]
        return (
            [step for step in sets if step.line < self.line],
            [step for step in sets if step.line >= self.line],
        )

    def _primal(self) -> Step | None:
        """The statement of the primal that is taken."""
        return next((each for each in self.primal if each.line == self.at.first), None)

    def _inside(self) -> tuple[tuple[int, str], ...]:
        """The blocks around the line."""
        return next((step.inside for step in self.steps if step.line == self.line), ())

    def _loops(self) -> tuple[int, ...]:
        """The loops around the line, with that which begins there: its passes have been taken."""
        here = [step for step in self.steps if step.line == self.line]
        return _own(here[-1], self.steps) if here else ()

    def _loop(self, *steps: Sequence[Step]) -> int | None:
        """The innermost loop around the line in which one of some steps is."""
        every = {loop for each in steps for step in each for loop in step.loops}
        return next((loop for loop in reversed(self._loops()) if loop in every), None)


def _own(step: Step, every: Sequence[Step]) -> tuple[int, ...]:
    """The loops around a step, with that which it is the head of: a head sets in each pass."""
    is_head = any(step.line in each.loops for each in every)
    return (*step.loops, step.line) if is_head else step.loops


def _is_apart(step: Step, other: Step) -> bool:
    """Whether one of two statements is in a branch, and the other in another one of that."""
    blocks = dict(other.inside)
    return any(blocks.get(head, block) != block for head, block in step.inside)
