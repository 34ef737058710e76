"""Faults for debug sessions, at random: what is done to one, and in what state it is then.

A scene is a session with a program that trains, writes into files and goes wrong now and then. A
state brings it to somewhere, mostly with an answer or the program still under way; a fault is done
to it there. What must be true afterwards is in `test_faults.py`.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .client import ROOT, Client, Stop

MARK = "ADLSP_FAULT"
"""An environment variable that all processes of a scene have."""

SCRIPT = """\
import contextlib
import os
import sys
import time

import numpy as np

import adlsp
from model import loss

log = open(os.environ["FAULT_LOG"], "a", buffering=1)
w = np.full((8, 8), 0.1)
step = adlsp.value_and_grad(loss)
checked = adlsp.check_finite if "checked" in sys.argv else contextlib.nullcontext
for i in range(40):
    x = np.zeros((4, 8)) if i % 10 == 7 else np.full((4, 8), 0.5)
    try:
        with checked():
            value, gradient = step(w, x)
    except FloatingPointError as error:
        value = str(error).splitlines()[0]
    log.write(f"step {i} {value!r} end\\n")
    time.sleep(0.02)
log.write("done end\\n")
"""

MODEL = """\
import numpy as np


def layer(h, w):
    t = h @ w
    return np.tanh(t)  # @layer


def loss(w, x):
    h = x
    for _ in range(3):
        h = layer(h, w)  # @call
    s = np.sum(h * h)
    return np.sqrt(s)  # @root
"""

OLD = '{"old": true}\n'
"""What stands in the file of recorded gradients before."""


class Scene:
    """One session, and the files around it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder, self.chance = folder, chance
        self.script, self.model = folder / "script.py", folder / "model.py"
        self.script.write_text(SCRIPT)
        self.model.write_text(MODEL)
        self.recorded, self.log = folder / "run.jsonl", folder / "log.txt"
        self.recorded.write_text(OLD)
        self.log.touch()
        self.frozen = 0
        self.client = Client()

    def line(self, tag: str) -> int:
        lines = self.model.read_text().splitlines()
        return next(i for i, line in enumerate(lines, 1) if line.endswith(f"# @{tag}"))

    def begin(self, **options: object) -> int:
        """Sends `launch` and waits for the program to be configured."""
        self.client.initialize()
        start = self.launch(**options)
        self.client.event("initialized")
        return start

    def launch(self, **options: object) -> int:
        return self.client.send(
            "launch",
            program=str(self.script),
            console="internalConsole",
            cwd=str(ROOT),
            env={"FAULT_LOG": str(self.log), "PYTHONPATH": str(ROOT)},
            **options,
        )

    def configured(self, *entries: dict[str, object], seeks: str = "", **options: object) -> None:
        """Starts the program with breakpoints in the model, or with a filter."""
        start = self.begin(**options)
        self.client.set_breakpoints(str(self.model), *entries)
        chosen = [{"filterId": seeks}] if seeks else []
        self.client.ask("setExceptionBreakpoints", filters=[], filterOptions=chosen)
        self.client.ask("configurationDone")
        self.client.answer(start)

    def stopped(self) -> Stop:
        """Stops in the backward sweep."""
        self.configured({"line": self.line("layer"), "mode": "backward"}, recordGradients=1)
        return self.client.stop()

    def alarmed(self) -> Stop:
        """Stops at the filter for what is not finite."""
        self.configured(seeks="adlsp.nonfinite")
        return self.client.stop("exception")

    def wait(self, most: float) -> None:
        time.sleep(self.chance.uniform(0, most))

    def processes(self) -> dict[str, int]:
        """The processes of the scene by what they are; several programs are not told apart."""
        found = {"proxy": self.client.process.pid}
        for pid in marked():
            command = command_of(pid)
            if "debugpy/adapter" in command:
                found["adapter"] = pid
            elif "debugpy/launcher" in command:
                found["launcher"] = pid
            elif str(self.script) in command:
                found["program"] = pid
        return found

    def damage(self) -> Iterator[str]:
        """What is wrong with the files: no line is half, no text has changed."""
        if (self.script.read_text(), self.model.read_text()) != (SCRIPT, MODEL):
            yield "a source has changed"
        lines = self.log.read_text().splitlines(keepends=True)
        yield from (f"half a line in the log: {each!r}" for each in lines if each[-5:] != " end\n")
        text = self.recorded.read_text()
        for line in text.splitlines(keepends=True) if text != OLD else ():
            if not line.endswith("}\n"):
                yield f"half a line of gradients: {line[:80]!r}"
        for path in self.folder.rglob("adlsp-derivatives/*.py"):
            if not path.name.startswith("."):
                compile(path.read_text(), str(path), "exec")


