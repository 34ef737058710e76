"""Hover: whether a variable is active and why, whether a function can be differentiated."""

from __future__ import annotations

from lsprotocol import types

from adlsp.server import convert, messages
from adlsp.server.session import Session


async def hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Describes what is under the cursor in the text that is open now."""
    document = session.documents.get(params.text_document.uri)
    if document is None or not document.is_checked:
        return None
    line, column = session.converter.place(document.text, params.position)
    described = await session.worker.ask(messages.Describe(document.path, line, column))
    assert isinstance(described, messages.Described)
    if described.span is None or not session.documents.is_current(document):
        return None
    where = session.converter_for(described.lines).range(described.span)
    return convert.hover(described.title, described.sentences, where)
