"""Derivatives are made when they are called, for what the arguments are, and then found again."""

from __future__ import annotations

import importlib
import inspect
import logging
import subprocess
import sys
import threading
import traceback
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.library import differentiated, dispatch
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request

AT = np.array([0.5, -2.0])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The signatures for which something is derived, in order."""
    found: list[str] = []
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path))  # in which nothing is remembered
    derive = engine.derive

    def noted(request: Request, *rest: Any) -> Derivative:
        found.append(request.signature)
        return derive(request, *rest)

    monkeypatch.setattr(engine, "derive", noted)
    return found


def fresh(f: Any) -> Callable[..., Any]:
    """A function of which nothing has been derived."""
    space = {**f.__globals__}
    made = FunctionType(f.__code__, space, f.__name__, f.__defaults__, f.__closure__)
    made.__module__ = "elsewhere"
    return made


def product(x: Any, y: Any = 2.0) -> Any:
    return np.sum(x * y)


def test_nothing_is_derived_before_the_first_call(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(product))
    assert asked == []
    np.testing.assert_allclose(gradient(AT), [2.0, 2.0])
    np.testing.assert_allclose(gradient(2 * AT, 3.0), [3.0, 3.0])
    assert asked == ["x: float64[n], y: float"]
    assert gradient(1.0, y=4.0) == 4.0
    assert gradient(2.0, y=4.0, out_bar=2.0) == 8.0
    assert asked == ["x: float64[n], y: float", "x: float, y: float"]
    np.testing.assert_allclose(gradient(AT), [2.0, 2.0])
    assert len(asked) == 2


def test_what_is_shown_before_is_for_whatever_arguments_and_then_the_latest(
    asked: list[str],
) -> None:
    gradient = adlsp.grad(fresh(product))
    general = gradient.derivative
    assert asked == [""]
    assert gradient.path == general.path
    assert inspect.getsource(gradient) == inspect.getsource(gradient._compiled)
    assert gradient.__doc__.startswith("Gradient of product")
    assert gradient.__name__ == "product_grad"
    gradient(AT)
    assert asked == ["", "x: float64[n], y: float"]
    assert gradient.derivative.request.signature == asked[1]
    gradient(1.0)
    assert gradient.derivative.request.signature == asked[2]
    gradient(AT)
    assert gradient.derivative.request.signature == asked[2]


def test_arguments_of_which_nothing_is_known_get_the_general_derivative(asked: list[str]) -> None:
    class Strange(np.ndarray):
        pass

    gradient = adlsp.grad(fresh(product), "x")
    strange = AT.view(Strange)
    np.testing.assert_allclose(gradient(strange, strange), AT)
    assert asked == [""]
    np.testing.assert_allclose(gradient(AT, AT), AT)
    np.testing.assert_allclose(gradient(strange, AT), AT)
    np.testing.assert_allclose(gradient(strange, strange), AT)
    assert asked == ["", "x: float64[n], y: float64[n]", "y: float64[n]"]


def test_after_eight_that_differ_in_ranks_and_dtypes_these_are_left_open(
    asked: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    gradient = adlsp.grad(fresh(product))
    shapes = [(2,) * rank for rank in range(1, 5)]
    every = [np.ones(shape, dtype) for shape in shapes for dtype in ("f4", "f8")]
    with caplog.at_level(logging.INFO, "adlsp"):
        for x in every:
            np.testing.assert_allclose(gradient(x), np.full(x.shape, 2.0))
        assert len(asked) == 8
        assert caplog.messages == []
        for x in (np.ones((1, 3)), np.ones((2,) * 6), *every, np.ones((2, 1), "f4")):
            np.testing.assert_allclose(gradient(x), np.full(x.shape, 2.0))
    assert asked[8:] == ["x: ?[...], y: float"]
    (told,) = caplog.messages
    assert "`product` has been given arguments of 9 ranks and dtypes" in told
    np.testing.assert_allclose(gradient(np.ones(2), True), [1.0, 1.0])
    assert asked[9:] == ["x: float64[n], y: True"]


def chosen(x: Any, mode: str) -> Any:
    return np.sum(x * x) if mode == "square" else np.sum(x)


def test_options_count_by_value_however_many_there_are(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "MOST", 4)
    gradient = adlsp.grad(fresh(chosen))
    for mode in ("square", "a", "b", "c", "d", "e", "square"):
        expected = 2 * AT if mode == "square" else np.ones(2)
        np.testing.assert_allclose(gradient(AT, mode), expected)
    assert len(set(asked)) == 6


def test_closures_count_by_what_they_have_captured(asked: list[str]) -> None:
    def make(scale: Any, mode: str) -> Callable[[Any], Any]:
        def inner(x: Any) -> Any:
            return np.sum(x * scale) if mode == "scaled" else np.sum(x * x)

        return inner

    for scale, mode in ((2.0, "scaled"), (3.0, "scaled"), (AT, "scaled"), (2.0, "other")):
        expected = scale * np.ones(2) if mode == "scaled" else 2 * AT
        np.testing.assert_allclose(adlsp.grad(make(scale, mode))(AT), expected)
    assert len(asked) == 3
    assert asked[0].startswith("x: float64[n], ")


def test_a_captured_option_that_is_bound_again(asked: list[str]) -> None:
    mode = "square"

    def inner(x: Any) -> Any:
        return np.sum(x * x) if mode == "square" else np.sum(x)

    gradient = adlsp.grad(inner)
    np.testing.assert_allclose(gradient(AT), 2 * AT)
    mode = "other"
    np.testing.assert_allclose(gradient(AT), [1.0, 1.0])
    mode = "square"
    np.testing.assert_allclose(gradient(AT), 2 * AT)
    assert len(asked) == 2


class Model:
    """An object that has what a loss needs."""

    def __init__(self, scale: Any) -> None:
        self.scale = scale

    def loss(self, x: Any) -> Any:
        return np.sum(x * x * self.scale)


def test_what_is_bound_counts_too(asked: list[str]) -> None:
    model = Model(2.0)
    gradient = adlsp.grad(model.loss)
    np.testing.assert_allclose(gradient(AT), 4 * AT)
    model.scale = AT
    np.testing.assert_allclose(gradient(AT), 2 * AT * AT)
    assert len(asked) == 2
    by_name = adlsp.grad(partial(fresh(product), y=AT))
    np.testing.assert_allclose(by_name(AT), AT)
    assert asked[2] == "x: float64[n], y: float64[n]"


def test_arrays_of_one_shape_have_the_same_sizes(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(product), "x")
    ones = np.ones(3)
    np.testing.assert_allclose(gradient(ones, 2 * ones), 2 * ones)
    np.testing.assert_allclose(gradient(AT, AT), AT)
    np.testing.assert_allclose(gradient(AT, np.ones((3, 2))), [3.0, 3.0])
    np.testing.assert_allclose(gradient(np.ones((3, 2)), AT), np.tile(AT, (3, 1)))
    assert asked == [
        "x: float64[n], y: float64[n]",
        "x: float64[n], y: float64[m, k]",
        "x: float64[n, m], y: float64[k]",
    ]


def test_a_seed_may_be_any_number(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(product), "x")
    for seed in (2, 2.0, np.float32(2.0), np.float64(2.0), np.array(2.0)):
        found = gradient(AT, AT, out_bar=seed)
        np.testing.assert_allclose(found, 2 * AT)
        assert found.dtype == np.float64
    with pytest.raises(TypeError):
        gradient(AT, AT, out_bar=np.ones(3))
    assert len(asked) == 1


def several(x: Any, *more: Any, **options: Any) -> Any:
    for each in more:
        x = x * each
    return np.sum(x * options.get("scale", 1.0))


def test_starred_parameters_are_those_of_a_tuple_and_a_dictionary(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(several))
    np.testing.assert_allclose(gradient(AT, 2.0, out_bar=3.0), [6.0, 6.0])
    np.testing.assert_allclose(gradient(AT, 2.0, 3.0, scale=5.0), [30.0, 30.0])
    np.testing.assert_allclose(gradient(AT, 2.0), [2.0, 2.0])
    first, second = asked
    assert first == "x: float64[n], more: (float,), options: {}"
    assert second == 'x: float64[n], more: (float, float), options: {"scale": float}'


def given(f: Callable[[Any], Any], x: Any) -> Any:
    return np.sum(f(x))


def test_what_only_arguments_can_tell_is_refused_when_it_is_called() -> None:
    gradient = adlsp.grad(given, "x")
    with pytest.raises(adlsp.DifferentiationError) as shown:
        assert gradient.derivative
    assert [one.code for one in shown.value.findings] == ["AD204"]
    assert not hasattr(gradient, "__name__")
    assert gradient.__doc__ is None
    assert repr(gradient) == "<derivative of given>"


def test_second_derivatives_have_the_signature_of_their_function(asked: list[str]) -> None:
    def cube(x: float) -> Any:
        return x * x * x

    second = adlsp.grad(adlsp.grad(cube))
    assert second(2.0) == 12.0
    assert adlsp.hvp(cube)(2.0, dots=(1.0,)) == 12.0
    assert asked == ["x: float", "x: float"]
    np.testing.assert_allclose(adlsp.hessian(lambda x: np.sum(x**3))(AT), np.diag(6 * AT))


def helper(x: Any) -> Any:
    return 2.0 * x


def tripled(x: Any) -> Any:
    return 3.0 * x


def helped(x: Any) -> Any:
    return np.sum(helper(x))


def test_what_has_changed_counts_from_the_next_signature_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gradient = adlsp.grad(helped)
    np.testing.assert_allclose(gradient(AT), [2.0, 2.0])
    monkeypatch.setattr(sys.modules[__name__], "helper", tripled)
    assert gradient(1.0) == 3.0
    np.testing.assert_allclose(gradient(AT), [3.0, 3.0])


IS_SCALED = False


def scaled(x: Any) -> Any:
    if IS_SCALED:
        try:
            x = x / np.sum(x)
        except ZeroDivisionError:
            x = x + 1.0
    return np.sum(x * x)


def test_what_an_option_of_a_module_leaves_out_is_no_obstacle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gradient = adlsp.grad(scaled)
    np.testing.assert_allclose(gradient(AT), 2.0 * AT)
    monkeypatch.setattr(sys.modules[__name__], "IS_SCALED", True)
    with pytest.raises(adlsp.DifferentiationError, match="AD401 error: `try`"):
        gradient(AT)


class Table:
    """What holds numbers in a way of its own."""


def of_table(x: Any, name: str | None = None) -> Any:
    if isinstance(x, Table):
        x = np.fromiter(x, float)  # type: ignore[call-overload]
    if name is not None:
        x = np.fromiter(x, float)
    return x * x


def of_tables(x: Any) -> Any:
    return np.sum(of_table(x))


@pytest.mark.parametrize("f", [of_table, of_tables])
def test_what_arguments_leave_out_is_no_obstacle(f: Callable[..., Any]) -> None:
    gradient = adlsp.vjp(f, wrt="x")
    np.testing.assert_allclose(gradient(AT, out_bar=np.ones_like(f(AT))), 2.0 * AT)


def test_what_arguments_do_not_leave_out_is_an_obstacle_for_them() -> None:
    gradient = adlsp.grad(of_table, wrt="x")
    with pytest.raises(adlsp.DifferentiationError, match=r"`numpy\.fromiter`"):
        gradient(0.5, "a")


class Row(np.ndarray):
    """An array of another kind."""


class Named(dict[str, Any]):
    """A dictionary of another kind."""


class Listed(list[Any]):
    """A list of another kind."""


class Measured(float):
    """A number of another kind."""


def of_kind(x: Any) -> Any:
    factor = 3.0 if isinstance(x, (Row, Named, Listed, Measured)) else 1.0
    if isinstance(x, dict):
        return factor * np.sum(x["a"])
    return factor * np.sum(x[0] if isinstance(x, list) else x)


def of_kinds(x: Any) -> Any:
    return of_kind(x)


@pytest.mark.parametrize("f", [of_kind, of_kinds])
@pytest.mark.parametrize(
    ("plain", "own"),
    [(AT, AT.view(Row)), ({"a": AT}, Named(a=AT)), ([AT], Listed([AT])), (2.0, Measured(2.0))],
    ids=["array", "dictionary", "list", "number"],
)
def test_what_is_of_a_class_below_takes_its_own_branch(
    f: Callable[..., Any], plain: Any, own: Any
) -> None:
    """Whichever is given first: what is no instance of a class is known of plain values only."""
    for first, then in ((plain, own), (own, plain)):
        gradient = adlsp.grad(f)
        for given in (first, then, first):
            bar = gradient(given)
            part = bar["a"] if isinstance(bar, dict) else bar[0] if isinstance(bar, list) else bar
            np.testing.assert_allclose(part, np.full_like(part, 3.0 if given is own else 1.0))


def test_a_module_is_found_that_its_package_hides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "hiding"
    package.mkdir()
    hides = "from . import step as module\n\nglobals()['step'] = module.step\n"
    (package / "__init__.py").write_text(hides, "utf-8")
    defines = "def size(x):\n    return len(x)\n\n\ndef step(x):\n    return x @ x / size(x)\n"
    (package / "step.py").write_text(defines, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    step = importlib.import_module("hiding").step
    np.testing.assert_allclose(adlsp.grad(step)(AT), AT)


def test_a_call_that_does_not_fit_says_so_as_later() -> None:
    gradient = adlsp.grad(fresh(product))
    told = r"product_grad\(\) missing 1 required positional argument: 'x'"
    with pytest.raises(TypeError, match=told):
        gradient()
    gradient(AT)
    with pytest.raises(TypeError, match=told):
        gradient()


def slow(x: Any) -> Any:
    for _ in range(3):
        x = np.tanh(x) * x
    return np.sum(x)


def test_threads_derive_once_for_one_signature(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(slow))
    start, found = threading.Barrier(8), []

    def call(number: int) -> None:
        start.wait()
        found.append(gradient(AT if number % 2 else 0.5))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert sorted(asked) == ["x: float", "x: float64[n]"]


def raising(x: Any) -> Any:
    return np.sum(x @ np.ones((3, 3)))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="a frame that passes on a call stays there")
def test_a_derivative_that_passes_on_a_call_is_in_no_traceback() -> None:
    gradient = adlsp.grad(raising)
    for at in (np.ones(3), np.ones((2, 3)), np.ones(3)):
        gradient(at)
    for wrong in (np.ones(2), np.ones((2, 2)), np.ones((1, 2)), np.ones((1, 2))):
        with pytest.raises(ValueError, match="matmul") as caught:
            gradient(wrong)
        names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert names[1:] == ["raising_grad"]


def test_what_is_called_again_and_again_is_called_first() -> None:
    gradient = adlsp.grad(fresh(product))
    x = np.ones(3)
    gradient(1.0)
    gradient(x)
    for _ in range(differentiated.OTHERS):
        gradient(1.0)
    entered = type(gradient).__call__
    assert entered is gradient._instance(gradient._derived.known((1.0, 2.0)))


STARTED = """\
import adlsp
import numpy as np
import elsewhere

