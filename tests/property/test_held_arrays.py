"""Arrays in elements of a container, which change by a name for the element: right, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
import thinning

ELEMENTS = {
    "dictionary": ("{'p': x[%s] * s, 'k': x[%s, 1]}", "E['p']", "E['k']"),
    "list": ("[x[%s] * s, x[%s, 1]]", "E[0]", "E[1]"),
    "object": ("Held(x[%s] * s, x[%s, 1])", "E.p", "E.k"),
    "nested": ("{'p': [x[%s] * s], 'k': x[%s, 1]}", "E['p'][0]", "E['k']"),
    "within": ("Held({'w': x[%s] * s}, x[%s, 1])", "E.p['w']", "E.k"),
}
"""How an element is made, and its array and its number."""

HOLDERS = {
    "made": ("c = [%s for i in range(3)]", "i"),
    "filled": ("c = []\n    for i in range(3):\n        c.append(%s)", "i"),
    "shared": ("one = %s\n    c = [one, one, one]", "1"),
    "copied": ("d = [%s for i in range(3)]\n    c = list(d)\n    c[0] = d[2]", "i"),
}

WAYS = {
    "loop": "for E in c:\n        ",
    "counted": "for i in range(3):\n        E = c[i]\n        ",
    "part": "for E in c[1:]:\n        ",
    "pairs": "for D, E in itertools.combinations(c, 2):\n        ",
    "one": "E = c[1]\n    ",
    "twice": "for _ in range(2):\n        for E in reversed(c):\n            ",
}

CHANGES = (
    "A[0] = K * s",
    "A[1] *= s",
    "A[:] = A * K",
    "A *= K",
    "A[A > 0.5] = s",
    "change(A, s)",
    "K = K * s + A[0]",
    "A += c[0] if isinstance(c[0], np.ndarray) else s",
    "change(E, s)",
    "q = A; q[0] = K",
)

TEXT = """
import itertools
import numpy as np


class Held:
    def __init__(self, p, k):
        self.p, self.k = p, k


def change(given, s):
    {}


def f(x, s):
    {}
    {}{}
    return sum((i + 1) * np.sum({} ** 2) * {} for i, E in enumerate(c))
"""

POINT = {"x": np.array([[0.4, 1.7], [-0.3, 0.9], [1.1, 0.6]]), "s": 1.3}

ACCEPTED = 2
"""How many programs are not refused of each sort of element that no container holds twice."""


@pytest.mark.parametrize(("kind", "holder"), thinning.pairs(ELEMENTS, HOLDERS))
def test_derivatives_are_right_or_refused(folder: Path, kind: str, holder: str) -> None:
    element, array, number = ELEMENTS[kind]
    made, index = HOLDERS[holder]
    programs = [
        TEXT.format(
            (array if "(E" in change else "E").replace("E", "given") + "[0] = s",
            made % element.replace("%s", index),
            way,
            change.replace("A", array).replace("K", number),
            array,
            number,
        )
        for way in [*WAYS.values()][[*HOLDERS].index(holder) % 2 :: 2]
        for change in CHANGES
        if kind != "list" or "(E" not in change  # an error for whatever arguments
    ]
    n_accepted = oracle.run_each(folder, f"held {kind} {holder}", programs, POINT, ("x", "s"))
    assert n_accepted >= ACCEPTED or holder in ("shared", "copied")
