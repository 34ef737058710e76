"""The stack as the client sees it: the primal line below each frame of a derivative.

The client pages through the stack, so frames must not be lost or seen twice where some are added
and some are dropped: the whole stack is rewritten first, and then the page is cut.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adlsp.debug import maps, scopes
from adlsp.debug.wire import Message

FIRST_ID = 1 << 30
"""Ids of ours start here; debugpy's are small numbers."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, and the frame that stands there."""

    path: str
    line: int
    frame: int


Listing = Callable[[maps.DerivativeMap, maps.Function, int], scopes.Shown]


class Frames:
    """The frames of ours at the present stop, by id."""

    def __init__(self) -> None:
        self._ids = itertools.count(FIRST_ID)
        self._ours: dict[tuple[int, int], int] = {}
        self._real: dict[int, int] = {}
        self._counterparts: dict[int, Place] = {}
        self._shown: dict[int, scopes.Shown] = {}

    def forget(self) -> Frames:
        """Drops all frames: the program goes on. Gives them, for `recall`."""
        kept = Frames()
        kept._ours, kept._real, kept._counterparts = self._ours, self._real, self._counterparts
        kept._shown = self._shown
        self._ours, self._real, self._counterparts, self._shown = {}, {}, {}, {}
        return kept

    def recall(self, kept: Frames) -> None:
        """Takes back frames that were dropped: the program does not go on after all."""
        self._ours.update(kept._ours)
        self._real.update(kept._real)
        self._counterparts.update(kept._counterparts)
        self._shown.update(kept._shown)

    def below(self, frame: int, level: int) -> int:
        """The id of one of our frames below one of debugpy's, the same until the program goes on.

        `level` is 0 for a call, more for what is written out in its place.
        """
        if (frame, level) not in self._ours:
            self._ours[frame, level] = made = next(self._ids)
            self._real[made] = frame
        return self._ours[frame, level]

    def real(self, frame: int) -> int:
        """The id of debugpy's frame for any frame."""
        return self._real.get(frame, frame)

    def shown(self, frame: int) -> scopes.Shown:
        """What is listed of a derivative's frame or the one below it; nothing of another."""
        return self._shown.get(self.real(frame), scopes.NOTHING)

    def note(self, frame: int, shown: scopes.Shown) -> None:
        """Remembers what is listed of a derivative's frame."""
        self._shown[frame] = shown

    def counterpart(self, frame: int) -> Place | None:
        """The primal line of a derivative's frame, the derivative's line of a frame of ours."""
        return self._counterparts.get(frame)

    def pair(self, frame: Message, primal: Message) -> None:
        """Remembers two frames as each other's counterpart."""
        for one, other in ((frame, primal), (primal, frame)):
            place = Place(other["source"]["path"], other["line"], other["id"])
            self._counterparts[one["id"]] = place


def rewrite(
    stack: Sequence[Message],
    derivatives: Mapping[str, maps.DerivativeMap],
    is_hook: Callable[[str], bool],
    is_ours: Callable[[str], bool],
    frames: Frames,
    name_of: Callable[[str, int], str],
    shown: Listing,
) -> list[Message]:
    """The whole stack: without the hook, with the primal line below each frame of a derivative.

    What calls the hook to stop is left out, too. `name_of` tells the function of the primal at a
    line, `shown` what is listed of a derivative's function there. Where a call is written out, what
    stands in the callee comes before the call. Frames of one function are counted, from the
    outermost on.
    """
    rewritten: list[Message] = []
    depths, entries = _depths(stack, derivatives), _entries(stack, derivatives)
    is_stopped = bool(stack) and is_hook(path_of(stack[0]))
    for frame in stack:
        path = path_of(frame)
        if is_hook(path) or (is_stopped and not rewritten and is_ours(path)):
            continue
        rewritten.append(frame)
        derivative = derivatives.get(maps.key(path)) if path else None
        function = derivative.function(frame["line"]) if derivative else None
        if derivative is not None and function is not None:
            told = shown(derivative, function, frame["line"])
            entry = entries.get(frame["id"], 0)
            frames.note(frame["id"], dataclasses.replace(told, entry=entry))
        below: list[Message] = []
        for level, mapped in enumerate(derivative.every_at(frame["line"]) if derivative else ()):
            assert derivative is not None
            primal = _primal_frame(mapped, frames.below(frame["id"], level))
            name = name_of(mapped.path, mapped.first)
            primal["name"] = _name(mapped, name, depths.get(frame["id"]), derivative.order)
            frames.pair(frame, primal)
            below.append(primal)
        rewritten += reversed(below)
    return rewritten


