"""What classes hold for all of their objects, and what changes it: right, or refused."""

from pathlib import Path

import belonging
import numpy as np
import oracle
import pytest

POINT = {"x": np.array([0.7, -0.6, 0.4])}


@pytest.mark.parametrize("way", list(belonging.WAYS))
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    oracle.run_each(folder, f"belonging {way}", belonging.programs(way), POINT)


@pytest.mark.parametrize("way", list(belonging.KEPT))
def test_what_was_read_before_is_kept(folder: Path, way: str) -> None:
    programs = belonging.kept(way)
    assert oracle.run_each(folder, f"belonging kept {way}", programs, POINT) == len(programs)
