"""Runs the command line: `python -m adlsp`.

Python then looks for modules in the working folder first, where a file of the user may be called as
one that we import.
"""

from __future__ import annotations

import sys

from adlsp.server.paths import without_project


def main() -> int:
    """Runs the command line without the working folder on the search path."""
    sys.path[:] = without_project(sys.path)
    from adlsp import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
