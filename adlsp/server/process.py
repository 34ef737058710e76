"""The worker process: it takes questions from a pipe and answers them, with the engine, on another.

One thread reads, so that a question can be taken back while it is being answered. The main thread
answers, the most urgent question first. It is the one that Python lets a signal handler interrupt:
that is how a hover is answered in the midst of an analysis, and how an analysis that nobody waits
for any more is given up. (A thread for hovers would get half of the interpreter, and late.)
"""

from __future__ import annotations

import _thread
import gc
import heapq
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import BinaryIO

from adlsp.server import messages

SELDOM = (50_000, 20, 100)
"""When to look for garbage: analyses make many small objects, few of them in circles."""

Answerer = Callable[[messages.Question, messages.Snapshot], messages.Answer]
Hold = Callable[[], AbstractContextManager[None]]


class SupersededError(BaseException):
    """Raised in the midst of an answer that was taken back; no handler of errors may swallow it."""


@dataclass(order=True)
class Task:
    """A question with the texts that it is to be answered for, in order of urgency.

    Of files that wait to be checked, short ones come before long ones: `size` is that of the text.
    """

    urgency: int
    size: int
    number: int
    question: messages.Question = field(compare=False)
    snapshot: messages.Snapshot = field(compare=False)


@dataclass
class Analysis:
    """The state of the worker process.

    `running` is the question that may be interrupted; it is None whenever a message is written.
    `is_held` says that no hover may be answered now: another one is, or `hold` keeps them back.
    """

    output: BinaryIO
    answer: Answerer = field(init=False)
    snapshot: messages.Snapshot = field(default_factory=messages.Snapshot)
    tasks: list[Task] = field(default_factory=list)
    hovers: deque[Task] = field(default_factory=deque)
    cancelled: set[int] = field(default_factory=set)
    running: int | None = None
    is_held: bool = False
    is_waiting: threading.Condition = field(default_factory=threading.Condition)

    def read(self, stream: BinaryIO) -> None:
        """Takes messages until the server is gone; then the process has no purpose."""
        try:
            while (message := messages.read(stream)) is not None:
                self.take(message)
        except Exception:
            traceback.print_exc()
        os._exit(0)

    def take(self, message: messages.FromServer) -> None:
        """Notes what is told, queues what is asked, interrupts for what cannot wait."""
        match message:
            case messages.Text() | messages.Folders() | messages.Invalidate():
                self.snapshot = self.snapshot.knowing(message)
            case messages.Ask(number, messages.Describe() as question):
                with self.is_waiting:
                    self.hovers.append(Task(0, 0, number, question, self.snapshot))
                    self.is_waiting.notify()
                _thread.interrupt_main()
            case messages.Ask(number, question):
                urgency, size = 0, 0
                if isinstance(question, messages.Check | messages.Outline):
                    urgency, size = 1, len(self.snapshot.texts.get(question.path, ""))
                with self.is_waiting:
                    heapq.heappush(self.tasks, Task(urgency, size, number, question, self.snapshot))
                    self.is_waiting.notify()
            case messages.Cancel(number):
                self.cancelled.add(number)
                _thread.interrupt_main()

    def interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """Answers hovers in the midst of another answer, and gives that up if it was taken back.

        This handles SIGINT, on the main thread; what arrives during a hover is looked at after it.
        """
        if self.running is None or self.is_held:
            return
        while self.hovers:
            self.is_held = True
            try:
                while self.hovers:
                    self.respond(self.hovers.popleft())
            finally:
                self.is_held = False
        if self.running in self.cancelled:
            self.running = None
            raise SupersededError

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keeps back hovers, and giving up, until a part of an answer is complete."""
        before, self.is_held = self.is_held, True
        try:
            yield
        finally:
            self.is_held = before
        self.interrupt(0, None)

    def work(self) -> None:
        """Answers questions, for ever."""
        while True:
            task = self.next_task()
            message: messages.FromWorker
            try:
                self.write(messages.Began(task.number))
                self.running = task.number
                self.interrupt(0, None)
                message = self.outcome(task)
                self.running = None
            except SupersededError:
                self.running = None
                message = messages.Dropped(task.number)
            self.cancelled.discard(task.number)
            self.write(message)

    def next_task(self) -> Task:
        """Waits for the most urgent question; answers hovers meanwhile."""
        while True:
            with self.is_waiting:
                while not self.tasks and not self.hovers:
                    self.is_waiting.wait()
                if not self.hovers:
                    return heapq.heappop(self.tasks)
                task = self.hovers.popleft()
            self.respond(task)

    def respond(self, task: Task) -> None:
        """Answers a hover, which is over soon."""
        if task.number not in self.cancelled:
            self.write(messages.Began(task.number))
            self.write(self.outcome(task))
        self.cancelled.discard(task.number)

    def outcome(self, task: Task) -> messages.FromWorker:
        """Answers one question; what goes wrong is reported, and ends nothing else."""
        try:
            return messages.Done(task.number, self.answer(task.question, task.snapshot))
        except Exception:
            return messages.Failed(task.number, traceback.format_exc())

    def write(self, message: messages.FromWorker) -> None:
        """Sends one message to the server."""
        self.output.write(messages.pack(message))
        self.output.flush()


def main(make: Callable[[Hold], Answerer]) -> None:
    """Runs the worker process on its standard streams; what code prints goes to stderr."""
    gc.set_threshold(*SELDOM)
    source = os.fdopen(os.dup(0), "rb")
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    state = Analysis(output)
    state.answer = make(state.hold)
    signal.signal(signal.SIGINT, state.interrupt)
    threading.Thread(target=state.read, args=(source,), daemon=True).start()
    state.work()
