"""The Gradients scope, through the real processes, and how its rows are made."""

from __future__ import annotations

import json

import numpy as np
import pytest

from adlsp.debug import scopes
from adlsp.runtime import gradients

SCRIPT = """\
import numpy as np
import adlsp

def loss(w, x):
    h = np.tanh(x @ w)  # @h
    r = h * 2.0  # @r
    return np.sum(r * r)

w, x = np.ones((2, 2)) / 2, np.ones((3, 2)) / 4
print(adlsp.grad(loss)(w, x).sum())
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rows(client, frame):
    """The rows of the first scope of a frame, by name."""
    first, *others = client.ask("scopes", frameId=frame)["scopes"]
    assert (first["name"], first["expensive"]) == ("Gradients", False)
    assert "Locals" in [scope["name"] for scope in others]
    body = client.ask("variables", variablesReference=first["variablesReference"])
    return {row["name"]: row for row in body["variables"]}


def test_values_and_gradients_side_by_side(client, program):
    script = program.write("script.py", SCRIPT)
    entry = {"line": program.line("h", "script.py"), "mode": "backward"}
    client.launch(script, {script: [entry]})
    stop = client.stop()
    frame, primal, main = (each["id"] for each in stop.stack)
    shown = rows(client, frame)
    h = np.tanh(np.full((3, 2), 0.25))
    value, gradient = np.linalg.norm(h), np.linalg.norm(8 * h)
    assert set(shown) >= {"h", "w", "out"}
    summary = f"|g| {gradient:.4g}, |value| {value:.4g}, (3, 2) float64"
    assert shown["h"]["value"] == summary
    assert "presentationHint" not in shown["h"]
    assert shown["w"]["value"] == "not yet computed, |value| 1, (2, 2) float64"
    assert shown["w"]["presentationHint"] == {"kind": "virtual"}
    assert {name: row["value"] for name, row in rows(client, primal).items()} == {
        name: row["value"] for name, row in shown.items()
    }
    unfolded = client.ask("variables", variablesReference=shown["h"]["variablesReference"])
    parts = {part["name"]: part for part in unfolded["variables"]}
    assert parts["norm of gradient"]["value"] == f"{gradient:.6g}"
    assert parts["max of value"]["value"] == f"{h.max():.6g}"
    assert parts["gradient"]["evaluateName"] == "h_bar"
    inner = client.ask("variables", variablesReference=parts["gradient"]["variablesReference"])
    assert "shape" in [each["name"] for each in inner["variables"]]
    hovered = {"expression": "h", "context": "hover"}
    both = client.ask("evaluate", frameId=primal, **hovered)
    assert both["result"] == f"h: {summary}"
    assert client.ask("variables", variablesReference=both["variablesReference"])["variables"]
    assert client.ask("evaluate", frameId=frame, **hovered)["result"].startswith("array(")
    assert client.ask("evaluate", frameId=primal, expression="x.shape")["result"] == "(3, 2)"
    names = [scope["name"] for scope in client.ask("scopes", frameId=main)["scopes"]]
    assert "Gradients" not in names
    client.go_on(stop, "next", granularity="line")
    stop = client.stop("step")
    while "not yet" in rows(client, stop.stack[0]["id"])["w"]["value"]:
        client.go_on(stop, "next", granularity="line")
        stop = client.stop("step")
    reference = shown["h"]["variablesReference"]
    assert not client.answer(client.send("variables", variablesReference=reference))["success"]
    client.set_breakpoints(script)
    client.go_on(stop)
    client.finish()
    assert client.errors == []


def test_in_the_forward_sweep_no_gradient_is_there_yet(client, program):
    script = program.write("script.py", SCRIPT)
    entry = {"line": program.line("r", "script.py"), "mode": "forward"}
    client.launch(script, {script: [entry]})
    shown = rows(client, client.stop().stack[0]["id"])
    assert shown["h"]["value"].startswith("not yet computed, |value| 0.5999, (3, 2)")


def test_forward_mode_lists_tangents(client, program):
    text = SCRIPT.replace("grad(loss)(w, x).sum()", "jvp(loss)(w, x, dots=(w,))")
    script = program.write("script.py", text)
    client.launch(script, {script: [{"line": program.line("r", "script.py")}]})
    shown = rows(client, client.stop().stack[0]["id"])
    assert shown["h"]["value"].startswith("|g| ")


def test_which_variables_have_gradients():
    text = """\
