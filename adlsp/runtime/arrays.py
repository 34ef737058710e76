"""Gradients of values: their shape and dtype, zeros, copies, and sums into parts of them.

Generated code calls these functions as `rt.unbroadcast(x_bar, x)`. The idea needed to read them:
the gradient of a value has the value's own structure. It is an array of the same shape (and of the
same dtype, where that is real or complex floating point), a scalar for a scalar, a tuple, list or
dictionary of gradients for a container, an object with gradients for an object (`objects.py`). They
run in every derivative, often on single numbers, so each starts with the case that is common and
leaves the rest to a helper below it.

`shape` and `axis` mean what they mean in NumPy. The formulas are the adjoints of NumPy's
broadcasting and reductions: a value used many times collects the gradients of all its uses
(Griewank and Walther, "Evaluating Derivatives", 2nd edition, section 3.2).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from copy import copy as shallow
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from adlsp.runtime.foreign import (
    OWN,
    PLAIN,
    SCATTERED,
    asarray,
    is_foreign,
    known,
    library,
    scatter,
    total,
)
from adlsp.runtime.growth import Growing, growing
from adlsp.runtime.objects import (
    CONTAINERS,
    attributes,
    gradient,
    has_parts,
    is_named,
    is_object,
    item,
    remade,
    there,
)
from adlsp.runtime.shapes import FLOAT, Shape, Value, stretch, sum_to

NUMBERS = (int, float, complex)

DEFINED = (type, ModuleType)
"""What has attributes as arrays have them, and is none: `np.float32`, or NumPy itself."""

NAMES = (str, Enum, FunctionType, BuiltinFunctionType, MethodType, partial, np.ufunc, *DEFINED)
"""What may stand among elements and holds no numbers: texts, functions, classes, and modules.