print("run")


def mine(x):
    return scale * x


scale = 2.0
gradient = adlsp.grad(elsewhere.given, "x")
print(gradient(mine, np.ones(2)))
scale = 3.0
print(gradient(mine, np.ones(2)))
"""


def test_functions_of_the_program_that_was_started_are_those_that_run(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(
        "import numpy as np\n\n\ndef given(f, x):\n    return np.sum(f(x))\n"
    )
    (tmp_path / "start.py").write_text(STARTED)
    done = subprocess.run(
        [sys.executable, "start.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines() == ["run", "[2. 2.]", "[3. 3.]"], done.stderr


def test_a_text_for_an_example(asked: list[str]) -> None:
    f = fresh(product)
    made = adlsp.derive(f, example=(AT,))
    gradient = adlsp.grad(f)
    gradient(AT)
    assert made.source == gradient.derivative.source
    assert asked == ["x: float64[n], y: float"]  # the second time it is known
    scale = AT
    captured = adlsp.derive(lambda x: np.sum(x * scale), example=(2.0,))
    assert captured.request.signature == "x: float, scale: float64[n]"
    assert adlsp.derive(f).request.signature == ""
    second = adlsp.derive(f, order=2, example=(AT, 3.0))
    assert second.request.signature == "x: float64[n], y: float"
    for wrong in ((), (1, 2, 3), 5.0):
        with pytest.raises(TypeError, match="`product` cannot be called: example="):
            adlsp.derive(f, example=wrong)  # type: ignore[arg-type]


def test_a_seed_that_is_not_read_may_have_any_shape():
    """A variable of the derivative may have the name of the seed."""

    @adlsp.differentiable
    def loss(x, s):
        out = x[0] * s
        s = np.sin(out)
        with adlsp.insert_grad_of(s) as s_bar:
            s_bar = 2.0 * s_bar
        return np.zeros_like(x)

    derivative = adlsp.value_and_grad(loss)
    value, x_bar = derivative(np.ones(3), 0.5, out_bar=np.ones(3))
    assert "out_bar = " in derivative.derivative.source
    assert np.array_equal(value, np.zeros(3))
    assert np.array_equal(x_bar, np.zeros(3))


LOG: list[float] = []


def logged(x: float) -> float:
    LOG.append(1.0)
    return x * x


def weighted_keys(d: Any, x: Any) -> Any:
    total = 0.0
    for key in d:
        total += key * x
    return total


def test_ordered_dictionaries_are_run_over_by_keys(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(weighted_keys), (0, 1))
    for kind in (OrderedDict, dict):
        assert gradient(kind({0: 1.0, 3: 2.0}), 2.0) == ({0: 0.0, 3: 0.0}, 3.0)
    assert asked == ["d: {0: float, 3: float}, x: float"]


def test_dictionaries_that_give_more_are_run_over_by_keys(asked: list[str]) -> None:
    gradient = adlsp.grad(fresh(weighted_keys), (0, 1))
    for kind in (Counter, partial(defaultdict, float), dict):
        assert gradient(kind({0: 1.0, 3: 2.0}), 2.0) == ({0: 0.0, 3: 0.0}, 3.0)
    assert asked == ["d: dict[?], x: float"]


def sized(box: Any, x: Any) -> Any:
    return box.size * x


def sized_inside(x: Any) -> Any:
    box = SimpleNamespace(size=x)
    return box.size * x


def test_the_size_of_an_object_is_asked_for_as_what_it_may_depend_on() -> None:
    cell: dict[str, Any] = {}
    exec("class Box:\n    size = 1.0", cell)
    with pytest.raises(TypeError, match="AD203"):
        adlsp.grad(fresh(sized))(cell["Box"](), 2.0)
    assert adlsp.grad(fresh(sized_inside))(2.0) == 4.0
    assert adlsp.grad(fresh(sized), 1)(cell["Box"](), 2.0) == 1.0
    assert np.array_equal(adlsp.grad(fresh(sized))(np.ones(2), 2.0), np.zeros(2))


def test_a_list_that_functions_change_makes_no_other_derivative() -> None:
    gradient = adlsp.grad(logged)
    assert gradient(2.0) == 4.0
    first = gradient.derivative
    assert gradient(3.0) == 6.0
    assert gradient.derivative is first


def of_numbers(xs: list[Any], p: dict[str, Any]) -> Any:
    total = 0.0
    for x in xs:
        total = total + x.sum() * p["w"].reshape(1)[0]
    return total


def test_tangents_of_numbers_in_containers_may_be_those_of_python() -> None:
    xs, p = [np.float64(0.5), np.float64(2.0)], {"w": np.float64(3.0)}
    tangent = adlsp.jvp(of_numbers, (0, 1))
    assert tangent(xs, p, dots=([1.0, 0.25], {"w": 2.0})) == 1.25 * 3.0 + 2.5 * 2.0


MATRIX = np.ones((2, 2)).view(np.matrix)


def of_entries(p: Any) -> Any:
    return np.sum(p["a"] * p["b"])


def of_module(x: Any) -> Any:
    return np.sum(MATRIX * x)


@pytest.mark.parametrize("kind", [np.matrix, np.ma.MaskedArray])
def test_arrays_with_an_arithmetic_of_their_own_are_refused(
    kind: type[np.ndarray[Any, Any]],
) -> None:
    x = np.ones((2, 2))
    with pytest.raises(TypeError, match=r"`x` is, or holds, a `numpy.*AD203.*np.asarray`"):
        adlsp.grad(fresh(product), "x")(x.view(kind), x)
    with pytest.raises(TypeError, match="`p` is, or holds"):
        adlsp.grad(of_entries)({"a": x, "b": x.view(kind)})
    with pytest.raises(TypeError, match=r"MATRIX` is, or holds"):
        adlsp.grad(of_module)(x)
