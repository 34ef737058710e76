"""What can be differentiated in a file: its top-level functions, and roots in others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adlsp.transform.artifact import Request
from adlsp.transform.diagnostics.language import UnsupportedStatement
from adlsp.transform.diagnostics.reading import TooLarge
from adlsp.transform.diagnostics.vocabulary import Finding
from adlsp.transform.frontend import bindings, closures, modules
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


def definitions(source: Source, resolver: Resolver, roots: Iterable[Root] = ()) -> list[Definition]:
    """The top-level functions of a file, in order, with those in others that are roots."""
    module, _ = resolver.parsed(source)
    if module is None:
        return []
    named = dict.fromkeys(root.request.function for root in roots)
    asked = (resolver.definition(dotted) for dotted in named)
    inner = [d for d in asked if d is not None and d.inner and d.source.path == source.path]
    found = [*(Definition(source, written) for written in module.functions), *inner]
    return sorted(found, key=lambda each: (each.line, each.span.column))


def inner(source: Source, resolver: Resolver) -> Iterator[Definition]:
    """The functions of a file that are in others, and its lambdas, in order."""
    module, _ = resolver.parsed(source)
    pending = [] if module is None else [*module.scope.members]
    while pending:
        each = pending.pop(0)
        pending[:0] = each.members
        found = resolver.definition(f"{source.module}.{each.path}") if each.is_inner else None
        if found is not None:
            yield found


def called(source: Source, resolver: Resolver, name: str) -> Definition | None:
    """The function in others that a person calls so: `train.loss`, `lambda at line 12`.

    None where there is none, or where there are several.
    """
    every = inner(source, resolver)
    names = ((each, each.shown.replace(f"{closures.LOCALS}.", "")) for each in every)
    found = [each for each, shown in names if name in (each.shown, shown)]
    return found[0] if len(found) == 1 else None


def unfit(module: modules.Module | None, name: str) -> Finding | None:
    """What is wrong with a function that a module has and that is none to differentiate."""
    match module.names.get(name) if module is not None else None:
        case bindings.DefinedCoroutine():
            return UnsupportedStatement("`async def`")
        case bindings.Unread(modules.DEEP):
            return TooLarge(name, modules.TOO_DEEP)
    return None