def loss_grad(x, h_bar, *, out_bar=1.0):
    # backward of: h_bar, d_dot                                        # line 3
    x_bar = rt.matmul_bar_a(a_bar_2, x) + rt.take_bar(h_bar)
    bar = foo_bars + 2  # z_bar
    t_2_bar, f.y_bar = 1, 2
"""
    assert tuple(pair[:2] for pair in scopes.pairs(text.split("\n"))) == (
        ("h", "h_bar"),
        ("x", "x_bar"),
        ("", "a_bar_2"),
        ("t_2", "t_2_bar"),
        ("out", "out_bar"),
    )


def row(value, gradient, *, has_gradient=True):
    variables = {"h": value, **({"h_bar": gradient} if has_gradient else {})}
    [told] = json.loads(gradients.rows(variables, [["h", "h_bar"]]))
    return told


@pytest.mark.parametrize(
    ("value", "gradient", "summary"),
    [
        (np.ones(4), np.full(4, 2.0), "|g| 4, |value| 2, (4,) float64"),
        (
            np.array([3.0, 4.0], np.float32),
            np.array([np.nan, np.inf], np.float32),
            "1 of 2 NaN and 1 of 2 infinite, |g| nan, |value| 5, (2,) float32",
        ),
        (2.5, 1e-9, "g 1e-09, value 2.5"),
        (np.arange(3), np.ones(3), "|g| 1.732, value ndarray, (3,) float64"),
        ([np.ones(4)], [np.full(4, 3.0)], "|g| 6, |value| 2"),
        ("a", None, "g NoneType, value str"),
        (np.zeros(0), np.zeros(0), "|g| 0, |value| 0, (0,) float64"),
    ],
)
def test_what_matters_most_comes_first(value, gradient, summary):
    assert row(value, gradient)["summary"] == summary


def test_parts_of_a_row():
    parts = dict(row(np.array([1.0, -2.0]), np.array([0.0, np.nan]))["parts"])
    assert parts["bad in gradient"] == "1 of 2 NaN, first at [1]"
    assert parts["zeros in gradient"] == "1 of 2"
    assert parts["min of value"] == "-2"
    assert parts["gradient"] == "(2,) float64"


def test_a_large_array_is_not_read(monkeypatch):
    monkeypatch.setattr(gradients, "LARGE", 3)
    told = row(np.ones(4), np.ones(3))
    assert told["summary"] == "|g| 1.732, value ndarray, (3,) float64"
    assert ["value", "(4,) float64"] in told["parts"]
    assert not any(name.endswith("of value") for name, _ in told["parts"])


def test_without_a_gradient():
    assert row(1.0, None, has_gradient=False)["summary"] == "not yet computed, value 1"
    assert json.loads(gradients.rows({}, [["", "h_bar_2"]]))[0]["summary"] == "not yet computed"


def test_what_is_kept():
    """What is not there, as another branch was taken, is left out; so is a row of nothing."""
    variables = {"saved": [(1.0, None), (2.0, None)], "t": np.ones(4), "t_saved": None, "j": None}
    tapes = [
        ["saved", "saved", [["h", "saved[-1][0]"], ["t of f", "saved[-1][1][0]"]]],
        ["t_saved", "", [["t", "t"], ["n of f", "t_saved[0]"], ["m", "later"], ["j", "j"]]],
        ["later", "later", [["k", "later[-1]"]]],
    ]
    told = json.loads(gradients.rows(variables, [], tapes))
    assert [(row["name"], row["summary"]) for row in told] == [
        ("saved", "kept: h 2; 2 passes left"),
        ("t_saved", "kept: |t| 2"),
    ]
