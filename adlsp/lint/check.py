"""Checks one file: what the engine finds there, less what settings and comments take away.

The command line and the language server both come through here, so they agree. A failure of the
engine is a finding too, and costs only the function in which it happened.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from adlsp import workspace
from adlsp.lint import callers, request_options, suppress
from adlsp.lint.settings import Settings, parse
from adlsp.transform import engine, requests
from adlsp.transform.artifact import Request
from adlsp.transform.diagnostics.catalogue import kinds
from adlsp.transform.diagnostics.internal import InternalError
from adlsp.transform.diagnostics.language import FunctionValue
from adlsp.transform.diagnostics.reading import (
    NoRule,
    SourceUnavailable,
    UnknownParameter,
    UnresolvedFunction,
    UnresolvedRoot,
)
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding, Related
from adlsp.transform.frontend import bindings, modules, roots
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.frontend.roots import Root
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of checking a file: the findings to show, in order, and what was checked.

    `functions` are the definitions of its roots, `unresolved` the places whose function is not
    known, whether that is shown or not.
    """

    diagnostics: tuple[Diagnostic, ...]
    functions: frozenset[Span] = frozenset()
    unresolved: frozenset[Span] = frozenset()


def check(
    path: str,
    files: Workspace,
    settings: Settings,
    all_functions: bool = False,
    cache: QueryCache | None = None,
) -> tuple[Diagnostic, ...]:
    """The findings to show for a file, in order; some may lie in files that its functions call."""
    return outcome(path, files, settings, all_functions, cache).diagnostics


def outcome(
    path: str,
    files: Workspace,
    settings: Settings,
    all_functions: bool = False,
    cache: QueryCache | None = None,
    seen: Collection[str] | None = None,
) -> Outcome:
    """Checks a file, and tells what was checked.

    What other files ask for is found here as well, but for those `seen`, whose own findings are
    shown; with None no other file is looked at.
    """
    source, resolver, cache = files.source(path), files.resolver(path), cache or QueryCache()
    module, _ = resolver.parsed(source)
    all_found = _found(source, resolver, settings, all_functions, cache)
    found = {d for d in all_found if module is None or not _is_aftermath(d, module)}
    asked = () if seen is None else callers.unseen(source.path, files, settings, seen, cache)
    found.update(_asked_elsewhere(source.path, asked, files, found, cache))
    kept = list(shown(found, files, settings))
    unused = _unused(source, resolver, settings, found, cache)
    kept += (d for d in unused if settings.shows(d.code, d.span.path))
    return Outcome(
        in_order(kept),
        frozenset(_checked(source, resolver, settings, all_functions, cache)).union(
            root.definition for root in asked if root.definition.path == source.path
        ),
        frozenset(d.span for d in found if d.code == UnresolvedRoot.code),
    )


def shown(
    found: Collection[Diagnostic], files: Workspace, settings: Settings
) -> Iterator[Diagnostic]:
    """The findings that neither comments nor settings take away."""
    for place in {diagnostic.span.path for diagnostic in found}:
        there = _source(files, place)
        comments = suppress.suppressions(there) if there is not None else ()
        kept = suppress.unsuppressed((d for d in found if d.span.path == place), comments)
        yield from (d for d in kept if settings.shows(d.code, place))


def settings_for(path: str) -> Settings:
    """The settings that hold for a file or folder: those of the nearest project that has any.

    Raises SettingsError if they make no sense.
    """
    path = os.path.abspath(path)
    for file in workspace.settings_files(path):
        data = workspace.read_bytes(file)
        if b"adlsp" in data:
            return parse(data, file, frozenset(kinds()))
    return Settings(folder=path if os.path.isdir(path) else os.path.dirname(path))


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings by place, each once."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=_place))


def _is_aftermath(diagnostic: Diagnostic, module: modules.Module) -> bool:
    """Tells whether a finding is about a name that a syntax error of the same file hides."""
    codes = (UnresolvedFunction.code, SourceUnavailable.code, NoRule.code, FunctionValue.code)
    if diagnostic.code not in codes or diagnostic.span.path != module.source.path:
        return False
    _, function, *_ = diagnostic.message.split("`")
    name = function.removeprefix(f"{module.source.module}.").partition(".")[0]
    is_unknown = diagnostic.code == UnresolvedFunction.code and name not in module.names
    return isinstance(module.names.get(name), bindings.Unread) or (module.has_gaps and is_unknown)


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.span
    return span.path, span.line, span.column, diagnostic.code, diagnostic.message


def _source(files: Workspace, path: str) -> Source | None:
    try:
        return files.source(path)
    except OSError:
        return None


