"""The server's side of the worker process: it starts, feeds, limits, restarts and kills it.

All analysis happens in one child process, so that the event loop stays free to answer. The one
idea: this side keeps everything needed to begin anew (what was told, what was asked and is not
answered). A child that dies loses nothing: another is started, told and asked again. A question
that two children die of, or that exceeds its time limit, fails with `WorkerError`.
"""

from __future__ import annotations

import asyncio
import itertools
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from adlsp.server import messages, paths

ATTEMPTS = 2
"""How many children may die while at a question before it is held to be what kills them."""

STARTS = 3
"""How many children in a row may die before they begin anything; then none is started unasked."""


LINGER = 2.0
"""Seconds that a child may take to end once it has closed its stream."""

START = """\
from adlsp.server import answers, process
process.main(lambda hold: answers.Answers(hold).answer)
"""


class WorkerError(Exception):
    """A question has no answer, because the worker failed; the text says how."""


@dataclass
class Waiting:
    """A question under way: its answer to come, and how many children died while at it.

    The timer of its limit runs while a child works on it.
    """

    ask: messages.Ask
    future: asyncio.Future[messages.Answer]
    attempts: int = 0
    timer: asyncio.TimerHandle | None = None


@dataclass
class Worker:
    """One long-lived child process, and the state to replace it.

    `log` takes a line for the user's log; `limit` is how many seconds one question may take;
    `start_code` is what the child runs.
    """

    log: Callable[[str], None]
    limit: float = 60.0
    start_code: str = START
    _child: asyncio.SubprocessTransport | None = None
    _runner: asyncio.Task[None] | None = None
    _folders: messages.Folders = field(default_factory=lambda: messages.Folders(()))
    _texts: dict[str, messages.Text] = field(default_factory=dict)
    _untold: dict[object, messages.Told] = field(default_factory=dict)
    _waiting: dict[int, Waiting] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _early_deaths: int = 0
    _is_killed: bool = False

    @property
    def pid(self) -> int | None:
        """The child's process id, while it runs."""
        return self._child.get_pid() if self._child is not None else None

    def start(self) -> None:
        """Starts the child, unless it runs or was killed for good."""
        if self._runner is None and not self._is_killed:
            self._runner = asyncio.get_running_loop().create_task(self._keep_running())

    def tell(self, told: messages.Told) -> None:
        """Notes what the child must know; it travels with the next question, at its newest."""
        match told:
            case messages.Text(path, text):
                if text is None:
                    self._texts.pop(path, None)
                else:
                    self._texts[path] = told
                self._untold[path] = told
            case messages.Folders():
                self._folders = told
                self._untold[messages.Folders] = told
            case messages.Invalidate():
                self._untold[messages.Invalidate] = told

    async def ask(self, question: messages.Question) -> messages.Answer:
        """Answers a question for the texts told so far; cancelling this takes the question back."""
        if self._is_killed:
            raise WorkerError("the server is going down")
        ask = messages.Ask(next(self._numbers), question)
        waiting = Waiting(ask, asyncio.get_running_loop().create_future())
        self._waiting[ask.number] = waiting
        if self._child is None:
            self.start()
        else:
            self._put(waiting)
        try:
            return await waiting.future
        except asyncio.CancelledError:
            self._send(messages.Cancel(ask.number))
            raise
        finally:
            self._forget(ask.number)

    def kill(self) -> None:
        """Ends the child at once and for good; open questions fail."""
        self._is_killed = True
        if self._child is not None:
            self._child.close()
        self._fail_all("the server is going down")

    async def stop(self) -> None:
        """Ends the child for good and waits until it is gone."""
        self.kill()
        if self._runner is not None:
            await asyncio.wait([self._runner], timeout=LINGER)

    async def _keep_running(self) -> None:
        """Runs children, one after the other, as long as it makes sense."""
        try:
            while not self._is_killed:
                await self._run_child()
                if self._early_deaths >= STARTS:
                    self.log("the analysis process does not start; see the messages above")
                    self._fail_all("the analysis process does not start")
                    self._early_deaths = 0
                    return
        finally:
            self._runner = None

    async def _run_child(self) -> None:
        """Starts a child, tells and asks it all that is known, and hears it until it ends."""
        self._early_deaths += 1
        loop = asyncio.get_running_loop()
        try:
            child, hearing = await loop.subprocess_exec(
                lambda: Hearing(self._take), *command(self.start_code), stderr=None
            )
        except OSError as error:
            self.log(f"the analysis process cannot be started: {error}")
            return
        self._child = child
        if self._is_killed:
            child.kill()
        self._untold = {messages.Folders: self._folders}
        self._untold.update(self._texts)
        for waiting in tuple(self._waiting.values()):
            self._put(waiting)
        try:
            await asyncio.wait([hearing.ended])
        finally:
            self._child = None
            if child.get_returncode() is None:
                child.kill()
                await asyncio.wait([hearing.ended], timeout=LINGER)
            child.close()
        if not self._is_killed:
            status = child.get_returncode()
            self.log(f"the analysis process ended (status {status}) and is started again")
            self._fail_repeated(f"the analysis process ended (status {status})")

    def _take(self, message: messages.FromWorker) -> None:
        """Acts on one message of the child."""
        match message:
            case messages.Began(number):
                self._early_deaths = 0
                waiting = self._waiting.get(number)
                if waiting is not None:
                    loop = asyncio.get_running_loop()
                    waiting.timer = loop.call_later(self.limit, self._exceed, number)
            case messages.Done(number, answer):
                waiting = self._forget(number)
                if waiting is not None and not waiting.future.done():
                    waiting.future.set_result(answer)
            case messages.Failed(number, report):
                self.log(report)
                self._fail(number, report.strip().rpartition("\n")[2])
            case messages.Dropped(number):
                self._fail(number, "the question was taken back")

    def _put(self, waiting: Waiting) -> None:
        """Sends the child what it was not told yet, then the question."""
        untold, self._untold = self._untold, {}
        for told in untold.values():
            self._send(told)
        self._send(waiting.ask)

    def _send(self, message: messages.FromServer) -> None:
        pipe = self._child.get_pipe_transport(0) if self._child is not None else None
        if pipe is not None and not pipe.is_closing():
            assert isinstance(pipe, asyncio.WriteTransport)
            pipe.write(messages.pack(message))

    def _exceed(self, number: int) -> None:
        """Ends a child that works on one question for too long."""
        self.log(f"an analysis did not end within {self.limit:g} s; its process is killed")
        self._fail(number, f"the analysis did not end within {self.limit:g} s")
        self._end_child()

    def _end_child(self) -> None:
        if self._child is not None and self._child.get_returncode() is None:
            self._child.kill()

    def _forget(self, number: int) -> Waiting | None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None and waiting.timer is not None:
            waiting.timer.cancel()
        return waiting

    def _fail(self, number: int, reason: str) -> None:
        waiting = self._forget(number)
        if waiting is not None and not waiting.future.done():
            waiting.future.set_exception(WorkerError(reason))

    def _fail_all(self, reason: str) -> None:
        for number in tuple(self._waiting):
            self._fail(number, reason)

    def _fail_repeated(self, reason: str) -> None:
        """Gives up the questions that as many children died of as may."""
        for number, waiting in tuple(self._waiting.items()):
            if waiting.timer is not None:
                waiting.timer.cancel()
                waiting.timer = None
                waiting.attempts += 1
            if waiting.attempts >= ATTEMPTS:
                self._fail(number, reason)


