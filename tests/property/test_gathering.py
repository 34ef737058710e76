"""Programs with lists, tuples and slices that several functions hold and change: right, or refused.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import os
from pathlib import Path

import gathering
import oracle
import pytest

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "24"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

ACCEPTED = 0.3
"""How many programs are differentiated, at the least."""

MOST_SHOWN = 8


def test_derivatives_are_right_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    wrong: list[str] = []
    n_accepted = 0
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        program = gathering.write(seed)
        path, own = tmp_path / f"gathering_{seed}.py", program.text.removeprefix(gathering.HEAD)
        try:
            verdict = oracle.run_program(path, program.text, ("x",), (), (gathering.POINT,))
            n_accepted += not verdict.refused
        except oracle.WrongError as error:
            wrong.append(f"seed {seed}: {error.kind}\n{own}\n{error}")
    assert not wrong, "\n\n".join(wrong[:MOST_SHOWN])
    assert n_accepted >= ACCEPTED * N_PROGRAMS


def test_the_same_seed_gives_the_same_program() -> None:
    assert gathering.write(7) == gathering.write(7)
