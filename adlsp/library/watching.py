"""Derivatives whose values are looked at while they run, to find where they first go wrong.

While nobody looks, nothing of this runs: a derivative that is watched has other code, with the
same lines (`adlsp.transform.emit.watched`), and gets its own back. A value that is bad because one
that it was computed of is bad is not where it began; one that was bad before it came is told of
where it came in. A debugger stops there; in `with check_finite():` it is raised. Where NumPy tells
of flags (`flags`), no value is looked at until it does.
"""

from __future__ import annotations

import builtins
import dis
import itertools
import json
import linecache
import math
import os
import re
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cached_property
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from adlsp import workspace
from adlsp.library import codes, recording
from adlsp.runtime import finite, flags, hook
from adlsp.transform.artifact import Derivative, MappedLine
from adlsp.transform.emit import cells, moved, noted, parts, watched
from adlsp.transform.emit.guarded import Guard
from adlsp.transform.emit.parts import Part
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role

if TYPE_CHECKING:
    from adlsp.library import comparing

Value = Any
"""Whatever a derivative computes."""

FINITE = (-1.0, sys.float_info.max)
"""Between these are the squared norms of all that is finite, but for the very large."""

ADJOINT = re.compile(r"\w+_bar(_\d+)?")
"""What variables are called that hold adjoints."""

TINY = 1e-12
"""What is smaller makes an adjoint vanish."""

NOTED = (Role.ADJOINT, Role.INSERTED, Role.TANGENT)
"""What lines do whose variables are recorded."""

ZERO = re.compile(r"(np|rt)\.(zeros|zeros_like|products)\(|0\.0$")
"""What adjoints begin with to which others are added."""

UNKNOWN = object()
"""What is known of a part that cannot be computed again without doing something."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for: NaN, what is infinite, adjoints of a norm above or below a number."""

    nan: bool = False
    infinite: bool = False
    above: float = math.inf
    below: float = 0.0

    @classmethod
    def read(cls, text: str) -> Sought:
        """Reads what a debugger asks for: an object in JSON, "" for nothing."""
        return cls(**json.loads(text)) if text else NOTHING

    def is_in(self, found: tuple[bool, bool]) -> bool:
        """Whether a value that holds NaN, or what is infinite, is one that is looked for."""
        return (self.nan and found[0]) or (self.infinite and found[1])


NOTHING = Sought()


@dataclass(frozen=True, slots=True)
class Alarm:
    """What is told of a place where a derivative goes wrong: a line, and what explains it."""

    sort: str
    headline: str
    reasons: tuple[str, ...]
    place: MappedLine | None

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join((self.headline, *(f"  {reason}" for reason in self.reasons)))

    @property
    def message(self) -> str:
        """The same for a debugger, as JSON."""
        primal = None if self.place is None else self.place.primal
        at = {} if primal is None else {"path": primal.path, "line": primal.line}
        return json.dumps({"sort": self.sort, "headline": self.headline, "text": self.text, **at})


@dataclass(frozen=True, slots=True)
class Stopped:
    """The variables of a frame that a debugger has stopped."""

    f_locals: dict[str, Value]
    f_globals: dict[str, Value]


class _Thread(threading.local):
    """What this thread knows of the derivative that it runs; `is_fresh` says that it is nothing."""

    is_told = False
    earlier = ""
    is_fresh = True

    def begin(self) -> None:
        """Forgets what was told of another call."""
        self.is_told, self.earlier, self.is_fresh = False, "", True

    def tell(self) -> None:
        """Notes that something was told."""
        self.is_told, self.is_fresh = True, False

    def note(self, headline: str) -> None:
        """Keeps what comes first of what nobody looks for."""
        self.earlier, self.is_fresh = self.earlier or headline, False


_thread = _Thread()
_turn = threading.RLock()


def _start_over() -> None:
    """Makes a forked child a program of its own: nobody holds the lock."""
    global _turn
    _turn = threading.RLock()
    recording.start_over()
    _for_debugger.start_over()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)

_watches: weakref.WeakSet[Watch] = weakref.WeakSet()
_of_debugger = NOTHING
_n_checking = 0
_is_remembering = False
_checking: ContextVar[Sought] = ContextVar("checking")
_least, _most = FINITE

HARMLESS = frozenset((int, bool, str, type(None)))
"""The types of what is never bad."""


def _heard(frame: FrameType) -> None:
    """Takes a flag that an operation in a frame has set."""
    enter = frame.f_globals.get(watched.ENTER)
    if enter is not None:
        enter.__self__.hear(frame)


