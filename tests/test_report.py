"""How findings look in a terminal, as lines and as JSON."""

from __future__ import annotations

import json
import os

import pytest
import said

from adlsp.lint import report
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix, Related, Severity
from adlsp.transform.source import Span

TEXT = ["def step(a, b):", "    np.add(a, b, out=a)", "\ty = 'é漢\x1b[2J' + x", "x" * 500]


def found(
    line: int, column: int, end_column: int, severity: Severity = Severity.ERROR, **more: object
) -> Diagnostic:
    span = Span(os.path.abspath("pkg/a.py"), line, column, line, end_column)
    data = {"function": "step", **more}
    return Diagnostic(
        said.finding("AD301", "out-argument", severity, "`np.add` writes"), span, **data
    )


def text(_: str, line: int) -> str | None:
    return TEXT[line - 1] if line <= len(TEXT) else None


OUT = found(
    2,
    18,
    23,
    related=(Related(Span(os.path.abspath("pkg/a.py"), 1, 10, 1, 11), "`a` became active here"),),
    fix=Fix("assign the result", (Edit(Span("pkg/a.py", 2, 5, 2, 5), "a = "),)),
)


def test_a_block_shows_the_line_the_carets_and_the_notes() -> None:
    assert report.full([OUT], text, report.PLAIN) == (
        f"{os.path.join('pkg', 'a.py')}:2:18: AD301 error: `np.add` writes\n"
        "  |\n"
        "2 |     np.add(a, b, out=a)\n"
        "  |                  ^^^^^\n"
        f"  = note: {os.path.join('pkg', 'a.py')}:1:10: `a` became active here\n"
        "  = help: assign the result (`--fix`)\n"
        "\n"
        "Found 1 error (1 fixable with `--fix`).\n"
    )


def rows(diagnostic: Diagnostic) -> tuple[str, str]:
    _, _, shown, carets, *_ = report.full([diagnostic], text, report.PLAIN).split("\n")
    return shown.partition("| ")[2], carets.partition("| ")[2]


def test_tabs_wide_characters_and_escapes_keep_the_carets_in_place() -> None:
    shown, carets = rows(found(3, 8, 9))
    assert shown == "\ty = 'é漢\ufffd[2J' + x"
    assert carets == "\t      ^^"
    assert rows(found(3, 17, 18))[1] == "\t" + " " * 16 + "^"


def test_a_long_line_is_cut_around_the_finding() -> None:
    shown, carets = rows(found(4, 300, 305))
    assert len(shown) <= report.WIDEST + 2
    assert shown.startswith("…")
    assert shown.endswith("…")
    start = carets.index("^")
    assert shown[start : start + 5] == "xxxxx"
    assert carets.count("^") == 5


def test_a_finding_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    span = Span("a.py", 1, 5, 2, 3)
    diagnostic = Diagnostic(said.finding("AD401"), span)
    assert rows(diagnostic)[1] == "    " + "^" * len("step(a, b):")


def test_an_empty_range_and_a_missing_line() -> None:
    assert rows(found(1, 1, 1))[1] == "^"
    assert report.full([found(9, 1, 2)], text, report.PLAIN).count("\n") == 3


def test_concise_is_one_line_each() -> None:
    path = os.path.join("pkg", "a.py")
    assert report.concise([OUT, found(1, 1, 2, Severity.WARNING)]) == (
        f"{path}:2:18: AD301 error: `np.add` writes\n{path}:1:1: AD301 warning: `np.add` writes\n"
    )
    assert report.concise([]) == ""


def test_json_has_the_promised_keys() -> None:
    assert json.loads(report.as_json([OUT, found(1, 1, 2, function=None)])) == [
        {
            "code": "AD301",
            "name": "out-argument",
            "severity": "error",
            "message": "`np.add` writes",
            "path": os.path.join("pkg", "a.py"),
            "start": {"line": 2, "column": 18},
            "end": {"line": 2, "column": 23},
            "function": "step",
            "fix": {
                "title": "assign the result",
                "applicability": "safe",
                "edits": [
                    {
                        "start": {"line": 2, "column": 5},
                        "end": {"line": 2, "column": 5},
                        "text": "a = ",
                    }
                ],
            },
        },
        {
            "code": "AD301",
            "name": "out-argument",
            "severity": "error",
            "message": "`np.add` writes",
            "path": os.path.join("pkg", "a.py"),
            "start": {"line": 1, "column": 1},
            "end": {"line": 1, "column": 2},
            "function": None,
            "fix": None,
        },
    ]
    assert json.loads(report.as_json([])) == []


@pytest.mark.parametrize(
    ("severities", "sentence"),
    [
        ("e", "Found 1 error."),
        ("eee", "Found 3 errors."),
        ("ew", "Found 1 error and 1 warning."),
        ("wwii", "Found 2 warnings and 2 notes."),
        ("ewi", "Found 1 error, 1 warning and 1 note."),
    ],
)
def test_the_summary_counts(severities: str, sentence: str) -> None:
    by_letter = {severity.value[0]: severity for severity in Severity}
    assert report.summary([found(1, 1, 2, by_letter[s]) for s in severities]) == sentence


@pytest.mark.parametrize(
    ("counts", "n_found", "sentence"),
    [
        ((0, 0, 0), 0, "No function to check: nothing here is passed to `adlsp.grad` and its "),
        ((4, 0, 0), 0, "All checks passed: 4 functions checked."),
        ((1, 2, 0), 0, "All checks passed: 1 function checked, 2 could not be resolved."),
        ((0, 2, 0), 0, "Nothing was checked: 2 could not be resolved."),
        ((0, 0, 1), 0, "Nothing was checked: 1 notebook was not checked."),
        ((2, 0, 3), 0, "All checks passed: 2 functions checked, 3 notebooks were not checked."),
        ((4, 2, 0), 1, "Found 1 error: 4 functions checked, 2 could not be resolved."),
    ],
)
def test_the_summary_says_what_was_checked(
    counts: tuple[int, int, int], n_found: int, sentence: str
) -> None:
    diagnostics = [found(1, 1, 2)] * n_found
    assert report.summary(diagnostics, report.Counts(*counts)).startswith(sentence)


def test_statistics() -> None:
    other = Diagnostic(said.finding("AD103", "no-rule"), Span("", 1, 1, 1, 1))
    assert report.statistics([other, OUT, OUT]) == (
        "    2  AD301  out-argument  (some fixable)\n    1  AD103  no-rule\n"
    )
    assert json.loads(report.statistics_as_json([other])) == [
        {"count": 1, "code": "AD103", "name": "no-rule", "fixable": False}
    ]


@pytest.mark.parametrize(
    ("is_terminal", "environment", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "0"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_when_to_color(is_terminal: bool, environment: dict[str, str], expected: bool) -> None:
    assert report.wants_color(is_terminal, environment) is expected


def test_color_changes_nothing_but_the_color() -> None:
    plain = report.full([OUT], text, report.PLAIN)
    colored = report.full([OUT], text, report.COLORS)
    assert "\x1b[1;31m" in colored
    for code in {*report.COLORS.values(), "\x1b[0m"}:
        colored = colored.replace(code, "")
    assert colored == plain


def test_paths_are_relative_below_the_current_folder() -> None:
    assert report.shown_path(os.path.abspath("a.py")) == "a.py"
    above = os.path.abspath(os.path.join(os.pardir, "a.py"))
    assert report.shown_path(above) == above
