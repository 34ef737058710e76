"""Of which time values and gradients are where a derivative stands, and what its tapes hold."""

from __future__ import annotations

import json

import pytest

from adlsp.debug import keeping, maps, primals, standing
from adlsp.transform.frontend import outline

SCRIPT = """\
import numpy as np
import adlsp

def cell(h, x, w):
    a = h @ w + x  # @a
    return np.tanh(a)  # @tanh

def loss(w, xs):
    h = np.zeros(4)  # @zeros
    total = 0.0
    for t in range(len(xs)):
        h = cell(h, xs[t], w)  # @cell
        if t % 10 == 9:
            total += np.sum((h - 1.0) ** 2)  # @total
    return total

def newton(x):
    y = x
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y)  # @newton
    return y

def heat(u, k, n):
    for i in range(n):
        lap = u[2:] - 2 * u[1:-1] + u[:-2]  # @lap
        u[1:-1] += k * lap  # @heat

def cube(x):
    y = x * x * x  # @cubed
    return np.sum(y * np.sin(x))

w = 1.5 * np.random.default_rng(0).normal(size=(4, 4))
MAIN
"""

MAINS = {
    "loss": "adlsp.grad(loss)(w, np.full((30, 4), 1e-3))",
    "newton": "adlsp.grad(newton)(2.0)",
    "heat": 'adlsp.vjp(heat, outputs="u")(np.ones(6), 0.1, 3, out_bar=np.ones(6))',
    "cube": "adlsp.vjp(adlsp.grad(cube))(2.0, out_bar=1.0)",
    "tangents": "adlsp.jvp(adlsp.grad(cube))(2.0, dots=(1.0,))",
}


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def stopped(client, program, main, tag, **options):
    """Stops where the gradient of a line is computed; gives the stop."""
    script = program.write("script.py", SCRIPT.replace("MAIN", MAINS[main]))
    entry = {"line": program.line(tag, "script.py"), "mode": "backward"}
    client.launch(script, {script: [entry]}, **options)
    return client.stop()


def rows(client, stop, number=0):
    frame = stop.stack[number]["id"]
    first = client.ask("scopes", frameId=frame)["scopes"][0]
    body = client.ask("variables", variablesReference=first["variablesReference"])
    return {row["name"]: row["value"] for row in body["variables"]}


def test_what_a_loop_has_overwritten(client, program):
    """The value of a variable that each pass sets is not that of this pass; its tape's is."""
    stop = stopped(client, program, "loss", "cell")
    shown = rows(client, stop)
    at_the_end = shown["h"].partition("|value at the end| ")[2]
    assert at_the_end.endswith(", (4,) float64")
    assert "|value| " in shown["w"]
    assert shown["cell_saved"].endswith("; 29 passes left")
    held = client.evaluate(stop.stack[0]["id"], "float(np.linalg.norm(cell_saved_2[-1]))")
    assert f"of cell| {float(held):.4g}" in shown["cell_saved"]
    client.go_on(stop)
    again = rows(client, client.stop())
    assert again["h"].partition("|value at the end| ")[2] == at_the_end
    assert again["cell_saved"] != shown["cell_saved"]
    assert again["cell_saved"].endswith("; 28 passes left")


def test_callers_are_in_passes_of_their_loops(client, program):
    stop = stopped(client, program, "loss", "tanh")
    names = [frame["name"] for frame in stop.stack]
    line = program.line("cell", "script.py")
    assert f"backward of loss, line {line}, pass 30 of 30" in names
    shown = rows(client, stop)
    assert "|value| " in shown["h"]
    assert shown["saved"].startswith("kept: ")


def test_what_is_restored_is_of_this_pass(client, program):
    stop = stopped(client, program, "newton", "newton")
    shown = rows(client, stop)
    before = f"value before line {stop.about()[1]}: "
    assert shown["y"].startswith(f"g 1, {before}1.414")
    assert shown["t_bar"] == "not yet computed in this pass"
    assert shown["saved"].startswith("kept: y 1.414")
    assert "t = x / y 1.414" in shown["saved"]
    client.go_on(stop)
    shown = rows(client, client.stop())
    assert f"{before}1.41667" in shown["y"]
    assert shown["t_bar"] == "not yet computed in this pass"


