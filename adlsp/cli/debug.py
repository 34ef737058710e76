"""`adlsp debug`: runs the debug adapter."""

from __future__ import annotations

import argparse

from adlsp.debug import main as adapter


def add_options(_: argparse.ArgumentParser) -> None:
    """Has none: all that the adapter needs comes by the protocol."""


def run(_: argparse.Namespace) -> int:
    """Serves one session on standard input and output."""
    return adapter.main()
