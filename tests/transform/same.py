"""Tells where two pieces of the intermediate form differ; its statements compare by identity.

What they remember of what was asked of them does not count.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import gast

from adlsp.transform.ir import trees


def difference(one: Any, other: Any, path: str = "") -> str | None:
    """Where two pieces differ first, by the names of fields; None where they are equal."""
    if type(one) is not type(other):
        return f"{path}: {one!r} is not {other!r}"
    if isinstance(one, gast.AST):
        text = trees.written(one)
        return None if text == trees.written(other) else f"{path}: {text}"
    if isinstance(one, tuple):
        if len(one) != len(other):
            return f"{path}: {len(one)} items and {len(other)}"
        pairs = ((f"[{n}]", a, b) for n, (a, b) in enumerate(zip(one, other, strict=True)))
    elif dataclasses.is_dataclass(one):
        names = [field.name for field in dataclasses.fields(one) if field.init]
        pairs = ((f".{name}", getattr(one, name), getattr(other, name)) for name in names)
    else:
        return None if repr(one) == repr(other) else f"{path}: {one!r} is not {other!r}"
    found = (difference(a, b, path + step) for step, a, b in pairs)
    return next((each for each in found if each is not None), None)
