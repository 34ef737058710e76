"""What a derivative rests on in the running program, and whether that still holds.

A derivative is made of the functions that names meant when it was made. Programs that go on while
they are written, in notebooks and consoles, give names to other functions and functions other
code; data is read when a derivative is called, and needs no look. Of objects, and of functions that
have captured something, a derivative knows the structure.
"""

from __future__ import annotations

import builtins
import linecache
import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from adlsp.library.tracebacks import HIDDEN

Value = Any
"""Whatever a program has."""

Namespace = Mapping[str, Any]

MISSING = object()
"""What a name means that a namespace does not have."""

Said = tuple[CodeType, tuple[Any, ...] | None, dict[str, Any] | None]
"""The code of a function and the defaults of its parameters."""


@dataclass(slots=True)
class Ground:
    """The names that were followed, with what they meant, and the functions that were read.

    Methods are names, too, of classes and of those that these inherit from.

    `values` tell whether variables still hold objects like those that were met, or functions that
    keep what is like what those kept.

    `texts` gives other texts that count, as those of cells that declare rules; `known` are those
    that did, when `linecache` had so many.
    """

    names: dict[tuple[int, str], tuple[Namespace, object]] = field(default_factory=dict)
    attributes: dict[tuple[int, str], tuple[type, object]] = field(default_factory=dict)
    functions: dict[int, tuple[FunctionType, Said]] = field(default_factory=dict)
    values: dict[tuple[int, str], Callable[[], bool]] = field(default_factory=dict)
    texts: Callable[[], Hashable] | None = None
    known: Hashable = None
    n_known: int = 0

    def note_name(self, namespace: Namespace, name: str) -> None:
        """Remembers what a name means now, if that is no mere value."""
        meant = namespace.get(name, MISSING)
        if meant is MISSING or callable(meant) or isinstance(meant, ModuleType):
            self.names.setdefault((id(namespace), name), (namespace, meant))

    def note_attribute(self, kind: type, name: str) -> None:
        """Remembers what a class has under a name now."""
        self.attributes.setdefault((id(kind), name), (kind, _attribute(kind, name)))

    def note_function(self, function: FunctionType) -> None:
        """Remembers what a function does now."""
        self.functions.setdefault(id(function), (function, _said(function)))

    def note_value(self, namespace: Namespace, name: str, accepts: Callable[[Value], bool]) -> None:
        """Remembers what tells whether a variable holds something like what it holds now."""
        key = id(namespace), name
        self.values[key] = lambda: accepts(namespace.get(name, MISSING))

    def note_function_of(self, namespace: Namespace, name: str) -> None:
        """Remembers which function a variable holds, if it is not known what is like that."""
        held = namespace.get(name, MISSING)
        self.values.setdefault((id(namespace), name), lambda: namespace.get(name, MISSING) is held)

    def note_default(self, of: FunctionType, parameter: str, is_meant: Callable[[], bool]) -> None:
        """Remembers what tells whether the text still says what a default is."""
        self.values[id(of), parameter] = is_meant

    def note_texts(self, texts: Callable[[], Hashable]) -> None:
        """Remembers which other texts count."""
        self.texts, self.known, self.n_known = texts, texts(), len(linecache.cache)

    def values_hold(self) -> bool:
        """Tells whether variables hold things like those that they held."""
        return all(holds() for holds in list(self.values.values()))

    def holds(self) -> bool:
        """Tells whether names mean, and functions do, what they did."""
        if not self.values_hold():
            return False
        if self.texts is not None and self.n_known != len(linecache.cache):
            if self.texts() != self.known:
                return False
            self.n_known = len(linecache.cache)
        for (_, name), (namespace, meant) in self.names.items():
            now = namespace.get(name, MISSING)
            if now is not meant and (meant is not MISSING or callable(now)):
                return False
        for (_, name), (kind, meant) in self.attributes.items():
            if _attribute(kind, name) is not meant:
                return False
        for function, (code, defaults, named) in self.functions.values():
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not named
            ):
                return False
        return True


def may_change() -> bool:
    """Tells whether somebody works in a console or notebook, and may define functions again."""
    return hasattr(builtins, "__IPYTHON__") or hasattr(sys, "ps1")


def current(
    compiled: Callable[..., Value], ground: Ground, renew: Callable[[], Callable[..., Value]]
) -> Callable[..., Value]:
    """What to call for a derivative whose ground may change: where it has, that is made again."""
    holds = ground.holds

    def call(*args: Value, **kwargs: Value) -> Value:
        __tracebackhide__ = True
        if holds():
            return compiled(*args, **kwargs)
        with HIDDEN:
            again = renew()
        return again(*args, **kwargs)

    return call


def _attribute(kind: type, name: str) -> object:
    """What a class has under a name, as it was put there."""
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), MISSING)


def _said(function: FunctionType) -> Said:
    return function.__code__, function.__defaults__, function.__kwdefaults__
