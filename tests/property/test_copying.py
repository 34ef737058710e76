"""Programs whose containers and arrays change: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import copying
import oracle
import pytest
import shrinking
import typed
import typed_oracle

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "6"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "6"))

ACCEPTED = 0.6
"""How many programs are differentiated, at the least."""

MOST_SHRUNK = 3
"""So many wrong programs are shown as small as they can be made."""


def is_accepted(path: Path, program: typed.Program, text: str) -> bool:
    """Tells whether a program is differentiated at some point; raises WrongError where wrongly."""
    try:
        return typed_oracle.run_program(path, program, text).done["compared"] > 0
    except adlsp.DifferentiationError:
        return False


def test_derivatives_are_right_or_refused(folder: Path) -> None:
    wrong: list[typed.Program] = []
    n_accepted = 0
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        program = copying.write(seed)
        try:
            n_accepted += is_accepted(folder / f"copying_{seed}.py", program, program.text)
        except oracle.WrongError:
            wrong.append(program)
    if wrong:
        shown = (report(folder, program) for program in wrong[:MOST_SHRUNK])
        pytest.fail("\n\n".join((*shown, f"wrong seeds: {[p.seed for p in wrong]}")))
    assert n_accepted >= ACCEPTED * N_PROGRAMS


def report(folder: Path, program: typed.Program) -> str:
    """What goes wrong, for the smallest program found that goes wrong in the same way."""

    def failure(text: str, number: int) -> oracle.WrongError | None:
        try:
            is_accepted(folder / f"copying_{program.seed}_{number}.py", program, text)
        except oracle.WrongError as error:
            return error
        return None

    found = shrinking.smallest(program.text, failure)
    return "\n".join((f"seed {program.seed}, wrt={program.wrt}", *map(str, found or ())))


def test_the_same_seed_gives_the_same_program() -> None:
    assert copying.write(7).text == copying.write(7).text
    assert len({copying.write(seed).text for seed in range(20)}) == 20
