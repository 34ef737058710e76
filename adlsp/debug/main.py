"""Starts the debug adapter: the Debug Adapter Protocol on standard input and output."""

from __future__ import annotations

import asyncio
import signal
import sys

from adlsp.debug import proxy, streams


def main() -> int:
    """Serves one debug session; what it starts has ended when it returns."""
    try:
        asyncio.run(_serve())
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve() -> None:
    sink = streams.StandardOutput()
    session = asyncio.ensure_future(proxy.Proxy(await streams.standard_input(), sink).run())
    if sys.platform != "win32":
        for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, session.cancel)
    try:
        await session
    except asyncio.CancelledError:
        return
    finally:
        sink.close()


if __name__ == "__main__":
    sys.exit(main())
