"""Programs with objects and functions as values: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import itertools
import os
from pathlib import Path

import objects
import oracle
import pytest
import shrinking
import typed
import typed_oracle

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "10"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

NUMBERS = itertools.count()

ACCEPTED = 0.2
"""How many programs are differentiated, at the least."""

MOST_SHRUNK = 3
"""So many wrong programs are shown as small as they can be made."""


def is_accepted(folder: Path, program: typed.Program, text: str) -> bool:
    """Tells whether a program is differentiated somewhere; raises WrongError where wrongly."""
    try:
        path = folder / f"objects_{next(NUMBERS)}.py"
        return typed_oracle.run_program(path, program, text).done["compared"] > 0
    except adlsp.DifferentiationError:
        return False


def test_derivatives_are_right_or_refused(folder: Path) -> None:
    wrong: list[tuple[typed.Program, oracle.WrongError]] = []
    n_accepted = 0
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        program = objects.write(seed)
        try:
            n_accepted += is_accepted(folder, program, program.text)
        except oracle.WrongError as error:
            wrong.append((program, error))
    if wrong:
        shown = (report(folder, program, error) for program, error in wrong[:MOST_SHRUNK])
        pytest.fail("\n\n".join((*shown, f"wrong seeds: {[p.seed for p, _ in wrong]}")))
    assert n_accepted >= ACCEPTED * N_PROGRAMS


def test_the_same_seed_gives_the_same_program() -> None:
    assert objects.write(7).text == objects.write(7).text
    assert len({objects.write(seed).text for seed in range(20)}) == 20


def report(folder: Path, program: typed.Program, error: oracle.WrongError) -> str:
    """What went wrong, for the smallest program found that goes wrong in the same way."""

    def failure(text: str) -> oracle.WrongError | None:
        try:
            is_accepted(folder, program, text)
        except oracle.WrongError as found:
            return found
        except Exception:  # the smaller text is no program
            return None
        return None

    def is_same(text: str) -> bool:
        found = failure(text)
        return found is not None and found.kind == error.kind

    small = shrinking.shrink(program.text, is_same, budget=300)
    return f"seed {program.seed}, wrt={program.wrt}\n{small}\n{failure(small) or error}"
