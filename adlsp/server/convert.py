"""Between our types and those of the Language Server Protocol; the only file that knows both.

Our lines and columns count from 1 and columns count characters. The protocol counts from 0, and its
columns count units of the encoding that client and server agreed on: a character outside the basic
plane (an emoji) is one of ours, two of UTF-16, four of UTF-8. For ASCII lines all are the same, so
answers carry the text of the other lines only (`messages.Lines`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lsprotocol import types

from adlsp.server import messages
from adlsp.transform.artifact import MappedLine
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix, Severity
from adlsp.transform.source import Span

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
}

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.adlsp"
"""The kind of the action that repairs all that may be repaired unasked."""

LINE_END = re.compile(r"\r\n|\r|\n")

Versions = Callable[[str], int | None]
"""Tells the version of the text that is open of a file; None where it is not open."""


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts for one client: its position encoding, and the URIs by which it knows files.

    `has_pages` tells that the client can show the page of a finding (documents that we serve).
    """

    encoding: str
    uri_of: Callable[[str], str]
    has_pages: bool = False
    lines: Mapping[tuple[str, int], str] = field(default_factory=dict)

    def knowing(self, lines: messages.Lines) -> Converter:
        """The same converter for an answer that came with these lines."""
        known = {(path, number): text for path, number, text in lines}
        return Converter(self.encoding, self.uri_of, self.has_pages, known)

    def position(self, path: str, line: int, column: int) -> types.Position:
        """A place in a file."""
        text = self.lines.get((path, line))
        units = column - 1 if text is None else n_units(text[: column - 1], self.encoding)
        return types.Position(max(line - 1, 0), max(units, 0))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(
            self.position(span.path, span.line, span.column),
            self.position(span.path, span.end_line, span.end_column),
        )

    def location(self, span: Span) -> types.Location:
        """The range of a span, with its file."""
        return types.Location(self.uri_of(span.path), self.range(span))

    def diagnostic(self, found: Diagnostic) -> types.Diagnostic:
        """A finding as the editor shows it; `data` carries the fix for clients that apply it."""
        return types.Diagnostic(
            range=self.range(found.span),
            message=found.message,
            severity=SEVERITIES[found.severity],
            code=found.code,
            code_description=(
                types.CodeDescription(page_uri(found.code)) if self.has_pages else None
            ),
            source="adlsp",
            related_information=[
                types.DiagnosticRelatedInformation(self.location(each.span), each.message)
                for each in found.related
            ],
            data={"name": found.name, "function": found.function, "fix": self.fix(found.fix)},
        )

    def fix(self, fix: Fix | None) -> dict[str, object] | None:
        """A fix as plain data."""
        if fix is None:
            return None
        edits = [
            {
                "uri": self.uri_of(each.span.path),
                "range": plain_range(self.range(each.span)),
                "newText": each.text,
            }
            for each in fix.edits
        ]
        return {"title": fix.title, "applicability": fix.applicability, "edits": edits}

    def workspace_edit(self, fix: Fix, version_of: Versions | None) -> types.WorkspaceEdit:
        """The edits of a fix; with `version_of`, bound to the versions of the open documents."""
        edits: dict[str, list[types.TextEdit]] = {}
        for each in fix.edits:
            edit = types.TextEdit(self.range(each.span), each.text)
            edits.setdefault(each.span.path, []).append(edit)
        if version_of is None:
            return types.WorkspaceEdit({self.uri_of(path): each for path, each in edits.items()})
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(
                        self.uri_of(path), version_of(path)
                    ),
                    each,
                )
                for path, each in edits.items()
            ]
        )

    def mapped_line(self, mapped: MappedLine, place: Span) -> dict[str, object]:
        """One line of a derivative's map, and a statement that it comes from.

        `line` counts from 1, the primal's range from 0.
        """
        return {
            "line": mapped.line,
            "role": mapped.role.value,
            "primal": {
                "uri": self.uri_of(place.path),
                "range": plain_range(self.range(place)),
            },
        }

    def place(self, text: str, position: types.Position) -> tuple[int, int]:
        """The line and column of a protocol position in a text, both from 1."""
        lines = LINE_END.split(text)
        if position.line >= len(lines):
            return len(lines), len(lines[-1]) + 1
        return position.line + 1, n_characters(
            lines[position.line], position.character, self.encoding
        ) + 1

    def edited(self, text: str, changes: Iterable[types.TextDocumentContentChangeEvent]) -> str:
        """The text after the changes of one notification, each of which applies to the last."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = self._offset(text, change.range.start)
                end = max(start, self._offset(text, change.range.end))
                text = text[:start] + change.text + text[end:]
            else:
                text = change.text
        return text

    def _offset(self, text: str, position: types.Position) -> int:
        """The number of characters before a position; a place that is not there is the nearest."""
        start = 0
        for _ in range(position.line):
            end = LINE_END.search(text, start)
            if end is None:
                return len(text)
            start = end.end()
        end = LINE_END.search(text, start)
        line = text[start : end.start() if end else len(text)]
        return start + n_characters(line, position.character, self.encoding)


def n_units(text: str, encoding: str) -> int:
    """The length of a text in units of an encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def n_characters(text: str, units: int, encoding: str) -> int:
    """How many characters of a line some units cover; units amid a character round down."""
    if encoding == "utf-32" or text.isascii():
        return min(units, len(text))
    covered = 0
    for count, character in enumerate(text):
        covered += n_units(character, encoding)
        if covered > units:
            return count
    return len(text)


