"""Functions that call each other and change what they are given: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import oracle
import pytest
import recursing

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "60"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the modules of programs are, and the derivatives of them."""
    made: Path = tmp_path_factory.mktemp("recursing")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(made / "cache"))
        patch.syspath_prepend(str(made))
        yield made
    for name in [name for name in sys.modules if name.startswith("recursing_")]:
        del sys.modules[name]


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_or_refused(folder: Path, seed: int) -> None:
    text = recursing.write(seed)
    verdict = oracle.run_program(
        folder / f"recursing_{seed}.py", text, ("x",), (), (recursing.POINT,)
    )
    assert set(verdict.refused) <= {"AD302", "AD303", "late"}, text
