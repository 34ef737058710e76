"""`adlsp verify`: compares a gradient with finite differences."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

from adlsp.cli import functions
from adlsp.cli.status import UsageError
from adlsp.workspace import Workspace


def add_options(command: argparse.ArgumentParser) -> None:
    """Tells which gradient to compare, and where."""
    add = command.add_argument
    add("function", metavar="FILE::FUNC", help=functions.HELP)
    add(
        "--example",
        metavar="ARGUMENTS",
        required=True,
        help='where to check: "x=np.ones(3), n=2", in which np is NumPy',
    )
    add("--wrt", metavar="NAMES", help="the parameters of interest, with commas between")


def run(options: argparse.Namespace) -> int:
    """Runs the user's program in a process of its own, as it would run by itself."""
    files = Workspace((os.getcwd(),))
    source, name = functions.named(options.function, files)
    definition = functions.definition(source, files.resolver(source.path), name)
    if definition is None:
        raise UsageError(f"{source.path} cannot be read as Python; see `adlsp check`")
    wrt = functions.parameters(options.wrt)
    for parameter in wrt or ():
        if parameter not in definition.named_parameters:
            raise UsageError(f"`{name}` has no parameter `{parameter}`")
    asked = {
        "folders": files.import_folders(source.path),
        "module": source.module,
        "path": source.path,
        "function": name,
        "example": options.example,
        "wrt": wrt,
    }
    sys.stdout.flush()
    start = f"import sys; sys.path[:] = {sys.path!r}\nfrom adlsp.library import verify\n"
    code = f"{start}sys.exit(verify.main(sys.argv[1]))"
    return subprocess.run([sys.executable, "-c", code, json.dumps(asked)], check=False).returncode
