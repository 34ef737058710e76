"""Numbers, arrays, and containers of them: tangents, steps, sums, comparisons."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adlsp import runtime as rt

FLOAT = np.dtype(np.float64)


def is_smooth(value: Any) -> bool:
    """Tells whether a value, or an element of it, may be differentiated."""
    if isinstance(value, dict):
        return is_smooth([*value.values()])
    if isinstance(value, list | tuple):
        return any(is_smooth(element) for element in value)
    is_number = isinstance(value, float | complex)
    return is_number or getattr(value, "dtype", np.dtype(int)).kind in "fc"


def tangent(random: np.random.Generator, value: Any) -> Any:
    """A random tangent of a value."""
    if isinstance(value, dict):
        return {key: tangent(random, part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [tangent(random, element) for element in value]
    if isinstance(value, bool):
        return 0.0
    if np.iscomplexobj(value):
        made = random.normal(size=np.shape(value)) + 1j * random.normal(size=np.shape(value))
        return made if isinstance(value, np.ndarray) else complex(made)
    if isinstance(value, float) and not isinstance(value, np.floating):
        return float(random.normal())
    made = random.normal(size=np.shape(value)).astype(value.dtype)
    if isinstance(value, rt.Growing):
        return rt.growing(made)
    return made if isinstance(value, np.ndarray) else made[()]


def moved(value: Any, dot: Any, step: float) -> Any:
    """A value after a step along its tangent; without a value, the step itself."""
    if isinstance(dot, dict):
        start = dict.fromkeys(dot) if value is None else value
        return {key: moved(start[key], part, step) for key, part in dot.items()}
    if isinstance(dot, list | tuple):
        before = [None] * len(dot) if value is None else value
        return [moved(x, d, step) for x, d in zip(before, dot, strict=True)]
    if isinstance(value, rt.Growing):
        return rt.growing(np.asarray(value) + step * np.asarray(dot))
    return step * dot if value is None else value + step * dot


def total(values: Sequence[Any]) -> Any:
    """The sum of values of one structure."""
    if isinstance(values[0], dict):
        return {key: total([value[key] for value in values]) for key in values[0]}
    if isinstance(values[0], list | tuple):
        return [total(parts) for parts in zip(*values, strict=True)]
    return sum(values[1:], values[0])


def inner(one: Any, other: Any) -> Any:
    """The real inner product of two values of one structure, without a conjugate."""
    if isinstance(one, dict):
        return sum(inner(part, other[key]) for key, part in one.items())
    if isinstance(one, list | tuple):
        return sum(inner(x, y) for x, y in zip(one, other, strict=True))
    return np.real(np.sum(one * other))


def shapes_of(value: Any) -> Any:
    """The shape of a value; of a list, tuple or dictionary, those of its elements."""
    if isinstance(value, dict):
        return {key: shapes_of(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [shapes_of(element) for element in value]
    return np.shape(value)


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in a value."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list | tuple):
        return [leaf for element in value for leaf in leaves(element)]
    return [value]


def equal(got: Any, expected: Any) -> None:
    """Compares two values of one structure, to the last bit."""
    for x, y in zip(leaves(got), leaves(expected), strict=True):
        np.testing.assert_array_equal(x, y)


def close_to(got: Any, expected: Any, **tolerances: float) -> None:
    """Compares two values of one structure."""
    if isinstance(expected, dict):
        assert got.keys() == expected.keys()
        got, expected = [*got.values()], [*expected.values()]
    if isinstance(expected, list | tuple):
        for x, y in zip(got, expected, strict=True):
            close_to(x, y, **tolerances)
    else:
        np.testing.assert_allclose(got, expected, **tolerances)


def single(value: Any) -> Any:
    """A value with float32 in the place of float64; Python's own numbers stay."""
    if isinstance(value, dict):
        return {key: single(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(single(element) for element in value)
    return value.astype(np.float32) if getattr(value, "dtype", None) is FLOAT else value
