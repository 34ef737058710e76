"""Applies the fixes that findings carry: all the edits of a fix, or none of them.

Fixes whose edits overlap those of an earlier one are left for the next round, in which the text is
checked again. A text that could be parsed is never turned into one that cannot.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence

from adlsp.transform.findings.vocabulary import Diagnostic, Edit, Fix
from adlsp.transform.frontend import modules
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace

ROUNDS = 10

END_OF_LINE = re.compile(r"\r\n|\r|\n")

Change = tuple[int, int, str]


def repair(
    files: Workspace,
    paths: Iterable[str],
    check: Callable[[Workspace], Sequence[Diagnostic]],
) -> tuple[Workspace, int]:
    """Fixes what can be fixed in some files; gives their new texts as unsaved ones, and a count."""
    allowed, n_fixed = tuple(dict.fromkeys(paths)), 0
    for _ in range(ROUNDS):
        found = check(files)
        n_before = n_fixed
        for path in allowed:
            fixes = [d.fix for d in found if d.fix is not None and _is_about(d.fix, path)]
            source = files.source(path) if fixes else None
            if source is not None:
                text, n_applied = apply(source.text, fixes)
                if n_applied and not _breaks(source, text):
                    files, n_fixed = files.with_text(path, text), n_fixed + n_applied
        if n_fixed == n_before:
            break
    return files, n_fixed


def apply(text: str, fixes: Iterable[Fix]) -> tuple[str, int]:
    """Applies fixes to the text of a file, and tells how many."""
    starts = [0, *(match.end() for match in END_OF_LINE.finditer(text))]
    ending = END_OF_LINE.search(text)
    newline = ending[0] if ending else "\n"
    taken: list[Change] = []
    n_applied = 0
    for fix in dict.fromkeys(fixes):
        changes = [_change(edit, starts, newline) for edit in fix.edits]
        if not any(_overlap(new, old) for new in changes for old in taken):
            taken += changes
            n_applied += 1
    for start, end, replacement in sorted(taken, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text, n_applied


def difference(old: str, new: str, path: str) -> str:
    """What a fix changes in a file, as a unified diff."""
    lines = difflib.unified_diff(_lines(old), _lines(new), path, path)
    shown = (x if x.endswith("\n") else f"{x}\n\\ No newline at end of file\n" for x in lines)
    return "".join(shown)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _is_about(fix: Fix, path: str) -> bool:
    return all(edit.span.path == path for edit in fix.edits)


def _breaks(source: Source, text: str) -> bool:
    new = Source(source.path, source.module, text, source.is_package)
    return bool(modules.parse(new)[1]) and not modules.parse(source)[1]


def _change(edit: Edit, starts: list[int], newline: str) -> Change:
    start, end = _offsets(edit.span, starts)
    return start, end, edit.text.replace("\n", newline)


def _offsets(span: Span, starts: list[int]) -> tuple[int, int]:
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def _overlap(new: Change, old: Change) -> bool:
    """Tells whether two changes touch the same text; insertions at one place do."""
    if new[:2] == old[:2]:
        return True
    return new[0] < old[1] and old[0] < new[1]
