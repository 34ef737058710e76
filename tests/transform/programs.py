"""The program of a case as files that can be imported, its derivatives, and its numbers."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import differences
import numpy as np
import pytest
from literate import Case, Check, Point

import adlsp
from adlsp import runtime as rt
from adlsp.library import subjects
from adlsp.library.live import LiveResolver
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.source import Source
from adlsp.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Program:
    """A case in a folder: the static way into the engine, and the module that Python imports."""

    case: Case
    source: Source
    resolver: StaticResolver
    folder: Path
    derived: dict[Request, Derivative] = field(default_factory=dict)
    cache: QueryCache = field(default_factory=QueryCache)

    def request(self, check: Check, kind: str, *, optimize: bool = True) -> Request:
        """What the case asks the engine for."""
        function = f"{self.source.module}.{check.function}"
        return Request(
            function,
            check.wrt,
            check.is_tuple,
            kind,
            outputs=check.outputs,
            optimize=optimize,
            signature=check.signature,
        )

    def derive(self, check: Check, kind: str, *, optimize: bool = True) -> Derivative:
        """The derivative by the static way."""
        return self.derivative(self.request(check, kind, optimize=optimize))

    def derivative(self, request: Request) -> Derivative:
        """The derivative that is asked for, which is written once; its functions are read once."""
        if request not in self.derived:
            self.derived[request] = engine.derive(request, self.resolver, self.cache)
        return self.derived[request]


@contextmanager
def written(case: Case, folder: Path) -> Iterator[Program]:
    """Writes the files of a case; while in the context, they can be imported."""
    if any("import tensorflow" in text for _, text in case.files):
        pytest.importorskip("tensorflow")
    for name, text in case.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.parent != folder:
            (path.parent / "__init__.py").touch()
    workspace = Workspace()
    main = str(folder / case.main)
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield Program(case, workspace.source(main), workspace.resolver(main), folder)
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(str(folder)):
                del sys.modules[name]


def imported(case: Case) -> ModuleType:
    """The module of a case, run by Python."""
    return importlib.import_module(case.module)


def arguments(point: Point) -> dict[str, Any]:
    """The arguments of an `at:` line, made anew; `rng` starts from the same seed each time.

    It may speak of classes in the case's own file.
    """
    case = vars(sys.modules["case"]) if "case" in sys.modules else {}
    space = {**case, "np": np, "rt": rt, "rng": np.random.default_rng(11)}
    return {name: eval(expression, space) for name, expression in point}


def primal_of(case: Case, check: Check) -> Callable[..., Any]:
    """What a case differentiates, in the running program."""
    module = imported(case)
    made: Callable[..., Any] = getattr(module, check.function, None)
    return made if check.live is None else eval(check.live, {"np": np, **vars(module)})


def compiled(derivative: Derivative, primal: Callable[..., Any]) -> Callable[..., Any]:
    """The function in the text of a derivative, given what the primal has captured."""
    space: dict[str, Any] = {"__name__": "derivative"}
    exec(compile(derivative.source, derivative.name, "exec"), space)
    function: Callable[..., Any] = space[derivative.name]
    taken = subjects.subject(primal)
    if taken is None or taken.is_plain:
        return function
    root = LiveResolver(taken.function, taken.owner).root
    assert root is not None
    named = inspect.signature(function).parameters
    cells = taken.cells([name for name in root.captured if name in named], root.followed)
    held = {name: cell.cell_contents for name, cell in cells.items()}
    return functools.partial(function, *taken.args, **taken.named, **held)


def outcome(primal: Callable[..., Any], check: Check, given: dict[str, Any]) -> Any:
    """What a case differentiates: the result, or the outputs after the call."""
    result = primal(**given)
    return tuple(given[name] for name in check.outputs) if check.outputs else result


def weighted(
    primal: Callable[..., Any], check: Check, point: Point, name: str, weights: Any
) -> Callable[[Any], float]:
    """The primal as a function of one argument, its result weighted to one number."""

    def f(x: Any) -> float:
        given = {**arguments(point), name: differences.copied(x)}
        return differences.weighted(outcome(primal, check, given), weights)

    return f


def generator() -> np.random.Generator:
    """Where weights come from: the same in each run."""
    return np.random.default_rng(5)


def check_numbers(program: Program, check: Check, *, optimize: bool) -> None:
    """Holds the derivative against the primal at each point of the case."""
    primal = primal_of(program.case, check)
    kind = "vjp" if check.outputs else check.kind
    pullback = compiled(program.derive(check, kind, optimize=optimize), primal)
    with_value = compiled(program.derive(check, "value_and_grad", optimize=optimize), primal)
    push = compiled(program.derive(check, "jvp", optimize=optimize), primal)
    for word, point in check.refused:
        out_bar = differences.weights(outcome(primal, check, arguments(point)), generator())
        with pytest.raises((TypeError, ValueError), match=word):
            pullback(**arguments(point), out_bar=out_bar)
    for point in check.points:
        fresh = differences.copied(arguments(point))
        out = outcome(primal, check, fresh)
        out_bar = differences.weights(out, generator())
        is_plain = check.kind == "grad" and not check.outputs and np.shape(out) == ()
        seed: dict[str, Any] = {} if is_plain else {"out_bar": differences.copied(out_bar)}
        weights = 1.0 if is_plain else out_bar

        given = arguments(point)
        before = differences.copied(given)
        found = pullback(**given, **seed)
        assert differences.same(given, before), f"{point}: the arguments were changed"
        assert differences.same(seed.get("out_bar"), out_bar if seed else None), (
            f"{point}: `out_bar` was changed"
        )
        value, again = with_value(**arguments(point), **seed)
        assert differences.same(value, out), f"{point}: value {value!r} instead of {out!r}"

        found = found[1] if kind == "value_and_grad" else found
        gradients = found if check.is_tuple else (found,)
        assert len(gradients) == len(check.wrt)
        for position, (name, x_bar) in enumerate(zip(check.wrt, gradients, strict=True)):
            if check.expected:
                meant = getattr(imported(program.case), check.expected)(**arguments(point), **seed)
                expected = meant[position] if check.is_tuple else meant
            else:
                f = weighted(primal, check, point, name, weights)
                expected = differences.gradient(f, given[name])
            wrong = differences.mismatch(x_bar, expected, given[name])
            assert wrong is None, f"{name} at {point}: {wrong}"
        assert differences.same(found, again), f"{point}: value_and_grad gives another gradient"

        dots = tuple(differences.weights(given[name], generator()) for name in check.wrt)
        given_dots = differences.copied(dots)
        given = arguments(point)
        before = differences.copied(given)
        out_dot = push(**given, dots=given_dots)
        assert differences.same(given, before), f"{point}: the tangent changed the arguments"
        assert differences.same(given_dots, dots), f"{point}: `dots` were changed"
        if check.expected:
            slopes = differences.along(moving(primal, check, point, dots))
            for (_, one), slope in zip(differences.leaves(out_dot), slopes, strict=True):
                assert differences.close(one, slope, 1e-6), f"{point}: tangent {one!r}"
            continue
        paired = sum(differences.weighted(x, d) for x, d in zip(gradients, dots, strict=True))
        assert differences.close(
            differences.weighted(out_dot, out_bar) if seed else differences.weighted(out_dot, 1.0),
            paired,
            max(1e-9, differences.precision(list(given.values())) / 10),
        ), f"{point}: the tangent {out_dot!r} is none to the gradient"


def check_called(
    program: Program, check: Check, point: Point, made: Callable[..., Any], general: Derivative
) -> None:
    """Holds what is called at a point against the derivative for whatever arguments."""
    primal = primal_of(program.case, check)
    out = outcome(primal, check, arguments(point))
    is_plain = check.kind == "grad" and not check.outputs and np.shape(out) == ()
    out_bar = differences.weights(out, generator())
    found, expected = (
        f(**arguments(point), **({} if is_plain else {"out_bar": differences.copied(out_bar)}))
        for f in (made, compiled(general, primal))
    )
    pairs = zip(differences.leaves(found), differences.leaves(expected), strict=True)
    assert all(differences.close(one, other, 1e-9) for (_, one), (_, other) in pairs), (
        f"{point}: {found!r} instead of {expected!r}"
    )
    arrays = [leaf for _, leaf in differences.leaves(found) if isinstance(leaf, np.ndarray)]
    assert not any(np.shares_memory(*pair) for pair in combinations(arrays, 2)), (
        f"{point}: two gradients share memory"
    )


def moving(primal: Any, check: Check, point: Point, dots: tuple[Any, ...]) -> Any:
    """The primal as a function of how far its inputs of interest are moved along a direction."""

    def at(size: float) -> Any:
        given = arguments(point)
        for name, direction in zip(check.wrt, dots, strict=True):
            given[name] = differences.moved(given[name], direction, size)
        return outcome(primal, check, given)

    return at


def check_second_order(program: Program, check: Check) -> None:
    """Holds second derivatives, forward and in reverse over reverse, against the gradient."""
    primal = primal_of(program.case, check)
    gradient = compiled(program.derive(check, "grad"), primal)
    inner = program.request(check, "grad")
    made = []
    for kind in ("jvp", "vjp"):
        outer = replace(program.request(check, kind), inner=inner)
        made.append(compiled(program.derivative(outer), primal))
    push, pull = made
    wrt = check.wrt if check.is_tuple else check.wrt[0]
    again = adlsp.vjp(adlsp.grad(primal, wrt, outputs=check.outputs), wrt)
    for point in check.points:
        given = arguments(point)
        weights = differences.weights(outcome(primal, check, arguments(point)), generator())
        is_plain = not check.outputs and np.shape(weights) == ()
        seed = {} if is_plain else {"out_bar": weights}
        inner_seed = {} if is_plain else {"inner_bar": weights}
        dots = tuple(differences.weights(given[name], generator()) for name in check.wrt)

        def shifted(
            size: float,
            point: Point = point,
            dots: tuple[Any, ...] = dots,
            seed: dict[str, Any] = seed,
        ) -> Any:
            at = arguments(point)
            for name, direction in zip(check.wrt, dots, strict=True):
                at[name] = differences.moved(at[name], direction, size)
            return gradient(**at, **seed)

        found = push(**arguments(point), **inner_seed, dots=dots)
        for (_, one), expected in zip(
            differences.leaves(found), differences.along(shifted), strict=True
        ):
            assert differences.close(one, expected, 1e-6), f"{point}: {one!r} for {expected!r}"
        bars = differences.weights(found, np.random.default_rng(6))
        pulled = pull(**given, **inner_seed, out_bar=bars)
        back = pulled if check.is_tuple else (pulled,)
        paired = sum(differences.weighted(x, d) for x, d in zip(back, dots, strict=True))
        assert differences.close(differences.weighted(found, bars), paired, 1e-9), (
            f"{point}: reverse over reverse is none to forward over reverse"
        )
        known = again(**arguments(point), **inner_seed, out_bar=bars)
        pairs = zip(differences.leaves(known), differences.leaves(pulled), strict=True)
        assert all(differences.close(one, other, 1e-9) for (_, one), (_, other) in pairs), (
            f"{point}: {known!r} for what is known, instead of {pulled!r}"
        )
