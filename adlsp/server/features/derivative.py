"""The derivative in the editor: by the request `adlsp/derivative`, and as a document of its own.

A document `adlsp-derivative:/<function>_adjoint.py?<query>` shows the derivative of the text that
is open, saved or not; its query names the primal (`uri`, `function`) and what else the request
takes. Where there is no derivative, the text is comments that say why, so that it stays Python.
With a `stage` both show the function as it is there on its way to the derivative: such a text has
no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from adlsp.server import convert, messages
from adlsp.server.documents import path_of
from adlsp.server.session import Session
from adlsp.server.worker import WorkerError
from adlsp.transform.artifact import FORMS, STAGES

SCHEME = "adlsp-derivative"
PAGES = "adlsp-finding"
METHOD = "adlsp/derivative"
MOST_SHOWN = 32
"""How many documents that were asked for are refreshed after an edit."""

MODES = ("reverse", "forward")
ORDERS = ("1", "2")


class BadRequestError(Exception):
    """The parameters of a request make no sense; the text says why."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a derivative is asked of, as requests and document addresses say it."""

    uri: str
    function: str | None = None
    place: tuple[int, int] | None = None
    wrt: tuple[str, ...] | None = None
    mode: str | None = None
    order: int | None = None
    stage: str = "optimized"


async def derive(session: Session, wanted: Wanted) -> messages.Derived:
    """Derives a function from the texts that are open now."""
    answer = await session.worker.ask(
        messages.Derive(
            path_of_open(session, wanted.uri),
            wanted.function,
            wanted.place,
            wanted.wrt,
            wanted.mode,
            wanted.order,
            wanted.stage,
        )
    )
    assert isinstance(answer, messages.Derived)
    return answer


async def derivative(session: Session, params: Mapping[str, object]) -> dict[str, object]:
    """Answers the request `adlsp/derivative`."""
    derived = await derive(session, wanted_by_request(session, params))
    if derived.problem is not None:
        raise BadRequestError(derived.problem)
    converter = session.converter_for(derived.lines)
    return {
        "text": derived.text,
        "path": derived.path,
        "map": [
            converter.mapped_line(each, place)
            for each in derived.source_map
            for place in each.places
        ],
        "findings": [converter.diagnostic(each) for each in derived.findings],
    }


async def content(session: Session, uri: str) -> str:
    """The text of a document that we serve: a derivative, or the page of a finding."""
    if urlsplit(uri).scheme == PAGES:
        return await page(session, uri)
    try:
        wanted = wanted_by_address(uri)
        note_shown(session, uri, (path_of_open(session, wanted.uri),))
        derived = await derive(session, wanted)
    except (BadRequestError, WorkerError) as error:
        return comment(f"There is no derivative: {error}.")
    note_shown(session, uri, derived.reads)
    return derived.text if derived.text else explanation(derived)


def note_shown(session: Session, uri: str, reads: tuple[str, ...]) -> None:
    """Remembers which files a document that the client shows depends on."""
    session.shown.pop(uri, None)
    session.shown[uri] = reads
    for oldest in list(session.shown)[:-MOST_SHOWN]:
        del session.shown[oldest]


async def page(session: Session, uri: str) -> str:
    """The page of the finding that an address names."""
    code = unquote(urlsplit(uri).path).strip("/").removesuffix(".md")
    answer = await session.worker.ask(messages.Page(code))
    assert isinstance(answer, messages.Paged)
    return answer.text if answer.text is not None else f"There is no finding {code}.\n"


def refresh(session: Session, path: str) -> None:
    """Makes the client ask anew for the derivatives that depend on a file."""
    for uri, reads in tuple(session.shown.items()):
        if path in reads:
            session.client.refresh_content(uri)


def refresh_all(session: Session) -> None:
    """Makes the client ask anew for all derivatives that it shows."""
    for uri in tuple(session.shown):
        session.client.refresh_content(uri)


def explanation(derived: messages.Derived) -> str:
    """Comments that say why a function has no derivative."""
    if derived.problem is not None:
        return comment(f"There is no derivative: {derived.problem}.")
    parts = [comment(f"There is no derivative of {derived.function}:")]
    for found in derived.findings:
        if found.blocks:
            where = f"{found.span.path}:{found.span.line}:{found.span.column}"
            parts.append(comment(f"{found.code} {found.message}\n  {where}"))
    return "#\n".join(parts)


def comment(text: str) -> str:
    """Lines as comments."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def wanted_by_request(session: Session, params: Mapping[str, object]) -> Wanted:
    """Reads the parameters of a request."""
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise BadRequestError("`uri` is missing")
    function, position = params.get("function"), params.get("position")
    if isinstance(function, str) and function:
        return wanted(params, Wanted(uri, function=function))
    where = convert.position_of(position) if isinstance(position, Mapping) else None
    if where is None:
        raise BadRequestError("either `position` or `function` is needed")
    document = session.documents.get(uri)
    if document is None:
        raise BadRequestError("a position can be looked up in an open document only")
    place = session.converter.place(document.text, where)
    return wanted(params, Wanted(uri, place=place))


def wanted_by_address(uri: str) -> Wanted:
    """Reads the address of a document; editors differ in how much of a query they escape."""
    query = urlsplit(uri).query
    values = parse_qs(query if "=" in query else unquote(query))
    given = {key: each[-1] for key, each in values.items()}
    if "uri" not in given or "function" not in given:
        raise BadRequestError("its address names no `uri` or no `function`")
    return wanted(given, Wanted(given["uri"], function=given["function"]))


def wanted(params: Mapping[str, object], what: Wanted) -> Wanted:
    """Adds the parameters that both ways of asking have."""
    mode, order = params.get("mode"), params.get("order") or None
    stage = params.get("stage") or "optimized"
    if mode and mode not in MODES:
        raise BadRequestError(f"`mode` is one of {', '.join(MODES)}")
    if stage not in STAGES:
        raise BadRequestError(f"`stage` is one of {', '.join(STAGES)}")
    if order is not None and str(order) not in ORDERS:
        raise BadRequestError(f"`order` is one of {', '.join(ORDERS)}")
    if str(order) == "2" and stage in FORMS:
        raise BadRequestError(f"`order` is about a derivative, not about the stage {stage}")
    return Wanted(
        what.uri,
        what.function,
        what.place,
        names(params.get("wrt")),
        str(mode) if mode else None,
        int(str(order)) if order is not None else None,
        str(stage),
    )


def names(wrt: object) -> tuple[str, ...] | None:
    """The names of parameters: a list, or separated by commas; None where none are given."""
    if not wrt:
        return None
    parts = wrt.split(",") if isinstance(wrt, str) else wrt
    if not isinstance(parts, list | tuple) or not all(isinstance(each, str) for each in parts):
        raise BadRequestError("`wrt` is a list of names")
    return tuple(part.strip() for part in parts)


def path_of_open(session: Session, uri: str) -> str:
    """The path of a document, open or not."""
    document = session.documents.get(uri)
    return document.path if document is not None else path_of(uri)
