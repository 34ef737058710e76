"""What is called under the name of a function may be another: a derivative of it, or what a user
has put around it. Only caches and compilers leave a function what it is.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.workspace import Workspace

LIBRARY = """\
import functools

import numpy as np

import adlsp


def f(x):
    return np.sum(np.sin(x) ** 3)


def negated(function):
    @functools.wraps(function)
    def inner(x):
        return -function(x)

    return inner


class Negated:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, x):
        return -self.function(x)


class Traced:
    def __init__(self, function):
        self.py_func = function

    def __call__(self, x):
        return -self.py_func(x)


gradient = adlsp.grad(f)
with_value = adlsp.value_and_grad(f)
pullback = adlsp.vjp(f)
tangent = adlsp.jvp(f)
curvature = adlsp.hvp(f)
jacobian = adlsp.jacobian(f)
hessian = adlsp.hessian(f)
partial = functools.partial(gradient)
cached_gradient = functools.lru_cache(gradient)
wrapped = negated(f)
held = Negated(f)
traced = Traced(f)


@Negated
def decorated(x):
    return np.sum(x * x)


@functools.cache
@Negated
def cached_decorated(x):
    return np.sum(x * x)


@functools.cache
def cached(x):
    return x * x


class Names:
    gradient = adlsp.grad(f)
    held = Negated(f)


@adlsp.differentiable
def patched(x):
    return np.sum(x * x)


@adlsp.differentiable(wrt="x")
def with_block(x):
    with adlsp.insert_grad_of(x) as x_bar:
        x_bar = x_bar * 2
    return np.sum(x * x)


wrapped_block = negated(with_block)


def doubled(function):
    def inner(*args):
        return 2 * function(*args)

    return inner


def with_power(function):
    def inner(x, power=3):
        return function(x, power)

    return inner


@doubled
@with_power
def norm(x, power=2):
    return np.sum(x**power)
"""

USER = """\
import numpy as np
import wrapping_library
from wrapping_library import *
from wrapping_library import gradient as slope

again = wrapping_library.gradient


def by_star(x):
    return np.sum(gradient(x))


def by_import(x):
    return np.sum(slope(x))


def by_module(x):
    return np.sum(wrapping_library.gradient(x))


def by_second_name(x):
    return np.sum(again(x))


def by_attribute(x):
    return np.sum(wrapping_library.Names.gradient(x))


def by_held_attribute(x):
    return wrapping_library.Names.held(x)


def by_default(x, slope=slope):
    return np.sum(slope(x))


def by_callee(x):
    return by_star(x * x)


def of_value(x):
    value, bar = with_value(x)
    return value * np.sum(bar)


def of_pullback(x):
    return np.sum(pullback(x, out_bar=2.0))


def of_tangent(x):
    return np.sum(tangent(x, dots=(x,)))


def of_curvature(x):
    return np.sum(curvature(x, dots=(x,)))


def of_jacobian(x):
    return np.sum(jacobian(x))


def of_hessian(x):
    return np.sum(hessian(x))


def of_partial(x):
    return np.sum(partial(x))


def of_cached_gradient(x):
    return np.sum(cached_gradient(x))


def of_wrapped(x):
    return wrapped(x)


def of_held(x):
    return held(x)


def of_traced(x):
    return traced(x)


def of_decorated(x):
    return decorated(x)


def of_cached_decorated(x):
    return cached_decorated(x)


def of_wrapped_block(x):
    return wrapped_block(x)


def of_cached(x):
    return cached(x) * 3.0


def of_patched(x):
    return patched(x)


def of_norm(x):
    return norm(x)