def primal_first(rewritten: Sequence[Message], frames: Frames) -> list[Message]:
    """The same stack for who stays in the primal: its line before the frame of the derivative."""
    turned: list[Message] = []
    waiting: list[Message] = []
    for frame in rewritten:
        if frames.real(frame["id"]) == frame["id"]:
            turned += waiting
            waiting = [frame]
        else:
            turned.append({name: what for name, what in frame.items() if name != HINT})
            waiting = [{**each, HINT: "subtle"} for each in waiting]
    return turned + waiting


HINT = "presentationHint"


def path_of(frame: Message) -> str:
    """The file of a frame, "" where it has none."""
    return (frame.get("source") or {}).get("path") or ""


def cut(stack: Sequence[Message], arguments: Message) -> Message:
    """The page of the stack that a request asks for, as the body of its answer."""
    start = int(arguments.get("startFrame") or 0)
    levels = int(arguments.get("levels") or 0)
    end = start + levels if levels else len(stack)
    return {"stackFrames": list(stack[start:end]), "totalFrames": len(stack)}


def _entries(
    stack: Sequence[Message], derivatives: Mapping[str, maps.DerivativeMap]
) -> dict[int, int]:
    """The frame of what was called for a derivative, for each frame of its functions."""
    found: dict[int, int] = {}
    last: dict[str, int] = {}
    for frame in reversed(stack):
        file = maps.key(path_of(frame))
        derivative = derivatives.get(file)
        if derivative is not None:
            if frame["name"] == derivative.name:
                last[file] = frame["id"]
            found[frame["id"]] = last.get(file, 0)
    return found


def _depths(
    stack: Sequence[Message], derivatives: Mapping[str, maps.DerivativeMap]
) -> dict[int, int]:
    """How deep each frame is among those of its function, by id, where there are several.

    The function is the primal's: it may have several in a derivative, the outermost and those that
    are called again.
    """
    met: dict[tuple[str, object], list[int]] = {}
    for frame in reversed(stack):
        file = maps.key(path_of(frame))
        derivative = derivatives.get(file)
        if derivative is not None:
            function = derivative.function(frame["line"])
            head = derivative.at(function.first) if function else None
            of = frame["name"] if head is None else head.origin
            met.setdefault((file, of), []).append(frame["id"])
    several = (frames for frames in met.values() if len(frames) > 1)
    return {frame: depth for frames in several for depth, frame in enumerate(frames, 1)}


ORDINALS = {2: "2nd", 3: "3rd"}


def _name(mapped: maps.MappedLine, function: str, depth: int | None, order: int) -> str:
    """What our frame is called: `backward of dense, line 4, depth 2, 2nd order`."""
    told = [f"{mapped.role.sweep} of {function}"] if function else []
    told.append(
        f"line {mapped.first}" if function else f"{mapped.role.sweep} of line {mapped.first}"
    )
    told += [f"depth {depth}"] if depth is not None else []
    told += [f"{ORDINALS.get(order, f'{order}th')} order"] if order > 1 else []
    return ", ".join(told)


def _primal_frame(mapped: maps.MappedLine, id_: int) -> Message:
    return {
        "id": id_,
        "line": mapped.first,
        "column": 1,
        "source": {"path": mapped.path, "name": os.path.basename(mapped.path)},
        "presentationHint": "subtle",
    }
