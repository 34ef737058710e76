"""What is asked of the derivative of a program, at points in its domain.

The truth is a difference of the primal, for one random direction per parameter, weighted with a
random gradient of the output: ⟨out_bar, f(x + h d) - f(x - h d)⟩ against ⟨x_bar, d⟩. A point where
the primal has a kink, or where no difference is surely exact enough (`five_points.py`), tells
nothing and is left out. Forward and reverse mode must agree to rounding: ⟨out_bar, out_dot⟩ is the
sum of ⟨x_bar, d⟩.
"""

import contextlib
import copy
import importlib.util
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import five_points
import guises
import numpy as np
import structures
import thinning

import adlsp
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.workspace import Workspace

LARGEST = 1e4
"""Outputs above this are left out: differences lose their digits there."""


LATE = {"AD203", "AD205", "AD302", "AD303", "AD304", "AD503"}
"""Findings that a derivative may raise when it runs, or is derived for its arguments."""


class WrongError(AssertionError):
    """A derivative that is not what it should be. `kind` is one word for what is wrong."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class LateError(Exception):
    """A derivative that refuses, when it runs, what its text could not tell: one of LATE."""


@dataclass(frozen=True)
class Verdict:
    """What became of a program: codes of the findings that refused it, and points checked."""

    refused: tuple[str, ...]
    checked: int


@contextlib.contextmanager
def refusing_late() -> Iterator[None]:
    """Runs a derivative that may refuse, or be refused for these arguments: LateError then."""
    try:
        yield
    except adlsp.DifferentiationError as error:
        if {found.code for found in error.findings} <= LATE:
            raise LateError(str(error)) from error
        raise
    except (TypeError, ValueError) as error:
        if any(f"({code})" in str(error) for code in LATE):
            raise LateError(str(error)) from error
        raise


def load(path: Path, text: str) -> ModuleType:
    """Makes a module of a text, in a file of its own, under a name by which it can be imported."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def run_program(
    path: Path,
    text: str,
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    points: tuple[dict[str, Any], ...],
) -> Verdict:
    """Checks the derivatives of the function `f` of a program; raises WrongError."""
    module = load(path, text)
    usable = [point for point in points if is_usable(module.f, point, outputs)]
    if not usable:
        return Verdict((), 0)
    derivatives = list(_derivatives(path, module.f, wrt, outputs))
    refused = tuple(dict.fromkeys(code for _, _, codes in derivatives for code in codes))
    if refused:
        return Verdict(refused, 0)
    made = [(name, derivative) for name, derivative, _ in derivatives]
    return _compared(made, module.f, usable, wrt, outputs)


def run_called(
    path: Path, text: str, wrt: tuple[str, ...], points: tuple[dict[str, Any], ...]
) -> Verdict:
    """Checks the derivatives that a program has where it is called; raises WrongError.

    They may be there though there is none for whatever arguments.
    """
    return run_function(load(path, text).f, wrt, points)


def run_each(
    folder: Path,
    name: str,
    programs: list[str],
    point: dict[str, Any],
    wrt: tuple[str, ...] = (),
    *others: dict[str, Any],
) -> int:
    """Checks that programs are right or refused; tells how many are not refused.

    Of many a part is tried, and what is told is of all. They are derived for whatever arguments,
    and where that is refused, for those at the point, or at each of several. Of interest is the
    first parameter, where nothing else is told.
    """
    wrong: list[str] = []
    n_accepted = 0
    points = (point, *others)
    wrt = wrt or (next(iter(point)),)
    tried = thinning.some(programs)
    for number, text in enumerate(tried):
        path = folder / f"{name.replace(' ', '_')}_{number}.py"
        try:
            verdict = run_program(path, text, wrt, (), points)
            if verdict.refused:
                verdict = run_called(path, text, wrt, points)
        except WrongError as error:
            wrong.append(f"{text}\n{error}")
            continue
        except adlsp.DifferentiationError:
            continue
        assert verdict.refused or verdict.checked, text
        n_accepted += not verdict.refused
    assert not wrong, "\n\n".join(wrong)
    return n_accepted * len(programs) // len(tried)


def run_function(
    f: Callable[..., Any], wrt: tuple[str, ...], points: tuple[dict[str, Any], ...]
) -> Verdict:
    """Checks the derivatives that a function has where it is called; raises WrongError."""
    usable = [point for point in points if is_usable(f, point, ())]
    try:
        made = [("live", adlsp.value_and_grad(f, wrt=wrt)), ("jvp", adlsp.jvp(f, wrt=wrt))]
    except adlsp.DifferentiationError as error:
        return Verdict(tuple(finding.code for finding in error.findings), 0)
    return _compared(made, f, usable, wrt, ())


