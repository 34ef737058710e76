"""A kernel and the arguments at which it is checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]


@dataclass(frozen=True)
class Kernel:
    """A function to be differentiated, with arguments by name.

    `reference` computes the same by other means where there are any, and in autograd's words:
    nothing is changed in place.
    """

    function: Function
    args: dict[str, Any]
    wrt: tuple[str, ...]
    reference: Function
    outputs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.function.__name__


def numbers(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> Any:
    """Random numbers, the same each time."""
    return np.random.default_rng(seed).uniform(low, high, shape)


def dominant(n: int, seed: int = 0) -> Any:
    """A matrix whose diagonal dominates, so that elimination needs no pivots."""
    return numbers(n, n, seed=seed) + n * np.eye(n)


def definite(n: int, seed: int = 0) -> Any:
    """A symmetric positive definite matrix."""
    a = numbers(n, n, seed=seed)
    return a @ a.T + n * np.eye(n)


def collect(*groups: tuple[Kernel, ...]) -> Iterator[Kernel]:
    """All kernels of some files."""
    for group in groups:
        yield from group
