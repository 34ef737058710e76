"""Random programs, differentiated in each way and compared with differences of the primal.

`ADLSP_PROPERTY_PROGRAMS` sets how many programs of each sort are tried, `ADLSP_PROPERTY_FIRST` the
first seed. A failure shows the program as small as it could be made, and how to come back to it.
"""

import functools
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import oracle
import pytest
import random_programs
import shrinking

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "120"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))
SEEDS = range(FIRST, FIRST + N_PROGRAMS)

Run = Callable[[random_programs.Program], oracle.Verdict]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Checks a program in a module of its own; once, however often it is asked for."""
    folder: Path = tmp_path_factory.mktemp("programs")
    numbers = iter(range(10**9))

    @functools.cache
    def checked(program: random_programs.Program) -> oracle.Verdict:
        path = folder / f"program_{next(numbers)}.py"
        return oracle.run_program(
            path, program.text, program.wrt, program.outputs, program.points
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(folder / "cache"))
        patch.syspath_prepend(str(folder))
        yield checked
    for name in [name for name in sys.modules if name.startswith("program_")]:
        del sys.modules[name]
