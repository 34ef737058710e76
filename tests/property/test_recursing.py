"""Functions that call each other and change what they are given: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import oracle
import pytest
import recursing

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "24"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_or_refused(folder: Path, seed: int) -> None:
    text = recursing.write(seed)
    verdict = oracle.run_program(
        folder / f"recursing_{seed}.py", text, ("x",), (), (recursing.POINT,)
    )
    assert set(verdict.refused) <= {"AD302", "AD303", "late"}, text
