"""Programs whose modules hold functions with what they keep: right, or refused.

Before anything runs the text tells the same, byte for byte, wherever it tells enough.
`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

import difflib
import os
from pathlib import Path

import holding
import oracle

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "12"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

ACCEPTED, TOLD = 0.4, 0.7
"""How many programs are differentiated, and how many of these by their text alone, at the least."""

MOST_SHOWN = 8


def generic(path: Path, text: str) -> str:
    """The text of the derivative that a program has before it is called."""
    module = oracle.load(path, text)
    try:
        return adlsp.value_and_grad(module.f, wrt=("w",)).derivative.source
    except adlsp.DifferentiationError:
        return ""


def test_derivatives_are_right_or_refused(folder: Path) -> None:
    wrong: list[str] = []
    n_accepted = n_told = 0
    for seed in range(FIRST, FIRST + N_PROGRAMS):
        program = holding.write(seed)
        path, own = folder / f"holding_{seed}.py", program.text.removeprefix(holding.HEAD)
        try:
            live = generic(path, program.text)
            verdict = oracle.run_program(path, program.text, ("w",), (), (holding.POINT,))
            if verdict.refused or not verdict.checked:
                continue
            n_accepted += 1
            static = oracle.static(path, ("w",), (), optimize=True).source
            n_told += static == live
            if static and static != live and "=?" not in static:
                lines = difflib.unified_diff(static.split("\n"), live.split("\n"), lineterm="")
                told = "\n".join(lines)
                wrong.append(f"seed {seed}: the text tells otherwise\n{own}\n{told}")
        except oracle.WrongError as error:
            wrong.append(f"seed {seed}: {error.kind}\n{own}\n{error}")
    assert not wrong, "\n\n".join(wrong[:MOST_SHOWN])
    assert n_accepted >= ACCEPTED * N_PROGRAMS
    assert n_told >= TOLD * n_accepted


def test_the_same_seed_gives_the_same_program() -> None:
    assert holding.write(7) == holding.write(7)
