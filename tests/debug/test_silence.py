"""A breakpoint that cannot stop says why: in its message, or in one line of output."""

from __future__ import annotations

import shutil

import pytest

from adlsp.debug import telling
from adlsp.debug.program import NEVER

from .client import ROOT

SCRIPT = '''\
import numpy as np
import adlsp

def loss(x, w):
    """Says what it is."""  # doc
    n = x.shape[0]  # @inactive
    # before h
    h = np.tanh(x @ w)  # @h

    if n > 5:
        h = h * 2.0
    else:  # other
        # before half
        h = h * 0.5  # @half
    return np.sum(h * h)  # @out

x, w = np.ones((3, 2)), np.eye(2)  # @module
print("primal", loss(x, w))
df = adlsp.MODE(loss, wrt="w")  # @made
print("derivative", df(x, w, **GIVEN))  # @called
'''

WAITING = f"Backward: {telling.WAITS}"


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def script(program):
    text = SCRIPT.replace("MODE", "grad").replace("GIVEN", "{}")
    return program.write("script.py", text)


def start(client, script, breakpoints, **options):
    """Starts a program; gives the answers for its breakpoints."""
    client.initialize()
    options = {"console": "internalConsole", "cwd": str(ROOT), **options}
    launch = client.send("launch", program=script, **options)
    client.event("initialized")
    told = client.set_breakpoints(script, *breakpoints)
    client.ask("configurationDone")
    assert client.answer(launch)["success"]
    return told


def changes(client):
    """What the client was told last of its breakpoints, by their ids."""
    return {each["breakpoint"]["id"]: each["breakpoint"] for each in client.events("breakpoint")}


def line_of(script, text):
    with open(script) as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


@pytest.mark.parametrize(
    ("at", "snapped"),
    [
        ("# doc", "@inactive"),
        ("# before h", "@h"),
        ("# other", "@half"),
        ("# before half", "@half"),
    ],
)
def test_lines_without_code_stand_for_the_next_statement(client, script, at, snapped):
    line = line_of(script, snapped)
    [told] = start(client, script, [{"line": line_of(script, at), "mode": "backward"}])
    assert (told["line"], told["message"]) == (line, WAITING)
    if snapped != "@inactive":
        stop = client.stop()
        assert stop.about() == ("backward", line)
        client.go_on(stop)
    client.finish()


@pytest.mark.parametrize("mode", [{"mode": "both"}, {}])
def test_both_sweeps_stop_at_one_statement(client, script, mode):
    line = line_of(script, "@half")
    [told] = start(client, script, [{"line": line - 1, **mode}])
    assert told["line"] == line
    stops = []
    for _ in range(3):  # the primal, and both sweeps of its derivative
        stop = client.stop()
        stops.append(stop.frames[0 if stop.path == script else 1])
        client.go_on(stop)
    client.finish()
    sweeps = [(f"{sweep} of loss, line {line}", line) for sweep in ("forward", "backward")]
    assert stops == [("loss", line), *sweeps]
    assert client.told() == []


def test_a_comment_in_a_derivative_stands_for_what_is_below(client, program):
    """Else a breakpoint above the statements of a line would stop in those of another."""
    folder = program.folder / "adlsp-derivatives"
    folder.mkdir()
    shutil.copy(program.folder / "loss_grad.txt", program.derivative)
    below = program.derived("adjoint out")
    client.launch(program.train, {program.derivative: [{"line": below - 1}]})
    stop = client.stop()
    assert (stop.path, stop.line) == (program.derivative, below)


def test_lines_that_no_gradient_passes_say_so(client, script):
    """Once there is a derivative of their function; at the end, in the output too."""
    tags = ("@inactive", "@module", "@h")
    lines = [line_of(script, tag) for tag in tags]
    told = start(client, script, [{"line": line, "mode": "backward"} for line in lines])
    said = [each["message"] for each in told]
    assert said == [WAITING, f"Backward: {telling.OUTSIDE}", WAITING]
    stop = client.stop()
    changed = changes(client)
    assert changed[told[0]["id"]]["message"] == f"Backward: {telling.NOTHING}"
    assert changed[told[2]["id"]]["verified"]
    client.go_on(stop)
    client.finish()
    never = "adlsp: the breakpoint at script.py:{} never stopped backward: {}\n"
    assert client.told() == [
        never.format(lines[0], telling.NOTHING),
        never.format(lines[1], telling.OUTSIDE),
    ]


def test_forward_mode_has_no_backward_sweep(client, program):
    text = SCRIPT.replace("MODE", "jvp").replace("GIVEN", '{"dots": (w,)}')
    script = program.write("script.py", text)
    line = line_of(script, "@h")
    told = start(client, script, [{"line": line, "mode": "backward"}])
    client.finish()
    assert changes(client)[told[0]["id"]]["message"] == f"Backward: {telling.TANGENTS}"
    assert client.told() == [
        f"adlsp: the breakpoint at script.py:{line} never stopped backward: {telling.TANGENTS}\n"
    ]


def test_a_function_that_nobody_derives(client, script):
    line = line_of(script, "@half")
    other = script.replace("script.py", "other.py")
    shutil.copy(script, other)
    client.launch(script, {other: [{"line": line, "mode": "backward"}]})
    client.finish()
    assert client.told() == [
        f"adlsp: the breakpoint at other.py:{line} never stopped backward: {telling.UNDERIVED}\n"
    ]


