"""What a person passes to `adlsp.grad`, taken apart.

That is a function, or something that calls one: a bound method, a `functools.partial`, an object
with `__call__`, a cache. What is bound is given to the derivative as it is to the function; what a
closure has captured is read from its cells, when the derivative is called.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from types import CellType, FunctionType, MethodType
from typing import Any

from adlsp.library import unwrap
from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a function takes or gives."""


Given = dict[str, Any]
"""What parameters are given, by their names."""

SEED = re.compile(r"(?:out_bar|inner_bar|dots|inner_dots)(?:_\d+)?")
"""The parameters that derivatives have besides those of their functions."""

Identity = tuple[Any, ...]
"""What tells subjects apart that cannot share a derivative."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A function that somebody wrote, and what is given to it already.

    `passed` is what the person passed. `args` are values for the first parameters, `named` others
    by name. `owner` is the class that a method was looked up in.
    """

    passed: Callable[..., Any]
    function: FunctionType
    args: tuple[Value, ...] = ()
    named: Mapping[str, Value] = field(default_factory=dict)
    owner: type | None = None

    @cached_property
    def said(self) -> Value:
        """The function whose text names the parameters: what a decorator's function is around."""
        found, seen = self.function, {self.function}
        while _takes_anything(found):
            held = [each for each in _captured(found) if each not in seen]
            if len(held) != 1:
                return self.function
            found = held[0]
            seen.add(found)
        return found

    @property
    def identity(self) -> Identity:
        """What a derivative rests on but for values: the code, where it is, and what it calls.

        Functions that a decorator makes have one code; each is around another function, which
        another decorator may have made.
        """
        every = [self.function]
        for one in every:
            every += [each for each in _captured(one) if each not in every]
        codes = ((each.__code__, each.__code__.co_filename, id(each.__globals__)) for each in every)
        return (*codes, self.owner)

    @property
    def is_plain(self) -> bool:
        """Whether the function is all: nothing is bound and nothing captured."""
        return not (self.args or self.named or self.owner or self.function.__closure__)

    @property
    def portable(self) -> Callable[..., Any]:
        """What to look for in another process: the function, or what is bound with it."""
        return self.passed if self.args or self.named else self.function

    @property
    def positional(self) -> list[str]:
        """The parameters that are left and can be counted: the others need their names."""
        code = self.said.__code__
        names = code.co_varnames[len(self.args) : code.co_argcount]
        return [name for name in names if name not in self.named]

    @property
    def parameters(self) -> list[str]:
        """All parameters that are left, but `*args` and `**kwargs`."""
        code = self.said.__code__
        named = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
        return [*self.positional, *(name for name in named if name not in self.named)]

    @property
    def stars(self) -> list[str]:
        """Its `*args` and `**kwargs`, which have a tuple and a dictionary of gradients."""
        code = self.said.__code__
        n_named = code.co_argcount + code.co_kwonlyargcount
        flags = inspect.CO_VARARGS, inspect.CO_VARKEYWORDS
        return [*code.co_varnames[n_named:][: sum(bool(code.co_flags & flag) for flag in flags)]]

    @property
    def name(self) -> str:
        """What to call it: `train.<locals>.loss`, `lambda at line 12`."""
        name = self.function.__qualname__
        at = f"lambda at line {self.function.__code__.co_firstlineno}"
        return at if self.function.__name__ == "<lambda>" else name

    def given(
        self, args: Sequence[Value], keywords: Mapping[str, Value]
    ) -> dict[str, Value] | None:
        """What a call of the derivative gives to the parameters; None where that does not fit.

        Keywords for no parameter are those of the derivative.
        """
        signature = inspect.signature(self.said, follow_wrapped=False)
        taken, kinds = signature.parameters, {each.kind for each in signature.parameters.values()}
        is_any = inspect.Parameter.VAR_KEYWORD in kinds
        own = {
            name: x
            for name, x in keywords.items()
            if name in taken or (is_any and not SEED.fullmatch(name))
        }
        try:
            bound = signature.bind(*self.args, *args, **{**self.named, **own})
        except TypeError:
            return None
        bound.apply_defaults()
        return bound.arguments

    def bind(self, derivative: FunctionType) -> Callable[..., Any]:
        """A derivative of the function, given what the function is given."""
        if len(self.args) == 1 and not self.named:
            return MethodType(derivative, self.args[0])
        if self.args or self.named:
            return partial(derivative, *self.args, **self.named)
        return derivative

    def cells(self, names: Sequence[str], followed: Sequence[str]) -> dict[str, CellType]:
        """The cells of captured variables, also of those that captured functions have captured.

        Only captured functions that are `followed` read variables by the names that they have here.
        """
        found: dict[str, CellType] = {}
        pending, seen = [self.function], {id(self.function)}
        while pending:
            function = pending.pop(0)
            own = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            for name, cell in own:
                found.setdefault(name, cell)
                held = _content(cell) if name in followed else None
                if isinstance(held, FunctionType) and id(held) not in seen:
                    seen.add(id(held))
                    pending.append(held)
        return {name: found[name] for name in names}


def _takes_anything(function: FunctionType) -> bool:
    """Tells whether a function has no parameters but stars."""
    code = function.__code__
    n_named = code.co_argcount + code.co_kwonlyargcount
    return not n_named and bool(code.co_flags & inspect.CO_VARARGS)


def _captured(function: FunctionType) -> list[FunctionType]:
    """The functions that a function has captured."""
    held = (_content(cell) for cell in function.__closure__ or ())
    return [each for each in held if isinstance(each, FunctionType)]


def subject(f: Callable[..., Any]) -> Subject | None:
    """What `f` calls with what; None where that is no function that was written in Python."""
    found = unwrap.unwrapped(f)
    if isinstance(found, FunctionType):
        return Subject(f, found)
    if isinstance(found, MethodType):
        owner = found.__self__ if isinstance(found.__self__, type) else type(found.__self__)
        return _bound(f, found.__func__, (found.__self__,), owner)
    if isinstance(found, partial):
        return _partial(f, found)
    call = inspect.getattr_static(type(found), "__call__", None)
    if isinstance(call, FunctionType) and not isinstance(found, type):
        return _bound(f, call, (found,), type(found))
    return None


def _bound(f: Value, inner: Value, args: tuple[Value, ...], owner: type) -> Subject | None:
    function = unwrap.unwrapped(inner)
    return Subject(f, function, args, {}, owner) if isinstance(function, FunctionType) else None


def _partial(f: Value, given: partial[Value]) -> Subject | None:
    inner = subject(given.func)
    if inner is None:
        return None
    args, named = (*inner.args, *given.args), {**inner.named, **given.keywords}
    return Subject(f, inner.function, args, named, inner.owner)


def overridden(subject: Subject, names: Sequence[str]) -> str | None:
    """The first of some methods of a bound object that it has as an attribute of its own."""
    if subject.owner is None or not subject.args:
        return None
    if names and subject.owner.__getattribute__ is not object.__getattribute__:
        return names[0]
    own = getattr(subject.args[0], "__dict__", {})
    return next((name for name in names if name in own), None)


def _content(cell: CellType) -> Value:
    try:
        return unwrap.unwrapped(cell.cell_contents)
    except ValueError:  # nothing yet
        return None
