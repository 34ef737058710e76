"""How large the gradients of a run were: a row for each variable, pass and step.

A step is one call of a derivative, and counts from 0 for each function that is differentiated. A
pass is one value that a variable gets for a line in a step, and counts from 1 as they come: on the
way back the first one is that of a loop's last pass. By code that `watching` gives to derivatives
(`adlsp.transform.emit.noted`) each adjoint is told to a `Note`; rows lie packed in a ring, so that
a run that goes on and on loses its first ones.
"""

from __future__ import annotations

import base64
import itertools
import json
import struct
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from adlsp import workspace
from adlsp.runtime import finite, objects
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a derivative computes."""

COLUMNS = ("step", "variable", "pass", "norm", "max", "bad", "size")
"""What a row holds: the variable by its number, norm and largest magnitude of what is finite, how
many entries are not, and how many there are."""

ROW = struct.Struct("<qiiddii")

MOST = 700_000
"""So many rows are kept: some 64 MB."""

CHUNK = 16_000
"""So many rows a debugger is told at once."""

DEPTH = 3
"""So deep the parts of a result are told one by one."""

Home = tuple[str, Request]
"""What a derivative is of, whatever its arguments are: the primal's file, and the request."""


@dataclass(frozen=True, slots=True)
class Variable:
    """What a series of rows is about: an adjoint or tangent, and the primal's line it is made for.

    What a derivative returns is called as the parameters are.
    """

    variable: str
    derivative: str
    path: str
    line: int


_numbers: dict[tuple[Home, Variable], int] = {}
_variables: list[Variable] = []
_turn = threading.Lock()
_recorders: tuple[Recorder, ...] = ()


def number(home: Home, variable: Variable) -> int:
    """The number of a variable; the same for a derivative for other arguments."""
    key = (home, variable)
    with _turn:
        if key not in _numbers:
            _numbers[key] = len(_variables)
            _variables.append(variable)
        return _numbers[key]


class Recorder:
    """The rows of a run from when somebody asked for them, of one step in `every`."""

    def __init__(self, every: int) -> None:
        if every < 1:
            raise ValueError(f"`every` is a number of steps, 1 or more, not {every}")
        self.every = every
        self.rows: deque[bytes] = deque(maxlen=MOST)
        self.steps: dict[Home, Iterator[int]] = {}
        self.is_cut = False

    def take(self, most: int) -> bytes:
        """Gives the first rows, and drops them."""
        self.is_cut = self.is_cut or len(self.rows) == self.rows.maxlen
        taken = list[bytes]()
        while self.rows and len(taken) < most:
            taken.append(self.rows.popleft())
        return b"".join(taken)

    def lines(self) -> Iterator[str]:
        """Each row as an object in JSON, which says of its variable what there is to say."""
        yield from workspace.recorded_lines(
            [asdict(each) for each in _variables], COLUMNS, ROW.iter_unpack(self.take(MOST))
        )


class Note:
    """Takes the adjoints of one step of a derivative.

    A debugger looks at each function that is called: what is done for every value is done here.
    """

    __slots__ = ("_counts", "_into")

    def __init__(self, into: Sequence[tuple[Recorder, int]]) -> None:
        self._into, self._counts = into, dict[int, int]()

    def __call__(self, variable: int, value: Value) -> None:
        """Takes a value of a variable."""
        size = finite.size(value)
        if size is not None:
            nth = self._counts[variable] = self._counts.get(variable, 0) + 1
            for recorder, step in self._into:
                recorder.rows.append(ROW.pack(step, variable, nth, *size))


def _leaves(name: str, value: Value, depth: int) -> Iterator[tuple[str, Value]]:
    """The parts of a gradient by how they are written: `w`, `layers[0].w`."""
    if not depth or not objects.has_parts(value):
        yield name, value
        return
    if isinstance(value, dict):
        parts = [(f"{name}[{key!r}]", each) for key, each in value.items()]
    elif objects.is_object(value):
        parts = [(f"{name}.{key}", each) for key, each in objects.attributes(value).items()]
    else:
        parts = [(f"{name}[{key}]", each) for key, each in enumerate(value)]
    for part, each in parts[: finite.MOST_ITEMS]:
        yield from _leaves(part, each, depth - 1)


