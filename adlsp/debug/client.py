"""The client of a session: its open requests, what answers them, and what it is told.

Each request is answered once. What has to wait for debugpy runs as a task beside the pumps.
"""

from __future__ import annotations

import asyncio
import itertools
import traceback
from collections.abc import Coroutine
from typing import Any

from adlsp.debug import rewrite, upstream, wire
from adlsp.debug.log import log
from adlsp.debug.streams import Sink
from adlsp.debug.wire import Message


class Client:
    """What goes to one client, and its requests that are `open`, by their numbers."""

    def __init__(self, sink: Sink) -> None:
        self.open: dict[int, Message] = {}
        self._sink = sink
        self._seqs = itertools.count(upstream.FIRST_SEQ)
        self._tasks: set[asyncio.Task[None]] = set()

    def pass_on(self, raw: bytes) -> None:
        """Passes on what debugpy has sent."""
        self._sink.write(raw)

    def send(self, message: Message) -> None:
        """Sends a message of ours."""
        self._sink.write(wire.encode({"seq": next(self._seqs), **message}))

    def tell(self, text: str) -> None:
        """Says a sentence to the user."""
        said = {"category": "important", "output": f"adlsp: {text}\n"}
        self.send(rewrite.event("output", said))

    # answers

    def succeed(self, request: Message, body: Message | None = None) -> None:
        """Answers a request, if it has no answer yet."""
        if self.open.pop(request["seq"], None) is not None:
            self.send(rewrite.success(request, body))

    def fail(self, request: Message, text: str) -> None:
        """Says why a request failed, if it has no answer yet."""
        if self.open.pop(request["seq"], None) is not None:
            self.send(rewrite.failure(request, text))

    def refuse(self, request: Message, error: Exception) -> None:
        """Says why a request failed: with a sentence of ours, or as debugpy does, or with a bug."""
        match error:
            case ValueError():
                self.fail(request, str(error))
            case upstream.RefusedError():
                self.fail(request, f"adlsp: {error}")
            case _:
                log(traceback.format_exc())
                self.fail(request, f"adlsp: {type(error).__name__}: {error}")

    def reply(self, request: Message, told: Coroutine[Any, Any, Message | None]) -> None:
        """Answers a request when its answer is known; where that raises, it has failed."""

        async def answer() -> None:
            self.succeed(request, await told)

        self.serve(request, answer())

    def serve(self, request: Message, work: Coroutine[Any, Any, None]) -> None:
        """Does what a request asks for, beside the pumps; it has failed where that raises."""

        async def served() -> None:
            try:
                await work
            except ConnectionError:
                raise
            except Exception as error:
                self.refuse(request, error)

        self.spawn(served())

    # tasks

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts a task beside the pumps."""

        async def guarded() -> None:
            try:
                await work
            except ConnectionError:
                pass  # the session has ended meanwhile; the client is told elsewhere
            except upstream.RefusedError as error:
                log(str(error))
            except Exception:
                log(traceback.format_exc())

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def has_work(self, pump: asyncio.Task[None] | None) -> bool:
        """Tells whether a task runs, but for the pump."""
        return bool(self._tasks - {pump})
