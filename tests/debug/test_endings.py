"""What happens when one side goes away or talks nonsense: the others end, and say why."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest

from adlsp.debug import wire

from .client import ROOT, Client
from .processes import descendants, only_linux, survivors


@pytest.mark.parametrize(
    ("death", "codes"),
    [
        ("raise ValueError('boom')", {1}),
        ("os._exit(3)", {3}),
        ("os.kill(os.getpid(), 9)", {-9, 247}),
        ("sys.exit(5)", {5}),
    ],
)
def test_a_program_that_dies(client, program, death, codes):
    script = program.write(
        "dies.py", f"import os, sys\nfrom library import derive\nderive()\n{death}"
    )
    client.launch(script)
    assert client.event("exited")["exitCode"] in codes
    client.finish()
    assert client.process.returncode == 0


def test_a_program_killed_at_a_stop(client, program):
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    pid = client.event("process")["systemProcessId"]
    client.stop()
    os.kill(pid, signal.SIGKILL)
    client.event("exited")
    client.finish()
    assert client.process.returncode == 0


def test_a_program_killed_while_a_request_waits(client, program):
    """What is asked of a dead program is answered, one way or the other."""
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    pid = client.event("process")["systemProcessId"]
    stop = client.stop()
    os.kill(pid, signal.SIGKILL)
    client.answer(client.send("stackTrace", threadId=stop.thread))
    client.answer(
        client.send("setBreakpoints", source={"path": program.primal}, breakpoints=[{"line": 5}])
    )
    client.finish()


def test_missing_interpreter(client, program):
    client.initialize()
    python = str(program.folder / "no-python")
    answer = client.answer(
        client.send("launch", program=program.train, python=python, console="internalConsole")
    )
    assert not answer["success"]
    assert python in answer["message"]
    client.ask("disconnect")
    assert client.process.wait(20) == 0


def test_an_unknown_mode_for_primal_breakpoints(client, program):
    client.initialize()
    answer = client.answer(
        client.send("launch", program=program.train, primalBreakpoints="sideways")
    )
    assert not answer["success"]
    assert "'sideways'" in answer["message"]
    assert answer["body"]["error"]["format"] == answer["message"]
    client.ask("disconnect")
    assert client.process.wait(20) == 0


def test_a_program_without_adlsp(client, program):
    """It is debugged as any other."""
    script = program.write("plain.py", "x = 1\nprint('plain')\n")
    client.launch(script, {script: [{"line": 2}]}, pythonArgs=["-S"], env={"PYTHONPATH": ""})
    assert client.stop().line == 2
    client.ask("continue", threadId=1)
    client.finish()
    assert "plain" in client.output()


@pytest.mark.parametrize(
    "nonsense",
    [
        b"hello\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{oops",
        b"Content-Length: 4\r\n\r\n1234",
        b"Content-Length: 2\r\n\r\n{}",
        b'Content-Length: 28\r\n\r\n{"seq":1,"type":"request"}  ',
        b"Content-Length: 6\r\n\r\n\xff\xfe\xfd\xfc\xfb\xfa",
        b"x" * 200_000 + b"\r\n\r\n",
    ],
)
def test_nonsense_from_the_client(client, program, nonsense):
    """It is reported, and the session goes on."""
    client.initialize()
    client.send_bytes(nonsense)
    report = client.event("output", lambda body: body.get("category") == "important")
    assert report["output"].startswith("adlsp: ignored ")
    start = client.send("launch", program=program.train, console="internalConsole")
    client.send_bytes(nonsense)
    client.configure(start, {})
    client.finish()
    assert "end" in client.output()


@pytest.mark.parametrize(
    "arguments",
    [
        {"source": {"path": "x.py"}, "breakpoints": 3},
        {"source": {"path": 5}, "breakpoints": []},
        {"source": {"path": "x.py"}, "breakpoints": [{"condition": "no line"}]},
        {"breakpoints": []},
    ],
)
def test_requests_with_senseless_arguments(client, program, arguments):
    client.launch(program.train, {program.train: [{"line": program.line("step", "train.py")}]})
    stop = client.stop()
    answer = client.answer(client.mistake("setBreakpoints", **arguments))
    assert not answer["success"]
    assert answer["message"]
    client.go_on(stop)


@only_linux
def test_an_adapter_that_is_killed(client, program):
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    stop = client.stop()
    started = descendants(client.process.pid)
    waiting = client.send("evaluate", expression="__import__('time').sleep(60)", frameId=2)
    os.kill(started[0], signal.SIGKILL)
    assert "ended unexpectedly" in client.event("output", is_important)["output"]
    client.event("terminated")
    assert not client.answer(waiting)["success"]
    assert not client.answer(client.send("stackTrace", threadId=stop.thread))["success"]
    client.ask("disconnect")
    assert client.process.wait(20) == 0
    assert survivors(started) == []


@only_linux
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_an_editor_or_proxy_that_goes_away(program, number):
    """Nothing stays behind when the client closes its end or the proxy is killed, in a stop."""
    client = Client()
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    client.stop()
    started = descendants(client.process.pid)
    assert len(started) >= 3  # adapter, launcher, program
    if number is not None:
        os.kill(client.process.pid, number)
    client.close()
    assert survivors(started) == []


def test_a_client_that_leaves_at_once():
    client = Client()
    client.close()
    assert client.process.returncode == 0


@pytest.mark.parametrize("is_file", [True, False])
def test_a_client_that_is_no_pipe(program, is_file):
    """A script may be read from a file, and the answers go to one."""
    script = program.folder / "script.txt"
    request = {"seq": 1, "type": "request", "command": "initialize", "arguments": {}}
    script.write_bytes(wire.encode(request) if is_file else b"")
    source = script if is_file else os.devnull
    with open(source, "rb") as stdin, open(program.folder / "answers.txt", "wb") as stdout:
        run = subprocess.run(
            [sys.executable, "-m", "adlsp", "debug"],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            timeout=60,
            check=False,
        )
    assert run.returncode == 0
    assert b"Traceback" not in run.stderr


def test_attach_where_nobody_listens(client):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        client.initialize()
        answer = client.answer(client.send("attach", connect={"host": "127.0.0.1", "port": port}))
    assert not answer["success"]
    assert answer["message"].startswith(f"cannot attach to 127.0.0.1:{port}: ")
    client.ask("disconnect")
    assert client.process.wait(20) == 0


def is_important(body: dict[str, object]) -> bool:
    return body.get("category") == "important"
