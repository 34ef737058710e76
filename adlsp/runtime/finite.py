"""What is wrong with the numbers of a value: how many are NaN or infinite, and where."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from adlsp.runtime import objects

Value = Any
"""Whatever a program computes."""

NUMBERS = "fc"
"""The kinds of dtypes that may hold what is not finite."""

DOUBLE = np.dtype(float)

TINY, HUGE = 1e-280, 1e280
"""Between these a sum of squares of doubles is exact enough."""

MOST_ITEMS = 100
"""So many items of a list are looked at."""

vdot = getattr(np.vdot, "_implementation", np.vdot)
"""The scalar product, by which a third of a microsecond becomes a quarter."""


@dataclass(frozen=True, slots=True)
class Bad:
    """What is not finite in a value: how many of its entries, and the place of the first."""

    n_nan: int
    n_infinite: int
    size: int
    first: tuple[int, ...]


def looking(suspect: Callable[[Value, Value], None]) -> Callable[[Value, Value], Value]:
    """A function that values pass: `suspect` is called with its key for one that may be bad.

    No faster way is known to look at all of an array than its scalar product with itself, which
    also gives no warning.
    """
    array, number, double, isfinite, product = np.ndarray, np.float64, DOUBLE, math.isfinite, vdot

    def value(key: Value, x: Value, /) -> Value:
        kind = type(x)
        if kind is array and x.dtype is double:
            flat = x if x.ndim == 1 else x.ravel("K")
            if isfinite(product(flat, flat)):
                return x
        elif kind is float or kind is number:
            if isfinite(x):
                return x
        elif isfinite(square(x)):
            return x
        suspect(key, x)
        return x

    return value


def square(value: Value) -> float:
    """The squared norm of a value; 1 for what has no numbers. One sweep, and no warning."""
    if type(value) is np.ndarray and value.dtype.kind == "f":
        flat = value.ravel("K")
        return float(np.vdot(flat, flat))
    found = [np.asarray(each) for each in arrays(value)]
    if not any(each.size for each in found):
        return 1.0
    return float(sum(np.vdot(each, each).real for each in found))


def norm(value: Value) -> float:
    """The Euclidean norm of a value, also where its square is no number of its dtype."""
    found = [np.abs(np.asarray(each, complex)) for each in arrays(value)]
    largest = max((float(each.max()) for each in found if each.size), default=0.0)
    if not largest or not math.isfinite(largest):
        return largest
    return largest * math.sqrt(sum(float(np.sum((each / largest) ** 2)) for each in found))


Size = tuple[float, float, int, int]
"""How large a value is: norm and largest magnitude of what is finite in it, how many entries are
not, and how many there are."""


def size(value: Value) -> Size | None:
    """How large a value is; None for what has no numbers of floating point.

    Where its sum of squares is a number that is exact, an array takes little more than two sweeps.
    """
    kind = type(value)
    if kind is np.ndarray and value.dtype.kind == "f":
        flat = value.ravel("K") if value.dtype is DOUBLE else value.ravel("K").astype(float)
        square = vdot(flat, flat)
        if TINY < square < HUGE:
            magnitudes = np.absolute(flat)
            return math.sqrt(square), float(magnitudes[magnitudes.argmax()]), 0, flat.size
        if flat.size and not square and not flat.any():
            return 0.0, 0.0, 0, flat.size
    elif kind is float or kind is np.float64:
        magnitude = float(abs(value))
        if math.isfinite(magnitude):
            return magnitude, magnitude, 0, 1
    with np.errstate(all="ignore"):
        found = [np.abs(np.asarray(each, complex)).ravel() for each in arrays(value)]
        entries = np.concatenate(found) if found else np.zeros(0)
        usable = entries[np.isfinite(entries)]
        largest = float(usable.max(initial=0.0))
        measured = (norm(usable), largest, entries.size - usable.size, entries.size)
    return measured if entries.size else None


def bad(value: Value) -> Bad | None:
    """What is not finite in a value, in its first array where it has several; None for nothing."""
    for each in arrays(value):
        array = np.asarray(each)
        is_bad = ~np.isfinite(array)
        if is_bad.any():
            n_nan = int(np.isnan(array).sum())
            first = tuple(int(i) for i in np.argwhere(is_bad)[0])
            return Bad(n_nan, int(is_bad.sum()) - n_nan, array.size, first)
    return None


def has_zeros(value: Value) -> bool:
    """Tells whether entries of a value are zero."""
    return not all(np.all(np.asarray(each)) for each in arrays(value))


def arrays(value: Value, depth: int = 3) -> Iterator[Value]:
    """The arrays and numbers of floating point in a value."""
    if isinstance(value, float | complex | np.ndarray | np.generic):
        if np.asarray(value).dtype.kind in NUMBERS:
            yield value
    elif isinstance(value, tuple | list | dict) and depth:
        items = list(value.values() if isinstance(value, dict) else value)[:MOST_ITEMS]
        for each in items:
            yield from arrays(each, depth - 1)
    elif is_eager(value):
        yield value.numpy()
    elif depth and objects.is_object(value):
        yield from arrays(objects.attributes(value), depth - 1)


def is_eager(value: Value) -> bool:
    """Tells whether a value is a tensor of TensorFlow that has its elements."""
    tf = sys.modules.get("tensorflow")
    kind = getattr(tf, "Tensor", None)
    return kind is not None and isinstance(value, kind) and hasattr(value, "numpy")


def told(value: Value, shape: tuple[int, ...] = (), at: tuple[int, ...] = ()) -> str:
    """A value in one line; where it lines up with a result of a shape, its entry there."""
    if isinstance(value, float | int | complex | np.generic):
        return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
    value = value.numpy() if is_eager(value) else value
    if not isinstance(value, np.ndarray):
        return type(value).__name__
    if value.ndim == 0:
        return told(value[()])
    said = [f"{value.shape} {value.dtype}"]
    if value.dtype.kind in "iuf" and value.size:
        usable = value[np.isfinite(value)]
        if usable.size:
            said.append(f"{usable.min():.4g} to {usable.max():.4g}")
    found = bad(value)
    said += [] if found is None else counts(found)
    entry = _entry(value, shape, at)
    return ", ".join(said) + (f", {told(entry)} there" if entry is not None else "")


def counts(found: Bad) -> list[str]:
    """How many entries are bad, of each sort: `2 of 6 NaN`."""
    pairs = ((found.n_nan, "NaN"), (found.n_infinite, "infinite"))
    return [f"{n} of {found.size} {sort}" for n, sort in pairs if n]


def _entry(value: np.ndarray, shape: tuple[int, ...], at: tuple[int, ...]) -> Value:
    """The entry of an array that is broadcast with a result; None for one of another shape."""
    try:
        return np.broadcast_to(value, shape)[at] if shape else None
    except ValueError:
        return None
