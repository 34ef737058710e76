"""`adlsp rules`: lists the functions that have derivative rules."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from fnmatch import fnmatchcase

from adlsp.cli import coverage, texts
from adlsp.cli.status import FOUND, NOTHING_FOUND
from adlsp.lint.report import shown_path
from adlsp.transform import engine
from adlsp.transform.rules import table
from adlsp.transform.rules.users import RulesInScope
from adlsp.workspace import Workspace


def add_options(command: argparse.ArgumentParser) -> None:
    """Tells which rules to list."""
    add = command.add_argument
    add("pattern", metavar="PATTERN", nargs="?", default="*", help="as `numpy.fft.*`")
    which = command.add_mutually_exclusive_group()
    which.add_argument("--of", metavar="FILE", help="list the rules of your own that count in FILE")
    which.add_argument(
        "--coverage",
        choices=["tensorflow"],
        help="compare with the functions that the tape of a library differentiates (minutes)",
    )


def run(options: argparse.Namespace) -> int:
    """Prints a line for each function."""
    pattern = options.pattern if set(options.pattern) & set("*?[") else f"*{options.pattern}*"
    if options.coverage is not None:
        return _compare(pattern)
    rules = _own(options.of) if options.of is not None else table.load()
    names = [name for name in rules.names() if fnmatchcase(name, pattern)]
    if not names:
        own = "" if options.of is None else " of your own"
        print(f"adlsp: no function with a rule{own} matches `{options.pattern}`", file=sys.stderr)
        return FOUND
    width = max(map(len, names))
    for name in names:
        rule = rules.get(name)
        if rule is not None:
            notes = [", ".join(rule.of), f"when {rule.when}" if rule.when else ""]
            notes += (f"{shown_path(d.source.path)}:{d.span.line}" for d in rule.declarations)
            row = f"{name:{width}}  {rule.kind:11}  {'  '.join(note for note in notes if note)}"
            print(row.rstrip())
    return NOTHING_FOUND


def _compare(pattern: str) -> int:
    """Prints which functions of TensorFlow have rules, and which only its tape differentiates."""
    rows = coverage.rows(table.load(), pattern)
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        print(f"{row.name:{width}}  {row.word}")
    counts = Counter(row.word for row in rows)
    print(", ".join(f"{counts[word]} {word}" for word in coverage.WORDS))
    return FOUND if counts["missing"] or counts["constant"] else NOTHING_FOUND


def _own(file: str) -> RulesInScope:
    """The rules of users that count in the derivatives of the functions of a file."""
    files = Workspace((os.getcwd(),))
    source = texts.source(file, files)
    return engine.rules(source, files.resolver(source.path))
