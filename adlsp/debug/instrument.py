"""What the proxy has the program evaluate, and where the hidden breakpoints of the hook are.

Expressions are evaluated without a frame: by debugpy's own thread, while the program runs.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from adlsp.debug import inside, tensors
from adlsp.debug.conditions import Said
from adlsp.debug.maps import Loop
from adlsp.debug.scopes import Shown
from adlsp.debug.standing import Comparable
from adlsp.debug.wanted import Placed
from adlsp.debug.wire import Message

TELL = "# debug proxy: tell"
WAIT = "# debug proxy: wait"
STOP = "# debug proxy: stop"
ALARM = 0
"""Stands for the client's breakpoint where the hook stops: no client's has this id."""

PREFIX = "\x1eadlsp announces "
RECORDED = "\x1eadlsp recorded "

_MODULES = "__import__('sys').modules"
_HOOK = f"{_MODULES}['{inside.HOOK}']"
_INSIDE = "_adlsp_debugger"
_TENSORS = "_adlsp_tensors"


SAID = "alarm.encode().hex()"
"""The expression for what the hook says where it stops, in its frame: no quotes are in it."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What `inside.begin` found in the program."""

    path: str
    text: str
    is_loaded: bool
    n_announced: int


@dataclass(frozen=True, slots=True)
class Announced:
    """The hidden logpoint tells of an announcement."""

    number: int


@dataclass(frozen=True, slots=True)
class Imported:
    """The program imports the hook from a path, and waits."""

    path: str


@dataclass(frozen=True, slots=True)
class Rest:
    """The program ends, and tells what else was recorded; "" when that was all."""

    text: str


def begin(arguments: Message) -> str:
    """The expression for `inside.begin`; `arguments` are those of `launch` or `attach`.

    From then on tensors are shown as `tensors.py` says.
    """
    program = arguments.get("program")
    directory = os.path.dirname(program) if isinstance(program, str) else arguments.get("cwd")
    directories = [directory] if isinstance(directory, str) and directory else []
    start = f"exec({inspect.getsource(inside)!r}, vars(room)) or {_MODULES}.update({_INSIDE}=room)"
    shown = f"exec({inspect.getsource(tensors)!r}, space) or space['show_tensors']()"
    return (
        f"(lambda room, space: {start} or {shown} or room.begin({directories!r}))"
        f"(type(__import__('sys'))({_INSIDE!r}), {{'__name__': {_TENSORS!r}}})"
    )


def read_beginning(result: str) -> Beginning:
    """Reads what `begin` gave. Raises ValueError where it is something else."""
    said = json.loads(result)
    return Beginning(said["path"], said["text"], said["is_loaded"], said["n_announced"])


def announced(since: int) -> str:
    """The expression for the payloads from number `since` on."""
    return f"{_HOOK}.announced({since})"


def proceed(count: int) -> str:
    """The expression that lets the program go on."""
    return f"{_HOOK}.proceed({count})"


def read(path: str) -> str:
    """The expression for the text of a file of the program."""
    return f"{_MODULES}[{_INSIDE!r}].read({path!r})"


def placed() -> str:
    """The expression that lets the import of the hook go on."""
    return f"{_MODULES}[{_INSIDE!r}].placed()"


def watched(path: str, placed: Placed) -> Message:
    """What debugpy is asked for, for a breakpoint in a file: its condition tells if it raises.

    It is evaluated by `inside.holds`, which `begin` has put among Python's own names.
    """
    if not placed.owners or not placed.conditions:
        return placed.arguments
    place = inside.PLACE + json.dumps([path, placed.line])
    watched = [f"{inside.HOLDS}({condition + place!r})" for condition in placed.conditions]
    return {**placed.arguments, "condition": " or ".join(watched)}


def watch(sought: str) -> str:
    """The expression that has derivatives looked at; gives what is not, if there is a hook."""
    found = f"getattr({_MODULES}.get({inside.HOOK!r}), 'watch', None)"
    told = f"(watch({sought!r}) or '').encode().hex()"
    return f"(lambda watch: watch is not None and {told})({found})"


def read_watched(result: str) -> list[str] | None:
    """Reads what `watch` gave: sentences; None where the program has no hook that can look."""
    return None if result == "False" else bytes.fromhex(result.strip("'")).decode().splitlines()


def remember(is_on: bool) -> str:
    """The expression that has derivatives keep what they are called with, if its hook can."""
    found = f"getattr({_MODULES}.get({inside.HOOK!r}), 'remember', None)"
    return f"(lambda remember: remember and remember({is_on}))({found})"


def record(wanted: str) -> str:
    """The expression that has gradients recorded; True if the program has a hook that can."""
    found = f"getattr({_MODULES}.get({inside.HOOK!r}), 'record', None)"
    tell = f"lambda text: {_MODULES}[{_INSIDE!r}].tell({RECORDED!r} + text)"
    return f"(lambda record: record is not None and not record({wanted!r}, {tell}))({found})"


