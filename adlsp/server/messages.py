"""The words between the server and its worker process, and how they travel.

The server tells (`Text`, `Folders`, `Invalidate`) and asks (`Ask`, `Cancel`); the worker answers
(`Began`, then one of `Done`, `Dropped`, `Failed`). A question is answered for the texts that were
told before it, whatever is told while it waits. Messages travel as frames: four bytes of length,
then a pickle, on pipes that only these two processes hold.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

from adlsp.transform.artifact import MappedLine
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.source import Span

Lines = tuple[tuple[str, int, str], ...]
"""Path, number and text of each line that an answer points into and that is not plain ASCII."""


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a document that is open in the editor; None when it was closed."""

    path: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of the workspace."""

    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Invalidate:
    """Files changed on disk: what was read of them is forgotten."""


@dataclass(frozen=True, slots=True)
class Check:
    """Asks what is found in a file, and in what it calls."""

    path: str


@dataclass(frozen=True, slots=True)
class Outline:
    """Asks which functions a file defines, and which of them are roots."""

    path: str


@dataclass(frozen=True, slots=True)
class Describe:
    """Asks what is at a place; lines and columns count from 1, columns in characters."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Derive:
    """Asks for the derivative of a function, named or found at a place, or for a stage before it.

    `wrt`, `mode` and `order` left out mean what the program itself asks for, where the function is
    a root.
    """

    path: str
    function: str | None = None
    place: tuple[int, int] | None = None
    wrt: tuple[str, ...] | None = None
    mode: str | None = None
    order: int | None = None
    stage: str = "optimized"


@dataclass(frozen=True, slots=True)
class Page:
    """Asks for the page of a finding."""

    code: str


Question = Check | Outline | Describe | Derive | Page


@dataclass(frozen=True, slots=True)
class Checked:
    """Answers `Check`; `reads` are the files whose texts the findings depend on.

    `problem` says what is wrong with the settings of the project.
    """

    diagnostics: tuple[Diagnostic, ...]
    reads: tuple[str, ...]
    lines: Lines
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class OutlinedFunction:
    """A function of a file; `is_blocked` says that its derivative cannot be made.

    `elsewhere` is the place that asks for its derivative, where that is in another file.
    """

    name: str
    name_span: Span
    is_root: bool
    n_findings: int
    is_blocked: bool
    elsewhere: Span | None = None


@dataclass(frozen=True, slots=True)
class Outlines:
    """Answers `Outline`."""

    functions: tuple[OutlinedFunction, ...]
    reads: tuple[str, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Described:
    """Answers `Describe`: Markdown for a span, or nothing worth saying."""

    span: Span | None
    title: str
    sentences: tuple[str, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Derived:
    """Answers `Derive`.

    `path` is the file that holds the text (None where there is no derivative, or no file could be
    written), `function` the name of the primal, `reads` the files that it depends on. `problem`
    says what is wrong with the question itself: no such function, no such parameter.
    """

    function: str
    problem: str | None
    text: str
    path: str | None
    source_map: tuple[MappedLine, ...]
    findings: tuple[Diagnostic, ...]
    reads: tuple[str, ...]
    lines: Lines


@dataclass(frozen=True, slots=True)
class Paged:
    """Answers `Page`: Markdown, or nothing for a code that does not exist."""

    text: str | None


Answer = Checked | Outlines | Described | Derived | Paged


@dataclass(frozen=True, slots=True)
class Ask:
    """Puts a question under a number that the answer repeats."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Cancel:
    """Takes a question back, also while it is being answered."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All that was told so far; a question is answered for one such state.

    `texts` are those of the open documents, by path. `revision` counts changes on disk.
    """

    roots: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    revision: int = 0

    def knowing(self, told: Text | Folders | Invalidate) -> Snapshot:
        """The state after something more was told."""
        match told:
            case Text(path, text):
                texts = {each: kept for each, kept in self.texts.items() if each != path}
                if text is not None:
                    texts[path] = text
                return Snapshot(self.roots, texts, self.revision)
            case Folders(roots):
                return Snapshot(roots, self.texts, self.revision)
            case Invalidate():
                return Snapshot(self.roots, self.texts, self.revision + 1)


Told = Text | Folders | Invalidate
FromServer = Text | Folders | Invalidate | Ask | Cancel


@dataclass(frozen=True, slots=True)
class Began:
    """The worker begins with a question; its time limit runs from now."""

    number: int


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a question."""

    number: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Dropped:
    """A question that was taken back before its answer was complete."""

    number: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A question that raised an exception in the worker: our bug. `report` is the traceback."""

    number: int
    report: str


FromWorker = Began | Done | Dropped | Failed

HEADER = 4


def pack(message: FromServer | FromWorker) -> bytes:
    """Makes a frame of a message."""
    body = pickle.dumps(message, protocol=5)
    return len(body).to_bytes(HEADER, "big") + body


def unpack(heard: bytearray) -> Iterator[bytes]:
    """Takes the frames that are complete off what was heard."""
    while len(heard) >= HEADER:
        end = HEADER + int.from_bytes(heard[:HEADER], "big")
        if len(heard) < end:
            return
        body = bytes(heard[HEADER:end])
        del heard[:end]
        yield body


def read(stream: BinaryIO) -> FromServer | None:
    """Waits for the next message of the server; None at the end of the stream."""
    header = stream.read(HEADER)
    if len(header) < HEADER:
        return None
    size = int.from_bytes(header, "big")
    body = stream.read(size)
    return pickle.loads(body) if len(body) == size else None