"""

REFUSED = {
    "by_attribute": "AD203",
    "by_held_attribute": "AD203",
    "by_default": "AD204",
    "of_jacobian": "AD204",
    "of_hessian": "AD204",
    "of_cached_gradient": "AD204",
    "of_cached_decorated": "AD207",
}


def cubed(x: Any) -> Any:
    return -3 * np.sin(x) ** 2 * np.cos(x)


def first(x: Any) -> Any:
    return 3 * np.sin(x) ** 2 * np.cos(x)


def second(x: Any) -> Any:
    return 6 * np.sin(x) * np.cos(x) ** 2 - 3 * np.sin(x) ** 3


def third(x: Any) -> Any:
    return 6 * np.cos(x) ** 3 - 21 * np.sin(x) ** 2 * np.cos(x)


FOLLOWED: dict[str, Callable[[Any], Any]] = {
    "by_star": second,
    "by_import": second,
    "by_module": second,
    "by_second_name": second,
    "by_callee": lambda x: 2 * x * second(x * x),
    "of_value": lambda x: first(x) * np.sum(first(x)) + np.sum(np.sin(x) ** 3) * second(x),
    "of_pullback": lambda x: 2 * second(x),
    "of_tangent": lambda x: second(x) * x + first(x),
    "of_curvature": lambda x: third(x) * x + second(x),
    "of_partial": second,
    "of_wrapped": cubed,
    "of_held": cubed,
    "of_traced": cubed,
    "of_decorated": lambda x: -2 * x,
    "of_wrapped_block": lambda x: -4 * x,  # its block takes the gradient twice
}


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module that calls what another one has put around a function."""
    folder = tmp_path_factory.mktemp("wrapping")
    (folder / "wrapping_library.py").write_text(LIBRARY, "utf-8")
    (folder / "wrapping_user.py").write_text(USER, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(folder / "cache"))
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("wrapping_user")
    for name in ("wrapping_user", "wrapping_library"):
        sys.modules.pop(name, None)


def told(findings: tuple[Any, ...]) -> list[tuple[str, str, int]]:
    return [(each.code, each.message, each.span.line) for each in findings if each.blocks]


def static(path: str, name: str) -> list[tuple[str, str, int]]:
    dotted = f"{Path(path).stem}.{name}"
    return told(engine.derive(Request(dotted, ("x",)), Workspace().resolver(path)).findings)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_put_around_a_function_is_not_looked_through(user: ModuleType, name: str) -> None:
    with pytest.raises(adlsp.DifferentiationError) as raised:
        assert adlsp.grad(getattr(user, name)).derivative
    found = told(raised.value.findings)
    text = static(str(user.__file__), name)
    assert {code for code, _, _ in text} == {REFUSED[name]}
    assert found == [("AD204", f"`{name[3:]}` is a function held in a variable", text[0][2])] or (
        found == text
    )


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_a_program_has_put_around_a_function_is_followed(user: ModuleType, name: str) -> None:
    assert static(str(user.__file__), name) == []
    x = np.array([0.3, 0.7])
    found = adlsp.grad(getattr(user, name))(x)
    np.testing.assert_allclose(found, FOLLOWED[name](x), rtol=1e-12)


def test_what_is_around_a_function_has_its_own_defaults(user: ModuleType) -> None:
    x = np.array([0.5, 1.5])
    np.testing.assert_allclose(adlsp.grad(user.of_norm)(x), 6 * x**2, rtol=1e-12)


def test_a_cache_is(user: ModuleType) -> None:
    assert static(str(user.__file__), "of_cached") == []
    assert adlsp.grad(user.of_cached)(2.0) == 12.0


@pytest.mark.parametrize("name", ["held", "traced", "decorated"])
def test_an_object_is_what_its_call_says(user: ModuleType, name: str) -> None:
    with pytest.raises(adlsp.DifferentiationError, match="AD203"):
        assert adlsp.grad(getattr(user, name)).derivative


@pytest.mark.parametrize("name", ["cached_decorated", "partial"])
def test_a_root_is_not_looked_through_either(user: ModuleType, name: str) -> None:
    with pytest.raises(TypeError, match="only functions written in Python"):
        assert adlsp.grad(getattr(user, name)).derivative


@pytest.mark.parametrize("name", ["wrapped", "wrapped_block"])
def test_nor_is_a_wrapper_that_is_a_function(user: ModuleType, name: str) -> None:
    with pytest.raises(adlsp.DifferentiationError, match="AD204"):
        assert adlsp.grad(getattr(user, name)).derivative


def test_a_function_that_the_program_has_replaced_is_not_taken_from_its_text(
    user: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    library: Any = sys.modules["wrapping_library"]
    monkeypatch.setattr(library, "patched", library.negated(library.patched))
    monkeypatch.setattr(user, "patched", library.patched)
    assert user.of_patched(np.array([1.0, 2.0])) == -5.0
    with pytest.raises(adlsp.DifferentiationError, match="AD102"):
        adlsp.grad(user.of_patched)


class Dispatcher:
    """What numba makes of a function: it runs what stands in `py_func`."""

    def __init__(self, function: Any) -> None:
        self.py_func = function


Dispatcher.__module__ = "numba.core.registry"


@pytest.mark.usefixtures("user")
def test_a_compiler_is_looked_through() -> None:
    made: Any = Dispatcher(vars(sys.modules["wrapping_library"])["f"])
    np.testing.assert_allclose(adlsp.grad(made)(1.0), 3 * np.sin(1.0) ** 2 * np.cos(1.0))
