"""Code lenses above each root: open its derivative, show it live, how much was found.

The commands are the client's own: a server that offered them as well would clash with the extension
that registers them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from adlsp.server import convert, messages
from adlsp.server.session import Session

OPEN = "adlsp.openDerivative"
SHOW = "adlsp.showAdjoint"


async def code_lens(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a document, once it is analyzed."""
    document = session.documents.get(params.text_document.uri)
    if document is None or not document.is_checked:
        return []
    outlines = await session.analyses.settled_outline(document.uri)
    if outlines is None:
        return []
    converter = session.converter_for(outlines.lines)
    return [
        convert.lens(converter.range(function.name_span), title, command, arguments)
        for function in outlines.functions
        if function.is_root
        for title, command, arguments in commands(function, document.uri)
    ]


def commands(
    function: messages.OutlinedFunction, uri: str
) -> Iterator[tuple[str, str, list[object]]]:
    """What can be done with one root: titles, commands and their arguments."""
    arguments: list[object] = [{"uri": uri, "function": function.name}]
    count = f"{function.n_findings} finding{'' if function.n_findings == 1 else 's'}"
    if function.is_blocked:
        yield f"no derivative: {count}" if function.n_findings else "no derivative", SHOW, arguments
        return
    yield "open derivative", OPEN, arguments
    yield "show adjoint", SHOW, arguments
    if function.n_findings:
        yield count, "", []
    if function.elsewhere is not None:
        file = os.path.basename(function.elsewhere.path)
        yield f"differentiated in {file}, line {function.elsewhere.line}", "", []
