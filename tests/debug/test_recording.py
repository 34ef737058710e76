"""What a run is looked back at by: gradients recorded through the real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from adlsp.debug import recorded

from .client import ROOT, Client

RNN = """\
import numpy as np
import adlsp

def loss(h, w):
    for i in range(30):
        h = np.tanh(h @ w)  # @step
    return np.sum(h)

h, w = np.full((1, 4), 1e-30), 3 * np.eye(4)
for step in range(4):
    adlsp.grad(loss)(h, w)
print("end")
"""

TRAINING = """\
import numpy as np
import adlsp

def dense(h, w):
    return np.tanh(h @ w)  # @dense

def loss(layers, x):
    h = x  # @input
    for w in layers:
        h = dense(h, w)
    return np.mean(h * h)

gradient = adlsp.grad(loss)
random = np.random.default_rng(0)
layers = [random.normal(size=(4, 4)) / 2 for _ in range(3)]
for step in range(4200):
    x = random.normal(size=(8, 4))
    if step == 4000:
        x[3, 1] = np.nan
    found = gradient(layers, x)
    layers = [w - 0.1 * w_bar for w, w_bar in zip(layers, found)]
print("trained")
"""

ENDLESS = """\
import time
import numpy as np
import adlsp

def loss(x):
    return np.sum(x * x)  # @loss

print("running", flush=True)
while True:
    adlsp.grad(loss)(np.ones(3))
    time.sleep(0.001)
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rows_of(*bodies):
    """What the client is told, as objects: a row with what is known of its variable."""
    variables = {each["id"]: each for body in bodies for each in body["variables"]}
    told = [dict(zip(body["columns"], row, strict=True)) for body in bodies for row in body["rows"]]
    return [{**row, **variables[row["variable"]]} for row in told]


