"""Texts: what they are, or else what they begin with, as the keys do that loops make, `f"W{i}"`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adlsp.transform.values.lattice import Literal, Number, Value, constant_of

MOST = 200
"""Of longer texts that are put together only so many letters are known."""


def beginning(value: Value) -> str:
    """What a text surely begins with, or what `str` gives of a value."""
    if is_known(value):
        return str(constant_of(value))
    return value.begin if isinstance(value, Literal) else ""


def is_known(value: Value) -> bool:
    """Tells whether it is known which text `str` gives of a value: numbers and texts."""
    is_of_numpy = isinstance(value, Number) and value.dtype is not None
    return not is_of_numpy and isinstance(constant_of(value), str | int | float)


def together(parts: Iterable[Value]) -> Literal:
    """The text of several values, one behind the other."""
    begin = ""
    for part in parts:
        begin += beginning(part)
        if not is_known(part) or len(begin) > MOST:
            return Literal("str", begin=begin[:MOST])
    return Literal("str", begin)


def formatted(text: Value, given: tuple[Value, ...], *, is_method: bool) -> Literal:
    """What `text % value` gives, or `text.format(value)`."""
    constant = constant_of(text)
    if not isinstance(constant, str):
        return Literal("str")
    if all(map(is_known, given)) and not re.search(r"\d{3}", constant):  # no width without end
        values = tuple(map(constant_of, given))
        try:
            return Literal("str", constant.format(*values) if is_method else constant % values)
        except (ValueError, TypeError, IndexError, KeyError, AttributeError):
            pass
    return Literal("str", begin=re.split("[%{]", constant)[0])
