"""Arrays that change in ways, or by names, that are followed or not: right, or refused."""

from pathlib import Path
from typing import Any

import altering
import numpy as np
import oracle
import pytest

import adlsp

REFUSED = {"of a module", "captured"}
"""The ways that are refused for each change that the result depends on."""

ACCEPTED = 6
"""How many programs of each other way are differentiated, at the least."""

POINT = {"x": np.array([0.7, -0.6, 0.4])}


def check(folder: Path, name: str, programs: list[str], point: dict[str, Any]) -> int:
    """Checks the derivatives of programs; tells how many are not refused."""
    wrong = []
    n_accepted = 0
    for number, text in enumerate(programs):
        path = folder / f"altering_{name.replace(' ', '_')}_{number}.py"
        (wrt, *_) = point
        try:
            verdict = oracle.run_program(path, text, (wrt,), (), (point,))
            if verdict.refused:
                verdict = oracle.run_function(oracle.load(path, text).f, (wrt,), (point,))
        except oracle.WrongError as error:
            wrong.append(f"{text}\n{error}")
            continue
        except adlsp.DifferentiationError:
            continue
        assert verdict.refused or verdict.checked, text
        n_accepted += not verdict.refused
    assert not wrong, "\n\n".join(wrong)
    return n_accepted


@pytest.mark.parametrize("way", list(altering.WAYS))
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    programs = [text for name, text in altering.programs() if name.endswith(f"({way})")]
    n_accepted = check(folder, way, programs, POINT)
    assert (n_accepted >= ACCEPTED) == (way not in REFUSED)


@pytest.mark.parametrize("way", list(altering.KEPT))
def test_what_was_read_before_is_kept(folder: Path, way: str) -> None:
    assert check(folder, f"kept {way}", altering.kept(way), {"z": POINT["x"]}) >= ACCEPTED


@pytest.mark.parametrize("way", list(altering.OF_VIEWS))
def test_what_changes_by_another_name_is_followed_or_refused(folder: Path, way: str) -> None:
    check(folder, f"seen {way}", altering.seen(way), POINT)
