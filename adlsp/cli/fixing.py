"""What `adlsp check --fix` and `--diff` do with the fixes that findings carry."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from adlsp import workspace
from adlsp.lint import fix, report
from adlsp.lint.settings import Settings
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
from adlsp.workspace import Workspace

Finder = Callable[[Workspace], tuple[Diagnostic, ...]]


def accepts(settings: Callable[[str], Settings]) -> fix.Accepts:
    """The fixes to apply: those that keep the program, and others where settings ask for them."""

    def accepts(fix: Fix) -> bool:
        folders = (os.path.dirname(each.span.path) for each in fix.edits)
        return fix.is_safe or all(settings(folder).unsafe_fixes for folder in folders)

    return accepts


def show(files: Workspace, paths: list[str], found_in: Finder, accepts: fix.Accepts) -> None:
    """Prints what fixing would change."""
    fixed, _ = fix.repair(files, paths, found_in, accepts)
    for path in paths:
        old, new = files.source(path).text, fixed.source(path).text
        if old != new:
            sys.stdout.write(fix.difference(old, new, report.shown_path(path)))


def repair(
    files: Workspace,
    paths: list[str],
    found_in: Finder,
    accepts: fix.Accepts,
    problems: list[str],
) -> Workspace:
    """Repairs what can be repaired, in the files."""
    fixed, n_fixed = fix.repair(files, paths, found_in, accepts)
    for path in paths:
        new = fixed.source(path).text
        if files.source(path).text != new:
            try:
                workspace.replace_text(path, new)
            except OSError as error:
                problems.append(f"cannot write {path}: {error.strerror or error}")
    if n_fixed:
        print(f"Fixed {n_fixed}.", file=sys.stderr)
    return fixed
