"""Copies of what a callee has saved for its backward sweep, of which arguments change afterwards.

The backward sweep undoes stores in the arrays that were saved, and reads the same memory by other
names. So arrays that share memory share it in the copy as well, and a list that occurs twice is
one list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from adlsp.runtime.arrays import copy
from adlsp.runtime.objects import attributes, has_parts, is_object, parts, remade
from adlsp.runtime.shapes import Value


def preserved(saved: Value) -> Value:
    """Copies what was saved, so that changing an argument of the callee leaves the copy alone."""
    return _Copies(saved).of(saved)


class _Copies:
    """The copies made so far, by what they are copies of."""

    def __init__(self, saved: Value) -> None:
        self.made: dict[int, Value] = {}
        unique = {id(array): array for array in _arrays(saved, set())}
        self.viewing = Counter(id(_owner(array)) for array in unique.values())

    def of(self, value: Value) -> Value:
        """The copy of a value, one for all its places."""
        if not (isinstance(value, np.ndarray) or has_parts(value)):
            return copy(value)
        if id(value) not in self.made:
            self.made[id(value)] = self.new(value)
        return self.made[id(value)]

    def new(self, value: Value) -> Value:
        if isinstance(value, np.ndarray):
            owner = _owner(value)
            is_shared = self.viewing[id(owner)] > 1 and _is_dense(owner)
            return self.view(value, owner) if is_shared else value.copy("K")
        if isinstance(value, dict):
            return {key: self.of(part) for key, part in value.items()}
        if is_object(value):
            return remade(value, {n: self.of(part) for n, part in attributes(value).items()})
        parts = map(self.of, value)
        is_named = hasattr(value, "_fields")
        return type(value)(*parts) if is_named else type(value)(parts)

    def view(self, array: np.ndarray[Any, Any], owner: np.ndarray[Any, Any]) -> Value:
        """The same part of a copy of the memory that an array looks at."""
        if id(owner) not in self.made:
            memory = np.empty(owner.nbytes, np.uint8)
            whole = np.ndarray(owner.shape, owner.dtype, memory, 0, owner.strides)
            whole[...] = owner
            self.made[id(owner)] = whole
        whole = self.made[id(owner)]
        if owner is array:
            return whole
        offset = array.ctypes.data - owner.ctypes.data
        return np.ndarray(array.shape, array.dtype, whole.base, offset, array.strides)


def _arrays(value: Value, seen: set[int]) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays in a value, however deep."""
    if isinstance(value, np.ndarray):
        yield value
    elif has_parts(value) and id(value) not in seen:
        seen.add(id(value))
        for part in parts(value):
            yield from _arrays(part, seen)


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array whose memory an array looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _is_dense(owner: np.ndarray[Any, Any]) -> bool:
    """Tells whether the elements of an array fill its memory, in whatever order of its axes."""
    reach = sum((n - 1) * s for n, s in zip(owner.shape, owner.strides, strict=True))
    is_forward = all(stride >= 0 for stride in owner.strides)
    return is_forward and owner.size > 0 and reach + owner.itemsize == owner.nbytes
