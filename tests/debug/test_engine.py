"""The debugger with derivatives of the real engine."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys

import pytest

import adlsp
from adlsp.debug.program import NO_FOLDER

from .client import ROOT

DIGITS = ROOT / "examples" / "digits.py"

SCRIPT = """\
import numpy as np
import adlsp

def cell(x, h, w):
    return np.tanh(x @ w + h)  # @cell

def loss(xs, h, w):
    for x in xs:  # @loop
        if np.sum(h) > 100.0:  # @test
            h = h * 0.5
        else:
            h = cell(x, h, w)  # @call
    return np.sum(h * h)  # @out

xs, h, w = np.ones((3, 2)), np.zeros(2), np.eye(2) / 2
value, gradient = adlsp.value_and_grad(loss, wrt="w")(xs, h, w)
print("gradient", round(float(gradient.sum()), 6))
print("twice", round(float(adlsp.grad(loss, wrt="h")(xs, h, w).sum()), 6))
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def find(lines: list[str], text: str) -> int:
    return next(i for i, line in enumerate(lines, 1) if text in line)


def test_the_hidden_layer_of_digits_while_it_trains(client):
    h = find(DIGITS.read_text().splitlines(), "h = np.tanh(x @ w1 + b1)")
    client.launch(str(DIGITS), {str(DIGITS): [{"line": h, "mode": "backward"}]})
    for _ in range(3):
        stop = client.stop()
        assert "adlsp-derivatives" in stop.path
        with open(stop.path) as file:
            text = file.read().splitlines()
        assert text[stop.line - 2].strip().startswith("# backward of: h = np.tanh(x @ w1 + b1)")
        assert stop.about() == ("backward", h)
        assert stop.stack[1]["source"]["path"] == str(DIGITS)
        assert [name for name, _ in stop.frames[2:]] == ["train", "<module>"]
        assert {"h", "h_bar", "logits_bar"} <= client.variables(stop.stack[0]["id"]).keys()
        assert client.evaluate(stop.stack[1]["id"], "h_bar.shape == h.shape") == "True"
        client.go_on(stop)


def test_loops_branches_and_calls(client, program):
    """Each line of the primal stops where it is differentiated, as often as it ran, last first."""
    script = program.write("script.py", SCRIPT)
    tags = ("cell", "loop", "test", "call", "out")
    lines = {tag: program.line(tag, "script.py") for tag in tags}
    entries = [{"line": lines[tag], "mode": "backward"} for tag in ("cell", "call", "out")]
    client.launch(script, {script: entries})
    expected = ["out", *["call", "cell"] * 3]
    for tag in expected * 2:
        stop = client.stop()
        assert stop.about() == ("backward", lines[tag])
        if tag == "cell":  # the caller is a derivative too, with a primal line of its own
            assert stop.about(3) == ("backward", lines["call"])
        client.go_on(stop)
    client.finish()
    assert "twice" in client.output()


def test_rules_of_ones_own_leave_derivatives_alone(client, program):
    """Debugpy takes rules for paths before those for modules."""
    script = program.write("script.py", SCRIPT)
    out = program.line("out", "script.py")
    rules = [{"path": "**", "include": False}]
    client.launch(script, {script: [{"line": out, "mode": "backward"}]}, rules=rules)
    for _ in range(2):
        stop = client.stop()
        assert stop.about() == ("backward", out)
        client.go_on(stop)
    client.finish()


def test_a_breakpoint_in_the_derivative_that_was_shown_stops_in_those_that_run(client, program):
    """The editor may show one for any arguments; the program makes one for each signature."""
    model = program.write("model.py", SCRIPT.partition("xs, h, w =")[0])
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp
        from model import loss

        gradient = adlsp.grad(loss, wrt="w")
        for h in (np.zeros(2), np.zeros((2, 2))):
            gradient(np.ones((3, 2)), h, np.eye(2))
            print("called")
        """,
    )
    shown = adlsp.derive(runpy.run_path(model)["loss"], wrt="w")
    lines = shown.source.splitlines()
    place = find(lines, "# backward of: return np.sum(h * h)") + 1
    client.launch(script, {shown.path: [{"line": place}]})
    stops = [client.stop()]
    client.go_on(stops[0])
    stops.append(client.stop())
    client.go_on(stops[1])
    client.finish()
    out = program.line("out", "model.py")
    assert [stop.about() for stop in stops] == [("backward", out)] * 2
    assert len({shown.path, *(stop.path for stop in stops)}) == 3
    assert client.output().count("called") == 2
    told = client.events("breakpoint")[-1]["breakpoint"]
    assert told["verified"]
    assert all(os.path.basename(stop.path) in told["message"] for stop in stops)


def test_forward_breakpoint_stops_in_the_forward_sweep(client, program):
    """Also where only the gradient is called, and the primal itself never runs."""
    script = program.write("script.py", SCRIPT)
    call = program.line("call", "script.py")
    client.launch(script, {script: [{"line": call, "mode": "forward"}]})
    for _ in range(3):
        stop = client.stop()
        assert stop.about() == ("forward", call)
        client.go_on(stop)


def test_the_scripted_session_of_the_examples():
    run = subprocess.run(
        [sys.executable, "examples/debug_session.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "before the program runs: Backward: waits for a derivative of this line" in run.stdout
    assert run.stdout.count("below it: backward of loss, line") == 2
    assert run.stdout.count("h_bar  shape (32, 48)") == 2


INSERTED = """\
import numpy as np
import adlsp

