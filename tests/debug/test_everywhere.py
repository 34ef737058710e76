"""Filters and backward breakpoints however a program is started, with all Pythons that we have."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from .client import ROOT, Client

ROOTS = """\
import numpy as np
import adlsp

def loss(w):
    assert w.ndim == 1, w
    r = np.sqrt(w)  # @root
    return np.sum(r)

def run(_=None):
    return adlsp.grad(loss)(np.array([4.0, 0.0, 1.0])).tolist()
"""

SEEN = [("breakpoint", "backward of loss, line 6"), ("exception", "backward of loss, line 6")]


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def configure(client, start, path):
    """Sets a backward breakpoint in a file, and the filter for what is not finite."""
    client.event("initialized")
    client.set_breakpoints(path, {"line": 6, "mode": "backward"})
    option = {"filterId": "adlsp.nonfinite"}
    client.ask("setExceptionBreakpoints", filters=[], filterOptions=[option])
    client.ask("configurationDone")
    answer = client.answer(start)
    assert answer["success"], answer


def follow(client, path, seen, threads):
    """Goes on from stop to stop to the end of a program, and follows its children."""

    def interesting(message):
        is_child = message["type"] == "request" and message["command"] == "startDebugging"
        return is_child or message.get("event") in ("stopped", "terminated")

    while (message := client.wait(interesting)).get("event") != "terminated":
        if message["type"] == "request":
            client.grant(message)
            how = (message["arguments"], path, seen, threads)
            thread = threading.Thread(target=follow_child, args=how, daemon=True)
            threads.append(thread)
            thread.start()
            continue
        thread = message["body"]["threadId"]
        stack = client.ask("stackTrace", threadId=thread)["stackFrames"]
        seen.append((message["body"]["reason"], stack[1]["name"]))
        client.ask("continue", threadId=thread)


def follow_child(asked, path, seen, threads):
    configuration = asked["configuration"]
    with Client() as child:
        child.initialize()
        start = child.send(asked["request"], **configuration)
        configure(child, start, path)
        follow(child, path, seen, threads)


@pytest.fixture
def roots(program):
    return program.write("roots.py", ROOTS)


def launched(client, path, **options):
    """What a program stops at, to its end."""
    seen, threads = [], []
    client.initialize()
    options = {"console": "internalConsole", **options}
    configure(client, client.send("launch", **options), path)
    follow(client, path, seen, threads)
    for thread in threads:
        thread.join(60)
    return seen


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_child_processes(client, program, roots, method):
    """Each has a session of its own: with a fork server it is a child of that one's."""
    script = program.write(
        "script.py",
        f"""\
        import multiprocessing
        import roots

        if __name__ == "__main__":
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                print(pool.map(roots.run, [1]))
            print("end")
        """,
    )
    assert launched(client, roots, program=script) == SEEN
    assert "[[0.25, inf, 0.5]]" in client.output()


def test_a_module(client, program, roots):
    package = program.folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text("import roots\nprint(roots.run())\n")
    assert launched(client, roots, module="package", cwd=str(program.folder)) == SEEN


def test_functions_in_a_test_file(client, program):
    """Pytest writes their asserts anew, and compiles them."""
    path = program.write("test_roots.py", ROOTS + "\ndef test_it():\n    assert run()[0] == 0.25\n")
    options = {"args": ["-q", "-p", "no:cacheprovider", path], "cwd": str(program.folder)}
    assert launched(client, path, module="pytest", **options) == SEEN
    assert "1 passed" in client.output()


SERVE = """\
import time
import debugpy
import roots

port = debugpy.listen(("127.0.0.1", 0))[1]
print(port, flush=True)
while True:
    roots.run()
    print("ran", flush=True)
    time.sleep(0.01)
"""


def test_a_program_that_runs_already(client, program, roots):
    script = program.write("serve.py", SERVE)
    command = [sys.executable, "-W", "ignore", script]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        port = int(process.stdout.readline())
        client.initialize()
        start = client.send("attach", connect={"host": "127.0.0.1", "port": port})
        configure(client, start, roots)
        stop = client.stop()
        assert stop.stack[1]["name"] == SEEN[0][1]
        client.set_breakpoints(roots)
        client.go_on(stop)
        stop = client.stop("exception")
        assert stop.stack[1]["name"] == SEEN[1][1]
        client.ask("disconnect", terminateDebuggee=False)
        assert process.stdout.readline() == "ran\n"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_another_folder_on_the_other_side(client, program):
    """As in a container: the program's paths are not those of the client."""
    remote, local = program.folder / "remote", program.folder / "local"
    for folder in (remote, local):
        folder.mkdir()
        (folder / "roots.py").write_text(ROOTS + "\nprint(run())\n")
    mapping = {"localRoot": str(local), "remoteRoot": str(remote)}
    options = {"program": str(remote / "roots.py"), "pathMappings": [mapping]}
    client.initialize()
    start = client.send("launch", console="internalConsole", **options)
    configure(client, start, str(local / "roots.py"))
    stop = client.stop()
    assert stop.stack[1]["source"]["path"] == str(local / "roots.py")
    assert stop.about() == ("backward", 6)
    frame = stop.stack[1]["id"]
    assert client.ask("adlsp/inlineValues", frameId=frame)["path"] == str(local / "roots.py")
    client.go_on(stop)
    stop = client.stop("exception")
    assert stop.about() == ("backward", 6)
    client.go_on(stop)
    client.finish()
    assert client.errors == []
