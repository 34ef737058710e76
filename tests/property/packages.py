"""Functions of installed packages, with arguments that nobody chose for them.

Values of many kinds are drawn for the parameters of a function until it gives finite numbers, and
gives the same when it is called again: such a function can be held against differences, although
nobody here wrote it, or knows what it is for.
"""

import copy
import importlib
import inspect
import random
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, FunctionType
from typing import Any

import numpy as np

Draw = Callable[[np.random.Generator], Any]

KINDS: Mapping[str, Draw] = {
    "number": lambda rng: float(rng.uniform(0.2, 1.5)),
    "integer": lambda rng: int(rng.integers(1, 4)),
    "vector": lambda rng: rng.normal(size=3),
    "shares": lambda rng: rng.dirichlet(np.ones(5)),
    "direction": lambda rng: _unit(rng.normal(size=4)),
    "positive": lambda rng: rng.uniform(0.2, 1.2, size=5),
    "integers": lambda rng: rng.integers(0, 3, size=5),
    "list": lambda rng: [float(x) for x in rng.uniform(0.2, 1.5, size=3)],
    "square": lambda rng: rng.normal(size=(3, 3)),
    "covariance": lambda rng: _covariance(rng, 3),
    "rows": lambda rng: rng.normal(size=(5, 3)),
    "columns": lambda rng: rng.uniform(0.2, 1.2, size=(3, 5)),
    "stack": lambda rng: np.stack([_covariance(rng, 3) for _ in range(4)]),
}

MOST_PARAMETERS = 6
"""Functions with more parameters that have no default are left out."""

N_TRIES = 200
SECONDS = 2.0
"""How often arguments are drawn for a function, and how long one call may take."""


def _unit(x: Any) -> Any:
    return x / np.linalg.norm(x)


def _covariance(rng: np.random.Generator, n: int) -> Any:
    x = rng.normal(size=(n, n))
    return x @ x.T / n + np.eye(n)


def functions(module: str) -> list[tuple[str, FunctionType]]:
    """The functions that a module defines, by their names."""
    found = sorted(vars(importlib.import_module(module)).items())
    return [
        (name, value)
        for name, value in found
        if inspect.isfunction(value) and value.__module__ == module
        if not hasattr(value, "__wrapped__") and parameters(value)
    ]


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters that get arguments: those without a default; of none, the first."""
    every = [p for p in inspect.signature(function).parameters.values() if p.kind in _TAKING]
    needed = [p.name for p in every if p.default is p.empty]
    named = needed or [p.name for p in every[:1]]
    return tuple(named) if len(named) <= MOST_PARAMETERS else ()


_TAKING = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)


def points(function: Callable[..., Any], n: int) -> list[dict[str, Any]]:
    """Up to `n` points at which a function gives finite numbers, of different kinds each."""
    names, chosen = parameters(function), random.Random(1)
    rng = np.random.default_rng(0)
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, ...]] = set()
    for _ in range(N_TRIES):
        kinds = tuple(chosen.choices([*KINDS], k=len(names)))
        if chosen.random() < 0.3:
            kinds = kinds[:1] * len(names)
        if kinds in seen or len(found) == n:
            continue
        seen.add(kinds)
        point = dict(zip(names, (KINDS[kind](rng) for kind in kinds), strict=True))
        if moved(point) and _gives_numbers(function, point):
            found.append(point)
    return found


def moved(point: Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters with arguments of floats."""
    return tuple(n for n, x in point.items() if isinstance(x, float | list) or _is_real(x))


def _is_real(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.floating) and x.dtype == np.float64


def _gives_numbers(function: Callable[..., Any], point: Mapping[str, Any]) -> bool:
    """Tells whether a function gives finite numbers, and the same again, in some time."""
    try:
        with within(SECONDS):
            one, other = (function(**copy.deepcopy(dict(point))) for _ in range(2))
    except Exception:
        return False
    return _is_finite(one) and repr(one) == repr(other)


def _is_finite(out: Any) -> bool:
    if isinstance(out, tuple | list):
        return bool(out) and all(map(_is_finite, out))
    return (isinstance(out, float) or _is_real(out)) and bool(np.all(np.isfinite(out)))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Ends what takes longer, by a TimeoutError."""

    def late(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