_settings = flags.Settings(_heard)

LOOKING = {
    watched.CALL: _thread,
    watched.ARRAY: np.ndarray,
    watched.DOUBLE: finite.DOUBLE,
    watched.NUMBERS: frozenset((float, np.float64)),
    watched.HARMLESS: HARMLESS,
    watched.PRODUCT: finite.vdot,
    watched.IS_FINITE: math.isfinite,
    watched.SETTINGS: _settings.get,
    watched.SET: _settings.set,
    watched.USUAL: _settings.usual,
    watched.HEARING: _settings.hearing,
    watched.CEASE: _settings.cease,
    watched.AGAIN: _settings.hear,
}
"""What all derivatives need that are looked at."""


class Watch:
    """The functions of one derivative, and what they are while somebody looks."""

    def __init__(
        self,
        derivative: Derivative,
        captured: Sequence[str],
        space: dict[str, Value],
        guard: Guard | None,
        home: dict[str, Value],
        first: comparing.First | None,
    ) -> None:
        self._derivative, self._home, self._first = derivative, home, first
        self._captured, self._guard = captured, guard
        self._functions: weakref.WeakSet[FunctionType] = weakref.WeakSet()
        self._slots: tuple[watched.Slot, ...] = ()
        self._lines: dict[int, MappedLine] = {}
        self._own: dict[tuple[Value, ...], CodeType] = {}
        self._codes: dict[tuple[bool, ...], dict[tuple[Value, ...], CodeType]] = {}
        self._parts: dict[int, tuple[Part, ...]] = {}
        self._space = space
        self._look = finite.looking(self._suspect)
        self._scribe = recording.Scribe(derivative)
        space.update(LOOKING)
        space[watched.ENTER], space[watched.HEAR] = self._enter, self._hear
        space[noted.BEGIN], space[noted.END] = self._scribe.begin, self._scribe.end
        space[noted.HERE] = self._scribe.here

    def add(self, function: FunctionType) -> None:
        """Takes a function of the derivative, and watches it if somebody looks."""
        with _turn:
            self._functions.add(function)
            if _is_on() or recording.is_on() or _is_remembering:
                self.switch()

    @property
    def name(self) -> str:
        """What the derivative is called."""
        return self._derivative.name

    def know(self, name: str, what: Value) -> None:
        """Has the derivative know a name."""
        self._space[name] = what

    def is_of(self, frame: FrameType) -> bool:
        """Tells whether a frame is one of the derivative's functions."""
        return frame.f_globals is self._space

    def switch(self) -> None:
        """Gives the functions the code by which values are looked at or recorded, or their own."""
        self._space[watched.VALUE] = self._measuring() if _is_measured() else self._look
        self._space[watched.TYPES], self._space[watched.READY] = frozenset[type](), None
        wanted = (_is_on(), recording.is_on(), _is_remembering and bool(self._rebound))
        codes_of = self._made(*wanted) if any(wanted) else self._own
        for function in self._functions:
            key = _key(function.__code__)
            if not any(function.__code__ is each.get(key) for each in self._codes.values()):
                self._own[key] = function.__code__
            function.__code__ = codes_of.get(key, function.__code__)

    @cached_property
    def _rebound(self) -> frozenset[str]:
        """The parameters that the derivative binds anew."""
        return moved.overwritten(self._derivative.source, self._derivative.name)

    def where(self, line: int) -> str:
        """What a line of the derivative is about, as `backward of layers.py:6: r = np.sqrt(x)`."""
        place = self._places().get(line)
        return f"{self._where(place, line)}: {_line_of(place)}" if place is not None else ""

    def why(self, name: str, line: int, stopped: Stopped) -> Iterator[str]:
        """Why an adjoint is zero where a derivative has stopped, from what it was made of."""
        self._made(is_watched=True)
        followed: list[str] = []
        while name not in followed:
            followed.append(name)
            number, is_earlier = self._made_at(name, line, stopped)
            if number is None:
                yield f"`{name}` {self._beginning(name, line)}"
                return
            slot = self._slots[number]
            when = ", in the pass taken before" if is_earlier else ""
            yield f"{self.where(slot.line)}, `{name} = {slot.text}`{when}"
            computed, values = self._values(number, stopped)
            told = [] if is_earlier else _dead(computed, values)
            yield from told
            zeros = (
                part.text
                for part, value in zip(computed, values, strict=True)
                if ADJOINT.fullmatch(part.text) and value is not UNKNOWN and not np.any(value)
            )
            anew = {s.name for s in self._slots if s.line < line} if is_earlier else {name}
            before = next((each for each in zeros if each not in anew), None)
            if told or before is None:
                return
            yield f"`{before}` was zero already"
            if is_earlier:  # of that pass nothing else is there any more
                return
            name, line = before, slot.line

    def compared(
        self, variables: dict[str, Value], place: comparing.Place, pairs: Sequence[tuple[str, str]]
    ) -> Iterator[str]:
        """What differences say of adjoints in the frame of what one calls, where it has stopped."""
        from adlsp.library import comparing

        made = self._derivative
        if made.request.inner is None:
            primal = made, self._home, self._captured
            yield from comparing.compared(*primal, variables, place, pairs)
        elif self._first is not None:
            builtins = self._space["__builtins__"]
            again = made, self._first(), builtins, variables
            yield from comparing.compared_again(*again, place, pairs)

    def _made_at(self, name: str, line: int, stopped: Stopped) -> tuple[int | None, bool]:
        """The slot where a variable last got a value before a line, and if in an earlier pass.

        It is one before the line that still gives what the variable is: others may be in branches
        that were not taken, or were left behind by an earlier pass of a loop around the line.
        """
        first = self._function_at(line)
        here = {i: s.line for i, s in enumerate(self._slots) if s.name == name}
        before = sorted(((at, i) for i, at in here.items() if first <= at < line), reverse=True)
        for _, number in before:
            slot = self._slots[number]
            if not slot.names <= {*stopped.f_locals, *stopped.f_globals, *dir(builtins)}:
                continue  # it is in a branch that was not taken
            if slot.is_after or _is_equal(self._values(number, stopped)[1][-1], stopped, name):
                return number, False
        loops = self._loops(line)
        again = [(at, i) for i, at in here.items() if any(line <= at <= last for _, last in loops)]
        if self._begins_at_zero(name, line):
            return None, False
        return (max(again)[1], True) if again else (before[0][1] if before else None, False)

    def _function_at(self, line: int) -> int:
        """Where the function of the derivative begins that a line is in."""
        text = self._derivative.source.split("\n")
        starts = (number for number, each in enumerate(text, 1) if each.startswith("def "))
        return max((start for start in starts if start <= line), default=0)

    def _begins_at_zero(self, name: str, line: int) -> bool:
        """Whether a variable is zero before anything is added to it."""
        start = f"{name} = "
        text = self._derivative.source.split("\n")[max(self._function_at(line) - 1, 0) : line - 1]
        told = (each.strip() for each in text)
        return any(ZERO.match(e.removeprefix(start)) for e in told if e.startswith(start))

    def _beginning(self, name: str, line: int) -> str:
        if self._begins_at_zero(name, line):
            return "begins at zero, and nothing else has been added where it is zero still"
        every = watched.given(self._derivative.source, name)
        last = max((end for _, end in self._loops(line)), default=line - 1)
        found = [each for each in every if self._function_at(line) <= each[0] <= last]
        if len(found) != 1:
            return "was given to this function, or another one made it"
        [(at, function)] = found
        when = ", in the pass taken before" if at >= line else ""
        return f"is what `{function}` has given, where a stop tells more: {self.where(at)}{when}"

    def _loops(self, line: int) -> list[tuple[int, int]]:
        """The loops around a line of the derivative, by their first and last lines."""
        first, every = self._function_at(line), watched.loops(self._derivative.source)
        return [(head, last) for head, last in every if first <= head < line <= last]

    def _values(
        self, number: int, frame: FrameType | Stopped
    ) -> tuple[tuple[Part, ...], list[Value]]:
        """The parts of what is computed at a slot, and what they are where a frame is."""
        computed = self._computed(number)
        return computed, _every(computed, frame)

    def _places(self) -> dict[int, MappedLine]:
        if not self._lines:
            lines = self._derivative.source_map
            self._lines = {each.line: replace(each, primal=each.places[-1]) for each in lines}
        return self._lines

    def _made(
        self, is_watched: bool, is_noted: bool = False, is_remembered: bool = False
    ) -> dict[tuple[Value, ...], CodeType]:
        """The code of the functions whose values are looked at, whose adjoints are noted.

        Or which remember what they are called with.
        """
        wanted = (is_watched, is_noted, is_remembered)
        if wanted not in self._codes:
            made = self._derivative
            assert made.path is not None
            tree = cells.tree(made.source, made.name, self._captured, self._guard)
            if is_watched:
                self._slots = watched.watched(tree, made.name)
            if is_noted:
                self._note(tree)
            if is_remembered:
                moved.remember(tree, made.name, self._rebound)
            code = codes.of_one_file(compile(tree, made.path, "exec"))
            self._codes[wanted] = {_key(each): each for each in _inner(code)}
        return self._codes[wanted]

    def _note(self, tree: Value) -> None:
        """Has a derivative tell its adjoints and tangents."""
        places = self._places()
        lines = [line for line, place in places.items() if place.role in NOTED]

        def numbered(name: str, line: int) -> int:
            primal = places[line].primal
            return self._scribe.number(name, primal.path, primal.line)

        noted.noted(tree, self._derivative.name, lines, numbered)

    def _hear(self) -> None:
        """Has flags told of where a derivative is called; relies on that from the first call on.

        A call that runs already when somebody begins to look does not tell of them. Tensors tell
        of none.
        """
        _thread.begin()
        _settings.hear()
        if not _is_measured() and "tensorflow" not in sys.modules:
            self._space[watched.TYPES], self._space[watched.READY] = flags.TYPES, _settings.usual

    def hear(self, frame: FrameType) -> None:
        """Takes a flag: tells of it if that which sets it is not looked at, and is bad."""
        line = frame.f_lineno
        for number, slot in enumerate(self._slots):
            if slot.is_flagged and not _thread.is_told and slot.is_on(line):
                value = self._flagged(number, frame)
                if any(_flags(value)):
                    self._judge(number, value, frame)

    def _flagged(self, number: int, frame: FrameType) -> Value:
        """What is computed at a slot by an operation that has just set a flag, from the start."""
        slot, value = self._slots[number], self._values(number, frame)[1][-1]
        if slot.added is None or any(_flags(value)):
            return value
        every = parts.parts(slot.added)
        values = _every(every, frame)
        target = values[every[-1].operands[0]]
        return target if isinstance(target, np.ndarray) else values[-1]  # arrays have changed

    def _enter(self, name: str, value: Value) -> None:
        """Looks at an argument of a derivative, on the way in."""
        self._look(name, value)

    def _suspect(self, key: int | str, value: Value) -> None:
        """Tells of an argument by its name, or of a value by its slot, if it goes wrong there."""
        frame = sys._getframe(2)
        if isinstance(key, int):
            if not _thread.is_told:
                self._judge(key, value, frame)
            return
        found = finite.bad(value)
        if found is not None and (found.n_nan or not _is_number(value)):
            where = f"`{key}`, an argument of {self._derivative.name}, arrives bad"
            line = sys._getframe(3).f_lineno
            self._tell(_came(where, found), line, _flags(value), at=self._head(line))

    def _measuring(self) -> Callable[[int, Value], Value]:
        """The function that values pass where the norms of adjoints matter, too."""

        def value(number: int, x: Value, /) -> Value:
            if not _least <= finite.square(x) <= _most:
                self._suspect(number, x)
            return x

        return value

    def _judge(self, number: int, value: Value, frame: FrameType) -> None:
        slot, flags = self._slots[number], _flags(value)
        if any(flags):
            begun = self._begin(number, value, frame)
            if begun is not None:
                self._tell(begun, slot.line, flags, self._causes(slot, frame))
        elif self._is_adjoint(slot.line):
            self._measure(number, value, frame)

    def _begin(self, number: int, value: Value, frame: FrameType) -> tuple[str, ...] | None:
        """What is said of a bad value that is the first; None of one that others have caused."""
        slot = self._slots[number]
        computed = self._computed(number)
        target = re.split(r"[.\[]", slot.name)[0]
        if slot.is_after and target in {part.root for part in computed}:
            return self._begin_anew(number, value, frame, target)
        values: list[Value] = []
        for i, part in enumerate(computed):
            operands = [values[j] for j in part.operands]
            is_all = i == len(computed) - 1 and not slot.is_after
            values.append(value if is_all else _again(part, operands, frame))
            if part.root is not None:
                found = finite.bad(values[-1])
                if found is not None and _comes_in(part, values[-1], found, frame):
                    return _came(f"`{part.text}` is bad already", found)
            elif _is_first(values[-1], operands):
                named = [(computed[j].text, values[j]) for j in part.operands]
                return _gives(part.text, values[-1], named)
        if slot.is_after and not any(_flags(values[-1])):
            sum_ = f"{slot.name} += {slot.text}"
            return _gives(sum_, value, [(slot.text, values[-1])])
        return None

    def _begin_anew(
        self, number: int, value: Value, frame: FrameType, target: str
    ) -> tuple[str, ...] | None:
        """The same where what was added was computed of what it was added to, and is no more."""
        slot = self._slots[number]
        others = [p for p in self._computed(number) if p.root and p.root != target]
        named = [(part.text, _again(part, [], frame)) for part in others]
        if any(any(_flags(each)) for _, each in named):
            return None
        return _gives(f"{slot.name} += {slot.text}", value, named)

    def _measure(self, number: int, value: Value, frame: FrameType) -> None:
        """Tells of an adjoint that is the first to be larger or smaller than what is allowed."""
        slot, size = self._slots[number], finite.norm(value)
        incoming = {
            part.text: finite.norm(known)
            for part in self._computed(number)
            if part.root
            and ADJOINT.fullmatch(part.text)
            and (known := _again(part, [], frame)) is not UNKNOWN
        }
        told = [f"{name} has norm {each:.4g}" for name, each in incoming.items()]
        for sought in (_of_debugger, _asked()):
            if size > sought.above and not any(each > sought.above for each in incoming.values()):
                said = f"`{slot.name}` explodes: its norm is {size:.4g}, above {sought.above:g}"
                factors = self._factors(number, frame)
                self._tell((said, f"`{slot.text}`", *told, *factors), slot.line, sort="exploding")
            elif size < sought.below and any(each >= sought.below for each in incoming.values()):
                said = f"`{slot.name}` vanishes: its norm is {size:.4g}, below {sought.below:g}"
                factors = self._factors(number, frame)
                self._tell((said, f"`{slot.text}`", *told, *factors), slot.line, sort="vanishing")

    def _factors(self, number: int, frame: FrameType) -> Iterator[str]:
        """What an adjoint is multiplied with, outermost first; no parts of that."""
        computed, values = self._values(number, frame)
        named = {i for i, part in enumerate(computed) if "_bar" in part.text}
        inner = {j for i, part in enumerate(computed) if i not in named for j in part.operands}
        for i in reversed(range(len(computed))):
            is_constant = computed[i].root == ""
            if i not in named | inner and values[i] is not UNKNOWN and not is_constant:
                yield f"{computed[i].text} is {finite.told(values[i])}"

    def _causes(self, slot: watched.Slot, frame: FrameType) -> Iterator[str]:
        """What the forward sweep had to do with a bad adjoint, by what this line reads of it."""
        if not self._is_adjoint(slot.line):
            return
        if _thread.earlier:
            yield f"before that: {_thread.earlier}"
        origin = self._places()[slot.line].primal
        read = {part.root for part in parts.parts(slot.computed) if part.root}
        bound = set(frame.f_locals)
        for number, other in enumerate(self._slots):
            mapped = self._places().get(other.line)
            if mapped is None or mapped.role is not Role.PRIMAL or mapped.primal != origin:
                continue
            computed = self._computed(number)
            if not {part.root for part in computed if part.root} & bound <= read:
                continue
            _, values = self._values(number, frame)
            for part, value in zip(computed, values, strict=True):
                if part.root is None and any(_flags(value)):
                    named = [(computed[j].text, values[j]) for j in part.operands]
                    yield f"forward, {', '.join(_gives(part.text, value, named))}"
                    return

    def _head(self, line: int) -> MappedLine | None:
        """The `def` of what is differentiated, as the place of a line on which it is called."""
        place, head = self._places().get(line), self._derivative.primal
        return place if place is None or head is None else replace(place, primal=head)

    def _tell(
        self,
        said: tuple[str, ...],
        line: int,
        flags: tuple[bool, bool] = (False, False),
        causes: Iterable[str] = (),
        sort: str = "nonfinite",
        at: MappedLine | None = None,
    ) -> None:
        """Stops the program in a debugger that looks for this, and raises it where that is asked.

        What nobody looks for is kept, to be told of together with what comes of it.
        """
        place = at or self._places().get(line)
        by_debugger = sort != "nonfinite" or _of_debugger.is_in(flags)
        by_context = sort == "nonfinite" and _asked().is_in(flags)
        headline = f"{self._where(place, line)}: {said[0]}"
        if not by_debugger and not by_context:
            _thread.note(headline)
            return
        primal = _line_of(place)
        reasons = (*((f"for `{primal}`",) if primal else ()), *said[1:], *causes)
        alarm = Alarm(sort, headline, reasons, place)
        _thread.tell()
        if by_debugger:
            hook.stop(alarm.message)
        if by_context:
            raise FloatingPointError(alarm.text)

    def _where(self, place: MappedLine | None, line: int) -> str:
        if place is None:
            return f"{os.path.basename(str(self._derivative.path))}:{line}"
        return f"{place.role.sweep} of {os.path.basename(place.primal.path)}:{place.primal.line}"

    def _is_adjoint(self, line: int) -> bool:
        place = self._places().get(line)
        return place is not None and place.role in (Role.ADJOINT, Role.INSERTED)

    def _computed(self, number: int) -> tuple[Part, ...]:
        if number not in self._parts:
            self._parts[number] = parts.parts(self._slots[number].computed)
        return self._parts[number]