def _compared(
    derivatives: list[tuple[str, Callable[..., Any]]],
    f: Callable[..., Any],
    points: list[dict[str, Any]],
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
) -> Verdict:
    """Compares derivatives with the truth at some points."""
    checked = 0
    for point in points:
        expected = differences(f, point, wrt, outputs)
        if expected is None:
            continue
        checked += 1
        for name, derivative in derivatives:
            check = compare_tangent if name == "jvp" else compare
            try:
                check(name, derivative, f, point, wrt, outputs, expected)
            except LateError:
                return Verdict(("late",), checked)
        for name, derivative in derivatives[:2]:
            if name != "jvp" and thinning.is_tried(source(derivative), 4):
                check_guises(derivative, f, point, wrt, outputs)
    return Verdict((), checked)


def source(derivative: Callable[..., Any]) -> str:
    """The text of a derivative; of one that is made for its arguments, that which ran last."""
    made: str = getattr(derivative, "source", None) or derivative.derivative.source  # type: ignore[attr-defined]
    return made


def _derivatives(
    path: Path, f: Callable[..., Any], wrt: tuple[str, ...], outputs: tuple[str, ...]
) -> Iterator[tuple[str, Callable[..., Any], tuple[str, ...]]]:
    """The derivatives of a function: for whatever arguments, and for what its arguments are."""
    try:
        live = adlsp.value_and_grad(f, wrt=wrt, outputs=outputs)
        generic = live.derivative
    except adlsp.DifferentiationError as error:
        yield "live", f, tuple(finding.code for finding in error.findings)
        return
    except Exception as error:
        raise WrongError("crash", f"deriving raises {error!r}") from error
    plain = (False,) if thinning.is_tried(path.read_text(), 3) else ()
    for optimize in (True, *plain):
        held = generic.request.signature  # what modules hold: there are no arguments yet
        derivative = static(path, wrt, outputs, optimize=optimize, signature=held)
        if not derivative.source:
            raise WrongError("refused", "the live way differentiates what the static way refuses")
        if optimize and derivative.source != generic.source:
            raise WrongError("static", "the static and the live text differ")
        yield f"optimize={optimize}", compiled(derivative), ()
        if optimize:
            yield "live", live, ()
    try:
        yield "jvp", adlsp.jvp(f, wrt=wrt, outputs=outputs), ()
    except Exception as error:
        raise WrongError("crash", f"deriving forward raises {error!r}") from error


def static(
    path: Path,
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    optimize: bool,
    function: str = "f",
    signature: str = "",
) -> Derivative:
    """The derivative of a function in a file, from its text."""
    workspace = Workspace()
    dotted = f"{workspace.module_name(str(path))}.{function}"
    request = Request(
        dotted,
        wrt,
        True,
        "value_and_grad",
        outputs=outputs,
        optimize=optimize,
        signature=signature,
    )
    try:
        return engine.derive(request, workspace.resolver(str(path)))
    except Exception as error:
        raise WrongError("crash", f"deriving raises {error!r}") from error


def compiled(derivative: Derivative) -> Callable[..., Any]:
    """The function that a derivative's text defines."""
    space: dict[str, Any] = {"__name__": "derivative"}
    try:
        exec(compile(derivative.source, derivative.name, "exec"), space)
    except SyntaxError as error:
        raise WrongError(
            "crash", f"the text does not compile: {error}\n{derivative.source}"
        ) from error
    made = space[derivative.name]
    made.source = derivative.source
    return made


def call(f: Callable[..., Any], point: dict[str, Any], outputs: tuple[str, ...]) -> Any:
    """The output of the primal, on copies of its arguments."""
    arguments = copy.deepcopy(point)
    result = f(**arguments)
    return tuple(arguments[name] for name in outputs) if outputs else result


def compare_tangent(
    name: str,
    derivative: Callable[..., Any],
    f: Callable[..., Any],
    point: dict[str, Any],
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    expected: dict[str, float],
) -> None:
    """Compares the tangent of the output with the truth; raises WrongError."""
    out = call(f, point, outputs)
    given = {**point, "dots": tuple(directions(point, wrt).values())}
    arguments = copy.deepcopy(given)
    try:
        out_dot = derivative(**arguments)
    except Exception as error:
        raise WrongError("crash", f"{name}: running raises {error!r} at {point}") from error
    text = f"\n{source(derivative)}"
    for key, argument in arguments.items():
        if not structures.is_same(argument, given[key]):
            raise WrongError("mutation", f"{name}: {key} was changed{text}")
    for mine, theirs in zip(structures.parts(out_dot), structures.parts(out), strict=True):
        if np.shape(mine) != np.shape(theirs):
            raise WrongError("structure", f"{name}: tangent {mine!r} for {theirs!r}{text}")
    paired = structures.inner(out_dot, weights(out, np.random.default_rng(3)))
    total = sum(expected.values())
    if not abs(paired - total) <= 4e-6 * max(1.0, *map(abs, expected.values())):
        message = f"{name}: {paired!r}, differences give {total!r} at {point}"
        raise WrongError("tangent", message + text)


