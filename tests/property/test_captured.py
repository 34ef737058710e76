"""Random programs inside other functions and classes have the derivatives that they have outside.

`ADLSP_PROPERTY_PROGRAMS` sets how many are tried, `ADLSP_PROPERTY_FIRST` the first seed.
"""

import copy
import os
from pathlib import Path
from typing import Any

import captured
import numpy as np
import oracle
import pytest
import structures
from random_programs.program import write

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))
SEEDS = range(FIRST, FIRST + N_PROGRAMS)
CODES = {"AD203", "AD204", "AD205", "AD206", "AD302", "AD303"}
"""What may be found inside others that is not found outside."""

REFUSED: dict[int, bool] = {}
"""The programs that were differentiated outside, and whether they were refused inside."""


def found(derivative: Any, given: dict[str, Any]) -> list[Any]:
    """The numbers that a derivative gives, on copies of its arguments."""
    with np.errstate(all="ignore"):
        return list(structures.parts(derivative(**copy.deepcopy(given))))


@pytest.mark.parametrize("is_idiomatic", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_function_inside_others_has_its_derivative(
    folder: Path, seed: int, *, is_idiomatic: bool
) -> None:
    program = captured.scaled(write(seed, is_idiomatic=is_idiomatic), seed)
    moved = captured.moved(program, seed)
    outside = oracle.load(folder / f"outside_{seed}_{is_idiomatic}.py", program.text)
    points = [p for p in program.points if oracle.is_usable(outside.f, p, program.outputs)]
    if moved is None or not points:
        return
    asked = {"wrt": program.wrt, "outputs": program.outputs}
    try:
        plain = adlsp.value_and_grad(outside.f, **asked), adlsp.jvp(outside.f, **asked)
    except adlsp.DifferentiationError:
        return
    path = folder / f"inside_{seed}_{is_idiomatic}.py"
    inside = oracle.load(path, moved.text)
    for point in points:
        f = moved.made(inside, point)
        held = copy.deepcopy(captured_by(f))
        try:
            again = moved.made(inside, point)  # the primal may change its object
            derivatives = adlsp.value_and_grad(f, **asked), adlsp.jvp(again, **asked)
            made = derivatives[0].derivative
        except adlsp.DifferentiationError as error:
            REFUSED[seed] = True
            if not {each.code for each in error.findings} <= CODES:
                pytest.fail(f"{error}\n{moved.text}")
            return
        REFUSED.setdefault(seed, False)
        known = {"function": moved.path, "signature": made.request.signature}
        assert oracle.static(path, optimize=True, **known, **asked).source == made.source
        own = {name: value for name, value in point.items() if name not in moved.given}
        out = oracle.call(outside.f, point, program.outputs)
        out_bar = oracle.weights(out, np.random.default_rng(3))
        dots = tuple(oracle.directions(point, program.wrt).values())
        for mine, theirs, seeds in zip(
            derivatives, plain, ({"out_bar": out_bar}, {"dots": dots}), strict=True
        ):
            try:
                expected = found(theirs, {**point, **seeds})
            except TypeError:  # what is refused when it runs
                continue
            for one, other in zip(found(mine, {**own, **seeds}), expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=moved.text)
        assert structures.is_same(captured_by(f), held), moved.text


def captured_by(f: Any) -> dict[str, Any]:
    """What a closure has captured, by name; what the primal does to its object stays done."""
    if hasattr(f, "__self__"):
        return {}
    names, cells = f.__code__.co_freevars, f.__closure__ or ()
    values = {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}
    return {name: value for name, value in values.items() if not callable(value)}


def test_most_are_differentiated_inside_as_outside() -> None:
    assert len(REFUSED) >= N_PROGRAMS // 2
    assert sum(REFUSED.values()) <= 0.2 * len(REFUSED)