So do members of enumerations, but for those that are numbers.
"""

SETS = (set, bytearray)
"""What can be changed, and copied, but has no method for that which `copy` would know."""

SEQUENCES = (tuple, list, np.ndarray)
"""What may hold the gradients of the elements of a list."""

EMPTY: dict[str, Value] = {}
LISTED = (tuple, list, range, type(EMPTY.keys()), type(EMPTY.values()), type(EMPTY.items()))
"""What is run over, and has one gradient for each element; dictionaries give some of that."""

ARRAYS = (np.ndarray, Growing)

OBJECT = np.dtype(object)

OF_OBJECTS = (
    "an array of objects has no gradient (AD104): make it an array of numbers, "
    "`x.astype(float)`, or a list"
)

OF_FIELDS = (
    "an array with fields has no gradient (AD104): keep each field in an array of its own, or in a "
    "dictionary of arrays"
)

BASIC = frozenset((int, slice, type(None), type(Ellipsis), np.int64, np.int32))
"""The types of indices that select each element at most once; a tuple of them does, too."""


class Like:
    """The shape and dtype of an array, without its elements: what a backward sweep often keeps.

    `numpy.shape`, `numpy.ndim` and `numpy.size` answer for it as they do for the array, and for a
    list of them as for one of arrays. It has no elements, so that arithmetic with it is an error.
    """

    __slots__ = ("dtype", "shape")
    __array_ufunc__ = None

    def __init__(self, shape: Shape, dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __array__(self, dtype: Value = None, copy: Value = None) -> np.ndarray:
        """An array of that shape, of one element in memory: what a list of them is made one of."""
        filler = np.nan if self.dtype.kind in "fc" else 0
        return np.broadcast_to(np.full((), filler, dtype or self.dtype), self.shape)

    def __repr__(self) -> str:
        return f"Like({self.shape}, {self.dtype})"


class Parts(list[Value]):
    """The gradients of the elements of a list while they are summed: `+` adds each to each.

    Other arithmetic is that of arrays. Most gradients of lists are made plain lists in the end.
    """

    __slots__ = ()

    def __setitem__(self, index: Value, value: Value) -> None:
        """Sets one of the gradients, or several; 0 stands for zero in the shape of each."""
        if isinstance(index, slice) and type(value) is int:
            value = [value] * len(range(*index.indices(len(self))))
        super().__setitem__(index, value)

    def __add__(self, other: Value) -> Value:
        return _add_containers(self, other)

    def __radd__(self, other: Value) -> Value:
        return _add_containers(self, other)

    def __iadd__(self, other: Value) -> Parts:  # type: ignore[misc, override]
        self[:] = _add_containers(self, other)
        return self

    def __neg__(self) -> Value:
        return Parts(-part for part in self)

    def __sub__(self, other: Value) -> Value:
        if isinstance(other, (list, tuple)):
            return Parts(one - two for one, two in zip(self, other, strict=True))
        return np.subtract(self, other)

    def __mul__(self, other: Value) -> Value:
        return np.multiply(self, other)

    def __rmul__(self, other: Value) -> Value:
        return np.multiply(other, self)

    def __truediv__(self, other: Value) -> Value:
        return np.divide(self, other)


class Shares(tuple[Value, ...]):
    """The gradients of the elements of a tuple that NumPy takes for an array: `+` adds them."""

    __slots__ = ()

    def __add__(self, other: Value) -> Value:
        return Shares(map(add, self, other))

    def __radd__(self, other: Value) -> Value:
        return Shares(map(add, other, self))

    def __neg__(self) -> Value:
        return Shares(-part for part in self)

    def __sub__(self, other: Value) -> Value:
        return Shares(one - two for one, two in zip(self, other, strict=True))

    def __setitem__(self, index: Value, value: Value) -> None:
        raise TypeError(
            "a tuple becomes an array, `y += a`, of which elements are read: make an array of it "
            "first, np.array(y)"
        )


def like(x: Value) -> Value:
    """Gives what `unbroadcast` and `zeros` need of `x`: a `Like`, in a container one per element.

    A number of double precision is that itself, and so are a range, and what `zeros` gives None
    for, such as text. Raises TypeError for another value that has no gradient.
    """
    if isinstance(x, float):
        return x
    try:
        if type(x) is not np.ndarray:
            other = library(x)
            if other is not None:
                return other.like(x)
            if is_foreign(x):
                return x
        return x.zeros() if type(x) is Growing else Like(x.shape, x.dtype)
    except AttributeError:
        if isinstance(x, NUMBERS):
            return Like((), np.dtype(type(x)))
        return x if isinstance(x, (range, *NAMES)) else _rebuild(x, like)


def broadcast(*values: Value) -> Value:
    """Gives what has the shape to which NumPy broadcasts the values together, without elements."""
    for value in values:
        if type(value) in PLAIN:
            continue
        if (other := library(value)) is not None:
            return other.broadcast(*values)
        if is_foreign(value):
            shapes = [_shape(value) for value in values]
            known(sum(map(sum, shapes)))
            return Like(np.broadcast_shapes(*shapes), FLOAT)
    return np.broadcast(*values)


def unbroadcast(x_bar: Value, like: Value) -> Value:
    """Sums `x_bar` over the axes along which `like` was broadcast, and casts it to like's dtype.

    `like` is an array, a number or a `Like`; the result has its shape. A gradient that fits already
    is returned itself, not a copy. For a real `like` only the real part is kept. Integers have
    gradients too: there the dtype of `x_bar` stays. Raises ValueError where the shape of `x_bar`
    cannot come from broadcasting `like`, and TypeError where they are lists of different lengths:
    then `+` has put lists together, and not added them.
    """
    if isinstance(like, float):
        if isinstance(x_bar, float):
            return x_bar
        if type(x_bar) is np.ndarray and x_bar.dtype is FLOAT:
            return np.add.reduce(x_bar, axis=None)
    try:
        dtype = x_bar.dtype
        if dtype is like.dtype and isinstance(dtype, np.dtype):
            given, shape = x_bar.shape, like.shape
            if given == shape:
                return x_bar
            n_extra = len(given) - len(shape)
            if given[n_extra:] == shape and type(x_bar) is np.ndarray:
                return total(x_bar, 0 if n_extra == 1 else tuple(range(n_extra)))
    except AttributeError:
        pass
    other = library(x_bar, like)
    if other is not None:
        return other.unbroadcast(x_bar, like)
    if isinstance(like, (list, tuple)):
        return _in_parts(x_bar, like)
    return _cast(sum_to(x_bar, _shape(like)), like)


def fitted(x_bar: Value, like: Value) -> Value:
    """Sums `x_bar` as `unbroadcast` does, where a store may have repeated `like` in an array.

    What was put into a list or dictionary was not repeated: gradients of containers stay as they
    are, and so does the `None` of an entry that is there no more.
    """
    is_array = not (x_bar is None or like is None or has_parts(x_bar))
    return unbroadcast(x_bar, like) if is_array and not isinstance(like, dict) else x_bar


def repeated_as(x_dot: Value, like: Value) -> Value:
    """Repeats `x_dot` to the shape of `like`, the adjoint of `fitted`; containers stay."""
    is_array = not (x_dot is None or like is None or has_parts(x_dot))
    return stretch(x_dot, _shape(like)) if is_array and not has_parts(like) else x_dot


def _in_parts(x_bar: Value, like: Sequence[Value]) -> Value:
    """The gradient of a list or tuple that NumPy took for an array, in its structure."""
    if not isinstance(x_bar, (list, tuple)):
        x_bar = sum_to(x_bar, _shape_of(like))
    if len(x_bar) != len(like):
        raise TypeError(
            "lists are put together by `+` where numbers or arrays were expected (AD205): make "
            "arrays of them, np.array, or say that they are lists, list(x) + list(y)"
        )
    make = Parts if isinstance(like, list) else Shares
    return make(map(unbroadcast, x_bar, like))


def _shape_of(like: Value) -> Shape:
    """The shape of the array that NumPy makes of a list."""
    if isinstance(like, (list, tuple)):
        return (len(like), *(_shape_of(like[0]) if like else ()))
    return _shape(like)


def cast_like(x_bar: Value, like: Value) -> Value:
    """Gives a gradient the structure of its variable, and the dtype of that.

    The parts of containers are cast each by itself; what has the dtype comes back as it is.
    """
    if isinstance(x_bar, float) and isinstance(like, float):
        return x_bar
    if type(x_bar) is np.ndarray and type(like) is np.ndarray:
        return x_bar if x_bar.dtype is like.dtype is not OBJECT else _cast(x_bar, like)
    if isinstance(x_bar, float) and type(like) is float:
        return x_bar
    if isinstance(like, dict) and isinstance(x_bar, dict):
        return {key: cast_like(x_bar[key], part) for key, part in like.items()}
    other = library(x_bar, like)
    if other is not None and isinstance(like, (tuple, list)):
        x_bar = other.rows(x_bar)
    elif other is not None and not isinstance(like, dict):
        return other.cast_like(x_bar, like)
    if isinstance(like, (tuple, list)) and isinstance(x_bar, SEQUENCES):
        parts = [cast_like(part, of) for part, of in zip(x_bar, like, strict=True)]
        return _as(like, parts)
    if is_object(like) and x_bar is not None:
        return _like_object(x_bar, like, cast_like)
    if isinstance(x_bar, (tuple, list)) and hasattr(like, "shape"):
        x_bar = asarray(x_bar)
    is_plain = x_bar is None or isinstance(x_bar, CONTAINERS)
    return x_bar if is_plain else _cast(_fitting(x_bar, like), like)


def cast_item(g: Value, owner: Value, index: Value) -> Value:
    """Casts the gradient of `owner[index]` to the dtype that this has.

    Only the dtypes of `owner` are read, which may be a container.
    """
    if hasattr(owner, "dtype") and not is_object(owner):
        other = library(owner)
        return _cast(g, owner) if other is None else other.cast_like(g, owner)
    return g if isinstance(index, slice) else cast_like(g, item(owner, index))


def numbers(x_dot: Value, x: Value) -> Value:
    """Makes numbers of NumPy of tangents that are given as Python's, where `x` holds such."""
    if isinstance(x, np.generic) or (isinstance(x, np.ndarray) and not x.ndim):
        is_plain = isinstance(x_dot, NUMBERS) and not isinstance(x_dot, np.generic)
        made = np.asarray(x_dot, x.dtype) if is_plain else x_dot
        return made[()] if is_plain and isinstance(x, np.generic) else made
    if isinstance(x, dict) and isinstance(x_dot, dict):
        return {key: numbers(part, x[key]) for key, part in x_dot.items()}
    if isinstance(x, (tuple, list)) and isinstance(x_dot, (tuple, list)):
        return _as(x_dot, list(map(numbers, x_dot, x)))
    return x_dot


