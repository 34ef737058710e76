"""What the proxy runs inside the program that is debugged: `begin`, before the program starts.

The text of this file is sent there and executed, so it stands alone: the standard library only, any
Python, nothing of ours imported (the program may not have adlsp, or may have another version).
"""

from __future__ import annotations

import json
import os
import socket
import sys
from importlib import machinery, util


def begin(directories: list[str]) -> str:
    """Speeds up the debugger's socket and looks for the hook.

    Gives JSON: `path` and `text` of the hook that the program has or will import ("" where there
    is none), `n_announced` how often it has announced a derivative. `directories` are those that
    come before `sys.path` once the program starts.
    """
    hurry()
    hook = sys.modules.get("adlsp.runtime.hook")
    path = os.path.abspath(hook.__file__) if hook and hook.__file__ else find(directories)
    n_announced = len(json.loads(hook.announced(0))) if hook else 0
    return json.dumps({"path": path, "text": read(path), "n_announced": n_announced})


def hurry() -> None:
    """Sends each part of an answer at once.

    pydevd writes header and body of an answer separately; with the system's default the body waits
    for an acknowledgment of the header, 40 ms for each request. There is no public way to say so.
    """
    try:
        debugger = sys.modules["pydevd"].get_global_debugger()
        debugger.writer.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (KeyError, AttributeError, OSError):
        return


def find(directories: list[str]) -> str:
    """Gives the path of the hook, found without importing anything of ours."""
    try:
        spec = machinery.PathFinder.find_spec("adlsp", directories) or util.find_spec("adlsp")
    except (ImportError, ValueError):
        return ""
    if spec is None or not spec.origin:
        return ""
    return os.path.join(os.path.dirname(os.path.abspath(spec.origin)), "runtime", "hook.py")


def read(path: str) -> str:
    """Gives the text of a file, or "" where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