def keep(
    derivative: Derivative,
    captured: Sequence[str],
    space: dict[str, Value],
    guard: Guard | None,
    home: dict[str, Value],
    first: comparing.First | None,
) -> Watch:
    """Makes what a derivative needs to be watched some time.

    `home` are the variables of the primal's module, and `first` gives what a derivative of a
    derivative is of.
    """
    made = Watch(derivative, captured, space, guard, home, first)
    for each in tuple(space.values()):
        if isinstance(each, FunctionType) and each.__globals__ is space:
            made.add(each)
    with _turn:
        _watches.add(made)
    return made


def follow(template: FunctionType, made: FunctionType) -> None:
    """Takes a function that is made of one that is known."""
    watch: Watch = template.__globals__[watched.ENTER].__self__
    watch.add(made)


@contextmanager
def check_finite(*, nan: bool = True, inf: bool = True) -> Iterator[None]:
    """Raises FloatingPointError where a derivative first computes NaN or what is infinite."""
    global _n_checking
    asked = _checking.set(Sought(nan, inf))
    with _turn:
        _n_checking += 1
        _switch()
    try:
        yield
    finally:
        _checking.reset(asked)
        with _turn:
            _n_checking -= 1
            _switch()


@contextmanager
def record_gradients(path: str, every: int) -> Iterator[None]:
    """Writes a file of how large the gradients were that derivatives computed meanwhile."""
    recorder = recording.Recorder(every)
    workspace.write_lines(path, ())
    with _turn:
        recording.start(recorder)
        _switch()
    try:
        yield
    finally:
        with _turn:
            recording.stop(recorder)
            _switch()
        workspace.write_lines(path, recorder.lines())


