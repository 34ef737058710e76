"""Answers about functions that call each other: the least ones, worked out when they are asked for.

What a function changes rests on what its callees change, and with recursion on itself. While a
question is open, who asks it again gets what is known so far, at first the least answer. What is
found by that rests on the open question: it is remembered for as long as that stands, and forgotten
as soon as more is known. Of questions that rest on each other the first that was asked is the
leader: all of them are worked out again, from where they were, until none is more than before. No
answer depends on which question came first.

This is tabling with completion, or a local solver. (Chen and Warren, Tabled evaluation with
delaying for general logic programs, J. ACM 43(1), 1996; Fecht and Seidl, A faster solver for
general systems of equations, Sci. Comput. Program. 35, 1999.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

Answer = TypeVar("Answer")
Store = dict[Any, Any]
Question = tuple[int, Hashable]
"""The store that will hold the answer, and the key there."""


@dataclass(slots=True)
class _Open:
    """A question that is being worked out: what is known so far, and what was found by that.

    `has_more` tells that more is known by now of another question, which rests on this one.
    """

    known: object
    is_least: bool
    has_more: bool = False
    found: dict[Question, Store] = field(default_factory=dict)


class Answers:
    """Remembers answers in stores, which belong to those who ask."""

    def __init__(self) -> None:
        self._open: dict[Question, _Open] = {}
        self._rests: dict[Question, frozenset[Question]] = {}
        self._last: dict[Question, object] = {}
        self._asking: list[set[Question]] = []

    def once(self, store: Store, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """An answer that does not rest on itself but by way of others."""
        question = id(store), key
        if key in store:
            self._rest_on(self._rests.get(question, ()))
            return cast(Answer, store[key])
        with self._asked() as rests:
            made = make()
        return self._kept(store, key, made, rests)

    def least(
        self,
        store: Store,
        key: Hashable,
        start: Answer,
        make: Callable[[], Answer],
        join: Callable[[Answer, Answer], Answer],
    ) -> Answer:
        """An answer that may rest on itself: the least one from `start` upwards by `join`."""
        question = id(store), key
        if question in self._open:
            self._rest_on((question,))
            return cast(Answer, self._open[question].known)
        if key in store:
            self._rest_on(self._rests.get(question, ()))
            return cast(Answer, store[key])
        start = join(start, cast(Answer, self._last.get(question, start)))
        with self._opened(store, key, start, is_least=True) as now, self._asked() as rests:
            while True:
                rests.clear()
                now.has_more = False
                found = join(cast(Answer, now.known), make())
                has_more = now.has_more or (found != now.known and question in rests)
                leaders = [q for q in rests if q != question and self._open[q].is_least]
                if leaders or not has_more:
                    break
                now.known = found
                self._forget(now)
            for leader in leaders:
                self._open[leader].has_more |= has_more
            self._settle(question, now, rests)
            self._last[question] = found
        return self._kept(store, key, found, rests)

    @contextmanager
    def working(self, store: Store, key: Hashable) -> Iterator[None]:
        """While something is worked out: what is found meanwhile by it is forgotten in the end."""
        with self._opened(store, key, None, is_least=False), self._asked() as rests:
            yield
        self._last.clear()
        self._rest_on(rests - {(id(store), key)})

    @contextmanager
    def _opened(
        self, store: Store, key: Hashable, known: object, *, is_least: bool
    ) -> Iterator[_Open]:
        """While a question is open."""
        question = id(store), key
        now = self._open[question] = _Open(known, is_least)
        try:
            yield now
        finally:
            del self._open[question]
            self._forget(now)
            if not self._open:
                self._last.clear()

    def ask(self, store: Store, key: Hashable) -> None:
        """Notes that somebody looks at what may be just being worked out."""
        if (id(store), key) in self._open:
            self._rest_on(((id(store), key),))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While something is worked out that shall rest on nothing that is open now."""
        for now in self._open.values():
            self._forget(now)
        before = self._open, self._asking, self._last
        self._open, self._asking, self._last = {}, [], {}
        try:
            yield
        finally:
            self._open, self._asking, self._last = before

    @contextmanager
    def _asked(self) -> Iterator[set[Question]]:
        """Collects the open questions on which an answer rests."""
        rests: set[Question] = set()
        self._asking.append(rests)
        try:
            yield rests
        finally:
            self._asking.pop()

    def _rest_on(self, questions: Iterable[Question]) -> None:
        if self._asking:
            self._asking[-1].update(questions)

    def _kept(self, store: Store, key: Hashable, made: Answer, rests: set[Question]) -> Answer:
        """Remembers an answer for as long as what it rests on stands."""
        rests.discard((id(store), key))
        self._rest_on(rests)
        if key not in store:
            store[key] = made
            self._note((id(store), key), store, rests)
        return cast(Answer, store[key])

    def _note(self, question: Question, store: Store, rests: Set[Question]) -> None:
        """Notes that a remembered answer rests on open questions."""
        before = self._rests.get(question, frozenset())
        for each in rests - before:
            self._open[each].found[question] = store
        if rests:
            self._rests[question] = before | rests

    def _forget(self, now: _Open) -> None:
        for (place, key), store in now.found.items():
            if self._rests.pop((place, key), None) is not None:
                del store[key]
        now.found.clear()

    def _settle(self, question: Question, now: _Open, rests: Set[Question]) -> None:
        """What rested on a question that is answered rests on what the answer rests on."""
        others = rests - {question}
        for found, store in now.found.items():
            before = self._rests.pop(found, frozenset())
            if before - {question}:
                self._rests[found] = before - {question}
            if before:
                self._note(found, store, others)
        now.found.clear()
