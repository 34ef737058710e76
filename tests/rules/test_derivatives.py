"""The same samples end to end: a function of one call, differentiated by the library.

The rules alone are tested in `test_rules.py`; here their derivatives are what generated code has to
reproduce, for each subset of the active arguments, in both modes and once more differentiated. What
is put together by a display, as in `np.stack((a, b))`, are arguments of their own here. Each one
is also called with arrays that are read-only and not contiguous. Of each rule the first and the
last sample are tried, and of the others every second one (`thinning.py`).
"""

import copy
import functools
import importlib.util
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thinning
from cases import CASES, COMPOSITES, DIFFERENTIABLE, Case, in_single_precision
from interpreter import function
from samples import Call
from tree import close_to, equal, inner, is_smooth, moved, shapes_of, total

import adlsp
from adlsp.transform import ir

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@"}
OPERATORS |= {"mod": "%"}
SIGNS = {"neg": "-", "pos": "+"}

ONCE = ("numpy.linalg.eigvals", "numpy.linalg.svd", "numpy.linalg.svdvals", "scipy.linalg.svd")
"""Functions whose second derivative is refused."""


FIRST_NAMES = {d.functions[0] for d in DIFFERENTIABLE}
FIRST_NAMES |= {f"operator.{name}" for name in (*OPERATORS, *SIGNS)}
CALLS = [
    case
    for case in CASES
    if case.values[0] in FIRST_NAMES
    and not str(case.values[0]).startswith(("adlsp.", "python.", "numpy.c_", "numpy.r_"))
]
BY_NAME: dict[str, list[Any]] = {}
for one in CALLS:
    BY_NAME.setdefault(str(one.values[0]), []).append(one)
SOME = [c for calls in BY_NAME.values() for c in (*calls[: -1 : thinning.STEP], calls[-1])]
"""Those of which the first derivatives are tried."""

HEADER = "import copy\nimport math\n\nimport numpy as np\n{}\n\n"


@pytest.fixture(scope="session")
def define(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Callable[..., Any]]:
    """Makes functions from texts, in modules with files of their own; the same one for one text."""
    folder: Path = tmp_path_factory.mktemp("functions")

    @functools.cache
    def make(text: str) -> Callable[..., Any]:
        path = folder / f"module_{make.cache_info().currsize}.py"
        packages = sorted(set(re.findall(r"scipy\.\w+", text)))
        path.write_text(HEADER.format("".join(f"import {p}\n" for p in packages)) + text)
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


class Program:
    """A case as a function of a user: its parameters, and which of them are active.

    `keys` says of each active parameter which argument of the rule it is, and where a display puts
    it in that.
    """

    def __init__(self, name: str, call: Call) -> None:
        self.case = Case(name, call)
        self.values: dict[str, Any] = {}
        self.shown: dict[str, str] = {}
        for variable, value in self.case.values.items():
            is_display = isinstance(value, list | tuple) and is_smooth(value)
            parts = {f"{variable}_{i}": part for i, part in enumerate(value)} if is_display else {}
            self.values |= parts or {variable: value}
            self.shown[variable] = f"[{', '.join(parts)}]" if is_display else variable
        self.keys: dict[str, tuple[str, int | None]] = {}
        for key, variable in self.case.places.items():
            is_display = variable not in self.values
            names = re.findall(r"\w+", self.shown[variable])
            self.keys |= {n: (key, i if is_display else None) for i, n in enumerate(names)}
        self.active = tuple(self.keys)

    def pick(self, by_argument: dict[str, Any], name: str) -> Any:
        """What belongs to an active parameter, of something given for the rule's arguments."""
        key, position = self.keys[name]
        return by_argument[key] if position is None else by_argument[key][position]

    def dots(self, active: tuple[str, ...]) -> tuple[Any, ...]:
        """The tangents of some parameters."""
        return tuple(self.pick(self.case.dots, name) for name in active)

    def subsets(self) -> Iterator[tuple[str, ...]]:
        """The active parameters one by one, and all of them."""
        for size in sorted({1, len(self.active)}):
            yield from combinations(self.active, size)

    def plain(self) -> str:
        """The text of a function that gives the result of the call."""
        return f"def f({', '.join(self.values)}):\n    return {self.written()}\n"

    def weighted(self) -> str:
        """The text of a function that gives a scalar that no symmetry can fool."""
        head = f"def f({', '.join(self.values)}):\n"
        if isinstance(self.case.out, dict):
            terms = [f"np.sum(np.sin(made[{key!r}]))" for key in self.case.out]
            return f"{head}    made = {self.written()}\n    return {' + '.join(terms)}\n"
        if not isinstance(self.case.out, list | tuple):
            whole = f"np.sin({self.written()})"
            if np.iscomplexobj(self.case.out):
                whole = f"np.abs({self.written()} - (1.5 - 2.0j)) ** 3"
            return f"{head}    return np.sum({whole})\n"
        parts = [f"part_{i}" for i in range(len(self.case.out))]
        terms = [f"np.sum(np.sin({part}))" for part in parts]
        unpacked = f"    {', '.join(parts)} = {self.written()}\n"
        return f"{head}{unpacked}    return {' + '.join(terms)}\n"

    def written(self) -> str:
        """The call as a user writes it; arguments that are no literals are variables."""
        call = self.case.call
        home, _, name = call.function.rpartition(".")
        atoms = [self.atom(a) for a in call.args]
        keywords = [f"{key}={self.atom(a)}" for key, a in call.keywords]
        if home == "operator":
            left, *right = atoms
            return f"{left} {OPERATORS[name]} {right[0]}" if right else f"{SIGNS[name]}{left}"
        if home == "ndarray":
            arguments = ", ".join([*atoms[1:], *keywords])
            is_method = callable(getattr(np.ndarray, name))
            return f"{atoms[0]}.{name}({arguments})" if is_method else f"{atoms[0]}.{name}"
        called = call.function.replace("numpy.", "np.", 1).replace("builtins.", "", 1)
        return f"{called}({', '.join([*atoms, *keywords])})"

    def atom(self, atom: ir.Atom) -> str:
        if isinstance(atom, ir.Name):
            return self.shown[atom.id]
        assert isinstance(atom, ir.Const)
        return repr(atom.value)


