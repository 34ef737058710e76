"""Comments that suppress findings, and those that suppress nothing."""

from __future__ import annotations

import pytest
import said

from adlsp.lint import fix, suppress
from adlsp.transform.diagnostics.catalogue import kinds
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.source import Source, Span


def found(code: str, line: int, end_line: int = 0) -> Diagnostic:
    kind = kinds()[code]
    span = Span("a.py", line, 1, end_line or line, 2)
    return Diagnostic(said.finding(code, kind.name, kind.severity), span)


def suppressed(text: str, *diagnostics: Diagnostic) -> list[str]:
    comments = suppress.suppressions(Source("a.py", "a", text))
    kept = suppress.unsuppressed(diagnostics, comments)
    return [d.code for d in diagnostics if d not in kept]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1  # adlsp: ignore", ["AD301", "AD401"]),
        ("x = 1  # adlsp: ignore[AD301]", ["AD301"]),
        ("x = 1  # adlsp: ignore[AD301, AD401]", ["AD301", "AD401"]),
        ("x = 1  #adlsp:ignore [AD301 AD401] on purpose", ["AD301", "AD401"]),
        ("x = 1  # noqa  # adlsp: ignore[AD401]", ["AD401"]),
        ("x = 1  # adlsp: ignore[AD3]", []),
        ("x = 1  # adlsp: ignored", []),
        ("x = 1  # adlsp ignore", []),
        ("\nx = 1  # adlsp: ignore", []),
        ("x = '# adlsp: ignore'", []),
        ("x = '''\n''' # adlsp: ignore", []),
        ("x = '# adlsp: ignore'  # adlsp: ignore[AD301]", []),
        ("x = (  # adlsp: ignore", ["AD301", "AD401"]),
    ],
)
def test_comments(text: str, expected: list[str]) -> None:
    assert suppressed(text, found("AD301", 1), found("AD401", 1)) == expected


def test_a_comment_on_the_last_line_of_a_finding_counts() -> None:
    text = "x = f(\n    1,\n)  # adlsp: ignore"
    assert suppressed(text, found("AD103", 1, 3), found("AD103", 1, 2)) == ["AD103"]


def test_syntax_errors_and_our_failures_are_always_shown() -> None:
    text = "x = 1  # adlsp: ignore"
    assert suppressed(text, found("AD100", 1), found("AD900", 1), found("AD901", 1)) == []


@pytest.mark.parametrize(
    ("line", "message", "repaired"),
    [
        ("x = 1  # adlsp: ignore[AD301]", None, None),
        ("x = 1  # adlsp: ignore", None, None),
        ("x = 1  # adlsp: ignore[AD401]", "unused suppression of AD401", "x = 1"),
        ("# adlsp: ignore[AD401]", "unused suppression of AD401", ""),
        ("x = 1  # adlsp: ignore[AD4, AD401]", "unused suppression of AD4 and AD401", "x = 1"),
        (
            "x = 1  # adlsp: ignore[AD401, AD301]",
            "unused suppression of AD401",
            "x = 1  # adlsp: ignore[AD301]",
        ),
        ("x = 1  # adlsp: ignore[AD401] why", "unused suppression of AD401", None),
    ],
)
def test_unused_suppressions(line: str, message: str | None, repaired: str | None) -> None:
    source = Source("a.py", "a", f"{line}\ny = 2\n")
    unused = suppress.unused(source, suppress.suppressions(source), [found("AD301", 1)])
    assert [u.finding.text() for u in unused] == ([] if message is None else [message])
    fixes = [u.fix for u in unused if u.fix is not None]
    text = fix.apply(source.text, fixes)
    assert text == f"{line if repaired is None else repaired}\ny = 2\n"


def test_a_comment_for_everything_is_unused_where_nothing_is() -> None:
    source = Source("a.py", "a", "x = 1\ny = 2 # adlsp: ignore")
    (unused,) = suppress.unused(source, suppress.suppressions(source), [found("AD301", 1)])
    assert unused.finding.text() == "unused suppression of all findings"
    assert not unused.blocks
