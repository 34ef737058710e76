"""Checks a cell before it runs: what it defines by its text, all else by what the program has."""

from __future__ import annotations

import os
from collections.abc import Iterator

from adlsp.library import cells
from adlsp.library.display import places
from adlsp.library.ground import Namespace
from adlsp.library.live import CellResolver
from adlsp.lint import check as checks
from adlsp.lint import report, suppress
from adlsp.transform import engine, requests
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Severity
from adlsp.transform.source import Source


class NotRunError(Exception):
    """A cell was not run because what it asks for cannot be differentiated."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def check(name: str, namespace: Namespace, all_functions: bool) -> None:
    """Prints what is found in the cell of a name; raises NotRunError where that is an error."""
    source = _below_first_line(cells.cell(name, str(namespace["__name__"]), namespace))
    if source is None:
        raise NotRunError("The cell has no text to check.")
    resolver = CellResolver(source, namespace)
    roots = {root.definition for root in engine.roots(source, resolver)}
    defined = {each.span for each in requests.definitions(source, resolver) if each.parameters}
    covers_all = all_functions or not roots
    found = checks.in_order(_shown(engine.check(source, resolver, covers_all), source))
    counts = report.Counts(len(roots | defined if covers_all else roots))
    blocks = places.report_of(found, places.colors())
    print("\n".join(part for part in (blocks, report.summary(found, counts)) if part))
    if any(one.severity is Severity.ERROR for one in found):
        raise NotRunError("The cell was not run.")


def _below_first_line(source: Source | None) -> Source | None:
    """A cell without its first line, which is the magic; the lines keep their numbers."""
    if source is None:
        return None
    text = "\n".join(["", *source.lines[1:]])
    return Source(source.path, source.module, text, is_cell=True)


def _shown(found: tuple[Diagnostic, ...], source: Source) -> Iterator[Diagnostic]:
    """The findings that neither comments in the cell nor the settings of the folder take away."""
    settings, comments = checks.settings_for(os.getcwd()), suppress.suppressions(source)
    here = [one for one in found if one.span.path == source.path]
    elsewhere = [one for one in found if one.span.path != source.path]
    for one in (*suppress.unsuppressed(here, comments), *elsewhere):
        if settings.shows(one.code, one.span.path):
            yield one
