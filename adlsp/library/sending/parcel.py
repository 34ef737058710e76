"""What goes to another process: values, with marks for what cannot be pickled as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a program has."""

Texts = tuple[tuple[str, str], ...]
"""The texts of functions, by the names of their files."""


class Parcel:
    """What arrives as the result of a call."""

    def __init__(self, make: Callable[..., Value], args: tuple[Value, ...]) -> None:
        self._made_by = make, args

    def __reduce__(self) -> tuple[Value, ...]:
        return self._made_by


class Marked:
    """Stands in a parcel for what cannot be pickled as it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Reference(Marked):
    """One of the functions of the parcel, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Module(Marked):
    """A module, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Partial(Marked):
    """A partial whose function or arguments are marked."""

    function: Value
    args: Value
    keywords: Value


@dataclass(frozen=True, slots=True)
class Container(Marked):
    """A tuple, list or dictionary that holds something marked."""

    parts: Value


@dataclass(frozen=True, slots=True)
class Unbound(Marked):
    """What a cell holds before its variable is bound."""


@dataclass(frozen=True, slots=True)
class Written:
    """A function by its place in a text: its number among those of its name and line.

    `cells` are numbers of cells. `variables` are those of `__main__` that it and the functions read
    that it calls; other modules are imported where it arrives.
    """

    module: str
    path: str
    name: str
    qualname: str
    line: int
    number: int
    defaults: Value
    named_defaults: Value
    cells: tuple[int, ...]
    variables: Mapping[str, Value] | None


def like(x: Value, parts: Iterable[Value]) -> Value:
    """A tuple, list or dictionary as `x` is, of other parts."""
    return dict(zip(x, parts, strict=True)) if type(x) is dict else type(x)(parts)