def _ask(text: str) -> str:
    """Looks for what a debugger asks for from now on; says what goes on without being looked at."""
    global _of_debugger
    with _turn:
        was_on, _of_debugger = _is_on(), Sought.read(text)
        _switch()
    names = [] if was_on or not text else sorted(_running())
    return "".join(
        f"`{name}` runs already: only what it calls is looked at until its next call\n"
        for name in names
    )


def _running() -> set[str]:
    """The derivatives that are being called, in any thread."""
    found = set[str]()
    for top in sys._current_frames().values():
        frame: FrameType | None = top
        while frame is not None:
            enter = frame.f_globals.get(watched.ENTER)
            if enter is not None:
                found.add(enter.__self__.name)
            frame = frame.f_back
    return found


def _asked() -> Sought:
    """What `check_finite` looks for here."""
    return _checking.get(NOTHING)


def _is_measured() -> bool:
    """Whether norms are looked at, too."""
    return (_least, _most) != FINITE


def _is_on() -> bool:
    return _n_checking > 0 or _of_debugger != NOTHING


def _switch() -> None:
    global _least, _most
    below, above = _of_debugger.below, _of_debugger.above
    least, most = FINITE
    _least, _most = (below * below if below else least), min(above * above, most)
    for watch in tuple(_watches):
        watch.switch()


