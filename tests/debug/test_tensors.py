"""Tensors in the debugger: told without being copied, or made, or changed."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from adlsp.debug import tensors

from .client import ROOT

tf = pytest.importorskip("tensorflow")

SCRIPT = """\
import tensorflow as tf
import adlsp

def layer(x, w):
    return tf.tanh(x @ w)  # @layer

def loss(x, w):
    h = layer(x, w)
    y = h[1:] * h[:-1]  # @parts
    return tf.reduce_sum(y * y)  # @out

x, w = tf.ones((3, 4)), tf.Variable(tf.ones((4, 2)) / 8)
print("norm", float(tf.norm(adlsp.grad(loss, "w")(x, w))))
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    """A cache of its own, so that no derivative file exists before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "3")


def unfolded(client, frame, name):
    """The parts of a variable, as they are displayed."""
    scopes = client.ask("scopes", frameId=frame)["scopes"]
    scope = next(each["variablesReference"] for each in scopes if each["name"] == "Locals")
    every = client.ask("variables", variablesReference=scope)["variables"]
    reference = next(each["variablesReference"] for each in every if each["name"] == name)
    parts = client.ask("variables", variablesReference=reference)["variables"]
    return {part["name"]: part["value"] for part in parts}


def test_values_and_gradients_at_a_stop_in_the_backward_sweep(client, program):
    script = program.write("script.py", SCRIPT)
    parts = {"line": program.line("parts", "script.py"), "mode": "backward"}
    client.launch(script, {script: [parts]})
    stop = client.stop()
    for _ in range(2):  # the parts of the gradient are added
        client.go_on(stop, "next", granularity="line")
        stop = client.stop("step")
    frame = stop.stack[0]["id"]
    assert client.evaluate(frame, "len(h_bar._added)") == "2"
    shown = client.variables(frame)
    row = math.tanh(0.5)
    assert shown["h"].startswith(f"(3, 2), norm {row * math.sqrt(6):.5g}, float32 on CPU:0: [[0.4")
    assert shown["h_bar"].startswith(
        f"(3, 2), norm {2 * row**3 * math.sqrt(12):.5g}, float32 on CPU:0: [["
    )
    assert shown["w"].startswith(f"(4, 2), norm {math.sqrt(8) / 8:.5g}, float32 on CPU:0: [[0.125")
    saved = next(value for name, value in shown.items() if name.endswith("_saved"))
    assert saved.startswith("(")
    assert "(3, 4) float32" in saved
    hovered = client.ask("evaluate", frameId=frame, expression="h_bar", context="hover")
    assert hovered["result"] == shown["h_bar"]
    parts = unfolded(client, frame, "h_bar")
    assert (parts["shape"], parts["dtype"], parts["device"]) == ("(3, 2)", "'float32'", "'CPU:0'")
    assert float(parts["max"]) == pytest.approx(4 * row**3)
    assert parts["[1]"].startswith("(2,), norm ")
    assert list(parts) == ["shape", "dtype", "device", "norm", "min", "max", "[0]", "[1]", "[2]"]
    assert client.evaluate(frame, "len(h_bar._added)") == "2"
    client.set_breakpoints(script)
    client.go_on(stop)
    client.finish()
    plain = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=ROOT)
    assert plain.stdout.startswith("norm ")
    assert plain.stdout in client.output()


def test_while_a_function_is_traced_tensors_have_no_elements(client, program):
    traced = SCRIPT.replace('adlsp.grad(loss, "w")', 'tf.function(adlsp.grad(loss, "w"))')
    script = program.write("script.py", traced)
    client.launch(script, {script: [{"line": program.line("parts", "script.py")}]})
    for name in ("h", "y_bar"):  # forward, backward
        stop = client.stop()
        shown = client.variables(stop.stack[0]["id"])
        assert shown[name] == ("(3, 2), float32" if name == "h" else "(2, 2), float32")
        assert shown["w"].startswith("(4, 2), norm ")
        client.go_on(stop)
    client.finish()
    assert "norm 1." in client.output()


def test_a_tensor_of_a_graph_has_no_elements_and_gets_no_operations():
    @tf.function
    def traced(x, v):
        n_operations = len(tf.compat.v1.get_default_graph().get_operations())
        told.extend((tensors.line(x, math.inf), tensors.line(v, math.inf)))
        told.append(list(tensors.Parts().get_dictionary(x)))
        assert len(tf.compat.v1.get_default_graph().get_operations()) == n_operations
        return x

    told: list[object] = []
    variable = tf.Variable([3.0, 4.0])
    traced.get_concrete_function(tf.TensorSpec([None, 3]), variable)
    assert told[0] == "(None, 3), float32"
    assert told[2] == ["shape", "dtype"]


def test_a_large_tensor_is_read_only_for_someone_who_points_at_it(monkeypatch):
    monkeypatch.setattr(tensors, "SMALL", 10)
    monkeypatch.setattr(tensors, "LARGE", 100)
    large, half = tf.ones((20, 20)), tf.ones((5, 5), tf.float16)
    show = tensors.Presentation()
    assert show.get_str(large) == "(20, 20), float32 on CPU:0"
    assert show.get_str_in_context(large, "hover") == "(20, 20), norm 20, float32 on CPU:0"
    assert show.get_str(tf.ones((5, 10))) == "(5, 10), norm 7.0711, float32 on CPU:0"
    assert show.get_str(half) == "(5, 5), float16 on CPU:0"


def test_a_gradient_that_is_not_summed_yet_is_left_so(monkeypatch):
    from adlsp.runtime import tensors as gradients

    x_bar = gradients.add_at(gradients.zeros(tf.zeros((2, 2))), 0, tf.constant([3.0, 4.0]))
    expected = "(2, 2), norm 5, float32 on CPU:0: [[3. 4.] [0. 0.]]"
    assert tensors.Presentation().get_str(x_bar) == expected
    assert "[3., 4.]" in repr(x_bar)
    assert (len(x_bar._added), x_bar._total) == (1, None)
    monkeypatch.setattr(tensors, "SMALL", 1)
    assert tensors.Presentation().get_str_in_context(x_bar, "hover") == "(2, 2), float32"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (tf.constant(2.5), "(), float32 on CPU:0: 2.5"),
        (tf.constant([3, 4]), "(2,), int32 on CPU:0: [3 4]"),
        (tf.constant([True]), "(1,), bool on CPU:0: [ True]"),
        (tf.constant([3.0, math.nan]), "(2,), norm nan, float32 on CPU:0: [ 3. nan]"),
        (tf.constant([1e30, 0.0]), "(2,), norm 1e+30, float32 on CPU:0: [1.e+30 0.e+00]"),
        (tf.constant([3 + 4j]), "(1,), norm 5, complex128 on CPU:0: [3.+4.j]"),
        (tf.constant("a"), "(), string on CPU:0: b'a'"),
        (tf.zeros((0, 2)), "(0, 2), norm 0, float32 on CPU:0: []"),
        ((tf.ones(3), [tf.ones((2, 2)), 1.0], "a"), "((3,) float32, [(2, 2) float32, 1.0], 'a')"),
        ({"w": tf.ones(3)}, "{'w': (3,) float32}"),
        ([tf.ones(3)] * 30, f"[{'(3,) float32, ' * 20}…]"),
        ([[[tf.ones(3)]]], None),
        ([1, 2], None),
        ({}, None),
    ],
    ids=str,
)
def test_what_is_told_of_a_value(value, shown):
    assert tensors.Presentation().get_str(value) == shown


def test_what_a_person_asks_for_as_a_whole_is_left_to_the_debugger():
    show = tensors.Presentation()
    assert show.get_str_in_context(tf.ones(3), "repl") is None
    assert show.get_str_in_context(tf.ones(3), "clipboard") is None
