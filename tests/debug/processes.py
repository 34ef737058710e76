"""The processes that a session has started, to see that none stays behind. Linux only."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

only_linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")


def descendants(pid: int) -> list[int]:
    """All processes below one, parents first."""
    try:
        tasks = [task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    found = [int(child) for task in tasks for child in task.split()]
    return found + [pid for child in found for pid in descendants(child)]


def is_alive(pid: int) -> bool:
    """Tells whether a process runs: one that has ended and waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def survivors(pids: list[int], patience: float = 20) -> list[int]:
    """Which of the processes still run after a while."""
    end = time.monotonic() + patience
    while (alive := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < end:
        time.sleep(0.02)
    return alive