def check_guises(
    derivative: Callable[..., Any],
    f: Callable[..., Any],
    point: dict[str, Any],
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
) -> None:
    """Checks a derivative at arguments in other guises; raises WrongError."""

    def primal(point: dict[str, Any]) -> Any:
        return call(f, point, outputs)

    out_bar = weights(primal(point), np.random.default_rng(3))
    try:
        found = guises.complaint(derivative, primal, point, wrt, out_bar)
    except Exception as error:
        found = f"running raises {error!r}"
    if found:
        raise WrongError("guise", f"{found} at {point}\n{source(derivative)}")


def is_usable(f: Callable[..., Any], point: dict[str, Any], outputs: tuple[str, ...]) -> bool:
    """Tells whether the primal runs here, to results of a sound size."""
    try:
        with np.errstate(all="raise"):
            out = call(f, point, outputs)
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        return False
    return all(
        np.all(np.isfinite(p)) and np.max(np.abs(p), initial=0.0) < LARGEST
        for p in structures.parts(out)
    )


def weights(out: Any, random: np.random.Generator) -> Any:
    """A random gradient in the structure of an output."""
    return structures.like(out, lambda shape: random.uniform(0.3, 1.0, shape))


def directions(point: dict[str, Any], wrt: tuple[str, ...]) -> dict[str, Any]:
    """A direction in which to move each parameter of interest."""
    random = np.random.default_rng(5)
    of_interest = {name: point[name] for name in wrt}
    made: dict[str, Any] = structures.like(of_interest, lambda s: random.uniform(0.4, 1.0, s))
    return made


def differences(
    f: Callable[..., Any], point: dict[str, Any], wrt: tuple[str, ...], outputs: tuple[str, ...]
) -> dict[str, float] | None:
    """The change of the weighted output along each direction; None where differences fail."""
    out_bar = weights(call(f, point, outputs), np.random.default_rng(3))
    found: dict[str, float] = {}
    for name, direction in directions(point, wrt).items():

        def at(shift: float, name: str = name, direction: Any = direction) -> list[float]:
            moved = structures.moved(point[name], direction, shift)
            try:
                return [structures.inner(call(f, {**point, name: moved}, outputs), out_bar)]
            except ValueError:  # another way through the program, with another output
                return [float("nan")]

        slope = five_points.slopes(at)
        if slope is None:
            return None
        found[name] = float(slope[0])
    return found


def compare(
    name: str,
    derivative: Callable[..., Any],
    f: Callable[..., Any],
    point: dict[str, Any],
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    expected: dict[str, float],
) -> None:
    """Compares a derivative with the truth; raises WrongError."""
    arguments, out = copy.deepcopy(point), call(f, point, outputs)
    out_bar = weights(out, np.random.default_rng(3))
    seed = copy.deepcopy(out_bar)
    try:
        with refusing_late():
            value, bars = derivative(**arguments, out_bar=seed)
    except LateError:
        raise
    except Exception as error:
        message = f"{name}: running raises {error!r} at {point}\n{source(derivative)}"
        raise WrongError("crash", message) from error
    text = f"\n{source(derivative)}"
    for key, argument in arguments.items():
        if not structures.is_same(argument, point[key]):
            raise WrongError("mutation", f"{name}: {key} was changed{text}")
    if not structures.is_same(seed, out_bar):
        raise WrongError("mutation", f"{name}: out_bar was changed{text}")
    arrays = [part for part in structures.parts(bars) if isinstance(part, np.ndarray)]
    given_arrays = [p for p in structures.parts([arguments, seed]) if isinstance(p, np.ndarray)]
    pairs = (*itertools.combinations(arrays, 2), *itertools.product(arrays, given_arrays))
    if any(np.shares_memory(*pair) for pair in pairs):
        raise WrongError("sharing", f"{name}: a gradient shares its memory{text}")
    for mine, theirs in zip(structures.parts(value), structures.parts(out), strict=True):
        if np.shape(mine) != np.shape(theirs) or not np.array_equal(mine, theirs):
            raise WrongError("value", f"{name}: {mine!r} is not {theirs!r}{text}")
    for key, bar in zip(wrt, bars, strict=True):
        if not structures.is_like(bar, point[key]):
            message = f"{name}: {key} has gradient {bar!r} for {point[key]!r}{text}"
            raise WrongError("structure", message)
        given = structures.inner(bar, directions(point, wrt)[key])
        if not abs(given - expected[key]) <= 2e-6 * max(1.0, abs(expected[key])):
            message = f"{name}: {key}: {given!r}, differences give {expected[key]!r} at {point}"
            raise WrongError("gradient", message + text)