class Hearing(asyncio.SubprocessProtocol):
    """Cuts what a child writes into messages; `ended` is done when the child is gone."""

    def __init__(self, take: Callable[[messages.FromWorker], None]) -> None:
        self.take = take
        self.ended = asyncio.get_running_loop().create_future()
        self._child: asyncio.SubprocessTransport | None = None
        self._heard = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Notes which child this is."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._child = transport

    def pipe_data_received(self, _descriptor: int, data: bytes) -> None:
        """Takes the messages that are complete."""
        self._heard += data
        for body in messages.unpack(self._heard):
            self.take(pickle.loads(body))

    def pipe_connection_lost(self, _descriptor: int, _error: Exception | None) -> None:
        """Ends a child that has closed its stream and lingers."""
        asyncio.get_running_loop().call_later(LINGER, self._end)

    def connection_lost(self, _error: Exception | None) -> None:
        """Notes that the child has ended and all that it wrote was heard."""
        if not self.ended.done():
            self.ended.set_result(None)

    def _end(self) -> None:
        if self._child is not None and self._child.get_returncode() is None:
            self._child.kill()


def command(start_code: str) -> list[str]:
    """The command line of a child that runs code of ours and finds the modules that we find."""
    path = paths.without_project(sys.path)
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}\n{start_code}"]
