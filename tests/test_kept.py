"""What functions keep that a function is given, or that a module holds, as the program has it."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp import cli
from adlsp import runtime as rt
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.workspace import Workspace
from tests.transform import differences

TEXT = """\
from functools import partial

import numpy as np


def make(scale, A):
    def apply(x):
        return scale * (A @ x)

    return apply


class Layer:
    def __init__(self, A, act):
        self.A = A
        self.act = act

    def __call__(self, x):
        return self.act(self.A @ x)


class Count:
    def __init__(self, A):
        self.A = A
        self.last = A

    def norm(self, x):
        self.last = self.A @ x
        return np.sum(self.last**2)

    def value(self, x):
        return np.sum(self.A * x * x)

    def double(self):
        self.A[:] = 2 * self.A


matrix = np.array([[1.0, 2.0], [3.0, -4.0]])
model = make(2.0, matrix)
layer = Layer(matrix, np.tanh)
layers = [Layer(matrix, np.tanh), Layer(2 * matrix, make(0.5, matrix))]
count = Count(np.array([1.0, 2.0]))
norm, value, double = count.norm, count.value, count.double


X, y, penalty = matrix, np.array([1.0, 2.0]), 0.5


def fitted(w):
    r = X @ w - y
    return np.sum(r**2) + penalty * np.sum(w**2)


def modelled(w):
    return np.sum(model(w) ** 2)


def layered(w):
    return np.sum(layer(w) ** 2)


picked = {"model": model, "layer": layer}["MODEL".lower()]


def untold(w):
    return np.sum(picked(w) ** 2)


def deep(w):
    for each in layers:
        w = each(w)
    return np.sum(w)


def square(x):
    return x * x


functions = [np.sin, square]
pair = (np.cos, square)
named = {"a": np.sin, "b": square}


class Chosen:
    BY = {"a": np.sin}


def listed(w):
    for f in functions:
        w = f(w)
    for f in pair:
        w = f(w)
    return np.sum(w * named["a"](w) + Chosen.BY["a"](w))


act = np.sin


def acted(w):
    return np.sum(act(w) * w)


def given(w, f):
    return np.sum(f(w) ** 2)


def chosen(w, fs):
    return np.sum(fs["f"](fs["g"](w)))


def run(w, fs):
    for f in fs:
        w = f(w)
    return np.sum(w)


def filled(w, f):
    w[0] = 2 * w[1]
    return f(w)


def counted(w):
    return norm(w) + np.sum(count.last)


def called(w, callbacks):
    before = value(w)
    for callback in callbacks:
        callback()
    return before
