"""What a sample of a rule for TensorFlow is: a call in text, and its arguments as NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Sample:
    """A call of a function of TensorFlow, `{f}(x, axis=1)`, at a point.

    `at` has the arguments by name; those of floats are differentiated, others are passed as they
    are. `{f}` stands for each of the names of a rule. `is_twice` tells whether second derivatives
    are compared; they need a function that TensorFlow itself differentiates twice. `is_taped` tells
    whether gradients are compared with those of TensorFlow; where it raises, with differences.
    `is_single` tells that TensorFlow computes in single precision only.
    """

    text: str
    at: dict[str, Array] = field(default_factory=dict)
    is_twice: bool = True
    is_taped: bool = True
    is_single: bool = False

    @property
    def active(self) -> tuple[str, ...]:
        """The arguments with derivatives."""
        return tuple(n for n, v in self.at.items() if np.asarray(v).dtype.kind == "f")


def sample(
    text: str,
    /,
    is_twice: bool = True,
    is_taped: bool = True,
    is_single: bool = False,
    **at: Array,
) -> Sample:
    """A sample, with its arguments by name."""
    return Sample(text, at, is_twice and is_taped, is_taped, is_single)


def array(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Array:
    """Numbers between two bounds, the same each time; other seeds give others."""
    random = np.random.default_rng([seed, *shape])
    return random.uniform(low, high, shape)


def each(low: float = -2.0, high: float = 2.0) -> list[Sample]:
    """One argument of a function on elements: a vector, a matrix, nothing, a scalar."""
    shapes: list[tuple[int, ...]] = [(3,), (2, 3), (0,), ()]
    return [sample("{f}(x)", x=array(*shape, low=low, high=high)) for shape in shapes]


def pairs(
    first: tuple[float, float] = (-2.0, 2.0), second: tuple[float, float] = (-2.0, 2.0)
) -> list[Sample]:
    """Two arguments of a function on elements, with all kinds of broadcasting."""
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 1), (1, 3)),
        ((), (2, 3)),
        ((3,), ()),
        ((0, 3), (3,)),
    ]
    return [
        sample(
            "{f}(x, y)",
            x=array(*one, low=first[0], high=first[1]),
            y=array(*other, low=second[0], high=second[1], seed=1),
        )
        for one, other in shapes
    ]
