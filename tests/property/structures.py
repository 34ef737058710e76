"""Arrays and numbers in tuples, lists and dictionaries, nested as arguments and results are."""

from collections.abc import Callable
from typing import Any

import numpy as np


def mapped(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The same structure of what `f` gives for each part, and for those of others at its place."""
    if isinstance(tree, dict):
        return {
            key: mapped(f, part, *(other[key] for other in others)) for key, part in tree.items()
        }
    if isinstance(tree, tuple | list):
        made = (mapped(f, *both) for both in zip(tree, *others, strict=True))
        return type(tree)(made)
    return f(tree, *others)


def parts(tree: Any) -> list[Any]:
    """The arrays and numbers in a structure, in order."""
    if isinstance(tree, dict):
        return [p for part in tree.values() for p in parts(part)]
    if isinstance(tree, tuple | list):
        return [p for part in tree for p in parts(part)]
    return [tree]


def is_same(one: Any, other: Any) -> bool:
    """Tells whether two structures hold the same numbers at the same places."""
    left, right = parts(one), parts(other)
    return len(left) == len(right) and all(map(np.array_equal, left, right))


def is_like(one: Any, other: Any) -> bool:
    """Tells whether two structures are alike: in their containers, shapes and types of numbers."""
    if isinstance(other, dict):
        return (
            isinstance(one, dict)
            and list(one) == list(other)
            and all(is_like(one[key], other[key]) for key in other)
        )
    if isinstance(other, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(is_like, one, other))
    if isinstance(one, dict | tuple | list):
        return False
    mine, theirs = np.asarray(one), np.asarray(other)
    return mine.shape == theirs.shape and mine.dtype == theirs.dtype


def like(tree: Any, make: Callable[[tuple[int, ...]], Any]) -> Any:
    """A structure of what `make` gives for each shape: an array for an array, else a float."""

    def made(part: Any) -> Any:
        shape = np.shape(part)
        return make(shape) if shape else float(make(shape))

    return mapped(made, tree)


def moved(tree: Any, direction: Any, size: float) -> Any:
    """A structure moved along a direction; what was a float stays one."""

    def part(value: Any, along: Any) -> Any:
        shifted = value + size * along
        return shifted if isinstance(value, np.ndarray) else float(shifted)

    return mapped(part, tree, direction)


def inner(one: Any, other: Any) -> float:
    """The inner product of two structures."""
    pairs = zip(parts(one), parts(other), strict=True)
    return float(sum(np.sum(np.asarray(a) * b) for a, b in pairs))
