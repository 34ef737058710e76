"""Stops and steps: which of them the client sees, and what happens at those that it does not.

A breakpoint that nobody has set is gone on from; a stop in the hook becomes that of an exception;
a step goes on to the next statement of the primal. While the program is gone on with for us, the
client sees it stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from adlsp.debug import filters, instrument, program, rewrite, scopes, stack, steps, upstream, wire
from adlsp.debug.client import Client
from adlsp.debug.wire import Message

DEPTH = 10
"""How many functions of ours there may be between a derivative and the hook."""

STEPS = frozenset({"next", "stepIn", "stepOut"})

RESUMING = frozenset({"continue", *STEPS, "goto", "restartFrame"})

Ask = Callable[[str, Message], asyncio.Future[Message]]
"""Sends a request of ours to debugpy."""


class Stops:
    """The threads of one program. `forward` passes a request of the client's on.

    `granularity` is what a step is that does not say so itself.
    """

    def __init__(
        self,
        client: Client,
        ask: Ask,
        forward: Callable[[bytes], None],
        debugged: program.Program,
        frames: stack.Frames,
        listed: scopes.Scopes,
    ) -> None:
        self.granularity = "statement"
        self._client = client
        self._ask = ask
        self._forward = forward
        self._program = debugged
        self._frames = frames
        self._scopes = listed
        self._dropped: dict[int, stack.Frames] = {}
        self._steps: dict[int, steps.Step] = {}
        self._alarms: dict[int, filters.Alarm] = {}
        self._stepped: dict[int, asyncio.Future[bool]] = {}
        self._n_hidden_resumes = 0

    def alarm(self, thread: int) -> filters.Alarm | None:
        """Why a thread has stopped in the hook, if it has."""
        return self._alarms.get(thread)

    # from the client

    def resume(self, frame: wire.Frame) -> bool:
        """Takes a request by which the program goes on; tells whether it is seen to here."""
        message = frame.message
        thread = (message.get("arguments") or {}).get("threadId", -1)
        self._note_resume(message, thread)
        is_alarmed = self._alarms.pop(thread, None) is not None
        if message["command"] in STEPS and (is_alarmed or self._program.breakpoints.maps):
            self._client.serve(message, self._step(thread, frame, is_alarmed=is_alarmed))
            return True
        return False

    def _note_resume(self, message: Message, thread: int) -> None:
        self._dropped[message["seq"]] = self._frames.forget()
        self._scopes.forget()
        self._steps.pop(thread, None)
        if message["command"] == "stepIn":
            self._steps[thread] = steps.Step("stepIn")

    async def _step(self, thread: int, frame: wire.Frame, *, is_alarmed: bool) -> None:
        """Takes the client's step, from the derivative where the program has stopped for us."""
        message = frame.message
        if is_alarmed and not await self._leave_alarm(thread):
            self._client.succeed(message)
            return
        command = message["command"]
        chosen = (message.get("arguments") or {}).get("granularity") or self.granularity
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
            await self._go_on(thread, "stepOut")
            if not await stepped:
                return False
        return True

    # from debugpy

    def answered(self, answer: Message) -> None:
        """Takes the answer to a request: where the program does not go on, its frames are back."""
        dropped = self._dropped.pop(answer["request_seq"], None)
        if dropped is not None and not answer.get("success"):
            self._frames.recall(dropped)

    def on_stopped(self, frame: wire.Frame) -> None:
        """Takes the event: the client is told, or something is done first."""
        message, raw = frame.message, frame.raw
        body = message.get("body") or {}
        hit = body.get("hitBreakpointIds") or []
        if hit:
            owners = self._program.breakpoints.owners(hit)
            if not owners:
                self._client.spawn(self._go_on(body["threadId"], "continue"))
                return
            if instrument.ALARM in owners:
                self._client.spawn(self._alarm(body))
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
            self._client.spawn(self._settle_step(body["threadId"], step, raw))
        else:
            self._client.pass_on(raw)

    def on_continued(self, frame: wire.Frame) -> None:
        """Takes the event, which the client is not told of where it was for us."""
        if self._n_hidden_resumes:
            self._n_hidden_resumes -= 1
            return
        self._frames.forget()
        self._scopes.forget()
        self._client.pass_on(frame.raw)

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
            self._client.pass_on(raw)
        else:
            self._steps[thread] = step
            await self._go_on(thread, command)

    async def _alarm(self, body: Message) -> None:
        """Says why the program has stopped in the hook."""
        thread = body["threadId"]
        found = await self._ask("stackTrace", {"threadId": thread, "startFrame": 0, "levels": 1})
        frame = found["stackFrames"][0]["id"]
        asked = {"expression": instrument.SAID, "frameId": frame, "context": "clipboard"}
        said = await self._ask("evaluate", asked)
        self._alarms[thread] = alarm = filters.Alarm.read(said["result"])
        self._client.send(rewrite.event("stopped", alarm.stopped(body)))

    async def _whole_stack(self, thread: int) -> list[Message]:
        body = await self._ask("stackTrace", {"threadId": thread})
        return list(body["stackFrames"])

    async def _go_on(self, thread: int, command: str) -> None:
        self._n_hidden_resumes += 1
        await self._ask(command, {"threadId": thread})
