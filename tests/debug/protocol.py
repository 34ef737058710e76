"""The protocol's official schema, as debugpy brings it along: what is wrong with a message.

What the schema does not know is ours (`adlsp/why`) or newer than it (`breakpointModes`); these are
messages as any, and what is newer is checked by a part of the schema of our own.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import debugpy
import jsonschema

Message = dict[str, Any]

SCHEMA = "_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"

BASES = {"request": "Request", "response": "Response", "event": "Event"}

NEWER = {
    "Capabilities": {
        "breakpointModes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "mode": {"type": "string"},
                    "label": {"type": "string"},
                    "description": {"type": "string"},
                    "appliesTo": {
                        "type": "array",
                        "items": {"enum": ["source", "exception", "data", "instruction"]},
                    },
                },
                "required": ["mode", "label", "appliesTo"],
            },
        }
    },
    "SourceBreakpoint": {"mode": {"type": "string"}},
    "ExceptionFilterOptions": {"mode": {"type": "string"}},
}
"""Properties of the protocol that the schema which debugpy brings may not have."""


def wrong(message: Message) -> list[str]:
    """What the schema says against a message; nothing where it is valid."""
    checked = _validator(_definition(message))
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        for error in checked.iter_errors(message)
    ]


class Answered:
    """The requests of one side: each is answered once, and nothing else is."""

    def __init__(self) -> None:
        self._open: dict[int, str] = {}

    @property
    def open(self) -> list[str]:
        """What has no answer yet."""
        return [*self._open.copy().values()]

    def ask(self, request: Message) -> None:
        self._open[request["seq"]] = request["command"]

    def wrong(self, answer: Message) -> list[str]:
        """What is wrong with an answer that comes now."""
        command = self._open.pop(answer["request_seq"], None)
        if command is None:
            return [f"an answer to {answer['request_seq']}, which is no open request"]
        if command != answer["command"]:
            return [f"an answer to {command} that says {answer['command']}"]
        return []


def _definition(message: Message) -> str:
    """The definition that a message must fulfil."""
    kind = message.get("type")
    base = BASES.get(kind, "ProtocolMessage")
    if kind == "response" and not message.get("success"):
        return "ErrorResponse"
    name = message.get("event") if kind == "event" else message.get("command")
    found = f"{str(name)[:1].upper()}{str(name)[1:]}{base}"
    return found if found in _definitions() else base


@functools.cache
def _definitions() -> Message:
    schema = json.loads((Path(debugpy.__file__).parent / SCHEMA).read_text())
    definitions: Message = schema["definitions"]
    for name, properties in NEWER.items():
        definitions[name]["properties"] = {**properties, **definitions[name]["properties"]}
    return definitions


@functools.cache
def _validator(definition: str) -> jsonschema.Draft4Validator:
    schema = {"$ref": f"#/definitions/{definition}", "definitions": _definitions()}
    return jsonschema.Draft4Validator(schema)
