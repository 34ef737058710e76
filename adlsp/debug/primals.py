"""The user's files as the client has them: where their functions and statements are."""

from __future__ import annotations

import asyncio
import functools
import threading
import traceback
from collections.abc import Callable

from adlsp import workspace
from adlsp.debug.log import log
from adlsp.transform.frontend import layout, outline
from adlsp.transform.source import Source

PATIENCE = 5.0
"""How many seconds a session waits for what the texts of a project tell."""


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


def prepare() -> None:
    """Begins to load what `parts` needs, which takes a while."""
    threading.Thread(target=_reader, name="loading", daemon=True).start()


def _reader() -> Callable[[str], frozenset[int]]:
    from adlsp.debug import reached  # the engine, which most sessions never need

    return reached.parts


async def parts(path: str) -> frozenset[int]:
    """The lines where the functions of a file begin that derivatives reach, by the texts around it.

    They are read apart, as that may take long; where it takes too long, nothing is known.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[frozenset[int]] = loop.create_future()

    def answer(lines: frozenset[int]) -> None:
        if not found.done():
            found.set_result(lines)

    def look() -> None:
        try:
            lines = _reader()(path)
        except Exception:
            log(traceback.format_exc())
            lines = frozenset()
        try:
            loop.call_soon_threadsafe(answer, lines)
        except RuntimeError:
            return  # the session has ended meanwhile

    threading.Thread(target=look, name="reading", daemon=True).start()
    try:
        return await asyncio.wait_for(found, PATIENCE)
    except asyncio.TimeoutError:
        return frozenset()


@functools.lru_cache(maxsize=64)
def _read(source: Source) -> layout.Layout:
    return layout.read(source)
