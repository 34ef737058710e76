"""The debugpy adapter behind the proxy, and the requests of our own that it has yet to answer.

Requests of the client keep their numbers; ours count from `FIRST_SEQ`, far above, so that an answer
tells by its number whose it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import os
import sys

from adlsp.debug import wire
from adlsp.debug.wire import Message

FIRST_SEQ = 1 << 30

LIMIT = 1 << 20
"""How much of a stream is read ahead of its use."""


class RefusedError(Exception):
    """Debugpy answered a request of ours with a failure."""


class Upstream:
    """A connection to one debugpy adapter."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        process: asyncio.subprocess.Process | None = None,
    ) -> None:
        self.reader = reader
        self._writer = writer
        self._process = process
        self._seqs = itertools.count(FIRST_SEQ)
        self._open: dict[int, asyncio.Future[Message]] = {}
        self._is_lost = False

    def send(self, raw: bytes) -> None:
        """Sends bytes of the client."""
        if not self._is_lost:
            self._writer.write(raw)

    def request(self, command: str, arguments: Message | None = None) -> asyncio.Future[Message]:
        """Sends a request of ours, at once; the future has the body of the answer.

        It raises `RefusedError` for a failure, and ConnectionError where no answer will come.
        """
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        if self._is_lost:
            future.set_exception(ConnectionError("the debugger has ended"))
            return future
        seq = next(self._seqs)
        self._open[seq] = future
        request = {"seq": seq, "type": "request", "command": command, "arguments": arguments or {}}
        self._writer.write(wire.encode(request))
        return future

    def settle(self, answer: Message) -> bool:
        """Takes an answer if it is to a request of ours; tells whether it is."""
        if answer["request_seq"] < FIRST_SEQ:
            return False
        future = self._open.pop(answer["request_seq"], None)
        if future is not None and not future.done():
            if answer.get("success"):
                future.set_result(answer.get("body") or {})
            else:
                future.set_exception(
                    RefusedError(f"{answer.get('command')}: {answer.get('message')}")
                )
        return True

    def lose(self) -> None:
        """Ends all waiting: no more answers come."""
        self._is_lost = True
        for future in self._open.values():
            if not future.done():
                future.set_exception(ConnectionError("the debugger has ended"))
                future.exception()  # nobody may be waiting, which is no error
        self._open.clear()

    async def close(self) -> None:
        """Ends the connection, and the adapter if it is ours, which ends what it has launched."""
        self.lose()
        self._writer.close()
        if self._process is None:
            return
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except asyncio.TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


async def spawn() -> Upstream:
    """Starts an adapter, on pipes. Raises OSError where debugpy is not installed."""
    spec = importlib.util.find_spec("debugpy")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("debugpy is not installed beside adlsp")
    # By its folder, not with -m: that would let modules of the working directory shadow its own.
    adapter = os.path.join(os.path.dirname(spec.origin), "adapter")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        adapter,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LIMIT,
    )
    if process.stdin is None or process.stdout is None:
        raise OSError("the adapter has no pipes")
    return Upstream(process.stdout, process.stdin, process)


async def connect(host: str, port: int) -> Upstream:
    """Connects to an adapter that listens. Raises OSError where none does."""
    try:
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(host, port, limit=LIMIT), 10
        )
    except asyncio.TimeoutError as error:
        raise OSError("no answer within ten seconds") from error
    return Upstream(reader, writer)
