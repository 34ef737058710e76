"""A live function to what is called for its derivative, also where what that rests on has changed.

What was derived of a code object (`dispatch.py`) is kept for as long as its module, and shared by
all functions that have that code.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import CellType, FunctionType
from typing import Any, ClassVar

from adlsp.library import (
    compiling,
    derivatives,
    dispatch,
    errors,
    ground,
    primal,
    signatures,
    subjects,
    tracebacks,
)
from adlsp.library.asked import Asked, Wrt, parameters
from adlsp.library.dispatch import Derived, Variant
from adlsp.library.ground import MISSING
from adlsp.library.refusal import DifferentiationError, refuse, refuse_unseen
from adlsp.library.sending import packing
from adlsp.library.shown import Shown
from adlsp.library.subjects import Subject
from adlsp.transform import depth
from adlsp.transform.artifact import Kind
from adlsp.transform.diagnostics import language, reading
from adlsp.transform.emit.guarded import OTHERWISE
from adlsp.transform.frontend import operators

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=depth.start_over)

Value = Any
"""Whatever a function takes or gives."""

KEPT = "__adlsp_derived__"
"""The variable of a module that no other part of the program has, with what was derived in it."""

OTHERS = 16
"""After how many calls for other arguments others are tried first."""


class Differentiated:
    """A compiled derivative: call it as the primal, with `out_bar=` for another seed than 1.

    It is derived when it is first called, for what its arguments are, and again for others; asked
    for its text before, it gives the one for whatever arguments. `__wrapped__` is the primal.
    It pickles as what was asked of the primal: another process derives that from its own text.
    """

    autograph_info__: ClassVar[dict[str, object]] = {}
    """Tells `tf.function` that this is called as it is; it would take `__call__` for a method."""

    _subject: Subject
    _asked: Asked
    _derived: Derived | None
    _cells: Mapping[str, CellType]
    _instances: dict[Variant, FunctionType]
    _n_others: int

    @property
    def derivative(self) -> Shown:
        """The text that was derived last, with its map and its findings."""
        return self._latest.derivative

    @property
    def path(self) -> str:
        """The file of that text."""
        return self._compiled.__code__.co_filename

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The primal; but `inspect`, which follows this to find a source, gets the derivative's."""
        asking = _asking()
        if asking[0] == "inspect":
            by_tensorflow = asking[-1].partition(".")[0] == "tensorflow"
            return _traced(self._compiled) if by_tensorflow else self._compiled
        passed = self._subject.passed
        return primal.runs(passed) if isinstance(passed, FunctionType) else passed

    def __adlsp_asked__(self) -> tuple[Callable[..., Any], Asked]:
        """The primal, and which derivative of it this is: what derivatives of callers go by."""
        return self._subject.passed, self._asked

    def __getattr__(self, name: str) -> Value:
        """The names of the function; there are none where nothing can be derived."""
        if name not in ("__name__", "__qualname__"):
            raise AttributeError(name)
        try:
            return getattr(self._compiled, name)
        except DifferentiationError as error:
            raise AttributeError(name) from error

    def _repr_html_(self) -> str:
        """What Jupyter shows, made again where what it rests on has changed."""
        if self._derived is None or not self._derived.ground.holds():
            _fill(self)
        return self.derivative._repr_html_()

    def __repr__(self) -> str:
        latest = None if self._derived is None else self._derived.latest
        name = "" if latest is None else f"{latest.derivative.name} "
        return f"<derivative {name}of {self._subject.name}>"

    def __tf_tracing_type__(self, context: object) -> object:
        """What `tf.function` takes this for where it is an argument."""
        return derivatives.tracing_type(self)

    def __reduce__(self) -> tuple[Value, ...]:
        sent = packing.portable(self._subject.portable, self._subject.function)
        return _again, (sent, self._asked)

    def __copy__(self) -> Differentiated:
        return self

    def __deepcopy__(self, memo: Value) -> Differentiated:
        return self

    @property
    def _latest(self) -> Variant:
        assert self._derived is not None
        return self._derived.latest or self._derived.generic

    @property
    def _compiled(self) -> FunctionType:
        """The function of the text that was derived last."""
        return self._instance(self._latest)

    def _instance(self, variant: Variant) -> FunctionType:
        """The function of a variant, which reads what this primal has captured."""
        found = self._instances.get(variant)
        if found is None:
            said = self._subject.said
            found = compiling.instance(variant.function, said, self._cells)
            self._instances[variant] = found
        return found

    def _first(self, args: Sequence[Value], keywords: Mapping[str, Value]) -> Callable[..., Value]:
        """The function for the arguments of a call; whatever they are if they do not fit."""
        subject, derived = self._subject, self._derived
        assert derived is not None
        given = subject.given(args, keywords)
        if given is None:
            return subject.bind(self._instance(derived.generic))
        held = {name: signatures.content(self._cells[name], MISSING) for name in derived.captured}
        every = {**given, **held}
        return subject.bind(self._otherwise(*(every.get(n, MISSING) for n in derived.named)))

    def _otherwise(self, *given: Value) -> FunctionType:
        """The function for other arguments than those which what is called first is for.

        Of many calls in turn that come here, the function for the last one is called first then.
        """
        assert self._derived is not None
        if not self._derived.ground.values_hold():
            _fill(self)
        variant = self._derived.known(given)
        self._n_others += 1
        if variant is None:
            if not self._derived.ground.holds():
                _fill(self)
            variant = self._derived.variant(given)
            _refuse_own_methods(self._subject, self._derived)
            self._n_others = OTHERS
        if self._n_others >= OTHERS:
            self._n_others = 0
            self._enter(self._subject.bind(self._instance(variant)))
        return self._instance(variant)

    def _enter(self, called: Callable[..., Value]) -> Callable[..., Value]:
        """Says what is called for it first."""
        assert self._derived is not None
        if ground.may_change():
            called = ground.current(called, self._derived.ground, partial(_fill, self))
        type(self).__call__ = staticmethod(called)  # type: ignore[method-assign]
        return called


