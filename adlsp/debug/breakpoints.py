"""Where the breakpoints of a session are: what the client wants, and what debugpy is asked for.

A breakpoint on a primal line may stand for several of debugpy's: one on the line itself, and one
in each derivative that the program has announced, where the forward or the backward of the line's
statement begins. Debugpy knows breakpoints by file, and each request replaces the list of a
file; so the list of a file is always computed whole, by `Breakpoints.requested`, from what the
client wants.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib import parse, request

from adlsp.debug import maps
from adlsp.debug.wire import Message

FIRST_ID = 1 << 30
"""Ids of ours start here; debugpy's are small numbers."""

SCHEME = "adlsp-derivative:"

MODES = ("forward", "backward", "both")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A breakpoint of the client. `arguments` is what it sent, but for the mode."""

    id: int
    line: int
    mode: str
    is_mode_chosen: bool
    arguments: Message


@dataclass(frozen=True, slots=True)
class Document:
    """A file in which the client wants breakpoints; `path` is None where we know no file for it."""

    source: Message
    path: str | None
    wanted: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """A breakpoint for debugpy, and the ids of the client's breakpoints that it stands for."""

    line: int
    arguments: Message
    owners: tuple[int, ...] = ()
    is_backward: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """What debugpy answered for a breakpoint; `is_own`: it is in the file that the client named."""

    path: str
    placed: Placed
    answer: Message
    is_own: bool


