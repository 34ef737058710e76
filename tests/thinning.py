"""Which of many checks a run of the tests makes: always the same, and all of them by `make fuzz`.

A part of a product, or a sample that is much like the one before it, seldom finds what the others
do not, and the tests are to be done well within an hour on two processors.
"""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Iterable

IS_WHOLE = "ADLSP_PROPERTY_PROGRAMS" in os.environ
"""Whether all checks are made."""

STEP = 1 if IS_WHOLE else 2
"""Of samples that are much alike, each how many is tried."""

FEW = 12
"""So many programs of one test are tried at the least."""


def number(text: str) -> int:
    """A number as by chance, the same for one text."""
    return zlib.crc32(text.encode())


def is_tried(text: str, one_in: int) -> bool:
    """Tells whether a check is made of which one in so many are made."""
    return IS_WHOLE or number(text) % one_in == 0


def some(programs: Iterable[str]) -> list[str]:
    """The programs of a product that are tried: a fourth, or all if they are few."""
    every = sorted(programs, key=number)
    return every if IS_WHOLE else every[: max(FEW, len(every) // 4)]


def pairs(ones: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of which every second one is tried, and each member with some."""
    numbered = itertools.product(enumerate(ones), enumerate(others))
    return [(one, other) for (i, one), (j, other) in numbered if (i + j) % STEP == 0]
