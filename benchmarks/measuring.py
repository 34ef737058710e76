"""Times of some functions beside each other: in turn, so that what slows one slows all.

Time is what the processor spent on this process, on all its threads: other programs that run
meanwhile count as little as can be. A sample is the mean over a batch of calls that takes a few
milliseconds; the time of a function is the median of its samples. Programs that change their
arguments get fresh copies for each call, which are made before the clock starts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

Key = TypeVar("Key")

SAMPLES = 31
SAMPLE_SECONDS = 0.004


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function to be measured, and the arguments for one call of it."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    is_changing: bool = False


def medians(candidates: dict[Key, Candidate], samples: int = SAMPLES) -> dict[Key, float]:
    """Seconds for one call of each candidate."""
    sizes = {name: _batch_size(candidate) for name, candidate in candidates.items()}
    seconds: dict[Key, list[float]] = {name: [] for name in candidates}
    for _ in range(samples):
        for name, candidate in candidates.items():
            seconds[name].append(_sample(candidate, sizes[name]))
    return {name: statistics.median(found) for name, found in seconds.items()}


def _batch_size(candidate: Candidate) -> int:
    _sample(candidate, 2)
    return max(1, min(2000, int(SAMPLE_SECONDS / _sample(candidate, 3))))


def _sample(candidate: Candidate, n: int) -> float:
    """Seconds for one call, as the mean over `n` calls."""
    function, keywords = candidate.function, candidate.keywords
    batch = [candidate.arguments] * n
    if candidate.is_changing:
        batch = [_copied(candidate.arguments) for _ in range(n)]
    start = time.process_time()
    for arguments in batch:
        function(*arguments, **keywords)
    return (time.process_time() - start) / n


def _copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)