def test_what_an_array_was_before_it_changed(client, program):
    stop = stopped(client, program, "heat", "heat")
    shown = rows(client, stop)
    assert "|value at the call| 2.449" in shown["u"]
    client.go_on(stop)
    stop = client.stop()
    assert rows(client, stop)["lap"] == "not yet computed in this pass"


def test_gradients_of_the_first_order_are_values_of_the_second(client, program):
    stop = stopped(client, program, "cube", "cubed")
    shown = rows(client, stop)
    assert shown["x"] == "not yet computed, value 2"
    assert shown["x_bar"].startswith("g 1, value ")
    client.go_on(stop, "next")
    shown = rows(client, client.stop("step"))
    assert shown["x"].startswith("g ")
    assert shown["x_bar"] == "g 1"


def test_tangents_and_adjoints_of_one_variable_are_told_apart(client, program):
    script = program.write("script.py", SCRIPT.replace("MAIN", MAINS["tangents"]))
    client.launch(script, {script: [{"line": program.line("cubed", "script.py")}]})
    shown = rows(client, client.stop())
    assert {"y (y_dot)", "y (y_bar)", "x"} <= {*shown}
    assert shown["x"] == "g 1, value 2"


def test_who_stays_in_the_primal(client, program):
    """Stops are in the user's file, and values and gradients beside its lines."""
    stop = stopped(client, program, "loss", "tanh", layout="primal")
    assert stop.path == str(program.folder / "script.py")
    assert stop.about(0) == ("backward", program.line("tanh", "script.py"))
    assert stop.stack[1]["presentationHint"] == "subtle"
    frame = stop.stack[0]["id"]
    hovered = client.ask("evaluate", frameId=frame, expression="h", context="hover")["result"]
    assert hovered.startswith("h: not yet computed, |value| ")
    told = client.ask("adlsp/inlineValues", frameId=frame)
    assert told["path"] == stop.path
    texts = {value["line"]: value["text"] for value in told["values"]}
    head = program.line("a", "script.py") - 1
    assert f"{hovered}" in texts[head].split("; ")
    assert texts[program.line("a", "script.py")] == "a: not yet computed"
    assert client.ask("adlsp/inlineValues", frameId=stop.stack[1]["id"]) == told
    assert client.ask("adlsp/inlineValues", frameId=stop.stack[-1]["id"]) == {"values": []}
    client.go_on(stop, "next")
    assert client.stop("step").about(0) == ("backward", program.line("a", "script.py"))


DERIVATIVE = """\
def f_grad(x, xs, *, out_bar=1.0):
    saved = []
    h = x
    for v in xs:
        if v > 0:
            saved.append((h,))
            h = h * v
    h_bar = out_bar
    for v in reversed(xs):
        t_bar = h_bar * 2
        if v > 0:
            (h,) = saved.pop()
            h_bar = t_bar * v
    x_bar = h_bar
    return x_bar
"""

ROLES = {1: "primal", 2: "save", 3: "primal", 4: "primal", 5: "primal", 6: "save", 7: "primal"}
PLACES = {1: 1, 2: 5, 3: 2, 4: 3, 5: 4, 6: 5, 7: 5, 8: 6, 9: 3, 10: 4, 11: 4, 12: 5, 13: 5, 14: 2}
PRIMAL = """\
def f(x, xs):
    h = x
    for v in xs:
        if v > 0:
            h = h * v
    return h
"""


@pytest.fixture
def derivative(tmp_path):
    path = tmp_path / "primal.py"
    path.write_text(PRIMAL)
    entries = [
        {
            "line": line,
            "role": "restore" if line == 12 else ROLES.get(line, "adjoint"),
            "path": str(path),
            "primal_line": primal,
            "primal_end_line": primal,
        }
        for line, primal in PLACES.items()
    ]
    payload = {"version": 1, "path": "f.py", "name": "f_grad", "primal": "f", "map": entries}
    return maps.read(json.dumps(payload), DERIVATIVE, lambda given: given)


