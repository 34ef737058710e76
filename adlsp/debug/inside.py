"""What the proxy runs inside the program that is debugged: `begin`, before the program starts.

The text of this file is sent there and becomes a module, `_adlsp_debugger`, so it stands alone: the
standard library only, any Python, nothing of ours imported (the program may not have adlsp, or may
have another version). What it has to say goes the way of the program's output, with a mark before
it that the proxy knows.
"""

from __future__ import annotations

import builtins
import json
import os
import socket
import sys
import threading
from collections.abc import Sequence
from importlib import machinery, util
from types import CodeType, ModuleType

HOOK = "adlsp.runtime.hook"

IMPORTS = "\x1eadlsp imports "
EVALUATED = "\x1eadlsp evaluated "

HOLDS = "__adlsp_holds__"
"""The name by which conditions find `holds`, among Python's own: debugpy compiles them each time,
and so they have to be short.
"""

PLACE = "\n# "

PATIENCE = 5.0
"""How many seconds an import waits for a debugger that does not answer."""

_placed = threading.Event()
_codes: dict[str, CodeType] = {}
_evaluated: set[tuple[str, bool]] = set()


def begin(directories: list[str]) -> str:
    """Speeds up the debugger's socket and looks for the hook.

    Gives JSON: `path` and `text` of the hook that the program has or will import ("" where there
    is none), `is_loaded` whether it has it already, `n_announced` how often that has announced a
    derivative. `directories` are those that come before `sys.path` once the program starts.
    """
    hurry()
    setattr(builtins, HOLDS, holds)
    hook = sys.modules.get(HOOK)
    if hook is not None and hasattr(hook, "know"):
        hook.know(HOLDS, holds)
    path = os.path.abspath(hook.__file__) if hook and hook.__file__ else find(directories)
    n_announced = len(json.loads(hook.announced(0))) if hook else 0
    if hook is None:
        sys.meta_path.insert(0, Watch())
    found = {"path": path, "text": read(path), "is_loaded": hook is not None}
    return json.dumps({**found, "n_announced": n_announced})


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


class Watch:
    """Stands in `sys.meta_path` until the program imports the hook, and tells from where."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> machinery.ModuleSpec | None:
        """Finds as the others do. The import of the hook waits until the proxy is ready for it."""
        if name != HOOK:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        finders = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]
        found = (finder.find_spec(name, path, target) for finder in finders)
        spec = next(filter(None, found), None)
        if spec is not None and tell(IMPORTS + os.path.abspath(spec.origin or "")):
            _placed.wait(PATIENCE)
        return spec


def placed() -> None:
    """Lets the import of the hook go on."""
    _placed.set()


def holds(text: str) -> bool:
    """Evaluates the condition of a breakpoint; one that cannot be evaluated does not hold.

    It is called where that would be evaluated, and so it knows the variables there.

    Tells how it went the first time, and the first error. `text` ends in a comment that says where
    the breakpoint is, as JSON.
    """
    error, frame = "", sys._getframe(1)
    try:
        if text not in _codes:
            _codes[text] = compile(text.lstrip(" \t"), "<condition>", "eval")
        answer = bool(eval(_codes[text], frame.f_globals, frame.f_locals))
    except Exception as raised:
        answer, error = False, f"{type(raised).__name__}: {raised}"
    if (text, bool(error)) not in _evaluated:
        _evaluated.add((text, bool(error)))
        condition, _, place = text.rpartition(PLACE)
        path, line = json.loads(place)
        said = {"path": path, "line": line, "condition": condition, "error": error}
        tell(EVALUATED + json.dumps(said))
    return answer


def tell(text: str) -> bool:
    """Sends the proxy a message of ours, as debugpy sends those of logpoints; tells if it could."""
    try:
        debugger = sys.modules["pydevd"].get_global_debugger()
        debugger.writer.add_command(debugger.cmd_factory.make_io_message(text, "1"))
    except (KeyError, AttributeError):
        return False
    return True


def read(path: str) -> str:
    """Gives the text of a file, or "" where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""