def _why(variables: dict[str, Value], space: dict[str, Value], name: str, line: int) -> list[str]:
    """Why an adjoint is zero in a frame of a derivative."""
    watch: Watch = space[watched.ENTER].__self__
    if name not in variables:
        return [f"`{name}` is not yet computed"]
    if not finite.has_zeros(variables[name]):
        return [f"`{name}` has no zeros"]
    return [*watch.why(name, line, Stopped(variables, space))]


def _record(text: str) -> None:
    """Records what a debugger asks for from now on."""
    with _turn:
        _for_debugger.switch(text)
        _switch()


def _remember(is_on: bool) -> None:
    """Has derivatives keep what they are called with from now on, or no more."""
    global _is_remembering
    with _turn:
        _is_remembering = is_on
        _switch()


def _know(name: str, what: Value) -> None:
    """Has the derivatives that are there know a name."""
    for watch in tuple(_watches):
        watch.know(name, what)


def _compared(variables: dict[str, Value], space: dict[str, Value], asked: str) -> list[str]:
    """What differences say of adjoints in a frame of a derivative, or why they say nothing."""
    from adlsp.library.comparing import CannotCompareError, Place

    watch: Watch = space[watched.ENTER].__self__
    said = json.loads(asked)
    with _unwatched():
        try:
            head = said.get("head", 0)
            is_head = bool(head) and _has_begun(watch, head)
            passes = (*said["passes"], *(number - 1 for number in said.get("own", ()) if is_head))
            place = Place(said["line"], passes, is_head)
            return [*watch.compared(variables, place, [tuple(each) for each in said["pairs"]])]
        except CannotCompareError as error:
            return [str(error)]
        except Exception as error:  # whatever a program's values do when they are moved
            return [f"gradients cannot be compared here ({type(error).__name__}: {error})"]


