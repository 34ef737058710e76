"""Attaching to a program that runs already, and leaving it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time

import pytest

from adlsp.debug import instrument
from adlsp.debug import program as programs

from .client import ROOT, Client

SERVE = """\
import sys
import time
import debugpy
from library import derive, w, x

grad = derive("early")
port = debugpy.listen(("127.0.0.1", 0))[1]
print(port, flush=True)
while not sys.stdin.closed:
    derive("late" if debugpy.is_client_connected() else "early")
    grad(x, w)
    derive("late")(x, w) if debugpy.is_client_connected() else None
    time.sleep(0.01)
    print("alive", flush=True)
"""

DERIVE_ALWAYS = """\
import time
import debugpy
from adlsp.runtime import hook
from library import derive

told = hook.announced
hook.announced = lambda since: time.sleep(0.1) or told(since)
port = debugpy.listen(("127.0.0.1", 0))[1]
print(port, flush=True)
n = 0
while True:
    derive(f"made_{n}")
    n += debugpy.is_client_connected()
"""
"""Always in the middle of an announcement, which it is slow to tell of."""


@pytest.fixture
def server(request, program):
    """A program that listens for a debugger; gives its process and port."""
    script = program.write("serve.py", getattr(request, "param", SERVE))
    process = subprocess.Popen(
        [sys.executable, script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    yield process, int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()


def attach(client: Client, port: int, breakpoints: dict) -> None:
    client.initialize()
    start = client.send("attach", connect={"host": "127.0.0.1", "port": port})
    client.configure(start, breakpoints)


def test_derivatives_made_before_and_after(client, program, server):
    process, port = server
    attach(client, port, {program.primal: [{"line": program.line("h"), "mode": "backward"}]})
    seen = set()
    while len(seen) < 2:
        stop = client.stop()
        assert stop.line == program.derived("adjoint h")
        assert stop.stack[1]["name"] == f"backward of loss, line {program.line('h')}"
        seen.add(stop.path.rpartition("/")[2])
        client.go_on(stop)
    assert seen == {"early.py", "late.py"}
    client.ask("disconnect", terminateDebuggee=False)
    assert client.process.wait(20) == 0
    assert process.stdout.readline() == "alive\n"
    assert process.poll() is None


def test_attach_twice(program, server):
    """A second session finds what the first had been told."""
    for _ in range(2):
        with Client() as client:
            breakpoints = {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
            attach(client, server[1], breakpoints)
            assert client.stop().line == program.derived("adjoint h")
            client.ask("disconnect", terminateDebuggee=False)
    assert server[0].poll() is None


TRAINS = """\
import time
import debugpy
import numpy as np
import adlsp

def loss(x, n):
    y = x * n  # @scaled
    return np.sum(y * y)

g = adlsp.grad(loss)
g(np.ones(2), 1.0)
print(debugpy.listen(("127.0.0.1", 0))[1], flush=True)
n = 0.0
while True:
    g(np.ones(2), n)
    n += 1.0
    time.sleep(0.01)
"""


@pytest.mark.parametrize("server", [TRAINS], indirect=True)
def test_conditions_in_a_derivative_made_before(program, server):
    """They hold, and one that raises is told, in each session."""
    script = str(program.folder / "serve.py")
    entry = {"line": program.line("scaled", "serve.py"), "mode": "backward"}
    for _ in range(2):
        with Client() as client:
            attach(client, server[1], {script: [{**entry, "condition": "n % 7 == 3"}]})
            stop = client.stop()
            assert float(client.evaluate(stop.stack[0]["id"], "n")) % 7 == 3
            client.set_breakpoints(script, {**entry, "condition": "later > 1"})
            client.go_on(stop)
            client.event("output", lambda body: "name 'later' is not defined" in body["output"])
            client.ask("disconnect", terminateDebuggee=False)
    assert server[0].poll() is None


@pytest.mark.parametrize("server", [DERIVE_ALWAYS], indirect=True)
@pytest.mark.parametrize("command", ["disconnect", None])
def test_left_while_something_is_asked(program, server, command):
    """A client may leave at any time, also without a word, and the program can be attached to."""
    for _ in range(2):
        with Client() as client:
            attach(client, server[1], {program.primal: [{"line": program.line("h")}]})
            time.sleep(0.2)
            if command is not None:
                client.ask(command, terminateDebuggee=False)
    assert server[0].poll() is None


def test_another_client_is_leaving(program, server):
    """Debugpy learns a moment late that one has gone; the next one waits for that."""
    breakpoints = {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    with Client() as first:
        attach(first, server[1], {})
        threading.Timer(2.0, first.process.kill).start()
        with Client() as second:
            attach(second, server[1], breakpoints)
            assert second.stop().line == program.derived("adjoint h")
            second.ask("disconnect", terminateDebuggee=False)


def test_another_client_stays(client, server):
    with Client() as first:
        attach(first, server[1], {})
        client.initialize()
        refused = client.answer(
            client.send("attach", connect={"host": "127.0.0.1", "port": server[1]})
        )
        assert not refused["success"]
        assert "already being debugged" in refused["message"]
        first.ask("disconnect", terminateDebuggee=False)


def test_who_leaves_reads_no_more_announcements():
    """What is announced meanwhile goes on, but nobody waits for the program to tell of it."""
    asked = []

    def ask(command, arguments):
        asked.append(arguments.get("expression", command))
        answer = asyncio.get_running_loop().create_future()
        answer.set_result({"result": "[]", "breakpoints": []})
        return answer

    async def scenario():
        made = programs.Program(ask, lambda: None, lambda _: None, lambda _: None)
        await made.learn(0)
        n_before = len(asked)
        await made.part()
        await made.learn(5)
        return asked[:n_before], asked[n_before:]

    before, after = asyncio.run(scenario())
    assert before[0] == instrument.announced(0)
    assert instrument.announced(0) not in after
    assert after[-1] == instrument.proceed(6)