def real(x: Value) -> Value:
    """Gives `x`, which must be real, and an array for a list; raises TypeError for complex numbers.

    A function that is not holomorphic, as `abs`, is differentiated at real arguments only.
    """
    if isinstance(x, float):
        return x
    if isinstance(x, (list, tuple)):
        x = np.asarray(x)
    other = library(x)
    if other is not None:
        return other.real(x)
    if np.iscomplexobj(x):
        raise TypeError(
            "complex numbers where the derivative is known for real ones only: a function of "
            "their size, as `abs`, is not holomorphic"
        )
    return x


def ratio(g: Value, x: Value) -> Value:
    """Gives `g / x`, and 0 where both are 0; `g` has the shape of `x`.

    So the gradient of a root goes back: the slope of `sqrt` at 0 is infinite, but where no gradient
    arrives none goes on. (Where a smooth `u` has a zero and `sqrt(u)` is defined around it, the
    zero is a minimum, and a function of `sqrt(u)` with slope 0 there has slope 0 by `u`, too.)
    """
    if isinstance(x, float):
        if x:
            return g / x
        return g if not np.any(g) else np.divide(g, x)
    if type(x) is not np.ndarray:
        other = library(x, g)
        if other is not None:
            return other.ratio(g, x)
    if not is_foreign(x) and x.all():
        return g / x
    return np.divide(g, np.where((x == 0) & (g == 0), 1, x))


