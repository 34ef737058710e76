"""What the modules around a function tell of it: its own one, and all that this imports.

Above all which variables of modules functions of other modules bind or change, by
`settings.SCALE = 2.0`: the text of the module that has a variable does not tell of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from adlsp.transform import ir
from adlsp.transform.frontend import bindings, imports, states, walks
from adlsp.transform.frontend.modules import Module
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.source import Source, words

Told = TypeVar("Told")

MOST = 2048
"""Of how many texts it is remembered what was read in them."""

BY_NAME = ("setattr", "delattr", "vars(", "__dict__")
"""Where a text may set what it does not name."""

BOUND = re.compile(r"^([^=#\n]*\.[^=\n]*)=(?!=)", re.MULTILINE)
"""Where a text may bind an attribute: all before the sign."""

QUOTED = re.compile(r"(?<=['\"])\w+(?=['\"])")
"""Where the name of an attribute may be spelled."""


def kinds(around: Iterable[Source], dotted: str, resolver: Resolver) -> frozenset[ir.State]:
    """Whether functions bind or change a variable of another module than their own, or both.

    Of a class or function they may set attributes.
    """
    module, _, name = dotted.rpartition(".")
    found: set[ir.State] = set()
    for source in around:
        if source.module == module:
            continue
        if not (name in words(source.text) or _sets_by_name(source)):
            continue
        for place in _changed_by(source, resolver):
            meant = _meaning(place, source, resolver)
            if meant in (dotted, f"{module}.{states.ANY}"):
                found.add(place.kind)
    return frozenset(found)


def sets_attribute(around: Iterable[Source], name: str, resolver: Resolver) -> bool:
    """Tells whether functions set an attribute of that name of classes, functions, or modules.

    Most texts set none, which is seen without reading them.
    """
    for source in around:
        if name in _perhaps_set(source) and name in _set_by(source, resolver):
            return True
    return False


def class_variable(around: Iterable[Source], name: str, resolver: Resolver) -> bool | None:
    """Whether what a class holds for all objects by a name may change; None if none holds it."""
    modules = _speaking_of(name, around, resolver)
    held = [each.class_variables[name] for each in modules if name in each.class_variables]
    return any(held) if held else None


def changes_attribute(around: Iterable[Source], name: str, resolver: Resolver) -> bool:
    """Tells whether functions may change what attributes of that name hold."""
    modules = _speaking_of(name, around, resolver)
    return any(name in each.changed_attributes for each in modules)


def defines_method(around: Iterable[Source], name: str, resolver: Resolver) -> bool:
    """Tells whether a class of one of the modules has a function of that name."""
    return any(name in each.methods for each in _speaking_of(name, around, resolver))


def _speaking_of(name: str, around: Iterable[Source], resolver: Resolver) -> Iterator[Module]:
    """The modules in which a name stands: others are not read."""
    for source in around:
        module = resolver.parsed(source)[0] if name in words(source.text) else None
        if module is not None:
            yield module


_changed: dict[Source, tuple[states.Place, ...]] = {}
_set: dict[Source, frozenset[str]] = {}
"""What functions of modules do elsewhere: little, beside the trees of which it is read."""


def _changed_by(source: Source, resolver: Resolver) -> tuple[states.Place, ...]:
    """What the functions of a module bind or change of other modules."""
    known = _changed.get(source)
    if known is None:
        module = resolver.parsed(source)[0]
        known = () if module is None else module.changes_elsewhere
        _put(_changed, source, known)
    return known


def _set_by(source: Source, resolver: Resolver) -> frozenset[str]:
    """The names of attributes that the functions of a module set."""
    known = _set.get(source)
    if known is None:
        module = resolver.parsed(source)[0]
        known = frozenset() if module is None else module.set_attributes
        _put(_set, source, known)
    return known


def _put(known: dict[Source, Told], source: Source, told: Told) -> None:
    known[source] = told
    if len(known) > MOST:
        known.pop(next(iter(known)), None)


@lru_cache(maxsize=MOST)
def _perhaps_set(source: Source) -> frozenset[str]:
    """The names of attributes that a text may set, by its letters."""
    bound = re.findall(r"\.(\w+)", "\n".join(BOUND.findall(source.text)))
    return frozenset((*bound, *QUOTED.findall(source.text)))


@lru_cache(maxsize=MOST)
def _sets_by_name(source: Source) -> bool:
    """Tells whether a text may set what it does not name."""
    return any(map(source.text.__contains__, BY_NAME))


def has_sparse(around: Iterable[Source]) -> bool:
    """Tells whether one of the modules has the sparse matrices of SciPy."""
    return any(
        "scipy.sparse" in found or ("scipy" in found and "sparse" in source.text)
        for source in around
        if (found := imports.modules(source))
    )


def has_tensors(around: Iterable[Source]) -> bool:
    """Tells whether one of the modules imports TensorFlow."""
    return any("tensorflow" in imports.modules(source) for source in around)


def own_name(function: str, dotted: str, resolver: Resolver) -> str | None:
    """By which name a function has a variable of another module, if its own module imported that.

    `from settings import SCALE` keeps what it was then, and `settings.SCALE` does not.
    """
    definition = resolver.definition(function)
    module = None if definition is None else resolver.parsed(definition.source)[0]
    if definition is None or module is None:
        return None
    name = dotted.rpartition(".")[2]
    for node in walks.over(definition.written.tree):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Load()) if attr == name:
                return None
    for own, entry in module.names.items():
        is_from = isinstance(entry, bindings.ImportedName) and entry.name == name
        if is_from and resolver.name(definition.source, own).dotted == dotted:
            return f"{definition.source.module}.{own}"
    return None


def reached(home: Source, resolver: Resolver) -> Iterator[Source]:
    """A module, and all that it imports, the nearest first."""
    pending, seen = [home], {home.path}
    for source in pending:
        yield source
        for other in resolver.imports(source):
            if other.path not in seen:
                seen.add(other.path)
                pending.append(other)


def _meaning(place: states.Place, source: Source, resolver: Resolver) -> str | None:
    """The dotted name of a variable of a module; of a part of what it holds there is none."""
    match place.root:
        case str(name):
            meant = resolver.name(source, name)
        case bindings.ImportedModule(dotted):
            meant = Binding("module", dotted)
        case bindings.ImportedName(module, name):
            meant = resolver.attribute(Binding("module", module), name)
    for attribute in place.path:
        if meant.kind != "module":
            return None
        if attribute == states.ANY:
            return f"{meant.dotted}.{states.ANY}"
        meant = resolver.attribute(meant, attribute)
    return meant.dotted if meant.kind in ("value", "class", "function") else None
