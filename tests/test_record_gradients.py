"""`record_gradients`: how large the gradients of a run were, and nothing of it otherwise."""

from __future__ import annotations

import ast
import base64
import json
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

import adlsp
from adlsp.library import recording
from adlsp.runtime import finite, hook
from adlsp.transform.emit import noted

pytestmark = pytest.mark.usefixtures("nothing_watched")


def recurrent(h, w):
    for _ in range(30):
        h = np.tanh(h @ w)  # step
    return np.sum(h)


def dense(h, w):
    return np.tanh(h @ w)  # layer


def network(x, layers):
    for w in layers:
        x = dense(x, w)
    return np.sum(x * x)


def logarithm(x):
    y = np.log(x)  # log
    return np.sum(y)


def stored(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] * x[i]  # store
    return np.sum(y * y)


@dataclass
class Model:
    w: np.ndarray
    b: list


def affine(model, x):
    return np.sum((x @ model.w + model.b[0]) ** 2)


def outer(scale):
    def inner(x):
        return np.sum(np.sin(x * scale) ** 2)

    return inner


def line_of(text):
    """The line of this file that ends in a comment."""
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if line.rstrip().endswith(f"# {text}"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def rows(path, **wanted):
    """The rows of a file that have some values."""
    every = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [row for row in every if all(row[name] == value for name, value in wanted.items())]


@pytest.mark.parametrize("scale", [3.0, 0.1])
def test_where_gradients_of_a_recurrent_network_explode_or_vanish(path, scale):
    """While h is tiny, each pass back multiplies the norm by the scale."""
    args = np.full((1, 4), 1e-30), scale * np.eye(4)
    with adlsp.record_gradients(path):
        adlsp.grad(recurrent)(*args)
    found = rows(path, variable="h_bar", line=line_of("step"))
    assert [row["pass"] for row in found] == [*range(1, 31)]
    expected = [2 * scale**number for number in range(1, 31)]
    assert np.allclose([row["norm"] for row in found], expected, rtol=1e-10)
    assert np.allclose([row["max"] for row in found], np.array(expected) / 2, rtol=1e-10)
    assert {row["size"] for row in found} == {4}
    [result] = rows(path, variable="h")
    assert result["norm"] == pytest.approx(expected[-1])
    assert (result["path"], result["derivative"]) == (__file__, "recurrent_grad")


def test_a_saturated_network(path):
    """Where tanh is saturated nothing comes through, and the last layer's gradient is zero, too."""
    layers = [np.eye(3), 40 * np.eye(3), np.eye(3)]
    with adlsp.record_gradients(path):
        gradients = adlsp.grad(network, wrt="layers")(np.ones((2, 3)), layers)
    names = ["layers[0]", "layers[1]", "layers[2]"]
    norms = [rows(path, variable=name)[0]["norm"] for name in names]
    assert norms == pytest.approx([np.linalg.norm(each) for each in gradients])
    assert norms[0] == norms[1] == 0 < norms[2]
    passes = rows(path, line=line_of("layer"), variable="w_bar")
    assert [row["norm"] > 0 for row in passes] == [True, False, False]


def test_what_is_not_finite_is_counted_and_left_out(path):
    derivative = adlsp.grad(logarithm)
    x = np.array([1.0, 2.0, 4.0])
    with np.errstate(all="ignore"), adlsp.record_gradients(path):
        for step in range(5):
            derivative(x if step < 3 else np.array([0.0, np.nan, 4.0]))
    found = rows(path, variable="x")
    assert [row["step"] for row in found] == [*range(5)]
    assert [row["bad"] for row in found] == [0, 0, 0, 2, 2]
    assert found[4]["norm"] == found[4]["max"] == 0.25


def test_one_step_in_many_and_only_meanwhile(path):
    derivative, x = adlsp.value_and_grad(stored), np.arange(3.0)
    value, expected = derivative(x)
    own = derivative._compiled.__code__
    with adlsp.record_gradients(path, every=3):
        assert derivative._compiled.__code__ is not own
        for _ in range(7):
            again = derivative(x)
            assert again[0] == value
            assert np.array_equal(again[1], expected)
    assert derivative._compiled.__code__ is own
    assert sorted({row["step"] for row in rows(path)}) == [0, 3, 6]
    parts = rows(path, variable="x_bar[i]", line=line_of("store"), step=3)
    assert [(row["pass"], row["norm"]) for row in parts] == [(1, 32.0), (2, 4.0), (3, 0.0)]


def test_the_lines_are_those_of_the_derivative(path):
    derivative = adlsp.grad(stored)
    derivative(np.ones(3))
    before = {line for _, _, line in derivative._compiled.__code__.co_lines() if line}
    with adlsp.record_gradients(path), adlsp.check_finite():
        assert {line for _, _, line in derivative._compiled.__code__.co_lines() if line} == before


def test_gradients_of_objects_are_told_part_by_part(path):
    model = Model(np.ones((2, 2)), [np.ones(2)])
    with adlsp.record_gradients(path):
        gradient = adlsp.grad(affine)(model, np.ones((3, 2)))
    assert rows(path, variable="model.w")[0]["norm"] == np.linalg.norm(gradient.w)
    assert rows(path, variable="model.b[0]")[0]["norm"] == np.linalg.norm(gradient.b[0])


def test_other_arguments_and_other_orders(path):
    """Steps go on where a function has a derivative for other arguments."""
    with adlsp.record_gradients(path):
        derivative = adlsp.grad(stored)
        for x in (np.ones(3), np.ones(3, np.float32), [1.0, 1.0, 1.0], np.ones(3)):
            derivative(x)
        adlsp.grad(adlsp.grad(stored))(np.ones(3), out_bar=np.ones(3))
        adlsp.jvp(stored)(np.ones(3), dots=(np.ones(3),))
    first = [row for row in rows(path, derivative="stored_grad", variable="y_bar") if row]
    assert [row["step"] for row in first] == [0, 1, 2, 3]
    tangents = rows(path, derivative="stored_jvp", variable="y_dot[i]")
    assert [row["norm"] for row in tangents] == [2.0] * 3
    second = rows(path, derivative="stored_grad_grad", variable="x")
    assert [row["norm"] for row in second] == pytest.approx([12 * 3**0.5])


def test_closures_and_threads(path):
    """Each call is a step of its own, in whatever thread, and passes are not mixed up."""
    derivatives = [adlsp.grad(outer(scale)) for scale in (1.0, 2.0)]
    gate = threading.Barrier(4)

    def work(number):
        gate.wait(10)
        for _ in range(50):
            adlsp.grad(recurrent)(np.full((1, 2), 1e-30), np.eye(2))
            derivatives[number % 2](np.ones(2))

    with adlsp.record_gradients(path), ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    steps: dict[int, list[int]] = {}
    for row in rows(path, variable="h_bar", line=line_of("step")):
        steps.setdefault(row["step"], []).append(row["pass"])
    assert steps == {step: [*range(1, 31)] for step in range(200)}
    assert len(rows(path, derivative="inner_grad", variable="x")) == 200


def test_blocks_in_each_other_and_what_is_raised(path, tmp_path):
    """Each block has a file of its own; it is written also where something is raised."""
    inner, derivative = tmp_path / "inner.jsonl", adlsp.grad(logarithm)

    def run():
        with adlsp.record_gradients(path), np.errstate(all="ignore"):
            derivative(np.ones(2))
            with adlsp.record_gradients(str(inner), every=2), adlsp.check_finite():
                for _ in range(3):
                    derivative(np.ones(2))
                derivative(np.zeros(2))

    with pytest.raises(FloatingPointError, match=f":{line_of('log')}: "):
        run()
    assert {row["step"] for row in rows(inner)} == {0, 2}
    assert {row["step"] for row in rows(path)} == {0, 1, 2, 3, 4}
    assert rows(path, step=3, line=line_of("log"))


def test_what_cannot_be_written_or_counted_is_said_at_once(tmp_path, path):
    with pytest.raises(OSError, match="nowhere"), adlsp.record_gradients(tmp_path / "nowhere/x"):
        pytest.fail("the block runs")
    with pytest.raises(ValueError, match="`every` is"), adlsp.record_gradients(path, every=0):
        pytest.fail("the block runs")
    assert not recording.is_on()


def test_the_last_rows_are_kept(path, monkeypatch):
    monkeypatch.setattr(recording, "MOST", 10)
    with adlsp.record_gradients(path):
        for _ in range(20):
            adlsp.grad(logarithm)(np.ones(2))
    found = rows(path)
    assert len(found) == 10
    assert found[-1]["step"] == 19


def test_a_debugger_is_told_in_parts_and_variables_once(monkeypatch):
    monkeypatch.setattr(recording, "CHUNK", 7)
    left: list[str] = []
    hook.record('{"every": 2}', left.append)
    try:
        for _ in range(3):
            adlsp.grad(stored)(np.ones(3))
        told = json.loads(hook.recorded())
        again = json.loads(hook.recorded())
    finally:
        hook.record("", left.append)
    assert told["columns"] == list(recording.COLUMNS)
    assert again["variables"] == []
    names = {each["id"]: each["variable"] for each in told["variables"]}
    unpacked = [*struct.iter_unpack(told["format"], base64.b64decode(told["rows"]))]
    assert len(unpacked) == 7
    seen = [names[row[1]] for row in unpacked]
    assert seen == ["y_bar", *["t_bar", "x_bar[i]"] * 3]
    adlsp.grad(stored)(np.ones(3))
    hook._leave()
    assert left.pop() == ""
    packed = [base64.b64decode(json.loads(each)["rows"]) for each in left]
    rest = [struct.iter_unpack(told["format"], each) for each in packed]
    steps = [row[0] for part in rest for row in part]
    assert steps == [2] * 2
    assert hook.recorded() == ""


def test_what_is_noted_and_what_is_not():
    text = (
        "def f(x, *, out_bar=1.0):\n"
        '    """Doc."""\n'
        "    y = x * 2\n"
        "    y_bar = np.zeros(3)\n"
        "    for i in range(3):\n"
        "        y_bar[i] += out_bar * 2\n"
        "        y_bar[i] += out_bar * 3\n"
        "        y_bar[i()] += 1 * y\n"
        "        h_bar, (n, w_bar[0]) = g_backward(y_bar)\n"
        "        h_bar = 0\n"
        "    return h_bar\n"
        "def g_backward(h_bar):\n"
        "    return h_bar\n"
    )
    numbers = {}
    module = ast.parse(text)
    noted.noted(module, "f", range(6, 20), lambda *key: numbers.setdefault(key, len(numbers)))
    written = ast.unparse(module).replace(noted.NOTE, "N").replace(noted.END, "END")
    assert written == ast.unparse(
        ast.parse(
            "def f(x, *, out_bar=1.0):\n"
            '    """Doc."""\n'
            f"    N = {noted.BEGIN}()\n"
            "    y = x * 2\n"
            "    y_bar = np.zeros(3)\n"
            "    for i in range(3):\n"
            "        y_bar[i] += out_bar * 2\n"
            "        y_bar[i] += out_bar * 3\n"
            "        if N: N(0, y_bar[i])\n"
            "        y_bar[i()] += 1 * y\n"
            "        h_bar, (n, w_bar[0]) = g_backward(y_bar)\n"
            "        if N: N(1, w_bar[0])\n"
            "        h_bar = 0\n"
            "    if N: return END(N, h_bar)\n"
            "    return h_bar\n"
            "def g_backward(h_bar):\n"
            "    return h_bar\n"
        )
    )
    assert numbers == {("y_bar[i]", 7): 0, ("w_bar[0]", 9): 1}


def test_what_a_statement_sums_is_told_once():
    text = (
        "def f_grad(q, *, out_bar=1.0):\n"
        "    for k in reversed(range(3)):\n"
        "        q_bar = q_bar + a\n"
        "        t_bar = q_bar * 2\n"
        "        q_bar = q_bar + t_bar\n"
        "        t_bar = 0\n"
        "        q_bar = q_bar * c\n"
        "    return q_bar\n"
    )
    module = ast.parse(text)
    primal = {3: 2, 4: 2, 5: 2, 6: 2, 7: 1}
    noted.noted(module, "f_grad", primal, lambda name, line: f"'{name} {primal[line]}'")
    told = [each for each in ast.unparse(module).split("\n") if noted.NOTE in each]
    assert [line.partition("(")[2] for line in told if "'" in line] == [
        *("'t_bar 2', t_bar)", "'q_bar 2', q_bar)", "'q_bar 1', q_bar)")
    ]


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (np.array([3.0, -4.0]), (5.0, 4.0, 0, 2)),
        (np.array([[3.0, 0.0], [0.0, -4.0]]).T[::-1], (5.0, 4.0, 0, 4)),
        (np.array([3.0, np.nan, -np.inf]), (3.0, 3.0, 2, 3)),
        (np.float32([3e-30, 4e-30]), (5e-30, 4e-30, 0, 2)),
        (np.array([3e200, 4e200]), (5e200, 4e200, 0, 2)),
        (np.array([3e-200, 4e-200]), (5e-200, 4e-200, 0, 2)),
        (np.zeros((2, 3)), (0.0, 0.0, 0, 6)),
        (np.array(3 + 4j), (5.0, 5.0, 0, 1)),
        (-2.0, (2.0, 2.0, 0, 1)),
        (float("inf"), (0.0, 0.0, 1, 1)),
        (Model(np.array([3.0]), [4.0, "text"]), (5.0, 4.0, 0, 2)),
        (np.zeros(0), None),
        (np.arange(3), None),
        (None, None),
    ],
    ids=repr,
)
def test_sizes(value, size):
    with np.errstate(all="raise"):
        found = finite.size(value)
    assert found == (size if size is None else pytest.approx(size, rel=1e-6, abs=0))