class Here(threading.local):
    """The step that a thread is in, while somebody records it."""

    note: Note | None = None


class Scribe:
    """What one derivative tells its adjoints by, in whatever thread it runs."""

    def __init__(self, of: Derivative) -> None:
        path = "" if of.primal is None else of.primal.path
        self.here = Here()
        self._of, self._home = of, (path, replace(of.request, signature=""))
        self._results: dict[str, int] = {}

    def number(self, name: str, path: str, line: int) -> int:
        """The number of a variable, and of the line of the primal for which it is made."""
        return number(self._home, Variable(name, self._of.name, path, line))

    def begin(self) -> Note | None:
        """Begins a step of the derivative; None where nobody records it."""
        into = []
        for recorder in _recorders:
            steps = recorder.steps.get(self._home)
            if steps is None:
                steps = recorder.steps.setdefault(self._home, itertools.count())
            step = next(steps)
            if step % recorder.every == 0:
                into.append((recorder, step))
        self.here.note = made = Note(into) if into else None
        return made

    def end(self, note: Note, result: Value) -> Value:
        """Ends a step; gives what the derivative returns: gradients of parameters of interest."""
        asked = self._of.request
        if asked.kind != "jvp":
            gradients = result[1] if asked.kind == "value_and_grad" else result
            each = gradients if asked.is_tuple else (gradients,)
            for name, gradient in zip(asked.wrt, each, strict=False):
                if objects.has_parts(gradient):
                    for part, value in _leaves(name, gradient, DEPTH):
                        note(self._result(part), value)
                else:
                    note(self._results.get(name) or self._result(name), gradient)
        return result

    def _result(self, name: str) -> int:
        found = self._results.get(name)
        if found is None:
            primal = self._of.primal
            path, line = ("", 0) if primal is None else (primal.path, primal.line)
            self._results[name] = found = self.number(name, path, line)
        return found


def is_on() -> bool:
    """Tells whether somebody records."""
    return bool(_recorders)


def start(recorder: Recorder) -> None:
    """Records into one more recorder."""
    global _recorders
    with _turn:
        _recorders = (*_recorders, recorder)


def stop(recorder: Recorder) -> None:
    """Records into it no more."""
    global _recorders
    with _turn:
        _recorders = tuple(each for each in _recorders if each is not recorder)


def start_over() -> None:
    """Makes a forked child a program of its own, whose run nobody records yet."""
    global _turn, _recorders
    _turn, _recorders = threading.Lock(), ()


class ForDebugger:
    """What a debugger is told of a run, while it records and afterwards."""

    def __init__(self) -> None:
        self.start_over()

    def start_over(self) -> None:
        """Forgets what was recorded."""
        self.recorder = Recorder(1)
        self._n_told = 0

    def switch(self, wanted: str) -> None:
        """Starts or ends recording, as a debugger asks for: ``{"every"}`` in JSON, "" for off.

        Goes on counting steps where it has stopped; tells all variables again.
        """
        stop(self.recorder)
        if wanted:
            self.recorder.every = max(1, int(json.loads(wanted)["every"]))
            self._n_told = 0
            start(self.recorder)

    def told(self) -> str:
        """The next rows that the debugger has not been told, as JSON; "" where there are none.

        ``{"columns", "format", "variables": those that are new, "rows", "is_cut"}``: `rows` are
        packed as `format` says for `struct`, in base64.
        """
        rows = self.recorder.take(CHUNK)
        if not rows:
            return ""
        told = [{"id": number, **asdict(each)} for number, each in enumerate(_variables)]
        new, self._n_told = told[self._n_told :], len(told)
        return json.dumps(
            {
                "columns": COLUMNS,
                "format": ROW.format,
                "variables": new,
                "rows": base64.b64encode(rows).decode(),
                "is_cut": self.recorder.is_cut,
            }
        )
