"""Stops where a derivative goes wrong: the exception filters, through the real processes."""

from __future__ import annotations

import pytest

from adlsp.debug import filters

SCRIPT = """\
import numpy as np
import adlsp

def layer(x):
    s = np.sum(x * x)
    return x / np.sqrt(s)  # @divide

def loss(w):
    h = layer(w)  # @call
    return np.sum(h * h)

g = adlsp.grad(loss)
print("good", g(np.ones(3)))
print("bad", g(np.zeros(3)))
print("again", g(np.zeros(3)))
print("end")
"""

ROOTS = """\
import numpy as np
import adlsp

def loss(w):
    r = np.sqrt(w)  # @root
    return np.sum(r)

print("gradient", adlsp.grad(loss)(np.array([4.0, 0.0, 1.0])))
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def launch(client, script, **options):
    """Starts a program with filters, by name and condition."""
    client.initialize()
    start = client.send("launch", program=script, console="internalConsole", justMyCode=True)
    client.event("initialized")
    answers = choose(client, **options)
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    return answers


def choose(client, **options):
    chosen = [
        {"filterId": f"adlsp.{name}", **({"condition": condition} if condition else {})}
        for name, condition in options.items()
    ]
    return client.ask("setExceptionBreakpoints", filters=[], filterOptions=chosen)["breakpoints"]


def told(client, stop):
    """What is said of a stop; the description and the rest as one text, as clients show them."""
    info = client.ask("exceptionInfo", threadId=stop.thread)
    rest = info["details"]["stackTrace"]
    is_ours = info["exceptionId"].startswith("adlsp.")
    assert not is_ours or info["description"] not in rest
    told = (info["description"], rest if is_ours else "")
    return {**info, "text": "\n".join(filter(None, told))}


def test_the_first_value_that_is_not_finite(client, program):
    """It stops at the operation, in the derivative, before anything is stored."""
    script = program.write("script.py", SCRIPT)
    assert launch(client, script, nonfinite="") == [{"verified": True}]
    stop = client.stop("exception")
    line = program.line("divide", "script.py")
    assert [name for name, _ in stop.frames] == [
        "layer_forward",
        f"forward of layer, line {line}",
        "loss_grad",
        f"forward of loss, line {program.line('call', 'script.py')}",
        "<module>",
    ]
    info = told(client, stop)
    assert (info["exceptionId"], info["breakMode"]) == ("adlsp.nonfinite", "always")
    headline, primal, *operands = info["text"].split("\n")
    assert headline == (f"forward of script.py:{line}: `x / t` gives 3 of 3 NaN, first at [0]")
    assert primal == "  for `return x / np.sqrt(s)  # @divide`"
    assert operands == ["  x is (3,) float64, 0 to 0, 0 there", "  t is 0"]
    [event] = client.events("stopped")
    assert (event["text"], event["reason"]) == (headline, "exception")
    assert "hitBreakpointIds" not in event
    assert client.variables(stop.stack[0]["id"])["t"] == "np.float64(0.0)"
    assert "good" in client.output()
    client.go_on(stop)
    assert "bad" in finish_after_one_more(client)


def finish_after_one_more(client):
    """Each call of a derivative tells once: what follows from it is not told again."""
    client.go_on(client.stop("exception"))
    client.finish()
    assert len(client.events("stopped")) == 2
    assert client.errors == []
    return client.output()


def test_an_adjoint_is_told_with_what_it_was_made_of(client, program):
    script = program.write("script.py", ROOTS)
    launch(client, script, nonfinite="inf")
    stop = client.stop("exception")
    line = program.line("root", "script.py")
    assert stop.stack[1]["name"] == f"backward of loss, line {line}"
    info = told(client, stop)["text"].split("\n")
    assert info[0].startswith(f"backward of script.py:{line}: `")
    assert info[0].endswith("gives 1 of 3 infinite, first at [1]")
    assert "  2 * r is (3,) float64, 0 to 4, 0 there" in info


@pytest.mark.parametrize(("command", "place"), [("next", 0), ("stepIn", 0), ("stepOut", 2)])
def test_steps_from_there(client, program, command, place):
    """They start in the derivative, and nobody sees what called the debugger."""
    script = program.write("script.py", SCRIPT)
    launch(client, script, nonfinite="nan")
    before = client.stop("exception")
    client.go_on(before, command, granularity="line")
    stop = client.stop("step")
    assert stop.stack[0]["name"] == before.stack[place]["name"]
    choose(client)
    client.go_on(stop)
    client.finish()
    assert "end" in client.output()


def test_conditions_choose(client, program):
    """What is infinite where NaN is looked for is told of with the NaN that comes of it."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(x):
            y = np.log(x)  # @log
            return np.sum(np.exp(y) * y)  # @product

        print(adlsp.grad(loss)(np.array([1.0, 0.0])))
        """,
    )
    launch(client, script, nonfinite="nan")
    stop = client.stop("exception")
    info = told(client, stop)["text"]
    log, product = (program.line(tag, "script.py") for tag in ("log", "product"))
    assert stop.stack[1]["line"] == product
    assert "NaN" in info.split("\n")[0]
    assert f"before that: forward of script.py:{log}: `np.log(x)` gives 1 of 2 infinite" in info


def test_filters_while_the_program_runs(client, program):
    script = program.write(
        "script.py",
        """\
        import time
        import numpy as np
        import adlsp

        def loss(x):
            return np.sum(np.log(x))

        g = adlsp.grad(loss)
        g(np.zeros(2))
        print("silent", flush=True)
        while True:
            with np.errstate(all="ignore"):
                g(np.zeros(2))
            time.sleep(0.01)
        """,
    )
    launch(client, script)
    client.event("output", lambda body: "silent" in body["output"])
    assert choose(client, nonfinite="") == [{"verified": True}]
    stop = client.stop("exception")
    choose(client)
    client.go_on(stop)
    client.ask("pause", threadId=stop.thread)
    assert client.stop("pause").stack[-1]["name"] == "<module>"
    assert len(client.events("stopped")) == 2


def test_a_derivative_that_runs_when_a_filter_is_chosen(client, program):
    """That this call is looked at in part only is said, once."""
    script = program.write("script.py", SCRIPT)
    call = {"line": program.line("call", "script.py"), "mode": "forward"}
    client.launch(script, {script: [{**call, "condition": "w[0] == 0"}]})
    stop = client.stop()
    said = "`loss_grad` runs already: only what it calls is looked at until its next call"
    for options in ({"nonfinite": ""}, {"nonfinite": "nan"}, {}):
        assert choose(client, **options) == [{"verified": True}] * len(options)
        assert [each for each in client.told() if said in each] == [f"adlsp: {said}\n"]
    choose(client, nonfinite="")
    client.set_breakpoints(script)
    client.go_on(stop)
    assert client.stop("exception").stack[0]["name"] == "layer_forward"


def test_what_debugpy_offers_is_still_there(client, program):
    script = program.write("script.py", "raise ValueError('mine')\n")
    offered = client.initialize()["exceptionBreakpointFilters"]
    names = [each["filter"] for each in offered]
    assert names[-3:] == ["adlsp.nonfinite", "adlsp.exploding", "adlsp.vanishing"]
    assert "raised" in names
    start = client.send("launch", program=script, console="internalConsole")
    client.event("initialized")
    options = [{"filterId": "raised"}, {"filterId": "adlsp.nonfinite", "condition": "zero"}]
    body = client.ask("setExceptionBreakpoints", filters=[], filterOptions=options)
    assert body["breakpoints"] == [
        {"verified": True},
        {"verified": False, "message": 'the condition is "nan", "inf", or both, not "zero"'},
    ]
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    stop = client.stop("exception")
    assert told(client, stop)["text"] == "mine"


RNN = """\
import numpy as np
import adlsp

