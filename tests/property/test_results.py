"""Stores into what functions with rules give, of every function: differentiated, or refused.

A result that is new can be changed freely. `ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` say
how many programs are tried, as in `test_programs.py`; samples are taken in turn.
"""

import os
import random
from pathlib import Path

import oracle
import pytest
import results

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "90"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

SHARED = {"AD302", "AD303", "late"}
"""How a program is refused in which a store may change more than one name."""

UNSUPPORTED = {"AD104", "AD203"}
"""How one is in which an argument is of interest that the rule takes as given; of a method nobody
knows whose it is."""


def programs() -> dict[str, results.Program]:
    """The programs of some seeds; first those with results that are arguments."""
    samples = results.samples()
    random.Random(1).shuffle(samples)
    samples = [*results.SPECIAL, *samples]
    found = {}
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        name, call = samples[seed % len(samples)]
        try:
            found[f"{seed}-{name}"] = results.write(name, call, seed)
        except results.Unwritten:
            continue
    return found


PROGRAMS = programs()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("which", PROGRAMS)
def test_the_derivative_is_right_or_refused(folder: Path, which: str) -> None:
    program = PROGRAMS[which]
    path = folder / f"result_{which.partition('-')[0]}.py"
    verdict = oracle.run_program(path, program.text, program.wrt, (), (program.point,))
    if UNSUPPORTED.isdisjoint(verdict.refused):
        assert set(verdict.refused) <= (set() if program.is_new else SHARED), program.text


def test_most_programs_can_be_written() -> None:
    assert len(PROGRAMS) >= 0.9 * N_PROGRAMS
    assert sum(program.is_new for program in PROGRAMS.values()) >= 0.5 * len(PROGRAMS)
