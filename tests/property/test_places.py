"""Elements that are read and set in loops: what is not saved is not needed, nor by second ones.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import numpy as np
import oracle
import places
import pytest
import twice

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "20"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivatives_are_right(folder: Path, seed: int) -> None:
    check = twice.run_program if seed % 4 == 0 else oracle.run_program
    point = {"x": np.array(places.POINT)}
    verdict = check(folder / f"places_{seed}.py", places.write(seed), ("x",), (), (point,))
    assert not verdict.refused
