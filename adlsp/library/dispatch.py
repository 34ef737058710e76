"""Which derivative of a function is for which arguments: one for each signature, when it is met.

What was derived of a code object is shared by all functions that have that code. A function that is
given arrays of more and more ranks or dtypes gets one derivative for all of these in the end.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import FunctionType
from typing import Any

from adlsp.library import accepting, compiling, derivatives, signatures
from adlsp.library.around import Place, around, plain
from adlsp.library.asked import Asked
from adlsp.library.ground import Ground
from adlsp.library.refusal import DifferentiationError
from adlsp.library.shown import Shown
from adlsp.library.subjects import Subject
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.emit.guarded import Guard
from adlsp.transform.frozen import dataclass
from adlsp.transform.values import lattice
from adlsp.transform.values.lattice import (
    Array,
    Number,
    Numeric,
    Range,
    Signature,
    Size,
    Unknown,
    Value,
)
from adlsp.transform.values.signature import signature_text

Live = Any
"""Whatever a program has."""

MOST_ALIKE = 8
"""How many derivatives there are for signatures that differ only in ranks and dtypes."""

MOST = 64
"""How many derivatives there are for all signatures; then the oldest is forgotten."""

LOG = logging.getLogger("adlsp")

_turn = threading.RLock()
"""Whose turn it is to derive: one thread's at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A derivative for one signature, and what tells whether arguments have that.

    `function` is the derivative with empty cells for captured variables, and `holds` tells whether
    modules hold what it is for.
    """

    signature: Signature
    derivative: Shown
    function: FunctionType
    accepts: Callable[..., bool]
    holds: Callable[[], bool] | None = None


class Derived:
    """What was derived of a code object: a variant for each signature, the last one first.

    `latest` is the one that was derived last. Raises DifferentiationError where no arguments would
    help; what these may yet tell is no reason, and not said.
    """

    latest: Variant | None = None

    def __init__(self, subject: Subject, asked: Asked) -> None:
        self.study = derivatives.study(subject, asked)
        surely = _surely(self.study)
        if surely and (held := told(self.study, {})):
            surely = _surely(self.study, held)
        if surely:
            raise DifferentiationError(subject.name, surely)
        root = self.study.resolver.root
        assert root is not None
        self.captured, self.followed = root.captured, root.followed
        self.named = self.study.named
        self.variants: tuple[Variant, ...] = ()
        self._name, self._home = subject.name, subject.function.__globals__
        self._texts: dict[str, Shown] = {}

    @property
    def ground(self) -> Ground:
        """What it rests on in the program."""
        return self.study.resolver.ground

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of an object that were followed."""
        return tuple(sorted(self.study.resolver.methods))

    @cached_property
    def generic(self) -> Variant:
        """The derivative for whatever arguments."""
        with _turn:
            derivative = self._derivative({})
            return Variant({}, derivative, self._compiled(derivative, None), lambda *_: True)

    def known(self, given: Sequence[Live]) -> Variant | None:
        """The variant that is there for some arguments."""
        for variant in self.variants:
            if variant.accepts(*given) and (variant.holds is None or variant.holds()):
                return variant
        return None

    def variant(self, given: Sequence[Live]) -> Variant:
        """The variant for some arguments, the values of `named`; derives it if there is none."""
        with _turn:
            found = self.known(given)
            if found is not None:
                return found
            live = dict(zip(self.named, given, strict=True))
            own = signature(live)
            alike = [each for each in self.variants if _alike(each.signature) == _alike(own)]
            is_one_of_many = len(alike) >= MOST_ALIKE
            if is_one_of_many:
                LOG.info(
                    "`%s` has been given arguments of %d ranks and dtypes: "
                    "what these are is left open from now on",
                    self._name,
                    len(alike) + 1,
                )
                own = _joined([own, *(each.signature for each in alike)])
                live = {name: x for name, x in live.items() if not isinstance(own[name], Unknown)}
            made = self._made(own, live)
            before = self.variants[: MOST - 1]
            self.variants = (*before, made) if is_one_of_many else (made, *before)
            self.latest = made
            derivatives.record(self.study, made.derivative.request.signature)
            return made

    def _made(self, own: Signature, live: Mapping[str, Live]) -> Variant:
        accepts, held = accepting.checker(own, live), around(self._places)
        derivative = self._derivative({**own, **held.values})
        guard = Guard(*accepting.guard(own, live, accepts), self.named)
        if held.test is not None:
            guard = guard.along(*held.test)
        elif held.holds is not None:
            guard = guard.along("holds()", {"holds": held.holds})
        if self.ground.values:
            guard = guard.along("holds()", {"holds": self.ground.values_hold})
        compiled = self._compiled(derivative, guard)
        return Variant(own, derivative, compiled, accepts, held.holds)

    @cached_property
    def _places(self) -> dict[str, Place]:
        """The variables of modules that count, and where they are."""
        return derivatives.places(self.study)

    def _derivative(self, own: Signature) -> Shown:
        """The derivative as text; raises DifferentiationError where there is none."""
        text = self._text(own)
        found = self._texts.get(text)
        if found is None:
            found = derivatives.derive(self.study, text)
            while text != self._text(own):  # a function that is known now reads more of a module
                text = self._text(own)
                found = derivatives.derive(self.study, text)
            if not found.source:
                blocking = tuple(one for one in found.findings if one.blocks)
                raise DifferentiationError(self._name, blocking)
            self._texts[text] = found
        return found

    def _text(self, own: Signature) -> str:
        """The text of what is known of arguments, and of variables of modules."""
        return text_of({**own, **self.study.resolver.held_by_modules})

    def _compiled(self, derivative: Shown, guard: Guard | None) -> FunctionType:
        importer = self.study.resolver.importer()
        first = partial(derivatives.first, self.study, derivative.request.signature)
        with derivatives.undisturbed():
            function = compiling.compiled(
                derivative, self.captured, importer, self._home, guard, first
            )
        derivatives.announce(derivative)
        return function


