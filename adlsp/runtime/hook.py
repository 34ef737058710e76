"""The place where a debugger learns of a new derivative, and of what is wrong in one.

`bind` costs a dictionary look-up. The debug proxy keeps two hidden breakpoints on the lines marked
in `_announce`, neither of which stops the program: a logpoint that tells the proxy the number of an
announcement, and a condition, never true, that waits until the proxy has read it and has set what
was pending in that derivative. No other thread is held up, no step is lost, and a debugger that has
gone away costs one timeout. A third one, in `stop`, stops where a derivative goes wrong.
"""

from __future__ import annotations

import atexit
import json
import linecache
import os
import threading
from collections.abc import Callable, Mapping, Sequence

from adlsp.runtime.gradients import rows

PATIENCE = 5.0
"""How many seconds a program waits for a debugger that does not answer."""

PARTING = 1.0
"""How many its end waits."""

_at_the_end: Callable[[Callable[[], None]], object]
_at_the_end = getattr(threading, "_register_atexit", atexit.register)
"""Has a function called before threads are waited for: by what comes later debuggers are gone."""

_announced: dict[str, int] = {}
_read = 0
_turn = threading.RLock()
_answer = threading.Condition()
_sought = ""
_look: Callable[[str], str] | None = None
_why: Callable[..., list[str]] | None = None
_recorded_how = ""
_record: Callable[[str], None] | None = None
_told: Callable[[], str] | None = None
_tell: Callable[[str], object] | None = None
_has_farewell = False
_left = threading.Event()
_compare: Callable[..., list[str]] | None = None
_remember: Callable[[bool], None] | None = None
_know: Callable[[str, object], None] | None = None
_is_remembering = False


def bind(payload: str) -> None:
    """Announces a compiled derivative; `payload` is JSON.

    ``{"version": 1, "path": file of the derivative, "name": its entry function, "primal": name of
    the primal, "map": [{"line", "role", "path", "primal_line", "primal_end_line"}, ...]}``: one
    entry for each line of the derivative that has an origin; roles are those of
    `adlsp.transform.ir.Role`.
    """
    with _turn:
        number = _announced.setdefault(payload, len(_announced))
        if number >= _read:
            _announce(number)


def announced(since: int) -> str:
    """Gives the announcements from number `since` on, as JSON: for the debug proxy.

    They are objects: the `payload`, a string, and the `text` of the derivative's file.
    """
    payloads = list(_announced.copy())[since:]
    return json.dumps([{"payload": payload, "text": _text(payload)} for payload in payloads])


def proceed(count: int) -> None:
    """Lets those go on who wait for one of the first `count` announcements: for the debug proxy."""
    global _read
    with _answer:
        _read = count
        _answer.notify_all()


def watch(sought: str) -> str:
    """Looks for what is wrong in derivatives from now on: for the debug proxy.

    `sought` is JSON, ``{"nan", "infinite", "above", "below"}``: whether to stop where a value is
    NaN, or infinite, and the norms above or below which an adjoint is told of; "" for nothing.
    Gives sentences about what is not looked at, if there are such.
    """
    global _sought
    _sought = sought
    return _look(sought) if _look is not None else ""


def remember(is_on: bool) -> None:
    """Has derivatives keep from now on what they are called with: for the debug proxy.

    Some bind their parameters anew; gradients are compared by running the primal again.
    """
    global _is_remembering
    _is_remembering = is_on
    if _remember is not None:
        _remember(is_on)


def know(name: str, what: object) -> None:
    """Has derivatives that are there know a name of Python's own: for the debug proxy.

    They have such names of their own, as these were when they were compiled.
    """
    if _know is not None:
        _know(name, what)


def look(
    by: Callable[[str], str],
    why: Callable[..., list[str]],
    compare: Callable[..., list[str]],
    remember: Callable[[bool], None],
    know: Callable[[str, object], None],
) -> None:
    """Takes the functions that look, which the library has."""
    global _look, _why, _compare, _remember, _know
    _look, _why, _compare, _remember, _know = by, why, compare, remember, know
    if _sought:
        by(_sought)
    if _is_remembering:
        remember(_is_remembering)


def record(wanted: str, tell: Callable[[str], object]) -> None:
    """Records how large gradients are from now on: for the debug proxy.

    `wanted` is JSON, ``{"every"}``: of how many steps one is recorded; "" for none. What the proxy
    has not asked for when the program ends it is told by `tell`, and at last "".
    """
    global _recorded_how, _tell, _has_farewell
    if not _has_farewell:
        _has_farewell = True
        _at_the_end(_leave)
    _recorded_how, _tell = wanted, tell
    if _record is not None:
        _record(wanted)


def recorded() -> str:
    """Gives what was recorded since this was last asked, as JSON: for the debug proxy.

    It is a part where that is much, and "" where nothing is left.
    """
    return "" if _told is None else _told()


def left() -> None:
    """Lets the program end: for the debug proxy, which asks nothing more."""
    _left.set()


def take(record: Callable[[str], None], told: Callable[[], str]) -> None:
    """Takes the functions that record and that tell what was recorded, which the library has."""
    global _record, _told
    _record, _told = record, told
    if _recorded_how:
        record(_recorded_how)


def gradients(
    variables: Mapping[str, object],
    pairs: Sequence[Sequence[str]],
    tapes: Sequence[Sequence[object]] = (),
) -> str:
    """The rows of variables and their adjoints in a frame, as JSON: for the debug proxy."""
    return rows(variables, pairs, tapes)


def explained(
    variables: Mapping[str, object], space: Mapping[str, object], name: str, line: int
) -> str:
    """Why an adjoint is zero in a frame that has stopped, as JSON: for the debug proxy."""
    return json.dumps([] if _why is None else _why(variables, space, name, line))


def compared(variables: Mapping[str, object], space: Mapping[str, object], asked: str) -> str:
    """What differences say of adjoints in a frame that has stopped, as JSON: for the debug proxy.

    `asked` is JSON, ``{"line", "passes", "pairs"}``: the statement of the primal, in which passes
    of the loops around it, and variables with their adjoints; ``{"head", "own"}``: the line of the
    derivative with the head of a loop, and its pass, where the program stands at one.
    """
    return json.dumps([] if _compare is None else _compare(variables, space, asked))


def stop(alarm: str) -> str:
    """Stops for the debugger, which has asked for it; `alarm` says why, as JSON."""
    return alarm  # debug proxy: stop


def _leave() -> None:
    """Tells the rest of what was recorded: the program ends."""
    if _tell is None:
        return
    while said := recorded():
        _tell(said)
    if _tell(""):
        _left.wait(PARTING)


def _announce(number: int) -> int:
    told = number  # debug proxy: tell
    return told  # debug proxy: wait


def _wait(number: int) -> bool:
    """Waits for the proxy to read an announcement. A condition that is false: nobody stops here."""
    with _answer:
        _answer.wait_for(lambda: _read > number, PATIENCE)
    return False


def _text(payload: str) -> str:
    try:
        path = json.loads(payload)["path"]
    except (ValueError, LookupError, TypeError):
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return "".join(linecache.getlines(path))


def _start_over() -> None:
    """Makes a forked child a program of its own: no lock is held, nobody has read anything."""
    global _read, _turn, _answer, _recorded_how, _tell
    _recorded_how, _tell = "", None
    _read, _turn, _answer = 0, threading.RLock(), threading.Condition()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)
