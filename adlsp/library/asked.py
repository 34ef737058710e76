"""What is asked of a live function: which derivative, and with respect to which parameters."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

from adlsp.library import errors
from adlsp.library.subjects import Subject
from adlsp.transform.artifact import Kind, Request
from adlsp.transform.frozen import dataclass

Value = Any
"""Whatever a user passes."""

Wrt = int | str | Sequence[int | str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a primal: as a `Request`, of what `inner` asks for if there is one."""

    names: tuple[str, ...]
    is_tuple: bool
    kind: Kind
    outputs: tuple[str, ...]
    inner: Asked | None = None

    @property
    def every(self) -> tuple[str, ...]:
        """All parameters that are named in it."""
        return (*self.names, *self.outputs, *(() if self.inner is None else self.inner.every))

    def request(self, dotted: str) -> Request:
        """The request, for a function by its dotted name."""
        inner = None if self.inner is None else self.inner.request(dotted)
        return Request(
            dotted, self.names, self.is_tuple, self.kind, outputs=self.outputs, inner=inner
        )


def parameters(subject: Subject, wrt: Wrt) -> tuple[tuple[str, ...], bool]:
    """The parameters of interest by name, and whether their gradients come as a tuple."""
    if not isinstance(wrt, tuple | list):
        return (_parameter(subject, wrt),), False
    names = tuple(_parameter(subject, each) for each in wrt)
    if not names:
        raise ValueError("`wrt` is empty: it names the parameters of interest")
    if len(set(names)) < len(names):
        raise ValueError("`wrt` names a parameter twice")
    return names, True


def _parameter(subject: Subject, which: Value) -> str:
    known, named = subject.parameters, [*subject.parameters, *subject.stars]
    if isinstance(which, bool) or not isinstance(which, str | numbers.Integral):
        raise TypeError(errors.no_wrt(subject.name, which))
    if isinstance(which, str):
        if which in named:
            return which
    elif -len(known) <= int(which) < len(known):
        return known[int(which)]
    told = known if known and not isinstance(which, str) else named
    raise ValueError(errors.no_parameter(subject.name, which, told, len(known)))
