"""A raw client of the Debug Adapter Protocol: sends what a test says, waits with a limit.

What comes and goes is valid by the protocol's schema, or the test fails.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import protocol

Message = dict[str, Any]

Breakpoints = dict[str, list[Message]]

PATIENCE = float(os.environ.get("ADLSP_PATIENCE", "30"))
"""How many seconds a message may take; more where the machine has much else to do."""

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Stop:
    """A place where the program stopped."""

    thread: int
    hit: tuple[int, ...]
    stack: list[Message]

    @property
    def line(self) -> int:
        return self.stack[0]["line"]

    @property
    def path(self) -> str:
        return self.stack[0]["source"]["path"]

    def about(self, number: int = 1) -> tuple[str, int]:
        """The sweep and the line that a frame of the debugger's own names, as it does both."""
        frame = self.stack[number]
        sweep, line = re.match(r"(\w+) of .*?line (\d+)", frame["name"]).groups()
        assert int(line) == frame["line"]
        return sweep, frame["line"]

    @property
    def frames(self) -> list[tuple[str, int]]:
        return [(frame["name"], frame["line"]) for frame in self.stack]


class Client:
    """A debug adapter on pipes. Unread messages wait in the order in which they came."""

    def __init__(self, command: tuple[str, ...] = ("-m", "adlsp.debug.main")) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.seen: list[Message] = []
        self.errors: list[str] = []
        self.wrong: list[str] = []
        self.is_deaf = False
        self._asked = protocol.Answered()
        self._seqs = itertools.count(1)
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        self._unread: list[Message] = []
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leaves; the adapter is given a while to end by itself."""
        if not self.process.stdin.closed:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        try:
            self.process.wait(15)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            for thread in self._threads:
                thread.join(5)
            self.process.stdout.close()
            self.process.stderr.close()
        assert not self.wrong, "\n".join(self.wrong)

    def initialize(self, **abilities: Any) -> Message:
        return self.ask(
            "initialize",
            adapterID="adlsp",
            pathFormat="path",
            linesStartAt1=True,
            columnsStartAt1=True,
            supportsStartDebuggingRequest=True,
            **abilities,
        )

    def launch(self, program: str, breakpoints: Breakpoints | None = None, **options: Any) -> None:
        """Starts a program under the debugger, as far as `configurationDone`."""
        self.initialize()
        options = {"console": "internalConsole", "cwd": str(ROOT), **options}
        self.configure(self.send("launch", program=program, **options), breakpoints or {})

    def configure(self, start: int, breakpoints: Breakpoints) -> None:
        """Goes on from `launch` or `attach` as far as `configurationDone`."""
        self.event("initialized")
        for path, entries in breakpoints.items():
            self.set_breakpoints(path, *entries)
        self.ask("configurationDone")
        answer = self.answer(start)
        assert answer["success"], answer

    def set_breakpoints(self, path: str, *entries: Message) -> list[Message]:
        """Sets all breakpoints of a file; gives the answer for each."""
        body = self.ask("setBreakpoints", source={"path": path}, breakpoints=list(entries))
        assert len(body["breakpoints"]) == len(entries)
        return body["breakpoints"]

    def stop(self, reason: str = "breakpoint") -> Stop:
        """Waits for the next stop of the program."""
        message = self.wait(lambda m: m.get("event") in ("stopped", "terminated"))
        assert message["event"] == "stopped", f"{self.output()}\n{self.report()}"
        body = message["body"]
        assert body["reason"] == reason, body
        stack = self.ask("stackTrace", threadId=body["threadId"])["stackFrames"]
        return Stop(body["threadId"], tuple(body.get("hitBreakpointIds", ())), stack)

    def go_on(self, stop: Stop, command: str = "continue", **how: str) -> None:
        self.ask(command, threadId=stop.thread, **how)

    def finish(self) -> None:
        """Waits for the end of the program, and leaves."""
        self.event("terminated")
        self.ask("disconnect")
        self.process.wait(PATIENCE)

    def variables(self, frame: int) -> dict[str, str]:
        """The local variables of a frame, as they are displayed."""
        scopes = self.ask("scopes", frameId=frame)["scopes"]
        local = next(scope for scope in scopes if scope["name"] == "Locals")
        body = self.ask("variables", variablesReference=local["variablesReference"])
        return {variable["name"]: variable["value"] for variable in body["variables"]}

    def evaluate(self, frame: int, expression: str) -> str:
        return self.ask("evaluate", frameId=frame, expression=expression)["result"]

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, command: str, **arguments: Any) -> int:
        return self._send({"type": "request", "command": command, "arguments": arguments})

    def mistake(self, command: str, **arguments: Any) -> int:
        """Sends a request that the protocol does not allow."""
        return self._send_any({"type": "request", "command": command, "arguments": arguments})

    def answer(self, seq: int) -> Message:
        """The whole answer to a request, success or not."""
        return self.wait(lambda m: m["type"] == "response" and m["request_seq"] == seq)

    def ask(self, command: str, **arguments: Any) -> Message:
        """The body of the answer to a request, which must succeed."""
        answer = self.answer(self.send(command, **arguments))
        assert answer["success"], answer
        return answer.get("body") or {}

    def event(self, name: str, accept: Callable[[Message], bool] = lambda _: True) -> Message:
        """The body of the next unread event of a name that is accepted."""
        message = self.wait(
            lambda m: m["type"] == "event" and m["event"] == name and accept(m.get("body") or {})
        )
        return message.get("body") or {}

    def request(self, command: str) -> Message:
        """The arguments of the next unread request of the adapter, which is granted."""
        request = self.wait(lambda m: m["type"] == "request" and m["command"] == command)
        self.grant(request)
        return request["arguments"]

    def grant(self, request: Message) -> None:
        """Answers a request of the adapter."""
        told = {"request_seq": request["seq"], "success": True, "command": request["command"]}
        self._send({"type": "response", **told})

    def wait(self, accept: Callable[[Message], bool]) -> Message:
        """Takes the first unread message that is accepted. Fails when none comes in time."""
        end = time.monotonic() + PATIENCE
        for i, message in enumerate(self._unread):
            if accept(message):
                return self._unread.pop(i)
        while True:
            try:
                message = self._arrived.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                message = None
            assert message is not None, f"nothing came\n{self.report()}"
            self.seen.append(message)
            if accept(message):
                return message
            self._unread.append(message)

    def drain(self) -> None:
        """Reads what is there until the adapter has closed its output."""
        while (message := self._arrived.get(timeout=PATIENCE)) is not None:
            self.seen.append(message)
            self._unread.append(message)

    @property
    def unanswered(self) -> list[str]:
        """The requests that have no answer yet."""
        return self._asked.open

    def events(self, name: str) -> list[Message]:
        """The bodies of all events of a name so far."""
        return [m.get("body") or {} for m in self.seen if m.get("event") == name]

    def output(self) -> str:
        """All output of the program so far."""
        return "".join(
            body["output"] for body in self.events("output") if body["category"] in STREAMS
        )

    def told(self) -> list[str]:
        """What the debugger itself has said to the user so far."""
        outputs = self.events("output")
        return [body["output"] for body in outputs if body["category"] == "important"]

    def report(self) -> str:
        lines = [json.dumps(message)[:300] for message in self.seen[-40:]]
        return "\n".join([*lines, "stderr:", *self.errors[-40:]])

    def _send(self, message: Message) -> int:
        wrong = protocol.wrong({"seq": 0, **message})
        assert not wrong, (message, wrong)
        return self._send_any(message)

    def _send_any(self, message: Message) -> int:
        seq = next(self._seqs)
        if message["type"] == "request":
            self._asked.ask({"seq": seq, **message})
        body = json.dumps({"seq": seq, **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        return seq

    def _read(self) -> None:
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1])
            stream.readline()
            if self.is_deaf:
                stream.close()
                break
            message = json.loads(stream.read(length))
            self._check(message)
            self._arrived.put(message)
        self._arrived.put(None)

    def _check(self, message: Message) -> None:
        wrong = protocol.wrong(message)
        if message["type"] == "response":
            wrong += self._asked.wrong(message)
        self.wrong += [f"{each} in {json.dumps(message)[:1000]}" for each in wrong]

    def _read_errors(self) -> None:
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace").rstrip())


STREAMS = ("stdout", "stderr")
