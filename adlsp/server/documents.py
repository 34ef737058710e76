"""The texts that are open in the editor, and how soon each is due for analysis.

A document is a value: an edit makes another one. Whoever waits for something compares what it began
with to what is open now, and so never shows a result for a text that is gone.
"""

from __future__ import annotations

import asyncio
import os
import posixpath
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from pygls import uris

PAUSE = 0.3
"""Seconds without an edit after which an unsaved text is analyzed."""

DERIVATIVES = "adlsp-derivatives"
"""The folder of files that we generate; they are never checked themselves.

The same as in `adlsp.workspace`, which the server does not import for the time that it takes.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One version of the text of an open document; `path` is what the engine calls the file."""

    uri: str
    path: str
    version: int | None
    text: str
    is_checked: bool


@dataclass
class Documents:
    """What is open now, by URI."""

    _open: dict[str, Document] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)
    _hurry: dict[str, asyncio.Event] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._open.values()))

    def open(self, uri: str, language: str, version: int | None, text: str) -> Document:
        """Notes a document that the editor opened; it is due at once."""
        document = Document(uri, path_of(uri), version, text, is_checked(uri, language))
        self._open[uri] = document
        self._hurry[uri] = asyncio.Event()
        self.hurry(uri)
        return document

    def change(self, uri: str, version: int | None, text: str) -> Document | None:
        """Notes an edit; the document is due after a pause."""
        before = self._open.get(uri)
        if before is None:
            return None
        document = Document(uri, before.path, version, text, before.is_checked)
        self._open[uri] = document
        self._due[uri] = time.monotonic() + PAUSE
        self._hurry[uri].clear()
        return document

    def hurry(self, uri: str) -> None:
        """Makes a document due at once."""
        if uri in self._open:
            self._due[uri] = time.monotonic()
            self._hurry[uri].set()

    def close(self, uri: str) -> Document | None:
        """Forgets a document."""
        self._due.pop(uri, None)
        hurry = self._hurry.pop(uri, None)
        if hurry is not None:
            hurry.set()
        return self._open.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        """The document of a URI, in whichever way the URI is written."""
        return self._open.get(uri) or self.at_path(path_of(uri))

    def at_path(self, path: str) -> Document | None:
        """The open document of a file."""
        return next((each for each in self._open.values() if each.path == path), None)

    def is_current(self, document: Document) -> bool:
        """Tells whether the document is still open with that very text."""
        return self._open.get(document.uri) is document

    async def until_due(self, uri: str) -> None:
        """Waits until the document is due, through edits that put it off; or until it is closed."""
        while (due := self._due.get(uri)) is not None:
            rest = due - time.monotonic()
            if rest <= 0:
                return
            hurried = asyncio.ensure_future(self._hurry[uri].wait())
            try:
                await asyncio.wait([hurried], timeout=rest)
            finally:
                hurried.cancel()

    def uri_of(self, path: str) -> str:
        """The URI of a file: as the editor writes it where it is open."""
        document = self.at_path(path)
        if document is not None:
            return document.uri
        return uris.from_fs_path(path) or path


def path_of(uri: str) -> str:
    """The path of a document; one that is no file (not saved yet) has a path in no real folder."""
    path = uris.to_fs_path(uri)
    if path is not None:
        return os.path.abspath(path)
    parts = urlsplit(uri)
    name = posixpath.basename(unquote(parts.path)).removesuffix(".py")
    return os.path.abspath(f"/adlsp-unsaved/{parts.scheme}/{name}.py")


def is_checked(uri: str, language: str) -> bool:
    """Tells whether a document is the user's Python: no text of ours, no cell of a notebook."""
    scheme, path = urlsplit(uri).scheme, path_of(uri)
    if scheme not in ("file", "untitled") or DERIVATIVES in path.split(os.sep):
        return False
    return language == "python" or path.endswith(".py")
