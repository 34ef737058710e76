"""The exception filters of ours: where a derivative stops because it goes wrong."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from adlsp.debug.wire import Message

NONFINITE = "adlsp.nonfinite"
EXPLODING = "adlsp.exploding"
VANISHING = "adlsp.vanishing"

ABOVE = 1e6
BELOW = 1e-12
"""The norms beyond which an adjoint explodes or vanishes, where no condition says others."""

ENTRIES: tuple[Message, ...] = tuple(
    {
        "filter": name,
        "label": label,
        "description": description,
        "supportsCondition": True,
        "conditionDescription": hint,
    }
    for name, label, description, hint in (
        (
            NONFINITE,
            "Derivatives: NaN or Infinite",
            "Stop where a derivative first computes a value or gradient that is not finite",
            "nan, inf, or both",
        ),
        (
            EXPLODING,
            "Derivatives: Exploding Gradients",
            "Stop where the norm of a gradient first exceeds a limit",
            f"a number, instead of {ABOVE:g}",
        ),
        (
            VANISHING,
            "Derivatives: Vanishing Gradients",
            "Stop where the norm of a gradient first falls below a limit",
            f"a number, instead of {BELOW:g}",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a client has chosen: what is for us, for debugpy, and what to answer for each."""

    sought: str
    others: Message
    answers: tuple[Message, ...]


def read(arguments: Message) -> Filters:
    """Reads the arguments of `setExceptionBreakpoints`. Debugpy knows no conditions of filters."""
    chosen: list[Message] = [{"filterId": name} for name in arguments.get("filters") or ()]
    chosen += arguments.get("filterOptions") or ()
    sought: dict[str, float] = {}
    others: list[str] = []
    answers: list[Message] = []
    for option in chosen:
        name, condition = option["filterId"], str(option.get("condition") or "").strip()
        if name not in READERS:
            others.append(name)
            answers.append({"verified": True})
            continue
        try:
            sought.update(READERS[name](condition))
            answers.append({"verified": True})
        except ValueError as error:
            answers.append({"verified": False, "message": str(error)})
    rest = {name: value for name, value in arguments.items() if name != "filterOptions"}
    text = json.dumps(sought) if sought else ""
    return Filters(text, {**rest, "filters": others}, tuple(answers))


def _nonfinite(condition: str) -> dict[str, float]:
    words = condition.lower().replace(",", " ").replace(" or ", " ").split() or ["nan", "inf"]
    if not {*words} <= {"nan", "inf"}:
        raise ValueError(f'the condition is "nan", "inf", or both, not "{condition}"')
    return {"nan": "nan" in words, "infinite": "inf" in words}


def _limit(condition: str, sign: str, instead: float) -> float:
    """A norm, as a number or as what it is compared with: `1e6`, `> 1e6`."""
    number = condition.removeprefix(sign).removeprefix("=")
    try:
        limit = float(number) if condition else instead
    except ValueError:
        limit = math.nan
    if not 0 < limit < math.inf:
        raise ValueError(f'the condition is a positive number, not "{condition}"')
    return limit


READERS = {
    NONFINITE: _nonfinite,
    EXPLODING: lambda condition: {"above": _limit(condition, ">", ABOVE)},
    VANISHING: lambda condition: {"below": _limit(condition, "<", BELOW)},
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why a thread has stopped in a derivative (see `adlsp.library.watching`)."""

    filter: str
    headline: str
    text: str

    @classmethod
    def read(cls, result: str) -> Alarm:
        """Reads what `instrument.SAID` gives."""
        said = json.loads(bytes.fromhex(result.strip("'")))
        return cls(f"adlsp.{said['sort']}", said["headline"], said["text"])

    @property
    def info(self) -> Message:
        """The answer to `exceptionInfo`: clients show the description and, below, the rest."""
        reasons = self.text.removeprefix(self.headline).lstrip("\n")
        details = {"message": self.headline, "typeName": self.filter, "stackTrace": reasons}
        return {
            "exceptionId": self.filter,
            "description": self.headline,
            "breakMode": "always",
            "details": details,
        }

    def stopped(self, body: Message) -> Message:
        """The body of a stop for this reason, instead of the one that debugpy sends."""
        rest = {name: value for name, value in body.items() if name != "hitBreakpointIds"}
        told = {"description": f"Paused: {self.headline}", "text": self.headline}
        return {**rest, "reason": "exception", **told}
