"""Suppression of findings by comments: `# adlsp: ignore[AD301]`, or `# adlsp: ignore` for all.

A comment speaks for the findings that start or end on its line. Syntax errors and our own failures
are always shown.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from adlsp.transform.diagnostics.internal import UnusedSuppression
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix
from adlsp.transform.source import Source, Span

COMMENT = re.compile(r"#\s*adlsp:\s*ignore\b(?:\s*\[([^\]]*)\])?")

ALWAYS_SHOWN = ("AD100", "AD900", "AD901")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment; no codes means all. `is_alone` says that nothing follows it on its line."""

    span: Span
    codes: tuple[str, ...]
    is_alone: bool

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Tells whether the comment is about a finding of its file."""
        lines = (diagnostic.span.line, diagnostic.span.end_line)
        is_meant = not self.codes or diagnostic.code in self.codes
        return self.span.line in lines and is_meant and diagnostic.code not in ALWAYS_SHOWN


def suppressions(source: Source) -> tuple[Suppression, ...]:
    """The comments of a text that suppress findings."""
    if "adlsp:" not in source.text:
        return ()
    found = []
    for number, line in enumerate(source.lines, 1):
        if match := COMMENT.search(line):
            span = Span(source.path, number, match.start() + 1, number, match.end() + 1)
            codes = tuple(re.findall(r"[^\s,]+", match[1] or ""))
            found.append(Suppression(span, codes, not line[match.end() :].strip()))
    strings = _strings(source) if found else frozenset[tuple[int, int]]()
    return tuple(s for s in found if (s.span.line, s.span.column) not in strings)


def unsuppressed(
    diagnostics: Iterable[Diagnostic], comments: Iterable[Suppression]
) -> tuple[Diagnostic, ...]:
    """The findings of a file that its comments leave."""
    kept = tuple(comments)
    return tuple(d for d in diagnostics if not any(s.covers(d) for s in kept))


def unused(
    source: Source, comments: Iterable[Suppression], diagnostics: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """Reports the comments, or the codes in them, that suppress none of the findings."""
    found, known = [], tuple(diagnostics)
    for comment in comments:
        used = {d.code for d in known if comment.covers(d)}
        idle = tuple(code for code in comment.codes if code not in used)
        if idle or (not comment.codes and not used):
            finding = UnusedSuppression(" and ".join(idle) or "all findings")
            fix = _fix(source, comment, idle)
            found.append(Diagnostic(finding, comment.span, fix=fix, blocks=False))
    return tuple(found)


def _fix(source: Source, comment: Suppression, idle: tuple[str, ...]) -> Fix | None:
    """Removes what suppresses nothing, unless other words share the comment."""
    kept = [code for code in comment.codes if code not in idle]
    if kept:
        return Fix(
            "remove the unused codes", (Edit(comment.span, f"# adlsp: ignore[{', '.join(kept)}]"),)
        )
    if not comment.is_alone:
        return None
    line, start, end = (
        comment.span.line,
        comment.span.column,
        len(source.lines[comment.span.line - 1]),
    )
    before = source.lines[line - 1][: start - 1]
    span = Span(source.path, line, len(before.rstrip()) + 1, line, end + 1)
    return Fix("remove the comment", (Edit(span, ""),))


def _strings(source: Source) -> frozenset[tuple[int, int]]:
    """The places of what looks like a suppression but stands in a string, not in a comment."""
    comments: set[tuple[int, int]] = set()
    strings: set[tuple[int, int]] = set()
    text = "\n".join(source.lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                first, column = token.start
                comments |= {
                    (first, column + m.start() + 1) for m in COMMENT.finditer(token.string)
                }
    except (tokenize.TokenError, SyntaxError):
        return frozenset()
    for number, line in enumerate(source.lines, 1):
        strings |= {(number, match.start() + 1) for match in COMMENT.finditer(line)}
    return frozenset(strings - comments)
