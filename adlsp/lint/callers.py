"""Who differentiates the functions of a file: the settings, and all files around it.

A loss stands in one file, the call of `adlsp.grad` in another. Only files in which the words for it
occur are parsed, and a cache keeps what was read in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

from adlsp.lint.settings import Settings
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.transform.frontend import roots
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.frontend.roots import Root
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.source import words
from adlsp.workspace import Workspace


def elsewhere(
    path: str, files: Workspace, settings: Settings, cache: QueryCache | None = None
) -> tuple[Root, ...]:
    """The roots that concern the functions of a file and that its own text does not name.

    What programs ask for comes before what the settings name.
    """
    source, resolver = files.source(path), files.resolver(path)
    found: list[Root] = []
    for other in files.around(path, roots.may_ask):
        found += (r for r in _roots(other, files, cache) if r.definition.path == source.path)
    found += (r for r in _handed(path, files, cache) if r.definition.path == source.path)
    for request, definition in configured(source.module, resolver, settings):
        found.append(Root(request, definition.name_span, definition.span))
    return tuple(found)


def reaching(
    path: str, files: Workspace, settings: Settings, cache: QueryCache | None = None
) -> tuple[Root, ...]:
    """The roots elsewhere of the functions of a file, and of others that may call these."""
    others = tuple(files.around(path, roots.may_ask))
    return (*elsewhere(path, files, settings, cache), *_calling(path, others, files, cache))


def unseen(
    path: str,
    files: Workspace,
    settings: Settings,
    seen: Collection[str],
    cache: QueryCache | None = None,
) -> tuple[Root, ...]:
    """The roots, in files that nobody looks at, that reach the functions of a file.

    `seen` are the files whose own findings are shown, but for those of what is handed to their
    functions; what the settings leave out is left out.
    """
    asking = [other for other in files.around(path, roots.may_ask) if settings.covers(other)]
    others = [o for o in asking if o not in seen and _imports(o, path, files)]
    shown = [o for o in (path, *asking) if o not in others]
    found = [r for o in others for r in _roots(o, files, cache)]
    known = _known_to_users(path, files)
    found += (r for o in shown if o in known for r in _handed(o, files, cache))
    own = [r for r in found if r.definition.path == path]
    return (*own, *_calling(path, others, files, cache))


def _known_to_users(path: str, files: Workspace) -> set[str]:
    """A file, those that may import it, and what these import: they may hand on its functions."""
    home = frozenset(files.source(path).module.split(".")[-2:])
    users = {path, *files.around(path, _mentioning(home, home))}
    known = set(users)
    for user in users:
        with suppress(OSError):
            known.update(o.path for o in files.resolver(user).imports(files.source(user)))
    return known


def _calling(
    path: str, others: Iterable[str], files: Workspace, cache: QueryCache | None
) -> Iterator[Root]:
    """The roots of some files that are not of another file, but may call its functions."""
    importing: dict[str, bool] = {}
    for other in others:
        for root in _roots(other, files, cache):
            home = root.definition.path
            if home not in importing:
                importing[home] = home != path and _imports(home, path, files)
            if importing[home]:
                yield root


def called(
    definition: Definition,
    asked: Iterable[Root],
    files: Workspace,
    cache: QueryCache | None = None,
) -> str:
    """What a derivative of a function is called with, as far as the texts around calls tell.

    `asked` are roots; the first of which anything is known tells, and then the function
    itself, by an example or annotations. Empty where nothing does.
    """
    for root in asked:
        if root.request.function == definition.dotted and not root.is_handed:
            source, resolver = files.source(root.span.path), files.resolver(root.span.path)
            if found := engine.called(root, source, resolver, cache):
                return found
    return engine.of_itself(definition.dotted, files.resolver(definition.source.path), cache)


def configured(
    module: str, resolver: Resolver, settings: Settings
) -> Iterator[tuple[Request, Definition]]:
    """The functions of a module that the settings name as roots, with what they have of `wrt`."""
    for dotted, names in settings.roots:
        definition = resolver.definition(dotted) if dotted.rpartition(".")[0] == module else None
        if definition is not None:
            known = definition.named_parameters
            wrt = tuple(name for name in names or known if name in known)
            if wrt:
                yield Request(dotted, wrt, True), definition


def _roots(path: str, files: Workspace, cache: QueryCache | None) -> tuple[Root, ...]:
    """What the text of a file asks for, and what others hand to its functions for that."""
    try:
        source, resolver = files.source(path), files.resolver(path)
    except OSError:
        return ()
    found = (*engine.roots(source, resolver, cache), *_handed(path, files, cache))
    return tuple(dict.fromkeys(found))


def _handed(path: str, files: Workspace, cache: QueryCache | None) -> Iterator[Root]:
    """What other files hand to the functions of a file that differentiate what they are given."""
    try:
        source, resolver = files.source(path), files.resolver(path)
    except OSError:
        return
    takers = engine.takers(source, resolver, cache)
    names = frozenset(dotted.rpartition(".")[2] for dotted in takers)
    homes = frozenset(source.module.split(".")[-2:])
    for other in files.around(path, _mentioning(names, homes)) if names else ():
        with suppress(OSError):
            given = files.source(other), files.resolver(other)
            yield from engine.handed(source, resolver, *given)


@lru_cache(maxsize=256)
def _mentioning(names: frozenset[str], homes: frozenset[str]) -> Callable[[str], bool]:
    """Accepts the texts in which one of some names occurs, and that of a module they are from."""

    def accepts(text: str) -> bool:
        found = words(text)
        return not (homes.isdisjoint(found) or names.isdisjoint(found))

    return accepts


def _imports(path: str, other: str, files: Workspace) -> bool:
    """Tells whether a file imports another one, directly or by way of others."""
    resolver = files.resolver(path)
    try:
        pending = [files.source(path)]
    except OSError:
        return False
    seen = {path}
    for source in pending:
        found = [each for each in resolver.imports(source) if each.path not in seen]
        seen.update(each.path for each in found)
        pending += found
    return other in seen
