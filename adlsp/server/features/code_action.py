"""Quick fixes: the repair that a finding brings, and the comment that suppresses it.

All that are safe are one action, too, which editors may apply whenever a text is saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from adlsp.lint import suppress
from adlsp.server import convert
from adlsp.server.analyses import SupersededError
from adlsp.server.documents import Document
from adlsp.server.session import Session
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Fix, apart
from adlsp.transform.source import Span


async def code_actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about the findings at a range of the text that is open now."""
    document = session.documents.get(params.text_document.uri)
    wants_fixes, wants_all = convert.wants_quick_fixes(params), convert.wants_fix_all(params)
    if document is None or not document.is_checked or not (wants_fixes or wants_all):
        return []
    try:
        checked = await session.analyses.check(document)
    except SupersededError:
        return []
    converter = session.converter_for(checked.lines)
    version_of = version_lookup(session) if session.capabilities.edits_versions else None
    actions = []
    here = [found for found in checked.diagnostics if found.span.path == document.path]
    whole = Fix("Repair all that is safe to repair", tuple(safe_edits(document, here)))
    if wants_all and whole.edits:
        actions.append(convert.fix_all(whole.title, converter.workspace_edit(whole, version_of)))
    for found in here if wants_fixes else ():
        shown = converter.diagnostic(found)
        if not convert.overlaps(shown.range, params.range):
            continue
        for fix in fixes(document, found):
            edit = converter.workspace_edit(fix, version_of)
            is_preferred = fix is found.fix and fix.is_safe
            title = fix.title if fix.is_safe else f"{fix.title} (unsafe)"
            actions.append(convert.quick_fix(title, shown, edit, is_preferred))
    return actions


def safe_edits(document: Document, found: Iterable[Diagnostic]) -> Iterator[Edit]:
    """The edits of the repairs of a document that keep what it computes, in order of position."""
    repairs = [each.fix for each in found if each.fix is not None and each.fix.is_safe]
    own = [fix for fix in repairs if all(e.span.path == document.path for e in fix.edits)]
    edits = [edit for fix in apart(own) for edit in fix.edits]
    yield from sorted(edits, key=lambda edit: (edit.span.line, edit.span.column))


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
