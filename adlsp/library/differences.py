"""Checking derivatives against the mathematics: central differences and inner products.

One number checks a derivative in all of its elements: its product with a random direction. Of a
pullback it is ⟨x_bar, d⟩ = ⟨out_bar, (f(x + h·d) - f(x - h·d)) / 2h⟩, and with the tangent for the
same direction ⟨x_bar, d⟩ = ⟨out_bar, out_dot⟩, which needs no step size and so is the sharper test.
Arguments and results are numbers and arrays, or tuples, lists, dictionaries and objects of them,
nested.
Of complex numbers ⟨a, b⟩ is Re Σ a·b, and the random directions are complex.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from adlsp.library import derivatives
from adlsp.runtime import objects
from adlsp.transform.frozen import dataclass

Value = Any
"""A number, an array, or a structure of them."""

STEPS = (1e-3, 1e-4, 1e-5, 1e-6)
"""The step sizes tried, relative to the size of a direction; the best agreement counts."""

LARGE = 100.0
"""What is larger is moved by longer steps as well."""

CORNER = (1e-5, 1e-6)
"""The steps by which a kink or a jump is told, relative to the size of a direction."""

CLEAR, ROUNDED = 1e-3, 1e-7
"""How far one-sided differences must be apart, relative to their size and to what is differenced:
rounding gives less."""

EXACT = 1e-9
"""How far two inner products may be apart, relative to their size: rounding, and no more."""

ROUNDINGS = 1000
"""How many numbers of less than double precision may be rounded in one direction on the way."""


def smooth_arguments(args: Sequence[Any]) -> tuple[int, ...]:
    """The positions of the arguments that hold floating-point numbers."""
    return tuple(i for i, x in enumerate(args) if any(map(_is_smooth, _leaves(x))))


def seed(function: Callable[..., Any], args: Sequence[Any]) -> Value:
    """Random weights for the result of a function, in its structure."""
    return _random(function(*_copied(args)), np.random.default_rng(1))


def copies(x: Value) -> Value:
    """The same in arrays of its own."""
    return _copied(x)


def weighted(x: Value, out_bar: Value) -> float:
    """How large a result is by its weights: no part makes up for another."""
    pairs = zip(_leaves(x), _leaves(out_bar), strict=True)
    return float(sum(np.sum(np.abs(np.asarray(a) * b)) for a, b in pairs if _is_smooth(a)))


def is_same(x: Value, y: Value) -> bool:
    """Tells whether two structures hold the same numbers."""
    pairs = [*zip(_leaves(x), _leaves(y), strict=True)]
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs if _is_smooth(a))


CONTAINERS = (tuple, list, dict)


def may_be_gradient(x_bar: Value, x: Value) -> bool:
    """Tells whether something has the structure and the shapes of a gradient for a value."""
    bars, values = [*_leaves(x_bar)], [*_leaves(x)]
    is_alike = isinstance(x_bar, CONTAINERS) == isinstance(x, CONTAINERS)
    return (
        is_alike
        and len(bars) == len(values)
        and all(
            np.shape(bar)[::-1] == np.shape(value)[::-1][: np.ndim(bar)]
            for bar, value in zip(bars, values, strict=True)
        )
    )


def along(
    function: Callable[[Value], Value], x: Value, x_bar: Value, out_bar: Value
) -> tuple[float, float, float]:
    """How much the weighted result of a function changes along a random direction.

    First by a gradient, then by differences; last how far these are apart.
    """
    return _along(function, x, x_bar, out_bar, _random(x, np.random.default_rng(0)))


def entries(
    function: Callable[[Value], Value], x: Value, x_bar: Value, out_bar: Value, most: int
) -> Iterator[tuple[tuple[int, ...], float, float, float]]:
    """The same for single entries of an array or number, the largest of the gradient first.

    Before them stands the index.
    """
    if isinstance(x, tuple | list | dict) or objects.is_object(x) or np.size(x) == 0:
        return
    bars = np.broadcast_to(np.asarray(x_bar), np.shape(x)) if np.ndim(x) else np.asarray(x_bar)
    for flat in np.argsort(-np.abs(bars), axis=None, kind="stable")[:most]:
        at = tuple(int(i) for i in np.unravel_index(flat, np.shape(bars)))
        yield at, *_along(function, x, x_bar, out_bar, _unit(x, at))


def has_corner(
    function: Callable[[Value], Value],
    x: Value,
    out_bar: Value,
    at: tuple[int, ...] | None = None,
) -> bool:
    """Tells whether the weighted result has a kink or a jump along a direction, so no derivative.

    The direction is the random one, or that of an entry. Where a function is smooth, differences to
    both sides come the closer the shorter the step is, and grow no more.
    """
    checked = Checked("", function, function, None, (x,), ())
    direction = _random(x, np.random.default_rng(0)) if at is None else _unit(x, at)

    def moved(shift: float) -> float:
        return checked.moved_by(0, direction, shift, out_bar)

    here = moved(0.0)
    (apart, longer), (closer, slope) = (
        (abs(one - other), max(abs(one), abs(other)))
        for one, other in (((here - moved(-h)) / h, (moved(h) - here) / h) for h in CORNER)
    )
    is_kink = closer > max(0.5 * apart, CLEAR * slope, ROUNDED * abs(here))
    return is_kink or slope > max(2 * longer, ROUNDED * abs(here))


def _unit(x: Value, at: tuple[int, ...]) -> Value:
    """The direction of one entry."""
    unit = np.zeros(np.shape(x))
    unit[at] = 1.0
    return unit if np.ndim(x) else 1.0


def stretch(x: Value) -> float:
    """How many times as long steps are tried as well, as large values are rounded by more."""
    sizes = (float(np.max(np.abs(each), initial=0.0)) for each in _leaves(x) if _is_smooth(each))
    largest = max(sizes, default=0.0)
    return largest if LARGE < largest < math.inf else 1.0


def _along(
    function: Callable[[Value], Value], x: Value, x_bar: Value, out_bar: Value, direction: Value
) -> tuple[float, float, float]:
    checked = Checked("", function, function, None, (x,), ())
    expected = _product(x_bar, direction)
    longer = stretch(x)
    steps = (*STEPS, *(step * longer for step in STEPS if longer > 1))
    found = (checked.difference(0, direction, step, out_bar) for step in steps)
    best = min(found, key=lambda value: abs(value - expected))
    return expected, best, _apart(best, expected)


@dataclass(frozen=True, slots=True)
class Checked:
    """A function at a point: `moved` are the name and the position of each argument of interest.

    `function` is called with all of `args`, and gives its result; `pullback` gives the adjoint of
    each argument of interest for `out_bar`, and `tangent` the result's tangent for `dots`. Each
    gets copies.
    """

    name: str
    function: Callable[..., Any]
    pullback: Callable[..., Any]
    tangent: Callable[..., Any] | None
    args: Sequence[Any]
    moved: Sequence[tuple[str, int]]

    def problems(self, tolerance: float) -> list[str]:
        """A report of each argument if a derivative is wrong; nothing if all are right."""
        random = np.random.default_rng(0)
        out_bar = _random(self.function(*_copied(self.args)), random)
        bars = self.pullback(*_copied(self.args), out_bar=_copied(out_bar))
        lines, is_wrong = [], False
        for (name, position), x_bar in zip(self.moved, bars, strict=True):
            x = self.args[position]
            if not _fits(x_bar, x):
                shapes = f"{_shapes(x_bar)} for shape {_shapes(x)}"
                lines.append(f"  {name}: WRONG, gradient of shape {shapes}")
                is_wrong = True
                continue
            direction = _random(x, random)
            expected = _product(x_bar, direction)
            found = [self.difference(position, direction, step, out_bar) for step in STEPS]
            best = min(found, key=lambda value: abs(value - expected))
            error = _apart(best, expected)
            verdict = "ok" if error <= tolerance else "WRONG"
            lines.append(
                f"  {name}: {verdict}, gradient {expected:.12g}, differences {best:.12g}, "
                f"relative error {error:.2g}"
            )
            if self.tangent is not None:
                pushed = _product(self.pushed(position, direction), out_bar)
                if not _apart(pushed, expected) <= max(EXACT, ROUNDINGS * _rounding(self.args)):
                    verdict = "WRONG"
                    lines.append(f"  {name}: WRONG, with the tangent it is {pushed:.17g}")
            is_wrong |= verdict != "ok"
        return [f"the gradient of `{self.name}` is wrong", *lines] if is_wrong else []

    def pushed(self, position: int, direction: Value) -> Value:
        """The result's tangent when one argument moves along a direction."""
        assert self.tangent is not None
        dots = tuple(
            _mapped(_filled, self.args[other], direction)
            if other == position
            else _mapped(lambda x: _filled(x, 0.0), self.args[other])
            for _, other in self.moved
        )
        return self.tangent(*_copied(self.args), dots=dots)

    def difference(self, position: int, direction: Value, step: float, out_bar: Value) -> float:
        """The change of the weighted result along a direction, by the five-point formula."""
        sizes = [np.max(np.abs(x), initial=0.0) for x in _leaves(direction) if _is_smooth(x)]
        size = step * max(1.0, *(float(s) for s in sizes))

        def at(shift: float) -> float:
            return self.moved_by(position, direction, shift, out_bar)

        return (8 * (at(size) - at(-size)) - (at(2 * size) - at(-2 * size))) / (12 * size)

    def moved_by(self, position: int, direction: Value, shift: float, out_bar: Value) -> float:
        """The weighted result where an argument has moved along a direction."""
        moved = [_mapped(_in_double_precision, x) for x in _copied(self.args)]
        moved[position] = _mapped(lambda x, d: _moved(x, shift * d), self.args[position], direction)
        return _product(self.function(*moved), out_bar)


