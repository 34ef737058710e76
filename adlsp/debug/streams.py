"""Standard input and output for an event loop, on every system and for every kind of file.

Where the loop can watch them, it does. Elsewhere (files, terminals, pipes on some systems) one
thread reads and one writes.
"""

from __future__ import annotations

import asyncio
import os
import queue
import select
import stat
import sys
import threading
from typing import Protocol


class Sink(Protocol):
    """Where bytes for the client go."""

    def write(self, data: bytes) -> None:
        """Takes bytes to be written, without waiting."""

    def close(self) -> None:
        """Waits until all is written."""


async def standard_input() -> asyncio.StreamReader:
    """Gives what arrives on standard input, to be read in the running loop."""
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader()
    if _is_watchable(0):
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), sys.stdin)
        return stream
    threading.Thread(target=_feed, args=(loop, stream), name="standard input", daemon=True).start()
    return stream


class StandardOutput:
    """Writes to standard output in order; a client that has gone away is not an error."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._n_put = 0  # counted by the loop
        self._n_written = 0  # counted by the thread
        self._thread = threading.Thread(target=self._drain, name="standard output", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Takes bytes to be written: at once where that cannot block, else by the thread."""
        if self._n_put == self._n_written and _fits(data):
            _write(data)
            return
        self._n_put += 1
        self._waiting.put(data)

    def close(self) -> None:
        """Waits until all is written, or for two seconds where the client no longer reads."""
        self._waiting.put(None)
        self._thread.join(2)

    def _drain(self) -> None:
        while (data := self._waiting.get()) is not None:
            _write(data)
            self._n_written += 1


def _feed(loop: asyncio.AbstractEventLoop, stream: asyncio.StreamReader) -> None:
    try:
        while data := os.read(0, 1 << 16):
            loop.call_soon_threadsafe(stream.feed_data, data)
        loop.call_soon_threadsafe(stream.feed_eof)
    except RuntimeError:
        return  # the loop has ended before its input
    except OSError:
        loop.call_soon_threadsafe(stream.feed_eof)


def _is_watchable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return sys.platform != "win32" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


def _fits(data: bytes) -> bool:
    """Tells whether writing cannot block: a pipe that is ready takes as much as `PIPE_BUF`."""
    if sys.platform == "win32" or len(data) > select.PIPE_BUF:
        return False
    return bool(select.select((), (1,), (), 0)[1])


def _write(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return