@pytest.mark.parametrize(
    ("line", "value", "missing", "held"),
    [
        (7, "value", "", None),
        (8, "value", "", None),
        (9, "value of another pass", "not yet computed in this pass", None),
        (10, "value of another pass", "not yet computed in this pass", None),
        (11, "value of another pass", "", None),
        (12, "value of another pass", "", "saved[-1][0]"),
        (13, "value before line 5", "", "h"),
        (14, "value of another pass", "", None),
    ],
)
def test_by_the_text(derivative, line, value, missing, held):
    """A tape is read only where it is sure that this pass has put something there."""
    function = derivative.function(line)
    pairs = {pair.made: pair for pair in standing.pairs(derivative, function, line, steps)}
    assert (pairs["h_bar"].value, pairs["t_bar"].missing) == (value, missing)
    assert (pairs["h_bar"].name, pairs["t_bar"].name) == ("h", "")
    tapes = keeping.tapes(derivative, function, line)
    assert [tape.parts for tape in tapes] == ([(("h", held),)] if held else [])


def steps(path, line):
    return primals.steps_at(path, line)


def test_what_is_kept_by_other_names(client, program):
    """What a step is called in the backward sweep may be what another one is in the forward one."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def flight(q, v, dt):
            for k in range(4):
                half = v - 0.5 * dt * q * np.exp(np.sin(q))
                q = q + dt * half
                v = half - 0.5 * dt * q * np.exp(np.sin(q))  # @kick
            return np.sum(v * v)

        adlsp.grad(flight, wrt=("q", "v"))(np.array([1.0, -0.7]), np.array([0.2, 0.3]), 0.05)
        """,
    )
    kick = program.line("kick", "script.py")
    client.launch(script, {script: [{"line": kick, "mode": "backward"}]})
    stop = client.stop()
    frame = stop.stack[0]["id"]
    kept = rows(client, stop)["saved"].removeprefix("kept: ").partition(";")[0]
    norms = dict(part.strip("|").split("| ") for part in kept.split(", "))
    assert [*norms] == [
        *("q", "t = t * q", "t_2 = np.exp(np.sin(q))"),
        *("q_2", "t_3 = t * q", "t_4 = np.exp(np.sin(q))"),
    ]
    for told, expression in (("t_2", "np.exp(np.sin(q))"), ("t_4", "np.exp(np.sin(q_2))")):
        expected = client.evaluate(frame, f"float(np.linalg.norm({expression}))")
        assert float(norms[f"{told} = np.exp(np.sin(q))"]) == pytest.approx(float(expected), 1e-3)
    for _ in range(3):
        client.go_on(stop, "next")
        stop = client.stop("step")
    assert stop.stack[1]["name"] == f"backward of flight, line {kick - 3}"
    shown = rows(client, stop)
    assert "|value of another pass| " in shown["q"]
    assert shown["half"].startswith("not yet computed in this pass")
    assert "t" not in shown


def test_a_variable_that_is_called_as_the_result_is(client, program):
    """What the result's gradient begins with is not the gradient of that variable."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def double(x):
            out = x
            for _ in range(1):
                out = out * 2.0  # @inner
            return out

        def loss(x):
            out = double(x)  # @double
            return np.sum(out * out)  # @sum

        adlsp.grad(loss)(np.ones(3))
        """,
    )
    lines = {tag: program.line(tag, "script.py") for tag in ("inner", "double", "sum")}
    entries = [{"line": line, "mode": "backward"} for line in lines.values()]
    client.launch(script, {script: entries})
    shown = []
    for _ in range(3):
        stop = client.stop()
        shown.append((stop.stack[1]["line"], rows(client, stop)["out"].partition(",")[0]))
        client.go_on(stop)
    assert shown == [
        (lines["sum"], "not yet computed"),
        (lines["double"], "|g| 6.928"),
        (lines["inner"], "|g| 6.928"),
    ]


def test_what_cannot_be_read(tmp_path):
    assert outline.read("def f(:", 1) == ()
    assert outline.read("x = 1", 1) == ()
    assert primals.steps_at(str(tmp_path / "none.py"), 1) == ()


