"""Beside which lines of the primal values and gradients belong where a derivative has stopped.

A variable that several lines set has several versions. A name of the derivative holds one of them,
or the adjoint of one: which it is follows from where the name may have been set last (reaching
definitions), as what a statement of the primal gives to an adjoint is for the version that it
reads. What may be one of several belongs beside no line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from adlsp.debug import keeping
from adlsp.debug.maps import DerivativeMap, Function, key
from adlsp.debug.scopes import Pair
from adlsp.debug.standing import VALUE
from adlsp.transform.frontend.outline import LOOP, Step, read
from adlsp.transform.ir import Role

Some = frozenset[int]
"""Statements by their numbers, or lines."""

KEEPING = frozenset({Role.SAVE, Role.RESTORE})

UNKNOWN = frozenset({0})
"""A line that is none."""

OWN = re.compile(r"value (before|of) line \d+")
"""What is not said of a value beside the line that has set it."""


def beside(
    derivative: DerivativeMap,
    function: Function,
    line: int,
    path: str,
    primal: Sequence[Step],
    pairs: Iterable[Pair],
) -> list[tuple[int, Pair]]:
    """What to show beside lines of a function of the primal, which is in a file.

    A pair without `made` is a value alone, one whose `value` is "" a gradient alone. What a line
    has set another name of the derivative may still hold.
    """
    every = read(function.text, function.first)
    number = next((i for i, step in enumerate(every) if step.line == line), None)
    if number is None:
        return []
    here = _Here(derivative, every, number, path, primal)
    here = replace(here, primal=here.with_changes())
    return [placed for pair in pairs if pair.name for placed in here.placed(pair)]


@dataclass(frozen=True, slots=True)
class _Here:
    """The statements of a derivative's function, the number of one, and those of the primal."""

    derivative: DerivativeMap
    steps: Sequence[Step]
    number: int
    path: str
    primal: Sequence[Step]

    def with_changes(self) -> tuple[Step, ...]:
        """The statements of the primal, with what calls change among what these set.

        In the derivative, such a call gives the variable back.
        """
        known = {name for step in self.primal for name in step.sets}
        changed: dict[int, frozenset[str]] = {}
        for step in self.steps:
            number = self._primal(step) if self._role(step) is Role.PRIMAL else None
            if number is not None:
                changed[number] = changed.get(number, frozenset()) | (step.sets & known)
        every = enumerate(self.primal)
        return tuple(replace(s, sets=s.sets | changed.get(i, frozenset())) for i, s in every)

    def placed(self, pair: Pair) -> Iterator[tuple[int, Pair]]:
        """The lines where a variable belongs, and what of it."""
        sets = [step.line for step in self.primal if pair.name in step.sets]
        if len(sets) == 1 and self._is_of_primal(pair):
            yield sets[0], pair
            return
        gradient = 0 if pair.missing else self._undone(pair)
        if not gradient and not pair.missing:
            gradient = self._only(pair.made, lambda number: self._read(number, pair.name))
        others = self._held(pair.name)
        values = {line: pair._replace(held=held, value=VALUE) for held, line in others}
        value = self._value(pair.name, pair.name) if pair.value else 0
        if value:
            is_own = OWN.fullmatch(pair.value) is not None
            values[value] = pair._replace(value=VALUE) if is_own else pair
        if gradient:
            yield gradient, values.pop(gradient, pair._replace(value=""))
        for line, each in values.items():
            yield line, each._replace(made="")

    def _held(self, name: str) -> Iterator[tuple[str, int]]:
        """Other names that hold versions of a variable which belong to this pass, and the lines."""
        known = {each for step in self.primal for each in step.sets}
        other = re.compile(rf"{name}(_saved)?(_\d+)?")
        every = {each for step in self.steps for each in step.sets if other.fullmatch(each)}
        loops = {*self.steps[self.number].loops}
        for held in sorted(every - known):
            found = self._reaching(held)
            roles = {self._role(self.steps[i]) for i in found}
            is_now = all(i < self.number and {*self.steps[i].loops} <= loops for i in found)
            line = self._value(held, name) if is_now and roles <= KEEPING else 0
            if line:
                yield held, line

    def _value(self, held: str, name: str) -> int:
        """The line of which a name of the derivative holds what that has set a variable to.

        What was kept of a loop around the place is so for each pass of it, or that of another one.
        """
        line = self._only(held, lambda number: self._set(number, name, held))
        kept = [self.steps[i] for i in self._reaching(held) if self._role(self.steps[i]) in KEEPING]
        around = next((set(step.loops) for step in self.primal if step.line == line), set())
        inside = around & {*self._taken()}
        return line if all(inside <= {*map(self._line, step.loops)} for step in kept) else 0

    def _is_of_primal(self, pair: Pair) -> bool:
        """Whether a name is not that of another function, of which a call is written out."""
        sets = (step for step in self.steps if {pair.name, pair.made} & step.sets)
        return any(self._primal(step) is not None for step in sets)

    def _undone(self, pair: Pair) -> int:
        """The line of the statement that is undone next, if it sets a variable; else 0.

        It reads the adjoint of that before it makes that of another version.
        """
        primal = self._primal(self.steps[self.number])
        if primal is None or pair.name not in self.primal[primal].sets:
            return 0
        whole = [i for i, step in enumerate(self.steps) if self._primal(step) == primal]
        run = [i for i in whole if self._role(self.steps[i]) in (Role.ADJOINT, Role.INSERTED)]
        first = self.number
        while first - 1 in run:
            first -= 1
        is_whole = not any(pair.made in self.steps[i].sets for i in range(first, self.number))
        reads = pair.made in self.steps[self.number].reads
        return self.primal[primal].line if is_whole and reads else 0

    def _only(self, held: str, lines_of: Callable[[int], Some]) -> int:
        """The line that what a name of the derivative holds is of; 0 where that is not known."""
        lines = frozenset[int]().union(*map(lines_of, self._reaching(held)))
        return next(iter(lines)) if len(lines) == 1 else 0

    def _reaching(self, held: str) -> Some:
        """The statements that may have set a name of the derivative last."""
        around = self._taken()
        forward = {
            step.line
            for step in self.steps
            if step.line in self._heads()
            and self._role(step) is Role.PRIMAL
            and self._line(step.line) in around
        }
        return _Reaching(self.steps, held, forward).before[self.number]

    def _set(self, number: int, name: str, held: str) -> Some:
        """The lines of the primal that a statement gives what these set a variable to."""
        step = self.steps[number]
        primal, role = self._primal(step), self._role(step)
        if role is Role.SAVE and step.targets == (held,) and step.value.isidentifier():
            return self._set_before(number, name, step.value)
        if role is Role.RESTORE and held in step.targets:
            return self._kept(step, name, held)
        is_known = role in (Role.PRIMAL, Role.TANGENT) and primal is not None
        if not is_known or name != held or name not in self.primal[primal or 0].sets:
            return UNKNOWN
        return frozenset({self.primal[primal or 0].line})

    def _set_before(self, number: int, name: str, held: str) -> Some:
        found = _Reaching(self.steps, held, ()).before[number]
        return frozenset[int]().union(*(self._set(each, name, held) for each in found)) or UNKNOWN

    def _kept(self, restored: Step, name: str, held: str) -> Some:
        """The same of what is taken from where the forward sweep has kept it."""
        found = keeping.keeping(self.derivative, self.steps, restored, held)
        if found is None or not found[1].isidentifier():
            return UNKNOWN
        return self._set_before(found[0], name, found[1])

    def _read(self, number: int, name: str) -> Some:
        """The lines of the versions of which a statement gives the adjoint, or the tangent."""
        step = self.steps[number]
        primal = self._primal(step)
        if primal is None:
            return UNKNOWN
        if self._role(step) is Role.TANGENT:
            sets = name in self.primal[primal].sets
            return frozenset({self.primal[primal].line}) if sets else UNKNOWN
        taken = self._taken()
        if number == 0:  # what a backward sweep was called with
            found = _Reaching(self.primal, name, taken).at_the_end
        elif number < self.number or not (common := self._common(step)):
            found = _Reaching(self.primal, name, taken).before[primal]
        else:  # an earlier pass of the backward sweep: the primal had taken others before that
            each = (_Reaching(self.primal, name, taken, loop).before[primal] for loop in common)
            found = frozenset[int]().union(*each)
        return frozenset(self.primal[each].line for each in found) or UNKNOWN

    def _primal(self, step: Step) -> int | None:
        """The number of the statement of the primal that a step is of."""
        mapped = self.derivative.every_at(step.line)
        lines = {each.first for each in mapped if key(each.path) == key(self.path)}
        found = [i for i, each in enumerate(self.primal) if each.line in lines]
        return found[0] if len(found) == 1 else None

    def _role(self, step: Step) -> Role | None:
        mapped = self.derivative.at(step.line)
        return None if mapped is None else mapped.role

    def _line(self, loop: int) -> int:
        """The line of the primal's loop that one of the derivative is of."""
        mapped = self.derivative.at(loop)
        return 0 if mapped is None else mapped.first

    def _heads(self) -> Some:
        return frozenset(loop for step in self.steps for loop in step.loops)

    def _taken(self) -> Some:
        """The loops of the primal around the place: they have taken a pass at least."""
        primal = self._primal(self.steps[self.number])
        return frozenset() if primal is None else frozenset(self.primal[primal].loops)

    def _common(self, step: Step) -> Some:
        """The loops of the primal around the place in whose earlier pass a step was."""
        loops = {*step.loops} & {*self.steps[self.number].loops}
        return frozenset(self._line(loop) for loop in loops)


