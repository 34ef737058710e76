"""Is a gradient right, from where a derivative has stopped? The primal is run again to tell.

Where the backward sweep is about to take a statement, the adjoint of each variable is the gradient
for the value that it has behind that statement. So the primal runs with that value moved, there and
in that pass of the loops, and the result moves by the adjoint's product with the direction.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from adlsp.library import differences
from adlsp.transform.artifact import Derivative
from adlsp.transform.emit import moved
from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a program computes."""

TOLERANCE = 1e-5
"""How far a gradient and differences may be apart, relative to their size."""

MOST_ENTRIES = 16
"""So many entries of a gradient that differs are looked at, the largest first."""

MOST_TOLD = 3
"""So many of those that differ are told."""


SEED = "out_bar"
"""The parameter of a derivative that has the weights of the result."""


class CannotCompareError(Exception):
    """Why there is nothing to compare with, as a sentence."""


@dataclass(frozen=True, slots=True)
class Place:
    """A statement of a primal, by its first line, and the passes of the loops around it."""

    line: int
    passes: tuple[int, ...]


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
    run = _Run(derivative, home, captured, variables, place)
    before = run.values()
    if not differences.is_same(run.result, run.again()):
        raise CannotCompareError("the function gives something else each time")
    for name, made in pairs:
        is_there = name in before and made in variables
        if is_there and differences.smooth_arguments([before[name]]):
            yield _told(run, name, before[name], variables[made])


class _Run:
    """The primal with a place where variables can be moved."""

    def __init__(
        self,
        derivative: Derivative,
        home: Mapping[str, Value],
        captured: Sequence[str],
        variables: Mapping[str, Value],
        place: Place,
    ) -> None:
        if derivative.request.inner is not None or derivative.primal is None:
            raise CannotCompareError("only gradients of the first order can be compared")
        self._place, self._outputs = place, derivative.request.outputs
        self.out_bar = variables.get(SEED, 1.0)
        path, line = derivative.primal.path, derivative.primal.line
        text = "".join(linecache.getlines(path))
        try:
            made = moved.at(text, line, place.line)
        except moved.NoPlaceError as error:
            raise CannotCompareError(str(error)) from error
        if len(made.loops) != len(place.passes):
            raise CannotCompareError("it is not known in which pass of its loops this is")
        gone = moved.overwritten(derivative.source, derivative.name)
        lost = [name for name in (*made.parameters, SEED) if name in gone]
        lost += [name for name in made.parameters if name not in variables]
        if lost:
            raise CannotCompareError(
                f"`{lost[0]}` is no longer what the derivative was called with"
            )
        self._given = {name: variables[name] for name in made.parameters}
        self._made = made
        self._moved: Callable[[str, Value], Value] = lambda _, value: value
        self._way: list[int] = []
        self._straight: list[int] = []
        self.is_astray = False
        space = {**home, moved.PLACE: self._at, moved.WAY: self._way_by}
        space |= {name: variables[name] for name in captured if name in variables}
        exec(compile(made.module, f"<moved {path}>", "exec"), space)
        self._function = space[made.name]
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
        given = {name: differences.copies(value) for name, value in self._given.items()}
        made = self._made
        positional = [*(given[name] for name in made.positional), *given.get(made.starred, ())]
        named = {name: given[name] for name in made.named}
        try:
            result = self._function(*positional, **named, **given.get(made.options, {}))
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise CannotCompareError(f"the primal raises {told}") from error
        return tuple(given[name] for name in self._outputs) if self._outputs else result


def _told(run: _Run, name: str, x: Value, x_bar: Value) -> str:
    function = run.with_value(name)
    expected, found, apart = differences.along(function, x, x_bar, run.out_bar)
    numbers = f"gradient {expected:.6g}, differences {found:.6g} (relative error {apart:.1g})"
    if apart <= TOLERANCE:
        return f"{name}: right, along a random direction: {numbers}"
    if run.is_astray:
        return f"{name}: not known, the primal takes another way where it is moved: {numbers}"
    wrong = differences.entries(function, x, x_bar, run.out_bar, MOST_ENTRIES)
    told = (
        f"{name}{list(at) if at else ''} has {gradient:.6g}, differences give {difference:.6g}"
        for at, gradient, difference, apart in wrong
        if apart > TOLERANCE
    )
    return "; ".join(
        [f"{name}: DIFFERS, along a random direction: {numbers}", *[*told][:MOST_TOLD]]
    )