def zeros(x: Value) -> Value:
    """Makes the zero gradient of `x`, which may be a `Like` or a container of them.

    Arrays of integers and booleans have gradients of float64. Lists, tuples and ranges get `Parts`,
    to which `add_at` adds in place; `restructure` makes tuples of them in the end. None, which
    stands for a variable that was not bound, stays None; a dtype, text, the key of an entry, and
    functions get None too. Raises TypeError for a value that has no gradient, such as an array of
    objects or one with fields.
    """
    if isinstance(x, float) and type(x) is not np.float64:
        return 0.0
    if type(x) is Growing:
        return x.zeros()
    other = None if type(x) is np.ndarray else library(x)
    if other is not None:
        return other.zeros(x)
    try:
        shape, dtype = x.shape, x.dtype
        kind = dtype.kind
    except AttributeError:
        if isinstance(x, complex):
            return 0j
        if isinstance(x, int):
            return 0.0
        if type(x) is Parts:
            return Parts(0 if type(part) is int else zeros(part) for part in x)
        if is_named(x):
            return _as(x, [_of_part(part, zeros) for part in x])
        if isinstance(x, LISTED):
            return Parts(_rebuild([*x], zeros))
        return None if isinstance(x, NAMES) else _rebuild(x, zeros)
    if type(x) is not np.ndarray and (isinstance(x, DEFINED) or is_object(x)):
        return None if isinstance(x, DEFINED) else _rebuild(x, zeros)
    if kind in "OV":
        raise TypeError(OF_OBJECTS if kind == "O" else OF_FIELDS)
    made_of = dtype if kind in "fc" else FLOAT
    if type(x) is not np.ndarray and is_foreign(x):
        return np.zeros_like(x, made_of)
    made = np.zeros(shape, made_of)
    return made if shape or isinstance(x, np.ndarray) else made[()]


def copy(x: Value) -> Value:
    """Copies `x` so that changing the copy in place leaves `x` alone; numbers come back as is.

    The copy of an array has the order of its memory, so that sums over it round as they did. What
    an object has of its class, that holds it for all, the copy has as well. Of other objects it is
    what they make themselves, such as deques.
    """
    if isinstance(x, float):
        return x
    if isinstance(x, np.ndarray):
        return x.copy("K")
    if isinstance(x, ARRAYS) or is_foreign(x):
        return x.copy()
    if isinstance(x, CONTAINERS):
        return _mapped(x, copy)
    other = library(x)
    if other is not None:
        return other.copy(x)
    if is_object(x):
        held, of_class = attributes(x), type(x)
        kept = (name for name in held if held[name] is not getattr(of_class, name, None))
        return remade(x, {**held, **{name: copy(held[name]) for name in kept}})
    return shallow(x) if isinstance(x, SETS) or hasattr(type(x), "__copy__") else x


def held(x: Value, index: Value) -> Value:
    """Gives what a list or dictionary holds at an index, itself; of an array a copy of that part.

    Either stays as it is when something else is put there. It is None where there is nothing yet.
    """
    return there(x, index) if has_parts(x) else copy(x[index])