def marked() -> list[int]:
    """The processes that have our mark, but for those that have ended."""
    wanted = f"{MARK}={os.environ[MARK]}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
    return [pid for pid in found if pid != os.getpid()]


def described() -> list[str]:
    return [f"{pid}: {command_of(pid)[:200]}" for pid in marked()]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


# states


def new(scene: Scene) -> None:
    scene.wait(0.3)


def initialized(scene: Scene) -> None:
    scene.client.initialize()


def launching(scene: Scene) -> None:
    scene.client.initialize()
    scene.launch()
    scene.wait(1)


def configuring(scene: Scene) -> None:
    scene.begin()
    scene.client.send("setExceptionBreakpoints", filters=["adlsp.nonfinite"])


def deriving(scene: Scene) -> None:
    scene.configured(recordGradients=1)
    scene.wait(0.7)


def running(scene: Scene) -> None:
    scene.configured(recordGradients=1)
    scene.client.event("adlsp/gradients")
    scene.wait(0.3)


def recording(scene: Scene) -> None:
    running(scene)
    scene.client.send("adlsp/record", on=True, every=1, path=str(scene.recorded))
    scene.client.send("adlsp/gradients", since=0)


def exporting(scene: Scene) -> None:
    running(scene)
    scene.client.send("adlsp/exportGradients", path=str(scene.recorded))


def checked(scene: Scene) -> None:
    scene.configured(args=["checked"], seeks="adlsp.exploding")
    scene.wait(1)


def toggling(scene: Scene) -> None:
    running(scene)
    scene.client.send("setExceptionBreakpoints", filters=["adlsp.nonfinite", "adlsp.vanishing"])
    entry = {"line": scene.line("call"), "mode": "both"}
    scene.client.send("setBreakpoints", source={"path": str(scene.model)}, breakpoints=[entry])
    scene.client.send("adlsp/record", on=False)


def stopped(scene: Scene) -> None:
    scene.stopped()


def listing(scene: Scene) -> None:
    stop = scene.stopped()
    [first, *_] = scene.client.ask("scopes", frameId=stop.stack[0]["id"])["scopes"]
    scene.client.send("variables", variablesReference=first["variablesReference"])
    scene.client.send("stackTrace", threadId=stop.thread)
    scene.client.send("adlsp/inlineValues", frameId=stop.stack[0]["id"])


def comparing(scene: Scene) -> None:
    scene.client.send("adlsp/compare", frameId=scene.stopped().stack[0]["id"])
    scene.wait(0.2)


def explaining(scene: Scene) -> None:
    frame = scene.stopped().stack[0]["id"]
    scene.client.send("adlsp/why", frameId=frame, name="t")
    scene.client.send("adlsp/counterpart", frameId=frame)


def stepping(scene: Scene) -> None:
    stop = scene.stopped()
    scene.client.send(scene.chance.choice(("next", "stepIn", "stepOut")), threadId=stop.thread)
    scene.wait(0.1)


def alarmed(scene: Scene) -> None:
    scene.alarmed()


def leaving_alarm(scene: Scene) -> None:
    stop = scene.alarmed()
    scene.client.send("exceptionInfo", threadId=stop.thread)
    scene.client.send("next", threadId=stop.thread)
    scene.wait(0.1)


def seeking(scene: Scene) -> None:
    scene.configured(seeks="adlsp.nonfinite", recordGradients=1)
    scene.wait(1.5)


def alarmed_and_recorded(scene: Scene) -> None:
    scene.configured(args=["checked"], seeks="adlsp.nonfinite", recordGradients=1)
    stop = scene.client.stop("exception")
    scene.client.send("adlsp/gradients", since=0)
    scene.client.send("adlsp/exportGradients", path=str(scene.recorded))
    scene.client.send("adlsp/compare", frameId=stop.stack[0]["id"])


def evaluating(scene: Scene) -> None:
    stop = scene.stopped()
    text = "__import__('time').sleep(3)"
    scene.client.send("evaluate", expression=text, frameId=stop.stack[0]["id"], context="repl")


def ended(scene: Scene) -> None:
    scene.configured(recordGradients=1)
    scene.client.send("adlsp/record", on=True, path=str(scene.recorded))
    scene.client.event("terminated")


STATES: tuple[Callable[[Scene], None], ...] = (
    new,
    initialized,
    launching,
    configuring,
    deriving,
    running,
    recording,
    exporting,
    checked,
    toggling,
    stopped,
    listing,
    comparing,
    explaining,
    stepping,
    alarmed,
    leaving_alarm,
    seeking,
    alarmed_and_recorded,
    evaluating,
    ended,
)


# faults


def killed(scene: Scene) -> None:
    """One of the processes ends."""
    name, pid = scene.chance.choice([*scene.processes().items()])
    signals = [signal.SIGKILL, signal.SIGTERM]
    signals += [signal.SIGINT, signal.SIGHUP] if name == "proxy" else []
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, scene.chance.choice(signals))


