"""Jacobians, row by row from vector-Jacobian products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adlsp.library import derivatives
from adlsp.library.sending import packing


class Jacobian:
    """The function for the Jacobian of `f`, made from its pullback.

    The output of `f` must be a number or an array; the Jacobian has its shape, then that of the
    argument. Raises TypeError for another output.
    """

    def __init__(self, f: Callable[..., Any], pullback: Callable[..., Any]) -> None:
        self._f = f
        self._pullback = pullback
        self.__name__ = f"{getattr(f, '__name__', 'function')}_jacobian"

    def __call__(self, *args: object, **options: object) -> object:
        """The Jacobian at `args`."""
        out = self._f(*args, **options)
        if isinstance(out, tuple | list | dict):
            raise TypeError(
                "the Jacobian of a function that returns several values is not one array: "
                "differentiate a function that returns one of them, or all in one array"
            )
        shape = np.shape(out)
        made = []
        for position in np.ndindex(*shape):
            out_bar: Any = np.zeros(shape)
            out_bar[position] = 1.0
            made.append(self._pullback(*args, out_bar=out_bar if shape else 1.0, **options))
        if made and isinstance(made[0], tuple):
            return tuple(_stacked(part, shape) for part in zip(*made, strict=True))
        return _stacked(made, shape)

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Jacobian, (packing.portable(self._f), self._pullback)

    def __copy__(self) -> Jacobian:
        return self

    def __deepcopy__(self, memo: object) -> Jacobian:
        return self


def _stacked(rows: Any, shape: tuple[int, ...]) -> object:  # noqa: ANN401
    stacked = np.array(rows)
    made = stacked.reshape((*shape, *stacked.shape[1:]))
    are_tensors = bool(rows) and derivatives.is_tensor(rows[0])
    return derivatives.tensor_like(rows[0], made) if are_tensors else made
