"""Is a gradient right, from where a derivative has stopped? The primal is run again to tell.

Where the backward sweep is about to take a statement, the adjoint of each variable is the gradient
for the value that it has behind that statement. So the primal runs with that value moved, there and
in that pass of the loops, and the result moves by the adjoint's product with the direction.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from adlsp.library import differences, subjects
from adlsp.transform.artifact import Derivative
from adlsp.transform.emit import moved
from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a program computes."""

DIFFERS = "DIFFERS"
"""What is said of a gradient that is wrong."""

TOLERANCE = 1e-5
"""How far a gradient and differences may be apart, relative to their size."""

LEAST = 1e-6
"""What of a result differences tell of at least: below that, rounding may be as large."""

MOST_ENTRIES = 16
"""So many entries of a gradient that differs are looked at, the largest first."""

MOST_TOLD = 3
"""So many of those that differ are told."""


class CannotCompareError(Exception):
    """Why there is nothing to compare with, as a sentence."""


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of a primal, by its first line, and the passes of the loops around it.

    If it is the head of a loop, the last of them is how many passes that has taken.
    """

    line: int
    passes: tuple[int, ...]
    is_head: bool = False


def compared(
    derivative: Derivative,
    home: Mapping[str, Value],
    captured: Sequence[str],
    variables: Mapping[str, Value],
    place: Place,
    pairs: Sequence[tuple[str, str]],
) -> Iterator[str]:
    """What is said of each variable and its adjoint, in the frame where a derivative has stopped.

    `home` is what the primal finds its names in, but for what is `captured`. Raises
    CannotCompareError where it cannot be run.
    """
    yield from _each(_of_primal(derivative, home, captured, variables, place), variables, pairs)


def _each(
    run: _Run, variables: Mapping[str, Value], pairs: Sequence[tuple[str, str]]
) -> Iterator[str]:
    before = run.values()
    if not differences.is_same(run.result, run.again()):
        raise CannotCompareError("the function gives something else each time")
    for name, made in pairs:
        is_there = name in before and made in variables
        if is_there and differences.smooth_arguments([before[name]]):
            yield _told(run, name, before[name], variables[made])


First = Callable[[], Derivative]
"""Gives the derivative that another one is the derivative of."""


def compared_again(
    derivative: Derivative,
    first: Derivative,
    builtins: Mapping[str, Value],
    variables: Mapping[str, Value],
    place: Place,
    pairs: Sequence[tuple[str, str]],
) -> Iterator[str]:
    """What is said where a derivative of a derivative has stopped: of variables, or in the end.

    Its own forward sweep is run again, with variables moved at a `place` in there. Which names are
    adjoints of which is read from its text, and may be wrong: where the gradients are right in the
    end, nothing is said to differ.
    """
    whole = [*compared_whole(derivative, first, builtins, variables)]
    here: list[str] = []
    with suppress(CannotCompareError):
        if pairs:
            run = _of_forward(derivative, builtins, variables, place)
            before = run.values()
            fit = [
                (name, made)
                for name, made in pairs
                if differences.may_be_gradient(variables.get(made), before.get(name))
            ]
            here = [*_each(run, variables, fit)]
    is_wrong = any(DIFFERS in line for line in whole)
    yield from (line for line in here if is_wrong or DIFFERS not in line)
    if is_wrong or not any(DIFFERS not in line for line in here):
        yield from whole


def compared_whole(
    derivative: Derivative,
    first: Derivative,
    builtins: Mapping[str, Value],
    variables: Mapping[str, Value],
) -> Iterator[str]:
    """What is said of the gradients that a derivative of a derivative gives in the end.

    What is differentiated is a derivative, which has no statements of the user's in which variables
    could be moved: so its arguments are. `builtins` are those of both.
    """
    if derivative.request.kind == "jvp":
        raise CannotCompareError("tangents of a derivative are not compared, but its gradients are")
    run = _Whole(derivative, first, builtins, variables)
    if not differences.is_same(run.result, run.again()):
        raise CannotCompareError("the function gives something else each time")
    yield "of a derivative of a derivative, the gradients that it gives in the end are compared"
    for name, x, x_bar in run.gradients():
        if differences.smooth_arguments([x]):
            yield _told(run, name, x, x_bar)


class _Run:
    """What is differentiated, with a place where variables can be moved."""

    def __init__(
        self,
        made: moved.Moved,
        derivative: Derivative,
        space: Mapping[str, Value],
        variables: Mapping[str, Value],
        place: Place,
    ) -> None:
        self._place, self._outputs = place, derivative.request.outputs
        if len(made.loops) != len(place.passes):
            raise CannotCompareError("it is not known in which pass of its loops this is")
        given = _given(derivative, variables, (*made.parameters, moved.SEED))
        self.out_bar = given.get(moved.SEED, 1.0)
        self._given = {name: given[name] for name in made.parameters}
        self._made = made
        self._moved: Callable[[str, Value], Value] = lambda _, value: value
        self._way: list[int] = []
        self._straight: list[int] = []
        self.is_astray = False
        room: dict[str, Value] = {**space, moved.PLACE: self._at, moved.WAY: self._way_by}
        exec(compile(made.module, "<moved>", "exec"), room)
        self._function: Callable[..., Value] = room[made.name]
        if made.name in space:  # a recursion does not come by the place again
            room[made.name] = space[made.name]
        self.result: Value = None

    def values(self) -> dict[str, Value]:
        """What the variables are there."""
        found: dict[str, Value] = {}

        def look(name: str, value: Value) -> Value:
            found[name] = differences.copies(value)
            return value

        self.result = self._call(look)
        self._straight = [*self._way]
        if not found:
            raise CannotCompareError("the primal does not come by this statement again")
        return found

    def again(self) -> Value:
        """The result with nothing moved."""
        return self._call(lambda _, value: value)

    def with_value(self, sought: str) -> Callable[[Value], Value]:
        """The result as a function of what a variable is there."""

        def move(name: str, value: Value, x: Value) -> Value:
            if name != sought:
                return value
            if name in self._outputs:  # what the caller sees is this very array
                value[...] = x
                return value
            return x

        def function(x: Value) -> Value:
            result = self._call(lambda name, value: move(name, value, x))
            self.is_astray = self.is_astray or self._way != self._straight
            return result

        self.is_astray = False
        return function

    def _way_by(self, line: int) -> None:
        self._way.append(line)

    def _at(self, name: str, value: Value, *passes: int) -> Value:
        return self._moved(name, value) if passes == self._place.passes else value

    def _call(self, by: Callable[[str, Value], Value]) -> Value:
        self._moved = by
        self._way.clear()
        given = _copies(self._given)
        result = _passed(self._function, self._made, given)
        return tuple(given[name] for name in self._outputs) if self._outputs else result


def _of_primal(
    derivative: Derivative,
    home: Mapping[str, Value],
    captured: Sequence[str],
    variables: Mapping[str, Value],
    place: Place,
) -> _Run:
    """The user's function."""
    if derivative.primal is None:
        raise CannotCompareError("there is no text of the primal")
    text = "".join(linecache.getlines(derivative.primal.path))
    try:
        made = moved.at(text, derivative.primal.line, place.line, is_head=place.is_head)
    except moved.NoPlaceError as error:
        raise CannotCompareError(str(error)) from error
    space = {**home, **{name: variables[name] for name in captured if name in variables}}
    return _Run(made, derivative, space, variables, place)


