"""Arrays of integers cut off the fractions of what is stored into them: that is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
import thinning

MAKERS = """
np.array([1, 2, 3]); np.arange(3); np.zeros_like(N); np.zeros(3, N.dtype); N.copy() * 2; N // 2;
np.bincount([0, 1, 2]); np.unique(N); np.select([N > 1], [N], 0); np.choose([0, 0, 0], [N]);
np.cross(N, N); np.indices((3,))[0]; np.ogrid[0:3]; np.unravel_index([0, 1, 2], (3,))[0].copy();
np.ediff1d(N, to_end=1); np.histogram([0.5, 1.5], 3)[0]; np.gcd(N, 2); np.resize(N, 3);
np.fromiter((i for i in range(3)), dtype=int); np.array([round(v) for v in x]);
np.vander(N)[0].copy(); np.block([N]); np.count_nonzero(np.eye(3), axis=0);
(x > 0).astype(int); np.searchsorted(x, x);
np.random.default_rng(0).permutation(3); np.lexsort((N,)); np.insert(N, 0, 4)[:3]; x.copy();
np.zeros(3); np.unique(x); np.resize(x, 3); np.block([x])
"""
"""What gives three integers, and at the end what gives floats."""

WAYS = {
    "set": "a[0] = y",
    "rows": "a = np.array([a, a])[1]\n    a[1:] = x[1:] * y",
    "like": "a = np.full_like(a, y)",
    "zeros": "a = np.zeros_like(a)\n    for i in range(2):\n        a[i] = y * i",
    "inserted": "a = np.insert(a, 0, y)[:3]",
}

PROGRAM = """
import numpy as np

N = np.array([1, 2, 3])


def f(y, x):
    a = {maker}
    {way}
    return np.sum(a * x)
"""


@pytest.mark.parametrize("way", WAYS)
def test_stores_are_right_or_refused(folder: Path, way: str) -> None:
    point = {"y": 1.4, "x": np.array([0.3, 0.7, 1.6])}
    makers = (each.strip() for each in MAKERS.split(";"))
    programs = [PROGRAM.format(maker=maker, way=WAYS[way]) for maker in makers]
    assert oracle.run_each(folder, f"integers {way}", programs, point) or not thinning.IS_WHOLE
