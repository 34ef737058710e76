"""Which functions of the user's files derivatives reach, by the texts alone.

This needs the whole engine, and so it is loaded when somebody asks.
"""

from __future__ import annotations

from adlsp import workspace
from adlsp.lint import callers, check, settings
from adlsp.transform import engine
from adlsp.transform.frontend import layout


def parts(path: str) -> frozenset[int]:
    """The lines where the functions of a file begin that derivatives reach."""
    files = workspace.Workspace()
    try:
        source, chosen = files.source(path), check.settings_for(path)
    except (OSError, settings.SettingsError):
        return frozenset()
    elsewhere = callers.reaching(source.path, files, chosen)
    found = engine.parts(source, files.resolver(source.path), elsewhere)
    read = layout.read(source)
    blocks = (read.around(span.line) for span in found)
    return frozenset(block.first for block in blocks if block is not None)
