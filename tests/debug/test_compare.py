"""Comparison of gradients with finite differences at a stop, through the real processes."""

from __future__ import annotations

import ast
import types

import numpy as np
import pytest

from adlsp.library import comparing
from adlsp.transform.emit import moved

SCRIPT = """\
import numpy as np
import adlsp
import adlsp.rules

SCALE = 1.5

def cell(h, x, w):
    return np.tanh(h @ w + x)  # @tanh

def loss(w, xs, *, power=2):  # @loss_def
    h = np.zeros(4)  # @zeros
    total = 0.0
    for t in range(len(xs)):  # @loop
        for _ in range(2):
            h = cell(h, xs[t], w)  # @cell
        if t % 2 == 1:
            total += np.sum((h * SCALE - 1.0) ** power)  # @total
    return total  # @return

def heat(u, k, n):  # @heat_def
    for i in range(n):  # @loop_of_heat
        lap = u[2:] - 2 * u[1:-1] + u[:-2]  # @lap
        u[1:-1] += k * lap  # @heat

def newton(x):
    y = x
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y)  # @newton
    return y

def make(scale):
    def scaled(x):
        y = x * scale  # @scaled
        return np.sum(y * y)
    return scaled

def layers(h, /, v, *ws, slope):  # @layers_def
    h_0 = h @ v  # @first
    for i in range(len(ws)):
        h_0 = np.tanh(h_0 @ ws[i]) * slope  # @layers
    return np.sum(h_0)

def rebound(x):
    x = x * 2.0
    y = x * x  # @rebound
    return np.sum(y)

def descent(x, s, *, rate):  # @descent_def
    for i in range(3):
        g = 2 * x * x
        x = x - rate * g  # @step
    x /= s  # @scaled_down
    s = s * s  # @squares
    return np.sum(x * x) + s  # @reached

def chain(x, a):
    h = x
    for t in range(3):
        h = np.tanh(h * x + a)  # @chain
    return np.sum(h * h)

def bend(k):
    def bent(x):
        y = x * x * k  # @bent
        return np.exp(y) * x
    return bent

def ends(x):
    if x[0] > 9:
        return x
    y = np.sin(x)  # @bent_ends
    return y * y

def slope(x, k):
    for i in range(2):
        x = np.tanh(x * k)  # @slope
    return x

def curved(x):
    y = ends(x * 2.0) * ends(x)  # @product
    return slope(y, 0.5)  # @bends

def wrong_cube(x):
    y = soft(x) * x  # @wrong_cube
    return y * x

def cube(x):  # @cube_def
    y = x * x  # @squared
    return np.sin(y) * x

def soft(x):
    return np.log1p(np.exp(x))

@adlsp.rules.elementwise(soft)
def soft_rule(x, *, out):
    return 1 - 2 * np.exp(-out)

def wrong_loss(x):
    y = x * 2.0  # @doubled
    z = soft(y)  # @soft
    return np.sum(z)

rng = np.random.default_rng(0)
v = np.array([0.5, -1.0])
w = rng.normal(size=(4, 4))
MAIN
print("end")
"""

MAINS = {
    "loss": "adlsp.grad(loss)(w, np.full((6, 4), 0.1))",
    "heat": 'adlsp.vjp(heat, outputs="u")(np.ones(6), 0.1, 3, out_bar=rng.normal(size=6))',
    "newton": "adlsp.grad(newton)(2.0)",
    "scaled": "adlsp.grad(make(3.0))(np.ones(3))",
    "layers": "adlsp.grad(layers)(np.full(4, 0.1), w, w.T, w, slope=0.5)",
    "rebound": "adlsp.grad(rebound)(np.ones(3))",
    "descent": "adlsp.grad(descent, wrt=('x', 's'))(np.array([1.0, 2.0]), 2.0, rate=0.1)",
    "cubed": "adlsp.grad(cube)(2.0)",
    "second": "adlsp.vjp(adlsp.grad(cube))(2.0, out_bar=1.0)",
    "hessian": "adlsp.vjp(adlsp.grad(chain, wrt=('x',)))(v, 0.3, out_bar=(v * v,))",
    "third": "adlsp.grad(adlsp.grad(adlsp.grad(cube)))(2.0, inner_bar=3.0, inner_bar_2=0.5)",
    "tangent": "adlsp.jvp(adlsp.grad(cube))(2.0, dots=(1.0,))",
    "again": "adlsp.grad(adlsp.grad(cube))(2.0)",
    "captured": "adlsp.vjp(adlsp.grad(bend(3.0)))(2.0, out_bar=1.0)",
    "called": "adlsp.vjp(curved)(v, out_bar=v)",
    "wrong_again": "adlsp.grad(adlsp.grad(wrong_cube))(0.5)",
    "wrong": "adlsp.grad(wrong_loss)(np.ones(3))",
}


