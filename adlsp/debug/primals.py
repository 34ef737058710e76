"""The user's files as the client has them: where their functions and statements are."""

from __future__ import annotations

import functools

from adlsp import workspace
from adlsp.transform.frontend import layout, outline
from adlsp.transform.source import Source


def read_layout(path: str) -> layout.Layout:
    """Reads the layout of a file; nothing is known of one that cannot be read."""
    try:
        source = workspace.Workspace().source(path)
    except OSError:
        return layout.Layout()
    return _read(source)


def name_at(path: str, line: int) -> str:
    """The name of the function that a line of a file is in; "" where that is not known."""
    block = read_layout(path).around(line)
    return block.name if block is not None else ""


def steps_at(path: str, line: int) -> tuple[outline.Step, ...]:
    """What the function that a line of a file is in does; nothing where that is not known."""
    try:
        source = workspace.Workspace().source(path)
    except OSError:
        return ()
    block = _read(source).around(line)
    return () if block is None else outline.read_at(source, block.first)


@functools.lru_cache(maxsize=64)
def _read(source: Source) -> layout.Layout:
    return layout.read(source)
