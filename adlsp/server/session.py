"""What the server knows of one client, and the little that it says unasked.

Features are functions of a session. It lives from `initialize` to `exit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from lsprotocol import types

from adlsp.server import messages
from adlsp.server.analyses import Analyses
from adlsp.server.convert import Converter
from adlsp.server.documents import Documents
from adlsp.server.worker import Worker


class Client(Protocol):
    """What a session says to its client unasked."""

    def publish(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        """Shows the findings of a document, in place of those shown before."""

    def refresh_content(self, uri: str) -> None:
        """Makes the client ask again for a document that we serve."""

    def tell_recorded(self) -> None:
        """Tells that a program has run, so that derivatives of what it called may be others."""

    def refresh_diagnostics(self) -> None:
        """Makes a client that pulls findings pull them again."""

    def log(self, text: str) -> None:
        """Writes to the log that the user can open."""

    def warn(self, text: str) -> None:
        """Shows the user a message."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the client can do that not all clients can."""

    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    shows_content: bool = False
    watches_files: bool = False
    edits_versions: bool = False
    hears_of_runs: bool = False


@dataclass
class Session:
    """One client: its open documents, the worker that analyzes them, what it was shown."""

    client: Client
    worker: Worker
    documents: Documents = field(default_factory=Documents)
    capabilities: Capabilities = field(default_factory=Capabilities)
    encoding: str = "utf-16"
    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    warned: set[str] = field(default_factory=set)
    analyses: Analyses = field(init=False)

    def __post_init__(self) -> None:
        self.analyses = Analyses(self.documents, self.worker)

    @property
    def converter(self) -> Converter:
        """Converts for this client."""
        return Converter(self.encoding, self.documents.uri_of, self.capabilities.shows_content)

    def converter_for(self, lines: messages.Lines) -> Converter:
        """Converts an answer that came with these lines."""
        return self.converter.knowing(lines)
