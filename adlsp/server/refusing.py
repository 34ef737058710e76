"""Answers every request, also one that makes no sense: whoever asks must not wait for ever.

The framework logs what it cannot read, and drops what arrives after `shutdown`.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that is answered with an error as soon as it has arrived."""

    number: str | int
    error: JsonRpcException


class Protocol(LanguageServerProtocol):
    """The framework's protocol, in which requests are refused instead of dropped."""

    def structure_message(self, data: dict[str, Any]) -> object:
        """Reads a message; a request that cannot be read is refused."""
        number = _number(data)
        if number is not None and self._shutdown:
            return Refused(number, JsonRpcInvalidRequest("the server was shut down"))
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if number is None:
                raise
            return Refused(number, self._reason(data["method"]))

    def handle_message(self, message: RPCMessage | Refused) -> None:
        """Answers a message that is refused, and hands on others."""
        if isinstance(message, Refused):
            self._send_response(message.number, error=message.error.to_response_error())
        else:
            super().handle_message(message)

    def _reason(self, method: str) -> JsonRpcException:
        try:
            self._get_handler(method)
        except JsonRpcMethodNotFound as unknown:
            return unknown
        return JsonRpcInvalidParams(f"the parameters of {method} cannot be read")

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """Answers a request; that a question made no sense is no error of the server's to log."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcInvalidParams):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=error.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)


def _number(data: Mapping[str, Any]) -> str | int | None:
    """The number of a request; None for all other parts of messages."""
    number = data.get("id")
    is_request = "jsonrpc" in data and isinstance(data.get("method"), str)
    return number if is_request and isinstance(number, str | int) else None