def _of_forward(
    derivative: Derivative,
    builtins: Mapping[str, Value],
    variables: Mapping[str, Value],
    place: Place,
) -> _Run:
    """The forward sweep of a derivative of a derivative."""
    try:
        made = moved.within(derivative.source, derivative.name, place.line)
    except moved.NoPlaceError as error:
        raise CannotCompareError(str(error)) from error
    return _Run(made, derivative, {"__builtins__": builtins}, variables, place)


class _Whole:
    """A derivative, and the one that it is a derivative of, which is what is run again."""

    def __init__(
        self,
        derivative: Derivative,
        first: Derivative,
        builtins: Mapping[str, Value],
        variables: Mapping[str, Value],
    ) -> None:
        self._request = derivative.request
        self._space = {"__builtins__": builtins, moved.WAY: self._way_by}
        self._way: list[int] = []
        self._straight: list[int] = []
        self.is_astray = False
        again, self._made = (moved.followed(each.source, each.name) for each in (derivative, first))
        given = _given(derivative, variables, again.parameters)
        self.out_bar = given.get(moved.SEED, 1.0)
        self.bars = _passed(self._function(again), again, _copies(given))
        ours, theirs = (
            [name for name in each.parameters if subjects.SEED.fullmatch(name)]
            for each in (again, self._made)
        )
        seeds = {inner: given[name] for inner, name in zip(theirs, ours, strict=False)}
        own = {name: given[name] for name in self._made.parameters if name not in seeds}
        self.given = {**own, **seeds}
        self._first = self._function(self._made)
        self.result = self._call(self.given)
        self._straight = [*self._way]

    def gradients(self) -> Iterator[tuple[str, Value, Value]]:
        """The parameters of interest, what they were given, and their gradients."""
        bars = self.bars[1] if self._request.kind == "value_and_grad" else self.bars
        names = self._request.wrt
        every = bars if self._request.is_tuple else (bars,)
        for name, x_bar in zip(names, every, strict=True):
            yield name, self.given[name], x_bar

    def again(self) -> Value:
        """What is differentiated, with nothing moved."""
        return self._call(self.given)

    def with_value(self, name: str) -> Callable[[Value], Value]:
        """What is differentiated as a function of what a parameter is given."""

        def function(x: Value) -> Value:
            made = self._call({**self.given, name: x})
            self.is_astray = self.is_astray or self._way != self._straight
            return made

        self.is_astray = False
        return function

    def _function(self, made: moved.Moved) -> Callable[..., Value]:
        space: dict[str, Value] = {**self._space}
        exec(compile(made.module, "<moved derivative>", "exec"), space)
        function: Callable[..., Value] = space[made.name]
        return function

    def _call(self, given: Mapping[str, Value]) -> Value:
        self._way.clear()
        return _passed(self._first, self._made, _copies(given))

    def _way_by(self, line: int) -> None:
        self._way.append(line)


