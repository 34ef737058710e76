"""Where the breakpoints of a session are: what the client wants, and what debugpy is asked for.

A breakpoint on a primal line may stand for several of debugpy's: one on the line itself, and one in
each derivative that the program has announced, where the forward or the backward of the line's
statement begins. One in a derivative stands for those in the others that are of the same function:
the program makes one for each signature, and shown may be one that does not run. Debugpy knows
breakpoints by file, and each request replaces the list of a file; so the list of a file is always
computed whole, by `Breakpoints.requested`, from what the client wants.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from urllib import parse

from adlsp.debug import conditions, maps, telling
from adlsp.debug.wanted import Bound, Document, Placed, Wanted, is_for_option, read_entries
from adlsp.debug.wire import Message
from adlsp.transform.frontend.layout import Layout

FIRST_ID = 1 << 30
"""Ids of ours start here; debugpy's are small numbers."""

SCHEME = "adlsp-derivative:"


class Breakpoints:
    """The breakpoints of one session. `read_layout` tells where the functions of a file are."""

    def __init__(self, read_layout: Callable[[str], Layout] = lambda _: Layout()) -> None:
        self.default_mode = "both"
        self.maps: dict[str, maps.DerivativeMap] = {}
        self._documents: dict[str, Document] = {}
        self._hidden: dict[str, tuple[Placed, ...]] = {}
        self._bound: dict[str, tuple[Bound, ...]] = {}
        self._owned: dict[int, tuple[Bound, ...]] | None = None
        self._told: dict[int, Message] = {}
        self._conditions = conditions.Conditions()
        self._read_layout = read_layout
        self._ids = itertools.count(FIRST_ID)

    def needs_parts(self, arguments: Message) -> bool:
        """Tells whether `replace` must know which functions of a document derivatives reach."""
        path = arguments["source"]["path"]
        is_primal = not path.startswith(SCHEME) and not maps.is_derivative(path)
        return self.default_mode == "backward" and is_primal and is_for_option(arguments)

    def replace(
        self, arguments: Message, parts: frozenset[int] = frozenset()
    ) -> tuple[str, tuple[str, ...]]:
        """Takes the client's list for a document; gives its key, and the files to be asked for.

        `parts` are the lines where functions begin that derivatives reach.
        """
        source = arguments["source"]
        name: str = source["path"]
        is_uri = name.startswith(SCHEME)
        document = name if is_uri else maps.key(name)
        before = self._documents.get(document)
        path = file_of(name, self.maps.values()) if is_uri else name
        entries = [*read_entries(arguments, self.default_mode)]
        layout = self._read_layout(path) if path and entries else Layout()
        is_derivative = path is not None and maps.is_derivative(path)
        enters = layout.enters if is_derivative else layout.statement
        wanted = tuple(self._wanted(enters, *entry) for entry in entries)
        derivative = self._derivative(path) if path and is_derivative else None
        self._documents[document] = Document(source, path, layout, wanted, derivative, parts)
        for old in before.wanted if before else ():
            self._told.pop(old.id, None)
        changed = {} if path is None else {maps.key(path): path}
        for file, other in self.maps.items():
            is_of = derivative is not None and other.is_like(derivative)
            if is_of or any(maps.key(line.path) == document for line in other.lines):
                changed[file] = other.path
        return document, tuple(changed.values())

    def add(self, derivative: maps.DerivativeMap) -> tuple[str, ...]:
        """Takes an announced derivative; gives the files whose list is to be asked for."""
        self.maps[maps.key(derivative.path)] = derivative
        for name, document in self._documents.items():
            if document.path is None:
                path = file_of(name, self.maps.values())
                found = None if path is None else self._derivative(path)
                self._documents[name] = dataclasses.replace(document, path=path, derivative=found)
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
        self._owned = None
        self._bound[file] = tuple(
            Bound(path, place, answer, not own.isdisjoint(place.owners))
            for place, answer in zip(placed, answers, strict=False)
        )

    def answer(self, document: str) -> list[Message]:
        """What the client is told about its breakpoints in a document, in its order."""
        entry = self._documents[document]
        told = [self._describe(entry, wanted) for wanted in entry.wanted]
        self._told.update((breakpoint["id"], breakpoint) for breakpoint in told)
        return told

    def changes(self) -> Iterator[Message]:
        """The client's breakpoints that are no longer as it was told."""
        for entry in self._documents.values():
            for wanted in entry.wanted:
                now = self._describe(entry, wanted)
                if wanted.id in self._told and self._told[wanted.id] != now:
                    self._told[wanted.id] = now
                    yield now

    def unbound(self) -> Iterator[str]:
        """Why breakpoints for the backward sweep never had a place there, as sentences."""
        for entry in self._documents.values():
            for wanted in entry.wanted:
                why = telling.unbound(entry, wanted, self._of(wanted), self.maps.values())
                if why is not None:
                    yield why

    def evaluated(self, said: conditions.Said) -> Iterator[str]:
        """Takes how a condition was evaluated; gives what the client must be told, as sentences."""
        self._conditions.note(said)
        yield from self._unusable({said.condition}, is_over=False)

    def unusable(self) -> Iterator[str]:
        """Conditions that could not be evaluated, now that no more will be: those not yet told."""
        yield from self._unusable(self._conditions.failed(), is_over=True)

    def update(self, answer: Message) -> bool:
        """Takes a change that debugpy reports; tells whether the breakpoint is one of ours."""
        for file, all_bound in self._bound.items():
            for i, bound in enumerate(all_bound):
                if bound.answer.get("id") == answer.get("id"):
                    new = Bound(bound.path, bound.placed, {**bound.answer, **answer}, bound.is_own)
                    self._bound[file] = (*all_bound[:i], new, *all_bound[i + 1 :])
                    self._owned = None
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

    def _unusable(self, among: Collection[str], *, is_over: bool) -> Iterator[str]:
        for entry in self._documents.values():
            for wanted in entry.wanted:
                if wanted.arguments.get("condition") not in among:
                    continue
                error = self._conditions.trouble(wanted, self._of(wanted), is_over=is_over)
                if error is not None:
                    yield f"the condition of {telling.place(entry, wanted)} gave {error}"

    def _derivative(self, path: str) -> maps.DerivativeMap | None:
        return self.maps.get(maps.key(path)) or maps.read_file(path)

    def _wanted(
        self,
        statement: Callable[[int], int],
        line: int,
        mode: str,
        is_mode_chosen: bool,
        arguments: Message,
    ) -> Wanted:
        return Wanted(next(self._ids), line, mode, is_mode_chosen, arguments, statement(line))

    def _describe(self, entry: Document, wanted: Wanted) -> Message:
        return telling.describe(entry, wanted, self._of(wanted), self.maps.values())

    def _is_primal(self, path: str, line: int) -> bool:
        return any(derivative.covers(path, line) for derivative in self.maps.values())

    def _of(self, wanted: Wanted) -> tuple[Bound, ...]:
        if self._owned is None:
            owned: dict[int, list[Bound]] = {}
            for bound in itertools.chain.from_iterable(self._bound.values()):
                for owner in bound.placed.owners:
                    owned.setdefault(owner, []).append(bound)
            self._owned = {owner: tuple(all_bound) for owner, all_bound in owned.items()}
        return self._owned.get(wanted.id, ())


