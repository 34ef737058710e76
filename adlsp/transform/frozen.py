"""Dataclasses that cost little where they are defined: what they need is made when it is used.

The standard library writes and compiles six functions for each dataclass, which is a third of the
time that it takes to load the engine. Here the `__init__` of a class is compiled when its first
object is made, and what compares, hashes and shows objects goes by the fields. In all else they are
dataclasses: `replace`, `fields` and `match` take them as such. For a type checker they are those of
the standard library, which makes those that are not frozen.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> object:
        """Makes a dataclass of a class with annotations, as the standard library does."""
        if cls is None and frozen and sys.version_info < (3, 14):
            return lambda given: _made(given, has_slots=slots, is_compared=eq)
        return dataclasses.dataclass(cls, frozen=frozen, slots=slots, eq=eq)


__all__ = ["dataclass"]

MISSING = dataclasses.MISSING

Class = Any
Made = Any
"""An object of such a class."""

Fields = Mapping[str, "dataclasses.Field[Any]"]


@dataclasses.dataclass(frozen=True)
class _Like:
    """Has what all dataclasses have."""

    each: int


PARAMETERS = _Like.__dataclass_params__  # type: ignore[attr-defined]
SORT = _Like.__dataclass_fields__["each"]._field_type  # type: ignore[attr-defined]


def _made(cls: type, *, has_slots: bool, is_compared: bool) -> type:
    """The frozen dataclass of a class."""
    given = dict(cls.__dict__)
    own = {name: _field(name, kind, given) for name, kind in _annotations(given).items()}
    above = (base.__dict__.get("__dataclass_fields__", {}) for base in reversed(cls.__mro__[1:]))
    every = {name: each for fields in (*above, own) for name, each in fields.items()}
    made = _with_slots(cls, given, every, own) if has_slots else _with_defaults(cls, own)
    methods: dict[str, object] = {
        "__dataclass_params__": PARAMETERS,
        "__match_args__": tuple(every),
        "__init__": _starting(made, every),
        "__repr__": _shown,
        "__setattr__": _refusing(made, every, "assign to"),
        "__delattr__": _refusing(made, every, "delete"),
    }
    if has_slots:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    if is_compared:
        methods |= _comparing([name for name, each in every.items() if each.compare])
    if given.get("__hash__") is None and "__eq__" in given:
        del given["__hash__"]  # which Python has set
    for name, method in methods.items():
        if name not in given:
            setattr(made, name, method)
    made.__dataclass_fields__ = every  # type: ignore[attr-defined]
    return made


def _annotations(given: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = given.get("__annotations__", {})
    return found


def _field(name: str, kind: object, given: Mapping[str, Any]) -> dataclasses.Field[Any]:
    """A field, by what the class says of it."""
    default = given.get(name, MISSING)
    made: Any = default
    if not isinstance(default, dataclasses.Field):
        made = dataclasses.field(default=default)
    made.name, made.type, made._field_type, made.kw_only = name, kind, SORT, False
    return made  # type: ignore[no-any-return]


def _with_slots(cls: type, given: Mapping[str, Any], every: Fields, own: Fields) -> type:
    """The class again, with a slot for each field."""
    above = {name for base in cls.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    inside = {name: each for name, each in given.items() if name not in own}
    for name in ("__dict__", "__weakref__"):
        inside.pop(name, None)
    inside["__slots__"] = tuple(name for name in every if name not in above)
    made = type(cls)(cls.__name__, cls.__bases__, inside)
    made.__qualname__ = cls.__qualname__
    return made


def _with_defaults(cls: type, own: Fields) -> type:
    """The class, with the defaults of its fields as attributes."""
    for name, each in own.items():
        if each.default is not MISSING:
            setattr(cls, name, each.default)
        elif name in cls.__dict__:
            delattr(cls, name)
    return cls


def _starting(cls: Class, every: Fields) -> Callable[..., None]:
    """The `__init__` of a class, which makes way for one that is compiled when it first runs."""

    def start(self: object, *args: object, **kwargs: object) -> None:
        compiled = _compiled(cls, every)
        if cls.__dict__["__init__"] is start:
            cls.__init__ = compiled
        compiled(self, *args, **kwargs)

    return start


def _compiled(cls: type, every: Fields) -> Callable[..., None]:
    """The `__init__` of a class."""
    space: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
    parameters, lines = ["self"], []
    for name, each in every.items():
        space[f"_default_{name}"], given = each.default, name
        if each.default_factory is not MISSING:
            space[f"_make_{name}"] = each.default_factory
            given = f"_make_{name}() if {name} is _missing else {name}"
        is_told = each.default is MISSING and each.default_factory is MISSING
        parameters.append(name if is_told else f"{name}=_default_{name}")
        lines.append(f"    _set(self, {name!r}, {given})")
        slot = getattr(cls, name, None)
        if name not in cls.__dict__.get("__slots__", ()) or slot is None:
            continue
        space[f"_set_{name}"] = slot.__set__
        lines[-1] = f"    _set_{name}(self, {given})"
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec("\n".join((f"def __init__({', '.join(parameters)}):", *lines, "    return None")), space)
    made: Callable[..., None] = space["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _refusing(cls: type, every: Fields, verb: str) -> Callable[..., None]:
    """What refuses to change an object; a subclass may have attributes of its own."""
    change: Callable[..., None] = object.__setattr__ if verb == "assign to" else object.__delattr__

    def refuse(self: object, name: str, *value: object) -> None:
        if type(self) is cls or name in every:
            raise dataclasses.FrozenInstanceError(f"cannot {verb} field {name!r}")
        change(self, name, *value)

    return refuse


def _comparing(names: list[str]) -> dict[str, object]:
    """What compares and hashes objects by some fields."""
    get: Callable[[Any], object] = attrgetter(*names) if names else lambda _: ()
    if len(names) == 1:
        single = get
        get = lambda of: (single(of),)  # noqa: E731

    def equal(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return get(self) == get(other)

    def number(self: object) -> int:
        return hash(get(self))

    return {"__eq__": equal, "__hash__": number}


@recursive_repr("...")
def _shown(self: Made) -> str:
    every = self.__dataclass_fields__.values()
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in every if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _state(self: Made) -> list[object]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _restore(self: Made, state: list[object]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)
