"""The requests about recorded gradients: to record them, to have them, to write them to a file."""

from __future__ import annotations

import contextlib

from adlsp.debug import program, recorded, upstream, wire
from adlsp.debug.client import Client
from adlsp.debug.requests import Handler
from adlsp.debug.wire import Message


class Recordings:
    """What the client asks of the recorded gradients of a program; `by_command` has it all."""

    def __init__(self, client: Client, debugged: program.Program) -> None:
        self._client = client
        self._program = debugged
        self.by_command: dict[str, Handler] = {
            "adlsp/record": self._on_record,
            "adlsp/gradients": self._on_gradients,
            "adlsp/exportGradients": self._on_export,
        }

    async def _on_record(self, frame: wire.Frame) -> None:
        """Starts or ends recording; `path` is that of the file that is written in the end."""
        arguments = frame.message.get("arguments") or {}
        wanted = recorded.read(arguments)
        self._program.recorded.path = str(arguments.get("path") or self._program.recorded.path)

        async def told() -> None:
            await self._program.record(wanted)

        self._client.reply(frame.message, told())

    async def _on_gradients(self, frame: wire.Frame) -> None:
        since = int((frame.message.get("arguments") or {}).get("since") or 0)

        async def told() -> Message:
            await self._catch_up()
            return self._program.recorded.since(since)

        self._client.reply(frame.message, told())

    async def _on_export(self, frame: wire.Frame) -> None:
        path = str((frame.message.get("arguments") or {}).get("path") or "")

        async def told() -> Message:
            await self._catch_up()
            try:
                return {"rows": self._program.recorded.write(path)}
            except OSError as error:
                raise ValueError(f"gradients cannot be written: {error}") from error

        self._client.reply(frame.message, told())

    async def _catch_up(self) -> None:
        """Reads what was recorded until now, as far as the program still answers."""
        with contextlib.suppress(upstream.RefusedError, ConnectionError):
            await self._program.catch_up()
