"""Sessions through the real processes: a client, the proxy, debugpy, a program that trains."""

from __future__ import annotations

import concurrent.futures
from pathlib import Path

import pytest

from .client import ROOT, Client


def test_backward_breakpoint_on_a_primal_line(client, program):
    """Set before the derivative exists, it stops once per gradient, where it is computed."""
    h = program.line("h")
    client.initialize()
    start = client.send("launch", program=program.train, cwd=str(ROOT), console="internalConsole")
    client.event("initialized")
    [told] = client.set_breakpoints(program.primal, {"line": h, "mode": "backward"})
    assert not told["verified"]
    assert told["message"] == "Backward: waits for a derivative of this line"
    client.ask("configurationDone")
    assert client.answer(start)["success"]

    stop = client.stop()
    assert (stop.path, stop.line) == (program.derivative, program.derived("adjoint h"))
    assert stop.hit == (told["id"],)
    changed = client.event("breakpoint")
    assert changed["reason"] == "changed"
    assert changed["breakpoint"] == {
        **told,
        "verified": True,
        "message": f"Backward: loss_grad.py:{stop.line}",
    }
    assert stop.frames == [
        ("loss_grad", stop.line),
        (f"backward of loss, line {h}", h),
        ("<module>", 5),
    ]
    variables = client.variables(stop.stack[0]["id"])
    assert {"h_bar", "h", "x", "w", "out_bar"} <= variables.keys()
    assert client.evaluate(stop.stack[0]["id"], "h_bar.shape") == "(3, 2)"

    client.go_on(stop)
    again = client.stop()
    assert (again.path, again.line, again.hit) == (stop.path, stop.line, stop.hit)
    client.go_on(again)
    client.finish()
    assert client.output().count("step") == 2
    assert len(client.events("stopped")) == 2
    assert client.errors == []
    assert client.process.returncode == 0


def test_the_primal_frame_answers_for_the_derivative(client, program):
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    stop = client.stop()
    real, primal = stop.stack[0]["id"], stop.stack[1]["id"]
    assert stop.stack[1]["presentationHint"] == "subtle"
    assert stop.stack[1]["source"]["path"] == program.primal
    assert client.evaluate(primal, "h_bar.shape") == "(3, 2)"
    assert client.variables(primal) == client.variables(real)
    counterpart = client.ask("adlsp/counterpart", frameId=real)
    derivative = {"derivative": program.derivative}
    there = {"path": program.primal, "line": program.line("h"), "frameId": primal}
    assert counterpart == {**there, **derivative}
    counterpart = client.ask("adlsp/counterpart", frameId=primal)
    there = {"path": program.derivative, "line": stop.line, "frameId": real}
    assert counterpart == {**there, **derivative}
    assert client.ask("adlsp/counterpart", frameId=stop.stack[2]["id"]) == {}


def test_frames_of_ordinary_code_have_no_counterpart(client, program):
    """Which is no error: an editor asks for every frame, and shows errors to its user."""
    client.launch(program.train, {program.train: [{"line": program.line("step", "train.py")}]})
    stop = client.stop()
    for number in (stop.stack[0]["id"], 12345, None):
        assert client.ask("adlsp/counterpart", frameId=number) == {}
    client.set_breakpoints(program.train)
    client.go_on(stop)
    client.event("terminated")
    assert client.ask("adlsp/counterpart", frameId=stop.stack[0]["id"]) == {}