def test_what_the_head_of_a_loop_sets(client, program):
    """It is that of the last pass, wherever the backward sweep is; and so is what comes later."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def layer(p, x):
            return np.tanh(p["w"] * x)

        def loss(ps, x):
            h = x
            for p in ps:
                h = layer(p, h)  # @layer
            r = h - 1.0
            return np.sum(r * r)

        ps = [{"w": 1.0}, {"w": 2.0}]
        adlsp.grad(loss)(ps, np.ones(3))
        """,
    )
    client.launch(
        script, {script: [{"line": program.line("layer", "script.py"), "mode": "backward"}]}
    )
    for _ in range(2):
        stop = client.stop()
        shown = rows(client, stop)
        assert shown["p"].startswith("not yet computed in this pass, |value at the end| 2")
        assert "|value at the end| " in shown["r"]
        assert ", |value| 2.236" in shown["ps"]
        client.go_on(stop)


def test_values_beside_lines_that_set_a_variable_again(client, program):
    """Each line has what it has set, or nothing."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(x):
            h = x * 2.0  # @first
            for i in range(3):
                h = h * x  # @times
            h = h * h  # @square
            s = np.sum(h)
            h = s * 3.0  # @last
            t = s + 1.0
            return h * t

        adlsp.grad(loss)(np.array([1.0, 2.0]))
        """,
    )
    tags = ("last", "square", "times", "first")
    lines = {tag: program.line(tag, "script.py") for tag in tags}
    entries = [{"line": line, "mode": "backward"} for line in lines.values()]
    client.launch(script, {script: entries})
    named = {line: tag for tag, line in lines.items()}
    shown = []
    for tag in ("last", "square", "times", "times", "times", "first"):
        stop = client.stop()
        assert stop.about()[1] == lines[tag]
        told = client.ask("adlsp/inlineValues", frameId=stop.stack[0]["id"])["values"]
        texts = {named[each["line"]]: each["text"] for each in told if each["line"] in named}
        shown.append({tag: text.removeprefix("h: ") for tag, text in texts.items()})
        client.go_on(stop)
    assert shown == [
        {"last": "g 1029, value 3084"},
        {"last": "value at the end 3084", "square": "|g| 8727, (2,) float64"},
        {"times": "|g| 3.957e+05, (2,) float64"},
        {"times": "|g| 7.903e+05, (2,) float64"},
        {"times": "|g| 1.58e+06, (2,) float64"},
        {"first": "|g| 3.16e+06, (2,) float64"},
    ]


def test_what_a_variable_was_before_a_line_set_it(client, program):
    """What is restored may be older than what the statement has set, and then says so."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(x, w):
            h = x
            for v in (0.5, 0.7):
                h = h * v  # @first
                a = np.sin(v * w)
                h = h * np.cos(h) * a  # @cos
                if v > 0.1:
                    h = h * h * x  # @square
            y = np.zeros(3)
            for i in range(1, 3):
                y[i] = y[i - 1] * y[i] + h[i]  # @put
                for k in range(2):
                    y[i] = np.sin(y[i]) * y[i]  # @again
            return np.sum(h) + np.sum(y)

        adlsp.grad(loss)(np.ones(3), np.ones(3))
        """,
    )
    tags = ("first", "cos", "square", "put", "again")
    lines = {tag: program.line(tag, "script.py") for tag in tags}
    client.launch(script, {script: [{"line": n, "mode": "backward"} for n in lines.values()]})
    told = []
    for _ in range(8):
        stop = client.stop()
        name = "y" if stop.about()[1] >= lines["put"] else "h"
        value = rows(client, stop)[name].partition(", |")[2].partition("|")[0]
        told.append((stop.about()[1], value))
        frame = stop.stack[1]["id"]
        hovered = client.ask("evaluate", frameId=frame, expression=name, context="hover")
        assert f"|{value}|" in hovered["result"]
        values = client.ask("adlsp/inlineValues", frameId=frame)["values"]
        texts = {value["line"]: value["text"] for value in values}
        if told[-1][0] == lines["cos"]:
            assert f"{name}: |value| " in texts[lines["first"]]
            assert " |value| " in texts[lines["cos"]]
        client.go_on(stop)
    put, again, cos = lines["put"], lines["again"], lines["cos"]
    assert told == [
        *([(again, f"value before line {again}")] * 2 + [(put, f"value before line {put}")]) * 2,
        (lines["square"], f"value before line {cos}"),
        (cos, f"value before line {cos}"),
    ]
    stop = client.stop()
    assert stop.about() == ("backward", lines["first"])
    assert ", |value| " in rows(client, stop)["h"]