def of_one_shape(name: str, call: Call) -> bool:
    """Tells whether a call has several active arguments, all of one shape."""
    if function(name) is None:
        return False
    program = Program(name, call)
    return (
        len({str(shapes_of(program.values[n])) for n in program.active}) == 1 < len(program.active)
    )


@pytest.mark.parametrize(("name", "call"), SOME)
def test_reverse_mode(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    f = define(program.plain())
    expected = program.case.bars()
    before = copy.deepcopy(program.values)
    for active in program.subsets():
        vjp = derivative("vjp", f, active)
        bars = vjp(**program.values, out_bar=program.case.out_bar)
        for parameter, bar in zip(active, bars, strict=True):
            assert shapes_of(bar) == shapes_of(program.values[parameter])
            close_to(bar, program.pick(expected, parameter), rtol=1e-11, atol=1e-13)
    for parameter, value in before.items():
        equal(program.values[parameter], value)
    values = {parameter: strided(value) for parameter, value in program.values.items()}
    again = derivative("vjp", f, program.active)(**values, out_bar=strided(program.case.out_bar))
    for parameter, bar in zip(program.active, again, strict=True):
        close_to(bar, program.pick(expected, parameter), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("name", "call"), SOME)
def test_forward_mode(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    f = define(program.plain())
    before = copy.deepcopy(program.values)
    by_argument = program.case.bars()
    for active in program.subsets():
        dots = program.dots(active)
        out_dot = derivative("jvp", f, active)(**program.values, dots=dots)
        assert shapes_of(out_dot) == shapes_of(program.case.out)
        bars = [program.pick(by_argument, parameter) for parameter in active]
        forth = inner(program.case.out_bar, out_dot)
        np.testing.assert_allclose(inner(bars, dots), forth, rtol=1e-10, atol=1e-11)
    expected = program.case.out_dot(program.case.active)
    close_to(out_dot, expected, rtol=1e-11, atol=1e-12)
    for parameter, value in before.items():
        equal(program.values[parameter], value)
    values = {parameter: strided(value) for parameter, value in program.values.items()}
    again = derivative("jvp", f, active)(**values, dots=tuple(map(strided, dots)))
    close_to(again, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("name", "call"), [c for c in CALLS if of_one_shape(*c.values)])
def test_one_variable_for_all_arguments(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    first, *others = program.active
    same = {id(program.values[parameter]): program.values[first] for parameter in others}

    def shared(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(shared(element) for element in value)
        return same.get(id(value), value)

    values = {p: shared(v) for p, v in program.values.items()}
    expected_of = Program(name, Call(tuple(map(shared, call.args)), call.keywords))
    by_argument = expected_of.case.bars()
    expected = total([expected_of.pick(by_argument, p) for p in program.active])
    head, body = program.plain().split("\n", 1)
    names = "|".join(others)
    text = f"{head}\n" + re.sub(rf"\b({names})\b", first, body)
    (bar,) = derivative("vjp", define(text), (first,))(**values, out_bar=expected_of.case.out_bar)
    np.testing.assert_allclose(bar, expected, rtol=1e-11, atol=1e-13)


def chosen(most: int = 3) -> Iterator[Any]:
    """The first, the last, and one more sample of each rule, or fewer."""
    for cases in BY_NAME.values():
        every = {id(c): c for c in (cases[0], cases[len(cases) // 2], cases[-1])}
        yield from [*every.values()][:most]


@pytest.mark.parametrize(("name", "call"), [*chosen()])
def test_single_precision_stays(define: Any, name: str, call: Call) -> None:
    program = Program(name, in_single_precision(call))
    vjp = derivative("vjp", define(program.plain()), program.active)
    bars = vjp(**program.values, out_bar=program.case.out_bar)
    for parameter, bar in zip(program.active, bars, strict=True):
        if isinstance(program.values[parameter], np.ndarray):
            assert bar.dtype == np.float32


@pytest.mark.parametrize(("name", "call"), [*chosen(1)])
def test_the_value_is_unchanged(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    f = define(program.weighted())
    value, _ = derivative("value_and_grad", f, program.active)(**program.values)
    np.testing.assert_array_equal(value, f(**program.values))


def strided(value: Any) -> Any:
    """The same numbers, each second one of a larger array that must not be written to."""
    if isinstance(value, list | tuple):
        return type(value)(strided(element) for element in value)
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    view = np.repeat(value, 2, axis=-1)[..., ::-2][..., ::-1]
    view.flags.writeable = False
    return view


def is_ragged(value: Any) -> bool:
    """Tells whether a value is no array, and no list that could be one."""
    if isinstance(value, list):
        return len({str(shapes_of(element)) for element in value}) > 1
    return isinstance(value, dict)


@pytest.mark.parametrize(("name", "call"), [*chosen(3 if thinning.IS_WHOLE else 2)])
def test_second_order(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    active, dots = program.active, program.dots(program.active)
    gradient = derivative("grad", define(program.weighted()), active)
    if name in ONCE:
        with pytest.raises(adlsp.DifferentiationError):
            derivative("jvp", gradient, active)
        return

    def weighted_gradient(step: float, weight: float) -> Any:
        steps = zip(active, dots, strict=True)
        at = {p: moved(program.values[p], d, step) for p, d in steps}
        alike = {p: v for p, v in at.items() if not is_ragged(v)}
        at |= {p: np.asarray(v)[()] for p, v in alike.items()}
        arrays = {p: np.asarray(at[p]) for p in alike if np.ndim(program.values[p])}
        return [moved(None, g, weight) for g in gradient(**{**program.values, **at, **arrays})]

    h = 1e-3
    steps = {h: 8, -h: -8, 2 * h: -1, -2 * h: 1}
    expected = total([weighted_gradient(s, w / (12 * h)) for s, w in steps.items()])
    forward = derivative("jvp", gradient, active)(**program.values, dots=dots)
    close_to(forward, expected, rtol=1e-7, atol=1e-7)
    backward = derivative("vjp", gradient, active)(**program.values, out_bar=dots)
    close_to(backward, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(("name", "call"), COMPOSITES)
def test_calls_that_stand_for_steps(define: Any, name: str, call: Call) -> None:
    program = Program(name, call)
    f = define(program.plain())
    adlsp.check_grads(f, [*program.values.values()], wrt=program.active, order=2)
    primal = define(program.weighted())
    value, _ = derivative("value_and_grad", primal, program.active)(**program.values)
    np.testing.assert_allclose(value, primal(**program.values), rtol=1e-12)


@pytest.mark.skipif(not hasattr(np, "cumulative_sum"), reason="NumPy 2.1 has these names")
def test_parameters_with_two_names(define: Any) -> None:
    clipped = "np.clip(v, min=-0.5, max=0.8)"
    f = define(f"def f(v):\n    return np.var({clipped}, correction=1, mean=None)\n")
    adlsp.check_grads(f, (np.array([0.3, -0.7, 1.1, 0.1]),))