def test_pages_of_the_stack(client, program):
    """An editor asks for one frame, then for more from there: none is lost, none comes twice."""
    client.launch(
        program.train, {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    )
    stop = client.stop()
    pages = [
        client.ask("stackTrace", threadId=stop.thread, startFrame=i, levels=1) for i in range(4)
    ]
    assert [page["totalFrames"] for page in pages] == [3, 3, 3, 3]
    assert [frame for page in pages for frame in page["stackFrames"]] == stop.stack


@pytest.mark.parametrize(
    ("entry", "option", "tags"),
    [
        ({"mode": "forward"}, None, ["primal h"]),
        ({"mode": "backward"}, None, ["adjoint h"]),
        ({"mode": "both"}, None, ["primal h", "adjoint h"]),
        ({}, None, ["primal h", "adjoint h"]),
        ({"condition": ""}, "backward", ["adjoint h"]),
        ({"mode": "forward"}, "backward", ["primal h"]),
        ({"condition": "x.size == 6", "mode": "backward"}, None, ["adjoint h"]),
        ({"hitCondition": "2"}, None, []),
    ],
)
def test_modes(client, program, entry, option, tags):
    """What the first gradient stops at, by the mode of the breakpoint and the launch option."""
    options = {} if option is None else {"primalBreakpoints": option}
    breakpoints = {program.primal: [{"line": program.line("h"), **entry}]}
    breakpoints[program.train] = [{"line": program.line("step", "train.py")}]
    client.launch(program.train, breakpoints, **options)
    client.go_on(client.stop())
    for tag in tags:
        stop = client.stop()
        assert (stop.path, stop.line) == (program.derivative, program.derived(tag))
        word = "forward" if tag.startswith("primal") else "backward"
        assert stop.stack[1]["name"] == f"{word} of loss, line {program.line('h')}"
        client.go_on(stop)
    assert client.stop().path == program.train


def test_logpoint_without_a_mode_logs_the_forward_sweep(client, program):
    entry = {"line": program.line("h"), "logMessage": "shape {x.shape}"}
    client.launch(program.train, {program.primal: [entry]})
    client.finish()
    assert client.output().count("shape (3, 2)") == 2
    assert client.events("stopped") == []


def test_a_statement_in_a_loop_stops_once_per_pass(client, program):
    entry = {"line": program.line("scale"), "mode": "backward"}
    client.launch(program.train, {program.primal: [entry]})
    for _ in range(4):
        stop = client.stop()
        assert stop.line == program.derived("adjoint scale")
        client.go_on(stop)
    client.finish()


def test_breakpoint_in_a_derivative_that_does_not_exist_yet(client, program):
    line = program.derived("adjoint h") + 1
    client.initialize()
    start = client.send("launch", program=program.train, cwd=str(ROOT), console="internalConsole")
    client.event("initialized")
    [pending] = client.set_breakpoints(program.derivative, {"line": line})
    assert not pending["verified"]
    client.ask("configurationDone")
    client.answer(start)
    stop = client.stop()
    assert (stop.path, stop.line, stop.hit) == (program.derivative, line, (pending["id"],))
    changed = client.event("breakpoint")["breakpoint"]
    assert (changed["id"], changed["verified"]) == (pending["id"], True)


def test_breakpoints_of_both_kinds_in_one_derivative(client, program):
    """Each list replaces the one before: neither the user's nor the translated are lost."""
    client.launch(program.train, {program.train: [{"line": program.line("step", "train.py")}]})
    first = client.stop()
    h, scale = program.derived("adjoint h"), program.derived("adjoint scale")
    [translated] = client.set_breakpoints(
        program.primal, {"line": program.line("h"), "mode": "backward"}
    )
    assert translated["verified"]
    own = client.set_breakpoints(program.derivative, {"line": scale}, {"line": h + 1})
    assert [(b["verified"], b["line"]) for b in own] == [(True, scale), (True, h + 1)]
    client.set_breakpoints(program.train)
    client.go_on(first)
    for line, owner in (
        (scale, own[0]["id"]),
        (scale, own[0]["id"]),
        (h, translated["id"]),
        (h + 1, own[1]["id"]),
    ):
        stop = client.stop()
        assert (stop.line, stop.hit) == (line, (owner,))
        client.go_on(stop)
    stop = client.stop()
    client.set_breakpoints(program.derivative)
    client.go_on(stop)
    stop = client.stop()
    assert (stop.line, stop.hit) == (h, (translated["id"],))
    client.set_breakpoints(program.primal)
    client.go_on(stop)
    client.finish()


def test_document_of_ours_stands_for_the_file(client, program):
    line = program.derived("adjoint h")
    primal = Path(program.primal).as_uri()
    uri = f"adlsp-derivative:/loss_adjoint.py?uri={primal}&function=loss"
    client.launch(program.train, {uri: [{"line": line}]})
    stop = client.stop()
    assert (stop.path, stop.line) == (program.derivative, line)


def test_steps_in_the_backward_sweep(client, program):
    client.launch(
        program.train, {program.primal: [{"line": program.line("scale"), "mode": "backward"}]}
    )
    stop = client.stop()
    client.set_breakpoints(program.primal)
    client.go_on(stop, "next")
    stop = client.stop("step")
    loop = program.line("loop")
    assert stop.frames[:2] == [
        ("loss_grad", program.derived("adjoint loop")),
        (f"backward of loss, line {loop}", loop),
    ]
    client.go_on(stop, "stepOut")
    assert client.stop("step").path == program.train


@pytest.mark.parametrize("just_my_code", [True, False])
@pytest.mark.parametrize("command", ["next", "stepIn"])
def test_steps_over_the_hook(client, program, command, just_my_code):
    """The hook interrupts no step, and nobody steps into it."""
    bind, made = program.line("bind", "library.py"), program.line("made", "library.py")
    client.launch(program.train, {program.library: [{"line": bind}]}, justMyCode=just_my_code)
    client.go_on(client.stop(), command)
    stop = client.stop("step")
    if command == "stepIn":  # as from any function that one leaves: on the line of its call
        assert (stop.path, stop.line) == (program.library, bind)
        client.go_on(stop, "next")
        stop = client.stop("step")
    assert (stop.path, stop.line) == (program.library, made)


def test_threads_that_derive_at_the_same_time(client, program):
    """Each derivative has its breakpoints before its thread goes on, and no thread stops."""
    script = program.write(
        "threads.py",
        """\
        import threading
        from library import derive, w, x

        barrier = threading.Barrier(4)

        def work(i):
            barrier.wait()
            derive(f"loss_grad_{i}")(x, w)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        """,
    )
    entry = {"line": program.line("h"), "mode": "backward", "logMessage": "gradient of {h.shape}"}
    client.launch(script, {program.primal: [entry]})
    client.finish()
    assert client.output().count("gradient of (3, 2)") == 4
    assert client.events("stopped") == []


def test_child_processes_get_sessions_of_their_own(client, program):
    script = program.write(
        "children.py",
        """\
        import multiprocessing
        from library import derive, w, x

        def work(i):
            return float(derive()(x, w).sum())

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print("sum", round(pool.map(work, [1])[0], 6))
                pool.close()
                pool.join()
        """,
    )
    breakpoints = {program.primal: [{"line": program.line("h"), "mode": "backward"}]}
    client.launch(script, breakpoints)
    children = []
    try:
        for _ in range(2):  # the worker and multiprocessing's own process
            request = client.request("startDebugging")
            child = Client()
            children.append(child)
            child.initialize()
            start = child.send(request["request"], **request["configuration"])
            child.configure(start, breakpoints)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            places = [*pool.map(stop_once, children)]
        adjoint = (program.derivative, program.derived("adjoint h"))
        assert sorted(places, key=len) == [(), adjoint]
        client.finish()
        assert "sum 17.406075" in client.output()
    finally:
        for child in children:
            child.close()


def stop_once(child: Client) -> tuple[str, int] | tuple[()]:
    """Where a child stops, if it does; it runs to its end and is left."""
    event = child.wait(lambda m: m.get("event") in ("stopped", "terminated"))
    if event["event"] == "terminated":
        child.ask("disconnect")
        return ()
    thread = event["body"]["threadId"]
    top = child.ask("stackTrace", threadId=thread)["stackFrames"][0]
    child.ask("continue", threadId=thread)
    child.finish()
    return (top["source"]["path"], top["line"])


CELLS = '''\
import linecache

import adlsp

TEXT = """\\
def helper(w):
    return w * w

def loss(w):
    h = helper(w)
    return h * w
"""

linecache.cache["<cell 1>"] = (len(TEXT), None, TEXT.splitlines(True), "<cell 1>")
exec(compile(TEXT, "<cell 1>", "exec"))
g = adlsp.grad(loss)
g(2.0)
print(g(2.0))  # @call
'''


def test_the_derivative_of_a_cell_is_debugged(client, tmp_path):
    """Its text has no file, and the derivative has one."""
    program = tmp_path / "cells.py"
    program.write_text(CELLS)
    line = next(n for n, text in enumerate(CELLS.splitlines(), 1) if "@call" in text)
    client.launch(str(program), {str(program): [{"line": line}]})
    stop = client.stop()
    path = client.evaluate(stop.stack[0]["id"], "g.path").strip("'")
    text = Path(path).read_text("utf-8").splitlines()
    inside = next(n for n, row in enumerate(text, 1) if "helper_forward(w)" in row)
    [told] = client.set_breakpoints(path, {"line": inside})
    assert told["verified"]
    client.go_on(stop)
    stop = client.stop()
    assert (stop.path, stop.line) == (path, inside)
    assert stop.frames[0] == ("loss_grad", inside)
    assert stop.frames[-1][0] == "<module>"
    assert client.variables(stop.stack[0]["id"])["w"] == "2.0"
    client.go_on(stop)
    client.finish()
    assert "12.0" in client.output()
    assert client.errors == []
