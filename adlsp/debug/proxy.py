"""The debug session between an editor and debugpy: two pumps, and what happens to a few messages.

Every message passes as it came, but for those with an entry in `Proxy._requests`, `_answers` or
`_events`. The client's messages are handled one after the other, in order. A handler for a message
of debugpy never waits for debugpy: what has to wait runs as a task, because the answer comes
through the very pump that called it.

Here a session begins and ends. What it asks debugpy for goes through `upstream.py`, what it answers
through `client.py`; `program.py` has the program's derivatives, and the breakpoints there. Stops
and steps are in `stops.py`, requests about a stopped program in `requests.py`.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Callable

from adlsp.debug import (
    conditions,
    filters,
    instrument,
    primals,
    program,
    recorded,
    recordings,
    requests,
    rewrite,
    scopes,
    stack,
    stops,
    upstream,
    wire,
)
from adlsp.debug.client import Client
from adlsp.debug.log import log
from adlsp.debug.streams import Sink
from adlsp.debug.wire import Message

PATIENCE = 10.0
"""How many seconds a message of the client waits for preparations of ours."""

PARTING = 1.0
"""How many seconds leaving waits for what is under way."""

DETACHING = 10.0
"""How many it waits where the program goes on, and can be attached to again."""

TAKING_OVER = 5.0
"""How many seconds debugpy is asked again while it has not seen that another client has left."""

TAKEN = "already being debugged"
"""What debugpy says then; a client that goes without a word is missed a moment later."""

LEAVING = frozenset({"disconnect", "terminate", "restart"})


class Proxy:
    """One session. `starting` gives the connection to debugpy, which was started before."""

    def __init__(
        self,
        arriving: asyncio.StreamReader,
        sink: Sink,
        starting: asyncio.Future[upstream.Upstream],
    ) -> None:
        self._arriving, self._starting = arriving, starting
        self._client = client = Client(sink)
        self._upstream: upstream.Upstream | None = None
        self._initialize: Message = {}
        self._ended = asyncio.Event()
        self._is_terminated = False
        self._is_left = False
        self._is_parted = False
        self._is_attached = False
        self._t_attached = 0.0
        self._is_leaving = False
        self._pump: asyncio.Task[None] | None = None
        self._prepared: asyncio.Task[None] | None = None
        self._program = debugged = program.Program(
            self._ask, self._tell_changes, client.tell, self._tell_recorded
        )
        self._scopes = scopes.Scopes()
        room = client, self._ask, self._forward, debugged, stack.Frames(), self._scopes
        self._stops, self._stopped = stops.Stops(*room), requests.Requests(*room)
        self._requests: dict[str, requests.Handler] = {
            "initialize": self._on_initialize,
            "launch": self._on_start,
            "attach": self._on_start,
            "setBreakpoints": self._on_set_breakpoints,
            "setExceptionBreakpoints": self._on_set_exception_breakpoints,
            "configurationDone": self._on_configuration_done,
            "exceptionInfo": self._on_exception_info,
            "disconnect": self._on_disconnect,
            **self._stopped.by_command,
            **recordings.Recordings(client, debugged).by_command,
        }
        self._answers: dict[str, Callable[[Message, Message], Message]] = {
            "initialize": self._rewrite_capabilities,
            "scopes": self._stopped.with_gradients,
        }
        self._events: dict[str, Callable[[wire.Frame], None]] = {
            "initialized": self._on_initialized,
            "output": self._on_output,
            "stopped": self._stops.on_stopped,
            "continued": self._stops.on_continued,
            "breakpoint": self._on_breakpoint,
            "terminated": self._on_terminated,
        }

    async def run(self) -> None:
        """Serves the session until the client leaves or has been told of its end."""
        try:
            self._use(await self._starting)
        except OSError as error:
            log(f"cannot start debugpy: {error}")
        pump = asyncio.create_task(self._pump_client())
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({pump, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            pump.cancel()
            ended.cancel()
            source = self._upstream  # which may be lost while we part
            if source is not None:
                if not self._is_parted:
                    await self._part()
                await source.close()

    # the two pumps

    async def _pump_client(self) -> None:
        while (frame := await wire.read(self._arriving)) is not None:
            if isinstance(frame, wire.Malformed):
                log(f"ignored what the client sent: {frame.reason}")
                self._client.tell(f"ignored {frame.reason}")
                continue
            message = frame.message
            try:
                await self._from_client(frame)
            except Exception as error:
                self._client.refuse(message, error)

    async def _pump_upstream(self, source: upstream.Upstream) -> None:
        while (frame := await wire.read(source.reader)) is not None:
            if source is not self._upstream:
                return
            if isinstance(frame, wire.Malformed):
                log(f"ignored what debugpy sent: {frame.reason}")
                continue
            try:
                self._from_upstream(source, frame)
            except Exception:
                log(traceback.format_exc())
                self._client.pass_on(frame.raw)
        if source is self._upstream:
            self._on_lost(source)

    def _use(self, source: upstream.Upstream) -> None:
        spare, self._upstream = self._upstream, source
        self._pump = self._client.spawn(self._pump_upstream(source))
        if spare is not None:
            self._client.spawn(spare.close())

    # from the client

    async def _from_client(self, frame: wire.Frame) -> None:
        message = frame.message
        if message["type"] != "request":
            self._forward(frame.raw)
            return
        if self._upstream is None:
            self._answer_without_upstream(message)
            return
        self._client.open[message["seq"]] = message
        command = message["command"]
        if command in stops.RESUMING and self._stops.resume(frame):
            return
        self._is_left = self._is_left or command in LEAVING
        handler = self._requests.get(command)
        if handler is not None:
            await handler(frame)
            return
        self._stopped.pass_on(frame)

    def _forward(self, raw: bytes) -> None:
        if self._upstream is not None:
            self._upstream.send(raw)

    async def _on_initialize(self, frame: wire.Frame) -> None:
        self._initialize = frame.message
        arguments = frame.message.get("arguments") or {}
        self._scopes.is_styled = bool(arguments.get("supportsANSIStyling"))
        self._scopes.is_asked_again = bool(arguments.get("supportsInvalidatedEvent"))
        self._forward(frame.raw)

    async def _on_start(self, frame: wire.Frame) -> None:
        message = frame.message
        arguments = message.get("arguments") or {}
        self._program.breakpoints.default_mode = mode = rewrite.primal_mode(arguments)
        if mode == "backward":
            primals.prepare()
        self._stops.granularity = rewrite.granularity(arguments)
        wanted = recorded.launched(arguments)
        self._stopped.layout = rewrite.layout(arguments)
        self._program.start = rewrite.start(arguments)
        if wanted:
            await self._program.record(wanted)
        address = arguments.get("connect")
        if message["command"] == "attach" and isinstance(address, dict):
            host, port = address.get("host") or "127.0.0.1", address.get("port")
            try:
                self._use(await upstream.connect(str(host), int(str(port))))
                self._is_attached = True
                self._t_attached = time.monotonic()
            except (OSError, ValueError) as error:
                self._client.fail(message, f"cannot attach to {host}:{port}: {error}")
                return
            await self._ask("initialize", self._initialize.get("arguments"))
        changed = {**message, "arguments": self._program.start}
        self._forward(wire.encode(changed))

    async def _on_set_breakpoints(self, frame: wire.Frame) -> None:
        message = frame.message
        arguments = message["arguments"]
        if not (arguments.get("source") or {}).get("path"):
            self._forward(frame.raw)
            return
        breakpoints = self._program.breakpoints
        is_asked = breakpoints.needs_parts(arguments)
        parts = await primals.parts(arguments["source"]["path"]) if is_asked else frozenset()
        document, paths = breakpoints.replace(arguments, parts)
        placing = [self._program.place(path) for path in paths]

        async def told() -> Message:
            await asyncio.gather(*placing)
            return {"breakpoints": breakpoints.answer(document)}

        self._client.reply(message, told())

    async def _on_set_exception_breakpoints(self, frame: wire.Frame) -> None:
        chosen = filters.read(frame.message.get("arguments") or {})
        others = self._ask("setExceptionBreakpoints", chosen.others)
        sought = self._program.seek(chosen.sought)

        async def told() -> Message:
            await asyncio.gather(sought, others)
            return {"breakpoints": list(chosen.answers)}

        self._client.reply(frame.message, told())

    async def _on_exception_info(self, frame: wire.Frame) -> None:
        thread = (frame.message.get("arguments") or {}).get("threadId", -1)
        alarm = self._stops.alarm(thread)
        if alarm is None:
            self._forward(frame.raw)
        else:
            self._client.succeed(frame.message, alarm.info)

    async def _on_configuration_done(self, frame: wire.Frame) -> None:
        if self._prepared is not None:
            await asyncio.wait({self._prepared}, timeout=PATIENCE)
        self._forward(frame.raw)

    async def _on_disconnect(self, frame: wire.Frame) -> None:
        await self._part()
        self._forward(frame.raw)

    # from debugpy

    def _from_upstream(self, source: upstream.Upstream, frame: wire.Frame) -> None:
        message, raw = frame.message, frame.raw
        match message["type"]:
            case "response":
                if source.settle(message) or self._is_attached_again(message):
                    return
                request = self._client.open.pop(message["request_seq"], None)
                self._stops.answered(message)
                if (
                    request is not None
                    and request["command"] == "stackTrace"
                    and message["success"]
                ):
                    self._client.open[request["seq"]] = request
                    self._client.serve(request, self._stopped.tell_stack(request, message))
                    return
                rewriter = self._answers.get(request["command"]) if request else None
                if not message.get("success"):
                    raw = wire.encode(rewrite.refusal(message))
                elif request is not None and rewriter is not None:
                    raw = wire.encode(rewriter(request, message))
                self._client.pass_on(raw)
                if request is not None and request["command"] == "disconnect":
                    self._client.spawn(self._leave())
            case "event" if message["event"] in self._events:
                self._events[message["event"]](frame)
            case _:
                self._client.pass_on(raw)

    def _is_attached_again(self, answer: Message) -> bool:
        """Sees to an attachment that is refused because another one is ending."""
        request = self._client.open.get(answer["request_seq"], {})
        is_taken = not answer.get("success") and TAKEN in str(answer.get("message"))
        is_early = time.monotonic() < self._t_attached + TAKING_OVER
        if request.get("command") != "attach" or not is_taken or not is_early or self._is_left:
            return False
        self._client.spawn(self._attach_again(request))
        return True

    async def _attach_again(self, request: Message) -> None:
        await asyncio.sleep(0.1)
        self._forward(wire.encode({**request, "arguments": self._program.start}))

    def _rewrite_capabilities(self, _: Message, answer: Message) -> Message:
        return rewrite.capabilities(answer, self._scopes.is_styled)

    # the program

    def _on_initialized(self, frame: wire.Frame) -> None:
        self._prepared = self._client.spawn(self._program.prepare())
        self._client.pass_on(frame.raw)

    def _on_output(self, frame: wire.Frame) -> None:
        text = (frame.message.get("body") or {}).get("output")
        said = instrument.said(text) if isinstance(text, str) else None
        match said:
            case instrument.Announced(number):
                self._client.spawn(self._program.learn(number))
            case instrument.Imported(path):
                self._client.spawn(self._program.meet(path))
            case conditions.Said():
                self._program.evaluated(said)
            case instrument.Rest(""):
                self._client.spawn(self._program.let_end())
            case instrument.Rest(rest):
                self._program.take_rows(rest)
            case None:
                self._client.pass_on(frame.raw)

    def _on_breakpoint(self, frame: wire.Frame) -> None:
        if not self._program.breakpoints.update(
            (frame.message.get("body") or {}).get("breakpoint") or {}
        ):
            self._client.pass_on(frame.raw)
        self._tell_changes()

    def _on_terminated(self, frame: wire.Frame) -> None:
        self._is_terminated = True
        if not self._is_left:
            self._program.finish()
        self._program.save()
        self._client.pass_on(frame.raw)

    def _ask(self, command: str, arguments: Message | None = None) -> asyncio.Future[Message]:
        if self._upstream is None or self._is_parted:
            raise ConnectionError("the debugger has ended")
        return self._upstream.request(command, arguments)

    def _tell_recorded(self, body: Message) -> None:
        self._client.send(rewrite.event("adlsp/gradients", body))

    def _tell_changes(self) -> None:
        for changed in self._program.breakpoints.changes():
            self._client.send(
                rewrite.event("breakpoint", {"reason": "changed", "breakpoint": changed})
            )

    # the end

    async def _part(self) -> None:
        """Waits a moment for what is under way, and asks debugpy nothing more.

        It ends for good, and takes its port with it, where it has to answer one who has left.
        """
        if not self._is_terminated:
            self._client.spawn(self._program.part())
        end = time.monotonic() + (DETACHING if self._is_attached else PARTING)
        while self._has_work() and time.monotonic() < end:
            await asyncio.sleep(0.01)
        self._is_parted = True
        if not self._is_terminated:
            self._program.save()

    def _has_work(self) -> bool:
        """Tells whether debugpy has something to answer, to us or to the client."""
        asked = (message["command"] for message in self._client.open.values())
        is_open = self._is_attached and any(command not in LEAVING for command in asked)
        return is_open or self._client.has_work(self._pump)

    async def _leave(self) -> None:
        """Ends the session once debugpy has closed its side, or in a moment if it does not."""
        self._is_leaving = True
        await asyncio.sleep(0.25)
        self._ended.set()

    def _on_lost(self, source: upstream.Upstream) -> None:
        source.lose()
        self._upstream = None
        self._client.spawn(source.close())
        for message in list(self._client.open.values()):
            self._answer_without_upstream(message)
        if self._is_leaving:
            self._ended.set()
        elif not self._is_terminated:
            self._is_terminated = True
            self._program.save()
            self._client.tell("the debugger has ended unexpectedly")
            self._client.send(rewrite.event("terminated"))

    def _answer_without_upstream(self, request: Message) -> None:
        self._client.open[request["seq"]] = request
        if request["command"] in ("disconnect", "terminate", "adlsp/counterpart"):
            self._client.succeed(request)
        else:
            self._client.fail(request, "the debugger has ended")
        if request["command"] == "disconnect":
            self._ended.set()