class Breakpoints:
    """The breakpoints of one session."""

    def __init__(self) -> None:
        self.default_mode = "both"
        self.maps: dict[str, maps.DerivativeMap] = {}
        self._documents: dict[str, Document] = {}
        self._hidden: dict[str, tuple[Placed, ...]] = {}
        self._bound: dict[str, tuple[Bound, ...]] = {}
        self._told: dict[int, Message] = {}
        self._ids = itertools.count(FIRST_ID)

    def replace(self, arguments: Message) -> tuple[str, tuple[str, ...]]:
        """Takes the client's list for a document; gives its key, and the files to be asked for."""
        source = arguments["source"]
        name: str = source["path"]
        is_uri = name.startswith(SCHEME)
        document = name if is_uri else maps.key(name)
        before = self._documents.get(document)
        path = file_of(name, self.maps.values()) if is_uri else name
        entries = read_entries(arguments, self.default_mode)
        wanted = tuple(Wanted(next(self._ids), *entry) for entry in entries)
        self._documents[document] = Document(source, path, wanted)
        for old in before.wanted if before else ():
            self._told.pop(old.id, None)
        changed = {} if path is None else {maps.key(path): path}
        for file, derivative in self.maps.items():
            if any(maps.key(line.path) == document for line in derivative.lines):
                changed[file] = derivative.path
        return document, tuple(changed.values())

    def add(self, derivative: maps.DerivativeMap) -> tuple[str, ...]:
        """Takes an announced derivative; gives the files whose list is to be asked for."""
        self.maps[maps.key(derivative.path)] = derivative
        for name, document in self._documents.items():
            if document.path is None:
                path = file_of(name, self.maps.values())
                self._documents[name] = Document(document.source, path, document.wanted)
        changed = [derivative.path] if self.requested(derivative.path) else []
        for path in dict.fromkeys(mapped.path for mapped in derivative.lines):
            bound = self._bound.get(maps.key(path), ())
            if self.requested(path) != tuple(each.placed for each in bound):
                changed.append(path)
        return tuple(changed)

    def hide(self, path: str, placed: tuple[Placed, ...]) -> None:
        """Takes breakpoints of our own, of which the client knows nothing."""
        self._hidden[maps.key(path)] = placed

    def requested(self, path: str) -> tuple[Placed, ...]:
        """All breakpoints that debugpy must have in a file."""
        file = maps.key(path)
        placed = list(self._hidden.get(file, ()))
        for name, document in self._documents.items():
            if document.path is not None and maps.key(document.path) == file:
                placed.extend(place_own(document, functools.partial(self._is_primal, name)))
        if file in self.maps:
            for name, document in self._documents.items():
                placed.extend(place_translated(self.maps[file], name, document))
        return merge(placed)

    def settle(self, path: str, placed: Sequence[Placed], answers: Sequence[Message]) -> None:
        """Takes debugpy's answers for the breakpoints of a file, in the order of the request."""
        file = maps.key(path)
        own = {
            wanted.id
            for document in self._documents.values()
            if document.path is not None and maps.key(document.path) == file
            for wanted in document.wanted
        }
        self._bound[file] = tuple(
            Bound(path, place, answer, not own.isdisjoint(place.owners))
            for place, answer in zip(placed, answers, strict=False)
        )

    def answer(self, document: str) -> list[Message]:
        """What the client is told about its breakpoints in a document, in its order."""
        entry = self._documents[document]
        told = [describe(entry, wanted, self._of(wanted)) for wanted in entry.wanted]
        self._told.update((breakpoint["id"], breakpoint) for breakpoint in told)
        return told

    def changes(self) -> Iterator[Message]:
        """The client's breakpoints that are no longer as it was told."""
        for entry in self._documents.values():
            for wanted in entry.wanted:
                now = describe(entry, wanted, self._of(wanted))
                if wanted.id in self._told and self._told[wanted.id] != now:
                    self._told[wanted.id] = now
                    yield now

    def update(self, answer: Message) -> bool:
        """Takes a change that debugpy reports; tells whether the breakpoint is one of ours."""
        for file, all_bound in self._bound.items():
            for i, bound in enumerate(all_bound):
                if bound.answer.get("id") == answer.get("id"):
                    new = Bound(bound.path, bound.placed, {**bound.answer, **answer}, bound.is_own)
                    self._bound[file] = (*all_bound[:i], new, *all_bound[i + 1 :])
                    return True
        return False

    def owners(self, ids: Iterable[int]) -> list[int]:
        """The client's ids for ids of debugpy's: none for hidden ones, the id itself if unknown."""
        owners: Mapping[int, tuple[int, ...]] = {
            bound.answer["id"]: bound.placed.owners
            for all_bound in self._bound.values()
            for bound in all_bound
            if "id" in bound.answer
        }
        return [owner for id_ in ids for owner in owners.get(id_, (id_,))]

    def _is_primal(self, path: str, line: int) -> bool:
        return any(derivative.covers(path, line) for derivative in self.maps.values())

    def _of(self, wanted: Wanted) -> tuple[Bound, ...]:
        return tuple(
            bound
            for all_bound in self._bound.values()
            for bound in all_bound
            if wanted.id in bound.placed.owners
        )


def read_entries(arguments: Message, default_mode: str) -> Iterator[tuple[int, str, bool, Message]]:
    """Reads line, mode, whether the mode was chosen, and the rest, of each breakpoint of a request.

    Without a mode, a logpoint or hit count means the forward sweep only: it would count double.
    """
    entries = arguments.get("breakpoints")
    if entries is None:
        entries = [{"line": line} for line in arguments.get("lines") or ()]
    for entry in entries:
        rest = {name: value for name, value in entry.items() if name != "mode" and value != ""}
        mode = entry.get("mode")
        is_chosen = mode in MODES
        if not is_chosen:
            counts = "logMessage" in rest or "hitCondition" in rest
            mode = "forward" if counts else default_mode
        yield int(entry["line"]), mode, is_chosen, rest


def place_own(document: Document, is_primal: Callable[[int], bool]) -> Iterator[Placed]:
    """The breakpoints on the very lines that the client named.

    A launch option that says "backward" is about primal lines; a line becomes one by a derivative.
    """
    is_derivative = document.path is not None and maps.is_derivative(document.path)
    for wanted in document.wanted:
        is_backward = wanted.mode == "backward" and (
            wanted.is_mode_chosen or is_primal(wanted.line)
        )
        if is_derivative or not is_backward:
            yield Placed(wanted.line, wanted.arguments, (wanted.id,))


