"""Programs of the literate cases in a notebook: each statement in a cell of its own.

What the cells have is what the files have, and so is the derivative, but for what its texts are
called. Pages about names, calls, rules, and what functions change for others are taken.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import literate
import programs
import pytest

import adlsp
from adlsp.library import derivatives
from adlsp.library.asked import Asked
from adlsp.library.differentiated import subject_of
from adlsp.library.dispatch import text_of

PAGES = (
    "calls",
    "classes",
    "functions",
    "made",
    "mutation",
    "names",
    "inactive",
    "rules",
    "states",
)

OTHERWISE = {
    "All of NumPy's names": "a function of NumPy has one name in a program",
    "All names of a module of one's own": "a star makes variables of the session",
    "Functions that assignments put into a cache": "of two names for a thing one is used",
}
"""The cases whose derivative differs in names only, and why."""

CASES = [
    case
    for case in literate.cases()
    if case.page.stem in PAGES and case.check and not case.check.live
]


def statements(text: str) -> Iterator[str]:
    """Each top-level statement of a program, at its lines."""
    lines = text.split("\n")
    for node in ast.parse(text).body:
        decorators = getattr(node, "decorator_list", ())
        first = min([node.lineno, *(each.lineno for each in decorators)])
        yield "\n" * (first - 1) + "\n".join(lines[first - 1 : node.end_lineno]) + "\n"


def ran(text: str, module: str) -> dict[str, Any]:
    """What cells have that hold a statement each."""
    space: dict[str, Any] = {"__name__": module}
    for number, cell in enumerate(statements(text)):
        name = f"<cell {number}>"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        exec(compile(cell, name, "exec"), space)
    return space


@pytest.fixture(autouse=True)
def no_other_cells() -> Iterator[None]:
    linecache.clearcache()
    yield
    linecache.clearcache()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page.stem}: {case.title}")
def test_cells_are_differentiated_as_files_are(case: literate.Case, tmp_path: Path) -> None:
    assert case.check is not None
    with programs.written(case, tmp_path) as program:
        check, expected = case.check, program.derive(case.check, case.check.kind)
        try:
            space = ran(program.source.text, case.module)
        except Exception as error:  # as it is in a file
            pytest.skip(f"the program does not run: {error}")
        f = space[check.function.rpartition(".")[2]]
        try:
            asked = Asked(check.wrt, check.is_tuple, check.kind, check.outputs)
            study = derivatives.study(subject_of(f), asked)
            derivative = derivatives.derive(study, check.signature)
            if study.resolver.held_by_modules:
                derivative = derivatives.derive(study, text_of(study.resolver.held_by_modules))
        except adlsp.DifferentiationError:
            assert expected.source == ""
            return
    assert bool(derivative.source) == bool(expected.source), derivative.findings
    if case.title not in OTHERWISE:
        name = Path(case.main).name
        assert re.sub(r"<cell \d+>", name, derivative.source) == expected.source
