"""Ties the features to the messages of the protocol.

Notifications about documents are taken in order, on the loop, and never wait. Requests are
coroutines, so that the client can cancel each. We keep the texts ourselves: the framework splits
lines where neither Python nor the protocol does (at form feeds), and would apply edits wrongly.
"""

from __future__ import annotations

import asyncio
import functools
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from adlsp.server import convert, messages, refusing
from adlsp.server.features import code_action, code_lens, derivative, diagnostics, hover
from adlsp.server.session import Capabilities, Session
from adlsp.server.worker import Worker, WorkerError
from adlsp.version import VERSION

P = ParamSpec("P")
R = TypeVar("R")

RECORDED = "adlsp/recorded"
"""The notification that a program has run. A client asks for it by the option `hearsOfRuns`."""

PAUSE = 0.5
"""Seconds between two looks at what programs have recorded."""

WATCHED = ("**/*.py", "**/pyproject.toml")


class Server(LanguageServer):
    """The framework's server with one session."""

    session: Session
    findings: diagnostics.Findings
    watching: asyncio.Future[None]

    @property
    def is_shut_down(self) -> bool:
        """Tells whether the client asked for the end before it came."""
        return bool(self.protocol._shutdown)

    def report_server_error(self, error: Exception, _source: object) -> None:
        """Logs what went wrong outside a request; the user is not interrupted for it."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, str(error)))


@dataclass(frozen=True, slots=True)
class PyglsClient:
    """Says to the client what a session has to say."""

    server: Server

    def publish(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        """Shows the findings of a document, in place of those shown before."""
        params = types.PublishDiagnosticsParams(uri, items, version)
        self.server.text_document_publish_diagnostics(params)

    def refresh_content(self, uri: str) -> None:
        """Makes the client ask again for a document that we serve."""
        params = types.TextDocumentContentRefreshParams(uri)
        self.server.workspace_text_document_content_refresh(params)

    def tell_recorded(self) -> None:
        """Tells that a program has run, so that derivatives of what it called may be others."""
        self.server.protocol.notify(RECORDED, {})

    def refresh_diagnostics(self) -> None:
        """Makes a client that pulls findings pull them again."""
        self.server.workspace_diagnostic_refresh(None)

    def log(self, text: str) -> None:
        """Writes to the log that the user can open."""
        params = types.LogMessageParams(types.MessageType.Warning, text)
        self.server.window_log_message(params)

    def warn(self, text: str) -> None:
        """Shows the user a message."""
        params = types.ShowMessageParams(types.MessageType.Warning, text)
        self.server.window_show_message(params)


def build() -> Server:
    """Makes a server that waits for `initialize`."""
    server = Server("adlsp", VERSION, protocol_cls=refusing.Protocol)
    client = PyglsClient(server)
    server.session = Session(client, Worker(client.log))
    server.findings = diagnostics.Findings(server.session)
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
    ):
        del server.protocol.fm.builtin_features[method]
    register_life(server)
    register_documents(server)
    register_requests(server)
    return server


def answering(handler: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Turns our exceptions into the protocol's errors."""

    @functools.wraps(handler)
    async def answer(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await handler(*args, **kwargs)
        except derivative.BadRequestError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        except WorkerError as error:
            raise JsonRpcInternalError(str(error)) from None

    return answer


def register_life(server: Server) -> None:
    """Registers what begins and ends a session."""
    session = server.session

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        session.capabilities = capabilities_of(params.capabilities)
        session.encoding = server.workspace.position_encoding or "utf-16"
        options = params.initialization_options
        options = options if isinstance(options, dict) else {}
        hears = bool(options.get("hearsOfRuns"))
        session.capabilities = replace(session.capabilities, hears_of_runs=hears)
        limit = options.get("analysisLimit")
        if isinstance(limit, int | float) and limit > 0:
            session.worker.limit = float(limit)
        if session.capabilities.pulls_diagnostics:
            register_pull(server)

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        tell_folders(server)
        session.worker.start()
        server.watching = asyncio.ensure_future(watch_runs(session))
        registrations = dynamic(session.capabilities)
        if registrations:
            await server.client_register_capability_async(types.RegistrationParams(registrations))

    @server.feature(types.SHUTDOWN)
    async def shutdown(_params: None) -> None:
        await session.worker.stop()

    @server.feature(types.EXIT)
    def leave(_params: None) -> None:
        """Ends at once: asyncio would wait for a child that it is just starting, for ever.

        (On Python 3.11 what connects the child's pipes is cancelled together with what waits for
        its end.) A child ends by itself, as nobody writes to it any more.
        """
        session.worker.kill()
        sys.stderr.flush()
        os._exit(0 if server.is_shut_down else 1)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        tell_folders(server)
        server.findings.everything_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        changed = [session.documents.get(change.uri) for change in params.changes]
        if any(document is None or not document.is_checked for document in changed):
            session.worker.tell(messages.Invalidate())
            server.findings.everything_changed()


async def watch_runs(session: Session) -> None:
    """Brings derivatives up to date when a program has recorded what it calls functions with."""
    seen = await asyncio.to_thread(recorded_when)
    while True:
        await asyncio.sleep(PAUSE)
        now = await asyncio.to_thread(recorded_when)
        if now != seen:
            seen = now
            session.worker.tell(messages.Invalidate())
            derivative.refresh_all(session)
            if session.capabilities.hears_of_runs:
                session.client.tell_recorded()


def recorded_when() -> int:
    """A number that changes when something is recorded. The first call loads what reads files."""
    from adlsp import workspace

    return workspace.recorded_when()


def register_documents(server: Server) -> None:
    """Registers what happens to open documents."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        document = session.documents.open(item.uri, str(item.language_id), item.version, item.text)
        if document.is_checked:
            session.worker.tell(messages.Text(document.path, document.text))
            server.findings.opened(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        before = session.documents.get(item.uri)
        if before is None:
            return
        text = session.converter.edited(before.text, params.content_changes)
        document = session.documents.change(before.uri, item.version, text)
        if document is not None and document.is_checked:
            session.worker.tell(messages.Text(document.path, document.text))
            server.findings.changed(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        document = session.documents.get(params.text_document.uri)
        if document is None:
            return
        if not session.capabilities.watches_files:
            session.worker.tell(messages.Invalidate())
            session.analyses.outdate()
        server.findings.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        document = session.documents.close(params.text_document.uri)
        if document is not None and document.is_checked:
            session.worker.tell(messages.Text(document.path, None))
            server.findings.closed(document)


def register_requests(server: Server) -> None:
    """Registers what the client may ask."""
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @answering
    async def hovers(params: types.HoverParams) -> types.Hover | None:
        return await hover.hover(session, params)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    @answering
    async def lenses(params: types.CodeLensParams) -> Sequence[types.CodeLens]:
        return await code_lens.code_lens(session, params)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, convert.FIX_ALL]),
    )
    @answering
    async def actions(params: types.CodeActionParams) -> Sequence[types.CodeAction]:
        return await code_action.code_actions(session, params)

    @server.feature(derivative.METHOD)
    @answering
    async def derives(params: Mapping[str, object]) -> dict[str, object]:
        return await derivative.derivative(session, plain(params))

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    @answering
    async def contents(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        return types.TextDocumentContentResult(await derivative.content(session, params.uri))


def register_pull(server: Server) -> None:
    """Registers the request for findings, for clients that use it."""
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="adlsp"
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    @answering
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        return await server.findings.pull(params)


def capabilities_of(announced: types.ClientCapabilities) -> Capabilities:
    """Reads what the client can do."""
    text = announced.text_document
    workspace = announced.workspace
    edit = workspace.workspace_edit if workspace else None
    pulled = workspace.diagnostics if workspace else None
    content = workspace.text_document_content if workspace else None
    watched = workspace.did_change_watched_files if workspace else None
    return Capabilities(
        pulls_diagnostics=bool(text and text.diagnostic),
        refreshes_diagnostics=bool(pulled and pulled.refresh_support),
        shows_content=bool(content and content.dynamic_registration),
        watches_files=bool(watched and watched.dynamic_registration),
        edits_versions=bool(edit and edit.document_changes),
    )


def dynamic(able: Capabilities) -> list[types.Registration]:
    """What is registered once the client is ready, because it cannot be announced before."""
    registrations = []
    if able.shows_content:
        schemes = [derivative.SCHEME, derivative.PAGES]
        options = types.TextDocumentContentRegistrationOptions(schemes)
        registrations.append(
            types.Registration("adlsp-content", types.WORKSPACE_TEXT_DOCUMENT_CONTENT, options)
        )
    if able.watches_files:
        watchers = [types.FileSystemWatcher(glob) for glob in WATCHED]
        registrations.append(
            types.Registration(
                "adlsp-files",
                types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                types.DidChangeWatchedFilesRegistrationOptions(watchers),
            )
        )
    return registrations


def tell_folders(server: Server) -> None:
    """Tells the worker which folders the client works in."""
    workspace = server.workspace
    roots = [uris.to_fs_path(uri) for uri in workspace.folders]
    if not roots and workspace.root_path:
        roots = [workspace.root_path]
    server.session.worker.tell(messages.Folders(tuple(root for root in roots if root)))


def plain(params: object) -> dict[str, object]:
    """The parameters of a request of our own as plain data (the framework makes tuples of them)."""
    if isinstance(params, dict):
        return params
    fields = params._asdict() if hasattr(params, "_asdict") else {}
    return {key: plain(each) if hasattr(each, "_asdict") else each for key, each in fields.items()}
