"""An array that grows: append to it, set its elements, and still read every earlier version.

    from adlsp import runtime as rt

    s = rt.growing([1.0])
    for _ in range(n):
        s = rt.append(s, 2.0 * s[-1])
    s = rt.setitem(s, 0, 5.0)

`append` and `setitem` give a new version and leave the old one as it is. All versions of
an array share one memory: the newest has the elements, the others remember how they differ from the
one that came after. Reading an older version turns the differences around, one by one, so that it
becomes the one that has the elements (H. G. Baker, "Shallow binding makes functional arrays fast",
ACM SIGPLAN Notices 26(8), 1991). A backward sweep, which goes through the versions from the last to
the first, turns one difference in each step; so a program that grows and edits an array costs what
it touches, forward and backward.

The gradient of such an array is one again. Its zero holds no elements, but those that were touched
since: a version that was looked at here and there costs no more than these looks.

Reading may move elements between versions, so versions of one array must not be used by several
threads at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from sys import getrefcount
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

Value = Any
"""A number or an array."""

Array = np.ndarray[Any, Any]

Place = int | slice | tuple[Any, ...] | None
"""Where elements are: an index of integers, slices, `...` and `None`, the first not negative."""

BASIC = (int, np.integer, slice, type(None), type(Ellipsis))

RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
"""The kinds of numbers; each holds those of its own rank and below."""

FLOATS = (float, np.float64)

ROOM = 8
"""The least number of elements that memory is made for."""

SPARSE = 4
"""Elements are held one by one while they are less than this part of all."""


class Growing(NDArrayOperatorsMixin):
    """An array of which later versions may have more elements, along its first axis.

    It is read as an array is: `s[i]`, `s[-1]`, `s[1:3]`, `s[i, j]`, `len(s)`, `s.shape`, `for x in
    s`, `np.asarray(s)`, arithmetic and NumPy's functions; what is read is a number, or an array of
    its own. `s[i] = x` changes it as it changes an array: all names of this one see that, but no
    other version.
    """

    __slots__ = ("_version",)

    def __init__(self, version: _Version) -> None:
        self._version = version

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements along each axis."""
        return (self._version.length, *self._version.form.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its numbers, the same in all versions."""
        return self._version.form.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return 1 + len(self._version.form.shape)

    @property
    def size(self) -> int:
        """The number of its numbers."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self._version.length

    def __getitem__(self, index: Value) -> Value:
        version = self._version
        elements = version.elements or _taken(version)
        if type(index) is int and type(elements) is _Dense:
            place = index if index >= 0 else index + version.length
            if 0 <= place < version.length:
                found = elements.memory[place]
                return found.copy() if type(found) is np.ndarray else found
        if _is_basic(index):
            return elements.part(version.length, _place(index, version.length))
        return elements.whole(version.length)[index]

    def __setitem__(self, index: Value, value: Value) -> None:
        version = self._version
        elements = version.elements
        if elements is None or getrefcount(version) > ALONE + 1:  # this name counts as well
            self._version = _changed(version, index, value)
            return
        form, length = version.form, version.length
        if type(value) not in FLOATS or not form.is_float:
            form.require(value)
        elif type(index) is int and type(elements) is _Dense and -length <= index < length:
            elements.memory[index if index >= 0 else index + length] = value
            return
        elements.put(length, _place(index, length), value)
        if type(elements) is _Sparse:
            version.elements = _settled(elements, length)

    def __iter__(self) -> Iterator[Value]:
        return iter(np.asarray(self))

    def __array__(self, dtype: Value = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("the elements of a growing array cannot be given without a copy")
        whole = _taken(self._version).whole(self._version.length)
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Value, out: Value = (), **options: Value
    ) -> Value:
        if method == "at":
            return NotImplemented
        if ufunc is np.add and method == "__call__" and not options:
            one, other = inputs
            if type(one) is type(other) and (one.shape, one.dtype) == (other.shape, other.dtype):
                made = _sum(one, other)
                if not out:
                    return made
                if out[0] is one:  # `one += other`
                    one._version = made._version
                    return one
        arrays = [np.asarray(x) if isinstance(x, Growing) else x for x in inputs]
        if not any(isinstance(target, Growing) for target in out):
            return getattr(ufunc, method)(*arrays, **({"out": out} if out else {}), **options)
        (target,) = out
        target[...] = getattr(ufunc, method)(*arrays, **options)
        return target

    def __reduce__(self) -> tuple[Value, ...]:
        return growing, (np.asarray(self),)

    def __repr__(self) -> str:
        return f"growing({np.asarray(self)!r})"

    def copy(self) -> Growing:
        """Gives one that is changed by itself; no element is copied."""
        return Growing(self._version)

    def astype(self, dtype: Value, copy: bool = True) -> Growing:
        """Gives one with numbers of another type; itself, if it has that type and need not copy."""
        return self if not copy and self.dtype == dtype else growing(np.asarray(self, dtype))

    def zeros(self) -> Growing:
        """Gives its zero gradient, which holds no elements yet; integers have one of float64."""
        form = self._version.form
        if form.dtype.kind not in "fc":
            form = _Form(form.shape, np.dtype(np.float64))
        return Growing(_first(self._version.length, form, _Sparse(form)))

    def add_at(self, index: Value, value: Value) -> None:
        """Adds to its elements; an index that selects one several times adds several times."""
        if _is_basic(index):
            self[index] = self[index] + value
        else:
            whole = np.asarray(self)
            np.add.at(whole, index, value)
            self[...] = whole


def growing(values: Value = ()) -> Growing:
    """Makes a growing array of an array, or of a list of numbers or of arrays of one shape.

    Without elements, say what they will be: `growing(np.empty((0, 3)))` will have rows of three
    numbers, `growing()` numbers of float64. Raises TypeError for what are no numbers, and for a
    number alone.
    """
    if isinstance(values, Growing):
        return values.copy()
    array = np.array(values)
    if array.dtype.kind not in RANKS:
        raise TypeError(f"a growing array holds numbers, not {array.dtype}")
    if not array.ndim:
        raise TypeError("a growing array has at least one axis: give a list or an array")
    form = _Form(array.shape[1:], array.dtype)
    return Growing(_first(len(array), form, _Dense(form, array)))


def append(s: Growing, value: Value) -> Growing:
    """Gives the version of `s` with one more element; `s` stays as it is.

    `s` has shape (n, ...) and `value` the shape of an element, or is a number for all of it; the
    cost is that of `value`. Raises ValueError where `value` has another shape, TypeError where the
    dtype of `s` cannot hold it or `s` is no growing array.
    """
    version = _of(s, "append to")
    form, length = version.form, version.length
    if type(value) not in FLOATS or not form.is_float:
        form.require(value)
        if np.shape(value) not in ((), form.shape):
            raise ValueError(
                f"an element of shape {np.shape(value)} does not fit into a growing array of shape "
                f"{(length, *form.shape)}"
            )
    elements = version.elements or _taken(version)
    elements.grow(length, value)
    return Growing(_followed(version, length + 1, elements, None, None))


def setitem(s: Growing, index: Value, value: Value) -> Growing:
    """Gives the version of `s` in which `s[index]` is `value`; `s` stays as it is.

    The index is made of integers, slices and `...`; `value` fits as in `s[index] = value`, and the
    cost is that of `value`. Raises IndexError for an index that is outside of `s` or of another
    kind, ValueError where `value` does not fit, TypeError where the dtype of `s` cannot hold it or
    `s` is no growing array.
    """
    return Growing(_changed(_of(s, "set elements of"), index, value))


# What derivatives do, with gradients that may still be plain arrays


def shorten(g: Value) -> Growing:
    """Gives the version of `g` without its last element; `g` stays as it is.

    A plain array is copied first. Raises IndexError where there is no element.
    """
    version = (g if type(g) is Growing else growing(g))._version
    length = version.length - 1
    if length < 0:
        raise IndexError("a growing array without elements cannot be shortened")
    elements = version.elements or _taken(version)
    last = elements.shrink(length)
    return Growing(_followed(version, length, elements, None, last))


def lengthen(g: Value) -> Growing:
    """Gives the version of `g` with a zero behind: the opposite of `shorten`."""
    return append(growing(g), 0)


def cleared(g: Value, index: Value) -> Growing:
    """Gives the version of `g` with zeros at `index`; `g` stays as it is.

    A plain array is copied first. Raises IndexError as `setitem` does.
    """
    version = (g if type(g) is Growing else growing(g))._version
    return Growing(_changed(version, index, 0.0))


class _Form:
    """The shape of an element, and the dtype: what all versions of an array have in common."""

    __slots__ = ("dtype", "is_float", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.dtype = dtype
        self.is_float = dtype.kind == "f"

    def require(self, value: Value) -> None:
        """Raises TypeError for a value that the dtype cannot hold."""
        given = np.asarray(value).dtype
        if RANKS.get(given.kind, len(RANKS)) > RANKS[self.dtype.kind]:
            raise TypeError(f"a growing array of {self.dtype} cannot hold {given}")


class _Dense:
    """Elements side by side, with room for more behind them."""

    __slots__ = ("form", "memory")

    def __init__(self, form: _Form, memory: Array) -> None:
        self.form = form
        self.memory = memory

    def part(self, length: int, place: Place) -> Value:
        """A copy of what is at a place."""
        found = self.memory[place] if type(place) is int else self.memory[:length][place]
        return found.copy() if type(found) is np.ndarray else found

    def whole(self, length: int) -> Array:
        """A copy of all elements."""
        return self.memory[:length].copy()

    def put(self, length: int, place: Place, value: Value) -> None:
        """Sets what is at a place."""
        memory = self.memory if type(place) is int else self.memory[:length]
        memory[place] = value

    def exchange(self, length: int, place: Place, value: Value) -> Value:
        """Sets what is at a place, and gives what was there."""
        memory = self.memory if type(place) is int else self.memory[:length]
        old = memory[place]
        if type(old) is np.ndarray:
            old = old.copy()
        memory[place] = value
        return old

    def grow(self, length: int, value: Value) -> None:
        """Adds an element to those that there are, which are `length`."""
        if length == len(self.memory):
            wider = np.empty((max(ROOM, 2 * length), *self.form.shape), self.form.dtype)
            wider[:length] = self.memory
            self.memory = wider
        self.memory[length] = value

    def shrink(self, length: int) -> Value:
        """Takes the last element away, so that `length` are left, and gives it; keeps the room."""
        return self.part(length, length)


class _Sparse:
    """Zeros, but for the elements that were touched."""

    __slots__ = ("form", "touched")

    def __init__(self, form: _Form) -> None:
        self.form = form
        self.touched: dict[int, Value] = {}

    def part(self, length: int, place: Place) -> Value:
        """A copy of what is at a place."""
        places, inner = _split(length, place)
        return self._at(places)[inner]

    def whole(self, length: int) -> Array:
        """A copy of all elements."""
        made = np.zeros((length, *self.form.shape), self.form.dtype)
        for place, value in self.touched.items():
            made[place] = value
        return made

    def put(self, length: int, place: Place, value: Value) -> None:
        """Sets what is at a place."""
        places, inner = _split(length, place)
        changed = self._at(places)
        changed[inner] = value
        self.touched.update(zip(places, changed, strict=True))

    def exchange(self, length: int, place: Place, value: Value) -> Value:
        """Sets what is at a place, and gives what was there."""
        old = self.part(length, place)
        self.put(length, place, value)
        return old

    def grow(self, length: int, value: Value) -> None:
        """Adds an element to those that there are, which are `length`."""
        self.put(length + 1, length, value)

    def shrink(self, length: int) -> Value:
        """Takes the last element away, so that `length` are left, and gives it."""
        last = self.part(length, length)
        self.touched.pop(length, None)
        return last

    def _at(self, places: range) -> Array:
        made = np.zeros((len(places), *self.form.shape), self.form.dtype)
        for number, place in enumerate(places):
            if place in self.touched:
                made[number] = self.touched[place]
        return made


class _Version:
    """A version. One has `elements`; each of the others differs from `next` in one thing.

    Where both have one length, what is at `place` was `old`; else the longer of the two has one
    element more, and if that is this one, the element is `old`.
    """

    __slots__ = ("elements", "form", "length", "next", "old", "place")

    next: _Version
    place: Place
    old: Value
    elements: _Dense | _Sparse | None
    form: _Form
    length: int


def _first(length: int, form: _Form, elements: _Dense | _Sparse) -> _Version:
    """The version that is made of none before."""
    made = _Version()
    made.length, made.form, made.elements = length, form, elements
    return made


def _of(s: Growing, action: str) -> _Version:
    """The version that is meant; raises TypeError for what is no growing array."""
    if type(s) is Growing:
        return s._version
    raise TypeError(f"cannot {action} a {type(s).__name__}: make it a growing array, `growing(x)`")


def _changed(version: _Version, index: Value, value: Value) -> _Version:
    """The version after an assignment to `index`."""
    length = version.length
    place = _place(index, length)
    if type(value) not in FLOATS or not version.form.is_float:
        version.form.require(value)
    elements = version.elements or _taken(version)
    old = elements.exchange(length, place, value)
    return _followed(version, length, elements, place, old)


def _followed(
    version: _Version, length: int, elements: _Dense | _Sparse, place: Place, old: Value
) -> _Version:
    """A new version that has the elements; what it was made of remembers the difference."""
    if type(elements) is _Sparse:
        elements = _settled(elements, length)
    made = _Version()
    made.length, made.form, made.elements = length, version.form, elements
    version.elements, version.next, version.place, version.old = None, made, place, old
    return made


def _settled(elements: _Sparse, length: int) -> _Dense | _Sparse:
    """The elements, side by side where many of them were touched."""
    is_sparse = SPARSE * len(elements.touched) <= max(length, ROOM)
    return elements if is_sparse else _Dense(elements.form, elements.whole(length))


def _taken(version: _Version) -> _Dense | _Sparse:
    """The elements, moved to a version.

    Where the way is longer than the array, they are copied, so that going back and forth between
    two versions costs no more than copying would.
    """
    if version.elements is not None:
        return version.elements
    path, last = [version], version.next
    while last.elements is None:
        path.append(last)
        last = last.next
    elements = last.elements
    is_far = len(path) > ROOM + last.length
    if is_far:
        elements = _Dense(version.form, elements.whole(last.length))
    for older in reversed(path):
        newer, place, old = older.next, older.place, older.old
        if newer.length == older.length:
            old = elements.exchange(older.length, place, old)
        elif newer.length > older.length:
            old = elements.shrink(older.length)
        else:
            elements.grow(newer.length, old)
        if not is_far:
            newer.elements, newer.next, newer.place, newer.old = None, older, place, old
    version.elements = elements
    del version.next, version.place, version.old
    return elements


def _sum(one: Growing, other: Growing) -> Growing:
    """The sum of two of one shape and dtype, by the elements that the sparser one has."""
    n_one, n_other = _n_touched(one), _n_touched(other)
    if n_one is None and n_other is None:
        return growing(np.asarray(one) + np.asarray(other))
    if n_other is None or (n_one is not None and n_one < n_other):
        one, other = other, one
    elements = _taken(other._version)
    assert isinstance(elements, _Sparse)
    made = one.copy()
    for place, value in dict(elements.touched).items():
        made[place] = made[place] + value
    return made


def _n_touched(s: Growing) -> int | None:
    elements = _taken(s._version)
    return len(elements.touched) if isinstance(elements, _Sparse) else None


def _n_owners(s: Growing) -> int:
    """How many refer to the version of `s`: other ones of its kind, and versions that differ."""
    return getrefcount(s._version)


ALONE = _n_owners(growing())
"""What is counted for a version that only one knows: it may be changed, as nobody reads it later.

(What Python counts for itself depends on its version.)
"""


def _is_basic(index: Value) -> bool:
    if isinstance(index, tuple):
        return all(isinstance(i, BASIC) and not isinstance(i, bool) for i in index)
    return isinstance(index, BASIC) and not isinstance(index, bool)


def _place(index: Value, length: int) -> Place:
    """An index whose first integer counts from the start."""
    if type(index) is int and -length <= index < length:
        return index if index >= 0 else index + length
    if not _is_basic(index):
        raise IndexError("elements of a growing array are set by integers and slices")
    first, *rest = (index if isinstance(index, tuple) else (index,)) or (...,)
    if isinstance(first, int | np.integer):
        place = int(first) + length if first < 0 else int(first)
        if not 0 <= place < length:
            raise IndexError(f"index {first} is outside of a growing array of length {length}")
        return (place, *rest) if rest else place
    return (first, *rest) if rest else first


def _split(length: int, place: Place) -> tuple[range, Value]:
    """The elements that a place is in, and the index that selects it from these."""
    first, *rest = place if isinstance(place, tuple) else (place,)
    if isinstance(first, int):
        return range(first, first + 1), (0, *rest)
    if isinstance(first, slice):
        return range(*first.indices(length)), (slice(None), *rest)
    return range(length), place