@adlsp.differentiable
def loss(x):
    for i in range(2):
        x = np.sin(x)
        with adlsp.insert_grad_of(x) as x_bar:  # @with
            size = np.sum(x_bar * x_bar)  # @size
            x_bar = x_bar / size  # @scaled
    return np.sum(x)

print("primal", loss(np.ones(2)))
print("gradient", adlsp.grad(loss)(np.ones(2)))
"""


def test_code_in_the_backward_sweep_stops_line_by_line(client, program):
    """What a block names is there under its name, and the adjoint under that of the variable."""
    script = program.write("script.py", INSERTED)
    size, scaled = program.line("size", "script.py"), program.line("scaled", "script.py")
    client.launch(script, {script: [{"line": size, "mode": "backward"}, {"line": scaled}]})
    for line in (size, scaled) * 2:
        stop = client.stop()
        assert stop.about() == ("backward", line)
        assert {"i", "x_bar"} <= client.variables(stop.stack[0]["id"]).keys()
        if line == scaled:
            assert client.evaluate(stop.stack[1]["id"], "bool(size > 0)") == "True"
        client.go_on(stop)
    client.finish()
    assert "gradient" in client.output()


def test_two_modules_with_one_text_have_breakpoints_of_their_own(client, program):
    text = "import numpy as np\n\ndef f(x):\n    return np.sum(np.sin(x))  # @out\n"
    for folder in ("one", "two"):
        (program.folder / folder).mkdir()
        program.write(f"{folder}/model.py", text)
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp
        from one import model as one
        from two import model as two

        gradients = [adlsp.grad(model.f) for model in (one, two)]
        for gradient in gradients * 2:
            print("gradient", gradient(np.zeros(2)))
        """,
    )
    marked = str(program.folder / "one" / "model.py")
    client.launch(script, {marked: [{"line": program.line("out", marked), "mode": "backward"}]})
    for _ in range(2):
        stop = client.stop()
        assert stop.stack[1]["source"]["path"] == marked
        client.go_on(stop)
    client.finish()
    assert client.output().count("gradient") == 4


@pytest.fixture
def unwritable(tmp_path):
    """The environment of a program whose cache cannot be written."""
    (tmp_path / "blocked").write_text("a file where a folder should be")
    (tmp_path / "temporary").mkdir()
    places = {"ADLSP_CACHE_DIR": tmp_path / "blocked", "TMPDIR": tmp_path / "temporary"}
    return {name: str(path) for name, path in places.items()}


def test_a_cache_that_cannot_be_written(client, program, unwritable):
    """Its derivatives lie among temporary files."""
    script = program.write("script.py", SCRIPT)
    out = program.line("out", "script.py")
    client.launch(script, {script: [{"line": out, "mode": "backward"}]}, env=unwritable)
    for _ in range(2):
        stop = client.stop()
        assert stop.path.startswith(unwritable["TMPDIR"])
        assert stop.about() == ("backward", out)
        client.go_on(stop)
    client.finish()


@pytest.mark.parametrize("just_my_code", [True, False])
def test_a_system_that_takes_no_files(client, program, unwritable, just_my_code):
    """Its derivatives are texts without a file, which the session says once."""
    (program.folder / "temporary" / f"adlsp-{os.getuid()}").write_text("in the way")
    script = program.write("script.py", SCRIPT)
    out, call = program.line("out", "script.py"), program.line("call", "script.py")
    breakpoints = {script: [{"line": out, "mode": "backward"}, {"line": call, "mode": "forward"}]}
    client.launch(script, breakpoints, env=unwritable, justMyCode=just_my_code)
    for _ in range(2):
        for _ in range(3):
            stop = client.stop()
            assert stop.about() == ("forward", call)
            client.go_on(stop)
        stop = client.stop()
        assert stop.path.startswith("<adlsp loss_")
        assert stop.about() == ("backward", out)
        shown = client.ask(
            "source", **{"sourceReference": stop.stack[0]["source"]["sourceReference"]}
        )
        assert "# backward of" in shown["content"]
        client.go_on(stop)
    client.finish()
    assert client.told() == [f"adlsp: {NO_FOLDER}\n"]


