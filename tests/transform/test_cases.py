"""Each literate case of `tests/cases`: its findings, its text, its map, its numbers, both ways.

What is written before optimizing has the right numbers, too: it is asked of every third case. For
what the arguments are at its points every second case is derived, and every second of those that
ask for second derivatives has them checked (`thinning.py`).

With ADLSP_UPDATE=1 in the environment the expected texts are written instead of compared; all else
is checked all the same.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import literate
import programs
import pytest
import thinning
from literate import Case, Check
from programs import Program

import adlsp
from adlsp.library import derivatives
from adlsp.library.differentiated import Differentiated
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative
from adlsp.transform.diagnostics import catalogue
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import resolve
from adlsp.transform.source import packaged

UPDATE = bool(os.environ.get("ADLSP_UPDATE"))
CASES = literate.cases()

IN_PYTHON = packaged(resolve.IN_PYTHON).lines
"""The text that has functions of NumPy in Python, which is no file of a case."""
LIVE = {"grad": adlsp.grad, "value_and_grad": adlsp.value_and_grad, "vjp": adlsp.vjp}


def label(case: Case) -> str:
    return f"{case.page.stem}: {case.title}"


def _file(path: Path, folder: Path) -> str:
    """The file of a line: one of the program's, or that which has NumPy's functions in Python."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


def golden(program: Program, derivative: Derivative) -> str:
    """The text of a derivative, each line ending in the line of the primal that it maps to."""
    lines = derivative.source.splitlines()
    width = max(len(line) for line in lines)
    origins = {mapped.line: mapped.primal for mapped in derivative.source_map}
    shown = []
    for number, line in enumerate(lines, 1):
        origin = origins.get(number)
        file = "" if origin is None else _file(Path(origin.path), program.folder)
        place = "" if file == program.case.main else f"{file}:"
        end = "" if origin is None else f"  # {place}{origin.line}"
        shown.append(f"{line:{width if end else 0}}{end}\n")
    return "".join(shown)


def check_findings(program: Program, found: tuple[Diagnostic, ...]) -> None:
    """The findings are those that are marked: no more, no fewer, each at its range."""
    places = []
    for one in found:
        span = one.span
        assert span.line == span.end_line, f"{one.code} spans several lines"
        file = Path(span.path).relative_to(program.folder).as_posix()
        places.append((file, span.line, span.column, span.end_column, one.code, one.name))
        text = program.case.files[[name for name, _ in program.case.files].index(file)][1]
        assert "\n" not in one.message
        assert all(related.span.line <= text.count("\n") for related in one.related)
    assert sorted(places) == program.case.findings()


def check_map(program: Program, derivative: Derivative) -> None:
    """Each line of a function maps to a place that exists, and each maps once."""
    mapped = [line.line for line in derivative.source_map]
    assert mapped == sorted(set(mapped))
    files = {program.folder / name: text.splitlines() for name, text in program.case.files}
    for line in derivative.source_map:
        lines = files.get(Path(line.primal.path), IN_PYTHON)
        assert 1 <= line.primal.line <= line.primal.end_line <= len(lines)
        assert 1 <= line.primal.column <= len(lines[line.primal.line - 1])
        assert line.primal.end_column <= len(lines[line.primal.end_line - 1]) + 1
    told = {
        line
        for function in ast.parse(derivative.source).body
        if isinstance(function, ast.FunctionDef)
        for line in range(function.body[0].lineno, (function.body[0].end_lineno or 0) + 1)
    }
    for number, text in enumerate(derivative.source.splitlines(), 1):
        if number not in told and re.match(r" +[^ #]", text):
            assert number in mapped, f"`{text}` comes from nowhere"