STYLED = {"supportsANSIStyling": True}


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def stopped(client, program, main, tag, **entry):
    script = program.write("script.py", SCRIPT.replace("MAIN", MAINS[main]))
    entry = {"line": program.line(tag, "script.py"), "mode": "backward", **entry}
    client.launch(script, {script: [entry]})
    return client.stop()


def compared(client, stop, number=0):
    """What is said of each variable."""
    lines = client.ask("adlsp/compare", frameId=stop.stack[number]["id"])["lines"]
    return dict(line.split(": ", 1) for line in lines)


def about(program, whole, call, called):
    """What is said first of a comparison asked for in a called function."""
    line = program.line(call, "script.py")
    alone = f"`{called}`, which is called there, can be checked alone with `adlsp.check_grads`"
    return f"about `{whole}`, line {line}; {alone}"


@pytest.mark.parametrize("tag", ["cell", "tanh"])
def test_in_a_pass_of_loops(client, program, tag):
    """Also from a callee that has stopped; what is complete is compared there and then."""
    stop = stopped(client, program, "loss", tag)
    if tag == "cell":
        client.go_on(stop)
        stop = client.stop()
    script = str(program.folder / "script.py")
    lines = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    if tag == "tanh":
        assert lines.pop(0) == about(program, "loss", "cell", "cell")
    told = dict(line.split(": ", 1) for line in lines)
    assert {*told} == {"h", "total", "w"}
    assert all(each.startswith("right, along a random direction: ") for each in told.values())
    assert "gradient 0," not in told["h"]
    assert compared(client, stop, -2) == told
    assert client.ask("adlsp/compare", frameId=stop.stack[-1]["id"])["lines"] == [
        "gradients are compared in a derivative"
    ]
    client.set_breakpoints(script)
    client.go_on(stop)
    client.finish()
    assert "end" in client.output()
    assert client.errors == []


def test_a_rule_that_is_wrong(client, program):
    """The value that first differs is that of the statement with the rule."""
    stop = stopped(client, program, "wrong", "soft")
    assert compared(client, stop)["z"].startswith("right")
    client.go_on(stop, "next")
    stop = client.stop("step")
    assert stop.about() == ("backward", program.line("doubled", "script.py"))
    frame = stop.stack[0]["id"]

    def last():
        shown = client.ask("scopes", frameId=frame)["scopes"][0]["variablesReference"]
        return client.ask("variables", variablesReference=shown)["variables"][-1]

    row = last()
    assert (row["name"], row["presentationHint"]) == ("right?", {"lazy": True})
    told = compared(client, stop)
    assert {*told} == {"y"}
    assert told["y"].startswith("DIFFERS, along a random direction: gradient ")
    assert told["y"].count("differences give 0.880797") == 3
    [part] = client.ask("variables", variablesReference=row["variablesReference"])["variables"]
    assert f"y: {told['y']}" in part["value"]
    assert last() == part


@pytest.mark.parametrize(("main", "tag"), [("heat", "lap"), ("heat", "heat"), ("scaled", "scaled")])
def test_arrays_that_change_and_captured_variables(client, program, main, tag):
    told = compared(client, stopped(client, program, main, tag))
    assert {*told} & {"u", "y"}
    assert all(each.startswith("right") for each in told.values())


