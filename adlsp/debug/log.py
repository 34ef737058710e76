"""What the debugger has to say about itself goes to standard error."""

from __future__ import annotations

import sys


def log(text: str) -> None:
    """Writes a message; editors show it in an output channel."""
    print(f"adlsp debug: {text.rstrip()}", file=sys.stderr, flush=True)
