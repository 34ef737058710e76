"""The debug session between an editor and debugpy: two pumps, and what happens to a few messages.

Every message passes as it came, but for those with an entry in `Proxy._requests`, `_answers` or
`_events`. The client's messages are handled one after the other, in order. A handler for a message
of debugpy never waits for debugpy: what has to wait runs as a task, because the answer comes
through the very pump that called it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from adlsp.debug import (
    conditions,
    filters,
    instrument,
    looking,
    primals,
    program,
    recorded,
    rewrite,
    scopes,
    stack,
    steps,
    upstream,
    wire,
)
from adlsp.debug.log import log
from adlsp.debug.streams import Sink
from adlsp.debug.wire import Message

PATIENCE = 10.0
"""How many seconds a message of the client waits for preparations of ours."""

DEPTH = 10
"""How many functions of ours there may be between a derivative and the hook."""

PARTING = 1.0
"""How many seconds leaving waits for what is under way."""

DETACHING = 10.0
"""How many it waits where the program goes on, and can be attached to again."""

TAKING_OVER = 5.0
"""How many seconds debugpy is asked again while it has not seen that another client has left."""

TAKEN = "already being debugged"
"""What debugpy says then; a client that goes without a word is missed a moment later."""

STEPS = frozenset({"next", "stepIn", "stepOut"})

RESUMING = frozenset({"continue", "next", "stepIn", "stepOut", "goto", "restartFrame"})

LEAVING = frozenset({"disconnect", "terminate", "restart"})


class Proxy:
    """One session."""

    def __init__(self, client: asyncio.StreamReader, sink: Sink) -> None:
        self._client = client
        self._sink = sink
        self._upstream: upstream.Upstream | None = None
        self._seqs = itertools.count(upstream.FIRST_SEQ)
        self._open: dict[int, Message] = {}
        self._initialize: Message = {}
        self._ended = asyncio.Event()
        self._is_terminated = False
        self._is_left = False
        self._is_parted = False
        self._is_attached = False
        self._t_attached = 0.0
        self._is_leaving = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._pump: asyncio.Task[None] | None = None
        self._prepared: asyncio.Task[None] | None = None
        self._program = program.Program(
            self._ask, self._tell_changes, self._tell, self._tell_recorded
        )
        self._frames = stack.Frames()
        self._dropped: dict[int, stack.Frames] = {}
        self._granularity = "statement"
        self._layout = rewrite.LAYOUTS[0]
        self._steps: dict[int, steps.Step] = {}
        self._scopes = scopes.Scopes()
        self._looking = looking.Looking(
            self._ask, self._program.breakpoints.maps, self._frames, self._scopes
        )
        self._alarms: dict[int, filters.Alarm] = {}
        self._stepped: dict[int, asyncio.Future[bool]] = {}
        self._n_hidden_resumes = 0
        self._requests: dict[str, Callable[[wire.Frame], Awaitable[None]]] = {
            "initialize": self._on_initialize,
            "launch": self._on_start,
            "attach": self._on_start,
            "setBreakpoints": self._on_set_breakpoints,
            "setExceptionBreakpoints": self._on_set_exception_breakpoints,
            "configurationDone": self._on_configuration_done,
            "exceptionInfo": self._on_exception_info,
            "disconnect": self._on_disconnect,
            "stackTrace": self._on_stack_trace,
            "variables": self._on_variables,
            "evaluate": self._on_evaluate,
            "adlsp/counterpart": self._on_counterpart,
            "adlsp/why": self._on_why,
            "adlsp/record": self._on_record,
            "adlsp/gradients": self._on_gradients,
            "adlsp/exportGradients": self._on_export,
            "adlsp/compare": self._on_compare,
            "adlsp/inlineValues": self._on_inline_values,
        }
        self._answers: dict[str, Callable[[Message, Message], Message]] = {
            "initialize": self._rewrite_capabilities,
            "scopes": self._rewrite_scopes,
        }
        self._events: dict[str, Callable[[wire.Frame], None]] = {
            "initialized": self._on_initialized,
            "output": self._on_output,
            "stopped": self._on_stopped,
            "continued": self._on_continued,
            "breakpoint": self._on_breakpoint,
            "terminated": self._on_terminated,
        }

    async def run(self) -> None:
        """Serves the session until the client leaves or has been told of its end."""
        try:
            self._use(await upstream.spawn())
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
        while (frame := await wire.read(self._client)) is not None:
            if isinstance(frame, wire.Malformed):
                log(f"ignored what the client sent: {frame.reason}")
                self._tell(f"ignored {frame.reason}")
                continue
            message = frame.message
            try:
                await self._from_client(frame)
            except Exception as error:
                self._refuse(message, error)

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
                self._sink.write(frame.raw)
        if source is self._upstream:
            self._on_lost(source)

    def _use(self, source: upstream.Upstream) -> None:
        spare, self._upstream = self._upstream, source
        self._pump = self._spawn(self._pump_upstream(source))
        if spare is not None:
            self._spawn(spare.close())

    # from the client

    async def _from_client(self, frame: wire.Frame) -> None:
        message = frame.message
        if message["type"] != "request":
            self._forward(frame.raw)
            return
        if self._upstream is None:
            self._answer_without_upstream(message)
            return
        self._open[message["seq"]] = message
        command = message["command"]
        if command in RESUMING:
            self._note_resume(message)
            thread = (message.get("arguments") or {}).get("threadId", -1)
            is_alarmed = self._alarms.pop(thread, None) is not None
            if command in STEPS and (is_alarmed or self._program.breakpoints.maps):
                self._serve(message, self._step(thread, frame, is_alarmed=is_alarmed))
                return
        self._is_left = self._is_left or command in LEAVING
        handler = self._requests.get(command)
        if handler is not None:
            await handler(frame)
            return
        self._forward_real(frame)

    def _forward_real(self, frame: wire.Frame) -> None:
        """Passes a request on, with debugpy's frame where it is about one of ours."""
        changed = rewrite.with_real_frame(frame.message, self._frames.real)
        self._forward(frame.raw if changed is frame.message else wire.encode(changed))

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
        self._program.breakpoints.default_mode = rewrite.primal_mode(arguments)
        self._granularity = rewrite.granularity(arguments)
        wanted = recorded.launched(arguments)
        self._layout = rewrite.layout(arguments)
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
                self._fail(message, f"cannot attach to {host}:{port}: {error}")
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

        self._reply(message, told())

    async def _on_set_exception_breakpoints(self, frame: wire.Frame) -> None:
        chosen = filters.read(frame.message.get("arguments") or {})
        others = self._ask("setExceptionBreakpoints", chosen.others)
        sought = self._program.seek(chosen.sought)

        async def told() -> Message:
            await asyncio.gather(sought, others)
            return {"breakpoints": list(chosen.answers)}

        self._reply(frame.message, told())

    async def _on_exception_info(self, frame: wire.Frame) -> None:
        alarm = self._alarms.get((frame.message.get("arguments") or {}).get("threadId", -1))
        if alarm is None:
            self._forward(frame.raw)
        else:
            self._succeed(frame.message, alarm.info)

    async def _on_configuration_done(self, frame: wire.Frame) -> None:
        if self._prepared is not None:
            await asyncio.wait({self._prepared}, timeout=PATIENCE)
        self._forward(frame.raw)

    async def _on_disconnect(self, frame: wire.Frame) -> None:
        await self._part()
        self._forward(frame.raw)

    async def _on_stack_trace(self, frame: wire.Frame) -> None:
        changed = rewrite.whole_stack(frame.message)
        self._forward(wire.encode(changed))

    async def _on_variables(self, frame: wire.Frame) -> None:
        reference = (frame.message.get("arguments") or {}).get("variablesReference", 0)
        scope, row = self._scopes.frame(reference), self._scopes.row(reference)
        entry = self._scopes.entry(reference)
        if entry is not None:
            self._reply(frame.message, self._whether_right(entry))
        elif scope is not None:
            self._reply(frame.message, self._variables(self._looking.variables(*scope)))
        elif row is not None:
            self._reply(frame.message, self._variables(self._looking.parts(row)))
        elif isinstance(reference, int) and reference >= scopes.FIRST_ID:
            self._fail(frame.message, "the program has gone on since")
        else:
            self._forward(frame.raw)

    async def _variables(self, listed: Awaitable[list[Message]]) -> Message:
        return {"variables": await listed}

    async def _whether_right(self, entry: int) -> Message:
        told = "; ".join(await self._compared(entry))
        return {"variables": [scopes.part("right?", told)]}

    async def _on_evaluate(self, frame: wire.Frame) -> None:
        """In the primal, someone who points at a variable sees its gradient as well."""
        arguments = frame.message.get("arguments") or {}
        number, is_hover = arguments.get("frameId", 0), arguments.get("context") == "hover"
        real = self._frames.real(number)
        if is_hover and real != number:
            name = str(arguments.get("expression"))
            self._serve(frame.message, self._tell_pointed(frame, real, name))
        else:
            self._forward_real(frame)

    async def _tell_pointed(self, frame: wire.Frame, real: int, name: str) -> None:
        try:
            self._succeed(frame.message, await self._looking.pointed(real, name))
        except (upstream.RefusedError, ValueError, LookupError):
            self._forward_real(frame)

    async def _on_counterpart(self, frame: wire.Frame) -> None:
        """Tells the other line of a pair, and which file is the derivative's of the two."""
        number = (frame.message.get("arguments") or {}).get("frameId")
        place = self._frames.counterpart(number) if isinstance(number, int) else None
        if not isinstance(number, int) or place is None:
            self._succeed(frame.message, {})
            return
        derivative = self._frames.shown(number).path
        told = {"path": place.path, "line": place.line, "derivative": derivative}
        self._succeed(frame.message, told)

    async def _on_why(self, frame: wire.Frame) -> None:
        number, name = self._frame_of(frame.message), frame.message["arguments"].get("name")
        self._reply(frame.message, self._lines(self._looking.explained(number, str(name))))

    async def _on_compare(self, frame: wire.Frame) -> None:
        entry = self._frames.shown(self._frame_of(frame.message)).entry
        self._reply(frame.message, self._lines(self._compared(entry)))

    async def _compared(self, entry: int) -> list[str]:
        """What a comparison says; then the client is told to ask for variables again."""
        lines = await self._looking.compared(entry)
        if self._scopes.is_asked_again:
            changed = rewrite.event("invalidated", {"areas": ["variables"]})
            asyncio.get_running_loop().call_soon(self._send, changed)  # behind the answer
        return lines

    async def _on_inline_values(self, frame: wire.Frame) -> None:
        self._reply(frame.message, self._looking.beside(self._frame_of(frame.message)))

    async def _lines(self, told: Awaitable[list[str]]) -> Message:
        return {"lines": await told}

    @staticmethod
    def _frame_of(request: Message) -> int:
        """The frame that a request is about. Raises ValueError where it names none."""
        number = (request.get("arguments") or {}).get("frameId")
        if not isinstance(number, int):
            raise ValueError(f'"frameId" must be a number, not {number!r}')
        return number

    async def _on_record(self, frame: wire.Frame) -> None:
        """Starts or ends recording; `path` is that of the file that is written in the end."""
        arguments = frame.message.get("arguments") or {}
        wanted = recorded.read(arguments)
        self._program.recorded.path = str(arguments.get("path") or self._program.recorded.path)

        async def told() -> None:
            await self._program.record(wanted)

        self._reply(frame.message, told())

    async def _on_gradients(self, frame: wire.Frame) -> None:
        since = int((frame.message.get("arguments") or {}).get("since") or 0)

        async def told() -> Message:
            await self._catch_up()
            return self._program.recorded.since(since)

        self._reply(frame.message, told())

    async def _on_export(self, frame: wire.Frame) -> None:
        path = str((frame.message.get("arguments") or {}).get("path") or "")

        async def told() -> Message:
            await self._catch_up()
            try:
                return {"rows": self._program.recorded.write(path)}
            except OSError as error:
                raise ValueError(f"gradients cannot be written: {error}") from error

        self._reply(frame.message, told())

    async def _catch_up(self) -> None:
        """Reads what was recorded until now, as far as the program still answers."""
        with contextlib.suppress(upstream.RefusedError, ConnectionError):
            await self._program.catch_up()

    def _note_resume(self, message: Message) -> None:
        self._dropped[message["seq"]] = self._frames.forget()
        self._scopes.forget()
        thread = (message.get("arguments") or {}).get("threadId", -1)
        self._steps.pop(thread, None)
        if message["command"] == "stepIn":
            self._steps[thread] = steps.Step("stepIn")

    # from debugpy

    def _from_upstream(self, source: upstream.Upstream, frame: wire.Frame) -> None:
        message, raw = frame.message, frame.raw
        match message["type"]:
            case "response":
                if source.settle(message) or self._is_attached_again(message):
                    return
                request = self._open.pop(message["request_seq"], None)
                dropped = self._dropped.pop(message["request_seq"], None)
                if dropped is not None and not message.get("success"):
                    self._frames.recall(dropped)
                if (
                    request is not None
                    and request["command"] == "stackTrace"
                    and message["success"]
                ):
                    self._open[request["seq"]] = request
                    self._serve(request, self._tell_stack(request, message))
                    return
                rewriter = self._answers.get(request["command"]) if request else None
                if not message.get("success"):
                    raw = wire.encode(rewrite.refusal(message))
                elif request is not None and rewriter is not None:
                    raw = wire.encode(rewriter(request, message))
                self._sink.write(raw)
                if request is not None and request["command"] == "disconnect":
                    self._spawn(self._leave())
            case "event" if message["event"] in self._events:
                self._events[message["event"]](frame)
            case _:
                self._sink.write(raw)

    def _is_attached_again(self, answer: Message) -> bool:
        """Sees to an attachment that is refused because another one is ending."""
        request = self._open.get(answer["request_seq"], {})
        is_taken = not answer.get("success") and TAKEN in str(answer.get("message"))
        is_early = time.monotonic() < self._t_attached + TAKING_OVER
        if request.get("command") != "attach" or not is_taken or not is_early or self._is_left:
            return False
        self._spawn(self._attach_again(request))
        return True

    async def _attach_again(self, request: Message) -> None:
        await asyncio.sleep(0.1)
        self._forward(wire.encode({**request, "arguments": self._program.start}))

    async def _tell_stack(self, request: Message, answer: Message) -> None:
        frames = stack.rewrite(
            answer["body"]["stackFrames"],
            self._program.breakpoints.maps,
            self._program.is_hook,
            self._program.is_ours,
            self._frames,
            primals.name_at,
            self._looking.shown,
        )
        await self._looking.count_passes(frames)
        if self._layout == "primal":
            frames = stack.primal_first(frames, self._frames)
        body = stack.cut(frames, request["arguments"])
        del self._open[request["seq"]]
        self._sink.write(wire.encode({**answer, "body": body}))

    def _rewrite_capabilities(self, _: Message, answer: Message) -> Message:
        return rewrite.capabilities(answer, self._scopes.is_styled)

    def _rewrite_scopes(self, request: Message, answer: Message) -> Message:
        frame = request["arguments"]["frameId"]
        of = self._frames.shown(frame)
        if not of.pairs:
            return answer
        ours = self._scopes.scope(self._frames.real(frame), of)
        return {**answer, "body": {"scopes": [ours, *answer["body"]["scopes"]]}}

    def _on_initialized(self, frame: wire.Frame) -> None:
        self._prepared = self._spawn(self._program.prepare())
        self._sink.write(frame.raw)

    def _on_output(self, frame: wire.Frame) -> None:
        text = (frame.message.get("body") or {}).get("output")
        said = instrument.said(text) if isinstance(text, str) else None
        match said:
            case instrument.Announced(number):
                self._spawn(self._program.learn(number))
            case instrument.Imported(path):
                self._spawn(self._program.meet(path))
            case conditions.Said():
                self._program.evaluated(said)
            case instrument.Rest(""):
                self._spawn(self._program.let_end())
            case instrument.Rest(rest):
                self._program.take_rows(rest)
            case None:
                self._sink.write(frame.raw)

    def _on_stopped(self, frame: wire.Frame) -> None:
        message, raw = frame.message, frame.raw
        body = message.get("body") or {}
        hit = body.get("hitBreakpointIds") or []
        if hit:
            owners = self._program.breakpoints.owners(hit)
            if not owners:
                self._spawn(self._resume(body["threadId"], "continue"))
                return
            if instrument.ALARM in owners:
                self._spawn(self._alarm(body))
                return
            message = {**message, "body": {**body, "hitBreakpointIds": owners}}
            raw = wire.encode(message)
        stepped = self._stepped.pop(body.get("threadId", -1), None)
        if stepped is not None:
            stepped.set_result(body.get("reason") == "step")
            if stepped.result():
                return
        step = self._steps.pop(body.get("threadId", -1), None)
        if body.get("reason") == "step" and step is not None:
            self._spawn(self._settle_step(body["threadId"], step, raw))
        else:
            self._sink.write(raw)

    def _on_continued(self, frame: wire.Frame) -> None:
        if self._n_hidden_resumes:
            self._n_hidden_resumes -= 1
            return
        self._frames.forget()
        self._scopes.forget()
        self._sink.write(frame.raw)

    def _on_breakpoint(self, frame: wire.Frame) -> None:
        if not self._program.breakpoints.update(
            (frame.message.get("body") or {}).get("breakpoint") or {}
        ):
            self._sink.write(frame.raw)
        self._tell_changes()

    def _on_terminated(self, frame: wire.Frame) -> None:
        self._is_terminated = True
        if not self._is_left:
            self._program.finish()
        self._program.save()
        self._sink.write(frame.raw)

    async def _part(self) -> None:
        """Waits a moment for what is under way, and asks debugpy nothing more.

        It ends for good, and takes its port with it, where it has to answer one who has left.
        """
        if not self._is_terminated:
            self._spawn(self._program.part())
        end = time.monotonic() + (DETACHING if self._is_attached else PARTING)
        while self._has_work() and time.monotonic() < end:
            await asyncio.sleep(0.01)
        self._is_parted = True
        if not self._is_terminated:
            self._program.save()

    def _has_work(self) -> bool:
        """Tells whether debugpy has something to answer, to us or to the client."""
        asked = (message["command"] for message in self._open.values())
        is_open = self._is_attached and any(command not in LEAVING for command in asked)
        return is_open or bool(self._tasks - {self._pump})

    async def _leave(self) -> None:
        """Ends the session once debugpy has closed its side, or in a moment if it does not."""
        self._is_leaving = True
        await asyncio.sleep(0.25)
        self._ended.set()

    def _on_lost(self, source: upstream.Upstream) -> None:
        source.lose()
        self._upstream = None
        self._spawn(source.close())
        for message in list(self._open.values()):
            self._answer_without_upstream(message)
        if self._is_leaving:
            self._ended.set()
        elif not self._is_terminated:
            self._is_terminated = True
            self._program.save()
            self._tell("the debugger has ended unexpectedly")
            self._send(rewrite.event("terminated"))

    # what runs beside the pumps

    async def _settle_step(self, thread: int, step: steps.Step, raw: bytes) -> None:
        """Passes the end of a step on, or goes on where nobody would want to stop."""
        try:
            frames = await self._whole_stack(thread)
        except (upstream.RefusedError, KeyError, TypeError):
            frames = []
        command = step.goes_on(frames, self._program.breakpoints.maps)
        if frames and self._program.is_hook(stack.path_of(frames[0])):
            command = "stepOut"
        if command is None:
            self._sink.write(raw)
        else:
            self._steps[thread] = step
            await self._resume(thread, command)

    async def _whole_stack(self, thread: int) -> list[Message]:
        body = await self._ask("stackTrace", {"threadId": thread})
        return list(body["stackFrames"])

    async def _alarm(self, body: Message) -> None:
        """Says why the program has stopped in the hook."""
        thread = body["threadId"]
        stack = await self._ask("stackTrace", {"threadId": thread, "startFrame": 0, "levels": 1})
        frame = stack["stackFrames"][0]["id"]
        asked = {"expression": instrument.SAID, "frameId": frame, "context": "clipboard"}
        said = await self._ask("evaluate", asked)
        self._alarms[thread] = alarm = filters.Alarm.read(said["result"])
        self._send(rewrite.event("stopped", alarm.stopped(body)))

    async def _step(self, thread: int, frame: wire.Frame, *, is_alarmed: bool) -> None:
        """Takes the client's step, from the derivative where the program has stopped for us."""
        message = frame.message
        if is_alarmed and not await self._leave_alarm(thread):
            self._succeed(message)
            return
        command = message["command"]
        chosen = (message.get("arguments") or {}).get("granularity") or self._granularity
        if command != "stepOut" and chosen == "statement":
            frames = await self._whole_stack(thread)
            self._steps[thread] = steps.begin(command, frames, self._program.breakpoints.maps)
        self._forward(frame.raw)

    async def _leave_alarm(self, thread: int) -> bool:
        """Leaves what has called the hook; tells whether the thread got to the derivative."""
        for _ in range(DEPTH):
            frames = await self._whole_stack(thread)
            if not frames or not self._program.is_ours(stack.path_of(frames[0])):
                break
            stepped = self._stepped[thread] = asyncio.get_running_loop().create_future()
            await self._resume(thread, "stepOut")
            if not await stepped:
                return False
        return True

    async def _resume(self, thread: int, command: str) -> None:
        self._n_hidden_resumes += 1
        await self._ask(command, {"threadId": thread})

    def _ask(self, command: str, arguments: Message | None = None) -> asyncio.Future[Message]:
        if self._upstream is None or self._is_parted:
            raise ConnectionError("the debugger has ended")
        return self._upstream.request(command, arguments)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
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

    # to the client

    def _reply(self, request: Message, told: Coroutine[Any, Any, Message | None]) -> None:
        """Answers a request when its answer is known; where that raises, it has failed."""

        async def answer() -> None:
            self._succeed(request, await told)

        self._serve(request, answer())

    def _serve(self, request: Message, work: Coroutine[Any, Any, None]) -> None:
        """Does what a request asks for, beside the pumps; it has failed where that raises."""

        async def served() -> None:
            try:
                await work
            except ConnectionError:
                raise
            except Exception as error:
                self._refuse(request, error)

        self._spawn(served())

    def _send(self, message: Message) -> None:
        self._sink.write(wire.encode({"seq": next(self._seqs), **message}))

    def _succeed(self, request: Message, body: Message | None = None) -> None:
        if self._open.pop(request["seq"], None) is not None:
            self._send(rewrite.success(request, body))

    def _refuse(self, message: Message, error: Exception) -> None:
        """Says why a request failed: with a sentence of ours, or as debugpy does, or with a bug."""
        match error:
            case ValueError():
                self._fail(message, str(error))
            case upstream.RefusedError():
                self._fail(message, f"adlsp: {error}")
            case _:
                log(traceback.format_exc())
                self._fail(message, f"adlsp: {type(error).__name__}: {error}")

    def _fail(self, request: Message, text: str) -> None:
        if self._open.pop(request["seq"], None) is not None:
            self._send(rewrite.failure(request, text))

    def _answer_without_upstream(self, request: Message) -> None:
        self._open[request["seq"]] = request
        if request["command"] in ("disconnect", "terminate", "adlsp/counterpart"):
            self._succeed(request)
        else:
            self._fail(request, "the debugger has ended")
        if request["command"] == "disconnect":
            self._ended.set()

    def _tell(self, text: str) -> None:
        said = {"category": "important", "output": f"adlsp: {text}\n"}
        self._send(rewrite.event("output", said))

    def _tell_recorded(self, body: Message) -> None:
        self._send(rewrite.event("adlsp/gradients", body))

    def _tell_changes(self) -> None:
        for changed in self._program.breakpoints.changes():
            self._send(rewrite.event("breakpoint", {"reason": "changed", "breakpoint": changed}))