def test_an_end_by_the_user_is_not_commented(client, script):
    lines = [{"line": line_of(script, tag), "mode": "backward"} for tag in ("@inactive", "@out")]
    start(client, script, lines)
    client.stop()
    client.ask("disconnect", terminateDebuggee=True)
    client.drain()
    assert client.told() == []


CONDITIONS = {
    "typo": ("h_bra.size > 1", {"mode": "backward"}, 0, "NameError: name 'h_bra' is not defined"),
    "typo on both sides": ("h_bra.size > 1", {}, 0, "NameError: name 'h_bra' is not defined"),
    "only backward": ("h_bar.size > 1", {}, 1, None),
    "only forward": ("w.size > 1 and 'h_bar' not in dir()", {"mode": "forward"}, 2, None),
    "missing forward": ("h_bar.size > 1", {"mode": "forward"}, 0, "NameError: name 'h_bar' is"),
    "an error": ("h.size > 'a'", {}, 0, "TypeError: '>' not supported between"),
    "a broken text": ("h.size >", {"mode": "backward"}, 0, "SyntaxError: invalid syntax"),
    "never true": ("h.size > 1000", {}, 0, None),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_that_cannot_be_evaluated(client, script, name):
    """Each is told once, unless one of the two sides has the name that the other misses."""
    condition, mode, n_stops, error = CONDITIONS[name]
    line = line_of(script, "@h")
    start(client, script, [{"line": line, "condition": condition, **mode}])
    for _ in range(n_stops):
        client.go_on(client.stop())
    client.finish()
    told = client.told()
    assert len(told) == (error is not None)
    if error is not None:
        place = f"the condition of the breakpoint at script.py:{line}"
        assert told[0].startswith(f"adlsp: {place} gave {error}")


def test_conditions_in_code_that_nobody_derives(client, script):
    """A missing name is told when nothing can have it any more."""
    line = line_of(script, "@called")
    start(client, script, [{"line": line, "condition": "stepp > 1"}])
    client.finish()
    place = f"the condition of the breakpoint at script.py:{line}"
    assert client.told() == [f"adlsp: {place} gave NameError: name 'stepp' is not defined\n"]


# the hook


@pytest.fixture
def elsewhere(program):
    """A copy of adlsp that only the program knows."""
    copy = program.folder / "vendored" / "adlsp"
    shutil.copytree(ROOT / "adlsp", copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


VENDORED = (
    "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'vendored'))\n"
)


def test_adlsp_along_another_path(client, program, elsewhere):
    script = program.write(
        "script.py",
        VENDORED
        + SCRIPT.replace("MODE", "grad").replace("GIVEN", "{}")
        + "print(adlsp.__file__)\n",
    )
    line = line_of(script, "@h")
    start(client, script, [{"line": line, "mode": "backward"}])
    stop = client.stop()
    assert stop.about() == ("backward", line)
    client.go_on(stop)
    client.finish()
    assert str(elsewhere) in client.output()
    assert client.told() == []


def test_adlsp_of_another_version(client, program, elsewhere):
    hook = elsewhere / "runtime" / "hook.py"
    hook.write_text(hook.read_text().replace("# debug proxy: wait", ""))
    text = VENDORED + SCRIPT.replace("MODE", "grad").replace("GIVEN", "{}")
    script = program.write("script.py", text)
    line = line_of(script, "@h")
    start(client, script, [{"line": line, "mode": "backward"}])
    client.finish()
    assert client.told() == [
        f"adlsp: the program has an adlsp of another version, in {elsewhere}: {NEVER}\n",
        f"adlsp: the breakpoint at script.py:{line} never stopped backward: {telling.UNDERIVED}\n",
    ]
    assert "derivative" in client.output()


def test_a_refused_step_keeps_the_frames(client, script):
    """The program has not moved, so what the client knows of it is still true."""
    line = line_of(script, "@h")
    start(client, script, [{"line": line, "mode": "backward"}])
    stop = client.stop()
    ours = stop.stack[1]["id"]
    refused = client.answer(client.send("restartFrame", frameId=ours))
    assert not refused["success"]
    assert client.evaluate(ours, "h_bar.shape") == "(3, 2)"
    assert client.ask("adlsp/counterpart", frameId=ours)["line"] == stop.line


@pytest.mark.parametrize("entry", [{"logMessage": "size {h_bar.size}"}, {"hitCondition": "1"}])
def test_the_launch_option_is_for_logpoints_too(client, script, entry):
    line = line_of(script, "@half")
    start(client, script, [{"line": line, **entry}], primalBreakpoints="backward")
    if "hitCondition" in entry:
        stop = client.stop()
        if stop.path == script:
            client.go_on(stop)
            stop = client.stop()
        assert stop.about() == ("backward", line)
        client.go_on(stop)
    client.finish()
    if "logMessage" in entry:
        assert "size 6" in client.output()


def test_a_derivative_that_cannot_be_read(client, program):
    script = program.write(
        "script.py",
        """\
        import json
        import os
        from library import derive, hook, w, x

        def bind(payload, bind=hook.bind):
            os.unlink(json.loads(payload)["path"])
            bind(payload)

        hook.bind = bind
        derive()(x, w)
        """,
    )
    line = program.line("h")
    client.launch(script, {program.primal: [{"line": line, "mode": "backward"}]})
    client.finish()
    unreadable, unbound = client.told()
    assert unreadable.startswith(f"adlsp: {program.derivative} cannot be read: ")
    assert unbound.startswith(f"adlsp: the breakpoint at losses.py:{line} never stopped backward: ")
    assert "does not exist" in unbound
