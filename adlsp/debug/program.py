"""The program that is debugged, as far as it concerns us: its hook, derivatives and breakpoints.

The program tells of each derivative that it compiles, and waits until `learn` has set what is
wanted in there (see `adlsp.runtime.hook`). All of it goes through requests that debugpy knows.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from adlsp.debug import instrument, maps, rewrite
from adlsp.debug.breakpoints import Breakpoints
from adlsp.debug.log import log
from adlsp.debug.wire import Message


class Program:
    """One program. `ask` sends a request of ours; `on_change` is called when breakpoints moved."""

    def __init__(
        self,
        ask: Callable[[str, Message], asyncio.Future[Message]],
        on_change: Callable[[], None],
    ) -> None:
        self.start: Message = {}
        self.breakpoints = Breakpoints()
        self._ask = ask
        self._on_change = on_change
        self._hook = ""
        self._n_read = 0
        self._reading = asyncio.Lock()

    def is_hook(self, path: str) -> bool:
        """Tells whether a path is that of the program's hook."""
        return bool(path) and bool(self._hook) and maps.key(path) == self._hook

    def place(self, path: str) -> Awaitable[None]:
        """Sends the breakpoints of a file at once; to be awaited for the answer."""
        placed = self.breakpoints.requested(path)
        answer = self._ask(
            "setBreakpoints",
            {"source": {"path": path}, "breakpoints": [place.arguments for place in placed]},
        )

        async def settle() -> None:
            self.breakpoints.settle(path, placed, (await answer)["breakpoints"])

        return asyncio.ensure_future(settle())

    async def prepare(self) -> None:
        """Looks into the program before it runs: socket, hook, derivatives announced before."""
        beginning = instrument.read_beginning(await self._evaluate(instrument.begin(self.start)))
        placed = instrument.hidden(beginning.text)
        if not placed:
            return
        self._hook = maps.key(beginning.path)
        self.breakpoints.hide(beginning.path, placed)
        await self.place(beginning.path)
        if beginning.n_announced:
            await self.learn(beginning.n_announced - 1)

    async def learn(self, number: int) -> None:
        """Reads the announcements up to `number` at least, and lets the program go on."""
        async with self._reading:
            try:
                announced = json.loads(await self._evaluate(instrument.announced(self._n_read)))
                self._n_read += len(announced)
                await self._register(announced)
            finally:
                self._n_read = max(self._n_read, number + 1)
                await self._evaluate(instrument.proceed(self._n_read))

    async def _register(self, announced: list[Message]) -> None:
        placing = []
        for each in announced:
            try:
                derivative = maps.read(each["payload"], each["text"], self._to_client)
            except ValueError as error:
                log(f"ignored an announcement: {error}")
                continue
            placing += [self.place(path) for path in self.breakpoints.add(derivative)]
        await asyncio.gather(*placing)
        self._on_change()

    async def _evaluate(self, expression: str) -> str:
        body = await self._ask("evaluate", {"expression": expression, "context": "clipboard"})
        return str(body["result"])

    def _to_client(self, path: str) -> str:
        return rewrite.path_to_client(path, self.start.get("pathMappings") or [])
