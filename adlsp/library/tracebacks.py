"""Tracebacks without our own frames: those of the user and of derivatives say where to look.

The environment variable ADLSP_FULL_TRACEBACKS=1 keeps all.
"""

from __future__ import annotations

import contextlib
import linecache
import os
import re
import sys
from collections import deque
from collections.abc import Iterator
from types import TracebackType

from adlsp.library import errors
from adlsp.transform.emit.handled import HANDLER
from adlsp.transform.emit.watched import ENTER

ASKED = "ADLSP_FULL_TRACEBACKS"
"""The environment variable that asks for all frames."""

OWN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
"""The folder of our own code."""

RUNTIME = os.path.join(OWN, "runtime", "")
"""The folder of what derivatives call."""

MANY = 100
"""So many calls of our own within each other are a circle: people nest no structures so deep."""

ENGINE = os.path.join(OWN, "transform", "")

TOLD = (TypeError, ValueError, AssertionError)
"""What the library raises to tell its user something."""

TANGENTS = re.compile(r"\(?(\w+(?:, \w+)*),?\)? = dots\w*$")
"""The line in which a derivative takes its tangents."""


PARTS = re.compile(r"(\w+?)_bar(?:_\d+)?\[.*\] [-+]= ")
"""The line in which a derivative adds to a part of the gradient of a variable."""


class Hidden:
    """For a public function, in a `with`: what it raises shows none of our frames below it.

    What looks like a mistake of ours keeps them: what the engine raises, and errors of other kinds.
    """

    def __enter__(self) -> None:
        """Begins."""

    def __exit__(
        self, kind: type | None, error: BaseException | None, raised: TracebackType | None
    ) -> None:
        """Leaves our frames out."""
        if raised is not None and not _is_mistake(error, _innermost(raised)):
            _relink(raised)


HIDDEN = Hidden()


def hide() -> None:
    """Leaves our frames out of the exception that a derivative handles, and raises again."""
    error = sys.exc_info()[1]
    if error is None or error.__traceback__ is None:
        return
    if error.__traceback__.tb_next is None and isinstance(error, TypeError | ValueError):
        _explain(error, error.__traceback__)
    if isinstance(error, NotImplementedError):
        _explain_parts(error, error.__traceback__)
    if isinstance(error, RecursionError) and _is_circle(error.__traceback__):
        error.args, error.__suppress_context__ = (errors.CIRCLE,), True
    _relink(error.__traceback__)
    _locate(error, error.__traceback__)


def _locate(error: BaseException, raised: TracebackType) -> None:
    """Notes the user's lines that a derivative was about, on Pythons that know notes."""
    space, told = raised.tb_frame.f_globals, []
    for entry in _entries(raised):
        if entry.tb_frame.f_globals is space:
            where = space[ENTER].__self__.where(entry.tb_lineno)
            told += [where] if where else []
    if told and sys.version_info >= (3, 11):
        error.add_note("\n".join(told))


def leave() -> None:
    """Takes the frame that handles an exception out of its traceback, with ours below it.

    It has but passed on a call. Before Python 3.11 it stays.
    """
    error = sys.exc_info()[1]
    raised = None if error is None else error.__traceback__
    if error is None or raised is None or _shows_all():
        return
    below = raised.tb_next
    if below is not None and _is_ours(below, raised) and _is_mistake(error, _innermost(raised)):
        return
    _relink(raised)
    error.__traceback__ = raised.tb_next


def _explain(error: TypeError | ValueError, raised: TracebackType) -> None:
    """Says what tangents a derivative takes, where it could not take them."""
    line = linecache.getline(raised.tb_frame.f_code.co_filename, raised.tb_lineno)
    taken = TANGENTS.match(line.strip())
    if taken is not None:
        error.args = (errors.tangents(taken[1].split(", ")),)


def _explain_parts(error: NotImplementedError, raised: TracebackType) -> None:
    """Says whose gradient it is to which lazy arrays cannot be added."""
    for entry in _entries(raised):
        line = linecache.getline(_file(entry), entry.tb_lineno)
        added = PARTS.match(line.strip()) if HANDLER in entry.tb_frame.f_globals else None
        if added is not None:
            error.args = (errors.parts(added[1]),)


def _is_circle(raised: TracebackType) -> bool:
    """Tells whether our own functions call each other without an end."""
    last = deque((_file(entry).startswith(RUNTIME) for entry in _entries(raised)), MANY)
    return len(last) == MANY and all(last)


def _relink(raised: TracebackType | None) -> None:
    """Leaves our frames out of a traceback, but for the first."""
    if _shows_all():
        return
    while raised is not None:
        below = raised.tb_next
        while below is not None and _is_ours(below, raised):
            below = below.tb_next
        if below is not raised.tb_next:
            raised.tb_next = below
        raised = below


def _shows_all() -> bool:
    return os.environ.get(ASKED, "0") not in ("", "0")


def _is_ours(entry: TracebackType, above: TracebackType) -> bool:
    """Tells whether a frame is ours, or one of a decorator between two of ours."""
    path = _file(entry)
    return path.startswith(OWN) or (path == contextlib.__file__ and entry is not above.tb_next)


def _is_mistake(error: BaseException | None, path: str) -> bool:
    if path.startswith(ENGINE):
        return True
    return path.startswith(OWN) and not isinstance(error, TOLD)


def _entries(raised: TracebackType | None) -> Iterator[TracebackType]:
    while raised is not None:
        yield raised
        raised = raised.tb_next


def _innermost(raised: TracebackType) -> str:
    while raised.tb_next is not None:
        raised = raised.tb_next
    return _file(raised)


def _file(raised: TracebackType) -> str:
    return raised.tb_frame.f_code.co_filename