def _copies(given: Mapping[str, Value]) -> dict[str, Value]:
    return {name: differences.copies(value) for name, value in given.items()}


def _passed(function: Callable[..., Value], made: moved.Moved, given: Mapping[str, Value]) -> Value:
    positional = [*(given[name] for name in made.positional), *given.get(made.starred, ())]
    named = {name: given[name] for name in made.named}
    try:
        return function(*positional, **named, **given.get(made.options, {}))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise CannotCompareError(f"the primal raises {told}") from error


def _given(
    derivative: Derivative, variables: Mapping[str, Value], names: Sequence[str]
) -> dict[str, Value]:
    """What a derivative was called with, from the variables of its frame.

    A debugger has those kept that the derivative binds anew (`moved.remember`), if it was there.
    """
    kept = variables.get(moved.GIVEN, {})
    gone = moved.overwritten(derivative.source, derivative.name) - {*kept}
    for name in names:
        if name in gone or (name != moved.SEED and name not in variables):
            raise CannotCompareError(
                f"`{name}` is no longer what the derivative was called with, which was before the "
                "debugger came: the next call can be compared"
            )
    known = {**variables, **kept}
    return {name: known[name] for name in names if name in known}


def _told(run: _Run | _Whole, name: str, x: Value, x_bar: Value) -> str:
    function = run.with_value(name)
    expected, found, apart = differences.along(function, x, x_bar, run.out_bar)
    least = LEAST * abs(differences.weighted(run.result, run.out_bar)) / differences.stretch(x)
    scale = max(abs(expected), abs(found), least) or 1.0
    relative = abs(expected - found) / scale
    numbers = f"gradient {expected:.6g}, differences {found:.6g} (relative error {relative:.1g})"
    if (apart <= TOLERANCE) != (relative <= TOLERANCE):
        return f"{name}: not known, too small beside rounding: {numbers}"
    if apart <= TOLERANCE:
        return f"{name}: right, along a random direction: {numbers}"
    if run.is_astray:
        return f"{name}: not known, the primal takes another way where it is moved: {numbers}"
    wrong = [
        (
            at,
            f"{name}{list(at) if at else ''} has {gradient:.6g}, differences give {difference:.6g}",
        )
        for at, gradient, difference, apart in differences.entries(
            function, x, x_bar, run.out_bar, MOST_ENTRIES
        )
        if apart > TOLERANCE
    ]
    if differences.has_corner(function, x, run.out_bar):
        corners = [differences.has_corner(function, x, run.out_bar, at) for at, _ in wrong]
        wrong = [each for each, is_corner in zip(wrong, corners, strict=True) if not is_corner]
        if not wrong:
            return f"{name}: not known, the primal has a kink or a jump here: {numbers}"
    told = (line for _, line in wrong)
    return "; ".join(
        [f"{name}: {DIFFERS}, along a random direction: {numbers}", *[*told][:MOST_TOLD]]
    )
