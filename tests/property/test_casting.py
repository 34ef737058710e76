"""Programs in which real numbers become complex and complex ones real: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import casting
import oracle
import pytest
import shrinking
import typed_oracle

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

pytestmark = pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")

REFUSED = {"AD203", "AD301", "AD304"}
"""How a program is refused that stores into parts of complex numbers, or by `casting=`."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_or_refused(folder: Path, seed: int) -> None:
    program = casting.write(seed)

    def failure(text: str, number: int) -> oracle.WrongError | None:
        path = folder / f"casting_{seed}_{number}.py"
        try:
            typed_oracle.run_program(path, program, text, drops_parts=True)
        except oracle.WrongError as error:
            return error
        except adlsp.DifferentiationError as error:
            if text == program.text and not {found.code for found in error.findings} <= REFUSED:
                raise
        return None

    found = shrinking.smallest(program.text, failure)
    if found is not None:
        pytest.fail("\n".join((f"seed {seed}, wrt={program.wrt}", *map(str, found))))


def test_the_same_seed_gives_the_same_program() -> None:
    assert casting.write(7).text == casting.write(7).text
    assert len({casting.write(seed).text for seed in range(20)}) == 20
