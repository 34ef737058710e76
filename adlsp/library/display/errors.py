"""A refused derivative in IPython: who asked for it, and the findings below."""

from __future__ import annotations

from types import TracebackType

from adlsp.library import cells, tracebacks
from adlsp.library.display import places
from adlsp.transform.diagnostics.vocabulary import Diagnostic


def rendered(error: BaseException, summary: str, findings: tuple[Diagnostic, ...]) -> list[str]:
    """The lines of the traceback down to the user's own call, and the findings in full."""
    shell, kind = cells.shell(), type(error)
    found = places.report_of(findings, places.colors()).rstrip("\n")
    head = f"{kind.__name__}: {summary}"
    if shell is None:
        return [head, found]
    asked = _of_user(error.__traceback__)
    frames = shell.InteractiveTB.structured_traceback(kind, error, asked)
    return [*frames[:-1], head, found]


def _of_user(traceback: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that is not ours: what is below our first frame is cut away."""
    if traceback is None or _is_ours(traceback):
        return None
    return TracebackType(
        _of_user(traceback.tb_next), traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno
    )


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(tracebacks.OWN)
