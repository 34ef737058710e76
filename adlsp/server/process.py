"""The worker process: it takes questions from a pipe and answers them, with the engine, on another.

Three threads. One reads, so that a question can be taken back while it is being answered. The main
thread answers what may take long, the most urgent first; it is the one that Python lets a signal
handler interrupt, which is how an answer that nobody waits for any more is given up midway. The
third answers descriptions for hovers, which must not wait for an analysis.
"""

from __future__ import annotations

import _thread
import heapq
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import BinaryIO

from adlsp.server import messages

Answerer = Callable[[messages.Question, messages.World], messages.Answer]

SWITCH_INTERVAL = 0.0005
"""Seconds that an analysis may hold the interpreter while a hover waits."""


class SupersededError(BaseException):
    """Raised in the midst of an answer that was taken back; no handler of errors may swallow it."""


@dataclass(order=True)
class Task:
    """A question with the texts that it is to be answered for, in order of urgency."""

    urgency: int
    number: int
    question: messages.Question = field(compare=False)
    world: messages.World = field(compare=False)


@dataclass
class Analysis:
    """The state of the worker process."""

    answer: Answerer
    output: BinaryIO
    world: messages.World = field(default_factory=messages.World)
    tasks: list[Task] = field(default_factory=list)
    quick: queue.SimpleQueue[Task] = field(default_factory=queue.SimpleQueue)
    cancelled: set[int] = field(default_factory=set)
    running: int | None = None
    is_waiting: threading.Condition = field(default_factory=threading.Condition)
    is_writing: threading.Lock = field(default_factory=threading.Lock)

    def read(self, stream: BinaryIO) -> None:
        """Takes messages until the server is gone; then the process has no purpose."""
        try:
            while (message := messages.read(stream)) is not None:
                self.take(message)
        except Exception:
            traceback.print_exc()
        os._exit(0)

    def take(self, message: messages.FromServer) -> None:
        """Notes what is told, queues what is asked, interrupts what is taken back."""
        match message:
            case messages.Text() | messages.Folders() | messages.Disk():
                self.world = self.world.knowing(message)
            case messages.Ask(number, messages.Describe() as question):
                self.quick.put(Task(0, number, question, self.world))
            case messages.Ask(number, question):
                urgency = 1 if isinstance(question, messages.Check | messages.Outline) else 0
                with self.is_waiting:
                    heapq.heappush(self.tasks, Task(urgency, number, question, self.world))
                    self.is_waiting.notify()
            case messages.Cancel(number):
                self.cancelled.add(number)
                if self.running == number:
                    _thread.interrupt_main()

    def interrupt(self, _signal: int, _frame: FrameType | None) -> None:
        """Gives up the running answer if it was taken back (a handler of SIGINT, main thread)."""
        if self.running is not None and self.running in self.cancelled:
            self.running = None
            raise SupersededError

    def work(self) -> None:
        """Answers questions on the main thread, for ever."""
        while True:
            task = self.next_task()
            message: messages.FromWorker
            try:
                self.write(messages.Began(task.number))
                self.running = task.number
                if task.number in self.cancelled:
                    raise SupersededError
                message = self.outcome(task)
                self.running = None
            except SupersededError:
                self.running = None
                message = messages.Dropped(task.number)
            self.cancelled.discard(task.number)
            self.write(message)

    def outcome(self, task: Task) -> messages.FromWorker:
        """Answers one question; what goes wrong is reported, and ends nothing else."""
        try:
            return messages.Done(task.number, self.answer(task.question, task.world))
        except Exception:
            return messages.Failed(task.number, traceback.format_exc())

    def next_task(self) -> Task:
        """Waits for the most urgent question."""
        with self.is_waiting:
            while not self.tasks:
                self.is_waiting.wait()
            return heapq.heappop(self.tasks)

    def work_quickly(self) -> None:
        """Answers the short questions on a thread of their own, for ever."""
        while True:
            task = self.quick.get()
            if task.number not in self.cancelled:
                self.write(messages.Began(task.number))
                self.write(self.outcome(task))
            self.cancelled.discard(task.number)

    def write(self, message: messages.FromWorker) -> None:
        """Sends one message to the server."""
        frame = messages.pack(message)
        with self.is_writing:
            self.output.write(frame)
            self.output.flush()


def main(answer: Answerer) -> None:
    """Runs the worker process on its standard streams; what code prints goes to stderr."""
    source = os.fdopen(os.dup(0), "rb")
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.setswitchinterval(SWITCH_INTERVAL)
    state = Analysis(answer, output)
    signal.signal(signal.SIGINT, state.interrupt)
    threading.Thread(target=state.read, args=(source,), daemon=True).start()
    threading.Thread(target=state.work_quickly, daemon=True).start()
    state.work()