RAISING = """\
import numpy as np
import adlsp

def product(a, w):
    return np.sum(a @ w)  # @product

gradient = adlsp.grad(product)
gradient(np.ones((2, 3)), np.ones(3))
try:
    gradient(np.ones((2, 3)), np.ones(2))
except ValueError as error:  # @caught
    print("caught")
print("end")
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="debugpy goes on, in any code")
def test_a_step_over_a_line_that_raises_leaves_the_derivative(client, program):
    """What handles the exception in there has no line."""
    script = program.write("raising.py", RAISING)
    line = program.line("product", "raising.py")
    client.launch(script, {script: [{"line": line, "mode": "forward"}]})
    client.go_on(client.stop())
    stop = client.stop()
    assert "adlsp-derivatives" in stop.path
    client.go_on(stop, "next")
    after = client.stop("step")
    assert (after.path, after.line) == (script, program.line("caught", "raising.py"))
    client.go_on(after)
    client.finish()
    assert "caught" in client.output()


INSIDE = """\
import numpy as np
import adlsp

class Model:
    def __init__(self, x):
        self.x = x

    def loss(self, w):
        h = np.tanh(self.x * w)  # @method
        return np.sum(h)

def train(x, y):
    def model(w):
        return np.tanh(x * w)  # @inner

    def loss(w):
        r = model(w) - y  # @closure
        return np.sum(r * r)

    return adlsp.grad(loss)(np.ones(2)), adlsp.grad(lambda w: np.sum(w * y))(y)  # @lambda

x = np.array([0.5, 1.5])
print("gradients", train(x, 2 * x), adlsp.grad(Model(x).loss)(x))
"""


def test_functions_in_others_stop_in_their_backward_sweep(client, program):
    """What is captured stands among the variables, beside the adjoints."""
    script = program.write("script.py", INSIDE)
    tags = ("closure", "inner", "lambda", "method")
    lines = [program.line(tag, "script.py") for tag in tags]
    entries = [{"line": line, "mode": "backward"} for line in lines]
    client.launch(script, {script: entries})
    seen = []
    for line in lines:
        stop = client.stop()
        assert stop.about() == ("backward", line)
        seen.append(client.variables(stop.stack[0]["id"]).keys())
        client.go_on(stop)
    assert {"r_bar", "y"} <= seen[0]
    assert {"x", "out_bar"} <= seen[1]
    assert {"w", "y", "out_bar"} <= seen[2]
    assert {"self", "h", "w"} <= seen[3]
    client.finish()
    assert "gradients" in client.output()


def test_arguments_in_one_string(client, program):
    """As `launch.json` may have them; without a terminal no shell takes them apart."""
    script = program.write("script.py", "import sys\nprint(sys.argv[1:])\n")
    client.launch(script, args="--lr 0.1 'a b'")
    client.finish()
    assert "['--lr', '0.1', 'a b']" in client.output()


MODEL = """\
import numpy as np
from layers import dense

def loss(w, x):
    return np.sum(dense(w, x) ** 2)  # @loss

def report(w):
    return np.sum(w)  # @report
"""

LAYERS = """\
import numpy as np

def dense(w, x):
    return np.tanh(x @ w)  # @dense
"""

EVALUATED_FIRST = """\
import numpy as np
import adlsp
import model

w, x = np.ones((3, 2)), np.ones((4, 3))
print("loss", model.loss(w, x), model.report(w))
gradient = adlsp.grad(model.loss)(w, x)
print("after", model.loss(w, x))
"""


def test_a_primal_that_runs_before_its_derivative_is_made(client, program):
    """A launch option that says "backward" holds for what the project's texts differentiate."""
    script = program.write("run.py", EVALUATED_FIRST)
    model, layers = program.write("model.py", MODEL), program.write("layers.py", LAYERS)
    lines = {tag: program.line(tag, "model.py") for tag in ("loss", "report")}
    dense = program.line("dense", "layers.py")
    breakpoints = {model: [{"line": line} for line in lines.values()], layers: [{"line": dense}]}
    client.launch(script, breakpoints, primalBreakpoints="backward")
    stop = client.stop()
    assert (stop.path, stop.line) == (model, lines["report"])
    for line in (lines["loss"], dense):
        client.go_on(stop)
        stop = client.stop()
        assert stop.about() == ("backward", line)
    client.go_on(stop)
    client.finish()
    assert client.told() == []


def test_a_derivative_that_is_never_made_is_told_of(client, program):
    """The texts differentiate `loss`, and this run does not get there."""
    script = program.write("run.py", EVALUATED_FIRST.replace("gradient =", "exit()\ngradient ="))
    model = program.write("model.py", MODEL)
    program.write("layers.py", LAYERS)
    line = program.line("loss", "model.py")
    client.launch(script, {model: [{"line": line}]}, primalBreakpoints="backward")
    client.finish()
    assert client.events("stopped") == []
    [told] = client.told()
    assert f"the breakpoint at model.py:{line} never stopped backward: " in told
