"""The dotted names of functions, classes, modules and members of enumerations that a program has.

A name is told only where it leads to the very thing, or where the text around a function without a
name of its module is what was compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

from adlsp.library import codes, unwrap
from adlsp.library.ground import MISSING
from adlsp.library.live import LiveResolver, started
from adlsp.transform.frontend.closures import LOCALS
from adlsp.transform.frontend.compiled import LAMBDA
from adlsp.transform.ir import targets

LIBRARIES = {
    "numpy": ("numpy",),
    "scipy": ("scipy", "scipy.special"),
    "tensorflow": ("tensorflow", "tensorflow.math", "tensorflow.nn", "tensorflow.linalg"),
}
"""Packages whose functions are known by where people look for them, not by where they are."""


DISTRIBUTIONS = "scipy.stats"
"""Where objects are known by names: `scipy.stats.norm` has functions as a module has."""


def dotted(thing: object) -> str | None:
    """The dotted name of a thing; None where none leads to it."""
    if isinstance(thing, ModuleType):
        return _module(thing)
    name = _text(thing, "__qualname__") or _text(thing, "__name__")
    if name is None and targets.is_of(_text(thing, "__module__") or "", DISTRIBUTIONS):
        name = _text(thing, "name")
    if name is None:
        return None
    found = (each for each in _candidates(name, _text(thing, "__module__")) if leads(each, thing))
    module, dot, rest = next(found, "").partition(".")
    return f"{_home(module)}{dot}{rest}" if dot else None


def path(function: FunctionType) -> str | None:
    """The dotted path of a function that stands in others, or is a lambda, as its text tells it.

    So is the name told of one that decorators are around. None where the text is not what was
    compiled.
    """
    code, resolver = function.__code__, LiveResolver(function)
    own = resolver.own
    if own is None or own.first_line != code.co_firstlineno:
        return None
    if code.co_name not in (own.name, LAMBDA) or resolver.other_default(function, own):
        return None
    if LOCALS in own.dotted or LAMBDA[:-1] in own.dotted:
        return own.dotted
    is_bare = function in unwrap.beneath(resolver.thing(own.dotted))
    return targets.Bare(own.dotted) if is_bare and resolver.is_decorated(own) else None


def defaults(like: FunctionType) -> Callable[[FunctionType], bool]:
    """What tells whether the defaults of a function are what the text of one of its code says."""
    own = LiveResolver(like).own

    def are_meant(function: FunctionType) -> bool:
        every = () if own is None else codes.defaults(function, own)
        return all(codes.is_meant(held, text, function.__globals__) for _, text, held in every)

    return are_meant


def leads(name: str, thing: object) -> bool:
    """Tells whether a dotted name stands for a thing."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        found: object = sys.modules.get(".".join(parts[:end]))
        if found is not None:
            for part in parts[end:]:
                found = _member(found, part)
            return found is thing
    return False


def _member(thing: object, name: str) -> object:
    """A member of a class or a module; nothing is imported for it."""
    is_module = isinstance(thing, ModuleType)
    return vars(thing).get(name, MISSING) if is_module else getattr(thing, name, MISSING)


def _text(thing: object, attribute: str) -> str | None:
    found = getattr(thing, attribute, None)
    return found if isinstance(found, str) else None


def _candidates(name: str, home: str | None) -> Iterator[str]:
    """The names by which a thing may be called, the customary one first."""
    if home is None:
        yield from (f"{family}.{name}" for families in LIBRARIES.values() for family in families)
        return
    parts = home.split(".")
    if parts[0] in LIBRARIES or any(part.startswith("_") for part in parts[1:]):
        packages = (".".join(parts[:end]) for end in range(1, len(parts)))
        homes = dict.fromkeys((*LIBRARIES.get(parts[0], ()), *packages))
        yield from (f"{each}.{name}" for each in homes)
    yield f"{home}.{name}"


def _module(module: ModuleType) -> str | None:
    if sys.modules.get(module.__name__) is not module:
        return None
    return _home(module.__name__.replace("tensorflow._api.v2", "tensorflow", 1))


def _home(module: str) -> str:
    """The name of a module; the one that was started has that of its file."""
    return (module == "__main__" and started()) or module
