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

START = "from adlsp.server import answers, process; process.main(answers.Answers().answer)"


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
    _process: asyncio.subprocess.Process | None = None
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
        return self._process.pid if self._process is not None else None

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
            case messages.Disk():
                self._untold[messages.Disk] = told

    async def ask(self, question: messages.Question) -> messages.Answer:
        """Answers a question for the texts told so far; cancelling this takes the question back."""
        if self._is_killed:
            raise WorkerError("the server is going down")
        ask = messages.Ask(next(self._numbers), question)
        waiting = Waiting(ask, asyncio.get_running_loop().create_future())
        self._waiting[ask.number] = waiting
        if self._process is None:
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
        self._end_child()
        self._fail_all("the server is going down")

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
        try:
            process = await asyncio.create_subprocess_exec(
                *command(self.start_code),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            self.log(f"the analysis process cannot be started: {error}")
            return
        self._process = process
        if self._is_killed:
            self._end_child()
        self._untold = {messages.Folders: self._folders}
        self._untold.update(self._texts)
        for waiting in tuple(self._waiting.values()):
            self._put(waiting)
        try:
            await self._hear(process)
            status = await ended(process)
        finally:
            self._process = None
            if process.returncode is None:
                process.kill()
        if not self._is_killed:
            self.log(f"the analysis process ended (status {status}) and is started again")
            self._fail_repeated(f"the analysis process ended (status {status})")

    async def _hear(self, process: asyncio.subprocess.Process) -> None:
        """Takes the child's messages until its stream ends or makes no sense."""
        assert process.stdout is not None
        try:
            while True:
                size = int.from_bytes(await process.stdout.readexactly(messages.HEADER), "big")
                self._take(pickle.loads(await process.stdout.readexactly(size)))
        except (asyncio.IncompleteReadError, ConnectionError):
            return

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
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(messages.pack(message))

    def _exceed(self, number: int) -> None:
        """Ends a child that works on one question for too long."""
        self.log(f"an analysis did not end within {self.limit:g} s; its process is killed")
        self._fail(number, f"the analysis did not end within {self.limit:g} s")
        self._end_child()

    def _end_child(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

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


async def ended(process: asyncio.subprocess.Process) -> int:
    """Waits for the end of a child that has closed its stream; one that lingers is killed.

    It is not killed at once: a signal to a child that has just died loses its exit status.
    """
    try:
        return await asyncio.wait_for(process.wait(), LINGER)
    except asyncio.TimeoutError:
        process.kill()
        return await process.wait()


def command(start_code: str) -> list[str]:
    """The command line of a child that runs code of ours and finds the modules that we find."""
    path = paths.without_project(sys.path)
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}; {start_code}"]
