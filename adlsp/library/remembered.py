"""What was found about functions in earlier runs of a program, for as long as it is true.

All that the engine knows of a program are the answers of a resolver. So what it has found holds
where the same questions get the same answers: they are kept beside it, and asked again. That is a
verifying trace (A. Mokhov, N. Mitchell, S. Peyton Jones: Build systems à la carte, 2018). The texts
of notebooks' cells change from run to run, and what is found there is not kept.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache, partialmethod
from typing import Any, TypeVar

from adlsp import workspace
from adlsp.library.live import LiveResolver
from adlsp.transform.artifact import Request
from adlsp.transform.frontend.modules import Module
from adlsp.transform.frontend.resolve import Definition, Resolver, WrittenTable
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source
from adlsp.version import VERSION

Found = TypeVar("Found")

Answer = Any
"""What a resolver answers."""

Given = Any
"""What is asked about: a name, a binding, a text."""

Question = tuple[str, tuple[Given, ...]]
"""What a resolver was asked: a method and its arguments."""

Place = tuple[str, str]
"""A text in a question that is kept: its file, and its module."""

OWN = os.path.dirname(workspace.__file__)
"""The folder of our own package."""

ENGINE = "adlsp.transform"
"""Where the types are of what is kept."""


class Asking:
    """A resolver that notes what another is asked and answers; see `frontend.resolve.Resolver`.

    `is_whole` says that each question had one answer, and is one that can be asked again.
    """

    def __init__(self, resolver: LiveResolver) -> None:
        self.resolver = resolver
        self.answers: dict[tuple[Any, ...], tuple[Question, Answer]] = {}
        self.is_whole = True
        self._texts: dict[Place, Source] = {}
        own = resolver.own, resolver.root
        for source in (resolver.source, *(each.source for each in own if each is not None)):
            if source is not None:
                self._texts[_place(source)] = source

    def ask(self, method: str, *given: Given) -> Answer:
        """Asks, and notes the answer."""
        answer = getattr(self.resolver, method)(*given)
        key = (method, *((type(each), each) for each in given))
        if key not in self.answers:
            self.is_whole &= all(self._is_known(each) for each in given)
            self.answers[key] = (method, given), answer
            self._texts.update((_place(source), source) for source in _texts(answer))
        elif self.answers[key][1] is not answer:
            self.is_whole &= _said(self.answers[key][1]) == _said(answer)
        return answer

    parsed: Any = partialmethod(ask, "parsed")
    name: Any = partialmethod(ask, "name")
    attribute: Any = partialmethod(ask, "attribute")
    definition: Any = partialmethod(ask, "definition")
    class_of: Any = partialmethod(ask, "class_of")
    order: Any = partialmethod(ask, "order")
    table_of: Any = partialmethod(ask, "table_of")
    held: Any = partialmethod(ask, "held")
    initializer: Any = partialmethod(ask, "initializer")
    written: Any = partialmethod(ask, "written")
    unread: Any = partialmethod(ask, "unread")
    imports: Any = partialmethod(ask, "imports")

    def _is_known(self, given: Given) -> bool:
        return not isinstance(given, Source) or self._texts.get(_place(given)) == given

    def trace(self) -> tuple[tuple[Question, str], ...]:
        """All questions, in order, with what was said.

        Raises TypeError where an answer can be told by nothing but the object that it is.
        """
        if any(" at 0x" in _spelled(answer) for _, answer in self.answers.values()):
            raise TypeError("an answer without a text")
        return tuple(
            ((method, tuple(map(_kept, given))), _said(answer))
            for (method, given), answer in self.answers.values()
        )

    def agrees(self, trace: tuple[tuple[Question, str], ...]) -> bool:
        """Tells whether the same questions get the same answers now."""
        for (method, kept), said in trace:
            given = tuple(self._texts.get(x) if isinstance(x, tuple) else x for x in kept)
            if None in given or _said(self.ask(method, *given)) != said:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was found, and the answers that it rests on."""

    trace: tuple[tuple[Question, str], ...]
    found: Any


def recall(
    question: str, request: Request, asking: Asking, find: Callable[[Resolver], Found]
) -> Found:
    """What is found for a request: what was found last, if it still holds, or again."""
    own = asking.resolver.source
    if own is None or own.is_cell:
        return find(asking.resolver)
    engine, parts = _engine(), (question, own.path, own.module, repr(request))
    key = _digest("\n".join(parts))
    before = _read(engine, key)
    if before is not None and asking.agrees(before.trace):
        found: Found = before.found
        return found
    found = find(asking)
    if asking.is_whole:
        with suppress(OSError, pickle.PicklingError, TypeError, AttributeError, RecursionError):
            kept = pickle.dumps((asking.trace(), found), protocol=pickle.HIGHEST_PROTOCOL)
            workspace.remember(engine, key, kept)
    return found


def _read(engine: str, key: str) -> Remembered | None:
    """What is kept under a key; None where that is nothing that could be ours."""
    try:
        trace, found = _Unpickler(io.BytesIO(workspace.remembered(engine, key))).load()
    except Exception:  # no such file, or whatever damaged bytes make of it
        return None
    return Remembered(trace, found)


class _Unpickler(pickle.Unpickler):
    """Reads what is made of the engine's types, and runs nothing else."""

    def find_class(self, module: str, name: str) -> type:
        found = super().find_class(module, name) if f"{module}.".startswith(f"{ENGINE}.") else None
        if not isinstance(found, type) or found.__module__ != module:  # `os.system` of a module
            raise pickle.UnpicklingError(f"{module}.{name}")
        return found


@cache
def _engine() -> str:
    """What changes when the engine does, or Python."""
    return _digest(f"{VERSION} {sys.version} {workspace.stamp(OWN)}")


def _place(source: Source) -> Place:
    return source.path, source.module


def _kept(given: Given) -> Given:
    """An argument of a question as it is kept: of a text its place."""
    return _place(given) if isinstance(given, Source) else given


def _texts(answer: Answer) -> Iterator[Source]:
    """The texts in an answer."""
    match answer:
        case Source():
            yield answer
        case Definition(source=source) | WrittenTable(source=source):
            yield source
        case tuple():
            for each in answer:
                yield from _texts(each)


@lru_cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _said(answer: Answer) -> str:
    """What an answer says, as a digest: of a tree the text in which it stands."""
    return _digest(_spelled(answer))


def _spelled(answer: Answer) -> str:
    match answer:
        case Source():
            digest = _digest(answer.text)
            return f"{digest} {answer.is_package} {answer.is_cell} {_place(answer)}"
        case Module():
            return _spelled(answer.source)
        case Definition():
            holds = answer.lines, answer.written.path, answer.captured, answer.owner, answer.holds
            return f"{_spelled(answer.source)} {holds}"
        case WrittenTable():
            return f"{_spelled(answer.source)} {answer.kind.__name__} {answer.entries}"
        case tuple():
            return f"({', '.join(map(_spelled, answer))})"
    lines = getattr(answer, "lineno", None)
    return f"{type(answer).__name__} {answer if lines is None else lines}"
