"""Programs with loops over iterators, with lists, and with several returns: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path
from types import ModuleType

import gathering
import leaving
import looping
import oracle
import pytest

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "6"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

WRITERS = {looping: 0.5, gathering: 0.3, leaving: 0.6}
"""What writes programs, and how many of these are differentiated, at the least."""

MOST_SHOWN = 8


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_derivatives_are_right_or_refused(
    writer: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    wrong: list[str] = []
    n_accepted = 0
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        program = writer.write(seed)
        path, own = (
            tmp_path / f"{writer.__name__}_{seed}.py",
            program.text.removeprefix(writer.HEAD),
        )
        try:
            verdict = oracle.run_program(path, program.text, ("x",), (), (writer.POINT,))
            n_accepted += not verdict.refused
        except oracle.WrongError as error:
            wrong.append(f"seed {seed}: {error.kind}\n{own}\n{error}")
    assert not wrong, "\n\n".join(wrong[:MOST_SHOWN])
    assert n_accepted >= WRITERS[writer] * N_PROGRAMS


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_the_same_seed_gives_the_same_program(writer: ModuleType) -> None:
    assert writer.write(7) == writer.write(7)
