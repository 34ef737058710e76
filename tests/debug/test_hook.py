"""The hook without a debugger, and the debugger's part of it without debugpy."""

from __future__ import annotations

import builtins
import inspect
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import adlsp
from adlsp.debug import inside, instrument
from adlsp.debug.conditions import Said
from adlsp.debug.wanted import Placed
from adlsp.runtime import hook

from .client import ROOT


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(hook, "_announced", {})
    monkeypatch.setattr(hook, "_read", 0)


def test_announcements_are_numbered_once():
    for payload in ("a", "b", "a"):
        hook.bind(payload)
    assert payloads(0) == ["a", "b"]
    assert payloads(1) == ["b"]


def payloads(since: int) -> list[str]:
    return [each["payload"] for each in json.loads(hook.announced(since))]


def test_announcements_have_the_text_of_the_derivative(tmp_path):
    (tmp_path / "f.py").write_text("def f_grad(ü): ...", encoding="utf-8")
    hook.bind(json.dumps({"path": str(tmp_path / "f.py")}))
    hook.bind(json.dumps({"path": str(tmp_path / "none.py")}))
    hook.bind("[]")
    texts = [each["text"] for each in json.loads(hook.announced(0))]
    assert texts == ["def f_grad(ü): ...", "", ""]


def test_marks_are_on_lines_that_run():
    """Debugpy must find code on the marked lines, in the function that knows the number."""
    placed = instrument.hidden(inspect.getsource(hook))
    announcing, stopping = (
        {line for _, _, line in function.__code__.co_lines()}
        for function in (hook._announce, hook.stop)
    )
    assert len(placed) == 3
    assert {place.line for place in placed[:2]} <= announcing
    assert placed[2].line in stopping
    assert placed[2].owners == (instrument.ALARM,)
    assert bytes.fromhex(eval(instrument.SAID, {"alarm": "ü'"})).decode() == "ü'"
    assert placed[0].arguments["logMessage"] == f"{instrument.PREFIX}{{number}}"
    assert eval(placed[1].arguments["condition"], {**vars(hook), "_wait": bool}, {"number": 0}) == 0


def test_a_text_without_marks_has_no_breakpoints():
    assert instrument.hidden("") == ()
    assert instrument.hidden(f"x = 1  {instrument.TELL}") == ()


def test_what_is_looked_for_waits_for_the_library(monkeypatch):
    """The debugger may ask before there is a derivative, or a hook."""
    asked = []
    monkeypatch.setattr(hook, "_sought", "")
    monkeypatch.setattr(hook, "_look", None)
    monkeypatch.setattr(hook, "_why", None)
    monkeypatch.setattr(hook, "_compare", None)
    assert instrument.read_watched(eval(instrument.watch('{"nan": true}'))) == []
    monkeypatch.setattr(hook, "_remember", None)
    monkeypatch.setattr(hook, "_is_remembering", False)
    eval(instrument.remember(is_on=True))
    monkeypatch.setattr(hook, "_know", None)
    hook.look(asked.append, lambda *_: ["why"], lambda *_: ["right"], asked.append, print)
    hook.watch("")
    eval(instrument.remember(is_on=False))
    assert asked == ['{"nan": true}', True, "", False]
    monkeypatch.setattr(hook, "_look", lambda _: "two\nsentences\n")
    assert instrument.read_watched(eval(instrument.watch(""))) == ["two", "sentences"]
    assert instrument.read_lines(eval(instrument.why("h_bar", 3))) == ["why"]
    monkeypatch.delitem(sys.modules, "adlsp.runtime.hook")
    assert instrument.read_watched(str(eval(instrument.watch("")))) is None
    assert eval(instrument.remember(is_on=True)) is None


def test_waiting_ends_when_the_debugger_has_read():
    done = threading.Event()

    def wait() -> None:
        assert hook._wait(0) is False
        done.set()

    thread = threading.Thread(target=wait)
    thread.start()
    hook.proceed(1)
    thread.join(30)
    assert done.is_set()


def test_waiting_ends_without_a_debugger(monkeypatch):
    monkeypatch.setattr(hook, "PATIENCE", 0.01)
    assert hook._wait(0) is False


