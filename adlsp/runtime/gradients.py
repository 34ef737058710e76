"""What the debugger lists of a derivative that has stopped: values and adjoints side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from adlsp.runtime import finite

Value = Any
"""Whatever a derivative computes."""

LARGE = 1 << 24
"""An array of more elements is not read."""


def rows(
    variables: Mapping[str, Value],
    pairs: Sequence[Sequence[str]],
    tapes: Sequence[Sequence[Value]] = (),
) -> str:
    """A row for each pair of a variable and its adjoint, among the variables of a frame, as JSON.

    ``{"name", "adjoint", "is_computed", "is_zero", "summary", "parts": [[name, what], ...]}``:
    `is_computed` says whether the adjoint is there yet, `is_zero` whether entries of it are zero;
    what is first in the summary matters most, and the parts say the same of each at length. A pair
    may go on with what the value is called ("" where there is none), with why there is no adjoint,
    and with another variable that holds the value; of one with the adjoint "" only the value is
    told. What is kept for the backward sweep comes last: a name, the list that has the passes, if
    one has, and its parts with expressions for what they are in this one. Those that are not there,
    or None, are left out: the forward sweep may have taken another branch.
    """
    told = [_row(variables, *pair) for pair in pairs]
    for name, passes, parts in tapes:
        there = [(part, *_held(variables, held)) for part, held in parts]
        known = [(part, value) for part, value, is_there in there if is_there and value is not None]
        left, is_counted = _held(variables, passes)
        if known:
            told.append(_kept(name, len(left) if is_counted else None, known))
    return json.dumps(told)


def _held(variables: Mapping[str, Value], expression: str) -> tuple[Value, bool]:
    """What a part of a tape is, an expression of ours, and whether it is there."""
    try:
        return eval(expression, {}, {**variables}), True
    except (SyntaxError, NameError, LookupError, TypeError):
        return None, False


def _row(
    variables: Mapping[str, Value],
    name: str,
    adjoint: str,
    called: str = "value",
    why: str = "",
    held: str = "",
) -> dict[str, Value]:
    holds = held or name
    has_value = variables.get(holds) is not None and called != ""
    is_computed = adjoint in variables and not why
    value: Value = variables.get(holds)
    gradient: Value = variables.get(adjoint)
    told = [_brief("g", gradient)] if is_computed else [why or "not yet computed"] * bool(adjoint)
    told += [_brief(called, value)] if has_value else []
    sized: Value = gradient if is_computed else value
    told += [f"{np.shape(sized)} {sized.dtype}"] if _has_shape(sized) else []
    parts = [*_parts("gradient", gradient)] if is_computed else []
    parts += [*_parts(called, value)] if has_value else []
    return {
        "name": name,
        "adjoint": adjoint,
        "is_computed": is_computed,
        "is_zero": is_computed and _is_read(gradient) and finite.has_zeros(gradient),
        "summary": ", ".join(told),
        "parts": parts,
    }


def _kept(name: str, n_passes: int | None, parts: Sequence[tuple[str, Value]]) -> dict[str, Value]:
    """The row of a tape."""
    told = [_brief(part, value) for part, value in parts]
    more = [] if n_passes is None else [f"{n_passes} passes left"]
    return {
        "name": name,
        "adjoint": "",
        "is_computed": True,
        "is_zero": False,
        "summary": "; ".join([f"kept: {', '.join(told)}", *more]),
        "parts": [each for part, value in parts for each in _parts(part, value)],
    }


def _brief(word: str, value: Value) -> str:
    """A value in a few characters: the number, or the norm, after what is bad in it."""
    if isinstance(value, float | int | np.generic):
        between = ": " if " " in word and word[-1].isdigit() else " "
        return f"{word}{between}{finite.told(value)}"
    if not _is_read(value):
        return f"{word} {type(value).__name__}"
    found = finite.bad(value)
    bad = "" if found is None else f"{' and '.join(finite.counts(found))}, "
    return f"{bad}|{word}| {finite.norm(value):.4g}"


def _parts(word: str, value: Value) -> Iterator[tuple[str, str]]:
    """What is told of a value at length; an array that is too large is only named."""
    if isinstance(value, float | int | np.generic):
        yield word, finite.told(value)
        return
    shape = f"{np.shape(value)} {value.dtype}" if _has_shape(value) else type(value).__name__
    yield word, shape
    if not _is_read(value):
        return
    yield f"norm of {word}", f"{finite.norm(value):.6g}"
    each = [np.asarray(one) for one in finite.arrays(value)]
    if all(one.dtype.kind == "f" for one in each):
        usable = [one[np.isfinite(one)] for one in each if np.isfinite(one).any()]
        if usable:
            yield f"min of {word}", f"{min(one.min() for one in usable):.6g}"
            yield f"max of {word}", f"{max(one.max() for one in usable):.6g}"
    if finite.has_zeros(value):
        n_zero = sum(one.size - np.count_nonzero(one) for one in each)
        yield f"zeros in {word}", f"{n_zero} of {sum(one.size for one in each)}"
    found = finite.bad(value)
    if found is not None:
        at = f", first at {list(found.first)}" if found.first else ""
        yield f"bad in {word}", " and ".join(finite.counts(found)) + at


def _is_read(value: Value) -> bool:
    """Whether a value has elements of floating point that may be read."""
    size = math.prod(np.shape(value)) if _has_shape(value) else 0
    return size <= LARGE and any(True for _ in finite.arrays(value))


def _has_shape(value: Value) -> bool:
    return isinstance(value, np.ndarray) or finite.is_eager(value)
