"""A live function to a compiled derivative, made again where what it rests on has changed.

What was derived of a code object is kept for as long as its module, and shared by all functions
that have that code.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import FunctionType
from typing import Any, ClassVar

from adlsp.library import compiling, derivatives, errors, ground, primal, subjects
from adlsp.library.asked import Asked, Wrt, parameters
from adlsp.library.refusal import DifferentiationError, refuse, refuse_unseen
from adlsp.library.sending import packing
from adlsp.library.shown import Shown
from adlsp.library.subjects import Subject
from adlsp.transform import depth
from adlsp.transform.artifact import Kind
from adlsp.transform.diagnostics import language, reading
from adlsp.transform.frontend import operators

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=depth.start_over)

Value = Any
"""Whatever a function takes or gives."""

KEPT = "__adlsp_derived__"
"""The variable of a module that no other part of the program has, with what was derived in it."""


class Differentiated:
    """A compiled derivative: call it as the primal, with `out_bar=` for another seed than 1.

    `__wrapped__` is the primal, `derivative` the text with its map and findings, `path` its file.
    It pickles as what was asked of the primal: another process derives that from its own text.
    """

    autograph_info__: ClassVar[dict[str, object]] = {}
    """Tells `tf.function` that this is called as it is; it would take `__call__` for a method."""

    derivative: Shown
    path: str
    _compiled: FunctionType
    _subject: Subject
    _asked: Asked
    _ground: ground.Ground | None

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The primal; but `inspect`, which follows this to find a source, gets the derivative's."""
        asking = _asking()
        if asking[0] == "inspect":
            by_tensorflow = asking[-1].partition(".")[0] == "tensorflow"
            return _traced(self._compiled) if by_tensorflow else self._compiled
        passed = self._subject.passed
        return primal.runs(passed) if isinstance(passed, FunctionType) else passed

    def _repr_html_(self) -> str:
        """What Jupyter shows, made again where what it rests on has changed."""
        if self._ground is None or not self._ground.holds():
            _fill(self)
        return self.derivative._repr_html_()

    def __repr__(self) -> str:
        return f"<derivative {self._compiled.__name__} of {self._subject.name}>"

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


def name_of(f: Callable[..., Any]) -> str:
    """What to call a function; what is none has a name, too."""
    found = f._subject if isinstance(f, Differentiated) else subjects.subject(f)
    return str(getattr(f, "__name__", f)) if found is None else found.name


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What was derived of a code object; all functions that have it share that.

    `function` is the derivative with empty cells for the variables that are `captured`, of which
    the functions that some hold are `followed`. `methods` are those that were followed of an
    object, `space` the variables of the primal's module.
    """

    derivative: Shown
    function: FunctionType
    ground: ground.Ground
    captured: tuple[str, ...]
    followed: tuple[str, ...]
    methods: tuple[str, ...]
    space: Value


def derivative_of(subject: Subject, asked: Asked) -> Differentiated:
    """The derivative of a live function, made again where what it rests on has changed."""
    if not subject.is_plain:
        made = _empty(subject, asked)
    else:
        f = subject.function
        made = _remembered(f, _kept, f, subject.passed, asked)
    if made._ground is None or not made._ground.holds():
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
    made: Differentiated = type("Differentiated", (Differentiated,), {})()
    made._subject, made._asked, made._ground = subject, asked, None
    return made


@depth.room()
def _fill(made: Differentiated) -> Callable[..., Any]:
    """Makes of what is derived of its code what is called for a function.

    The ground comes last: until it is there, other threads do the same.
    """
    subject = made._subject
    f = subject.function
    known = _remembered(f, _known, subject.identity, made._asked)
    if not known or not known[0].ground.holds():
        known[:] = [_template(subject, made._asked)]
    template = known[0]
    own = subjects.overridden(subject, template.methods)
    if own is not None:
        refuse(f, language.MethodOrAttribute(subject.name.rpartition(".")[0], own))
    cells = subject.cells(template.captured, template.followed)
    compiled = compiling.instance(template.function, subject.said, cells)
    made.derivative, made.path = template.derivative, compiled.__code__.co_filename
    made._compiled = compiled  # type: ignore[assignment]
    for name in ("__name__", "__qualname__", "__module__"):
        setattr(made, name, getattr(compiled, name))
    called: Value = subject.bind(compiled)
    if ground.may_change():
        called = ground.current(called, template.ground, partial(_fill, made))
    kind: Value = type(made)
    kind.__doc__, kind.__call__ = compiled.__doc__, staticmethod(called)
    made._ground = template.ground
    return called


@lru_cache(maxsize=1024)
def _known(identity: subjects.Identity, asked: Asked) -> list[Template]:
    """What was derived of a code object in a module: one, or nothing yet."""
    del identity, asked
    return []


def _template(subject: Subject, asked: Asked) -> Template:
    """Derives and compiles."""
    f = subject.function
    derivative, resolver = derivatives.derive(subject, asked)
    if not derivative.source:
        found = tuple(d for d in derivative.findings if d.blocks)
        raise DifferentiationError(subject.name, found)
    assert resolver.root is not None
    captured, followed = resolver.root.captured, resolver.root.followed
    function = compiling.compiled(derivative, captured, resolver.importer())
    derivatives.announce(derivative, f)
    methods = tuple(sorted(resolver.methods))
    return Template(
        derivative, function, resolver.ground, captured, followed, methods, f.__globals__
    )


def _again(f: Callable[..., Any], asked: Asked) -> Differentiated:
    """The derivative that was pickled, of the function as this process has it."""
    return derivative_of(subject_of(f), asked)
