"""Why a gradient is zero, at a stop, through the real processes."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adlsp
from adlsp.library import watching

SCRIPT = """\
import numpy as np
import adlsp

def loss(w, x):
    z = x @ w  # @product
    h = np.tanh(z)  # @tanh
    r = np.where(h > 2.0, h, 0.0)  # @where
    return np.sum(SUM)  # @out

w, x = 50.0 * np.eye(2), np.ones((3, 2))
adlsp.grad(loss)(w, x)
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def stopped(client, program, output):
    """Stops where the gradient of the product is computed."""
    script = program.write("script.py", SCRIPT.replace("SUM", output))
    entry = {"line": program.line("product", "script.py"), "mode": "backward"}
    client.launch(script, {script: [entry]})
    stop = client.stop()
    client.go_on(stop, "next", granularity="line")
    return script, client.stop("step")


def test_a_saturated_activation(client, program):
    script, stop = stopped(client, program, "h * h")
    frame, primal = (each["id"] for each in stop.stack[:2])
    line = program.line("tanh", "script.py")
    shown = client.ask("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    names = [
        each["name"] for each in client.ask("variables", variablesReference=shown)["variables"]
    ]
    zero = next(name for name in ("z", "t") if name in names)
    told = client.ask("adlsp/why", frameId=primal, name=zero)["lines"]
    assert told[0].startswith(f"backward of script.py:{line}: h = np.tanh(z)")
    assert any(each.endswith("is below 1e-12 in all 6 entries") for each in told[1:])
    assert client.ask("adlsp/why", frameId=frame, name=f"{zero}_bar")["lines"] == told
    rows = client.ask("variables", variablesReference=shown)["variables"]
    row = next(each for each in rows if each["name"] == zero)
    parts = client.ask("variables", variablesReference=row["variablesReference"])["variables"]
    assert [each["value"] for each in parts if each["name"] == "why zero"] == told
    assert client.ask("adlsp/why", frameId=frame, name="nothing")["lines"] == []
    assert client.ask("adlsp/why", frameId=stop.stack[2]["id"], name=zero)["lines"] == []
    client.set_breakpoints(script)
    client.go_on(stop)
    client.finish()
    assert client.errors == []


def test_a_condition_that_nobody_meets(client, program):
    """It is found by way of the adjoints that were zero for that."""
    _, stop = stopped(client, program, "r")
    told = client.ask("adlsp/why", frameId=stop.stack[0]["id"], name="h")["lines"]
    line = program.line("where", "script.py")
    assert any(f"script.py:{line}: " in each for each in told)
    assert told[-1].endswith("does not hold in all 6 entries")


def saturated(ws, x):
    for k in range(2):
        x = np.tanh(ws[k] @ x)
    return np.sum(x)


def masked(ws, x, mask):
    for k in range(2):
        x = ws[k] @ x * mask
    return np.sum(x)


LAST = np.array([0.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (
            saturated,
            ([30.0 * np.eye(3)] * 2, np.ones(3)),
            ["`1 - x * x` is below 1e-12 in all 3 entries"],
        ),
        (
            masked,
            ([np.outer(1 - LAST, LAST)] * 2, np.ones(3), LAST),
            [
                "`ws[k].T` is below 1e-12 in 7 of 9 entries",
                "`mask` is below 1e-12 in 2 of 3 entries",
            ],
        ),
    ],
)
def test_what_is_zero_in_part(function, args, expected):
    """It is told of where nothing is zero in whole, and of a part of a list, not of the list."""
    gradient = adlsp.grad(function, wrt="x")
    gradient(*args)
    ends = []

    def trace(frame, event, _):
        if frame.f_code.co_name == f"{function.__name__}_grad":
            if event == "return":
                ends.append((dict(frame.f_locals), frame.f_globals, "x_bar", frame.f_lineno))
            return trace
        return None

    sys.settrace(trace)
    try:
        assert not np.any(gradient(*args))
    finally:
        sys.settrace(None)
    assert watching._why(*ends[-1])[1:] == expected


LATER = """\
import numpy as np
import adlsp

def loss(w, x, n):
    h = x
    for i in range(2):
        a = h * w
        h = 1 / (1 + np.exp(-a))  # @sigmoid
    if n % 2:
        s = np.sum(h * w)
    else:
        s = np.sum(h)  # @sum
    return s

adlsp.grad(loss, wrt=("w", "x"))(np.full(3, 1e3), np.ones(3), 2)
"""


def test_what_an_earlier_pass_has_made_and_what_begins_at_zero(client, program):
    """What stands before a line need not have run: a loop goes on, a branch was not taken."""
    script = program.write("script.py", LATER)
    line = program.line("sigmoid", "script.py")
    client.launch(script, {script: [{"line": line, "mode": "backward"}]})

    def why(name):
        return client.ask("adlsp/why", frameId=stop.stack[0]["id"], name=name)["lines"]

    stop = client.stop()
    assert why("h") == ["`h_bar` has no zeros"]
    assert why("a") == ["`a_bar` is not yet computed in this pass"]
    assert why("x") == ["`x_bar` is not yet computed"]
    assert why("w") == [
        "`w_bar` begins at zero, and nothing else has been added where it is zero still"
    ]
    client.go_on(stop)
    stop = client.stop()
    made, zero = why("h")
    assert made.startswith(f"backward of script.py:{line - 1}: a = h * w, `h_bar = a_bar * w`")
    assert made.endswith(", in the pass taken before")
    assert zero == "`a_bar` was zero already"
    client.go_on(stop)
    client.finish()


def off(x, w):
    for _ in range(2):
        x = np.maximum(x * w - 50.0, 0.0)
    return x


def switched(w, x):
    y = x * w
    z = off(y, w)
    return np.sum(z)


def test_what_a_called_function_gives():
    """It is named, with the line of the call: a stop in it can tell more."""
    gradient = adlsp.grad(switched)
    args = np.ones(3), np.ones(3)
    gradient(*args)
    ends = []

    def trace(frame, event, _):
        if frame.f_code.co_name == "switched_grad":
            if event == "return":
                ends.append((dict(frame.f_locals), frame.f_globals, "y_bar", frame.f_lineno))
            return trace
        return None

    sys.settrace(trace)
    try:
        gradient(*args)
    finally:
        sys.settrace(None)
    [told] = watching._why(*ends[-1])
    line = switched.__code__.co_firstlineno + 2
    assert told == (
        "`y_bar` is what `off_backward` has given, where a stop tells more: "
        f"backward of test_why.py:{line}: z = off(y, w)"
    )
