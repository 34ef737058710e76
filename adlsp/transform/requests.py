"""What is to be differentiated in a file: its roots, or every function of it."""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform.derivative import Request
from adlsp.transform.frontend import scope
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.source import Source


def every_function(source: Source, resolver: Resolver) -> Iterator[Request]:
    """A request for each top-level function that has parameters, with respect to all of them."""
    for definition in definitions(source, resolver):
        names = tuple(p.id for p in scope.parameters(definition.node.args))
        if names:
            yield Request(definition.dotted, names, is_tuple=True)


def definitions(source: Source, resolver: Resolver) -> Iterator[Definition]:
    """The top-level functions of a file, in order."""
    module, _ = resolver.parsed(source)
    if module is None:
        return
    for node in module.functions.values():
        yield Definition(source, node)
