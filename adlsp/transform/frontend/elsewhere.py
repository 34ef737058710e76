"""What the modules around a function tell of it: its own one, and all that this imports.

Above all which variables of modules functions of other modules bind or change, by
`settings.SCALE = 2.0`: the text of the module that has a variable does not tell of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from adlsp.transform import ir
from adlsp.transform.frontend import bindings, imports, states, walks
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.source import Source

BY_NAME = ("setattr", "delattr", "vars(", "__dict__")
"""Where a text may set what it does not name."""


def kinds(home: Source, dotted: str, resolver: Resolver) -> frozenset[ir.State]:
    """Whether functions bind or change a variable of another module than their own, or both.

    Of a class or function they may set attributes.
    """
    module, _, name = dotted.rpartition(".")
    found: set[ir.State] = set()
    for source in reached(home, resolver):
        if source.module == module:
            continue
        if not (_speaks(source.text, name) or any(map(source.text.__contains__, BY_NAME))):
            continue
        read = resolver.parsed(source)[0]
        for place in read.changes_elsewhere if read is not None else ():
            meant = _meaning(place, source, resolver)
            if meant in (dotted, f"{module}.{states.ANY}"):
                found.add(place.kind)
    return frozenset(found)


def sets_attribute(home: Source, name: str, resolver: Resolver) -> bool:
    """Tells whether functions set an attribute of that name of classes, functions, or modules.

    Most texts set none, which is seen without reading them.
    """
    text = re.escape(name)
    assigned = re.compile(rf"^[^=#\n]*\.{text}\b[^=\n(]*=(?!=)|['\"]{text}['\"]", re.MULTILINE)
    for source in reached(home, resolver):
        if assigned.search(source.text):
            module = resolver.parsed(source)[0]
            if module is not None and name in module.set_attributes:
                return True
    return False


def _speaks(text: str, name: str) -> bool:
    """Tells whether a word stands in a text; that some letters do is found much sooner."""
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


def has_sparse(home: Source, resolver: Resolver) -> bool:
    """Tells whether a module, or one that it imports, has the sparse matrices of SciPy."""
    return any(
        "scipy.sparse" in found or ("scipy" in found and "sparse" in source.text)
        for source in reached(home, resolver)
        if (found := imports.modules(source))
    )


def has_tensors(home: Source, resolver: Resolver) -> bool:
    """Tells whether a module, or one that it imports, imports TensorFlow."""
    return any("tensorflow" in imports.modules(source) for source in reached(home, resolver))


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
