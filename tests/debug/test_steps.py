"""Where one is, and steps by statements of the primal, through the real processes."""

from __future__ import annotations

import pytest

from adlsp.debug import instrument, maps, standing, steps

from .client import ROOT
from .test_maps import make_map

SCRIPT = """\
import numpy as np
import adlsp

def dense(x, w, b):
    return np.tanh(x @ w + b)  # @dense

def loss(x, w, b):
    for i in range(4):  # @loop
        x = dense(x, w, b)  # @call
        for _ in range(3):
            x = x * 1.1  # @inner
    y = np.exp(x)  # @exp
    return np.sum(y * x)  # @out

x, w, b = np.ones((2, 2)) / 2, np.eye(2), np.zeros(2)
g = adlsp.grad(loss, ("w", "b"))(x, w, b)  # @made
print("end")  # @end
"""

POWER = """\
import adlsp

def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)  # @times

def cube(x):
    return power(x, 3)

def grown(x):
    y = x
    while y < 100.0:
        y = y * x  # @grow
    return y

print(adlsp.grad(cube)(2.0), adlsp.grad(grown)(3.0))
print(adlsp.grad(adlsp.grad(grown))(3.0))
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def backward(program, *tags):
    return [{"line": program.line(tag, "script.py"), "mode": "backward"} for tag in tags]


def test_the_pass_of_each_loop(client, program):
    """As the primal counts them: the backward sweep begins with the last."""
    script = program.write("script.py", SCRIPT)
    line = program.line("inner", "script.py")
    client.launch(script, {script: backward(program, "inner")})
    names = []
    for _ in range(4):
        stop = client.stop()
        names.append(stop.stack[1]["name"])
        client.go_on(stop)
    prefix = f"backward of loss, line {line}, pass "
    expected = ["4 of 4 and 3 of 3", "4 of 4 and 2 of 3", "4 of 4 and 1 of 3", "3 of 4 and 3 of 3"]
    assert names == [prefix + each for each in expected]


def test_the_pass_of_a_loop_over_elements_in_another(client, program):
    text = (
        SCRIPT[: SCRIPT.index("def")]
        + """\
def train(w, xs, ys):
    for epoch in range(2):
        for x, y in zip(xs, ys):
            w = w - 0.1 * (np.tanh(w * x) - y)  # @step
    return np.sum(w)

print(adlsp.grad(train)(np.ones(2), [0.5, 0.7, 0.9], [0.1, 0.2, 0.3]))
"""
    )
    script = program.write("script.py", text)
    line = program.line("step", "script.py")
    client.launch(script, {script: backward(program, "step")})
    names = []
    for _ in range(4):
        stop = client.stop()
        names.append(stop.stack[1]["name"])
        client.go_on(stop)
    prefix = f"backward of train, line {line}, pass "
    expected = ["2 of 2 and 3 of 3", "2 of 2 and 2 of 3", "2 of 2 and 1 of 3", "1 of 2 and 3 of 3"]
    assert names == [prefix + each for each in expected]


def test_the_pass_in_the_forward_sweep(client, program):
    script = program.write("script.py", SCRIPT)
    line = program.line("inner", "script.py")
    client.launch(script, {script: [{"line": line, "mode": "forward", "hitCondition": "5"}]})
    name = client.stop().stack[1]["name"]
    assert name == f"forward of loss, line {line}, pass 2 of 4 and 2 of 3"


def test_how_deep_and_of_which_order(client, program):
    script = program.write("script.py", POWER)
    times, grow = (program.line(tag, "script.py") for tag in ("times", "grow"))
    client.launch(script, {script: backward(program, "times", "grow")})
    names = []
    while (stop := client.stop()) and "power" in stop.stack[1]["name"]:
        names.append([each["name"] for each in stop.stack if "power, line" in each["name"]])
        client.go_on(stop)
    prefix = f"backward of power, line {times}"
    assert names[0] == [prefix]
    assert names[-1] == [f"{prefix}, depth {depth}" for depth in (3, 2, 1)]
    assert stop.stack[1]["name"] == f"backward of grown, line {grow}, pass 4 of 4"
    while "order" not in stop.stack[1]["name"]:
        client.go_on(stop)
        stop = client.stop()
    assert stop.about() == ("backward", grow)
    assert ", 2nd order" in stop.stack[1]["name"]


INLINED = """\
import numpy as np
import adlsp

