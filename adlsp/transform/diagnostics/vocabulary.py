"""The words in which findings are said: severities, the catalogue, places, fixes.

A kind of finding is a class whose fields are data, whose `message` is one template over them, and
whose docstring is its page (a summary, then `Why:`, `Example:`, `Instead:`). Phases return
`Diagnostic` values, a finding at a place, and whoever shows them asks these for code and message.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from enum import Enum
from string import Formatter
from typing import TYPE_CHECKING, ClassVar, TypeVar

from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Span

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[object], object]:
        """Stands in for the typing construct of Python 3.11."""
        return lambda decorator: decorator


class Severity(Enum):
    """How much a finding matters; errors and warnings make `adlsp check` fail."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


class Finding:
    """What all kinds of finding have; the `finding` decorator fills in all but the message."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    page: ClassVar[str]
    message: ClassVar[str]

    waits: ClassVar[bool] = False
    """Whether it may be there only for as long as nobody knows the arguments."""

    def text(self) -> str:
        """The message, in the user's own names."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return self.message.format(**data)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text of a span; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A mechanical repair: what it does, in the imperative, and its edits in order of position.

    A safe one keeps what the program computes, wherever it computes something. `names` are those
    that it brings into the module: another fix that brings one of them is made anew after it.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool = True
    names: tuple[str, ...] = ()

    @property
    def applicability(self) -> str:
        """How a fix may be applied, in the words of tools: "safe" also without being asked."""
        return "safe" if self.is_safe else "unsafe"


def apart(fixes: Iterable[Fix]) -> tuple[Fix, ...]:
    """Those fixes, the first first, that can be applied together.

    Edits that touch the same text cannot, nor can two insertions at one place, nor fixes that bring
    the same name.
    """
    kept: list[Fix] = []
    taken: list[Edit] = []
    names: set[str] = set()
    for fix in dict.fromkeys(fixes):
        is_touching = any(_touches(edit.span, old.span) for edit in fix.edits for old in taken)
        if names.isdisjoint(fix.names) and not is_touching:
            kept.append(fix)
            taken += fix.edits
            names.update(fix.names)
    return tuple(kept)


def _touches(one: Span, other: Span) -> bool:
    def ends(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
        return (span.line, span.column), (span.end_line, span.end_column)

    (start, end), (from_, to) = ends(one), ends(other)
    return one.path == other.path and (ends(one) == ends(other) or (start < to and from_ < end))


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a finding."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding at a place, as phases return it and as it is shown: in the terminal, in an editor.

    `blocks` says that no derivative can be made because of it; `function` is the one that it is in,
    where whoever reads the program as a whole has said so. It `is_open` in a branch that some
    arguments may leave out, or about an option that may be another one.
    """

    finding: Finding
    span: Span
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    blocks: bool = True
    function: str | None = None
    is_open: bool = False

    @property
    def waits(self) -> bool:
        """Whether it may be there only for as long as nobody knows the arguments."""
        return self.finding.waits or self.is_open

    @property
    def code(self) -> str:
        """The code of its kind."""
        return self.finding.code

    @property
    def name(self) -> str:
        """The name of its kind."""
        return self.finding.name

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.finding.severity

    @property
    def message(self) -> str:
        """What it says, in the user's own names."""
        return self.finding.text()

    def within(self, function: str | None) -> Diagnostic:
        """The same, with the name of the function that it is in."""
        return replace(self, function=function)


CATALOGUE: dict[str, type[Finding]] = {}
"""All kinds of finding by code; filled while `findings` is imported, then left alone."""

Kind = TypeVar("Kind", bound=type[Finding])

PARTS = ("Why:", "Example:", "Instead:")


@dataclass_transform(frozen_default=True)
def finding(code: str, name: str, severity: Severity) -> Callable[[Kind], Kind]:
    """Makes a subclass of `Finding` a kind of finding: frozen, a dataclass, in the catalogue.

    Raises ValueError for a code used before, a page without its three parts, or a placeholder in
    the message without a field: mistakes in our own text, found when the module is imported.
    """

    def enter(kind: Kind) -> Kind:
        page = inspect.cleandoc(kind.__doc__ or "")
        missing = [part for part in PARTS if not re.search(rf"^{part}", page, re.MULTILINE)]
        if missing:
            raise ValueError(f"the page of {code} lacks {', '.join(missing)}")
        if code in CATALOGUE:
            raise ValueError(f"the code {code} is used twice")
        made = dataclass(frozen=True)(kind)
        made.code, made.name, made.severity, made.page = code, name, severity, page
        known = {field.name for field in fields(made)}  # type: ignore[arg-type]
        for _, placeholder, _, _ in Formatter().parse(made.message):
            if placeholder is not None and placeholder not in known:
                raise ValueError(f"the message of {code} names {placeholder!r}, which is no field")
        CATALOGUE[code] = made
        return made  # type: ignore[return-value]

    return enter