def check_live(program: Program, check: Check, derivative: Derivative) -> None:
    """The live way gives the same text, for whatever arguments and for what they are at each point.

    Or it refuses with the same findings, but those that some arguments would take back.
    """
    function = programs.primal_of(program.case, check)
    wrt = check.wrt if check.is_tuple else check.wrt[0]
    make = LIVE[check.kind]
    if not derivative.source:
        with pytest.raises(adlsp.DifferentiationError) as refused:
            assert make(function, wrt, outputs=check.outputs).derivative
        told = refused.value.findings
        assert told
        assert told == tuple(d for d in derivative.findings if d.blocks and d in told)
        return
    made = make(function, wrt, outputs=check.outputs)
    if not check.signature:
        check_same(made.derivative, derivative)
    points = check.points if thinning.is_tried(f"called {program.case.title}", 2) else ()
    for point in points:
        programs.check_called(program, check, point, made, derivative)
        live = made.derivative
        asked = replace(derivative.request, signature=live.request.signature)
        check_same(live, program.derivative(asked))
        check_remembered(made)


def check_remembered(made: Differentiated) -> None:
    """A later run knows the derivative by what it asks of the program, without the engine."""
    study = derivatives.study(made._subject, made._asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(engine, "derive")
        assert derivatives.derive(study, made.derivative.request.signature) == made.derivative


def check_same(live: Derivative, derivative: Derivative) -> None:
    """Two ways give the same derivative."""
    assert live.source == derivative.source
    assert live.source_map == derivative.source_map
    assert live.findings == derivative.findings


def check_root(program: Program, check: Check) -> None:
    """The text asks for the derivative, where no name of the module leads to the function."""
    found = engine.roots(program.source, program.resolver)
    wanted = program.request(check, check.kind)
    assert (wanted.function, wanted.wrt) in {(r.request.function, r.request.wrt) for r in found}


@pytest.mark.parametrize("case", CASES, ids=label)
def test_case(case: Case, tmp_path: Path) -> None:
    with programs.written(case, tmp_path) as program:
        check = case.check
        if check is None:
            everything = "import adlsp" not in program.source.text
            found = engine.check(program.source, program.resolver, everything)
            check_findings(program, found)
            assert case.golden is None
            return
        derivative = program.derive(check, check.kind)
        if check.live is not None:
            check_root(program, check)
        check_findings(program, derivative.findings)
        assert bool(derivative.source) == (not any(d.blocks for d in derivative.findings))
        if not derivative.source:
            assert case.golden is None
            assert not check.points
            check_live(program, check, derivative)
            return
        assert check.points, "no point to check the numbers at"
        text = golden(program, derivative)
        if not UPDATE:
            assert text == case.golden
        check_map(program, derivative)
        programs.check_numbers(program, check, optimize=True)
        if thinning.is_tried(case.title, 3):
            programs.check_numbers(program, check, optimize=False)
        if check.order == 2 and thinning.is_tried(f"twice {case.title}", 2):
            programs.check_second_order(program, check)
        check_live(program, check, derivative)
        if UPDATE and text != case.golden:
            literate.update(case, text)


ELSEWHERE = {"AD113", "AD900", "AD901"}
"""Findings about ourselves, and one that takes thousands of lines (`test_large.py`)."""


def test_each_kind_of_finding_has_a_case() -> None:
    raised = {code for case in CASES for *_, code, _ in case.findings()}
    assert raised == set(catalogue.kinds()) - ELSEWHERE


def test_titles_are_used_once() -> None:
    labels = [label(case) for case in CASES]
    assert sorted(set(labels)) == sorted(labels)


def test_expected_texts_are_clean(tmp_path: Path) -> None:
    """A linter finds no unused import, no undefined name, and no unused variable but the user's."""
    texts = {f"case_{n}.py": case for n, case in enumerate(CASES) if case.golden is not None}
    for name, case in texts.items():
        (tmp_path / name).write_text(case.golden or "", "utf-8")
    options = ["--isolated", "--no-cache", "--select=E9,F", "--output-format=json"]
    command = [sys.executable, "-m", "ruff", "check", *options, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    told = []
    for problem in json.loads(done.stdout):
        case = texts[Path(problem["filename"]).name]
        variable = re.search("`(.+)`", problem["message"])
        users = variable is not None and f"{variable[1]} = " in case.files[0][1]
        if not (problem["code"] == "F841" and users):
            told.append(f"{label(case)}: {problem['message']}")
    assert told == []