def page_uri(code: str) -> str:
    """The document that explains a finding."""
    return f"adlsp-finding:/{code}.md"


def plain_range(where: types.Range) -> dict[str, dict[str, int]]:
    """A range as plain data, for answers that the protocol does not describe."""
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }


def position_of(plain: Mapping[str, object]) -> types.Position | None:
    """A position from plain data; None where it is none."""
    line, character = plain.get("line"), plain.get("character")
    if not isinstance(line, int) or not isinstance(character, int) or min(line, character) < 0:
        return None
    return types.Position(line, character)


def overlaps(one: types.Range, other: types.Range) -> bool:
    """Tells whether two ranges share a place, their ends included."""

    def place(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return place(one.start) <= place(other.end) and place(other.start) <= place(one.end)


def quick_fix(
    title: str, diagnostic: types.Diagnostic, edit: types.WorkspaceEdit, is_preferred: bool
) -> types.CodeAction:
    """An action that repairs what a diagnostic shows."""
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=is_preferred,
        edit=edit,
    )


def fix_all(title: str, edit: types.WorkspaceEdit) -> types.CodeAction:
    """An action that repairs all that may be repaired unasked, as on saving."""
    return types.CodeAction(title=title, kind=FIX_ALL, edit=edit)


def wants_fix_all(params: types.CodeActionParams) -> bool:
    """Tells whether a request names our kind of repairing everything, or one that includes it."""
    return any(f"{FIX_ALL}.".startswith(f"{kind}.") for kind in params.context.only or ())


def wants_quick_fixes(params: types.CodeActionParams) -> bool:
    """Tells whether a request for actions is also one for quick fixes."""
    only = params.context.only
    return not only or any(kind in ("", types.CodeActionKind.QuickFix) for kind in only)


def lens(where: types.Range, title: str, command: str, arguments: list[object]) -> types.CodeLens:
    """A line above a range; one without a command only says something."""
    return types.CodeLens(where, types.Command(title, command, arguments=arguments or None))


def report(
    items: Sequence[types.Diagnostic],
    related: Mapping[str, Sequence[types.Diagnostic]],
    known: str | None,
) -> types.DocumentDiagnosticReport:
    """The answer to a pull; short where the client knows the same findings already."""
    state = repr((items, sorted(related.items())))
    name = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    if name == known:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
    documents = {uri: types.FullDocumentDiagnosticReport(each) for uri, each in related.items()}
    return types.RelatedFullDocumentDiagnosticReport(
        items=items, result_id=name, related_documents=documents or None
    )


def hover(title: str, sentences: Sequence[str], where: types.Range | None) -> types.Hover:
    """A hover in Markdown."""
    parts = (title, *sentences) if title else sentences
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts))
    return types.Hover(content, where)
