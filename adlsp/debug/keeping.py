"""What the forward sweep has kept for the backward sweep, where, and so of which time that is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adlsp.debug.maps import DerivativeMap, Function
from adlsp.debug.scopes import Tape
from adlsp.transform.frontend.outline import Step, put_together, read
from adlsp.transform.ir import Role

STEP = re.compile(r"t(_\d+)?")
"""What steps of larger expressions are called."""

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


def tapes(derivative: DerivativeMap, function: Function, line: int) -> tuple[Tape, ...]:
    """What the forward sweep has kept for the place where a function stands, and for its pass."""
    every = read(function.text, function.first)
    here = next((step.inside for step in every if step.line == line), ())
    found = []
    for step in every:
        mapped = derivative.at(step.line)
        is_here = step.inside == here[: len(step.inside)]
        if mapped is None or mapped.role is not Role.RESTORE or not step.targets or not is_here:
            continue
        name, _, is_list = step.value.partition(".pop(")
        whole = f"{name}[-1]" if is_list else name
        told = _kept(every, name, step.targets)
        parts: list[tuple[str, str]] = []
        for i, target in enumerate(step.targets):
            at = f"{whole}[{i}]" if step.is_taken_apart else whole
            held = target if step.line < line else at
            taken = _unpacked(derivative, every, target, held)
            parts += taken or [(told[i], held)]
        found.append(Tape(name, name if is_list else "", tuple(parts)))
    return tuple(found)


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
        (step, mapped.first)
        for step in every
        if (mapped := derivative.at(step.line)) and mapped.path == at.path
        if mapped.role is Role.PRIMAL
    ]
    line = every[number].line
    behind = max((primal for step, primal in run if step.line < line), default=0)
    before = min((primal for step, primal in run if step.line > line), default=1 << 30)
    if behind == before:  # in the midst of a statement, which may have set it already
        took = (step for step, primal in run if primal == behind and step.line < line)
        is_set = any(name in step.sets for step in took)
        behind, before = behind - (not is_set), before + is_set
    heads = (derivative.at(loop) for loop in every[number].loops)
    return Moment(behind, before, tuple(head.first for head in heads if head is not None))


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


def _unpacked(
    derivative: DerivativeMap, every: Sequence[Step], target: str, held: str
) -> list[tuple[str, str]]:
    """The names and expressions of what was kept as one, by the callee that takes it apart."""
    called = next((step.value for step in every if f"({target}, " in step.value), "")
    name = called.partition("(")[0]
    callee = next((each for each in derivative.functions if each.name == name), None)
    inner = read(callee.text, callee.first) if callee is not None and target else ()
    taken = next((step for step in inner if step.value == "saved"), None)
    parts = () if taken is None else taken.targets
    called = name.removesuffix("_backward")
    return [(f"{part} of {called}", f"{held}[{i}]") for i, part in enumerate(parts)]


def _kept(every: Sequence[Step], name: str, targets: Sequence[str]) -> list[str]:
    """What is taken from where it was kept: names, with what steps are of.

    A step may be called otherwise where it is kept, and another one as it is here.
    """
    keeping = [step for step in every if step.value.startswith(f"{name}.append(")]
    keeping = keeping or [step for step in every if step.targets == (name,)]
    if len(keeping) != 1:
        return [*targets]
    kept = keeping[0].value.removeprefix(f"{name}.append").strip("(),").split(", ")
    made = {
        step.targets[0]: step.value
        for step in every
        if len(step.targets) == 1 and step.line < keeping[0].line
    }
    steps = [made.get(each, "") if STEP.fullmatch(each) else "" for each in kept]
    found = itertools.zip_longest(targets, steps[: len(targets)], fillvalue="")
    return [f"{target} = {of}" if of else target for target, of in found]
