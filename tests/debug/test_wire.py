"""Framing: whatever the pieces in which bytes arrive, the same messages, and an end to nonsense."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adlsp.debug import wire

REQUEST = {"seq": 1, "type": "request", "command": "threads"}
EVENT = {"seq": 2, "type": "event", "event": "output", "body": {"output": "ü\u2028\r\n\r\n"}}


def read_all(data: bytes, pieces: int = 1 << 30) -> list[wire.Frame | wire.Malformed]:
    async def collect() -> list[wire.Frame | wire.Malformed]:
        stream = asyncio.StreamReader()
        for i in range(0, len(data), pieces):
            stream.feed_data(data[i : i + pieces])
        stream.feed_eof()
        found = []
        while (frame := await asyncio.wait_for(wire.read(stream), 10)) is not None:
            found.append(frame)
        return found

    return asyncio.run(collect())


@pytest.mark.parametrize("pieces", [1, 7, 1 << 30])
def test_messages_keep_their_bytes(pieces):
    body = json.dumps(EVENT, indent=2, ensure_ascii=False).encode()
    odd = b"Content-Type: x\r\ncontent-length:   %d\r\n\r\n%b" % (len(body), body)
    plain = wire.encode(REQUEST)
    assert read_all(plain + odd + plain, pieces) == [
        wire.Frame(plain, REQUEST),
        wire.Frame(odd, EVENT),
        wire.Frame(plain, REQUEST),
    ]


@pytest.mark.parametrize(
    "nonsense",
    [
        b"hello\r\n\r\n",
        b"X-Content-Length: 5\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 3\r\n\r\nabc",
        b"Content-Length: 3\r\n\r\n[1]",
        b'Content-Length: 25\r\n\r\n{"seq":"1","type":"event"}'[:-1],
        wire.encode({"seq": 1, "type": "request", "command": 5}),
        wire.encode({"seq": 1, "type": "request", "command": "x", "arguments": []}),
        wire.encode({"seq": 1, "type": "response"}),
        wire.encode({"seq": 1, "type": "event"}),
        wire.encode({"seq": 1, "type": "letter"}),
        b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000,
    ],
)
def test_reading_goes_on_behind_nonsense(nonsense):
    found = read_all(nonsense + wire.encode(REQUEST))
    assert isinstance(found[0], wire.Malformed)
    assert found[1:] == [wire.Frame(wire.encode(REQUEST), REQUEST)]


def test_end_in_the_middle_of_a_message_is_the_end():
    whole = wire.encode(REQUEST)
    for length in range(len(whole)):
        assert read_all(whole[:length]) == []


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_come_to_an_end(data):
    for frame in read_all(data):
        assert isinstance(frame, wire.Frame | wire.Malformed)