def _surely(study: derivatives.Study, signature: str = "") -> tuple[Diagnostic, ...]:
    """What is in the way of all derivatives, whatever the arguments tell."""
    found = derivatives.obstacles(study, signature)
    return tuple(one for one in found if not one.waits)


def told(study: derivatives.Study, live: Mapping[str, Live]) -> str:
    """The text of what is known of arguments, and of what the function reads of modules."""
    held = around(derivatives.places(study)).values
    return text_of({**signature(live), **held, **study.resolver.held_by_modules})


def signature(live: Mapping[str, Live]) -> Signature:
    """The signature of some arguments, without what these could not be told by."""
    found = plain(signatures.of_values(live))
    if accepting.checker(found, live)(*live.values()):
        return found
    told = {
        name: live[name]
        for name, value in found.items()
        if accepting.checker({name: value}, {name: live[name]})(live[name])
    }
    unknown = Unknown("arguments that are not told apart")
    return {**dict.fromkeys(live, unknown), **signatures.of_values(told)}


def text_of(signature: Signature) -> str:
    """The text of what is known of arguments."""
    known = {n: value for n, value in signature.items() if not _is_open(value)}
    return signature_text(known)


def _is_open(value: Value) -> bool:
    """Tells whether a signature leaves out a value: of an object no annotation tells more."""
    return isinstance(value, Unknown) and not value.why.startswith(signatures.AN_OBJECT)


def _joined(every: Sequence[Signature]) -> Signature:
    """What several signatures have in common."""
    return {name: lattice.joined(each[name] for each in every) for name in every[0]}


def _alike(signature: Signature) -> Signature:
    """A signature without dtypes and ranks."""
    return {name: _unranked(value) for name, value in signature.items()}


def _unranked(value: Value) -> Value:
    match value:
        case Number(constant=None | Size()) | Array(library="numpy") | Numeric():
            return Numeric()
        case Array():
            return replace(value, dtype=None, shape=None)
        case lattice.Sequence() | Range():
            value = replace(value, size=None)
    held = (_unranked(part) for _, part in lattice.parts(value))
    return lattice.holding(value, held)


def _start_over() -> None:
    """Makes a forked child a program of its own, which waits for no thread of its parent."""
    global _turn
    _turn = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)
