"""Shows findings in a terminal, as lines, or as JSON.

Pure: it gets the findings and the lines of text that they point at, and gives text. Lines and
columns count from 1, columns in characters.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix, Severity
from adlsp.transform.source import Span

Line = Callable[[str, int], str | None]
"""Gives a line of a file by its path and number, or None where there is none."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many functions were checked, and what was not."""

    n_functions: int = 0
    n_unresolved: int = 0
    n_notebooks: int = 0


UNCOUNTED = Counts()

WIDEST = 160
"""How many characters of a source line are shown; longer lines are cut around the finding."""

PLAIN: Mapping[str, str] = {}
COLORS: Mapping[str, str] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "information": "\x1b[1;36m",
    "place": "\x1b[1m",
    "gutter": "\x1b[34m",
}


def wants_color(is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """Tells whether to color, by the customs of `NO_COLOR` and `FORCE_COLOR`."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def full(
    diagnostics: Sequence[Diagnostic],
    line: Line,
    colors: Mapping[str, str],
    counts: Counts = UNCOUNTED,
) -> str:
    """Each finding with its line of source, carets, related places and fix; then a summary."""
    shown = [blocks([diagnostic], line, colors) for diagnostic in diagnostics]
    return "\n".join([*shown, f"{summary(diagnostics, counts)}\n"])


def blocks(diagnostics: Sequence[Diagnostic], line: Line, colors: Mapping[str, str]) -> str:
    """Each finding with its line of source, carets, related places and fix."""
    return "\n".join(_block(diagnostic, line, colors) for diagnostic in diagnostics)


def concise(diagnostics: Sequence[Diagnostic]) -> str:
    """Each finding on a line of its own."""
    return "".join(f"{_headline(diagnostic, PLAIN)}\n" for diagnostic in diagnostics)


def as_json(diagnostics: Sequence[Diagnostic]) -> str:
    """The findings as a JSON list."""
    return json.dumps([_object(diagnostic) for diagnostic in diagnostics], indent=2) + "\n"


def statistics(diagnostics: Sequence[Diagnostic]) -> str:
    """How often each kind was found, the most frequent first."""
    return "".join(
        f"{count:5}  {code}  {name}{'  (some fixable)' if is_fixable else ''}\n"
        for count, code, name, is_fixable in _counts(diagnostics)
    )


def statistics_as_json(diagnostics: Sequence[Diagnostic]) -> str:
    """The same as a JSON list."""
    keys = ("count", "code", "name", "fixable")
    rows = [dict(zip(keys, row, strict=True)) for row in _counts(diagnostics)]
    return json.dumps(rows, indent=2) + "\n"


def summary(diagnostics: Sequence[Diagnostic], counts: Counts = UNCOUNTED) -> str:
    """One sentence about all the findings, and about what was checked."""
    tail = _tail(counts)
    if not diagnostics:
        if counts.n_functions:
            return f"All checks passed: {tail}."
        return f"Nothing was checked: {tail}." if tail else f"{NOTHING}."
    count = Counter(diagnostic.severity for diagnostic in diagnostics)
    parts = [_number(count[s], s.value) for s in Severity if count[s]]
    fixable = _fixable(diagnostics)
    return f"Found {_listed(parts)}{fixable}{': ' if tail else ''}{tail}."


def _fixable(diagnostics: Sequence[Diagnostic]) -> str:
    """How many findings can be repaired, and by which options."""
    fixes = [diagnostic.fix for diagnostic in diagnostics if diagnostic.fix is not None]
    n_safe = sum(fix.is_safe for fix in fixes)
    n_fixable = {"`--fix`": n_safe, "`--fix --unsafe-fixes`": len(fixes) - n_safe}
    shown = ", ".join(f"{n} fixable with {option}" for option, n in n_fixable.items() if n)
    return f" ({shown})" if shown else ""


NOTHING = (
    "No function to check: nothing here is passed to `adlsp.grad` and its kin; "
    "`--all-functions` checks all"
)


def _tail(counts: Counts) -> str:
    """What was checked and what was not; nothing where there was nothing to check."""
    checked = f"{_number(counts.n_functions, 'function')} checked"
    unresolved = f"{counts.n_unresolved} could not be resolved"
    notebooks = _number(counts.n_notebooks, "notebook")
    not_read = f"{notebooks} {'was' if counts.n_notebooks == 1 else 'were'} not checked"
    parts = (
        checked if counts.n_functions else "",
        unresolved if counts.n_unresolved else "",
        not_read if counts.n_notebooks else "",
    )
    return ", ".join(part for part in parts if part)


def shown_path(path: str) -> str:
    """A path as it is shown: relative where it lies below the current folder."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return path if relative.startswith(os.pardir) else relative


# one finding


def _block(diagnostic: Diagnostic, line: Line, colors: Mapping[str, str]) -> str:
    width = len(str(diagnostic.span.line))
    rows = [_headline(diagnostic, colors)]
    text = line(diagnostic.span.path, diagnostic.span.line)
    if text is not None:
        shown, padding, carets = _excerpt(text, diagnostic.span)
        gutter = _painted(f"{' ' * width} |", "gutter", colors)
        number = _painted(f"{diagnostic.span.line} |", "gutter", colors)
        marks = _painted(carets, diagnostic.severity.value, colors)
        rows += [gutter, f"{number} {shown}", f"{gutter} {padding}{marks}"]
    notes = [f"note: {_place(related.span)}: {related.message}" for related in diagnostic.related]
    if diagnostic.fix is not None:
        option = "--fix" if diagnostic.fix.is_safe else "--fix --unsafe-fixes"
        notes.append(f"help: {diagnostic.fix.title} (`{option}`)")
    equals = _painted(f"{' ' * width} =", "gutter", colors)
    return "\n".join([*rows, *(f"{equals} {note}" for note in notes), ""])


def _headline(diagnostic: Diagnostic, colors: Mapping[str, str]) -> str:
    place = _painted(_place(diagnostic.span), "place", colors)
    severity = diagnostic.severity.value
    kind = _painted(f"{diagnostic.code} {severity}", severity, colors)
    text = f"{kind}: {_printable(diagnostic.message)}"
    return f"{place}: {text}" if diagnostic.span.path else text


def _excerpt(text: str, span: Span) -> tuple[str, str, str]:
    """The part of a line to show, what stands before the carets, and the carets."""
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(text.rstrip())
    first = 0 if len(text) <= WIDEST else max(0, start - WIDEST // 4)
    last = min(len(text), first + WIDEST)
    before, marked = text[first:start], text[start : max(start, min(end, last))]
    shown = f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
    padding = "".join("\t" if c == "\t" else " " * _width(c) for c in before)
    n_carets = sum(_width(c) for c in marked) or 1
    return _printable(shown).rstrip(), (" " if first else "") + padding, "^" * n_carets


def _width(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _printable(text: str) -> str:
    """A text without what would steer the terminal or cannot be encoded."""
    return "".join(c if c == "\t" or unicodedata.category(c)[0] != "C" else "\ufffd" for c in text)


def _place(span: Span) -> str:
    return f"{_printable(shown_path(span.path))}:{span.line}:{span.column}"


def _painted(text: str, role: str, colors: Mapping[str, str]) -> str:
    return f"{colors[role]}{text}\x1b[0m" if role in colors else text


def _object(diagnostic: Diagnostic) -> dict[str, object]:
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "path": shown_path(span.path),
        **_range(span),
        "function": diagnostic.function,
        "fix": _fix(diagnostic.fix),
    }


def _fix(fix: Fix | None) -> dict[str, object] | None:
    if fix is None:
        return None
    return {
        "title": fix.title,
        "applicability": fix.applicability,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, object]:
    return {**_range(edit.span), "text": edit.text}


def _range(span: Span) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }


# numbers


def _counts(diagnostics: Iterable[Diagnostic]) -> list[tuple[int, str, str, bool]]:
    groups: dict[tuple[str, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault((diagnostic.code, diagnostic.name), []).append(diagnostic)
    rows = [(len(g), *key, any(d.fix is not None for d in g)) for key, g in groups.items()]
    return sorted(rows, key=lambda row: (-row[0], row[1]))


def _number(count: int, noun: str) -> str:
    if noun == "information":
        return f"{count} note{'' if count == 1 else 's'}"
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