def test_who_has_been_read_does_not_announce(monkeypatch):
    numbers = []
    monkeypatch.setattr(hook, "_announce", numbers.append)
    hook.bind("a")
    hook.proceed(1)
    hook.bind("a")
    hook.bind("b")
    assert numbers == [0, 1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_over():
    """Also when another thread of the parent held the lock."""
    code = (
        "import os, threading\n"
        "from adlsp.runtime import hook\n"
        "hook.bind('a'); hook.proceed(1)\n"
        "held = threading.Event(); go = threading.Event()\n"
        "def hold():\n"
        "    with hook._turn, hook._answer:\n"
        "        held.set(); go.wait()\n"
        "threading.Thread(target=hold).start(); held.wait()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    hook.bind('b'); hook.proceed(2)\n"
        "    os._exit(0 if list(hook._announced) == ['a', 'b'] else 1)\n"
        "print(os.waitpid(child, 0)[1]); go.set()\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    assert run.stdout == "0\n"


def test_beginning_finds_the_hook():
    result = eval(instrument.begin({"program": str(ROOT / "x.py")}))
    beginning = instrument.read_beginning(result)
    assert os.path.samefile(beginning.path, hook.__file__)
    assert instrument.hidden(beginning.text)
    assert beginning.n_announced == 0


def test_beginning_imports_nothing_of_ours():
    code = (
        "import sys\n"
        f"result = {instrument.begin({'cwd': str(ROOT)})}\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('adlsp', 'numpy')])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout == "[]\n"


def test_a_vendored_copy_beside_the_program_comes_first(tmp_path):
    (tmp_path / "adlsp").mkdir()
    (tmp_path / "adlsp" / "__init__.py").write_text("")
    assert inside.find([str(tmp_path)]) == str(tmp_path / "adlsp" / "runtime" / "hook.py")
    assert inside.read(str(tmp_path / "nothing")) == ""


def test_what_the_program_tells_the_proxy():
    said = {"path": "a.py", "line": 3, "condition": "x > 1", "error": ""}
    for output, meant in (
        (f"{instrument.PREFIX}12\n", instrument.Announced(12)),
        (f"{inside.IMPORTS}/a b/hook.py", instrument.Imported("/a b/hook.py")),
        (f"{inside.EVALUATED}{json.dumps(said)}", Said(**said)),
        ("adlsp announces 12", None),
    ):
        assert instrument.said(output) == meant


@pytest.mark.parametrize(
    ("condition", "holds", "told"),
    [
        ("h_bar > 1", True, [""]),
        (" h_bar > 3", False, [""]),
        ("hbar > 1", False, ["NameError: name 'hbar' is not defined"]),
        ("'it''s' + 1", False, ['TypeError: can only concatenate str (not "int") to str']),
    ],
)
def test_conditions_tell_once_how_they_were_evaluated(monkeypatch, condition, holds, told):
    """They are evaluated in the frame's names, as debugpy does."""
    placed = Placed(7, {"line": 7, "condition": condition}, (1,))
    asked = instrument.watched("/a b.py", placed)["condition"]
    errors = []
    monkeypatch.setattr(builtins, inside.HOLDS, inside.holds, raising=False)
    monkeypatch.setattr(inside, "tell", lambda text: errors.append(instrument.said(text)))
    monkeypatch.setattr(inside, "_evaluated", set())
    for _ in range(3):
        assert bool(eval(asked, {"one": 1}, {"h_bar": 2})) is holds
    assert errors == [Said("/a b.py", 7, condition, error) for error in told]


def test_hidden_conditions_are_not_watched():
    placed = Placed(7, {"line": 7, "condition": "_wait(number)"})
    assert instrument.watched("/a.py", placed) == placed.arguments


def cubed(x):
    return x * x * x


def test_no_derivative_is_announced_that_never_runs():
    assert adlsp.hvp(cubed)(2.0, dots=(0.5,)) == 6.0
    [payload] = hook._announced
    assert json.loads(payload)["name"] == "cubed_grad_jvp"


def test_arguments_are_kept_from_when_a_debugger_asks():
    """A call that had begun before says so; one that begins later can be compared."""
    frames = []

    def f(x):
        x = x * 2.0
        return np.sum(x * x)

    gradient = adlsp.grad(f)
    gradient(np.ones(2))

    def trace(frame, event, _):
        if frame.f_code.co_name == "f_grad" and event == "return":
            frames.append((dict(frame.f_locals), frame.f_globals))
        return trace

    asked = json.dumps({"line": f.__code__.co_firstlineno + 1, "passes": [], "pairs": [["x", "x"]]})
    told = []
    for is_on in (False, True, False):
        hook.remember(is_on)
        sys.settrace(trace)
        gradient(np.ones(2))
        sys.settrace(None)
        told += json.loads(hook.compared(*frames[-1], asked))
    assert told[0] == told[2]
    assert told[0].startswith("`x` is no longer what the derivative was called with, which was bef")
    assert told[1].startswith("x: ")