def _first_call(made: Differentiated) -> Callable[..., Value]:
    """What is called first where nothing is derived yet."""

    def call(*args: Value, **kwargs: Value) -> Value:
        __tracebackhide__ = True
        try:
            return made._first(args, kwargs)(*args, **kwargs)
        except BaseException:
            tracebacks.leave()
            raise

    return call


def _documentation(made: Differentiated) -> str | None:
    try:
        return made._compiled.__doc__
    except DifferentiationError:
        return None


def _asking() -> list[str]:
    """The modules that ask for an attribute: what called it, and by way of `inspect` who."""
    frame = inspect.currentframe()
    frame = None if frame is None or frame.f_back is None else frame.f_back.f_back
    names = [""]
    while frame is not None:
        names.append(str(frame.f_globals.get("__name__")))
        if names[-1] != "inspect":
            break
        frame = frame.f_back
    return names[1:] or names


def _traced(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """What `tf.function` takes for the signature: no seed, but whatever keyword is given.

    It would make a tensor type of the seed's default, `1.0`, at each call: a fifth of the time of
    a small derivative.
    """
    signature = inspect.signature(compiled)
    parameters = signature.parameters.values()
    without = [p for p in parameters if p.kind is not p.KEYWORD_ONLY or p.default is p.empty]
    seeds = inspect.Parameter("seeds", inspect.Parameter.VAR_KEYWORD)

    def traced(*args: Value, **seeds: Value) -> Value:
        return compiled(*args, **seeds)

    traced.__signature__ = signature.replace(parameters=[*without, seeds])  # type: ignore[attr-defined]
    return traced


def differentiate(
    f: Callable[..., Any], wrt: Wrt, kind: Kind, outputs: Sequence[str]
) -> Differentiated:
    """The derivative of a function of some kind; of a derivative one of the next order."""
    subject = subject_of(f)
    names, is_tuple = parameters(subject, wrt)
    outputs = (outputs,) if isinstance(outputs, str) else outputs
    for name in outputs:
        if name not in subject.parameters:
            told = errors.no_parameter(subject.name, name, subject.parameters)
            raise ValueError(f"`outputs` names arrays that are changed: {told}")
    inner = f._asked if isinstance(f, Differentiated) else None
    if inner is not None and outputs:
        raise ValueError(f"`{subject.name}` is a derivative, which changes nothing: no `outputs`")
    return derivative_of(subject, Asked(names, is_tuple, kind, tuple(outputs), inner))


def subject_of(f: Callable[..., Any]) -> Subject:
    """The function that somebody wrote, with what is bound to it."""
    found = f._subject if isinstance(f, Differentiated) else subjects.subject(f)
    inner = f.func if isinstance(f, partial) else f
    home = str(getattr(inner, "__module__", None) or type(inner).__module__).partition(".")[0]
    is_unread = found is None or home == "tensorflow"
    if is_unread and home in operators.LIBRARIES and callable(inner):
        name = str(getattr(inner, "__name__", inner))
        refuse_unseen(name, reading.LibraryFunction(name))
    if found is None:
        raise TypeError(errors.no_function(f))
    return found


def signature_of(subject: Subject, study: derivatives.Study, args: Sequence[Value]) -> str:
    """The signature of a call with some arguments, and of what is captured then."""
    root = study.resolver.root
    given = subject.given(args, {}) if isinstance(args, tuple | list) else None
    if given is None or root is None:
        raise TypeError(errors.no_example(subject.name, args))
    cells = subject.cells(root.captured, root.followed)
    held = {name: signatures.content(cells[name], MISSING) for name in root.captured}
    every = {**given, **held}
    return dispatch.told(study, {name: every[name] for name in study.named})


def name_of(f: Callable[..., Any]) -> str:
    """What to call a function; what is none has a name, too."""
    found = f._subject if isinstance(f, Differentiated) else subjects.subject(f)
    return str(getattr(f, "__name__", f)) if found is None else found.name


def derivative_of(subject: Subject, asked: Asked) -> Differentiated:
    """The derivative of a live function, made again where what it rests on has changed."""
    if not subject.is_plain:
        made = _empty(subject, asked)
    else:
        f = subject.function
        made = _remembered(f, _kept, f, subject.passed, asked)
    if made._derived is None or not made._derived.ground.holds():
        _fill(made)
    return made


def _remembered(f: FunctionType, make: Value, *key: Value) -> Value:
    """What a cached function gives, for as long as the module of `f` is there.

    A function that came from another process as code has the variables of its module for itself.
    """
    module = sys.modules.get(f.__module__)
    if module is not None and vars(module) is f.__globals__:
        return make(*key)
    own = f.__globals__.setdefault(KEPT, {})
    if (make, key) not in own:
        own[make, key] = make.__wrapped__(*key)
    return own[make, key]


@lru_cache(maxsize=1024)
def _kept(f: FunctionType, passed: Callable[..., Any], asked: Asked) -> Differentiated:
    """The derivative that is known for a function, to be filled."""
    return _empty(Subject(passed, f), asked)


def _empty(subject: Subject, asked: Asked) -> Differentiated:
    space = {"__doc__": property(_documentation)}
    made: Differentiated = type("Differentiated", (Differentiated,), space)()
    made._subject, made._asked, made._derived = subject, asked, None
    return made


@depth.room()
def _fill(made: Differentiated) -> Callable[..., Any]:
    """Finds what is derived of its code, and gives what is called for a function.

    The former comes last: until it is there, other threads do the same.
    """
    subject = made._subject
    known = _remembered(subject.function, _known, subject.identity, made._asked)
    if not known or not known[0].ground.holds():
        known[:] = [Derived(subject, made._asked)]
    derived = known[0]
    _refuse_own_methods(subject, derived)
    cells = subject.cells(derived.captured, derived.followed)
    made._cells = {**cells, OTHERWISE: CellType(made._otherwise)}
    made._instances, made._n_others, made._derived = {}, 0, derived
    for variant in derived.variants[:1]:
        return made._enter(subject.bind(made._instance(variant)))
    return made._enter(_first_call(made))


def _refuse_own_methods(subject: Subject, derived: Derived) -> None:
    """Raises the error for an object that has a method of its own in place of its class's."""
    own = subjects.overridden(subject, derived.methods)
    if own is not None:
        name = subject.name.rpartition(".")[0]
        refuse(subject.function, language.MethodOrAttribute(name, own))


@lru_cache(maxsize=1024)
def _known(identity: subjects.Identity, asked: Asked) -> list[Derived]:
    """What was derived of a code object in a module, if it was looked at."""
    del identity, asked
    return []


def _again(f: Callable[..., Any], asked: Asked) -> Differentiated:
    """The derivative that was pickled, of the function as this process has it."""
    return derivative_of(subject_of(f), asked)