def _has_begun(watch: Watch, line: int) -> bool:
    """Whether a derivative that has stopped at the head of a loop has taken a pass of it.

    If not, it is about to make what the loop runs over. A loop without such is always told by how
    many passes are left.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and not (watch.is_of(frame) and frame.f_lineno == line):
        frame = frame.f_back
    if frame is None:
        from adlsp.library.comparing import CannotCompareError

        raise CannotCompareError("it is not known whether this loop has begun")
    end = frame.f_lasti
    here = [(start, stop) for start, stop, at in frame.f_code.co_lines() if at == line]
    coming = (
        each.opname
        for each in dis.get_instructions(frame.f_code)
        if each.offset >= end and any(start <= each.offset < stop for start, stop in here)
    )
    return "GET_ITER" not in itertools.takewhile(lambda name: name != "FOR_ITER", coming)


@contextmanager
def _unwatched() -> Iterator[None]:
    """Tells of nothing that goes wrong where the program is run again for somebody who asks."""
    before, _thread.is_told = _thread.is_told, True
    with np.errstate(all="ignore"):
        try:
            yield
        finally:
            _thread.is_told = before


_for_debugger = recording.ForDebugger()
hook.look(_ask, _why, _compared, _remember, _know)
hook.take(_record, _for_debugger.told)


# what is computed again


def _every(computed: Sequence[Part], frame: FrameType | Stopped) -> list[Value]:
    """The values of all parts of an expression where a frame is."""
    values: list[Value] = []
    for part in computed:
        values.append(_again(part, [values[j] for j in part.operands], frame))
    return values


def _again(part: Part, operands: Sequence[Value], frame: FrameType | Stopped) -> Value:
    """The value of a part where the frame is; UNKNOWN where that may do or cost something."""
    if part.is_whole or any(each is UNKNOWN for each in operands):
        return UNKNOWN
    variables = {f"{parts.OPERAND}{i}": each for i, each in enumerate(operands)}
    space = {**frame.f_locals, **variables}
    try:
        with np.errstate(all="ignore"):
            if part.function is not None:
                called = _evaluated(part.function, frame, space)
                if not _is_harmless(called):
                    return UNKNOWN
                copies = {name: _copied(each) for name, each in variables.items()}
                space = {**space, **copies}
            return _evaluated(part.tree, frame, space)
    except Exception:
        return UNKNOWN


def _evaluated(tree: Value, frame: FrameType | Stopped, space: dict[str, Value]) -> Value:
    return eval(compile(tree, "<part>", "eval"), frame.f_globals, space)


def _copied(value: Value) -> Value:
    return value.copy() if isinstance(value, np.ndarray) else value


def _is_harmless(called: Callable[..., Value]) -> bool:
    """Whether a function only computes: NumPy's, but for random numbers, and what we call."""
    owner = getattr(called, "__self__", None)
    if isinstance(owner, np.ndarray | np.generic):
        return called.__name__ in METHODS
    home = str(getattr(called, "__module__", None) or "")
    is_ufunc = isinstance(called, np.ufunc)
    is_number = home == "math" or called in (abs, float, int, len, max, min, sum)
    is_numpy = home.split(".")[0] == "numpy" and not home.startswith("numpy.random")
    return is_ufunc or is_number or is_numpy or home.startswith("adlsp.runtime")


