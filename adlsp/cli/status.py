"""How a subcommand ends: its exit status, or a mistake in the call."""

from __future__ import annotations

NOTHING_FOUND, FOUND, FAILED = 0, 1, 2

PIPE_CLOSED, INTERRUPTED = 128 + 13, 128 + 2


class UsageError(Exception):
    """Something that was asked for and cannot be done; the text says what and why."""
