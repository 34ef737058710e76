"""Programs with stacks of arrays: right for what their arguments are, and for whatever they are.

Of every third the second derivatives are checked, too. `ADLSP_PROPERTY_PROGRAMS` and
`ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import oracle
import pytest
import shrinking
import stacking
import twice

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

EXPLAINED = {"AD302", "AD303", "AD304", "late"}
"""How a program is refused in which memory has more than one name."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivatives_are_right(folder: Path, seed: int) -> None:
    program = stacking.write(seed)

    def failure(text: str, number: int) -> oracle.WrongError | None:
        path = folder / f"stacking_{seed}_{number}.py"
        try:
            verdict = oracle.run_program(path, text, program.wrt, (), program.points)
            if verdict.refused:  # for whatever arguments, and perhaps not for these
                verdict = oracle.run_called(path, text, program.wrt, program.points)
            elif seed % 3 == 0:
                verdict = twice.run_program(path, text, program.wrt, (), program.points)
            assert text != program.text or set(verdict.refused) <= EXPLAINED, verdict
        except oracle.WrongError as error:
            return error
        return None

    found = shrinking.smallest(program.text, failure)
    if found is not None:
        pytest.fail("\n".join((f"seed {seed}, wrt={program.wrt}", *map(str, found))))


def test_the_same_seed_gives_the_same_program() -> None:
    assert stacking.write(7).text == stacking.write(7).text
    assert len({stacking.write(seed).text for seed in range(20)}) == 20