def sigmoid(x):
    return 1 / (1 + np.exp(-x))  # @sigmoid

def loss(x):
    for _ in range(2):
        y = sigmoid(x)  # @first
        x = sigmoid(x * y)  # @second
    return np.sum(x)

print(adlsp.grad(loss)(np.ones(3)))
"""


def test_a_callee_that_is_written_out(client, program):
    """A breakpoint in it stops at each place where it stands, and both have their frames."""
    script = program.write("script.py", INLINED)
    client.launch(script, {script: backward(program, "sigmoid")})
    line, *calls = (program.line(tag, "script.py") for tag in ("sigmoid", "second", "first"))
    for number in (2, 1):
        for call in calls:
            stop = client.stop()
            assert [each["name"] for each in stop.stack[1:3]] == [
                f"backward of sigmoid, line {line}",
                f"backward of loss, line {call}, pass {number} of 2",
            ]
            client.go_on(stop)


def test_steps_go_from_statement_to_statement(client, program):
    """None ends at what is only recorded or taken back, nor twice at one statement."""
    script = program.write("script.py", SCRIPT)
    client.launch(script, {script: backward(program, "out")})
    stop = client.stop()
    client.set_breakpoints(script)
    seen = [stop.about()[1]]
    for _ in range(8):
        client.go_on(stop, "next")
        stop = client.stop("step")
        seen.append(stop.about()[1])
    tags = {program.line(tag, "script.py"): tag for tag in ("out", "exp", "call", "inner")}
    named = [tags.get(line, "loop") for line in seen]
    assert named[:3] == ["out", "exp", "loop"]
    assert named[3:] == ["loop", "inner", "loop", "inner", "loop", "inner"]
    client.go_on(stop, "stepOut")
    assert client.stop("step").path == script


def test_the_last_step_leads_to_the_caller(client, program):
    """Casts and copies of the results are about no statement."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(w, b):
            r = w * 2.0  # @r
            return np.sum(r * b)

        g = adlsp.value_and_grad(loss, ("w", "b"))
        value, gradients = g(np.ones(2), np.ones(2))  # @called
        print("end")  # @end
        """,
    )
    client.launch(script, {script: backward(program, "r")})
    client.go_on(client.stop(), "next")
    stop = client.stop("step")
    if stop.line == program.line("called", "script.py"):  # as after what is called between
        client.go_on(stop, "next")
        stop = client.stop("step")
    assert (stop.path, stop.line) == (script, program.line("end", "script.py"))


def test_a_step_in_ends_at_the_first_statement(client, program):
    """Not where the callee takes back what has been saved."""
    script = program.write("script.py", SCRIPT)
    client.launch(script, {script: backward(program, "call")})
    stop = client.stop()
    client.set_breakpoints(script)
    client.go_on(stop, "stepIn")
    stop = client.stop("step")
    assert stop.stack[0]["name"] == "dense_backward"
    assert stop.about() == ("backward", program.line("dense", "script.py"))


@pytest.mark.parametrize("by_client", [True, False])
def test_steps_by_lines(client, program, by_client):
    script = program.write("script.py", SCRIPT)
    options = {} if by_client else {"steppingGranularity": "line"}
    client.launch(script, {script: backward(program, "out")}, **options)
    stop = client.stop()
    first = stop.line
    chosen = {"granularity": "line"} if by_client else {}
    client.go_on(stop, "next", **chosen)
    after = client.stop("step")
    assert after.about() == stop.about()
    assert after.line == first + 1


def test_a_breakpoint_ends_a_step(client, program):
    script = program.write("script.py", SCRIPT)
    client.launch(script, {script: backward(program, "out")})
    stop = client.stop()
    client.set_breakpoints(stop.path, {"line": stop.line + 1})
    client.go_on(stop, "next")
    after = client.stop()
    assert after.line == stop.line + 1
    client.set_breakpoints(stop.path)
    client.set_breakpoints(script)
    client.go_on(after, "next")
    assert client.stop("step").about() == ("backward", program.line("exp", "script.py"))


def test_nobody_steps_into_the_module_of_a_derivative(client, program):
    """It runs where the derivative is made; adlsp itself is no code of the user's.

    The first call makes the derivative, and is stepped over.
    """
    script = program.write("script.py", SCRIPT)
    installed = {"path": f"{ROOT / 'adlsp'}/**", "include": False}
    made = program.line("made", "script.py")
    client.launch(script, {script: [{"line": made}]}, rules=[installed])
    stop = client.stop()
    client.go_on(stop, "stepIn")
    stop = client.stop("step")
    if stop.path == script:  # the line of the call, as from any function that one leaves
        assert stop.line == made
        client.go_on(stop, "stepIn")
        stop = client.stop("step")
    assert (stop.path, stop.line) == (script, program.line("end", "script.py"))


def test_what_is_no_granularity(client, program):
    client.initialize()
    answer = client.answer(client.send("launch", program=program.train, steppingGranularity="far"))
    assert not answer["success"]
    assert '"statement" or "line"' in answer["message"]


LOOPS = """\
def f_grad(x, n):
    for i in range(n):
        x = x * 2
        for _ in range(len(x)):

            x = x + 1
        x = x - 1
    # backward
    for i in reversed(range(n)):
        x_bar = x_bar * 2
    for k in x:
        x_bar = k
    return x_bar
