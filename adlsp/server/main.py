"""Starts the language server on standard input and output, or for one client on a TCP port."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence

from adlsp.server import paths


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the server until its client ends it; 0 if the client did so in good order."""
    arguments = parser().parse_args(argv)
    sys.path[:] = paths.without_project(sys.path)
    from adlsp.server import handlers

    server = handlers.build()
    try:
        if arguments.tcp is None:
            server.start_io()
        else:
            host, port = arguments.tcp
            print(f"adlsp: listening on {host}:{port}", file=sys.stderr, flush=True)
            with contextlib.suppress(SystemExit):
                server.start_tcp(host, port)
    except OSError as error:
        print(f"adlsp: the server cannot start: {error}", file=sys.stderr)
        return 2
    finally:
        server.session.worker.kill()
    return 0 if server.is_shut_down else 1


def parser() -> argparse.ArgumentParser:
    """The options of `adlsp server`."""
    made = argparse.ArgumentParser(
        prog="adlsp server", description="Serves an editor by the Language Server Protocol."
    )
    ways = made.add_mutually_exclusive_group()
    ways.add_argument("--stdio", action="store_true", help="talk on standard streams (default)")
    ways.add_argument(
        "--tcp", metavar="HOST:PORT", type=address, help="wait for one client on a TCP port"
    )
    return made


def address(text: str) -> tuple[str, int]:
    """Reads `HOST:PORT`; the host may be left out."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
