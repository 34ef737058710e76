"""Where the forward sweep has kept what the backward sweep takes back: of which time that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adlsp.debug.maps import DerivativeMap, Function
from adlsp.transform.frontend.outline import Step, put_together, read
from adlsp.transform.ir import Role

TAKEN = "saved"
"""The parameter of a backward sweep by which it gets what its forward sweep has kept."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in a pass of loops of the primal: between two of its lines, which have been taken.

    What stands from the line `behind` to the line `before` is not in the derivative.
    """

    behind: int
    before: int
    loops: tuple[int, ...]


def keeping(
    derivative: DerivativeMap, every: Sequence[Step], restored: Step, held: str
) -> tuple[int, str] | None:
    """The number of the statement that keeps what is restored into a variable, and what it keeps.

    None where that is not known.
    """
    tape = restored.value.partition(".pop(")[0]
    found = [
        number
        for number, step in enumerate(every)
        if step.value.startswith(f"{tape}.append(") or step.targets == (tape,)
        if _is(derivative, step, Role.SAVE) and step.value != "[]"
    ]
    return _part(every[found[0]].value, found[0], restored, held) if len(found) == 1 else None


def moment(
    derivative: DerivativeMap,
    function: Function,
    primal: Sequence[Step],
    restored: Step,
    name: str,
) -> Moment | None:
    """When a variable was what is restored into it; None where that is not known."""
    at = derivative.at(restored.line)
    if at is None or derivative.order > 1:
        return None
    if not restored.targets:  # what a statement has done to a list, or to elements, is undone
        loops = next((step.loops for step in primal if step.line == at.first), ())
        return Moment(at.first - 1, at.first, loops)
    every = read(function.text, function.first)
    found = keeping(derivative, every, restored, name)
    if found is None and restored.value == TAKEN:
        every = _forward(derivative, function)
        found = _given(every, restored, name)
    number = None if found is None else _named(derivative, every, *found, name)
    if number is None:
        return None
    run = [
        (step.line, mapped.first)
        for step in every
        if (mapped := derivative.at(step.line)) and mapped.path == at.path
        if mapped.role is Role.PRIMAL
    ]
    line = every[number].line
    heads = (derivative.at(loop) for loop in every[number].loops)
    return Moment(
        max((primal for ours, primal in run if ours < line), default=0),
        min((primal for ours, primal in run if ours > line), default=1 << 30),
        tuple(head.first for head in heads if head is not None),
    )


def _part(text: str, number: int, restored: Step, held: str) -> tuple[int, str] | None:
    """What is kept for a variable, of what is put together in a text."""
    kept = put_together(text)
    at = restored.targets.index(held) if restored.is_taken_apart else 0
    is_known = len(kept) == (len(restored.targets) if restored.is_taken_apart else 1)
    return (number, kept[at]) if is_known else None


def _forward(derivative: DerivativeMap, function: Function) -> tuple[Step, ...]:
    """The forward sweep that belongs to a backward sweep."""
    name = re.sub(r"_backward(_\d+)?$", r"_forward\1", function.name)
    found = [each for each in derivative.functions if each.name == name != function.name]
    return read(found[0].text, found[0].first) if len(found) == 1 else ()


def _given(every: Sequence[Step], restored: Step, held: str) -> tuple[int, str] | None:
    """The same of a forward sweep that gives back all that it keeps, after its result."""
    if not every or not every[-1].value:
        return None
    parts = put_together(every[-1].value)
    return _part(parts[-1], len(every) - 1, restored, held) if len(parts) > 1 else None


def _named(
    derivative: DerivativeMap, every: Sequence[Step], number: int, held: str, name: str
) -> int | None:
    """The number of the statement that reads from a variable what is kept; None for none."""
    if name in re.findall(r"\w+", held):
        return number
    sets = [i for i, step in enumerate(every[:number]) if held in step.sets]
    if not sets:
        return None
    step = every[sets[-1]]
    is_sure = step.inside == every[number].inside[: len(step.inside)]
    is_saved = _is(derivative, step, Role.SAVE) and name in step.reads
    return sets[-1] if is_sure and is_saved else None


def _is(derivative: DerivativeMap, step: Step, role: Role) -> bool:
    mapped = derivative.at(step.line)
    return mapped is not None and mapped.role is role
