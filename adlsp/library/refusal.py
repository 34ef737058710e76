"""The error of a function that cannot be differentiated, and that of a function of a library."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NoReturn

from adlsp.library import errors
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.source import Span

Value = Any
"""Whatever a function takes or gives."""


class DifferentiationError(TypeError):
    """A function cannot be differentiated; `findings` tell why and where, as an editor does.

    Tracebacks call it as programs do, `adlsp.DifferentiationError`.
    """

    __module__ = "adlsp"

    def __init__(self, name: str, findings: tuple[Diagnostic, ...]) -> None:
        super().__init__(errors.refusal(name, findings))
        self.findings = findings
        self._made_of = name, findings

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: who asked, and the findings as in a terminal."""
        from adlsp.library.display import errors

        return errors.rendered(self, str(self).partition("\n")[0], self.findings)

    def __reduce__(self) -> tuple[Value, ...]:
        return type(self), self._made_of, {"args": self.args}


def refuse(f: FunctionType, finding: Finding) -> NoReturn:
    """Raises the error, with a finding at the first line of a function."""
    line = f.__code__.co_firstlineno
    place = Span(f.__code__.co_filename, line, 1, line, 1)
    raise DifferentiationError(f.__name__, (Diagnostic(finding, place, function=f.__name__),))


def refuse_unseen(name: str, finding: Finding) -> NoReturn:
    """Raises the error, with a finding about a function that has no place in a text."""
    told = Diagnostic(finding, Span("", 1, 1, 1, 1), function=name)
    raise DifferentiationError(name, (told,))
