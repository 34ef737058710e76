"""The function that a call names as `FILE::FUNC`."""

from __future__ import annotations

import difflib

from adlsp.cli import texts
from adlsp.cli.status import UsageError
from adlsp.transform import requests
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.source import Source
from adlsp.workspace import Workspace

HELP = "a function at the top level of a file"


def named(text: str, files: Workspace) -> tuple[Source, str]:
    """The file and the name of a function, as `FILE::FUNC` names it."""
    file, separator, name = text.rpartition("::")
    if not separator or not name:
        raise UsageError(f"`{text}` names no function; write FILE::FUNC")
    return texts.source(file, files), name


def definition(source: Source, resolver: StaticResolver, name: str) -> Definition | None:
    """A function of a file; None where a syntax error hides it."""
    found = resolver.definition(f"{source.module}.{name}")
    if found is not None:
        return found
    module, broken = resolver.parsed(source)
    if broken and (module is None or name in module.names):
        return None
    unfit = requests.unfit(module, name)
    if unfit is not None:
        raise UsageError(f"{source.path}::{name}: {unfit.text()}")
    inner = requests.called(source, resolver, name)
    if inner is not None:
        return inner
    every = (*requests.definitions(source, resolver), *requests.inner(source, resolver))
    close = difflib.get_close_matches(name, [each.shown for each in every], 1)
    hint = f"; is `{close[0]}` meant?" if close else ""
    raise UsageError(f"{source.path} has no function `{name}`{hint}")


def parameters(listed: str | None) -> tuple[str, ...] | None:
    """The names that an option lists, with commas between."""
    if listed is None:
        return None
    return tuple(part.strip() for part in listed.split(",") if part.strip())
