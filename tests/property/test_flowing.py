"""Values that come to a result in ways that are followed or not: right, or refused, always."""

from pathlib import Path

import flowing
import numpy as np
import oracle
import pytest

import adlsp

ACCEPTED = 40
"""How many programs are differentiated, at the least, of each way that has all flows."""

POINT = {"x": np.array([0.7, -0.6, 0.4])}


@pytest.mark.parametrize("way", list(flowing.WAYS))
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    wrong = []
    n_accepted = 0
    programs = [text for name, text in flowing.programs() if name.endswith(f"({way})")]
    for number, text in enumerate(programs):
        path = folder / f"flowing_{way.replace(' ', '_')}_{number}.py"
        try:
            verdict = oracle.run_program(path, text, ("x",), (), (POINT,))
            if verdict.refused:
                verdict = oracle.run_function(oracle.load(path, text).f, ("x",), (POINT,))
        except oracle.WrongError as error:
            wrong.append(f"{text}\n{error}")
            continue
        except adlsp.DifferentiationError:
            continue
        assert verdict.refused or verdict.checked, text
        n_accepted += not verdict.refused
    assert not wrong, "\n\n".join(wrong)
    assert n_accepted >= ACCEPTED or way not in flowing.TWICE
