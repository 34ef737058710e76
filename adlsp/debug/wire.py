"""The framing of the Debug Adapter Protocol, and nothing else.

A message is a header that tells a length, and that many bytes of JSON. What is read keeps its bytes
(`Frame.raw`), so that what nobody changes is passed on as it came.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]

LONGEST = 1 << 28
"""No message is longer; a header that says so is a broken header."""

_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: its bytes as they came, header included, and what they say."""

    raw: bytes
    message: Message


@dataclass(frozen=True, slots=True)
class Malformed:
    """Bytes that are no message; reading goes on behind them."""

    reason: str


async def read(stream: asyncio.StreamReader) -> Frame | Malformed | None:
    """Reads the next message; None at the end of the stream, also in the middle of a message."""
    try:
        header = await stream.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(header)
        if length is None or int(length[1]) > LONGEST:
            return Malformed(f"a header without a usable Content-Length: {header[:80]!r}")
        body = await stream.readexactly(int(length[1]))
    except asyncio.LimitOverrunError as error:
        await stream.readexactly(max(error.consumed, 1))
        return Malformed("a header that does not end")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return _parse(header + body, body)


def encode(message: Message) -> bytes:
    """Frames a message."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _parse(raw: bytes, body: bytes) -> Frame | Malformed:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Malformed(f"a body that is not JSON ({error}): {body[:80]!r}")
    if not _is_message(message):
        return Malformed(f"JSON that is not a protocol message: {body[:80]!r}")
    return Frame(raw, message)


def _is_message(message: object) -> bool:
    if not isinstance(message, dict) or not isinstance(message.get("seq"), int):
        return False
    match message.get("type"):
        case "request":
            arguments = message.get("arguments", {})
            return isinstance(message.get("command"), str) and isinstance(
                arguments, dict | type(None)
            )
        case "response":
            return isinstance(message.get("request_seq"), int)
        case "event":
            return isinstance(message.get("event"), str)
    return False