def place_own(document: Document, is_primal: Callable[[int], bool]) -> Iterator[Placed]:
    """The breakpoints on the very lines that the client named.

    A launch option that says "backward" is about primal lines: a line becomes one by a derivative,
    and is one before where the texts of the project tell.
    """
    is_derivative = document.path is not None and maps.is_derivative(document.path)
    for wanted in document.wanted:
        is_backward = wanted.mode == "backward" and (
            wanted.is_mode_chosen
            or document.is_part(wanted.statement)
            or is_primal(wanted.statement)
        )
        if is_derivative or not is_backward:
            is_moved = wanted.statement != wanted.line
            arguments = _at(wanted, wanted.statement) if is_moved else wanted.arguments
            yield Placed(wanted.statement, arguments, (wanted.id,))


def place_translated(
    derivative: maps.DerivativeMap, path: str, document: Document
) -> Iterator[Placed]:
    """The breakpoints in a derivative that stand for those on a primal line, or in another one."""
    if document.path is not None and maps.is_derivative(document.path):
        shown = document.derivative
        if shown is None or not derivative.is_like(shown):
            return
        for wanted in document.wanted:
            mapped = shown.at(wanted.statement)
            for line in () if mapped is None else derivative.counterparts(mapped):
                yield Placed(line, _at(wanted, line), (wanted.id,))
        return
    for wanted in document.wanted:
        if wanted.mode != "backward":
            for line in derivative.starts(path, wanted.statement, maps.FORWARD):
                yield Placed(line, _at(wanted, line), (wanted.id,))
        if wanted.mode != "forward":
            for line in derivative.starts(path, wanted.statement, maps.BACKWARD):
                yield Placed(line, _at(wanted, line), (wanted.id,), is_backward=True)


def merge(placed: Iterable[Placed]) -> tuple[Placed, ...]:
    """One breakpoint for each line, as debugpy keeps them; one that always stops wins.

    Where all have conditions and nothing else, each of them counts.
    """
    merged: dict[int, Placed] = {}
    for place in placed:
        other = merged.setdefault(place.line, place)
        if other is not place:
            winner = other if _is_plain(other) or not _is_plain(place) else place
            both = dict.fromkeys((*other.conditions, *place.conditions))
            is_either = _is_conditional(other) and _is_conditional(place)
            merged[place.line] = Placed(
                place.line,
                winner.arguments,
                (*other.owners, *place.owners),
                other.is_backward or place.is_backward,
                tuple(both)[1:] if is_either else winner.others,
            )
    return tuple(merged.values())


def file_of(uri: str, derivatives: Iterable[maps.DerivativeMap]) -> str | None:
    """The file of a derivative that a client names by the address of a document, if it is known.

    The query of the address names the primal: its file as `uri`, and `function`.
    """
    query = parse.parse_qs(parse.unquote(parse.urlsplit(uri).query))
    function = query.get("function", [""])[-1].rpartition(".")[2]
    primal = maps.key(_path_of(query.get("uri", [""])[-1]))
    for derivative in derivatives:
        is_here = any(maps.key(mapped.path) == primal for mapped in derivative.lines)
        if is_here and derivative.primal.rpartition(".")[2] == function:
            return derivative.path
    return None


def _at(wanted: Wanted, line: int) -> Message:
    """What the client sent, for another line; its column fits only its own."""
    rest = {name: value for name, value in wanted.arguments.items() if name != "column"}
    return {**rest, "line": line}


KINDS = frozenset(("condition", "hitCondition", "logMessage"))
"""What a breakpoint may have that does not always stop."""


def _is_plain(placed: Placed) -> bool:
    return not placed.arguments.keys() & KINDS


def _is_conditional(placed: Placed) -> bool:
    return placed.arguments.keys() & KINDS == {"condition"}


def _path_of(uri: str) -> str:
    """The path of a URI of a file; `urllib.request`, which knows that too, is long to load."""
    path = parse.unquote(parse.urlsplit(uri).path)
    return os.path.normpath(path.lstrip("/")) if os.name == "nt" else path
