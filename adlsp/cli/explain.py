"""`adlsp explain`: explains a finding."""

from __future__ import annotations

import argparse
import difflib
import sys

from adlsp.cli.status import NOTHING_FOUND, UsageError
from adlsp.transform.diagnostics import catalogue


def add_options(command: argparse.ArgumentParser) -> None:
    """Tells which finding to explain."""
    command.add_argument("code", metavar="CODE", nargs="?", help="such as AD301; all without it")


def run(options: argparse.Namespace) -> int:
    """Prints the page of a finding, or a line for each."""
    if options.code is None:
        for kind in catalogue.kinds().values():
            summary = " ".join(kind.page.partition("\n\n")[0].split()).replace("``", "`")
            print(f"{kind.code}  {kind.name:24}  {summary}")
        return NOTHING_FOUND
    found = catalogue.named(options.code)
    if found is None:
        names = [n for kind in catalogue.kinds().values() for n in (kind.code, kind.name)]
        close = difflib.get_close_matches(options.code, names, 1)
        hint = f"is `{close[0]}` meant?" if close else "`adlsp explain` lists them"
        raise UsageError(f"there is no finding `{options.code}`; {hint}")
    sys.stdout.write(catalogue.markdown(found))
    return NOTHING_FOUND