def test_arguments_without_names(client, program):
    stop = stopped(client, program, "layers", "layers")
    for tag, passes in (("layers", 2), ("layers", 1), ("first", 0)):
        assert stop.about() == ("backward", program.line(tag, "script.py"))
        told = compared(client, stop)
        assert told["h_0"].startswith("right, along a random direction: ")
        entry = {"line": program.line("first" if passes < 2 else tag, "script.py")}
        client.set_breakpoints(str(program.folder / "script.py"), {**entry, "mode": "backward"})
        client.go_on(stop)
        stop = client.stop() if passes else None


@pytest.mark.parametrize(
    ("main", "tag", "said"),
    [
        ("tangent", "squared", "tangents of a derivative are not compared"),
        ("descent", "reached", "at a `return` no gradient is complete yet: step to the next"),
    ],
)
def test_what_cannot_be_compared_says_why(client, program, main, tag, said):
    stop = stopped(client, program, main, tag, mode="forward" if main == "tangent" else "backward")
    [line] = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    assert line.startswith(said)


@pytest.mark.parametrize(
    ("tag", "call", "said"),
    [
        ("bent_ends", "product", "this statement is half taken: step to the next one"),
        ("slope", "bends", "at a `return` no gradient is complete yet: step to the next"),
    ],
)
def test_a_refusal_in_a_called_function(client, program, tag, call, said):
    """It says which function is not compared, and where: one may stand at a whole statement."""
    stop = stopped(client, program, "called", tag)
    if tag == "bent_ends":  # of the last call nothing of the statement is taken
        client.go_on(stop)
        stop = client.stop()
    lines = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    name = stop.stack[1]["name"].removeprefix("backward of ").partition(",")[0]
    assert lines[0] == about(program, "curved", call, name)
    assert lines[1].startswith(said)
    at_call = client.ask("adlsp/compare", frameId=stop.stack[2]["id"])["lines"]
    assert at_call == lines[1:]


def test_a_loop_that_would_run_longer(client, program):
    """Differences say nothing where a move changes the way that is taken."""
    told = compared(client, stopped(client, program, "newton", "newton"))
    assert told["y"].startswith("not known, the primal takes another way where it is moved")


def test_where_nothing_is_compared(client, program):
    stop = stopped(client, program, "loss", "zeros", mode="forward")
    said = "gradients are compared in the backward sweep"
    assert client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"] == [said]


@pytest.mark.parametrize(
    ("main", "tag", "names", "arrivals"),
    [("loss", "loop", {"h", "total", "w"}, 7), ("heat", "loop_of_heat", {"u"}, 4)],
)
def test_at_the_head_of_a_loop(client, program, main, tag, names, arrivals):
    """First behind the loop, then before each pass that was taken: each time another state."""
    stop = stopped(client, program, main, tag)
    numbers = set()
    for number in range(arrivals):
        assert stop.about() == ("backward", program.line(tag, "script.py"))
        told = compared(client, stop)
        assert {*told} == names
        assert all(each.startswith("right, along a random direction: ") for each in told.values())
        numbers.add(told["h" if main == "loss" else "u"])
        client.go_on(stop)
        stop = client.stop() if number < arrivals - 1 else None
    assert len(numbers) > arrivals // 2
    client.finish()


def test_half_a_statement(client, program):
    stop = stopped(client, program, "loss", "cell")
    client.go_on(stop, "next", granularity="line")
    stop = client.stop("step")
    [line] = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    assert line.startswith("this statement is half taken")


@pytest.mark.parametrize(
    ("main", "tag", "names"),
    [
        ("loss", "loss_def", {"w"}),
        ("heat", "heat_def", {"u"}),
        ("layers", "layers_def", {"h"}),
        ("descent", "descent_def", {"x", "s"}),
        ("cubed", "cube_def", {"x"}),
    ],
)
def test_at_the_def_of_a_function(client, program, main, tag, names):
    """The gradients are those for what the function was given."""
    stop = stopped(client, program, main, tag)
    told = compared(client, stop)
    assert {*told} == names
    assert all(each.startswith("right, along a random direction: ") for each in told.values())


PRIMAL = """\
def f(x, *, scale=1.0, **more):
    total = 0.0
    for i in range(3):
        if i:
            y = x * i
            total += y
    return total
"""


