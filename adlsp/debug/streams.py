"""Standard input and output for an event loop, on every system and for every kind of file.

One thread reads and one writes: event loops cannot watch pipes everywhere, nor files anywhere.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from typing import Protocol


class Sink(Protocol):
    """Where bytes for the client go."""

    def write(self, data: bytes) -> None:
        """Takes bytes to be written, without waiting."""

    def close(self) -> None:
        """Waits until all is written."""


def standard_input() -> asyncio.StreamReader:
    """Gives what arrives on standard input, to be read in the running loop."""
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader()

    def feed() -> None:
        try:
            while data := os.read(0, 1 << 16):
                loop.call_soon_threadsafe(stream.feed_data, data)
            loop.call_soon_threadsafe(stream.feed_eof)
        except RuntimeError:
            return  # the loop has ended before its input
        except OSError:
            loop.call_soon_threadsafe(stream.feed_eof)

    threading.Thread(target=feed, name="standard input", daemon=True).start()
    return stream


class StandardOutput:
    """Writes to standard output in order; a client that has gone away is not an error."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._drain, name="standard output", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Takes bytes to be written, without waiting."""
        self._waiting.put(data)

    def close(self) -> None:
        """Waits until all is written, or for two seconds where the client no longer reads."""
        self._waiting.put(None)
        self._thread.join(2)

    def _drain(self) -> None:
        while (data := self._waiting.get()) is not None:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                return
