"""What debugging with adlsp costs beside debugpy alone, and beside no debugger.

Usage: python -m benchmarks.debugging [answers] [derivatives] [loops]. Programs under each debugger
are there at the same time and do the same in turn (`debugged.py`), so that what slows one slows
all. Loops are measured in time of the processor in the program; what a person or the program waits
for, by the clock on the wall.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adlsp.debug import wire
from benchmarks import debugged, reporting
from benchmarks.reporting import duration, table

Message = dict[str, Any]

ROOT = Path(__file__).parents[1]
PROGRAM = Path(__file__).with_name("debugged.py")

ADLSP = "adlsp debug"
DEBUGPY = "debugpy"
NONE = "no debugger"

PATIENCE = 120.0
"""How many seconds a program may take for one thing."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How much is measured."""

    sizes: tuple[tuple[int, int], ...] = ((10, 2000), (1_000, 2000), (100_000, 40))
    n_rounds: int = 9
    n_requests: int = 30
    n_starts: int = 5
    n_functions: int = debugged.N_FUNCTIONS


ALL = Amount()
LITTLE = Amount(((10, 2), (20, 2)), 1, 1, 1, 2)


class Adapter:
    """A debug adapter on pipes, and the messages that came while we waited for others."""

    def __init__(self, name: str, folder: Path) -> None:
        found = importlib.util.find_spec("debugpy")
        assert found is not None
        assert found.origin is not None
        of_debugpy = str(Path(found.origin).parent / "adapter")
        command = ["-m", "adlsp.debug.main"] if name == ADLSP else [of_debugpy]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # debugpy complains of who leaves at once
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._into, self._out = self.process.stdin, self.process.stdout
        self._seqs = itertools.count(1)
        self._unread: list[Message] = []

    def send(self, command: str, **arguments: Any) -> int:
        """Sends a request; gives its number."""
        request = {"seq": next(self._seqs), "type": "request", "command": command}
        self._into.write(wire.encode({**request, "arguments": arguments}))
        self._into.flush()
        return int(request["seq"])

    def wait(self, is_wanted: Callable[[Message], bool]) -> Message:
        """The body of the first unread message that is wanted."""
        message = next(filter(is_wanted, self._unread), None)
        if message is not None:
            self._unread.remove(message)
        while message is None:
            message = self._receive()
            if not is_wanted(message):
                self._unread.append(message)
                message = None
        return message.get("body") or {}

    def answer(self, seq: int) -> Message:
        """The body of the answer to a request."""
        return self.wait(lambda m: m.get("request_seq") == seq)

    def ask(self, command: str, **arguments: Any) -> Message:
        """Asks, and waits for the answer."""
        return self.answer(self.send(command, **arguments))

    def event(self, name: str) -> Message:
        """The body of the next event of a name."""
        return self.wait(lambda m: m.get("event") == name)

    def set_breakpoints(self, path: str, *entries: Message) -> None:
        """Sets the breakpoints of a file."""
        self.ask("setBreakpoints", source={"path": path}, breakpoints=list(entries))

    def choose(self, *filters: str) -> None:
        """Chooses exception filters."""
        self.ask("setExceptionBreakpoints", filters=list(filters))

    def leave(self) -> None:
        """Leaves a program that ends."""
        self.event("terminated")
        self.ask("disconnect")
        self._into.close()
        self.process.wait(PATIENCE)
        self._out.close()

    def _receive(self) -> Message:
        header = self._out.readline()
        assert header, "the debug adapter has gone away"
        self._out.readline()
        message: Message = json.loads(self._out.read(int(header.split(b":")[1])))
        assert message.get("success") is not False, message
        return message


