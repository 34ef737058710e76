"""Quick fixes: the repair that a finding brings, and the comment that suppresses it."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from adlsp import suppress
from adlsp.server import convert
from adlsp.server.analyses import SupersededError
from adlsp.server.documents import Document
from adlsp.server.session import Session
from adlsp.transform.findings.vocabulary import Diagnostic, Edit, Fix
from adlsp.transform.source import Span


async def code_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about the findings at a range of the text that is open now."""
    document = session.documents.get(params.text_document.uri)
    if document is None or not document.is_checked or not convert.wants_quick_fixes(params):
        return []
    try:
        checked = await session.analyses.check(document)
    except SupersededError:
        return []
    converter = session.converter_for(checked.lines)
    version_of = version_lookup(session) if session.abilities.edits_versions else None
    actions = []
    for found in checked.diagnostics:
        if found.span.path != document.path:
            continue
        shown = converter.diagnostic(found)
        if not convert.overlaps(shown.range, params.range):
            continue
        for fix in fixes(document, found):
            edit = converter.workspace_edit(fix, version_of)
            actions.append(convert.quick_fix(fix.title, shown, edit, fix is found.fix))
    return actions


def fixes(document: Document, found: Diagnostic) -> Iterator[Fix]:
    """The repairs of one finding, the best first."""
    if found.fix is not None:
        yield found.fix
    if found.code not in suppress.ALWAYS_SHOWN:
        edit = suppression(document, found.span.line, found.code)
        if edit is not None:
            yield Fix(f"suppress: # adlsp: ignore[{found.code}]", (edit,))


def suppression(document: Document, line: int, code: str) -> Edit | None:
    """Adds a code to the comment of a line; None where the line cannot end in a comment."""
    text = convert.LINE_END.split(document.text)[line - 1]
    present = suppress.COMMENT.search(text)
    if present is not None and present[1] is not None:
        column = present.end(1) + 1
        where = Span(document.path, line, column, line, column)
        return Edit(where, f", {code}" if present[1].strip() else code)
    is_open_string = text.count('"""') % 2 or text.count("'''") % 2
    if text.endswith("\\") or is_open_string:
        return None
    column = len(text.rstrip()) + 1
    where = Span(document.path, line, column, line, len(text) + 1)
    return Edit(where, f"  # adlsp: ignore[{code}]")


def version_lookup(session: Session) -> convert.Versions:
    """Tells the version of the text that is open of a file."""

    def version(path: str) -> int | None:
        document = session.documents.at_path(path)
        return document.version if document is not None else None

    return version