def _moved(x: Value, change: Value) -> Value:
    return _filled(x, np.asarray(x, dtype=_precise(x)) + change) if _is_smooth(x) else x


def _precise(x: Value) -> type:
    """The type of numbers of double precision for those of `x`."""
    return complex if np.iscomplexobj(x) else float


def _filled(x: Value, numbers: Value) -> Value:
    """Something of the kind of `x` that holds other numbers; zero for what holds none."""
    if derivatives.is_tensor(x):
        if x.dtype.name != "float64":
            raise ValueError("differences need tensors of double precision: tf.cast(x, tf.float64)")
        return derivatives.tensor_like(x, numbers)
    if not _is_array(x):
        made = np.dtype(_precise(x)).type if isinstance(x, np.generic) else _precise(x)
        return made(numbers) if _is_smooth(x) else 0.0
    made = x.astype(_precise(x)).copy()
    made[...] = numbers
    return made


def _mapped(function: Callable[..., Any], x: Value, *others: Value) -> Value:
    """A structure like `x`, whose leaves are the function of the leaves of `x` and of `others`."""
    if isinstance(x, dict):
        return {key: _mapped(function, x[key], *(o[key] for o in others)) for key in x}
    if isinstance(x, tuple | list):
        parts = [_mapped(function, *each) for each in zip(x, *others, strict=True)]
        is_named = hasattr(x, "_fields")
        return type(x)(*parts) if is_named else type(x)(parts)
    if objects.is_object(x):
        every = (objects.attributes(each) for each in (x, *others))
        return objects.remade(x, _mapped(function, *every))
    return function(x, *others)


