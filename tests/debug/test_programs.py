"""Programs that go wrong as people's do, and what the debugger says of each."""

from __future__ import annotations

import pytest

from adlsp.debug import reached

from .test_filters import choose, launch, told


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def explained(client, stop):
    """What is told of a stop: the headline, and the rest."""
    headline, *rest = told(client, stop)["text"].split("\n")
    return headline, [line.strip() for line in rest]


def test_late_in_a_training_loop(client, program):
    """The stop is in step 4,000, where the forward sweep has a zero."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(w, x, y):
            h = np.tanh(x @ w)
            r = h - y
            return np.sqrt(np.sum(r * r))  # @sqrt

        g = adlsp.grad(loss)
        rng = np.random.default_rng(0)
        w, x = rng.normal(size=(3, 2)), rng.normal(size=(4, 3))
        for step in range(4200):
            y = np.tanh(x @ w) if step == 4000 else np.zeros((4, 2))
            w = w - 1e-4 * np.nan_to_num(g(w, x, y))  # @step
        print("end")
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    assert stop.about() == ("backward", program.line("sqrt", "script.py"))
    assert client.evaluate(stop.stack[-1]["id"], "step") == "4000"
    headline, rest = explained(client, stop)
    assert headline.endswith("gives inf")
    assert any(line.endswith(" is 0") for line in rest)
    client.go_on(stop)
    client.finish()
    assert len(client.events("stopped")) == 1


def test_a_root_that_is_not_chosen(client, program):
    """The forward sweep is finite: only the gradient of the root is not, with zero times that."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(x):
            r = np.sqrt(x)  # @root
            y = np.where(x > 0, r, 0.0)
            return np.sum(y + 2.0 * r * (x > 0.5))

        print(adlsp.grad(loss)(np.array([4.0, 0.0])))

        def other(x):
            return np.sum(np.where(x > 0, 1.0, 0.0) * np.sqrt(x) + np.sqrt(x))  # @both

        print(adlsp.grad(other)(np.array([4.0, 0.0])))
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    assert stop.about() == ("backward", program.line("both", "script.py"))
    headline, rest = explained(client, stop)
    assert headline.endswith("gives 1 of 2 infinite, first at [1]")
    assert any(line.endswith(", 0 there") for line in rest)
    assert "[0.75 0.  ]" in client.output()


def test_a_solver_that_diverges(client, program):
    """Its array is changed in place, and the loop overflows in the forward sweep."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def solve(u, k, n):
            for i in range(n):
                lap = u[2:] - 2 * u[1:-1] + u[:-2]
                u[1:-1] += k * lap * u[1:-1]  # @update

        u = np.linspace(0.0, 1.0, 6) ** 3
        adlsp.vjp(solve, outputs="u")(u, 1e3, 60, out_bar=np.ones(6))
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    assert stop.about() == ("forward", program.line("update", "script.py"))
    name = stop.stack[1]["name"]
    assert ", pass " in name
    assert name.endswith(" of 60")
    headline, _ = explained(client, stop)
    assert "`u[1:-1] += t * u[1:-1]` gives 3 of 4 infinite" in headline


def test_in_a_recursion(client, program):
    """The innermost call divides by zero; how deep it is stands in the names of the frames."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def fold(x, n):
            if n == 0:
                return 1.0 / x[0]  # @divide
            return x[n] * fold(x, n - 1)  # @times

        def loss(x):
            return fold(x, 3)

        adlsp.grad(loss)(np.zeros(4))
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    divide, times = (program.line(tag, "script.py") for tag in ("divide", "times"))
    assert stop.stack[1]["name"] == f"forward of fold, line {divide}, depth 4"
    names = [frame["name"] for frame in stop.stack]
    assert f"forward of fold, line {times}, depth 1" in names
    headline, _ = explained(client, stop)
    assert headline.startswith(f"forward of script.py:{divide}: `1.0 / ")


def test_in_a_second_derivative(client, program):
    """The gradient of the root's power is finite, that of its gradient is not."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def power(x):
            return np.sum(x ** 1.5)  # @power

        first = adlsp.vjp(power)
        print("first", first(np.zeros(2), out_bar=1.0))
        adlsp.vjp(first)(np.zeros(2), inner_bar=1.0, out_bar=np.ones(2))
        """,
    )
    launch(client, script, nonfinite="inf")
    stop = client.stop("exception")
    assert "first [0. 0.]" in client.output()
    assert stop.about()[1] == program.line("power", "script.py")
    assert stop.stack[1]["name"].endswith(", 2nd order")