def parts(x_bar: Value) -> Value:
    """Copies a gradient so that more can be added to its parts in place, be it a tuple."""
    if is_named(x_bar):
        return _as(x_bar, [*map(parts, x_bar)])
    if isinstance(x_bar, (list, tuple)):
        return Parts(parts(part) for part in x_bar)
    other = None if isinstance(x_bar, np.ndarray) else library(x_bar)
    return copy(x_bar) if other is None else other.parts(x_bar)


def part(x: Value) -> Value:
    """Copies a part of an array or list, which is written into; gives a number as it is."""
    return x if isinstance(x, float) else copy(x)


def add(x_bar: Value, y_bar: Value) -> Value:
    """Adds two gradients of one value; those of containers are added element by element.

    One gradient of a tuple may be a list. Raises ValueError where the two differ in structure.
    """
    if x_bar is None or y_bar is None:
        return y_bar if x_bar is None else x_bar
    if isinstance(x_bar, CONTAINERS):
        return _add_containers(x_bar, y_bar)
    if is_object(x_bar):
        return SimpleNamespace(**_add_containers(attributes(x_bar), attributes(y_bar)))
    other = None if isinstance(x_bar, OWN) else library(x_bar)
    return x_bar + y_bar if other is None else other.add(x_bar, y_bar)


def add_at(x_bar: Value, index: Value, value: Value) -> Value:
    """Adds `value`, a gradient of `x[index]`, to that part of `x_bar`, and returns `x_bar`.

    Arrays, lists and dictionaries are changed in place, so the work is proportional to `value`; a
    tuple comes back as a new one. Indices that occur more than once count each time. None is added
    to nothing: it is the gradient of a key, which a loop over a dictionary reads.
    """
    if type(x_bar) is dict and value is not None:
        x_bar[index] = add(x_bar[index], value)
        return x_bar
    if isinstance(x_bar, np.ndarray):
        if _is_basic(index) or (type(index) is np.ndarray and index.dtype.kind == "b"):
            x_bar[index] += value
        else:
            scatter(x_bar, index, value)
        return x_bar
    if isinstance(x_bar, Growing):
        x_bar.add_at(index, value)
        return x_bar
    if isinstance(x_bar, tuple):
        place = x_bar._fields.index(index) if isinstance(index, str) else index  # type: ignore[attr-defined]
        return _as(x_bar, add_at(list(x_bar), place, value))
    other = library(x_bar)
    if other is not None:
        return other.add_at(x_bar, index, value)
    if isinstance(x_bar, (np.number, float)):  # of a number of NumPy's, of which `x[mask]` is one
        return add_at(np.array(x_bar), index, value)[()]
    if is_foreign(x_bar):
        _require_basic(index)
        x_bar[index] = x_bar[index] + value
    elif is_object(x_bar):
        return _add_at_attribute(x_bar, index, value)
    elif isinstance(index, slice):
        x_bar[index] = [add(old, new) for old, new in zip(x_bar[index], value, strict=True)]
    elif value is not None:
        x_bar[index] = add(x_bar[index], value)
    return x_bar


def _add_at_attribute(x_bar: Value, name: str, value: Value) -> Value:
    """Adds to the gradient of an attribute; a record is changed in place."""
    if value is None:
        return x_bar
    held = attributes(x_bar)
    held[name] = add(held[name], value)
    if not isinstance(x_bar, SimpleNamespace):
        return SimpleNamespace(**held)
    setattr(x_bar, name, held[name])
    return x_bar


def refill(old: Value, new: Value) -> Value:
    """Puts `new` into the array `old` and gives it back; a number is simply replaced."""
    if isinstance(old, np.ndarray) and old.shape == np.shape(new):
        old[...] = new
        return old
    return new


def take_bar(x_bar: Value, index: Value) -> Value:
    """Copies the part of an adjoint that `x[index] = …` set, for an index found at run time.

    That is None for an entry of a dictionary that is there no more.
    """
    other = library(x_bar)
    if other is not None:
        return other.take_bar(x_bar, index)
    part = there(x_bar, index)
    if is_foreign(x_bar):
        _require_basic(index)
    if not isinstance(x_bar, np.ndarray) or _is_basic(index):
        return copy(part)
    return staying(part, x_bar, index)


