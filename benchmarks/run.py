"""Measures all workloads, prints the tables, and with `--write` puts them into README.md here.

Usage: python -m benchmarks.run [--write] [WORD ...], with words from the names of some workloads.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is imported: it is then that BLAS looks
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import sys
from pathlib import Path

from benchmarks import demonstrations, editing, reporting, workloads
from benchmarks.candidates import candidates
from benchmarks.measuring import medians

README = Path(__file__).parent / "README.md"


def main(arguments: list[str]) -> None:
    """Measures, prints, writes."""
    words = [a for a in arguments if a != "--write"]
    rows = []
    for workload in workloads.EVERY:
        for size in workload.sizes:
            title = workload.title(size)
            if not words or any(word.lower() in title.lower() for word in words):
                rows.append((title, medians(candidates(workload, size))))
                print(f"measured {title}", file=sys.stderr)
    parts = [reporting.ratios(rows)]
    if not words:
        parts += [demonstrations.touched(), demonstrations.recorded(), demonstrations.deriving()]
        parts += [demonstrations.lengths(), demonstrations.given()]
        parts += [demonstrations.dispatched(), editing.editing()]
    text = "\n\n".join([reporting.setting(), *parts])
    print(text)
    if "--write" in arguments:
        before, mark, _ = README.read_text("utf-8").partition("## Results\n")
        README.write_text(f"{before}{mark}\n{text}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
