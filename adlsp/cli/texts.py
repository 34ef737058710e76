"""The texts that subcommands read, and how findings in them are shown in a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable

from adlsp import workspace
from adlsp.cli.status import UsageError
from adlsp.lint import report
from adlsp.transform.source import Source
from adlsp.workspace import Workspace


def source(path: str, files: Workspace) -> Source:
    """The text of a file; raises UsageError where it cannot be read."""
    path = os.path.abspath(path)
    problem = unreadable(path, files)
    if problem is not None:
        raise UsageError(problem)
    return files.source(path)


def unreadable(path: str, files: Workspace) -> str | None:
    """Why a file cannot be read; None where it can."""
    if path.endswith(workspace.NOTEBOOK):
        return f"cannot check {path}: notebooks are not read, only Python files"
    try:
        files.source(path)
    except OSError as error:
        return f"cannot read {path}: {error.strerror or error}"
    return None


def line(files: Workspace) -> Callable[[str, int], str | None]:
    """What gives a line of a file by its number, for reports."""

    def line(path: str, number: int) -> str | None:
        try:
            lines = files.source(path).lines
        except OSError:
            return None
        return lines[number - 1] if number <= len(lines) else None

    return line


def colors(is_terminal: bool) -> dict[str, str]:
    """The colors of a report, none where they are not wanted."""
    return dict(report.COLORS if report.wants_color(is_terminal, os.environ) else report.PLAIN)
