"""Arrays of no interest that are overwritten between two reads: right, or refused.

What has one name and is overwritten in the function itself is never refused.
`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import oracle
import overwriting
import pytest

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "20"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_or_refused(folder: Path, seed: int) -> None:
    program = overwriting.write(seed)
    path = folder / f"overwriting_{seed}.py"
    verdict = oracle.run_program(path, program.text, ("x",), (), (overwriting.POINT,))
    allowed = set() if program.is_alone else {"AD301", "AD302", "AD303", "late"}
    assert set(verdict.refused) <= allowed, program.text
