"""Functions of SciPy that are written in Python: right wherever they are not refused.

`ADLSP_PROPERTY_MODULES` names other modules, of whatever is installed, with commas between.
"""

import os
import warnings
from pathlib import Path

import numpy as np
import oracle
import packages
import pytest
import thinning

import adlsp

MODULES = os.environ.get(
    "ADLSP_PROPERTY_MODULES",
    "scipy.linalg._special_matrices,scipy.signal._waveforms,"
    "scipy.optimize._optimize,scipy.optimize._nonlin",
)

FUNCTIONS = [
    pytest.param(function, id=f"{module}.{name}")
    for module in filter(None, MODULES.split(","))
    for name, function in packages.functions(module)
]

N_POINTS = 2


@pytest.mark.parametrize("function", FUNCTIONS[:: thinning.STEP])
def test_the_derivatives_are_right(
    function: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(function)
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for point in packages.points(function, N_POINTS):
            try:
                oracle.run_function(function, packages.moved(point), (point,))
            except adlsp.DifferentiationError:  # what no argument leaves out is refused in a call
                continue
            except oracle.WrongError as error:
                pytest.fail(str(error))


def test_points_are_found_that_tell_something() -> None:
    checked = 0
    for _, function in packages.functions("scipy.signal._waveforms"):
        for point in packages.points(function, N_POINTS):
            checked += oracle.run_function(function, packages.moved(point), (point,)).checked
    assert checked >= 6
