"""Checks the derivatives of a live function at a point: the gradient, and that of the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from adlsp.library import differences, errors
from adlsp.library.asked import Wrt, parameters
from adlsp.library.differentiated import differentiate, name_of, subject_of
from adlsp.library.refusal import DifferentiationError

Value = Any
"""Whatever a function takes or gives."""


def check(
    f: Callable[..., Any],
    args: Sequence[Any],
    wrt: Wrt | None,
    order: int,
    outputs: Sequence[str],
    tolerance: float,
) -> None:
    """Raises AssertionError where a derivative is wrong; see `api.check_grads`."""
    outputs = (outputs,) if isinstance(outputs, str) else outputs
    if order not in (1, 2):
        raise ValueError(f"`order` is 1 or 2, not {order!r}")
    if not isinstance(args, tuple | list):
        raise TypeError(errors.no_arguments(name_of(f), args))
    subject = subject_of(f)
    counted = subject.positional
    if wrt is None:
        wrt = tuple(i for i in differences.smooth_arguments(args) if i < len(counted))
        if not wrt:
            raise ValueError("no argument holds floating-point numbers: there is nothing to move")
    names, _ = parameters(subject, wrt)
    if missing := [name for name in names if name not in counted[: len(args)]]:
        raise ValueError(errors.not_given(name_of(f), missing[0]))
    moved = tuple((name, counted.index(name)) for name in names)
    pullback: Value = differentiate(f, names, "vjp", outputs)

    def primal(*given: Value) -> Value:
        result = f(*given)
        values = tuple(given[counted.index(name)] for name in outputs)
        return values if outputs else result

    def problems(function: Callable[..., Any], pulled: Value, tangent: Value) -> None:
        checked = differences.Checked(name_of(f), function, pulled, tangent, args, moved)
        if told := checked.problems(tolerance):
            raise AssertionError("\n".join(told))

    problems(primal, pullback, _tangent(f, names, outputs))
    if order == 2:
        seed = differences.seed(primal, args)
        first = partial(pullback, out_bar=seed)
        again: Value = differentiate(pullback, names, "vjp", ())
        tangent = _tangent(pullback, names, ())
        second = partial(again, inner_bar=seed)
        problems(first, second, tangent and partial(tangent, inner_bar=seed))


def _tangent(f: Callable[..., Any], wrt: Wrt, outputs: Sequence[str]) -> Value:
    """The tangent of a function; None where only its gradient can be made, as by a user's rule."""
    try:
        return differentiate(f, wrt, "jvp", outputs)
    except DifferentiationError:
        return None
