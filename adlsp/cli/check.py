"""`adlsp check`: reports what cannot be differentiated."""

from __future__ import annotations

import argparse
import functools
import gc
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from adlsp import workspace
from adlsp.cli import fixing, paths, texts
from adlsp.cli.status import FAILED, FOUND, NOTHING_FOUND, UsageError
from adlsp.lint import check, report
from adlsp.lint.settings import Settings, SettingsError, selectors
from adlsp.transform.diagnostics.catalogue import kinds
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.query_cache import QueryCache
from adlsp.workspace import Workspace

SELDOM = (50_000, 20, 100)
"""When to look for garbage in a process that makes many small objects, few of them in circles."""

WORTH_A_PROCESS = 32
"""How many files are worth one more process."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Tells what to check, and how to show what is found."""
    add = command.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders, `-` for standard input")
    add(
        "--format", choices=("full", "concise", "json"), default="full", help="how to show findings"
    )
    add("--select", metavar="CODES", help="show only these codes or prefixes of codes")
    add("--ignore", metavar="CODES", help="do not show these codes or prefixes of codes")
    add("--all-functions", action="store_true", help="check every function, for all parameters")
    add("--jobs", type=_number, metavar="N", help="use N processes (more than one for many files)")
    add("--exit-zero", action="store_true", help="exit with 0 also where something is found")
    add("--stdin-filename", metavar="NAME", help="the file that standard input stands for")
    add(
        "--fix",
        action="store_true",
        help="repair what can be repaired without changing the program",
    )
    add("--diff", action="store_true", help="show what --fix would change, and change nothing")
    add(
        "--unsafe-fixes",
        action=argparse.BooleanOptionalAction,
        help="repair also what may change the program",
    )
    add("--statistics", action="store_true", help="count the findings of each code")


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def run(options: argparse.Namespace) -> int:
    """Checks files, repairs them where that is asked for, and prints what is found."""
    gc.set_threshold(*SELDOM)

    @functools.cache
    def settings(folder: str) -> Settings:
        return _settings(folder, options)

    problems, asked = list[str](), paths.chosen(options, settings)
    files = Workspace((os.getcwd(),), paths.projects(asked))
    if options.stdin_filename or "-" in options.paths:
        asked.insert(0, os.path.abspath(options.stdin_filename or "<stdin>"))
        files = files.with_text(asked[0], workspace.decode(sys.stdin.buffer.read()))
        if options.fix:
            raise UsageError("standard input cannot be fixed in place; use --diff")
    named = {os.path.abspath(path) for path in (*options.paths, options.stdin_filename or "")}
    notebooks = {path for path in asked if path.endswith(workspace.NOTEBOOK)} - named
    asked = [path for path in dict.fromkeys(asked) if path not in notebooks]
    asked = [path for path in asked if _is_readable(path, files, problems)]
    by_path = {path: settings(os.path.dirname(path)) for path in asked}

    def found_in(now: Workspace) -> tuple[Diagnostic, ...]:
        return _together(_each(now, by_path, options)).diagnostics

    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes says which fixes: add --fix or --diff")
    if options.diff:
        fixing.show(files, asked, found_in, fixing.accepts(settings))
    elif options.fix:
        files = fixing.repair(files, asked, found_in, fixing.accepts(settings), problems)
    outcome = _together(_each(files, by_path, options))
    is_silent = options.diff or (options.format == "full" and problems and not asked)
    if not is_silent:
        sys.stdout.write(_shown(outcome, len(notebooks), files, options))
    for problem in problems:
        print(f"adlsp: {problem}", file=sys.stderr)
    return _status(outcome.diagnostics, bool(problems), options.exit_zero)


def _is_readable(path: str, files: Workspace, problems: list[str]) -> bool:
    problem = texts.unreadable(path, files)
    problems += [] if problem is None else [problem]
    return problem is None


def _each(
    files: Workspace, settings: Mapping[str, Settings], options: argparse.Namespace
) -> Iterator[check.Outcome]:
    """What comes of each file; in several processes, where that is asked for or worth it."""
    n_jobs = options.jobs or min(os.cpu_count() or 1, len(settings) // WORTH_A_PROCESS)
    if n_jobs > 1:
        from adlsp.lint import jobs

        yield from jobs.checked(files, settings, options.all_functions, n_jobs)
        return
    cache = QueryCache()
    for path in settings:
        yield check.outcome(path, files, settings[path], options.all_functions, cache, settings)


def _together(each: Iterable[check.Outcome]) -> check.Outcome:
    """What came of all files."""
    outcomes = tuple(each)
    return check.Outcome(
        check.in_order(diagnostic for one in outcomes for diagnostic in one.diagnostics),
        frozenset(span for one in outcomes for span in one.functions),
        frozenset(span for one in outcomes for span in one.unresolved),
    )


def _settings(folder: str, options: argparse.Namespace) -> Settings:
    """The settings for a folder, with what the command line says instead."""
    try:
        settings = check.settings_for(folder)
        if options.select is not None:
            settings = replace(settings, select=selectors(options.select, frozenset(kinds())))
        if options.ignore is not None:
            ignored = selectors(options.ignore, frozenset(kinds()))
            settings = replace(settings, ignore=(*settings.ignore, *ignored))
        if options.unsafe_fixes is not None:
            settings = replace(settings, unsafe_fixes=options.unsafe_fixes)
    except (SettingsError, OSError) as error:
        raise UsageError(str(error)) from None
    return settings


def _shown(
    outcome: check.Outcome, n_notebooks: int, files: Workspace, options: argparse.Namespace
) -> str:
    found = outcome.diagnostics
    if options.statistics:
        as_json = options.format == "json"
        return (report.statistics_as_json if as_json else report.statistics)(found)
    if options.format == "json":
        return report.as_json(found)
    if options.format == "concise":
        return report.concise(found)
    counts = report.Counts(len(outcome.functions), len(outcome.unresolved), n_notebooks)
    return report.full(found, texts.line(files), texts.colors(sys.stdout.isatty()), counts)


def _status(found: Sequence[Diagnostic], has_problems: bool, exit_zero: bool) -> int:
    if has_problems or any(diagnostic.code == "AD900" for diagnostic in found):
        return FAILED
    is_wrong = any(diagnostic.severity.value != "information" for diagnostic in found)
    return FOUND if is_wrong and not exit_zero else NOTHING_FOUND