def loss(h, w):
    for i in range(30):
        h = np.tanh(h @ w)  # @step
    return np.sum(h)

h, w = np.full((1, 4), 1e-30), SCALE * np.eye(4)
print(np.linalg.norm(adlsp.grad(loss)(h, w)))
"""


@pytest.mark.parametrize(
    ("filter_", "scale", "condition", "said"),
    [
        ("exploding", 3.0, "1000", "explodes: its norm is 1458, above 1000"),
        ("vanishing", 0.1, "1e-7", "vanishes: its norm is 2e-08, below 1e-07"),
    ],
)
def test_norms_of_adjoints(client, program, filter_, scale, condition, said):
    script = program.write("script.py", RNN.replace("SCALE", str(scale)))
    launch(client, script, **{filter_: condition})
    stop = client.stop("exception")
    line = program.line("step", "script.py")
    info = told(client, stop)
    assert info["exceptionId"] == f"adlsp.{filter_}"
    assert info["text"].startswith(f"backward of script.py:{line}: `h_bar` {said}")
    assert "\n  h_bar has norm " in info["text"]


def test_threads(client, program):
    script = program.write(
        "script.py",
        """\
        import threading
        import numpy as np
        import adlsp

        def loss(x):
            return np.sum(np.log(x))

        g = adlsp.grad(loss)

        def work(x):
            for _ in range(50):
                g(x)

        threads = [threading.Thread(target=work, args=(np.ones(2),)) for _ in range(2)]
        threads.append(threading.Thread(target=work, args=(np.zeros(2),)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("joined")
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    assert client.evaluate(stop.stack[0]["id"], "x").startswith("array([0., 0.])")
    choose(client)
    client.go_on(stop)
    client.finish()
    assert "joined" in client.output()


def test_a_client_without_options_names_filters(client, program):
    script = program.write("script.py", ROOTS)
    client.initialize()
    start = client.send("launch", program=script, console="internalConsole")
    client.event("initialized")
    client.ask("setExceptionBreakpoints", filters=["adlsp.nonfinite"])
    client.ask("configurationDone")
    assert client.answer(start)["success"]
    assert told(client, client.stop("exception"))["exceptionId"] == "adlsp.nonfinite"


@pytest.mark.parametrize(
    ("name", "condition", "sought"),
    [
        ("nonfinite", "", '{"nan": true, "infinite": true}'),
        ("nonfinite", "inf", '{"nan": false, "infinite": true}'),
        ("nonfinite", "NaN or inf", '{"nan": true, "infinite": true}'),
        ("exploding", "", '{"above": 1000000.0}'),
        ("exploding", "1e3", '{"above": 1000.0}'),
        ("vanishing", "", '{"below": 1e-12}'),
        ("exploding", "> 1e3", '{"above": 1000.0}'),
        ("vanishing", "<= 1e-9", '{"below": 1e-09}'),
        ("exploding", "< 1e3", ""),
        ("vanishing", "-1", ""),
        ("vanishing", "nan", ""),
        ("exploding", "much", ""),
    ],
)
def test_conditions(name, condition, sought):
    option = {"filterId": f"adlsp.{name}", "condition": condition}
    read = filters.read({"filterOptions": [option]})
    assert read.sought == sought
    assert read.answers[0]["verified"] is bool(sought)


def test_the_program_hears_of_flags_as_ever(client, program):
    """It warns, with its own line, and its settings are its own; stops come where they did."""
    script = program.write(
        "script.py",
        """\
        import threading
        import warnings
        import numpy as np
        import adlsp

        def loss(w, x):
            y = w / x  # @divide
            return np.sum(y * y)

        g = adlsp.value_and_grad(loss)

        def work(x):
            before = np.geterr()
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                g(np.ones(3), x)
            print([str(each.message) for each in told], np.geterr() == before, flush=True)

        work(np.ones(3))
        for each in ({}, {"divide": "ignore"}):
            with np.errstate(**each):
                work(np.array([1.0, 0.0, 2.0]))
        thread = threading.Thread(target=work, args=(np.array([1.0, 0.0, 2.0]),))
        thread.start()
        thread.join()
        """,
    )
    launch(client, script, nonfinite="inf")
    for _ in range(3):
        stop = client.stop("exception")
        line = program.line("divide", "script.py")
        assert stop.stack[1]["name"] == f"forward of loss, line {line}"
        headline, _, *operands = told(client, stop)["text"].split("\n")
        assert headline.endswith("`w / x` gives 1 of 3 infinite, first at [1]")
        assert operands == [
            "  w is (3,) float64, 1 to 1, 1 there",
            "  x is (3,) float64, 0 to 2, 0 there",
        ]
        assert "y" not in client.variables(stop.stack[0]["id"])
        client.go_on(stop)
    client.finish()
    divided = "divide by zero encountered in divide"
    lines = client.output().split("\n")
    assert [line for line in lines if line.startswith("[")] == [
        "[] True",
        f"{[divided]} True",
        "[] True",
        f"{[divided]} True",
    ]


def test_an_argument_that_arrives_bad(client, program):
    """The `def` is named; nothing of the function has run."""
    script = program.write(
        "script.py",
        """\
        import numpy as np
        import adlsp

        def loss(w, x):  # @def
            y = w * x  # @first
            return np.sum(y * y)

        print(adlsp.grad(loss)(np.ones(2), np.array([1.0, np.nan])))
        """,
    )
    launch(client, script, nonfinite="")
    stop = client.stop("exception")
    headline, primal = told(client, stop)["text"].split("\n")
    bad = "`x`, an argument of loss_grad, arrives bad: 1 of 2 NaN, first at [1]"
    assert headline == f"forward of script.py:{program.line('def', 'script.py')}: {bad}"
    assert primal == "  for `def loss(w, x):  # @def`"
    assert stop.stack[1]["line"] == program.line("first", "script.py")
    client.go_on(stop)
    client.finish()