def written(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def chosen(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def test_gradients_that_explode_from_the_first_step_on(client, program, tmp_path):
    """The client is told all before the end, and the file has the same."""
    script, path = program.write("script.py", RNN), tmp_path / "run.jsonl"
    client.initialize()
    start = client.send(
        "launch", program=script, console="internalConsole", recordGradients=1, justMyCode=True
    )
    client.event("initialized")
    client.ask("adlsp/record", path=str(path))
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    client.event("terminated")
    rows = rows_of(*client.events("adlsp/gradients"))
    line = program.line("step", "script.py")
    found = chosen(rows, variable="h_bar", line=line, step=3)
    assert [row["pass"] for row in found] == [*range(1, 31)]
    assert [row["norm"] for row in found] == pytest.approx([2 * 3.0**n for n in range(1, 31)])
    assert {row["path"] for row in found} == {script}
    assert sorted({row["step"] for row in rows}) == [0, 1, 2, 3]
    assert client.ask("adlsp/gradients")["next"] == len(rows)
    assert client.ask("adlsp/gradients", since=len(rows) - 5)["rows"] == [
        *client.events("adlsp/gradients")[-1]["rows"][-5:]
    ]
    lines = [{k: v for k, v in row.items() if k != "id"} for row in rows]
    assert written(path) == lines
    client.ask("disconnect")
    client.process.wait(30)
    assert client.errors == []
    assert "end" in client.output()


def test_a_run_in_which_the_data_goes_bad(client, program, tmp_path):
    """From step 4,000 on all gradients are NaN, and one sees where it came in."""
    script, path = program.write("script.py", TRAINING), tmp_path / "run.jsonl"
    client.launch(script, recordGradients=100)
    client.event("output", lambda body: "trained" in body["output"])
    client.event("terminated")
    assert client.ask("adlsp/exportGradients", path=str(path))["rows"] == len(written(path))
    rows = written(path)
    for name in ("layers[0]", "layers[1]", "layers[2]"):
        found = chosen(rows, variable=name)
        assert [row["step"] for row in found] == [*range(0, 4200, 100)]
        assert [row["step"] for row in found if row["bad"]] == [4000, 4100]
        assert all(row["norm"] > 0 for row in found[:40])
    first = next(row for row in rows if row["bad"])
    assert first["step"] == 4000
    client.ask("disconnect")


def test_recording_is_switched_while_the_program_runs_and_stands(client, program):
    script = program.write("script.py", ENDLESS)
    client.launch(script)
    client.event("output", lambda body: "running" in body["output"])
    client.ask("adlsp/record", every=2)
    first = client.event("adlsp/gradients")
    steps = [row["step"] for row in rows_of(first)]
    assert steps == sorted(steps)
    assert not any(step % 2 for step in steps)
    line = program.line("loss", "script.py")
    client.set_breakpoints(script, {"line": line, "mode": "backward"})
    stop = client.stop()
    shown = client.variables(stop.stack[0]["id"])
    assert "x" in shown
    assert not any("adlsp" in name for name in shown)
    told = client.ask("adlsp/gradients")
    assert {row["line"] for row in rows_of(told)} <= {line, line - 1}
    client.ask("adlsp/record", on=False)
    n_before = client.ask("adlsp/gradients", since=0)["next"]
    client.set_breakpoints(script)
    client.go_on(stop)
    client.ask("adlsp/record")
    again = client.event("adlsp/gradients", lambda body: body["next"] > n_before)
    assert [each["id"] for each in again["variables"]] == [each["id"] for each in told["variables"]]
    client.ask("disconnect", terminateDebuggee=True)
    client.process.wait(30)
    assert client.errors == []


@pytest.mark.parametrize("end", ["kill", "leave"])
def test_the_file_of_a_run_that_is_ended(client, program, tmp_path, end):
    """Where the program is killed, the file has what was read until then."""
    script, path = program.write("script.py", ENDLESS), tmp_path / "run.jsonl"
    client.launch(script)
    process = client.event("process")["systemProcessId"]
    client.ask("adlsp/record", path=str(path))
    n_told = client.event("adlsp/gradients")["next"]
    if end == "kill":
        os.kill(process, signal.SIGKILL)
        client.event("terminated")
    client.ask("disconnect", terminateDebuggee=True)
    client.process.wait(30)
    assert len(written(path)) >= n_told
    assert end == "kill" or client.errors == []  # debugpy may write to what has been killed


def test_child_processes_have_recordings_of_their_own(client, program):
    program.write(
        "work.py",
        RNN.replace("h, w =", "def run():\n  h, w =")
        .replace("\nfor step", "\n  for step")
        .replace("\n    adlsp.grad", "\n    adlsp.grad"),
    )
    script = program.write(
        "script.py",
        """\
        import multiprocessing
        import numpy as np
        import adlsp
        import work

        if __name__ == "__main__":
            adlsp.grad(work.loss)(np.ones((1, 4)), np.eye(4))
            process = multiprocessing.get_context("fork").Process(target=work.run)
            process.start()
            process.join()
        """,
    )
    client.launch(script, recordGradients=1)
    request = client.request("startDebugging")
    with Client() as child:
        child.initialize()
        assert request["configuration"]["recordGradients"] == 1
        start = child.send(request["request"], **request["configuration"])
        child.configure(start, {})
        child.event("terminated")
        found = rows_of(*child.events("adlsp/gradients"))
        assert {row["step"] for row in found} == {0, 1, 2, 3}
        child.ask("disconnect")
    client.event("terminated")
    assert {row["step"] for row in rows_of(*client.events("adlsp/gradients"))} == {0}
    client.ask("disconnect")


def test_what_cannot_be_is_refused(client, program, tmp_path):
    script = program.write("script.py", "print('nothing')\n")
    client.initialize()
    answer = client.answer(client.send("launch", program=script, recordGradients=-1))
    assert not answer["success"]
    assert '"recordGradients" must be a number of steps' in answer["message"]
    start = client.send("launch", program=script, console="internalConsole")
    client.event("initialized")
    for every in (0, "2", True, None):
        answer = client.answer(client.send("adlsp/record", every=every))
        assert not answer["success"]
        assert '"every" must be a number of steps' in answer["message"]
    nowhere = str(tmp_path / "nowhere" / "run.jsonl")
    answer = client.answer(client.send("adlsp/exportGradients", path=nowhere))
    assert not answer["success"]
    assert "cannot be written" in answer["message"]
    client.ask("adlsp/record", path=nowhere)
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    client.event("terminated")
    told = client.ask("adlsp/gradients")
    assert (told["rows"], told["variables"], told["next"]) == ([], [], 0)
    assert any("gradients cannot be written" in each for each in client.told())
    client.ask("disconnect")


LISTENING = """\
import time
import debugpy
import numpy as np
import adlsp

def loss(x):
    return np.sum(x * x)

g = adlsp.grad(loss)
g(np.ones(3))
own = g._compiled.__code__
print(debugpy.listen(("127.0.0.1", 0))[1], flush=True)
while True:
    g(np.ones(3))
    print(g._compiled.__code__ is own, flush=True)
    time.sleep(0.01)
"""


def test_attaching_and_leaving(client, program, tmp_path):
    """The program goes on with its own code, and the file has what was recorded until then."""
    script, path = program.write("script.py", LISTENING), tmp_path / "run.jsonl"
    command = [sys.executable, script]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = int(process.stdout.readline())
            client.initialize()
            address = {"host": "127.0.0.1", "port": port}
            client.configure(client.send("attach", connect=address, recordGradients=1), {})
            client.ask("adlsp/record", path=str(path))
            client.event("adlsp/gradients")
            client.ask("disconnect", terminateDebuggee=False)
            assert client.process.wait(20) == 0
            states = []
            while states[-1:] != ["True\n"] or "False\n" not in states:
                states.append(process.stdout.readline())
        finally:
            process.kill()
    steps = [row["step"] for row in chosen(written(path), variable="x")]
    assert steps == [*range(len(steps))]
    assert steps


def test_a_program_that_cannot_record_is_told_of(client, program):
    before = "from adlsp.runtime import hook\ndel hook.record  # as an older one\n"
    client.launch(program.write("script.py", before + RNN), recordGradients=1)
    client.event("terminated")
    assert [each for each in client.told() if "no gradients were recorded" in each]
    client.ask("disconnect")


def test_rows_that_are_too_many(monkeypatch):
    """The first ones are dropped, and answers come in parts."""
    monkeypatch.setattr(recorded, "MOST", 50)
    monkeypatch.setattr(recorded, "PART", 2)
    kept = recorded.Recorded()
    variable = {
        "id": 0,
        "variable": "h_bar",
        "derivative": "f_grad",
        "path": "/there/a.py",
        "line": 1,
    }
    for block in range(3):
        rows = b"".join((3 * block + i).to_bytes(4, "little") + bytes(4) for i in range(3))
        text = json.dumps(
            {
                "columns": ["step", "variable"],
                "format": "<ii",
                "variables": [] if block else [variable],
                "rows": recorded.base64.b64encode(rows).decode(),
                "is_cut": False,
            }
        )
        bodies = [*kept.take(text, lambda path: path.replace("/there", "/here"))]
        assert [len(body["rows"]) for body in bodies] == [2, 1]
    assert bodies[-1]["isCut"]
    assert kept.since(0)["rows"] == [[3, 0], [4, 0]]
    assert kept.since(5)["rows"] == [[5, 0], [6, 0]]
    assert kept.since(9)["rows"] == kept.since(100)["rows"] == []
    assert kept.since(0)["variables"] == [{**variable, "path": "/here/a.py"}]