def _unused(
    source: Source,
    resolver: StaticResolver,
    settings: Settings,
    found: Iterable[Diagnostic],
    cache: QueryCache,
) -> Iterator[Diagnostic]:
    """Reports suppressions that nothing needs, whoever calls the functions of the file.

    What another file's roots would find here is part of what is found when every function is a
    root with respect to all its parameters.
    """
    comments = suppress.suppressions(source)
    known = [d for d in found if d.span.path == source.path]
    if suppress.unused(source, comments, known):
        known += _found(source, resolver, settings, True, cache)
        here = (d for d in known if d.span.path == source.path)
        yield from suppress.unused(source, comments, here)


# what the engine finds


def _asked_elsewhere(
    path: str,
    asked: Iterable[Root],
    files: Workspace,
    found: Iterable[Diagnostic],
    cache: QueryCache,
) -> list[Diagnostic]:
    """What is found in a file because of roots in other files, each with the first of them."""
    known, made = {replace(one, related=(), function=None) for one in found}, []
    for root in asked:
        try:
            diagnostics = engine.findings(root, files.resolver(root.span.path), cache)
        except Exception:  # which is a finding of the other file
            continue
        for one in diagnostics:
            told = replace(one, related=(), function=None)
            if one.span.path == path and told not in known:
                known.add(told)
                place = Related(root.span, "differentiated here")
                made.append(replace(one, related=(*one.related, place)))
    return made


def _checked(
    source: Source,
    resolver: StaticResolver,
    settings: Settings,
    all_functions: bool,
    cache: QueryCache,
) -> Iterator[Span]:
    """The definitions of the functions that are roots."""
    try:
        yield from (root.definition for root in engine.roots(source, resolver, cache))
    except Exception:  # which is a finding already
        return
    yield from (d.span for _, d in callers.configured(source.module, resolver, settings))
    if all_functions:
        yield from (d.span for d in requests.definitions(source, resolver) if d.parameters)


def _found(
    source: Source,
    resolver: StaticResolver,
    settings: Settings,
    all_functions: bool,
    cache: QueryCache,
) -> Iterator[Diagnostic]:
    try:
        recorded = request_options.last_signature
        yield from engine.check(source, resolver, all_functions, cache, recorded)
    except Exception as error:
        yield from _one_by_one(source, resolver, all_functions, error)
    for dotted, names in settings.roots:
        if dotted.rpartition(".")[0] == source.module:
            yield from _named_wrongly(source, resolver, dotted, names)
    for request, _ in callers.configured(source.module, resolver, settings):
        yield from _of_request(request, resolver)


def _one_by_one(
    source: Source, resolver: StaticResolver, all_functions: bool, error: Exception
) -> Iterator[Diagnostic]:
    """What is found where the engine failed on a file: function by function."""
    _, broken = resolver.parsed(source)
    yield from broken
    asked: list[Request] = []
    try:
        listed, wrong = roots.roots(source, resolver)
        yield from wrong
        asked += (root.request for root in listed)
    except Exception as its_error:
        error = its_error
    if all_functions:
        asked += requests.every_function(source, resolver)
    failures = 0
    for request in dict.fromkeys(asked):
        for diagnostic in _of_request(request, resolver):
            failures += diagnostic.code == InternalError.code
            yield diagnostic
    if not failures:
        yield _failure(error, Span(source.path, 1, 1, 1, 1), None)


def _named_wrongly(
    source: Source, resolver: StaticResolver, dotted: str, names: tuple[str, ...]
) -> Iterator[Diagnostic]:
    """What is wrong with the words by which the settings name a root."""
    definition = resolver.definition(dotted)
    if definition is None:
        yield Diagnostic(UnresolvedFunction(dotted), Span(source.path, 1, 1, 1, 1))
        return
    known = definition.named_parameters
    for name in names:
        if name not in known:
            finding: Finding = UnknownParameter(definition.name, f"`{name}`")
            yield Diagnostic(finding, _header(definition), function=definition.name)


def _of_request(request: Request, resolver: StaticResolver) -> tuple[Diagnostic, ...]:
    try:
        return engine.derive(request, resolver).findings
    except Exception as error:
        definition = resolver.definition(request.function)
        span = _header(definition) if definition is not None else Span("", 1, 1, 1, 1)
        return (_failure(error, span, request.function.rpartition(".")[2]),)


def _failure(error: Exception, span: Span, function: str | None) -> Diagnostic:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    whose = f" while differentiating `{function}`" if function else ""
    detail = f"{type(error).__name__}: {error}{where}{whose}; see `adlsp explain AD900`"
    return Diagnostic(InternalError(detail), span, function=function)


def _header(definition: Definition) -> Span:
    """The first line of a definition."""
    start, text = definition.span, definition.source.lines[definition.line - 1]
    return replace(start, end_line=start.line, end_column=len(text.rstrip()) + 1)