def place_translated(
    derivative: maps.DerivativeMap, path: str, document: Document
) -> Iterator[Placed]:
    """The breakpoints in a derivative that stand for those on a primal line."""
    for wanted in document.wanted:
        if document.path is not None and maps.is_derivative(document.path):
            return
        rest = {name: value for name, value in wanted.arguments.items() if name != "column"}
        if wanted.mode != "backward":
            for line in derivative.starts(path, wanted.line, maps.FORWARD):
                yield Placed(line, {**rest, "line": line}, (wanted.id,))
        if wanted.mode != "forward":
            for line in derivative.starts(path, wanted.line, maps.BACKWARD):
                yield Placed(line, {**rest, "line": line}, (wanted.id,), is_backward=True)


def merge(placed: Iterable[Placed]) -> tuple[Placed, ...]:
    """One breakpoint for each line, as debugpy keeps them; one that always stops wins."""
    merged: dict[int, Placed] = {}
    for place in placed:
        other = merged.setdefault(place.line, place)
        if other is not place:
            winner = other if _is_plain(other) or not _is_plain(place) else place
            merged[place.line] = Placed(
                place.line,
                winner.arguments,
                (*other.owners, *place.owners),
                other.is_backward or place.is_backward,
            )
    return tuple(merged.values())


def describe(document: Document, wanted: Wanted, all_bound: Sequence[Bound]) -> Message:
    """What the client is told about one of its breakpoints."""
    own = next((bound.answer for bound in all_bound if bound.is_own), None)
    bound_elsewhere = [bound for bound in all_bound if not bound.is_own and _is_verified(bound)]
    is_verified = bool(own and own.get("verified")) or bool(bound_elsewhere)
    told: Message = {
        "id": wanted.id,
        "verified": is_verified,
        "line": own["line"] if own and own.get("line") else wanted.line,
        "source": document.source,
    }
    text = _explain(document, wanted, own, bound_elsewhere)
    return {**told, "message": text} if text else told


def file_of(uri: str, derivatives: Iterable[maps.DerivativeMap]) -> str | None:
    """The file of a derivative that a client names by the address of a document, if it is known.

    The query of the address names the primal: its file as `uri`, and `function`.
    """
    query = parse.parse_qs(parse.unquote(parse.urlsplit(uri).query))
    function = query.get("function", [""])[-1].rpartition(".")[2]
    primal = maps.key(request.url2pathname(parse.urlsplit(query.get("uri", [""])[-1]).path))
    for derivative in derivatives:
        is_here = any(maps.key(mapped.path) == primal for mapped in derivative.lines)
        if is_here and derivative.primal.rpartition(".")[2] == function:
            return derivative.path
    return None


def _explain(
    document: Document, wanted: Wanted, own: Message | None, elsewhere: Sequence[Bound]
) -> str | None:
    if document.path is None:
        return "waits for the program to compile this derivative"
    backward = [bound for bound in elsewhere if bound.placed.is_backward]
    complaint = own.get("message") if own and not own.get("verified") else None
    if maps.is_derivative(document.path):
        return complaint
    if backward:
        places = ", ".join(
            f"{os.path.basename(bound.path)}:{bound.answer.get('line', bound.placed.line)}"
            for bound in backward
        )
        return f"{'Backward' if wanted.mode == 'backward' else 'Forward and backward'}: {places}"
    if wanted.mode == "backward" and own is None:
        return "Backward: waits for a derivative of this line"
    if wanted.mode == "both" and wanted.is_mode_chosen:
        return complaint or "Forward; backward waits for a derivative of this line"
    return None if elsewhere else complaint


def _is_plain(placed: Placed) -> bool:
    return not placed.arguments.keys() & {"condition", "hitCondition", "logMessage"}


def _is_verified(bound: Bound) -> bool:
    return bool(bound.answer.get("verified"))
