"""The same samples end to end: a function of one call, differentiated by the library.

The rules alone are tested in `test_rules.py`; here their derivatives are what generated code has to
reproduce, for each subset of the active arguments.
"""

import copy
import functools
import importlib.util
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import CASES, DIFFERENTIABLE, Case, in_single_precision
from interpreter import function
from samples import Call

import adlsp
from adlsp.transform import ir

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@"}
OPERATORS |= {"mod": "%"}
SIGNS = {"neg": "-", "pos": "+"}

POWERS = ("numpy.power", "operator.pow")

FIRST_NAMES = {d.functions[0] for d in DIFFERENTIABLE}
FIRST_NAMES |= {f"operator.{name}" for name in (*OPERATORS, *SIGNS)}
CALLS = [
    case
    for case in CASES
    if case.values[0] in FIRST_NAMES and not str(case.values[0]).startswith("adlsp.")
]

HEADER = "import math\n\nimport numpy as np\n\n\n"


@pytest.fixture(scope="session")
def define(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Callable[..., Any]]:
    """Makes functions from texts, in modules with files of their own; the same one for one text."""
    folder: Path = tmp_path_factory.mktemp("functions")

    @functools.cache
    def make(text: str) -> Callable[..., Any]:
        path = folder / f"module_{make.cache_info().currsize}.py"
        path.write_text(HEADER + text)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f

    return make


@functools.cache
def derivative(kind: str, function: Callable[..., Any], wrt: tuple[str, ...]) -> Any:
    """One derivative of one function; the library is asked only once."""
    return getattr(adlsp, kind)(function, wrt=wrt)


def written(case: Case) -> str:
    """The call as a user writes it; arguments that are no literals are variables."""
    home, _, name = case.call.function.rpartition(".")
    atoms = [a.id if isinstance(a, ir.Name) else repr(a.value) for a in case.call.args]  # type: ignore[union-attr]
    keywords = [
        f"{key}={a.id if isinstance(a, ir.Name) else repr(a.value)}"  # type: ignore[union-attr]
        for key, a in case.call.keywords
    ]
    if home == "operator":
        left, *right = atoms
        return f"{left} {OPERATORS[name]} {right[0]}" if right else f"{SIGNS[name]}{left}"
    if home == "ndarray":
        arguments = ", ".join([*atoms[1:], *keywords])
        is_method = callable(getattr(np.ndarray, name))
        return f"{atoms[0]}.{name}({arguments})" if is_method else f"{atoms[0]}.{name}"
    called = case.call.function.replace("numpy.", "np.", 1).replace("builtins.", "", 1)
    return f"{called}({', '.join([*atoms, *keywords])})"


def plain(case: Case) -> str:
    return f"def f({', '.join(case.values)}):\n    return {written(case)}\n"


def weighted(case: Case) -> str:
    """A scalar that no symmetry can fool."""
    return f"def f({', '.join(case.values)}):\n    return np.sum(np.sin({written(case)}))\n"


def subsets(case: Case) -> Iterator[list[str]]:
    """The active arguments one by one, and all of them."""
    for size in sorted({1, len(case.active)}):
        yield from map(list, combinations(case.active, size))


def places(case: Case, keys: list[str]) -> tuple[str, ...]:
    return tuple(case.places[key] for key in keys)


def of_one_shape(name: str, call: Call) -> bool:
    """Tells whether a call has several active arguments, all of one shape."""
    if function(name) is None:
        return False
    case = Case(name, call)
    return len(case.active) > 1 and len({np.shape(case.bound[k]) for k in case.active}) == 1


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_reverse_mode(define: Any, name: str, call: Call) -> None:
    case = Case(name, call)
    f = define(plain(case))
    expected = case.bars()
    before = copy.deepcopy(case.values)
    for active in subsets(case):
        vjp = derivative("vjp", f, places(case, active))
        bars = vjp(**case.values, out_bar=case.out_bar)
        for key, bar in zip(active, bars, strict=True):
            assert np.shape(bar) == np.shape(case.bound[key])
            np.testing.assert_allclose(bar, expected[key], rtol=1e-11, atol=1e-13)
    for key, value in before.items():
        np.testing.assert_array_equal(case.values[key], value)


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_single_precision_stays(define: Any, name: str, call: Call) -> None:
    case = Case(name, in_single_precision(call))
    vjp = derivative("vjp", define(plain(case)), places(case, case.active))
    bars = vjp(**case.values, out_bar=case.out_bar)
    for key, bar in zip(case.active, bars, strict=True):
        if isinstance(case.bound[key], np.ndarray):
            # FIXME: the logarithm of a Python number as base is double precision
            is_wider = case.rule.name in POWERS and isinstance(case.bound["x1"], int)
            assert bar.dtype == (np.float64 if is_wider else np.float32)


@pytest.mark.parametrize(("name", "call"), [c for c in CALLS if of_one_shape(*c.values)])
def test_one_variable_for_all_arguments(define: Any, name: str, call: Call) -> None:
    case = Case(name, call)
    first = case.places[case.active[0]]
    text = plain(case)
    for other in places(case, case.active[1:]):
        head, body = text.split("\n", 1)
        text = f"{head}\n{body.replace(other, first)}"
        case.values[other] = case.values[first]
    same = Case(name, Call(tuple(case.value(a) for a in case.call.args), call.keywords))
    expected = sum(same.bars().values())
    (bar,) = derivative("vjp", define(text), (first,))(**case.values, out_bar=same.out_bar)
    np.testing.assert_allclose(bar, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_the_value_is_unchanged(define: Any, name: str, call: Call) -> None:
    case = Case(name, call)
    f = define(weighted(case))
    value, _ = derivative("value_and_grad", f, places(case, case.active))(**case.values)
    np.testing.assert_array_equal(value, f(**case.values))