def recorded() -> str:
    """The expression for the next of what was recorded."""
    return f"{_HOOK}.recorded()"


def left() -> str:
    """The expression that lets the program end."""
    return f"{_HOOK}.left()"


def rows(shown: Shown) -> str:
    """The expression for the rows of variables, adjoints and tapes: no quotes are in its value."""
    kept = [[tape.name, tape.passes, [*map(list, tape.parts)]] for tape in shown.tapes]
    pairs = [list(pair if pair.held else pair[:-1]) for pair in shown.pairs]
    listed = f"locals(), {pairs!r}, {kept!r}"
    return f"{_HOOK}.gradients({listed}).encode().hex()"


def why(name: str, line: int) -> str:
    """The expression for why an adjoint is zero, in a frame of a derivative at a line."""
    return f"{_HOOK}.explained(locals(), globals(), {name!r}, {line}).encode().hex()"


def compared(place: Comparable, passes: Sequence[int], own: Sequence[int]) -> str:
    """The expression for what differences say of adjoints, in the frame of what one calls.

    `passes` are those of the loops around the place, `own` that of one at whose head it is.
    """
    told = {"line": place.line, "passes": [*passes], "pairs": [[*each] for each in place.pairs]}
    asked = json.dumps({**told, "head": place.head, "own": [*own]})
    return f"{_HOOK}.compared(locals(), globals(), {asked!r}).encode().hex()"


def read_lines(result: str) -> list[str]:
    """Reads what `why` or `compared` gave. Raises ValueError where it is something else."""
    return [str(line) for line in json.loads(bytes.fromhex(result.strip("'")))]


def passes(loops: Sequence[Loop], sweep: str, line: int) -> str:
    """The expression for the passes of loops in a frame, as pairs: which, and of how many.

    A pass is that of the primal, and so the backward sweep begins with the last. Of how many it is
    is 0 where nobody knows: a list is being emptied, at first in the `line` below the loop's head.
    Where that has as many for each pass of a loop around, it cannot be evaluated if these are 0.
    At the head it is the pass that was taken before; if there was one.
    """
    return f"[{', '.join(_pass(loop, sweep, line) for loop in loops)}]"


def _pass(loop: Loop, sweep: str, line: int) -> str:
    if loop.is_iterated:
        left = f"i.__length_hint__() for i in __import__('gc').get_referrers({loop.over})"
        of_list = "if type(i) is type(reversed([]))"
        return f"[next(({left} {of_list}), len({loop.over})) + 1, len({loop.over})]"
    if not loop.variable:
        sizes = f"len(e) if hasattr(e, '__len__') else 0 for e in ({loop.total},)"
        total = f"min({sizes})" if loop.total else "0"
        was_taken = line == loop.first or line > loop.taken
        left = f"len({loop.over}) + {int(was_taken)}"
        number = "(left - 1) % n + 1" if loop.spans else "left"
        return f"(lambda left, n: [{number}, n])({left}, {total})"
    is_turned = loop.is_reversed != (sweep == "backward")
    number = "len(r) - r.index(i)" if is_turned else "r.index(i) + 1"
    if line == loop.first:
        known = f"{number} if isinstance(i, int) and i in r else 0"
        return f"(lambda r, i: [{known}, len(r)])({loop.over}, locals().get({loop.variable!r}))"
    return f"(lambda r, i: [{number}, len(r)])({loop.over}, {loop.variable})"


def read_passes(result: str) -> tuple[tuple[int, int], ...]:
    """Reads what `passes` gave. Raises ValueError where it is something else."""
    return tuple((int(number), int(total)) for number, total in json.loads(result))


def hidden(text: str) -> tuple[Placed, ...]:
    """The hidden breakpoints in the text of the hook; none where it has no marks."""
    lines = {
        mark: number
        for number, line in enumerate(text.splitlines(), 1)
        for mark in (TELL, WAIT, STOP)
        if line.endswith(mark)
    }
    if len(lines) < 3:
        return ()
    tell, wait, stop = lines[TELL], lines[WAIT], lines[STOP]
    return (
        Placed(tell, {"line": tell, "logMessage": f"{PREFIX}{{number}}"}),
        Placed(wait, {"line": wait, "condition": "_wait(number)"}),
        Placed(stop, {"line": stop}, (ALARM,)),
    )


def said(output: str) -> Announced | Imported | Rest | Said | None:
    """What the program tells the proxy by an output; None for an output of its own."""
    if output.startswith(PREFIX):
        return Announced(int(output.removeprefix(PREFIX)))
    if output.startswith(inside.IMPORTS):
        return Imported(output.removeprefix(inside.IMPORTS))
    if output.startswith(RECORDED):
        return Rest(output.removeprefix(RECORDED))
    if output.startswith(inside.EVALUATED):
        return Said(**json.loads(output.removeprefix(inside.EVALUATED)))
    return None
