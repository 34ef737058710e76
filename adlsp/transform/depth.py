"""Room for recursion: a long sum is a deep tree, and trees are walked by functions that recurse.

Python's own limit is meant for programs that recurse by mistake. What is nested deeper than this
room allows for is not read (`frontend/modules.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

CALLS = 10_000
"""How many calls may be under way at once."""


@contextmanager
def room() -> Iterator[None]:
    """Lets calls be nested deeper for a while; also a decorator."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
