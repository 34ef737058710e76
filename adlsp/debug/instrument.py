"""What the proxy has the program evaluate, and where the hidden breakpoints of the hook are.

Expressions are evaluated without a frame: by debugpy's own thread, while the program runs.
"""

from __future__ import annotations

import inspect
import json
import os
from dataclasses import dataclass

from adlsp.debug import inside
from adlsp.debug.breakpoints import Placed
from adlsp.debug.wire import Message

TELL = "# debug proxy: tell"
WAIT = "# debug proxy: wait"
PREFIX = "\x1eadlsp announces "

_HOOK = "__import__('sys').modules['adlsp.runtime.hook']"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What `inside.begin` found in the program."""

    path: str
    text: str
    n_announced: int


def begin(arguments: Message) -> str:
    """The expression for `inside.begin`; `arguments` are those of `launch` or `attach`."""
    program = arguments.get("program")
    directory = os.path.dirname(program) if isinstance(program, str) else arguments.get("cwd")
    directories = [directory] if isinstance(directory, str) and directory else []
    text = inspect.getsource(inside)
    return f"(lambda room: exec({text!r}, room) or room['begin']({directories!r}))({{}})"


def read_beginning(result: str) -> Beginning:
    """Reads what `begin` gave. Raises ValueError where it is something else."""
    said = json.loads(result)
    return Beginning(said["path"], said["text"], said["n_announced"])


def announced(since: int) -> str:
    """The expression for the payloads from number `since` on."""
    return f"{_HOOK}.announced({since})"


def proceed(count: int) -> str:
    """The expression that lets the program go on."""
    return f"{_HOOK}.proceed({count})"


def hidden(text: str) -> tuple[Placed, ...]:
    """The hidden breakpoints in the text of the hook; none where it has no marks."""
    lines = {
        mark: number
        for number, line in enumerate(text.splitlines(), 1)
        for mark in (TELL, WAIT)
        if line.endswith(mark)
    }
    if len(lines) < 2:
        return ()
    tell, wait = lines[TELL], lines[WAIT]
    return (
        Placed(tell, {"line": tell, "logMessage": f"{PREFIX}{{number}}"}),
        Placed(wait, {"line": wait, "condition": "_wait(number)"}),
    )


def is_announcement(output: str) -> bool:
    """Tells whether an output event is the hidden logpoint's."""
    return output.startswith(PREFIX)


def number(output: str) -> int:
    """The number of the announcement that the hidden logpoint tells."""
    return int(output.removeprefix(PREFIX))
