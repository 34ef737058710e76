"""Functions of NumPy and SciPy of lists and tuples of active numbers: as of the array of these."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest

CALLS = """
np.tril([x[0], x[1] * s, x[2]]); np.triu([[s, x[0]], [x[1], x[2]]], 1)
np.multiply.accumulate([x[0], x[1] * s, x[2]]); np.maximum.accumulate((x, x * s))
np.minimum.accumulate([x, x * s]); np.partition([x[0], x[1] * s, x[2]], 1)
np.heaviside([x[0], s], 0.5) * s; np.divmod([x[0], x[1] * s, x[2]], 0.3)[1]
np.gradient([x[0], x[1] * s, x[2]]); np.polyval([x[0], x[1] * s, x[2]], s)
np.histogram([0.1, 0.4, 0.9], 2, weights=[x[0], x[1] * s, x[2]])[0]
np.linalg.matrix_power([[1.0, s], [x[0], 3.0]], 3); scipy.linalg.expm([[0.0, s], [x[0], 0.0]])
scipy.special.xlogy([x[0], s], [s, 0.4]); scipy.spatial.distance.cdist([x], [[s, 1.0, x[0]]])
scipy.spatial.distance.euclidean([x[0], s], (1.0, x[1])); np.cumsum([x[0], s]); np.sort([x, x * s])
scipy.stats.multivariate_normal.logpdf([x[0], s], [x[1], 0.3], [[2.0, 0.1], [0.1, 1.0]])
"""

HEAD = """
import numpy as np
import scipy.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats


def f(x, s):
    y = {}
    return np.sum(y * np.cos(y))
"""


EVERY = [each.strip() for each in CALLS.replace("\n", ";").split(";") if each.strip()]


@pytest.mark.parametrize("call", EVERY)
def test_the_derivatives_are_right(folder: Path, call: str) -> None:
    path = folder / f"listed_{EVERY.index(call)}.py"
    point = {"x": np.array([0.31, 0.62, 0.85]), "s": 0.55}
    assert oracle.run_called(path, HEAD.format(call), ("x", "s"), (point,)) == oracle.Verdict((), 1)