def staying(values: Value, x: Value, index: Value) -> Value:
    """Gives `values`, with zeros for those that do not stay where `x[index] = values` puts them.

    Where integer arrays select an element twice, its last value stays (NumPy user guide, "Assigning
    values to indexed arrays"). An index of the first axis costs what it selects, others cost `x`.
    """
    if not isinstance(x, np.ndarray) or _is_basic(index):
        return values
    if isinstance(index, list | np.ndarray):
        places = np.asarray(index)
        if places.dtype.kind == "b":
            return values
        places = places % len(x)
    else:
        places = np.arange(x.size).reshape(x.shape)[index]
    found, back = np.unique(places.ravel()[::-1], return_index=True)
    if found.size == places.size:
        return values
    stays = np.zeros(places.size, bool)
    stays[places.size - 1 - back] = True
    return np.where(stays.reshape(places.shape + (1,) * (values.ndim - places.ndim)), values, 0)


def seed(out_bar: Value, out: Value, name: str) -> Value:
    """Gives the gradient that starts the backward sweep of `name`, whose output is `out`.

    It is `out_bar` in the dtype of `out`; for a tuple of one output, an array may stand for itself.
    Raises ValueError where the two differ in shape: most often somebody asked for the gradient of
    an output that is not a scalar. Raises TypeError for a complex output with a real gradient.
    """
    if isinstance(out_bar, float) and isinstance(out, float):
        return out_bar
    if isinstance(out, Growing) and np.shape(out_bar) == out.shape:
        return growing(out_bar).astype(out.zeros().dtype, copy=False)
    if isinstance(out, CONTAINERS):
        return _seed_container(out_bar, out, name)
    if is_object(out):
        return _seed_object(out_bar, out, name)
    other = library(out, out_bar)
    if other is not None:
        return other.seed(out_bar, out, name)
    if np.iscomplexobj(out) and not np.iscomplexobj(out_bar):
        raise TypeError(
            f"the output of `{name}` is complex, and only a real output has a gradient: take its "
            f"size or its real part, or use adlsp.vjp with a complex out_bar"
        )
    shape, given = _shape(out), np.shape(out_bar)
    if given == shape:
        return _cast(float(out_bar) if isinstance(out_bar, int) else out_bar, out)
    raise wrong_seed(given, shape, name)


def wrong_seed(given: Shape, shape: Shape, name: str) -> ValueError:
    """Gives the error for a seed of another shape than the output of `name`."""
    if given == ():
        return ValueError(
            f"the output of `{name}` has shape {shape}, and only a scalar output has a gradient: "
            f"pass `out_bar=` in that shape, as to adlsp.vjp, or use adlsp.jacobian"
        )
    return ValueError(f"out_bar has shape {given}, but the output of `{name}` has shape {shape}")


def restructure(x_bar: Value, x: Value) -> Value:
    """Gives a gradient the structure of its value: a tuple, a list, a dictionary, or an array.

    Arrays in it get the dtypes of those of the value. An entry of a dictionary of which there is no
    gradient gets zero, and so do all where its keys were made a list.
    """
    if type(x_bar) is np.ndarray and type(x) is np.ndarray and x_bar.dtype is x.dtype:
        return x_bar if x_bar.shape == x.shape else _fitting(x_bar, x)
    if isinstance(x, (tuple, list)) and isinstance(x_bar, SEQUENCES):
        pairs = zip(x_bar, x, strict=True)
        is_open = type(x) is Parts  # in which 0 stands for zero in any shape
        return _as(x, [b if is_open and type(of) is int else restructure(b, of) for b, of in pairs])
    if isinstance(x, np.ndarray) and isinstance(x_bar, (tuple, list)):
        return np.array(x_bar, x.dtype if x.dtype.kind in "fc" else FLOAT).reshape(x.shape)
    if isinstance(x, dict) and isinstance(x_bar, dict):
        return {
            key: restructure(x_bar[key], value) if key in x_bar else zeros(value)
            for key, value in x.items()
        }
    if isinstance(x, dict) and isinstance(x_bar, list):
        return zeros(x)
    if is_object(x) and x_bar is not None:
        return _like_object(x_bar, x, restructure)
    other = library(x_bar, x)
    if other is not None:
        return other.restructure(x_bar, x)
    x_bar = _fitting(x_bar, x)
    return _cast(x_bar, x) if isinstance(x_bar, np.ndarray) or is_foreign(x_bar) else x_bar


