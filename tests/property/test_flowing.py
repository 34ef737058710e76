"""Values that come to a result in ways that are followed or not: right, or refused, always."""

from pathlib import Path

import flowing
import numpy as np
import oracle
import pytest

ACCEPTED = 40
"""How many programs are differentiated, at the least, of each way that has all flows."""

POINT = {"x": np.array([0.7, -0.6, 0.4])}


@pytest.mark.parametrize("way", list(flowing.WAYS))
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    programs = [text for name, text in flowing.programs() if name.endswith(f"({way})")]
    n_accepted = oracle.run_each(folder, f"flowing {way}", programs, POINT)
    assert n_accepted >= ACCEPTED or way not in flowing.TWICE
