"""Objects of users' classes: their gradients hold one of each attribute, under its name.

While it is summed such a gradient is a plain record. In the end it is an object of the same class
where that is a dataclass, and a record for any other class. Attributes that hold no numbers, such
as functions and text, have `None` there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import MemberDescriptorType, SimpleNamespace

from adlsp.runtime.foreign import LIBRARIES
from adlsp.runtime.shapes import Value

CONTAINERS = (tuple, list, dict)

OTHERS = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type, BaseException)
"""What is more than its attributes."""

MARKS = ("__array_function__", "__array_ufunc__")
"""What only arrays have; a class for which `__array_ufunc__` is None has operators of its own."""

HEAP = 1 << 9
"""The flag of classes that are written in Python."""


def is_object(x: Value) -> bool:
    """Tells whether `x` is an object of a user's class, which is no more than its attributes."""
    return _is_plain(type(x))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _is_plain(kind: type) -> bool:
    if kind is SimpleNamespace:
        return True
    homes = {str(base.__module__).partition(".")[0] for base in kind.__mro__}
    known = {"adlsp", *LIBRARIES, *sys.stdlib_module_names} - {"builtins", "__main__"}
    known -= {"abc", "typing"}
    is_other = issubclass(kind, OTHERS) or is_array(kind)
    return bool(kind.__flags__ & HEAP) and not is_other and not homes & known


def is_array(kind: type) -> bool:
    """Tells whether a class is one of arrays; a grid of a user's may have a shape alone.

    What can be made an array stands for that where it has no arithmetic of its own.
    """
    is_marked = any(getattr(kind, mark, None) is not None for mark in MARKS)
    has_operators = any(hasattr(kind, name) for name in ("__add__", "__mul__"))
    is_marked |= hasattr(kind, "__array__") and not has_operators
    return is_marked or (hasattr(kind, "dtype") and hasattr(kind, "shape"))


def attributes(x: Value) -> dict[str, Value]:
    """Gives what the attributes of an object hold, by their names."""
    slots = (
        name
        for kind in reversed(type(x).__mro__)
        for name, found in vars(kind).items()
        if isinstance(found, MemberDescriptorType) and name != "__dict__"
    )
    held = {name: getattr(x, name) for name in slots if hasattr(x, name)}
    return {**held, **getattr(x, "__dict__", {})}


def made(kind: type, /, **held: Value) -> Value:
    """Makes an object of a class with some attributes, without its constructor."""
    new: Value = object.__new__(kind)
    for name, value in held.items():
        object.__setattr__(new, name, value)
    return new


def remade(x: Value, held: Mapping[str, Value]) -> Value:
    """Makes an object of the class of `x` with other attributes, without its constructor."""
    return SimpleNamespace(**held) if type(x) is SimpleNamespace else made(type(x), **held)


def gradient(x: Value, held: Mapping[str, Value]) -> Value:
    """Makes the gradient of an object from those of its attributes."""
    return remade(x, held) if is_dataclass(x) else SimpleNamespace(**held)


def item(x: Value, index: Value) -> Value:
    """Gives `x[index]`, or the attribute of an object that has this name."""
    is_name = isinstance(index, str) and (isinstance(x, tuple) or is_object(x))
    return getattr(x, index) if is_name else x[index]


def there(x: Value, index: Value) -> Value:
    """Gives what `item` gives; None where a dictionary or an object has nothing there yet."""
    if isinstance(x, dict):
        return x.get(index)
    is_attribute = isinstance(index, str) and is_object(x)
    return getattr(x, index, None) if is_attribute else item(x, index)


def is_named(x: Value) -> bool:
    """Tells whether `x` is a named tuple of a user's; what libraries give is taken for a tuple."""
    home = str(type(x).__module__).partition(".")[0]
    return isinstance(x, tuple) and hasattr(x, "_fields") and home not in ("numpy", "scipy")


def has_parts(x: Value) -> bool:
    """Tells whether `x` is a container or an object, which has one gradient for each part."""
    return isinstance(x, CONTAINERS) or is_object(x)


def parts(x: Value) -> Iterable[Value]:
    """Gives what a container or an object holds."""
    if isinstance(x, dict):
        return x.values()
    return x if isinstance(x, CONTAINERS) else attributes(x).values()