@dataclass
class Debugged:
    """A program that does as it is told, with a debugger or without."""

    debugger: str
    folder: Path
    options: Message = field(default_factory=dict)
    breakpoints: tuple[str, tuple[Message, ...]] = ("", ())
    adapter: Adapter | None = None

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "functions.py").write_text(debugged.functions(), "utf-8")
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(PATIENCE)
            self._start(str(server.getsockname()[1]))
            connection, _ = server.accept()
        connection.settimeout(PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        self._told = connection.makefile("rw", encoding="utf-8")

    def tell(self, *words: object) -> None:
        """Has the program do something."""
        self._told.write(" ".join(map(str, words)) + "\n")
        self._told.flush()

    def heard(self) -> str:
        """What it answers when it has done that."""
        return self._told.readline().strip()

    def do(self, *words: object) -> str:
        """Has the program do something, and waits for that."""
        self.tell(*words)
        return self.heard()

    @property
    def under(self) -> Adapter:
        """Its debugger."""
        assert self.adapter is not None
        return self.adapter

    def close(self) -> None:
        """Ends it."""
        self._told.close()
        self._connection.close()
        if self.adapter is not None:
            self.adapter.leave()
        else:
            self._process.wait(PATIENCE)

    def _start(self, port: str) -> None:
        if self.debugger == NONE:
            command = [sys.executable, str(PROGRAM), port]
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment(self.folder))
            return
        self.adapter = adapter = Adapter(self.debugger, self.folder)
        adapter.ask("initialize", adapterID=self.debugger, pathFormat="path", linesStartAt1=True)
        start = adapter.send(
            "launch",
            program=str(PROGRAM),
            args=[port],
            console="internalConsole",
            cwd=str(ROOT),
            **self.options,
        )
        adapter.event("initialized")
        path, entries = self.breakpoints
        if path:
            adapter.set_breakpoints(path, *entries)
        adapter.ask("configurationDone")
        adapter.answer(start)


def environment(folder: Path) -> dict[str, str]:
    """The variables of a program whose modules and derivatives are in a folder of its own."""
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = os.pathsep.join((str(ROOT), str(folder)))
    return {**os.environ, **single, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(folder / "cache")}


def line_of(tag: str, path: Path = PROGRAM) -> int:
    """The line that ends with a tag."""
    lines = path.read_text("utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# @{tag}"))