def _leaves(x: Value) -> Iterator[Value]:
    if isinstance(x, dict):
        for part in x.values():
            yield from _leaves(part)
    elif isinstance(x, tuple | list):
        for part in x:
            yield from _leaves(part)
    elif objects.is_object(x):
        yield from _leaves(objects.attributes(x))
    else:
        yield x


def _shapes(x: Value) -> Value:
    """The shape of each leaf that has a gradient."""
    if objects.is_object(x):
        return _shapes(objects.attributes(x))
    if isinstance(x, dict):
        return {key: _shapes(part) for key, part in x.items()}
    if isinstance(x, tuple | list):
        return type(x), [*map(_shapes, x)]
    return np.shape(x) if _is_smooth(x) else None


def _fits(x_bar: Value, x: Value) -> bool:
    """Tells whether a gradient has the structure of its value, and the shapes of its numbers."""
    if objects.is_object(x):
        return objects.is_object(x_bar) and _fits(objects.attributes(x_bar), objects.attributes(x))
    if isinstance(x, dict):
        is_same = isinstance(x_bar, dict) and x_bar.keys() == x.keys()
        return is_same and all(_fits(x_bar[key], part) for key, part in x.items())
    if isinstance(x, tuple | list):
        is_same = type(x_bar) is type(x) and len(x_bar) == len(x)
        return is_same and all(map(_fits, x_bar, x))
    return not _is_smooth(x) or (_is_smooth(x_bar) and np.shape(x_bar) == np.shape(x))


