"""Jacobians, row by row from vector-Jacobian products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def jacobian(f: Callable[..., Any], pullback: Callable[..., Any]) -> Callable[..., Any]:
    """Makes the function for the Jacobian of `f` from its pullback.

    The output of `f` must be a number or an array; the Jacobian has its shape, then that of the
    argument. Raises TypeError for another output.
    """

    def rows(*args: object, **options: object) -> object:
        out = f(*args, **options)
        if isinstance(out, tuple | list | dict):
            raise TypeError(
                "the Jacobian of a function that returns several values is not one array"
            )
        shape = np.shape(out)
        made = []
        for position in np.ndindex(*shape):
            out_bar: Any = np.zeros(shape)
            out_bar[position] = 1.0
            made.append(pullback(*args, out_bar=out_bar if shape else 1.0, **options))
        if made and isinstance(made[0], tuple):
            return tuple(_stacked(part, shape) for part in zip(*made, strict=True))
        return _stacked(made, shape)

    rows.__name__ = f"{getattr(f, '__name__', 'function')}_jacobian"
    return rows


def _stacked(rows: Any, shape: tuple[int, ...]) -> object:  # noqa: ANN401
    stacked = np.array(rows)
    return stacked.reshape((*shape, *stacked.shape[1:]))