def frozen(scene: Scene) -> None:
    """The program or debugpy stands still, and the client leaves."""
    others = [pid for name, pid in scene.processes().items() if name != "proxy"]
    for pid in scene.chance.sample(others, min(1, len(others))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            scene.frozen = pid


def left(scene: Scene) -> None:
    """The client leaves, in one of many ways, maybe with more on its lips."""
    client, chance = scene.client, scene.chance
    for _ in range(chance.randrange(3)):
        command = chance.choice(("disconnect", "terminate", "threads", "pause"))
        arguments = {"threadId": 1} if command == "pause" else {}
        if command == "disconnect" and chance.random() < 0.5:
            arguments = {"terminateDebuggee": True}
        with contextlib.suppress(OSError):
            client.send(command, **arguments)


def silent(scene: Scene) -> None:
    """The client goes away in the middle of a message."""
    scene.client.send_bytes(b'Content-Length: 500\r\n\r\n{"seq": 99, "type":')


def deaf(scene: Scene) -> None:
    """The client reads no more, and goes in the middle of an answer."""
    scene.client.is_deaf = True
    for _ in range(3):
        scene.client.send("threads")


def nonsense(scene: Scene) -> None:
    """Bytes that are no message."""
    for _ in range(scene.chance.randrange(1, 4)):
        scene.client.send_bytes(scene.chance.choice(NONSENSE))


def mistaken(scene: Scene) -> None:
    """Requests that are wrong here: the wrong state, unknown numbers, senseless arguments."""
    for command, arguments in scene.chance.sample(MISTAKES, 6):
        scene.client.mistake(command, **arguments)


NONSENSE = (
    b"Content-Length: 5\r\n\r\n{oops",
    b"Content-Length: -5\r\n\r\n",
    b"Content-Length: 99999999999\r\n\r\n",
    b'Content-Length: 28\r\n\r\n{"seq":1,"type":"request"}  ',
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 6\r\n\r\n\xff\xfe\xfd\xfc\xfb\xfa",
    b"\x00" * 5000 + b"\r\n\r\n",
    b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000,
)

MISTAKES: tuple[tuple[str, dict[str, object]], ...] = (
    ("adlsp/compare", {"frameId": 4711}),
    ("adlsp/compare", {"frameId": "x"}),
    ("adlsp/compare", {}),
    ("adlsp/why", {"frameId": None, "name": 3}),
    ("adlsp/why", {}),
    ("adlsp/inlineValues", {"frameId": [1]}),
    ("adlsp/counterpart", {"frameId": {}}),
    ("adlsp/record", {"every": 0}),
    ("adlsp/record", {"every": "often", "path": 5}),
    ("adlsp/gradients", {"since": "never"}),
    ("adlsp/gradients", {"since": -5}),
    ("adlsp/exportGradients", {"path": "/nowhere/at/all.jsonl"}),
    ("adlsp/exportGradients", {}),
    ("setExceptionBreakpoints", {"filterOptions": [{}], "filters": []}),
    ("setExceptionBreakpoints", {"filterOptions": 5, "filters": None}),
    ("setExceptionBreakpoints", {"filters": ["adlsp.nonfinite", "nosuch"]}),
    ("exceptionInfo", {"threadId": 12345}),
    ("exceptionInfo", {}),
    ("stackTrace", {"threadId": 12345}),
    ("stackTrace", {"threadId": 1, "startFrame": "a", "levels": -2}),
    ("scopes", {"frameId": 1 << 30}),
    ("scopes", {}),
    ("variables", {"variablesReference": (1 << 30) + 5}),
    ("variables", {"variablesReference": "x"}),
    ("evaluate", {"expression": "1 + 1", "frameId": 1 << 30}),
    ("evaluate", {"expression": 5, "context": "hover"}),
    ("setVariable", {"variablesReference": 1 << 30, "name": "h", "value": "1"}),
    ("next", {"threadId": 12345}),
    ("next", {}),
    ("stepIn", {"threadId": "x"}),
    ("setBreakpoints", {"source": {"path": "x.py"}, "breakpoints": 3}),
    ("setBreakpoints", {"source": {}}),
    ("initialize", {"adapterID": "adlsp"}),
    ("launch", {}),
    ("attach", {"connect": {"host": "127.0.0.1", "port": "x"}}),
    ("attach", {"connect": 5}),
    ("configurationDone", {}),
    ("threads", {}),
)

FAULTS: tuple[Callable[[Scene], None], ...] = (
    killed,
    killed,
    frozen,
    left,
    silent,
    deaf,
    nonsense,
    mistaken,
    mistaken,
)