def test_what_passes_a_place():
    made = moved.at(PRIMAL, 1, 5)
    assert (made.parameters, made.loops) == (("x", "scale", "more"), (3,))
    assert (made.positional, made.named, made.options) == (("x",), ("scale",), "more")
    text = ast.unparse(made.module)
    behind = text.partition("y = x * i\n")[2]
    assert "y = __adlsp_place__('y', y, __adlsp_pass_0__)" in behind.partition("total += y")[0]
    seen, way = [], []
    space = {moved.PLACE: lambda *told: seen.append(told) or told[1], moved.WAY: way.append}
    exec(compile(made.module, "f", "exec"), space)
    assert space["f"](2.0) == 6.0
    assert [told for told in seen if told[0] == "y"] == [("y", 2.0, 2), ("y", 4.0, 3)]
    assert way == [4, 4, 5, 4, 5]


def test_what_passes_the_head_of_a_loop():
    """Before each pass and behind the last, with how many passes there were."""
    made = moved.at(PRIMAL, 1, 3, is_head=True)
    assert made.loops == (3,)
    seen = []
    space = {moved.PLACE: lambda *told: seen.append(told) or told[1], moved.WAY: [].append}
    exec(compile(made.module, "f", "exec"), space)
    assert space["f"](2.0) == 6.0
    totals = [(total, n) for name, total, n in seen if name == "total"]
    assert totals == [(0.0, 0), (0.0, 1), (2.0, 2), (6.0, 3)]
    with pytest.raises(moved.NoPlaceError, match="half taken"):
        moved.at(PRIMAL, 1, 5, is_head=True)


@pytest.mark.parametrize(
    ("text", "line", "statement", "said"),
    [
        ("def f(", 1, 1, "cannot be read"),
        ("f = lambda x: x", 1, 1, "no function with statements"),
        ("def f(x):\n    return x", 1, 2, "step to the next statement"),
        ("def f(x):\n    return (\n        x\n    )", 1, 3, "where a statement"),
    ],
)
def test_where_nothing_can_be_moved(text, line, statement, said):
    with pytest.raises(moved.NoPlaceError, match=said):
        moved.at(text, line, statement)


def test_what_is_kept_of_a_call():
    """Nothing but the parameters that are bound anew, before all else, on the same line."""
    module = ast.parse('def f(x, y):\n    """Text."""\n    x = x + y\n    return x')
    moved.remember(module, "f", moved.overwritten(ast.unparse(module), "f"))
    (kept,) = (each for each in ast.walk(module) if isinstance(each, ast.Dict))
    assert (ast.unparse(kept), kept.lineno) == ("{'x': x}", 3)


def test_parameters_that_are_overwritten():
    text = """\
def f_grad(x, u, v, k):
    u = rt.separate(u, k)
    v = rt.separate(v, k)
    v[0] = 1.0
    k = 2
"""
    assert moved.overwritten(text, "f_grad") == {"v", "k"}


@pytest.mark.parametrize(("styled", "mark"), [({}, "DIFFERS"), (STYLED, "\x1b[31mDIFFERS\x1b[39m")])
def test_a_gradient_found_wrong_is_marked(client, program, styled, mark):
    """Until the program goes on, in the list and where someone points; red where that is shown."""
    script = program.write("script.py", SCRIPT.replace("MAIN", MAINS["wrong"]))
    entry = {"line": program.line("doubled", "script.py"), "mode": "backward"}
    abilities = client.initialize(**styled, supportsInvalidatedEvent=bool(styled))
    assert abilities.get("supportsANSIStyling", False) is bool(styled)
    launched = client.send("launch", program=script, console="internalConsole")
    client.configure(launched, {script: [entry]})
    stop = client.stop()
    real, primal = (each["id"] for each in stop.stack[:2])

    def shown(name="y"):
        [listed, *_] = client.ask("scopes", frameId=real)["scopes"]
        rows = client.ask("variables", variablesReference=listed["variablesReference"])
        return next(row for row in rows["variables"] if row["name"] == name)

    def pointed():
        return client.ask("evaluate", frameId=primal, expression="y", context="hover")["result"]

    def beside(frame):
        told = client.ask("adlsp/inlineValues", frameId=frame)["values"]
        lines = {value["line"]: (value["text"], value["is_wrong"]) for value in told}
        return lines.pop(program.line("doubled", "script.py")), {
            wrong for _, wrong in lines.values()
        }

    before = shown()["value"]
    assert before.startswith("|g| ")
    assert pointed() == f"y: {before}"
    assert beside(real) == beside(primal) == ((f"y: {before}", False), {False})
    [line] = client.ask("adlsp/compare", frameId=real)["lines"]
    assert line.startswith(f"y: {mark}, along a random direction: ")
    if styled:
        assert client.event("invalidated") == {"areas": ["variables"]}
    assert shown("right?") == {"name": "right?", "value": line, "variablesReference": 0}
    assert shown()["value"] == f"{mark}, {before}"
    assert pointed() == f"y: {mark}, {before}"
    assert beside(real) == beside(primal) == ((f"y: DIFFERS, {before}", True), {False})
    parts = client.ask("variables", variablesReference=shown()["variablesReference"])["variables"]
    assert [part["value"] for part in parts if part["name"] == "right?"] == [line[3:]]
    client.go_on(stop)
    client.finish()


