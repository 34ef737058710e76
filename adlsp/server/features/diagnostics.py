"""Findings in the editor: pushed when a text is opened, saved or left alone, pulled where wanted.

Opening and saving start the analysis at once. An edit takes the running one back and starts another
after a pause, for the text in the editor: so what is shown is always about the current text, and
half-typed lines do not flicker. Findings in files that a root calls into are shown in those files;
each root's file contributes its part, and parts about texts that have changed are left out.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lsprotocol import types

from adlsp.server import convert, messages
from adlsp.server.documents import Document
from adlsp.server.features import derivative
from adlsp.server.session import Session

Item = TypeVar("Item")


@dataclass
class Board(Generic[Item]):
    """The findings about each file, by the file whose analysis gave them."""

    _parts: dict[str, dict[str, tuple[Item, ...]]] = field(default_factory=dict)

    def put(self, giver: str, parts: dict[str, tuple[Item, ...]]) -> set[str]:
        """Replaces what one file's analysis gave; tells the files about which anything was said."""
        before = self._parts.get(giver, {})
        self._parts[giver] = parts
        return {giver, *before, *parts}

    def drop(self, giver: str) -> set[str]:
        """Forgets what one file's analysis gave; tells the files that it was about."""
        return {giver, *self._parts.pop(giver, {})}

    def forget(self, path: str) -> None:
        """Forgets what was said about a file whose text has changed."""
        for parts in self._parts.values():
            parts.pop(path, None)

    def about(self, path: str) -> list[Item]:
        """All that is said about a file, its own analysis first, nothing twice."""
        givers = sorted(self._parts, key=lambda giver: (giver != path, giver))
        items: list[Item] = []
        for giver in givers:
            said = tuple(items)
            items += [item for item in self._parts[giver].get(path, ()) if item not in said]
        return items


@dataclass
class Findings:
    """Keeps what one client sees up to date."""

    session: Session
    board: Board[types.Diagnostic] = field(default_factory=Board)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _whole: dict[str, Document] = field(default_factory=dict)

    def opened(self, document: Document) -> None:
        """Analyzes a document that was opened."""
        self.board.forget(document.path)
        if document.is_checked:
            self._start(document.uri)

    def changed(self, document: Document) -> None:
        """Takes back the analysis of the text before, and analyzes the new one after a pause."""
        self.session.analyses.drop(document.path)
        self.board.forget(document.path)
        if document.is_checked:
            self._start(document.uri)

    def saved(self, document: Document) -> None:
        """Analyzes a document at once."""
        if document.is_checked:
            self.session.documents.hurry(document.uri)
            self._start(document.uri)

    def closed(self, document: Document) -> None:
        """Withdraws what the document's analysis gave; others may now ask in its place."""
        task = self._tasks.pop(document.uri, None)
        if task is not None:
            task.cancel()
        self._whole.pop(document.path, None)
        self.session.analyses.drop(document.path)
        if not self.session.capabilities.pulls_diagnostics:
            uri = document.uri
            affected = self.board.drop(document.path)
            self._publish(affected - {document.path})
            items = self.board.about(document.path)
            self.session.client.publish(uri, None, items)
        else:
            self.board.drop(document.path)
        self.session.analyses.outdate()  # what is on the disk may ask for other derivatives
        self._renew(tuple(self._dependents()))

    def everything_changed(self) -> None:
        """Analyzes all open documents anew: files changed on disk, or the folders did."""
        self.session.analyses.outdate()
        self.session.warned.clear()
        for document in self.session.documents:
            self.saved(document)
        derivative.refresh_all(self.session)

    async def pull(self, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        """The findings of a document, and those that it causes in files that are not open."""
        document = self.session.documents.get(params.text_document.uri)
        if document is None or not document.is_checked:
            return convert.report((), {}, params.previous_result_id)
        settled = await self.session.analyses.settled_check(document.uri)
        if settled is None:
            return convert.report((), {}, params.previous_result_id)
        document, checked = settled
        affected = self._put(document, checked)
        related = {
            self.session.documents.uri_of(path): self.board.about(path)
            for path in sorted(affected)
            if self.session.documents.at_path(path) is None
        }
        items = self.board.about(document.path)
        return convert.report(items, related, params.previous_result_id)

    def _start(self, uri: str) -> None:
        before = self._tasks.get(uri)
        if before is not None:
            before.cancel()
        task = asyncio.get_running_loop().create_task(self._show(uri))
        task.add_done_callback(self._report)
        self._tasks[uri] = task

    def _report(self, task: asyncio.Task[None]) -> None:
        """Logs an exception, which nobody waits for: our bug."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.session.client.log("".join(traceback.format_exception(error)))

    async def _show(self, uri: str) -> None:
        """Shows the findings of a document once they are known, then those of its dependents."""
        settled = await self.session.analyses.settled_check(uri)
        if settled is None:
            return
        document, checked = settled
        affected = self._put(document, checked)
        outdated = [each for each in self._dependents() if each is not document]
        if not self.session.capabilities.pulls_diagnostics:
            self._publish(affected)
        self._renew(outdated)
        derivative.refresh(self.session, document.path)

    def _renew(self, outdated: Sequence[Document]) -> None:
        """Has documents analyzed anew whose findings are no longer true."""
        if not self.session.capabilities.pulls_diagnostics:
            for each in outdated:
                self._start(each.uri)
        elif outdated and self.session.capabilities.refreshes_diagnostics:
            self.session.client.refresh_diagnostics()

    def _dependents(self) -> Iterable[Document]:
        """The open documents whose findings rest on texts that are gone."""
        for document in self.session.documents:
            if document.is_checked and self.session.analyses.is_outdated(document):
                yield document

    def _put(self, document: Document, checked: messages.Checked) -> set[str]:
        """Notes the findings of a document; tells the files whose findings may be others now."""
        if checked.problem is not None and checked.problem not in self.session.warned:
            self.session.warned.add(checked.problem)
            self.session.client.warn(checked.problem)
        converter = self.session.converter_for(checked.lines)
        parts: dict[str, tuple[types.Diagnostic, ...]] = {document.path: ()}
        for found in checked.diagnostics:
            parts[found.span.path] = (
                *parts.get(found.span.path, ()),
                converter.diagnostic(found),
            )
        self._whole[document.path] = document
        return self.board.put(document.path, parts)

    def _publish(self, paths: Iterable[str]) -> None:
        """Shows the findings about some files, but not about texts still to be analyzed."""
        for path in sorted(paths):
            document = self.session.documents.at_path(path)
            if document is not None and self._whole.get(path) is not document:
                continue
            version = document.version if document is not None else None
            uri = self.session.documents.uri_of(path)
            self.session.client.publish(uri, version, self.board.about(path))
