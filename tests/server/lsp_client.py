"""A small client that speaks real LSP with a real server process."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

TIMEOUT = 60.0
"""Seconds until a wait fails: only a broken server needs that long."""

PUSHES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "textDocumentContent": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
}
PULLS = {
    **PUSHES,
    "textDocument": {"diagnostic": {"dynamicRegistration": False, "relatedDocumentSupport": True}},
}


class ResponseError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class Client:
    def __init__(self, folder: Path | None, capabilities=PUSHES, options=None, command=None):
        environment = {**os.environ, "ADLSP_CACHE_DIR": str((folder or Path.cwd()) / ".cache")}
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "adlsp", "server", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=folder,
        )
        self.folder = folder
        self.capabilities = capabilities
        self.options = options
        self.arrived: queue.Queue[dict] = queue.Queue()
        self.messages: list[dict] = []
        self.n_requests = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    # framing

    def _read(self):
        stream = self.process.stdout
        while line := stream.readline():
            size = 0
            while line.strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
                line = stream.readline()
            message = json.loads(stream.read(size))
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            self.arrived.put(message)
        self.arrived.put({"method": "end of stream"})

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    # talking

    def notify(self, method, params=None):
        self._send({"method": method, "params": params or {}})

    def begin(self, method, params=None):
        self.n_requests += 1
        self._send({"id": self.n_requests, "method": method, "params": params})
        return self.n_requests

    def result(self, number):
        answer = self.wait(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise ResponseError(answer["error"])
        return answer["result"]

    def request(self, method, params=None):
        return self.result(self.begin(method, params))

    def wait(self, wanted):
        """The first message from now on, or not yet waited for, that is wanted."""
        for message in self.messages:
            if wanted(message):
                self.messages.remove(message)
                return message
        deadline = time.monotonic() + TIMEOUT
        while True:
            message = self.arrived.get(timeout=max(0.0, deadline - time.monotonic()))
            if wanted(message):
                return message
            self.messages.append(message)

    def notification(self, method, wanted=lambda _: True):
        message = self.wait(
            lambda each: each.get("method") == method and wanted(each.get("params"))
        )
        return message.get("params")

    def seen(self, method):
        """What came so far of a kind, without waiting."""
        while not self.arrived.empty():
            self.messages.append(self.arrived.get())
        return [each["params"] for each in self.messages if each.get("method") == method]

    # the usual

    def initialize(self):
        folders = [{"uri": self.folder.as_uri(), "name": "folder"}] if self.folder else None
        answer = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "workspaceFolders": folders,
                "capabilities": self.capabilities,
                "initializationOptions": self.options,
            },
        )
        self.notify("initialized")
        return answer

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text=None, language="python"):
        uri = name if ":" in name else self.uri(name)
        if text is None:
            text = (self.folder / name).read_text(encoding="utf-8")
        self.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": uri,
                    "languageId": language,
                    "version": 1,
                    "text": text,
                }
            },
        )
        return uri

    def change(self, uri, version, text):
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": text}],
            },
        )

    def save(self, uri):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def published(self, uri, version=None):
        """The next findings published for a document, of a version if one is given."""
        return self.notification(
            "textDocument/publishDiagnostics",
            lambda params: (
                params["uri"] == uri and (version is None or params.get("version") == version)
            ),
        )["diagnostics"]

    def leave(self):
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(TIMEOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(TIMEOUT)
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
