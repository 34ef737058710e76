"""What the variables of modules hold that a function reads: part of what its derivative is for.

Data is told by its kind, as an argument is: `X: float64[n0, m0]`. Whether that is still so is asked
at each call; the data itself is read when the derivative runs. Sizes have names that no size of an
argument has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from adlsp.library import accepting, errors, signatures
from adlsp.library.accepting import Live, Test
from adlsp.library.ground import MISSING, Namespace
from adlsp.transform.frozen import dataclass
from adlsp.transform.values import structures
from adlsp.transform.values.lattice import Signature, Value
from adlsp.transform.values.told import named_after, of_modules

Place = tuple[Namespace, str]
"""The variables of a module, and the name of one."""


@dataclass(frozen=True, slots=True)
class Around:
    """What variables of modules hold, by their dotted names, and what tells whether they still do.

    `test` is that as an expression. Where nothing is told, there is nothing to ask.
    """

    values: Signature
    holds: Callable[[], bool] | None = None
    test: Test | None = None


def around(places: Mapping[str, Place]) -> Around:
    """What some variables hold now, of which it can be told whether they still do."""
    live = {dotted: space[name] for dotted, (space, name) in places.items() if name in space}
    told = of_modules(plain(signatures.of_values(live)))
    known = {
        dotted: value
        for dotted, value in told.items()
        if accepting.checker({dotted: value}, live)(live[dotted])
    }
    if not known:
        return Around({})
    accepts = accepting.checker(known, live)
    holds = partial(_holds, accepts, [places[dotted] for dotted in known])
    return Around(known, holds, _written_out(known, places))


def plain(signature: Signature) -> Signature:
    """The same signature; raises TypeError for arrays that compute in another way than arrays."""
    for name, value in signature.items():
        if kind := signatures.own_arithmetic(value):
            raise TypeError(errors.own_arithmetic(name, kind))
    return signature


def kept(dotted: str, x: Live) -> tuple[Value, Callable[[Live], bool]] | None:
    """What a variable holds, an object or a function that keeps something, and what is like it.

    None for data, and for functions that keep nothing: their names tell what these are.
    """
    value = signatures.of_variable(dotted, x)
    if not (structures.has_objects(value) or structures.keeps(value)):
        return None
    accepts = accepting.checker({"x": value}, {"x": x})
    return (named_after(dotted, value), accepts) if accepts(x) else None


def _holds(accepts: Callable[..., bool], places: Sequence[Place]) -> bool:
    return accepts(*[space.get(name, MISSING) for space, name in places])


def _written_out(known: Signature, places: Mapping[str, Place]) -> Test | None:
    """The test as an expression, which takes less time than to call it."""
    getters = {f"get{at}": places[dotted] for at, dotted in enumerate(known)}
    read = {f"{get}({name!r})": space[name] for get, (space, name) in getters.items()}
    found = accepting.written_out(dict(zip(read, known.values(), strict=True)), read)
    if found is None:
        return None
    test, things = found
    return test, {**things, **{get: space.get for get, (space, _) in getters.items()}}