METHODS = """
    all any argmax argmin astype clip conj conjugate copy cumprod cumsum diagonal dot flatten item
    max mean min prod ravel repeat reshape round std sum swapaxes take tolist trace transpose var
""".split()  # noqa: SIM905
"""The methods of arrays that change nothing."""


def _is_equal(value: Value, stopped: Stopped, name: str) -> bool:
    """Whether a value is that of a variable, as far as it is known."""
    if value is UNKNOWN:
        return True
    try:
        return bool(np.array_equal(value, stopped.f_locals[name], equal_nan=True))
    except (TypeError, ValueError):
        return True


# what is said


def _dead(computed: Sequence[Part], values: Sequence[Value]) -> list[str]:
    """What is said of factors that are zero, and of conditions that do not hold.

    Where some are so in all entries, others do not matter; what a part is taken from, neither.
    """
    shares = {part.text: _share(part, v) for part, v in zip(computed, values, strict=True)}
    dead = {text: share for text, share in shares.items() if share[0]}
    whole = {text: share for text, share in dead.items() if share[1]} or dead
    return [
        f"`{text}` {told}"
        for text, (told, _) in whole.items()
        if not any(other.startswith((f"{text}[", f"{text}.")) for other in whole)
    ]


def _share(part: Part, value: Value) -> tuple[str, bool]:
    """What is said of a factor that is zero in part, and whether it is in whole; "" of others."""
    if value is UNKNOWN or not part.text or "_bar" in part.text or part.root == "":
        return "", False
    array = np.asarray(value)
    if array.dtype == bool:
        n, told = int(array.size - np.count_nonzero(array)), "does not hold"
    elif array.dtype.kind in "fc":
        n, told = int(np.count_nonzero(np.abs(array) < TINY)), f"is below {TINY:g}"
    else:
        return "", False
    is_whole = n == array.size
    if not n or not array.shape:
        return told if n else "", is_whole
    share = f"all {n:,}" if is_whole else f"{n:,} of {array.size:,}"
    return f"{told} in {share} entries", is_whole