def _like_object(x_bar: Value, x: Value, function: Callable[[Value, Value], Value]) -> Value:
    """The gradient of an object in its structure; what is not there is zero."""
    given = attributes(x_bar) if is_object(x_bar) else EMPTY
    return gradient(
        x,
        {
            name: _of_part(held, zeros) if given.get(name) is None else function(given[name], held)
            for name, held in attributes(x).items()
        },
    )


def _fitting(x_bar: Value, x: Value) -> Value:
    """A gradient; raises TypeError where it is an array, and its value a number or another array.

    Elements of a list that a loop reads are taken for alike, as those of an array, and so is what
    is at one index at different times. A number is what became of the 0 for an array that was
    replaced.
    """
    is_plain = isinstance(x, NUMBERS) and not isinstance(x, np.generic)
    if (is_plain or isinstance(x, np.ndarray)) and isinstance(x_bar, np.ndarray):
        _require_shape(x_bar, x)
    if type(x_bar) is int:
        return zeros(x)
    is_replaced = isinstance(x, np.ndarray) and x.shape and isinstance(x_bar, (float, np.number))
    return zeros(x) + x_bar if is_replaced else x_bar


def _require_shape(x_bar: Value, x: Value) -> None:
    """Raises TypeError for the gradient of an array or a number that has another shape."""
    if x_bar.shape == np.shape(x):
        return
    if isinstance(x, np.ndarray):
        raise TypeError(
            f"a gradient of shape {x_bar.shape} for an array of shape {x.shape} (AD304): an "
            f"element of a list is replaced by one of another shape, put it into a list of its own"
        )
    raise TypeError(
        f"a gradient of shape {x_bar.shape} for a number (AD304): `p[i] += v` makes an array of "
        f"it, write `p[i] = p[i] + v`; or a loop combines elements of several shapes, make them "
        f"arrays of one shape"
    )


def _shape(x: Value) -> Shape:
    shape = getattr(x, "shape", None)
    if shape is None:
        return () if isinstance(x, NUMBERS) else np.shape(x)
    return shape


def _cast(x_bar: Value, like: Value) -> Value:
    """Casts to the dtype of `like`; where that is a Python number, to a real or a complex one."""
    dtype = getattr(like, "dtype", None)
    if dtype is not None and dtype.kind in "fc" and getattr(x_bar, "dtype", None) is dtype:
        return x_bar
    is_real = not isinstance(like, complex) if dtype is None else dtype.kind != "c"
    if is_real and np.iscomplexobj(x_bar):
        x_bar = x_bar.real
    if dtype is None and not is_real:
        return x_bar + 0j
    if dtype is OBJECT:
        raise TypeError(OF_OBJECTS)
    if dtype is None or dtype.kind not in "fc":
        return x_bar
    if isinstance(x_bar, ARRAYS) or is_foreign(x_bar):
        return x_bar.astype(dtype, copy=False)
    return dtype.type(x_bar)


def _require_basic(index: Value) -> None:
    """Raises TypeError for an index that a foreign array cannot add to at each place."""
    if not _is_basic(index):
        raise TypeError(SCATTERED)


def _is_basic(index: Value) -> bool:
    return type(index) in BASIC or (type(index) is tuple and BASIC.issuperset(map(type, index)))


def _as(x: Value, elements: Sequence[Value]) -> Value:
    """Makes a list or tuple of the type of `x`: named tuples stay named."""
    make: Callable[[Sequence[Value]], Value] = getattr(type(x), "_make", type(x))
    return make(elements)


def _rebuild(x: Value, function: Callable[[Value], Value]) -> Value:
    """Applies `function` to the elements of a container; None stands for no value at all.

    Slices and dtypes have none, nor has what holds no numbers among the elements: the name of a
    layer, or a function that is one.
    """
    if x is None or isinstance(x, (slice, type, np.dtype)):
        return None
    if isinstance(x, CONTAINERS):
        return _mapped(x, lambda value: None if isinstance(value, NAMES) else function(value))
    if is_object(x):
        held = {name: _of_part(part, function) for name, part in attributes(x).items()}
        return SimpleNamespace(**held) if function is zeros else remade(x, held)
    raise TypeError(
        f"a value of type {type(x).__name__} has no gradient: only numbers, NumPy arrays, and "
        f"tuples, lists, dictionaries and objects of them have one"
    )


