"""Dataclasses that nobody changes once they are made, as the type checker makes sure.

They are as the standard library makes them, but for what `frozen=True` adds there for a program
that runs: with that it takes twice as long to define a class, and thrice to make an object of one.
All have one `__repr__`, as each method that is made takes longer than the class without it.
"""

from __future__ import annotations

import dataclasses
import reprlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, eq: bool = True, **options: bool) -> object:
        """Stands in for the one of the standard library."""

        def made(kind: type) -> type:
            is_hashed = frozen and eq and "__hash__" not in vars(kind)
            if options.get("repr", True) and "__repr__" not in vars(kind):
                kind.__repr__ = _repr
            options["repr"] = False
            finished = dataclasses.dataclass(eq=eq, unsafe_hash=is_hashed, **options)(kind)
            if frozen and options.get("slots") and "__getstate__" not in vars(kind):
                finished.__getstate__, finished.__setstate__ = _state, _restore
            return finished

        return made

    @reprlib.recursive_repr()
    def _repr(self: object) -> str:
        fields = (field.name for field in dataclasses.fields(self) if field.repr)
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
        return f"{type(self).__qualname__}({shown})"

    def _state(self: object) -> list[object]:
        """The fields, for pickle: its first protocols know no slots."""
        return [getattr(self, field.name) for field in dataclasses.fields(self)]

    def _restore(self: object, state: list[object]) -> None:
        for field, value in zip(dataclasses.fields(self), state, strict=True):
            setattr(self, field.name, value)
