"""What the client is told of its breakpoints: where they are, or why they cannot stop."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from adlsp.debug import maps
from adlsp.debug.wanted import Bound, Document, Wanted
from adlsp.debug.wire import Message

WAITS = "waits for a derivative of this line"
OUTSIDE = "this line is in no function"
NOTHING = "no gradient is computed on this line: it is not active, or only passes one on"
UNDERIVED = "this process has made no derivative of its function"
TANGENTS = "forward mode has no backward sweep"

Derivatives = Collection[maps.DerivativeMap]


def describe(
    document: Document, wanted: Wanted, all_bound: Sequence[Bound], derivatives: Derivatives
) -> Message:
    """The answer for one breakpoint."""
    own = next((bound.answer for bound in all_bound if bound.is_own), None)
    elsewhere = [bound for bound in all_bound if not bound.is_own]
    told: Message = {
        "id": wanted.id,
        "verified": any(bound.is_verified for bound in all_bound),
        "line": own["line"] if own and own.get("line") else wanted.statement,
        "source": document.source,
    }
    text = _explain(document, wanted, own, elsewhere, derivatives)
    return {**told, "message": text} if text else told


def unbound(
    document: Document, wanted: Wanted, all_bound: Sequence[Bound], derivatives: Derivatives
) -> str | None:
    """Why a breakpoint for the backward sweep never had a place there; None where it had."""
    is_meant = wanted.is_mode_chosen and wanted.mode != "forward"
    is_nowhere = wanted.mode == "backward" and not any(bound.is_own for bound in all_bound)
    if not is_meant and not is_nowhere:
        return None
    if document.path is None or maps.is_derivative(document.path):
        return None
    if any(bound.placed.is_backward and bound.is_verified for bound in all_bound):
        return None
    why = _why_not(document, wanted, all_bound, derivatives) or UNDERIVED
    return f"{place(document, wanted)} never stopped backward: {why}"


def place(document: Document, wanted: Wanted) -> str:
    """What a breakpoint is called in a sentence."""
    return f"the breakpoint at {os.path.basename(document.path or '')}:{wanted.line}"


def _explain(
    document: Document,
    wanted: Wanted,
    own: Message | None,
    elsewhere: Sequence[Bound],
    derivatives: Derivatives,
) -> str | None:
    if document.path is None:
        return "waits for the program to compile this derivative"
    backward = [bound for bound in elsewhere if bound.placed.is_backward and bound.is_verified]
    complaint = own.get("message") if own and not own.get("verified") else None
    if maps.is_derivative(document.path):
        verified = [bound for bound in elsewhere if bound.is_verified]
        return f"Also in {_places(verified)}" if verified else complaint
    if backward:
        places = _places(backward)
        return f"{'Backward' if wanted.mode == 'backward' else 'Forward and backward'}: {places}"
    if wanted.mode == "backward" and own is None:
        return f"Backward: {_why_not(document, wanted, elsewhere, derivatives) or WAITS}"
    if wanted.mode == "both" and wanted.is_mode_chosen:
        why = _why_not(document, wanted, elsewhere, derivatives)
        return complaint or (f"Forward; {why}" if why else f"Forward; backward {WAITS}")
    return None if any(bound.is_verified for bound in elsewhere) else complaint


def _places(all_bound: Sequence[Bound]) -> str:
    return ", ".join(
        f"{os.path.basename(bound.path)}:{bound.answer.get('line', bound.placed.line)}"
        for bound in all_bound
    )


def _why_not(
    document: Document, wanted: Wanted, all_bound: Sequence[Bound], derivatives: Derivatives
) -> str | None:
    """Why nothing stops in the backward sweep of a line, as far as that is known by now."""
    for bound in all_bound:
        if bound.placed.is_backward and not bound.is_verified and "message" in bound.answer:
            return str(bound.answer["message"])
    block = document.layout.around(wanted.statement)
    if block is None:
        return OUTSIDE if document.layout.blocks else None
    assert document.path is not None
    having = [each for each in derivatives if each.has(document.path, block.first, block.last)]
    if not having:
        return None
    return TANGENTS if all(each.is_forward_mode for each in having) else NOTHING