"""

AT = np.array([0.5, -1.25])


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keeping.py").write_text(TEXT)
    yield importlib.import_module("keeping")
    del sys.modules["keeping"]


def check(f: Callable[..., Any], *args: Any) -> None:
    """The gradient of the first argument is what differences say."""
    primal = lambda w: f(w, *args)  # noqa: E731
    np.testing.assert_allclose(
        adlsp.grad(f)(AT.copy(), *args), differences.gradient(primal, AT), rtol=1e-6
    )


def test_what_a_module_holds_may_be_exchanged(program: Any) -> None:
    check(program.modelled)
    program.model = program.make(3.0, np.ones((4, 2)))  # another structure: one more axis
    check(program.modelled)
    program.model = program.make(np.ones((2, 1)), np.ones((2, 2)))
    check(program.modelled)
    program.model = lambda x: x**3
    check(program.modelled)
    program.model = np.tanh
    check(program.modelled)


def test_data_of_a_module_may_be_of_another_kind(program: Any) -> None:
    check(program.fitted)
    gradient = adlsp.grad(program.fitted)
    assert "rt." not in gradient.derivative.source
    kept = gradient.derivative
    program.X, program.penalty = 2 * program.X, 0.25
    check(program.fitted)
    assert gradient.derivative == kept
    for rows, targets in (
        (np.ones((5, 2)), 1.0),
        (np.ones((1, 2)), np.ones(4)),
        (np.ones(2), np.ones((2, 1))),
    ):
        program.X, program.y = rows, targets
        check(program.fitted)
    program.penalty = np.array([1.0, 2.0])
    program.fitted.__globals__["penalty"] = np.float64(0.5)
    check(program.fitted)
    del program.penalty
    with pytest.raises((AttributeError, NameError)):
        gradient(AT)


def test_objects_of_a_module_may_change_between_calls(program: Any) -> None:
    check(program.layered)
    program.layer.A = np.ones((3, 2))
    check(program.layered)
    program.layer.act = np.sin
    check(program.layered)
    program.layer.act = program.make(2.0, np.ones((3, 3)))
    check(program.layered)
    program.layer = program.Layer(np.ones(2), np.cos)
    check(program.layered)
    check(program.deep)
    program.layers.append(program.Layer(np.eye(2), np.exp))
    check(program.deep)


def test_tables_of_functions_may_be_exchanged(program: Any) -> None:
    def follow(exchange: Callable[[], object]) -> None:
        exchange()
        check(program.listed)
        np.testing.assert_array_equal(gradient(AT), adlsp.grad(program.listed)(AT))

    gradient = adlsp.grad(program.listed)
    follow(lambda: None)
    for exchange in (
        lambda: program.functions.append(np.exp),
        lambda: program.functions.reverse(),
        lambda: setattr(program, "pair", (np.sin,)),
        lambda: program.named.update(a=np.cos),
        lambda: setattr(program.Chosen, "BY", {"a": program.square}),
    ):
        exchange()
        with pytest.raises(adlsp.DifferentiationError, match="AD204"):
            gradient(AT)
    program.functions[:], program.pair = [np.sin, program.square], (np.cos, program.square)
    program.named["a"], program.Chosen.BY = np.sin, {"a": np.sin}
    follow(lambda: None)
    follow(lambda: setattr(program, "pair", (program.make(0.2, program.matrix), np.sin)))
    follow(lambda: program.functions.append(program.make(0.1, program.matrix)))


def test_a_variable_may_hold_another_function(program: Any, tmp_path: Path) -> None:
    (tmp_path / "using.py").write_text(
        "import numpy as np\n\nimport keeping\n\n"
        "def used(w):\n    return np.sum(keeping.act(w) * w)\n"
    )
    using = importlib.import_module("using")
    for f in (program.acted, using.used):
        gradient = adlsp.grad(f)
        for act in (np.sin, np.cos, program.square, program.layer, np.exp, np.tanh):
            program.act = act
            check(f)
            found = gradient(AT)
            program.act = np.sin
            gradient(AT)
            program.act = act
            np.testing.assert_array_equal(gradient(AT), found)
    del sys.modules["using"]


@pytest.mark.usefixtures("program")
def test_a_default_is_what_its_name_was_where_it_was_defined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "using.py").write_text(
        "import numpy as np\n\nRATE = 2.0\nbent = np.tanh\n\n\n"
        "def scaled(w, rate=RATE):\n    return rate * w\n\n\n"
        "def acted(w, *, act=bent):\n    return act(w)\n\n\n"
        "def f(w):\n    return np.sum(scaled(w) * w)\n\n\n"
        "def g(w):\n    return np.sum(acted(w) * acted(w, act=np.sin))\n\n\n"
        "def twice(function):\n    def around(*args):\n        return 2 * function(*args)\n\n"
        "    return around\n\n\n"
        "@twice\ndef marked(w, rate=RATE):\n    return rate * w * w\n\n\n"
        "def h(w):\n    return np.sum(marked(w))\n\n\n"
        "def made(k):\n    def inner(w, rate=RATE):\n        return k * rate * w * w\n\n"
        "    return inner\n\n\n"
        "kept = made(3.0)\n\n\n"
        "def i(w):\n    return np.sum(kept(w))\n\n\n"
        "def given(w, function):\n    return np.sum(function(w))\n"
    )
    using = importlib.import_module("using")
    given = adlsp.grad(using.given)
    expected = given(AT, using.kept)
    for f, name, equal, other in (
        (using.f, "RATE", 4.0 / 2.0, 3.0),
        (using.g, "bent", 0, np.cos),
        (using.h, "RATE", 4.0 / 2.0, 3.0),
        (using.i, "RATE", 4.0 / 2.0, 3.0),
    ):
        gradient = adlsp.grad(f)
        found = gradient(AT)
        check(f)
        if equal:
            monkeypatch.setattr(using, name, equal)
            np.testing.assert_array_equal(gradient(AT), found)
        was = getattr(using, name)
        monkeypatch.setattr(using, name, other)
        said = f"`{name}` in .* define it again" if f in (using.f, using.g) else "AD"
        with pytest.raises(adlsp.DifferentiationError, match=said):
            gradient(AT)
        if name == "RATE":
            with pytest.raises(adlsp.DifferentiationError, match="AD204"):
                given(AT, using.kept)
        monkeypatch.setattr(using, name, was)
        np.testing.assert_array_equal(gradient(AT), found)
        np.testing.assert_array_equal(given(AT, using.kept), expected)
    del sys.modules["using"]


def test_functions_that_are_given_with_what_they_keep(program: Any) -> None:
    matrix = program.matrix
    for f in (
        program.make(2.0, matrix),
        partial(np.dot, matrix),
        partial(program.make(2.0, matrix)),
        program.Layer(matrix, np.tanh).__call__,
        partial(np.multiply, 3.0),
        lambda x: matrix @ x,
        program.Count(matrix).value,
    ):
        check(program.given, f)
        check(program.chosen, {"f": f, "g": np.sin})
        check(program.run, [np.sin, f])


def test_an_argument_that_is_changed_is_kept_by_no_function(program: Any) -> None:
    def weighted(a: Any) -> Any:
        return lambda x: np.sum(a * x)

    np.testing.assert_allclose(adlsp.grad(program.filled)(AT.copy(), lambda x: np.sum(x)), [0, 3])
    with pytest.raises(ValueError, match="AD303"):
        adlsp.grad(program.filled)(AT, weighted(AT))


def test_what_changes_what_a_function_keeps_is_refused(program: Any) -> None:
    with pytest.raises(adlsp.DifferentiationError, match="AD302"):
        adlsp.grad(program.counted)(AT)
    with pytest.raises(adlsp.DifferentiationError, match="AD204"):
        adlsp.grad(program.called)(AT, iter([program.double]))


def test_what_a_run_has_met_is_shown(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("modelled", "layered", "deep", "fitted"):
        gradient = adlsp.grad(getattr(program, name))
        gradient(AT)
        capsys.readouterr()
        assert cli.main(["show", f"keeping.py::{name}"]) == 0
        assert capsys.readouterr().out == gradient.derivative.source


def test_a_check_goes_by_the_last_run(
    program: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "asking.py").write_text(
        "import adlsp\nimport keeping\n\ngradient = adlsp.grad(keeping.untold)\n"
    )
    assert cli.main(["check", "asking.py"]) == 1
    assert "AD204" in capsys.readouterr().out
    adlsp.grad(program.untold)(AT)
    assert cli.main(["check", "asking.py"]) == 0


@pytest.mark.parametrize("name", ["modelled", "layered", "deep"])
def test_a_text_tells_before_a_run(program: Any, tmp_path: Path, name: str) -> None:
    resolver = Workspace().resolver(str(tmp_path / "keeping.py"))
    static = engine.derive(Request(f"keeping.{name}", ("w",)), resolver)
    assert static.findings == ()
    assert static.source == adlsp.grad(getattr(program, name)).derivative.source


def test_data_of_a_text_is_told_before_a_run(
    program: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "asking.py").write_text(
        "import numpy as np\nimport adlsp\nimport keeping\n\n"
        "found = adlsp.grad(keeping.fitted)(np.zeros(2))\n"
    )
    assert cli.main(["show", "keeping.py::fitted"]) == 0
    before = capsys.readouterr().out
    assert "For w: float64[n], X: float64[n0, m0], penalty: float, y: float64[k0]." in before
    gradient = adlsp.grad(program.fitted)
    gradient(AT)
    assert before == gradient.derivative.source


def test_second_derivatives_and_forward_mode(program: Any) -> None:
    f = program.make(2.0, program.matrix)
    expected = 8 * program.matrix.T @ program.matrix
    np.testing.assert_allclose(adlsp.hessian(program.given)(AT, f), expected)
    np.testing.assert_allclose(adlsp.hessian(program.modelled)(AT), expected)
    tangent = adlsp.jvp(program.given)(AT, f, dots=(np.array([1.0, 0.0]),))
    np.testing.assert_allclose(tangent, adlsp.grad(program.given)(AT, f)[0])


def test_threads_that_exchange_it(program: Any) -> None:
    gradient, failed = adlsp.grad(program.modelled), list[Exception]()
    models = [program.make(float(k), program.matrix) for k in range(1, 4)]
    expected = [2 * k * k * program.matrix.T @ program.matrix @ AT for k in range(1, 4)]

    def work() -> None:
        try:
            for _ in range(5):
                found = gradient(AT)
                assert any(np.allclose(found, each) for each in expected)
        except Exception as error:
            failed.append(error)

    program.model = models[0]
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for at in range(9):
        program.model = models[at % 3]
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    assert not failed


def test_kept_by() -> None:
    a, b = np.ones(2), np.zeros(2)

    def inner(x: Any) -> Any:
        return a * x

    class Own:
        def method(self, *args: Any) -> Any:
            return args

    own = Own()
    assert rt.kept_by(inner, "a") is a
    given = partial(partial(own.method, a, k=b), 3, j=a)
    assert [rt.kept_by(given, at) for at in range(3)] == [own, a, 3]
    assert rt.kept_by(given, "k") is b
    assert rt.kept_by(partial(inner, k=b), "a") is a
    for wrong in (0, "b"):
        with pytest.raises(LookupError):
            rt.kept_by(inner, wrong)


def test_modules_that_come_by_the_star_of_a_module_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`np` is NumPy, though the text does not tell where the star comes from."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(elsewhere))
    (elsewhere / "star_helpers.py").write_text(
        "import numpy as np\n\n\ndef square(x):\n    return np.square(x)\n"
    )
    (tmp_path / "starred.py").write_text(
        "from star_helpers import *\n\n\ndef f(x):\n    return np.sum(square(x)) * len(x)\n"
    )
    try:
        check(importlib.import_module("starred").f)
    finally:
        sys.modules.pop("starred", None)
        sys.modules.pop("star_helpers", None)