def _is_first(value: Value, operands: Sequence[Value]) -> bool:
    """Whether a value is bad in a way in which nothing is that it was computed of."""
    if value is UNKNOWN:
        return False
    nan, infinite = _flags(value)
    before = [_flags(each) for each in operands if each is not UNKNOWN]
    had_nan = any(each for each, _ in before)
    had_any = had_nan or any(each for _, each in before)
    return (nan and not had_nan) or (infinite and not had_any)


def _flags(value: Value) -> tuple[bool, bool]:
    """Whether a value holds NaN, and what is infinite."""
    found = None if value is UNKNOWN else finite.bad(value)
    return (False, False) if found is None else (found.n_nan > 0, found.n_infinite > 0)


def _comes_in(part: Part, value: Value, found: finite.Bad, frame: FrameType) -> bool:
    """Whether a leaf brings in what is bad from outside.

    Who writes `np.inf` or `np.nan` means that, and a variable of the derivative has been looked at.
    """
    root = part.root or ""
    is_own = root == part.text and root in frame.f_code.co_varnames
    if not root or is_own or not _is_number(value):
        return bool(root) and not is_own
    home = frame.f_locals.get(root, frame.f_globals.get(root))
    return found.n_nan > 0 and not isinstance(home, ModuleType)


def _is_number(value: Value) -> bool:
    return isinstance(value, float | complex | np.generic)


def _came(what: str, found: finite.Bad) -> tuple[str, ...]:
    return (f"{what}: {_count(found)}",)


def _gives(text: str, value: Value, operands: Sequence[tuple[str, Value]]) -> tuple[str, ...]:
    """What is said of an operation: what it gives, and of what."""
    found = finite.bad(value)
    assert found is not None
    shape = np.shape(value) if isinstance(value, np.ndarray) else ()
    told = (
        f"{name} is {finite.told(each, shape, found.first)}"
        for name, each in operands
        if each is not UNKNOWN and name != finite.told(each)
    )
    result = finite.told(value) if _is_number(value) else _count(found)
    return (f"`{text}` gives {result}", *dict.fromkeys(told))


def _count(found: finite.Bad) -> str:
    at = f", first at {list(found.first)}" if found.first else ""
    return " and ".join(finite.counts(found)) + at


def _line_of(place: MappedLine | None) -> str:
    """The user's line."""
    if place is None:
        return ""
    return linecache.getline(place.primal.path, place.primal.line).strip()


def _key(code: CodeType) -> tuple[Value, ...]:
    return (code.co_name, code.co_firstlineno, code.co_freevars)


def _inner(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inner(each)