@pytest.mark.parametrize("tag", ["squares", "scaled_down", "step"])
def test_parameters_that_are_bound_anew(client, program, tag):
    """The derivative does so, too: what it was called with is kept for the primal to run with."""
    told = compared(client, stopped(client, program, "descent", tag))
    assert {*told} == {"x", "s"}
    assert all(each.startswith("right, along a random direction: ") for each in told.values())
    assert "gradient 0," not in told["x"]


ORDER = "of a derivative of a derivative, the gradients that it gives in the end are compared"


@pytest.mark.parametrize(
    ("main", "tag", "names"),
    [
        ("second", "squared", {"x_bar"}),
        ("second", "cube_def", {"x"}),
        ("hessian", "chain", set()),  # its pass cannot be told: the loop's variable is set anew
        ("third", "squared", set()),
        ("again", "squared", set()),  # nothing reads the gradient any more there, nor makes it
        ("captured", "bent", {"x_bar"}),
    ],
)
def test_derivatives_of_derivatives(client, program, main, tag, names):
    """Variables are compared where it is known which adjoints are theirs, else the end."""
    stop = stopped(client, program, main, tag)
    lines = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    if not names:
        assert lines.pop(0) == ORDER
    told = dict(line.split(": ", 1) for line in lines)
    assert {*told} == (names or {"x"})
    assert all(each.startswith("right, along a random direction: ") for each in told.values())
    assert not any("gradient 0," in each for each in told.values())


@pytest.mark.parametrize(
    ("constant", "x_bar", "verdict"),
    [
        (0.0, 1e-9, "right"),
        (1.0, 1e-9, "right"),
        (0.0, 2e-9, "not known, too small beside rounding"),
        (1.0, 2e-9, "not known, too small beside rounding"),
        (0.0, 1.0, "DIFFERS"),
        (1e12, 1.0, "not known, too small beside rounding"),
    ],
)
def test_what_is_too_small_to_tell(constant, x_bar, verdict):
    """A gradient that is far from right, but so small that rounding may hide it, is not so."""

    def run(_):
        return lambda x: constant + 1e-9 * float(np.sum(x))

    x = np.ones(3)
    stub = types.SimpleNamespace(with_value=run, result=run("")(x), out_bar=1.0, is_astray=False)
    said = comparing._told(stub, "x", x, np.full(3, x_bar))
    assert said.startswith(f"x: {verdict}")
    assert "relative error" in said


def test_steps_are_longer_where_values_are_large():
    x = np.array([1e11, -3e11])
    run = types.SimpleNamespace(
        with_value=lambda _: lambda x: 0.5 * float(np.sum(x * x)),
        result=5e22,
        out_bar=1.0,
        is_astray=False,
    )
    assert comparing._told(run, "x", x, x).startswith("x: right")
    assert comparing._told(run, "x", x, 1.01 * x).startswith("x: DIFFERS")


def test_a_rule_whose_second_derivative_is_wrong(client, program):
    stop = stopped(client, program, "wrong_again", "wrong_cube")
    *_, line = client.ask("adlsp/compare", frameId=stop.stack[0]["id"])["lines"]
    assert line.startswith("x: DIFFERS, along a random direction: gradient ")
