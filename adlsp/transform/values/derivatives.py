"""Derivatives as values: what `adlsp.grad(f)` gives, and what a call of that gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.frontend import operators
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import DOTS, SEED
from adlsp.transform.values import lattice, places
from adlsp.transform.values.lattice import (
    EITHER,
    UNKNOWN,
    Array,
    Function,
    Mapped,
    Number,
    Numeric,
    Object,
    Sequence,
    Signature,
    Value,
)

Constructor = Callable[[Object], "str | None"]
"""Tells what makes the gradient of an object, if that is sure."""

SEEDS = frozenset((SEED.name, DOTS.name))
"""The arguments of derivatives that functions have not."""

FLOATS = ("float", "complex")
"""How the names of the dtypes begin that a gradient takes over from its argument."""


def made(
    operator: str, args: tuple[Value, ...], keywords: Mapping[str, Value], primal: ir.Function
) -> Value:
    """The derivative that an operator makes of a function; of some that is not followed."""
    function, *more = args
    wrt = more[0] if more else keywords.get("wrt", lattice.of_constant(0))
    if len(more) > 1 or {*keywords} - {"wrt"} or not isinstance(function, Function):
        return UNKNOWN
    items = wrt.items if isinstance(wrt, Sequence) else (wrt,)
    kept = {**dict(function.keywords), **dict(function.captured)}
    positional = [p.name for p in primal.parameters if p.is_positional and not p.is_rest]
    of = function.dotted
    if isinstance(of, targets.Nested) and any(name in positional for name, _ in function.captured):
        of = of.of  # a method of the own object, which it is given first
    named = {p.name for p in primal.parameters}.difference(positional[: len(function.bound)], kept)
    positional = [name for name in positional[len(function.bound) :] if name not in kept]
    names = list[str]()
    for item in items or ():
        place = lattice.constant_of(item)
        if type(place) is int and -len(positional) <= place < len(positional):
            place = positional[place]
        if not isinstance(place, str) or place not in named or place in names:
            return UNKNOWN
        names.append(place)
    if not names:
        return UNKNOWN
    kind, is_tuple = operator.rpartition(".")[2], isinstance(wrt, Sequence)
    if kind == "hvp":
        of, kind = targets.Derivative(of, "grad", tuple(names), is_tuple), "jvp"
    return replace(function, dotted=targets.Derivative(of, kind, tuple(names), is_tuple))


def primal(dotted: str, args: tuple[Value, ...]) -> str | None:
    """The function of the text of which a call may make a derivative that is followed."""
    match args:
        case (Function(of, is_given=False), *_) if operators.is_own(dotted):
            is_known = targets.is_named(of) or isinstance(of, targets.Bare | targets.Nested)
            return targets.primal(of) if is_known else None
    return None


def keeps_seed(function: Function, keywords: Collection[str]) -> bool:
    """Tells whether a partial gives a derivative a seed, which its primal knows nothing of."""
    return isinstance(function.dotted, targets.Derivative) and bool(SEEDS.intersection(keywords))


def given_by(
    called: targets.Derivative, given: Signature, value: Value, constructor: Constructor
) -> Value:
    """What a derivative gives; `value` is what its primal does."""
    if isinstance(called.of, targets.Derivative):
        value = given_by(called.of, given, value, constructor)
    if called.kind == "jvp":
        return _gradient(value, constructor)
    gradients = tuple(_gradient(given.get(name, UNKNOWN), constructor) for name in called.wrt)
    found = gradients[0]
    if called.is_tuple:
        found = Sequence(is_list=False, items=gradients)
    if called.kind != "value_and_grad":
        return found
    return Sequence(is_list=False, items=(places.without_sites(value), found))


def _gradient(argument: Value, constructor: Constructor) -> Value:
    """The gradient for an argument: it has the same structure, and numbers of the same kind."""
    match argument:
        case Array(dtype, library="numpy"):
            is_kept = dtype is not None and dtype.startswith(FLOATS)
            return replace(argument, dtype=dtype if is_kept else None, sites=lattice.NOWHERE)
        case Number("float", None):
            return Number("float", EITHER)
        case Number(kind, str() as dtype) if dtype.startswith(FLOATS):
            return Number(kind, dtype)
        case Number() | Numeric():
            return Numeric()
        case Sequence(items=tuple()) | Mapped(items=tuple()) | Object(above=""):
            if isinstance(argument, Object) and constructor(argument) != argument.of:
                return UNKNOWN
            parts = [_gradient(part, constructor) for _, part in lattice.parts(argument)]
            return lattice.holding(places.without_sites(argument), parts)
    return UNKNOWN
