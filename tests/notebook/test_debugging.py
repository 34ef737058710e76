"""What the debugger of a kernel can do with derivatives: it speaks DAP over the control channel.

Our proxy is not in between, so that there are its own frames, scopes and breakpoints only.
"""

from __future__ import annotations

import sys

import pytest
from jupyter_client.manager import KernelManager

from notebook.sessions import environment

CELL = """\
import numpy as np
import adlsp

def loss(w):
    r = np.sqrt(w)
    return np.sum(r)

g = adlsp.grad(loss)
g(np.array([4.0, 1.0]))
print(g.path)
"""

CALL = "print(g(np.array([4.0, 1.0])))"

CHECKED = "with adlsp.check_finite():\n    g(np.array([4.0, 0.0]))"

PATIENCE = 60


class Kernel:
    """A kernel, its cells and its debugger."""

    def __init__(self, manager: KernelManager) -> None:
        self.client = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self._seq = 0

    def ask(self, command: str, **arguments: object) -> dict:
        """The body of the answer to a request of a debugger's client."""
        self._seq += 1
        request = {"type": "request", "seq": self._seq, "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", request)
        self.client.control_channel.send(message)
        while True:
            answer = self.client.get_control_msg(timeout=PATIENCE)
            if answer["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                assert answer["content"]["success"], answer["content"]
                return answer["content"].get("body") or {}

    def message(self, *kinds: str) -> dict:
        """The content of the next message of one of some kinds."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["msg_type"] in kinds:
                return message["content"]

    def printed(self) -> str:
        """The line that is printed next, which may come in several messages."""
        text = ""
        while not text.endswith("\n"):
            text += self.message("stream")["text"]
        return text.strip()

    def event(self, name: str) -> dict:
        """The body of the next event of a name that the debugger tells of."""
        while (content := self.message("debug_event"))["event"] != name:
            pass
        return content["body"]

    def stack(self, stopped: dict) -> list[tuple[str, int]]:
        body = self.ask("stackTrace", threadId=stopped["threadId"])
        return [(frame["source"]["path"], frame["line"]) for frame in body["stackFrames"]]


@pytest.fixture
def kernel(tmp_path):
    manager = KernelManager()
    manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", CONNECTION]
    manager.start_kernel(env=environment(tmp_path / "cache"), cwd=str(tmp_path))
    made = Kernel(manager)
    try:
        made.ask("initialize", adapterID="python", pathFormat="path")
        made.ask("attach", justMyCode=True)
        made.ask("configurationDone")
        yield made
    finally:
        made.client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


CONNECTION = "{connection_file}"


def test_breakpoints_in_the_file_of_a_derivative(kernel):
    """They bind once the file is there, and steps go on in it; the cell's line stands below."""
    kernel.client.execute(CELL)
    path = kernel.printed()
    with open(path) as file:
        lines = file.read().split("\n")
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("    w_bar"))
    source = {"path": path}
    [told] = kernel.ask("setBreakpoints", source=source, breakpoints=[{"line": line}])[
        "breakpoints"
    ]
    assert told["verified"]
    cell = kernel.ask("dumpCell", code=CALL)["sourcePath"]
    kernel.client.execute(CALL)
    stopped = kernel.event("stopped")
    stack = kernel.stack(stopped)
    assert stack[0] == (path, line)
    assert (cell, 1) in stack
    frame = kernel.ask("stackTrace", threadId=stopped["threadId"])["stackFrames"][0]["id"]
    shown = kernel.ask("evaluate", frameId=frame, expression="r.tolist()", context="repl")
    assert shown["result"] == "[2.0, 1.0]"
    kernel.ask("next", threadId=stopped["threadId"])
    assert kernel.stack(kernel.event("stopped"))[0] == (path, line + 1)
    kernel.ask("continue", threadId=stopped["threadId"])
    assert kernel.printed() == "[0.25 0.5 ]"


def test_what_is_not_finite_is_raised(kernel):
    """There are no filters, but the same is found without a debugger."""
    kernel.client.execute(CELL)
    kernel.printed()
    kernel.client.execute(CHECKED)
    error = kernel.message("error")
    assert error["ename"] == "FloatingPointError"
    assert "gives 1 of 2 infinite, first at [1]" in error["evalue"]
    assert "for `r = np.sqrt(w)`" in error["evalue"]
