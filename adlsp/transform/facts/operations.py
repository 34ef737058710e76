"""What a function does: its record, with what the word of its rule says."""

from __future__ import annotations

from functools import cache

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Dtype, Effect, Op, Result, When
from adlsp.transform.rules import table

RUNTIME = "adlsp.runtime"
BROADCAST = "adlsp.runtime.broadcast"
"""The call that gives a shape: that to which its arguments broadcast."""


OF_SWEEPS = Op(effect=Effect.NONE)
"""What the functions of derivatives do."""


@cache
def of(dotted: str) -> Op:
    """The record of a function; what nothing is known of is `None` in it."""
    if isinstance(dotted, targets.OF_SWEEPS):
        return OF_SWEEPS
    return records.of(dotted, table.load().word(dotted))


def is_fresh_of_runtime(dotted: str) -> bool:
    """Tells whether a function of ours gives memory that nobody else holds."""
    return targets.is_of(dotted, RUNTIME) and records.said(dotted).result is Result.FRESH


def is_fresh(dotted: str) -> bool:
    """Tells whether an operator or a function of ours gives memory that nobody else holds.

    So does a sum of gradients, but where one of them is None: what it gives then is the other.
    """
    is_sum = targets.is_operator(dotted) or dotted == f"{RUNTIME}.add"
    return is_fresh_of_runtime(dotted) or (is_sum and of(dotted).result is not Result.SHARED)


def gives_gradients(dotted: str) -> bool:
    """Tells whether a step may give a list of gradients, one for each element of a list."""
    return targets.is_of(dotted, RUNTIME) and bool(of(dotted).gives_several)


def keeps_integers(dotted: str) -> bool:
    """Tells whether a function of numbers gives integers for integers."""
    return of(dotted).dtype is Dtype.COMMON


def holds(when: When, call: ir.Call) -> bool:
    """Tells whether a condition may hold for a call."""
    if when.n_operands:
        is_written = bool(call.args) and isinstance(call.args[0], ir.Const)
        return len(call.args) < when.n_operands + (1 if is_written else 2)
    given = given_at(call, when.at, when.keyword)
    return given is not None and (
        not isinstance(given, ir.Const) or given in map(ir.Const, when.literals)
    )


def given_at(call: ir.Call, position: int, keyword: str) -> ir.Atom | None:
    """The argument of a call at a place or under a keyword."""
    return call.args[position] if len(call.args) > position else dict(call.keywords).get(keyword)


def into(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments into which a call is told to write its results, which are what it gives then.

    Of functions of NumPy and SciPy, and methods of arrays, that may be arguments by position.
    """
    placed = call.args[records.n_before_out(call.function) :]
    if not call.keywords:
        return placed
    return (*placed, *(given for key, given in call.keywords if key == "out"))
