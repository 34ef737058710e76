"""Fixes are applied whole, at the right characters, and never break a file."""

from __future__ import annotations

from pathlib import Path

import pytest
import said

from adlsp.lint import fix
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace


def edit(text: str, line: int, column: int, end_column: int, path: str = "a.py") -> Edit:
    return Edit(Span(path, line, column, line, end_column), text)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_are_lines_and_characters(newline: str) -> None:
    text = newline.join(["é = 'ä\f'", "y = é", ""])
    fixes = [
        Fix("rename", (edit("x", 1, 1, 2), edit("x", 2, 5, 6))),
        Fix("", (edit("1\n", 2, 1, 1),)),
    ]
    assert fix.apply(text, fixes) == newline.join(["x = 'ä\f'", "1", "y = x", ""])


def test_overlapping_fixes_wait_and_equal_ones_count_once() -> None:
    first = Fix("first", (edit("b", 1, 1, 2), edit("c", 1, 5, 6)))
    second = Fix("second", (edit("d", 1, 4, 6), edit("e", 2, 1, 2)))
    insertion = Fix("third", (edit("2", 1, 2, 2),))
    text = Source("a.py", "a", "a = a\na\n")
    assert fix.chosen(text, [first, first, second, insertion]) == (first, insertion)
    assert fix.apply(text.text, [first, insertion]) == "b2 = c\na\n"
    assert fix.chosen(text, [insertion, Fix("4", (edit("?", 1, 2, 2),))]) == (insertion,)


def test_fixes_that_bring_the_same_name_wait() -> None:
    one = Fix("one", (edit("b = 1\n", 1, 1, 1),), names=("b",))
    other = Fix("other", (edit("b = 2\n", 2, 1, 1),), names=("b", "c"))
    assert fix.chosen(Source("a.py", "a", "x\ny\n"), [one, other]) == (one,)


def test_a_fix_that_would_break_the_text_leaves_the_others() -> None:
    breaking = Fix("breaking", (edit("(", 1, 1, 2),))
    good = Fix("good", (edit("z", 2, 1, 2),))
    assert fix.chosen(Source("a.py", "a", "x\ny\n"), [breaking, good]) == (good,)


def test_an_edit_over_several_lines() -> None:
    whole = Fix("join", (Edit(Span("a.py", 1, 4, 3, 2), "1"),))
    assert fix.apply("x =\\\n\n 1\n", [whole]) == "x =11\n"


def diagnostic(repair: Fix | None) -> Diagnostic:
    return Diagnostic(said.finding("AD301"), Span("", 1, 1, 1, 1), (), repair)


def test_repair_goes_on_until_nothing_is_left(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("x = aaa\n")

    def check(files: Workspace) -> list[Diagnostic]:
        column = files.source(path).text.find("a") + 1
        return [diagnostic(Fix("", (edit("b", 1, column, column + 1, path),)))] if column else []

    files, n_fixed = fix.repair(Workspace(), [path], check)
    assert (files.source(path).text, n_fixed) == ("x = bbb\n", 3)
    assert Path(path).read_text() == "x = aaa\n"


def test_repair_neither_breaks_a_file_nor_leaves_the_named_ones(tmp_path: Path) -> None:
    path, other = str(tmp_path / "a.py"), str(tmp_path / "b.py")
    for name in (path, other):
        Path(name).write_text("x = 1\n")
    breaking = diagnostic(Fix("", (edit("(", 1, 5, 6, path),)))
    elsewhere = diagnostic(Fix("", (edit("2", 1, 5, 6, other),)))
    files, n_fixed = fix.repair(Workspace(), [path], lambda _: [breaking, elsewhere])
    assert n_fixed == 0
    assert {files.source(name).text for name in (path, other)} == {"x = 1\n"}


def test_repair_ends_also_where_fixes_undo_each_other(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("x = 1\n")

    def check(files: Workspace) -> list[Diagnostic]:
        other = "2" if "1" in files.source(path).text else "1"
        return [diagnostic(Fix("", (edit(other, 1, 5, 6, path),)))]

    _, n_fixed = fix.repair(Workspace(), [path], check)
    assert n_fixed == fix.ROUNDS


def test_only_safe_fixes_are_applied_unless_others_are_accepted(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    Path(path).write_text("x = 1\n")

    def check(files: Workspace) -> list[Diagnostic]:
        is_done = "2" in files.source(path).text
        unsafe = Fix("", (edit("2", 1, 5, 6, path),), is_safe=False)
        return [] if is_done else [diagnostic(unsafe)]

    assert fix.repair(Workspace(), [path], check)[1] == 0
    files, n_fixed = fix.repair(Workspace(), [path], check, fix.is_any)
    assert (files.source(path).text, n_fixed) == ("x = 2\n", 1)


def test_differences_are_unified_diffs() -> None:
    assert fix.difference("a\nb", "a\nc", "f.py") == (
        "--- f.py\n+++ f.py\n@@ -1,2 +1,2 @@\n a\n"
        "-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"
    )
    assert fix.difference("a\fb\r\n", "a\fc\r\n", "f.py").endswith("-a\fb\r\n+a\fc\r\n")