class _Reaching:
    """Which statements may have set a variable last, before each and at the end.

    Loops that begin at the lines `taken` have taken a pass; what is asked is about a pass of the
    loop at `later` that was not its first.
    """

    def __init__(
        self, steps: Sequence[Step], name: str, taken: Collection[int], later: int = 0
    ) -> None:
        self._steps, self._name, self._taken, self._later = steps, name, taken, later
        self.before: list[Some] = [frozenset()] * len(steps)
        self.at_the_end = self._over(0, len(steps), 0, frozenset())

    def _over(self, first: int, end: int, depth: int, state: Some) -> Some:
        """Goes over the statements of a block; gives what may have been set behind it."""
        while first < end:
            inner = (i for i in range(first + 1, end) if len(self._steps[i].inside) <= depth)
            last = next(inner, end)
            self.before[first] = state
            if last == first + 1:
                state = self._behind(first, state)
            else:
                state = self._into(first, last, depth, state)
            first = last
        return state

    def _behind(self, number: int, state: Some) -> Some:
        return frozenset({number}) if self._name in self._steps[number].sets else state

    def _into(self, first: int, end: int, depth: int, state: Some) -> Some:
        """Goes over a statement with blocks."""
        inside = range(first + 1, end)
        every = state | {i for i in (first, *inside) if self._name in self._steps[i].sets}
        named = {self._steps[i].inside[depth][1] for i in inside}
        if named == {LOOP}:
            return self._loop(first, end, depth, every)
        if not named <= {"body", "orelse"}:
            self.before[first:end] = [every] * (end - first)
            return every
        behind = self._behind(first, state)
        split = next((i for i in inside if self._steps[i].inside[depth][1] == "orelse"), end)
        one = self._over(first + 1, split, depth + 1, behind)
        return one | self._over(split, end, depth + 1, behind)

    def _loop(self, first: int, end: int, depth: int, every: Some) -> Some:
        """Goes over a loop; `every` is all that may be there at some time."""
        line = self._steps[first].line
        ends = any(not each.sets | each.reads for each in self._steps[first + 1 : end])
        body = self._over(first + 1, end, depth + 1, self._behind(first, every))
        if line == self._later and not ends:
            body = self._over(first + 1, end, depth + 1, self._behind(first, body))
            self.before[first] = body
        else:
            self.before[first] = every
        return body if line in self._taken and not ends else every