def test_one_of_two_threads(client, program):
    """The thread whose derivative goes wrong stops, with its own arguments; then both go on."""
    script = program.write(
        "script.py",
        """\
        import threading
        import numpy as np
        import adlsp

        def loss(x):
            for i in range(5):
                x = x * 0.5  # @scale
            return np.sum(np.log(x))  # @log

        g = adlsp.grad(loss)
        both = threading.Barrier(2)

        def work(x):
            for step in range(200):
                if step == 150:
                    both.wait()
                g(x if step == 150 else np.ones(2))

        threads = [threading.Thread(target=work, args=(np.full(2, v),)) for v in (1.0, 0.0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("joined")
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    assert stop.about() == ("backward", program.line("log", "script.py"))
    assert client.evaluate(stop.stack[2]["id"], "step") == "150"
    names = {each["id"]: each["name"] for each in client.ask("threads")["threads"]}
    assert names[stop.thread] != "MainThread"
    choose(client)
    client.go_on(stop)
    client.finish()
    assert "joined" in client.output()
    assert client.errors == []


MODEL = "def loss(w):\n    return w * w\n\ndef other(w):\n    return w\n"
KEEPER = """\
from dataclasses import dataclass
import adlsp

class Trainer:
    def __init__(self, rate, loss):
        self.loss = loss

    def step(self, w):
        return adlsp.grad(self.loss)(w)

class Careful(Trainer):
    pass

@dataclass
class Data:
    rate: float
    loss: object

    def __post_init__(self):
        self.g = adlsp.grad(self.loss)

    def step(self, w):
        return self.g(w)
"""


@pytest.mark.parametrize(
    "made",
    [
        "Careful(0.1, model.loss)",
        "Data(0.1, model.loss)",
        "Trainer(0.1, None)\nmade.loss = model.loss",
    ],
)
def test_functions_that_an_object_keeps_are_known(client, tmp_path, made):
    """By the texts alone: a breakpoint tells at once whether a derivative may reach it."""
    run = f"import model\nfrom trainer import *\nmade = {made}\nprint(made.step(2.0))\n"
    run = run.replace("*", "Careful, Data, Trainer")
    for name, text in {"model.py": MODEL, "trainer.py": KEEPER, "run.py": run}.items():
        (tmp_path / name).write_text(text)
    path = str(tmp_path / "model.py")
    assert reached.parts(path) == {1}
    client.initialize()
    start = client.send("launch", program=str(tmp_path / "run.py"), console="internalConsole")
    client.event("initialized")
    [entry] = client.set_breakpoints(path, {"line": 2, "mode": "backward"})
    assert (entry["verified"], entry["message"]) == (
        False,
        "Backward: waits for a derivative of this line",
    )
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    stop = client.stop()
    assert stop.about() == ("backward", 2)
    client.go_on(stop)
    client.finish()
    assert "4.0" in client.output()


NET = """\
import numpy as np
import adlsp


class Dense:
    def __init__(self, n, m):
        self.w = np.full((n, m), 0.1)

    def forward(self, x):
        KEPT
        z = x @ self.w
        return np.tanh(z)


class Net:
    def __init__(self, sizes):
        self.layers = [Dense(n, m) for n, m in zip(sizes[:-1], sizes[1:])]

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def loss(net, x):
    return np.sum(net.forward(x) ** 2)


net = Net([4, 5, 2])
print(adlsp.value_and_grad(loss)(net, np.ones((6, 4)))[0])
"""


@pytest.mark.parametrize("kept", ["self.x = x", "pass"])
def test_the_methods_of_layers_are_known(client, tmp_path, kept):
    """Also where the layers change, and the methods are written out in the derivative."""
    (tmp_path / "net.py").write_text(NET.replace("KEPT", kept))
    path = str(tmp_path / "net.py")
    assert reached.parts(path) == {9, 19, 25}
    client.initialize()
    start = client.send("launch", program=path, console="internalConsole")
    client.event("initialized")
    [entry] = client.set_breakpoints(path, {"line": 11, "mode": "backward"})
    assert (entry["verified"], entry["message"]) == (
        False,
        "Backward: waits for a derivative of this line",
    )
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    for _ in range(2):  # layers
        stop = client.stop()
        assert stop.about() == ("backward", 11)
        client.go_on(stop)
    client.finish()
