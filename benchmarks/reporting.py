"""Tables of what was measured, in Markdown."""

from __future__ import annotations

import importlib.metadata
import math
import platform
from collections.abc import Sequence
from pathlib import Path

PEERS = ("JAX", "autograd")

Row = tuple[str, dict[str, float]]
"""The name of a workload, and the seconds that each candidate takes for a call."""


def ratios(rows: Sequence[Row]) -> str:
    """The table of all workloads."""
    peers = [peer for peer in PEERS if any(peer in times for _, times in rows)]
    head = ["workload", "primal", "gradient", "gradient / hand", "gradient / primal"]
    lines = [[*head, "hand / primal", *(f"{peer} / hand" for peer in peers)]]
    for name, times in rows:
        ours, hand, primal = times["adlsp"], times["hand"], times["primal"]
        cells = [f"{ours / hand:.2f}", f"{ours / primal:.2f}", f"{hand / primal:.2f}"]
        cells += [f"{times[p] / hand:.1f}" if p in times else "" for p in peers]
        lines.append([name, duration(primal), duration(ours), *cells])
    means = [_mean([line[i] for line in lines[1:]]) for i in (3, 4, 5)]
    lines.append(["geometric mean", "", "", *means, *[""] * len(peers)])
    return table(lines)


def table(lines: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; all columns but the first are numbers."""
    rule = ["---", *["--:"] * (len(lines[0]) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def setting() -> str:
    """What it was measured on, and with which versions."""
    versions = [f"Python {platform.python_version()}"]
    for package in ("numpy", "jax", "autograd"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"Measured on one core of {_processor()}, {', '.join(versions)}."


def _mean(cells: Sequence[str]) -> str:
    numbers = [float(cell) for cell in cells]
    return f"{math.exp(sum(map(math.log, numbers)) / len(numbers)):.2f}"


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