# loops


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to run the loop: what is set before, and the arm that it is compared with."""

    name: str
    debugger: str
    beside: str = ""
    prepare: Callable[[Debugged], None] = lambda _: None
    word: str = "train"
    options: tuple[tuple[str, object], ...] = ()


def arms() -> Iterator[Arm]:
    """All ways to run it."""
    never = {"condition": "h_bar is None"}
    yield Arm(NONE, NONE)
    yield Arm("no debugger, in `check_finite()`", NONE, NONE, word="checked")
    yield Arm(DEBUGPY, DEBUGPY, NONE)
    yield Arm(ADLSP, ADLSP, DEBUGPY)
    for title, tag, more in (
        ("a breakpoint never reached", "never", {}),
        ("a condition never true", "each_step", never),
    ):
        theirs = f"debugpy, {title}"
        yield Arm(theirs, DEBUGPY, DEBUGPY, in_derivative(tag, more))
        yield Arm(f"{ADLSP}, {title}", ADLSP, theirs, backward(tag, more))
    yield Arm("`adlsp.nonfinite`", ADLSP, ADLSP, lambda p: p.under.choose("adlsp.nonfinite"))
    yield Arm("`adlsp.nonfinite`, and off again", ADLSP, ADLSP, on_and_off)
    for every, title in ((1, "each step recorded"), (100, "one step in 100 recorded")):
        yield Arm(title, ADLSP, ADLSP, options=(("recordGradients", every),))


def in_derivative(tag: str, more: Message) -> Callable[[Debugged], None]:
    """Sets a breakpoint in the file of the derivative, as a person would with debugpy."""

    def prepare(program: Debugged) -> None:
        line, path = program.do("lines", line_of(tag)).split(" ", 1)
        program.under.set_breakpoints(path, {"line": int(line), **more})

    return prepare


def backward(tag: str, more: Message) -> Callable[[Debugged], None]:
    """Sets a backward breakpoint on a line of the primal; makes sure that it is bound."""

    def prepare(program: Debugged) -> None:
        entry = {"line": line_of(tag), "mode": "backward", **more}
        program.under.set_breakpoints(str(PROGRAM), entry)
        program.do("train", 4, 1)
        program.under.wait(
            lambda m: m.get("event") == "breakpoint" and m["body"]["breakpoint"]["verified"]
        )

    return prepare


def on_and_off(program: Debugged) -> None:
    """Has values looked at, and then no more."""
    program.under.choose("adlsp.nonfinite")
    program.do("train", 4, 2)
    program.under.choose()


Times = dict[str, list[float]]
"""Seconds for a step, by the name of an arm, for each size."""


def loops(folder: Path, amount: Amount) -> Times:
    """The time of the loop by each way to run it."""
    every = tuple(arms())
    with contextlib.ExitStack() as stack:
        programs = {}
        for i, arm in enumerate(every):
            made = Debugged(arm.debugger, folder / f"loop{i}", dict(arm.options))
            stack.callback(made.close)
            arm.prepare(made)
            programs[arm.name] = made
        seconds: dict[tuple[str, int], list[float]] = {}
        for _ in range(amount.n_rounds + 1):
            for (size, n_steps), arm in itertools.product(amount.sizes, every):
                taken = float(programs[arm.name].do(arm.word, size, n_steps)) / n_steps
                seconds.setdefault((arm.name, size), []).append(taken)
    return {
        arm.name: [statistics.median(seconds[arm.name, size][1:]) for size, _ in amount.sizes]
        for arm in every
    }


def shown_loops(times: Times, amount: Amount) -> str:
    """The table of loops: of each arm the ratio to the one that it is compared with."""
    lines = [["a training loop with arrays of", "beside", *(f"{n:,}" for n, _ in amount.sizes)]]
    for arm in arms():
        mine = times[arm.name]
        cells = (
            [f"{a / b:.2f}" for a, b in zip(mine, times[arm.beside], strict=True)]
            if arm.beside
            else [duration(each) for each in mine]
        )
        lines.append([arm.name, arm.beside, *cells])
    return table(lines)


# derivatives


def derivatives(folder: Path, amount: Amount) -> Times:
    """Seconds for the first call of each of many derivatives, by who is there."""
    path = str(folder / "many" / "functions.py")
    tags = [f"function_{i}" for i in range(debugged.N_FUNCTIONS)]
    (folder / "text").write_text(debugged.functions(), "utf-8")
    entries = [
        {"line": line_of(tag, folder / "text"), "mode": "backward", "condition": "x is None"}
        for tag in tags
    ]
    with contextlib.ExitStack() as stack:
        programs = {
            NONE: Debugged(NONE, folder / "none"),
            DEBUGPY: Debugged(DEBUGPY, folder / "debugpy"),
            ADLSP: Debugged(ADLSP, folder / "adlsp"),
            MANY: Debugged(ADLSP, folder / "many", breakpoints=(path, tuple(entries))),
        }
        for made in programs.values():
            stack.callback(made.close)
        seconds: Times = {name: [] for name in programs}
        for i in range(amount.n_functions):
            for name, made in programs.items():
                seconds[name].append(float(made.do("derive", i)))
    return seconds


MANY = f"adlsp debug, {debugged.N_FUNCTIONS} breakpoints in the file"


def shown_derivatives(times: Times) -> str:
    """The table of derivatives: all, and the last ones, when many have been announced before."""
    lines = [["the first call of a derivative", "median", "beside debugpy", "the last third"]]
    theirs = times[DEBUGPY]
    for name, seconds in times.items():
        median = statistics.median(seconds)
        last = statistics.median(seconds[-(len(seconds) // 3 + 1) :])
        ratio = f"{median / statistics.median(theirs):.2f}"
        lines.append([name, duration(median), ratio, duration(last)])
    return table(lines)


# answers


REQUESTS = ("threads", "stackTrace", "scopes", "variables", "evaluate", "next")
START = "start until the first stop"
BACKWARD = "adlsp debug, in the backward sweep"


def answers(folder: Path, amount: Amount) -> Times:
    """Seconds until a debugger answers, or has stopped; in turn for both."""
    seconds: Times = {}
    plain, backward = {"line": line_of("stop")}, {"line": line_of("each_step"), "mode": "backward"}
    places = ((DEBUGPY, DEBUGPY, plain), (ADLSP, ADLSP, plain), (BACKWARD, ADLSP, backward))
    with contextlib.ExitStack() as stack:
        stopped = {}
        for number, (name, debugger, entry) in enumerate(places):
            made = Debugged(
                debugger, folder / f"stop{number}", breakpoints=(str(PROGRAM), (entry,))
            )
            stack.callback(made.close)
            stopped[name] = made
        for _ in range(amount.n_requests):
            for name, made in stopped.items():
                made.tell(*(("train", 10, 1) if name == BACKWARD else ("stop",)))
                for request, taken in _asked(made.under):
                    seconds.setdefault(f"{name} {request}", []).append(taken)
                made.heard()
    for turn in range(amount.n_starts):
        for number, (name, debugger, entry) in enumerate(places[:2]):
            taken = _started(debugger, folder / f"start{turn}_{number}", entry)
            seconds.setdefault(f"{name} {START}", []).append(taken)
    return seconds


def _asked(adapter: Adapter) -> Iterator[tuple[str, float]]:
    """Asks each request once where the program stops, and lets it go on.

    The variables are those of the first scope: local ones, or gradients.
    """
    thread = adapter.event("stopped")["threadId"]
    frame = scope = 0
    for request in REQUESTS:
        arguments: dict[str, Message] = {
            "stackTrace": {"threadId": thread, "startFrame": 0, "levels": 20},
            "scopes": {"frameId": frame},
            "variables": {"variablesReference": scope},
            "evaluate": {"expression": "x * 2", "frameId": frame},
            "next": {"threadId": thread},
        }
        start = time.perf_counter()
        body = adapter.ask(request, **arguments.get(request, {}))
        if request == "next":
            adapter.event("stopped")
        yield request, time.perf_counter() - start
        if request == "stackTrace":
            frame = body["stackFrames"][0]["id"]
        elif request == "scopes":
            scope = body["scopes"][0]["variablesReference"]
    adapter.ask("continue", threadId=thread)


def _started(debugger: str, folder: Path, entry: Message) -> float:
    """Seconds from the start of a debugger until the program has stopped."""
    start = time.perf_counter()
    made = Debugged(debugger, folder, breakpoints=(str(PROGRAM), (entry,)))
    made.tell("stop")
    thread = made.under.event("stopped")["threadId"]
    taken = time.perf_counter() - start
    made.under.ask("continue", threadId=thread)
    made.heard()
    made.close()
    return taken


def shown_answers(times: Times) -> str:
    """The table of answers."""
    lines = [["until the answer", DEBUGPY, ADLSP, "ratio", BACKWARD]]
    for request in (*REQUESTS, START):
        found = [times.get(f"{name} {request}") for name in (DEBUGPY, ADLSP, BACKWARD)]
        theirs, ours, backward = (statistics.median(each) if each else 0.0 for each in found)
        title = "`next`, until the stop" if request == "next" else request
        title = title if " " in title else f"`{title}`"
        cells = [duration(theirs), duration(ours), f"{ours / theirs:.2f}"]
        lines.append([title, *cells, duration(backward) if backward else ""])
    return table(lines)


PARTS: dict[str, Callable[[Path, Amount], str]] = {
    "answers": lambda folder, amount: shown_answers(answers(folder, amount)),
    "derivatives": lambda folder, amount: shown_derivatives(derivatives(folder, amount)),
    "loops": lambda folder, amount: shown_loops(loops(folder, amount), amount),
}


def main(words: Sequence[str]) -> None:
    """Measures and prints, all or what is named."""
    print(reporting.setting())
    for word, measured in PARTS.items():
        if not words or word in words:
            with tempfile.TemporaryDirectory() as folder:
                print(f"\n{measured(Path(folder), ALL)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