"""


def test_loops_over_ranges():
    [function] = maps._functions(LOOPS.split("\n"))
    told = [(loop.first, loop.last, loop.variable, loop.over) for loop in function.loops]
    assert told == [
        (2, 7, "i", "range(n)"),
        (4, 6, "_", "range(len(x))"),
        (9, 10, "i", "range(n)"),
    ]
    depths = [len(function.around(line)) for line in range(1, 14)]
    assert depths == [0, 0, 1, 1, 2, 2, 1, 0, 0, 1, 0, 0, 0]
    [first, *_, last] = function.loops
    for loop, sweep, expected in (
        (first, "forward", (2, 5)),
        (first, "backward", (4, 5)),
        (last, "backward", (2, 5)),
        (last, "forward", (4, 5)),
    ):
        result = eval(instrument.passes([loop], sweep, loop.last), {}, {"i": 1, "n": 5})
        assert instrument.read_passes(str(result)) == (expected,)


DRAINED = """def f_grad(x, *, out_bar=1.0):
    while x:
        x = step(x)
    while saved:
        x = saved.pop()
        x_bar = x_bar * x
    return x_bar
"""


def test_loops_that_empty_a_list():
    [function] = maps._functions(DRAINED.split("\n"))
    [loop] = function.loops
    assert (loop.first, loop.last) == (4, 6)
    for line, left, expected in ((5, 3, (3, 0)), (6, 2, (3, 0))):
        result = eval(instrument.passes([loop], "backward", line), {}, {"saved": [0.0] * left})
        assert instrument.read_passes(str(result)) == (expected,)


EACH = """def f_grad(xs, rows, *, out_bar=1.0):
    for k, x in reversed(list(enumerate(xs))):
        h = saved.pop()
        for row in reversed(rows):
            a = kept.pop()
            a_bar = a
    for row in reversed(rows):
        t = row
        a, held = saved_2.pop()
        for y in reversed(t):
            b = held.pop()
        rows = t
"""


def test_loops_over_elements_are_told_by_what_is_left_on_their_tape():
    """In a loop in another one if each pass of that one has its own, or takes as much."""
    [function] = maps._functions(EACH.split("\n"))
    assert [(loop.first, loop.over, loop.total) for loop in function.loops] == [
        (2, "saved", "xs"),
        (4, "kept", "rows"),
        (7, "saved_2", ""),
        (10, "held", "t"),
    ]
    depths = [len(standing.counted(function, line)) for line in (3, 5, 9, 11)]
    assert depths == [1, 0, 1, 2]
    [loop, *_] = function.loops
    variables = {"saved": [0.0] * 2, "xs": "abcde"}
    for line, expected in ((2, (3, 5)), (3, (2, 5)), (5, (3, 5))):
        result = eval(instrument.passes([loop], "backward", line), {}, dict(variables))
        assert instrument.read_passes(str(result)) == (expected,)


def test_a_step_that_never_gets_anywhere_ends():
    derivative = make_map("3 primal 10\n5 adjoint 10")
    known = {maps.key(derivative.path): derivative}
    frames = [{"name": "f", "line": 5, "source": {"path": derivative.path}}]
    step = steps.begin("next", frames, known)
    led = [step.goes_on(frames, known) for _ in range(steps.MOST + 1)]
    assert led == ["next"] * steps.MOST + [None]
