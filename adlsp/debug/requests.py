"""The requests about a stopped program: its stack, variables and gradients, and our own ones.

A request about a frame of ours is about debugpy's frame of the derivative that it belongs to, where
it is not answered here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from adlsp.debug import looking, primals, program, rewrite, scopes, stack, stops, upstream, wire
from adlsp.debug.client import Client
from adlsp.debug.wire import Message

Handler = Callable[[wire.Frame], Awaitable[None]]
"""Takes a request of the client's."""


class Requests:
    """What the client asks of one stopped program; `layout` says which frame comes first.

    `by_command` has the requests that are answered here.
    """

    def __init__(
        self,
        client: Client,
        ask: stops.Ask,
        forward: Callable[[bytes], None],
        debugged: program.Program,
        frames: stack.Frames,
        listed: scopes.Scopes,
    ) -> None:
        self.layout = rewrite.LAYOUTS[0]
        self._client = client
        self._forward = forward
        self._program = debugged
        self._frames = frames
        self._scopes = listed
        self._looking = looking.Looking(ask, debugged.breakpoints.maps, frames, listed)
        self.by_command: dict[str, Handler] = {
            "stackTrace": self._on_stack_trace,
            "variables": self._on_variables,
            "evaluate": self._on_evaluate,
            "adlsp/counterpart": self._on_counterpart,
            "adlsp/why": self._on_why,
            "adlsp/compare": self._on_compare,
            "adlsp/inlineValues": self._on_inline_values,
        }

    def pass_on(self, frame: wire.Frame) -> None:
        """Passes a request on, with debugpy's frame where it is about one of ours."""
        changed = rewrite.with_real_frame(frame.message, self._frames.real)
        self._forward(frame.raw if changed is frame.message else wire.encode(changed))

    # the stack, and the scopes of its frames

    async def _on_stack_trace(self, frame: wire.Frame) -> None:
        self._forward(wire.encode(rewrite.whole_stack(frame.message)))

    async def tell_stack(self, request: Message, answer: Message) -> None:
        """Answers a request for a stack, by what debugpy has answered."""
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
        if self.layout == "primal":
            frames = stack.primal_first(frames, self._frames)
        body = stack.cut(frames, request["arguments"])
        del self._client.open[request["seq"]]
        self._client.pass_on(wire.encode({**answer, "body": body}))

    def with_gradients(self, request: Message, answer: Message) -> Message:
        """The scopes of a frame, with that of gradients before them."""
        frame = request["arguments"]["frameId"]
        of = self._frames.shown(frame)
        if not of.pairs:
            return answer
        ours = self._scopes.scope(self._frames.real(frame), of)
        return {**answer, "body": {"scopes": [ours, *answer["body"]["scopes"]]}}

    async def _on_variables(self, frame: wire.Frame) -> None:
        reference = (frame.message.get("arguments") or {}).get("variablesReference", 0)
        scope, row = self._scopes.frame(reference), self._scopes.row(reference)
        compared = self._scopes.compared(reference)
        if compared is not None:
            self._client.reply(frame.message, self._whether_right(compared))
        elif scope is not None:
            self._client.reply(frame.message, self._variables(self._looking.variables(*scope)))
        elif row is not None:
            self._client.reply(frame.message, self._variables(self._looking.parts(row)))
        elif isinstance(reference, int) and reference >= scopes.FIRST_ID:
            self._client.fail(frame.message, "the program has gone on since")
        else:
            self._forward(frame.raw)

    async def _variables(self, listed: Awaitable[list[Message]]) -> Message:
        return {"variables": await listed}

    async def _whether_right(self, frame: int) -> Message:
        told = "; ".join(await self._compared(frame))
        return {"variables": [scopes.part("right?", told)]}

    async def _on_evaluate(self, frame: wire.Frame) -> None:
        """In the primal, someone who points at a variable sees its gradient as well."""
        arguments = frame.message.get("arguments") or {}
        number, is_hover = arguments.get("frameId", 0), arguments.get("context") == "hover"
        real = self._frames.real(number)
        if is_hover and real != number:
            name = str(arguments.get("expression"))
            self._client.serve(frame.message, self._tell_pointed(frame, real, name))
        else:
            self.pass_on(frame)

    async def _tell_pointed(self, frame: wire.Frame, real: int, name: str) -> None:
        try:
            self._client.succeed(frame.message, await self._looking.pointed(real, name))
        except (upstream.RefusedError, ValueError, LookupError):
            self.pass_on(frame)

    # requests of our own

    async def _on_counterpart(self, frame: wire.Frame) -> None:
        """Tells the other line of a pair, its frame, and which file is the derivative's."""
        number = (frame.message.get("arguments") or {}).get("frameId")
        place = self._frames.counterpart(number) if isinstance(number, int) else None
        if not isinstance(number, int) or place is None:
            self._client.succeed(frame.message, {})
            return
        derivative = self._frames.shown(number).path
        at = {"path": place.path, "line": place.line, "frameId": place.frame}
        self._client.succeed(frame.message, {**at, "derivative": derivative})

    async def _on_why(self, frame: wire.Frame) -> None:
        number, name = _frame_of(frame.message), frame.message["arguments"].get("name")
        self._client.reply(frame.message, self._lines(self._looking.explained(number, str(name))))

    async def _on_compare(self, frame: wire.Frame) -> None:
        real = self._frames.real(_frame_of(frame.message))
        self._client.reply(frame.message, self._lines(self._compared(real)))

    async def _compared(self, frame: int) -> list[str]:
        """What a comparison says; then the client is told to ask for variables again."""
        lines = await self._looking.compared(frame)
        if self._scopes.is_asked_again:
            changed = rewrite.event("invalidated", {"areas": ["variables"]})
            asyncio.get_running_loop().call_soon(self._client.send, changed)  # behind the answer
        return lines

    async def _on_inline_values(self, frame: wire.Frame) -> None:
        self._client.reply(frame.message, self._looking.beside(_frame_of(frame.message)))

    async def _lines(self, told: Awaitable[list[str]]) -> Message:
        return {"lines": await told}


def _frame_of(request: Message) -> int:
    """The frame that a request is about. Raises ValueError where it names none."""
    number = (request.get("arguments") or {}).get("frameId")
    if not isinstance(number, int):
        raise ValueError(f'"frameId" must be a number, not {number!r}')
    return number
