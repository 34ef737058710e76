"""Which files `adlsp check` checks: those that the call names, and those below the folders."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable

from adlsp import workspace
from adlsp.lint.settings import Settings


def chosen(options: argparse.Namespace, settings: Callable[[str], Settings]) -> list[str]:
    """The files to check, less those that the settings leave out of folders."""
    found: list[str] = []
    named = [path for path in options.paths if path != "-"]
    for path in named or ([] if "-" in options.paths or options.stdin_filename else ["."]):
        if not os.path.isdir(path):
            found.append(os.path.abspath(path))
            continue
        below = workspace.files_below(os.path.abspath(path), workspace.PYTHON, workspace.NOTEBOOK)
        covered = [file for file in below if _is_covered(file, settings)]
        if not covered:
            print(f"adlsp: no Python files to check in {path}", file=sys.stderr)
        found += covered
    return found


def projects(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders of the projects that some files belong to."""
    folders = {os.path.dirname(path) for path in paths}
    nearest = (next(workspace.settings_files(folder), None) for folder in sorted(folders))
    return tuple(dict.fromkeys(os.path.dirname(file) for file in nearest if file is not None))


def _is_covered(path: str, settings: Callable[[str], Settings]) -> bool:
    """Tells whether the settings let a file in a folder be checked; a notebook like a program."""
    as_program = f"{path.removesuffix(workspace.NOTEBOOK)}{workspace.PYTHON}"
    is_program = path.endswith(workspace.PYTHON)
    return settings(os.path.dirname(path)).covers(path if is_program else as_program)
