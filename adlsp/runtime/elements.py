"""Gradients of functions that put elements to other places: joins, repeats, margins, selections.

Each of these functions is linear, and its gradient is the transposed movement: what was copied to
several places collects the gradients of all of them, what was left out gets zero. `shape` is that
of the array whose gradient is asked for; the other arguments are those of NumPy's function.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from adlsp.runtime.arrays import (
    OBJECT,
    OF_OBJECTS,
    Parts,
    add,
    add_at,
    real,
    restructure,
    unbroadcast,
    zeros,
)
from adlsp.runtime.foreign import asarray, library, scatter, total
from adlsp.runtime.growth import Growing
from adlsp.runtime.objects import is_object, there
from adlsp.runtime.shapes import Shape, Value


def split_bar(out_bar: Value, arrays: Sequence[Value], axis: int | None = 0) -> Value:
    """Gives the gradients of arrays that were put together along `axis`, as a list.

    It serves `numpy.concatenate`, `stack` and their like: an array with fewer axes than the result
    fills one place along `axis`. An array of arrays gets an array. The parts may be views.
    """
    joined = np.ravel(out_bar) if axis is None else out_bar
    parts = []
    for (shape, index), array in zip(_places(arrays, joined.shape, axis), arrays, strict=True):
        part = joined[index].reshape(shape)
        parts.append(unbroadcast(part if shape else part[()], array))
    return np.stack(parts) if isinstance(arrays, np.ndarray) else Parts(parts)


def block(g: Value) -> Value:
    """Puts gradients together as `numpy.block` does, which takes only plain lists."""

    def plain(part: Value) -> Value:
        return [plain(each) for each in part] if isinstance(part, list) else part

    return np.block(plain(g))


def block_bar(g: Value, arrays: Value) -> Value:
    """Gives the gradients of the arrays that `numpy.block` put together, in nested lists.

    The innermost lists were put together along the last axis, those around them along the one
    before. What has fewer axes than the result was given such of length one in front.
    """
    if not isinstance(arrays, list):
        return unbroadcast(np.reshape(g, np.shape(arrays)), arrays)
    axis = -_depth(arrays)
    ends = np.cumsum([_length(each, axis) for each in arrays])
    parts = np.split(g, ends[:-1], axis)
    return Parts(block_bar(part, each) for part, each in zip(parts, arrays, strict=True))


def _depth(arrays: Value) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _length(arrays: Value, axis: int) -> int:
    """How long blocks are along an axis on which they do not follow each other."""
    while isinstance(arrays, list):
        arrays = arrays[0]
    return 1 if np.ndim(arrays) < -axis else int(np.shape(arrays)[axis])


def join(parts: Sequence[Value], shape: Shape, axis: int | None = 0) -> Value:
    """Puts arrays together along `axis` to one of `shape`: the opposite of `split_bar`."""
    flat = (math.prod(shape),) if axis is None else shape
    arrays = [np.asarray(part) for part in parts]
    made = np.empty(flat, np.result_type(*arrays, *(() if arrays else (float,))))
    for (_, index), part in zip(_places(parts, flat, axis), parts, strict=True):
        made[index] = np.reshape(part, made[index].shape)
    return made.reshape(shape)


def tile_bar(out_bar: Value, shape: Shape, reps: int | Sequence[int]) -> Value:
    """Gives the gradient of an array in `numpy.tile(a, reps)`: the sum over all tiles."""
    repeats = [int(n) for n in np.atleast_1d(np.asarray(reps, int))]
    n_axes = max(len(shape), len(repeats))
    repeats = [1] * (n_axes - len(repeats)) + repeats
    lengths = [1] * (n_axes - len(shape)) + list(shape)
    pairs = [n for pair in zip(repeats, lengths, strict=True) for n in pair]
    tiles = np.reshape(out_bar, pairs)
    return total(tiles, tuple(range(0, 2 * n_axes, 2))).reshape(shape)


def repeat_bar(
    out_bar: Value, shape: Shape, repeats: int | Sequence[int], axis: int | None = None
) -> Value:
    """Gives the gradient of an array in `numpy.repeat(a, repeats, axis)`."""
    if axis is None or not shape:  # a number takes an axis, too
        return repeat_bar(out_bar, (math.prod(shape),), repeats, 0).reshape(shape)
    source = np.repeat(np.arange(shape[axis]), repeats)
    made = np.zeros(shape, out_bar.dtype)
    scatter(np.moveaxis(made, axis, 0), source, np.moveaxis(out_bar, axis, 0))
    return made


def pad_bar(out_bar: Value, shape: Shape, pad_width: Value, mode: str = "constant") -> Value:
    """Gives the gradient of an array in `numpy.pad(a, pad_width, mode)`.

    That is what lies inside of margins of zeros; to it belongs what other margins have copies of.
    """
    if mode == "constant":
        before = np.broadcast_to(pad_width, (len(shape), 2))[:, 0]
        return out_bar[tuple(slice(i, i + n) for i, n in zip(before, shape, strict=True))]
    source = np.pad(np.arange(math.prod(shape)).reshape(shape), pad_width, mode)  # type: ignore[call-overload]
    made = np.zeros(math.prod(shape), out_bar.dtype)
    scatter(made, source, out_bar)
    return made.reshape(shape)


def windows_bar(
    out_bar: Value,
    shape: Shape,
    window_shape: int | tuple[int, ...],
    axis: int | tuple[int, ...] | None = None,
) -> Value:
    """Gives the gradient of an array in `sliding_window_view(a, window_shape, axis)`.

    The windows that begin anywhere do not overlap in what each has at one place.
    """
    made = np.zeros(shape, out_bar.dtype)
    windows = np.lib.stride_tricks.sliding_window_view(made, window_shape, axis, writeable=True)  # type: ignore[call-overload]
    for place in np.ndindex(windows.shape[len(shape) :]):
        windows[(..., *place)] += out_bar[(..., *place)]
    return made


def diff_bar(out_bar: Value, shape: Shape, n: int = 1, axis: int = -1) -> Value:
    """Gives the gradient of an array in `numpy.diff(a, n, axis)`."""
    if shape[axis] <= n:
        return np.zeros(shape, out_bar.dtype)
    margins = [(0, 0)] * len(shape)
    margins[axis] = (n, n)
    turned = np.diff(np.pad(out_bar, margins), n, axis)
    return turned if n % 2 == 0 else -turned


def margin(x: Value, a: Value, axis: int = -1) -> Value:
    """Gives what `numpy.diff(a, prepend=x)` puts before `a`: a number fills one place of `axis`."""
    if np.ndim(x):
        return x
    shape = list(np.shape(a))
    shape[axis] = 1
    return np.broadcast_to(x, shape)


def gather_bar(out_bar: Value, shape: Shape, indices: Value, axis: int | None = None) -> Value:
    """Gives the gradient of an array in `numpy.take(a, indices, axis)`."""
    if axis is None or not shape:  # a number takes an axis, too
        return gather_bar(out_bar, (math.prod(shape),), indices, 0).reshape(shape)
    made = np.zeros(shape, asarray(out_bar).dtype)
    places = np.asarray(indices, np.intp)  # to numpy.take a mask is zeros and ones
    scatter(made, (*(slice(None),) * (axis % len(shape)), places), out_bar)
    return made


def gather_along_bar(out_bar: Value, shape: Shape, indices: Value, axis: int | None = -1) -> Value:
    """Gives the gradient of an array in `numpy.take_along_axis(a, indices, axis)`."""
    if axis is None:
        return gather_bar(out_bar, shape, indices)
    index = list(np.indices(shape, sparse=True))
    index[axis] = indices
    made = np.zeros(shape, out_bar.dtype)
    scatter(made, tuple(index), out_bar)
    return made


def diagonal_bar(
    out_bar: Value, shape: Shape, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Value:
    """Gives the gradient of an array of `shape` in `numpy.diagonal`: `out_bar` on the diagonals."""
    made = np.zeros(shape, np.asarray(out_bar).dtype)
    diagonals = np.diagonal(made, offset, axis1, axis2)
    diagonals.flags.writeable = True
    diagonals[...] = out_bar
    return made


def place_of_item(shape: Shape, index: int | tuple[int, ...]) -> int:
    """Gives the place of `a.item(index)` among all elements of an array of `shape`."""
    if not isinstance(index, tuple):
        return index
    return int(np.ravel_multi_index(index, shape, "wrap"))


def diagonal_places(a: Value) -> tuple[Value, ...]:
    """The indices of the diagonal that `np.fill_diagonal(a, v)` sets: `a[places] = v`.

    Raises ValueError for what has no such diagonal: less than two axes, or more of unequal lengths.
    """
    shape = np.shape(a)
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(f"an array of shape {shape} has no diagonal to fill")
    return (np.arange(min(shape)),) * len(shape)


def places_along(a: Value, indices: Value, axis: int | None) -> tuple[Value, ...]:
    """The indices that `np.put_along_axis(a, indices, v, axis)` sets: `a[places] = v`."""
    shape = np.shape(a)
    if axis is None:
        return np.unravel_index(indices, shape)
    if np.ndim(indices) != len(shape):
        raise ValueError(f"indices of {np.ndim(indices)} axes for an array of {len(shape)}")
    places: list[Value] = [*np.ogrid[tuple(map(slice, shape))]]
    places[axis] = np.asarray(indices)
    return tuple(places)


def rolled_to(ndim: int, axis: int, start: int = 0) -> int:
    """Gives the place to which `numpy.rollaxis(a, axis, start)` moves an axis."""
    start = start + ndim if start < 0 else start
    return start - (start > axis % ndim)


def rot90(g: Value, k: int, axes: tuple[int, int] | None = None) -> Value:
    """Gives `numpy.rot90(g, k, axes)`, with the first two axes for none."""
    return np.rot90(g, k, (0, 1) if axes is None else axes)


def idle(x: Value) -> Value:
    """Gives a tangent to what has no influence: zeros, or None for what has no gradient."""
    if isinstance(x, tuple):
        return tuple(map(idle, x))
    if isinstance(x, range | set | frozenset):
        return [0.0] * len(x)
    try:
        return zeros(x)
    except TypeError:
        return None


def listed(g: Value, x: Value) -> Value:
    """Gives a gradient of the list `x` as a list; an array is taken apart, None is zero."""
    if g is None:
        return zeros(x)
    return Parts(g) if isinstance(g, list) else split_bar(np.asarray(g), x)


def unlisted(g: Value, like: Value) -> Value:
    """Gives a gradient for what `listed` made a list of `like`: an array, if that was one."""
    return g if isinstance(like, list) else join(g, np.shape(like))


def entry(entries: Value, key: Value) -> Value:
    """Gives what a dictionary or an object has at a key, None where it has nothing yet."""
    return there(entries, key)


def entry_bar(out_bar: Value, entries: Value, key: Value) -> Value:
    """Gives the gradient of a dictionary of which an entry was read, or of a list."""
    made = zeros(entries)
    is_there = key in made if isinstance(made, dict) else True
    if not is_there or out_bar is None:
        return made
    if is_object(made):
        return add_at(made, key, out_bar)
    made[key] = out_bar
    return made


def entered(parts: Value, entries: Value) -> dict[Value, Value]:
    """Gives the parts at the keys of `dict(entries)`, which are of a dictionary or of pairs."""
    if isinstance(entries, dict):
        return dict(parts)
    return {key: part for (key, _), (_, part) in zip(entries, parts, strict=True)}


def entered_bar(out_bar: Value, entries: Value) -> Value:
    """Gives the gradient of `entries`, a dictionary or pairs, in `dict(entries)`.

    Of several pairs with one key the last has it. Keys have none.
    """
    if isinstance(entries, dict):
        return restructure(out_bar, entries)
    last = {key: at for at, (key, _) in enumerate(entries)}
    made = []
    for at, (key, value) in enumerate(entries):
        is_there = last[key] == at and key in out_bar
        made.append((idle(key), restructure(out_bar[key], value) if is_there else zeros(value)))
    return Parts(made)


def forget(entries: Value, key: Value) -> None:
    """Leaves a key out of a dictionary that has nothing there: it was put in and taken out."""
    if isinstance(entries, dict) and entries.get(key, 0) is None:
        del entries[key]


def chosen(parts: Value, values: Value, extreme: Value) -> Value:
    """Gives the parts at those places where `values` has its extreme, on average."""
    places = _places_of(values, extreme)
    return sum(parts[i] for i in places) / len(places)


def chosen_bar(out_bar: Value, values: Value, extreme: Value) -> Value:
    """Gives the gradient of `values` of which the extreme, the largest or smallest, was chosen."""
    made, places = zeros(values), _places_of(values, extreme)
    for i in places:
        made[i] = out_bar / len(places)
    return made


def in_order(parts: Value, values: Value, reverse: bool) -> list[Value]:
    """Gives the parts in the order in which `values` are sorted.

    Of a dictionary the keys are sorted, which have no derivative.
    """
    if isinstance(values, dict):
        return [None] * len(values)
    return [parts[i] for i in _order(values, reverse)]


def in_order_bar(out_bar: Value, values: Value, reverse: bool) -> Value:
    """Gives the gradient of `values` that were sorted."""
    made = zeros(values)
    if isinstance(values, dict):
        return made
    for i, part in zip(_order(values, reverse), out_bar, strict=True):
        made[i] = part
    return made


def order(keys: list[Value], reverse: bool = False) -> list[int]:
    """Gives the positions of what has these keys, in the order in which they are sorted."""
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def least(keys: list[Value]) -> int:
    """Gives the position of the smallest key, of several the first."""
    return min(range(len(keys)), key=keys.__getitem__)


def greatest(keys: list[Value]) -> int:
    """Gives the position of the largest key, of several the first."""
    return max(range(len(keys)), key=keys.__getitem__)


def unpack(values: Value, place: int, n: int) -> tuple[Value, ...]:
    """Gives the `n` parts of `a, *b, c = values`; the one at `place` is the list.

    Raises ValueError where there are too few values.
    """
    elements, after = list(values), n - place - 1
    if len(elements) < n - 1:
        raise ValueError(f"not enough values to unpack: {len(elements)} for {n - 1}")
    end = len(elements) - after
    return (*elements[:place], elements[place:end], *elements[end:])


def repack(parts: Sequence[Value], place: int, values: Value) -> Value:
    """Puts parts together again as `values` is put together: the opposite of `unpack`."""
    elements = [*parts[:place], *parts[place], *parts[place + 1 :]]
    if isinstance(values, np.ndarray):
        return np.array(elements, values.dtype if values.dtype.kind in "fc" else None)
    return restructure(elements, values)


def growing_bar(g: Value, values: Value) -> Value:
    """Gives the gradient of what a growing array was made of: an array, for a list a list."""
    if isinstance(values, Growing):
        return g
    if isinstance(values, np.ndarray):
        return unbroadcast(np.asarray(g), values)
    return split_bar(np.asarray(g), values)


def head_bar(out_bar: Value, values: Sequence[Value]) -> Value:
    """Gives the gradient of `values` in `values + more`, where both are lists or tuples."""
    return Parts(out_bar[: len(values)])


def tail_bar(out_bar: Value, values: Sequence[Value]) -> Value:
    """Gives the gradient of `more` in `values + more`, where both are lists or tuples."""
    return Parts(out_bar[len(values) :])


def plus(a: Value, b: Value) -> Value:
    """Gives `a + b` of tangents; that of a tuple may be a list.

    `Parts` are put together as the lists are whose tangents they are, not summed.
    """
    is_plain = type(a) is type(b) and type(a) in (list, tuple)
    return [*a, *b] if _are_put_together(a, b) and not is_plain else a + b


def plus_bar(out_bar: Value, a: Value, b: Value, place: int) -> Value:
    """Gives the gradient of `a`, at place 0, or of `b` in `a + b`: a sum, or lists put together."""
    if _are_put_together(a, b):
        return tail_bar(out_bar, a) if place else head_bar(out_bar, a)
    out_bar = out_bar if library(out_bar) else asarray(out_bar)
    return unbroadcast(out_bar, b if place else a)


def plus_back(out_bar: Value, part: Value, a: Value, b: Value, place: int) -> Value:
    """Gives the gradient of `part`, which stands for `a` or `b`, in `plus_part`."""
    return plus_bar(out_bar, a, part, 1) if place else plus_bar(out_bar, part, b, 0)


def plus_part(part: Value, g: Value, a: Value, b: Value, place: int) -> Value:
    """Gives the tangent of `a + b` where only one of the two has one, in the structure of `g`."""
    if _are_put_together(a, b):
        return add_at(zeros(g), slice(len(a), None) if place else slice(len(a)), part)
    other = library(part)
    return other.stretch(part, g.shape) if other else np.broadcast_to(part, np.shape(g))


def repeated(values: Value, n: int) -> Value:
    """Repeats a list or tuple `n` times; it may hold gradients or tangents."""
    return (list(values) if isinstance(values, Parts) else values) * n


def repeats_bar(out_bar: Value, values: Sequence[Value], n: Value) -> Value:
    """Gives the gradient of a list or tuple in `values * n`, as a list.

    That of what is repeated may be an array, if NumPy has taken it for one. Raises TypeError where
    that was a product with an array.
    """
    if not isinstance(n, (int, np.integer)):
        raise TypeError("a list is multiplied by an array: make an array of it first, np.array")
    bars = [*out_bar]
    parts = (bars[i :: len(values)] for i in range(len(values)))
    return Parts(reduce(add, p) if p else zeros(v) for p, v in zip(parts, values, strict=True))


def inserted(values: Value, place: int, value: Value) -> Value:
    """Gives a list with one more value, where `list.insert` puts it."""
    made = [*values]
    made.insert(place, value)
    return Parts(made) if isinstance(values, Parts) else made


def inserted_at(values: Value, place: int) -> int:
    """Gives the place at which `list.insert` puts a value."""
    n = len(values)
    return max(place + n, 0) if place < 0 else min(place, n)


def without(values: Value, place: Value) -> Value:
    """Gives a list without the value at a place, or a dictionary without a key.

    The gradient of a list may be an array, which becomes a list of its rows. Raises IndexError or
    KeyError where there is none.
    """
    made = Parts(values) if isinstance(values, np.ndarray) else type(values)(values)
    del made[place]
    return made


def without_bar(out_bar: Value, values: Value, place: Value) -> Value:
    """Gives the gradient of `values` of which one was left out: there it is zero."""
    lost = zeros(values[place])
    if isinstance(values, dict):
        return {key: lost if key == place else out_bar[key] for key in values}
    return Parts(inserted(out_bar, place % len(values), lost))


def broadcast_arrays(args: Sequence[Value]) -> list[Value]:
    """Gives `numpy.broadcast_arrays(*args)` as a list."""
    return list(np.broadcast_arrays(*args))


def broadcast_arrays_bar(g: Sequence[Value], args: Sequence[Value]) -> Value:
    """Gives the gradients of arrays that were broadcast against each other, as a list."""
    return Parts(unbroadcast(part, x) for part, x in zip(g, args, strict=True))


def meshgrid(xi: Sequence[Value], indexing: Value) -> list[Value]:
    """Gives `numpy.meshgrid(*xi, indexing=indexing)` as a list."""
    return list(np.meshgrid(*xi, indexing=indexing))


def meshgrid_bar(g: Sequence[Value], xi: Sequence[Value], indexing: Value) -> Value:
    """Gives the gradients of the axes of a grid, as a list."""
    order = [*range(len(xi))]
    if indexing == "xy":
        order[:2] = order[1::-1]
    made = []
    for axis, part, x in zip(order, g, xi, strict=True):
        others = tuple(i for i in order if i != axis)
        made.append(unbroadcast(total(part, others).reshape(np.shape(x)), x))
    return Parts(made)


def transposed(rows: Sequence[Value]) -> list[Value]:
    """Gives the columns of rows, as tuples."""
    return list(zip(*rows, strict=False))


def transposed_bar(out_bar: Value, rows: Value) -> Value:
    """Gives the gradient of rows of which the columns were taken: zero behind the shortest row."""
    made = zeros(rows)
    for i, parts in enumerate(zip(*out_bar, strict=True)):
        made = add_at(made, i, _filled_up(parts, rows[i]))
    return made


def cast(g: Value, dtype: Value) -> Value:
    """Casts a gradient or tangent as its value was cast; through integers, none passes.

    A value for which no dtype was given was not cast.
    """
    if dtype is None:
        return g
    if np.dtype(dtype).kind in "fc":
        return g.astype(dtype, copy=False) if hasattr(g, "astype") else np.asarray(g, dtype)[()]
    if np.dtype(dtype) is OBJECT:
        raise TypeError(OF_OBJECTS)
    return np.zeros(np.shape(g))


def _filled_up(parts: Sequence[Value], row: Value) -> Value:
    """The gradient of a row from those of its first elements."""
    made = [*parts, *map(zeros, row[len(parts) :])]
    return np.array(made) if isinstance(row, np.ndarray) else made


def _places_of(values: Value, number: Value) -> list[int]:
    """The places at which values, which are real, are equal to a number."""
    return [i for i, value in enumerate(values) if real(value) == real(number)]


def _order(values: Value, reverse: bool) -> list[int]:
    """The places of numbers in the order in which Python sorts them."""
    return sorted(range(len(values)), key=lambda i: values[i], reverse=reverse)


def _are_put_together(a: Value, b: Value) -> bool:
    """Tells whether `a + b` puts lists or tuples together."""
    return isinstance(a, (list, tuple)) and isinstance(b, (list, tuple))


def _places(
    arrays: Sequence[Value], shape: Shape, axis: int | None
) -> Iterator[tuple[Shape, tuple[slice, ...]]]:
    """The shape of each array, and its place in what they were put together to."""
    start = 0
    before = (slice(None),) * (0 if axis is None else axis % len(shape))
    for given in map(np.shape, arrays):
        n = 1
        if axis is None:
            n = math.prod(given)
        elif len(given) == len(shape):
            n = given[axis]
        yield given, (*before, slice(start, start + n))
        start += n
