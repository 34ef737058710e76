"""Single messages, changed on their way between client and debugpy: messages in, messages out."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from adlsp.debug import filters, maps, wanted
from adlsp.debug.wire import Message

RULES = (
    {"module": "adlsp.runtime.hook", "include": True},
    {"module": "adlsp.derivatives", "include": True},
    {"module": "adlsp", "include": False},
)
"""What debugpy must trace although it is not the user's code, and what lies between the two.

Whenever a breakpoint is set it asks the rules about each function again that is called, the whole
engine with the next derivative: names of modules are compared in no time, paths with stars are not.
"""

PATHS = (
    {"path": "**/adlsp/runtime/hook.py", "include": True},
    {"path": f"**/{maps.SEGMENT}/**", "include": True},
    {"path": "<adlsp *>", "include": True},
)
"""The same for who has rules for paths, which debugpy takes before those for modules."""

MODES = tuple(
    {"mode": mode, "label": label, "description": description, "appliesTo": ["source", "exception"]}
    for mode, label, description in (
        (
            "forward",
            "Forward",
            "Stop where the line runs, also in the forward sweep of a derivative",
        ),
        ("backward", "Backward", "Stop where the gradient of the line is computed"),
        ("both", "Both", "Stop where the line runs and where its gradient is computed"),
    )
)
"""Declared for exceptions too: else VS Code offers no "Edit Mode..." in its breakpoints view."""


def capabilities(answer: Message, is_styled: bool = False) -> Message:
    """The answer to `initialize`, with what we add to debugpy's abilities.

    `is_styled` says that the client shows colors in values.
    """
    body = answer.get("body") or {}
    known = body.get("exceptionBreakpointFilters") or []
    ours = {
        "breakpointModes": list(MODES),
        "exceptionBreakpointFilters": [*known, *filters.ENTRIES],
        "supportsExceptionFilterOptions": True,
        "supportsExceptionInfoRequest": True,
        "supportsSteppingGranularity": True,
        **({"supportsANSIStyling": True} if is_styled else {}),
    }
    return {**answer, "body": {**body, **ours}}


def start(arguments: Message) -> Message:
    """The arguments of `launch` or `attach`, with rules that let debugpy trace our files.

    Ours come first, because the first rule that matches a file decides. A child session arrives
    with the rules of its parent. Program arguments in one string are split where no shell does it.
    """
    others = [rule for rule in arguments.get("rules") or () if rule not in (*RULES, *PATHS)]
    paths = PATHS if any("path" in rule for rule in others) else ()
    changed = {**arguments, "rules": [*RULES, *paths, *others]}
    given = arguments.get("args")
    if isinstance(given, str) and arguments.get("console", "internalConsole") == "internalConsole":
        changed |= {"args": shlex.split(given), "console": "internalConsole"}
    return changed


def primal_mode(arguments: Message) -> str:
    """The launch option that says what a breakpoint without a mode means.

    Raises ValueError for a value that is none of the modes.
    """
    mode = arguments.get("primalBreakpoints", "both")
    if mode not in wanted.MODES:
        choices = " or ".join(f'"{choice}"' for choice in wanted.MODES)
        raise ValueError(f'"primalBreakpoints" must be one of {choices}, not {mode!r}')
    return mode


def granularity(arguments: Message) -> str:
    """The launch option that says how far a step goes in a derivative, where no client says it.

    Raises ValueError for a value that is none.
    """
    chosen = arguments.get("steppingGranularity", "statement")
    if chosen not in ("statement", "line"):
        raise ValueError(f'"steppingGranularity" must be "statement" or "line", not {chosen!r}')
    return str(chosen)


LAYOUTS = ("beside", "derivative", "primal")
"""What a stop in a derivative shows: its file and the user's, its file, the user's."""


def layout(arguments: Message) -> str:
    """The launch option that says in which file a stop in a derivative is shown.

    Raises ValueError for a value that is none.
    """
    chosen = arguments.get("layout", LAYOUTS[0])
    if chosen not in LAYOUTS:
        choices = " or ".join(f'"{each}"' for each in LAYOUTS)
        raise ValueError(f'"layout" must be {choices}, not {chosen!r}')
    return str(chosen)


def with_real_frame(request: Message, real: Callable[[int], int]) -> Message:
    """A request on a frame of ours, on debugpy's frame instead; the same object if it is not."""
    arguments = request.get("arguments") or {}
    frame = arguments.get("frameId")
    if not isinstance(frame, int) or real(frame) == frame:
        return request
    return {**request, "arguments": {**arguments, "frameId": real(frame)}}


def whole_stack(request: Message) -> Message:
    """A `stackTrace` request, for all of the stack."""
    arguments = {
        name: value
        for name, value in (request.get("arguments") or {}).items()
        if name not in ("startFrame", "levels")
    }
    return {**request, "arguments": arguments}


def path_to_client(path: str, mappings: list[Message]) -> str:
    """A path of the program as the client knows it (`pathMappings` of the launch configuration)."""
    for mapping in mappings:
        remote = str(mapping.get("remoteRoot", "")).rstrip("/\\")
        local = str(mapping.get("localRoot", "")).rstrip("/\\")
        if remote and local and remote != "." and path.startswith((remote + "/", remote + "\\")):
            return local + path[len(remote) :]
    return path


UNASKED = frozenset(
    ("threads", "stackTrace", "scopes", "variables", "evaluate", "source", "completions")
)
"""What clients ask for by themselves, or where they show what was wrong in its place."""


def failure(request: Message, text: str) -> Message:
    """An answer that says why a request failed, but for its `seq`.

    A message to the user is asked for where the user has: what a client asks for by itself fails
    where it comes too late. Who sends requests of our own says what is to be said.
    """
    command = request["command"]
    is_shown = command not in UNASKED and not command.startswith("adlsp/")
    error = {"id": 1, "format": text.replace("{", "(").replace("}", ")"), "showUser": is_shown}
    return {
        "type": "response",
        "request_seq": request["seq"],
        "success": False,
        "command": command,
        "message": text,
        "body": {"error": error},
    }


def refusal(answer: Message) -> Message:
    """An answer of debugpy's that says why a request failed, with the body that it must have."""
    return {"body": {}, **answer}


def success(request: Message, body: Message | None = None) -> Message:
    """An answer, but for its `seq`."""
    answer = {
        "type": "response",
        "request_seq": request["seq"],
        "success": True,
        "command": request["command"],
    }
    return {**answer, "body": body} if body is not None else answer


def event(name: str, body: Message | None = None) -> Message:
    """An event, but for its `seq`."""
    return {"type": "event", "event": name, **({"body": body} if body is not None else {})}
