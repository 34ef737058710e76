"""The program that is debugged, as far as it concerns us: its hook, derivatives and breakpoints.

The program tells of each derivative that it compiles, and waits until `learn` has set what is
wanted in there (see `adlsp.runtime.hook`). All of it goes through requests that debugpy knows.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress

from adlsp.debug import conditions, instrument, maps, primals, recorded, rewrite
from adlsp.debug.breakpoints import Breakpoints
from adlsp.debug.upstream import RefusedError
from adlsp.debug.wire import Message

FOLLOWING = 0.5
"""How many seconds lie between two looks at what is recorded."""

NEVER = "breakpoints cannot stop in the backward sweep"
NOT_RECORDED = "no gradients were recorded: the program has an adlsp of another version"
NO_FOLDER = (
    "no folder can be written for derivatives (ADLSP_CACHE_DIR chooses one): "
    "the debugger shows them without files"
)


class Program:
    """One program. `ask` sends a request of ours; `on_change` is called when breakpoints moved.

    `tell` says a sentence to the user; `on_rows` is given what was recorded.
    """

    def __init__(
        self,
        ask: Callable[[str, Message], asyncio.Future[Message]],
        on_change: Callable[[], None],
        tell: Callable[[str], None],
        on_rows: Callable[[Message], None],
    ) -> None:
        self.start: Message = {}
        self.breakpoints = Breakpoints(primals.read_layout)
        self._ask = ask
        self._on_change = on_change
        self._tell = tell
        self._on_rows = on_rows
        self.recorded = recorded.Recorded()
        self._told: set[str] = set()
        self._hook = ""
        self._hook_path = ""
        self._sought = ""
        self._is_asked = True
        self._wanted = ""
        self._is_told = True
        self._has_recorded = False
        self._is_remembering = False
        self._is_left = False
        self._following: asyncio.Task[None] | None = None
        self._catching_up = asyncio.Lock()
        self._is_prepared = False
        self._is_watching = True
        self._watched: set[str] = set()
        self._n_read = 0
        self._reading = asyncio.Lock()

    def is_hook(self, path: str) -> bool:
        """Tells whether a path is that of the program's hook."""
        return bool(path) and bool(self._hook) and maps.key(path) == self._hook

    def is_ours(self, path: str) -> bool:
        """Tells whether a path is in the program's adlsp."""
        package = os.path.dirname(os.path.dirname(self._hook))
        return bool(package) and maps.key(path).startswith(package + os.sep)

    async def seek(self, sought: str) -> None:
        """Has derivatives looked at from now on, as `adlsp.runtime.hook.watch` says."""
        self._is_asked = self._is_asked and sought == self._sought
        self._sought = sought
        await self._seek()

    async def _seek(self) -> None:
        """Tells the program what to look for, if it has the hook by now."""
        if self._is_prepared and not self._is_asked:
            said = await self._evaluate(instrument.watch(self._sought))
            unseen = instrument.read_watched(said)
            self._is_asked = unseen is not None
            for sentence in unseen or ():
                self._tell(sentence)

    async def record(self, wanted: str) -> None:
        """Has gradients recorded from now on, as `adlsp.runtime.hook.record` says."""
        self._is_told = self._is_told and wanted == self._wanted
        self._wanted = wanted
        await self._record()
        if not wanted:
            await self.catch_up()

    async def _record(self) -> None:
        """Tells the program whether to record, if it has the hook by now."""
        if self._is_prepared and not self._is_told:
            self._is_told = await self._evaluate(instrument.record(self._wanted)) == "True"
            self._has_recorded = self._has_recorded or self._is_told
            if self._is_told and self._wanted and self._following is None:
                self._following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Reads what is recorded, while the program runs."""
        with suppress(RefusedError, ConnectionError):
            while self._wanted:
                await asyncio.sleep(FOLLOWING)
                await self.catch_up()
        self._following = None

    async def catch_up(self) -> None:
        """Reads what was recorded until now."""
        if self._has_recorded:
            async with self._catching_up:
                while text := await self._evaluate(instrument.recorded()):
                    self.take_rows(text)

    async def let_end(self) -> None:
        """Lets the program end, which has told all that was recorded."""
        self._has_recorded, self._wanted = False, ""
        async with self._catching_up:
            await self._evaluate(instrument.left())

    def take_rows(self, text: str) -> None:
        """Takes what was recorded, as the program tells it."""
        try:
            for body in self.recorded.take(text, self._to_client):
                self._on_rows(body)
        except (ValueError, LookupError, TypeError, struct.error) as error:
            self._tell_once(f"the debugger does not understand what was recorded ({error})")

    def save(self) -> None:
        """Writes what was recorded into the file that was asked for, if one was."""
        path = self.recorded.path
        try:
            if path:
                self.recorded.write(path)
        except OSError as error:
            self._tell(f"gradients cannot be written: {error}")

    def place(self, path: str) -> Awaitable[None]:
        """Sends the breakpoints of a file at once; to be awaited for the answer."""
        placed = self.breakpoints.requested(path)
        entries = [instrument.watched(path, place) for place in placed]
        if not self._is_watching:
            entries = [place.arguments for place in placed]
        elif any(each.get("condition") for each in entries):
            self._watched.add(path)
        answer = self._ask("setBreakpoints", {"source": {"path": path}, "breakpoints": entries})

        async def settle() -> None:
            self.breakpoints.settle(path, placed, (await answer)["breakpoints"])

        return asyncio.ensure_future(settle())

    async def prepare(self) -> None:
        """Looks into the program before it runs: socket, hook, derivatives announced before."""
        expression = instrument.begin(self.start)
        try:
            beginning = instrument.read_beginning(await self._evaluate(expression))
        except (RefusedError, ValueError) as error:
            self._tell(f"the debugger could not look into the program ({error}): {NEVER}")
            await self._watch_no_conditions()
            return
        self._is_prepared = True
        await self._use_hook(beginning.path, beginning.text)
        if beginning.is_loaded:
            self._say_whether_known(beginning.path)
        if beginning.n_announced:
            await self.learn(beginning.n_announced - 1)
        await self._seek()
        await self._record()

    async def _watch_no_conditions(self) -> None:
        """Has debugpy evaluate conditions as ever: nothing of ours is in the program."""
        self._is_watching = False
        for path in sorted(self._watched):
            with suppress(RefusedError):
                await self.place(path)

    async def meet(self, path: str) -> None:
        """Gets ready for the hook that the program imports now, and lets the import go on."""
        try:
            if not self.is_hook(path):
                await self._use_hook(path, await self._evaluate(instrument.read(path)))
            self._say_whether_known(path)
        finally:
            await self._evaluate(instrument.placed())

    async def learn(self, number: int) -> None:
        """Reads the announcements up to `number` at least, and lets the program go on.

        Where we are going, nobody needs them any more.
        """
        async with self._reading:
            try:
                if self._is_left:
                    return
                announced = json.loads(await self._evaluate(instrument.announced(self._n_read)))
                self._n_read += len(announced)
                await self._register(announced)
                await self._seek()
                await self._record()
                await self._remember(is_on=True)
            finally:
                self._n_read = max(self._n_read, number + 1)
                await self._evaluate(instrument.proceed(self._n_read))

    async def _remember(self, *, is_on: bool) -> None:
        """Has the program keep what derivatives are called with, or leave that."""
        if self._is_remembering != is_on:
            self._is_remembering = is_on
            await self._evaluate(instrument.remember(is_on))

    def evaluated(self, said: conditions.Said) -> None:
        """Takes how a condition was evaluated."""
        for sentence in self.breakpoints.evaluated(said):
            self._tell(sentence)

    def finish(self) -> None:
        """Says which breakpoints could not stop: the program has ended."""
        for sentence in self.breakpoints.unusable():
            self._tell(sentence)
        if self._wanted and not self._is_told and self.breakpoints.maps:
            self._tell(NOT_RECORDED)
        if self.breakpoints.maps or "subProcessId" not in self.start:
            for sentence in self.breakpoints.unbound():
                self._tell(sentence)

    async def part(self) -> None:
        """Lets the program announce without waiting for us: we go."""
        self._is_left = True
        if self._hook:
            self.breakpoints.hide(self._hook_path, ())
            with suppress(RefusedError):  # the program has ended already
                await self.place(self._hook_path)
                if self._sought:
                    await self.seek("")
                if self._wanted:
                    await self.record("")
                await self._remember(is_on=False)

    async def _use_hook(self, path: str, text: str) -> None:
        placed = instrument.hidden(text)
        self._hook, self._hook_path = (maps.key(path), path) if placed else ("", "")
        if placed:
            self.breakpoints.hide(path, placed)
            await self.place(path)

    def _say_whether_known(self, path: str) -> None:
        if not self._hook:
            package = os.path.dirname(os.path.dirname(path))
            self._tell(f"the program has an adlsp of another version, in {package}: {NEVER}")

    async def _register(self, announced: list[Message]) -> None:
        placing = []
        for each in announced:
            try:
                derivative = maps.read(each["payload"], each["text"], self._to_client)
            except ValueError as error:
                self._tell_once(f"the debugger does not understand a derivative ({error})")
                continue
            self._check(derivative, each["text"])
            placing += [self.place(path) for path in self.breakpoints.add(derivative)]
        await asyncio.gather(*placing)
        self._on_change()

    def _check(self, derivative: maps.DerivativeMap, text: str) -> None:
        if maps.is_fileless(derivative.path):
            self._tell_once(NO_FOLDER)
        elif not text:
            self._tell_once(f"{derivative.path} cannot be read: breakpoints may not stop in it")

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._tell(text)

    async def _evaluate(self, expression: str) -> str:
        body = await self._ask("evaluate", {"expression": expression, "context": "clipboard"})
        return str(body["result"])

    def _to_client(self, path: str) -> str:
        return rewrite.path_to_client(path, self.start.get("pathMappings") or [])
