"""Numbers to hold a derivative against: five-point differences, and values compared bit by bit.

Arguments and results may be tuples, lists, dictionaries and objects of arrays and numbers, nested;
what is smooth in them are the leaves of floating point.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from adlsp import runtime as rt
from adlsp.runtime.calls import FUNCTIONS, keeping
from adlsp.runtime.objects import attributes, is_object, remade

STEP = 1e-3
"""The error of the formula goes with its fourth power, that of rounding with its inverse."""

Path = tuple[Any, ...]


def gradient(f: Callable[[Any], float], x: Any) -> Any:
    """The gradient of `f` at `x`, with the structure of `x`; None where `x` is not smooth."""
    if isinstance(x, tuple | list):
        return _as(x, [gradient(_of_part(f, x, i), part) for i, part in enumerate(x)])
    if isinstance(x, dict):
        return {key: gradient(_of_part(f, x, key), part) for key, part in x.items()}
    if is_object(x):
        held = attributes(x)
        return remade(x, gradient(lambda parts: f(remade(x, parts)), held))
    if isinstance(x, rt.Growing):
        return gradient(lambda values: f(rt.growing(values)), np.asarray(x))
    if not is_smooth(x):
        return None
    wide = np.array(x, dtype=np.float64)
    return np.array([_slope(f, wide, i) for i in np.ndindex(wide.shape)]).reshape(wide.shape)


def _slope(f: Callable[[Any], float], x: np.ndarray, index: Path) -> float:
    """The derivative of `f` along one element, by the five-point formula."""
    size = STEP * max(1.0, abs(float(x[index])))

    def at(steps: int) -> float:
        moved = x.copy()
        moved[index] += steps * size
        return f(moved if x.shape else moved[()])

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * size)


def along(f: Callable[[float], Any]) -> list[np.ndarray]:
    """The derivative of each leaf of `f` at 0, by the five-point formula."""
    near = [[np.asarray(leaf) for _, leaf in leaves(f(k * STEP))] for k in (-2, -1, 1, 2)]
    return [(8 * (c - b) - (d - a)) / (12 * STEP) for a, b, c, d in zip(*near, strict=True)]


def moved(x: Any, direction: Any, size: float) -> Any:
    """A structure, moved along a direction of the same structure."""
    if isinstance(x, tuple | list):
        return _as(x, [moved(part, d, size) for part, d in zip(x, direction, strict=True)])
    if isinstance(x, dict):
        return {key: moved(part, direction[key], size) for key, part in x.items()}
    if is_object(x):
        return remade(x, moved(attributes(x), attributes(direction), size))
    if isinstance(x, rt.Growing):
        return rt.growing(np.asarray(x) + size * np.asarray(direction))
    return x + size * direction if is_smooth(x) else x


def close(a: Any, b: Any, tolerance: float) -> bool:
    """Tells whether two numbers or arrays agree, relative to their size."""
    left, right = np.asarray(a), np.asarray(b)
    scale = np.maximum(1.0, np.abs(right))
    return left.shape == right.shape and bool(np.all(np.abs(left - right) <= tolerance * scale))


def _of_part(f: Callable[[Any], float], container: Any, key: Any) -> Callable[[Any], float]:
    """The function of one part of a container, the others being as they are."""

    def of_part(value: Any) -> float:
        changed = dict(container) if isinstance(container, dict) else list(container)
        changed[key] = value
        return f(changed if isinstance(container, dict) else _as(container, changed))

    return of_part


def _as(x: Any, parts: list[Any]) -> Any:
    """A list or tuple of the type of another; named tuples stay named."""
    return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)


def is_smooth(x: Any) -> bool:
    """Tells whether a leaf holds numbers of floating point."""
    return not (x is None or isinstance(x, str) or callable(x)) and np.asarray(x).dtype.kind == "f"


def leaves(x: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The leaves of a structure, each with the way to it; None is none."""
    if isinstance(x, dict):
        for key, part in x.items():
            yield from leaves(part, (*path, key))
    elif is_object(x):
        yield from leaves(attributes(x), path)
    elif isinstance(x, tuple | list):
        for i, part in enumerate(x):
            yield from leaves(part, (*path, i))
    elif x is not None:
        yield path, x


def weights(out: Any, random: np.random.Generator) -> Any:
    """Random weights for each smooth leaf of a result, so that no symmetry can hide a mistake."""
    if isinstance(out, tuple | list):
        return _as(out, [weights(part, random) for part in out])
    if isinstance(out, dict):
        return {key: weights(part, random) for key, part in out.items()}
    if is_object(out):
        return remade(out, weights(attributes(out), random))
    if not is_smooth(out):
        return None if out is None or isinstance(out, str) or callable(out) else 0.0
    made = random.standard_normal(np.shape(out))
    if isinstance(out, rt.Growing):
        return rt.growing(made.astype(out.dtype))
    return made.astype(np.asarray(out).dtype) if np.shape(out) else float(made)


def weighted(out: Any, given: Any) -> float:
    """The sum of a result, weighted."""
    weight = dict(leaves(given))
    return float(sum(np.sum(np.asarray(x) * weight[p]) for p, x in leaves(out) if p in weight))


def same(a: Any, b: Any) -> bool:
    """Tells whether two structures hold the same bits, in the same types and shapes."""
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, FUNCTIONS):
        return type(a) is type(b) and same([*keeping(a)], [*keeping(b)])
    if is_object(a):
        return type(a) is type(b) and same(attributes(a), attributes(b))
    if not isinstance(a, np.ndarray | np.generic | rt.Growing | float | int):
        return type(a) is type(b) and bool(a == b)
    left, right = np.asarray(a), np.asarray(b)
    alike = left.dtype == right.dtype and left.shape == right.shape
    return alike and left.tobytes() == right.tobytes()


def mismatch(found: Any, expected: Any, x: Any) -> str | None:
    """What is wrong with the gradient `found` of the argument `x`, or None."""
    if isinstance(x, tuple | list | dict):
        if not isinstance(found, type(x)) or len(found) != len(x):
            return f"gradient {found!r} for the argument {x!r}"
        keys = list(x) if isinstance(x, dict) else range(len(x))
        told = (mismatch(found[key], expected[key], x[key]) for key in keys)
        return next((text for text in told if text is not None), None)
    if is_object(x):
        if not is_object(found) or (is_dataclass(x) and type(found) is not type(x)):
            return f"gradient {found!r} for the argument {x!r}"
        return mismatch(attributes(found), attributes(expected), attributes(x))
    if expected is None:
        return None
    if np.shape(found) != np.shape(x):
        return f"gradient of shape {np.shape(found)} for shape {np.shape(x)}"
    if isinstance(x, np.ndarray | rt.Growing) and np.asarray(found).dtype != x.dtype:
        return f"gradient of {np.asarray(found).dtype} for {x.dtype}"
    if not close(found, expected, precision(x)):
        return f"gradient {found!r}, differences {expected!r}"
    return None


def precision(x: Any) -> float:
    """How well a gradient of `x` agrees with differences."""
    kinds = [np.asarray(leaf).dtype for _, leaf in leaves(x) if is_smooth(leaf)]
    return 1e-6 if all(kind.itemsize >= 8 for kind in kinds) else 1e-4


def copied(x: Any) -> Any:
    """A copy that shares nothing."""
    return copy.deepcopy(x)
