"""What can be differentiated in a file: its top-level functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adlsp.transform.derivative import Request
from adlsp.transform.findings.language import UnsupportedStatement
from adlsp.transform.findings.reading import TooLarge
from adlsp.transform.findings.vocabulary import Finding
from adlsp.transform.frontend import bindings, modules
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.frontend.roots import Root
from adlsp.transform.source import Source


def every_function(source: Source, resolver: Resolver) -> Iterator[Request]:
    """A request for each top-level function that has parameters, with respect to all of them."""
    for definition in definitions(source, resolver):
        if definition.parameters:
            yield Request(definition.dotted, definition.parameters, is_tuple=True)


def asked(found: Iterable[Root]) -> dict[str, Root]:
    """For each function that is differentiated the root that counts: of the lowest order, first."""
    chosen: dict[str, Root] = {}
    for root in sorted(found, key=lambda each: _order(each.request)):
        chosen.setdefault(root.request.function, root)
    return chosen


def _order(request: Request) -> int:
    return 1 if request.inner is None else 1 + _order(request.inner)


def definitions(source: Source, resolver: Resolver) -> Iterator[Definition]:
    """The top-level functions of a file, in order."""
    module, _ = resolver.parsed(source)
    if module is None:
        return
    for written in module.functions:
        yield Definition(source, written)


def unfit(module: modules.Module | None, name: str) -> Finding | None:
    """What is wrong with a function that a module has and that is none to differentiate."""
    match module.names.get(name) if module is not None else None:
        case bindings.DefinedCoroutine():
            return UnsupportedStatement("`async def`")
        case bindings.Unread(modules.DEEP):
            return TooLarge(name, modules.TOO_DEEP)
    return None
