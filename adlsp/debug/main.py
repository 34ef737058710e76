"""Starts the debug adapter: the Debug Adapter Protocol on standard input and output.

Debugpy is started first, and we load while it does: a person waits for both.
"""

from __future__ import annotations

import asyncio
import signal
import sys

from adlsp.debug import streams, upstream


def main() -> int:
    """Serves one debug session; what it starts has ended when it returns."""
    try:
        asyncio.run(_serve())
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve() -> None:
    starting = asyncio.ensure_future(upstream.spawn())
    await asyncio.wait({starting})
    from adlsp.debug import proxy

    sink = streams.StandardOutput()
    made = proxy.Proxy(await streams.standard_input(), sink, starting)
    session = asyncio.ensure_future(made.run())
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
