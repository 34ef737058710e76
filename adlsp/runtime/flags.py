"""What NumPy tells of flags: heard while derivatives run whose values are looked at.

NumPy does with a flag what the program has chosen (`np.seterr`). Meanwhile it hands the message to
an `Ear`, which does that in its place, and tells who listens where the operation was.
"""

from __future__ import annotations

import contextvars
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import numpy as np

KINDS = {"divide by zero": ("divide", 1), "overflow": ("over", 2), "invalid value": ("invalid", 8)}
"""How messages begin, with the setting that is for them and NumPy's number of the flag."""

TYPES = frozenset((np.ndarray, np.float64, np.float32, np.complex128, np.complex64))
"""The types whose arithmetic tells of flags."""

Listener = Callable[[FrameType], None]

Called = Any
"""What a program has NumPy call: a function, or an object to write to."""


def _variable() -> contextvars.ContextVar[Any] | None:
    """NumPy's own variable for the settings, by which they change without a frame; if it has one.

    There is no public way to set them that a debugger does not look at.
    """
    core = getattr(np, "_core", None)
    variable = getattr(getattr(core, "umath", None), "_extobj_contextvar", None)
    return variable if isinstance(variable, contextvars.ContextVar) else None


class Ear:
    """Takes the messages of flags in the place of what the program has chosen."""

    def __init__(self, chosen: Mapping[str, str], called: Called, listener: Listener) -> None:
        self.chosen, self.called, self._listener = chosen, called, listener

    def write(self, message: str) -> None:
        """Does what the program has chosen for a flag, and tells where it was."""
        self._pass_on(message)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and _is_of_numpy(frame):
            frame = frame.f_back
        if frame is not None:
            self._listener(frame)

    def __call__(self, kind: str, flag: int) -> None:
        """Is called for what underflows, where the program has chosen that."""
        self.called(kind, flag)

    def _pass_on(self, message: str) -> None:
        told = message.removeprefix("Warning: ").rstrip("\n")
        kind, flag = next(each for start, each in KINDS.items() if told.startswith(start))
        match self.chosen[kind]:
            case "warn":
                warnings.warn(told, RuntimeWarning, stacklevel=3)
            case "print":
                sys.stderr.write(message)
            case "call":
                self.called(told.partition(" encountered")[0], flag)
            case "log":
                self.called.write(message)


def _is_of_numpy(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "numpy"


def _changed(listener: Listener) -> np.errstate:
    """The settings by which an ear hears, instead of those that are."""
    chosen: dict[str, Any] = {**np.geterr()}
    called: Called = np.geterrcall()
    heard: dict[str, Any] = {kind: "log" for kind, _ in KINDS.values() if chosen[kind] != "raise"}
    if isinstance(called, Ear):  # in a derivative that another one calls
        before = called
        chosen = {k: before.chosen[k] if how == "log" else how for k, how in chosen.items()}
        called = before.called
    return np.errstate(**heard, call=Ear(chosen, called, listener))


class Settings:
    """NumPy's settings while somebody listens: those that are usual change without a frame.

    `get()`, `set(hearing)` and `set(usual)` are all that is necessary where it finds the `usual`
    ones; others are changed by `hear` and put back by `cease`.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener, self._kept = listener, _Kept()
        self.get: Callable[[], object] = type(None)
        self.set: Callable[[Any], object] = bool
        self.usual, self.hearing = object(), object()
        variable = _variable()
        if variable is not None:
            self.get, self.set = variable.get, variable.set
            contextvars.Context().run(self._look, variable)

    def hear(self) -> None:
        """Has flags told of from now on in this thread."""
        if self.get() is self.usual:
            self.set(self.hearing)
            return
        changed = _changed(self._listener)
        changed.__enter__()
        self._kept.changed.append(changed)

    def cease(self) -> bool:
        """Puts back what `hear` has changed; tells whether there was something to put back."""
        if self.get() is self.hearing:
            self.set(self.usual)
        elif self._kept.changed:
            self._kept.changed.pop().__exit__(None, None, None)
        else:
            return False
        return True

    def _look(self, variable: contextvars.ContextVar[Any]) -> None:
        """Notes what the settings are where nobody has changed them, and by what an ear hears."""
        self.usual = variable.get()
        with _changed(self._listener):
            self.hearing = variable.get()


class _Kept(threading.local):
    """The settings that this thread has changed, the last one last."""

    def __init__(self) -> None:
        self.changed: list[np.errstate] = []
