"""What the worker answered about open documents, kept for as long as it is true.

An answer names the files that it was read from; it is true while the open ones among them have not
changed and nothing changed on disk. What is said of functions rests on all open files, because each
may ask for their derivatives. An edit takes back the questions about the text before it. All
features share the answers, so that one analysis serves findings, lenses and fixes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from adlsp.server import messages
from adlsp.server.documents import Document, Documents
from adlsp.server.worker import Worker, WorkerError
from adlsp.transform.diagnostics.internal import InternalError
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.source import Span

Kept = messages.Checked | messages.Outlines


class SupersededError(Exception):
    """The answer is not to be had any more: its document has changed or was closed."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One question, the state of things in which it was put, and the answer to come."""

    document: Document
    opened: dict[str, Document]
    revision: int
    task: asyncio.Task[Kept]


@dataclass
class Analyses:
    """The answers about open documents, by path and kind of question."""

    documents: Documents
    worker: Worker
    _entries: dict[tuple[str, type], Entry] = field(default_factory=dict)
    _revision: int = 0

    async def check(self, document: Document) -> messages.Checked:
        """The findings of a document; a failure of the worker is a finding itself."""
        answer = await self._answer(document, messages.Check(document.path))
        assert isinstance(answer, messages.Checked)
        return answer

    async def outline(self, document: Document) -> messages.Outlines:
        """The functions of a document; none where the worker fails."""
        answer = await self._answer(document, messages.Outline(document.path))
        assert isinstance(answer, messages.Outlines)
        return answer

    async def settled_check(self, uri: str) -> tuple[Document, messages.Checked] | None:
        """The findings of what is open once it is due, whatever is edited meanwhile.

        They are true when this returns. None when the document is closed.
        """
        while (document := await self._due_document(uri)) is not None:
            try:
                checked = await self.check(document)
            except SupersededError:
                continue
            if self.documents.is_current(document) and not self.is_outdated(document):
                return document, checked
        return None

    async def settled_outline(self, uri: str) -> messages.Outlines | None:
        """The functions of what is open once it is due; None when the document is closed."""
        while (document := await self._due_document(uri)) is not None:
            try:
                outlines = await self.outline(document)
            except SupersededError:
                continue
            if self.documents.is_current(document):
                return outlines
        return None

    def is_outdated(self, document: Document) -> bool:
        """Tells whether the findings of a document were asked for and are no longer true."""
        entry = self._entries.get((document.path, messages.Check))
        return entry is not None and not self._is_true(entry, document)

    def drop(self, path: str) -> None:
        """Takes back what is asked about a file, and forgets what was answered."""
        for key in tuple(self._entries):
            if key[0] == path:
                self._entries.pop(key).task.cancel()

    def outdate(self) -> None:
        """Notes that something changed on disk."""
        self._revision += 1

    async def _due_document(self, uri: str) -> Document | None:
        await self.documents.until_due(uri)
        return self.documents.get(uri)

    async def _answer(
        self, document: Document, question: messages.Check | messages.Outline
    ) -> Kept:
        key = (document.path, type(question))
        entry = self._entries.get(key)
        if entry is None or not self._is_true(entry, document):
            if entry is not None:
                entry.task.cancel()
            opened = {each.path: each for each in self.documents}
            task = asyncio.get_running_loop().create_task(self._ask(question))
            entry = self._entries[key] = Entry(document, opened, self._revision, task)
        await asyncio.wait([entry.task])
        if entry.task.cancelled():
            raise SupersededError
        return entry.task.result()

    async def _ask(self, question: messages.Check | messages.Outline) -> Kept:
        try:
            answer = await self.worker.ask(question)
            assert isinstance(answer, messages.Checked | messages.Outlines)
            return answer
        except WorkerError as error:
            if isinstance(question, messages.Outline):
                return messages.Outlines((), (question.path,), ())
            return messages.Checked((failure(question.path, error),), (question.path,), ())

    def _is_true(self, entry: Entry, document: Document) -> bool:
        if entry.document is not document or entry.revision != self._revision:
            return False
        if not entry.task.done():
            return True
        if entry.task.cancelled():
            return False
        answer = entry.task.result()
        if isinstance(answer, messages.Outlines):
            return entry.opened == {each.path: each for each in self.documents}
        return all(self.documents.at_path(path) is entry.opened.get(path) for path in answer.reads)


def failure(path: str, error: WorkerError) -> Diagnostic:
    """The finding for a file that the worker could not analyze."""
    return Diagnostic(InternalError(str(error)), Span(path, 1, 1, 1, 1))
