"""How a session calls its texts, and what their lines are."""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from adlsp.library import cells
from adlsp.lint import report
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.source import Span


def shown_path(path: str) -> str:
    """How a text is called: a cell as in tracebacks, `Cell In[3]`, a file by its path."""
    name = _of_cell(path)
    return report.shown_path(path) if name is None else name


def line(path: str, number: int) -> str | None:
    """A line of a text, or None where there is none."""
    linecache.checkcache(path)
    lines = linecache.getlines(path)
    return lines[number - 1].rstrip("\r\n") if 0 < number <= len(lines) else None


def colors() -> Mapping[str, str]:
    """The colors of the session, if it has any."""
    has_none = str(getattr(cells.shell(), "colors", "nocolor")).lower() == "nocolor"
    return report.PLAIN if has_none or os.environ.get("NO_COLOR") else report.COLORS


def report_of(findings: Iterable[Diagnostic], colors: Mapping[str, str]) -> str:
    """Findings as `adlsp check` prints them."""
    renamed: dict[str, str] = {}

    def as_shown(span: Span) -> Span:
        shown = shown_path(span.path)
        renamed[shown] = span.path
        return replace(span, path=shown)

    def named(one: Diagnostic) -> Diagnostic:
        related = tuple(replace(each, span=as_shown(each.span)) for each in one.related)
        return replace(one, span=as_shown(one.span), related=related)

    def text(shown: str, number: int) -> str | None:
        return line(renamed.get(shown, shown), number)

    return report.blocks([named(one) for one in findings], text, colors)


def _of_cell(path: str) -> str | None:
    compiler = getattr(cells.shell(), "compile", None)
    if not hasattr(compiler, "format_code_name"):
        return None
    named: tuple[str, str] | None = compiler.format_code_name(path)  # type: ignore[union-attr]
    return None if named is None else " ".join(named)
