"""Why the text of a function of the program cannot be read, and what helps."""

from __future__ import annotations

import builtins
import os
import sys
from types import FunctionType

IN_A_FILE = "put the function into a file or a notebook"

MAGICS = {"<timed exec>": "%%time", "<timed eval>": "%time", "<magic-timeit>": "%%timeit"}
"""The magics of IPython that compile a text without keeping it, by the name that it gets."""


def reason(function: FunctionType, has_text: bool) -> str:
    """Why a function has no text, or a text that is not what was compiled."""
    path = function.__code__.co_filename
    if has_text and function.__name__ == "<lambda>" and sys.version_info < (3, 11):
        return "it may be another one of that line, or an older one; give it a line of its own"
    if not has_text and _is_sent(function):
        return "it came from another process without it; send its derivative, which takes it along"
    if path in MAGICS:
        return f"`{MAGICS[path]}` keeps no text of it; define the function in a cell of its own"
    if path.startswith("<"):
        return _changed("the text under its name") if has_text else _unkept(path)
    if has_text:
        return _changed(f"`{os.path.basename(path)}`")
    return f"`{os.path.basename(path)}` cannot be read; put the file back, or run from its source"


def other_default(default: str) -> str:
    """Why a text does not say what a default is, `k=SCALE`."""
    name = default.partition("=")[2]
    return f"`{name}` in `{default}` is another value since it was defined; define it again"


def _is_sent(function: FunctionType) -> bool:
    """Tells whether a function came as code: it has the variables of `__main__` for itself."""
    main = sys.modules.get("__main__")
    is_of_main = function.__module__ == "__main__" and main is not None
    return is_of_main and function.__globals__ is not vars(main)


def _changed(what: str) -> str:
    return f"{what} has changed since it was loaded; reload it"


def _unkept(path: str) -> str:
    """Why nothing is known by a name that is no file's."""
    version = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if path == "<stdin>":
        return f"{version} keeps no text of what is typed or piped into it; {IN_A_FILE}"
    is_command = sys.orig_argv[1:] and "-c" in sys.orig_argv and sys.argv[:1] == ["-c"]
    if path == "<string>" and is_command and not hasattr(builtins, "__IPYTHON__"):
        return f"{version} keeps no text of `python -c`; {IN_A_FILE}"
    return f"`exec` keeps no text; {IN_A_FILE}, or its text into `linecache.cache`"