def part_zeros(x: Value) -> Value:
    """Makes the zero tangent of what an object holds; None of what is no number, as a function."""
    return _of_part(x, zeros)


def _of_part(x: Value, function: Callable[[Value], Value]) -> Value:
    """What a function gives for an attribute; None where that holds no numbers."""
    if isinstance(x, NAMES):
        return None
    is_number = isinstance(x, NUMBERS) or hasattr(x, "dtype")
    if isinstance(x, (tuple, list)):
        parts = [_of_part(part, function) for part in x]
        return Parts(parts) if function is zeros else _as(x, parts)
    if isinstance(x, dict):
        return {key: _of_part(part, function) for key, part in x.items()}
    return function(x) if is_number or is_object(x) else None


def _mapped(x: Value, function: Callable[[Value], Value]) -> Value:
    """A container of what a function gives for each element.

    What a dictionary gives for a key that it does not have, the new one gives in its way, too.
    """
    if not isinstance(x, dict):
        return _as(x, [function(value) for value in x])
    made = {key: function(value) for key, value in x.items()}
    missing = int if isinstance(x, Counter) else getattr(x, "default_factory", None)
    return made if missing is None else defaultdict(lambda: function(missing()), made)


def _is_none(x_bar: Value) -> bool:
    """Tells whether a gradient is that of nothing: None, of no elements, or zero again."""
    is_empty = isinstance(x_bar, CONTAINERS) and not x_bar
    return x_bar is None or is_empty or (type(x_bar) in (int, float) and x_bar == 0)


def _add_containers(x_bar: Value, y_bar: Value) -> Value:
    if isinstance(x_bar, Parts) and not (isinstance(y_bar, CONTAINERS) or np.ndim(y_bar)):
        return Parts(add(part, y_bar) for part in x_bar)
    if isinstance(x_bar, dict) is not isinstance(y_bar, dict) or (
        isinstance(x_bar, list | tuple) and len(x_bar) != len(y_bar)
    ):
        raise ValueError("two gradients of one container differ in structure")
    if isinstance(x_bar, dict):
        given = {key for bar in (x_bar, y_bar) for key, part in bar.items() if not _is_none(part)}
        if not (given <= x_bar.keys() and given <= y_bar.keys()):
            raise ValueError("two gradients of one dictionary have different keys")
        return {key: add(value, y_bar.get(key)) for key, value in x_bar.items()}
    elements = [add(x, y) for x, y in zip(x_bar, y_bar, strict=True)]
    if is_named(y_bar):
        return _as(y_bar, elements)
    return Parts(elements) if isinstance(x_bar, list) else _as(x_bar, elements)


def _seed_object(out_bar: Value, out: Value, name: str) -> Value:
    held, given = attributes(out), attributes(out_bar) if is_object(out_bar) else EMPTY
    if held.keys() != given.keys():
        raise ValueError(
            f"the output of `{name}` is an object of {type(out).__name__}, and only a scalar "
            f"output has a gradient: pass `out_bar=` with the same attributes, as to adlsp.vjp"
        )
    pairs = ((key, given[key], part) for key, part in held.items())
    seeds = {key: bar if bar is None else seed(bar, part, name) for key, bar, part in pairs}
    return SimpleNamespace(**seeds)


def _seed_container(out_bar: Value, out: Value, name: str) -> Value:
    kind = type(out).__name__
    if isinstance(out_bar, ARRAYS) and isinstance(out, tuple | list) and len(out) == 1:
        out_bar = (out_bar,)
    if not isinstance(out_bar, CONTAINERS):
        raise ValueError(
            f"the output of `{name}` is a {kind} of {len(out)}, and only a scalar output has a "
            f"gradient: pass `out_bar=` with one entry for each, as to adlsp.vjp"
        )
    keys = out.keys() if isinstance(out, dict) else range(len(out))
    given = out_bar.keys() if isinstance(out_bar, dict) else range(len(out_bar))
    if set(keys) != set(given):
        raise ValueError(
            f"out_bar has {len(out_bar)} entries that do not match the {kind} of {len(out)} that "
            f"`{name}` returns"
        )
    seeds = [seed(out_bar[key], out[key], name) for key in keys]
    if isinstance(out, dict):
        return dict(zip(keys, seeds, strict=True))
    return Parts(seeds) if isinstance(out, list) else _as(out, seeds)
