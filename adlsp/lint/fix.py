"""Applies the fixes that findings carry: all the edits of a fix, or none of them.

Fixes whose edits overlap those of an earlier one, or that bring a name which that brings, are left
for the next round, in which the text is checked again. A text that could be parsed is never turned
into one that cannot: a fix that would do that is left out.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence

from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix, apart
from adlsp.transform.frontend import modules
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace

ROUNDS = 50

END_OF_LINE = re.compile(r"\r\n|\r|\n")

Change = tuple[int, int, str]

Accepts = Callable[[Fix], bool]


def is_safe(fix: Fix) -> bool:
    """Tells whether a fix keeps what the program computes."""
    return fix.is_safe


def is_any(_: Fix) -> bool:
    """Accepts all fixes."""
    return True


def repair(
    files: Workspace,
    paths: Iterable[str],
    check: Callable[[Workspace], Sequence[Diagnostic]],
    accepts: Accepts = is_safe,
) -> tuple[Workspace, int]:
    """Applies accepted fixes in some files; gives the new texts, as unsaved ones, and a count."""
    allowed, n_fixed = tuple(dict.fromkeys(paths)), 0
    for _ in range(ROUNDS):
        found = check(files)
        n_before = n_fixed
        for path in allowed:
            about = [d.fix for d in found if d.fix is not None and _is_about(d.fix, path)]
            source, fixes = files.source(path), list(filter(accepts, about))
            applied = chosen(source, fixes) if fixes else ()
            if applied:
                text = apply(source.text, applied)
                files, n_fixed = files.with_text(path, text), n_fixed + len(applied)
        if n_fixed == n_before:
            break
    return files, n_fixed


def chosen(source: Source, fixes: Iterable[Fix]) -> tuple[Fix, ...]:
    """Those fixes of a file, the first first, that can be applied together."""
    kept = apart(fixes)
    if not _breaks(source, apply(source.text, kept)):
        return kept
    one_by_one: tuple[Fix, ...] = ()
    for fix in kept:
        if not _breaks(source, apply(source.text, (*one_by_one, fix))):
            one_by_one += (fix,)
    return one_by_one


def apply(text: str, fixes: Iterable[Fix]) -> str:
    """Applies fixes that do not touch each other to the text of a file."""
    changes = [change for fix in fixes for change in _changes(text, fix)]
    for start, end, replacement in sorted(changes, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


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


def _changes(text: str, fix: Fix) -> list[Change]:
    """The edits of a fix, with places in the whole text and ends of lines as it has them."""
    starts = [0, *(match.end() for match in END_OF_LINE.finditer(text))]
    ending = END_OF_LINE.search(text)
    newline = ending[0] if ending else "\n"
    return [(*_offsets(edit.span, starts), edit.text.replace("\n", newline)) for edit in fix.edits]


def _offsets(span: Span, starts: list[int]) -> tuple[int, int]:
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
