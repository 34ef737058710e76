"""The command line: a file for each subcommand, which loads when its subcommand runs.

Exit status: 0 nothing found, 1 findings of severity error or warning, 2 a mistake in the call or in
the settings, a file that cannot be read, or a failure of our own (AD900). As only one subcommand
loads, `check` starts without NumPy, the server or the debugger.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Protocol

from adlsp.cli import status
from adlsp.version import VERSION

COMMANDS = {
    "check": "report what cannot be differentiated",
    "show": "print the derivative of a function",
    "verify": "compare a gradient with finite differences",
    "explain": "explain a finding",
    "rules": "list the functions that have derivative rules",
    "server": "run the language server (see `adlsp server --help`)",
    "debug": "run the debug adapter on standard input and output",
}
"""The subcommands, with what each is for."""


class Command(Protocol):
    """What the file of a subcommand has."""

    def add_options(self, command: argparse.ArgumentParser) -> None:
        """Tells which options there are."""

    def run(self, options: argparse.Namespace) -> int:
        """Does what is asked, and gives the exit status."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand and gives the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["server"]:
        from adlsp.server import main as server

        return server.main(given[1:])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        options = parser(given).parse_args(given)
        result: int = options.run(options)
        sys.stdout.flush()
        return result
    except status.UsageError as error:
        print(f"adlsp: {error}", file=sys.stderr)
        return status.FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return status.PIPE_CLOSED
    except KeyboardInterrupt:
        return status.INTERRUPTED
    except Exception:
        traceback.print_exc()
        print("adlsp: this is a mistake in adlsp; please report the above", file=sys.stderr)
        return status.FAILED


def parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The subcommands; the one that the arguments name has its options."""
    top = argparse.ArgumentParser(
        prog="adlsp",
        description="Automatic differentiation by source-code transformation: checks, derivatives, "
        "language server and debugger.",
    )
    top.add_argument("--version", action="version", version=f"adlsp {VERSION}")
    commands = top.add_subparsers(required=True, metavar="COMMAND", title="commands")
    named = next((each for each in arguments if not each.startswith("-")), "")
    for name, purpose in COMMANDS.items():
        options = commands.add_parser(name, help=purpose)
        command = _command(name) if name == named else None
        if command is not None:
            command.add_options(options)
            options.set_defaults(run=command.run)
    return top


def _command(name: str) -> Command | None:
    """The file of a subcommand; the server has its own options."""
    match name:
        case "check":
            from adlsp.cli import check

            return check
        case "show":
            from adlsp.cli import show

            return show
        case "verify":
            from adlsp.cli import verify

            return verify
        case "explain":
            from adlsp.cli import explain

            return explain
        case "rules":
            from adlsp.cli import rules

            return rules
        case "debug":
            from adlsp.cli import debug

            return debug
    return None