def _rounding(x: Value) -> float:
    """How far rounding may move a number, relative to it: as the least precise leaf has it."""
    dtypes = (getattr(leaf, "dtype", None) for leaf in _leaves(x) if _is_smooth(leaf))
    return max((float(np.finfo(d).eps) for d in dtypes if isinstance(d, np.dtype)), default=0.0)


def _in_double_precision(x: Value) -> Value:
    """The same number or array of NumPy, so that differences are not rounded away."""
    dtype = getattr(x, "dtype", None)
    is_rounded = isinstance(dtype, np.dtype) and _is_smooth(x) and np.finfo(dtype).bits < 64
    return _moved(x, 0.0) if is_rounded else x


def _copied(x: Value) -> Value:
    return _mapped(lambda leaf: leaf.copy() if _is_array(leaf) else leaf, x)


def _is_array(x: object) -> bool:
    """Tells whether a leaf is an array, or a growing array."""
    return hasattr(type(x), "astype") and not isinstance(x, np.generic)


def _is_smooth(x: object) -> bool:
    is_named = x is None or isinstance(x, str | ModuleType) or callable(x)
    return not is_named and _kind(x) in "fc"


def _is_complex(x: object) -> bool:
    return _is_smooth(x) and _kind(x) == "c"


def _kind(x: object) -> str:
    """The kind of the numbers that a leaf holds; a lazy array is not computed for that."""
    dtype = getattr(x, "dtype", None)
    if derivatives.is_tensor(x):
        dtype = np.dtype(dtype.as_numpy_dtype)  # type: ignore[union-attr]
    return np.asarray(x).dtype.kind if dtype is None else str(dtype.kind)


def _random(x: Value, random: np.random.Generator) -> Value:
    """Random numbers for all leaves of a structure, so that no symmetry can hide a mistake."""

    def leaf(value: Value) -> Value:
        if not _is_smooth(value):
            return np.zeros(value.shape) if isinstance(value, np.ndarray) else 0.0
        shape, kind = np.shape(value), complex if _is_complex(value) else float
        made = np.asarray(random.standard_normal(shape), kind)
        if kind is complex:
            made = made + 1j * random.standard_normal(shape)
        return made if shape else kind(made)

    return _mapped(leaf, x)


def _product(x: Value, y: Value) -> float:
    """The real inner product of two structures, over the leaves that hold numbers."""
    pairs = zip(_leaves(x), _leaves(y), strict=True)
    return float(sum(np.real(np.sum(np.asarray(a) * b)) for a, b in pairs if _is_smooth(a)))


def _apart(a: float, b: float) -> float:
    return abs(a - b) / max(1.0, abs(a), abs(b))
