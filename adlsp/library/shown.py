"""A derivative that shows itself: as its text, and in notebooks beside its primal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from adlsp.transform.artifact import Derivative
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True, repr=False)
class Shown(Derivative):
    """A derivative, with the texts that its lines come from as they were when it was made."""

    texts: tuple[Source, ...] = ()

    def __repr__(self) -> str:
        name = self.request.innermost.function.rpartition(".")[2]
        if not self.source:
            return f"<{name} has no derivative; why is in `.findings`>"
        return f"<derivative {self.name} of {name}; its text is `.source`>"

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:  # noqa: ANN401 - IPython's
        """What IPython prints in a terminal: the text."""
        del is_cycle
        from adlsp.library.display import page

        printer.text(page.plain(self))

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        from adlsp.library.display import page

        return page.html_of(self, self.texts)


def shown(derivative: Derivative, text: Callable[[str], Source | None]) -> Shown:
    """A derivative that shows itself; `text` gives the texts by their paths."""
    places = dict.fromkeys(p.path for each in derivative.source_map for p in each.places)
    found = (text(path) for path in places)
    data = {field.name: getattr(derivative, field.name) for field in fields(Derivative)}
    return Shown(**data, texts=tuple(source for source in found if source is not None))
