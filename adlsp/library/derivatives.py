"""The derivative of a live function as text, in its file.

The path of the file follows from the text; the editor and the debugger know it by the same path.
"""

from __future__ import annotations

import gc
import linecache
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adlsp import workspace
from adlsp.library import around
from adlsp.library.around import Place
from adlsp.library.asked import Asked
from adlsp.library.live import LiveResolver
from adlsp.library.refusal import refuse
from adlsp.library.remembered import Asking, recall
from adlsp.library.shown import Shown, shown
from adlsp.library.subjects import Subject
from adlsp.transform import requests
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.diagnostics import language, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.frozen import dataclass

if TYPE_CHECKING:
    from adlsp.transform.query_cache import QueryCache

Value = Any
"""A number, an array or a tensor."""


@dataclass(frozen=True)
class Study:
    """A function of which derivatives are asked: how its names are resolved, and what is known.

    The engine is loaded where it is not known from an earlier run what it would find.
    """

    resolver: LiveResolver
    request: Request
    asking: Asking

    @cached_property
    def cache(self) -> QueryCache:
        """What the engine has worked out."""
        from adlsp.transform.query_cache import QueryCache

        return QueryCache()

    @property
    def named(self) -> tuple[str, ...]:
        """The variables of a signature: the parameters, and what is captured."""
        root = self.resolver.root
        assert root is not None
        return tuple(dict.fromkeys((*root.parameters, *root.captured)))


def study(subject: Subject, asked: Asked) -> Study:
    """Reads a live function; raises DifferentiationError where there is nothing to read."""
    f = subject.function
    with undisturbed():
        resolver = LiveResolver(f, subject.owner)
    resolver.abstraction = around.kept
    if not resolver.dotted:
        module = None if resolver.source is None else resolver.parsed(resolver.source)[0]
        unfit = requests.unfit(module, f.__qualname__)
        refuse(f, unfit or reading.SourceUnavailable(subject.name, resolver.why_unread(f)))
    if resolver.root is not None and not resolver.root.has(asked.every):
        decorator = f"@{resolver.root.written.path.partition('.')[0]}"
        refuse(f, language.DecoratedFunction(decorator, subject.name))
    return Study(resolver, asked.request(resolver.dotted), Asking(resolver))


def obstacles(study: Study, signature: str = "") -> tuple[Diagnostic, ...]:
    """What is in the way of the derivatives of a function, where what a signature tells is so."""
    request = replace(study.request, signature=signature)

    def find(resolver: Resolver) -> tuple[Diagnostic, ...]:
        from adlsp.transform import engine

        return engine.obstacles(request, resolver, study.cache)

    with undisturbed():
        return recall("obstacles", request, study.asking, find)


def places(study: Study) -> dict[str, Place]:
    """The variables of modules whose values count for a derivative, and where they are."""

    def find(resolver: Resolver) -> tuple[str, ...]:
        from adlsp.transform import engine

        return engine.reads(study.request, resolver, study.cache)

    with undisturbed():
        names = recall("reads", study.request, study.asking, find)
    found = {}
    for dotted in names:
        home, _, name = dotted.rpartition(".")
        space = study.resolver.namespace(home)
        if space is None or dotted in study.resolver.held_by_modules:
            continue
        state = study.resolver.attribute(Binding("module", home), name).state
        if state is None or not isinstance(space.get(name), list | dict | set):
            found[dotted] = space, name  # of a list that functions change nothing is known later
    return found


def derive(study: Study, signature: str = "") -> Shown:
    """The derivative of a function for arguments of a signature, in its file."""
    request, resolver = replace(study.request, signature=signature), study.resolver
    derivative = _derived(request, study)
    if not derivative.source:
        return shown(derivative, resolver.text)
    try:
        path = workspace.write_derivative(derivative)
    except OSError:
        path = f"<adlsp {os.path.basename(workspace.derivative_path(derivative))}>"
        lines = derivative.source.splitlines(keepends=True)
        linecache.cache[path] = (len(derivative.source), None, lines, path)
    return shown(replace(derivative, path=path), resolver.text)


def first(study: Study, signature: str) -> Derivative:
    """The derivative that a derivative of it is asked of, for arguments of a signature."""
    assert study.request.inner is not None
    return _derived(replace(study.request.inner, signature=signature), study)


def _derived(request: Request, study: Study) -> Derivative:
    """What the engine writes for a request, now or in an earlier run."""

    def find(resolver: Resolver) -> Derivative:
        from adlsp.transform import engine

        return engine.derive(request, resolver, study.cache)

    with undisturbed():
        return recall("derivative", request, study.asking, find)


def record(study: Study, signature: str) -> None:
    """Tells tools which arguments a function of a file had last."""
    definition = study.resolver.definition(study.request.function)
    if definition is not None and not definition.source.is_cell:
        with suppress(OSError):
            workspace.record_signature(definition, signature)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Looks for no garbage meanwhile: deriving makes many small objects, few of them in circles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def announce(derivative: Derivative) -> None:
    """Tells a debugger, if there is one, of a new derivative."""
    from adlsp.runtime import hook

    hook.bind(workspace.announcement(derivative, derivative.path or ""))


def is_tensor(x: object) -> bool:
    """Tells whether a value is a tensor of TensorFlow; asking loads nothing."""
    return str(type(x).__module__).startswith("tensorflow.")


def tensor_like(x: object, numbers: object) -> Value:
    """A tensor of the dtype of another one, with other numbers."""
    from adlsp.runtime import tensors

    return tensors.filled(x, numbers)


def tracing_type(derivative: object) -> object:
    """How `tf.function`, which is loaded if somebody asks, takes a derivative as an argument."""
    from adlsp.runtime import tensors

    return tensors.Fixed(derivative)
