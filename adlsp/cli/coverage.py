"""`adlsp rules --coverage`: compares the rules with what TensorFlow's own tape differentiates."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import find_spec
from typing import Literal, get_args

from adlsp.cli.status import UsageError
from adlsp.transform.rules.table import Table

Word = Literal["rule", "missing", "constant", "untold"]
"""What is said of a name: it has a rule; only the tape differentiates it; a rule calls it constant,
though the tape has a gradient that is not zero; it took none of the arguments that were tried."""

WORDS = get_args(Word)


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one public name."""

    name: str
    word: Word


def rows(rules: Table, pattern: str) -> list[Row]:
    """Tells of each public name that is differentiated, by a rule or by the tape, or untold.

    Names whose result does not depend smoothly on arguments are left out.
    """
    if find_spec("tensorflow") is None:
        raise UsageError('TensorFlow is not installed here: `pip install "adlsp[tensorflow]"`')
    made = (_row(name, slope, rules) for slope, names in _probed(pattern) for name in names)
    found = (row for row in made if row is not None and fnmatchcase(row.name, pattern))
    return sorted(found, key=lambda row: row.name)


def _row(name: str, slope: str, rules: Table) -> Row | None:
    rule = rules.get(name)
    if rule is not None and rule.kind != "constant":
        return Row(name, "rule")
    if slope == "some":
        return Row(name, "missing" if rule is None else "constant")
    return Row(name, "untold") if slope == "unknown" and rule is None else None


def _probed(pattern: str) -> Iterator[tuple[str, list[str]]]:
    """What `probing.py` finds; where TensorFlow ends its process, another goes on behind that."""
    n_functions, n_tensors, is_over = 0, 0, False
    while not is_over:
        names: list[str] = []
        for line in _lines(pattern, n_functions, n_tensors):
            word, *rest = line.split()
            if word == "try":
                names = rest
            elif word == "next":
                n_tensors += 1
            else:
                yield word, names
                n_functions, n_tensors, names = n_functions + 1, 0, []
        is_over = not names
    if not n_functions:
        raise UsageError(f"no function of TensorFlow, as it is installed here, matches `{pattern}`")


def _lines(pattern: str, *numbers: int) -> Iterator[str]:
    command = [sys.executable, "-m", "adlsp.cli.probing", pattern, *map(str, numbers)]
    quiet = os.environ | {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=quiet
    ) as process:
        yield from process.stdout or ()
