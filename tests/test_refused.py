"""What the library refuses to differentiate, in the words in which `adlsp check` says it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import adlsp

PROGRAM = """\
import numpy as np


class Registry:
    def __call__(self, f):
        return f


register = Registry()


@register
def registered(x):
    return x * x


class Model:
    @staticmethod
    def square(x):
        return x * x


async def fetched(x):
    return x * x


def twice(a):
    return a * 2


def of_both(x):
    return twice(x)[0] + twice([x[0]])[1]


def stored(p, k, x):
    before = np.mean(p[k])
    p[k] = x * 1.0
    return before * np.mean(p[k])


def of_mean(stats, x):
    return np.sum(stats.mean * x * stats.T.value)


def deep(x):
    return {deep}


def long(x):
{long}
    return x
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path: Path = tmp_path_factory.mktemp("refused") / "refused_program.py"
    deep, long = " + ".join(["x"] * 2000), "\n".join(["    x = x * x + 1.0"] * 10_001)
    path.write_text(PROGRAM.format(deep=deep, long=long), "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_attribute_is_no_method_of_that_name(program: ModuleType) -> None:
    found = adlsp.derive(program.of_mean, wrt=("stats", "x")).findings
    assert {one.message for one in found if one.blocks} == {
        "`stats.mean` is an attribute of an object",
        "`stats.T.value` is an attribute of an object",
    }
    held = SimpleNamespace(value=np.array([2.0, 0.5]))
    stats = SimpleNamespace(mean=np.array([0.3, 0.7]), T=held)
    stats_bar, x_bar = adlsp.grad(program.of_mean, wrt=("stats", "x"))(stats, np.ones(2))
    np.testing.assert_allclose(x_bar, stats.mean * held.value)
    np.testing.assert_allclose(stats_bar.mean, held.value)
    np.testing.assert_allclose(stats_bar.T.value, stats.mean)


@pytest.mark.parametrize("function", [np.sum, np.tanh, len])
def test_a_function_of_a_library_is_said_to_be_one(function: Any) -> None:
    message = f"AD112 error: `{function.__name__}` is a function of a library"
    with pytest.raises(adlsp.DifferentiationError, match=message):
        adlsp.grad(function)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "registered",
            "AD207 error: what `@register` makes of `registered` is not known from the text",
        ),
        ("fetched", "AD205 error: `async def` cannot be differentiated"),
        ("deep", "AD113 error: `deep` is too large: it is nested more than 1000 levels deep"),
        ("long", "AD113 error: `long` is too large: it has more than 20000 steps"),
    ],
)
def test_a_refusal_says_what_a_function_is(program: ModuleType, name: str, message: str) -> None:
    function: Any = program
    for part in name.split("."):
        function = getattr(function, part)
    with pytest.raises(adlsp.DifferentiationError) as refused:
        adlsp.grad(function)
    assert message in str(refused.value)


def test_a_callee_that_is_given_lists_and_arrays(program: ModuleType) -> None:
    message = r"AD205 error: `\*` of what is a list or an array cannot be differentiated"
    with pytest.raises(adlsp.DifferentiationError, match=message):
        adlsp.grad(program.of_both)(np.array([0.5, -1.0]))


@pytest.mark.parametrize("given", [list, lambda arrays: dict(enumerate(arrays))])
def test_an_element_that_gets_other_axes(program: ModuleType, given: Any) -> None:
    """It was looked upon as a place in an array, which keeps its shape."""
    x = np.array([0.5, -1.0, 2.0])
    with pytest.raises(adlsp.DifferentiationError, match="gets other axes"):
        adlsp.grad(program.stored, wrt="x")(given([np.ones((2, 2)), np.ones((2, 2))]), 0, x)
    held = given([np.ones(3), np.ones(3)])
    np.testing.assert_allclose(adlsp.grad(program.stored, wrt="x")(held, 0, x), np.full(3, 1 / 3))
