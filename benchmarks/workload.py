"""A workload: a program, its gradient written by hand, and arguments for both.

A gradient by hand is what a careful person would write for this one program with NumPy: it knows
the shapes, keeps what it needs in variables and lists, and touches nothing twice. It gives a tuple,
one gradient for each name in `wrt`. For a program that changes arrays in place (`outputs`) it takes
the gradients of these as `out_bar`, and leaves its arguments as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Workload:
    """One program, to be measured at some sizes; `small` is the size at which it is tested.

    `name` may contain `{}` for the size. `pure` is the same program without stores, for peers that
    know none; it is called with their NumPy first. `is_traced` says that a peer can compile it.
    """

    name: str
    primal: Function
    hand: Function
    arguments: Callable[[int], tuple[Any, ...]]
    wrt: tuple[str, ...]
    sizes: tuple[int, ...]
    small: int
    outputs: tuple[str, ...] = ()
    pure: Function | None = None
    is_traced: bool = True

    def title(self, size: int) -> str:
        """The name of one row."""
        return self.name.format(size)

    def seed(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Gradients of the outputs: some numbers in their shapes."""
        names = self.primal.__code__.co_varnames
        return tuple(numbers(*arguments[names.index(o)].shape, seed=9) for o in self.outputs)


def numbers(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> Any:
    """Random numbers, the same each time."""
    return np.random.default_rng(seed).uniform(low, high, shape)
