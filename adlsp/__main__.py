"""Runs the command line: `python -m adlsp`."""

from __future__ import annotations

import sys

from adlsp.cli import main

if __name__ == "__main__":
    sys.exit(main())
